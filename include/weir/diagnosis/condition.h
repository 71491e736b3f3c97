/* Diagnosis of conditions: the part of weir/diagnose.h for them. Each function of weir/condition becomes
 * a macro that passes its call site to a function of the same name with _at_.
 *
 *   a wait     notes that the block is in it, the mutex, and how many blocks the launch has. The notes
 *              of the mutex say that the block unlocks it, and then waits for it or has it again. A wait
 *              without the mutex is reported, and so is one with another mutex than the first wait.
 *   a signal   without that mutex is reported, and so is a broadcast. One that wakes nobody is
 *              counted.
 *
 * The header of the condition has the mutex. Waits with a deadline leave no notes of a wait.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_CONDITION_H
#define WEIR_DIAGNOSIS_CONDITION_H

WEIR_FN weir_notes weir_condition_open_(weir_condition c, weir_site site)
{
	return weir_notes_open_(c.words, c.config.id, site);
}

/* Keeps the mutex of the first wait, and compares that of others with it. Relaxed: the mutex orders
 * these words, unless the use is wrong anyway. */
WEIR_FN void weir_note_mutex_(weir_notes n, weir_condition c, weir_mutex m)
{
	WEIR_GLOBAL weir_word *header = c.words - WEIR_HEADER_WORDS;
	uint32_t mine = (uint32_t)((size_t)m.words / sizeof(weir_word));
	uint32_t before = weir_cas_rlx(header + WEIR_HEADER_MUTEX, 0, mine);

	if (before == 0)
		weir_store_rlx(header + WEIR_HEADER_MUTEX_ID, m.config.id);
	else if (before != mine)
		weir_note_misuse_(n, WEIR_MISUSE_TWO_MUTEXES, 0,
		                  (uint64_t)weir_load_rlx(header + WEIR_HEADER_MUTEX_ID) << 32 |
		                      m.config.id);
}

/* Reports a wait without the mutex. The unlock that follows does not report it again. */
WEIR_FN void weir_note_without_(weir_notes n, uint32_t id)
{
	weir_note_misuse_(n, WEIR_MISUSE_WAITS_WITHOUT, 0, id);
	n.id = id;
	weir_note_held_(n, 1);
}

/* Precedes a wait. */
WEIR_NOINLINE void weir_note_condition_(weir_notes n, weir_condition c, weir_mutex m)
{
	if (n.area == 0)
		return;
	if (!weir_note_has_(n, m.config.id))
		weir_note_without_(n, m.config.id);
	weir_note_mutex_(n, c, m);
	weir_note_entry_(n, weir_note_site_(n));
	if (weir_note_get_(n.mine, WEIR_NOTE_BATCH) != weir_block_count())
		weir_note_put_(n.mine, WEIR_NOTE_BATCH, weir_block_count());
	if (weir_note_get_(n.mine, WEIR_NOTE_INDEX) != m.config.id)
		weir_note_put_(n.mine, WEIR_NOTE_INDEX, m.config.id);
}

/* The first half of a wait: takes a ticket and unlocks. Returns whether there was a slot. */
WEIR_FN int weir_condition_enter_(weir_notes n, weir_condition c, weir_mutex m, uint32_t *ticket)
{
	int has_joined;

	weir_note_condition_(n, c, m);
	has_joined = weir_condition_join_(c, ticket);
	weir_mutex_unlock_at_(m, n.site);
	return has_joined;
}

WEIR_FN weir_result weir_condition_wait_at_(weir_condition c, weir_mutex m, weir_site site)
{
	weir_notes n = weir_condition_open_(c, site);
	weir_result result;
	weir_doing doing = weir_doing_(0);
	uint32_t ticket;

	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return WEIR_ABORTED;
	weir_condition_enter_(n, c, m, &ticket);
	n = weir_condition_open_(c, site); /* the unlock has left the area */
	if (n.area != 0)
		doing = weir_note_begin_(n, WEIR_OPERATION_CONDITION);
	result = weir_condition_await_(c, ticket);
	weir_note_end_(c.words, doing);
	if (result == WEIR_ACQUIRED)
		weir_mutex_lock_at_(m, site);
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_condition_wait_for_at_(weir_condition c, weir_mutex m, uint64_t ns,
                                                weir_site site)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_notes n = weir_condition_open_(c, site);
	weir_result over;
	uint32_t ticket;
	int has_joined;

	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return WEIR_ABORTED;
	has_joined = weir_condition_enter_(n, c, m, &ticket);
	weir_condition_open_(c, site); /* the unlock has left the area */
	over = weir_condition_await_by_(c, ticket, &deadline);
	weir_area_leave_();
	if (over == WEIR_ABORTED)
		return over;
	weir_mutex_lock_at_(m, site);
	return over == WEIR_TIMED_OUT ? weir_condition_give_up_(c, ticket, has_joined)
	                              : WEIR_ACQUIRED;
}
#endif

