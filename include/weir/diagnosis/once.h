/* Hooks of a once (weir/once/api.h).
 *
 *   a begin   notes that the block is in it. The block that initializes has the once until its end. If
 *             it begins again before that, it waits for itself, and is reported.
 *   an end    by a block that does not have the once is reported.
 *
 * When the once is done, a begin leaves no notes.
 */
#ifndef WEIR_DIAGNOSIS_ONCE_H
#define WEIR_DIAGNOSIS_ONCE_H

#include "weir/once/object.h"

/* Precedes a begin of a once that is not done. */
WEIR_NOINLINE void weir_note_once_(weir_notes n)
{
	weir_site before;

	if (n.area == 0)
		return;
	before = weir_note_site_(n);
	if (weir_note_has_(n, n.id))
		weir_note_misuse_(n, WEIR_MISUSE_BEGUN_TWICE, 0, before);
	weir_note_entry_(n, before);
}

/* The same for one that may wait for ever. */
WEIR_FN weir_doing weir_note_once_begin_(weir_notes n)
{
	weir_note_once_(n);
	return n.area != 0 ? weir_note_begin_(n, WEIR_OPERATION_BEGIN) : weir_doing_(0);
}

/* Follows it. */
WEIR_FN void weir_note_begun_(weir_notes n, int is_mine)
{
	if (n.area != 0 && is_mine)
		weir_note_held_(n, 1);
}

#endif
