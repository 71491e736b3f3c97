/* Kernels as people write them, to measure a barrier or a lock in realistic use. One source for all
 * machines. A kernel NAME of real/NAME.h has up to two forms:
 *
 *   NAME         all steps in one launch, with a REAL_MEET where all blocks must meet;
 *   NAME_once    one part: the work between two meetings. Launching all parts in order does what
 *                NAME does. params.part says which part.
 *
 * Both take `words` (the barrier's or the locks'), `data` (the kernel's memory, whose layout its
 * header states) and real_params. The build chooses what REAL_MEET is:
 *
 *   (nothing)      weir's barrier; its kind comes with the handle, or from WEIR_BARRIER_KIND
 *   REAL_GRID      grid.sync() of cooperative groups, on CUDA
 *   REAL_HAND      a correct barrier as people write it by hand, on CUDA
 *   REAL_LEFT_OUT  none, to test that the checks of results notice it
 *
 * A kernel may have a third form, NAME_events: one launch with events instead of the meetings, where
 * a block waits for the blocks whose results it needs. It uses the real_event functions below, which
 * REAL_LEFT_OUT makes empty. Builds without weir's objects, and that with fixed kinds, do not have it.
 *
 * Further forms are NAME_tasks, with a graph of tasks instead of the meetings (real_tasks_next, below),
 * and NAME_queue, where blocks pass work to each other through a queue. Kernels with locks may have
 * NAME_combine, with combiners instead of the locks.
 *
 * NAME_once begins with REAL_PART, which waits for the previous launch if the launches of the parts
 * overlap.
 */
#ifndef WEIR_REAL_H
#define WEIR_REAL_H

#include "kernels/kernel.h"

#define REAL_SIZES 8

typedef struct real_params {
	weir_any_config config;
	uint32_t size[REAL_SIZES]; /* as the kernel's header says */
	/* NAME_once: which part, from 0. NAME_combine: words from one combiner to the next. */
	uint32_t part;
} real_params;

#if defined(REAL_GRID)

#include <cooperative_groups.h>
#define REAL_BARRIER(words, params) ((void)(words))
#define REAL_MEET() cooperative_groups::this_grid().sync()

#elif defined(REAL_HAND)

#include "hand.h"
#define REAL_BARRIER(words, params) unsigned int *real_word_ = (unsigned int *)(words)
#define REAL_MEET() real_hand_meet_(real_word_)

#elif defined(REAL_LEFT_OUT)

#define REAL_BARRIER(words, params) ((void)(words))
#define REAL_MEET() ((void)0)

#else

#define REAL_BARRIER(words, params)                                                                \
	KERNEL_HANDLE(weir_barrier, real_barrier_, words, (params).config.barrier)
#define REAL_MEET() weir_barrier_wait(real_barrier_)

#endif

/* Programmatic dependent launch: the first instruction lets the next launch start at once; the
 * second waits until the writes of the previous launch are visible. Without it both instructions do
 * nothing. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define REAL_PART()                                                                                \
	__asm__ volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory")
#else
#define REAL_PART() ((void)0)
#endif

#if defined(REAL_GRID) || defined(REAL_HAND)
#define REAL_NO_EVENTS
#endif

#define REAL_EVENTS(name, words, params)                                                           \
	KERNEL_HANDLE(weir_event_array, name, words, (params).config.event_array)

/* The last thread speaks for its block: the threads of the first warps have more to do. */
WEIR_FN int real_event_speaks(void)
{
	return weir_thread_id() == weir_thread_count() - 1;
}

/* The number of this launch: weir/event/round.h. */
WEIR_FN uint32_t real_event_round(weir_event_array events)
{
#ifdef REAL_LEFT_OUT
	(void)events;
	return 0;
#else
	return weir_event_array_round(events);
#endif
}

