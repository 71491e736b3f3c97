/* Kernels that run for long: as many operations as possible, with the cheapest checks that still
 * find a single violation. One text for all machines. */
#include "kernels/kernel.h"
#include "params.h"

/* Each block locks one of `length` mutexes at a time, drawn at random, and adds 1 to the pair of
 * words that it protects. The two are equal whenever no block holds it. */
WEIR_KERNEL(soak_mutex, harness_params)
{
	weir_mutex_array a = weir_mutex_array_make(words, params.config.mutex_array);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_next(random);
		uint32_t index = (random >> 8) % params.length;
		WEIR_GLOBAL uint32_t *under = data + HARNESS_DATA + 2 * index;
		weir_mutex m = weir_mutex_at(a, index);

		weir_mutex_lock(m);
		uint32_t value = under[0];
		errors += under[1] != value;
		under[0] = value + 1;
		under[1] = value + 1;
		weir_mutex_unlock(m);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block leaves the number of the phase, and looks for it at another block, each time a
 * different one. */
WEIR_KERNEL(soak_barrier, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	uint32_t blocks = weir_block_count();
	uint32_t other = weir_block_id();
	uint32_t last = weir_thread_count() - 1;
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		if (weir_thread_id() == 0)
			set[weir_block_id()] = phase + 1;
		weir_barrier_wait(b);
		other = other + 1 == blocks ? 0 : other + 1;
		if (weir_thread_id() == last)
			errors += set[other] != phase + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Never more than `value` blocks inside. */
WEIR_KERNEL(soak_semaphore, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + params.second.object.offset;
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_semaphore_wait(s);
		errors += weir_add_rlx(inside, 1) >= params.value;
		weir_add_rlx(inside, (uint32_t)-1);
		weir_semaphore_post(s);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block posts `value` times to events drawn at random, signals the next one of its own, and
 * waits for that of another block, each round a different one. The last `length` events only count.
 * Nothing is lost: in the end the host adds up all counts. */
WEIR_KERNEL(soak_event, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	uint32_t other = me;
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t round = params.base + i;

		for (uint32_t n = 0; n < params.value; n++) {
			random = harness_next(random);
			weir_event_post(weir_event_at(a, blocks + (random >> 8) % params.length),
			                1);
		}
		left[(round & 1) * blocks + me] = round + 1;
		weir_event_post(weir_event_at(a, me), 1);
		other = other + 1 == blocks ? 0 : other + 1;
		weir_event_wait(weir_event_at(a, other), round + 1);
		/* A block that is ahead has left the number of a later round. */
		errors += (int32_t)(left[(round & 1) * blocks + other] - (round + 1)) < 0;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The sum of all counts, in two halves. */
WEIR_KERNEL(soak_event_sum, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	uint64_t sum = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < a.config.length; i++)
		sum += weir_event_count(weir_event_at(a, i));
	data[HARNESS_DATA] = (uint32_t)sum;
	data[HARNESS_DATA + 1] = (uint32_t)(sum >> 32);
}
