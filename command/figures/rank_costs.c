#include "figures/rank_costs.h"

#include "cli/complain.h"

static int complain(void)
{
	return weir_complain_failed();
}

int weir_ranks_row_make(const weir_sim_links *links, weir_sim_pattern pattern, uint32_t ranks,
                        weir_ranks_row *row)
{
	row->ranks = ranks;
	row->best = WEIR_SIM_FLAT;
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		if (!weir_sim_has_form(pattern, form))
			continue;
		if (weir_sim_ranks(links, pattern, form, ranks, &row->costs[form]) != WEIR_OK)
			return complain();
		if (row->costs[form].ns < row->costs[row->best].ns)
			row->best = form;
	}
	return 0;
}

int weir_ranks_hops_make(const weir_sim_links *links, weir_ranks_hops *hops)
{
	double near, far;

	if (weir_sim_hop(links, 0, &near) != WEIR_OK || weir_sim_hop(links, 1, &far) != WEIR_OK)
		return complain();
	hops->near_us = near * 1e-3;
	hops->far_us = far * 1e-3;
	return 0;
}

const char *weir_ranks_title(weir_sim_pattern pattern)
{
	static const char *const titles[WEIR_SIM_PATTERNS] = {
	    "a barrier", "one rank signals all others", "all ranks signal one"};

	return titles[pattern];
}
