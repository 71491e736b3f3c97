/* Kernels that test events. All machines share this source. The data are plain words. `base` is the
 * initial count of the events. */
#include "kernels/kernel.h"
#include "params.h"

/* An array of `length` events after `base` launches with `width` signals at each event. */
WEIR_KERNEL(event_start, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	weir_event_array_round_start(a, params.base);
	for (uint32_t i = 0; i < params.length; i++)
		weir_event_start(weir_event_at(a, i), params.base * params.width);
}

/* A wait in one of four ways. */
WEIR_FN void event_wait_somehow(weir_event_array a, uint32_t index, uint32_t target, uint32_t way)
{
	weir_event e = weir_event_at(a, index);
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	if (way % 4 == 1)
		while (!weir_event_reached(e, target))
			weir_wait_again(&wait);
#if WEIR_HAS_DEADLINE
	else if (way % 4 == 2)
		while (weir_event_wait_for(e, target, 1000) != WEIR_OK)
			weir_wait_again(&wait);
#endif
	else if (way % 4 == 3)
		weir_event_array_wait_any(a, index, 1, target);
	else
		weir_event_wait(e, target);
}

/* A ring: each block passes a plain word on once the block before it has posted. Block b posts
 * event b. */
WEIR_KERNEL(event_ring, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	WEIR_GLOBAL uint32_t *token = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	uint32_t random = harness_seed(params);

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t before = me == 0 ? blocks - 1 : me - 1;

		random = harness_shuffle(random);
		if (!params.without)
			event_wait_somehow(a, before, params.base + i + (me == 0 ? 0 : 1), i);
		if (*token != i * blocks + me)
			data[HARNESS_ERRORS] = 1;
		weir_pause(params.hold);
		*token = i * blocks + me + 1;
		if (!params.without)
			weir_event_post(weir_event_at(a, me), 1);
	}
}

/* The same for all threads of each block. Each thread passes a word on, and looks at that of another
 * thread. `without` is a constant in each kernel: PoCL 3.1 miscompiles block syncs inside a
 * condition. */
WEIR_FN void event_pass(weir_event_array a, WEIR_GLOBAL uint32_t *data, harness_params params,
                        int without)
{
	WEIR_GLOBAL uint32_t *tokens = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t threads = weir_thread_count();
	uint32_t me = weir_block_id();
	uint32_t thread = weir_thread_id();
	uint32_t random = harness_seed(params);

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t before = me == 0 ? blocks - 1 : me - 1;

		random = harness_shuffle(random);
		if (!without)
			weir_event_block_wait(weir_event_at(a, before),
			                      params.base + i + (me == 0 ? 0 : 1));
		if (tokens[(thread + 1) % threads] != i * blocks + me)
			data[HARNESS_ERRORS] = 1;
		weir_pause(params.hold);
		weir_block_sync(); /* all threads have read before one writes */
		tokens[thread] = i * blocks + me + 1;
		if (!without)
			weir_event_block_post(weir_event_at(a, me), 1);
		else
			weir_block_sync();
	}
}

WEIR_KERNEL(event_collective, harness_params)
{
	event_pass(weir_event_array_make(words, params.config.event_array), data, params, 0);
}

WEIR_KERNEL(event_collective_without, harness_params)
{
	event_pass(weir_event_array_make(words, params.config.event_array), data, params, 1);
}

/* Whether all blocks have left this value. */
WEIR_FN int event_all_left(WEIR_GLOBAL uint32_t *left, uint32_t value)
{
	uint32_t errors = 0;

	for (uint32_t block = 0; block < weir_block_count(); block++)
		errors += left[block] != value;
	return errors == 0;
}

/* Fan-in and fan-out: each block stores a number and signals event 0. With a result, the last of
 * them looks at all numbers; otherwise block 0 waits and does so. It then posts event 1, for which
 * all wait. The word after the numbers counts how often a block was the last. */
WEIR_KERNEL(event_last, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	weir_event in = weir_event_at(a, 0);
	weir_event out = weir_event_at(a, 1);
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t random = harness_seed(params);
	int is_last = weir_block_id() == 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t all = params.base + (i + 1) * blocks;

		random = harness_shuffle(random);
		weir_pause(params.hold);
		left[weir_block_id()] = i + 1;
		if (!params.without) {
			if (params.value) {
				is_last = weir_event_signal(in, 1) + 1 == all;
			} else {
				weir_event_post(in, 1);
				if (is_last)
					weir_event_wait(in, all);
			}
		}
		if (is_last) {
			if (!event_all_left(left, i + 1))
				data[HARNESS_ERRORS] = 1;
			left[blocks]++;
			if (!params.without)
				weir_event_post(out, 1);
		}
		if (!params.without)
			weir_event_wait(out, params.base + i + 1);
	}
}

/* Each block but the last stores a number and posts its own event by 2. The last block waits for any
 * of them, looks at its number, then waits for all. */
