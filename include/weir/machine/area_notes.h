/* The notes of a machine that keeps them only in the area (weir/diagnosis/notes.h). A machine that keeps notes
 * itself defines its own versions. Relaxed, all: only this block writes them, and the host reads them while it
 * runs.
 */
#ifndef WEIR_DIAGNOSIS_NOTES_H
#include "weir/diagnosis/notes.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_AREA_NOTES_H
#define WEIR_MACHINE_AREA_NOTES_H

#ifndef WEIR_HAS_NOTE_ACCESSES

WEIR_FN uint32_t weir_note_get_(WEIR_GLOBAL weir_word *notes, uint32_t index)
{
	return weir_load_rlx(notes + index);
}

/* Writes a note to the block's own copy. weir_note_put_ also shows it to the host. */
WEIR_FN void weir_note_keep_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t value)
{
	weir_store_rlx(notes + index, value);
}

#define weir_note_put_ weir_note_keep_

/* The same for a site, whose lower word is written last. */
WEIR_FN void weir_note_keep_pair_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint64_t value)
{
	weir_note_keep_(notes, index + 1, (uint32_t)(value >> 32));
	weir_note_keep_(notes, index, (uint32_t)value);
}

/* Adds to a note in the block's own copy. */
WEIR_FN void weir_note_add_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t addend)
{
	weir_note_keep_(notes, index, weir_note_get_(notes, index) + addend);
}

/* Changes the note to `to` if it is `from`. Returns its old value. */
WEIR_FN uint32_t weir_note_swap_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t from,
                                 uint32_t to)
{
	return weir_cas_rlx(notes + index, from, to);
}

#endif

/* A machine that must know of the wait for another thread defines these. */
#ifndef weir_claim_again_
#define weir_claim_begin_() ((void)0)
#define weir_claim_again_() ((void)0)
#endif

/* Several threads may use the block's first object of a launch at once. One of them makes the notes, and the
 * others wait for it. Returns whether the caller is the one that makes them. */
WEIR_FN int weir_notes_claim_(uint64_t address, WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	uint32_t before;

	weir_area_set_(address);
	weir_claim_begin_();
	for (;;) {
		before = weir_load_acq(notes + WEIR_NOTE_LAUNCH); /* pairs with the release below */
		if (before == launch)
			return 0;
		/* Relaxed: it only decides which thread makes the notes. */
		if (before != WEIR_LAUNCH_BEGINS &&
		    weir_cas_rlx(notes + WEIR_NOTE_LAUNCH, before, WEIR_LAUNCH_BEGINS) == before)
			return 1;
		weir_claim_again_();
	}
}

WEIR_FN void weir_notes_claimed_(WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	weir_store_rel(notes + WEIR_NOTE_LAUNCH, launch); /* pairs with the acquire above */
}

/* The number of the launch. Relaxed: the host wrote it before the launch. */
WEIR_FN uint32_t weir_notes_launch_(WEIR_GLOBAL weir_word *area)
{
	return weir_load_rlx(area + WEIR_AREA_LAUNCH);
}

/* The address of the leader's note `doing`, to clear it without a search; 0: not known. */
#define weir_note_place_(doing) 0
#define weir_note_clear_(place) ((void)(place))

/* Whether an operation can keep notes, which means that it has found the area. */
#define weir_notes_usable_(notes) ((notes).area != 0)

/* The address of the area if the machine knows that the block has used the object in this launch, otherwise
 * 0. */
#define weir_area_begun_(id) ((uint64_t)0)

/* The block's notes, found through the header of an object that it uses. */
WEIR_FN WEIR_GLOBAL weir_word *weir_notes_here_(WEIR_GLOBAL weir_word *header)
{
	return weir_notes_of_(weir_area_at_(weir_pair_load_(header + WEIR_HEADER_AREA)));
}

#endif
