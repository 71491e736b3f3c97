/* The parts of decode_parts.h for one launch of all layers, with events instead of the meetings, by one rank or by
 * several. A block waits for what it reads. Before it waits, it loads what no block writes, weights and
 * gains, into registers. Prefetching later parts into the L2 cache as well made it slower
 * (results/h200/trials/events.txt).
 *
 * A block takes neighbouring rows of each matrix, and counts them at an event when it has written
 * their results. It waits for rows of others:
 *
 *   part                                  waits for                            counts
 *   0   queries, keys and values          all rows of part 4, layer before     rows of a head
 *   1   attention                         the rows of its four heads           splits of a group
 *   2   output projection                 all splits of all groups             rows of a tile
 *   3   gate and up                       all rows of part 2                   rows of a tile
 *   4   down projection                   all rows of part 3                   rows of a tile
 *
 * Head h counts row h * head + i of part 0, and the row half of all rows further on: a query's and a key's,
 * or a query's and a value's. A vector has DECODE_TILES tiles, so that fewer blocks add to one event. Counts
 * grow from layer to layer. In each launch an event gets the same counts, whatever the position and
 * the number of blocks are: a group counts DECODE_SPLITS splits, including those that it does not have.
 *
 * With several ranks, parts 2 and 4 produce sums over a rank's own columns. Each rank writes them to all ranks,
 * and counts their rows at the events of all. Parts 0 and 3 wait for the rows of all ranks.
 *
 * No block overwrites what another block has yet to read. Blocks that read a vector count rows of the
 * same part after that. The next block that writes the vector has waited for these counts, or for
 * others that followed them. Blocks without rows of a part read nothing for it. Parts 2 and 4 have the
 * same rows, so that the residual of a row belongs to one thread.
 *
 * The including file first defines decode_link, the ranks and their events, and then these functions:
 *
 *   decode_ranks, decode_rank   how many ranks there are, and which one this is
 *   decode_wait_one             waits for an event of this rank; one thread calls it
 *   decode_post                 adds to an event of a rank; one thread calls it
 *   decode_residual             the residual that parts 0 and 2 read (DECODE_LAST, of the layer before), or
 *                               parts 3 and 4 (DECODE_MIDDLE)
 *   decode_put                  stores the sum of a row where all ranks expect it; a worker calls it */
#ifndef WEIR_REAL_DECODE_STEPS_H
#define WEIR_REAL_DECODE_STEPS_H

#include "decode_parts.h"

/* The first event of a vector's tiles, after those of heads and groups. */
enum decode_vector {
	DECODE_MIDDLE, /* the residual after part 2 */
	DECODE_HIDDEN,
	DECODE_LAST /* the residual after part 4 */
};

typedef struct decode_sync {
	decode_link link;
	uint32_t round, layers, layer;
} decode_sync;

/* The rows of a block, and how many of them are in its first tile. */
typedef struct decode_rows {
	uint32_t first, end;
	uint32_t tile, in_tile;
} decode_rows;

WEIR_FN uint32_t decode_less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

WEIR_FN decode_rows decode_rows_of(uint32_t rows, uint32_t tile)
{
	uint32_t each = (rows + weir_block_count() - 1) / weir_block_count();
	decode_rows mine;

	mine.first = decode_less(weir_block_id() * each, rows);
	mine.end = decode_less(mine.first + each, rows);
	mine.tile = mine.first / tile;
	mine.in_tile = decode_less(mine.end, (mine.tile + 1) * tile) - mine.first;
	return mine;
}

/* The count that an event reaches in this layer, if each layer adds `count`. */
WEIR_FN uint32_t decode_target(decode_sync sync, uint32_t count)
{
	return weir_event_target(sync.round, sync.layers * count, (sync.layer + 1) * count);
}

WEIR_FN uint32_t decode_ranks(decode_sync sync);
WEIR_FN uint32_t decode_rank(decode_sync sync);
WEIR_FN void decode_wait_one(decode_sync sync, uint32_t event, uint32_t target);
WEIR_FN void decode_post(decode_sync sync, uint32_t rank, uint32_t event, uint32_t n);
WEIR_FN decode_input decode_residual(decode_layer at, decode_sync sync, enum decode_vector vector);
WEIR_FN void decode_put(decode_layer at, decode_sync sync, enum decode_vector vector, uint32_t row,
                        float sum);

