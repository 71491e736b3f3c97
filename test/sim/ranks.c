/* The second level: the header's barrier holds on simulated ranks, sends the messages that it documents,
 * and takes the time that follows from the figures. The simulator's result matches the time of the
 * code. */
#define WEIR_SIM_RANKS
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sim/engine.h"
#include "sim/ranks/rank_engine.h"
#include "sim/sim.h"
#include "weir/device.h"

#define PHASES 3
#define RANKS 144

static const weir_sim_links links = {8, {600, 1}, {2700, 10}};

/* ---- the header, with ranks that arrive at different times ---- */

struct meeting {
	uint32_t ranks;
	uint32_t radix;
	int leaves_early; /* the fault that the test must see */
	weir_word *table[RANKS];
	uint64_t came[PHASES][RANKS];
	uint64_t left[PHASES][RANKS];
};

static weir_crew_config config_of(const struct meeting *m, uint32_t rank)
{
	weir_crew_config config = weir_crew_in_config(m->ranks, rank, 1);

	config.radix = m->radix;
	return config;
}

static void meet(void *argument, uint32_t rank)
{
	struct meeting *m = argument;
	weir_crew c = weir_crew_make(m->table[rank], m->table, config_of(m, rank));

	for (uint32_t phase = 0; phase < PHASES; phase++) {
		for (uint32_t late = (rank * 7 + phase * 5) % 11; late != 0; late--)
			weir_block_sync();
		m->came[phase][rank] = weir_clock_ns();
		weir_crew_token token = weir_crew_lane_arrive(c, 0);
		if (!m->leaves_early || rank != 0 || phase != 1)
			CHECK(weir_crew_await(c, &token) == WEIR_OK);
		m->left[phase][rank] = weir_clock_ns();
		if (m->leaves_early && rank == 0 && phase == 1)
			CHECK(weir_crew_await(c, &token) == WEIR_OK);
	}
}

/* How many ranks left a phase before all had arrived. */
static uint32_t early(const struct meeting *m)
{
	uint32_t count = 0;

	for (uint32_t phase = 0; phase < PHASES; phase++) {
		uint64_t last = 0;

		for (uint32_t i = 0; i < m->ranks; i++)
			if (m->came[phase][i] > last)
				last = m->came[phase][i];
		for (uint32_t i = 0; i < m->ranks; i++)
			count += m->left[phase][i] < last;
	}
	return count;
}

static weir_status run_meeting(struct meeting *m, weir_ranks_run *run)
{
	*run = (weir_ranks_run){.links = &links, .ranks = m->ranks, .entry = meet, .argument = m};
	run->stride = (size_t)weir_crew_words(config_of(m, 0));
	run->words = calloc(run->stride * m->ranks, sizeof *run->words);
	CHECK(run->words != NULL);
	for (uint32_t i = 0; i < m->ranks; i++)
		m->table[i] = run->words + i * run->stride;
	weir_status status = weir_ranks_engine_run(run);
	free(run->words);
	return status;
}

/* The messages that one rank sends in a phase, from the header's own code. */
static uint32_t signals_of(uint32_t ranks, uint32_t radix)
{
	uint32_t count = 0;

	for (uint32_t distance = 1; distance < ranks; distance *= radix)
		for (uint32_t j = 1; j < radix && j * distance < ranks; j++)
			count++;
	return count;
}

static void the_header_holds(void)
{
	static const uint32_t sizes[] = {1, 2, 7, 8, 9, 33, 72, RANKS};
	static struct meeting m;
	weir_ranks_run run;

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		for (uint32_t radix = 2; radix <= 2 * sizes[i]; radix *= 4) {
			memset(&m, 0, sizeof m);
			m.ranks = sizes[i];
			m.radix = radix < sizes[i] || radix == 2 ? radix : sizes[i];
			CHECK(run_meeting(&m, &run) == WEIR_OK);
			CHECK(early(&m) == 0);
			CHECK(run.most_signals == PHASES * signals_of(m.ranks, m.radix));
			CHECK(run.near_signals + run.far_signals ==
			      (uint64_t)run.most_signals * m.ranks);
		}
}

static void one_that_leaves_early_is_seen(void)
{
	static struct meeting m = {.ranks = 16, .radix = 16, .leaves_early = 1};
	weir_ranks_run run;

	CHECK(run_meeting(&m, &run) == WEIR_OK);
	CHECK(early(&m) == 1);
}

/* ---- refusals of the engine ---- */

static void read_another(void *argument, uint32_t rank)
{
	weir_word *words = argument;

	if (rank == 1)
		weir_load_rlx(&words[0]);
}

static void wait_for_nobody(void *argument, uint32_t rank)
{
	weir_word *words = argument;

	if (rank == 1)
		weir_await_ge_rlx(&words[1], 1);
}

static void what_no_crew_does_is_refused(void)
{
	weir_word words[2] = {{0}};
	weir_ranks_run run = {
	    .links = &links, .ranks = 2, .words = words, .stride = 1, .argument = words};

	run.entry = read_another;
	CHECK(weir_ranks_engine_run(&run) == WEIR_UNSUPPORTED);
	run.entry = wait_for_nobody;
	CHECK(weir_ranks_engine_run(&run) == WEIR_LAUNCH_FAILED);
	CHECK(strstr(weir_error_text(), "rank 1") != NULL);
}

/* ---- times, by known answers ---- */

static double cost(weir_sim_pattern pattern, weir_sim_form form, uint32_t ranks)
{
	weir_sim_ranks_cost c;

	CHECK(weir_sim_ranks(&links, pattern, form, ranks, &c) == WEIR_OK);
	return c.ns;
}

