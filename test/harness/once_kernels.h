/* Kernels that test a once. All machines share this source. There are `length` onces, one after the
 * other, and each block calls all of them. The data of each are a plain count of the blocks that ran
 * it, followed by ONCE_WIDTH plain words that one block sets. */
#include "kernels/kernel.h"
#include "params.h"

#define ONCE_WIDTH 8
#define ONCE_PLACE (ONCE_WIDTH + 1)

WEIR_FN weir_once once_at(WEIR_GLOBAL weir_word *words, harness_params params, uint32_t index)
{
	params.config.once.offset += index;
	return weir_once_make(words, params.config.once);
}

/* Sets every `step`th word of the data of a once, from `from` on. */
WEIR_FN void once_set(WEIR_GLOBAL uint32_t *place, uint32_t from, uint32_t step,
                      harness_params params)
{
	if (from == 0)
		place[0]++;
	for (uint32_t i = from; i < ONCE_WIDTH; i += step) {
		weir_pause(params.hold);
		place[1 + i] = params.seed + i;
	}
}

/* How many words differ from that. */
WEIR_FN uint32_t once_wrong(WEIR_GLOBAL uint32_t *place, harness_params params)
{
	uint32_t errors = place[0] != 1;

	for (uint32_t i = 0; i < ONCE_WIDTH; i++)
		errors += place[1 + i] != params.seed + i;
	return errors;
}

/* Whether the caller must initialize; otherwise that is done. With `value`, begins with random
 * deadlines. */
WEIR_FN int once_is_mine(weir_once o, WEIR_GLOBAL uint32_t *place, uint32_t random,
                         harness_params params)
{
	int is_mine = 0;

	if (params.without)
		return place[0] == 0;
#if WEIR_HAS_DEADLINE
	if (params.value) {
		weir_wait wait = weir_wait_begin(weir_no_backoff());

		while (weir_once_begin_for(o, random % params.value, &is_mine) != WEIR_OK)
			weir_wait_again(&wait);
		weir_wait_end(&wait);
		return is_mine;
	}
#endif
	(void)random;
	if (weir_once_is_done(o))
		return 0;
	return weir_once_begin(o);
}

/* With `base`, an earlier launch has done them all. */
WEIR_KERNEL(once_each, harness_params)
{
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.length; i++) {
		weir_once o = once_at(words, params, i);
		WEIR_GLOBAL uint32_t *place = data + HARNESS_DATA + i * ONCE_PLACE;

		random = harness_shuffle(random);
		if (params.base && !weir_once_is_done(o))
			errors++;
		if (once_is_mine(o, place, random >> 4, params)) {
			errors += params.base;
			once_set(place, 0, 1, params);
			if (!params.without)
				weir_once_end(o);
		}
		errors += once_wrong(place, params);
		if (!params.without && !weir_once_is_done(o))
			errors++;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_BLOCK_VALUE
/* The same for all threads of each block, which divide the work. */
WEIR_KERNEL(once_block, harness_params)
{
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.length; i++) {
		weir_once o = once_at(words, params, i);
		WEIR_GLOBAL uint32_t *place = data + HARNESS_DATA + i * ONCE_PLACE;

		random = harness_shuffle(random);
		if (weir_once_block_begin(o)) {
			errors += params.base;
			once_set(place, weir_thread_id(), weir_thread_count(), params);
			weir_once_block_end(o);
			weir_block_sync(); /* all threads have written */
		}
		errors += once_wrong(place, params);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
#endif

/* A lone thread: the result of each operation before, during and after. */
WEIR_KERNEL(once_alone, harness_params)
{
	uint32_t errors = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.length; i++) {
		weir_once o = once_at(words, params, i);
		int is_mine = 2;

		errors += weir_once_is_done(o) != 0;
#if WEIR_HAS_DEADLINE
		if (i % 2)
			errors += weir_once_begin_for(o, 0, &is_mine) != WEIR_OK;
		else
			is_mine = weir_once_begin(o);
		errors += is_mine != 1;
		errors += weir_once_begin_for(o, 1000, &is_mine) != WEIR_TIMED_OUT || is_mine != 0;
		errors += weir_once_is_done(o) != 0;
		weir_once_end(o);
		errors += weir_once_begin_for(o, 0, &is_mine) != WEIR_OK || is_mine != 0;
#else
		is_mine = weir_once_begin(o);
		errors += is_mine != 1 || weir_once_is_done(o);
		weir_once_end(o);
#endif
		errors += weir_once_begin(o) != 0;
		errors += weir_once_is_done(o) != 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
