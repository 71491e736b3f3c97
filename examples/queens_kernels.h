/* Tasks that create tasks: all ways to place queens on a board so that none attacks another.
 *
 * A task is a board whose first rows have a queen. It adds a task for each valid place in the next
 * row; once a board has enough rows, one thread counts the rest. Task 0, the only task of the
 * graph, is the empty board. The number of any other task encodes its board: 3 bits for the column
 * in each row, and the number of rows above them, plus 1. */
#ifndef EXAMPLE_QUEENS_KERNELS_H
#define EXAMPLE_QUEENS_KERNELS_H

#include "by_block.h"

#define QUEENS_MOST 8u
#define QUEENS_ROWS_AT (3 * QUEENS_MOST)

typedef struct queens_params {
	weir_tasks_config config;
	uint32_t size;  /* of the board, up to QUEENS_MOST */
	uint32_t split; /* rows of the boards that are tasks */
} queens_params;

WEIR_FN uint32_t queens_rows(uint32_t board)
{
	return board >> QUEENS_ROWS_AT;
}

WEIR_FN uint32_t queens_column(uint32_t board, uint32_t row)
{
	return board >> 3 * row & 7;
}

/* The board with a queen in that column of its next row. */
WEIR_FN uint32_t queens_put(uint32_t board, uint32_t column)
{
	uint32_t rows = queens_rows(board);

	return (board & ((1u << QUEENS_ROWS_AT) - 1)) | column << 3 * rows |
	       (rows + 1) << QUEENS_ROWS_AT;
}

/* The board without its last queen. */
WEIR_FN uint32_t queens_take(uint32_t board)
{
	uint32_t rows = queens_rows(board) - 1;

	return (board & ((1u << 3 * rows) - 1)) | rows << QUEENS_ROWS_AT;
}

WEIR_FN int queens_fits(uint32_t board, uint32_t column)
{
	uint32_t rows = queens_rows(board);

	for (uint32_t row = 0; row < rows; row++) {
		uint32_t other = queens_column(board, row);
		uint32_t apart = other < column ? column - other : other - column;

		if (apart == 0 || apart == rows - row)
			return 0;
	}
	return 1;
}

/* The number of full boards that begin with this board. */
WEIR_FN uint32_t queens_count(uint32_t board, uint32_t size)
{
	uint32_t begin = queens_rows(board);
	uint32_t column = 0;
	uint32_t count = 0;

	for (;;) {
		if (queens_rows(board) == size) {
			count++;
			column = size;
		}
		while (column < size && !queens_fits(board, column))
			column++;
		if (column < size) {
			board = queens_put(board, column);
			column = 0;
		} else if (queens_rows(board) == begin) {
			return count;
		} else {
			column = queens_column(board, queens_rows(board) - 1) + 1;
			board = queens_take(board);
		}
	}
}

/* words: the tasks. data[0]: the boards that were found; data[1]: the tasks that were added. */
WEIR_KERNEL(queens, queens_params)
{
	weir_tasks t = weir_tasks_make(words, params.config);
	WEIR_GLOBAL weir_word *counts = (WEIR_GLOBAL weir_word *)data;
	uint32_t task = WEIR_NO_TASK;

	while (by_block_next_task(t, &task)) {
		uint32_t board = task == 0 ? 0 : task - 1;

		for (uint32_t column = weir_thread_id(); column < params.size;
		     column += by_block_threads()) {
			uint32_t next;

			if (!queens_fits(board, column))
				continue;
			next = queens_put(board, column);
			/* Relaxed: the host reads these counts after the launch. */
			if (queens_rows(next) <= params.split &&
			    weir_tasks_add(t, next + 1, 0) == WEIR_OK)
				weir_red_add_rlx(&counts[1], 1);
			else /* enough rows, or no room for another task */
				weir_red_add_rlx(&counts[0], queens_count(next, params.size));
		}
	}
}

#endif
