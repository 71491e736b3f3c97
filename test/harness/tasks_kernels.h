/* Kernels that run graphs of tasks. All machines share this source. The data are plain words.
 *
 * Each task has TASKS_LANES values. A value is the sum of the values that the task's predecessors wrote
 * in this launch, plus a number that depends on the launch and the task. So a task that starts early
 * computes a different sum from the host's, and so do its successors.
 *
 * The data: the values; how often each task ran; a value and a count for each added task; and the
 * predecessors in CSR, which the host writes.
 *
 * `length` is the number of tasks, `width` the tasks that each of them adds. `value` is 1 if there is
 * room for all of these. `seed` identifies the launch. */
#include "kernels/kernel.h"
#include "params.h"

#define TASKS_LANES 3u

/* The offsets of the parts. */
WEIR_FN uint32_t tasks_runs_at(harness_params params)
{
	return HARNESS_DATA + TASKS_LANES * params.length;
}

WEIR_FN uint32_t tasks_added_at(harness_params params)
{
	return tasks_runs_at(params) + params.length;
}

WEIR_FN uint32_t tasks_first_at(harness_params params)
{
	return tasks_added_at(params) + 2 * params.width * params.length;
}

WEIR_FN uint32_t tasks_edges_at(harness_params params)
{
	return tasks_first_at(params) + params.length + 1;
}

/* The number that a task adds to the sum of its predecessors. */
WEIR_FN uint32_t tasks_own(harness_params params, uint32_t task, uint32_t lane)
{
	return (task + 1) * 2654435761u + params.seed * 40503u + lane;
}

/* The value of a lane: the predecessors' values of the next lane, which another thread wrote. */
WEIR_FN uint32_t tasks_sum(WEIR_GLOBAL const uint32_t *data, harness_params params, uint32_t task,
                           uint32_t lane)
{
	WEIR_GLOBAL const uint32_t *first = data + tasks_first_at(params);
	WEIR_GLOBAL const uint32_t *edges = data + tasks_edges_at(params);
	uint32_t sum = tasks_own(params, task, lane);

	for (uint32_t e = first[task]; e < first[task + 1]; e++)
		sum += 3 * data[HARNESS_DATA + TASKS_LANES * edges[e] + (lane + 1) % TASKS_LANES];
	return sum;
}

/* The value of an added task follows from that of the task that added it. */
WEIR_FN uint32_t tasks_added_sum(WEIR_GLOBAL const uint32_t *data, harness_params params,
                                 uint32_t number)
{
	return data[HARNESS_DATA + TASKS_LANES * (number / params.width)] + number;
}

#if WEIR_HAS_WORD64

WEIR_FN void tasks_work_added(WEIR_GLOBAL uint32_t *data, harness_params params, uint32_t number)
{
	WEIR_GLOBAL uint32_t *added = data + tasks_added_at(params) + 2 * number;

	added[0] = tasks_added_sum(data, params, number);
	added[1]++;
}

/* The work of a task by thread `thread` of `threads`. */
WEIR_FN void tasks_work(WEIR_GLOBAL uint32_t *data, harness_params params, uint32_t task,
                        uint32_t thread, uint32_t threads)
{
	if (task >= params.length) {
		if (thread == threads - 1)
			tasks_work_added(data, params, task - params.length);
		return;
	}
	for (uint32_t lane = thread; lane < TASKS_LANES; lane += threads)
		data[HARNESS_DATA + TASKS_LANES * task + lane] =
		    tasks_sum(data, params, task, lane);
	if (thread == threads - 1)
		data[tasks_runs_at(params) + task]++;
}

/* A task adds others after its values are written. It runs those for which there is no room
 * itself. */
WEIR_FN void tasks_add_some(weir_tasks t, WEIR_GLOBAL uint32_t *data, harness_params params,
                            uint32_t task)
{
	for (uint32_t i = 0; task < params.length && i < params.width; i++) {
		uint32_t number = task * params.width + i;

		if (weir_tasks_add(t, params.length + number, i % t.config.classes) != WEIR_BUSY)
			continue;
		tasks_work_added(data, params, number);
		if (params.value)
			data[HARNESS_ERRORS] = 1;
	}
}

/* A graph whose queues have already had `base` tasks. */
WEIR_KERNEL(tasks_start, harness_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);

	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < t.config.classes; i++) {
		weir_queue_start(weir_tasks_queue_(t, i), params.base);
		weir_tasks_put_roots_(t, i, params.base * WEIR_QUEUE_STEP, 0, 1);
	}
	weir_tasks_start_(t);
}

/* One thread of each block. Without the graph, blocks run the tasks in the order of their
 * numbers. */
WEIR_KERNEL(tasks_run, harness_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	uint32_t random = harness_seed(params);
	uint32_t task = WEIR_NO_TASK;

	if (weir_thread_id() != 0)
		return;
	if (params.without) {
		for (task = weir_block_id(); task < params.length; task += weir_block_count())
			tasks_work(data, params, task, 0, 1);
		return;
	}
	while (weir_tasks_next(t, &task)) {
		random = harness_shuffle(random);
		tasks_work(data, params, task, 0, 1);
		tasks_add_some(t, data, params, task);
	}
}

#if WEIR_HAS_BLOCK_VALUE
/* All threads of each block. */
WEIR_KERNEL(tasks_block, harness_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	uint32_t random = harness_seed(params);
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_block_next(t, &task)) {
		random = harness_shuffle(random);
		tasks_work(data, params, task, weir_thread_id(), weir_thread_count());
		if (params.width == 0)
			continue;
		weir_block_sync();
		if (weir_thread_id() == weir_thread_count() - 1)
			tasks_add_some(t, data, params, task);
	}
}

/* The same by weir_tasks_run. */
typedef struct tasks_argument {
	WEIR_GLOBAL uint32_t *data;
	harness_params params;
} tasks_argument;

WEIR_FN void tasks_function(tasks_argument argument, uint32_t task)
{
	tasks_work(argument.data, argument.params, task, weir_thread_id(), weir_thread_count());
}

WEIR_KERNEL(tasks_called, harness_params)
{
	tasks_argument argument;

	argument.data = data;
	argument.params = params;
	weir_tasks_run(weir_tasks_make(words, params.config.tasks), tasks_function, argument);
}
#endif

/* One block notes the order of the tasks. */
WEIR_KERNEL(tasks_order, harness_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	uint32_t task = WEIR_NO_TASK;
	uint32_t place = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	while (weir_tasks_next(t, &task))
		data[HARNESS_DATA + task] = place++;
}

#endif
