/* Heat on a plate: see kernels/real/jacobi.h. */
#include <string.h>

#include "forms/problems/problem.h"

static const real_size sizes[] = {{"64 x 64, 12 steps", 1, {64, 12}},
                                  {"1024 x 1024, 300 steps", 0, {1024, 300}},
                                  {"4096 x 4096, 60 steps", 0, {4096, 60}}};

static size_t cells(const uint32_t *size)
{
	return (size_t)size[0] * size[0];
}

static uint32_t meetings(const uint32_t *size)
{
	return size[1];
}

static size_t words(const uint32_t *size)
{
	return 2 * cells(size);
}

/* Between 1 and 2, so that no cell gets close to 0, where some GPUs round differently; and not
 * smooth, so that a skipped or early step shows. */
static void fill(const uint32_t *size, uint32_t *data)
{
	float *plates = (float *)data;
	uint32_t random = 1;

	for (size_t i = 0; i < cells(size); i++) {
		plates[i] = 1.0f + (float)(real_random(&random) >> 9) * (1.0f / 8388608.0f);
	}
	memcpy(plates + cells(size), plates, cells(size) * sizeof *plates);
}

static void expect(const uint32_t *size, uint32_t *data)
{
	float *from = (float *)data;
	float *to = from + cells(size);

	for (uint32_t step = 0; step < size[1]; step++) {
		for (size_t row = 1; row < size[0] - 1; row++) {
			for (size_t i = row * size[0] + 1; i < row * size[0] + size[0] - 1; i++)
				to[i] = 0.25f * ((from[i - size[0]] + from[i + size[0]]) +
				                 (from[i - 1] + from[i + 1]));
		}
		float *done = to;
		to = from;
		from = done;
	}
}

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	size_t i = real_first_word(expected, got, words(size));

	return i == words(size)
	           ? 0
	           : real_wrong(why, "cell %zu of plate %zu", i % cells(size), i / cells(size));
}

REAL_PROBLEM(jacobi, "heat on a plate by Jacobi's method", .meetings = meetings);
