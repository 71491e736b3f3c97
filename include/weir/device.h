/* What a kernel includes: barriers, mutexes and semaphores between thread blocks.
 *
 * The host library makes the objects and says which kind each one is; the functions here dispatch
 * on that. A kernel that knows the kind when it is compiled pays for that kind alone: define
 * WEIR_BARRIER_KIND, WEIR_MUTEX_KIND or WEIR_SEMAPHORE_KIND (say, as WEIR_MUTEX_TICKET) before this
 * header, or call the algorithm directly (weir_ticket_lock). A handle whose kind is none, or not the
 * one that the kernel was compiled for, ends the launch with an error.
 *
 * Block semantics: one thread locks, unlocks, waits and posts for its whole block. The functions
 * with `block` in their name are for all threads of a block together. Where
 * WEIR_HAS_THREAD_PROGRESS, single threads may also lock for themselves.
 *
 * weir/bounded.h, which this header includes, has the operations that do not wait, or not for ever.
 *
 * What happened before an unlock, a post or a barrier (by the calling thread, or by its block
 * before a weir_block_sync) happens before what follows the lock, the wait or the barrier that it
 * lets through. doc/memory-model.md has the argument.
 */
#ifndef WEIR_DEVICE_H
#define WEIR_DEVICE_H

#include "weir/group.h"
#include "weir/kind.h"

/* The kinds that a kernel asks for first, when it has to find out: with them that costs one
 * comparison (two for the second kind of barrier), with others a few. */
#ifndef WEIR_BARRIER_LIKELY
#define WEIR_BARRIER_LIKELY WEIR_BARRIER_CENTRAL
#endif
#ifndef WEIR_BARRIER_LIKELY_TOO
#define WEIR_BARRIER_LIKELY_TOO WEIR_BARRIER_COUNTER
#endif
#ifndef WEIR_MUTEX_LIKELY
#define WEIR_MUTEX_LIKELY WEIR_MUTEX_SPIN_BACKOFF
#endif
#ifndef WEIR_SEMAPHORE_LIKELY
#if WEIR_HAS_WORD64
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_PACKED
#else
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_SLEEPING
#endif
#endif

WEIR_FN void weir_barrier_wait_of_(weir_barrier b, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_BARRIER_##NAME:                                                                  \
		weir_##name##_barrier(b);                                                          \
		break;
		WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
		break;
	}
}

/* Every thread of every block calls it; none leaves before all have come. */
WEIR_FN void weir_barrier_wait(weir_barrier b)
{
	uint32_t kind = WEIR_BARRIER_KIND_(b.config);

	weir_check_blocks(b.config.count);
	WEIR_BARRIER_CHECK_(b.config);
	if (WEIR_OFTEN(kind == WEIR_BARRIER_LIKELY))
		weir_barrier_wait_of_(b, WEIR_BARRIER_LIKELY);
	else if (WEIR_OFTEN(kind == WEIR_BARRIER_LIKELY_TOO))
		weir_barrier_wait_of_(b, WEIR_BARRIER_LIKELY_TOO);
	else
		weir_barrier_wait_of_(b, kind);
}

/* A barrier in two: between weir_barrier_arrive and weir_barrier_await, which gets what the former
 * returned in the same thread, the block may do what needs nothing from the other blocks, and the
 * barrier's own time passes meanwhile. Every thread of every block calls both, each in its turn. What
 * a block did before it arrived happens before what any block does after its await; nothing is said
 * of what it does between. */
WEIR_FN uint32_t weir_barrier_arrive(weir_barrier b)
{
	weir_check_blocks(b.config.count);
	WEIR_BARRIER_CHECK_(b.config);
	switch (WEIR_BARRIER_KIND_(b.config)) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_BARRIER_##NAME:                                                                  \
		return weir_##name##_arrive(b);
		WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
		return 0;
	}
}

WEIR_FN void weir_barrier_await(weir_barrier b, uint32_t token)
{
	weir_check_blocks(b.config.count);
	WEIR_BARRIER_CHECK_(b.config);
	switch (WEIR_BARRIER_KIND_(b.config)) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_BARRIER_##NAME:                                                                  \
		weir_##name##_await(b, token);                                                     \
		break;
		WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
		break;
	}
}

/* Every thread of every member of a group that discovered itself; the others must not. */
WEIR_FN void weir_group_wait(weir_group g, weir_member me)
{
	weir_barrier_wait(weir_group_own_barrier(g, me));
}

