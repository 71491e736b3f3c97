/* Bitonic sort: see kernels/real/bitonic.h. */
#include <stdlib.h>

#include "forms/problems/problem.h"

static const real_size sizes[] = {
    {"2^10 keys", 1, {10}}, {"2^16 keys", 0, {16}}, {"2^20 keys", 0, {20}}};

static uint32_t meetings(const uint32_t *size)
{
	return size[0] * (size[0] + 1) / 2;
}

static size_t words(const uint32_t *size)
{
	return (size_t)1 << size[0];
}

/* The generator's low bits repeat soon, so this takes only the high bits of two steps. */
static void fill(const uint32_t *size, uint32_t *data)
{
	uint32_t random = 1;

	for (size_t i = 0; i < words(size); i++) {
		uint32_t upper = real_random(&random) & 0xffff0000u;
		data[i] = upper | real_random(&random) >> 16;
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static void expect(const uint32_t *size, uint32_t *data)
{
	qsort(data, words(size), sizeof *data, compare);
}

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	size_t i = real_first_word(expected, got, words(size));

	return i == words(size) ? 0
	                        : real_wrong(why, "key %zu is %u, not %u", i, got[i], expected[i]);
}

REAL_PROBLEM(bitonic, "bitonic sort of 32-bit keys", .meetings = meetings);
