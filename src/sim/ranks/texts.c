#define WEIR_SIM_RANKS
#include "sim/ranks/texts.h"

#include <stdlib.h>

#include "base/status.h"
#include "sim/ranks/rank_engine.h"
#include "weir/device.h"

/* Events of each rank: on the way to rank 0, and on the way back. */
enum {
	UP,
	DOWN,
	EVENTS
};

struct job {
	weir_sim_form form;
	uint32_t ranks;
	uint32_t domain;
	weir_crew_config config;
	weir_crew_config leaders; /* the crew of leaders, behind the other crew in each share */
	weir_word **table;        /* the shares */
	weir_word **leader_table;
};

static weir_crew crew_of(const struct job *job, uint32_t rank)
{
	weir_crew_config config = job->config;

	config.rank = rank;
	return weir_crew_make(job->table[rank], job->table, config);
}

/* ---- trees ---- */

static uint32_t highest_bit(uint32_t x)
{
	uint32_t bit = 1;

	while (bit <= x / 2)
		bit *= 2;
	return bit;
}

static uint32_t arity(const struct job *job)
{
	return job->form == WEIR_SIM_TREE_32 ? 32 : 8;
}

static uint32_t parent(const struct job *job, uint32_t rank)
{
	switch (job->form) {
	case WEIR_SIM_FLAT:
		return 0;
	case WEIR_SIM_TWO_LEVEL:
		return rank % job->domain ? rank - rank % job->domain : 0;
	case WEIR_SIM_ROUNDS_2:
		return rank - highest_bit(rank);
	default:
		return (rank - 1) / arity(job);
	}
}

/* The number of a leader's member, or `ranks` if there is none. */
static uint32_t member(const struct job *job, uint32_t leader, uint32_t k)
{
	return k + 1 < job->domain && leader + k + 1 < job->ranks ? leader + k + 1 : job->ranks;
}

/* Rank 0 signals the leaders first: they are farther away. */
static uint32_t child_of_two_levels(const struct job *job, uint32_t rank, uint32_t k)
{
	uint32_t others = rank == 0 ? (job->ranks - 1) / job->domain : 0;

	if (rank % job->domain)
		return job->ranks;
	return k < others ? (k + 1) * job->domain : member(job, rank, k - others);
}

/* Child k of a rank; `ranks` or more if there is none. */
static uint64_t child(const struct job *job, uint32_t rank, uint32_t k)
{
	switch (job->form) {
	case WEIR_SIM_FLAT:
		return rank == 0 ? k + 1 : job->ranks;
	case WEIR_SIM_TWO_LEVEL:
		return child_of_two_levels(job, rank, k);
	case WEIR_SIM_ROUNDS_2:
		return rank + ((uint64_t)(rank ? highest_bit(rank) * 2 : 1) << k);
	default:
		return k < arity(job) ? (uint64_t)rank * arity(job) + k + 1 : job->ranks;
	}
}

static uint32_t children(const struct job *job, uint32_t rank)
{
	uint32_t count = 0;

	while (child(job, rank, count) < job->ranks)
		count++;
	return count;
}

/* Waits for the children, then signals the parent. */
static void gather(const struct job *job, uint32_t rank)
{
	weir_crew c = crew_of(job, rank);

	weir_event_wait(weir_crew_event(c, rank, UP), children(job, rank));
	if (rank != 0)
		weir_event_post(weir_crew_event(c, parent(job, rank), UP), 1);
}

/* Waits for the parent, then signals the children. */
static void spread(const struct job *job, uint32_t rank)
{
	weir_crew c = crew_of(job, rank);
	uint32_t to;

	if (rank != 0)
		weir_event_wait(weir_crew_event(c, rank, DOWN), 1);
	for (uint32_t k = 0; (to = (uint32_t)child(job, rank, k)) < job->ranks; k++)
		weir_event_post(weir_crew_event(c, to, DOWN), 1);
}

/* ---- what a rank runs ---- */

static void run_to_all(void *argument, uint32_t rank)
{
	spread(argument, rank);
}

static void run_to_one(void *argument, uint32_t rank)
{
	gather(argument, rank);
}

static void run_tree(void *argument, uint32_t rank)
{
	gather(argument, rank);
	spread(argument, rank);
}

/* The barrier of the library. */
static void run_crew(void *argument, uint32_t rank)
{
	weir_crew_lane_wait(crew_of(argument, rank), 0);
}

