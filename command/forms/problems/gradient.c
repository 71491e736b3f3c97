/* Conjugate gradients: see kernels/real/gradient.h. */
#include <stdlib.h>

#include "cli/complain.h"
#include "forms/problems/problem.h"

/* As in kernels/real/gradient.h. */
#define BLOCKS 4096u
#define THREADS (1u << 20)

enum {
	TRIDIAGONAL,
	POISSON
};

static const real_size sizes[] = {
    {"tridiagonal, 300 unknowns, 10 iterations", 1, {TRIDIAGONAL, 300, 10}},
    {"Poisson, 16 x 16 unknowns, 10 iterations", 1, {POISSON, 16 * 16, 10, 16}},
    {"tridiagonal, 16384 unknowns, 50 iterations", 0, {TRIDIAGONAL, 16384, 50}},
    {"tridiagonal, 1048576 unknowns, 50 iterations", 0, {TRIDIAGONAL, 1048576, 50}},
    {"Poisson, 256 x 256 unknowns, 50 iterations", 0, {POISSON, 256 * 256, 50, 256}},
    {"Poisson, 1024 x 1024 unknowns, 50 iterations", 0, {POISSON, 1024 * 1024, 50, 1024}}};

static uint32_t meetings(const uint32_t *size)
{
	return 1 + 3 * size[2];
}

static size_t words(const uint32_t *size)
{
	return 5 * (size_t)size[1] + 3 * BLOCKS + THREADS;
}

/* b is between -1 and 1, and rough: at no size do the iterations approach the solution, where r.r
 * would vanish. */
static void fill(const uint32_t *size, uint32_t *data)
{
	float *b = (float *)data;
	uint32_t random = 1;

	for (size_t i = 0; i < size[1]; i++)
		b[i] = real_random_part(&random);
}

static void multiply(const uint32_t *size, const double *p, double *q)
{
	size_t rows = size[0] == POISSON ? size[3] : 1;
	size_t columns = size[1] / rows;

	for (size_t row = 0; row < rows; row++) {
		for (size_t column = 0; column < columns; column++) {
			size_t i = row * columns + column;
			q[i] = (size[0] == POISSON ? 4 : 2) * p[i];
			if (column != 0)
				q[i] -= p[i - 1];
			if (column != columns - 1)
				q[i] -= p[i + 1];
			if (row != 0)
				q[i] -= p[i - columns];
			if (row != rows - 1)
				q[i] -= p[i + columns];
		}
	}
}

static double dot(size_t count, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

/* In double precision. */
static void expect(const uint32_t *size, uint32_t *data)
{
	size_t count = size[1];
	const float *b = (const float *)data;
	float *result = (float *)data + count;
	double *x = weir_need(calloc(4 * count, sizeof *x));
	double *r = x + count;
	double *p = r + count;
	double *q = p + count;

	for (size_t i = 0; i < count; i++)
		r[i] = p[i] = b[i];
	for (uint32_t iteration = 0; iteration < size[2]; iteration++) {
		double square = dot(count, r, r);
		multiply(size, p, q);
		double alpha = square / dot(count, p, q);
		for (size_t i = 0; i < count; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		double beta = dot(count, r, r) / square;
		for (size_t i = 0; i < count; i++)
			p[i] = r[i] + beta * p[i];
	}
	for (size_t i = 0; i < count; i++)
		result[i] = (float)x[i];
	free(x);
}

/* The allowed error of x, relative to its largest element. Machines fuse operations and sum
 * products in different ways, and the iterations amplify the effects of rounding to float. On a
 * CPU, with 4 and with 24 threads, every size is within 2e-6 of double precision. */
#define TOLERANCE 2e-5f

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	const float *right = (const float *)expected + size[1];
	const float *x = (const float *)got + size[1];
	size_t i = real_first_float(right, x, size[1], TOLERANCE * real_largest(right, size[1]));

	return i == size[1] ? 0 : real_wrong(why, "x[%zu] is %g, not %g", i, x[i], right[i]);
}

static real_range looks(const uint32_t *size, size_t index)
{
	return index ? (real_range){0, 0} : (real_range){size[1], size[1]};
}

REAL_PROBLEM(gradient, "conjugate gradients", .meetings = meetings, .looks = looks,
             .most_blocks = BLOCKS, .most_in_grid = THREADS);
