/* Fast Fourier transforms: see kernels/real/fft.h. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "forms/problems/problem.h"

#define PI 3.14159265358979323846

static const real_size sizes[] = {{"2^8 points", 1, {8, 1}},
                                  {"3 x 2^9 points", 1, {9, 3}},
                                  {"2^16 points", 0, {16, 1}},
                                  {"16 x 2^16 points", 0, {16, 16}},
                                  {"2^20 points", 0, {20, 1}}};

static uint32_t meetings(const uint32_t *size)
{
	return (size[0] + 1) / 2;
}

static size_t points(const uint32_t *size)
{
	return (size_t)1 << size[0];
}

/* A buffer holds all points, with two words each. */
static size_t buffer_words(const uint32_t *size)
{
	return 2 * points(size) * size[1];
}

static size_t words(const uint32_t *size)
{
	return 2 * buffer_words(size) + points(size) / 2;
}

static const float *result(const uint32_t *size, const uint32_t *data)
{
	return (const float *)data + (meetings(size) % 2) * buffer_words(size);
}

/* Real and imaginary parts between -1 and 1. The factors are rounded from double precision. */
static void fill(const uint32_t *size, uint32_t *data)
{
	float *parts = (float *)data;
	float *factors = parts + 2 * buffer_words(size);
	uint32_t random = 1;

	for (size_t i = 0; i < buffer_words(size); i++)
		parts[i] = real_random_part(&random);
	memset(parts + buffer_words(size), 0, buffer_words(size) * sizeof *parts);
	for (size_t k = 0; k < points(size) / 4; k++) {
		double angle = -2 * PI * (double)k / (double)points(size);
		factors[2 * k] = (float)cos(angle);
		factors[2 * k + 1] = (float)sin(angle);
	}
}

/* Cooley and Tukey's recursion; takes every `step`th point of `from`. */
static void transform(const float *from, size_t step, double complex *to, size_t count)
{
	if (count == 1) {
		to[0] = from[0] + I * from[1];
		return;
	}
	transform(from, 2 * step, to, count / 2);
	transform(from + 2 * step, 2 * step, to + count / 2, count / 2);
	for (size_t k = 0; k < count / 2; k++) {
		double complex even = to[k];
		double complex odd =
		    cexp(-2 * PI * I * (double)k / (double)count) * to[k + count / 2];
		to[k] = even + odd;
		to[k + count / 2] = even - odd;
	}
}

/* In double precision. */
static void expect(const uint32_t *size, uint32_t *data)
{
	size_t count = points(size);
	size_t total = count * size[1];
	double complex *to = weir_need(malloc(total * sizeof *to));
	float *parts = (float *)data + (meetings(size) % 2) * buffer_words(size);

	for (size_t first = 0; first < total; first += count)
		transform((const float *)data + 2 * first, 1, to + first, count);
	for (size_t i = 0; i < total; i++) {
		parts[2 * i] = (float)creal(to[i]);
		parts[2 * i + 1] = (float)cimag(to[i]);
	}
	free(to);
}

/* The allowed error of a part, relative to the largest. Every stage rounds to float, and compilers
 * fuse operations in different ways. On a CPU every size is within 3e-7 of double precision. */
#define TOLERANCE 2e-6f

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	const float *right = result(size, expected);
	const float *parts = result(size, got);
	size_t count = buffer_words(size);
	size_t i = real_first_float(right, parts, count, TOLERANCE * real_largest(right, count));

	if (i == count)
		return 0;
	return real_wrong(why, "the %s part of point %zu of transform %zu is %g, not %g",
	                  i % 2 ? "imaginary" : "real", i / 2 % points(size), i / 2 / points(size),
	                  parts[i], right[i]);
}

static real_range looks(const uint32_t *size, size_t index)
{
	return (real_range){(meetings(size) % 2) * buffer_words(size),
	                    index ? 0 : buffer_words(size)};
}

REAL_PROBLEM(fft, "fast Fourier transforms by Stockham's method", .meetings = meetings,
             .looks = looks);
