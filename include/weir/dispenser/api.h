/** @defgroup weir_dispenser Dispensers
 *
 * A dispenser hands out the items of a launch, from 0 on, each to one taker.
 *
 * The host makes one with weir_dispenser_create, or the kernel makes one in zeroed memory with
 * weir_dispenser_in. A taker is a block, or a team of it. It asks for items until there are none,
 * and further calls get none. So every taker leaves once, and the last one makes the dispenser ready
 * for the next launch or the next replay of a graph, without a reset. Takers may take at the same
 * time, need not run at once, and never wait.
 *
 * Memory order: a take orders nothing. The items were there before the launch.
 *
 * Machines: those with WEIR_HAS_WORD64.
 *
 * @code
 * __global__ void rows(weir_dispenser d, float *x)
 * {
 * 	weir_share share = weir_dispenser_begin(d);
 *
 * 	while (weir_dispenser_block_next(d, &share, 8))
 * 		for (unsigned i = 0; i < share.count; i++)
 * 			work_on_row(x, share.first + i);
 * }
 * @endcode
 */

/* The operations of a dispenser, which hands out the items of a launch, from 0 on, each to one taker.
 *
 *   weir_share share = weir_dispenser_begin(d);
 *   while (weir_dispenser_block_next(d, &share, 4))
 *           for (uint32_t i = 0; i < share.count; i++)
 *                   ...                                     item share.first + i
 *
 *   state    (next, left), 0 at first; n takers in all, each with s items to begin with
 *   next k   first returns the taker's own s items, from s * rank on, if s is not 0 and there are any.
 *            Then (x, l) -> (x+k, l), and up to k items from n * s + x on; or none when these are past the
 *            last one. Then it leaves: (x, l) -> (x, l+1), and the last taker: -> (0, 0)
 *
 * A taker is a block, or a team of it. It takes until it gets none; further calls get none either. So every taker
 * leaves once, and the last one makes the dispenser ready for the next launch. No reset is needed, either between
 * launches of a stream or in replays of a graph. Blocks need not run at once, and may end in any order. The next launch
 * may have another number of items or of blocks. After a launch that was aborted, or one whose takers stopped early,
 * the host resets the dispenser.
 * One atomic for each group of items, and one more when a taker leaves. Nothing waits.
 * `next` has 64 bits, so that takes past the end never come round to an item.
 *
 * A take orders nothing: the items were there before the launch. Takers that leave acquire and release,
 * so that the last one writes `next` after all takes of the others. Without items, a take gets none whatever it reads,
 * so its result alone does not order it before that write.
 */
#ifndef WEIR_DISPENSER_API_H
#define WEIR_DISPENSER_API_H

#include "weir/dispenser/object.h"

#if WEIR_HAS_WORD64

/** The same dispenser for a launch of `items` items. All takers of a launch use the same number. */
WEIR_FN weir_dispenser weir_dispenser_of(weir_dispenser d, uint32_t items)
{
	d.config.items = items;
	return d;
}

WEIR_FN uint32_t weir_dispenser_takers_(weir_dispenser d)
{
	return weir_block_count() * d.config.takers;
}

/* Up to `n` items from `first` on. */
WEIR_FN weir_share weir_dispenser_share_(weir_dispenser d, uint64_t first, uint32_t n)
{
	weir_share share;

	share.first = (uint32_t)first;
	share.count = 0;
	share.state = WEIR_SHARE_TAKES;
	if (first < d.config.items)
		share.count = d.config.items - share.first < n ? d.config.items - share.first : n;
	return share;
}

/* The taker gets no more. */
WEIR_FN void weir_dispenser_leave_(weir_dispenser d)
{
	/* Release: this taker takes no more. Acquire: nor does any other, if it is the last. Each pairs
	 * with the other, in this add of other takers. */
	uint32_t left = weir_add_acq_rel(weir_dispenser_left_(d), 1) + 1;

	if (left == weir_dispenser_takers_(d)) {
		/* Relaxed: the next launch is ordered after this one. */
		weir_store64_rlx(weir_dispenser_next_(d), 0);
		weir_store_rlx(weir_dispenser_left_(d), 0);
	}
}

/* The next `n` items, or the rest if fewer are left. A count of 0 means that the taker has left,
 * and does not take again. */
