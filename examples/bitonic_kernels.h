/* Bitonic sort: passes of independent compare-and-exchanges, each over the whole array. No pass may
 * begin before the previous one has ended. One source for all machines. */
#ifndef EXAMPLE_BITONIC_KERNELS_H
#define EXAMPLE_BITONIC_KERNELS_H

#include "kernels/kernel.h"

typedef struct bitonic_params {
	weir_barrier_config config; /* of the barrier, if one is used */
	uint32_t keys;              /* a power of two */
	uint32_t run;               /* bitonic_once: which pass, as below */
	uint32_t distance;
} bitonic_params;

/* One pass: sorts pairs of keys `distance` apart, in runs of `run` keys that alternately rise and
 * fall. Both are powers of two. */
WEIR_FN void bitonic_pass(WEIR_GLOBAL uint32_t *data, uint32_t keys, uint32_t run,
                          uint32_t distance)
{
	uint32_t all = weir_block_count() * weir_thread_count();
	uint32_t me = weir_block_id() * weir_thread_count() + weir_thread_id();

	for (uint32_t pair = me; pair < keys / 2; pair += all) {
		uint32_t low = pair & (distance - 1);
		uint32_t i = 2 * (pair - low) + low;
		uint32_t left = data[i];
		uint32_t right = data[i + distance];
		uint32_t falling = (i & run) != 0;
		if (left != right && (left > right) != falling) {
			data[i] = right;
			data[i + distance] = left;
		}
	}
}

/* All passes in one launch. */
WEIR_KERNEL(bitonic_weir, bitonic_params)
{
	weir_barrier b = weir_barrier_make(words, params.config);

	for (uint32_t run = 2; run <= params.keys; run *= 2) {
		for (uint32_t distance = run / 2; distance > 0; distance /= 2) {
			bitonic_pass(data, params.keys, run, distance);
			weir_barrier_wait(b); /* the next pass pairs keys of other blocks */
		}
	}
}

/* One pass; the end of the launch is the barrier. */
WEIR_KERNEL(bitonic_once, bitonic_params)
{
	(void)words;
	bitonic_pass(data, params.keys, params.run, params.distance);
}

#endif
