/* The map of a report: which kind wins on machines around this one. */
#ifndef WEIR_REPORT_MAP_H
#define WEIR_REPORT_MAP_H

#include <stdio.h>

#include "sim/map.h"

/* Simulates the tables of one primitive, or all for NULL, for some seconds, with a bar. Ends early,
 * and then has machines that are not known, when Ctrl-C asks for it. */
weir_status weir_report_map_make(const weir_probe *base, const enum weir_primitive *only,
                                 weir_sim_map *map);

/* "none" of a machine on which no kind completes anything, "-" of one that is not known. */
const char *weir_report_map_kind(enum weir_primitive primitive, uint32_t kind);

/* The section of a page; `base` is the probe that the map was made from. */
void weir_report_map_write(FILE *page, const weir_sim_map *map, const weir_probe *base, int is_gpu);

#endif
