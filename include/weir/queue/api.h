/** @defgroup weir_queue Queues
 *
 * A bounded queue of items, first in, first out: a push waits while it is full, a pop while it
 * is empty.
 *
 * The host makes one with weir_queue_create, or the kernel makes one in zeroed memory with
 * weir_queue_in. One thread pushes and pops for its whole block. The functions with `block` in
 * their name are for all threads of a block together, those with `team` for a team of its
 * warps. Where WEIR_HAS_THREAD_PROGRESS, single threads may also push and pop for themselves.
 * Any number of blocks may call any operation at the same time, except on a side that the kind
 * `single` gives to one thread.
 *
 * An item is a value of 4 bytes, or `words` words at an address (the functions with `item` in
 * their name). `words` must be the queue's; a constant keeps the item in registers.
 *
 * A queue that is closed refuses pushes with WEIR_CLOSED. Its pops go on until it is empty, and
 * then return WEIR_CLOSED, including those that are already waiting.
 *
 * Memory order: everything before a push happens before everything after the pop that gets its
 * item. Everything before a close happens before everything after a pop that returns
 * WEIR_CLOSED.
 *
 * Machines: all; the kinds `cells` and `single` need WEIR_HAS_WORD64. Deadlines need
 * WEIR_HAS_DEADLINE, blocks and teams WEIR_HAS_TEAMS and WEIR_HAS_BLOCK_VALUE.
 *
 * @code
 * __global__ void search(weir_queue work)
 * {
 * 	unsigned node;
 * 	while (weir_queue_block_pop(work, &node) == WEIR_OK) {
 * 		unsigned child = expand(node);
 * 		if (child != 0)
 * 			weir_queue_block_push(work, child);
 * 		else if (is_last(node) && threadIdx.x == 0)
 * 			weir_queue_close(work); // all pops return WEIR_CLOSED
 * 	}
 * }
 * @endcode
 */
#ifndef WEIR_QUEUE_API_H
#define WEIR_QUEUE_API_H

#include "weir/dispatch.h"
#include "weir/leave.h"
#include "weir/queue/kinds.h"

WEIR_FN int weir_queue_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(QUEUE, kind);
}

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/queue.h"
#endif

/* ---- the parts of a kind ---- */

WEIR_FN void weir_queue_slot_start_(weir_queue q, uint32_t at, uint32_t turn)
{
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _slot_start, (q, at, turn));
}

WEIR_FN uint32_t weir_queue_take_(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t n)
{
	WEIR_DISPATCH_RETURN_(QUEUE, WEIR_KIND_(QUEUE, q.config), _take, (q, w, n), 0);
}

WEIR_FN uint32_t weir_queue_claim_(weir_queue q, WEIR_GLOBAL weir_word *w, uint32_t at, uint32_t n)
{
	WEIR_DISPATCH_RETURN_(QUEUE, WEIR_KIND_(QUEUE, q.config), _claim, (q, w, at, n), 0);
}

WEIR_FN uint64_t weir_queue_look_free_(weir_queue q, uint32_t at)
{
	WEIR_DISPATCH_RETURN_(QUEUE, WEIR_KIND_(QUEUE, q.config), _look_free, (q, at), 0);
}

WEIR_FN uint64_t weir_queue_look_full_(weir_queue q, uint32_t at)
{
	WEIR_DISPATCH_RETURN_(QUEUE, WEIR_KIND_(QUEUE, q.config), _look_full, (q, at), 0);
}

/* Hints that a wait for the slot of `at` goes on until its turn is at or past `turn`. */
WEIR_FN void weir_queue_hint_(weir_queue q, weir_wait *wait, uint32_t at, uint32_t turn)
{
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _hint, (q, wait, at, turn));
}

WEIR_FN void weir_queue_before_put_(weir_queue q)
{
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _before_put, (q));
}

WEIR_FN void weir_queue_put_(weir_queue q, uint32_t at, const uint32_t *item, uint32_t words)
{
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _found_free, (q));
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _put, (q, at, item, words));
}

WEIR_FN void weir_queue_get_(weir_queue q, uint32_t at, uint64_t seen, uint32_t *item,
                             uint32_t words)
{
	weir_poll_acquire(); /* of the poll that found the slot full */
	WEIR_DISPATCH_(QUEUE, WEIR_KIND_(QUEUE, q.config), _get, (q, at, seen, item, words));
}

/* How far the turn that a poll found is past another one, by signed difference. */
WEIR_FN int32_t weir_queue_past_(uint64_t seen, uint32_t turn)
{
	return (int32_t)((uint32_t)(seen >> 32) - turn);
}

