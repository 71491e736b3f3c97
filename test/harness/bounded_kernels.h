/* Kernels in which blocks give up. All machines share this source. `length` is the longest deadline
 * in nanoseconds where they are random, and the deadline where they are not. */
#include "bounded_checks.h"

#if WEIR_HAS_DEADLINE

/* What to do next: a try, a wait with a random deadline or, now and then, a wait without one. */
WEIR_FN weir_status bounded_lock(weir_mutex m, uint32_t random, uint32_t most_ns)
{
	uint32_t what = random >> 29;

	if (what == 0)
		return weir_mutex_try_lock(m);
	if (what != 1)
		return weir_mutex_lock_for(m, (random >> 4) % most_ns);
	weir_mutex_lock(m);
	return WEIR_OK;
}

WEIR_FN weir_status bounded_wait(weir_semaphore s, uint32_t n, uint32_t random, uint32_t most_ns)
{
	uint32_t what = random >> 29;

	if (what == 0)
		return weir_semaphore_try_wait_n(s, n);
	if (what != 1)
		return weir_semaphore_wait_n_for(s, n, (random >> 4) % most_ns);
	weir_semaphore_wait_n(s, n);
	return WEIR_OK;
}

WEIR_KERNEL(bounded_mutex, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	WEIR_GLOBAL uint32_t *own = BOUNDED_OWN(data, weir_block_id());
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_next(random);
		if (params.without || bounded_lock(m, random, params.length) == WEIR_OK) {
			errors += harness_update(data + HARNESS_DATA, BOUNDED_WIDTH, params.hold);
			own[BOUNDED_GOT]++;
			if (!params.without)
				weir_mutex_unlock(m);
		} else {
			own[BOUNDED_LATE]++;
		}
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Block 0 holds the mutex while the others arrive one after another; every second one of them gives
 * up before block 0 unlocks. The blocks that stay enter in the order of their arrival. The word at
 * second.offset counts the blocks that gave up. */
WEIR_KERNEL(bounded_order, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	WEIR_GLOBAL weir_word *gone = words + params.second.object.offset;
	uint32_t me = weir_block_id();

	if (weir_thread_id() != 0)
		return;
	weir_await_eq_acq(&m.words[0], params.base + me, weir_no_backoff());
	if (me & 1) {
		if (weir_mutex_lock_for(m, params.length) == WEIR_OK) {
			data[HARNESS_ERRORS] = 1;
			weir_mutex_unlock(m);
		}
		weir_add_rlx(gone, 1); /* relaxed: a plain count */
		return;
	}
	weir_mutex_lock(m);
	harness_enter(data);
	if (me == 0) {
		weir_await_eq_acq(&m.words[0], params.base + weir_block_count(), weir_no_backoff());
		weir_await_eq_acq(gone, weir_block_count() / 2, weir_no_backoff());
	}
	weir_mutex_unlock(m);
}

/* Never more than `value` slots are taken. The word at second.offset counts them. */
WEIR_KERNEL(bounded_semaphore, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + params.second.object.offset;
	WEIR_GLOBAL uint32_t *own = BOUNDED_OWN(data, weir_block_id());
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_next(random);
		uint32_t n = 1 + (random >> 20) % params.value;
		if (params.without || bounded_wait(s, n, random, params.length) == WEIR_OK) {
			/* Relaxed: a plain count of the slots taken. */
			errors += weir_add_rlx(inside, n) + n > params.value;
			weir_pause(params.hold);
			weir_add_rlx(inside, (uint32_t)0 - n);
			own[BOUNDED_GOT]++;
			if (!params.without)
				weir_semaphore_post_n(s, n);
		} else {
			own[BOUNDED_LATE]++;
		}
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Phases with and without a deadline alternate. Block `value` leaves before phase `base`; with
 * `hold`, deadlines are random. After its data of two phases each block stores two words: the phase
 * that timed out, plus 1, and the milliseconds that it waited there. */
WEIR_KERNEL(bounded_barrier, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_thread_id();
	uint32_t random = harness_seed(params);
	WEIR_GLOBAL uint32_t *told = data + HARNESS_DATA + 2 * blocks + 2 * weir_block_id();
	uint32_t errors = 0;

	for (uint32_t phase = 0; phase < params.rounds; phase++) {
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		if (weir_block_id() == params.value && phase == params.base)
			return;
		random = harness_shuffle(random);
		if (me == phase % weir_thread_count())
			set[weir_block_id()] = phase + 1;
		if (phase & 1) {
			weir_barrier_wait(b);
		} else {
			uint64_t since = weir_clock_ns();
			if (weir_barrier_wait_for(b, params.hold ? random % params.length
			                                         : params.length) != WEIR_OK) {
				uint64_t waited = weir_clock_ns() - since;
				/* Broken for good, and reported at once. */
				errors +=
				    weir_barrier_wait_for(b, (uint64_t)1 << 60) != WEIR_TIMED_OUT;
				if (errors)
					data[HARNESS_ERRORS] = errors;
				if (me == weir_thread_count() - 1) {
					told[0] = phase + 1;
					told[1] = (uint32_t)(waited / 1000000);
				}
				return;
			}
		}
		for (uint32_t block = me; block < blocks; block += weir_thread_count())
			errors += set[block] != phase + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif
