/* Runs a tournament: all contenders in turn, so that a drift of the clocks affects all of them
 * alike. */
#include "compare/peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "kernels/bench_params.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/rounds.h"
#include "output/figure.h"
#include "output/progress.h"
#include "weir/kind.h"

/* Plans all initial values or patterns for blocks of `threads` threads; `most` blocks run at
 * once. */
static void plan_blocks(weir_tournament *tournament, weir_busy busy, uint32_t threads,
                        uint32_t most)
{
	const weir_sweep *sweep = &tournament->sweep;
	weir_counts initials = weir_sweep_initials(sweep, tournament->primitive);

	for (uint32_t i = 0; i < initials.count; i++)
		for (uint32_t j = 0; j < sweep->blocks.count; j++) {
			weir_match match = {
			    .wanted = {.primitive = tournament->primitive,
			               .blocks = sweep->blocks.values[j],
			               .threads = threads,
			               .work = sweep->work,
			               .cluster = sweep->cluster},
			    .busy = busy,
			};
			weir_point_vary(&match.wanted, initials.values[i]);
			if (match.wanted.blocks <= most &&
			    weir_point_fits(&match.wanted, tournament->meter->info.machine))
				tournament->matches[tournament->planned++] = match;
		}
}

/* 1, 2, 4, 8 and 16 blocks on each multiprocessor. */
static weir_counts duel_blocks(const weir_meter *meter)
{
	weir_counts blocks = {0};

	for (uint32_t each = 1; each <= 16; each *= 2)
		blocks.values[blocks.count++] = each * (meter->info.units ? meter->info.units : 1);
	return blocks;
}

weir_status weir_tournament_plan(weir_tournament *tournament)
{
	static const weir_counts duel_threads = {{128, 512, 1024}, 3};
	const weir_sweep *sweep = &tournament->sweep;

	if (tournament->threads.count == 0)
		tournament->threads = duel_threads;
	if (sweep->blocks.count == 0)
		tournament->sweep.blocks = duel_blocks(tournament->meter);
	uint32_t pairs = weir_busy_size(&tournament->busy);
	size_t room = (size_t)pairs * tournament->threads.count * sweep->blocks.count *
	              weir_sweep_initials(sweep, tournament->primitive).count;

	tournament->matches = weir_need(calloc(room, sizeof *tournament->matches));
	for (uint32_t i = 0; i < pairs; i++)
		for (uint32_t j = 0; j < tournament->threads.count; j++) {
			weir_busy busy = weir_busy_at(&tournament->busy, i);
			uint32_t threads = tournament->threads.values[j];
			uint32_t most = 0;
			weir_status status = weir_meter_set_busy(tournament->meter, busy);
			if (status == WEIR_OK)
				status =
				    weir_measure_most_blocks(tournament->meter, threads, &most);
			if (status != WEIR_OK)
				return status;
			plan_blocks(tournament, busy, threads, most);
		}
	return WEIR_OK;
}

extern const void *const peers_cuda_image;

enum {
	/* The GPU's clocks are low at first: it runs this long before anything counts. */
	WARM_UP_MS = 200,
	MOST_WARM_UPS = 1000
};

int weir_peers_check_device(const weir_meter *meter)
{
	weir_machine machine = meter->info.machine;

	if (meter->sim || (machine != WEIR_MACHINE_CUDA && machine != WEIR_MACHINE_HOST))
		return weir_refuse("--peers: %s is not a CUDA device or the host, for which there "
		                   "are peers",
		                   meter->info.name);
	return 0;
}

weir_status weir_peers_program(weir_device *device, weir_program **program)
{
	const weir_program_text text = {.cuda_image = peers_cuda_image};

	return weir_program_create(device, &text, program);
}

/* ---- the runs of a contender ---- */

enum {
	MOST_LAUNCHES = 20000, /* in one run */
	MOST_NODES = 1000,
	START_THREADS = 1024 /* of the kernels that zero the words of a queue and so on */
};

