/* Notes: the words that a block keeps for a diagnosis (WEIR_DIAGNOSE), and how a long wait uses
 * them.
 *
 * weir/diagnose.h makes the notes, around the public operations. No algorithm knows of them. This
 * is the contract with the rest of weir:
 *
 *   a wait        calls weir_wait_notes_begin_ first, weir_wait_look_ after each failed poll, and
 *                 weir_wait_notes_end_ at its end (weir/wait.h). Every WEIR_NOTES_LOOK polls it
 *                 looks at the clock. After about a millisecond it publishes the block's notes in
 *                 the area, and from then on obeys the host's order to end. Shorter waits leave no
 *                 trace.
 *   a block sync  ends the threads of a block in which a wait was aborted, where threads can end.
 *                 weir_block_sync_rel leaves that to the next weir_block_sync: without its thread 0
 *                 the block releases nothing.
 *   a machine     has WEIR_HAS_THREAD_END and weir_thread_end_, to end a thread. It has
 *                 WEIR_COUNTS_THREADS: whether barriers count the threads that come. It has
 *                 weir_area_now_, weir_area_set_ and weir_area_leave_, which keep the address of
 *                 the area between the operations of a thread. It has WEIR_LITERAL, the address
 *                 space of texts. With WEIR_HAS_OWN_NOTES it also keeps the notes, in its own
 *                 functions of the names below. Else they lie in the area alone. With
 *                 WEIR_HAS_OWN_EACH it has weir_each_put_ and weir_each_get_
 *                 (weir/diagnosis/event.h).
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this one in its place */
#endif

#ifndef WEIR_DIAGNOSIS_NOTES_H
#define WEIR_DIAGNOSIS_NOTES_H

#define WEIR_NOTES_LOOK 128
/* How many such looks make a wait long where there is no clock. */
#define WEIR_NOTES_LOOKS_LONG 16

/* Opens a function that is rarely called: not inlined where a call costs little. */
#ifndef WEIR_NOINLINE
#define WEIR_NOINLINE WEIR_FN
#endif

#ifndef WEIR_LITERAL
#define WEIR_LITERAL
#endif

#ifndef WEIR_HAS_OWN_NOTES

#ifndef WEIR_HAS_NOTE_ACCESSES

/* Relaxed, all of them: only this block writes them, and the host reads them as they come. */
WEIR_FN uint32_t weir_note_get_(WEIR_GLOBAL weir_word *notes, uint32_t index)
{
	return weir_load_rlx(notes + index);
}

/* Writes a note for the block itself. weir_note_put_ also shows it to the host. */
WEIR_FN void weir_note_keep_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t value)
{
	weir_store_rlx(notes + index, value);
}

#define weir_note_put_ weir_note_keep_

/* The same for a site, whose lower word is written last. */
WEIR_FN void weir_note_keep_pair_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint64_t value)
{
	weir_note_keep_(notes, index + 1, (uint32_t)(value >> 32));
	weir_note_keep_(notes, index, (uint32_t)value);
}

/* Adds to a note of the block itself. */
WEIR_FN void weir_note_add_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t addend)
{
	weir_note_keep_(notes, index, weir_note_get_(notes, index) + addend);
}

/* Changes the note to `to` if it is `from`. Returns its old value. */
WEIR_FN uint32_t weir_note_swap_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t from,
                                 uint32_t to)
{
	return weir_cas_rlx(notes + index, from, to);
}

#endif

/* A machine that must know of the wait for another thread has these. */
#ifndef weir_claim_again_
#define weir_claim_begin_() ((void)0)
#define weir_claim_again_() ((void)0)
#endif

/* Several threads may use the block's first object of a launch at once. One of them makes the
 * notes, and the others wait for it. Returns whether the caller is that one. */
WEIR_FN int weir_notes_claim_(uint64_t address, WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	uint32_t before;

	weir_area_set_(address);
	weir_claim_begin_();
	for (;;) {
		before = weir_load_acq(notes + WEIR_NOTE_LAUNCH); /* pairs with the release below */
		if (before == launch)
			return 0;
		/* Relaxed: it only decides which thread makes the notes. */
		if (before != WEIR_LAUNCH_BEGINS &&
		    weir_cas_rlx(notes + WEIR_NOTE_LAUNCH, before, WEIR_LAUNCH_BEGINS) == before)
			return 1;
		weir_claim_again_();
	}
}

WEIR_FN void weir_notes_claimed_(WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	weir_store_rel(notes + WEIR_NOTE_LAUNCH, launch); /* pairs with the acquire above */
}

/* The number of the launch. Relaxed: the host wrote it before the launch. */
WEIR_FN uint32_t weir_notes_launch_(WEIR_GLOBAL weir_word *area)
{
	return weir_load_rlx(area + WEIR_AREA_LAUNCH);
}

/* Where the leader's note `doing` lies, to clear it without looking for it; 0: not known. */
#define weir_note_place_(doing) 0
#define weir_note_clear_(place) ((void)(place))

/* Whether an operation can keep notes: it has found the area. */
#define weir_notes_usable_(notes) ((notes).area != 0)

/* The address of the area, if the machine knows that the block has used the object in this launch;
 * else 0. */
