/* The notes that a block keeps for a diagnosis (WEIR_DIAGNOSE), and what a long wait does with them.
 *
 * A wait looks every WEIR_NOTES_LOOK polls: after about a millisecond it says that it waits, for
 * whom and since when, and from then on watches for the host's order to end; when it has got what it
 * waited for, it takes that back. Shorter waits leave no trace: nothing is stored in the area or loaded
 * between getting a lock and giving it back.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this one in its place */
#endif

#ifndef WEIR_DIAGNOSIS_NOTES_H
#define WEIR_DIAGNOSIS_NOTES_H

#define WEIR_NOTES_LOOK 128
/* Looks that make a long wait where there is no clock. */
#define WEIR_NOTES_LOOKS_LONG 16

/* What is seldom called, or by a thread that has the time: out of line where a call costs little, so that
 * the rest stays short enough for the cache of instructions. */
#ifndef WEIR_NOINLINE
#define WEIR_NOINLINE WEIR_FN
#endif

#ifndef WEIR_HAS_OWN_NOTES

#define WEIR_NOTES_AFTER_ARRIVAL 0

/* Relaxed, all of them: only this block writes them, and the host reads them as they come. */
WEIR_FN uint32_t weir_note_get_(WEIR_GLOBAL weir_word *notes, uint32_t index)
{
	return weir_load_rlx(notes + index);
}

WEIR_FN void weir_note_keep_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t value)
{
	weir_store_rlx(notes + index, value);
}

WEIR_FN void weir_note_put_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t value)
{
	weir_store_rlx(notes + index, value);
}

/* Where an operation takes back what it says of itself; NULL: it says nothing. */
typedef WEIR_GLOBAL weir_word *weir_note_place;

WEIR_FN weir_note_place weir_note_place_(WEIR_GLOBAL weir_word *notes, uint32_t index)
{
	return notes + index;
}

WEIR_FN weir_note_place weir_note_nowhere_(void)
{
	return 0;
}

/* Whether nobody spoke, so that the caller does now. */
WEIR_FN int weir_note_claim_(WEIR_GLOBAL weir_word *notes, uint32_t index, uint32_t doing)
{
	return weir_cas_rlx(notes + index, 0, doing) == 0;
}

/* Not when another thread of the block has said something since. */
WEIR_FN void weir_note_take_back_(weir_note_place place, uint32_t doing)
{
	if (place != 0)
		weir_cas_rlx(place, doing, 0);
}

/* The number of the launch, of which the notes must be. */
WEIR_FN uint32_t weir_notes_launch_(WEIR_GLOBAL weir_word *area)
{
	return weir_load_rlx(area + WEIR_AREA_LAUNCH); /* from before the launch */
}

/* Of several threads that meet the block's first object in a launch at once, one makes the notes and the
 * others wait for it. Whether the caller is that one. */
WEIR_FN int weir_notes_claim_(uint64_t address, WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	uint32_t before;

	weir_area_set_(address);
	do {
		before = weir_load_acq(notes + WEIR_NOTE_LAUNCH); /* pairs with the release below */
		if (before == launch)
			return 0;
		/* Relaxed: it only decides which thread makes them. */
	} while (before == WEIR_LAUNCH_BEGINS ||
	         weir_cas_rlx(notes + WEIR_NOTE_LAUNCH, before, WEIR_LAUNCH_BEGINS) != before);
	return 1;
}

WEIR_FN void weir_notes_claimed_(WEIR_GLOBAL weir_word *notes, uint32_t launch)
{
	weir_store_rel(notes + WEIR_NOTE_LAUNCH, launch); /* pairs with the acquire above */
}

/* The address of the area if the machine keeps it for a block that knows the object, and whether it
 * keeps it at all; else it is in every header. */
#define weir_area_kept_(id) ((uint64_t)0)
#define weir_area_begun_() 0

