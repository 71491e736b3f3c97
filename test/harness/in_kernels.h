/* Kernels that make their handles in zeroed memory. All machines share this source. With `value` 0
 * every block makes its own handle. With IN_MIXED every second block uses the host's handle for the
 * same words, and with IN_HANDLES all do. */
#include "kernels/kernel.h"
#include "params.h"

#define IN_MIXED 1
#define IN_HANDLES 2
#define IN_LENGTH 5  /* mutexes in an array */
#define IN_MAXIMUM 3 /* slots of a semaphore */
#define IN_QUEUE_BITS 2

WEIR_FN int in_makes(harness_params params)
{
	return params.value == 0 || (params.value == IN_MIXED && weir_block_id() % 2 == 0);
}

/* Before the barrier each block writes the number of its phase, and after it reads the numbers of
 * all others. */
WEIR_KERNEL(in_barrier, harness_params)
{
	uint32_t blocks = weir_block_count();
	weir_barrier b = in_makes(params) ? weir_barrier_in(words, blocks)
	                                  : weir_barrier_make(words, params.config.barrier);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		random = harness_shuffle(random);
		if (weir_thread_id() == 0)
			set[weir_block_id()] = phase + 1;
		if (!params.without)
			weir_barrier_wait(b);
		for (uint32_t block = weir_thread_id(); block < blocks;
		     block += weir_thread_count())
			errors += set[block] != phase + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Adds 1 in such a way that two adders at once lose one. */
WEIR_FN void in_add(WEIR_GLOBAL uint32_t *count, uint32_t hold)
{
	uint32_t old = *(volatile WEIR_GLOBAL uint32_t *)count;

	weir_pause(hold);
	*(volatile WEIR_GLOBAL uint32_t *)count = old + 1;
}

/* Each block counts in the first word under a mutex, and in one of the next words under a mutex of
 * an array. The array follows the mutex. */
WEIR_KERNEL(in_mutex, harness_params)
{
	weir_mutex m =
	    in_makes(params) ? weir_mutex_in(words) : weir_mutex_make(words, params.config.mutex);
	weir_mutex_array a = in_makes(params)
	                         ? weir_mutex_array_in(words + WEIR_MUTEX_WORDS, IN_LENGTH)
	                         : weir_mutex_array_make(words, params.second.mutex_array);

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t index = (weir_block_id() + i) % IN_LENGTH;

		if (!params.without)
			weir_mutex_lock(m);
		in_add(&data[HARNESS_DATA], params.hold);
		if (!params.without)
			weir_mutex_unlock(m);
		if (!params.without)
			weir_mutex_lock(weir_mutex_at(a, index));
		in_add(&data[HARNESS_DATA + 1 + index], params.hold);
		if (!params.without)
			weir_mutex_unlock(weir_mutex_at(a, index));
	}
}

/* A ring of blocks over compact events, followed by a barrier at an event with its own cache line.
 * The blocks pass a plain word on; nothing is reset between launches. */
WEIR_KERNEL(in_event, harness_params)
{
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	weir_event_array ring = in_makes(params)
	                            ? weir_event_array_compact_in(words, blocks)
	                            : weir_event_array_make(words, params.config.event_array);
	weir_event_array meeting = in_makes(params)
	                               ? weir_event_array_in(words + params.length, 1)
	                               : weir_event_array_make(words, params.second.event_array);
	uint32_t round = weir_event_array_round(meeting);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t before = me == 0 ? blocks - 1 : me - 1;

		if (!params.without)
			weir_event_wait(
			    weir_event_at(ring, before),
			    weir_event_target(round, params.rounds, i + (me == 0 ? 0 : 1)));
		errors += data[HARNESS_DATA] != (round * params.rounds + i) * blocks + me;
		weir_pause(params.hold);
		data[HARNESS_DATA] = (round * params.rounds + i) * blocks + me + 1;
		if (!params.without)
			weir_event_post(weir_event_at(ring, me), 1);
	}
	if (!params.without) {
		weir_latch latch = weir_latch_of(weir_event_at(meeting, 0), blocks, round);

		weir_latch_arrive(latch, 1);
		weir_latch_wait(latch);
		errors += data[HARNESS_DATA] != (round + 1) * params.rounds * blocks;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
	weir_event_array_leave(meeting);
}

/* Counts the blocks inside in a word after the semaphore. */
WEIR_KERNEL(in_semaphore, harness_params)
{
	weir_semaphore s = in_makes(params) ? weir_semaphore_in(words, IN_MAXIMUM)
	                                    : weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + WEIR_SEMAPHORE_WORDS;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (!params.without)
			weir_semaphore_wait(s);
		/* Relaxed: the semaphore orders a block that enters after one that left. */
		if (weir_add_rlx(inside, 1) >= IN_MAXIMUM)
			data[HARNESS_ERRORS] = 1;
		weir_pause(params.hold);
		weir_red_add_rlx(inside, (uint32_t)-1); /* relaxed: as above */
		if (!params.without)
			weir_semaphore_post(s);
	}
}

