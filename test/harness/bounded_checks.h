/* Shared by kernels in which not every block gets what it wants: the data under a lock, the counts
 * of each block, and the kernels that look for lost locks and slots. */
#ifndef BOUNDED_CHECKS_H
#define BOUNDED_CHECKS_H

#include "kernels/kernel.h"
#include "params.h"

#if WEIR_HAS_DEADLINE

#define BOUNDED_WIDTH 8
/* The offsets of a block's own counts, after the words under the lock. */
#define BOUNDED_GOT 0  /* how often it got what it wanted */
#define BOUNDED_LATE 1 /* how often not */
#define BOUNDED_OWN(data, block) ((data) + HARNESS_DATA + BOUNDED_WIDTH + 2 * (block))

/* Nothing is lost: a lone thread's try succeeds at once. While the mutex is held a try fails, and
 * so does a short wait. */
WEIR_KERNEL(bounded_mutex_free, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (weir_mutex_try_lock(m) != WEIR_OK) {
			data[HARNESS_ERRORS] = 1;
			return;
		}
		if (weir_mutex_try_lock(m) != WEIR_BUSY ||
		    weir_mutex_lock_for(m, 1000) != WEIR_TIMED_OUT)
			data[HARNESS_ERRORS] = 1;
		weir_mutex_unlock(m);
		if (weir_mutex_lock_for(m, 0) != WEIR_OK)
			data[HARNESS_ERRORS] = 1;
		weir_mutex_unlock(m);
		weir_mutex_lock(m);
		weir_mutex_unlock(m);
	}
}

/* Nothing is lost or duplicated: a lone thread gets that many slots, one after another or at once,
 * and not one more. */
WEIR_KERNEL(bounded_semaphore_full, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	uint32_t errors = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.value; i++)
		errors += weir_semaphore_try_wait(s) != WEIR_OK;
	errors += weir_semaphore_try_wait(s) != WEIR_BUSY;
	errors += weir_semaphore_wait_for(s, 1000) != WEIR_TIMED_OUT;
	if (errors == 0 && params.value != 0) {
		weir_semaphore_post_n(s, params.value);
		errors += weir_semaphore_wait_n_for(s, params.value, 0) != WEIR_OK;
		weir_semaphore_post_n(s, params.value);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif

#endif
