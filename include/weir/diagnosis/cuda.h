/* The cuda machine's part of a diagnosis: a block keeps its notes in shared memory, and what the host
 * must see is also stored in the area. So an operation waits for no load of its own: it looks into
 * the area's memory once in a launch, for its address.
 *
 * Shared memory holds anything at first, often the notes of a block before. They count when they are
 * stamped with the number of this grid, which no other launch has, and this block's.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this one in its place */
#endif

#ifndef WEIR_DIAGNOSIS_CUDA_H
#define WEIR_DIAGNOSIS_CUDA_H

#define WEIR_HAS_OWN_NOTES 1
#define WEIR_HAS_THREAD_END 1
#define WEIR_NOTES_AFTER_ARRIVAL 1 /* of a barrier: other warps wait meanwhile */
#define WEIR_COUNTS_THREADS 0      /* an atomic of every thread would cost the barrier too much */
/* Sixteenths of a pause unit: blocks that make notes arrive less evenly, and a first poll that comes too
 * early costs more than one that comes late. */
#define WEIR_NOTES_SLACK 5
#define WEIR_NOINLINE static __noinline__ __device__ __attribute__((unused))

typedef struct weir_shared_notes {
	uint64_t stamp;
	uint64_t area;
	/* The place of a barrier is kept before the arrival, and noted after it. */
	const char *file;
	uint32_t line;
	uint32_t unused;
	uint32_t words[WEIR_NOTE_WORDS];
} weir_shared_notes;

/* Not static: all parts of a program that is linked on the device must mean the same memory. */
inline __device__ volatile weir_shared_notes *weir_shared_notes_(void)
{
	__shared__ __align__(16) weir_shared_notes notes;
	return &notes;
}

WEIR_FN uint64_t weir_notes_stamp_(void)
{
	uint64_t grid;
	asm("mov.u64 %0, %%gridid;" : "=l"(grid));
	/* Not small numbers, which anybody's shared memory may hold. */
	return (grid << 32 | weir_block_id()) ^ 0x9e3779b97f4a7c15ull;
}

WEIR_FN uint32_t weir_shared_address_(volatile void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared((void *)pointer);
}

/* Both at once: an operation waits for them. */
WEIR_FN uint64_t weir_area_now_(void)
{
	uint64_t stamp, area;
	asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
	             : "=l"(stamp), "=l"(area)
	             : "r"(weir_shared_address_(weir_shared_notes_()))
	             : "memory");
	return stamp == weir_notes_stamp_() ? area : 0;
}

WEIR_FN uint64_t weir_area_kept_(uint32_t id)
{
	uint32_t known = weir_shared_notes_()->words[WEIR_NOTE_KNOWN + id / 32];
	uint64_t area = weir_area_now_();
	return known >> id % 32 & 1 ? area : 0;
}

#define weir_area_begun_() (weir_area_now_() != 0)
#define weir_area_leave_() ((void)0)

/* Of several threads that meet the block's first object at once, one makes the notes and the others wait
 * for it. Whether the caller is that one. */
WEIR_FN int weir_notes_claim_(uint64_t address, weir_word *notes, uint32_t launch)
{
	volatile weir_shared_notes *mine = weir_shared_notes_();
	uint32_t at = weir_shared_address_(&mine->stamp);
	uint64_t stamp = weir_notes_stamp_();
	uint64_t before, found;

	(void)notes;
	(void)launch;
	do {
		before = mine->stamp;
		if (before == stamp)
			return 0;
		found = stamp;        /* not what was there before: look again */
		if (before != ~stamp) /* nobody makes them now */
			asm volatile("atom.shared.cas.b64 %0, [%1], %2, %3;"
			             : "=l"(found)
			             : "r"(at), "l"(before), "l"(~stamp)
			             : "memory");
	} while (found != before);
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		mine->words[i] = 0;
	mine->area = address;
	return 1;
}

WEIR_FN uint32_t weir_note_get_(weir_word *notes, uint32_t index)
{
	(void)notes;
	return weir_shared_notes_()->words[index];
}

WEIR_FN void weir_note_keep_(weir_word *notes, uint32_t index, uint32_t value)
{
	(void)notes;
	weir_shared_notes_()->words[index] = value;
}

WEIR_FN void weir_note_put_(weir_word *notes, uint32_t index, uint32_t value)
{
	weir_note_keep_(notes, index, value);
	weir_store_rlx(notes + index, value); /* relaxed: the host reads it as it comes */
}

/* The notes are made: the stamp comes after them. */
WEIR_FN void weir_notes_claimed_(weir_word *notes, uint32_t launch)
{
	weir_note_put_(notes, WEIR_NOTE_LAUNCH, launch);
	__threadfence_block();
	weir_shared_notes_()->stamp = weir_notes_stamp_();
}

/* The place of a barrier: nothing waits for these stores, and the arrival does not wait for a load. */
WEIR_FN void weir_site_keep_(const char *file, uint32_t line)
{
	weir_shared_notes_()->file = file;
	weir_shared_notes_()->line = line;
}

WEIR_FN const char *weir_file_kept_(void)
{
	return weir_shared_notes_()->file;
}

WEIR_FN uint32_t weir_line_kept_(void)
{
	return weir_shared_notes_()->line;
}

/* Where an operation takes back what it says of itself: an address that is at hand then, and always
 * good. An operation that takes no part has a word that nobody reads. */
typedef uint32_t weir_note_place;

WEIR_FN weir_note_place weir_note_place_(weir_word *notes, uint32_t index)
{
	(void)notes;
	return weir_shared_address_(&weir_shared_notes_()->words[index]);
}

WEIR_FN weir_note_place weir_note_nowhere_(void)
{
	return weir_note_place_(0, WEIR_NOTE_NOBODY);
}

/* Whether nobody spoke, so that the caller does now. */
WEIR_FN int weir_note_claim_(weir_word *notes, uint32_t index, uint32_t doing)
{
	uint32_t found;
	asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
	             : "=r"(found)
	             : "r"(weir_note_place_(notes, index)), "r"(0), "r"(doing)
	             : "memory");
	return found == 0;
}

/* Not when another thread of the block has said something since. Nobody waits for its result: like a store it is sent and forgotten. */
WEIR_FN void weir_note_take_back_(weir_note_place place, uint32_t doing)
{
	asm volatile("{ .reg .b32 found; atom.shared.cas.b32 found, [%0], %1, %2; }"
	             :
	             : "r"(place), "r"(doing), "r"(0)
	             : "memory");
}

/* Never 0, as notes that this launch did not write say. */
WEIR_FN uint32_t weir_notes_launch_(weir_word *area)
{
	uint64_t grid;
	(void)area;
	asm("mov.u64 %0, %%gridid;" : "=l"(grid));
	return (uint32_t)grid << 1 | 1;
}

WEIR_FN void weir_thread_end_(void)
{
	asm volatile("exit;");
}

WEIR_NOINLINE void weir_block_end_(void)
{
	if (weir_area_now_() != 0) /* else it is from a block before */
		weir_thread_end_();
}

/* Before a block sync: the address takes a while to make, and now there is time. */
WEIR_FN uint32_t weir_block_look_at_(void)
{
	return weir_hide_value(
	    weir_shared_address_(&weir_shared_notes_()->words[WEIR_NOTE_ABORTED]));
}

/* After it: the threads of a block of which one has ended. */
WEIR_FN void weir_block_look_(uint32_t at)
{
	uint32_t aborted;
	asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(aborted) : "r"(at) : "memory");
	if (!WEIR_LIKELY(aborted == 0))
		weir_block_end_();
}

#endif
