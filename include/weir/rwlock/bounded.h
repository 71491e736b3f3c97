/* The operations of a reader-writer lock that wait not at all or only up to a deadline.
 * weir/device.h says what they guarantee. They do not queue, so queued locks may overtake them any
 * number of times. */
#ifndef WEIR_RWLOCK_BOUNDED_H
#define WEIR_RWLOCK_BOUNDED_H

#include "weir/rwlock/api.h"

WEIR_FN weir_status weir_rwlock_try_enter_(weir_rwlock l)
{
	WEIR_GLOBAL weir_word *in = weir_rwlock_in_(l, weir_rwlock_count_(l));
	/* Relaxed: the compare-and-swap acquires. */
	uint32_t seen = weir_load_rlx(in);

	/* Another reader may change the word in between. Each time that happens, that reader has
	 * the lock. */
	while ((seen & WEIR_RWLOCK_MARK) == 0) {
		/* Pairs with the release in weir_rwlock_pass_. */
		uint32_t found = weir_cas_acq(in, seen, seen + WEIR_RWLOCK_READER);
		if (found == seen)
			return WEIR_OK;
		seen = found;
	}
	return WEIR_BUSY;
}

/** Locks for reading if no writer holds the lock or is about to. Returns WEIR_OK or
 * WEIR_BUSY; it never waits. */
WEIR_FN weir_status weir_rwlock_try_read_lock(weir_rwlock l WEIR_SITE_)
{
	weir_status result;

	WEIR_CHECK_ABORT_(l, WEIR_ABORTED);
	result = weir_rwlock_try_enter_(l);
	WEIR_NOTED_(weir_note_try_(l, 1, result, site));
	return result;
}

/* Reopens the first `shut` counts and passes the turn on. No batch of readers continues. */
WEIR_FN weir_status weir_rwlock_undo_(weir_rwlock l, uint32_t shut, uint32_t ticket)
{
	WEIR_NO_UNROLL
	while (shut-- != 0)
		/* Relaxed: a reader that waited for it acquires from the writers before us. */
		weir_red_add_rlx(weir_rwlock_in_(l, shut), 0u - WEIR_RWLOCK_TRIED);
	/* Pairs with the acquires of the turn. */
	weir_store_rel(weir_rwlock_turn_(l), weir_rwlock_turn_of_(ticket + 1, 0));
	return WEIR_BUSY;
}

WEIR_FN weir_status weir_rwlock_try_shut_(weir_rwlock l)
{
	/* Pairs with the release in weir_rwlock_pass_. */
	uint32_t turn = weir_load_acq(weir_rwlock_turn_(l));
	/* Relaxed: if the value is not the next ticket, the compare-and-swap fails. */
	uint32_t ticket = weir_load_rlx(weir_rwlock_next_(l));
	uint32_t shut = 0, marks;

	/* Relaxed: the acquire above carries the data. */
	if (weir_rwlock_turn_of_(ticket, 0) != turn ||
	    weir_cas_rlx(weir_rwlock_next_(l), ticket, ticket + 1) != ticket)
		return WEIR_BUSY;
	WEIR_NO_UNROLL
	for (; shut >> l.config.bits == 0; shut++) {
		/* Relaxed: the compare-and-swap fails if the word has changed. */
		uint32_t in = weir_load_rlx(weir_rwlock_in_(l, shut));

		/* Pairs with the release in weir_rwlock_read_unlock. */
		if (weir_load_acq(weir_rwlock_out_(l, shut)) != in)
			return weir_rwlock_undo_(l, shut, ticket);
		/* Relaxed: later readers wait for our release. */
		if (weir_cas_rlx(weir_rwlock_in_(l, shut), in, in + WEIR_RWLOCK_TRIED) != in)
			return weir_rwlock_undo_(l, shut, ticket);
	}
	/* Relaxed: the turn orders these words. */
	marks = weir_load_rlx(weir_rwlock_marks_(l));
	weir_store_rlx(weir_rwlock_end_(l), ticket + 1);
	weir_store_rlx(weir_rwlock_marks_(l), marks | WEIR_RWLOCK_TRIED);
	return WEIR_OK;
}

/** Locks for writing if no block reads or writes, or is about to. Returns WEIR_OK or
 * WEIR_BUSY; it never waits. */
WEIR_FN weir_status weir_rwlock_try_write_lock(weir_rwlock l WEIR_SITE_)
{
	weir_status result;

	WEIR_CHECK_ABORT_(l, WEIR_ABORTED);
	result = weir_rwlock_try_shut_(l);
	WEIR_NOTED_(weir_note_try_(l, WEIR_NOTE_WRITES, result, site));
	return result;
}

#if WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_rwlock_enter_by_(weir_rwlock l, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(l.config.backoff);
	weir_wait_can_fail(&wait);

	while (weir_rwlock_try_enter_(l) != WEIR_OK) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** Locks for reading, up to a deadline. Returns WEIR_OK, or WEIR_TIMED_OUT after `ns` nanoseconds;
 * it makes at least one attempt. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_rwlock_read_lock_for(weir_rwlock l, uint64_t ns WEIR_SITE_)
{
	weir_status result;

	WEIR_CHECK_ABORT_(l, WEIR_ABORTED);
	WEIR_NOTED_(weir_doing doing = weir_note_rwlock_(l.words, l.config.id, 1, 0, site));
	result = weir_rwlock_enter_by_(l, ns);
	WEIR_NOTED_(weir_note_rwlock_for_(l, 1, doing, result, site));
	return result;
}

/* Whether a try to write may succeed. Unlike the try itself, which shuts readers out for a moment,
 * this changes nothing. */
WEIR_FN int weir_rwlock_looks_free_(weir_rwlock l)
{
	/* Relaxed, here and below: a hint. */
	uint32_t turn = weir_load_rlx(weir_rwlock_turn_(l));
	int is_free = turn == weir_rwlock_turn_of_(weir_load_rlx(weir_rwlock_next_(l)), 0);

	WEIR_NO_UNROLL
	for (uint32_t i = 0; is_free && i >> l.config.bits == 0; i++)
		is_free =
		    weir_load_rlx(weir_rwlock_in_(l, i)) == weir_load_rlx(weir_rwlock_out_(l, i));
	return is_free;
}

WEIR_FN weir_status weir_rwlock_shut_by_(weir_rwlock l, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(l.config.backoff);
	weir_wait_can_fail(&wait);

	for (;;) {
		int is_free = weir_rwlock_looks_free_(l);
		weir_status over;
		if (is_free && weir_rwlock_try_shut_(l) == WEIR_OK)
			return WEIR_OK;
		over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		if (is_free) {
			wait = weir_wait_begin(l.config.backoff); /* another block was faster */
			weir_wait_can_fail(&wait);
		} else {
			weir_wait_again(&wait);
		}
	}
}

/** Locks for writing, up to a deadline, as weir_rwlock_read_lock_for. */
WEIR_FN weir_status weir_rwlock_write_lock_for(weir_rwlock l, uint64_t ns WEIR_SITE_)
{
	weir_status result;

	WEIR_CHECK_ABORT_(l, WEIR_ABORTED);
	WEIR_NOTED_(weir_doing doing =
	                weir_note_rwlock_(l.words, l.config.id, WEIR_NOTE_WRITES, 0, site));
	result = weir_rwlock_shut_by_(l, ns);
	WEIR_NOTED_(weir_note_rwlock_for_(l, WEIR_NOTE_WRITES, doing, result, site));
	return result;
}

#endif

#endif
