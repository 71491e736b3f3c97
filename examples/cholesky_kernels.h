/* Cholesky factorization in tiles: A = L L^T. Each task factors a tile of the diagonal, solves for
 * a tile below it, or updates a tile to the right. The graph of tasks states the dependencies;
 * there is no barrier.
 *
 * The kernels for a tile are simple: they demonstrate tasks, not fast multiplication. */
#ifndef EXAMPLE_CHOLESKY_KERNELS_H
#define EXAMPLE_CHOLESKY_KERNELS_H

#include "by_block.h"

#if defined(__OPENCL_VERSION__)
#define sqrt_of sqrt
#elif defined(WEIR_MACHINE_HIP_H)
#define sqrt_of __builtin_sqrtf
#else
#include <math.h>
#define sqrt_of sqrtf
#endif

typedef struct cholesky_params {
	weir_tasks_config config;
	uint32_t side; /* tiles in a row of the matrix */
	uint32_t tile; /* elements in a row of a tile */
} cholesky_params;

/* What a task does: row, column and step. The step equals the column for a factor or a solve, and
 * is less for an update. */
#define CHOLESKY_BITS 10
#define CHOLESKY_TASK(row, column, step)                                                           \
	((row) << 2 * CHOLESKY_BITS | (column) << CHOLESKY_BITS | (step))
#define CHOLESKY_PART(task, part) ((task) >> (part)*CHOLESKY_BITS & ((1u << CHOLESKY_BITS) - 1))

/* Tile (row, column) of the lower half: its elements are contiguous. */
WEIR_FN WEIR_GLOBAL float *cholesky_tile(WEIR_GLOBAL uint32_t *data, cholesky_params params,
                                         uint32_t row, uint32_t column)
{
	return (WEIR_GLOBAL float *)data + (row * params.side + column) * params.tile * params.tile;
}

/* The tile becomes its factor, column by column. */
WEIR_FN void cholesky_factor(WEIR_GLOBAL float *a, uint32_t n)
{
	for (uint32_t c = 0; c < n; c++) {
		if (weir_thread_id() == 0)
			a[c * n + c] = sqrt_of(a[c * n + c]);
		by_block_sync();
		for (uint32_t r = c + 1 + weir_thread_id(); r < n; r += by_block_threads())
			a[r * n + c] /= a[c * n + c];
		by_block_sync();
		for (uint32_t r = c + 1 + weir_thread_id(); r < n; r += by_block_threads())
			for (uint32_t k = c + 1; k <= r; k++)
				a[r * n + k] -= a[r * n + c] * a[k * n + c];
		by_block_sync();
	}
}

/* X L^T = A, row by row, for the factor L of the diagonal tile. X replaces A. */
WEIR_FN void cholesky_solve(WEIR_GLOBAL float *a, WEIR_GLOBAL const float *l, uint32_t n)
{
	for (uint32_t r = weir_thread_id(); r < n; r += by_block_threads())
		for (uint32_t c = 0; c < n; c++) {
			float x = a[r * n + c];

			for (uint32_t k = 0; k < c; k++)
				x -= a[r * n + k] * l[c * n + k];
			a[r * n + c] = x / l[c * n + c];
		}
}

/* A - X Y^T */
WEIR_FN void cholesky_update(WEIR_GLOBAL float *a, WEIR_GLOBAL const float *x,
                             WEIR_GLOBAL const float *y, uint32_t n)
{
	for (uint32_t i = weir_thread_id(); i < n * n; i += by_block_threads()) {
		float sum = 0;

		for (uint32_t k = 0; k < n; k++)
			sum += x[i / n * n + k] * y[i % n * n + k];
		a[i] -= sum;
	}
}

/* data: the tiles, followed by what each task does. */
WEIR_KERNEL(cholesky, cholesky_params)
{
	weir_tasks t = weir_tasks_make(words, params.config);
	WEIR_GLOBAL const uint32_t *what =
	    data + params.side * params.side * params.tile * params.tile;
	uint32_t task = WEIR_NO_TASK;

	while (by_block_next_task(t, &task)) {
		uint32_t row = CHOLESKY_PART(what[task], 2);
		uint32_t column = CHOLESKY_PART(what[task], 1);
		uint32_t step = CHOLESKY_PART(what[task], 0);
		WEIR_GLOBAL float *a = cholesky_tile(data, params, row, column);

		if (step < column)
			cholesky_update(a, cholesky_tile(data, params, row, step),
			                cholesky_tile(data, params, column, step), params.tile);
		else if (row > column)
			cholesky_solve(a, cholesky_tile(data, params, column, column), params.tile);
		else
			cholesky_factor(a, params.tile);
	}
}

#endif