/* One thread calls these. */
WEIR_FN void real_event_wait(weir_event_array events, uint32_t index, uint32_t target)
{
#ifdef REAL_LEFT_OUT
	(void)events;
	(void)index;
	(void)target;
#else
	weir_event_wait(weir_event_at(events, index), target);
#endif
}

WEIR_FN void real_event_post(weir_event_array events, uint32_t index, uint32_t n)
{
#ifdef REAL_LEFT_OUT
	(void)events;
	(void)index;
	(void)n;
#else
	weir_event_post(weir_event_at(events, index), n);
#endif
}

/* All threads of the block call it. */
WEIR_FN void real_event_block_leave(weir_event_array events)
{
#ifdef REAL_LEFT_OUT
	(void)events;
#else
	weir_event_array_block_leave(events);
#endif
}

#if !defined(REAL_NO_EVENTS) && WEIR_HAS_WORD64
#define REAL_HAS_TASKS
#endif

#ifdef REAL_HAS_TASKS

#define REAL_TASKS(name, words, params)                                                            \
	KERNEL_HANDLE(weir_tasks, name, words, (params).config.tasks)

/* weir_tasks_block_next, even on machines where a block cannot broadcast a value: there `slots` has
 * a word for each block. REAL_LEFT_OUT distributes the `count` tasks and waits for none. */
WEIR_FN int real_tasks_next(weir_tasks tasks, uint32_t *task, uint32_t count,
                            WEIR_GLOBAL uint32_t *slots)
{
#if defined(REAL_LEFT_OUT)
	(void)tasks;
	(void)slots;
	*task = *task == WEIR_NO_TASK ? weir_block_id() : *task + weir_block_count();
	return *task < count;
#elif WEIR_HAS_BLOCK_VALUE
	(void)count;
	(void)slots;
	return weir_tasks_block_next(tasks, task);
#else
	(void)count;
	weir_block_sync(); /* the block's work precedes the releases; all have read the old value */
	if (weir_thread_id() == 0) {
		(void)weir_tasks_next(tasks, task);
		slots[weir_block_id()] = *task;
	}
	weir_block_sync(); /* extends the leader's acquires to its block */
	*task = slots[weir_block_id()];
	return *task != WEIR_NO_TASK;
#endif
}

#endif

/* The thread's number in the grid, and how many there are: for loops over all elements. */
WEIR_FN uint32_t real_thread(void)
{
	return weir_block_id() * weir_thread_count() + weir_thread_id();
}

WEIR_FN uint32_t real_threads(void)
{
	return weir_block_count() * weir_thread_count();
}

/* The sum over the threads of the block, returned to thread 0. All threads call it. `scratch` has a
 * float for each thread of the grid; CUDA uses shared memory instead, and blocks of whole warps. */
#ifdef __CUDACC__
WEIR_FN float real_block_sum(float value, float *scratch)
{
	__shared__ float warps[32];
	uint32_t thread = weir_thread_id();

	(void)scratch;
	for (uint32_t offset = 16; offset != 0; offset /= 2)
		value += __shfl_down_sync(0xffffffffu, value, offset);
	if (thread % 32 == 0)
		warps[thread / 32] = value;
	__syncthreads();
	if (thread < 32) {
		value = thread < weir_thread_count() / 32 ? warps[thread] : 0;
		for (uint32_t offset = 16; offset != 0; offset /= 2)
			value += __shfl_down_sync(0xffffffffu, value, offset);
	}
	__syncthreads(); /* the next sum uses the same words */
	return value;
}
#else
WEIR_FN float real_block_sum(float value, WEIR_GLOBAL float *scratch)
{
	WEIR_GLOBAL float *mine = scratch + weir_block_id() * weir_thread_count();

	mine[weir_thread_id()] = value;
	weir_block_sync();
	if (weir_thread_id() == 0) {
		for (uint32_t i = 1; i < weir_thread_count(); i++)
			value += mine[i];
	}
	weir_block_sync();
	return value;
}
#endif

#endif
