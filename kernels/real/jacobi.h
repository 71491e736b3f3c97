/* Heat on a plate, by Jacobi's method: in each step every inner cell becomes the mean of its four
 * neighbours.
 *
 *   size   cells in a row, and rows; steps
 *   data   two plates of floats. Even steps read the first and write the second.
 *
 * Uses only sums and a product with a power of two, whose rounding is the same even if a compiler
 * fuses operations: every machine gets the same bits. */
#ifndef WEIR_REAL_JACOBI_H
#define WEIR_REAL_JACOBI_H

#include "real.h"

WEIR_FN void jacobi_step(WEIR_GLOBAL uint32_t *data, uint32_t size, uint32_t step)
{
	WEIR_GLOBAL float *plates = (WEIR_GLOBAL float *)data;
	WEIR_GLOBAL const float *from = plates + (step % 2) * size * size;
	WEIR_GLOBAL float *to = plates + (1 - step % 2) * size * size;

	for (uint32_t row = 1 + weir_block_id(); row < size - 1; row += weir_block_count()) {
		for (uint32_t column = 1 + weir_thread_id(); column < size - 1;
		     column += weir_thread_count()) {
			uint32_t i = row * size + column;
			to[i] = 0.25f *
			        ((from[i - size] + from[i + size]) + (from[i - 1] + from[i + 1]));
		}
	}
}

WEIR_KERNEL(jacobi, real_params)
{
	REAL_BARRIER(words, params);

	for (uint32_t step = 0; step < params.size[1]; step++) {
		jacobi_step(data, params.size[0], step);
		REAL_MEET(); /* no block reads cells that are still being written */
	}
}

WEIR_KERNEL(jacobi_once, real_params)
{
	(void)words;
	REAL_PART();
	jacobi_step(data, params.size[0], params.part);
}

#endif