WEIR_FN weir_share weir_dispenser_take_(weir_dispenser d, uint32_t n WEIR_SITE_)
{
	weir_share share;
	uint64_t first;
	WEIR_NOTED_(weir_notes notes);

	WEIR_NOTED_(notes =
	                weir_notes_open_at_(d.words, d.config.id, site, WEIR_FIRST_NEXT, d.words));
	WEIR_NOTED_(if (weir_notes_left_out_(notes)) return weir_dispenser_share_(d, 0, 0));
	if (!WEIR_LIKELY(n != 0))
		WEIR_REFUSE_(d, WEIR_FAULT_SHARE, 0, weir_dispenser_share_(d, 0, 0));
	WEIR_NOTED_(if (notes.area != 0 &&
	                weir_note_get_(notes.mine, WEIR_NOTE_COUNT(notes.id)) == d.config.takers)
	                weir_note_misuse_(notes, WEIR_MISUSE_AFTER_NONE, 0, 0));
	/* Relaxed: the items were there before the launch. */
	first = weir_add64_rlx(weir_dispenser_next_(d), n);
	first += (uint64_t)d.config.share * weir_dispenser_takers_(d);
	share = weir_dispenser_share_(d, first, n);
	if (share.count == 0)
		weir_dispenser_leave_(d);
	WEIR_NOTED_(if (share.count == 0) weir_note_arrival_(notes); weir_area_leave_());
	return share;
}

/** A taker of this launch, by its rank from 0 on, which has no items yet. With config.takers teams in each
 * block, that of a team is weir_block_id() * config.takers + the number of the team in its block. */
WEIR_FN weir_share weir_dispenser_begin_at(weir_dispenser d, uint32_t rank)
{
	weir_share share;

	(void)d;
	share.first = rank;
	share.count = 0;
	share.state = WEIR_SHARE_NEW;
	return share;
}

/** The same for a block, whose rank is its number. */
WEIR_FN weir_share weir_dispenser_begin(weir_dispenser d)
{
	return weir_dispenser_begin_at(d, weir_block_id() * d.config.takers);
}

/* Whether the taker has its own items now, which come before all others. */
WEIR_FN int weir_dispenser_owns_(weir_dispenser d, weir_share *share)
{
	if (share->state != WEIR_SHARE_NEW)
		return 0;
	*share = weir_dispenser_share_(d, (uint64_t)d.config.share * share->first, d.config.share);
	return share->count != 0;
}

/* Puts a take in the place of the share. */
WEIR_FN int weir_dispenser_got_(weir_share *share, weir_share taken)
{
	*share = taken;
	if (taken.count == 0)
		share->state = WEIR_SHARE_ENDED;
	return taken.count != 0;
}

/** The next items of this taker: its own at first (config.share), then `n`, or the rest if fewer are left. One thread
 * calls it for its block. Returns 0, with a count of 0, once there are no more, and in every call after that. */
WEIR_FN int weir_dispenser_next(weir_dispenser d, weir_share *share, uint32_t n WEIR_SITE_)
{
	if (weir_dispenser_owns_(d, share))
		return 1;
	return share->state != WEIR_SHARE_ENDED &&
	       weir_dispenser_got_(share, weir_dispenser_take_(d, n WEIR_AT_));
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* The share that thread 0 of the team passes. A count follows from `first`: it is not passed on. */
WEIR_FN weir_share weir_dispenser_tell_(weir_dispenser d, weir_share share, uint32_t n,
                                        weir_team team)
{
	uint32_t none = 0xffffffffu;
	uint32_t first = weir_team_value(team, share.count != 0 ? share.first : none);

	return weir_dispenser_share_(d, first, n);
}

/** The same for all threads of a team, each with a share of its own: all get the same items. The handle counts
 * the teams of a block that take (config.takers). Where WEIR_HAS_TEAMS and WEIR_HAS_BLOCK_VALUE. */
WEIR_FN int weir_dispenser_team_next(weir_dispenser d, weir_share *share, uint32_t n,
                                     weir_team team WEIR_SITE_)
{
	weir_share taken;

	if (weir_dispenser_owns_(d, share))
		return 1;
	if (share->state == WEIR_SHARE_ENDED)
		return 0;
	taken.first = 0;
	taken.count = 0;
	taken.state = WEIR_SHARE_TAKES;
	/* All threads of the team leave it out, since its leader does. */
	WEIR_NOTED_(if (n == 0)
	                WEIR_REFUSE_(d, WEIR_FAULT_SHARE, 0, weir_dispenser_got_(share, taken)));
	weir_team_sync(team); /* all have read the items before */
	if (weir_team_rank(team) == 0)
		taken = weir_dispenser_take_(d, n WEIR_AT_);
	return weir_dispenser_got_(share, weir_dispenser_tell_(d, taken, n, team));
}

/** The same for all threads of a block. Where WEIR_HAS_TEAMS and WEIR_HAS_BLOCK_VALUE. */
WEIR_FN int weir_dispenser_block_next(weir_dispenser d, weir_share *share, uint32_t n WEIR_SITE_)
{
	return weir_dispenser_team_next(d, share, n, weir_team_block() WEIR_AT_);
}

#endif

#endif

#endif
