/* The alignment of alignment.h as a wavefront of tiles, with an event for each strip of rows.
 *
 * A strip has a row for each thread of a block, and a block takes the strips whose numbers are its
 * own modulo the number of blocks. Thread t is t columns behind thread 0, and gets the scores above
 * its own from thread t - 1. The scores above the strip come from the last row of the previous
 * strip, whose event counts tiles of ALIGNMENT_TILE columns. All blocks run at once, so that the
 * first unfinished strip always makes progress.
 *
 * There are two lines of last rows, which strips use alternately. A strip writes a tile of its line
 * after the previous strip has finished that tile, and so has read it in the same line. */
#ifndef WEIR_REAL_ALIGNMENT_EVENTS_H
#define WEIR_REAL_ALIGNMENT_EVENTS_H

#include "alignment.h"

#define ALIGNMENT_TILE 64

typedef struct alignment_strip {
	uint32_t rows, columns;
	uint32_t number;
	uint32_t above;  /* rows of the strips before */
	uint32_t height; /* its own */
	WEIR_GLOBAL int32_t *lines, *bests;
} alignment_strip;

WEIR_FN alignment_strip alignment_strip_at(WEIR_GLOBAL uint32_t *data, uint32_t rows,
                                           uint32_t columns, uint32_t number)
{
	alignment_strip s;

	s.rows = rows;
	s.columns = columns;
	s.number = number;
	s.above = number * weir_thread_count();
	s.height = alignment_min(weir_thread_count(), rows - s.above);
	s.lines = alignment_scores(data, rows, columns, 3) + alignment_min(rows, columns);
	s.bests = s.lines + 2 * columns;
	return s;
}

/* Each machine implements these functions.
 *
 *   alignment_passed     where thread t leaves its score of a diagonal for thread t + 1, at t
 *   alignment_take_top   all threads call it before they use a tile of the last row above
 *   alignment_top        its score at a column */
#ifdef __CUDACC__

WEIR_FN int32_t *alignment_passed(uint32_t *data, alignment_strip s, uint32_t diagonal)
{
	__shared__ int32_t passed[3][1024];

	(void)data;
	(void)s;
	return passed[diagonal % 3];
}

WEIR_FN int32_t *alignment_tops(void)
{
	__shared__ int32_t tops[ALIGNMENT_TILE];

	return tops;
}

WEIR_FN void alignment_take_top(alignment_strip s, uint32_t first)
{
	const int32_t *line = s.lines + (s.number + 1) % 2 * s.columns + first;
	uint32_t count = alignment_min(ALIGNMENT_TILE, s.columns - first);

	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count())
		alignment_tops()[i] = line[i];
	weir_block_sync();
}

WEIR_FN int32_t alignment_top(alignment_strip s, uint32_t column)
{
	(void)s;
	return alignment_tops()[column % ALIGNMENT_TILE];
}

#else

WEIR_FN WEIR_GLOBAL int32_t *alignment_passed(WEIR_GLOBAL uint32_t *data, alignment_strip s,
                                              uint32_t diagonal)
{
	return alignment_scores(data, s.rows, s.columns, diagonal % 3) + s.above + 1;
}

WEIR_FN void alignment_take_top(alignment_strip s, uint32_t first)
{
	(void)s;
	(void)first;
}

WEIR_FN int32_t alignment_top(alignment_strip s, uint32_t column)
{
	return s.lines[(s.number + 1) % 2 * s.columns + column];
}

#endif

/* A thread's state for its row. */
typedef struct alignment_row {
	uint32_t letter;
	int32_t left, corner; /* the scores to the left of the next cell, and above that one */
	int32_t best;
} alignment_row;

