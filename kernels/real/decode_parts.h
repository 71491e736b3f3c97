/* One token through the layers of a transformer, as in a megakernel for decoding. A layer has
 * five parts, each followed by a meeting:
 *
 *   0   norm; queries, keys and values
 *   1   rotary embedding; attention over the cache
 *   2   output projection, added to the residual
 *   3   norm; gate and up
 *   4   down projection, added to the residual
 *
 *   size   width; query heads; key-value heads, half as many; head size; inner width; layers;
 *          position: the number of tokens that the cache already holds
 *   data   floats for all layers:
 *            rotary     head size: the cosines of the position's angles, then their sines
 *            token      width: the token's embedding
 *            residual   width: the result
 *            qkv        the queries of all heads, then their keys, then their values
 *            hidden     inner width: silu(gate) * up
 *            partials   for each query head and each of DECODE_SPLITS splits, a sum over values
 *            shares     for each partial, the largest score and the sum of the weights
 *          then for each layer:
 *            gains      2 * width floats: for part 0, for part 3
 *            weights    rows of q, k and v; of output; of gate, then up; of down
 *            keys       for each key-value head, the tokens of the cache and a place for the new one
 *            values     the same
 *          Weights, keys and values are bf16, two to a word, the first in the low half.
 *
 * The width and the inner width are multiples of 8. The head size is a power of two, from 8 to
 * DECODE_HEAD. On CUDA an input vector has up to DECODE_ROOM floats, and a block up to
 * DECODE_THREADS threads. A launch leaves its input unchanged, and so may be repeated. */
#ifndef WEIR_REAL_DECODE_PARTS_H
#define WEIR_REAL_DECODE_PARTS_H

#include "real.h"
#include "sizes.h"

#if defined(__CUDACC__)
#define decode_exp expf
#define decode_sqrt sqrtf
#elif defined(__OPENCL_VERSION__)
#define decode_exp exp
#define decode_sqrt sqrt
#elif defined(WEIR_MACHINE_HIP_H)
#define decode_exp __builtin_expf
#define decode_sqrt __builtin_sqrtf
#else
#include <math.h>
#define decode_exp expf
#define decode_sqrt sqrtf
#endif

#define DECODE_GROUP 2         /* query heads that share a key-value head */
#define DECODE_SPLIT_TOKENS 32 /* tokens in a split, until there are enough splits */
#define DECODE_HEAD 128        /* the largest head size */
#define DECODE_EPSILON 1e-6f
#define DECODE_LOWEST -1e30f /* below all scores, and finite, so that no difference is NaN */

/* A vector that is the sum of `slices` vectors, one after the other. */
typedef struct decode_input {
	WEIR_GLOBAL const float *x;
	uint32_t slices;
} decode_input;

typedef struct decode_layer {
	uint32_t width, heads, head, inner, position;
	uint32_t splits; /* of the cache's tokens */
	WEIR_GLOBAL const float *rotary;
	WEIR_GLOBAL const float *from; /* the incoming residual */
	WEIR_GLOBAL float *residual, *qkv, *hidden, *partials, *shares;
	WEIR_GLOBAL float *out; /* where parts 2 and 4 store their sums */
	uint32_t adds;          /* 1: they add the previous residual */
	WEIR_GLOBAL const float *gains;
	WEIR_GLOBAL const uint32_t *project, *output, *gate, *up, *down;
	WEIR_GLOBAL uint32_t *keys, *values;
} decode_layer;

WEIR_FN decode_layer decode_layer_at(WEIR_GLOBAL uint32_t *data, real_params params, uint32_t layer)
{
	uint32_t width = params.size[0], heads = params.size[1], groups = params.size[2];
	uint32_t head = params.size[3], inner = params.size[4], position = params.size[6];
	uint32_t project = (heads + 2 * groups) * head * (width / 2);
	uint32_t output = width * (heads * head / 2);
	uint32_t cache = groups * (position + 1) * (head / 2);
	uint32_t words = 2 * width + project + output + 3 * inner * (width / 2) + 2 * cache;
	WEIR_GLOBAL float *floats = (WEIR_GLOBAL float *)data;
	WEIR_GLOBAL uint32_t *next;
	decode_layer at;

	at.width = width;
	at.heads = heads;
	at.head = head;
	at.inner = inner;
	at.position = position;
	at.splits = (position + DECODE_SPLIT_TOKENS - 1) / DECODE_SPLIT_TOKENS;
	at.splits = at.splits == 0 ? 1 : at.splits > DECODE_SPLITS ? DECODE_SPLITS : at.splits;
	at.rotary = floats;
	at.residual = floats + head + width;
	at.from = layer == 0 ? floats + head : at.residual;
	at.out = at.residual;
	at.adds = 1;
	at.qkv = at.residual + width;
	at.hidden = at.qkv + (heads + 2 * groups) * head;
	at.partials = at.hidden + inner;
	at.shares = at.partials + heads * DECODE_SPLITS * head;

	next = (WEIR_GLOBAL uint32_t *)(at.shares + heads * DECODE_SPLITS * 2) + layer * words;
	at.gains = (WEIR_GLOBAL const float *)next;
	at.project = next + 2 * width;
	at.output = at.project + project;
	at.gate = at.output + output;
	at.up = at.gate + inner * (width / 2);
	at.down = at.up + inner * (width / 2);
	at.keys = next + words - 2 * cache;
	at.values = at.keys + cache;
	return at;
}