/* Ends the launch when the kernel lacks the queue's kind, or the item has another size. */
WEIR_FN void weir_queue_check_(weir_queue q, uint32_t words)
{
	WEIR_CHECK_FIXED_(QUEUE, q.config);
	if (!WEIR_LIKELY(words == q.config.words))
		weir_end_launch(WEIR_FAULT_ITEM, words);
}

/* ---- the state ---- */

/** Sets the state of an empty queue that `past` items have gone through; all zeros for 0. One
 * thread calls it, before the launch that uses the queue. */
WEIR_FN void weir_queue_start(weir_queue q, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_queue_tail_(q), past * WEIR_QUEUE_STEP);
	weir_store_rlx(weir_queue_head_(q), past * WEIR_QUEUE_STEP);
	weir_store_rlx(weir_queue_end_(q), 0);
	weir_store_rlx(weir_queue_left_(q), 0);
	for (uint32_t i = 0; i < weir_queue_capacity(q); i++) {
		uint32_t at = (past + i) * WEIR_QUEUE_STEP;

		weir_queue_slot_start_(q, at, weir_queue_turn_(q, at));
	}
}

/* Whether the queue is closed, and no item will ever have this position. */
WEIR_FN int weir_queue_is_past_end_(weir_queue q, uint32_t at)
{
	/* Pairs with the release in weir_queue_close, if weir_poll_acquire follows. */
	uint32_t end = weir_poll(weir_queue_end_(q));

	return (end & WEIR_QUEUE_CLOSED) != 0 && (int32_t)(at - (end - WEIR_QUEUE_CLOSED)) >= 0;
}

/* Gives back positions of a closed queue that no item will have. */
WEIR_FN weir_status weir_queue_refuse_(WEIR_GLOBAL weir_word *w, uint32_t n)
{
	/* Relaxed: a thread that gets these positions only gives them back. */
	weir_red_add_rlx(w, 0u - n * WEIR_QUEUE_STEP);
	return WEIR_CLOSED;
}

WEIR_FN void weir_queue_close_(weir_queue q)
{
	/* Relaxed: a guess. */
	uint32_t at = weir_load_rlx(weir_queue_tail_(q));

	WEIR_CHECK_FIXED_(QUEUE, q.config);
	while ((at & WEIR_QUEUE_CLOSED) == 0) {
		/* Relaxed: the release below carries what precedes the close, and pushes that see
		 * this bit have nothing to read. */
		uint32_t found = weir_cas_rlx(weir_queue_tail_(q), at, at | WEIR_QUEUE_CLOSED);

		if (found == at)
			/* Pairs with the acquires in weir_queue_await_full_ and in the others that
			 * find the queue closed. */
			weir_store_rel(weir_queue_end_(q), at | WEIR_QUEUE_CLOSED);
		at = found | (found == at);
	}
}

/** Closes the queue, for good or until all blocks have left it (weir_queue_leave). Any thread
 * may close it, and as often as it likes. */
WEIR_FN void weir_queue_close(weir_queue q WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_left_out_(n, q)) return );
	weir_queue_close_(q);
	WEIR_NOTED_(weir_area_leave_());
}

/** The number of items at one moment, for information: nothing is ordered by it. Any thread may
 * call it. */
WEIR_FN uint32_t weir_queue_length(weir_queue q)
{
	/* Relaxed: for information. */
	uint32_t end = weir_load_rlx(weir_queue_end_(q));
	uint32_t tail = end != 0 ? end : weir_load_rlx(weir_queue_tail_(q));
	int32_t items = (int32_t)(tail - weir_load_rlx(weir_queue_head_(q))) >> 1;

	if (items < 0)
		return 0; /* pops wait */
	return (uint32_t)items < weir_queue_capacity(q) ? (uint32_t)items : weir_queue_capacity(q);
}

/* ---- push and pop ---- */

/* Puts the item of a position that the caller has taken into its slot, when that is free.
 * weir_queue_before_put_ precedes it. */
