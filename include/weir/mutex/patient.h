/* Patient mutex: a paced mutex whose timed waiters keep their place in the queue.
 *
 *   state   (next, turn, entry[S]), next and turn equal when free; S a power of two, at least 2
 *   lock    (n, t, e) -> (n+1, t, e), then wait until turn == n, with the paced mutex's pauses
 *   try     (t, t, e) -> (t+1, t, e): a ticket only if its turn is now
 *   unlock  (n, t, e) -> (n, t+1, e), by the holder alone
 *   take    (n, t, e) -> (n+1, t, e) if n - t < S, by a thread that may give the ticket up; else it
 *           waits for that, outside the queue; then as lock
 *   give up entry[n mod S] = the mark of n, at any time after the ticket n was taken
 *   skip    (n, t, e) -> (n, t+1, e) if entry[t mod S] is the mark of t, by any thread that waits
 *           or tries; then entry[t mod S]: the mark of t -> 0, unless it is another mark already
 *
 * Any thread may lock at any time. Fair: first come, first served, in the order of the tickets, for
 * all threads that do not give up. A lock takes its ticket at once. A wait with a deadline takes
 * one when fewer than S threads are before it, and may be overtaken until then. One atomic per
 * lock, none per unlock. A waiter loads two words in each attempt, and only the next waiter polls
 * without a pause.
 * Wraps safely: only equality and differences of 32-bit tickets are tested, and fewer than 2^32
 * threads wait. A mark outlives its ticket by at most one thread's next step. No thread may be
 * overtaken by 2^32 locks between the loads and the compare-and-swap of a try, a take or a skip.
 * Otherwise the number would repeat and be mistaken for the old ticket or turn.
 *
 * Why no waiter is passed over, and no mark is lost. Only the thread with ticket n makes the mark
 * of n, and that thread then never enters. It took the ticket when the turn was past n - S, so a
 * mark of n - S in the same entry was written earlier and has already been read. A mark identifies
 * its ticket: the index of the entry gives the lowest bits, which leaves bit 0 free to tell a mark
 * from 0. No thread skips while the turn is the holder's, so an unlock may store.
 */
#ifndef WEIR_MUTEX_PATIENT_H
#define WEIR_MUTEX_PATIENT_H

#include "weir/mutex/paced.h"

/* The longest pause of a wait with a deadline, in sixteenths of a unit. The deadline may be missed
 * by that much. */
#define WEIR_PATIENT_PAUSE_MOST 1024

WEIR_FN WEIR_GLOBAL weir_word *weir_patient_slot_(weir_mutex m, uint32_t ticket)
{
	return &m.words[2 * m.config.pitch + (ticket & (m.config.slots - 1))];
}

WEIR_FN uint32_t weir_patient_mark_(uint32_t ticket)
{
	return ticket | 1;
}

WEIR_FN uint32_t weir_patient_mutex_words(weir_mutex_config config)
{
	return 2 * config.pitch + config.slots;
}

WEIR_FN void weir_patient_mutex_start(weir_mutex m, uint32_t past)
{
	weir_paced_mutex_start(m, past);
	/* Relaxed: the launch that uses it orders these stores. */
	for (uint32_t i = 0; i < m.config.slots; i++)
		weir_store_rlx(weir_patient_slot_(m, i), 0);
}

/* Whether `turn` was the turn of a ticket that was given up. If so, the turn has moved on. */
WEIR_FN int weir_patient_skip_(weir_mutex m, uint32_t turn)
{
	uint32_t mark = weir_patient_mark_(turn);

	/* Relaxed: a ticket given up stays given up, so the mark is always true. */
	if (weir_load_rlx(weir_patient_slot_(m, turn)) != mark)
		return 0;
	/* Continues the last unlock's release, for the acquires of the turn by the next threads.
	 * It also pairs with the acquire of the thread that gives up the next ticket of this
	 * entry: our load of the entry happens before its mark. */
	if (weir_cas_rel(weir_ticket_turn_(m), turn, turn + 1) == turn)
		/* Relaxed: it carries no data. */
		weir_cas_rlx(weir_patient_slot_(m, turn), mark, 0);
	return 1;
}

/* A sleeping waiter is woken when it becomes the next one, and again for its turn or to skip the
 * ticket before it. If two waiters before it give up in a row, it wakes by its own timer. */
#define weir_patient_hint_(m, wait, mine, ahead)                                                   \
	do {                                                                                       \
		weir_wait_until_ge(wait, weir_ticket_turn_(m), (mine) - ((ahead) > 1));            \
		if ((ahead) == 1)                                                                  \
			weir_wait_until_eq(wait, weir_patient_slot_(m, (mine)-1),                  \
			                   weir_patient_mark_((mine)-1));                          \
	} while (0)

