/* The runs of a tournament: everybody in turns, so that a drift of the clocks meets all alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum {
	PILOT_ROUNDS = 4,
	PILOT_GROWTH = 8,
	MOST_ROUNDS = 100000,
	/* Of locks: so that the start and the end, where few blocks compete, do not count. */
	LEAST_LOCK_ROUNDS = 20,
	/* Of the GPU, before anything counts: its clocks are low at first. */
	WARM_UP_MS = 200,
	MOST_WARM_UPS = 1000
};

/* How long a run should take. */
static const double run_ms = 5;

static uint32_t clamp(double value, uint32_t least, uint32_t most)
{
	return value < least ? least : value > most ? most : (uint32_t)value;
}

/* Rounds that take about run_ms, from a short run that is made longer until the launch itself does
 * not count any more. */
static weir_status fit_rounds(weir_contender *contender, double each_s)
{
	uint32_t most = contender->relaunch ? weir_relaunch_most(contender->relaunch) : MOST_ROUNDS;
	uint32_t least =
	    contender->subject.wanted.primitive == WEIR_PRIMITIVE_BARRIER ? 1 : LEAST_LOCK_ROUNDS;
	uint32_t rounds = PILOT_ROUNDS;
	weir_outcome outcome;
	/* The first run of all may include the loading of the kernel. */
	weir_status status = weir_contender_run(contender, rounds, each_s, &outcome);

	if (status == WEIR_OK)
		status = weir_contender_run(contender, rounds, each_s, &outcome);
	while (status == WEIR_OK && !outcome.cut && outcome.ms < run_ms / 2 && rounds < most) {
		double fit = rounds * run_ms / outcome.ms;
		rounds = clamp(fmin(fit, (double)rounds * PILOT_GROWTH), rounds + 1, most);
		status = weir_contender_run(contender, rounds, each_s, &outcome);
	}
	if (status == WEIR_OK)
		contender->rounds = clamp(rounds * run_ms / outcome.ms, least, most);
	contender->result.rounds = contender->rounds;
	return status;
}

/* Settles the rounds, then a run at each place that does not count. */
static weir_status prepare(weir_match *places, size_t i, double each_s, uint32_t repeats)
{
	weir_contender *contender = &places[0].contenders[i];
	weir_outcome outcome;
	weir_status status = fit_rounds(contender, each_s);

	for (int k = 0; status == WEIR_OK && k < WEIR_PEERS_PLACES; k++)
		status = weir_contender_run(&places[k].contenders[i], contender->rounds, each_s,
		                            &outcome);
	if (status == WEIR_OK)
		contender->outcomes = weir_need(calloc(repeats, sizeof *contender->outcomes));
	return weir_contender_leave_out(contender, status);
}

/* A run of the contender with its object at another place; the figures are the contender's. */
static weir_status run_repeat(weir_contender *contender, weir_contender *there, double limit_s,
                              double each_s)
{
	if (*contender->left_out)
		return WEIR_OK;
	/* Its time is up, and the repeats that it had must do. */
	if (contender->done && contender->spent_s > limit_s) {
		contender->result.timed_out = 1;
		return WEIR_OK;
	}
	weir_outcome *outcome = &contender->outcomes[contender->done];
	weir_status status = weir_contender_run(there, contender->rounds, each_s, outcome);
	if (status != WEIR_OK)
		return status;
	contender->done++;
	contender->spent_s += outcome->ms * 1e-3;
	contender->result.timed_out |= outcome->cut;
	return WEIR_OK;
}

static void conclude(weir_contender *contender)
{
	size_t bytes = contender->done * sizeof *contender->outcomes;

	if (contender->done == 0)
		return;
	weir_outcome *sorted = weir_need(malloc(bytes));
	memcpy(sorted, contender->outcomes, bytes);
	weir_outcomes_summarize(sorted, contender->done, &contender->result);
	free(sorted);
}

static weir_status warm_up(weir_match *match, double each_s)
{
	weir_contender *first = &match->contenders[0];
	weir_outcome outcome;
	weir_status status = WEIR_OK;
	double spent_ms = 0;

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && spent_ms < WARM_UP_MS; i++) {
		status = weir_contender_run(first, first->rounds, each_s, &outcome);
		spent_ms += outcome.ms;
	}
	return status;
}

