/* The section of a page with the map. */
#ifndef WEIR_COMMAND_REPORT_MAP_SECTION_H
#define WEIR_COMMAND_REPORT_MAP_SECTION_H

#include <stdio.h>

#include "src/sim/sim.h"
#include "weir/profile.h"

/* `base` is the probe that the map was made from. */
void weir_report_map_write(FILE *page, const weir_sim_map *map, const weir_probe *base, int is_gpu);

#endif