WEIR_FN void weir_patient_lock(weir_mutex m)
{
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_ticket_next_(m), 1);
	weir_wait wait = weir_wait_begin(m.config.backoff);

	for (;;) {
		/* Pairs with the releases in weir_paced_unlock and weir_patient_skip_. */
		uint32_t ahead = mine - weir_load_acq(weir_ticket_turn_(m));
		if (WEIR_LIKELY(ahead == 0))
			break;
		if (weir_wait_aborted(&wait))
			break;
		if (weir_patient_skip_(m, mine - ahead)) {
			weir_wait_end(&wait);
			wait = weir_wait_begin(m.config.backoff);
		} else {
			weir_patient_hint_(m, &wait, mine, ahead);
			weir_wait_sixteenths(&wait, weir_paced_pause_(m.config.backoff, ahead));
		}
	}
	weir_wait_end(&wait);
}

WEIR_FN weir_status weir_patient_try_lock(weir_mutex m)
{
	uint32_t turn;

	do
		/* Pairs with the releases in weir_paced_unlock and weir_patient_skip_. */
		turn = weir_load_acq(weir_ticket_turn_(m));
	while (weir_patient_skip_(m, turn));
	/* Relaxed: the acquire above carries the data. */
	return weir_cas_rlx(weir_ticket_next_(m), turn, turn + 1) == turn ? WEIR_OK : WEIR_BUSY;
}

#if WEIR_HAS_DEADLINE
/* A wait of a caller that can report a failure, including an abort. */
WEIR_FN weir_wait weir_patient_wait_(weir_mutex m)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_can_fail(&wait);
	return wait;
}

/* The pause, in sixteenths of a unit, of a wait with a deadline and `ahead` threads before it. */
WEIR_FN uint32_t weir_patient_pause_(weir_mutex m, uint32_t ahead)
{
	uint32_t pause = ahead == 0 ? 0 : weir_paced_pause_(m.config.backoff, ahead);
	return pause < WEIR_PATIENT_PAUSE_MOST ? pause : WEIR_PATIENT_PAUSE_MOST;
}

/* Takes a ticket that can be given up. */
WEIR_FN weir_status weir_patient_take_(weir_mutex m, const weir_deadline *deadline, uint32_t *mine)
{
	weir_wait wait = weir_patient_wait_(m);

	for (;;) {
		/* Relaxed: the thread that takes the ticket acquires the turn before it can give
		 * up. */
		uint32_t turn = weir_load_rlx(weir_ticket_turn_(m));
		/* Relaxed: a value older than the turn is too far from it, or the compare-and-swap
		 * fails. */
		uint32_t next = weir_load_rlx(weir_ticket_next_(m));
		weir_status over;

		if (weir_patient_skip_(m, turn)) {
			wait = weir_patient_wait_(m);
			continue;
		}
		/* Relaxed: the ticket only orders us among waiters. */
		if (next - turn < m.config.slots &&
		    weir_cas_rlx(weir_ticket_next_(m), next, next + 1) == next) {
			*mine = next;
			return WEIR_OK;
		}
		over = weir_wait_result(&wait, deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_sixteenths(&wait, weir_patient_pause_(m, next - turn));
	}
}

/* Returns WEIR_OK, or the reason for giving up. */
WEIR_FN weir_status weir_patient_lock_by(weir_mutex m, const weir_deadline *deadline)
{
	uint32_t mine = 0;
	weir_status result = weir_patient_take_(m, deadline, &mine);
	weir_wait wait = weir_patient_wait_(m);

	while (result == WEIR_OK) {
		/* Pairs with the releases in weir_paced_unlock and weir_patient_skip_. */
		uint32_t ahead = mine - weir_load_acq(weir_ticket_turn_(m));
		if (ahead == 0)
			return WEIR_OK;
		if (weir_patient_skip_(m, mine - ahead)) {
			wait = weir_patient_wait_(m);
			continue;
		}
		result = weir_wait_result(&wait, deadline);
		if (result != WEIR_OK) {
			/* Relaxed: the mark carries no other data. */
			weir_store_rlx(weir_patient_slot_(m, mine), weir_patient_mark_(mine));
		} else {
			weir_patient_hint_(m, &wait, mine, ahead);
			weir_wait_sixteenths(&wait, weir_patient_pause_(m, ahead));
		}
	}
	return result;
}
#endif

WEIR_FN void weir_patient_unlock(weir_mutex m)
{
	weir_paced_unlock(m); /* its release also pairs with the acquires of the turn here */
}

#endif
