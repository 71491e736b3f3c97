/* Notes: the words that a block keeps for a diagnosis (WEIR_DIAGNOSE), and how a long wait uses them. The hooks
 * of the public operations write them (weir/diagnosis/operation.h). The contract with the rest of weir:
 *
 *   a wait        calls weir_wait_notes_begin_ first, weir_wait_look_ after each failed poll, and
 *                 weir_wait_notes_end_ at its end (weir/wait.h). Every WEIR_NOTES_LOOK polls it reads the
 *                 clock. After about a millisecond it publishes the block's notes in the area, and from then on
 *                 it ends when the host asks for that. Shorter waits leave no trace.
 *   a block sync  ends the threads of a block in which a wait was aborted, where threads can end. weir_block_sync_rel
 *                 leaves that to the next weir_block_sync: without thread 0, the block releases nothing.
 *   a machine     defines WEIR_HAS_THREAD_END and weir_thread_end_, to end a thread; WEIR_COUNTS_THREADS:
 *                 whether barriers count the threads that arrive; weir_area_now_, weir_area_set_ and
 *                 weir_area_leave_, which keep the address of the area during an operation of a thread;
 *                 WEIR_LITERAL, the address space of string literals. With WEIR_HAS_OWN_NOTES it keeps the
 *                 notes itself, in functions with the names below; otherwise they are only in the area. With
 *                 WEIR_HAS_OWN_EACH it defines weir_each_put_ and weir_each_get_ (weir/diagnosis/event.h).
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_NOTES_H
#define WEIR_DIAGNOSIS_NOTES_H

#define WEIR_NOTES_LOOK 128
/* Where there is no clock, a wait is long after this many looks. */
#define WEIR_NOTES_LOOKS_LONG 16

/* For functions that are rarely called: not inlined where a call is cheap. */
#ifndef WEIR_NOINLINE
#define WEIR_NOINLINE WEIR_FN
#endif

