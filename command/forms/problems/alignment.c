/* The best local alignment of two sequences: see kernels/real/alignment.h. */

#include "forms/problems/problem.h"

static const real_size sizes[] = {
    {"60 x 150", 1, {60, 150}}, {"2048 x 2048", 0, {2048, 2048}}, {"8192 x 8192", 0, {8192, 8192}}};

static uint32_t meetings(const uint32_t *size)
{
	return size[0] + size[1] - 1;
}

/* The offset of the best scores. */
static size_t best_at(const uint32_t *size)
{
	return (size_t)size[0] + size[1] + 3 * ((size_t)size[0] + 1);
}

static size_t words(const uint32_t *size)
{
	size_t bests = size[0] < size[1] ? size[0] : size[1];

	return best_at(size) + bests + 2 * (size_t)size[1] + size[0];
}

/* A strip has at least one row, so this is enough for all strips and for the end. */
static uint32_t events(const uint32_t *size)
{
	return size[0] + 1;
}

/* With these scores the best alignment of random letters grows with their number. So it is long,
 * and a wrong cell anywhere near it changes the last cells. */
static void fill(const uint32_t *size, uint32_t *data)
{
	uint32_t random = 1;

	for (size_t i = 0; i < (size_t)size[0] + size[1]; i++)
		data[i] = real_random(&random) >> 30;
}

static size_t score_at(const uint32_t *size, uint32_t row, uint32_t column)
{
	return (size_t)size[0] + size[1] + (row + column) % 3 * ((size_t)size[0] + 1) + row;
}

/* Column by column. Each row keeps three cells, for three diagonals; two are needed. */
static void expect(const uint32_t *size, uint32_t *data)
{
	int32_t best = 0;

	for (uint32_t column = 1; column <= size[1]; column++) {
		for (uint32_t row = 1; row <= size[0]; row++) {
			int same = data[row - 1] == data[size[0] + column - 1];
			int32_t pair =
			    (int32_t)data[score_at(size, row - 1, column - 1)] + (same ? 3 : -3);
			int32_t up = (int32_t)data[score_at(size, row - 1, column)] - 2;
			int32_t left = (int32_t)data[score_at(size, row, column - 1)] - 2;
			int32_t score = 0;

			if (pair > score)
				score = pair;
			if (up > score)
				score = up;
			if (left > score)
				score = left;
			if (score > best)
				best = score;
			data[score_at(size, row, column)] = (uint32_t)score;
		}
	}
	data[best_at(size)] = (uint32_t)best;
}

/* The best score, and the last three columns, which depend on all others. */
static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	size_t best = best_at(size);

	for (uint32_t row = 1; row <= size[0]; row++) {
		for (uint32_t column = size[1] < 3 ? 1 : size[1] - 2; column <= size[1]; column++) {
			size_t i = score_at(size, row, column);
			if (expected[i] == got[i])
				continue;
			return real_wrong(why, "row %u, column %u: %u instead of %u", row, column,
			                  got[i], expected[i]);
		}
	}
	if (expected[best] == got[best])
		return 0;
	return real_wrong(why, "best score: %u instead of %u", got[best], expected[best]);
}

REAL_PROBLEM(alignment, "the best local alignment of two sequences", .meetings = meetings,
             .events = events);