/* Follows a signal or a broadcast. */
WEIR_NOINLINE void weir_note_woken_(weir_condition c, int has_woken, weir_site site)
{
	weir_notes n = weir_condition_open_(c, site);
	uint32_t id;

	if (n.area == 0)
		return;
	/* Relaxed: a waiter wrote it with the mutex, or the caller lacks that. */
	id = weir_load_rlx(c.words - WEIR_HEADER_WORDS + WEIR_HEADER_MUTEX_ID);
	weir_note_entry_(n, weir_note_site_(n));
	if (!weir_note_has_(n, id))
		weir_note_misuse_(n, WEIR_MISUSE_SIGNALS_WITHOUT, 0, id);
	if (!has_woken)
		weir_note_count_(n, 1);
	weir_area_leave_();
}

WEIR_FN int weir_condition_signal_at_(weir_condition c, weir_site site)
{
	int has_woken = weir_condition_signal(c);

	weir_note_woken_(c, has_woken, site);
	return has_woken;
}

WEIR_FN uint32_t weir_condition_broadcast_at_(weir_condition c, weir_site site)
{
	uint32_t woken = weir_condition_broadcast(c);

	weir_note_woken_(c, woken != 0, site);
	return woken;
}

#if WEIR_HAS_BLOCK_VALUE

WEIR_FN weir_result weir_condition_block_wait_at_(weir_condition c, weir_mutex m, weir_site site)
{
	uint32_t result = 0;

	weir_block_sync(); /* the block's work with the mutex precedes the leader's unlock */
	if (weir_thread_id() == 0)
		result = (uint32_t)weir_condition_wait_at_(c, m, site);
	return (weir_result)weir_block_value(result); /* its sync extends the lock to the block */
}

#define weir_condition_block_wait(c, m) weir_condition_block_wait_at_(c, m, WEIR_HERE_)

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_condition_block_wait_for_at_(weir_condition c, weir_mutex m, uint64_t ns,
                                                      weir_site site)
{
	uint32_t result = 0;

	weir_block_sync(); /* the block's work with the mutex precedes the leader's unlock */
	if (weir_thread_id() == 0)
		result = (uint32_t)weir_condition_wait_for_at_(c, m, ns, site);
	return (weir_result)weir_block_value(result); /* its sync extends the lock to the block */
}

#define weir_condition_block_wait_for(c, m, ns)                                                    \
	weir_condition_block_wait_for_at_(c, m, ns, WEIR_HERE_)
#endif

#endif

WEIR_FN void weir_condition_block_signal_at_(weir_condition c, weir_site site)
{
	weir_block_sync();
	if (weir_thread_id() == 0)
		weir_condition_signal_at_(c, site);
}

WEIR_FN void weir_condition_block_broadcast_at_(weir_condition c, weir_site site)
{
	weir_block_sync();
	if (weir_thread_id() == 0)
		weir_condition_broadcast_at_(c, site);
}

#define weir_condition_wait(c, m) weir_condition_wait_at_(c, m, WEIR_HERE_)
#define weir_condition_wait_for(c, m, ns) weir_condition_wait_for_at_(c, m, ns, WEIR_HERE_)
#define weir_condition_signal(c) weir_condition_signal_at_(c, WEIR_HERE_)
#define weir_condition_broadcast(c) weir_condition_broadcast_at_(c, WEIR_HERE_)
#define weir_condition_block_signal(c) weir_condition_block_signal_at_(c, WEIR_HERE_)
#define weir_condition_block_broadcast(c) weir_condition_block_broadcast_at_(c, WEIR_HERE_)

#endif
