#include "measure/rounds.h"

#include <math.h>
#include <stdint.h>

#include "measure/meter.h"
#include "measure/subject.h"
#include "weir/kind.h"
#include "weir/weir.h"

enum {
	PILOT_ROUNDS = 4,
	PILOT_GROWTH = 64,
	CHECK_GROWTH = 4,
	MOST_ROUNDS = 100000000,
	/* Makes the start and the end negligible, where only few blocks compete; at a barrier all
	 * blocks always take part. */
	LEAST_LOCK_ROUNDS = 20,
	LEAST_BARRIER_ROUNDS = 8
};

/* On a CPU a run must be long compared with the time for which the system takes a core away. */
static const double gpu_ms = 5;
static const double cpu_ms = 10;

weir_rounds weir_rounds_for(const weir_meter *meter, enum weir_primitive primitive, uint32_t least,
                            double limit_s)
{
	uint32_t own =
	    primitive == WEIR_PRIMITIVE_BARRIER ? LEAST_BARRIER_ROUNDS : LEAST_LOCK_ROUNDS;

	return (weir_rounds){.least = least > own ? least : own,
	                     .most = MOST_ROUNDS,
	                     .aim_ms = meter->info.is_gpu ? gpu_ms : cpu_ms,
	                     .limit_s = limit_s};
}

static uint32_t clamp(double value, uint32_t least, uint32_t most)
{
	return value < least ? least : value > most ? most : (uint32_t)value;
}

/* The time of a run that is long enough grows with its rounds. A run for which it does not was
 * disturbed, or waited for the system to give its blocks a core. */
static weir_status check_growth(const weir_rounds *wanted, weir_rounds_run run, void *subject,
                                uint32_t *pilot, weir_outcome *outcome, int *grew)
{
	double before = outcome->ms;
	uint32_t more = clamp((double)*pilot * CHECK_GROWTH, *pilot, wanted->most);
	weir_status status = run(subject, more, wanted->limit_s, outcome);

	*pilot = more;
	*grew = outcome->cut || outcome->ms >= before * CHECK_GROWTH / 2;
	return status;
}

static weir_status lengthen(const weir_rounds *wanted, weir_rounds_run run, void *subject,
                            uint32_t *pilot, weir_outcome *outcome)
{
	weir_status status = run(subject, *pilot, wanted->limit_s, outcome);
	int grew = 0;

	while (status == WEIR_OK && !outcome->cut && !grew && *pilot < wanted->most) {
		if (outcome->ms >= wanted->aim_ms / 2) {
			status = check_growth(wanted, run, subject, pilot, outcome, &grew);
			continue;
		}
		double fit = outcome->ms > 0 ? *pilot * wanted->aim_ms / outcome->ms : wanted->most;
		*pilot = clamp(fmin(fit, (double)*pilot * PILOT_GROWTH), *pilot + 1, wanted->most);
		status = run(subject, *pilot, wanted->limit_s, outcome);
	}
	return status;
}

weir_status weir_rounds_fit(const weir_rounds *wanted, weir_rounds_run run, void *subject,
                            uint32_t *rounds)
{
	uint32_t most = wanted->most > wanted->least ? wanted->most : wanted->least;
	uint32_t pilot = PILOT_ROUNDS;
	weir_outcome outcome;
	weir_status status = lengthen(wanted, run, subject, &pilot, &outcome);

	if (status != WEIR_OK)
		return status;
	/* A run that was cut short made as many rounds as its slowest block. */
	uint32_t made = outcome.cut ? (outcome.least ? outcome.least : 1) : pilot;
	double each_ms = outcome.ms / made;
	*rounds = each_ms > 0 ? clamp(wanted->aim_ms / each_ms, wanted->least, most) : pilot;
	if (!outcome.clocked && wanted->limit_s > 0 && *rounds * each_ms > wanted->limit_s * 1e3)
		*rounds = clamp(wanted->limit_s * 1e3 / each_ms, 1, *rounds);
	return WEIR_OK;
}

int weir_rounds_grow(const weir_rounds *wanted, double ms, uint32_t *rounds)
{
	if (ms <= 0 || ms >= wanted->aim_ms / 4 || *rounds >= wanted->most)
		return 0;
	*rounds =
	    clamp(fmin(wanted->aim_ms / ms, PILOT_GROWTH) * *rounds, *rounds + 1, wanted->most);
	return 1;
}
