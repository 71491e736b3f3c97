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

/** A latch: `count` arrivals open it, once in every launch. It is an event and a target.
 *
 * @code
 * weir_latch loaded = weir_latch_of(weir_event_at(a, 0), gridDim.x, weir_event_array_round(a));
 * weir_latch_block_arrive(loaded, 1);
 * weir_latch_block_wait(loaded); // all blocks have arrived
 * @endcode
 */
typedef struct weir_latch {
	weir_event event; /**< counts the arrivals */
	uint32_t target;  /**< the count that opens it in this launch */
} weir_latch;

/** A latch for `count` arrivals over an event, in the launch `round` (weir_event_array_round); 0
 * for a kernel that runs once. All `count` arrivals must happen in each launch. Any thread may make
 * it. */
WEIR_FN weir_latch weir_latch_of(weir_event e, uint32_t count, uint32_t round)
{
	weir_latch l;
	l.event = e;
	l.target = weir_event_target(round, count, count);
	WEIR_NOTED_(weir_note_each_(e, count));
	return l;
}

/** Counts `n` arrivals. No thread waits for the result. */
WEIR_FN void weir_latch_arrive(weir_latch l, uint32_t n WEIR_SITE_)
{
	weir_event_post(l.event, n WEIR_AT_);
}

/** weir_latch_arrive that returns 1 to the arrival that opens the latch, which then knows what all
 * others did before. Not for the kind `shards`. */
WEIR_FN int weir_latch_arrive_is_last(weir_latch l, uint32_t n WEIR_SITE_)
{
	return weir_event_signal(l.event, n WEIR_AT_) + n == l.target;
}

/** Waits until the latch is open. */
WEIR_FN void weir_latch_wait(weir_latch l WEIR_SITE_)
{
	weir_event_wait(l.event, l.target WEIR_AT_);
}

/** Looks once. If it returns 1, the latch is open, as after a wait. */
WEIR_FN int weir_latch_is_open(weir_latch l WEIR_SITE_)
{
	return weir_event_reached(l.event, l.target WEIR_AT_);
}

/** weir_latch_arrive for a block. All threads of the block call it. */
WEIR_FN void weir_latch_block_arrive(weir_latch l, uint32_t n WEIR_SITE_)
{
	weir_event_block_post(l.event, n WEIR_AT_);
}

/** weir_latch_wait for a block. All threads of the block call it. */
WEIR_FN void weir_latch_block_wait(weir_latch l WEIR_SITE_)
{
	weir_event_block_wait(l.event, l.target WEIR_AT_);
}

#if WEIR_HAS_BLOCK_VALUE
/** weir_latch_arrive_is_last for a block. All threads of the block call it, and all of them get
 * the same answer. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN int weir_latch_block_arrive_is_last(weir_latch l, uint32_t n WEIR_SITE_)
{
	return weir_event_block_signal(l.event, n WEIR_AT_) + n == l.target;
}
#endif

#endif
