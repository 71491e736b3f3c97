/* Hooks of a condition (weir/condition/api.h).
 *
 *   a wait     notes that the block is in it, the mutex, and how many blocks the launch has. The notes of the
 *              mutex say that the block unlocks it, and then waits for it or holds it again. A wait without
 *              the mutex is reported, and so is a wait with a different mutex from the first wait's.
 *   a signal   or a broadcast without that mutex is reported. A signal that wakes no waiter is counted.
 *
 * The mutex is kept in the header of the condition. Waits with a deadline leave no notes of a wait.
 */
#ifndef WEIR_DIAGNOSIS_CONDITION_H
#define WEIR_DIAGNOSIS_CONDITION_H

#include "weir/condition/object.h"
#include "weir/mutex/object.h"

/* Keeps the mutex of the first wait, and compares the mutex of later waits with it. Relaxed: the mutex
 * orders these words, unless the use is wrong anyway. */
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

/* Called before a wait. */
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

/* Called after the unlock of a wait, which has left the area. */
WEIR_FN weir_doing weir_note_waits_(weir_condition c, weir_site site)
{
	weir_notes n = weir_notes_open_(c.words, c.config.id, site);

	return n.area != 0 ? weir_note_begin_(n, WEIR_OPERATION_CONDITION) : weir_doing_(0);
}

/* Called after a signal or a broadcast. */
WEIR_NOINLINE void weir_note_woken_(weir_condition c, int has_woken, weir_site site)
{
	weir_notes n = weir_notes_open_(c.words, c.config.id, site);
	uint32_t id;

	if (n.area == 0)
		return;
	/* Relaxed: a waiter wrote it while holding the mutex, and the caller holds the mutex unless the use is wrong. */
	id = weir_load_rlx(c.words - WEIR_HEADER_WORDS + WEIR_HEADER_MUTEX_ID);
	weir_note_entry_(n, weir_note_site_(n));
	if (!weir_note_has_(n, id))
		weir_note_misuse_(n, WEIR_MISUSE_SIGNALS_WITHOUT, 0, id);
	if (!has_woken)
		weir_note_count_(n, 1);
	weir_area_leave_();
}

#endif
