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

#if WEIR_HAS_WORD64

WEIR_FN weir_notes weir_dispenser_open_(weir_dispenser d, weir_site site)
{
	return weir_notes_open_at_(d.words, d.config.id, site, WEIR_FIRST_NEXT, d.words);
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

#endif

#endif
