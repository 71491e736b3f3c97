/* Diagnosis of tasks: the part of weir/diagnose.h for them. Each function of weir/task becomes a macro
 * that passes its call site to a function of the same name with _at_.
 *
 *   next     notes that the block is in it, and when it returns, the task that the block then runs
 *            and since when. While it waits for the other threads of its block, the block still runs
 *            the task before.
 *   add      of a number or class that is wrong ends the launch.
 *   a launch that finds the graph left by some blocks of an earlier one, and not by all, reports it,
 *            in its first operation.
 *
 * How many tasks have not finished, and which cannot, the host reads in the words of the graph.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_TASK_H
#define WEIR_DIAGNOSIS_TASK_H

#include "weir/diagnosis/left.h"

#if WEIR_HAS_WORD64

WEIR_FN weir_notes weir_tasks_open_(weir_tasks t, weir_site site)
{
	return weir_left_open_(t.words, t.config.id, weir_tasks_left_(t), site);
}

/* Whether the launch has been aborted, or the kernel lacks the kind of queue that tasks need: the
 * operation is left out. */
WEIR_FN int weir_tasks_left_out_(weir_notes n, weir_tasks t, int tells)
{
	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return 1;
	return !WEIR_LIKELY(WEIR_QUEUE_FITS_(weir_tasks_queue_(t, 0).config)) &&
	       weir_note_fault_by_(t.words, t.config.id, n.site, WEIR_FAULT_QUEUE, WEIR_QUEUE_CELLS,
	                           tells);
}

WEIR_FN weir_doing weir_note_next_(weir_notes n)
{
	if (n.area == 0)
		return weir_doing_(0);
	weir_note_entry_(n, weir_note_site_(n));
	return weir_note_begin_(n, WEIR_OPERATION_NEXT);
}

/* Notes the task that the block runs from now on. WEIR_NO_TASK, which is none, becomes 0. */
WEIR_FN void weir_note_task_(weir_notes n, uint32_t task)
{
	if (n.area == 0)
		return;
#if WEIR_HAS_CLOCK
	weir_note_put_(n.mine, WEIR_NOTE_BEGAN, weir_notes_ms_());
#endif
	weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id), task + 1);
}

WEIR_FN int weir_tasks_next_at_(weir_tasks t, uint32_t *task, weir_site site)
{
	weir_notes n = weir_tasks_open_(t, site);
	weir_doing doing;
	int goes_on;

	if (weir_tasks_left_out_(n, t, 1)) {
		*task = WEIR_NO_TASK;
		return 0;
	}
	doing = weir_note_next_(n);
	goes_on = weir_tasks_next(t, task);
	weir_note_task_(n, *task);
	weir_note_end_(t.words, doing);
	return goes_on;
}

WEIR_FN weir_result weir_tasks_add_at_(weir_tasks t, uint32_t task, uint32_t level, weir_site site)
{
	weir_notes n = weir_tasks_open_(t, site);
	weir_result result;

	if (weir_tasks_left_out_(n, t, 1))
		return WEIR_ABORTED;
	if (!WEIR_LIKELY(task >= t.config.tasks && task != WEIR_NO_TASK &&
	                 level < t.config.classes) &&
	    weir_note_fault_(t.words, t.config.id, site, WEIR_FAULT_TASK, task))
		return WEIR_ABORTED;
	result = weir_tasks_add(t, task, level);
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_BLOCK_VALUE

/* Thread 0 of the block speaks: it pops. */
WEIR_FN int weir_tasks_block_next_at_(weir_tasks t, uint32_t *task, weir_site site)
{
	int speaks = weir_thread_id() == 0;
	weir_notes n = speaks ? weir_tasks_open_(t, site) : weir_notes_at_(0, 0, site);
	weir_doing doing;
	int goes_on;

	if (weir_tasks_left_out_(n, t, speaks)) {
		*task = WEIR_NO_TASK;
		return 0;
	}
	doing = weir_note_next_(n);
	goes_on = weir_tasks_block_next(t, task);
	weir_note_task_(n, *task);
	weir_note_end_(t.words, doing);
	return goes_on;
}

#define weir_tasks_block_next(t, task) weir_tasks_block_next_at_(t, task, WEIR_HERE_)

#endif

#define weir_tasks_next(t, task) weir_tasks_next_at_(t, task, WEIR_HERE_)
#define weir_tasks_add(t, task, level) weir_tasks_add_at_(t, task, level, WEIR_HERE_)

#endif

#endif
