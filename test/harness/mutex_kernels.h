/* Kernels that test a mutex. All machines share this source. */
#include "kernels/kernel.h"
#include "params.h"

WEIR_KERNEL(mutex_start, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	weir_mutex_start(m, params.base);
}

/* One thread of each block locks for its block. */
WEIR_KERNEL(mutex_exclusion, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	uint32_t errors = 0;
	uint32_t random = harness_seed(params);

	if (weir_thread_id() != weir_thread_count() - 1)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (!params.without)
			weir_mutex_lock(m);
		errors += harness_update(data + HARNESS_DATA, params.width, params.hold);
		if (errors)
			data[HARNESS_ERRORS] = errors;
		if (!params.without)
			weir_mutex_unlock(m);
	}
}

/* One thread of each block locks two mutexes, one inside the other. */
WEIR_KERNEL(mutex_nested, harness_params)
{
	weir_mutex outer = weir_mutex_make(words, params.config.mutex);
	weir_mutex inner = weir_mutex_make(words, params.second.mutex);
	uint32_t errors = 0;
	uint32_t random = harness_seed(params);

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (i % 2 == 0)
			weir_mutex_lock(outer);
		if (!params.without)
			weir_mutex_lock(inner);
		errors += harness_update(data + HARNESS_DATA, params.width, params.hold);
		if (errors)
			data[HARNESS_ERRORS] = errors;
		if (!params.without)
			weir_mutex_unlock(inner);
		if (i % 2 == 0)
			weir_mutex_unlock(outer);
	}
}

/* All threads of each block lock together; the words are spread over the threads, and each thread
 * checks a word written by another thread, of the block before it. `without` is a constant in each
 * kernel: PoCL 3.1 miscompiles block syncs inside a condition. */
WEIR_FN void mutex_together(weir_mutex m, WEIR_GLOBAL uint32_t *data, harness_params params,
                            int without)
{
	WEIR_GLOBAL uint32_t *under = data + HARNESS_DATA;
	uint32_t threads = weir_thread_count();
	uint32_t me = weir_thread_id();
	uint32_t random = harness_seed(params);

	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (!without)
			weir_mutex_block_lock(m);
		uint32_t mine = under[me];
		if (under[(me + 1) % threads] != mine)
			data[HARNESS_ERRORS] = 1;
		weir_pause(params.hold);
		weir_block_sync(); /* all threads have read before one writes */
		under[me] = mine + 1;
		if (!without)
			weir_mutex_block_unlock(m);
		else
			weir_block_sync();
	}
}

WEIR_KERNEL(mutex_collective, harness_params)
{
	mutex_together(weir_mutex_make(words, params.config.mutex), data, params, 0);
}

WEIR_KERNEL(mutex_collective_without, harness_params)
{
	mutex_together(weir_mutex_make(words, params.config.mutex), data, params, 1);
}

/* An array of mutexes, each over `width` plain words. Where the machine guarantees progress to each
 * thread, every thread locks a random mutex for itself. */
WEIR_KERNEL(mutex_array, harness_params)
{
	weir_mutex_array a = weir_mutex_array_make(words, params.config.mutex_array);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (!WEIR_HAS_THREAD_PROGRESS && weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		uint32_t index = (random >> 4) % params.length;
		weir_mutex m = weir_mutex_at(a, index);
		if (!params.without)
			weir_mutex_lock(m);
		errors += harness_update(data + HARNESS_DATA + index * params.width, params.width,
		                         params.hold);
		if (errors)
			data[HARNESS_ERRORS] = errors;
		if (!params.without)
			weir_mutex_unlock(m);
	}
}

/* First come, first served. Block 0 holds the lock while the others queue one after another, which
 * shows in the first word of a fair kind. They must then enter in that order. Blocks with odd ids
 * delay inside, so that without the lock they fall behind. */
WEIR_KERNEL(mutex_order, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	uint32_t me = weir_block_id();
	uint32_t before = params.base;

	if (weir_thread_id() != 0)
		return;
	weir_await_eq_acq(&m.words[0], before + me,
	                  weir_no_backoff()); /* no partner: it only orders arrivals */
	if (params.without)
		weir_add_rlx(&m.words[0], 1); /* relaxed: it only shows the arrival */
	else
		weir_mutex_lock(m);
	if (me & 1)
		for (uint32_t i = 0; i < params.hold; i++)
			weir_pause(64);
	harness_enter(data);
	if (me == 0)
		weir_await_eq_acq(&m.words[0], before + weir_block_count(), weir_no_backoff());
	if (!params.without)
		weir_mutex_unlock(m);
}

/* Waits until `count` blocks have arrived at a mutex that blocks 0, 2, 1 and 3 lock in this order.
 * The first block of each cluster takes a ticket; the second shows in the tail of its cluster. */
WEIR_FN void mutex_await_come(weir_mutex m, uint32_t count)
{
	if (count <= 2 || !weir_cohort_queues_(m))
		weir_await_eq_acq(&m.words[0], count, weir_no_backoff());
	else
		weir_await_eq_acq(weir_cohort_tail_(m, count - 3), 2, weir_no_backoff());
}

/* Two clusters of two blocks: block 0 holds the lock while blocks 2, 1 and 3 arrive in this order.
 * A mutex that is passed on inside clusters goes to block 1 first. */
WEIR_KERNEL(mutex_hand_over, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	uint32_t me = weir_block_id();

	if (weir_thread_id() != 0)
		return;
	mutex_await_come(m, me == 2 ? 1 : me == 1 ? 2 : me);
	weir_mutex_lock(m);
	harness_enter(data);
	if (me == 0) {
		mutex_await_come(m, 4);
		if (weir_cohort_queues_(
			m)) /* block 1 has arrived, but we may not have seen that yet */
			weir_await_dsmem_ge_acq(weir_cohort_mine_(m, WEIR_COHORT_AFTER), 1,
			                        weir_no_backoff());
	}
	weir_mutex_unlock(m);
}
