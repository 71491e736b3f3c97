/* Solves L x = b, where L is sparse and lower triangular. The rows are ordered by level: a row
 * depends only on rows of lower levels. Each level is a step. A level is divided into sets of
 * neighbouring rows, and a set lists the sets that it must wait for.
 *
 *   size   rows; levels; rows of a set, at most
 *   data   the number of sets
 *          starts    levels + 1: the first row of each level, and the number of rows
 *          sets      for each set its first row, and the number of rows; there is room for
 *                    rows / (rows of a set) + levels sets
 *          waits     for each set how many others it waits for, and SOLVE_WAITS numbers of sets
 *          counts    for each row, the number of its entries left of the diagonal
 *          columns   rows columns of first entries, then of second ones, ...: SOLVE_ENTRIES times
 *          values    the same, floats
 *          inverses  floats: 1 / the entry on the diagonal
 *          right     floats: b
 *          x         floats: the result
 *
 * With events a block takes, in order, the sets whose numbers are its own modulo the number of blocks.
 * All blocks run at once. So the first unfinished set has everything it waits for, and its block has
 * reached it. */
#ifndef WEIR_REAL_SOLVE_H
#define WEIR_REAL_SOLVE_H

#include "real.h"
#include "sizes.h"

typedef struct solve_system {
	uint32_t rows;
	WEIR_GLOBAL const uint32_t *starts, *sets, *waits, *counts, *columns;
	WEIR_GLOBAL const float *values, *inverses, *right;
	WEIR_GLOBAL float *x;
} solve_system;

WEIR_FN solve_system solve_system_at(WEIR_GLOBAL uint32_t *data, real_params params)
{
	uint32_t rows = params.size[0], levels = params.size[1];
	uint32_t room = rows / params.size[2] + levels;
	WEIR_GLOBAL float *floats;
	solve_system s;

	s.rows = rows;
	s.starts = data + 1;
	s.sets = s.starts + levels + 1;
	s.waits = s.sets + room + 1;
	s.counts = s.waits + room * (1 + SOLVE_WAITS);
	s.columns = s.counts + rows;
	floats = (WEIR_GLOBAL float *)data + (s.columns - data) + SOLVE_ENTRIES * rows;
	s.values = floats;
	s.inverses = floats + SOLVE_ENTRIES * rows;
	s.right = s.inverses + rows;
	s.x = floats + (SOLVE_ENTRIES + 2) * rows;
	return s;
}

/* A row of the matrix: everything that no block writes. */
typedef struct solve_row {
	uint32_t count;
	uint32_t columns[SOLVE_ENTRIES];
	float values[SOLVE_ENTRIES];
	float inverse, right;
} solve_row;

WEIR_FN solve_row solve_load(solve_system s, uint32_t row)
{
	solve_row r;

	r.count = s.counts[row];
	r.inverse = s.inverses[row];
	r.right = s.right[row];
	for (uint32_t i = 0; i < SOLVE_ENTRIES; i++) {
		r.columns[i] = i < r.count ? s.columns[i * s.rows + row] : 0;
		r.values[i] = i < r.count ? s.values[i * s.rows + row] : 0;
	}
	return r;
}

WEIR_FN void solve_put(solve_system s, uint32_t row, solve_row r)
{
	float sum = r.right;

	for (uint32_t i = 0; i < SOLVE_ENTRIES; i++)
		sum -= i < r.count ? r.values[i] * s.x[r.columns[i]] : 0;
	s.x[row] = sum * r.inverse;
}

WEIR_FN void solve_level(solve_system s, uint32_t level)
{
	uint32_t end = s.starts[level + 1];

	for (uint32_t row = s.starts[level] + real_thread(); row < end; row += real_threads())
		solve_put(s, row, solve_load(s, row));
}

WEIR_KERNEL(solve, real_params)
{
	REAL_BARRIER(words, params);
	solve_system s = solve_system_at(data, params);

	for (uint32_t level = 0; level < params.size[1]; level++) {
		solve_level(s, level);
		REAL_MEET(); /* the next levels read the part of x from this level */
	}
}

WEIR_KERNEL(solve_once, real_params)
{
	(void)words;
	REAL_PART();
	solve_level(solve_system_at(data, params), params.part);
}

#ifndef REAL_NO_EVENTS

/* The block loads a row for each thread before it waits. */
WEIR_FN void solve_set(solve_system s, uint32_t set, weir_event_array events, uint32_t target)
{
	WEIR_GLOBAL const uint32_t *waits = s.waits + set * (1 + SOLVE_WAITS);
	uint32_t row = s.sets[set] + weir_thread_id(), end = s.sets[set + 1];
	solve_row first = solve_load(s, row < end ? row : end - 1);

	for (uint32_t i = weir_thread_id(); i < waits[0]; i += weir_thread_count())
		real_event_wait(events, waits[1 + i], target);
	weir_block_sync(); /* extends each thread's acquires to all */
	if (row < end)
		solve_put(s, row, first);
	for (row += weir_thread_count(); row < end; row += weir_thread_count())
		solve_put(s, row, solve_load(s, row));
	weir_block_sync(); /* the block's writes precede the release */
	if (weir_thread_id() == 0)
		real_event_post(events, set, 1);
}

WEIR_KERNEL(solve_events, real_params)
{
	REAL_EVENTS(events, words, params);
	solve_system s = solve_system_at(data, params);
	uint32_t target = weir_event_target(real_event_round(events), 1, 1);

	for (uint32_t set = weir_block_id(); set < data[0]; set += weir_block_count())
		solve_set(s, set, events, target);
	real_event_block_leave(events);
}

#endif

#endif
