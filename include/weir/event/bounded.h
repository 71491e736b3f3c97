/* The operations of an event that do not wait for ever. weir/device.h says what they promise;
 * weir_event_reached does not wait at all. One that gives up leaves no trace: waits change
 * nothing. */
#ifndef WEIR_EVENT_BOUNDED_H
#define WEIR_EVENT_BOUNDED_H

#include "weir/event/api.h"

#if WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_event_wait_for_(weir_event e, uint32_t target, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	weir_wait_can_fail(&wait);

	while (!weir_event_reached_(e, target)) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** Waits for up to `ns` nanoseconds, with at least one poll. Returns WEIR_OK if the count is at or
 * past `target`, else WEIR_TIMED_OUT, or WEIR_ABORTED after an abort of the launch. Where
 * WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_event_wait_for(weir_event e, uint32_t target, uint64_t ns WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_event_open_(e, site));

	WEIR_NOTED_(if (weir_event_left_out_(n, e)) return WEIR_ABORTED);
	WEIR_NOTED_(weir_note_target_(n, e, weir_event_count_(e), target));
	result = weir_event_wait_for_(e, target, ns);
	WEIR_NOTED_(weir_area_leave_());
	return result;
}

WEIR_FN weir_status weir_event_wait_all_for_(weir_event_array a, uint32_t first, uint32_t count,
                                             uint32_t target, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	uint32_t done = 0;
	weir_wait_can_fail(&wait);

	while (done < count) {
		if (weir_event_reached_(weir_event_at_(a, first + done), target)) {
			done++;
		} else {
			weir_status over = weir_wait_result(&wait, &deadline);
			if (over != WEIR_OK)
				return over;
			weir_wait_again(&wait);
		}
	}
	return WEIR_OK;
}

/** weir_event_array_wait_all up to a deadline, one for all events, as weir_event_wait_for. */
WEIR_FN weir_status weir_event_array_wait_all_for(weir_event_array a, uint32_t first,
                                                  uint32_t count, uint32_t target,
                                                  uint64_t ns WEIR_SITE_)
{
	weir_status result;

	WEIR_NOTED_(if (!weir_event_has_range_(a, first, count, site)) return WEIR_ABORTED);
	result = weir_event_wait_all_for_(a, first, count, target, ns);
	WEIR_NOTED_(weir_area_leave_());
	return result;
}

WEIR_FN weir_status weir_event_wait_any_for_(weir_event_array a, uint32_t first, uint32_t count,
                                             uint32_t target, uint64_t ns, uint32_t *found)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	weir_wait_can_fail(&wait);

	while ((*found = weir_event_find_(a, first, count, target)) == first + count) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** weir_event_array_wait_any up to a deadline, as weir_event_wait_for. `found` gets the index of
 * an event that has reached the target; without success, first + count. */
WEIR_FN weir_status weir_event_array_wait_any_for(weir_event_array a, uint32_t first,
                                                  uint32_t count, uint32_t target, uint64_t ns,
                                                  uint32_t *found WEIR_SITE_)
{
	weir_status result;

	*found = first + count;
	WEIR_NOTED_(if (!weir_event_has_range_(a, first, count, site)) return WEIR_ABORTED);
	result = weir_event_wait_any_for_(a, first, count, target, ns, found);
	WEIR_NOTED_(weir_area_leave_());
	return result;
}

#endif

#endif
