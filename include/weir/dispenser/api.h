/* The operations of a dispenser, which hands out the items of a launch, from 0 on, each to one taker.
 *
 *   state    (next, left), 0 at first; n takers in all, each with s items to begin with
 *   first    returns s items from s * rank on
 *   take k   (x, l) -> (x+k, l); returns up to k items from n * s + x on, or none when these are
 *            past the last one. Then it leaves: (x, l) -> (x, l+1), and the last taker: -> (0, 0)
 *
 * A taker is a block, or a team of it. It takes until it gets none, and then takes no more. So every
 * taker leaves once, the last one makes the dispenser ready for the next launch, and nothing needs a
 * reset: not between launches of a stream, and not in replays of a graph. Blocks need not run at once,
 * and may end in any order. The next launch may have another number of items or of blocks. After a
 * launch that was aborted, or one whose takers stopped early, the host resets the dispenser.
 * One atomic for each take, and one more when a taker leaves. Nothing waits.
 * `next` has 64 bits, so that takes past the end never come round to an item.
 *
 * A take orders nothing: the items were there before the launch. Takers that leave acquire and release,
 * so that the last one writes `next` after all takes of the others. Where there are no items to take,
 * no take could tell that it came too late.
 */
#ifndef WEIR_DISPENSER_API_H
#define WEIR_DISPENSER_API_H

#include "weir/dispenser/object.h"

#if WEIR_HAS_WORD64

/* The same dispenser for a launch of so many items. All takers of a launch use the same number. */
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

/* The next `n` items, or as many as are left. One thread takes for its block. After it got none, it
 * takes no more in this launch. */
WEIR_FN weir_share weir_dispenser_take(weir_dispenser d, uint32_t n WEIR_SITE_)
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

/* The items that taker `rank` of the launch has without an atomic, before it takes: config.share of
 * them. Without such shares, and where the items do not suffice for this one, it is a take. The rank of
 * a block is its number. */
WEIR_FN weir_share weir_dispenser_first(weir_dispenser d, uint32_t rank, uint32_t n WEIR_SITE_)
{
	weir_share share =
	    weir_dispenser_share_(d, (uint64_t)d.config.share * rank, d.config.share);

	return share.count != 0 ? share : weir_dispenser_take(d, n WEIR_AT_);
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

/* All threads of the team call it, and all get the same share. The handle counts the teams of a block
 * that take (config.takers). */
WEIR_FN weir_share weir_dispenser_team_take(weir_dispenser d, uint32_t n, weir_team team WEIR_SITE_)
{
	weir_share share;

	share.first = 0;
	share.count = 0;
	/* All threads of the team leave it out, since its leader does. */
	WEIR_NOTED_(if (n == 0) WEIR_REFUSE_(d, WEIR_FAULT_SHARE, 0, share));
	weir_team_sync(team); /* all have read the share before */
	if (weir_team_rank(team) == 0)
		share = weir_dispenser_take(d, n WEIR_AT_);
	return weir_dispenser_tell_(d, share, n, team);
}

/* All threads of the block call it, and all get the same share. */
WEIR_FN weir_share weir_dispenser_block_take(weir_dispenser d, uint32_t n WEIR_SITE_)
{
	return weir_dispenser_team_take(d, n, weir_team_block() WEIR_AT_);
}

/* All threads of the block call it: the share that it has without an atomic. */
WEIR_FN weir_share weir_dispenser_block_first(weir_dispenser d, uint32_t n WEIR_SITE_)
{
	weir_share share =
	    weir_dispenser_share_(d, (uint64_t)d.config.share * weir_block_id(), d.config.share);

	return share.count != 0 ? share : weir_dispenser_block_take(d, n WEIR_AT_);
}

#endif

#endif

#endif