WEIR_FN float decode_float(uint32_t bits)
{
#if defined(__CUDACC__)
	return __uint_as_float(bits);
#elif defined(__OPENCL_VERSION__)
	return as_float(bits);
#else
	union {
		uint32_t bits;
		float value;
	} both = {bits};
	return both.value;
#endif
}

WEIR_FN uint32_t decode_bits(float value)
{
#if defined(__CUDACC__)
	return __float_as_uint(value);
#elif defined(__OPENCL_VERSION__)
	return as_uint(value);
#else
	union {
		float value;
		uint32_t bits;
	} both = {value};
	return both.bits;
#endif
}

WEIR_FN float decode_low(uint32_t pair)
{
	return decode_float(pair << 16);
}

WEIR_FN float decode_high(uint32_t pair)
{
	return decode_float(pair & 0xffff0000u);
}

/* Rounds to the nearest bf16, ties to even. */
WEIR_FN uint32_t decode_round(float value)
{
	uint32_t bits = decode_bits(value);

	return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

WEIR_FN uint32_t decode_pack(float low, float high)
{
	return decode_round(low) | decode_round(high) << 16;
}

WEIR_FN float decode_max(float a, float b)
{
	return a > b ? a : b;
}

WEIR_FN decode_input decode_input_of(WEIR_GLOBAL const float *x)
{
	decode_input in;

	in.x = x;
	in.slices = 1;
	return in;
}

/* Element i of a vector of `count`. */
WEIR_FN float decode_element(decode_input in, uint32_t i, uint32_t count)
{
	float sum = in.x[i];

	for (uint32_t slice = 1; slice < in.slices; slice++)
		sum += in.x[slice * count + i];
	return sum;
}

/* Element i of a head's vector, rotated to the token's position. */
WEIR_FN float decode_turned(decode_layer at, WEIR_GLOBAL const float *vector, uint32_t i)
{
	uint32_t middle = at.head / 2;

	if (i < middle)
		return vector[i] * at.rotary[i] - vector[i + middle] * at.rotary[middle + i];
	return vector[i] * at.rotary[i - middle] + vector[i - middle] * at.rotary[i];
}

/* The offset of a token's key or value in the cache. */
WEIR_FN uint32_t decode_row(decode_layer at, uint32_t group, uint32_t token)
{
	return (group * (at.position + 1) + token) * (at.head / 2);
}

typedef struct decode_pair {
	float first, second;
} decode_pair;

/* Each machine implements these functions. A worker takes one row of a matrix, or two. All threads
 * of a block call the take_ functions, before they use the input vector.
 *
 *   decode_worker, decode_workers   the worker's number in the grid, and how many there are
 *   decode_writes                   whether this thread writes its worker's results
 *   decode_take_normed              input: x * gain; returns the norm's factor
 *   decode_take_merged              input: the result of attention, merged from the partials
 *   decode_take                     input: x
 *   decode_dots_normed              products of two rows with the normed input, without the factor
 *   decode_dot_merged, decode_dot   products of a row with the input
 *   decode_attend                   part 1
 *   decode_attend_group             the part of it that is one split of a key-value head's queries,
 *                                   by all threads of a block
 */
#ifdef __CUDACC__

/* A worker is a warp. The block keeps the input vector in shared memory. */

#define DECODE_WARP 32
#define DECODE_THREADS 512            /* maximum in a block; each takes 128 registers */
#define DECODE_BATCH 8                /* 16-byte loads of weights that a lane has in flight */
#define DECODE_AHEAD 4                /* tokens whose loads are in flight */
#define DECODE_SLOT (DECODE_HEAD + 4) /* a warp's sum, largest score, weights */
#define DECODE_SLOTS (DECODE_THREADS / DECODE_WARP * DECODE_GROUP * DECODE_SLOT) /* of all warps */
#define DECODE_TURNED ((DECODE_GROUP + 1) * DECODE_HEAD) /* the queries and the new key */
#define DECODE_ROOM (DECODE_SLOTS + DECODE_TURNED)

WEIR_FN float *decode_room(void)
{
	__shared__ __align__(16) float room[DECODE_ROOM];

	return room;
}

WEIR_FN float *decode_warp_sums(void)
{
	__shared__ float sums[DECODE_THREADS / DECODE_WARP];

	return sums;
}

/* Neighbouring workers are in different blocks, so that few rows still use all blocks. */
WEIR_FN uint32_t decode_worker(void)
{
	return weir_thread_id() / DECODE_WARP * weir_block_count() + weir_block_id();
}

WEIR_FN uint32_t decode_workers(void)
{
	return weir_thread_count() / DECODE_WARP * weir_block_count();
}

WEIR_FN int decode_writes(void)
{
	return weir_thread_id() % DECODE_WARP == 0;
}

WEIR_FN float decode_shuffle(float value, uint32_t mask)
{
	return __shfl_xor_sync(0xffffffffu, value, mask);
}

WEIR_FN float decode_warp_sum(float value)
{
	for (uint32_t mask = DECODE_WARP / 2; mask != 0; mask /= 2)
		value += decode_shuffle(value, mask);
	return value;
}

/* The place of the input's i-th four floats. Each eight are split, all first fours before all
 * second fours, so that the lanes of a warp read without bank conflicts. */
WEIR_FN float4 *decode_place(uint32_t i, uint32_t count)
{
	return (float4 *)decode_room() + i % 2 * (count / 8) + i / 2;
}

/* The norm's factor, from the sum of squares computed by this thread. */
WEIR_FN float decode_factor(float sum, uint32_t width)
{
	float *sums = decode_warp_sums();
	uint32_t warps = weir_thread_count() / DECODE_WARP;
	uint32_t lane = weir_thread_id() % DECODE_WARP;

	sum = decode_warp_sum(sum);
	if (lane == 0)
		sums[weir_thread_id() / DECODE_WARP] = sum;
	weir_block_sync();
	sum = 0;
	for (uint32_t i = lane; i < warps; i += DECODE_WARP)
		sum += sums[i];
	return 1.0f / decode_sqrt(decode_warp_sum(sum) / (float)width + DECODE_EPSILON);
}

/* The i-th four elements of a vector of `count`. */
WEIR_FN float4 decode_fours(decode_input in, uint32_t i, uint32_t count)
{
	float4 sum = ((const float4 *)in.x)[i];

	for (uint32_t slice = 1; slice < in.slices; slice++) {
		float4 more = ((const float4 *)in.x)[slice * (count / 4) + i];
		sum.x += more.x;
		sum.y += more.y;
		sum.z += more.z;
		sum.w += more.w;
	}
	return sum;
}

WEIR_FN float decode_take_normed(decode_input in, const float *gain, uint32_t width)
{
	float sum = 0;

	for (uint32_t i = weir_thread_id(); i < width / 4; i += weir_thread_count()) {
		float4 a = decode_fours(in, i, width), b = ((const float4 *)gain)[i];
		sum += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
		*decode_place(i, width) = make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
	}
	return decode_factor(sum, width);
}

WEIR_FN void decode_take_merged(decode_layer at)
{
	uint32_t count = at.heads * at.head, fours = at.head / 4;

	for (uint32_t i = weir_thread_id(); i < count / 4; i += weir_thread_count()) {
		uint32_t first = i / fours * DECODE_SPLITS;
		const float *shares = at.shares + first * 2;
		const float4 *partials = (const float4 *)at.partials + first * fours + i % fours;
		float4 sum = make_float4(0, 0, 0, 0);
		float largest = DECODE_LOWEST, weights = 0;

		for (uint32_t split = 0; split < at.splits; split++)
			largest = decode_max(largest, shares[2 * split]);
#pragma unroll 4
		for (uint32_t split = 0; split < at.splits; split++) {
			float4 partial = partials[split * fours];
			float weight = decode_exp(shares[2 * split] - largest);
			weights += weight * shares[2 * split + 1];
			sum.x += weight * partial.x;
			sum.y += weight * partial.y;
			sum.z += weight * partial.z;
			sum.w += weight * partial.w;
		}
		weights = 1.0f / weights;
		*decode_place(i, count) =
		    make_float4(sum.x * weights, sum.y * weights, sum.z * weights, sum.w * weights);
	}
	weir_block_sync();
}

WEIR_FN void decode_take(const float *x, uint32_t count)
{
	for (uint32_t i = weir_thread_id(); i < count / 4; i += weir_thread_count())
		*decode_place(i, count) = ((const float4 *)x)[i];
	weir_block_sync();
}

WEIR_FN float decode_eight(uint4 w, float4 low, float4 high)
{
	return decode_low(w.x) * low.x + decode_high(w.x) * low.y + decode_low(w.y) * low.z +
	       decode_high(w.y) * low.w + decode_low(w.z) * high.x + decode_high(w.z) * high.y +
	       decode_low(w.w) * high.z + decode_high(w.w) * high.w;
}

/* All loads of a batch are in flight before the first is used. */
WEIR_FN float decode_dot(const float *x, const uint32_t *row, uint32_t count)
{
	const uint4 *weights = (const uint4 *)row;
	const float4 *input = (const float4 *)decode_room();
	uint32_t eights = count / 8;
	float sum = 0;

	(void)x;
	for (uint32_t first = weir_thread_id() % DECODE_WARP; first < eights;
	     first += DECODE_BATCH * DECODE_WARP) {
		uint4 batch[DECODE_BATCH];
#pragma unroll
		for (uint32_t j = 0; j < DECODE_BATCH; j++) {
			uint32_t i = first + j * DECODE_WARP;
			if (i < eights)
				batch[j] = weights[i];
		}
#pragma unroll
		for (uint32_t j = 0; j < DECODE_BATCH; j++) {
			uint32_t i = first + j * DECODE_WARP;
			if (i < eights)
				sum += decode_eight(batch[j], input[i], input[eights + i]);
		}
	}
	return decode_warp_sum(sum);
}

WEIR_FN float decode_dot_merged(decode_layer at, const uint32_t *row)
{
	return decode_dot(at.partials, row, at.heads * at.head);
}

WEIR_FN decode_pair decode_dots_normed(decode_input in, const float *gain, const uint32_t *row,
                                       const uint32_t *other, uint32_t width)
{
	const uint4 *first = (const uint4 *)row, *second = (const uint4 *)other;
	const float4 *input = (const float4 *)decode_room();
	uint32_t eights = width / 8;
	decode_pair sums = {0, 0};

	(void)in;
	(void)gain;
	for (uint32_t start = weir_thread_id() % DECODE_WARP; start < eights;
	     start += DECODE_BATCH / 2 * DECODE_WARP) {
		uint4 batch[DECODE_BATCH];
#pragma unroll
		for (uint32_t j = 0; j < DECODE_BATCH / 2; j++) {
			uint32_t i = start + j * DECODE_WARP;
			if (i < eights) {
				batch[2 * j] = first[i];
				batch[2 * j + 1] = second[i];
			}
		}
#pragma unroll
		for (uint32_t j = 0; j < DECODE_BATCH / 2; j++) {
			uint32_t i = start + j * DECODE_WARP;
			if (i < eights) {
				float4 low = input[i], high = input[eights + i];
				sums.first += decode_eight(batch[2 * j], low, high);
				sums.second += decode_eight(batch[2 * j + 1], low, high);
			}
		}
	}
	sums.first = decode_warp_sum(sums.first);
	sums.second = decode_warp_sum(sums.second);
	return sums;
}

/* A running softmax over scores, and eight elements of the sum of the values weighted by it. */
typedef struct decode_softmax {
	float largest, weights;
	float sum[8];
} decode_softmax;

WEIR_FN void decode_scale(decode_softmax *s, float largest)
{
	float scale = decode_exp(s->largest - largest);

	s->largest = largest;
	s->weights *= scale;
	for (uint32_t i = 0; i < 8; i++)
		s->sum[i] *= scale;
}

WEIR_FN void decode_add_value(decode_softmax *s, float weight, uint4 value)
{
	s->weights += weight;
	s->sum[0] += weight * decode_low(value.x);
	s->sum[1] += weight * decode_high(value.x);
	s->sum[2] += weight * decode_low(value.y);
	s->sum[3] += weight * decode_high(value.y);
	s->sum[4] += weight * decode_low(value.z);
	s->sum[5] += weight * decode_high(value.z);
	s->sum[6] += weight * decode_low(value.w);
	s->sum[7] += weight * decode_high(value.w);
}

/* Stores the group's rotated queries and new key in the room. One block also stores the new key and
 * value. */
WEIR_FN void decode_take_turned(decode_layer at, uint32_t group, uint32_t split)
{
	float *turned = decode_room() + DECODE_SLOTS;
	const float *queries = at.qkv + group * DECODE_GROUP * at.head;
	const float *key = at.qkv + (at.heads + group) * at.head;
	const float *value = key + at.heads / DECODE_GROUP * at.head;
	float scale = 1.0f / decode_sqrt((float)at.head);

	for (uint32_t i = weir_thread_id(); i < (DECODE_GROUP + 1) * at.head;
	     i += weir_thread_count()) {
		uint32_t which = i / at.head;
		if (which < DECODE_GROUP)
			turned[i] =
			    scale * decode_turned(at, queries + which * at.head, i % at.head);
		else
			turned[i] = decode_turned(at, key, i % at.head);
	}
	weir_block_sync();
	if (split == 0) {
		uint32_t to = decode_row(at, group, at.position);
		const float *turned_key = turned + DECODE_GROUP * at.head;
		for (uint32_t i = weir_thread_id(); i < at.head / 2; i += weir_thread_count()) {
			at.keys[to + i] = decode_pack(turned_key[2 * i], turned_key[2 * i + 1]);
			at.values[to + i] = decode_pack(value[2 * i], value[2 * i + 1]);
		}
	}
}

/* The lanes of a warp form teams. Each has eight elements of a token's key and value. */
WEIR_FN void decode_attend_tokens(decode_layer at, uint32_t group, uint32_t split,
                                  decode_softmax *softmax)
{
	const float *turned = decode_room() + DECODE_SLOTS;
	uint32_t lane = weir_thread_id() % DECODE_WARP, warp = weir_thread_id() / DECODE_WARP;
	uint32_t lanes = at.head / 8, teams = DECODE_WARP / lanes; /* of a team; of a warp */
	uint32_t stride = weir_thread_count() / lanes, mine = lane % lanes;
	uint32_t tokens = (at.position + at.splits - 1) / at.splits;
	uint32_t end = (split + 1) * tokens < at.position ? (split + 1) * tokens : at.position;
	const uint4 *keys = (const uint4 *)(at.keys + decode_row(at, group, 0)) + mine;
	const uint4 *values = (const uint4 *)(at.values + decode_row(at, group, 0)) + mine;
	const float4 *query = (const float4 *)turned + 2 * mine;

	for (uint32_t base = split * tokens + warp * teams; base < end;
	     base += DECODE_AHEAD * stride) {
		uint4 key[DECODE_AHEAD], value[DECODE_AHEAD];
		float score[DECODE_AHEAD][DECODE_GROUP];
#pragma unroll
		for (uint32_t i = 0; i < DECODE_AHEAD; i++) {
			uint32_t token = base + lane / lanes + i * stride;
			token = token < end ? token : end - 1; /* its weight will be 0 */
			key[i] = keys[token * lanes];
			value[i] = values[token * lanes];
		}
#pragma unroll
		for (uint32_t i = 0; i < DECODE_AHEAD; i++) {
#pragma unroll
			for (uint32_t j = 0; j < DECODE_GROUP; j++)
				score[i][j] = decode_eight(key[i], query[j * 2 * lanes],
				                           query[j * 2 * lanes + 1]);
		}
		for (uint32_t mask = lanes / 2; mask != 0; mask /= 2) {
#pragma unroll
			for (uint32_t i = 0; i < DECODE_AHEAD; i++) {
#pragma unroll
				for (uint32_t j = 0; j < DECODE_GROUP; j++)
					score[i][j] += decode_shuffle(score[i][j], mask);
			}
		}
#pragma unroll
		for (uint32_t j = 0; j < DECODE_GROUP; j++) {
			float largest = softmax[j].largest;
#pragma unroll
			for (uint32_t i = 0; i < DECODE_AHEAD; i++)
				largest = decode_max(largest, score[i][j]);
			decode_scale(&softmax[j], largest);
#pragma unroll
			for (uint32_t i = 0; i < DECODE_AHEAD; i++) {
				uint32_t token = base + lane / lanes + i * stride;
				float weight = decode_exp(score[i][j] - largest);
				decode_add_value(&softmax[j], token < end ? weight : 0, value[i]);
			}
		}
	}
}

/* The softmax before the first token of the cache: that of the new token for one team of the grid,
 * an empty one for the others. All lanes call it. */
WEIR_FN decode_softmax decode_softmax_start(decode_layer at, uint32_t group, uint32_t split,
                                            uint32_t which)
{
	const float *turned = decode_room() + DECODE_SLOTS;
	const float *value = at.qkv + (at.heads + at.heads / DECODE_GROUP + group) * at.head;
	uint32_t lanes = at.head / 8, first = weir_thread_id() % lanes * 8;
	int has = split == 0 && weir_thread_id() < lanes;
	decode_softmax start;
	float score = 0;

	for (uint32_t i = first; i < first + 8; i++)
		score += turned[which * at.head + i] * turned[DECODE_GROUP * at.head + i];
	for (uint32_t mask = lanes / 2; mask != 0; mask /= 2)
		score += decode_shuffle(score, mask);
	start.largest = has ? score : DECODE_LOWEST;
	start.weights = has ? 1 : 0;
	for (uint32_t i = 0; i < 8; i++)
		start.sum[i] = has ? value[first + i] : 0;
	return start;
}

/* Merges the teams of each warp, and stores the warp's sum in its slot. */
WEIR_FN void decode_merge_teams(decode_layer at, decode_softmax s, uint32_t which)
{
	uint32_t lane = weir_thread_id() % DECODE_WARP, warp = weir_thread_id() / DECODE_WARP;
	float *slot = decode_room() + (warp * DECODE_GROUP + which) * DECODE_SLOT;
	uint32_t lanes = at.head / 8;

	for (uint32_t mask = lanes; mask < DECODE_WARP; mask *= 2) {
		decode_scale(&s, decode_max(s.largest, decode_shuffle(s.largest, mask)));
		s.weights += decode_shuffle(s.weights, mask);
		for (uint32_t i = 0; i < 8; i++)
			s.sum[i] += decode_shuffle(s.sum[i], mask);
	}
	if (lane < lanes) {
		for (uint32_t i = 0; i < 8; i++)
			slot[lane * 8 + i] = s.sum[i];
	}
	if (lane == 0) {
		slot[DECODE_HEAD] = s.largest;
		slot[DECODE_HEAD + 1] = s.weights;
	}
}

/* Merges the block's warps into the partials of this split. */
WEIR_FN void decode_merge_warps(decode_layer at, uint32_t group, uint32_t split)
{
	uint32_t warps = weir_thread_count() / DECODE_WARP;

	for (uint32_t i = weir_thread_id(); i < DECODE_GROUP * at.head; i += weir_thread_count()) {
		uint32_t which = i / at.head, element = i % at.head;
		const float *slots = decode_room() + which * DECODE_SLOT;
		uint32_t stride = DECODE_GROUP * DECODE_SLOT;
		uint32_t to = (group * DECODE_GROUP + which) * DECODE_SPLITS + split;
		float largest = DECODE_LOWEST, weights = 0, sum = 0;

		for (uint32_t warp = 0; warp < warps; warp++)
			largest = decode_max(largest, slots[warp * stride + DECODE_HEAD]);
		for (uint32_t warp = 0; warp < warps; warp++) {
			const float *slot = slots + warp * stride;
			float scale = decode_exp(slot[DECODE_HEAD] - largest);
			weights += scale * slot[DECODE_HEAD + 1];
			sum += scale * slot[element];
		}
		at.partials[to * at.head + element] = sum;
		if (element == 0) {
			at.shares[to * 2] = largest;
			at.shares[to * 2 + 1] = weights;
		}
	}
}

/* Two syncs are enough, because the queries and the slots are separate. */
WEIR_FN void decode_attend_group(decode_layer at, uint32_t group, uint32_t split)
{
	decode_softmax softmax[DECODE_GROUP];

	decode_take_turned(at, group, split);
#pragma unroll
	for (uint32_t j = 0; j < DECODE_GROUP; j++)
		softmax[j] = decode_softmax_start(at, group, split, j);
	decode_attend_tokens(at, group, split, softmax);
#pragma unroll
	for (uint32_t j = 0; j < DECODE_GROUP; j++)
		decode_merge_teams(at, softmax[j], j);
	weir_block_sync();
	decode_merge_warps(at, group, split);
}

WEIR_FN void decode_attend(decode_layer at)
{
	uint32_t groups = at.heads / DECODE_GROUP;

	for (uint32_t i = weir_block_id(); i < groups * at.splits; i += weir_block_count())
		decode_attend_group(at, i / at.splits, i % at.splits);
}

#else

/* A worker is a thread. There is no room for an input vector: it is recomputed for each row. */

WEIR_FN uint32_t decode_worker(void)
{
	return real_thread();
}

WEIR_FN uint32_t decode_workers(void)
{
	return real_threads();
}

WEIR_FN int decode_writes(void)
{
	return 1;
}

WEIR_FN float decode_take_normed(decode_input in, WEIR_GLOBAL const float *gain, uint32_t width)
{
	float sum = 0;

	(void)gain;
	for (uint32_t i = 0; i < width; i++)
		sum += decode_element(in, i, width) * decode_element(in, i, width);
	return 1.0f / decode_sqrt(sum / (float)width + DECODE_EPSILON);
}

WEIR_FN void decode_take_merged(decode_layer at)
{
	(void)at;
}

WEIR_FN void decode_take(WEIR_GLOBAL const float *x, uint32_t count)
{
	(void)x;
	(void)count;
}

WEIR_FN float decode_dot(WEIR_GLOBAL const float *x, WEIR_GLOBAL const uint32_t *row,
                         uint32_t count)
{
	float even = 0, odd = 0;

	for (uint32_t i = 0; i < count / 2; i++) {
		even += decode_low(row[i]) * x[2 * i];
		odd += decode_high(row[i]) * x[2 * i + 1];
	}
	return even + odd;
}

WEIR_FN float decode_dot_merged(decode_layer at, WEIR_GLOBAL const uint32_t *row)
{
	float sum = 0;

	for (uint32_t head = 0; head < at.heads; head++) {
		WEIR_GLOBAL const float *shares = at.shares + head * DECODE_SPLITS * 2;
		float largest = DECODE_LOWEST, weights = 0, sum_of_head = 0;

		for (uint32_t split = 0; split < at.splits; split++)
			largest = decode_max(largest, shares[2 * split]);
		for (uint32_t split = 0; split < at.splits; split++) {
			float weight = decode_exp(shares[2 * split] - largest);
			weights += weight * shares[2 * split + 1];
			sum_of_head +=
			    weight *
			    decode_dot(at.partials + (head * DECODE_SPLITS + split) * at.head,
			               row + head * (at.head / 2), at.head);
		}
		sum += sum_of_head / weights;
	}
	return sum;
}

WEIR_FN decode_pair decode_dots_normed(decode_input in, WEIR_GLOBAL const float *gain,
                                       WEIR_GLOBAL const uint32_t *row,
                                       WEIR_GLOBAL const uint32_t *other, uint32_t width)
{
	decode_pair sums = {0, 0};

	for (uint32_t i = 0; i < width / 2; i++) {
		float low = decode_element(in, 2 * i, width) * gain[2 * i];
		float high = decode_element(in, 2 * i + 1, width) * gain[2 * i + 1];
		sums.first += decode_low(row[i]) * low + decode_high(row[i]) * high;
		sums.second += decode_low(other[i]) * low + decode_high(other[i]) * high;
	}
	return sums;
}

WEIR_FN void decode_store(decode_layer at, uint32_t group)
{
	WEIR_GLOBAL const float *key = at.qkv + (at.heads + group) * at.head;
	WEIR_GLOBAL const float *value = key + at.heads / DECODE_GROUP * at.head;
	uint32_t to = decode_row(at, group, at.position);

	for (uint32_t i = 0; i < at.head / 2; i++) {
		at.keys[to + i] =
		    decode_pack(decode_turned(at, key, 2 * i), decode_turned(at, key, 2 * i + 1));
		at.values[to + i] = decode_pack(value[2 * i], value[2 * i + 1]);
	}
}

/* A thread takes a split of a query head, and keeps its running sum in its partial. The new token
 * is first, in the first split. */
WEIR_FN void decode_attend_split(decode_layer at, uint32_t head, uint32_t split)
{
	uint32_t group = head / DECODE_GROUP, partial = head * DECODE_SPLITS + split;
	WEIR_GLOBAL const float *key = at.qkv + (at.heads + group) * at.head;
	WEIR_GLOBAL const float *value = key + at.heads / DECODE_GROUP * at.head;
	WEIR_GLOBAL float *sum = at.partials + partial * at.head;
	uint32_t tokens = (at.position + at.splits - 1) / at.splits;
	uint32_t end = (split + 1) * tokens < at.position ? (split + 1) * tokens : at.position;
	float query[DECODE_HEAD], largest = 0, weights = split == 0 ? 1 : 0;

	for (uint32_t i = 0; i < at.head; i++) {
		query[i] =
		    decode_turned(at, at.qkv + head * at.head, i) / decode_sqrt((float)at.head);
		largest += query[i] * decode_turned(at, key, i);
		sum[i] = split == 0 ? value[i] : 0;
	}
	largest = split == 0 ? largest : DECODE_LOWEST;
	for (uint32_t token = split * tokens; token < end; token++) {
		WEIR_GLOBAL const uint32_t *from = at.keys + decode_row(at, group, token);
		float score = 0, before = largest, scale, weight;

		for (uint32_t i = 0; i < at.head / 2; i++)
			score += decode_low(from[i]) * query[2 * i] +
			         decode_high(from[i]) * query[2 * i + 1];
		largest = decode_max(largest, score);
		scale = decode_exp(before - largest);
		weight = decode_exp(score - largest);
		weights = weights * scale + weight;
		from = at.values + decode_row(at, group, token);
		for (uint32_t i = 0; i < at.head / 2; i++) {
			sum[2 * i] = sum[2 * i] * scale + weight * decode_low(from[i]);
			sum[2 * i + 1] = sum[2 * i + 1] * scale + weight * decode_high(from[i]);
		}
	}
	at.shares[partial * 2] = largest;
	at.shares[partial * 2 + 1] = weights;
}

WEIR_FN void decode_attend_group(decode_layer at, uint32_t group, uint32_t split)
{
	for (uint32_t i = weir_thread_id(); i < DECODE_GROUP; i += weir_thread_count())
		decode_attend_split(at, group * DECODE_GROUP + i, split);
	if (split == 0 && weir_thread_id() == 0)
		decode_store(at, group);
}

WEIR_FN void decode_attend(decode_layer at)
{
	for (uint32_t i = real_thread(); i < at.heads * at.splits; i += real_threads()) {
		uint32_t head = i / at.splits, split = i % at.splits;

		decode_attend_split(at, head, split);
		if (split == 0 && head % DECODE_GROUP == 0)
			decode_store(at, head / DECODE_GROUP);
	}
}

#endif

WEIR_FN void decode_project(decode_layer at)
{
	decode_input in = decode_input_of(at.from);
	float factor = decode_take_normed(in, at.gains, at.width);
	uint32_t rows = at.heads * at.head; /* half: keys and values are as many together */

	for (uint32_t row = decode_worker(); row < rows; row += decode_workers()) {
		WEIR_GLOBAL const uint32_t *first = at.project + row * (at.width / 2);
		decode_pair sums = decode_dots_normed(in, at.gains, first,
		                                      first + rows * (at.width / 2), at.width);
		if (decode_writes()) {
			at.qkv[row] = factor * sums.first;
			at.qkv[rows + row] = factor * sums.second;
		}
	}
}

WEIR_FN void decode_output(decode_layer at)
{
	uint32_t words = at.heads * at.head / 2;

	decode_take_merged(at);
	for (uint32_t row = decode_worker(); row < at.width; row += decode_workers()) {
		float sum = decode_dot_merged(at, at.output + row * words);
		if (decode_writes())
			at.out[row] = at.adds ? at.from[row] + sum : sum;
	}
}

WEIR_FN void decode_gate_up(decode_layer at)
{
	WEIR_GLOBAL const float *gain = at.gains + at.width;
	decode_input in = decode_input_of(at.residual);
	float factor = decode_take_normed(in, gain, at.width);

	for (uint32_t row = decode_worker(); row < at.inner; row += decode_workers()) {
		decode_pair sums = decode_dots_normed(in, gain, at.gate + row * (at.width / 2),
		                                      at.up + row * (at.width / 2), at.width);
		if (decode_writes()) {
			float gate = factor * sums.first, up = factor * sums.second;
			at.hidden[row] = gate / (1.0f + decode_exp(-gate)) * up;
		}
	}
}

WEIR_FN void decode_down(decode_layer at)
{
	decode_take(at.hidden, at.inner);
	for (uint32_t row = decode_worker(); row < at.width; row += decode_workers()) {
		float sum = decode_dot(at.hidden, at.down + row * (at.inner / 2), at.inner);
		if (decode_writes())
			at.out[row] = at.adds ? at.residual[row] + sum : sum;
	}
}

WEIR_FN void decode_layer_part(decode_layer at, uint32_t part)
{
	switch (part % 5) {
	case 0:
		decode_project(at);
		break;
	case 1:
		decode_attend(at);
		break;
	case 2:
		decode_output(at);
		break;
	case 3:
		decode_gate_up(at);
		break;
	default:
		decode_down(at);
	}
}

WEIR_FN void decode_part(WEIR_GLOBAL uint32_t *data, real_params params, uint32_t part)
{
	decode_layer_part(decode_layer_at(data, params, part / 5), part);
}

#endif
