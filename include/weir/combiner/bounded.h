/* A call of a combiner that gives up. weir/device.h says what it promises.
 *
 *   weir_deadline deadline = weir_deadline_begin(ns);
 *   weir_combiner_call call = weir_combiner_publish_timed(c, &operation, 1);
 *   while ((result = weir_combiner_wait_by(c, &call, &deadline)) == WEIR_BUSY) {
 *           ... combine, as after weir_combiner_wait ...
 *   }
 */
#ifndef WEIR_COMBINER_BOUNDED_H
#define WEIR_COMBINER_BOUNDED_H

#include "weir/combiner/api.h"

#if WEIR_HAS_WORD64 && WEIR_HAS_DEADLINE

/** Publishes an operation of `words` words that can be given up, for weir_combiner_wait_by. It
 * costs the block that combines one atomic more. Where WEIR_HAS_DEADLINE. */
WEIR_FN weir_combiner_call weir_combiner_publish_timed(weir_combiner c, const uint32_t *operation,
                                                       uint32_t words WEIR_SITE_)
{
	return weir_combiner_ask_(c, operation, words, WEIR_COMBINER_TIMED WEIR_AT_);
}

/* Whether the operation was given up: no combiner has begun it, and none will. */
WEIR_FN int weir_combiner_give_up_(weir_combiner c)
{
	WEIR_GLOBAL weir_word64 *cell = weir_combiner_cell_(c, weir_block_id());
	uint32_t is_given_up = 0;

	if (weir_thread_id() == 0) {
		/* Relaxed: nothing is passed on. */
		uint64_t seen = weir_load64_rlx(cell);
		uint64_t idle = weir_combiner_cell_of_(WEIR_COMBINER_IDLE, 0);
		is_given_up =
		    seen >> 32 == WEIR_COMBINER_TIMED && weir_cas64_rlx(cell, seen, idle) == seen;
	}
	return weir_first_get(is_given_up, 0) != 0;
}

/* Waits for the result of an operation that another block has begun. */
WEIR_FN weir_status weir_combiner_await_(weir_combiner c, weir_combiner_call *call)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);

	while (!weir_combiner_is_answered_(c, call)) {
		if (weir_wait_aborted(&wait))
			return WEIR_ABORTED;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	return WEIR_OK;
}

WEIR_FN weir_status weir_combiner_wait_by_(weir_combiner c, weir_combiner_call *call,
                                           const weir_deadline *deadline)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);
	weir_wait_can_fail(&wait);

	while (!weir_combiner_is_answered_(c, call)) {
		uint32_t over;
		if (weir_combiner_try_(c)) {
			weir_combiner_begin_(c, call);
			return WEIR_BUSY;
		}
		over = weir_first_get((uint32_t)weir_wait_result(&wait, deadline), 0);
		if (over == WEIR_ABORTED || (over != WEIR_OK && weir_combiner_give_up_(c)))
			return (weir_status)over;
		if (over != WEIR_OK)
			return weir_combiner_await_(c, call);
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** weir_combiner_wait up to a deadline (weir_deadline_begin). Returns WEIR_OK with the result, or
 * WEIR_BUSY if the caller combines. Returns WEIR_TIMED_OUT after the deadline if no block has
 * begun the operation, which then is never done; the call waits for an operation that has begun.
 * WEIR_ABORTED after an abort of the launch. Where WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_combiner_wait_by(weir_combiner c, weir_combiner_call *call,
                                          const weir_deadline *deadline WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site); weir_doing doing);

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return WEIR_ABORTED);
	WEIR_NOTED_(doing = weir_note_enter_(n, WEIR_OPERATION_COMBINE));
	result = weir_combiner_wait_by_(c, call, deadline);
	WEIR_NOTED_(weir_note_combined_(n, doing, result == WEIR_BUSY));
	return result;
}

#endif

#endif
