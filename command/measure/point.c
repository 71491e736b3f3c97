/* A benchmark point on a device. */
#include "measure/point.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/rounds.h"
#include "measure/sim.h"
#include "measure/subject.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	WARM_UP_MS = 200,
	MOST_WARM_UPS = 1000,
	MOST_REPEATS = 1000
};

static weir_status run_subject(void *subject, uint32_t rounds, double limit_s,
                               weir_outcome *outcome)
{
	return weir_subject_run(subject, rounds, limit_s, outcome);
}

/* A GPU's clocks are low at first. */
static weir_status warm_up(weir_subject *subject, double limit_s, uint32_t rounds)
{
	weir_meter *meter = subject->meter;
	weir_outcome outcome;
	weir_status status = WEIR_OK;

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && meter->info.is_gpu &&
	                meter->warmed_ms < WARM_UP_MS;
	     i++) {
		status = weir_subject_run(subject, rounds, limit_s, &outcome);
		meter->warmed_ms += outcome.ms;
	}
	return status;
}

/* How long a run is: it ends after its rounds, or by the clock. */
struct run {
	uint32_t rounds;
	double limit_s;
};

/* What remains of the time for a point. */
struct budget {
	double limit_s; /* 0: no limit */
	double each_s;
	double spent_s;
};

static int is_spent(const struct budget *budget)
{
	return (budget->limit_s > 0 && budget->spent_s > budget->limit_s) || weir_stop_asked();
}

/* Treats the runs at all places as one, so that the spread of the repeats does not include that of
 * the places. Stores in `runs` how many there was time for. */
static weir_status run_pass(weir_subject *subject, const struct run *run, struct budget *budget,
                            weir_outcome *pass, uint32_t *runs)
{
	const weir_meter *meter = subject->meter;
	weir_status status = WEIR_OK;

	memset(pass, 0, sizeof *pass);
	*runs = 0;
	while (status == WEIR_OK && *runs < meter->place_count &&
	       (*runs == 0 || !is_spent(budget))) {
		weir_outcome outcome;
		status = weir_subject_enter(subject, &meter->places[*runs]);
		if (status == WEIR_OK)
			status = weir_subject_run(subject, run->rounds, run->limit_s, &outcome);
		if (status != WEIR_OK)
			break;
		++*runs;
		budget->spent_s += outcome.ms * 1e-3;
		pass->ms += outcome.ms;
		pass->completed += outcome.completed;
		pass->jain += (outcome.jain - pass->jain) / *runs;
		pass->worst_share += (outcome.worst_share - pass->worst_share) / *runs;
	}
	if (pass->ms > 0)
		pass->per_second = (double)pass->completed / pass->ms * 1e3;
	return status;
}

/* A point that is measured, by itself or alternately with others. */
struct turn {
	weir_subject subject;
	weir_rounds wanted;
	struct run run;
	struct budget budget;
	weir_outcome *passes;
	uint32_t done;
	weir_point *result;
};

/* Whether the blocks completed the minimum number of operations, on average: one may starve. */
static int is_enough(const struct turn *turn, const weir_outcome *outcome, uint32_t runs)
{
	const weir_point *point = &turn->subject.wanted;
	uint64_t least =
	    weir_round_operations(point, turn->subject.meter->info.machine) * turn->wanted.least;

	return outcome->completed >= least * runs;
}

/* A CPU with few cores, or with other work, only runs some of the blocks at a time, so a few rounds
 * of each take as long as many. If kernels have a clock, a run there has a length in time instead
 * of rounds. It is extended until the blocks complete the minimum number of rounds. */
static weir_status fit_time(struct turn *turn, weir_outcome *outcome)
{
	const weir_rounds *wanted = &turn->wanted;
	weir_status status = WEIR_OK;

	turn->run = (struct run){wanted->most, wanted->aim_ms * 1e-3};
	turn->result->rounds = wanted->least;
	for (;;) {
		status = run_subject(&turn->subject, wanted->most, turn->run.limit_s, outcome);
		if (status != WEIR_OK || is_enough(turn, outcome, 1) ||
		    (wanted->limit_s > 0 && turn->run.limit_s >= wanted->limit_s))
			return status;
		turn->run.limit_s *= 2;
		if (wanted->limit_s > 0 && turn->run.limit_s > wanted->limit_s)
			turn->run.limit_s = wanted->limit_s;
	}
}

