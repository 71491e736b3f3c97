/* The map: which kind wins on machines similar to a given one. */
#ifndef WEIR_COMMAND_FIGURES_MAKE_MAP_H
#define WEIR_COMMAND_FIGURES_MAKE_MAP_H

#include <stdint.h>

#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Simulates the tables of one primitive, or all if it is NULL, which takes some seconds, with a
 * progress bar. Ends early after Ctrl-C, leaving some machines unknown. */
weir_status weir_map_make(const weir_probe *base, const enum weir_primitive *only,
                          weir_sim_map *map);

/* "none" for a machine on which no kind completes anything, "-" for an unknown one. */
const char *weir_map_kind(enum weir_primitive primitive, uint32_t kind);

#endif
