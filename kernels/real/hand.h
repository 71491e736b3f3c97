/* A correct barrier as people write it by hand, on CUDA. */
#ifndef WEIR_REAL_HAND_H
#define WEIR_REAL_HAND_H

#include "weir/device.h"

/* The word's top bit flips when all blocks have arrived. */
WEIR_FN void real_hand_meet_(unsigned int *word)
{
	__syncthreads();
	if (weir_thread_id() == 0) {
		unsigned int step =
		    weir_block_id() == 0 ? 0x80000000u - (weir_block_count() - 1) : 1;
		unsigned int before;
		__threadfence();
		before = atomicAdd(word, step);
		while (((*(volatile unsigned int *)word ^ before) & 0x80000000u) == 0)
			;
		__threadfence();
	}
	__syncthreads();
}

#endif