/* The members of a domain signal its leader. The leaders meet in a crew of their own. */
static void run_two_levels(void *argument, uint32_t rank)
{
	const struct job *job = argument;
	weir_crew c = crew_of(job, rank);
	weir_crew_config config = job->leaders;
	uint32_t leader = rank - rank % job->domain;
	uint32_t members = 0, to;

	if (rank != leader) {
		weir_event_post(weir_crew_event(c, leader, UP), 1);
		weir_event_wait(weir_crew_event(c, rank, DOWN), 1);
		return;
	}
	while (member(job, rank, members) < job->ranks)
		members++;
	weir_event_wait(weir_crew_event(c, rank, UP), members);
	config.rank = rank / job->domain;
	weir_crew_lane_wait(weir_crew_make(job->table[rank], job->leader_table, config), 0);
	for (uint32_t k = 0; (to = member(job, rank, k)) < job->ranks; k++)
		weir_event_post(weir_crew_event(c, to, DOWN), 1);
}

static void run_hop(void *argument, uint32_t rank)
{
	const struct job *job = argument;
	weir_crew c = crew_of(job, rank);

	if (rank == 0)
		weir_event_post(weir_crew_event(c, job->ranks - 1, DOWN), 1);
	if (rank == job->ranks - 1)
		weir_event_wait(weir_crew_event(c, rank, DOWN), 1);
}

/* ---- the run ---- */

static uint32_t radix_of(weir_sim_form form, uint32_t ranks)
{
	uint32_t radix = form == WEIR_SIM_FLAT        ? ranks
	                 : form == WEIR_SIM_ROUNDS_8  ? 8
	                 : form == WEIR_SIM_ROUNDS_32 ? 32
	                                              : 2;

	if (radix > ranks)
		radix = ranks;
	return radix < 2 ? 2 : radix;
}

/* The shares have room for both crews. Returns the words of each share. */
static size_t configure(struct job *job, uint32_t radix)
{
	uint32_t domains = (job->ranks + job->domain - 1) / job->domain;

	job->config = weir_crew_in_config(job->ranks, 0, 1);
	job->config.radix = radix;
	job->config.events = EVENTS;
	job->leaders = weir_crew_in_config(domains, 0, 1);
	job->leaders.radix = radix_of(WEIR_SIM_ROUNDS_8, domains);
	job->leaders.offset = (uint32_t)weir_crew_words(job->config);
	return (size_t)(weir_crew_words(job->config) + weir_crew_words(job->leaders));
}

static weir_status run(const weir_sim_links *links, struct job *job, uint32_t radix,
                       void (*entry)(void *argument, uint32_t rank), weir_ranks_run *run)
{
	weir_status status;

	job->domain = links->domain;
	*run = (weir_ranks_run){.links = links,
	                        .ranks = job->ranks,
	                        .stride = configure(job, radix),
	                        .entry = entry,
	                        .argument = job};
	run->words = calloc(run->stride * job->ranks, sizeof *run->words);
	job->table = calloc(2 * (size_t)job->ranks, sizeof *job->table);
	if (run->words && job->table) {
		job->leader_table = job->table + job->ranks;
		for (uint32_t i = 0; i < job->ranks; i++)
			job->table[i] = run->words + i * run->stride;
		for (uint32_t i = 0; i * (uint64_t)job->domain < job->ranks; i++)
			job->leader_table[i] = job->table[i * job->domain];
		status = weir_ranks_engine_run(run);
	} else {
		status = weir_fail(WEIR_NO_MEMORY, "no memory to simulate %u ranks", job->ranks);
	}
	free(run->words);
	free(job->table);
	return status;
}

weir_status weir_ranks_text(const weir_sim_links *links, weir_sim_pattern pattern,
                            weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost)
{
	struct job job = {.form = form, .ranks = ranks};
	int is_tree = form == WEIR_SIM_TREE_8 || form == WEIR_SIM_TREE_32;
	/* Events are words of their own: their patterns need no slots. */
	uint32_t radix = pattern == WEIR_SIM_BARRIER ? radix_of(form, ranks) : 2;
	void (*entry)(void *, uint32_t) = pattern == WEIR_SIM_TO_ALL   ? run_to_all
	                                  : pattern == WEIR_SIM_TO_ONE ? run_to_one
	                                  : is_tree                    ? run_tree
	                                  : form == WEIR_SIM_TWO_LEVEL ? run_two_levels
	                                                               : run_crew;
	weir_ranks_run done;
	weir_status status = run(links, &job, radix, entry, &done);

	*cost = (weir_sim_ranks_cost){
	    .ns = done.ns, .far_signals = done.far_signals, .most_signals = done.most_signals};
	return status;
}

weir_status weir_ranks_hop(const weir_sim_links *links, uint32_t ranks, double *ns)
{
	struct job job = {.form = WEIR_SIM_FLAT, .ranks = ranks};
	weir_ranks_run done;
	weir_status status = run(links, &job, 2, run_hop, &done);

	*ns = done.ns;
	return status;
}
