/* A search, from its first trial to the final figures. */
#include "tune/search.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "measure/point.h"
#include "measure/subject.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	FINALISTS = 4,
	FINAL_REPEATS = 5,
	MOST_TRIALS = 512
};

struct trial {
	weir_setting setting;
	double per_second;
};

struct search {
	weir_meter *meter;
	const weir_tune_case *wanted;
	double until;
	double limit_s; /* for a trial */
	struct trial trials[MOST_TRIALS];
	uint32_t tried;
	struct trial best;
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Out of time or room, or ended by Ctrl-C. */
static int is_over(const struct search *search)
{
	return weir_stop_asked() || now_s() >= search->until || search->tried == MOST_TRIALS;
}

static int is_same(const weir_setting *a, const weir_setting *b)
{
	return a->backoff.min == b->backoff.min && a->backoff.max == b->backoff.max &&
	       a->shape.known == b->shape.known && a->shape.shape.bits == b->shape.shape.bits;
}

/* Measures a setting, unless the search is over or has already tried it. */
static weir_status try_setting(struct search *search, const weir_setting *setting)
{
	weir_point result;

	for (uint32_t i = 0; i < search->tried; i++)
		if (is_same(&search->trials[i].setting, setting))
			return WEIR_OK;
	if (is_over(search))
		return WEIR_OK;
	weir_status status = weir_measure_point(search->meter, &search->wanted->point,
	                                        search->limit_s, setting, &result);
	if (status != WEIR_OK)
		return status;
	struct trial *trial = &search->trials[search->tried++];
	*trial = (struct trial){*setting, result.per_second};
	if (trial->per_second > search->best.per_second)
		search->best = *trial;
	return WEIR_OK;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const struct trial *)left)->per_second;
	double b = ((const struct trial *)right)->per_second;
	return (a < b) - (a > b);
}

/* Bounds are exponents: -1 stands for 0, n for 2^n units. */
enum {
	LEAST = -1,
	MOST = 14,
	/* Units for each waiter ahead: more would leave the mutex free for longer than it is
	 * held. */
	MOST_FOR_EACH = 256
};

static uint32_t bound(int exponent)
{
	return exponent < 0 ? 0 : UINT32_C(1) << exponent;
}

static int exponent(uint32_t bound)
{
	int n = -1;
	while (bound >> (n + 1))
		n++;
	return n;
}

/* In a profile, 0 for both would mean the kind's own default, which is tried separately. */
static weir_status try_bounds(struct search *search, int min, int max)
{
	const weir_setting setting = {.backoff = {bound(min), bound(max)}};

	if (min < LEAST || max > MOST || max < 0 || min > max)
		return WEIR_OK;
	return try_setting(search, &setting);
}

/* The widest first: if blocks pause too little an operation may take milliseconds, and the time for
 * the search would run out before it reached bounds that work. */
static weir_status search_coarsely(struct search *search)
{
	weir_status status = WEIR_OK;

	for (int max = MOST - MOST % 4; status == WEIR_OK && max >= 0; max -= 4)
		for (int min = max; status == WEIR_OK && min >= 0; min -= 4)
			status = try_bounds(search, min, max);
	return status;
}

/* Halves the step each time nothing around the best is better. */
static weir_status search_bounds(struct search *search)
{
	const weir_setting untuned = search->best.setting;
	weir_status status = try_setting(search, &untuned);

	if (status == WEIR_OK)
		status = search_coarsely(search);
	for (int step = 2; status == WEIR_OK && step && !is_over(search);) {
		weir_backoff before = search->best.setting.backoff;
		int min = exponent(before.min);
		int max = exponent(before.max);
		for (int i = 0; status == WEIR_OK && i < 9; i++)
			status =
			    try_bounds(search, min + (i / 3 - 1) * step, max + (i % 3 - 1) * step);
		if (before.min == search->best.setting.backoff.min &&
		    before.max == search->best.setting.backoff.max)
			step /= 2;
	}
	return status;
}

static weir_status try_place(struct search *search, uint32_t units)
{
	/* In a profile, a max of 0 would mean the kind's own default. */
	const weir_setting setting = {.backoff = {units, units ? units : 1}};
	return units <= MOST_FOR_EACH ? try_setting(search, &setting) : WEIR_OK;
}

static weir_status search_place(struct search *search)
{
	weir_status status = try_place(search, 0);

	for (uint32_t units = 1; status == WEIR_OK && units <= MOST_FOR_EACH; units *= 2)
		status = try_place(search, units);
	uint32_t best = search->best.setting.backoff.min;
	for (uint32_t step = best / 2; status == WEIR_OK && step && !is_over(search);) {
		status = try_place(search, best + step);
		if (status == WEIR_OK && best > step)
			status = try_place(search, best - step);
		if (best == search->best.setting.backoff.min)
			step /= 2;
		best = search->best.setting.backoff.min;
	}
	return status;
}

static int fits(const weir_point *point, uint32_t bits)
{
	return point->blocks >> bits != 0 && point->threads >> bits != 0;
}

static weir_status search_shape(struct search *search)
{
	weir_status status = WEIR_OK;

	for (uint32_t bits = 0; status == WEIR_OK && bits <= WEIR_SHAPE_BITS_MOST &&
	                        fits(&search->wanted->point, bits);
	     bits++)
		status = try_setting(search, &(weir_setting){.shape = {1, {.bits = bits}}});
	return status;
}

/* The best of many trials is often the luckiest; among a few that are measured again, this is less
 * likely. */
