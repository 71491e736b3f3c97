#include "sim/sim.h"

#include "base/status.h"
#include "sim/engine.h"
#include "sim/ranks/texts.h"

const char *const weir_sim_form_names[WEIR_SIM_FORMS] = {
    "flat", "two levels", "tree of 8", "tree of 32", "rounds of 2", "rounds of 8", "rounds of 32"};

const char *const weir_sim_pattern_names[WEIR_SIM_PATTERNS] = {"barrier", "one to all",
                                                               "all to one"};

#define NVLINK_NS 600
#define NVLINK_SLOW_NS 2000
#define NETWORK_NS 2700
#define NETWORK_SLOW_NS 5000
#define NVLINK_GAP_NS 0.76
#define NETWORK_GAP_NS 10

static const weir_sim_system systems[] = {
    {"nvlink8",
     "8 GPUs on NVLink, network between; short latencies",
     {8, {NVLINK_NS, NVLINK_GAP_NS}, {NETWORK_NS, NETWORK_GAP_NS}}},
    {"nvlink8_slow",
     "8 GPUs on NVLink, network between; long latencies",
     {8, {NVLINK_SLOW_NS, NVLINK_GAP_NS}, {NETWORK_SLOW_NS, NETWORK_GAP_NS}}},
    {"nvlink72",
     "72 GPUs on NVLink, network between; short latencies",
     {72, {NVLINK_NS, NVLINK_GAP_NS}, {NETWORK_NS, NETWORK_GAP_NS}}},
};

static const weir_sim_figure system_figures[] = {
    {"a signal over NVLink, until a poll finds it", "0.6 us, long: 2.0 us",
     "NVIDIA's constants for NCCL's protocol LL; a user's run of p2pBandwidthLatencyTest", 0},
    {"the same over the network", "2.7 us, long: 5.0 us",
     "NVIDIA's constants for NCCL's protocol LL, of rings and of trees", 0},
    {"a poll of the own memory", "0.16 us", "measured by weir on an H200", 0},
    {"signals that a GPU sends or takes over NVLink", "one in 0.76 ns",
     "measured by weir on an H200, for arrivals inside it", 1},
    {"signals that a GPU sends or takes over the network", "one in 10 ns",
     "no public figure from a GPU was found", 1},
    {"GPUs of an NVLink domain", "8, or 72", "HGX boards, NVL72 racks", 0},
    {"latency inside a domain of 72", "that of 8", "the same links, more switches", 1},
};

const weir_sim_system *weir_sim_system_at(uint32_t index)
{
	return index < sizeof systems / sizeof systems[0] ? &systems[index] : NULL;
}

const weir_sim_figure *weir_sim_figure_at(uint32_t index)
{
	return index < sizeof system_figures / sizeof system_figures[0] ? &system_figures[index]
	                                                                : NULL;
}

int weir_sim_has_form(weir_sim_pattern pattern, weir_sim_form form)
{
	if (pattern == WEIR_SIM_BARRIER)
		return form != WEIR_SIM_TREE_32;
	return form != WEIR_SIM_ROUNDS_8 && form != WEIR_SIM_ROUNDS_32;
}

/* When the last of the signals over one kind of link is in memory. */
static double last_over(const weir_sim_link *link, uint32_t signals)
{
	return signals ? link->latency - WEIR_SIM_POLL_NS + (signals - 1) * link->gap : 0;
}

weir_sim_ranks_cost weir_sim_flat(const weir_sim_links *links, uint32_t ranks)
{
	weir_sim_ranks_cost cost = {.most_signals = ranks - 1, .is_computed = 1};
	uint32_t domain = links->domain < ranks ? links->domain : ranks;
	uint32_t rest = ranks % domain;
	double last_near = last_over(&links->near, domain - 1);
	/* A rank signals the ranks after it first. So the signals of a domain reach a rank all at
	 * once, and reach the domain's last rank later by one gap for each other rank in the
	 * domain. */
	double last_far = last_over(&links->far, domain < ranks ? ranks - 1 : 0);
	uint64_t pairs_near = (uint64_t)(ranks / domain) * domain * (domain - 1) +
	                      (uint64_t)rest * (rest - (rest != 0));

	cost.far_signals = (uint64_t)ranks * (ranks - 1) - pairs_near;
	/* First a sync and a load of the phase, then one or two looks and another sync. */
	cost.ns = WEIR_SIM_SYNC_NS + WEIR_SIM_POLL_NS +
	          (last_near > last_far ? last_near : last_far) + 1.5 * WEIR_SIM_POLL_NS +
	          WEIR_SIM_SYNC_NS;
	return cost;
}

static weir_status check(const weir_sim_links *links, uint32_t ranks)
{
	const weir_sim_link *both[] = {&links->near, &links->far};

	if (ranks == 0 || ranks > WEIR_SIM_RANKS_MOST || links->domain == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "%u ranks in domains of %u: not simulated",
		                 ranks, links->domain);
	for (int i = 0; i < 2; i++)
		if (!(both[i]->latency >= WEIR_SIM_POLL_NS && both[i]->latency < 1e9 &&
		      both[i]->gap >= 0 && both[i]->gap < 1e9))
			return weir_fail(
			    WEIR_BAD_ARGUMENT,
			    "a link with a latency of %g ns and a gap of %g ns is impossible: the "
			    "latency is %g or more, and both below 1e9",
			    both[i]->latency, both[i]->gap, WEIR_SIM_POLL_NS);
	return WEIR_OK;
}

weir_status weir_sim_ranks(const weir_sim_links *links, weir_sim_pattern pattern,
                           weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost)
{
	weir_status status = check(links, ranks);

	if (status != WEIR_OK)
		return status;
	if (!weir_sim_has_form(pattern, form))
		return weir_fail(WEIR_BAD_ARGUMENT, "%s, %s: not simulated",
		                 weir_sim_pattern_names[pattern], weir_sim_form_names[form]);
	if (pattern == WEIR_SIM_BARRIER && form == WEIR_SIM_FLAT && ranks > WEIR_SIM_FLAT_MOST) {
		*cost = weir_sim_flat(links, ranks);
		return WEIR_OK;
	}
	return weir_ranks_text(links, pattern, form, ranks, cost);
}

weir_status weir_sim_hop(const weir_sim_links *links, int is_far, double *ns)
{
	weir_status status = check(links, WEIR_SIM_RANKS_MOST);

	if (status != WEIR_OK)
		return status;
	return weir_ranks_hop(links, is_far ? links->domain + 1 : 2, ns);
}