WEIR_FN void alignment_cell(WEIR_GLOBAL uint32_t *data, alignment_strip s, alignment_row *row,
                            uint32_t column, uint32_t letter)
{
	uint32_t thread = weir_thread_id();
	uint32_t number = s.above + thread + 1, diagonal = number + column + 1;
	int32_t pair = row->letter == letter ? ALIGNMENT_MATCH : ALIGNMENT_MISMATCH;
	int32_t up = 0, score;

	if (thread > 0)
		up = alignment_passed(data, s, diagonal + 2)[thread - 1];
	else if (s.number > 0)
		up = alignment_top(s, column);
	score = alignment_max(row->corner + pair, alignment_max(up, row->left) + ALIGNMENT_GAP);
	score = alignment_max(score, 0);
	row->corner = up;
	row->left = score;
	row->best = alignment_max(row->best, score);
	alignment_passed(data, s, diagonal)[thread] = score;
	if (thread == s.height - 1)
		s.lines[s.number % 2 * s.columns + column] = score;
	if (column + 3 >= s.columns) /* a result */
		alignment_scores(data, s.rows, s.columns, diagonal % 3)[number] = score;
}

/* Waits for a tile of the previous strip. */
WEIR_FN void alignment_wait(alignment_strip s, uint32_t tile, weir_event_array events,
                            uint32_t round)
{
	uint32_t tiles = (s.columns + ALIGNMENT_TILE - 1) / ALIGNMENT_TILE;

	if (weir_thread_id() == 0)
		real_event_wait(events, s.number - 1, weir_event_target(round, tiles, tile + 1));
	weir_block_sync(); /* extends the leader's acquire to its block */
	alignment_take_top(s, tile * ALIGNMENT_TILE);
}

WEIR_FN void alignment_strip_fill(WEIR_GLOBAL uint32_t *data, alignment_strip s,
                                  weir_event_array events, uint32_t round)
{
	WEIR_GLOBAL const uint32_t *across = data + s.rows;
	uint32_t thread = weir_thread_id();
	uint32_t next = across[0]; /* loads a letter one step before it is used */
	alignment_row row;

	row.letter = thread < s.height ? data[s.above + thread] : 0;
	row.left = 0;
	row.corner = 0;
	row.best = 0;
	for (uint32_t step = 0; step < s.columns + s.height - 1; step++) {
		uint32_t column = step - thread; /* wraps: far above any column before the first */
		uint32_t letter = next;
		int is_last = thread == s.height - 1 && column < s.columns;

		if (s.number > 0 && step < s.columns && step % ALIGNMENT_TILE == 0)
			alignment_wait(s, step / ALIGNMENT_TILE, events, round);
		if (column + 1 < s.columns)
			next = across[column + 1];
		if (thread < s.height && column < s.columns)
			alignment_cell(data, s, &row, column, letter);
		weir_block_sync(); /* thread t + 1 reads the score in the next step */
		if (is_last && ((column + 1) % ALIGNMENT_TILE == 0 || column + 1 == s.columns))
			real_event_post(events, s.number,
			                1); /* it wrote the tile's last row itself */
	}
	if (thread < s.height)
		s.bests[s.above + thread] = row.best;
}

WEIR_KERNEL(alignment_events, real_params)
{
	REAL_EVENTS(events, words, params);
	uint32_t rows = params.size[0], columns = params.size[1];
	uint32_t round = real_event_round(events), blocks = weir_block_count();
	alignment_strip s = alignment_strip_at(data, rows, columns, 0);

	for (uint32_t i = weir_block_id(); i * weir_thread_count() < rows; i += blocks)
		alignment_strip_fill(data, alignment_strip_at(data, rows, columns, i), events,
		                     round);
	weir_block_sync(); /* the block's writes precede the release */
	if (weir_thread_id() == 0)
		real_event_post(events, rows, 1);
	if (weir_block_id() == 0) {
		if (weir_thread_id() == 0)
			real_event_wait(events, rows, weir_event_target(round, blocks, blocks));
		weir_block_sync(); /* extends the leader's acquire to its block */
		alignment_reduce(s.bests, rows);
		if (weir_thread_id() == 0)
			alignment_scores(data, rows, columns, 3)[0] = s.bests[0];
	}
	real_event_block_leave(events);
}

#endif