/* Counts rows at the events of a rank. One thread calls it. */
WEIR_FN void decode_count_at(decode_sync sync, uint32_t rank, uint32_t event, decode_rows mine,
                             uint32_t tile)
{
	decode_post(sync, rank, event + mine.tile, mine.in_tile);
	for (uint32_t row = mine.first + mine.in_tile; row < mine.end; row += tile)
		decode_post(sync, rank, event + row / tile, decode_less(mine.end - row, tile));
}

/* All threads call it after writing the results of the block's rows. */
WEIR_FN void decode_count(decode_sync sync, uint32_t event, decode_rows mine, uint32_t tile)
{
	weir_block_sync(); /* the block's writes precede the releases */
	if (real_event_speaks())
		decode_count_at(sync, decode_rank(sync), event, mine, tile);
}

/* The same at all ranks: one of the last threads for each. */
WEIR_FN void decode_count_everywhere(decode_sync sync, uint32_t event, decode_rows mine,
                                     uint32_t tile)
{
	weir_block_sync(); /* the block's writes precede the releases */
	for (uint32_t rank = weir_thread_count() - 1 - weir_thread_id(); rank < decode_ranks(sync);
	     rank += weir_thread_count())
		decode_count_at(sync, rank, event, mine, tile);
}

/* All threads of the block call it. They wait for `count` events starting at `first`; the last
 * threads share the polling. */
WEIR_FN void decode_block_wait(decode_sync sync, uint32_t first, uint32_t count, uint32_t target)
{
	for (uint32_t i = weir_thread_count() - 1 - weir_thread_id(); i < count;
	     i += weir_thread_count())
		decode_wait_one(sync, first + i, target);
	weir_block_sync(); /* extends each thread's acquires to all */
}

/* The state of the previous layer. */
WEIR_FN decode_sync decode_before(decode_sync sync)
{
	sync.layer--;
	return sync;
}

WEIR_FN uint32_t decode_tiles(decode_layer at, enum decode_vector vector)
{
	return at.heads + at.heads / DECODE_GROUP + (uint32_t)vector * DECODE_TILES;
}

/* Waits for the sums of all ranks. */
WEIR_FN void decode_wait_residual(decode_layer at, decode_sync sync, enum decode_vector vector)
{
	decode_block_wait(sync, decode_tiles(at, vector), DECODE_TILES,
	                  decode_target(sync, at.width / DECODE_TILES * decode_ranks(sync)));
}

/* Each machine also implements the following functions. They are for the worker's first rows of
 * a part, whose weights it loads into `held` before it waits.
 *
 *   decode_seat, decode_seats       the worker's number in its block, and how many there are
 *   decode_hold_nothing             what a worker holds at first
 *   decode_hold_gain                loads the thread's first gains, for decode_take_held
 *   decode_hold_pair, decode_hold   loads weights of pair `which`, 0 or 1, or of a row
 *   decode_take_held                decode_take_normed
 *   decode_dots_held                decode_dots_normed
 *   decode_dot_held                 decode_dot_merged, or decode_dot of part 4 */
#ifdef __CUDACC__

#define DECODE_HELD 16 /* 16-byte loads of a lane: two pairs of rows of 1024, or a row of 4096 */

typedef struct decode_held {
	float4 gain;
	uint4 words[DECODE_HELD];
} decode_held;

/* Without it, the last layer's values would stay in registers: the loads are conditional. */
WEIR_FN decode_held decode_hold_nothing(void)
{
	decode_held held;

	held.gain = make_float4(0, 0, 0, 0);
#pragma unroll
	for (uint32_t j = 0; j < DECODE_HELD; j++)
		held.words[j] = make_uint4(0, 0, 0, 0);
	return held;
}

WEIR_FN uint32_t decode_seat(void)
{
	return weir_thread_id() / DECODE_WARP;
}

WEIR_FN uint32_t decode_seats(void)
{
	return weir_thread_count() / DECODE_WARP;
}

WEIR_FN void decode_hold_gain(decode_held *held, const float *gain, uint32_t width)
{
	if (weir_thread_id() < width / 4)
		held->gain = ((const float4 *)gain)[weir_thread_id()];
}

WEIR_FN void decode_hold_pair(decode_held *held, uint32_t which, const uint32_t *row,
                              const uint32_t *other, uint32_t width)
{
#pragma unroll
	for (uint32_t j = 0; j < DECODE_HELD / 4; j++) {
		uint32_t i = weir_thread_id() % DECODE_WARP + j * DECODE_WARP;
		uint32_t to = which * (DECODE_HELD / 2) + 2 * j;
		if (i < width / 8) {
			held->words[to] = ((const uint4 *)row)[i];
			held->words[to + 1] = ((const uint4 *)other)[i];
		}
	}
}

