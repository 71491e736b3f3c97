/** @defgroup weir_barrier Barriers
 *
 * No block passes a barrier before all of its blocks have arrived.
 *
 * The host makes one with weir_barrier_create, for a number of blocks, or the kernel makes one in
 * zeroed memory with weir_barrier_in. All its blocks must run at once: weir_device_resident says
 * how many do.
 *
 * Every thread of every block calls an operation, except that those with a team are for one team of
 * each block. The blocks use a barrier as often as they like, all in the same order. A barrier has
 * one phase at a time: a block that has passed may arrive again at once.
 *
 * Memory order: the work of every thread of every block before a phase happens before the work of
 * every thread of every block after it.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE, teams WEIR_HAS_TEAMS.
 *
 * @code
 * __global__ void solve(weir_barrier b, float *x, int steps)
 * {
 * 	for (int i = 0; i < steps; i++) {
 * 		relax(x, weir_barrier_rank(b));
 * 		weir_barrier_wait(b);
 * 	}
 * }
 * @endcode
 */
#ifndef WEIR_BARRIER_API_H
#define WEIR_BARRIER_API_H

#include "weir/barrier/kinds.h"
#include "weir/dispatch.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/barrier.h"
#endif

#if defined(WEIR_BARRIER_KIND) && !WEIR_HAS_GRID_SYNC
typedef char weir_kind_grid_needs_WEIR_GRID_SYNC_[WEIR_BARRIER_KIND == WEIR_BARRIER_GRID ? -1 : 1];
#endif

WEIR_FN int weir_barrier_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(BARRIER, kind);
}

/** Words of the kind itself. weir_barrier_words counts all words of a barrier. */
WEIR_FN uint32_t weir_barrier_kind_words(weir_barrier_config config)
{
	WEIR_DISPATCH_VALUE_(BARRIER, WEIR_KIND_(BARRIER, config), _barrier_words, (config), 0);
}

/** Sets the kind's words to the state of a barrier that was passed `past` times; all zeros for 0.
 * One thread calls it, before the launch that uses the barrier. */
WEIR_FN void weir_barrier_start(weir_barrier b, uint32_t past)
{
	WEIR_DISPATCH_(BARRIER, WEIR_KIND_(BARRIER, b.config), _barrier_start, (b, past));
}

WEIR_FN void weir_barrier_wait_of_(weir_barrier b, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(BARRIER, kind, _barrier, (b), WEIR_REFUSE_KIND_(BARRIER, b, kind));
}

/** Waits for all blocks. Every thread of every block calls it, and none returns before all have
 * called it. */
WEIR_FN void weir_barrier_wait(weir_barrier b WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(BARRIER, b.config);
	WEIR_NOTED_(weir_notes n = weir_note_arrive_(b, site));

	WEIR_CHECK_MEMBER_(b);
	WEIR_CHECK_ONLY_(BARRIER, b, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(BARRIER, kind, weir_barrier_wait_of_, b);
	WEIR_NOTED_(weir_note_pass_(b, n));
}

WEIR_FN uint32_t weir_barrier_arrive_of_(weir_barrier b, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_RETURN_OR_(BARRIER, kind, _arrive, (b), 0,
	                         WEIR_REFUSE_KIND_(BARRIER, b, kind));
}

WEIR_FN void weir_barrier_await_of_(weir_barrier b, uint32_t kind, uint32_t token WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(BARRIER, kind, _await, (b, token), WEIR_REFUSE_KIND_(BARRIER, b, kind));
}

/** Arrives, the first half of a barrier. Every thread of every block calls it, and later
 * weir_barrier_await with the token that this call returned to the same thread. Between the two the
 * block may do work that needs nothing from other blocks, and must not use the same barrier
 * otherwise.
 *
 * The work of a block before it arrives happens before the work of every block after its await.
 * Work between the two is not ordered. */
WEIR_FN uint32_t weir_barrier_arrive(weir_barrier b WEIR_SITE_)
{
	uint32_t token;
	WEIR_NOTED_(weir_notes n = weir_note_arrive_(b, site));

	WEIR_CHECK_MEMBER_(b);
	WEIR_CHECK_ONLY_(BARRIER, b, 0);
	token = weir_barrier_arrive_of_(b, WEIR_KIND_(BARRIER, b.config) WEIR_AT_);
	WEIR_NOTED_(weir_note_arrived_(n));
	return token;
}

/** Waits for all blocks to arrive, the second half of a barrier. `token` is what
 * weir_barrier_arrive returned to this thread. */
WEIR_FN void weir_barrier_await(weir_barrier b, uint32_t token WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_note_barrier_await_(b, site));

	WEIR_CHECK_MEMBER_(b);
	WEIR_CHECK_ONLY_(BARRIER, b, WEIR_NO_RESULT_);
	weir_barrier_await_of_(b, WEIR_KIND_(BARRIER, b.config), token WEIR_AT_);
	WEIR_NOTED_(weir_note_pass_(b, n));
}

WEIR_LIST_KINDS_(BARRIER)

#endif
