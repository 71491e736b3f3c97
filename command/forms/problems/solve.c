/* A sparse triangular solve: see kernels/real/solve.h. */
#include <math.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "forms/problems/problem.h"
#include "kernels/real/sizes.h"

enum {
	BACK = 4,   /* maximum distance of an entry in levels */
	SPREAD = 16 /* maximum distance in rows, to either side */
};

/* Rows, levels, rows of a set. Like an incomplete factorization of a mesh, the system has few rows
 * in its first and last levels. A row's entries are near its own position, in the levels just
 * before. */
static const real_size sizes[] = {{"300 rows in 12 levels", 1, {300, 12, 8}},
                                  {"2^16 rows in 400 levels", 0, {65536, 400, 128}},
                                  {"2^20 rows in 2000 levels", 0, {1048576, 2000, 128}},
                                  {"2^20 rows in 100 levels", 0, {1048576, 100, 128}}};

/* The system, and where its data are: counts, and offsets in words. */
typedef struct matrix {
	size_t rows, levels, set_rows, room;
	size_t starts, sets, waits, counts, columns, values, inverses, right, x, end;
} matrix;

static matrix matrix_of(const uint32_t *size)
{
	matrix m = {.rows = size[0], .levels = size[1], .set_rows = size[2]};

	m.room = m.rows / m.set_rows + m.levels;
	m.starts = 1;
	m.sets = m.starts + m.levels + 1;
	m.waits = m.sets + m.room + 1;
	m.counts = m.waits + m.room * (1 + SOLVE_WAITS);
	m.columns = m.counts + m.rows;
	m.values = m.columns + SOLVE_ENTRIES * m.rows;
	m.inverses = m.values + SOLVE_ENTRIES * m.rows;
	m.right = m.inverses + m.rows;
	m.x = m.right + m.rows;
	m.end = m.x + m.rows;
	return m;
}

static uint32_t meetings(const uint32_t *size)
{
	return size[1];
}

static size_t words(const uint32_t *size)
{
	return matrix_of(size).end;
}

/* The relative number of rows in a level: five times as many in the middle as at the ends, plus up
 * to a quarter at random. */
static double weight_of(const matrix *m, size_t level)
{
	double along = (double)level / (double)m->levels;
	double chance = (double)(level * 37 % 11) / 11;

	return 1 + 8 * (along < 0.5 ? along : 1 - along) + chance / 4;
}

/* The first row of each level, and the number of rows. */
static void find_starts(const matrix *m, uint32_t *starts)
{
	double total = 0;
	double before = 0;

	for (size_t level = 0; level < m->levels; level++)
		total += weight_of(m, level);
	for (size_t level = 0; level <= m->levels; level++) {
		starts[level] = level < m->levels ? (uint32_t)((double)m->rows * before / total)
		                                  : (uint32_t)m->rows;
		before += weight_of(m, level);
	}
}

/* The first set of each level, and the number of sets. */
static void find_sets(const matrix *m, const uint32_t *starts, uint32_t *first_sets)
{
	first_sets[0] = 0;
	for (size_t level = 0; level < m->levels; level++) {
		size_t width = starts[level + 1] - starts[level];
		first_sets[level + 1] =
		    first_sets[level] + (uint32_t)((width + m->set_rows - 1) / m->set_rows);
	}
}

static uint32_t events(const uint32_t *size)
{
	matrix m = matrix_of(size);
	uint32_t *starts = weir_need(calloc(2 * (m.levels + 1), sizeof *starts));
	uint32_t *first_sets = starts + m.levels + 1;

	find_starts(&m, starts);
	find_sets(&m, starts, first_sets);
	uint32_t count = first_sets[m.levels];
	free(starts);
	return count;
}

/* A column of `level`, at about the same relative position as `row` in its own level. */
static uint32_t column_near(const uint32_t *starts, size_t level, size_t row, size_t own,
                            uint32_t *random)
{
	uint32_t width = starts[level + 1] - starts[level];
	uint64_t along = row - starts[own];
	uint32_t place = (uint32_t)(along * width / (starts[own + 1] - starts[own]));
	uint32_t offset = real_random_below(random, 2 * SPREAD + 1);

	place = place + offset < SPREAD ? 0 : place + offset - SPREAD;
	return starts[level] + (place < width ? place : width - 1);
}

/* Adds a set to the list of sets that a set waits for. Returns 0 if the list is full. */
static int add_wait(uint32_t *waits, uint32_t set)
{
	for (uint32_t i = 0; i < waits[0]; i++)
		if (waits[1 + i] == set)
			return 1;
	if (waits[0] == SOLVE_WAITS)
		return 0;
	waits[++waits[0]] = set;
	return 1;
}

/* Chooses the row's entries. The first is in the previous level, which makes this the row's
 * level. */