WEIR_FN weir_status weir_queue_await_free_(weir_queue q, uint32_t at, const uint32_t *item,
                                           uint32_t words)
{
	weir_wait wait = weir_wait_begin(q.config.backoff);

	while (!WEIR_LIKELY(
	    weir_queue_past_(weir_queue_look_free_(q, at), weir_queue_turn_(q, at)) == 0)) {
		if (weir_wait_aborted(&wait)) {
			weir_wait_end(&wait);
			return WEIR_ABORTED;
		}
		weir_queue_hint_(q, &wait, at, weir_queue_turn_(q, at));
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_queue_put_(q, at, item, words);
	return WEIR_OK;
}

/* Gets the item of a position that the caller has taken, when it is there. */
WEIR_FN weir_status weir_queue_await_full_(weir_queue q, uint32_t at, uint32_t *item,
                                           uint32_t words)
{
	weir_wait wait = weir_wait_begin(q.config.backoff);
	uint32_t looks = 0;
	uint64_t seen;

	while (!WEIR_LIKELY(weir_queue_past_(seen = weir_queue_look_full_(q, at),
	                                     weir_queue_turn_(q, at) + 1) == 0)) {
		if (++looks % WEIR_QUEUE_LOOKS == 0 && weir_queue_is_past_end_(q, at)) {
			weir_wait_end(&wait);
			weir_poll_acquire();
			return weir_queue_refuse_(weir_queue_head_(q), 1);
		}
		if (weir_wait_aborted(&wait)) {
			weir_wait_end(&wait);
			return WEIR_ABORTED;
		}
		weir_queue_hint_(q, &wait, at, weir_queue_turn_(q, at) + 1);
		weir_wait_until_change(&wait, weir_queue_end_(q));
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_queue_get_(q, at, seen, item, words);
	return WEIR_OK;
}

/** Waits for room and pushes an item. Returns WEIR_OK, or WEIR_CLOSED: then the queue does
 * not have the item. */
WEIR_FN weir_status weir_queue_push_item(weir_queue q, const uint32_t *item,
                                         uint32_t words WEIR_SITE_)
{
	uint32_t at;
	weir_status result;
	WEIR_NOTED_(weir_moving moving);
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	WEIR_NOTED_(moving = weir_note_moving_(n, q, WEIR_OPERATION_PUSH, 1));
	weir_queue_check_(q, words);
	weir_queue_before_put_(q);
	at = weir_queue_take_(q, weir_queue_tail_(q), 1);
	if (!WEIR_LIKELY((at & WEIR_QUEUE_CLOSED) == 0))
		result = weir_queue_refuse_(weir_queue_tail_(q), 1);
	else
		result = weir_queue_await_free_(q, at, item, words);
	WEIR_NOTED_(weir_note_pushed_(n, result); weir_note_moved_(q, moving));
	return result;
}

/** Waits for an item and pops it. Returns WEIR_OK, or WEIR_CLOSED: then the queue is empty
 * for good. */
WEIR_FN weir_status weir_queue_pop_item(weir_queue q, uint32_t *item, uint32_t words WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_moving moving);
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	WEIR_NOTED_(moving = weir_note_moving_(n, q, WEIR_OPERATION_POP, 1));
	weir_queue_check_(q, words);
	result =
	    weir_queue_await_full_(q, weir_queue_take_(q, weir_queue_head_(q), 1), item, words);
	WEIR_NOTED_(weir_note_moved_(q, moving));
	return result;
}

/** Pushes a value of 4 bytes, as weir_queue_push_item. */
WEIR_FN weir_status weir_queue_push(weir_queue q, uint32_t value WEIR_SITE_)
{
	return weir_queue_push_item(q, &value, 1 WEIR_AT_);
}

/** Pops a value of 4 bytes, as weir_queue_pop_item. */
WEIR_FN weir_status weir_queue_pop(weir_queue q, uint32_t *value WEIR_SITE_)
{
	return weir_queue_pop_item(q, value, 1 WEIR_AT_);
}

/* ---- for the next launch ---- */

/** Makes the queue ready for the next launch. Every block calls it once, when it is done with
 * the queue for this launch; one thread for its block. A queue that was closed is open again in
 * the next launch, and keeps items that no block has popped. Returns 1 to the last block, else
 * 0. */
WEIR_FN int weir_queue_leave(weir_queue q WEIR_SITE_)
{
	uint32_t end;
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_left_out_(n, q)) return 0);
	WEIR_NOTED_(weir_area_leave_());
	WEIR_CHECK_FIXED_(QUEUE, q.config);
	if (!weir_leave_(weir_queue_left_(q)))
		return 0;
	/* Relaxed: the block that closed it has left, and the next launch is ordered after this
	 * one. */
	end = weir_load_rlx(weir_queue_end_(q));
	if (end != 0) {
		weir_store_rlx(weir_queue_tail_(q), end - WEIR_QUEUE_CLOSED);
		weir_store_rlx(weir_queue_end_(q), 0);
	}
	return 1;
}

/** Leaves for a block. All threads of the block call it; thread 0 leaves when all of them have.
 * Returns 1 only to thread 0 of the last block. */
WEIR_FN int weir_queue_block_leave(weir_queue q WEIR_SITE_)
{
	weir_block_sync(); /* the block's work precedes the leader's release */
	return weir_thread_id() == 0 ? weir_queue_leave(q WEIR_AT_) : 0;
}

WEIR_LIST_KINDS_(QUEUE)

#endif
