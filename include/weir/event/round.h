/* Rounds: targets that hold for one launch of many, without a reset between them.
 *
 *   state    (left, round), two words in front of the events, 0 at first
 *   round    returns r, the number of launches that have left the array before this one
 *   leave    (l, r) -> (l+s, r), as weir/leave.h has it; the last block: -> (l+s, r+1)
 *
 * In each launch an event gets the same number of signals, `each`, added up. So it begins launch r
 * at r * each, and `count` signals of this launch bring it to r * each + count. The same code is
 * right in every launch and in every replay of a graph:
 *
 *   uint32_t round = weir_event_array_round(a);
 *   weir_event_wait(weir_event_at(a, i), weir_event_target(round, each, count));
 *   ...
 *   weir_event_array_block_leave(a);
 *
 * Every block of the launch leaves once, even one that used no event, and does not ask for the round
 * after that. weir/leave.h says which block is the last, and why the count of blocks that left may
 * wrap. A launch that was aborted has left no round: the host then resets the array. One atomic for
 * each block and launch. Targets are computed modulo 2^32, as counts are.
 */
#ifndef WEIR_EVENT_ROUND_H
#define WEIR_EVENT_ROUND_H

#include "weir/event/object.h"
#include "weir/leave.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/event.h"
#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_event_left_(weir_event_array a)
{
	return &a.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_event_round_(weir_event_array a)
{
	return &a.words[a.config.pitch];
}

/** Sets the state of an array that `past` launches have left; zeros for 0. One thread calls it,
 * before the launch that uses the array. */
WEIR_FN void weir_event_array_round_start(weir_event_array a, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_event_left_(a), past * WEIR_LEFT_STEP);
	weir_store_rlx(weir_event_round_(a), past);
}

/** The number of this launch, from 0. Any thread may ask, as often as it likes, until its block
 * leaves (weir_event_array_leave). */
WEIR_FN uint32_t weir_event_array_round(weir_event_array a WEIR_SITE_)
{
	WEIR_NOTED_(weir_note_round_(a, site));
	/* Relaxed: the previous launch wrote it, and this launch changes it only after all blocks
	 * have asked. */
	return weir_load_rlx(weir_event_round_(a));
}

/** The count of an event after `count` signals of the launch `round`, if it gets `each` signals,
 * added up, in every launch. */
WEIR_FN uint32_t weir_event_target(uint32_t round, uint32_t each, uint32_t count)
{
	WEIR_NOTED_(weir_each_put_(each));
	return round * each + count;
}

/** Leaves the array in this launch. One thread calls it for its block, once, and every block of
 * the launch does, even one that used no event. Returns 1 to the last block, which then knows
 * what all others did before they left; else 0. After a launch that was aborted, the host resets
 * the array. */
WEIR_FN int weir_event_array_leave(weir_event_array a)
{
	if (!weir_leave_(weir_event_left_(a)))
		return 0;
	/* Relaxed: the next launch is ordered after this one, and no other block writes it. */
	weir_store_rlx(weir_event_round_(a), weir_load_rlx(weir_event_round_(a)) + 1);
	return 1;
}

/** weir_event_array_leave for a block. All threads of the block call it, and thread 0 leaves when
 * all of them have. Returns 1 only to thread 0 of the last block. */
WEIR_FN int weir_event_array_block_leave(weir_event_array a)
{
	weir_block_sync(); /* the block's work precedes the leader's release */
	return weir_thread_id() == 0 ? weir_event_array_leave(a) : 0;
}

#endif
