/* Diagnosis of reader-writer locks: the part of weir/diagnose.h for them. Each function of weir/rwlock
 * becomes a macro that passes its call site to a function of the same name with _at_.
 *
 *   a lock     notes that the block is in it. As of a mutex, the bit of the lock is set before the wait
 *              and cleared after the unlock, and the lock has a part in the order of locks. The count
 *              says how often the block reads, and whether it writes.
 *   a reader   that asks to write waits for itself, and is reported. So is a writer that locks again.
 *   an unlock  by a block that does not have the lock is reported.
 *
 * One thread locks for its block, also in the forms for all threads.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_RWLOCK_H
#define WEIR_DIAGNOSIS_RWLOCK_H

/* Reports a lock by a block that has the lock already, and then waits for itself. A second read does so
 * only if a writer comes between: a report finds that in the notes. */
WEIR_FN void weir_note_relock_(weir_notes n, uint32_t has, uint32_t adds, weir_site before)
{
	if (has >= WEIR_NOTE_WRITES)
		weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
	else if (has != 0 && adds == WEIR_NOTE_WRITES)
		weir_note_misuse_(n, WEIR_MISUSE_UPGRADE, 0, before);
}

/* Notes a lock; `adds` is 1 for a reader, else WEIR_NOTE_WRITES. */
WEIR_NOINLINE weir_doing weir_note_rwlock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t adds,
                                           weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
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
		if (other == 0 || WEIR_DOING_THREAD(other) == weir_thread_id())
			weir_note_relock_(n, weir_note_get_(n.mine, WEIR_NOTE_COUNT(id)), adds,
			                  before);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_entry_(n, before);
	doing = weir_note_begin_(n, adds == 1 ? WEIR_OPERATION_READ : WEIR_OPERATION_WRITE);
	weir_note_count_(n, adds);
	weir_note_held_(n, 1);
	weir_flush_writes(); /* else the unlock would wait for the stores to the area */
	return doing;
}

/* Notes that the block has `takes` less, and `adds` more. */
WEIR_FN void weir_note_rwheld_(weir_notes n, uint32_t takes, uint32_t adds)
{
	weir_note_count_(n, adds - takes);
	weir_note_held_(n, weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)) != 0);
}

/* Follows an unlock or a downgrade, by WEIR_RWLOCK_*. After a wrong one the block has what it had. */
WEIR_NOINLINE void weir_note_rwunlock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t what,
                                       weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t has;

	if (n.area == 0)
		return;
	has = weir_note_get_(n.mine, WEIR_NOTE_COUNT(id));
	if (what == WEIR_RWLOCK_READS ? has % WEIR_NOTE_WRITES != 0 : has >= WEIR_NOTE_WRITES)
		weir_note_rwheld_(n, what == WEIR_RWLOCK_READS ? 1 : WEIR_NOTE_WRITES,
		                  what == WEIR_RWLOCK_DOWNGRADES ? 1 : 0);
	else if (has == 0 && what != WEIR_RWLOCK_DOWNGRADES)
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, 0, 0);
	else
		weir_note_misuse_(n, WEIR_MISUSE_UNLOCK, 0,
		                  (uint64_t)(has >= WEIR_NOTE_WRITES ? WEIR_RWLOCK_WRITES
		                             : has != 0              ? WEIR_RWLOCK_READS
		                                                     : 0)
		                          << 32 |
		                      what);
	weir_area_leave_();
}

WEIR_FN void weir_rwlock_read_lock_at_(weir_rwlock l, weir_site site)
{
	weir_doing doing = weir_note_rwlock_(l.words, l.config.id, 1, site);

	if (WEIR_ABORTED_(l, site))
		return;
	weir_rwlock_read_lock(l);
	weir_note_end_(l.words, doing);
}

WEIR_FN void weir_rwlock_write_lock_at_(weir_rwlock l, weir_site site)
{
	weir_doing doing = weir_note_rwlock_(l.words, l.config.id, WEIR_NOTE_WRITES, site);

	if (WEIR_ABORTED_(l, site))
		return;
	weir_rwlock_write_lock(l);
	weir_note_end_(l.words, doing);
}

/* After an abort, another block may have the lock. */
WEIR_FN void weir_rwlock_read_unlock_at_(weir_rwlock l, weir_site site)
{
	if (WEIR_ABORTED_(l, site))
		return;
	weir_rwlock_read_unlock(l);
	weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_READS, site);
}

WEIR_FN void weir_rwlock_write_unlock_at_(weir_rwlock l, weir_site site)
{
	if (WEIR_ABORTED_(l, site))
		return;
	weir_rwlock_write_unlock(l);
	weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_WRITES, site);
}

WEIR_FN void weir_rwlock_downgrade_at_(weir_rwlock l, weir_site site)
{
	if (WEIR_ABORTED_(l, site))
		return;
	weir_rwlock_downgrade(l);
	weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_DOWNGRADES, site);
}

