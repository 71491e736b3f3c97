/* Breadth-first search of a directed graph from vertex 0: each level is a step.
 *
 *   size   vertices; edges for each vertex, on average; levels (which the kernel determines itself);
 *          tails, and the vertices of each (these are for the host)
 *   data   the deepest level that was found; vertices levels; where the edges of each vertex begin,
 *          vertices + 1; the vertices that the edges lead to, vertices * size[1]; and what
 *          search_queue.h adds
 *
 * The level of a vertex is SEARCH_NEVER until it is found.
 *
 * A step scans all vertices for those of its level. On a random graph this is faster than a queue of
 * the vertices found last. There are few levels, and the largest contain most vertices, so a scan
 * wastes little. It reads in order, and needs no atomic to take a vertex or a slot of a queue.
 * Several threads may find a vertex in one step; all write the same level. */
#ifndef WEIR_REAL_SEARCH_H
#define WEIR_REAL_SEARCH_H

#include "real.h"
#include "sizes.h"

/* All accesses to levels and to the deepest one are relaxed. Between two barriers a thread may read
 * a word that another thread writes, but then either value leads to the same result. */
WEIR_FN WEIR_GLOBAL weir_word *search_levels(WEIR_GLOBAL uint32_t *data)
{
	return (WEIR_GLOBAL weir_word *)data + 1;
}

WEIR_FN WEIR_GLOBAL weir_word *search_deepest(WEIR_GLOBAL uint32_t *data)
{
	return (WEIR_GLOBAL weir_word *)data;
}

WEIR_FN void search_step(WEIR_GLOBAL uint32_t *data, uint32_t vertices, uint32_t level)
{
	WEIR_GLOBAL weir_word *levels = search_levels(data);
	WEIR_GLOBAL const uint32_t *begin = data + 1 + vertices;
	WEIR_GLOBAL const uint32_t *targets = begin + vertices + 1;
	uint32_t found = 0;

	for (uint32_t vertex = real_thread(); vertex < vertices; vertex += real_threads()) {
		if (weir_load_rlx(levels + vertex) != level)
			continue;
		for (uint32_t edge = begin[vertex], end = begin[vertex + 1]; edge < end; edge++) {
			uint32_t target = targets[edge];
			if (weir_load_rlx(levels + target) != SEARCH_NEVER)
				continue;
			weir_store_rlx(levels + target, level + 1);
			found = 1;
		}
	}
	/* Looks first, because thousands of stores to one word would queue up. */
	if (found && weir_load_rlx(search_deepest(data)) == level)
		weir_store_rlx(search_deepest(data), level + 1);
}

WEIR_KERNEL(search, real_params)
{
	REAL_BARRIER(words, params);

	for (uint32_t level = 0;; level++) {
		search_step(data, params.size[0], level);
		REAL_MEET(); /* the level is complete */
		/* A block that is ahead may already have found the next level but one. */
		if (weir_load_rlx(search_deepest(data)) <= level)
			break;
	}
}

WEIR_KERNEL(search_once, real_params)
{
	(void)words;
	REAL_PART();
	search_step(data, params.size[0], params.part);
}

#endif