WEIR_KERNEL(event_range, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t others = weir_block_count() - 1;
	uint32_t me = weir_block_id();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t target = params.base + 2 * (i + 1);

		random = harness_shuffle(random);
		if (me != others) {
			weir_pause(params.hold);
			left[me] = i + 1;
			if (!params.without) {
				weir_event_post(weir_event_at(a, me), 2);
				weir_event_wait(weir_event_at(a, others), params.base + i + 1);
			}
		} else {
			uint32_t any =
			    params.without ? 0 : weir_event_array_wait_any(a, 0, others, target);
			errors += any >= others || left[any] != i + 1;
			if (!params.without)
				weir_event_array_wait_all(a, 0, others, target);
			for (uint32_t block = 0; block < others; block++)
				errors += left[block] != i + 1;
			if (!params.without)
				weir_event_post(weir_event_at(a, others), 1);
		}
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The same for blocks, whose threads divide the wait. All blocks post and wait for all. */
WEIR_FN void event_meet(weir_event_array a, WEIR_GLOBAL uint32_t *data, harness_params params,
                        int without)
{
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		WEIR_GLOBAL uint32_t *set = left + (i & 1) * blocks;

		random = harness_shuffle(random);
		if (weir_thread_id() == weir_thread_count() - 1)
			set[weir_block_id()] = i + 1;
		if (!without) {
			weir_event_block_post(weir_event_at(a, weir_block_id()), 1);
			weir_event_array_block_wait_all(a, 0, blocks, params.base + i + 1);
		}
		for (uint32_t block = 0; block < blocks; block++)
			errors += set[block] != i + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

WEIR_KERNEL(event_all, harness_params)
{
	event_meet(weir_event_array_make(words, params.config.event_array), data, params, 0);
}

WEIR_KERNEL(event_all_without, harness_params)
{
	event_meet(weir_event_array_make(words, params.config.event_array), data, params, 1);
}

#if WEIR_HAS_BLOCK_VALUE
/* All threads of a block learn whether it is the last, and look at part of the other blocks' numbers.
 * The last block posts event 1 in even rounds and event 2 in odd rounds. All threads of all blocks
 * wait for it. */
WEIR_KERNEL(event_block_last, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t all = params.base + (i + 1) * blocks;
		uint32_t target = params.base + i / 2 + 1;

		random = harness_shuffle(random);
		if (weir_thread_id() == weir_thread_count() - 1)
			left[weir_block_id()] = i + 1;
		if (weir_event_block_signal(weir_event_at(a, 0), 1) + 1 == all) {
			for (uint32_t block = weir_thread_id(); block < blocks;
			     block += weir_thread_count())
				errors += left[block] != i + 1;
			weir_event_block_post(weir_event_at(a, 1 + i % 2), 1);
		}
		/* Event 2 follows event 1, so it has not reached the target of an even round. */
		errors +=
		    weir_event_array_block_wait_any(a, 1 + i % 2, 2 - i % 2, target) != 1 + i % 2;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
#endif

/* One launch of many: no target names the launch, and nothing is reset between them. */
WEIR_FN void event_launch(weir_event_array a, WEIR_GLOBAL uint32_t *data, harness_params params,
                          int without)
{
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t round = weir_event_array_round(a);
	weir_latch latch = weir_latch_of(weir_event_at(a, 0), blocks, round);
	weir_sequence sequence = weir_sequence_of(weir_event_at(a, 1), blocks, round);
	uint32_t errors = round != params.base;

	if (weir_thread_id() == weir_thread_count() - 1)
		left[weir_block_id()] = params.base + 1;
	if (!without) {
		weir_latch_block_arrive(latch, 1);
		weir_latch_block_wait(latch);
	}
	errors += !event_all_left(left, params.base + 1);
	if (!without)
		weir_sequence_block_begin(sequence, weir_block_id());
	if (weir_thread_id() == 0) {
		uint32_t place = left[blocks];

		errors += place != params.rounds * blocks + weir_block_id();
		weir_pause(params.hold);
		left[blocks] = place + 1;
	}
	if (!without)
		weir_sequence_block_end(sequence);
	if (errors)
		data[HARNESS_ERRORS] = errors;
	weir_event_array_block_leave(a);
}

WEIR_KERNEL(event_rounds, harness_params)
{
	event_launch(weir_event_array_make(words, params.config.event_array), data, params, 0);
}

WEIR_KERNEL(event_rounds_without, harness_params)
{
	event_launch(weir_event_array_make(words, params.config.event_array), data, params, 1);
}

/* A lone thread: looks, counts, and waits that give up. The events keep their counts. */
WEIR_KERNEL(event_alone, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	weir_event e = weir_event_at(a, 0);
	uint32_t target = params.base + 3;
	uint32_t errors = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	errors += weir_event_count(e) != params.base;
	errors += !weir_event_reached(e, params.base) || weir_event_reached(e, params.base + 1);
	errors += weir_event_array_wait_any(a, 0, 0, target) != 0; /* no wait */
	weir_event_array_wait_all(a, 0, 0, target);
#if WEIR_HAS_DEADLINE
	uint32_t found = 77;
	errors += weir_event_wait_for(e, target, 1000) != WEIR_TIMED_OUT;
	errors += weir_event_array_wait_all_for(a, 0, 2, target, 1000) != WEIR_TIMED_OUT;
	errors += weir_event_array_wait_any_for(a, 0, 2, target, 1000, &found) != WEIR_TIMED_OUT;
	errors += found != 2;
#endif
	weir_event_post_bulk(weir_event_at(a, 1), 3);
#if WEIR_HAS_DEADLINE
	errors += weir_event_array_wait_any_for(a, 0, 2, target, 0, &found) != WEIR_OK;
	errors += found != 1;
	errors += weir_event_array_wait_all_for(a, 0, 2, target, 1000) != WEIR_TIMED_OUT;
#endif
	weir_event_post(e, 2);
	errors += weir_event_reached(e, target);
	if (params.value)
		errors += weir_event_signal(e, 1) != params.base + 2;
	else
		weir_event_post(e, 1);
	errors += weir_event_count(e) != target || !weir_event_reached(e, target);
#if WEIR_HAS_DEADLINE
	errors += weir_event_wait_for(e, target, 0) != WEIR_OK;
	errors += weir_event_array_wait_all_for(a, 0, 2, target, 0) != WEIR_OK;
#endif
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
