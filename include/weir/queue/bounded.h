/* The operations of a queue that wait not at all or only up to a deadline. weir/device.h says what
 * they guarantee. They take a position only when its slot is ready. Waiting pushes and pops take
 * theirs earlier, so they go first. */
#ifndef WEIR_QUEUE_BOUNDED_H
#define WEIR_QUEUE_BOUNDED_H

#include "weir/queue/api.h"

WEIR_FN weir_status weir_queue_try_push_item_(weir_queue q, const uint32_t *item, uint32_t words)
{
	WEIR_GLOBAL weir_word *tail = weir_queue_tail_(q);
	/* Relaxed: a guess; the claim below confirms it. */
	uint32_t at = weir_load_rlx(tail);

	weir_queue_check_(q, words);
	weir_queue_before_put_(q);
	while ((at & WEIR_QUEUE_CLOSED) == 0) {
		int32_t past =
		    weir_queue_past_(weir_queue_look_free_(q, at), weir_queue_turn_(q, at));
		uint32_t found;

		if (past < 0)
			return WEIR_BUSY;
		/* Relaxed: an old guess; this is the newest position. */
		found = past > 0 ? weir_add_rlx(tail, 0) : weir_queue_claim_(q, tail, at, 1);
		if (past == 0 && found == at) {
			weir_queue_put_(q, at, item, words);
			return WEIR_OK;
		}
		at = found;
	}
	return WEIR_CLOSED;
}

WEIR_FN weir_status weir_queue_try_pop_item_(weir_queue q, uint32_t *item, uint32_t words)
{
	WEIR_GLOBAL weir_word *head = weir_queue_head_(q);
	/* Relaxed: a guess; the claim below confirms it. */
	uint32_t at = weir_load_rlx(head);

	weir_queue_check_(q, words);
	for (;;) {
		uint64_t seen = weir_queue_look_full_(q, at);
		int32_t past = weir_queue_past_(seen, weir_queue_turn_(q, at) + 1);
		uint32_t found;

		if (past < 0) {
			if (!weir_queue_is_past_end_(q, at))
				return WEIR_BUSY;
			weir_poll_acquire();
			return WEIR_CLOSED;
		}
		/* Relaxed: an old guess; this is the newest position. */
		found = past > 0 ? weir_add_rlx(head, 0) : weir_queue_claim_(q, head, at, 1);
		if (past == 0 && found == at) {
			weir_queue_get_(q, at, seen, item, words);
			return WEIR_OK;
		}
		at = found;
	}
}

/** Pushes an item if there is room. Returns WEIR_OK, WEIR_BUSY if the queue is full, or
 * WEIR_CLOSED. It never waits; pushes that are already waiting go first. */
WEIR_FN weir_status weir_queue_try_push_item(weir_queue q, const uint32_t *item,
                                             uint32_t words WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	result = weir_queue_try_push_item_(q, item, words);
	WEIR_NOTED_(weir_note_pushed_(n, result); weir_area_leave_());
	return result;
}

/** Pops an item if there is one. Returns WEIR_OK, WEIR_BUSY if the queue is empty, or
 * WEIR_CLOSED if it is so for good. It never waits; pops that are already waiting go first. */
WEIR_FN weir_status weir_queue_try_pop_item(weir_queue q, uint32_t *item, uint32_t words WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	result = weir_queue_try_pop_item_(q, item, words);
	WEIR_NOTED_(weir_area_leave_());
	return result;
}

/** The same as weir_queue_try_push_item, for a value of 4 bytes. */
WEIR_FN weir_status weir_queue_try_push(weir_queue q, uint32_t value WEIR_SITE_)
{
	return weir_queue_try_push_item(q, &value, 1 WEIR_AT_);
}

/** The same as weir_queue_try_pop_item, for a value of 4 bytes. */
WEIR_FN weir_status weir_queue_try_pop(weir_queue q, uint32_t *value WEIR_SITE_)
{
	return weir_queue_try_pop_item(q, value, 1 WEIR_AT_);
}