static weir_status fit_run(struct turn *turn)
{
	weir_outcome outcome = {0};
	weir_status status = WEIR_OK;

	if (!turn->subject.meter->info.is_gpu)
		status = run_subject(&turn->subject, 1, turn->budget.each_s, &outcome);
	if (status != WEIR_OK)
		return status;
	if (outcome.clocked)
		return fit_time(turn, &outcome);
	turn->run.limit_s = turn->budget.each_s;
	status = weir_rounds_fit(&turn->wanted, run_subject, &turn->subject, &turn->run.rounds);
	turn->result->rounds = turn->run.rounds;
	return status;
}

static weir_status open_turn(struct turn *turn, double limit_s)
{
	weir_meter *meter = turn->subject.meter;
	const weir_point *point = &turn->subject.wanted;

	turn->budget.limit_s = limit_s;
	turn->budget.each_s = limit_s / (point->repeats * meter->place_count + 1);
	turn->wanted = weir_rounds_for(meter, point->primitive, point->rounds, turn->budget.each_s);
	if (turn->wanted.most > weir_subject_most(&turn->subject))
		turn->wanted.most = weir_subject_most(&turn->subject);
	turn->passes = weir_need(calloc(point->repeats, sizeof *turn->passes));
	weir_status status = fit_run(turn);
	return status == WEIR_OK ? warm_up(&turn->subject, turn->run.limit_s, turn->run.rounds)
	                         : status;
}

/* Makes a pass that counts, unless the time is up. If the runs that determined the rounds were
 * disturbed, there may be too few rounds. Then the number grows, and the earlier passes do not
 * count. */
static weir_status take_turn(struct turn *turn)
{
	weir_outcome *pass;
	uint32_t runs = 0;

	if (turn->done && is_spent(&turn->budget))
		return WEIR_OK;
	for (;;) {
		pass = &turn->passes[turn->done];
		weir_status status =
		    run_pass(&turn->subject, &turn->run, &turn->budget, pass, &runs);
		if (status != WEIR_OK)
			return status;
		if (!weir_rounds_grow(&turn->wanted, pass->ms / runs, &turn->run.rounds))
			break;
		turn->result->rounds = turn->run.rounds;
		turn->done = 0;
	}
	/* An incomplete pass only counts if there is no other. */
	if (turn->done && runs < turn->subject.meter->place_count)
		return WEIR_OK;
	turn->result->timed_out |= !is_enough(turn, pass, runs);
	turn->done++;
	return WEIR_OK;
}

static weir_status run_turns(struct turn *turns, uint32_t count, double limit_s)
{
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; status == WEIR_OK && i < count; i++)
		status = open_turn(&turns[i], limit_s);
	for (uint32_t repeat = 0; status == WEIR_OK && repeat < turns[0].subject.wanted.repeats;
	     repeat++)
		for (uint32_t i = 0; status == WEIR_OK && i < count; i++)
			status = take_turn(&turns[i]);
	for (uint32_t i = 0; status == WEIR_OK && i < count; i++)
		weir_outcomes_summarize(turns[i].passes, turns[i].done, turns[i].done / 5,
		                        turns[i].result);
	return status;
}

static weir_status check_point(const weir_point *wanted)
{
	return wanted->blocks == 0 || wanted->threads == 0 || wanted->repeats == 0 ||
	               wanted->repeats > MOST_REPEATS
	           ? weir_error_set(WEIR_BAD_ARGUMENT, "a benchmark without blocks or repeats")
	           : WEIR_OK;
}

weir_status weir_measure_turns(weir_meter *meter, const weir_point *wanted,
                               const weir_setting *const *settings, uint32_t count, double limit_s,
                               weir_point *results)
{
	struct turn *turns = weir_need(calloc(count, sizeof *turns));
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; status == WEIR_OK && i < count; i++) {
		results[i] = wanted[i];
		turns[i].result = &results[i];
		status = check_point(&wanted[i]);
		if (status == WEIR_OK)
			status =
			    weir_subject_create(meter, &wanted[i], settings[i], &turns[i].subject);
	}
	if (status == WEIR_OK)
		status = run_turns(turns, count, limit_s);
	for (uint32_t i = 0; i < count; i++) {
		if (turns[i].subject.meter)
			weir_subject_destroy(&turns[i].subject);
		free(turns[i].passes);
	}
	free(turns);
	return status;
}

weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               const weir_setting *setting, weir_point *result)
{
	weir_status status = check_point(wanted);

	if (status != WEIR_OK)
		return status;
	return meter->sim ? weir_sim_measure_point(meter, wanted, setting, result)
	                  : weir_measure_turns(meter, wanted, &setting, 1, limit_s, result);
}
