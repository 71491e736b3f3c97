/* The peers of the real kernels on CUDA: the same work with the toolkit's grid barrier, or under a
 * hand-written spin lock. */
#include <cooperative_groups.h>

#include "bitonic_kernels.h"
#include "hash_table_kernels.h"
#include "stencil_kernels.h"

WEIR_KERNEL(stencil_grid_sync, stencil_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	(void)words;
	for (uint32_t step = 0; step < params.steps; step++) {
		stencil_step(data, params.size, step);
		grid.sync();
	}
}

WEIR_KERNEL(bitonic_grid_sync, bitonic_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	(void)words;
	for (uint32_t run = 2; run <= params.keys; run *= 2) {
		for (uint32_t distance = run / 2; distance > 0; distance /= 2) {
			bitonic_pass(data, params.keys, run, distance);
			grid.sync();
		}
	}
}

static __device__ void spin_lock(unsigned *lock)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	__threadfence();
}

static __device__ void spin_unlock(unsigned *lock)
{
	__threadfence();
	atomicExch(lock, 0);
}

/* words: a lock for each bucket, 0 when free. */
WEIR_KERNEL(table_by_hand, table_params)
{
	unsigned *locks = reinterpret_cast<unsigned *>(words);
	uint32_t all = weir_block_count() * params.lockers;

	if (!table_is_locker(params.lockers))
		return;
	for (uint32_t i = table_locker_id(params.lockers); i < params.operations; i += all) {
		uint32_t key = table_key(i, params.keys);
		uint32_t bucket = table_bucket(key, params.buckets);
		spin_lock(&locks[bucket]);
		table_put(data, params.buckets, bucket, key, i);
		spin_unlock(&locks[bucket]);
	}
}
