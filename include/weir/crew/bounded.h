/* The waits of a crew that do not last for ever. weir/device.h says what such waits promise, with one
 * difference: an arrival at a barrier of ranks cannot be taken back. A wait that gives up leaves the
 * token as it is, and the block may wait again with it. Or it aborts the crew. */
#ifndef WEIR_CREW_BOUNDED_H
#define WEIR_CREW_BOUNDED_H

#include "weir/crew/api.h"
#include "weir/event/api.h"

#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_crew_await_first_for_(weir_crew c, weir_crew_token *t, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_status result;

	do {
		weir_wait wait = weir_wait_begin(c.config.backoff);
		weir_wait_can_fail(&wait);

		while ((result = weir_crew_look_(c, t)) == WEIR_BUSY) {
			/* The leader's clock counts for all of the first threads. */
			weir_status over = (weir_status)weir_first_value(
			    (uint32_t)weir_wait_result(&wait, &deadline), weir_crew_first_bits_());
			if (over != WEIR_OK)
				return over;
			weir_wait_again(&wait);
		}
	} while (result == WEIR_OK && weir_crew_advance_(c, t));
	return result;
}

/** weir_crew_await up to a deadline. Returns WEIR_TIMED_OUT after `ns` nanoseconds, with at least
 * one poll. The arrival counts all the same: the token remains valid, and the block waits again
 * with it, or aborts the crew. Where WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_crew_await_for(weir_crew c, weir_crew_token *t, uint64_t ns WEIR_SITE_)
{
	weir_status result = WEIR_OK;
	WEIR_NOTED_(weir_notes n = weir_crew_notes_(c, site));
	WEIR_NOTED_(weir_doing doing = weir_note_crew_await_(n, c, t));

	weir_block_sync(); /* all have read the value before */
	if (weir_crew_acts_())
		result = weir_crew_await_first_for_(c, t, ns);
	WEIR_NOTED_(weir_note_awaited_(n, c, t, result));
	WEIR_NOTED_(weir_note_end_bounded_(n, doing));
	/* Its sync extends the acquires of the first threads to the block. */
	return (weir_status)weir_block_value((uint32_t)result);
}

#endif

#if WEIR_HAS_DEADLINE

/* Whether the event is at or past the target. */
WEIR_FN int weir_crew_event_reached_(weir_crew c, weir_event e, uint32_t target)
{
#ifdef WEIR_CREW_ENGINE
	if (!weir_event_is_past_(weir_engine_poll(c, e.words), target))
		return 0;
	weir_engine_see(c, e.words, target - 1,
	                0); /* pairs with the post in weir_crew_event_post */
	return 1;
#else
	(void)c;
	return weir_event_reached_(e, target);
#endif
}

WEIR_FN weir_status weir_crew_event_wait_for_(weir_crew c, weir_event e, uint32_t target,
                                              uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	weir_wait_can_fail(&wait);

	while (!weir_crew_event_reached_(c, e, target)) {
		weir_status over =
		    weir_crew_aborted(c) != 0 ? WEIR_ABORTED : weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** Waits for an event of the crew, as weir_event_wait_for. WEIR_ABORTED if a rank aborts the crew
 * first. One thread calls it. In a kernel with an engine, the event is one of this rank. Where
 * WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_crew_event_wait_for(weir_crew c, weir_event e, uint32_t target,
                                             uint64_t ns WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_notes_open_(weir_crew_noted_(c), c.config.id, site));
	WEIR_NOTED_(weir_doing doing = weir_doing_(0));

	WEIR_NOTED_(if (n.area != 0 && !weir_crew_event_reached_(c, e, target)) doing =
	                weir_note_crew_event_(n, c, e, target));
	result = weir_crew_event_wait_for_(c, e, target, ns);
	WEIR_NOTED_(weir_note_end_bounded_(n, doing));
	return result;
}

#endif

#endif