WEIR_FN void weir_mutex_lock_of_(weir_mutex m, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_MUTEX_##NAME:                                                                    \
		weir_##name##_lock(m);                                                             \
		break;
		WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_MUTEX, m.config.kind);
		break;
	}
}

WEIR_FN void weir_mutex_lock(weir_mutex m)
{
	uint32_t kind = WEIR_MUTEX_KIND_(m.config);

	WEIR_MUTEX_CHECK_(m.config);
	if (WEIR_OFTEN(kind == WEIR_MUTEX_LIKELY))
		weir_mutex_lock_of_(m, WEIR_MUTEX_LIKELY);
	else
		weir_mutex_lock_of_(m, kind);
}

WEIR_FN void weir_mutex_unlock_of_(weir_mutex m, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_MUTEX_##NAME:                                                                    \
		weir_##name##_unlock(m);                                                           \
		break;
		WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_MUTEX, m.config.kind);
		break;
	}
}

WEIR_FN void weir_mutex_unlock(weir_mutex m)
{
	uint32_t kind = WEIR_MUTEX_KIND_(m.config);

	WEIR_MUTEX_CHECK_(m.config);
	if (WEIR_OFTEN(kind == WEIR_MUTEX_LIKELY))
		weir_mutex_unlock_of_(m, WEIR_MUTEX_LIKELY);
	else
		weir_mutex_unlock_of_(m, kind);
}

/* The mutex at `index`, which must be below the array's length. */
WEIR_FN weir_mutex weir_mutex_at(weir_mutex_array a, uint32_t index)
{
	weir_mutex m;
	m.words = a.words + (uint64_t)index * a.config.stride;
	m.config = a.config;
	return m;
}

/* All threads of the block call it; when it returns, the block holds the mutex. */
WEIR_FN void weir_mutex_block_lock(weir_mutex m)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock(m);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

/* All threads of the block call it; the mutex is let go when the last one has. */
WEIR_FN void weir_mutex_block_unlock(weir_mutex m)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock(m);
}

WEIR_FN void weir_semaphore_wait_of_(weir_semaphore s, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_wait(s);                                                             \
		break;
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_SEMAPHORE, s.config.kind);
		break;
	}
}

WEIR_FN void weir_semaphore_wait(weir_semaphore s)
{
	uint32_t kind = WEIR_SEMAPHORE_KIND_(s.config);

	WEIR_SEMAPHORE_CHECK_(s.config);
	if (WEIR_OFTEN(kind == WEIR_SEMAPHORE_LIKELY))
		weir_semaphore_wait_of_(s, WEIR_SEMAPHORE_LIKELY);
	else
		weir_semaphore_wait_of_(s, kind);
}

WEIR_FN void weir_semaphore_post_of_(weir_semaphore s, uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_post(s);                                                             \
		break;
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_SEMAPHORE, s.config.kind);
		break;
	}
}

/* Never called more often than slots were taken or left free at creation: the value would pass
 * the maximum. */
WEIR_FN void weir_semaphore_post(weir_semaphore s)
{
	uint32_t kind = WEIR_SEMAPHORE_KIND_(s.config);

	WEIR_SEMAPHORE_CHECK_(s.config);
	if (WEIR_OFTEN(kind == WEIR_SEMAPHORE_LIKELY))
		weir_semaphore_post_of_(s, WEIR_SEMAPHORE_LIKELY);
	else
		weir_semaphore_post_of_(s, kind);
}

/* `n` slots at once, or none: at most the maximum. In the line it counts as one wait. */
WEIR_FN void weir_semaphore_wait_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	switch (WEIR_SEMAPHORE_KIND_(s.config)) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_wait_n(s, n);                                                        \
		break;
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_SEMAPHORE, s.config.kind);
		break;
	}
}

/* Gives `n` slots back. Like `n` posts, but at the cost of one. */
WEIR_FN void weir_semaphore_post_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	switch (WEIR_SEMAPHORE_KIND_(s.config)) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_post_n(s, n);                                                        \
		break;
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_SEMAPHORE, s.config.kind);
		break;
	}
}

/* All threads of the block call it; when it returns, the block has a slot. */
WEIR_FN void weir_semaphore_block_wait(weir_semaphore s)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait(s);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

/* All threads of the block call it; the slot is given back when the last one has. */
WEIR_FN void weir_semaphore_block_post(weir_semaphore s)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post(s);
}

#include "weir/bounded.h"

#ifdef WEIR_DIAGNOSE
#include "weir/diagnose.h"
#endif

#endif
