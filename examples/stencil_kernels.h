/* Heat on a plate, by Jacobi's method: in each step every inner cell becomes the mean of its four
 * neighbours. One source for all machines. */
#ifndef EXAMPLE_STENCIL_KERNELS_H
#define EXAMPLE_STENCIL_KERNELS_H

#include "kernels/kernel.h"

typedef struct stencil_params {
	weir_barrier_config config; /* of the barrier, if one is used */
	uint32_t size;              /* cells in a row, and rows */
	uint32_t steps;
	uint32_t step; /* stencil_once: which step */
} stencil_params;

/* data: two plates of size x size floats. Even steps read the first and write the second.
 *
 * Uses only sums and a product with a power of two, whose rounding is the same even if a compiler
 * fuses operations: every machine gets the same bits. */
WEIR_FN void stencil_step(WEIR_GLOBAL uint32_t *data, uint32_t size, uint32_t step)
{
	WEIR_GLOBAL float *plates = (WEIR_GLOBAL float *)data;
	WEIR_GLOBAL const float *from = plates + (step % 2) * size * size;
	WEIR_GLOBAL float *to = plates + (1 - step % 2) * size * size;
	uint32_t blocks = weir_block_count();
	uint32_t threads = weir_thread_count();
	uint32_t first = weir_thread_id();

	for (uint32_t row = 1 + weir_block_id(); row < size - 1; row += blocks) {
		for (uint32_t column = 1 + first; column < size - 1; column += threads) {
			uint32_t i = row * size + column;
			to[i] = 0.25f *
			        ((from[i - size] + from[i + size]) + (from[i - 1] + from[i + 1]));
		}
	}
}

/* All steps in one launch. */
WEIR_KERNEL(stencil_weir, stencil_params)
{
	weir_barrier b = weir_barrier_make(words, params.config);

	for (uint32_t step = 0; step < params.steps; step++) {
		stencil_step(data, params.size, step);
		weir_barrier_wait(b); /* no block reads cells that are still being written */
	}
}

/* One step; the end of the launch is the barrier. */
WEIR_KERNEL(stencil_once, stencil_params)
{
	(void)words;
	stencil_step(data, params.size, params.step);
}

#endif
