/* Hooks of a dispenser (weir/dispenser/api.h).
 *
 *   a take     that gets none is counted. One more after as many as the block has takers is reported.
 *   a launch   whose first take finds that items are gone already reports it.
 *
 * Nothing waits, so that there is nothing else to note.
 */
#ifndef WEIR_DISPENSER_API_H
#include "weir/dispenser/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_DISPENSER_H
#define WEIR_DIAGNOSIS_DISPENSER_H

#include "weir/diagnosis/left.h"

#if WEIR_HAS_WORD64

WEIR_NOINLINE uint64_t weir_dispenser_begin_(weir_dispenser d, weir_site site)
{
	uint64_t address = weir_notes_first_(d.words - WEIR_HEADER_WORDS, d.config.id, site);
	weir_notes n = weir_notes_at_(address, d.config.id, site);
	uint64_t next;

	if (address == 0 || weir_note_get_(n.mine, WEIR_NOTE_SITE(n.id)) != 0)
		return address;
	/* Relaxed: the launches are in order. */
	next = weir_load64_rlx(weir_dispenser_next_(d));
	if (weir_note_came_(n, d.words) && next != 0)
		weir_note_misuse_(n, WEIR_MISUSE_MIDDLE, 0, next);
	return address;
}

WEIR_FN weir_notes weir_dispenser_open_(weir_dispenser d, weir_site site)
{
	uint64_t address;

	if (d.config.id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, d.config.id, site);
	address = weir_area_begun_(d.config.id);
	if (!WEIR_LIKELY(address != 0))
		address = weir_dispenser_begin_(d, site);
	return weir_notes_at_(address, d.config.id, site);
}

/* Precedes a take. */
WEIR_FN void weir_note_take_(weir_notes n, weir_dispenser d)
{
	if (n.area != 0 &&
	    !WEIR_LIKELY(weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)) != d.config.takers))
		weir_note_misuse_(n, WEIR_MISUSE_AFTER_NONE, 0, 0);
}

/* Follows it. */
WEIR_FN void weir_note_taken_(weir_notes n, weir_share share)
{
	if (n.area != 0 && share.count == 0)
		weir_note_add_(n.mine, WEIR_NOTE_COUNT(n.id), 1);
	weir_area_leave_();
}

#if WEIR_HAS_TEAMS

/* All threads of a team leave out a take of nothing: they may not meet any more. */
WEIR_FN int weir_dispenser_team_refuses_(weir_dispenser d, uint32_t n, weir_team team,
                                         weir_site site)
{
	if (WEIR_LIKELY(n != 0))
		return 0;
	weir_note_fault_by_(d.words, d.config.id, site, WEIR_FAULT_SHARE, 0,
	                    weir_team_rank(team) == 0);
	return 1;
}

#endif

#endif

#endif
