/* A begin that does not wait for ever. weir/device.h says what it promises; weir_once_is_done does not
 * wait at all. */
#ifndef WEIR_ONCE_BOUNDED_H
#define WEIR_ONCE_BOUNDED_H

#include "weir/once/api.h"

#if WEIR_HAS_DEADLINE

/* WEIR_ACQUIRED when it is done, or when the caller initializes: then `*is_mine` is 1, else 0.
 * WEIR_TIMED_OUT after `ns` nanoseconds in which another block has not ended; at least one look. */
WEIR_FN weir_result weir_once_begin_for(weir_once o, uint64_t ns, int *is_mine)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(o.config.backoff);
	weir_wait_can_fail(&wait);

	*is_mine = !weir_once_is_done(o) && weir_once_is_mine_(o);
	while (!*is_mine && !weir_once_is_done(o)) {
		weir_result over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_ACQUIRED)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_ACQUIRED;
}

#endif

#endif
