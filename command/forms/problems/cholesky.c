/* A tiled Cholesky factorization: see kernels/real/cholesky.h. */
#include <math.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "forms/problems/problem.h"
#include "kernels/real/sizes.h"
#include "weir/weir.h"

/* The number of tasks, given the tiles in a row. */
#define TASKS(tiles) ((tiles) * ((tiles) + 1) * ((tiles) + 2) / 6)
static const real_size sizes[] = {{"384 x 384, tiles of 128", 1, {3, TASKS(3)}},
                                  {"2048 x 2048, tiles of 128", 0, {16, TASKS(16)}},
                                  {"4096 x 4096, tiles of 128", 0, {32, TASKS(32)}}};

enum {
	TILE = CHOLESKY_TILE,
	TILE_WORDS = CHOLESKY_TILE * CHOLESKY_TILE
};

static uint32_t meetings(const uint32_t *size)
{
	return 3 * size[0] - 2;
}

static size_t tile_words(const uint32_t *size)
{
	return (size_t)size[0] * (size[0] + 1) / 2 * TILE_WORDS;
}

static size_t words(const uint32_t *size)
{
	return tile_words(size) + size[1] + CHOLESKY_SLOTS;
}

static size_t element(size_t row, size_t column)
{
	size_t above = row / TILE;
	size_t tile = above * (above + 1) / 2 + column / TILE;

	return tile * TILE_WORDS + column % TILE * TILE + row % TILE;
}

/* ---- the graph ---- */

/* The tasks of a step are the tiles of its triangle, row by row. */
static uint32_t task_of(uint32_t tiles, uint32_t step, uint32_t row, uint32_t column)
{
	uint32_t down = row - step;

	return TASKS(tiles) - TASKS(tiles - step) + down * (down + 1) / 2 + column - step;
}

/* Writes the successors of a task, those on the longest path first. Returns their number. */
static uint32_t find_successors(uint32_t tiles, uint32_t step, uint32_t row, uint32_t column,
                                uint32_t *successors)
{
	uint32_t count = 0;

	if (row == step) {
		for (uint32_t i = step + 1; i < tiles; i++)
			successors[count++] = task_of(tiles, step, i, step);
	} else if (column == step) {
		for (uint32_t i = step + 1; i < tiles; i++)
			successors[count++] =
			    task_of(tiles, step, i < row ? row : i, i < row ? i : row);
	} else {
		successors[count++] = task_of(tiles, step + 1, row, column);
	}
	return count;
}

/* All tasks have the same class, which was faster on an H200 (results/h200/trials/queues.txt). */
static void make_graph(const uint32_t *size, weir_graph *graph)
{
	uint32_t tiles = size[0];
	uint32_t *first = weir_need(calloc(size[1] + 1, sizeof *first));
	/* A task that solves a tile has fewer than `tiles` successors, and so has one that factors
	 * a tile. */
	uint32_t *successors =
	    weir_need(calloc((size_t)tiles * tiles * (tiles + 1) + size[1], sizeof *successors));
	uint32_t task = 0;

	for (uint32_t step = 0; step < tiles; step++) {
		for (uint32_t row = step; row < tiles; row++) {
			for (uint32_t column = step; column <= row; column++) {
				first[task + 1] =
				    first[task] + find_successors(tiles, step, row, column,
				                                  successors + first[task]);
				task++;
			}
		}
	}
	*graph = (weir_graph){.tasks = task, .first = first, .successors = successors};
}

static void free_graph(weir_graph *graph)
{
	free((void *)graph->first);
	free((void *)graph->successors);
}

/* ---- the matrix ---- */

/* L is known: below the diagonal, its element in row i and column j is down[i] * along[j]. So each
 * element of A is a sum of few terms, and the reference takes no time. The kernel does not know
 * that. What the step of a tile adds to other tiles is much larger than the tolerance. */
typedef struct factor {
	double *down, *along, *diagonal;
} factor;

static double between(uint32_t *random, double low, double high)
{
	return low + (high - low) * (real_random(random) >> 8) / (1 << 24);
}

static factor factor_of(const uint32_t *size)
{
	size_t rows = (size_t)size[0] * TILE;
	factor f = {.down = weir_need(calloc(3 * rows, sizeof *f.down))};
	uint32_t random = 1;

	f.along = f.down + rows;
	f.diagonal = f.along + rows;
	for (size_t i = 0; i < rows; i++) {
		f.down[i] = between(&random, 0.5, 1);
		f.along[i] = between(&random, 1, 2) / sqrt((double)rows);
		f.diagonal[i] = between(&random, 1, 2);
	}
	return f;
}

static void fill_table(const uint32_t *size, uint32_t *table)
{
	uint32_t task = 0;

	for (uint32_t step = 0; step < size[0]; step++)
		for (uint32_t row = step; row < size[0]; row++)
			for (uint32_t column = step; column <= row; column++)
				table[task++] = step | row << 8 | column << 16;
}

static void fill(const uint32_t *size, uint32_t *data)
{
	factor f = factor_of(size);
	float *floats = (float *)data;
	double squares = 0; /* sum over `along` before the column */

	fill_table(size, data + tile_words(size));
	for (size_t column = 0; column < (size_t)size[0] * TILE; column++) {
		double common = f.down[column] * squares + f.along[column] * f.diagonal[column];

		floats[element(column, column)] =
		    (float)(f.down[column] * f.down[column] * squares +
		            f.diagonal[column] * f.diagonal[column]);
		for (size_t row = column + 1; row < (size_t)size[0] * TILE; row++)
			floats[element(row, column)] = (float)(f.down[row] * common);
		squares += f.along[column] * f.along[column];
	}
	free(f.down);
}

static void expect(const uint32_t *size, uint32_t *data)
{
	factor f = factor_of(size);
	float *floats = (float *)data;

	for (size_t column = 0; column < (size_t)size[0] * TILE; column++) {
		floats[element(column, column)] = (float)f.diagonal[column];
		for (size_t row = column + 1; row < (size_t)size[0] * TILE; row++)
			floats[element(row, column)] = (float)(f.down[row] * f.along[column]);
	}
	free(f.down);
}

/* The elements of L are at most 2 and those of A at most 6, and the kernel rounds to floats. */
#define TOLERANCE 1e-4f

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	const float *right = (const float *)expected;
	const float *result = (const float *)got;

	for (size_t column = 0; column < (size_t)size[0] * TILE; column++) {
		for (size_t row = column; row < (size_t)size[0] * TILE; row++) {
			size_t i = element(row, column);
			/* False for NaN. */
			if (fabsf(right[i] - result[i]) <= TOLERANCE)
				continue;
			return real_wrong(why, "row %zu, column %zu: %g instead of %g", row, column,
			                  result[i], right[i]);
		}
	}
	return 0;
}

static real_range looks(const uint32_t *size, size_t index)
{
	return index ? (real_range){0, 0} : (real_range){0, tile_words(size)};
}

REAL_PROBLEM(cholesky, "a tiled Cholesky factorization", .meetings = meetings,
             .make_graph = make_graph, .free_graph = free_graph, .looks = looks,
             .gpu_threads = CHOLESKY_THREADS, .most_blocks = CHOLESKY_SLOTS);
