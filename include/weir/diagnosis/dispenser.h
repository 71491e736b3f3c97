/* Diagnosis of dispensers: the part of weir/diagnose.h for them. Each function of weir/dispenser
 * becomes a macro that passes its call site to a function of the same name with _at_.
 *
 *   a take     that gets none is counted. One more after as many as the block has takers is reported.
 *   a launch   whose first take finds that items are gone already reports it.
 *
 * Nothing waits, so that there is nothing else to note.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_DISPENSER_H
#define WEIR_DIAGNOSIS_DISPENSER_H

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

/* Whether the launch has been aborted, or the take is of nothing: it is left out. */
WEIR_FN int weir_dispenser_refuses_(weir_notes notes, weir_dispenser d, uint32_t n, int tells)
{
	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(notes))
		return 1;
	return !WEIR_LIKELY(n != 0) &&
	       weir_note_fault_by_(d.words, d.config.id, notes.site, WEIR_FAULT_SHARE, 0, tells);
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

WEIR_FN weir_share weir_dispenser_take_at_(weir_dispenser d, uint32_t n, weir_site site)
{
	weir_notes notes = weir_dispenser_open_(d, site);
	weir_share share;

	share.first = 0;
	share.count = 0;
	if (weir_dispenser_refuses_(notes, d, n, 1))
		return share;
	weir_note_take_(notes, d);
	share = weir_dispenser_take(d, n);
	weir_note_taken_(notes, share);
	return share;
}

WEIR_FN weir_share weir_dispenser_first_at_(weir_dispenser d, uint32_t rank, uint32_t n,
                                            weir_site site)
{
	weir_share share =
	    weir_dispenser_share_(d, (uint64_t)d.config.share * rank, d.config.share);

	return share.count != 0 ? share : weir_dispenser_take_at_(d, n, site);
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* Thread 0 of the team speaks. */
WEIR_FN weir_share weir_dispenser_team_take_at_(weir_dispenser d, uint32_t n, weir_team team,
                                                weir_site site)
{
	int speaks = weir_team_rank(team) == 0;
	weir_notes notes = speaks ? weir_dispenser_open_(d, site) : weir_notes_at_(0, 0, site);
	weir_share share;

	share.first = 0;
	share.count = 0;
	if (weir_dispenser_refuses_(notes, d, n, speaks))
		return share;
	weir_note_take_(notes, d);
	share = weir_dispenser_team_take(d, n, team);
	weir_note_taken_(notes, share);
	return share;
}

WEIR_FN weir_share weir_dispenser_block_first_at_(weir_dispenser d, uint32_t n, weir_site site)
{
	weir_share share =
	    weir_dispenser_share_(d, (uint64_t)d.config.share * weir_block_id(), d.config.share);

	return share.count != 0 ? share
	                        : weir_dispenser_team_take_at_(d, n, weir_team_block(), site);
}

#define weir_dispenser_team_take(d, n, team) weir_dispenser_team_take_at_(d, n, team, WEIR_HERE_)
#define weir_dispenser_block_take(d, n) weir_dispenser_team_take(d, n, weir_team_block())
#define weir_dispenser_block_first(d, n) weir_dispenser_block_first_at_(d, n, WEIR_HERE_)

#endif

#define weir_dispenser_take(d, n) weir_dispenser_take_at_(d, n, WEIR_HERE_)
#define weir_dispenser_first(d, rank, n) weir_dispenser_first_at_(d, rank, n, WEIR_HERE_)

#endif

#endif
