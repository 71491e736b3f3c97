/* The Cholesky factorization of a symmetric matrix, in tiles: A = L * L^T, where L overwrites A.
 *
 *   size   tiles in a row and in a column, at most 256; tasks
 *   data   tiles    those of the lower triangle, row by row (cholesky_tiles.h)
 *          table    for each task its step, and the row and the column of its tile, 8 bits each
 *          slots    a word for each block, up to CHOLESKY_SLOTS
 *
 * Step k has a task for each tile (i, j) with k <= j <= i. The task of (k, k) factors its tile, and those of (i,
 * k) solve theirs. All others update theirs by two tiles of column k. With meetings a step has these
 * three parts. Tasks wait only for the tiles that they read or write. */
#ifndef WEIR_REAL_CHOLESKY_H
#define WEIR_REAL_CHOLESKY_H

#include "cholesky_tiles.h"
#include "real.h"
#include "sizes.h"

/* The tiles before the first one of a row. */
WEIR_FN uint32_t cholesky_before(uint32_t row)
{
	return row * (row + 1) / 2;
}

WEIR_FN WEIR_GLOBAL float *cholesky_tile(WEIR_GLOBAL uint32_t *data, uint32_t row, uint32_t column)
{
	return (WEIR_GLOBAL float *)data +
	       (uint64_t)(cholesky_before(row) + column) * (CHOLESKY_TILE * CHOLESKY_TILE);
}

/* A block's task. */
WEIR_FN void cholesky_run(WEIR_GLOBAL uint32_t *data, uint32_t step, uint32_t row, uint32_t column)
{
	WEIR_GLOBAL float *tile = cholesky_tile(data, row, column);

	if (row == step)
		cholesky_factor(tile);
	else if (column == step)
		cholesky_solve(tile, cholesky_tile(data, step, step));
	else
		cholesky_update(tile, cholesky_tile(data, row, step),
		                cholesky_tile(data, column, step));
}

/* The blocks divide the tiles of a part. */
WEIR_FN void cholesky_part(WEIR_GLOBAL uint32_t *data, uint32_t tiles, uint32_t part)
{
	uint32_t step = part / 3, first = step + 1, left = tiles - first;
	uint32_t count = part % 3 == 0 ? 1 : part % 3 == 1 ? left : cholesky_before(left);

	for (uint32_t i = weir_block_id(); i < count; i += weir_block_count()) {
		uint32_t row = part % 3 == 0 ? 0 : i, column = 0;

		if (part % 3 == 2) {
			for (row = 0; cholesky_before(row + 1) <= i;)
				row++;
			column = i - cholesky_before(row);
		}
		weir_block_sync(); /* the threads are done with the previous tile */
		cholesky_run(data, step, part % 3 == 0 ? step : first + row,
		             part % 3 == 2 ? first + column : step);
	}
}

WEIR_FN uint32_t cholesky_parts(real_params params)
{
	return 3 * params.size[0] - 2;
}

WEIR_KERNEL_BOUNDED(cholesky, real_params, CHOLESKY_THREADS, 2)
{
	REAL_BARRIER(words, params);

	for (uint32_t part = 0; part < cholesky_parts(params); part++) {
		cholesky_part(data, params.size[0], part);
		REAL_MEET(); /* the next parts read the tiles of this part */
	}
}

WEIR_KERNEL_BOUNDED(cholesky_once, real_params, CHOLESKY_THREADS, 2)
{
	(void)words;
	REAL_PART();
	cholesky_part(data, params.size[0], params.part);
}

#ifdef REAL_HAS_TASKS

WEIR_KERNEL_BOUNDED(cholesky_tasks, real_params, CHOLESKY_THREADS, 2)
{
	REAL_TASKS(tasks, words, params);
	uint32_t tiles = cholesky_before(params.size[0]);
	WEIR_GLOBAL uint32_t *table = data + tiles * (CHOLESKY_TILE * CHOLESKY_TILE);
	WEIR_GLOBAL uint32_t *slots = table + params.size[1];
	uint32_t task = WEIR_NO_TASK;

	while (real_tasks_next(tasks, &task, params.size[1], slots)) {
		uint32_t what = table[task];

		cholesky_run(data, what & 255, what >> 8 & 255, what >> 16);
	}
}

#endif

#endif
