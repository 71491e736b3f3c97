/* Hooks of a semaphore (weir/semaphore/api.h): the number of slots that the block holds. */
#ifndef WEIR_DIAGNOSIS_SEMAPHORE_H
#define WEIR_DIAGNOSIS_SEMAPHORE_H

#include "weir/semaphore/object.h"

/* Called before a wait. */
WEIR_NOINLINE weir_doing weir_note_wait_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                         weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	weir_note_count_(n, slots);
	weir_note_entry_(n, weir_note_site_(n));
	weir_flush_writes(); /* otherwise the post would wait for the stores to the area */
	return weir_note_begin_(n, WEIR_OPERATION_WAIT);
}

/* Returns whether the block posts more than it took. The value may then be above its maximum. */
WEIR_NOINLINE int weir_note_post_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                  weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t mine;

	if (n.area == 0)
		return 0;
	mine = weir_note_get_(n.mine, WEIR_NOTE_COUNT(id));
	if (mine != 0)
		weir_note_put_(n.mine, WEIR_NOTE_COUNT(id), mine > slots ? mine - slots : 0);
	weir_area_leave_();
	return mine < slots;
}

#endif
