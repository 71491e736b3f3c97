/* One token through the layers of a transformer: see kernels/real/decode_parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "forms/problems/problem.h"
#include "kernels/real/sizes.h"

/* Width, query heads, key-value heads, head size, inner width, layers, position. */
static const real_size sizes[] = {
    {"width 64, 2 layers, position 7", 1, {64, 4, 2, 16, 96, 2, 7}},
    {"width 64, 2 layers, position 77", 1, {64, 4, 2, 16, 96, 2, 77}},
    {"width 1024, 28 layers, position 20", 0, {1024, 16, 8, 128, 3072, 28, 20}},
    {"width 1024, 28 layers, position 300", 0, {1024, 16, 8, 128, 3072, 28, 300}},
    {"width 1024, 28 layers, position 3000", 0, {1024, 16, 8, 128, 3072, 28, 3000}}};

/* The model, and where its data are: counts, and offsets in words. */
typedef struct model {
	size_t width, heads, groups, head, inner, layers, position;
	size_t rotary, token, residual, first_layer; /* in data */
	/* in a layer */
	size_t gains, project, output, gate, up, down, keys, values, layer_words;
} model;

static model model_of(const uint32_t *size)
{
	model m = {.width = size[0],
	           .heads = size[1],
	           .groups = size[2],
	           .head = size[3],
	           .inner = size[4],
	           .layers = size[5],
	           .position = size[6]};
	size_t projected = (m.heads + 2 * m.groups) * m.head;

	m.rotary = 0;
	m.token = m.rotary + m.head;
	m.residual = m.token + m.width;
	m.first_layer =
	    m.residual + m.width + projected + m.inner + m.heads * DECODE_SPLITS * (m.head + 2);
	m.gains = 0;
	m.project = m.gains + 2 * m.width;
	m.output = m.project + projected * m.width / 2;
	m.gate = m.output + m.width * m.heads * m.head / 2;
	m.up = m.gate + m.inner * m.width / 2;
	m.down = m.up + m.inner * m.width / 2;
	m.keys = m.down + m.width * m.inner / 2;
	m.values = m.keys + m.groups * (m.position + 1) * m.head / 2;
	m.layer_words = m.values + m.groups * (m.position + 1) * m.head / 2;
	return m;
}

static uint32_t meetings(const uint32_t *size)
{
	return 5 * size[5];
}

static uint32_t events(const uint32_t *size)
{
	return size[1] + size[2] + 3 * DECODE_TILES;
}

static size_t words(const uint32_t *size)
{
	model m = model_of(size);

	return m.first_layer + m.layers * m.layer_words;
}

static uint32_t next(uint32_t *random)
{
	uint32_t drawn = real_random(random);

	return drawn ^ drawn >> 15; /* the low bits by themselves repeat soon */
}

/* Pairs of bf16 numbers of either sign, with magnitudes from 2^exponent to twice that. */
static void fill_pairs(uint32_t *pairs, size_t count, int exponent, uint32_t *random)
{
	uint32_t bits = (uint32_t)(127 + exponent) << 7;

	for (size_t i = 0; i < count; i++)
		pairs[i] = (next(random) & 0x807f807fu) | bits | bits << 16;
}

/* Magnitudes up to about 1 / sqrt(columns), so that the product of a row with values of order 1 is
 * of order 1. */
static void fill_rows(uint32_t *pairs, size_t rows, size_t columns, uint32_t *random)
{
	int exponent = (int)floor(log2(1 / sqrt((double)columns))) - 1;

	fill_pairs(pairs, rows * columns / 2, exponent, random);
}

static void fill_floats(float *floats, size_t count, float least, float most, uint32_t *random)
{
	for (size_t i = 0; i < count; i++)
		floats[i] = least + (most - least) * (float)(next(random) >> 8) / 16777216.0f;
}

static void fill(const uint32_t *size, uint32_t *data)
{
	model m = model_of(size);
	float *floats = (float *)data;
	uint32_t random = 1;

	for (size_t i = 0; i < m.head / 2; i++) {
		double angle = (double)m.position * pow(10000, -2.0 * (double)i / (double)m.head);
		floats[m.rotary + i] = (float)cos(angle);
		floats[m.rotary + m.head / 2 + i] = (float)sin(angle);
	}
	fill_floats(floats + m.token, m.width, -2, 2, &random);
	for (size_t i = 0; i < m.layers; i++) {
		uint32_t *layer = data + m.first_layer + i * m.layer_words;
		fill_floats((float *)layer + m.gains, 2 * m.width, 0.5f, 1.5f, &random);
		fill_rows(layer + m.project, (m.heads + 2 * m.groups) * m.head, m.width, &random);
		fill_rows(layer + m.output, m.width, m.heads * m.head, &random);
		fill_rows(layer + m.gate, 2 * m.inner, m.width, &random);
		fill_rows(layer + m.down, m.width, m.inner, &random);
		fill_pairs(layer + m.keys, m.layer_words - m.keys, -1, &random);
	}
}

