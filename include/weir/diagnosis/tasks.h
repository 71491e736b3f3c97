/* Hooks of tasks (weir/tasks/api.h).
 *
 *   next     notes that the block is in it and, when it returns, the task that the block then runs and when that task
 *            started. While it waits for the other threads of its block, the block still runs the previous task.
 *   add      of a wrong number or class ends the launch.
 *   a launch that follows one that some blocks did not leave is reported by its first operation.
 *
 * The host reads from the words of the graph how many tasks have not finished, and which cannot finish.
 */
#ifndef WEIR_TASKS_API_H
#include "weir/tasks/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_TASKS_H
#define WEIR_DIAGNOSIS_TASKS_H

#if WEIR_HAS_WORD64

WEIR_FN weir_notes weir_tasks_open_(weir_tasks t, weir_site site)
{
	return weir_notes_open_at_(t.words, t.config.id, site, WEIR_FIRST_LEFT,
	                           weir_tasks_left_(t));
}

/* Whether the operation must be skipped: the launch has been aborted, or the kernel lacks the kind of queue
 * that tasks need. */
WEIR_FN int weir_tasks_left_out_(weir_notes n, weir_tasks t)
{
	return weir_notes_left_out_(n) ||
	       (!WEIR_LIKELY(WEIR_FITS_(QUEUE, weir_tasks_queue_(t, 0).config)) &&
	        weir_note_fault_(t.words, t.config.id, n.site, WEIR_FAULT_QUEUE, WEIR_QUEUE_CELLS));
}

/* Notes the task that the block runs from now on. WEIR_NO_TASK is noted as 0. */
WEIR_FN void weir_note_task_(weir_notes n, uint32_t task)
{
	if (n.area == 0)
		return;
	weir_note_put_(n.mine, WEIR_NOTE_BEGAN, weir_notes_ms_());
	weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id), task + 1);
}

#endif

#endif
