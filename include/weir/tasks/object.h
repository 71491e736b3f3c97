/* The handle of a graph of tasks.
 *
 * The host library builds its words from a graph. The fields are first, config.pitch apart because
 * blocks change them at the same time, followed by a queue of ready tasks for each class. After the
 * queues there are the records and the rows of the tasks, in 64-bit words, and then the successors
 * and the roots, in 32-bit words.
 *
 *   unfinished   the number of unfinished tasks that no other task waits for: tasks without a
 *                successor, and added tasks. With config.counts_all, all unfinished tasks.
 *   added        the number of added tasks that no block has started
 *   idle         the number of blocks that have waited long and have no task. While WEIR_TASKS_HELD
 *                is set, none of them may take a task.
 *   stuck        1 if all blocks waited and no task was ready, although some had not finished
 *   left         the count of blocks that have left (weir/leave.h)
 *   unclaimed    one field for each class, where there are several: the number of ready tasks that
 *                no block has claimed. It is below 0 while blocks claim too many.
 *   record       The lower half is the number of unfinished dependencies. The upper half is the
 *                number of all dependencies, with the class in its highest 2 bits.
 *   row          two words. The first says where the successors of the task start and, in its upper
 *                half, how many there are. The second holds the first two successors.
 */
#ifndef WEIR_TASKS_OBJECT_H
#define WEIR_TASKS_OBJECT_H

#include "weir/queue/kinds.h"

/** No task: the value before the first task and after the last. */
#define WEIR_NO_TASK 0xffffffffu

#define WEIR_TASKS_CLASSES 3                       /**< the most classes; 0 is the most urgent */
#define WEIR_TASKS_FIELDS (5 + WEIR_TASKS_CLASSES) /**< fields before the first queue */
#define WEIR_TASKS_HELD 0x80000000u                /**< the bit of `idle` while it is held */
#define WEIR_TASKS_NEEDS_BITS 30                   /**< bits of a record for its dependencies */
#define WEIR_TASKS_NEEDS ((1u << WEIR_TASKS_NEEDS_BITS) - 1) /**< these bits */

/** The configuration in the handle of a graph. */
typedef struct weir_tasks_config {
	WEIR_CONFIG_MEMBERS
	uint32_t tasks;                     /**< in the graph, numbered from 0 */
	uint32_t edges;                     /**< the number of successors of all tasks */
	uint32_t sinks;                     /**< tasks that are counted when they finish */
	uint32_t roots[WEIR_TASKS_CLASSES]; /**< tasks without dependencies, in each class */
	uint32_t classes;                   /**< up to WEIR_TASKS_CLASSES */
	uint32_t bits;                      /**< a queue has 2^bits slots */
	uint32_t room;                      /**< room for added tasks that no block has started */
	uint32_t is_local; /**< a block continues with a successor that it has made ready */
	/** Every task is counted when it finishes, not only tasks without a successor: the graph
	 * may have a cycle. */
	uint32_t counts_all;
} weir_tasks_config;

/** The handle of a graph of tasks. Kernels get it by value; every copy is the same graph. */
WEIR_HANDLE_(weir_tasks)

#if WEIR_HAS_WORD64

/* The offsets of the parts, in words. */
WEIR_FN uint64_t weir_tasks_queue_words_(weir_tasks_config config)
{
	return WEIR_QUEUE_HEAD * config.pitch + ((uint64_t)WEIR_CELLS_STRIDE << config.bits);
}

/* Even, like the number of fields: the 64-bit words of the queues need that. */
WEIR_FN uint64_t weir_tasks_queues_(weir_tasks_config config)
{
	return WEIR_TASKS_FIELDS * config.pitch;
}

WEIR_FN uint64_t weir_tasks_records_(weir_tasks_config config)
{
	return weir_tasks_queues_(config) + config.classes * weir_tasks_queue_words_(config);
}

WEIR_FN uint64_t weir_tasks_rows_(weir_tasks_config config)
{
	return weir_tasks_records_(config) + 2 * (uint64_t)config.tasks;
}

WEIR_FN uint64_t weir_tasks_successors_(weir_tasks_config config)
{
	return weir_tasks_rows_(config) + 4 * (uint64_t)config.tasks;
}

WEIR_FN uint64_t weir_tasks_roots_(weir_tasks_config config)
{
	return weir_tasks_successors_(config) + config.edges;
}

/* The roots of a class. It compares instead of indexing, since an index would put the handle into
 * each thread's local memory. */
WEIR_FN uint32_t weir_tasks_root_count_(weir_tasks_config config, uint32_t level)
{
	return level == 0 ? config.roots[0] : level == 1 ? config.roots[1] : config.roots[2];
}

/** The words of a graph. */
WEIR_FN uint64_t weir_tasks_words(weir_tasks_config config)
{
	return weir_tasks_roots_(config) + config.roots[0] + config.roots[1] + config.roots[2];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_unfinished_(weir_tasks t)
{
	return &t.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_added_(weir_tasks t)
{
	return &t.words[t.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_idle_(weir_tasks t)
{
	return &t.words[2 * t.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_stuck_(weir_tasks t)
{
	return &t.words[3 * t.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_left_(weir_tasks t)
{
	return &t.words[4 * t.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_unclaimed_(weir_tasks t, uint32_t level)
{
	return &t.words[(5 + level) * t.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word64 *weir_tasks_record_(weir_tasks t, uint32_t task)
{
	return weir_word64_at(t.words + weir_tasks_records_(t.config) + 2 * (uint64_t)task, 0);
}

WEIR_FN WEIR_GLOBAL weir_word64 *weir_tasks_row_(weir_tasks t, uint32_t task)
{
	return weir_word64_at(t.words + weir_tasks_rows_(t.config) + 4 * (uint64_t)task, 0);
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_successor_(weir_tasks t, uint32_t edge)
{
	return &t.words[weir_tasks_successors_(t.config) + edge];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_tasks_root_(weir_tasks t, uint32_t root)
{
	return &t.words[weir_tasks_roots_(t.config) + root];
}

/* The queue of ready tasks of a class. */
WEIR_FN weir_queue weir_tasks_queue_(weir_tasks t, uint32_t level)
{
	weir_queue q;

	q.words =
	    t.words + weir_tasks_queues_(t.config) + level * weir_tasks_queue_words_(t.config);
	q.config.kind = WEIR_QUEUE_CELLS;
	q.config.pitch = t.config.pitch;
	q.config.offset = 0;
	q.config.backoff = t.config.backoff;
	q.config.id = 0;
	q.config.bits = t.config.bits;
	q.config.words = 1;
	q.config.stride = WEIR_CELLS_STRIDE;
	q.config.single = 0;
	return q;
}

#endif

#endif
