/* The notes of the cuda machine. A block keeps them in shared memory, so that an operation never
 * waits for a load from the area.
 *
 * Shared memory starts with arbitrary contents, often the notes of an earlier block. The notes are
 * valid if their stamp has the number of this block and of this grid, which no other launch has.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_CUDA_NOTES_H
#define WEIR_MACHINE_CUDA_NOTES_H

#define WEIR_HAS_OWN_NOTES 1
#define WEIR_HAS_THREAD_END 1
#define WEIR_COUNTS_THREADS 0 /* an atomic of every thread would cost the barrier too much */
#define WEIR_NOINLINE static __noinline__ __device__ __attribute__((unused))

typedef struct weir_shared_notes {
	uint64_t stamp;
	uint64_t area;
	uint32_t words[WEIR_NOTE_WORDS];
} weir_shared_notes;

/* Not static: all units of a program that is linked on the device must use the same memory. */
inline __device__ volatile weir_shared_notes *weir_shared_notes_(void)
{
	__shared__ __align__(16) weir_shared_notes notes;
	return &notes;
}

WEIR_FN uint64_t weir_grid_number_(void)
{
	uint64_t grid;
	asm("mov.u64 %0, %%gridid;" : "=l"(grid));
	return grid;
}

/* Not a small number, which the shared memory of any kernel may contain by chance. */
WEIR_FN uint64_t weir_notes_stamp_(void)
{
	return (weir_grid_number_() << 32 | weir_block_id()) ^ 0x9e3779b97f4a7c15ull;
}

WEIR_FN uint32_t weir_shared_address_(volatile void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared((void *)pointer);
}

/* One load for both, since an operation waits for it. */
WEIR_FN uint64_t weir_area_now_(void)
{
	uint64_t stamp, area;
	asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
	             : "=l"(stamp), "=l"(area)
	             : "r"(weir_shared_address_(weir_shared_notes_()))
	             : "memory");
	return stamp == weir_notes_stamp_() ? area : 0;
}

#define weir_area_leave_() ((void)0)

/* Functions that only keep and get notes do not need the address of the area. */
#define weir_notes_here_(header) ((weir_word *)0)
#define weir_notes_usable_(notes) 1

WEIR_FN uint32_t weir_note_address_(uint32_t index)
{
	return weir_shared_address_(&weir_shared_notes_()->words[index]);
}

/* In PTX: a volatile access through a pointer would be generic, and slower. */
WEIR_FN uint32_t weir_note_get_(weir_word *notes, uint32_t index)
{
	uint32_t value, at = weir_note_address_(index);
	(void)notes;
	asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
	return value;
}

WEIR_FN void weir_note_keep_(weir_word *notes, uint32_t index, uint32_t value)
{
	uint32_t at = weir_note_address_(index);
	(void)notes;
	asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(at), "r"(value) : "memory");
}

WEIR_FN void weir_note_keep_pair_(weir_word *notes, uint32_t index, uint64_t value)
{
	uint32_t at = weir_note_address_(index);
	(void)notes;
	asm volatile("st.volatile.shared.u64 [%0], %1;" : : "r"(at), "l"(value) : "memory");
}

WEIR_FN void weir_note_put_(weir_word *notes, uint32_t index, uint32_t value)
{
	weir_note_keep_(notes, index, value);
	weir_store_rlx(notes + index, value); /* relaxed: the host needs nothing else with it */
}

WEIR_FN void weir_note_add_(weir_word *notes, uint32_t index, uint32_t addend)
{
	uint32_t at = weir_note_address_(index);
	(void)notes;
	asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(at), "r"(addend) : "memory");
}

WEIR_FN uint32_t weir_note_swap_(weir_word *notes, uint32_t index, uint32_t from, uint32_t to)
{
	uint32_t found;
	(void)notes;
	asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
	             : "=r"(found)
	             : "r"(weir_note_address_(index)), "r"(from), "r"(to)
	             : "memory");
	return found;
}

/* The address of the leader's note: finding it again would lengthen the critical section. */
WEIR_FN uint32_t weir_note_place_(uint32_t doing)
{
	return doing != 0 && WEIR_DOING_THREAD(doing) == 0 ? weir_note_address_(WEIR_NOTE_DOING)
	                                                   : 0;
}

WEIR_FN void weir_note_clear_(uint32_t place)
{
	asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(place), "r"(0) : "memory");
}

/* The two loads overlap. */
WEIR_FN uint64_t weir_area_begun_(uint32_t id)
{
	uint32_t entered = weir_note_get_(0, WEIR_NOTE_SITE(id));
	uint64_t area = weir_area_now_();
	return entered != 0 ? area : 0;
}

WEIR_FN int weir_notes_claim_(uint64_t address, weir_word *notes, uint32_t launch)
{
	volatile weir_shared_notes *mine = weir_shared_notes_();
	unsigned long long *at = (unsigned long long *)&mine->stamp;
	uint64_t stamp = weir_notes_stamp_();
	uint64_t before;

	(void)notes;
	(void)launch;
	do {
		before = mine->stamp;
		if (before == stamp)
			return 0;
		/* ~stamp: another thread is making the notes. */
	} while (before == ~stamp || atomicCAS(at, before, ~stamp) != before);
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		mine->words[i] = 0;
	mine->area = address;
	return 1;
}

/* The notes are made. The stamp is written after them. */
WEIR_FN void weir_notes_claimed_(weir_word *notes, uint32_t launch)
{
	weir_note_put_(notes, WEIR_NOTE_LAUNCH, launch);
	__threadfence_block();
	weir_shared_notes_()->stamp = weir_notes_stamp_();
}

/* Never 0, which is the value in notes that no launch has written. */
WEIR_FN uint32_t weir_notes_launch_(weir_word *area)
{
	(void)area;
	return (uint32_t)weir_grid_number_() << 1 | 1;
}

WEIR_FN void weir_thread_end_(void)
{
	asm volatile("exit;");
}

WEIR_NOINLINE void weir_block_end_(void)
{
	if (weir_area_now_() != 0) /* otherwise the note is from an earlier block */
		weir_thread_end_();
}

/* Called after a block sync. Ends the threads of a block if one of them has been ended. */
WEIR_FN void weir_block_look_(void)
{
	if (!WEIR_LIKELY(weir_note_get_(0, WEIR_NOTE_ABORTED) == 0))
		weir_block_end_();
}

#endif
