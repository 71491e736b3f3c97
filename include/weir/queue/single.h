/* Single: a queue of cells with one producer, or one consumer, or one of each.
 *
 *   state   (tail, head, cell[S]), as in weir/queue/cells.h
 *   push    as there; if config.single has WEIR_QUEUE_ONE_PUSHES, `tail` by a load and a store
 *   pop     as there; if config.single has WEIR_QUEUE_ONE_POPS, `head` by a load and a store
 *
 * Where config.single says so, one thread at a time pushes or pops; another thread may take over
 * after a synchronization. Only the producer closes a queue with a single producer. First in, first
 * out. A single side makes no atomics; the other side is as in cells. Wraps as cells do.
 */
#ifndef WEIR_QUEUE_SINGLE_H
#define WEIR_QUEUE_SINGLE_H

#include "weir/queue/cells.h"

/* Whether a single thread changes this word of the queue, `tail` or `head`. */
WEIR_FN int weir_single_owns_(weir_queue q, WEIR_GLOBAL weir_word *w)
{
	return (q.config.single &
	        (w == weir_queue_tail_(q) ? WEIR_QUEUE_ONE_PUSHES : WEIR_QUEUE_ONE_POPS)) != 0;
}

WEIR_FN void weir_single_slot_start(weir_queue q, uint32_t at, uint32_t turn)
{
	weir_cells_slot_start(q, at, turn);
}

WEIR_FN uint32_t weir_single_take(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t n)
{
	uint32_t at;

	if (!weir_single_owns_(q, w))
		return weir_cells_take(q, w, n);
	/* Relaxed: no other thread writes it, and the cell carries the data. */
	at = weir_load_rlx(w);
	weir_store_rlx(w, at + n * WEIR_QUEUE_STEP);
	return at;
}

WEIR_FN uint32_t weir_single_claim(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t at, uint32_t n)
{
	if (!weir_single_owns_(q, w))
		return weir_cells_claim(q, w, at, n);
	/* Relaxed: as above. */
	weir_store_rlx(w, at + n * WEIR_QUEUE_STEP);
	return at;
}

WEIR_FN uint64_t weir_single_look_free(weir_queue q, uint32_t at)
{
	return weir_cells_look_free(q, at);
}

WEIR_FN uint64_t weir_single_look_full(weir_queue q, uint32_t at)
{
	return weir_cells_look_full(q, at);
}

/* Hints that a wait for the slot goes on until its turn is at or past `turn`. */
WEIR_FN void weir_single_hint(weir_queue q, weir_wait *wait, uint32_t at, uint32_t turn)
{
	weir_cells_hint(q, wait, at, turn);
}

WEIR_FN void weir_single_found_free(weir_queue q)
{
	weir_cells_found_free(q);
}

WEIR_FN void weir_single_before_put(weir_queue q)
{
	weir_cells_before_put(q);
}

WEIR_FN void weir_single_put(weir_queue q, uint32_t at, const uint32_t *item, uint32_t words)
{
	weir_cells_put(q, at, item, words);
}

WEIR_FN void weir_single_get(weir_queue q, uint32_t at, uint64_t seen, uint32_t *item,
                             uint32_t words)
{
	weir_cells_get(q, at, seen, item, words);
}

#endif
