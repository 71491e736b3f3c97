/* Spin semaphore with both exchanges in post (Stuart and Owens, algorithm 4 without UseBackoff). As
 * published, for comparison: semaphore/spin.h ends a post with a store.
 *
 *   state   (v): 0 busy, a thread is changing it; else v - 1 slots are free
 *   wait    (v) -> (0) -> (v-n) for v > n; (v) -> (0) -> (v) and again when fewer slots are free
 *   try     (v) -> (v-n) for v > n, in one step
 *   post    (v) -> (0) -> (v+n) for v > 0, both by exchanges
 *
 * All-zero memory is not a semaphore: start with weir_spin_exchange_semaphore_start.
 * Any thread may wait or post at any time. Unfair, above all to waits for several slots. Each wait
 * and each post takes at least two atomics. Under contention both spin, and a post may wait behind
 * many waiters.
 * Nothing in it counts past the maximum, which is below 2^32 - 1, so nothing wraps.
 *
 * The paper takes one slot per call and has no try, no memory order and no fence. Here a wait
 * acquires and a post releases. Every change of the word is an exchange, so the release of a post
 * reaches all waits after it. A post need not acquire.
 */
#ifndef WEIR_SEMAPHORE_SPIN_EXCHANGE_H
#define WEIR_SEMAPHORE_SPIN_EXCHANGE_H

#include "weir/semaphore/spin.h"

WEIR_FN uint32_t weir_spin_exchange_semaphore_words(weir_semaphore_config config)
{
	return weir_spin_semaphore_words(config);
}

WEIR_FN void weir_spin_exchange_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	weir_spin_semaphore_start(s, value, past);
}

WEIR_FN void weir_spin_exchange_wait_n(weir_semaphore s, uint32_t n)
{
	/* Its acquire pairs with the release in weir_spin_exchange_post_n. */
	weir_spin_wait_with_(s, n, weir_no_backoff());
}

WEIR_FN void weir_spin_exchange_wait(weir_semaphore s)
{
	weir_spin_exchange_wait_n(s, 1);
}

/* It is also busy while a wait or a post is changing it. */
WEIR_FN weir_status weir_spin_exchange_try_wait_n(weir_semaphore s, uint32_t n)
{
	/* Its acquire pairs with the release in weir_spin_exchange_post_n. */
	return weir_spin_try_wait_n(s, n);
}

WEIR_FN void weir_spin_exchange_post_n(weir_semaphore s, uint32_t n)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	uint32_t value;

	/* Relaxed, but an exchange: it continues the releases of earlier posts. */
	while ((value = weir_xchg_rlx(&s.words[0], 0)) == 0) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_xchg_rel(&s.words[0], value + n); /* pairs with every acquire here */
}

WEIR_FN void weir_spin_exchange_post(weir_semaphore s)
{
	weir_spin_exchange_post_n(s, 1);
}

WEIR_FN int weir_spin_exchange_above(weir_semaphore s)
{
	return weir_spin_above(s);
}

#endif
