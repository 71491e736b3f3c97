/* The notes of objects that every block of a launch leaves (weir/leave.h). */
#ifndef WEIR_DIAGNOSIS_LEFT_H
#define WEIR_DIAGNOSIS_LEFT_H

#include "weir/leave.h"

/* Opens an operation on an object that every block of a launch leaves (weir/leave.h). */
WEIR_NOINLINE uint64_t weir_left_first_(WEIR_GLOBAL weir_word *words, uint32_t id,
                                        WEIR_GLOBAL weir_word *left, weir_site site)
{
	uint64_t address = weir_notes_first_(words - WEIR_HEADER_WORDS, id, site);
	weir_notes n = weir_notes_at_(address, id, site);
	uint32_t before;

	if (address == 0 || weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) != 0)
		return address;
	/* Relaxed: the launches are in order. */
	before = weir_load_rlx(left) & (WEIR_LEFT_STEP - 1);
	if (weir_note_came_(n, words) && before != 0)
		weir_note_misuse_(n, WEIR_MISUSE_NOT_LEFT, 0, before);
	return address;
}

WEIR_FN weir_notes weir_left_open_(WEIR_GLOBAL weir_word *words, uint32_t id,
                                   WEIR_GLOBAL weir_word *left, weir_site site)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, site);
	address = weir_area_begun_(id);
	if (!WEIR_LIKELY(address != 0))
		address = weir_left_first_(words, id, left, site);
	return weir_notes_at_(address, id, site);
}

#endif