/* The blocks take turns: each waits until a plain word is its number. The condition follows the mutex, and
 * `length` is its slots. Nothing is reset between launches. */
WEIR_KERNEL(in_condition, harness_params)
{
	weir_mutex m = weir_mutex_in(words);
	weir_condition c = in_makes(params)
	                       ? weir_condition_in(words + WEIR_MUTEX_WORDS, params.length)
	                       : weir_condition_make(words, params.config.condition);
	WEIR_GLOBAL uint32_t *turn = data + HARNESS_DATA;
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_mutex_lock(m);
		if (!params.without)
			weir_condition_wait_until(c, m,
			                          *turn % weir_block_count() == weir_block_id());
		errors += *turn % weir_block_count() != weir_block_id();
		*turn += 1;
		weir_condition_broadcast(c);
		weir_mutex_unlock(m);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* One block starts the count, in two words that differ in between, and then all continue it under the
 * lock. The once follows the lock, and stays done in later launches. */
WEIR_KERNEL(in_rwlock, harness_params)
{
	weir_rwlock l = in_makes(params) ? weir_rwlock_in(words)
	                                 : weir_rwlock_make(words, params.config.rwlock);
	weir_once o = in_makes(params) ? weir_once_in(words + WEIR_RWLOCK_WORDS)
	                               : weir_once_make(words, params.second.once);
	volatile WEIR_GLOBAL uint32_t *counts = data + HARNESS_DATA;
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	if (!params.without && weir_once_begin(o)) {
		counts[0] = counts[1] = params.base;
		weir_once_end(o);
	}
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (!params.without)
			weir_rwlock_write_lock(l);
		counts[0]++;
		weir_pause(params.hold);
		counts[1]++;
		if (!params.without)
			weir_rwlock_downgrade(l);
		errors += counts[0] != counts[1] || counts[0] <= params.base;
		if (!params.without)
			weir_rwlock_read_unlock(l);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_WORD64
/* Each operation counts in a plain word, and returns its previous value. */
WEIR_KERNEL(in_combine, harness_params)
{
	weir_combiner c = in_makes(params) ? weir_combiner_in(words, weir_block_count())
	                                   : weir_combiner_make(words, params.config.combiner);
	volatile WEIR_GLOBAL uint32_t *count = data + HARNESS_DATA;
	uint32_t last = 0;
	uint32_t errors = 0;

	if (!weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_combiner_call call;

		if (params.without) {
			in_add(data + HARNESS_DATA, params.hold);
			continue;
		}
		call = weir_combiner_publish(c, 1);
		while (weir_combiner_wait(c, &call)) {
			while (weir_combiner_next(c, &call))
				WEIR_COMBINER_EACH (k, &call) {
					uint32_t before = *count;

					*count = before + weir_combiner_operation(&call, k);
					weir_combiner_answer(&call, k, before);
				}
			weir_combiner_release(c, &call);
		}
		errors += i > 0 && weir_combiner_result(&call) <= last;
		last = weir_combiner_result(&call);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block pushes and pops the same number of numbers: the plain words that belong to a number
 * were written before, and are counted once. The dispenser after the queue hands out the numbers.
 * Nothing is reset between launches. */
WEIR_KERNEL(in_queue, harness_params)
{
	weir_queue q = in_makes(params) ? weir_queue_in(words, IN_QUEUE_BITS)
	                                : weir_queue_make(words, params.config.queue);
	weir_dispenser d =
	    in_makes(params)
		? weir_dispenser_in(words + WEIR_QUEUE_WORDS(IN_QUEUE_BITS), params.length)
		: weir_dispenser_make(words, params.second.dispenser);
	WEIR_GLOBAL uint32_t *written = data + HARNESS_DATA;
	WEIR_GLOBAL uint32_t *counted = written + params.length;
	weir_share share;
	uint32_t errors = 0;
	uint32_t number = 0;

	if (weir_thread_id() != 0)
		return;
	if (params.without) {
		/* A number for the next block. */
		for (number = weir_block_id(); number < params.length;
		     number += weir_block_count()) {
			uint32_t other = (number + 1) % params.length;

			weir_pause(params.hold);
			written[number] = number + 1;
			errors += written[other] != other + 1;
			counted[other]++;
		}
	} else {
		share = weir_dispenser_begin(d);
		while (weir_dispenser_next(d, &share, 1)) {
			written[share.first] = share.first + 1;
			errors += weir_queue_push(q, share.first) != WEIR_OK;
			errors += weir_queue_pop(q, &number) != WEIR_OK;
			if (number >= params.length) {
				errors++;
				continue;
			}
			errors += written[number] != number + 1;
			counted[number]++;
		}
		/* The last block to leave reopens the queue for the next launch. */
		if (weir_block_count() == 1)
			weir_queue_close(q);
		weir_queue_leave(q);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
#endif