static weir_status run_off(struct search *search)
{
	uint32_t finalists = search->tried < FINALISTS ? search->tried : FINALISTS;
	weir_status status = WEIR_OK;

	qsort(search->trials, search->tried, sizeof search->trials[0], by_rate);
	search->best.per_second = 0;
	for (uint32_t i = 0; i < finalists; i++) {
		struct trial *trial = &search->trials[i];
		weir_point result = {.per_second = trial->per_second};
		if (!weir_stop_asked())
			status = weir_measure_point(search->meter, &search->wanted->point,
			                            search->limit_s, &trial->setting, &result);
		if (status != WEIR_OK)
			return status;
		if (i == 0 || result.per_second > search->best.per_second)
			search->best = (struct trial){trial->setting, result.per_second};
	}
	return WEIR_OK;
}

/* Whether the two settings make a difference for the kind. */
static int has_effect(const weir_kind *kind, const weir_setting *a, const weir_setting *b)
{
	if (kind->shape != WEIR_SHAPE_NONE)
		return a->shape.shape.bits != b->shape.shape.bits;
	if (kind->pause == WEIR_PAUSE_BY_PLACE)
		return a->backoff.min != b->backoff.min;
	return a->backoff.min != b->backoff.min || a->backoff.max != b->backoff.max;
}

static void keep_setting(weir_tuning *result, const weir_setting *setting)
{
	result->backoff = setting->backoff;
	result->shape = setting->shape;
}

/* Keeps the setting that the search started from, which gains nothing. */
static weir_status keep_untuned(const struct search *search, const weir_setting *untuned,
                                weir_tuning *result)
{
	weir_point measured;
	weir_status status = weir_measure_point(search->meter, &search->wanted->point,
	                                        search->limit_s, untuned, &measured);

	keep_setting(result, untuned);
	result->untuned_per_second = result->tuned_per_second = measured.per_second;
	return status;
}

/* Alternately, so that a drift of the clocks affects both alike. A gain smaller than the spread of
 * both counts as none: the original setting stays. */
static weir_status measure_again(const struct search *search, weir_tuning *result)
{
	weir_point point = search->wanted->point;
	const weir_kind *kind = weir_kind_find(point.primitive, point.kind);
	const weir_setting untuned = weir_untuned_setting(&point);
	const weir_setting *const settings[] = {&untuned, &search->best.setting};

	if (!has_effect(kind, &search->best.setting, &untuned))
		return keep_untuned(search, &untuned, result);
	point.repeats = FINAL_REPEATS;
	const weir_point wanted[] = {point, point};
	weir_point measured[2];
	weir_status status = weir_measure_turns(search->meter, wanted, settings, 2,
	                                        search->limit_s * FINAL_REPEATS, measured);
	if (status != WEIR_OK)
		return status;
	double gain = measured[1].per_second - measured[0].per_second;
	double spread = weir_point_spread(&measured[0]) * measured[0].per_second +
	                weir_point_spread(&measured[1]) * measured[1].per_second;
	keep_setting(result, gain > spread ? settings[1] : &untuned);
	result->untuned_per_second = measured[0].per_second;
	result->tuned_per_second = measured[gain > spread].per_second;
	return WEIR_OK;
}

/* On a simulated device: the setting that weir predict and weir bench use there. */
static weir_status take_simulated(weir_meter *meter, const weir_point *point, weir_tuning *result,
                                  uint32_t *tried)
{
	const weir_setting untuned = weir_untuned_setting(point);
	weir_sim_found found = {0};
	weir_point measured = {0};
	weir_status status = weir_measure_point(meter, point, 0, &untuned, &measured);

	if (status == WEIR_OK)
		status = weir_sim_find(meter->sim, weir_sim_use_of(point), &found);
	keep_setting(result, &(weir_setting){found.backoff, found.shape});
	result->untuned_per_second = measured.per_second;
	result->tuned_per_second = found.per_second;
	*tried = found.tried;
	return status;
}

int weir_tune_can(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *found = weir_kind_find(primitive, kind);
	return found && (found->pause != WEIR_PAUSE_NONE || found->shape != WEIR_SHAPE_NONE);
}

static weir_status search_for(struct search *search)
{
	const weir_point *point = &search->wanted->point;
	const weir_kind *kind = weir_kind_find(point->primitive, point->kind);

	if (kind->shape != WEIR_SHAPE_NONE)
		return search_shape(search);
	return kind->pause == WEIR_PAUSE_BY_PLACE ? search_place(search) : search_bounds(search);
}

static weir_status search_and_judge(weir_meter *meter, const weir_tune_case *wanted,
                                    weir_tuning *result, uint32_t *tried)
{
	struct search *search = weir_need(calloc(1, sizeof *search));

	search->meter = meter;
	search->wanted = wanted;
	search->until = now_s() + wanted->seconds * 0.65;
	search->limit_s = wanted->seconds / 40;
	search->best.setting = weir_untuned_setting(&wanted->point);
	weir_status status = search_for(search);
	if (status == WEIR_OK && search->tried)
		status = run_off(search);
	if (status == WEIR_OK)
		status = measure_again(search, result);
	*tried = search->tried;
	free(search);
	return status;
}

weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried)
{
	const weir_point *point = &wanted->point;

	*tried = 0;
	*result = (weir_tuning){.primitive = point->primitive,
	                        .kind = point->kind,
	                        .initial = point->initial,
	                        .blocks = point->blocks,
	                        .threads = point->threads};
	return meter->sim ? take_simulated(meter, point, result, tried)
	                  : search_and_judge(meter, wanted, result, tried);
}
