/* Breadth-first search: see kernels/real/search.h. */

#include "forms/problems/problem.h"
#include "kernels/real/sizes.h"

/* Vertices, edges of each, levels, tails, vertices of a tail. The number of levels follows from the
 * graph that `fill` generates; `check` compares it. */
static const real_size sizes[] = {
    {"500 vertices, degree 8", 1, {500, 8, 5}},
    {"500 vertices, 3 tails of 40", 1, {500, 8, 44, 3, 40}},
    {"2^16 vertices, degree 8", 0, {65536, 8, 9}},
    {"2^20 vertices, degree 8", 0, {1048576, 8, 11}},
    {"2^16 vertices, 16 tails of 1000", 0, {65536, 8, 1007, 16, 1000}}};

static uint32_t meetings(const uint32_t *size)
{
	return size[2];
}

static size_t edges(const uint32_t *size)
{
	return (size_t)size[0] * size[1];
}

/* The offset of the words of search_queue. */
static size_t pending_at(const uint32_t *size)
{
	return 1 + (size_t)size[0] + size[0] + 1 + edges(size);
}

static size_t words(const uint32_t *size)
{
	return pending_at(size) + 1 + (size_t)SEARCH_BLOCKS * (1 + SEARCH_KEPT);
}

/* A vertex is in the queue at most once at a time. */
static uint32_t items(const uint32_t *size)
{
	return size[0];
}

/* The number of vertices that are not in a tail. They have the lowest numbers, followed by the
 * first vertices of all tails, and so on. */
static uint32_t core(const uint32_t *size)
{
	return size[0] - size[3] * size[4];
}

/* An edge of the core that leads to a tail instead. */
static uint32_t edge_to_tail(const uint32_t *size, const uint32_t *begin, uint32_t tail)
{
	uint32_t vertex = (tail + 1) * (core(size) / (size[3] + 1));

	while (begin[vertex + 1] == begin[vertex])
		vertex++;
	return begin[vertex];
}

/* Each edge leads from one random vertex to another. So the vertices have different numbers of
 * edges, and a few are never reached. A vertex of a tail has one edge, to the next vertex of the
 * tail. */
static void fill(const uint32_t *size, uint32_t *data)
{
	uint32_t *levels = data + 1;
	uint32_t *begin = levels + size[0];
	uint32_t *targets = begin + size[0] + 1;
	uint32_t random = 1;
	uint32_t tails =
	    size[3] ? (size[4] - 1) * size[3] : 0; /* vertices with an edge in a tail */

	data[pending_at(size)] = 1;
	for (size_t vertex = 0; vertex < size[0]; vertex++)
		levels[vertex] = vertex == 0 ? 0 : SEARCH_NEVER;
	for (size_t edge = 0; edge < edges(size) - tails; edge++)
		begin[1 + real_random_below(&random, core(size))]++;
	for (size_t i = 0; i < tails; i++)
		begin[1 + core(size) + i] = 1;
	for (size_t vertex = 0; vertex < size[0]; vertex++)
		begin[vertex + 1] += begin[vertex];
	for (size_t edge = 0; edge < edges(size) - tails; edge++)
		targets[edge] = real_random_below(&random, core(size));
	for (uint32_t i = 0; i < tails; i++)
		targets[begin[core(size) + i]] = core(size) + i + size[3];
	for (uint32_t i = 0; i < size[3]; i++)
		targets[edge_to_tail(size, begin, i)] = core(size) + i;
}

/* Shortens the distance to the end of every edge until nothing changes. */
static void expect(const uint32_t *size, uint32_t *data)
{
	uint32_t *levels = data + 1;
	const uint32_t *begin = levels + size[0];
	const uint32_t *targets = begin + size[0] + 1;
	int changed = 1;

	while (changed) {
		changed = 0;
		for (size_t vertex = 0; vertex < size[0]; vertex++) {
			if (levels[vertex] == SEARCH_NEVER)
				continue;
			for (size_t edge = begin[vertex]; edge < begin[vertex + 1]; edge++) {
				uint32_t *level = &levels[targets[edge]];
				if (*level <= levels[vertex] + 1)
					continue;
				*level = levels[vertex] + 1;
				changed = 1;
			}
		}
	}
	for (size_t vertex = 0; vertex < size[0]; vertex++) {
		if (levels[vertex] != SEARCH_NEVER && levels[vertex] > data[0])
			data[0] = levels[vertex];
	}
}

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	if (expected[0] + 1 != size[2])
		return real_wrong(why, "the size states %u levels, the graph has %u", size[2],
		                  expected[0] + 1);
	size_t vertex = real_first_word(expected + 1, got + 1, size[0]);
	if (vertex < size[0])
		return real_wrong(why, "vertex %zu: level %d instead of %d", vertex,
		                  (int)got[1 + vertex], (int)expected[1 + vertex]);
	return expected[0] == got[0]
	           ? 0
	           : real_wrong(why, "deepest level: %u instead of %u", got[0], expected[0]);
}

static real_range looks(const uint32_t *size, size_t index)
{
	return index ? (real_range){0, 0} : (real_range){0, 1 + (size_t)size[0]};
}

REAL_PROBLEM(search, "breadth-first search of a random graph, or one with tails",
             .meetings = meetings, .items = items, .looks = looks, .most_blocks = SEARCH_BLOCKS);
