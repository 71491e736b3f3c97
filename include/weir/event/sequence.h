/* Sequence: an ordered section. Place i enters after place i - 1 has left, as in ordered output and
 * in scans that look back. It is an event that counts the places that have left.
 *
 *   weir_sequence s = weir_sequence_of(weir_event_at(a, i), places, weir_event_array_round(a));
 *   weir_sequence_begin(s, place);   ...   weir_sequence_end(s);
 *
 * Places go from 0 to places - 1, and each is taken once in every launch. A kernel that runs once, or
 * an array without rounds, passes the round 0. A place waits for all before it. So they must be
 * running or done, as blocks are that take their places from a counter when they begin.
 */
#ifndef WEIR_EVENT_SEQUENCE_H
#define WEIR_EVENT_SEQUENCE_H

#include "weir/event/api.h"
#include "weir/event/round.h"

/** A sequence: an ordered section that place i enters after place i - 1 has left it, as in ordered
 * output and in scans that look back. It is an event that counts the places that have left.
 *
 * @code
 * weir_sequence s = weir_sequence_of(weir_event_at(a, 0), gridDim.x, weir_event_array_round(a));
 * weir_sequence_block_begin(s, blockIdx.x);
 * append(output, result); // the blocks in order
 * weir_sequence_block_end(s);
 * @endcode
 */
typedef struct weir_sequence {
	weir_event event; /**< counts the places that have left */
	uint32_t begin;   /**< the count at which place 0 enters in this launch */
} weir_sequence;

/** A sequence of `places` places over an event, in the launch `round` (weir_event_array_round); 0
 * for a kernel that runs once. Each place is taken once in every launch. Any thread may make it. */
WEIR_FN weir_sequence weir_sequence_of(weir_event e, uint32_t places, uint32_t round)
{
	weir_sequence s;
	s.event = e;
	s.begin = weir_event_target(round, places, 0);
	WEIR_NOTED_(weir_note_each_(e, places));
	return s;
}

/** Enters as `place`, from 0 to places - 1: waits until all places before it have left. These must
 * be running or done, as blocks are that take their places from a counter when they begin. */
WEIR_FN void weir_sequence_begin(weir_sequence s, uint32_t place WEIR_SITE_)
{
	weir_event_wait(s.event, s.begin + place WEIR_AT_);
}

/** Leaves, and lets the next place enter. */
WEIR_FN void weir_sequence_end(weir_sequence s WEIR_SITE_)
{
	weir_event_post(s.event, 1 WEIR_AT_);
}

/** weir_sequence_begin for a block. All threads of the block call it. */
WEIR_FN void weir_sequence_block_begin(weir_sequence s, uint32_t place WEIR_SITE_)
{
	weir_event_block_wait(s.event, s.begin + place WEIR_AT_);
}

/** weir_sequence_end for a block. All threads of the block call it. */
WEIR_FN void weir_sequence_block_end(weir_sequence s WEIR_SITE_)
{
	weir_event_block_post(s.event, 1 WEIR_AT_);
}

#endif
