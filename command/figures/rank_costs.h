/* What barriers and events over many GPUs cost in the simulator: rows of tables and plots. */
#ifndef WEIR_COMMAND_FIGURES_RANK_COSTS_H
#define WEIR_COMMAND_FIGURES_RANK_COSTS_H

#include "src/sim/sim.h"

typedef struct weir_ranks_row {
	uint32_t ranks;
	weir_sim_ranks_cost costs[WEIR_SIM_FORMS]; /* only for the forms that the pattern has */
	weir_sim_form best;
} weir_ranks_row;

/* Returns 0, or an exit status after an error message. */
int weir_ranks_row_make(const weir_sim_links *links, weir_sim_pattern pattern, uint32_t ranks,
                        weir_ranks_row *row);

typedef struct weir_ranks_hops {
	double near_us;
	double far_us;
} weir_ranks_hops;

int weir_ranks_hops_make(const weir_sim_links *links, weir_ranks_hops *hops);

/* As a title: "one rank signals all others". */
const char *weir_ranks_title(weir_sim_pattern pattern);

#endif
