/* The operations of a semaphore that wait not at all or only up to a deadline. weir/device.h says
 * what they guarantee. */
#ifndef WEIR_SEMAPHORE_BOUNDED_H
#define WEIR_SEMAPHORE_BOUNDED_H

#include "weir/semaphore/api.h"

WEIR_FN weir_status weir_semaphore_try_wait_of_(weir_semaphore s, uint32_t n)
{
	WEIR_DISPATCH_RETURN_(SEMAPHORE, WEIR_KIND_(SEMAPHORE, s.config), _try_wait_n, (s, n),
	                      WEIR_BUSY);
}

/** Takes `n` slots at once if they are free; `n` is at most the maximum. Returns WEIR_OK,
 * or WEIR_BUSY when fewer are free or a thread waits. A spin semaphore is also busy while a
 * wait or a post is changing the word. It never waits, and leaves no trace when it fails. */
WEIR_FN weir_status weir_semaphore_try_wait_n(weir_semaphore s, uint32_t n WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes notes = weir_notes_open_(s.words, s.config.id, site));

	WEIR_CHECK_(SEMAPHORE, s, WEIR_ABORTED);
	result = weir_semaphore_try_wait_of_(s, n);
	WEIR_NOTED_(if (result == WEIR_OK) weir_note_count_(notes, n); weir_area_leave_());
	return result;
}

/** Takes a slot if one is free, as weir_semaphore_try_wait_n. */
WEIR_FN weir_status weir_semaphore_try_wait(weir_semaphore s WEIR_SITE_)
{
	return weir_semaphore_try_wait_n(s, 1 WEIR_AT_);
}

#if WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_semaphore_try_until_(weir_semaphore s, uint32_t n, weir_wait *wait,
                                              const weir_deadline *deadline)
{
	weir_wait_can_fail(wait);
	while (weir_semaphore_try_wait_of_(s, n) != WEIR_OK) {
		weir_status over = weir_wait_result(wait, deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(wait);
	}
	return WEIR_OK;
}

/** Takes `n` slots at once, up to a deadline; `n` is at most the maximum. Returns WEIR_OK,
 * or WEIR_TIMED_OUT after `ns` nanoseconds; it makes at least one attempt. It waits outside the
 * queue: waiters in the queue go first. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_semaphore_wait_n_for(weir_semaphore s, uint32_t n, uint64_t ns WEIR_SITE_)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(s.config.backoff);
	weir_status result;
	WEIR_NOTED_(weir_doing doing = weir_note_wait_(s.words, s.config.id, n, site));
	WEIR_NOTED_(weir_notes notes = weir_notes_open_(s.words, s.config.id, site));

	WEIR_CHECK_(SEMAPHORE, s, WEIR_ABORTED);
	result = weir_semaphore_try_until_(s, n, &wait, &deadline);
	WEIR_NOTED_(if (result != WEIR_OK) weir_note_count_(notes, 0 - n));
	WEIR_NOTED_(weir_note_end_bounded_(notes, doing));
	return result;
}

/** Takes a slot, up to a deadline, as weir_semaphore_wait_n_for. */
WEIR_FN weir_status weir_semaphore_wait_for(weir_semaphore s, uint64_t ns WEIR_SITE_)
{
	return weir_semaphore_wait_n_for(s, 1, ns WEIR_AT_);
}

#endif

#endif