static void fill_row(const matrix *m, const uint32_t *first_sets, size_t level, size_t row,
                     uint32_t *waits, uint32_t *data, uint32_t *random)
{
	const uint32_t *starts = data + m->starts;
	uint32_t wanted = level == 0 ? 0 : 2 + real_random_below(random, SOLVE_ENTRIES - 1);
	uint32_t count = 0;

	for (uint32_t i = 0; i < wanted; i++) {
		size_t most = level < BACK ? level : BACK;
		size_t from = level - 1 - (i == 0 ? 0 : real_random_below(random, (uint32_t)most));
		uint32_t column = column_near(starts, from, row, level, random);
		uint32_t set = first_sets[from] + (column - starts[from]) / (uint32_t)m->set_rows;
		uint32_t other = 0;
		while (other < count && data[m->columns + other * m->rows + row] != column)
			other++;
		if (other == count && add_wait(waits, set))
			data[m->columns + count++ * m->rows + row] = column;
	}
	data[m->counts + row] = count;
}

/* Entries of either sign, up to 1/2, and at least 5 on the diagonal, so that x stays of order 1. */
static void fill_values(const matrix *m, size_t row, uint32_t *data, uint32_t *random)
{
	float *floats = (float *)data;

	for (size_t i = 0; i < SOLVE_ENTRIES; i++) {
		float value = 0.25f + 0.25f * (float)real_random_below(random, 1 << 16) / 65536.0f;
		floats[m->values + i * m->rows + row] =
		    real_random_below(random, 2) ? value : -value;
	}
	floats[m->inverses + row] =
	    0.1f + 0.1f * (float)real_random_below(random, 1 << 16) / 65536.0f;
	floats[m->right + row] = 1 + 2 * (float)real_random_below(random, 1 << 16) / 65536.0f;
}

/* Drops the sets that another set in the list already waits for. */
static void shorten_waits(uint32_t *all, uint32_t set)
{
	uint32_t *waits = all + (size_t)set * (1 + SOLVE_WAITS);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < waits[0]; i++) {
		int is_known = 0;
		for (uint32_t j = 0; j < waits[0]; j++) {
			const uint32_t *others = all + (size_t)waits[1 + j] * (1 + SOLVE_WAITS);
			for (uint32_t k = 0; waits[1 + j] > waits[1 + i] && k < others[0]; k++)
				is_known |= others[1 + k] == waits[1 + i];
		}
		if (!is_known)
			all[(size_t)set * (1 + SOLVE_WAITS) + 1 + kept++] = waits[1 + i];
	}
	waits[0] = kept;
}

static void fill(const uint32_t *size, uint32_t *data)
{
	matrix m = matrix_of(size);
	uint32_t *first_sets = weir_need(calloc(m.levels + 1, sizeof *first_sets));
	uint32_t *starts = data + m.starts;
	uint32_t random = 1;
	uint32_t set = 0;

	find_starts(&m, starts);
	find_sets(&m, starts, first_sets);
	for (size_t level = 0; level < m.levels; level++) {
		for (size_t row = starts[level]; row < starts[level + 1]; row++) {
			if ((row - starts[level]) % m.set_rows == 0)
				data[m.sets + set++] = (uint32_t)row;
			fill_row(&m, first_sets, level, row,
			         data + m.waits + (size_t)(set - 1) * (1 + SOLVE_WAITS), data,
			         &random);
			fill_values(&m, row, data, &random);
		}
	}
	data[m.sets + set] = (uint32_t)m.rows;
	data[0] = set;
	while (set-- > 0)
		shorten_waits(data + m.waits, set);
	free(first_sets);
}

static void expect(const uint32_t *size, uint32_t *data)
{
	matrix m = matrix_of(size);
	float *floats = (float *)data;

	for (size_t row = 0; row < m.rows; row++) {
		double sum = floats[m.right + row];
		for (size_t i = 0; i < data[m.counts + row]; i++)
			sum -= (double)floats[m.values + i * m.rows + row] *
			       floats[m.x + data[m.columns + i * m.rows + row]];
		floats[m.x + row] = (float)(sum * floats[m.inverses + row]);
	}
}

/* The kernel sums floats where the reference sums doubles. Like x, an error shrinks from level to
 * level. */
#define TOLERANCE 1e-5f

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	matrix m = matrix_of(size);
	const float *right = (const float *)expected + m.x;
	const float *result = (const float *)got + m.x;

	for (size_t row = 0; row < m.rows; row++) {
		/* False for NaN. */
		if (fabsf(right[row] - result[row]) <= TOLERANCE * (1 + fabsf(right[row])))
			continue;
		return real_wrong(why, "x[%zu] is %g, not %g", row, result[row], right[row]);
	}
	return 0;
}

static real_range looks(const uint32_t *size, size_t index)
{
	matrix m = matrix_of(size);

	return (real_range){m.x, index ? 0 : m.rows};
}

REAL_PROBLEM(solve, "a sparse triangular solve", .meetings = meetings, .events = events,
             .looks = looks);
