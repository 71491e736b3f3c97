/* Which kind wins on devices around one that was measured: the paper's "predict future GPUs". */
#ifndef WEIR_SIM_MAP_H
#define WEIR_SIM_MAP_H

#include <stddef.h>

#include "prediction.h"

/* A map is of a small device: blocks, threads and the rates of cache lines shrink alike, so that
 * the ratios stay. doc/simulator.md says what that keeps and what not. */
#define WEIR_SIM_MAP_BLOCKS 64

#define WEIR_SIM_MAP_SIZE 5
#define WEIR_SIM_MAP_TABLES 4

/* The two ratios of contentious accesses that the map goes over, of the paper's machine
 * abstraction. */
extern const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE];     /* atomic to volatile */
extern const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE]; /* to noncontentious volatile */

/* A winner that was not simulated yet; one of 0 says that no kind completed anything. */
#define WEIR_SIM_MAP_UNKNOWN UINT32_MAX

typedef struct weir_sim_map {
	weir_probe base;      /* the small device */
	weir_sim_watch watch; /* of the simulated devices; set it after weir_sim_map_begin */
	struct {
		enum weir_primitive primitive;
		uint32_t initial; /* a semaphore's */
		/* Indexed by hostage cache lines, ratio of atomics, and contention. */
		uint32_t kinds[2][WEIR_SIM_MAP_SIZE][WEIR_SIM_MAP_SIZE];
		uint32_t own; /* of the device with its own figures */
	} tables[WEIR_SIM_MAP_TABLES];
} weir_sim_map;

/* The devices of a map: the places of the grid, with and without hostage cache lines, and the
 * base. */
#define WEIR_SIM_MAP_MACHINES (2 * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE + 1)

/* A map of devices around `base`, with nothing simulated yet. */
void weir_sim_map_begin(const weir_probe *base, weir_sim_map *map);

/* One of the devices, by a number below WEIR_SIM_MAP_MACHINES; the last is the base itself. */
weir_status weir_sim_map_machine(const weir_sim_map *map, int which, weir_sim_machine *machine);

/* Finds the winners of one device, by the same number, in the tables of one primitive, or in all of
 * them for NULL. */
weir_status weir_sim_map_fill(weir_sim_map *map, int which, const enum weir_primitive *only);

/* "semaphore, initial value 32" */
void weir_sim_map_title(const weir_sim_map *map, int table, char *text, size_t room);

#endif
