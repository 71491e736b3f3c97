/* The operations of a mutex that wait not at all or only up to a deadline. weir/device.h says what
 * they guarantee. */
#ifndef WEIR_MUTEX_BOUNDED_H
#define WEIR_MUTEX_BOUNDED_H

#include "weir/mutex/api.h"

WEIR_FN weir_status weir_mutex_trylock_of_(weir_mutex m, uint32_t kind)
{
	WEIR_DISPATCH_RETURN_(MUTEX, kind, _try_lock, (m), WEIR_BUSY);
}

/** Takes the mutex if it is free. Returns WEIR_OK, or WEIR_BUSY when another thread holds
 * it or is about to. It never waits, and leaves no trace when it fails. */
WEIR_FN weir_status weir_mutex_try_lock(weir_mutex m WEIR_SITE_)
{
	weir_status result;
	WEIR_NOTED_(weir_notes n = weir_notes_open_(m.words, m.config.id, site));

	WEIR_CHECK_(MUTEX, m, WEIR_ABORTED);
	result = weir_mutex_trylock_of_(m, WEIR_KIND_(MUTEX, m.config));
	WEIR_NOTED_(if (result == WEIR_OK) weir_note_enters_(n); weir_area_leave_());
	return result;
}

#if WEIR_HAS_DEADLINE

/* Tries outside the queue, if the kind has a queue: waiters in the queue go first. */
WEIR_FN weir_status weir_mutex_try_until_(weir_mutex m, uint32_t kind,
                                          const weir_deadline *deadline)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_can_fail(&wait);

	while (weir_mutex_trylock_of_(m, kind) != WEIR_OK) {
		weir_status over = weir_wait_result(&wait, deadline);
		if (over != WEIR_OK)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_OK;
}

/* weir_NAME_lock_by for each kind whose queue is not timed: waits with a deadline stay outside the
 * queue. */
#define WEIR_LOCK_BY_(name, NAME, value, fair, queue, pause, ...) queue##_LOCK_BY_(name, value)
#define WEIR_QUEUE_NONE_LOCK_BY_(name, value)                                                      \
	WEIR_FN weir_status weir_##name##_lock_by(weir_mutex m, const weir_deadline *deadline)     \
	{                                                                                          \
		return weir_mutex_try_until_(m, value, deadline);                                  \
	}
#define WEIR_QUEUE_SLOTS_LOCK_BY_(name, value) WEIR_QUEUE_NONE_LOCK_BY_(name, value)
#define WEIR_QUEUE_CLUSTER_LOCK_BY_(name, value) WEIR_QUEUE_NONE_LOCK_BY_(name, value)
#define WEIR_QUEUE_TIMED_LOCK_BY_(name, value)
WEIR_MUTEX_KINDS(WEIR_LOCK_BY_)
#undef WEIR_LOCK_BY_
#undef WEIR_QUEUE_NONE_LOCK_BY_
#undef WEIR_QUEUE_SLOTS_LOCK_BY_
#undef WEIR_QUEUE_CLUSTER_LOCK_BY_
#undef WEIR_QUEUE_TIMED_LOCK_BY_

WEIR_FN weir_status weir_mutex_lock_by_(weir_mutex m, const weir_deadline *deadline)
{
	WEIR_DISPATCH_RETURN_(MUTEX, WEIR_KIND_(MUTEX, m.config), _lock_by, (m, deadline),
	                      WEIR_BUSY);
}

/** Locks, up to a deadline. Returns WEIR_OK, or WEIR_TIMED_OUT after `ns` nanoseconds; it makes at
 * least one attempt. A kind with a queue serves waiters in the queue first; only `patient` also
 * keeps a place for callers with a deadline. Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_mutex_lock_for(weir_mutex m, uint64_t ns WEIR_SITE_)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_status result;
	WEIR_NOTED_(weir_doing doing = weir_note_lock_(m.words, m.config.id, site));
	WEIR_NOTED_(weir_notes n = weir_notes_open_(m.words, m.config.id, site));

	WEIR_CHECK_(MUTEX, m, WEIR_ABORTED);
	result = weir_mutex_lock_by_(m, &deadline);
	WEIR_NOTED_(if (result != WEIR_OK) weir_note_held_(n, 0));
	WEIR_NOTED_(weir_note_end_bounded_(n, doing));
	return result;
}

#endif

#endif
