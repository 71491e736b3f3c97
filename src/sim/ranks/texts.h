/* What a rank runs in each form: operations of the headers on a crew and its events. */
#ifndef WEIR_SIM_RANKS_TEXTS_H
#define WEIR_SIM_RANKS_TEXTS_H

#include "sim/sim.h"

/* Runs any form of any pattern on the engine. */
weir_status weir_ranks_text(const weir_sim_links *links, weir_sim_pattern pattern,
                            weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost);

/* Rank 0 signals the last of `ranks` ranks. */
weir_status weir_ranks_hop(const weir_sim_links *links, uint32_t ranks, double *ns);

#endif
