/* Before a kind takes the place of the built-in default: both again, in turns. */
#include <stdlib.h>

#include "measure.h"

enum {
	DUEL_REPEATS = 15,
	QUARTER = DUEL_REPEATS / 4,
	/* In a comparison, of kinds that are ahead by less than the spread; more would be luck. */
	MOST_TRIALS = 2
};

/* What is closer is equal. */
static const double least_lead = 0.02;

/* The spread is that of the middle half: of so many runs on a busy machine some are far off. */
static void summarize(double *rates, const weir_point *last, weir_point *result)
{
	*result = *last;
	result->per_second = weir_median(rates, DUEL_REPEATS); /* sorts them */
	result->low = rates[QUARTER];
	result->high = rates[DUEL_REPEATS - 1 - QUARTER];
	result->repeats = DUEL_REPEATS;
}

/* Both points are replaced in the profile; copies, since that may move them. */
static weir_status fight(weir_meter *meter, double limit_s, weir_profile *profile, weir_point first,
                         weir_point second)
{
	weir_point *const points[] = {&first, &second};
	const weir_setting settings[] = {weir_untuned_setting(&first),
	                                 weir_untuned_setting(&second)};
	double rates[2][DUEL_REPEATS];
	weir_point last[2];
	int timed_out[2] = {0};
	weir_status status = WEIR_OK;

	for (int i = 0; status == WEIR_OK && i < 2 * DUEL_REPEATS; i++) {
		weir_point wanted = *points[i % 2];
		wanted.repeats = 1;
		wanted.rounds = 0;
		if (weir_stop_asked())
			return WEIR_OK;
		status =
		    weir_measure_point(meter, &wanted, limit_s / 4, &settings[i % 2], &last[i % 2]);
		rates[i % 2][i / 2] = last[i % 2].per_second;
		timed_out[i % 2] |= last[i % 2].timed_out;
	}
	for (int i = 0; status == WEIR_OK && i < 2; i++) {
		weir_point result;
		summarize(rates[i], &last[i], &result);
		result.timed_out = timed_out[i];
		status = weir_profile_add_point(profile, &result);
	}
	return status;
}

static int was_fought(const weir_point *point)
{
	return point->repeats >= DUEL_REPEATS;
}

/* Who has to show that it is ahead of the default: the kind that the rules chose; else the fastest,
 * where that has not been tried too often. NULL: nobody. */
static const weir_point *find_challenger(const weir_profile *profile,
                                         const weir_comparison *comparison, uint32_t chosen,
                                         const weir_point *usual, uint32_t trials)
{
	const weir_point *point = weir_profile_point(profile, comparison, chosen);
	weir_lead lead;

	if (point && point != usual && !(was_fought(point) && was_fought(usual)))
		return point;
	point = weir_profile_fastest(profile, comparison, usual);
	if (!point || was_fought(point) || trials >= MOST_TRIALS)
		return NULL;
	lead = weir_profile_lead(profile, comparison, point, usual);
	return lead.by > least_lead ? point : NULL;
}

static weir_status settle(weir_meter *meter, double limit_s, weir_profile *profile,
                          const weir_comparison *comparison, uint32_t usual_kind)
{
	uint32_t count = weir_comparison_count(comparison);
	weir_status status = WEIR_OK;

	for (uint32_t trials = 0; status == WEIR_OK && !weir_stop_asked(); trials++) {
		const weir_rule *rule = weir_profile_rule(profile, comparison->primitive, count);
		const weir_point *usual = weir_profile_point(profile, comparison, usual_kind);
		const weir_point *challenger =
		    rule && usual ? find_challenger(profile, comparison, rule->kind, usual, trials)
				  : NULL;
		if (!challenger)
			break;
		status = fight(meter, limit_s, profile, *usual, *challenger);
		if (status == WEIR_OK)
			status = weir_profile_make_rules(profile);
	}
	return status;
}

static weir_status settle_all(weir_meter *meter, double limit_s, const weir_profile *builtin,
                              enum weir_primitive primitive, weir_profile *profile)
{
	weir_comparison comparison = {.primitive = primitive};
	weir_status status = WEIR_OK;
	uint32_t count = 0;

	while (status == WEIR_OK && !weir_stop_asked() &&
	       (count = weir_comparison_next(profile, &comparison, count))) {
		const weir_rule *usual = weir_profile_rule(builtin, primitive, count);
		if (usual)
			status = settle(meter, limit_s, profile, &comparison, usual->kind);
	}
	return status;
}

weir_status weir_measure_duels(weir_meter *meter, const weir_sweep *sweep, weir_profile *profile)
{
	weir_profile *builtin;
	weir_status status = weir_profile_nearest(&profile->device, &builtin);

	if (status != WEIR_OK)
		return status;
	status = weir_profile_make_rules(profile);
	if (status == WEIR_OK)
		status =
		    settle_all(meter, sweep->limit_s, builtin, WEIR_PRIMITIVE_BARRIER, profile);
	if (status == WEIR_OK)
		status = settle_all(meter, sweep->limit_s, builtin, WEIR_PRIMITIVE_MUTEX, profile);
	if (status == WEIR_OK)
		status =
		    settle_all(meter, sweep->limit_s, builtin, WEIR_PRIMITIVE_SEMAPHORE, profile);
	weir_profile_free(builtin);
	return status;
}