#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_area_at_(uint64_t address)
{
	return (WEIR_GLOBAL weir_word *)(size_t)address;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_notes_of_(WEIR_GLOBAL weir_word *area)
{
	return area + WEIR_NOTES_AT(weir_block_id());
}

#if WEIR_HAS_CLOCK
WEIR_FN uint32_t weir_notes_ms_(void)
{
	return (uint32_t)(weir_clock_ns() / 1000000) | 1; /* 0 would be no clock */
}
#endif

/* What a wait remembers of itself. */
typedef struct weir_wait_notes {
	uint32_t polls;
	uint32_t since;
	uint32_t flags;
	WEIR_GLOBAL weir_word *said; /* where it has said that it waits */
} weir_wait_notes;

#define WEIR_WAIT_OVER 1u
#define WEIR_WAIT_CAN_FAIL                                                                         \
	2u /* of a function that can say that it was aborted: its thread goes on */

/* A block of which a wait was aborted, and whose threads could not end, waits no more. */
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
	mine.polls = 0;
	mine.since = 0;
	mine.flags = weir_wait_begins_over_() ? WEIR_WAIT_OVER : 0;
	mine.said = 0;
	return mine;
}

/* 0: not yet. */
WEIR_FN int weir_wait_is_long_(weir_wait_notes *mine)
{
#if WEIR_HAS_CLOCK
	uint32_t now = weir_notes_ms_();
	if (mine->since == 0)
		mine->since = now;
	return now - mine->since > 1;
#else
	return mine->polls >= WEIR_NOTES_LOOK * WEIR_NOTES_LOOKS_LONG;
#endif
}

WEIR_FN void weir_wait_say_(WEIR_GLOBAL weir_word *notes, const weir_wait_notes *mine,
                            uint32_t doing)
{
	uint32_t count = WEIR_NOTE_COUNT(WEIR_DOING_OBJECT(doing));
	uint32_t note = WEIR_NOTE_OF_OPERATION(WEIR_DOING_OPERATION(doing));

	weir_note_put_(notes, note, doing);
	weir_note_put_(notes, count, weir_note_get_(notes, count)); /* barriers only keep it */
	weir_note_put_(notes, note + 1, weir_note_get_(notes, note + 1));
	weir_note_put_(notes, WEIR_NOTE_SINCE, mine->since);
#if WEIR_HAS_CLOCK
	weir_note_put_(notes, WEIR_NOTE_SEEN, weir_notes_ms_());
#endif
	weir_note_put_(notes, WEIR_NOTE_WAITS, WEIR_DOING_OPERATION(doing));
}

/* What the block says that it does, if this wait is a part of that: one thread is in a lock or a wait, all
 * are in a barrier. 0: another thread speaks, or the wait is outside of the diagnosed operations. */
WEIR_FN uint32_t weir_wait_of_(WEIR_GLOBAL weir_word *notes)
{
	uint32_t doing = weir_note_get_(notes, WEIR_NOTE_DOING);

	if (doing == 0)
		return weir_note_get_(notes, WEIR_NOTE_BARRIER);
	return WEIR_DOING_THREAD(doing) == weir_thread_id() ? doing : 0;
}

/* What the wait remembers from now on. The host's order to end is for every wait of the block. */
WEIR_NOINLINE weir_wait_notes weir_wait_look_closely_(weir_wait_notes mine)
{
	uint64_t address;
	WEIR_GLOBAL weir_word *area, *notes;
	uint32_t doing;

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
		mine.said = notes + WEIR_NOTE_WAITS;
	}
	if (weir_load_rlx(area + WEIR_AREA_ABORT) == 0) /* relaxed: it brings nothing else */
		return mine;
	mine.flags |= WEIR_WAIT_OVER;
	if ((mine.flags & WEIR_WAIT_CAN_FAIL) == 0) {
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

/* By what is in a register: a look at the notes would come between getting a lock and using it. What a
 * block keeps for itself still says that it waits, which only weir_note_end_bounded_ asks for. Relaxed: the
 * host reads it as it comes. */
WEIR_FN void weir_wait_notes_end_(const weir_wait_notes *mine)
{
	if (mine->said != 0)
		weir_store_rlx(mine->said, 0);
}

#endif
