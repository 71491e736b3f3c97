/* Which kind wins on machines around one that was measured: the paper's "predict future GPUs". */
#ifndef WEIR_SIM_MAP_H
#define WEIR_SIM_MAP_H

#include <stddef.h>

#include "prediction.h"

/* A map is of a small machine, in which blocks, threads and line rates shrink alike, so that the
 * ratios stay; doc/simulator.md says what that keeps and what not. */
#define WEIR_SIM_MAP_BLOCKS 64

#define WEIR_SIM_MAP_SIZE 5
#define WEIR_SIM_MAP_TABLES 4

/* Of contentious accesses, the two ratios of the machine abstraction that the map goes over. */
extern const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE];     /* atomic to volatile */
extern const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE]; /* to noncontentious volatile */

/* A winner that was not simulated yet; one of 0 says that no kind completed anything. */
#define WEIR_SIM_MAP_UNKNOWN UINT32_MAX

typedef struct weir_sim_map {
	weir_probe base;      /* the small machine */
	weir_sim_watch watch; /* of the machines; to be set after weir_sim_map_begin */
	struct {
		enum weir_primitive primitive;
		uint32_t initial; /* a semaphore's */
		/* By hostage lines, ratio of atomics and contention. */
		uint32_t kinds[2][WEIR_SIM_MAP_SIZE][WEIR_SIM_MAP_SIZE];
		uint32_t own; /* of the machine with the figures that it has */
	} tables[WEIR_SIM_MAP_TABLES];
} weir_sim_map;

/* The machines of a map: the places of the grid, with and without hostage lines, and itself. */
#define WEIR_SIM_MAP_MACHINES (2 * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE + 1)

/* A map of machines around `base`, with nothing simulated. */
void weir_sim_map_begin(const weir_probe *base, weir_sim_map *map);

/* One of the machines, by a number below WEIR_SIM_MAP_MACHINES: itself is the last. */
weir_status weir_sim_map_machine(const weir_sim_map *map, int which, weir_sim_machine *machine);

/* Finds the winners of one machine, by the same number, in the tables of one primitive, or
 * in all of them for NULL. */
weir_status weir_sim_map_fill(weir_sim_map *map, int which, const enum weir_primitive *only);

/* "semaphore, initial value 32" */
void weir_sim_map_title(const weir_sim_map *map, int table, char *text, size_t room);

#endif