#define weir_area_begun_(id) ((uint64_t)0)

#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_area_at_(uint64_t address)
{
	return (WEIR_GLOBAL weir_word *)(size_t)address;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_notes_of_(WEIR_GLOBAL weir_word *area)
{
	return area + WEIR_NOTES_AT(weir_block_id());
}

/* Relaxed: the host wrote the header before the launch. */
WEIR_FN uint64_t weir_header_area_(WEIR_GLOBAL weir_word *header)
{
	return (uint64_t)weir_load_rlx(header + WEIR_HEADER_AREA_HIGH) << 32 |
	       weir_load_rlx(header + WEIR_HEADER_AREA_LOW);
}

#ifndef WEIR_HAS_OWN_NOTES
/* The block's notes, by the header of an object that it uses. */
WEIR_FN WEIR_GLOBAL weir_word *weir_notes_here_(WEIR_GLOBAL weir_word *header)
{
	return weir_notes_of_(weir_area_at_(weir_header_area_(header)));
}
#endif

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

#if WEIR_HAS_CLOCK
WEIR_FN uint32_t weir_notes_ms_(void)
{
	return (uint32_t)(weir_clock_ns() / 1000000) | 1; /* 0 means no clock */
}
#endif

/* The part of a weir_wait that belongs to a diagnosis. It is two registers: a wait that keeps more
 * of them polls later. */
typedef struct weir_wait_notes {
	uint32_t polls; /* since the last look, and the flags below */
	uint32_t since; /* in ms of the device's clock; without a clock, the number of looks */
} weir_wait_notes;

#define WEIR_WAIT_SAID 0x80000000u /* the area says that this thread waits */
#define WEIR_WAIT_OVER 0x40000000u /* the host has ended all waits */
#define WEIR_WAIT_CAN_FAIL                                                                         \
	0x20000000u /* its function can return WEIR_ABORTED: the thread goes on */
#define WEIR_WAIT_FLAGS (WEIR_WAIT_SAID | WEIR_WAIT_OVER | WEIR_WAIT_CAN_FAIL)

/* Where threads cannot end, an aborted block no longer waits. */
WEIR_FN int weir_wait_begins_over_(void)
{
#if WEIR_HAS_THREAD_END
	return 0;
#else
	uint64_t address = weir_block_id() < WEIR_BLOCKS ? weir_area_now_() : 0;
	WEIR_GLOBAL weir_word *notes;
	if (address == 0)
		return 0;
	notes = weir_notes_of_(weir_area_at_(address));
	return (weir_note_get_(notes, WEIR_NOTE_DOING) |
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

/* The operation of the block that this wait is a part of: one thread is in a lock or a wait, or all
 * are, as in a barrier. 0: another thread speaks, or the wait is in no diagnosed operation. */
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
	weir_note_put_(notes, WEIR_NOTE_OF_OPERATION(WEIR_DOING_OPERATION(doing)), doing);
	weir_note_publish_entry_(notes, WEIR_DOING_OBJECT(doing));
	if (WEIR_DOING_OPERATION(doing) == WEIR_OPERATION_CREW)
		weir_note_publish_(notes, WEIR_NOTE_LANE);
	weir_note_put_(notes, WEIR_NOTE_SINCE, WEIR_HAS_CLOCK ? mine->since : 0);
#if WEIR_HAS_CLOCK
	weir_note_put_(notes, WEIR_NOTE_SEEN, weir_notes_ms_());
#endif
	weir_note_put_(notes, WEIR_NOTE_WAITS, WEIR_DOING_OPERATION(doing));
}

/* Returns the new state of the wait. The host's order to end applies to every wait of the block. */
WEIR_NOINLINE weir_wait_notes weir_wait_look_closely_(weir_wait_notes mine)
{
	uint64_t address;
	WEIR_GLOBAL weir_word *area, *notes;
	uint32_t doing;

	mine.polls &= WEIR_WAIT_FLAGS;
	if (!weir_wait_is_long_(&mine))
		return mine;
	address = weir_area_now_();
	if (address == 0 || weir_block_id() >= WEIR_BLOCKS)
		return mine;
	area = weir_area_at_(address);
	notes = weir_notes_of_(area);
	doing = weir_wait_of_(notes);
	if (doing != 0) {
		weir_wait_say_(notes, &mine, doing);
		mine.polls |= WEIR_WAIT_SAID;
	}
	if (weir_load_rlx(area + WEIR_AREA_ABORT) == 0) /* relaxed: it carries no data */
		return mine;
	mine.polls |= WEIR_WAIT_OVER;
	if ((mine.polls & WEIR_WAIT_CAN_FAIL) == 0) {
		weir_note_put_(notes, WEIR_NOTE_ABORTED, 1);
		weir_thread_end_();
	}
	return mine;
}

WEIR_FN void weir_wait_look_(weir_wait_notes *mine)
{
	if (!WEIR_LIKELY(++mine->polls % WEIR_NOTES_LOOK != 0))
		*mine = weir_wait_look_closely_(*mine);
}

/* The block's own copy still says that it waits; only weir_note_end_bounded_ reads that copy.
 * Relaxed: the host reads it as it comes. */
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
