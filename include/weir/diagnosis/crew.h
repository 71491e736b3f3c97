/* Hooks of a crew (weir/crew/api.h).
 *
 *   an arrival   is counted. An arrival in a lane that the crew does not have ends the launch. An arrival in a
 *                lane that another block of the rank is using is reported, and so is an arrival at the barrier
 *                of all blocks if the grid's blocks are not the crew's.
 *   an await     notes that the block is in it, its lane, and whether it waits for other ranks or for blocks of
 *                its own rank. An await with the token of a phase that has passed is reported.
 *   an event     that is waited for is noted by its rank, its index and the target.
 *
 * Thread 0 of a block reports. A third word in the line of a lane holds the block that is in the lane, plus
 * one, and, above that, bits of the launch. Unlike elsewhere, waits with a deadline leave notes: a block may
 * start them again with the same token.
 */
#ifndef WEIR_CREW_API_H
#include "weir/crew/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_CREW_H
#define WEIR_DIAGNOSIS_CREW_H

/* The words after the header of a diagnosed crew, which correspond to the words of other objects. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_noted_(weir_crew c)
{
	return c.words + 2 * WEIR_LINE_WORDS + WEIR_HEADER_WORDS;
}

#if WEIR_HAS_BLOCK_VALUE

WEIR_FN weir_notes weir_crew_notes_(weir_crew c, weir_site site)
{
	return weir_notes_open_(weir_crew_noted_(c), weir_thread_id() == 0 ? c.config.id : 0, site);
}

WEIR_FN WEIR_GLOBAL weir_word *weir_crew_user_(weir_crew c, uint32_t lane)
{
	return weir_crew_begun_(c, c.words, lane) + 1;
}

/* Called before an arrival of all blocks. Reports a grid that lacks some of the crew's blocks, and a block that
 * is not one of them. */
WEIR_FN void weir_note_crew_arrive_(weir_crew c, weir_site site)
{
	weir_notes n = weir_crew_notes_(c, site);

	if (n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_arrival_(n);
		if (!WEIR_LIKELY(weir_block_id() - c.config.first_block < c.config.blocks &&
		                 c.config.first_block + c.config.blocks <= weir_block_count()))
			weir_note_misuse_(n, WEIR_MISUSE_CREW_BLOCKS, 0, weir_block_count());
	}
	weir_area_leave_();
}

/* Notes that the block is in the lane, and reports any other block in it. */
WEIR_FN void weir_note_lane_(weir_notes n, weir_crew c, uint32_t lane)
{
	uint32_t launch = weir_note_get_(n.mine, WEIR_NOTE_LAUNCH) * (2 * WEIR_BLOCKS);
	/* Relaxed: blocks that take turns in a lane synchronize with each other. */
	uint32_t before = weir_xchg_rlx(weir_crew_user_(c, lane), launch | (weir_block_id() + 1));

	/* A value of an earlier launch is ignored: its block ended in the lane, perhaps because of an abort. */
	if (!WEIR_LIKELY(before == 0) && before - launch < 2 * WEIR_BLOCKS)
		weir_note_misuse_(n, WEIR_MISUSE_LANE_SHARED, 0,
		                  (uint64_t)lane << 32 | (before - launch - 1));
}

/* Called before an arrival in a lane. Returns 0 if the lane does not exist: its words would belong to something else. */
WEIR_FN int weir_note_lane_arrive_(weir_crew c, uint32_t lane, weir_site site)
{
	weir_notes n = weir_crew_notes_(c, site);

	if (!WEIR_LIKELY(lane < c.config.lanes)) {
		weir_note_fault_(weir_crew_noted_(c), c.config.id, site, WEIR_FAULT_LANE, lane);
		return 0;
	}
	if (n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_arrival_(n);
		weir_note_lane_(n, c, lane);
	}
	weir_area_leave_();
	return 1;
}

/* Reports the token of a phase that has passed. Until the block has waited with its token, no later phase can open. */
WEIR_FN void weir_note_token_(weir_notes n, weir_crew c, const weir_crew_token *t)
{
	/* Relaxed, both: only this block, or a block that waits for it, moves them past the token. */
	uint32_t now = weir_load_rlx(t->crosses ? weir_crew_passed_(c, c.words, t->lane)
	                                        : weir_crew_own_open_(c));
	uint32_t then = t->crosses ? t->epoch - 1 : t->all;

	if (!WEIR_LIKELY((int32_t)(now - then) <= 0))
		weir_note_misuse_(n, WEIR_MISUSE_TOKEN, 0, t->lane);
}

/* Called before an await. */
WEIR_FN weir_doing weir_note_crew_await_(weir_notes n, weir_crew c, const weir_crew_token *t)
{
	if (n.area == 0)
		return weir_doing_(0);
	weir_note_token_(n, c, t);
	weir_note_keep_(n.mine, WEIR_NOTE_LANE, t->lane << 1 | t->crosses);
	return weir_note_enter_(n, WEIR_OPERATION_CREW);
}

/* Called after the wait of an await, before other threads learn that it has ended. */
WEIR_FN void weir_note_awaited_(weir_notes n, weir_crew c, const weir_crew_token *t,
                                weir_status result)
{
	if (n.area != 0 && result == WEIR_OK && t->lane < c.config.lanes)
		weir_store_rlx(weir_crew_user_(c, t->lane), 0); /* relaxed, like the exchange */
}

#endif

#if WEIR_HAS_DEADLINE

/* The rank that has the event, plus one; 0: none. */
WEIR_FN uint32_t weir_crew_rank_of_(weir_crew c, weir_event e)
{
	WEIR_NO_UNROLL
	for (uint32_t rank = 0; rank < c.config.ranks; rank++)
		if (weir_crew_reaches(c, rank) &&
		    weir_crew_event(c, rank, e.config.index).words == e.words)
			return rank + 1;
	return 0;
}

/* Called before a wait for an event that has not reached its target. */
WEIR_NOINLINE weir_doing weir_note_crew_event_(weir_notes n, weir_crew c, weir_event e,
                                               uint32_t target)
{
	weir_doing doing = weir_note_enter_(n, WEIR_OPERATION_WAIT);

	if (doing.note == 0)
		return doing; /* another thread of the block reports */
	weir_note_keep_(n.mine, WEIR_NOTE_INDEX, e.config.index);
	weir_note_keep_(n.mine, WEIR_NOTE_RANGE, weir_crew_rank_of_(c, e));
	weir_note_keep_(n.mine, WEIR_NOTE_TARGET, target);
	return doing;
}

#endif

#endif
