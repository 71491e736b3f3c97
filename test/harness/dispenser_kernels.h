/* Kernels that test a dispenser. All machines share this source. The data are plain words: how many
 * items each taker got, followed by a mark for each item. `length` is the number of items in the launch,
 * `width` how many a taker takes at once, and `value` the number of takers. */
#include "kernels/kernel.h"
#include "params.h"

/* Marks every `step`th item of a share, and returns how many were marked before. */
WEIR_FN uint32_t dispenser_mark(WEIR_GLOBAL uint32_t *data, harness_params params, weir_share share,
                                uint32_t from, uint32_t step)
{
	WEIR_GLOBAL uint32_t *marks = data + HARNESS_DATA + params.value;
	uint32_t errors = 0;

	for (uint32_t i = from; i < share.count; i += step) {
		uint32_t item = share.first + i;

		if (item >= params.length) {
			errors++;
			continue;
		}
		errors += marks[item] != 0;
		marks[item]++;
	}
	return errors;
}

#if WEIR_HAS_WORD64

/* A hand-made counter that one block sets and all add to. */
WEIR_FN weir_share dispenser_take_plain(WEIR_GLOBAL uint32_t *data, harness_params params)
{
	volatile WEIR_GLOBAL uint32_t *next =
	    data + HARNESS_DATA + params.value + (uint64_t)params.length;
	weir_share share;

	share.first = *next;
	weir_pause(params.hold);
	*next = share.first + params.width;
	share.count = share.first < params.length ? 1 : 0;
	if (share.count && params.length - share.first < params.width)
		share.count = params.length - share.first;
	else if (share.count)
		share.count = params.width;
	return share;
}

/* One thread of each block takes until no item is left. */
WEIR_KERNEL(dispenser_take, harness_params)
{
	weir_dispenser d =
	    weir_dispenser_of(weir_dispenser_make(words, params.config.dispenser), params.length);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	uint32_t got = 0;
	weir_share share = weir_dispenser_begin(d);

	if (weir_thread_id() != 0)
		return;
	/* A hand-made counter may go back. */
	for (uint32_t turn = 0; turn < params.length || !params.without; turn++) {
		if (params.without)
			share = dispenser_take_plain(data, params);
		if (params.without ? share.count == 0
		                   : !weir_dispenser_next(d, &share, params.width))
			break;
		random = harness_shuffle(random);
		errors += dispenser_mark(data, params, share, 0, 1);
		got += share.count;
	}
	data[HARNESS_DATA + weir_block_id()] = got;
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE
/* All threads of each block get the same share, and divide it. */
WEIR_KERNEL(dispenser_block, harness_params)
{
	weir_dispenser d =
	    weir_dispenser_of(weir_dispenser_make(words, params.config.dispenser), params.length);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	uint32_t got = 0;
	weir_share share = weir_dispenser_begin(d);

	while (weir_dispenser_block_next(d, &share, params.width)) {
		random = harness_shuffle(random);
		errors +=
		    dispenser_mark(data, params, share, weir_thread_id(), weir_thread_count());
		got += share.count;
	}
	/* A thread other than the one that takes. */
	if (weir_thread_id() == weir_thread_count() - 1)
		data[HARNESS_DATA + weir_block_id()] = got;
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
#endif

#endif
