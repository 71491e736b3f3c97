#include "rounds.h"

#include <math.h>

enum {
	PILOT_ROUNDS = 4,
	PILOT_GROWTH = 8,
	MOST_ROUNDS = 100000000,
	/* So that the start and the end, where few blocks compete, do not count; at a barrier all do. */
	LEAST_LOCK_ROUNDS = 20,
	LEAST_BARRIER_ROUNDS = 8
};

/* On a CPU a run must be long against the time that the system takes a core away. */
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

/* The same again; what took longer the first time was disturbed. */
static weir_status confirm(const weir_rounds *wanted, weir_run run, void *subject, uint32_t rounds,
                           weir_outcome *outcome)
{
	weir_outcome again;
	weir_status status = run(subject, rounds, wanted->limit_s, &again);

	if (status == WEIR_OK && again.ms < outcome->ms)
		*outcome = again;
	return status;
}

weir_status weir_rounds_fit(const weir_rounds *wanted, weir_run run, void *subject,
                            uint32_t *rounds)
{
	uint32_t most = wanted->most > wanted->least ? wanted->most : wanted->least;
	uint32_t pilot = PILOT_ROUNDS;
	weir_outcome outcome;
	weir_status status = run(subject, pilot, wanted->limit_s, &outcome);

	while (status == WEIR_OK && !outcome.cut) {
		if (outcome.ms >= wanted->aim_ms / 2)
			status = confirm(wanted, run, subject, pilot, &outcome);
		if (status != WEIR_OK || outcome.ms >= wanted->aim_ms / 2 || pilot >= most)
			break;
		double fit = outcome.ms > 0 ? pilot * wanted->aim_ms / outcome.ms : most;
		pilot = clamp(fmin(fit, (double)pilot * PILOT_GROWTH), pilot + 1, most);
		status = run(subject, pilot, wanted->limit_s, &outcome);
	}
	if (status != WEIR_OK)
		return status;
	double each_ms = outcome.ms / pilot;
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
