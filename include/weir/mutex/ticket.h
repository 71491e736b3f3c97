/* Ticket mutex ("fetch-and-add mutex" in Stuart and Owens).
 *
 *   state   (next, turn, slot[S]), next and turn equal when free; S is 0, or a power of two from 2 on
 *   lock    (n, t, s) -> (n+1, t, s), then wait until turn == n
 *   try     (t, t, s) -> (t+1, t, s): a ticket only if its turn is now
 *   unlock  (n, t, s) -> (n, t+1, s), by the holder alone
 *   With slots, who waits with a deadline keeps its place in the line until then:
 *   take    (n, t, s) -> (n+1, t, s) if n - t < S; else wait for that, outside the line
 *   give up slot[n mod S] = the mark of n, at any time after the ticket n was taken
 *   skip    (n, t, s) -> (n, t+1, s) if slot[t mod S] is the mark of t, by whoever waits or tries; then
 *           slot[t mod S]: the mark of t -> 0, unless it is another's already
 *
 * Any thread may lock at any time. Fair: first come, first served, in the order of the
 * fetch-and-add, for all who do not give up. One atomic per lock, none per unlock; waiters only read:
 * with slots two words an attempt, without them one.
 * Wraps safely: only equality and differences of 32-bit tickets are tested, and fewer than 2^32
 * threads wait. A mark does not outlive its ticket by more than one thread's next step, so that none
 * is there when the same number comes again.
 *
 * Why nobody is passed over, and no mark is lost. Only who has the ticket n makes its mark, and then
 * never enters. It was taken when the turn was past n - S, so that a mark of n - S in the same slot has
 * been read before, and comes earlier. A mark says which ticket it is of: the slot stands for the last
 * bits, so that the lowest one is free to tell a mark from 0. An unlock may store, since nobody skips
 * while the turn is the holder's.
 */
#ifndef WEIR_MUTEX_TICKET_H
#define WEIR_MUTEX_TICKET_H

#include "weir/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_ticket_next_(weir_mutex m)
{
	return &m.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_ticket_turn_(weir_mutex m)
{
	return &m.words[m.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_ticket_slot_(weir_mutex m, uint32_t ticket)
{
	return &m.words[2 * m.config.pitch + (ticket & (m.config.count - 1))];
}

WEIR_FN uint32_t weir_ticket_mark_(uint32_t ticket)
{
	return ticket | 1;
}

WEIR_FN uint32_t weir_ticket_mutex_words(weir_config config)
{
	return config.count == 0 ? config.pitch + 1 : 2 * config.pitch + config.count;
}

WEIR_FN void weir_ticket_mutex_start(weir_mutex m, uint32_t past)
{
	/* Relaxed: before the launch that uses it, which orders them. */
	weir_store_rlx(weir_ticket_next_(m), past);
	weir_store_rlx(weir_ticket_turn_(m), past);
	for (uint32_t i = 0; i < m.config.count; i++)
		weir_store_rlx(weir_ticket_slot_(m, i), 0);
}

/* Whether the turn was that of a ticket given up, and now is another one's. */
WEIR_FN int weir_ticket_skip_(weir_mutex m, uint32_t turn)
{
	uint32_t mark = weir_ticket_mark_(turn);

	/* Relaxed: the mark of a ticket is true for ever. */
	if (m.config.count == 0 || weir_load_rlx(weir_ticket_slot_(m, turn)) != mark)
		return 0;
	/* Continues the last unlock's release for who comes next, and pairs with the acquire of who
	 * gives up the next ticket of this slot: what we read there comes before that mark. */
	if (weir_cas_rel(weir_ticket_turn_(m), turn, turn + 1) == turn)
		/* Relaxed: it brings nothing. */
		weir_cas_rlx(weir_ticket_slot_(m, turn), mark, 0);
	return 1;
}

WEIR_FN void weir_ticket_lock(weir_mutex m)
{
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_ticket_next_(m), 1);
	weir_wait wait = weir_wait_begin(m.config.backoff);

	for (;;) {
		/* Pairs with the release in weir_ticket_unlock. */
		uint32_t turn = weir_load_acq(weir_ticket_turn_(m));
		if (turn == mine)
			return;
		if (weir_wait_over(&wait))
			return;
		if (weir_ticket_skip_(m, turn))
			wait = weir_wait_begin(m.config.backoff);
		else
			weir_wait_again(&wait);
	}
}

WEIR_FN weir_result weir_ticket_trylock(weir_mutex m)
{
	uint32_t turn;

	do
		/* Pairs with the release in weir_ticket_unlock. */
		turn = weir_load_acq(weir_ticket_turn_(m));
	while (weir_ticket_skip_(m, turn));
	/* Relaxed: the acquire above carries the data. */
	return weir_cas_rlx(weir_ticket_next_(m), turn, turn + 1) == turn ? WEIR_GOT : WEIR_BUSY;
}

#if WEIR_HAS_DEADLINE
/* Takes a ticket that can be given up. */
WEIR_FN weir_result weir_ticket_take_(weir_mutex m, const weir_deadline *deadline, uint32_t *mine)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_stays(&wait);

	for (;;) {
		/* Relaxed: who takes the ticket acquires the turn before it can give up. */
		uint32_t turn = weir_load_rlx(weir_ticket_turn_(m));
		/* Relaxed: what is older than the turn is too far off, or found out below. */
		uint32_t next = weir_load_rlx(weir_ticket_next_(m));
		weir_result over;

		if (weir_ticket_skip_(m, turn)) {
			wait = weir_wait_begin(m.config.backoff);
			weir_wait_stays(&wait);
			continue;
		}
		/* Relaxed: the ticket only orders us among waiters. */
		if (next - turn < m.config.count &&
		    weir_cas_rlx(weir_ticket_next_(m), next, next + 1) == next) {
			*mine = next;
			return WEIR_GOT;
		}
		over = weir_wait_result(&wait, deadline);
		if (over != WEIR_GOT)
			return over;
		weir_wait_again(&wait);
	}
}

/* With slots alone. */
WEIR_FN weir_result weir_ticket_lock_by(weir_mutex m, const weir_deadline *deadline)
{
	uint32_t mine = 0;
	weir_result result = weir_ticket_take_(m, deadline, &mine);
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_stays(&wait);

	while (result == WEIR_GOT) {
		/* Pairs with the releases in weir_ticket_unlock and weir_ticket_skip_. */
		uint32_t turn = weir_load_acq(weir_ticket_turn_(m));
		if (turn == mine)
			return WEIR_GOT;
		if (weir_ticket_skip_(m, turn)) {
			wait = weir_wait_begin(m.config.backoff);
			weir_wait_stays(&wait);
			continue;
		}
		result = weir_wait_result(&wait, deadline);
		if (result != WEIR_GOT)
			/* Relaxed: the mark is all that there is to know. */
			weir_store_rlx(weir_ticket_slot_(m, mine), weir_ticket_mark_(mine));
		else
			weir_wait_again(&wait);
	}
	return result;
}
#endif

WEIR_FN void weir_ticket_unlock(weir_mutex m)
{
	/* Relaxed: the holder is the only writer, and its lock has read this very value. */
	uint32_t mine = weir_load_rlx(weir_ticket_turn_(m));
	/* Pairs with the acquires of the turn. */
	weir_store_rel(weir_ticket_turn_(m), mine + 1);
}

#endif
