/* Bitonic sort of 32-bit keys. Stage s makes sorted runs of 2^s keys in s passes. A pass compares
 * keys at a fixed distance, which is halved from pass to pass.
 *
 *   size   the logarithm of the number of keys, 1 to 31
 *   data   the keys, which end in ascending order */
#ifndef WEIR_REAL_BITONIC_H
#define WEIR_REAL_BITONIC_H

#include "real.h"

/* Stages count from 1. `log_distance` goes from stage - 1 down to 0. */
WEIR_FN void bitonic_pass(WEIR_GLOBAL uint32_t *keys, uint32_t log_keys, uint32_t stage,
                          uint32_t log_distance)
{
	uint32_t pairs = 1u << (log_keys - 1);
	uint32_t distance = 1u << log_distance;

	for (uint32_t pair = real_thread(); pair < pairs; pair += real_threads()) {
		uint32_t low = 2 * pair - (pair & (distance - 1));
		uint32_t high = low + distance;
		uint32_t a = keys[low];
		uint32_t b = keys[high];
		uint32_t descending = (low >> stage) & 1;
		uint32_t swap = (a > b) != descending;

		/* Both are stored, swapped or not: no branch, and whole sectors are written. */
		keys[low] = swap ? b : a;
		keys[high] = swap ? a : b;
	}
}

WEIR_KERNEL(bitonic, real_params)
{
	REAL_BARRIER(words, params);

	for (uint32_t stage = 1; stage <= params.size[0]; stage++) {
		for (uint32_t log_distance = stage; log_distance-- != 0;) {
			bitonic_pass(data, params.size[0], stage, log_distance);
			REAL_MEET(); /* the next pass pairs the keys differently */
		}
	}
}

WEIR_KERNEL(bitonic_once, real_params)
{
	uint32_t stage = 1;
	uint32_t pass = params.part;

	(void)words;
	REAL_PART();
	while (pass >= stage)
		pass -= stage++;
	bitonic_pass(data, params.size[0], stage, stage - 1 - pass);
}

#endif
