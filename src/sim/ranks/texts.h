/* What a rank runs in each form: the operations of the headers on a crew and its events. */
#ifndef WEIR_SIM_RANKS_TEXTS_H
#define WEIR_SIM_RANKS_TEXTS_H

#include "sim/sim.h"

/* Any form of any pattern, by the engine. */
weir_status weir_ranks_text(const weir_sim_links *links, weir_sim_pattern pattern,
                            weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost);

/* The last of `ranks` ranks is signalled by the first one. */
weir_status weir_ranks_hop(const weir_sim_links *links, uint32_t ranks, double *ns);

#endif