#if WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_queue_push_item_for_(weir_queue q, const uint32_t *item, uint32_t words,
                                              uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(q.config.backoff);
	weir_status result;
	weir_wait_can_fail(&wait);

	while ((result = weir_queue_try_push_item_(q, item, words)) == WEIR_BUSY) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return result;
}

WEIR_FN weir_status weir_queue_pop_item_for_(weir_queue q, uint32_t *item, uint32_t words,
                                             uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(q.config.backoff);
	weir_status result;
	weir_wait_can_fail(&wait);

	while ((result = weir_queue_try_pop_item_(q, item, words)) == WEIR_BUSY) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return result;
}

/** Pushes an item, up to a deadline. Returns WEIR_OK, WEIR_CLOSED, or WEIR_TIMED_OUT after `ns`
 * nanoseconds; it makes at least one attempt. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_queue_push_item_for(weir_queue q, const uint32_t *item, uint32_t words,
                                             uint64_t ns WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	result = weir_queue_push_item_for_(q, item, words, ns);
	WEIR_NOTED_(weir_note_pushed_(n, result); weir_area_leave_());
	return result;
}

/** Pops an item, up to a deadline. Returns WEIR_OK, WEIR_CLOSED, or WEIR_TIMED_OUT after `ns`
 * nanoseconds; it makes at least one attempt. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_queue_pop_item_for(weir_queue q, uint32_t *item, uint32_t words,
                                            uint64_t ns WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_queue_open_(q, site));

	WEIR_NOTED_(if (weir_queue_refuses_(n, q, words)) return WEIR_ABORTED);
	result = weir_queue_pop_item_for_(q, item, words, ns);
	WEIR_NOTED_(weir_area_leave_());
	return result;
}

/** The same as weir_queue_push_item_for, for a value of 4 bytes. */
WEIR_FN weir_status weir_queue_push_for(weir_queue q, uint32_t value, uint64_t ns WEIR_SITE_)
{
	return weir_queue_push_item_for(q, &value, 1, ns WEIR_AT_);
}

/** The same as weir_queue_pop_item_for, for a value of 4 bytes. */
WEIR_FN weir_status weir_queue_pop_for(weir_queue q, uint32_t *value, uint64_t ns WEIR_SITE_)
{
	return weir_queue_pop_item_for(q, value, 1, ns WEIR_AT_);
}

#endif

/* Waits for at least one item, then takes the positions of all items that have been pushed, up to
 * `most`. Returns WEIR_CLOSED and takes none if there will be no item. */
WEIR_FN weir_status weir_queue_begin_pop_some_(weir_queue q, uint32_t most, uint32_t *at,
                                               uint32_t *count)
{
	weir_wait wait = weir_wait_begin(q.config.backoff);
	weir_status result = WEIR_BUSY;

	while (result == WEIR_BUSY) {
		/* Relaxed: guesses; the claim confirms that these are the next positions, and the
		 * slots carry the data. `end` comes after the closed bit, so a poll may find a
		 * queue closed without knowing yet at which position. */
		uint32_t head = weir_load_rlx(weir_queue_head_(q));
		uint32_t tail = weir_load_rlx(weir_queue_tail_(q));
		uint32_t end =
		    (tail & WEIR_QUEUE_CLOSED) ? weir_load_rlx(weir_queue_end_(q)) : tail;
		int32_t ready = (int32_t)(end - head) >> 1;

		if ((tail & WEIR_QUEUE_CLOSED) != 0 && end == 0)
			ready = 0;
		*at = head;
		*count = ready < (int32_t)most ? (uint32_t)ready : most;
		if (ready > 0 && weir_queue_claim_(q, weir_queue_head_(q), head, *count) == head)
			result = WEIR_OK;
		else if (ready <= 0 && weir_queue_is_past_end_(q, head))
			result = WEIR_CLOSED;
		else if (weir_wait_aborted(&wait))
			result = WEIR_ABORTED;
		else
			weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_acquire(); /* for the poll that found the end */
	return result;
}

#endif