static void times_follow_from_the_figures(void)
{
	/* A sync, a load of the phase, the signal, and a sync. The signal hides another sync in
	 * between. */
	double two = WEIR_SIM_SYNC_NS + WEIR_SIM_POLL_NS + 600 + WEIR_SIM_SYNC_NS;
	double ns;

	CHECK(weir_sim_hop(&links, 0, &ns) == WEIR_OK);
	CHECK_NEAR(ns, 600, 1e-9);
	CHECK(weir_sim_hop(&links, 1, &ns) == WEIR_OK);
	CHECK_NEAR(ns, 2700, 1e-9);
	CHECK_NEAR(cost(WEIR_SIM_BARRIER, WEIR_SIM_FLAT, 2), two, 1e-9);
	CHECK_NEAR(cost(WEIR_SIM_BARRIER, WEIR_SIM_ROUNDS_2, 2), two, 1e-9);
	/* Each additional round is one more hop. */
	CHECK_NEAR(cost(WEIR_SIM_BARRIER, WEIR_SIM_ROUNDS_2, 8), two + 2 * 600, 1e-9);
	/* On the longest path, one of the three short steps also leaves a domain. */
	CHECK_NEAR(cost(WEIR_SIM_BARRIER, WEIR_SIM_ROUNDS_2, 64), two + 600 + 4 * 2700, 1e-9);
	/* The last signal of rank 0 leaves after as many gaps as there were others. */
	CHECK_NEAR(cost(WEIR_SIM_TO_ALL, WEIR_SIM_FLAT, 8), 600 + 6, 1e-9);
	CHECK_NEAR(cost(WEIR_SIM_TO_ALL, WEIR_SIM_FLAT, 108), 2700 + 99 * 10, 1e-9);
	CHECK_NEAR(cost(WEIR_SIM_TO_ALL, WEIR_SIM_TWO_LEVEL, 80), 2700 + 8 * 10 + 600 + 6, 1e-9);
	CHECK_NEAR(cost(WEIR_SIM_TO_ALL, WEIR_SIM_ROUNDS_2, 8), 3 * 600, 1e-9);
	/* Many messages reach one port at once, and are received one by one: at most one poll later. */
	ns = cost(WEIR_SIM_TO_ONE, WEIR_SIM_FLAT, 1008) - (WEIR_SIM_POLL_NS + 2700 + 999 * 10);
	CHECK(ns >= -1e-6 && ns <= WEIR_SIM_POLL_NS);
	CHECK_NEAR(cost(WEIR_SIM_BARRIER, WEIR_SIM_FLAT, 1),
	           3 * WEIR_SIM_SYNC_NS + WEIR_SIM_POLL_NS, 1e-9);
}

/* A poll that has started misses what arrives later, which the next one finds: half a poll on either
 * side. */
static void what_is_computed_is_what_the_text_takes(void)
{
	for (uint32_t i = 0; weir_sim_system_at(i); i++) {
		const weir_sim_links *l = &weir_sim_system_at(i)->links;

		for (uint32_t ranks = 2; ranks <= WEIR_SIM_FLAT_MOST; ranks += 1 + ranks / 3) {
			weir_sim_ranks_cost computed = weir_sim_flat(l, ranks), text;

			CHECK(weir_sim_ranks(l, WEIR_SIM_BARRIER, WEIR_SIM_FLAT, ranks, &text) ==
			      WEIR_OK);
			CHECK(computed.is_computed && !text.is_computed);
			CHECK(fabs(computed.ns - text.ns) <= WEIR_SIM_POLL_NS);
			CHECK(computed.far_signals == text.far_signals);
			CHECK(computed.most_signals == text.most_signals);
		}
	}
}

/* Every form ends on every size, with whole and with broken domains. */
static void all_forms_end(void)
{
	static const uint32_t sizes[] = {1, 2, 3, 8, 9, 17, 71, 100};
	weir_sim_ranks_cost c;

	for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++)
		for (weir_sim_form f = 0; f < WEIR_SIM_FORMS; f++)
			for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
				weir_status expected =
				    weir_sim_has_form(p, f) ? WEIR_OK : WEIR_BAD_ARGUMENT;
				CHECK(weir_sim_ranks(&links, p, f, sizes[i], &c) == expected);
			}
}

static void impossible_figures_are_refused(void)
{
	weir_sim_links wrong[] = {links, links, links, links, links};
	weir_sim_ranks_cost c;

	wrong[0].domain = 0;
	wrong[1].near.latency = 100;
	wrong[2].far.latency = NAN;
	wrong[3].near.gap = -1;
	wrong[4].far.gap = INFINITY;
	for (int i = 0; i < 5; i++)
		CHECK(weir_sim_ranks(&wrong[i], WEIR_SIM_BARRIER, WEIR_SIM_FLAT, 8, &c) ==
		      WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_ranks(&links, WEIR_SIM_BARRIER, WEIR_SIM_FLAT, 0, &c) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_ranks(&links, WEIR_SIM_BARRIER, WEIR_SIM_FLAT, WEIR_SIM_RANKS_MOST + 1,
	                     &c) == WEIR_BAD_ARGUMENT);
}

int main(void)
{
	the_header_holds();
	one_that_leaves_early_is_seen();
	what_no_crew_does_is_refused();
	times_follow_from_the_figures();
	what_is_computed_is_what_the_text_takes();
	all_forms_end();
	impossible_figures_are_refused();
	return check_failures != 0;
}