WEIR_FN void decode_hold(decode_held *held, const uint32_t *row, uint32_t count)
{
#pragma unroll
	for (uint32_t j = 0; j < DECODE_HELD; j++) {
		uint32_t i = weir_thread_id() % DECODE_WARP + j * DECODE_WARP;
		if (i < count / 8)
			held->words[j] = ((const uint4 *)row)[i];
	}
}

WEIR_FN float decode_take_held(const decode_held *held, decode_input in, const float *gain,
                               uint32_t width)
{
	float4 b = held->gain;
	float sum = 0;

	for (uint32_t i = weir_thread_id(); i < width / 4; i += weir_thread_count()) {
		float4 a = decode_fours(in, i, width);
		if (i != weir_thread_id())
			b = ((const float4 *)gain)[i];
		sum += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
		*decode_place(i, width) = make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
	}
	return decode_factor(sum, width);
}

WEIR_FN decode_pair decode_dots_held(const decode_held *held, uint32_t which, decode_input in,
                                     const float *gain, const uint32_t *row, const uint32_t *other,
                                     uint32_t width)
{
	const float4 *input = (const float4 *)decode_room();
	uint32_t eights = width / 8, lane = weir_thread_id() % DECODE_WARP;
	decode_pair sums = {0, 0};

	(void)in;
	(void)gain;
#pragma unroll
	for (uint32_t j = 0; j < DECODE_HELD / 4; j++) {
		uint32_t i = lane + j * DECODE_WARP, from = which * (DECODE_HELD / 2) + 2 * j;
		if (i < eights) {
			float4 low = input[i], high = input[eights + i];
			sums.first += decode_eight(held->words[from], low, high);
			sums.second += decode_eight(held->words[from + 1], low, high);
		}
	}
#pragma unroll 1
	for (uint32_t i = lane + DECODE_HELD / 4 * DECODE_WARP; i < eights; i += DECODE_WARP) {
		float4 low = input[i], high = input[eights + i];
		sums.first += decode_eight(((const uint4 *)row)[i], low, high);
		sums.second += decode_eight(((const uint4 *)other)[i], low, high);
	}
	sums.first = decode_warp_sum(sums.first);
	sums.second = decode_warp_sum(sums.second);
	return sums;
}

WEIR_FN float decode_dot_held(decode_layer at, const decode_held *held, int merges,
                              const uint32_t *row, uint32_t count)
{
	const float4 *input = (const float4 *)decode_room();
	uint32_t eights = count / 8, lane = weir_thread_id() % DECODE_WARP;
	float sum = 0;

	(void)at;
	(void)merges;
#pragma unroll
	for (uint32_t j = 0; j < DECODE_HELD; j++) {
		uint32_t i = lane + j * DECODE_WARP;
		if (i < eights)
			sum += decode_eight(held->words[j], input[i], input[eights + i]);
	}
#pragma unroll 1
	for (uint32_t i = lane + DECODE_HELD * DECODE_WARP; i < eights; i += DECODE_WARP)
		sum += decode_eight(((const uint4 *)row)[i], input[i], input[eights + i]);
	return decode_warp_sum(sum);
}

#else

/* Nothing is held, because a thread has no room for it. */
typedef struct decode_held {
	uint32_t nothing;
} decode_held;

WEIR_FN decode_held decode_hold_nothing(void)
{
	decode_held held;

	held.nothing = 0;
	return held;
}

WEIR_FN uint32_t decode_seat(void)
{
	return weir_thread_id();
}

WEIR_FN uint32_t decode_seats(void)
{
	return weir_thread_count();
}

WEIR_FN void decode_hold_gain(decode_held *held, WEIR_GLOBAL const float *gain, uint32_t width)
{
	held->nothing = 0;
	(void)gain;
	(void)width;
}

WEIR_FN void decode_hold_pair(decode_held *held, uint32_t which, WEIR_GLOBAL const uint32_t *row,
                              WEIR_GLOBAL const uint32_t *other, uint32_t width)
{
	held->nothing = which;
	(void)row;
	(void)other;
	(void)width;
}

WEIR_FN void decode_hold(decode_held *held, WEIR_GLOBAL const uint32_t *row, uint32_t count)
{
	held->nothing = 0;
	(void)row;
	(void)count;
}