/* Follows a try. It waits for no block, so it has no part in the order of locks. */
WEIR_FN weir_result weir_note_tried_(weir_rwlock l, uint32_t adds, weir_result result,
                                     weir_site site)
{
	weir_notes n = weir_notes_open_(l.words, l.config.id, site);

	if (n.area != 0 && result == WEIR_ACQUIRED) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_rwheld_(n, 0, adds);
	}
	weir_area_leave_();
	return result;
}

WEIR_FN weir_result weir_rwlock_try_read_at_(weir_rwlock l, weir_site site)
{
	if (WEIR_ABORTED_(l, site))
		return WEIR_ABORTED;
	return weir_note_tried_(l, 1, weir_rwlock_try_read(l), site);
}

WEIR_FN weir_result weir_rwlock_try_write_at_(weir_rwlock l, weir_site site)
{
	if (WEIR_ABORTED_(l, site))
		return WEIR_ABORTED;
	return weir_note_tried_(l, WEIR_NOTE_WRITES, weir_rwlock_try_write(l), site);
}

#if WEIR_HAS_DEADLINE
/* Follows a lock with a deadline. */
WEIR_FN weir_result weir_note_timed_(weir_rwlock l, uint32_t adds, weir_doing doing,
                                     weir_result result, weir_site site)
{
	weir_notes n = weir_notes_open_(l.words, l.config.id, site);

	if (doing.note != 0 && result != WEIR_ACQUIRED)
		weir_note_rwheld_(n, adds, 0);
	weir_note_end_bounded_(n, doing);
	return result;
}

WEIR_FN weir_result weir_rwlock_read_lock_for_at_(weir_rwlock l, uint64_t ns, weir_site site)
{
	weir_doing doing = weir_note_rwlock_(l.words, l.config.id, 1, site);

	if (WEIR_ABORTED_(l, site))
		return WEIR_ABORTED;
	return weir_note_timed_(l, 1, doing, weir_rwlock_read_lock_for(l, ns), site);
}

WEIR_FN weir_result weir_rwlock_write_lock_for_at_(weir_rwlock l, uint64_t ns, weir_site site)
{
	weir_doing doing = weir_note_rwlock_(l.words, l.config.id, WEIR_NOTE_WRITES, site);

	if (WEIR_ABORTED_(l, site))
		return WEIR_ABORTED;
	return weir_note_timed_(l, WEIR_NOTE_WRITES, doing, weir_rwlock_write_lock_for(l, ns),
	                        site);
}

#define weir_rwlock_read_lock_for(l, ns) weir_rwlock_read_lock_for_at_(l, ns, WEIR_HERE_)
#define weir_rwlock_write_lock_for(l, ns) weir_rwlock_write_lock_for_at_(l, ns, WEIR_HERE_)
#endif

WEIR_FN void weir_rwlock_block_read_lock_at_(weir_rwlock l, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_rwlock_read_lock_at_(l, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_rwlock_block_read_unlock_at_(weir_rwlock l, weir_site site)
{
	weir_block_sync(); /* the block's reads precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_read_unlock_at_(l, site);
}

WEIR_FN void weir_rwlock_block_write_lock_at_(weir_rwlock l, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_rwlock_write_lock_at_(l, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_rwlock_block_write_unlock_at_(weir_rwlock l, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_write_unlock_at_(l, site);
}

WEIR_FN void weir_rwlock_block_downgrade_at_(weir_rwlock l, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_downgrade_at_(l, site);
}

#define weir_rwlock_read_lock(l) weir_rwlock_read_lock_at_(l, WEIR_HERE_)
#define weir_rwlock_read_unlock(l) weir_rwlock_read_unlock_at_(l, WEIR_HERE_)
#define weir_rwlock_write_lock(l) weir_rwlock_write_lock_at_(l, WEIR_HERE_)
#define weir_rwlock_write_unlock(l) weir_rwlock_write_unlock_at_(l, WEIR_HERE_)
#define weir_rwlock_downgrade(l) weir_rwlock_downgrade_at_(l, WEIR_HERE_)
#define weir_rwlock_try_read(l) weir_rwlock_try_read_at_(l, WEIR_HERE_)
#define weir_rwlock_try_write(l) weir_rwlock_try_write_at_(l, WEIR_HERE_)
#define weir_rwlock_block_read_lock(l) weir_rwlock_block_read_lock_at_(l, WEIR_HERE_)
#define weir_rwlock_block_read_unlock(l) weir_rwlock_block_read_unlock_at_(l, WEIR_HERE_)
#define weir_rwlock_block_write_lock(l) weir_rwlock_block_write_lock_at_(l, WEIR_HERE_)
#define weir_rwlock_block_write_unlock(l) weir_rwlock_block_write_unlock_at_(l, WEIR_HERE_)
#define weir_rwlock_block_downgrade(l) weir_rwlock_block_downgrade_at_(l, WEIR_HERE_)

#endif
