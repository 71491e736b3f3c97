/* Spin semaphore: a thread locks the word by taking its value out (Stuart and Owens, "Spin-Lock
 * Semaphore").
 *
 *   state   (v): 0 busy, a thread is changing it; else v - 1 slots are free
 *   wait    (v) -> (0) -> (v-n) for v > n; (v) -> (0) -> (v) and again when fewer slots are free
 *   try     (v) -> (v-n) for v > n, in one step
 *   post    (v) -> (0) -> (v+n) for v > 0
 *
 * All-zero memory is not a semaphore: start with weir_spin_semaphore_start.
 * Any thread may wait or post at any time. Unfair, above all to waits for several slots. Each wait
 * takes at least two atomics, each post one atomic and a store. Under contention both spin, and a
 * post may wait behind many waiters.
 * Nothing in it counts past the maximum, which is below 2^32 - 1, so nothing wraps.
 *
 * A wait changes the word only by read-modify-writes. They continue the release of the last post,
 * so a wait need not release anything itself: the next thread that takes the value out has seen all
 * posts before it. A post acquires the earlier releases and passes them on with its own.
 */
#ifndef WEIR_SEMAPHORE_SPIN_H
#define WEIR_SEMAPHORE_SPIN_H

#include "weir/semaphore/object.h"

WEIR_FN uint32_t weir_spin_semaphore_words(weir_semaphore_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_spin_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	(void)past; /* it looks the same however often it was used */
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(&s.words[0], value + 1);
}

WEIR_FN void weir_spin_wait_with_(weir_semaphore s, uint32_t n, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	for (;;) {
		/* Pairs with the release in weir_spin_post_n. */
		uint32_t value = weir_xchg_acq(&s.words[0], 0);
		/* Relaxed, but exchanges: they continue the release that the exchange above
		 * read. */
		if (value > n) {
			weir_xchg_rlx(&s.words[0], value - n);
			break;
		}
		if (value != 0)
			weir_xchg_rlx(&s.words[0], value);
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

WEIR_FN void weir_spin_wait_n(weir_semaphore s, uint32_t n)
{
	weir_spin_wait_with_(s, n, weir_no_backoff());
}

WEIR_FN void weir_spin_wait(weir_semaphore s)
{
	weir_spin_wait_n(s, 1);
}

/* It is also busy while a wait or a post is changing it. */
WEIR_FN weir_status weir_spin_try_wait_n(weir_semaphore s, uint32_t n)
{
	/* Relaxed: a guess; the read-modify-write below acquires. */
	uint32_t value = weir_load_rlx(&s.words[0]);

	while (value > n) {
		/* Pairs with the release in weir_spin_post_n, and continues it. */
		uint32_t found = weir_cas_acq(&s.words[0], value, value - n);
		if (found == value)
			return WEIR_OK;
		value = found;
	}
	return WEIR_BUSY;
}

WEIR_FN void weir_spin_post_n(weir_semaphore s, uint32_t n)
{
	/* Pairs with the release below in an earlier post. */
	uint32_t value = weir_await_xchg_ne_acq(&s.words[0], 0, 0, weir_no_backoff());
	weir_store_rel(&s.words[0], value + n); /* pairs with every acquire here */
}

WEIR_FN void weir_spin_post(weir_semaphore s)
{
	weir_spin_post_n(s, 1);
}

WEIR_FN int weir_spin_above(weir_semaphore s)
{
	/* Relaxed: only the number counts. */
	return weir_load_rlx(&s.words[0]) > s.config.maximum + 1;
}

#endif