weir_status weir_contender_leave_out(weir_contender *contender, weir_status status)
{
	if (status != WEIR_UNSUPPORTED && status != WEIR_TOO_MANY_BLOCKS)
		return status;
	snprintf(contender->left_out, sizeof contender->left_out, "left out: %.160s",
	         weir_error_text());
	return WEIR_OK;
}

static weir_status start_object(weir_contender *contender)
{
	weir_subject *subject = &contender->subject;
	weir_device *device = subject->meter->device;
	bench_params params = {.config = subject->config};
	weir_argument arguments[] = {{&subject->words, sizeof subject->words},
	                             {&subject->data.native, sizeof subject->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = contender->start,
	                      .grid = {1},
	                      .block = {subject->wanted.primitive >= WEIR_PRIMITIVE_QUEUE &&
	                                        subject->meter->info.is_gpu
	                                    ? START_THREADS
	                                    : 1},
	                      .arguments = arguments,
	                      .argument_count = 3};

	return weir_kernel_launch(device, &launch);
}

/* `rounds` launches of the kernel, one after another. */
static weir_status relaunch(weir_contender *contender, uint32_t rounds, weir_outcome *outcome)
{
	const weir_subject *subject = &contender->subject;
	void *words = subject->words;
	void *data = subject->data.native;
	bench_params params = {.config = subject->config, .rounds = rounds};
	void *parameters[] = {&words, &data, &params};
	weir_links links = {.kernel = subject->kernel,
	                    .blocks = subject->wanted.blocks,
	                    .threads = subject->wanted.threads,
	                    .count = rounds,
	                    .parameters = parameters};

	memset(outcome, 0, sizeof *outcome);
	weir_status status = weir_chain_run(contender->chain, &links, &outcome->ms);
	if (status != WEIR_OK)
		return status;
	outcome->completed = rounds;
	outcome->per_second = outcome->ms > 0 ? rounds / outcome->ms * 1e3 : 0;
	return WEIR_OK;
}

static weir_status run_contender(weir_contender *contender, uint32_t place, uint32_t rounds,
                                 double limit_s, weir_outcome *outcome)
{
	weir_subject *subject = &contender->subject;
	weir_status status = WEIR_OK;

	if (contender->chain)
		return relaunch(contender, rounds, outcome);
	if (contender->is_own)
		status = weir_subject_enter(subject, &subject->meter->places[place]);
	else
		subject->words = subject->meter->places[place].native;
	if (status == WEIR_OK && contender->has_start)
		status = start_object(contender);
	if (status == WEIR_OK)
		status = weir_subject_run(subject, rounds, limit_s, outcome);
	if (contender->is_own && status == WEIR_OK)
		status = weir_subject_leave(subject);
	return status;
}

static weir_status run_first_place(void *contender, uint32_t rounds, double limit_s,
                                   weir_outcome *outcome)
{
	return run_contender(contender, 0, rounds, limit_s, outcome);
}

static weir_status fit_rounds(weir_contender *contender, double each_s)
{
	const weir_subject *subject = &contender->subject;
	weir_rounds wanted = weir_rounds_for(subject->meter, subject->wanted.primitive, 0, each_s);

	if (contender->chain)
		wanted.most = contender->as_graph ? MOST_NODES : MOST_LAUNCHES;
	else if (wanted.most > weir_subject_most(subject))
		wanted.most = weir_subject_most(subject);
	weir_status status =
	    weir_rounds_fit(&wanted, run_first_place, contender, &contender->rounds);
	contender->result.rounds = contender->rounds;
	return status;
}

/* Determines the rounds, then makes an uncounted run at each place. */
static weir_status prepare(weir_contender *contender, double each_s, uint32_t repeats)
{
	const weir_meter *meter = contender->subject.meter;
	weir_outcome outcome;
	weir_status status = fit_rounds(contender, each_s);

	for (uint32_t k = 0; status == WEIR_OK && k < meter->place_count; k++)
		status = run_contender(contender, k, contender->rounds, each_s, &outcome);
	if (status == WEIR_OK)
		contender->outcomes = weir_need(calloc(repeats, sizeof *contender->outcomes));
	return weir_contender_leave_out(contender, status);
}

static weir_status run_repeat(weir_contender *contender, uint32_t place, double limit_s,
                              double each_s)
{
	if (*contender->left_out)
		return WEIR_OK;
	/* Its time is up, and the repeats so far must suffice. */
	if (contender->done && contender->spent_s > limit_s) {
		contender->result.timed_out = 1;
		return WEIR_OK;
	}
	weir_outcome *outcome = &contender->outcomes[contender->done];
	weir_status status = run_contender(contender, place, contender->rounds, each_s, outcome);
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
	weir_outcomes_summarize(sorted, contender->done, 0, &contender->result);
	free(sorted);
}

static weir_status warm_up(weir_match *match, double each_s)
{
	weir_contender *first = &match->contenders[0];
	weir_outcome outcome;
	weir_status status = WEIR_OK;
	double spent_ms = 0;

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && spent_ms < WARM_UP_MS; i++) {
		status = run_contender(first, 0, first->rounds, each_s, &outcome);
		spent_ms += outcome.ms;
	}
	return status;
}

/* The runs of one match, each repeat at a different place. `*at` is the contender whose run
 * failed. */
static weir_status run_match(const weir_tournament *tournament, weir_match *match, int is_first,
                             weir_progress *progress, size_t *at)
{
	const weir_sweep *sweep = &tournament->sweep;
	double each_s = sweep->limit_s / (sweep->repeats + 1);
	weir_status status = WEIR_OK;

	for (size_t i = 0; status == WEIR_OK && i < match->count && !weir_stop_asked(); i++) {
		*at = i;
		if (!*match->contenders[i].left_out)
			status = prepare(&match->contenders[i], each_s, sweep->repeats);
	}
	if (status == WEIR_OK && is_first && match->contenders[0].rounds)
		status = warm_up(match, each_s);
	weir_progress_add(progress, 1);
	for (uint32_t repeat = 0; status == WEIR_OK && repeat < sweep->repeats; repeat++) {
		for (size_t i = 0; status == WEIR_OK && i < match->count; i++) {
			*at = i;
			if (!weir_stop_asked())
				status = run_repeat(&match->contenders[i],
				                    repeat % tournament->meter->place_count,
				                    sweep->limit_s, each_s);
		}
		weir_progress_add(progress, 1);
	}
	for (size_t i = 0; i < match->count; i++)
		conclude(&match->contenders[i]);
	return status;
}

/* Plays the match at `index`: creates it on the device, runs it, and frees it. */
static weir_status play(weir_tournament *tournament, size_t index, weir_progress *progress)
{
	weir_match *match = &tournament->matches[index];
	size_t at = 0;
	weir_status status = weir_match_open(tournament, match);

	if (status == WEIR_OK)
		status = run_match(tournament, match, index == 0, progress, &at);
	else if (match->count)
		at = match->count - 1;
	/* Before anything else can fail. */
	if (status != WEIR_OK)
		snprintf(tournament->failure, sizeof tournament->failure, "%s, %s: %.512s",
		         match->count ? match->contenders[at].name : "peers",
		         weir_count_figure(match->wanted.blocks, "block").text, weir_error_text());
	weir_match_close(match);
	tournament->count++;
	weir_progress_hide(progress);
	weir_tournament_show_match(tournament, match);
	return status;
}

weir_status weir_tournament_run(weir_tournament *tournament)
{
	weir_progress progress;
	weir_status status = WEIR_OK;

	weir_tournament_show_head(tournament);
	weir_progress_begin(&progress, "measuring", "round",
	                    (double)tournament->planned * (tournament->sweep.repeats + 1));
	for (size_t i = 0; status == WEIR_OK && i < tournament->planned && !weir_stop_asked(); i++)
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
