/* Duels: before a kind replaces the built-in default, both are measured again, alternately. */
#include "compare/ranking.h"

#include <stddef.h>

#include "cli/parse.h"
#include "cli/stop.h"
#include "measure/point.h"
#include "measure/subject.h"
#include "output/progress.h"
#include "weir/weir.h"

enum {
	DUEL_REPEATS = 15,
	/* Trials in a comparison of kinds that lead by less than the spread; more would favour
	 * luck. */
	MOST_TRIALS = 2
};

/* A smaller lead counts as equal. */
static const double least_lead = 0.02;
/* The time for each of the two: enough for all repeats, even if other processes occupy most of the
 * cores. */
static const double limit_s = 8;

static weir_status fight(weir_meter *meter, weir_profile *profile, const weir_point *usual,
                         const weir_point *challenger)
{
	weir_point wanted[] = {*usual, *challenger};
	const weir_setting untuned[] = {weir_untuned_setting(usual),
	                                weir_untuned_setting(challenger)};
	const weir_setting *const settings[] = {&untuned[0], &untuned[1]};
	weir_point results[2];

	for (int i = 0; i < 2; i++) {
		wanted[i].repeats = DUEL_REPEATS;
		wanted[i].rounds = 0;
		wanted[i].timed_out = 0;
	}
	weir_status status = weir_measure_turns(meter, wanted, settings, 2, limit_s, results);
	for (int i = 0; status == WEIR_OK && !weir_stop_asked() && i < 2; i++)
		status = weir_profile_add_point(profile, &results[i]);
	return status;
}

/* The duels in one comparison. */
struct contest {
	weir_comparison comparison;
	uint32_t usual;  /* the kind of the built-in default */
	weir_counts met; /* the kinds that it was measured against, alternately */
};

static int has_met(const struct contest *contest, const weir_point *point)
{
	for (uint32_t i = 0; i < contest->met.count; i++)
		if (contest->met.values[i] == point->kind)
			return 1;
	return 0;
}

/* The kind that has yet to prove that it beats the default: the one chosen by the rules; otherwise
 * the fastest, unless that was tried too often. NULL: none. */
static const weir_point *find_challenger(const weir_profile *profile, const struct contest *contest,
                                         const weir_point *usual)
{
	const weir_comparison *comparison = &contest->comparison;
	const weir_rule *rule =
	    weir_profile_rule(profile, comparison->primitive, weir_comparison_count(comparison));
	const weir_point *point = rule ? weir_profile_point(profile, comparison, rule->kind) : NULL;

	if (point && point != usual && !has_met(contest, point))
		return point;
	point = weir_profile_fastest(profile, comparison, usual);
	if (!point || has_met(contest, point) || contest->met.count >= MOST_TRIALS)
		return NULL;
	return weir_profile_lead(profile, comparison, point, usual).by > least_lead ? point : NULL;
}

static weir_status settle(weir_meter *meter, weir_profile *profile, struct contest *contest)
{
	weir_status status = WEIR_OK;

	while (status == WEIR_OK && !weir_stop_asked()) {
		const weir_point *usual =
		    weir_profile_point(profile, &contest->comparison, contest->usual);
		const weir_point *challenger =
		    usual ? find_challenger(profile, contest, usual) : NULL;
		if (!challenger)
			break;
		contest->met.values[contest->met.count++] = challenger->kind;
		status = fight(meter, profile, usual, challenger);
		if (status == WEIR_OK)
			status = weir_profile_make_rules(profile);
	}
	return status;
}

static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
                                                 WEIR_PRIMITIVE_SEMAPHORE};
enum {
	PRIMITIVE_COUNT = sizeof primitives / sizeof primitives[0]
};

static uint32_t count_comparisons(const weir_profile *profile)
{
	uint32_t all = 0;

	for (size_t i = 0; i < PRIMITIVE_COUNT; i++) {
		weir_comparison comparison = {.primitive = primitives[i]};
		for (uint32_t count = 0;
		     (count = weir_comparison_next(profile, &comparison, count));)
			all++;
	}
	return all;
}

static weir_status settle_all(weir_meter *meter, const weir_profile *builtin,
                              enum weir_primitive primitive, weir_progress *progress,
                              weir_profile *profile)
{
	struct contest contest = {.comparison = {.primitive = primitive}};
	weir_status status = WEIR_OK;
	uint32_t count = 0;

	while (status == WEIR_OK && !weir_stop_asked() &&
	       (count = weir_comparison_next(profile, &contest.comparison, count))) {
		const weir_rule *usual = weir_profile_rule(builtin, primitive, count);
		contest.usual = usual ? usual->kind : 0;
		contest.met.count = 0;
		status = settle(meter, profile, &contest);
		weir_progress_add(progress, 1);
	}
	return status;
}

weir_status weir_measure_duels(weir_meter *meter, weir_profile *profile)
{
	weir_profile *builtin;
	weir_progress progress;
	weir_status status = weir_profile_nearest(&profile->device, &builtin);

	if (status != WEIR_OK)
		return status;
	status = weir_profile_make_rules(profile);
	weir_progress_begin(&progress, "comparing with the defaults", "comparison",
	                    count_comparisons(profile));
	for (size_t i = 0; status == WEIR_OK && i < PRIMITIVE_COUNT; i++)
		status = settle_all(meter, builtin, primitives[i], &progress, profile);
	weir_progress_end(&progress);
	weir_profile_destroy(builtin);
	return status;
}
