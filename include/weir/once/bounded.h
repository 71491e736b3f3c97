/* A begin that waits only up to a deadline. weir/device.h says what it guarantees;
 * weir_once_is_done does not wait at all. */
#ifndef WEIR_ONCE_BOUNDED_H
#define WEIR_ONCE_BOUNDED_H

#include "weir/once/api.h"

#if WEIR_HAS_DEADLINE

WEIR_FN weir_status weir_once_try_until_(weir_once o, uint64_t ns, int *is_mine)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(o.config.backoff);
	weir_wait_can_fail(&wait);

	*is_mine = !weir_once_is_done(o) && weir_once_is_mine_(o);
	while (!*is_mine && !weir_once_is_done(o)) {
		weir_status over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/** Begins, up to a deadline. Returns WEIR_OK if the work is done (`*is_mine` is 0), or if the
 * caller must do it (`*is_mine` is 1). Returns WEIR_TIMED_OUT if another block has not finished it
 * within `ns` nanoseconds; it checks at least once. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_once_begin_for(weir_once o, uint64_t ns, int *is_mine WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_notes_open_(o.words, o.config.id, site));

	*is_mine = 0;
	WEIR_NOTED_(if (weir_notes_left_out_(n)) return WEIR_ABORTED);
	WEIR_NOTED_(weir_note_again_(n, WEIR_MISUSE_BEGUN_TWICE));
	result = weir_once_try_until_(o, ns, is_mine);
	WEIR_NOTED_(if (*is_mine) weir_note_held_(n, 1); weir_area_leave_());
	return result;
}

#endif

#endif
