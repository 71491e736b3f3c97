/* Ticket mutex ("fetch-and-add mutex" in Stuart and Owens).
 *
 *   state   (next, turn), equal when free
 *   lock    (n, t) -> (n+1, t), then wait until turn == n
 *   try     (t, t) -> (t+1, t): a ticket only if its turn is now
 *   unlock  (n, t) -> (n, t+1), by the holder alone
 *
 * Any thread may lock at any time. Fair: first come, first served, in the order of the
 * fetch-and-add. One atomic per lock, none per unlock; waiters only read.
 * Wraps safely: only equality of 32-bit tickets is tested, and fewer than 2^32 threads wait. A try
 * must not be overtaken by 2^32 locks between its load and its compare-and-swap. Otherwise the
 * ticket would have the same value again, and the try would take it although another thread holds
 * the mutex.
 */
#ifndef WEIR_MUTEX_TICKET_H
#define WEIR_MUTEX_TICKET_H

#include "weir/mutex/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_ticket_next_(weir_mutex m)
{
	return &m.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_ticket_turn_(weir_mutex m)
{
	return &m.words[m.config.pitch];
}

WEIR_FN uint32_t weir_ticket_mutex_words(weir_mutex_config config)
{
	return config.pitch + 1;
}

WEIR_FN void weir_ticket_mutex_start(weir_mutex m, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_ticket_next_(m), past);
	weir_store_rlx(weir_ticket_turn_(m), past);
}

WEIR_FN void weir_ticket_lock(weir_mutex m)
{
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_ticket_next_(m), 1);
	/* Pairs with the release in weir_ticket_unlock. */
	weir_await_eq_acq(weir_ticket_turn_(m), mine, m.config.backoff);
}

WEIR_FN weir_status weir_ticket_try_lock(weir_mutex m)
{
	/* Pairs with the release in weir_ticket_unlock. */
	uint32_t turn = weir_load_acq(weir_ticket_turn_(m));
	/* Relaxed: the acquire above carries the data. */
	return weir_cas_rlx(weir_ticket_next_(m), turn, turn + 1) == turn ? WEIR_OK : WEIR_BUSY;
}

WEIR_FN void weir_ticket_unlock(weir_mutex m)
{
	weir_owner_add_rel(weir_ticket_turn_(m), 1); /* pairs with the acquires of the turn */
}

#endif
