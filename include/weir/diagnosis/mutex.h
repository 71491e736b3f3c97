/* Hooks of a mutex (weir/mutex/api.h).
 *
 * The bit of a mutex is set before the wait for it and cleared after its unlock, so that nothing is stored
 * in between. The block holds the mutex when the bit is set and no note says that the block waits for it.
 * Locks make an order, in which a report looks for a circle. A try waits for no block, so it is neither a
 * part of that nor a second lock.
 */
#ifndef WEIR_DIAGNOSIS_MUTEX_H
#define WEIR_DIAGNOSIS_MUTEX_H

#include "weir/mutex/object.h"

/* Precedes a lock. */
WEIR_NOINLINE weir_doing weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t low, high, other;
	weir_doing doing;
	weir_site before;

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	low = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	high = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	other = weir_note_get_(n.mine, WEIR_NOTE_DOING);
	before = weir_note_site_(n);
	if ((low | high) != 0) {
		/* It is no second lock while another thread of the block is still in the first. */
		if (((id < 32 ? low : high) & bit) != 0 &&
		    (other == 0 || WEIR_DOING_THREAD(other) == weir_thread_id()))
			weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_entry_(n, before);
	doing = weir_note_begin_(n, WEIR_OPERATION_LOCK);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + id / 32, (id < 32 ? low : high) | bit);
	weir_flush_writes(); /* else the unlock would wait for the stores to the area */
	return doing;
}

/* Follows a lock with a deadline. */
WEIR_FN void weir_note_lock_for_(weir_notes n, weir_doing doing, weir_status result)
{
	if (n.area != 0 && result != WEIR_OK)
		weir_note_held_(n, 0);
	weir_note_end_bounded_(n, doing);
}

/* Follows a try. */
WEIR_FN void weir_note_trylock_(weir_notes n, weir_status result)
{
	if (n.area != 0 && result == WEIR_OK) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_held_(n, 1);
	}
	weir_area_leave_();
}

#endif
