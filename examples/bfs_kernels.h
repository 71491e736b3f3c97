/* Breadth-first search with a queue of vertices, without levels: a vertex whose distance drops is
 * pushed, and the block that pops it looks at its neighbours.
 *
 * A vertex is in the queue at most once. So a queue for all vertices is never full: at a full
 * queue, blocks that both push and pop would deadlock. `work` counts the vertices that are in the
 * queue or being processed by a block. The block that makes it 0 closes the queue, which ends all
 * pops. */
#ifndef EXAMPLE_BFS_KERNELS_H
#define EXAMPLE_BFS_KERNELS_H

#include "by_block.h"

#define BFS_FAR 0xffffffffu

typedef struct bfs_params {
	weir_queue_config config;
	uint32_t vertices;
	uint32_t source;
} bfs_params;

/* data: the work; a distance and a mark for each vertex; then the graph. That has a row of
 * neighbours for each vertex: first the offsets where the rows begin and the last one ends, then
 * the neighbours. */
#define BFS_DISTANCE 1u
#define BFS_MARK(vertices) (BFS_DISTANCE + (vertices))
#define BFS_ROWS(vertices) (BFS_MARK(vertices) + (vertices))
#define BFS_NEIGHBOURS(vertices) (BFS_ROWS(vertices) + (vertices) + 1)

/* Lowers a distance. Returns whether it was larger. */
WEIR_FN int bfs_lower(WEIR_GLOBAL weir_word *distance, uint32_t to)
{
	/* Relaxed: a guess. */
	uint32_t old = weir_load_rlx(distance);

	while (to < old) {
		/* Relaxed: the mark carries it to the block that pops the vertex. */
		uint32_t found = weir_cas_rlx(distance, old, to);

		if (found == old)
			return 1;
		old = found;
	}
	return 0;
}

/* Pushes a vertex unless it is in the queue already. */
WEIR_FN void bfs_visit(weir_queue q, WEIR_GLOBAL weir_word *state, uint32_t vertices,
                       uint32_t vertex)
{
	/* Pairs with the exchange of the block that pops it: either that block sees the new
	 * distance, or the vertex is pushed once more. */
	if (weir_xchg_acq_rel(&state[BFS_MARK(vertices) + vertex], 1) != 0)
		return;
	/* Relaxed: the vertex whose neighbour this is still counts, and ends later. */
	weir_red_add_rlx(&state[0], 1);
	weir_queue_push(q, vertex);
}

WEIR_KERNEL(bfs, bfs_params)
{
	weir_queue q = weir_queue_make(words, params.config);
	WEIR_GLOBAL weir_word *state = (WEIR_GLOBAL weir_word *)data;
	WEIR_GLOBAL const uint32_t *rows = data + BFS_ROWS(params.vertices);
	WEIR_GLOBAL const uint32_t *neighbours = data + BFS_NEIGHBOURS(params.vertices);
	uint32_t vertex = 0;

	if (weir_block_id() == 0 && weir_thread_id() == 0) {
		bfs_lower(&state[BFS_DISTANCE + params.source], 0);
		bfs_visit(q, state, params.vertices, params.source);
	}
	while (by_block_pop(q, &vertex)) {
		uint32_t next;

		if (weir_thread_id() == 0)
			/* Pairs with the exchange in bfs_visit. */
			weir_xchg_acq_rel(&state[BFS_MARK(params.vertices) + vertex], 0);
		by_block_sync(); /* extends the acquire to the block */
		/* Relaxed: if the distance drops after this load, other blocks push the vertex
		 * again. */
		next = weir_load_rlx(&state[BFS_DISTANCE + vertex]) + 1;
		for (uint32_t i = rows[vertex] + weir_thread_id(); i < rows[vertex + 1];
		     i += by_block_threads())
			if (bfs_lower(&state[BFS_DISTANCE + neighbours[i]], next))
				bfs_visit(q, state, params.vertices, neighbours[i]);
		by_block_sync(); /* the block's pushes precede the end of its vertex */
		/* Pairs with the same add by other blocks, in both directions: all distances
		 * precede the close. */
		if (weir_thread_id() == 0 && weir_add_acq_rel(&state[0], 0u - 1) == 1)
			weir_queue_close(q);
	}
	weir_queue_block_leave(q); /* the last block reopens it for the next launch */
}

#endif
