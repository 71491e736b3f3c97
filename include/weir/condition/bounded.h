/* A wait for a condition that gives up at a deadline. weir/device.h says what it guarantees. */
#ifndef WEIR_CONDITION_BOUNDED_H
#define WEIR_CONDITION_BOUNDED_H

#include "weir/condition/api.h"

#if WEIR_HAS_DEADLINE

/* Gives the ticket up, unless it was served. Other waiters' tickets stay untouched. The
 * caller holds the mutex. */
WEIR_FN weir_status weir_condition_give_up_(weir_condition c, uint32_t ticket, int is_own)
{
	/* Relaxed, here and below: the mutex orders all writes of these words. */
	uint32_t served = weir_load_rlx(weir_condition_served_(c));
	uint32_t waiting = weir_load_rlx(weir_condition_waiting_(c));

	if ((int32_t)(served - ticket) > 0)
		return WEIR_OK;
	if (!is_own)
		return WEIR_TIMED_OUT;
	if (ticket == served) {
		weir_condition_serve_(c, ticket, waiting);
		return WEIR_TIMED_OUT;
	}
	weir_store_rlx(weir_condition_waiting_(c), waiting - 1);
	if (ticket + 1 == weir_load_rlx(weir_condition_joined_(c))) {
		/* The first ticket has not been given up, so the loop ends there. */
		while (weir_condition_forget_(c, ticket - 1))
			ticket--;
		weir_store_rlx(weir_condition_joined_(c), ticket);
	} else {
		uint32_t gone = weir_load_rlx(weir_condition_gone_(c, ticket));
		weir_store_rlx(weir_condition_gone_(c, ticket),
		               gone | weir_condition_bit_(c, ticket));
	}
	return WEIR_TIMED_OUT;
}

/* Waits until the ticket is served or the deadline passes. Relaxed: the lock that follows carries
 * the data. */
WEIR_FN weir_status weir_condition_await_by_(weir_condition c, uint32_t ticket,
                                             const weir_deadline *deadline)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);
	weir_wait_can_fail(&wait);

	while ((int32_t)(weir_load_rlx(weir_condition_served_(c)) - ticket) <= 0) {
		weir_status over = weir_wait_result(&wait, deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_until_ge(&wait, weir_condition_served_(c), ticket + 1);
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** Waits as weir_condition_wait, for up to `ns` nanoseconds. Then it returns WEIR_TIMED_OUT,
 * unless a signal arrived before the caller had the mutex again. Either way the caller holds the
 * mutex, and may have waited longer to get it. After WEIR_ABORTED the caller does not hold the
 * mutex. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_condition_wait_for(weir_condition c, weir_mutex m, uint64_t ns WEIR_SITE_)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_status over;
	uint32_t ticket;
	int has_joined;
	WEIR_NOTED_(weir_notes n = weir_notes_open_(c.words, c.config.id, site));

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return WEIR_ABORTED);
	WEIR_NOTED_(weir_note_condition_(n, c, m));
	has_joined = weir_condition_join_(c, &ticket);
	weir_mutex_unlock(m WEIR_AT_);
	WEIR_NOTED_(
	    weir_notes_open_(c.words, c.config.id, site)); /* the unlock has left the notes */
	over = weir_condition_await_by_(c, ticket, &deadline);
	WEIR_NOTED_(weir_area_leave_());
	if (over == WEIR_ABORTED)
		return over;
	weir_mutex_lock(m WEIR_AT_);
	return over == WEIR_TIMED_OUT ? weir_condition_give_up_(c, ticket, has_joined) : WEIR_OK;
}

#if WEIR_HAS_BLOCK_VALUE

/** Waits for a block, as weir_condition_wait_for. All threads of the block call it, and all of them
 * get the same result. Requires WEIR_HAS_DEADLINE and WEIR_HAS_BLOCK_VALUE. */
WEIR_FN weir_status weir_condition_block_wait_for(weir_condition c, weir_mutex m,
                                                  uint64_t ns WEIR_SITE_)
{
	uint32_t result = 0;

	weir_block_sync(); /* the block's work with the mutex precedes the leader's unlock */
	if (weir_thread_id() == 0)
		result = (uint32_t)weir_condition_wait_for(c, m, ns WEIR_AT_);
	return (weir_status)weir_block_value(result); /* its sync extends the lock to the block */
}

#endif

#endif

#endif
