/* The map of a report: which kind wins on machines around this one. */
#ifndef WEIR_REPORT_MAP_H
#define WEIR_REPORT_MAP_H

#include <stdio.h>

#include "sim/map.h"

/* By table, hostage lines, ratio of atomics and contention; 0: none completes anything. */
typedef struct weir_report_map {
	uint32_t kinds[WEIR_SIM_MAP_TABLES][2][WEIR_SIM_MAP_SIZE][WEIR_SIM_MAP_SIZE];
} weir_report_map;

/* Simulates it, for a minute or, with thousands of blocks, several. Ends early, and then is not
 * whole, when Ctrl-C asks for it. */
weir_status weir_report_map_make(const weir_probe *base, weir_report_map *map);

void weir_report_map_write(FILE *page, const weir_report_map *map, const weir_probe *base);

#endif
