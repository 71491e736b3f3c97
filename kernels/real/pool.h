/* A pool of nodes shared by all blocks: a free list under one mutex. A block takes a node, writes
 * and checks all of it, and gives it back.
 *
 *   size   nodes; words of a node; takings, by all blocks together.
 *   data   the first free node; for each node the next free one; for each node its last taking.
 *          Then for each taking its node; for each taking 1 if a word was wrong; the nodes.
 *
 * Nodes and takings are stored as their number plus 1, with 0 for none. The last taking is the tag
 * of a node's contents. The next block that takes the node compares the two: it must see everything
 * that the previous block wrote. A taking that finds no node is left out, which the check notices: a
 * node was lost, or there are more blocks than nodes. */
#ifndef WEIR_REAL_POOL_H
#define WEIR_REAL_POOL_H

#include "locks.h"

/* Returns a node, or 0 if there is none. The caller holds the mutex. */
WEIR_FN uint32_t pool_pop(WEIR_GLOBAL uint32_t *head, WEIR_GLOBAL const uint32_t *next)
{
	uint32_t node = head[0];

	if (node == 0)
		return 0;
	REAL_INSIDE();
	head[0] = next[node - 1];
	return node;
}

/* The caller holds the mutex. */
WEIR_FN void pool_push(WEIR_GLOBAL uint32_t *head, WEIR_GLOBAL uint32_t *next, uint32_t node)
{
	next[node - 1] = head[0];
	REAL_INSIDE();
	head[0] = node;
}

/* All threads of the block check what the last user left, then write and check the node anew. Each
 * returns whether a word that it read was wrong. */
WEIR_FN int pool_use(WEIR_GLOBAL uint32_t *contents, uint32_t count, WEIR_GLOBAL uint32_t *last,
                     uint32_t tag)
{
	int wrong = real_differs(contents, count, last[0]);

	weir_block_sync(); /* all have read the old contents */
	real_write(contents, count, tag);
	REAL_INSIDE();
	if (weir_thread_id() == 0)
		last[0] = tag;
	weir_block_sync(); /* all have written the new contents */
	return wrong | real_differs(contents, count, tag);
}

WEIR_KERNEL(pool, real_params)
{
	uint32_t nodes = params.size[0];
	uint32_t count = params.size[1];
	uint32_t takings = params.size[2];
	WEIR_GLOBAL uint32_t *head = data;
	WEIR_GLOBAL uint32_t *next = head + 1;
	WEIR_GLOBAL uint32_t *last = next + nodes;
	WEIR_GLOBAL uint32_t *taken = last + nodes;
	WEIR_GLOBAL uint32_t *wrong = taken + takings;
	WEIR_GLOBAL uint32_t *contents = wrong + takings;
	REAL_MUTEX(words, params);

	for (uint32_t i = weir_block_id(); i < takings; i += weir_block_count()) {
		if (weir_thread_id() == 0) {
			REAL_MUTEX_LOCK();
			uint32_t popped = pool_pop(head, next);
			REAL_MUTEX_UNLOCK();
			taken[i] = popped;
		}
		weir_block_sync(); /* extends the leader's acquire to its block */
		uint32_t node = taken[i];
		if (node == 0)
			continue;
		if (pool_use(contents + (node - 1) * count, count, last + node - 1, i + 1))
			wrong[i] = 1;
		weir_block_sync(); /* the block's writes precede the leader's release */
		if (weir_thread_id() == 0) {
			REAL_MUTEX_LOCK();
			pool_push(head, next, node);
			REAL_MUTEX_UNLOCK();
		}
	}
}

#endif
