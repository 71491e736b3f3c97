/* Queue mutex: a ticket mutex whose waiters pause as long as their place in the queue asks for
 * (proportional backoff, Mellor-Crummey and Scott, 1991), and whose unlock loads nothing.
 *
 *   state   (next, turn), equal when free
 *   lock    (n, t) -> (n+1, t), then wait until turn == n, with a pause of (n - turn - 1) times
 *           backoff.min units between two looks: none for the next in line
 *   unlock  (n, t) -> (n, t+1), by the holder alone
 *   try, and with slots take, give up, skip   the ticket mutex's
 *
 * Any thread may lock at any time. Fair: first come, first served, in the order of the
 * fetch-and-add, for all who do not give up. One atomic per lock and one per unlock, whose result nobody waits for; only the
 * next in line polls.
 * Wraps safely: only equality and differences of 32-bit tickets count, and fewer than 2^32 threads
 * wait.
 */
#ifndef WEIR_MUTEX_QUEUE_H
#define WEIR_MUTEX_QUEUE_H

#include "weir/mutex/ticket.h"

/* The longest pause, in sixteenths of a unit: no wait oversleeps by more, however long the queue. */
#define WEIR_QUEUE_PAUSE_MOST 65536

/* The same for who waits with a deadline, which it may miss by as much. */
#define WEIR_QUEUE_PAUSE_BY 1024

WEIR_FN uint32_t weir_queue_mutex_words(weir_config config)
{
	return weir_ticket_mutex_words(config);
}

WEIR_FN void weir_queue_mutex_start(weir_mutex m, uint32_t past)
{
	weir_ticket_mutex_start(m, past);
}

/* Sixteenths of a unit for whoever has `ahead` before it, the holder included. */
WEIR_FN uint32_t weir_queue_pause_(weir_backoff backoff, uint32_t ahead)
{
	uint64_t pause = (uint64_t)(ahead - 1) * backoff.min * 16;
	return pause < WEIR_QUEUE_PAUSE_MOST ? (uint32_t)pause : WEIR_QUEUE_PAUSE_MOST;
}

WEIR_FN void weir_queue_lock(weir_mutex m)
{
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_ticket_next_(m), 1);
	weir_wait wait = weir_wait_begin(m.config.backoff);

	for (;;) {
		/* Pairs with the release in weir_queue_unlock. */
		uint32_t ahead = mine - weir_load_acq(weir_ticket_turn_(m));
		if (WEIR_OFTEN(ahead == 0))
			return;
		if (weir_wait_over(&wait))
			return;
		if (weir_ticket_skip_(m, mine - ahead))
			wait = weir_wait_begin(m.config.backoff);
		else
			weir_wait_parts(&wait, weir_queue_pause_(m.config.backoff, ahead));
	}
}

WEIR_FN weir_result weir_queue_trylock(weir_mutex m)
{
	return weir_ticket_trylock(m);
}

#if WEIR_HAS_DEADLINE
/* With slots alone. */
WEIR_FN weir_result weir_queue_lock_by(weir_mutex m, const weir_deadline *deadline)
{
	uint32_t mine = 0;
	weir_result result = weir_ticket_take_(m, deadline, &mine);
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_stays(&wait);

	while (result == WEIR_GOT) {
		/* Pairs with the releases in weir_queue_unlock and weir_ticket_skip_. */
		uint32_t ahead = mine - weir_load_acq(weir_ticket_turn_(m));
		uint32_t pause = weir_queue_pause_(m.config.backoff, ahead);

		if (ahead == 0)
			return WEIR_GOT;
		if (weir_ticket_skip_(m, mine - ahead)) {
			wait = weir_wait_begin(m.config.backoff);
			weir_wait_stays(&wait);
			continue;
		}
		result = weir_wait_result(&wait, deadline);
		if (result != WEIR_GOT)
			/* Relaxed: the mark is all that there is to know. */
			weir_store_rlx(weir_ticket_slot_(m, mine), weir_ticket_mark_(mine));
		else
			weir_wait_parts(&wait,
			                pause < WEIR_QUEUE_PAUSE_BY ? pause : WEIR_QUEUE_PAUSE_BY);
	}
	return result;
}
#endif

WEIR_FN void weir_queue_unlock(weir_mutex m)
{
	weir_red_add_rel(weir_ticket_turn_(m), 1); /* pairs with the acquires of the turn */
}

#endif
