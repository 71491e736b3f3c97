/* The operations of a barrier of any kind. */
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

/* Words of the kind itself. weir_barrier_words counts all words of a barrier. */
WEIR_FN uint32_t weir_barrier_kind_words(weir_barrier_config config)
{
	WEIR_DISPATCH_VALUE_(BARRIER, WEIR_KIND_(BARRIER, config), _barrier_words, (config), 0);
}

/* Sets the kind's words to the state of a barrier that was passed `past` times; all zeros for 0. */
WEIR_FN void weir_barrier_start(weir_barrier b, uint32_t past)
{
	WEIR_DISPATCH_(BARRIER, WEIR_KIND_(BARRIER, b.config), _barrier_start, (b, past));
}

WEIR_FN void weir_barrier_wait_of_(weir_barrier b, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(BARRIER, kind, _barrier, (b), WEIR_REFUSE_KIND_(BARRIER, b, kind));
}

/* Every thread of every block calls it. None returns before all have called it. */
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

/* The barrier in two halves. Every thread of every block calls both, weir_barrier_await with the
 * token that weir_barrier_arrive returned to the same thread. Between them the block may do work
 * that needs nothing from other blocks. The work of a block before it arrives happens before the
 * work of every block after its await. Work between the two halves is not ordered. */
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
