/* Ring mutex: waiters queue in a ring buffer (tried and rejected by Stuart and Owens).
 *
 *   state   (tail, head, slot[S]), S a power of two; free when tail == head and all slots are 0
 *   lock    (t, h, s) -> (t+1, h, s), then slot[t mod S] = me, then wait until slot[head mod S] is me
 *   unlock  (t, h, s) -> slot[h mod S] = 0, then (t, h+1, s), by the holder alone
 *
 * At most S threads may hold or wait at once (config.count is S). Fair: first come, first served,
 * in the order of the fetch-and-add on the tail. One atomic per lock, none per unlock; a waiter
 * reads two words an attempt, which is why the ticket mutex beats it.
 * Wraps safely: S divides 2^32, and positions are only reduced modulo S.
 *
 * Why a slot never lies. Let B take position p. Of the S+1 positions p-S..p two belong to one
 * thread, since at most S hold or wait; that thread has unlocked the first of them, q >= p-S, so
 * the unlock of p-S happens before it takes the second, which is at or before p. The adds on the
 * tail are acquire and release, so all that happens before B's add: B's own id comes after the
 * clearing of its slot, and B can no longer read a head as old as p-S, for which the same slot
 * would hold B's new id.
 */
#ifndef WEIR_MUTEX_RING_H
#define WEIR_MUTEX_RING_H

#include "weir/object.h"

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
	return &m.words[2 * m.config.pitch + (position & (m.config.count - 1))];
}

WEIR_FN uint32_t weir_ring_mutex_words(weir_config config)
{
	return 2 * config.pitch + config.count;
}

WEIR_FN void weir_ring_mutex_start(weir_mutex m, uint32_t past)
{
	/* Relaxed: before the launch that uses it, which orders them. */
	weir_store_rlx(weir_ring_tail_(m), past);
	weir_store_rlx(weir_ring_head_(m), past);
	for (uint32_t i = 0; i < m.config.count; i++)
		weir_store_rlx(weir_ring_slot_(m, i), 0);
}

WEIR_FN void weir_ring_lock(weir_mutex m)
{
	uint32_t me = weir_block_id() * weir_thread_count() + weir_thread_id() + 1;
	/* Acquire and release pair with each other in other threads' locks: see above. */
	uint32_t mine = weir_add_acq_rel(weir_ring_tail_(m), 1);
	/* Relaxed: whoever waits for this slot is the thread that writes it. */
	weir_store_rlx(weir_ring_slot_(m, mine), me);

	weir_wait wait = weir_wait_begin(m.config.backoff);
	for (;;) {
		/* Pairs with the release in weir_ring_unlock. */
		uint32_t head = weir_load_acq(weir_ring_head_(m));
		/* Relaxed: our own id can only be our own write; the acquire above carries the data. */
		if (weir_load_rlx(weir_ring_slot_(m, head)) == me)
			return;
		weir_wait_again(&wait);
	}
}

WEIR_FN void weir_ring_unlock(weir_mutex m)
{
	/* Relaxed: the holder is the only writer of the head, and its lock has read this very value. */
	uint32_t head = weir_load_rlx(weir_ring_head_(m));
	/* Relaxed: the release below orders it before the head moves on. */
	weir_store_rlx(weir_ring_slot_(m, head), 0);
	weir_store_rel(weir_ring_head_(m), head + 1); /* pairs with the acquire in weir_ring_lock */
}

#endif
