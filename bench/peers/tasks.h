/* The peers of dispensers and tasks: a counter that another kernel has zeroed, and the same layers
 * of tasks with a barrier after each. */
#ifndef WEIR_BENCH_PEERS_TASKS_H
#define WEIR_BENCH_PEERS_TASKS_H

#include <cooperative_groups.h>

#include "kernels/bench_loop.h"
#include "kernels/bench_tasks.h"
#include "kernels/kernel.h"

/* The loop of bench_dispenser_take, by hand. It ends when the time is over, because the next launch
 * has a different counter. */
WEIR_KERNEL(counter_take, bench_params)
{
	unsigned int *counter = reinterpret_cast<unsigned int *>(words);
	uint32_t items = params.rounds * weir_block_count();
	bench_got got = {0, 0, 0};

	if (weir_thread_id() != 0)
		return;
	uint64_t begin = bench_now();
	for (;;) {
		uint32_t item = atomicAdd(counter, 1);
		if (item >= items)
			break;
		bench_get(&got, {item, 1});
		if (bench_looks(got.takes) && bench_expired(begin, params))
			break;
	}
	bench_got_all(data, params, got, begin);
}

/* The same for a block, which gets the value through a word of its shared memory. */
WEIR_KERNEL(counter_take_by_block, bench_params)
{
	__shared__ uint32_t told;
	unsigned int *counter = reinterpret_cast<unsigned int *>(words);
	uint32_t items = params.rounds * weir_block_count();
	bench_got got = {0, 0, 0};

	uint64_t begin = bench_now();
	for (;;) {
		__syncthreads();
		if (weir_thread_id() == 0)
			told = atomicAdd(counter, 1);
		__syncthreads();
		uint32_t item = told;
		if (item >= items)
			break;
		bench_get(&got, {item, 1});
		if (bench_looks(got.takes) && bench_team_expired(weir_team_block(), begin, params))
			break;
	}
	bench_got_all(data, params, got, begin);
}

/* params.rounds layers of params.ring empty tasks, divided among the blocks. */
template <typename Pass>
static __device__ void run_layers(uint32_t *data, bench_params params, Pass pass)
{
	bench_got got = {0, 0, 0};
	uint64_t begin = bench_now();

	for (uint32_t layer = 0; layer < params.rounds; layer++) {
		for (uint32_t i = weir_block_id(); i < params.ring; i += weir_block_count()) {
			uint32_t task = layer * params.ring + i;
			asm volatile("" : "+r"(task)); /* keeps the tasks separate */
			got.items++;
			got.sum += task;
		}
		pass();
	}
	got.takes = got.items;
	/* A block may not have had any task. */
	bench_got_all(data, params, got, begin);
}

WEIR_KERNEL(layers_barrier, bench_params)
{
	weir_barrier b = weir_barrier_in(words, weir_block_count());
	run_layers(data, params, [=] { weir_barrier_wait(b); });
}

WEIR_KERNEL(layers_grid_sync, bench_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	run_layers(data, params, [&] { grid.sync(); });
}

#endif