WEIR_FN float decode_take_held(const decode_held *held, decode_input in,
                               WEIR_GLOBAL const float *gain, uint32_t width)
{
	(void)held;
	return decode_take_normed(in, gain, width);
}

WEIR_FN decode_pair decode_dots_held(const decode_held *held, uint32_t which, decode_input in,
                                     WEIR_GLOBAL const float *gain, WEIR_GLOBAL const uint32_t *row,
                                     WEIR_GLOBAL const uint32_t *other, uint32_t width)
{
	(void)held;
	(void)which;
	return decode_dots_normed(in, gain, row, other, width);
}

WEIR_FN float decode_dot_held(decode_layer at, const decode_held *held, int merges,
                              WEIR_GLOBAL const uint32_t *row, uint32_t count)
{
	(void)held;
	return merges ? decode_dot_merged(at, row) : decode_dot(at.hidden, row, count);
}

#endif

/* The first split of a group for the block. The last blocks go first: they may have no rows. */
WEIR_FN uint32_t decode_item(void)
{
	return weir_block_count() - 1 - weir_block_id();
}

/* Two matrices with the same number of rows, both multiplied by in * gain. */
typedef struct decode_pairs {
	decode_input in;
	WEIR_GLOBAL const float *gain;
	WEIR_GLOBAL const uint32_t *first, *second;
	uint32_t width, rows;
	uint32_t tile; /* rows of an event */
} decode_pairs;

/* The operands of part 0 or part 3. */
WEIR_FN decode_pairs decode_pairs_of(decode_layer at, decode_sync sync, int projects)
{
	decode_pairs of;

	of.width = at.width;
	of.rows = projects ? at.heads * at.head : at.inner;
	of.tile = projects ? at.head : at.inner / DECODE_TILES;
	of.in = decode_residual(at, sync, projects ? DECODE_LAST : DECODE_MIDDLE);
	of.gain = projects ? at.gains : at.gains + at.width;
	of.first = projects ? at.project : at.gate;
	of.second = of.first + of.rows * (at.width / 2);
	return of;
}

/* The rows at `row`, and those one round of workers later. */
WEIR_FN void decode_hold_pairs(decode_held *held, decode_pairs of, uint32_t row, uint32_t end)
{
	uint32_t words = of.width / 2, next = row + decode_seats();

	if (row < end)
		decode_hold_pair(held, 0, of.first + row * words, of.second + row * words,
		                 of.width);
	if (next < end)
		decode_hold_pair(held, 1, of.first + next * words, of.second + next * words,
		                 of.width);
}

WEIR_FN void decode_put_pair(decode_layer at, const decode_held *held, uint32_t which,
                             decode_pairs of, uint32_t row, float factor, int projects)
{
	uint32_t words = of.width / 2;
	decode_pair sums = decode_dots_held(held, which, of.in, of.gain, of.first + row * words,
	                                    of.second + row * words, of.width);
	float first = factor * sums.first, second = factor * sums.second;

	if (!decode_writes())
		return;
	if (projects) {
		at.qkv[row] = first;
		at.qkv[of.rows + row] = second;
	} else {
		at.hidden[row] = first / (1.0f + decode_exp(-first)) * second;
	}
}

/* Part 0 or 3. */
WEIR_FN void decode_pairs_part(WEIR_GLOBAL uint32_t *data, real_params params, decode_sync sync,
                               uint32_t part)
{
	decode_layer at = decode_layer_at(data, params, part / 5);
	int projects = part % 5 == 0;
	decode_pairs of = decode_pairs_of(at, sync, projects);
	decode_rows mine = decode_rows_of(of.rows, of.tile);
	uint32_t seats = decode_seats();
	decode_held held = decode_hold_nothing();
	float factor;

	decode_hold_gain(&held, of.gain, of.width);
	decode_hold_pairs(&held, of, mine.first + decode_seat(), mine.end);
	if (mine.first == mine.end)
		return;
	if (part != 0)
		decode_wait_residual(at, projects ? decode_before(sync) : sync,
		                     projects ? DECODE_LAST : DECODE_MIDDLE);
	factor = decode_take_held(&held, of.in, of.gain, of.width);
	for (uint32_t row = mine.first + decode_seat(); row < mine.end; row += 2 * seats) {
		if (row >= mine.first + 2 * seats)
			decode_hold_pairs(&held, of, row, mine.end);
		decode_put_pair(at, &held, 0, of, row, factor, projects);
		if (row + seats < mine.end)
			decode_put_pair(at, &held, 1, of, row + seats, factor, projects);
	}
	decode_count(sync, projects ? 0 : decode_tiles(at, DECODE_HIDDEN), mine, of.tile);
}