#ifndef WEIR_LITERAL
#define WEIR_LITERAL
#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_area_at_(uint64_t address)
{
	return (WEIR_GLOBAL weir_word *)(size_t)address;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_notes_of_(WEIR_GLOBAL weir_word *area)
{
	return area + WEIR_NOTES_AT(weir_block_id());
}

WEIR_FN uint64_t weir_pair_load_(WEIR_GLOBAL weir_word *at)
{
	return (uint64_t)weir_load_rlx(at + 1) << 32 | weir_load_rlx(at);
}

#ifndef WEIR_HAS_OWN_NOTES
#include "weir/machine/area_notes.h"
#endif

/* The block's notes if it is using an area, otherwise 0. */
WEIR_FN WEIR_GLOBAL weir_word *weir_notes_now_(void)
{
	uint64_t address = weir_block_id() < WEIR_BLOCKS ? weir_area_now_() : 0;
	return address != 0 ? weir_notes_of_(weir_area_at_(address)) : 0;
}

WEIR_FN void weir_note_publish_(WEIR_GLOBAL weir_word *notes, uint32_t index)
{
	weir_note_put_(notes, index, weir_note_get_(notes, index));
}

WEIR_FN void weir_note_publish_entry_(WEIR_GLOBAL weir_word *notes, uint32_t id)
{
	weir_note_publish_(notes, WEIR_NOTE_COUNT(id));
	weir_note_publish_(notes, WEIR_NOTE_SITE(id) + 1);
	weir_note_publish_(notes, WEIR_NOTE_SITE(id));
}

WEIR_FN uint32_t weir_notes_ms_(void)
{
#if WEIR_HAS_CLOCK
	return (uint32_t)(weir_clock_ns() / 1000000) | 1; /* not 0 */
#else
	return 0;
#endif
}

/* The part of a weir_wait that belongs to a diagnosis. It takes two registers: with more, a wait would poll later. */
typedef struct weir_wait_notes {
	uint32_t polls; /* since the notes were last checked, and the flags below */
	uint32_t since; /* in ms of the device's clock; without a clock, the number of checks */
} weir_wait_notes;

#define WEIR_WAIT_SAID 0x80000000u     /* the area says that this thread waits */
#define WEIR_WAIT_OVER 0x40000000u     /* the host has ended all waits */
#define WEIR_WAIT_CAN_FAIL 0x20000000u /* its function can return WEIR_ABORTED, and goes on */
#define WEIR_WAIT_FLAGS (WEIR_WAIT_SAID | WEIR_WAIT_OVER | WEIR_WAIT_CAN_FAIL)

/* The target of a wait, if several threads of a block may wait for different things at once. The reporting
 * thread notes its own; when it has finished, another thread may report. */
typedef struct weir_want {
	uint32_t id; /* of an array of events; 0: the note of the operation is enough */
	uint32_t index;
	uint32_t range;
	uint32_t target;
} weir_want;

WEIR_FN weir_want weir_want_(uint32_t id, uint32_t index, uint32_t range, uint32_t target)
{
	weir_want want;
	want.id = id;
	want.index = index;
	want.range = range;
	want.target = target;
	return want;
}

/* Where threads cannot end, an aborted block no longer waits. */
WEIR_FN int weir_wait_begins_over_(void)
{
#if WEIR_HAS_THREAD_END
	return 0;
#else
	WEIR_GLOBAL weir_word *notes = weir_notes_now_();
	return notes != 0 &&
	       (weir_note_get_(notes, WEIR_NOTE_DOING) |
	        weir_note_get_(notes, WEIR_NOTE_BARRIER)) != 0 &&
	       weir_note_get_(notes, WEIR_NOTE_ABORTED) != 0;
#endif
}

WEIR_FN weir_wait_notes weir_wait_notes_begin_(void)
{
	weir_wait_notes mine;
	mine.polls = weir_wait_begins_over_() ? WEIR_WAIT_OVER : 0;
	mine.since = 0;
	return mine;
}

WEIR_FN int weir_wait_is_long_(weir_wait_notes *mine)
{
#if WEIR_HAS_CLOCK
	uint32_t now = weir_notes_ms_();
	if (mine->since == 0)
		mine->since = now;
	return now - mine->since > 1;
#else
	return ++mine->since >= WEIR_NOTES_LOOKS_LONG;
#endif
}

/* The block's operation that this wait is part of: either one thread is in a lock or a wait, or all threads
 * are, as in a barrier. 0: another thread reports, or the wait is not part of a diagnosed operation. */
WEIR_FN uint32_t weir_wait_of_(WEIR_GLOBAL weir_word *notes)
{
	uint32_t doing = weir_note_get_(notes, WEIR_NOTE_DOING);

	if (doing == 0)
		return weir_note_get_(notes, WEIR_NOTE_BARRIER);
	return (doing & WEIR_DOING_WHOLE) != 0 || WEIR_DOING_THREAD(doing) == weir_thread_id()
	           ? doing
	           : 0;
}

WEIR_FN void weir_wait_say_(WEIR_GLOBAL weir_word *notes, const weir_wait_notes *mine,
                            uint32_t doing)
{
	uint32_t operation = WEIR_DOING_OPERATION(doing);

	weir_note_put_(notes, WEIR_NOTE_OF_OPERATION(operation), doing);
	weir_note_publish_entry_(notes, WEIR_DOING_OBJECT(doing));
	if (operation == WEIR_OPERATION_WAIT || operation == WEIR_OPERATION_CREW)
		for (uint32_t i = WEIR_NOTE_INDEX; i <= WEIR_NOTE_LANE; i++)
			weir_note_publish_(notes, i);
	weir_note_put_(notes, WEIR_NOTE_SINCE, WEIR_HAS_CLOCK ? mine->since : 0);
	weir_note_put_(notes, WEIR_NOTE_SEEN, weir_notes_ms_());
	weir_note_put_(notes, WEIR_NOTE_WAITS, operation);
}

/* Notes what the thread waits for, if no other thread reports. */
WEIR_NOINLINE void weir_wait_want_(weir_want want)
{
	uint32_t note = WEIR_DOING(WEIR_OPERATION_WAIT, want.id, weir_thread_id());
	WEIR_GLOBAL weir_word *notes = weir_notes_now_();
	uint32_t doing;

	if (notes == 0)
		return;
	doing = weir_note_swap_(notes, WEIR_NOTE_DOING, 0, note);
	if (doing != 0 && doing != note)
		return;
	weir_note_keep_(notes, WEIR_NOTE_INDEX, want.index);
	weir_note_keep_(notes, WEIR_NOTE_RANGE, want.range);
	weir_note_keep_(notes, WEIR_NOTE_TARGET, want.target);
}

/* Returns the new state of the wait. When the host asks waits to end, every wait of the block does. */
WEIR_NOINLINE weir_wait_notes weir_wait_look_closely_(weir_wait_notes mine)
{
	WEIR_GLOBAL weir_word *notes = weir_notes_now_();
	uint32_t doing;

	mine.polls &= WEIR_WAIT_FLAGS;
	if (!weir_wait_is_long_(&mine))
		return mine;
	if (notes == 0) {
#ifdef WEIR_OBEYS_ABORT
		weir_wait_obey_();
#endif
		return mine;
	}
	doing = weir_wait_of_(notes);
	if (doing != 0) {
		weir_wait_say_(notes, &mine, doing);
		mine.polls |= WEIR_WAIT_SAID;
	}
	/* Relaxed: it carries no data. */
	if (weir_load_rlx(weir_area_at_(weir_area_now_()) + WEIR_AREA_ABORT) == 0)
		return mine;
	mine.polls |= WEIR_WAIT_OVER;
	if ((mine.polls & WEIR_WAIT_CAN_FAIL) == 0) {
		weir_note_put_(notes, WEIR_NOTE_ABORTED, 1);
		weir_thread_end_();
	}
	return mine;
}

WEIR_FN void weir_wait_look_now_(weir_wait_notes *mine, weir_want want)
{
	if (want.id != 0)
		weir_wait_want_(want);
	*mine = weir_wait_look_closely_(*mine);
}

WEIR_FN void weir_wait_look_(weir_wait_notes *mine, weir_want want)
{
	if (!WEIR_LIKELY(++mine->polls % WEIR_NOTES_LOOK != 0))
		weir_wait_look_now_(mine, want);
}

/* The block's own copy still says that it waits; only weir_note_end_bounded_ reads that copy. Relaxed: the host
 * reads the note at any time, and needs nothing else with it. */
WEIR_NOINLINE void weir_wait_unsay_(void)
{
	weir_store_rlx(weir_notes_of_(weir_area_at_(weir_area_now_())) + WEIR_NOTE_WAITS, 0);
}

WEIR_FN void weir_wait_notes_end_(const weir_wait_notes *mine)
{
	if (!WEIR_LIKELY((mine->polls & WEIR_WAIT_SAID) == 0))
		weir_wait_unsay_();
}

#endif
