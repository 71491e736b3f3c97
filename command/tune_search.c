/* The search for a backoff: coarse first, then around the best. */
#include "tune.h"

#include <string.h>
#include <time.h>

/* Bounds are exponents: -1 stands for 0, others for 2^n units. */
enum {
	LEAST = -1,
	MOST = 14,
	SPAN = MOST - LEAST + 1,
	FINAL_REPEATS = 5
};

struct search {
	weir_meter *meter;
	const weir_tune_case *wanted;
	double until;
	double limit_s;           /* for a trial */
	double rates[SPAN][SPAN]; /* 0: not tried */
	int min;                  /* the best so far */
	int max;
	double best;
	uint32_t tried;
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t bound(int exponent)
{
	return exponent < 0 ? 0 : UINT32_C(1) << exponent;
}

static weir_backoff setting(int min, int max)
{
	weir_backoff backoff = {bound(min), bound(max)};
	return backoff;
}

static int is_over(const struct search *search)
{
	return weir_stop_asked() || now_s() >= search->until;
}

/* Both 0 would be the one that the library takes by itself. */
static int is_setting(int min, int max)
{
	return min >= LEAST && max <= MOST && max >= 0 && min <= max;
}

static weir_status try_setting(struct search *search, int min, int max)
{
	weir_point result;

	if (!is_setting(min, max) || is_over(search))
		return WEIR_OK;
	double *rate = &search->rates[min - LEAST][max - LEAST];
	if (*rate > 0)
		return WEIR_OK;
	weir_status status = weir_measure_point(search->meter, &search->wanted->point,
	                                        search->limit_s, setting(min, max), &result);
	if (status != WEIR_OK)
		return status;
	*rate = result.per_second;
	search->tried++;
	if (result.per_second > search->best) {
		search->best = result.per_second;
		search->min = min;
		search->max = max;
	}
	return WEIR_OK;
}

/* The widest first: where blocks pause too little an operation may take milliseconds, and the time
 * for the search would be gone before it came to the bounds that work. */
static weir_status search_coarsely(struct search *search)
{
	weir_status status = WEIR_OK;

	for (int max = MOST - MOST % 4; status == WEIR_OK && max >= 0; max -= 4)
		for (int min = max; status == WEIR_OK && min >= 0; min -= 4)
			status = try_setting(search, min, max);
	return status;
}

/* Halves the step each time nothing around the best is better. */
static weir_status search_finely(struct search *search)
{
	weir_status status = WEIR_OK;

	for (int step = 2; status == WEIR_OK && step && !is_over(search);) {
		int min = search->min;
		int max = search->max;
		for (int i = 0; status == WEIR_OK && i < 9; i++)
			status =
			    try_setting(search, min + (i / 3 - 1) * step, max + (i % 3 - 1) * step);
		if (min == search->min && max == search->max)
			step /= 2;
	}
	return status;
}

/* In turns, so that a drift of the clocks meets both alike. */
static weir_status measure_again(struct search *search, weir_tuning *result)
{
	weir_point point = search->wanted->point;
	double tuned[FINAL_REPEATS];
	double untuned[FINAL_REPEATS];
	weir_backoff best = setting(search->min, search->max);
	weir_backoff plain = weir_untuned_backoff(point.primitive, point.kind);

	point.repeats = 1;
	for (int i = 0; i < FINAL_REPEATS; i++) {
		weir_point measured;
		weir_status status =
		    weir_measure_point(search->meter, &point, search->limit_s, plain, &measured);
		if (status != WEIR_OK)
			return status;
		untuned[i] = measured.per_second;
		status =
		    weir_measure_point(search->meter, &point, search->limit_s, best, &measured);
		if (status != WEIR_OK)
			return status;
		tuned[i] = measured.per_second;
	}
	result->backoff = best;
	result->untuned_per_second = weir_median(untuned, FINAL_REPEATS);
	result->tuned_per_second = weir_median(tuned, FINAL_REPEATS);
	return WEIR_OK;
}

weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried)
{
	struct search search = {.meter = meter,
	                        .wanted = wanted,
	                        .until = now_s() + wanted->seconds * 0.75,
	                        .limit_s = wanted->seconds / 40,
	                        .min = 0,
	                        .max = 4};
	const weir_point *point = &wanted->point;

	*result = (weir_tuning){.primitive = point->primitive,
	                        .kind = point->kind,
	                        .initial = point->initial,
	                        .blocks = point->blocks,
	                        .threads = point->threads};
	weir_status status = search_coarsely(&search);
	if (status == WEIR_OK)
		status = search_finely(&search);
	if (status == WEIR_OK)
		status = measure_again(&search, result);
	*tried = search.tried;
	return status;
}
