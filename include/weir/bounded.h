/* Operations that do not wait, and those that do not wait for ever. Part of weir/device.h.
 *
 * What got its mutex, slots or barrier has happened as with the operation that waits; what did not
 * has done nothing that anybody else could notice later: no turn and no slot is lost, and those who
 * wait in a line are not held up. A broken barrier is told to all its blocks.
 *
 * The operations with a deadline exist where WEIR_HAS_DEADLINE: on CUDA, on the host, and in OpenCL
 * programs that weir_program_create builds for a CPU or for NVIDIA; elsewhere a kernel has no clock.
 * A deadline may be missed by the time of one pause.
 */
#ifndef WEIR_BOUNDED_H
#define WEIR_BOUNDED_H

#include "weir/barrier/bounded.h"
#include "weir/kind.h"

WEIR_FN weir_result weir_mutex_trylock_of_(weir_mutex m, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_MUTEX_##NAME:                                                                    \
		return weir_##name##_trylock(m);
		WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_MUTEX, m.config.kind);
		return WEIR_BUSY;
	}
}

/* WEIR_GOT, or WEIR_BUSY when somebody holds the mutex or is about to. */
WEIR_FN weir_result weir_mutex_trylock(weir_mutex m)
{
	WEIR_MUTEX_CHECK_(m.config);
	return weir_mutex_trylock_of_(m, WEIR_MUTEX_KIND_(m.config));
}

WEIR_FN weir_result weir_semaphore_trywait_of_(weir_semaphore s, uint32_t kind, uint32_t n)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		return weir_##name##_trywait_n(s, n);
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_SEMAPHORE, s.config.kind);
		return WEIR_BUSY;
	}
}

/* `n` slots at once, which is at most the maximum: WEIR_GOT, or WEIR_BUSY when fewer are free or
 * somebody waits; of a spin semaphore also while a wait or a post is changing the word. */
WEIR_FN weir_result weir_semaphore_trywait_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	return weir_semaphore_trywait_of_(s, WEIR_SEMAPHORE_KIND_(s.config), n);
}

WEIR_FN weir_result weir_semaphore_trywait(weir_semaphore s)
{
	return weir_semaphore_trywait_n(s, 1);
}

#if WEIR_HAS_DEADLINE

/* Outside the line, if the kind has one: whoever stays in it goes first. */
WEIR_FN weir_result weir_mutex_try_until_(weir_mutex m, uint32_t kind,
                                          const weir_deadline *deadline)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);
	weir_wait_stays(&wait);

	while (weir_mutex_trylock_of_(m, kind) != WEIR_GOT) {
		weir_result over = weir_wait_result(&wait, deadline);
		if (over != WEIR_GOT)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_GOT;
}

/* By what a row says of the queue: only a timed one is waited in with a deadline. */
#define WEIR_QUEUE_NONE_LOCK_(name, m, kind, deadline) weir_mutex_try_until_(m, kind, deadline)
#define WEIR_QUEUE_SLOTS_LOCK_(name, m, kind, deadline) weir_mutex_try_until_(m, kind, deadline)
#define WEIR_QUEUE_CLUSTER_LOCK_(name, m, kind, deadline) weir_mutex_try_until_(m, kind, deadline)
#define WEIR_QUEUE_TIMED_LOCK_(name, m, kind, deadline) weir_##name##_lock_by(m, deadline)

/* WEIR_GOT, or WEIR_LATE after `ns` nanoseconds; at least one attempt. */
WEIR_FN weir_result weir_mutex_lock_for(weir_mutex m, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);

	WEIR_MUTEX_CHECK_(m.config);
	switch (WEIR_MUTEX_KIND_(m.config)) {
#define WEIR_ROW_(name, NAME, value, fair, queue, pause)                                           \
	case WEIR_MUTEX_##NAME:                                                                    \
		return queue##_LOCK_(name, m, WEIR_MUTEX_##NAME, &deadline);
		WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_MUTEX, m.config.kind);
		return WEIR_BUSY;
	}
}

#undef WEIR_QUEUE_NONE_LOCK_
#undef WEIR_QUEUE_SLOTS_LOCK_
#undef WEIR_QUEUE_CLUSTER_LOCK_
#undef WEIR_QUEUE_TIMED_LOCK_

/* `n` slots at once, which is at most the maximum: WEIR_GOT, or WEIR_LATE after `ns` nanoseconds; at
 * least one attempt. It waits outside the line: whoever stays in it goes first. */
WEIR_FN weir_result weir_semaphore_wait_n_for(weir_semaphore s, uint32_t n, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_wait wait = weir_wait_begin(s.config.backoff);
	weir_wait_stays(&wait);

	while (weir_semaphore_trywait_n(s, n) != WEIR_GOT) {
		weir_result over = weir_wait_result(&wait, &deadline);
		if (over != WEIR_GOT)
			return over;
		weir_wait_again(&wait);
	}
	return WEIR_GOT;
}

WEIR_FN weir_result weir_semaphore_wait_for(weir_semaphore s, uint64_t ns)
{
	return weir_semaphore_wait_n_for(s, 1, ns);
}

/* Every thread of every block calls it: WEIR_GOT in all of them, or WEIR_LATE in all of them when
 * one block's `ns` nanoseconds were over before the last block had come. It then stays that way,
 * until the host resets the barrier. */
WEIR_FN weir_result weir_barrier_wait_for(weir_barrier b, uint64_t ns)
{
	weir_check_blocks(b.config.count);
	WEIR_KIND_CHECK_(WEIR_BARRIER_FITS_(b.config), WEIR_FAULT_BARRIER, b.config);
	return weir_bounded_barrier_(b, WEIR_BARRIER_KIND_(b.config), ns);
}

#endif

#endif
