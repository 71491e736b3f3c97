/* Hooks of events (weir/event/api.h).
 *
 *   a signal   adds to the sum of the event's signals, and notes its block as one of the last to signal. Both
 *              follow the signal, and no thread waits for them. So a sum is at most the count, unless something
 *              other than a signal wrote to the event.
 *   a wait     that finds its target reached leaves no notes. Any other wait notes what it waits for once it is
 *              long (weir_want). When several threads of a block wait, one of them reports.
 *   a target   of a launch (weir_event_target) says how many signals a launch makes. A wait notes that if
 *              thread 0 makes the target in the wait's own argument, and so does a latch or a sequence. Other
 *              targets leave no notes.
 *
 * Signals from the host and from kernels without notes appear only in the count.
 */
#ifndef WEIR_EVENT_API_H
#include "weir/event/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_EVENT_H
#define WEIR_DIAGNOSIS_EVENT_H

/* The first word of the array of an event. */
WEIR_FN WEIR_GLOBAL weir_word *weir_event_base_(weir_event e)
{
	return e.words - (uint64_t)(e.config.index + WEIR_EVENT_HEAD) * e.config.pitch;
}

WEIR_FN weir_notes weir_event_open_(weir_event e, weir_site site)
{
	WEIR_GLOBAL weir_word *base = weir_event_base_(e);

	return weir_notes_open_at_(base, e.config.id, site, WEIR_FIRST_ROUND,
	                           base + e.config.pitch);
}

/* Whether the kernel lacks the kind, or the launch has been aborted: the operation must be skipped. */
WEIR_FN int weir_event_left_out_(weir_notes n, weir_event e)
{
	return weir_notes_left_out_(n) ||
	       (!WEIR_LIKELY(WEIR_FITS_(EVENT, e.config)) &&
	        weir_note_fault_(weir_event_base_(e), e.config.id, n.site, WEIR_FAULT_EVENT,
	                         e.config.kind));
}

/* Called before a signal or a post, which is skipped if it cannot add that amount. */
WEIR_FN int weir_event_refuses_(weir_event e, uint32_t amount, weir_site site)
{
	weir_notes n = weir_event_open_(e, site);

	if (weir_event_left_out_(n, e))
		return 1;
	if (WEIR_LIKELY(amount - 1 < 0x80000000u))
		return 0;
	if (n.area != 0)
		weir_note_misuse_(n, WEIR_MISUSE_AMOUNT, e.config.index, amount);
	weir_area_leave_();
	return 1;
}

/* Called before a signal, which the kind `shards` does not have. */
WEIR_FN int weir_event_refuses_signal_(weir_event e, uint32_t amount, weir_site site)
{
	return weir_event_refuses_(e, amount, site) ||
	       (WEIR_KIND_(EVENT, e.config) == WEIR_EVENT_SHARDS &&
	        weir_note_fault_(weir_event_base_(e), e.config.id, site, WEIR_FAULT_RESULT,
	                         e.config.kind));
}

WEIR_FN int weir_event_is_noted_(weir_event e)
{
	return e.config.id != 0 && e.config.index < WEIR_EVENTS_NOTED;
}

/* The record of such an event. */
WEIR_FN WEIR_GLOBAL weir_word *weir_event_signals_(weir_event e)
{
	return weir_event_base_(e) - WEIR_HEADER_WORDS -
	       (e.config.index + 1) * (uint32_t)WEIR_SIGNALS_WORDS;
}

/* Called after a signal. Relaxed, both: the host reads them while kernels run. */
WEIR_FN void weir_note_signal_(weir_event e, uint32_t amount)
{
	uint32_t slot = weir_block_id() % WEIR_SIGNALS_SLOTS;

	if (weir_event_is_noted_(e)) {
		weir_red_add_rlx(weir_event_signals_(e) + WEIR_SIGNALS_SUM(slot), amount);
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_LAST(slot),
		               weir_block_id() + 1);
	}
	weir_area_leave_();
}

/* Called after a start. Relaxed: the launch that uses the event orders these stores. */
WEIR_FN void weir_note_start_(weir_event e, uint32_t past)
{
	for (uint32_t slot = 0; slot < WEIR_SIGNALS_SLOTS && weir_event_is_noted_(e); slot++)
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_SUM(slot),
		               slot == 0 ? past : 0);
}

