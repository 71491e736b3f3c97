/* Which kind wins on machines around one that was measured: the paper's "predict future GPUs". */
#ifndef WEIR_SIM_MAP_H
#define WEIR_SIM_MAP_H

#include "prediction.h"

#define WEIR_SIM_MAP_SIZE 5

/* Of contentious accesses, the two ratios of the machine abstraction that the map goes over. */
extern const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE];     /* atomic to volatile */
extern const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE]; /* to noncontentious volatile */

/* A machine like `base` with other ratios: contentious times follow from its noncontentious
 * volatile ones, and accesses after an atomic cost what atomics do when `hostage`, else nothing. */
weir_probe weir_sim_map_probe(const weir_probe *base, double atomic, double contention,
                              int hostage);

/* The tables of a map: each with and without hostage lines. */
typedef struct weir_sim_map_table {
	enum weir_primitive primitive;
	uint32_t initial; /* a semaphore's */
	const char *title;
} weir_sim_map_table;

#define WEIR_SIM_MAP_TABLES 4
extern const weir_sim_map_table weir_sim_map_tables[WEIR_SIM_MAP_TABLES];

/* The winner at full scale at one place of the map; `initial` is a semaphore's. */
weir_status weir_sim_map_winner(const weir_probe *probe, enum weir_primitive primitive,
                                uint32_t initial, uint32_t *kind);

#endif