/* The runs of one match, the same at all places; `*at` is whose turn it was when one failed. */
static weir_status run_match(const weir_tournament *tournament, weir_match *places, int is_first,
                             weir_progress *progress, size_t *at)
{
	const weir_sweep *sweep = &tournament->sweep;
	weir_match *match = &places[0];
	double each_s = sweep->limit_s / (sweep->repeats + 1);
	weir_status status = WEIR_OK;

	for (size_t i = 0; status == WEIR_OK && i < match->count && !weir_stop_asked(); i++) {
		*at = i;
		if (!*match->contenders[i].left_out)
			status = prepare(places, i, each_s, sweep->repeats);
	}
	if (status == WEIR_OK && is_first && match->contenders[0].rounds)
		status = warm_up(match, each_s);
	weir_progress_add(progress, 1);
	for (uint32_t repeat = 0; status == WEIR_OK && repeat < sweep->repeats; repeat++) {
		for (size_t i = 0; status == WEIR_OK && i < match->count; i++) {
			*at = i;
			if (!weir_stop_asked())
				status =
				    run_repeat(&match->contenders[i],
				               &places[repeat % WEIR_PEERS_PLACES].contenders[i],
				               sweep->limit_s, each_s);
		}
		weir_progress_add(progress, 1);
	}
	for (size_t i = 0; i < match->count; i++)
		conclude(&match->contenders[i]);
	return status;
}

static weir_match match_of(const weir_tournament *tournament, uint32_t initial, uint32_t blocks)
{
	const weir_sweep *sweep = &tournament->sweep;

	return (weir_match){.wanted = {.primitive = tournament->primitive,
	                               .initial = initial,
	                               .blocks = blocks,
	                               .threads = sweep->threads,
	                               .work = sweep->work,
	                               .cluster = sweep->cluster}};
}

/* The match at `index`, on the device and off it again. */
static weir_status play(weir_tournament *tournament, uint32_t index, weir_progress *progress)
{
	const weir_sweep *sweep = &tournament->sweep;
	uint32_t initial = tournament->primitive == WEIR_PRIMITIVE_SEMAPHORE
	                       ? sweep->initials.values[index / sweep->blocks.count]
	                       : 0;
	weir_match places[WEIR_PEERS_PLACES];
	weir_match *match = &places[0];
	weir_status status = WEIR_OK;
	size_t at = 0;

	for (int k = 0; k < WEIR_PEERS_PLACES; k++)
		places[k] = match_of(tournament, initial,
		                     sweep->blocks.values[index % sweep->blocks.count]);
	for (int k = 0; status == WEIR_OK && k < WEIR_PEERS_PLACES; k++)
		status = weir_match_open(tournament, &places[k]);
	if (status == WEIR_OK)
		status = run_match(tournament, places, index == 0, progress, &at);
	else if (match->count)
		at = match->count - 1;
	/* Before anything else can fail. */
	if (status != WEIR_OK)
		snprintf(tournament->failure, sizeof tournament->failure, "%s, %u blocks: %.512s",
		         match->count ? match->contenders[at].name : "peers", match->wanted.blocks,
		         weir_error_text());
	for (int k = 0; k < WEIR_PEERS_PLACES; k++)
		weir_match_close(tournament, &places[k]);
	for (int k = 1; k < WEIR_PEERS_PLACES; k++)
		weir_match_free(&places[k]);
	tournament->matches[tournament->count++] = *match;
	return status;
}

weir_status weir_tournament_run(weir_tournament *tournament)
{
	const weir_sweep *sweep = &tournament->sweep;
	uint32_t initials =
	    tournament->primitive == WEIR_PRIMITIVE_SEMAPHORE ? sweep->initials.count : 1;
	uint32_t count = initials * sweep->blocks.count;
	weir_progress progress;
	weir_status status = WEIR_OK;

	tournament->matches = weir_need(calloc(count, sizeof *tournament->matches));
	weir_progress_begin(&progress, "measuring", (double)count * (sweep->repeats + 1));
	for (uint32_t i = 0; status == WEIR_OK && i < count && !weir_stop_asked(); i++)
		status = play(tournament, i, &progress);
	weir_progress_end(&progress);
	return status;
}

void weir_tournament_free(weir_tournament *tournament)
{
	for (size_t i = 0; i < tournament->count; i++)
		weir_match_free(&tournament->matches[i]);
	free(tournament->matches);
	tournament->matches = NULL;
	tournament->count = 0;
}