/* Pass the number of signals per launch from a target to the wait that has it as an argument. */
#ifndef WEIR_HAS_OWN_EACH
WEIR_FN void weir_each_put_(uint32_t each)
{
	uint64_t address = weir_block_id() < WEIR_BLOCKS ? weir_area_now_() : 0;

	if (address != 0 && weir_thread_id() == 0)
		weir_note_keep_(weir_notes_of_(weir_area_at_(address)), WEIR_NOTE_EACH, each);
}

WEIR_FN uint32_t weir_each_get_(weir_notes n)
{
	return n.area != 0 && weir_thread_id() == 0 ? weir_note_get_(n.mine, WEIR_NOTE_EACH) : 0;
}
#endif

/* Relaxed: the host reads it while kernels run, and all threads write the same value. */
WEIR_FN void weir_note_each_(weir_event e, uint32_t each)
{
	if (each != 0 && weir_thread_id() == 0 && weir_event_is_noted_(e))
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_EACH, each);
}

/* Opens the notes for the targets that follow. */
WEIR_FN void weir_note_round_(weir_event_array a, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_event_open_(weir_event_at_(a, 0), site);
	weir_area_leave_();
}

/* Called after the first poll of an event. Reports a target so far from the count that one of them is
 * probably wrong: a target that is 2^31 or more ahead counts as reached. */
WEIR_FN void weir_note_target_(weir_notes n, weir_event e, uint32_t count, uint32_t target)
{
	weir_note_each_(e, weir_each_get_(n));
	if (!WEIR_LIKELY(count - target + WEIR_FAR <= 2 * WEIR_FAR) && n.area != 0)
		weir_note_misuse_(n, WEIR_MISUSE_FAR, e.config.index,
		                  (uint64_t)count << 32 | target);
}

/* Called before a wait, which need not happen if this finds the target reached. */
WEIR_FN int weir_event_sees_(weir_notes n, weir_event e, uint32_t target)
{
	uint32_t count = weir_event_count_(e);

	weir_note_target_(n, e, count, target);
	if (!weir_event_has_reached_(e, count, target))
		return 0;
	weir_area_leave_();
	return 1;
}

/* Called before a wait for a target that is not reached. Another thread of the block may report
 * now, and this thread later, so the note must always be cleared. */
WEIR_FN weir_doing weir_note_event_(weir_notes n)
{
	weir_note_enter_(n, WEIR_OPERATION_WAIT);
	return weir_doing_(n.area != 0 ? WEIR_DOING(WEIR_OPERATION_WAIT, n.id, weir_thread_id())
	                               : 0);
}

/* The same for a wait by the first threads of a block or team together. Thread 0 reports, and the others wait
 * as if the event had no notes. */
WEIR_FN weir_doing weir_note_event_first_(weir_notes n, weir_event *e, uint32_t target,
                                          uint32_t thread)
{
	uint32_t count;

	if (thread != 0) {
		e->config.id = 0;
		return weir_doing_(0);
	}
	count = weir_event_count_(*e);
	weir_note_target_(n, *e, count, target);
	return weir_event_is_past_(count, target) ? weir_doing_(0) : weir_note_event_(n);
}

/* Called before a wait for any event of a range. Returns the first event that has reached the target, or first +
 * count. */
WEIR_FN uint32_t weir_event_look_(weir_event_array a, uint32_t first, uint32_t count,
                                  uint32_t target, weir_site site)
{
	for (uint32_t i = 0; i < count; i++) {
		weir_event e = weir_event_at(a, first + i, site);
		weir_notes n = weir_event_open_(e, site);
		if (!weir_event_left_out_(n, e) && weir_event_sees_(n, e, target))
			return first + i;
	}
	return first + count;
}

#if WEIR_HAS_DEADLINE

/* Called before a wait with a deadline for a range of events, which must be in the array. Such a wait leaves no
 * notes, since it ends by itself or, earlier, by an abort. */
WEIR_FN int weir_event_has_range_(weir_event_array a, uint32_t first, uint32_t count,
                                  weir_site site)
{
	uint32_t last = first + count - 1;
	weir_event e;

	if (count == 0)
		return 1;
	e = weir_event_at(a, last < first ? 0xffffffffu : last, site);
	return !weir_event_left_out_(weir_event_open_(e, site), e);
}

#endif

#endif
