/* Cells: a queue of items of 4 bytes, with the turn and the item of a slot in one 64-bit word.
 *
 *   state   (tail, head, cell[S]), S = 2^bits; a cell is (turn, item). weir/queue/object.h defines
 *           positions and turns
 *   push    (t, h, c) -> (t+2, h, c); wait until cell[t] has the turn at which it is free for t; then
 *           store
 *           (turn + 1, item) in it
 *   pop     (t, h, c) -> (t, h+2, c); wait until cell[h] has the turn after that; take the item;
 *           then store (turn + 2S - 1, item) in it
 *   try     the same, if the cell has that turn now: the position by compare-and-swap
 *
 * Any thread may push and pop at any time. First in, first out, in the order of the fetch-and-adds on
 * tail and on head; so pushes and pops are served first come, first served. One atomic, one load or
 * more, and one store for each push and each pop.
 * Wraps safely: turns and positions are compared for equality or by signed difference, and S divides
 * 2^31. A try must not be overtaken by 2^31 items between its load and its compare-and-swap.
 *
 * A cell changes hands through a single word, so a pop need not release and a push need not acquire.
 * The coherence of that word orders a push after the pop that freed the cell.
 */
#ifndef WEIR_QUEUE_CELLS_H
#define WEIR_QUEUE_CELLS_H

#include "weir/queue/lines.h"

#if !WEIR_HAS_WORD64
#error "a queue of cells needs a machine with 64-bit words (WEIR_HAS_WORD64)"
#endif

#define WEIR_CELLS_STRIDE 2 /* words of a slot */

WEIR_FN WEIR_GLOBAL weir_word64 *weir_cells_at_(weir_queue q, uint32_t at)
{
	return weir_word64_at(weir_queue_slot_(q, at), 0);
}

WEIR_FN void weir_cells_slot_start(weir_queue q, uint32_t at, uint32_t turn)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store64_rlx(weir_cells_at_(q, at), (uint64_t)turn << 32);
}

/* Positions are taken as in a queue of lines: they only order the callers, and carry no data. */
WEIR_FN uint32_t weir_cells_take(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t n)
{
	return weir_lines_take(q, w, n);
}

WEIR_FN uint32_t weir_cells_claim(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t at, uint32_t n)
{
	return weir_lines_claim(q, w, at, n);
}

/* Polls a slot for a push. The turn is in the upper half. */
WEIR_FN uint64_t weir_cells_look_free(weir_queue q, uint32_t at)
{
	/* Relaxed: the push's store to the same word follows the store that this load has seen. */
	return weir_load64_rlx(weir_cells_at_(q, at));
}

/* The same for a pop. weir_poll_acquire follows if the pop relies on the result. */
WEIR_FN uint64_t weir_cells_look_full(weir_queue q, uint32_t at)
{
	/* Pairs with the release of weir_cells_before_put and weir_cells_put. */
	return weir_poll64(weir_cells_at_(q, at));
}

/* Hints that a wait for the slot goes on until its turn is at or past `turn`. */
WEIR_FN void weir_cells_hint(weir_queue q, weir_wait *wait, uint32_t at, uint32_t turn)
{
	(void)q, (void)wait, (void)at, (void)turn;
	weir_wait_until_high_ge(wait, weir_cells_at_(q, at), turn);
}

/* A push that has found its slot free has nothing to acquire. */
WEIR_FN void weir_cells_found_free(weir_queue q)
{
	(void)q;
}

/* Precedes each put, as soon as the caller's writes are done. */
WEIR_FN void weir_cells_before_put(weir_queue q)
{
	(void)q;
	/* With the store in weir_cells_put: pairs with the acquire that follows
	 * weir_cells_look_full. */
	weir_release_begin();
}

/* Puts an item into the slot of `at`, which is free for it. */
WEIR_FN void weir_cells_put(weir_queue q, uint32_t at, const uint32_t *item, uint32_t words)
{
	uint64_t turn = weir_queue_turn_(q, at) + 1;

	(void)words;
	/* Ends the release that weir_cells_before_put begins. */
	weir_store64_begun(weir_cells_at_(q, at), turn << 32 | item[0]);
}

/* Takes the item of `at` from its slot and frees the slot. `seen` is the value loaded from it. */
WEIR_FN void weir_cells_get(weir_queue q, uint32_t at, uint64_t seen, uint32_t *item,
                            uint32_t words)
{
	uint64_t turn = weir_queue_turn_(q, at) + (WEIR_QUEUE_STEP << q.config.bits);

	(void)words;
	item[0] = (uint32_t)seen;
	/* Relaxed: the push that finds it stores only to this word. */
	weir_store64_rlx(weir_cells_at_(q, at), turn << 32);
}

#endif
