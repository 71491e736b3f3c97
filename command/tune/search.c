/* A search from its first trial to the figures that it is judged by. */
#include "tune/search.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "measure/point.h"
#include "measure/setting.h"
#include "sim/prediction.h"
#include "tune/backoff.h"
#include "tune/shape.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	FINALISTS = 4,
	FINAL_REPEATS = 5
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int weir_search_over(const weir_search *search)
{
	return weir_stop_asked() || now_s() >= search->until || search->tried == WEIR_SEARCH_ROOM;
}

static int is_same(const weir_setting *a, const weir_setting *b)
{
	return a->backoff.min == b->backoff.min && a->backoff.max == b->backoff.max &&
	       a->shape.known == b->shape.known && a->shape.shape.bits == b->shape.shape.bits;
}

weir_status weir_search_try(weir_search *search, const weir_setting *setting)
{
	weir_point result;

	for (uint32_t i = 0; i < search->tried; i++)
		if (is_same(&search->trials[i].setting, setting))
			return WEIR_OK;
	if (weir_search_over(search))
		return WEIR_OK;
	weir_status status = weir_measure_point(search->meter, &search->wanted->point,
	                                        search->limit_s, setting, &result);
	if (status != WEIR_OK)
		return status;
	weir_trial *trial = &search->trials[search->tried++];
	*trial = (weir_trial){*setting, result.per_second};
	if (trial->per_second > search->best.per_second)
		search->best = *trial;
	return WEIR_OK;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const weir_trial *)left)->per_second;
	double b = ((const weir_trial *)right)->per_second;
	return (a < b) - (a > b);
}

/* The best of many trials is often the luckiest; of a few that are measured anew, less so. */
static weir_status run_off(weir_search *search)
{
	uint32_t finalists = search->tried < FINALISTS ? search->tried : FINALISTS;
	weir_status status = WEIR_OK;

	qsort(search->trials, search->tried, sizeof search->trials[0], by_rate);
	search->best.per_second = 0;
	for (uint32_t i = 0; i < finalists; i++) {
		weir_trial *trial = &search->trials[i];
		weir_point result = {.per_second = trial->per_second};
		if (!weir_stop_asked())
			status = weir_measure_point(search->meter, &search->wanted->point,
			                            search->limit_s, &trial->setting, &result);
		if (status != WEIR_OK)
			return status;
		if (i == 0 || result.per_second > search->best.per_second)
			search->best = (weir_trial){trial->setting, result.per_second};
	}
	return WEIR_OK;
}

/* Whether the two settings make a difference to the kind. */
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

/* The one that the search started from, which gains nothing. */
static weir_status keep_untuned(const weir_search *search, const weir_setting *untuned,
                                weir_tuning *result)
{
	weir_point measured;
	weir_status status = weir_measure_point(search->meter, &search->wanted->point,
	                                        search->limit_s, untuned, &measured);

	keep_setting(result, untuned);
	result->untuned_per_second = result->tuned_per_second = measured.per_second;
	return status;
}

/* In turns, so that a drift of the clocks affects both alike. A gain that is less than the spread
 * of both is none: the setting that the search started from stays. */
static weir_status measure_again(const weir_search *search, weir_tuning *result)
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

/* On a simulated device: the setting that weir predict and weir bench take there. */
static weir_status take_simulated(weir_meter *meter, const weir_point *point, weir_tuning *result,
                                  uint32_t *tried)
{
	const weir_setting untuned = weir_untuned_setting(point);
	weir_sim_found found = {0};
	weir_point measured = {0};
	weir_status status = weir_measure_point(meter, point, 0, &untuned, &measured);

	if (status == WEIR_OK)
		status = weir_sim_find(meter->sim, point->primitive, point->kind, point->blocks,
		                       point->initial, &found);
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

static weir_status search_for(weir_search *search)
{
	const weir_point *point = &search->wanted->point;
	const weir_kind *kind = weir_kind_find(point->primitive, point->kind);

	if (kind->shape != WEIR_SHAPE_NONE)
		return weir_search_shape(search);
	return kind->pause == WEIR_PAUSE_BY_PLACE ? weir_search_place(search)
	                                          : weir_search_bounds(search);
}

static weir_status search_and_judge(weir_meter *meter, const weir_tune_case *wanted,
                                    weir_tuning *result, uint32_t *tried)
{
	weir_search *search = weir_need(calloc(1, sizeof *search));

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
