/* The search for a backoff: coarse first, then around the best. */
#include "tune/backoff.h"

#include <stdint.h>

#include "measure/setting.h"
#include "tune/search.h"
#include "weir/weir.h"

/* Bounds are exponents: -1 stands for 0, others for 2^n units. */
enum {
	LEAST = -1,
	MOST = 14,
	/* Units for each one ahead: more would leave the mutex free for longer than it is held. */
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

/* Both 0 in a profile would mean the kind's own default, which is tried by itself. */
static weir_status try_bounds(weir_search *search, int min, int max)
{
	const weir_setting setting = {.backoff = {bound(min), bound(max)}};

	if (min < LEAST || max > MOST || max < 0 || min > max)
		return WEIR_OK;
	return weir_search_try(search, &setting);
}

/* The widest first: where blocks pause too little an operation may take milliseconds, and the time
 * for the search would be gone before it came to the bounds that work. */
static weir_status search_coarsely(weir_search *search)
{
	weir_status status = WEIR_OK;

	for (int max = MOST - MOST % 4; status == WEIR_OK && max >= 0; max -= 4)
		for (int min = max; status == WEIR_OK && min >= 0; min -= 4)
			status = try_bounds(search, min, max);
	return status;
}

/* Halves the step each time nothing around the best is better. */
weir_status weir_search_bounds(weir_search *search)
{
	const weir_setting untuned = search->best.setting;
	weir_status status = weir_search_try(search, &untuned);

	if (status == WEIR_OK)
		status = search_coarsely(search);
	for (int step = 2; status == WEIR_OK && step && !weir_search_over(search);) {
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

static weir_status try_place(weir_search *search, uint32_t units)
{
	/* In a profile a max of 0 would mean the kind's own default. */
	const weir_setting setting = {.backoff = {units, units ? units : 1}};
	return units <= MOST_FOR_EACH ? weir_search_try(search, &setting) : WEIR_OK;
}

weir_status weir_search_place(weir_search *search)
{
	weir_status status = try_place(search, 0);

	for (uint32_t units = 1; status == WEIR_OK && units <= MOST_FOR_EACH; units *= 2)
		status = try_place(search, units);
	uint32_t best = search->best.setting.backoff.min;
	for (uint32_t step = best / 2; status == WEIR_OK && step && !weir_search_over(search);) {
		status = try_place(search, best + step);
		if (status == WEIR_OK && best > step)
			status = try_place(search, best - step);
		if (best == search->best.setting.backoff.min)
			step /= 2;
		best = search->best.setting.backoff.min;
	}
	return status;
}
