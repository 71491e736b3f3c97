/* Lines: a queue of items of any size, each in a slot of its own with a turn in front of it.
 *
 *   state   (tail, head, slot[S]), S = 2^bits; a slot is (turn, item). weir/queue/object.h defines
 *           positions and turns
 *   push    (t, h, s) -> (t+2, h, s); wait until slot[t] has the turn at which it is free for t; write
 *           the item; then store turn + 1
 *   pop     (t, h, s) -> (t, h+2, s); wait until slot[h] has the turn after that; read the item; then
 *           store turn + 2S - 1
 *   try     the same, if the slot has that turn now: the position by compare-and-swap
 *
 * Any thread may push and pop at any time. First in, first out, in the order of the fetch-and-adds on
 * tail and on head; so pushes and pops are served first come, first served. One atomic, one load or
 * more, one store, and the item's words for each push and each pop.
 * Wraps safely: turns and positions are compared for equality or by signed difference, and S divides
 * 2^31. A try must not be overtaken by 2^31 items between its load and its compare-and-swap.
 *
 * The words of an item are accessed by relaxed atomics: the turn orders them. A pop releases its
 * reads, since the next push overwrites the slot.
 */
#ifndef WEIR_QUEUE_LINES_H
#define WEIR_QUEUE_LINES_H

#include "weir/queue/object.h"

WEIR_FN void weir_lines_slot_start(weir_queue q, uint32_t at, uint32_t turn)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(weir_queue_slot_(q, at), turn);
}

/* Takes `n` positions, and returns the first of them. */
WEIR_FN uint32_t weir_lines_take(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t n)
{
	(void)q;
	/* Relaxed: a position only orders us among other callers; the slot carries the data. */
	return weir_add_rlx(w, n * WEIR_QUEUE_STEP);
}

/* Takes `n` positions if `at` is the next one; returns the next position. */
WEIR_FN uint32_t weir_lines_claim(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t at, uint32_t n)
{
	(void)q;
	/* Relaxed: see weir_lines_take. */
	return weir_cas_rlx(w, at, at + n * WEIR_QUEUE_STEP);
}

/* Polls a slot for a push. The turn is in the upper half. weir_lines_found_free follows if the
 * push relies on it. */
WEIR_FN uint64_t weir_lines_look_free(weir_queue q, uint32_t at)
{
	/* Pairs with the release in weir_lines_get. */
	return (uint64_t)weir_poll(weir_queue_slot_(q, at)) << 32;
}

/* Hints that a wait for the slot goes on until its turn is at or past `turn`. */
WEIR_FN void weir_lines_hint(weir_queue q, weir_wait *wait, uint32_t at, uint32_t turn)
{
	(void)q, (void)wait, (void)at, (void)turn;
	weir_wait_until_ge(wait, weir_queue_slot_(q, at), turn);
}

WEIR_FN uint64_t weir_lines_look_full(weir_queue q, uint32_t at)
{
	/* Pairs with the release in weir_lines_put. */
	return (uint64_t)weir_poll(weir_queue_slot_(q, at)) << 32;
}

WEIR_FN void weir_lines_found_free(weir_queue q)
{
	(void)q;
	weir_poll_acquire();
}

/* Nothing to release before the item is in its slot. */
WEIR_FN void weir_lines_before_put(weir_queue q)
{
	(void)q;
}

/* Puts an item into the slot of `at`, which is free for it. */
WEIR_FN void weir_lines_put(weir_queue q, uint32_t at, const uint32_t *item, uint32_t words)
{
	WEIR_GLOBAL weir_word *slot = weir_queue_slot_(q, at);

	/* Relaxed: the release below publishes these words. */
	for (uint32_t i = 0; i < words; i++)
		weir_store_rlx(&slot[1 + i], item[i]);
	/* Pairs with the acquire that follows weir_lines_look_full. */
	weir_store_rel(slot, weir_queue_turn_(q, at) + 1);
}

/* Takes the item of `at` from its slot, and frees the slot. */
WEIR_FN void weir_lines_get(weir_queue q, uint32_t at, uint64_t seen, uint32_t *item,
                            uint32_t words)
{
	WEIR_GLOBAL weir_word *slot = weir_queue_slot_(q, at);

	(void)seen;
	/* Relaxed: after the acquire, and before the release below. */
	for (uint32_t i = 0; i < words; i++)
		item[i] = weir_load_rlx(&slot[1 + i]);
	/* Pairs with the acquire in weir_lines_found_free. */
	weir_store_rel(slot, weir_queue_turn_(q, at) + (WEIR_QUEUE_STEP << q.config.bits));
}

#endif