/* Waits for the queries, the key and the value of a group. */
WEIR_FN void decode_wait_group(decode_layer at, decode_sync sync, uint32_t group)
{
	for (uint32_t i = weir_thread_count() - 1 - weir_thread_id(); i < DECODE_GROUP + 2;
	     i += weir_thread_count()) {
		uint32_t head = i < DECODE_GROUP    ? group * DECODE_GROUP + i
		                : i == DECODE_GROUP ? group
		                                    : at.heads / DECODE_GROUP + group;
		decode_wait_one(sync, head, decode_target(sync, at.head));
	}
	weir_block_sync(); /* extends each thread's acquires to all */
}

/* Part 1. */
WEIR_FN void decode_attend_part(WEIR_GLOBAL uint32_t *data, real_params params, decode_sync sync,
                                uint32_t part)
{
	decode_layer at = decode_layer_at(data, params, part / 5);
	uint32_t groups = at.heads / DECODE_GROUP;

	for (uint32_t i = decode_item(); i < groups * at.splits; i += weir_block_count()) {
		uint32_t group = i / at.splits, split = i % at.splits;

		decode_wait_group(at, sync, group);
		decode_attend_group(at, group, split);
		weir_block_sync(); /* the block's writes precede the release */
		if (real_event_speaks())
			decode_post(sync, decode_rank(sync), at.heads + group,
			            split == 0 ? 1 + DECODE_SPLITS - at.splits : 1);
	}
}

/* Part 2 or 4: rows that are added to the residual. */
WEIR_FN void decode_rows_part(WEIR_GLOBAL uint32_t *data, real_params params, decode_sync sync,
                              uint32_t part)
{
	decode_layer at = decode_layer_at(data, params, part / 5);
	int merges = part % 5 == 2;
	uint32_t columns = merges ? at.heads * at.head : at.inner;
	WEIR_GLOBAL const uint32_t *matrix = merges ? at.output : at.down;
	enum decode_vector vector = merges ? DECODE_MIDDLE : DECODE_LAST;
	decode_rows mine = decode_rows_of(at.width, at.width / DECODE_TILES);
	decode_held held = decode_hold_nothing();

	if (mine.first + decode_seat() < mine.end)
		decode_hold(&held, matrix + (mine.first + decode_seat()) * (columns / 2), columns);
	if (mine.first == mine.end)
		return;
	if (merges) {
		decode_block_wait(sync, at.heads, at.heads / DECODE_GROUP,
		                  decode_target(sync, DECODE_SPLITS));
		decode_take_merged(at);
	} else {
		decode_block_wait(sync, decode_tiles(at, DECODE_HIDDEN), DECODE_TILES,
		                  decode_target(sync, at.inner / DECODE_TILES));
		decode_take(at.hidden, at.inner);
	}
	for (uint32_t row = mine.first + decode_seat(); row < mine.end; row += decode_seats()) {
		WEIR_GLOBAL const uint32_t *weights = matrix + row * (columns / 2);
		float sum;
		if (row >= mine.first + decode_seats())
			decode_hold(&held, weights, columns);
		sum = decode_dot_held(at, &held, merges, weights, columns);
		decode_put(at, sync, vector, row, sum);
	}
	decode_count_everywhere(sync, decode_tiles(at, vector), mine, at.width / DECODE_TILES);
}

/* Keeps values that a part computes from these from taking registers in another part. */
WEIR_FN real_params decode_apart(real_params params)
{
	params.size[0] = weir_hide_value(params.size[0]);
	params.size[1] = weir_hide_value(params.size[1]);
	params.size[4] = weir_hide_value(params.size[4]);
	return params;
}

/* All parts of all layers. */
WEIR_FN void decode_steps(WEIR_GLOBAL uint32_t *data, real_params params, decode_sync sync)
{
	for (uint32_t part = 0; part < 5 * sync.layers; part++) {
		sync.layer = part / 5;
		switch (part % 5) {
		case 0:
		case 3:
			decode_pairs_part(data, decode_apart(params), sync, part);
			break;
		case 1:
			decode_attend_part(data, decode_apart(params), sync, part);
			break;
		default:
			decode_rows_part(data, decode_apart(params), sync, part);
		}
	}
}

#endif