static float bf16(const uint32_t *pairs, size_t i)
{
	uint32_t bits = pairs[i / 2] >> 16 * (i % 2) << 16;
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static void put_bf16(uint32_t *pairs, size_t i, double value)
{
	float rounded = (float)value;
	uint32_t bits;

	memcpy(&bits, &rounded, sizeof bits);
	bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
	pairs[i / 2] = i % 2 == 0 ? (pairs[i / 2] & 0xffff0000u) | bits
	                          : (pairs[i / 2] & 0x0000ffffu) | bits << 16;
}

static void multiply(const uint32_t *pairs, size_t rows, size_t columns, const double *x,
                     double *product)
{
	for (size_t row = 0; row < rows; row++) {
		double sum = 0;
		for (size_t i = 0; i < columns; i++)
			sum += bf16(pairs, row * columns + i) * x[i];
		product[row] = sum;
	}
}

static void norm(const double *x, const float *gains, size_t width, double *normed)
{
	double squares = 0;

	for (size_t i = 0; i < width; i++)
		squares += x[i] * x[i];
	for (size_t i = 0; i < width; i++)
		normed[i] = x[i] / sqrt(squares / (double)width + 1e-6) * gains[i];
}

static void turn(double *vector, size_t head, const float *rotary)
{
	for (size_t i = 0; i < head / 2; i++) {
		double a = vector[i], b = vector[i + head / 2];
		double cosine = rotary[i], sine = rotary[i + head / 2];
		vector[i] = a * cosine - b * sine;
		vector[i + head / 2] = b * cosine + a * sine;
	}
}

/* The new key and value are used unrounded, unlike those in the cache. */
static void attend(const model *m, const uint32_t *layer, size_t group, const double *query,
                   const double *key, const double *value, double *result)
{
	size_t cache = group * (m->position + 1) * m->head;
	double *weights = weir_need(calloc(m->position + 1, sizeof *weights));
	double sum = 0;

	for (size_t token = 0; token <= m->position; token++) {
		for (size_t i = 0; i < m->head; i++)
			weights[token] +=
			    query[i] * (token == m->position
			                    ? key[i]
			                    : bf16(layer + m->keys, cache + token * m->head + i));
		weights[token] = exp(weights[token] / sqrt((double)m->head));
		sum += weights[token];
	}
	memset(result, 0, m->head * sizeof *result);
	for (size_t token = 0; token <= m->position; token++) {
		for (size_t i = 0; i < m->head; i++)
			result[i] += weights[token] / sum *
			             (token == m->position
			                  ? value[i]
			                  : bf16(layer + m->values, cache + token * m->head + i));
	}
	free(weights);
}

static void expect_layer(const model *m, const float *rotary, uint32_t *layer, double *x)
{
	size_t most = m->width + (m->heads + 2 * m->groups) * m->head + 2 * m->inner;
	double *in = weir_need(calloc(2 * most, sizeof *in)), *out = in + most;
	double *keys = out + m->heads * m->head, *values = keys + m->groups * m->head;
	const float *gains = (const float *)layer + m->gains;

	norm(x, gains, m->width, in);
	multiply(layer + m->project, (m->heads + 2 * m->groups) * m->head, m->width, in, out);
	for (size_t i = 0; i < m->heads + m->groups; i++)
		turn(out + i * m->head, m->head, rotary);
	for (size_t i = 0; i < m->heads; i++) {
		size_t group = i * m->groups / m->heads;
		attend(m, layer, group, out + i * m->head, keys + group * m->head,
		       values + group * m->head, in + i * m->head);
	}
	for (size_t i = 0; i < m->groups * m->head; i++) {
		size_t group = i / m->head;
		size_t place = (group * (m->position + 1) + m->position) * m->head + i % m->head;
		put_bf16(layer + m->keys, place, keys[i]);
		put_bf16(layer + m->values, place, values[i]);
	}
	multiply(layer + m->output, m->width, m->heads * m->head, in, out);
	for (size_t i = 0; i < m->width; i++)
		x[i] += out[i];

	norm(x, gains + m->width, m->width, in);
	multiply(layer + m->gate, 2 * m->inner, m->width, in, out);
	for (size_t i = 0; i < m->inner; i++)
		in[i] = out[i] / (1 + exp(-out[i])) * out[m->inner + i];
	multiply(layer + m->down, m->width, m->inner, in, out);
	for (size_t i = 0; i < m->width; i++)
		x[i] += out[i];
	free(in);
}

static void expect(const uint32_t *size, uint32_t *data)
{
	model m = model_of(size);
	float *floats = (float *)data;
	double *x = weir_need(calloc(m.width, sizeof *x));

	for (size_t i = 0; i < m.width; i++)
		x[i] = floats[m.token + i];
	for (size_t i = 0; i < m.layers; i++)
		expect_layer(&m, floats + m.rotary, data + m.first_layer + i * m.layer_words, x);
	for (size_t i = 0; i < m.width; i++)
		floats[m.residual + i] = (float)x[i];
	free(x);
}

int decode_divide(const uint32_t *size, uint32_t ranks, uint32_t *own)
{
	memcpy(own, size, 8 * sizeof *own);
	own[1] = size[1] / ranks;
	own[2] = size[2] / ranks;
	own[4] = size[4] / ranks;
	return size[1] % ranks == 0 && size[2] % ranks == 0 && size[4] % (8 * ranks) == 0;
}

/* Copies some columns of each row of bf16 numbers; `columns` is the number over all ranks. */
static void copy_columns(const uint32_t *whole, size_t rows, size_t columns, uint32_t ranks,
                         uint32_t rank, uint32_t *own)
{
	size_t words = columns / ranks / 2;

	for (size_t row = 0; row < rows; row++)
		memcpy(own + row * words, whole + row * (columns / 2) + rank * words,
		       words * sizeof *own);
}

static void copy_words(const uint32_t *whole, size_t words, uint32_t rank, uint32_t *own)
{
	memcpy(own, whole + rank * words, words * sizeof *own);
}

static void copy_layer(const model *w, const model *m, const uint32_t *whole, uint32_t ranks,
                       uint32_t rank, uint32_t *own)
{
	size_t queries = m->heads * m->head * m->width / 2;
	size_t keys = m->groups * m->head * m->width / 2;
	size_t inner = m->inner * m->width / 2;
	size_t cache = m->groups * (m->position + 1) * m->head / 2;

	memcpy(own + m->gains, whole + w->gains, 2 * m->width * sizeof *own);
	copy_words(whole + w->project, queries, rank, own + m->project);
	for (size_t i = 0; i < 2; i++)
		copy_words(whole + w->project + ranks * (queries + i * keys), keys, rank,
		           own + m->project + queries + i * keys);
	copy_columns(whole + w->output, m->width, w->heads * w->head, ranks, rank, own + m->output);
	copy_words(whole + w->gate, inner, rank, own + m->gate);
	copy_words(whole + w->up, inner, rank, own + m->up);
	copy_columns(whole + w->down, m->width, w->inner, ranks, rank, own + m->down);
	copy_words(whole + w->keys, cache, rank, own + m->keys);
	copy_words(whole + w->values, cache, rank, own + m->values);
}

void decode_take_own(const uint32_t *size, uint32_t ranks, uint32_t rank, const uint32_t *whole,
                     uint32_t *own)
{
	uint32_t own_size[8];
	decode_divide(size, ranks, own_size);
	model w = model_of(size), m = model_of(own_size);

	memset(own, 0, m.first_layer * sizeof *own);
	memcpy(own, whole, (m.residual + m.width) * sizeof *own);
	for (size_t i = 0; i < m.layers; i++)
		copy_layer(&w, &m, whole + w.first_layer + i * w.layer_words, ranks, rank,
		           own + m.first_layer + i * m.layer_words);
}

/* The kernel sums floats, in its own order, where the reference sums doubles. The values are of
 * order 1, so the error does not shrink with an element. It was 3e-6 after 28 layers of width 256,
 * and grows roughly with the square root of the width. */
#define TOLERANCE 5e-5

/* Two slightly different floats may be rounded to neighbouring bf16 numbers. */
#define BF16_STEP (1.0 / 128)

/* False for NaN. */
static int near(double expected, double got, double step)
{
	return fabs(expected - got) <= TOLERANCE + (TOLERANCE + step) * fabs(expected);
}

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	model m = model_of(size);
	const float *right = (const float *)expected + m.residual;
	const float *result = (const float *)got + m.residual;

	for (size_t layer = 0; layer < m.layers; layer++) {
		size_t start = m.first_layer + layer * m.layer_words;
		for (size_t i = 0; i < 2 * m.groups * m.head; i++) {
			size_t head = i / m.head % m.groups, element = i % m.head;
			int is_key = i < m.groups * m.head;
			size_t cache = start + (is_key ? m.keys : m.values);
			size_t place = (head * (m.position + 1) + m.position) * m.head + element;
			double want = bf16(expected + cache, place);
			double have = bf16(got + cache, place);
			if (near(want, have, BF16_STEP))
				continue;
			return real_wrong(
			    why, "new %s of layer %zu, head %zu, element %zu: %g, not %g",
			    is_key ? "key" : "value", layer, head, element, have, want);
		}
	}
	for (size_t i = 0; i < m.width; i++) {
		if (near(right[i], result[i], 0))
			continue;
		return real_wrong(why, "element %zu of the residual: %g, not %g", i, result[i],
		                  right[i]);
	}
	return 0;
}

/* The residual, followed by the new keys and values of each layer. */
static real_range looks(const uint32_t *size, size_t index)
{
	model m = model_of(size);

	if (index == 0)
		return (real_range){m.residual, m.width};
	size_t row = (index - 1) % (2 * m.groups);
	size_t layer = (index - 1) / (2 * m.groups);
	size_t cache = row < m.groups ? m.keys : m.values;
	size_t token = row % m.groups * (m.position + 1) + m.position;

	return (real_range){m.first_layer + layer * m.layer_words + cache + token * m.head / 2,
	                    layer < m.layers ? m.head / 2 : 0};
}

REAL_PROBLEM(decode, "one token through the layers of a transformer", .meetings = meetings,
             .events = events, .looks = looks, .most_threads = 512);
