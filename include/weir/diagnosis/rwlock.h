/* Hooks of a reader-writer lock (weir/rwlock/api.h).
 *
 *   a lock     notes that the block is in it. As with a mutex, the bit of the lock is set before the wait and
 *              cleared after the unlock, and the lock is part of the order of locks. The count holds the
 *              number of read locks of the block, and whether it writes.
 *   a reader   that asks to write waits for itself, and is reported. So is a writer that locks again.
 *   an unlock  by a block that does not hold the lock is reported.
 *
 * A lock with a deadline that gave up is taken back. A try waits for no block, so it does not join the order.
 */
#ifndef WEIR_DIAGNOSIS_RWLOCK_H
#define WEIR_DIAGNOSIS_RWLOCK_H

#include "weir/rwlock/object.h"

/* Reports a lock by a block that already holds the lock, and so waits for itself. A second read lock waits only
 * if a writer arrived in between: a report finds that in the notes. */
WEIR_FN void weir_note_relock_(weir_notes n, uint32_t has, uint32_t adds, weir_site before)
{
	if (has >= WEIR_NOTE_WRITES)
		weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
	else if (has != 0 && adds == WEIR_NOTE_WRITES)
		weir_note_misuse_(n, WEIR_MISUSE_UPGRADE, 0, before);
}

/* Called before a lock. `adds` is 1 for a reader and WEIR_NOTE_WRITES for a writer. `whole` is WEIR_DOING_WHOLE or 0. */
WEIR_NOINLINE weir_doing weir_note_rwlock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t adds,
                                           uint32_t whole, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t held[2];
	weir_doing doing;
	weir_site before;

	if (n.area == 0)
		return weir_doing_(0);
	before = weir_note_site_(n);
	if (weir_note_orders_(n, held))
		weir_note_relock_(n, weir_note_get_(n.mine, WEIR_NOTE_COUNT(id)), adds, before);
	weir_note_entry_(n, before);
	doing =
	    weir_note_begin_(n, (adds == 1 ? WEIR_OPERATION_READ : WEIR_OPERATION_WRITE) | whole);
	weir_note_count_(n, adds);
	weir_note_held_(n, 1);
	weir_flush_writes(); /* otherwise the unlock would wait for the stores to the area */
	return doing;
}

/* Subtracts `takes` from the block's count and adds `adds`. */
WEIR_FN void weir_note_rwheld_(weir_notes n, uint32_t takes, uint32_t adds)
{
	weir_note_count_(n, adds - takes);
	weir_note_held_(n, weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)) != 0);
}

/* Called after an unlock or a downgrade, by WEIR_RWLOCK_*. A wrong one leaves the block's count as it was. */
WEIR_NOINLINE void weir_note_rwunlock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t what,
                                       weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t has, had;

	if (n.area == 0)
		return;
	has = weir_note_get_(n.mine, WEIR_NOTE_COUNT(id));
	had = has >= WEIR_NOTE_WRITES ? WEIR_RWLOCK_WRITES : has != 0 ? WEIR_RWLOCK_READS : 0;
	if (what == WEIR_RWLOCK_READS ? has % WEIR_NOTE_WRITES != 0 : has >= WEIR_NOTE_WRITES)
		weir_note_rwheld_(n, what == WEIR_RWLOCK_READS ? 1 : WEIR_NOTE_WRITES,
		                  what == WEIR_RWLOCK_DOWNGRADES ? 1 : 0);
	else if (has == 0 && what != WEIR_RWLOCK_DOWNGRADES)
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, 0, 0);
	else
		weir_note_misuse_(n, WEIR_MISUSE_UNLOCK, 0, (uint64_t)had << 32 | what);
	weir_area_leave_();
}

/* Called by all threads of a block before a lock; the first `waits` of them wait. An aborted block does not skip it,
 * since its threads must stay together; its waits end at once. */
WEIR_FN weir_doing weir_note_rwlock_block_(weir_rwlock l, uint32_t waits, weir_site site)
{
	if (weir_thread_id() == 0)
		return weir_note_rwlock_(l.words, l.config.id, WEIR_NOTE_WRITES, WEIR_DOING_WHOLE,
		                         site);
	if (weir_thread_id() < waits)
		weir_notes_open_(l.words, l.config.id, site);
	return weir_doing_(0);
}

/* Called after a try. */
WEIR_FN void weir_note_try_(weir_rwlock l, uint32_t adds, weir_status result, weir_site site)
{
	weir_notes n = weir_notes_open_(l.words, l.config.id, site);

	if (n.area != 0 && result == WEIR_OK) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_rwheld_(n, 0, adds);
	}
	weir_area_leave_();
}

/* Called after a lock with a deadline. */
WEIR_FN void weir_note_rwlock_for_(weir_rwlock l, uint32_t adds, weir_doing doing,
                                   weir_status result, weir_site site)
{
	weir_notes n = weir_notes_open_(l.words, l.config.id, site);

	if (doing.note != 0 && result != WEIR_OK)
		weir_note_rwheld_(n, adds, 0);
	weir_note_end_bounded_(n, doing);
}

#endif
