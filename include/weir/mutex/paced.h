/* Paced mutex: a ticket mutex whose waiters pause in proportion to their place in the queue
 * (proportional backoff, Mellor-Crummey and Scott, 1991).
 *
 *   state   (next, turn), equal when free
 *   lock    (n, t) -> (n+1, t), then wait until turn == n, with a pause of (n - turn - 1) times
 *           backoff.min units between two loads: none for the next waiter
 *   try     the ticket mutex's
 *   unlock  (n, t) -> (n, t+1), by the holder alone
 *
 * Any thread may lock at any time. Fair: first come, first served, in the order of the
 * fetch-and-add. One atomic per lock, none per unlock. Only the next waiter polls without a pause.
 * A waiter flushes its own writes while it waits, so that its unlock need not wait for them.
 * Wraps safely: only equality and differences of 32-bit tickets count, and fewer than 2^32 threads
 * wait. The ticket mutex's limit holds for a try.
 */
#ifndef WEIR_MUTEX_PACED_H
#define WEIR_MUTEX_PACED_H

#include "weir/mutex/ticket.h"

/* The longest pause, in sixteenths of a unit. No wait oversleeps by more than that, however long
 * the queue. */
#define WEIR_PACED_PAUSE_MOST 65536

WEIR_FN uint32_t weir_paced_mutex_words(weir_mutex_config config)
{
	return weir_ticket_mutex_words(config);
}

WEIR_FN void weir_paced_mutex_start(weir_mutex m, uint32_t past)
{
	weir_ticket_mutex_start(m, past);
}

/* The pause, in sixteenths of a unit, of a waiter with `ahead` threads before it, the holder
 * included. */
WEIR_FN uint32_t weir_paced_pause_(weir_backoff backoff, uint32_t ahead)
{
	uint64_t pause = (uint64_t)(ahead - 1) * backoff.min * 16;
	return pause < WEIR_PACED_PAUSE_MOST ? (uint32_t)pause : WEIR_PACED_PAUSE_MOST;
}

WEIR_FN void weir_paced_lock(weir_mutex m)
{
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_ticket_next_(m), 1);
	weir_wait wait = weir_wait_begin(m.config.backoff);
	int settled = 0;

	for (;;) {
		/* Pairs with the release in weir_paced_unlock. */
		uint32_t ahead = mine - weir_load_acq(weir_ticket_turn_(m));
		if (WEIR_LIKELY(ahead == 0))
			break;
		if (weir_wait_aborted(&wait))
			break;
		if (!settled)
			weir_flush_writes();
		settled = 1;
		weir_wait_until_ge(&wait, weir_ticket_turn_(m), mine);
		weir_wait_sixteenths(&wait, weir_paced_pause_(m.config.backoff, ahead));
	}
	weir_wait_end(&wait);
}

WEIR_FN weir_status weir_paced_try_lock(weir_mutex m)
{
	return weir_ticket_try_lock(m);
}

WEIR_FN void weir_paced_unlock(weir_mutex m)
{
	weir_owner_add_rel(weir_ticket_turn_(m), 1); /* pairs with the acquires of the turn */
}

#endif
