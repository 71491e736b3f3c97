/* Latch: `count` arrivals open it, once in every launch. It is an event and a target.
 *
 *   weir_latch l = weir_latch_of(weir_event_at(a, i), count, weir_event_array_round(a));
 *
 * A kernel that runs once, or an array without rounds, passes the round 0. In each launch all
 * `count` arrivals come (weir/event/round.h).
 */
#ifndef WEIR_EVENT_LATCH_H
#define WEIR_EVENT_LATCH_H

#include "weir/event/api.h"
#include "weir/event/round.h"

typedef struct weir_latch {
	weir_event event;
	uint32_t target;
} weir_latch;

WEIR_FN weir_latch weir_latch_of(weir_event e, uint32_t count, uint32_t round)
{
	weir_latch l;
	l.event = e;
	l.target = weir_event_target(round, count, count);
	WEIR_NOTED_(weir_note_each_(e, count));
	return l;
}

/* Counts `n` arrivals; no thread waits for it. */
WEIR_FN void weir_latch_arrive(weir_latch l, uint32_t n WEIR_SITE_)
{
	weir_event_post(l.event, n WEIR_AT_);
}

/* The same; returns 1 to the arrival that opens the latch, which then knows what all did before. Not
 * for the kind `shards`. */
WEIR_FN int weir_latch_arrive_is_last(weir_latch l, uint32_t n WEIR_SITE_)
{
	return weir_event_signal(l.event, n WEIR_AT_) + n == l.target;
}

WEIR_FN void weir_latch_wait(weir_latch l WEIR_SITE_)
{
	weir_event_wait(l.event, l.target WEIR_AT_);
}

/* Whether it is open, as after a wait. */
WEIR_FN int weir_latch_is_open(weir_latch l WEIR_SITE_)
{
	return weir_event_reached(l.event, l.target WEIR_AT_);
}

/* All threads of the block call them. */
WEIR_FN void weir_latch_block_arrive(weir_latch l, uint32_t n WEIR_SITE_)
{
	weir_event_block_post(l.event, n WEIR_AT_);
}

WEIR_FN void weir_latch_block_wait(weir_latch l WEIR_SITE_)
{
	weir_event_block_wait(l.event, l.target WEIR_AT_);
}

#if WEIR_HAS_BLOCK_VALUE
WEIR_FN int weir_latch_block_arrive_is_last(weir_latch l, uint32_t n WEIR_SITE_)
{
	return weir_event_block_signal(l.event, n WEIR_AT_) + n == l.target;
}
#endif

#endif
