/* Ring mutex: waiters queue in a ring buffer (tried and rejected by Stuart and Owens).
 *
 *   state   (tail, head, entry[S]), S a power of two; free when tail == head
 *   lock    (t, h, e) -> (t+1, h, e), wait until head > t-S, then entry[t mod S] = t+1, then wait
 *           until entry[head mod S] == t+1
 *   try     (h, h, e) -> (h+1, h, e): a position only if its turn is now
 *   unlock  (t, h, e) -> (t, h+1, e), by the holder alone
 *
 * Any thread may lock at any time; a thread that finds the ring full waits for room. Fair: first
 * come, first served, in the order of the fetch-and-add on the tail. One atomic per lock, none per
 * unlock. A waiter loads two words in each attempt, which is why the ticket mutex beats it.
 * Wraps safely: S divides 2^32, positions are compared by signed difference or equality, and fewer
 * than 2^31 threads wait. A try must not be overtaken by 2^32 locks between its load and its
 * compare-and-swap, as with the ticket mutex.
 *
 * Why a waiter never mistakes its turn. The value t+1 appears only in entry t mod S, and no thread
 * overwrites it before the head has passed t. The thread that took t has seen a head above t-S, so
 * from then on it reads a head in t-S+1..t. Of these, only t itself falls on entry t mod S. An
 * entry that was never written holds the number of locks before the start, a value that no thread
 * waits for any more.
 */
#ifndef WEIR_MUTEX_RING_H
#define WEIR_MUTEX_RING_H

#include "weir/mutex/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_ring_tail_(weir_mutex m)
{
	return &m.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_ring_head_(weir_mutex m)
{
	return &m.words[m.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_ring_slot_(weir_mutex m, uint32_t position)
{
	return &m.words[2 * m.config.pitch + (position & (m.config.slots - 1))];
}

WEIR_FN uint32_t weir_ring_mutex_words(weir_mutex_config config)
{
	return 2 * config.pitch + config.slots;
}

WEIR_FN void weir_ring_mutex_start(weir_mutex m, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_ring_tail_(m), past);
	weir_store_rlx(weir_ring_head_(m), past);
	for (uint32_t i = 0; i < m.config.slots; i++)
		weir_store_rlx(weir_ring_slot_(m, i), past);
}

WEIR_FN void weir_ring_lock(weir_mutex m)
{
	/* Relaxed: the position only orders us among waiters; the acquires below carry the data. */
	uint32_t mine = weir_add_rlx(weir_ring_tail_(m), 1);

	/* Pairs with the release in weir_ring_unlock: the previous user of the entry is done with
	 * it. */
	weir_await_ge_acq(weir_ring_head_(m), mine - m.config.slots + 1, m.config.backoff);
	/* Relaxed: only this thread waits for this value. */
	weir_store_rlx(weir_ring_slot_(m, mine), mine + 1);

	weir_wait wait = weir_wait_begin(m.config.backoff);
	for (;;) {
		/* Pairs with the release in weir_ring_unlock. */
		uint32_t head = weir_load_acq(weir_ring_head_(m));
		/* Relaxed: the value can only be our own write; the acquire above carries the
		 * data. */
		if (weir_load_rlx(weir_ring_slot_(m, head)) == mine + 1)
			break;
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_until_ge(&wait, weir_ring_head_(m), mine);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

WEIR_FN weir_status weir_ring_try_lock(weir_mutex m)
{
	/* Pairs with the release in weir_ring_unlock. */
	uint32_t head = weir_load_acq(weir_ring_head_(m));
	/* Relaxed: the acquire above carries the data. We write no entry, since no thread waits for
	 * it, and no thread waits for the old value either. */
	return weir_cas_rlx(weir_ring_tail_(m), head, head + 1) == head ? WEIR_OK : WEIR_BUSY;
}

WEIR_FN void weir_ring_unlock(weir_mutex m)
{
	weir_owner_add_rel(weir_ring_head_(m), 1); /* pairs with the acquires above */
}

#endif
