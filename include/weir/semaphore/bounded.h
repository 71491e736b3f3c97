/* The operations of a semaphore that do not wait, or not for ever. weir/device.h says what they
 * promise. */
#ifndef WEIR_SEMAPHORE_BOUNDED_H
#define WEIR_SEMAPHORE_BOUNDED_H

#include "weir/semaphore/api.h"

/* Takes `n` slots at once; `n` is at most the maximum. WEIR_ACQUIRED, or WEIR_BUSY when fewer are
 * free or a thread waits. A spin semaphore is also busy while a wait or a post is changing the
 * word. */
WEIR_FN weir_result weir_semaphore_trywait_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	WEIR_DISPATCH_RETURN_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), _trywait_n, (s, n),
	                      WEIR_BUSY);
}

WEIR_FN weir_result weir_semaphore_trywait(weir_semaphore s)
{
	return weir_semaphore_trywait_n(s, 1);
}

#if WEIR_HAS_DEADLINE

/* Takes `n` slots at once; `n` is at most the maximum. WEIR_ACQUIRED, or WEIR_TIMED_OUT after `ns`
 * nanoseconds; at least one attempt. It waits outside the queue: waiters in the queue go first. */
WEIR_FN weir_result weir_semaphore_wait_n_for(weir_semaphore s, uint32_t n, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(s.config.backoff);
	weir_wait_can_fail(&wait);

	while (weir_semaphore_trywait_n(s, n) != WEIR_ACQUIRED) {
		weir_result over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_ACQUIRED)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_ACQUIRED;
}

WEIR_FN weir_result weir_semaphore_wait_for(weir_semaphore s, uint64_t ns)
{
	return weir_semaphore_wait_n_for(s, 1, ns);
}

#endif

#endif
