/* The benchmarks of dispensers and tasks. A block reports how often it took, how many items or
 * tasks it got, and the sum of their numbers, which shows whether any were lost or duplicated. */
#ifndef WEIR_BENCH_TASKS_H
#define WEIR_BENCH_TASKS_H

#include "bench_queues.h"
#include "kernel.h"

#if WEIR_HAS_WORD64

/* What a block has received. */
typedef struct bench_got {
	uint32_t takes;
	uint32_t items;
	uint32_t sum;
} bench_got;

WEIR_FN void bench_get(bench_got *got, weir_share share)
{
	got->takes++;
	got->items += share.count;
	got->sum +=
	    share.count * share.first + (uint32_t)((uint64_t)share.count * (share.count - 1) / 2);
}

WEIR_FN void bench_got_all(WEIR_GLOBAL uint32_t *data, bench_params params, bench_got got,
                           uint64_t begin)
{
	if (weir_thread_id() != 0)
		return;
	bench_tell(data, params, got.takes, got.items, got.sum);
	bench_leave(data, got.takes, begin);
}

/* One thread of each block takes an item at a time: params.rounds for each block in all. After the
 * time limit a block takes all the rest, so that the dispenser is ready for the next launch. */
WEIR_FN void bench_dispenser_take(weir_dispenser d, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	uint32_t items = params.rounds * weir_block_count();
	uint32_t n = 1;
	bench_got got = {0, 0, 0};

	d = weir_dispenser_of(d, items);
	bench_meet(data, params);
	if (weir_thread_id() != 0)
		return;
	uint64_t begin = bench_now();
	weir_share share = weir_dispenser_begin(d);
	while (weir_dispenser_next(d, &share, n)) {
		bench_get(&got, share);
		if (bench_looks(got.takes) && bench_expired(begin, params))
			n = items;
	}
	bench_got_all(data, params, got, begin);
}

WEIR_KERNEL(dispenser_take, bench_params)
{
	KERNEL_HANDLE(weir_dispenser, d, words, params.config.dispenser);
	bench_dispenser_take(d, data, params);
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* The same with all threads of a block. */
WEIR_FN void bench_dispenser_block_take(weir_dispenser d, WEIR_GLOBAL uint32_t *data,
                                        bench_params params)
{
	uint32_t items = params.rounds * weir_block_count();
	uint32_t n = 1;
	bench_got got = {0, 0, 0};

	d = weir_dispenser_of(d, items);
	bench_meet(data, params);
	uint64_t begin = bench_now();
	weir_share share = weir_dispenser_begin(d);
	while (weir_dispenser_block_next(d, &share, n)) {
		bench_get(&got, share);
		if (bench_looks(got.takes) && bench_team_expired(weir_team_block(), begin, params))
			n = items;
	}
	bench_got_all(data, params, got, begin);
}

WEIR_KERNEL(dispenser_take_by_block, bench_params)
{
	KERNEL_HANDLE(weir_dispenser, d, words, params.config.dispenser);
	bench_dispenser_block_take(d, data, params);
}

#endif

/* Runs the graph; the tasks are empty. */
WEIR_KERNEL(tasks_run, bench_params)
{
	KERNEL_HANDLE(weir_tasks, t, words, params.config.tasks);
	uint32_t task = WEIR_NO_TASK;
	bench_got got = {0, 0, 0};

	bench_meet(data, params);
	uint64_t begin = bench_now();
#if WEIR_HAS_BLOCK_VALUE
	while (weir_tasks_block_next(t, &task)) {
#else
	while (weir_thread_id() == 0 && weir_tasks_next(t, &task)) {
#endif
		got.items++;
		got.sum += task;
	}
	got.takes = got.items;
	bench_got_all(data, params, got, begin);
}

/* The rows for weir_program_text on the host machine. */
#define TASK_ENTRIES                                                                               \
	{"dispenser_take", dispenser_take_entry},                                                  \
	    {"dispenser_take_by_block", dispenser_take_by_block_entry},                            \
	    {"tasks_run", tasks_run_entry},

#endif

#endif
