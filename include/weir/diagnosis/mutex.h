/* Hooks of a mutex (weir/mutex/api.h).
 *
 * The bit of a mutex is set before the wait for it and cleared after its unlock, so that nothing is stored in
 * between. The block holds the mutex if the bit is set and no note says that the block waits for it. Locks
 * form an order, in which a report looks for a cycle. A try waits for no block, so it neither joins that
 * order nor counts as a second lock.
 */
#ifndef WEIR_DIAGNOSIS_MUTEX_H
#define WEIR_DIAGNOSIS_MUTEX_H

#include "weir/mutex/object.h"

/* Called before a lock. */
WEIR_NOINLINE weir_doing weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t held[2], mine;
	int is_alone;
	weir_doing doing;
	weir_site before;

	if (n.area == 0 || weir_notes_left_out_(n))
		return weir_doing_(0);
	before = weir_note_site_(n);
	is_alone = weir_note_orders_(n, held);
	mine = id < 32 ? held[0] : held[1];
	if (is_alone && (mine & bit) != 0)
		weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
	weir_note_entry_(n, before);
	doing = weir_note_begin_(n, WEIR_OPERATION_LOCK);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + id / 32, mine | bit);
	weir_flush_writes(); /* otherwise the unlock would wait for the stores to the area */
	return doing;
}

#endif
