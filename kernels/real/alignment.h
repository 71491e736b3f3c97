/* The best local alignment of two sequences, by Smith and Waterman with a linear gap. All cells of an
 * anti-diagonal of the table depend only on the two before it: each diagonal is a step.
 *
 *   size   letters of the first sequence (rows), letters of the second (columns)
 *   data   the first sequence, a letter in each word; the second one; three diagonals of rows + 1
 *          scores; min(rows, columns) best scores. Then, only for alignment_events: two lines with
 *          one score for each column; the best score of each row
 *
 * The cell (row, column), both from 1, is in diagonal (row + column) % 3 at `row`. A diagonal
 * overwrites the one three steps before, so each row keeps its last three columns. Everything in row
 * 0 or left of column 1 is zero from the start and never written.
 *
 * A thread keeps the best score that it has found at its number in the grid: no diagonal has cells
 * for more threads. The last step reduces them to the first one, the result. */
#ifndef WEIR_REAL_ALIGNMENT_H
#define WEIR_REAL_ALIGNMENT_H

#include "real.h"

#define ALIGNMENT_MATCH 3
#define ALIGNMENT_MISMATCH (-3)
#define ALIGNMENT_GAP (-2)

WEIR_FN int32_t alignment_max(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

WEIR_FN uint32_t alignment_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* diagonal: one of the three; 3: the best scores. */
WEIR_FN WEIR_GLOBAL int32_t *alignment_scores(WEIR_GLOBAL uint32_t *data, uint32_t rows,
                                              uint32_t columns, uint32_t diagonal)
{
	return (WEIR_GLOBAL int32_t *)data + rows + columns + diagonal * (rows + 1);
}

/* Takes the best score of this thread before the step and returns it after the step. */
WEIR_FN int32_t alignment_step(WEIR_GLOBAL uint32_t *data, uint32_t rows, uint32_t columns,
                               uint32_t diagonal, int32_t before)
{
	WEIR_GLOBAL const uint32_t *down = data;
	WEIR_GLOBAL const uint32_t *across = data + rows;
	WEIR_GLOBAL int32_t *to = alignment_scores(data, rows, columns, diagonal % 3);
	WEIR_GLOBAL const int32_t *last = alignment_scores(data, rows, columns, (diagonal + 2) % 3);
	WEIR_GLOBAL const int32_t *older =
	    alignment_scores(data, rows, columns, (diagonal + 1) % 3);
	uint32_t first = diagonal > columns ? diagonal - columns : 1;
	uint32_t end = alignment_min(rows + 1, diagonal);
	int32_t best = before;

	for (uint32_t row = first + real_thread(); row < end; row += real_threads()) {
		uint32_t column = diagonal - row;
		int32_t pair =
		    down[row - 1] == across[column - 1] ? ALIGNMENT_MATCH : ALIGNMENT_MISMATCH;
		int32_t gap = alignment_max(last[row - 1], last[row]) + ALIGNMENT_GAP;
		int32_t score = alignment_max(alignment_max(older[row - 1] + pair, gap), 0);

		to[row] = score;
		best = alignment_max(best, score);
	}
	if (best > before)
		alignment_scores(data, rows, columns, 3)[real_thread()] = best;
	return best;
}

/* Stores the greatest of the scores in the first place. All threads of one block call it. */
WEIR_FN void alignment_reduce(WEIR_GLOBAL int32_t *best, uint32_t count)
{
	uint32_t left = alignment_min(count, weir_thread_count());
	uint32_t thread = weir_thread_id();

	for (uint32_t i = thread + weir_thread_count(); i < count; i += weir_thread_count())
		best[thread] = alignment_max(best[thread], best[i]);
	while (left > 1) {
		uint32_t distance = (left + 1) / 2;
		weir_block_sync();
		if (thread + distance < left)
			best[thread] = alignment_max(best[thread], best[thread + distance]);
		left = distance;
	}
}

/* Part of the last step. Its only cell belongs to thread 0 of block 0, so block 0 can continue
 * without a meeting. */
WEIR_FN void alignment_end(WEIR_GLOBAL uint32_t *data, uint32_t rows, uint32_t columns)
{
	if (weir_block_id() == 0)
		alignment_reduce(alignment_scores(data, rows, columns, 3),
		                 alignment_min(rows, columns));
}

WEIR_KERNEL(alignment, real_params)
{
	REAL_BARRIER(words, params);
	uint32_t rows = params.size[0];
	uint32_t columns = params.size[1];
	int32_t best = 0;

	for (uint32_t diagonal = 2; diagonal <= rows + columns; diagonal++) {
		best = alignment_step(data, rows, columns, diagonal, best);
		if (diagonal == rows + columns)
			alignment_end(data, rows, columns);
		REAL_MEET(); /* the next diagonal reads the current one, and overwrites the oldest */
	}
}

WEIR_KERNEL(alignment_once, real_params)
{
	uint32_t rows = params.size[0];
	uint32_t columns = params.size[1];
	uint32_t diagonal = 2 + params.part;
	int32_t best = 0;

	(void)words;
	REAL_PART();
	if (real_thread() < alignment_min(rows, columns))
		best = alignment_scores(data, rows, columns, 3)[real_thread()];
	alignment_step(data, rows, columns, diagonal, best);
	if (diagonal == rows + columns)
		alignment_end(data, rows, columns);
}

#endif
