/* The handle of a barrier. */
#ifndef WEIR_BARRIER_OBJECT_H
#define WEIR_BARRIER_OBJECT_H

#include "weir/object.h"

/** The layout of a `counter` barrier. Other kinds have 0 bits. */
typedef struct weir_shape {
	/** Arrivals are spread over 2^bits shards, and there is a copy of all counters for every 4
	 * shards. There are at least as many blocks as shards and, where threads divide the work
	 * (weir_has_parts), at least as many threads in each block. */
	uint32_t bits;
} weir_shape;

#define WEIR_SHAPE_BITS_MOST 4 /**< the largest weir_shape.bits */

/** The configuration in the handle of a barrier. */
typedef struct weir_barrier_config {
	WEIR_CONFIG_MEMBERS
	uint32_t blocks;       /**< the number of blocks that arrive */
	uint32_t first_block;  /**< the block of rank 0 */
	uint32_t part_of_grid; /**< 1: the grid may have other blocks, which do not arrive */
	weir_shape shape;      /**< 0 except in counter barriers */
} weir_barrier_config;

/** The handle of a barrier. Kernels get it by value; every copy is the same barrier. */
WEIR_HANDLE_(weir_barrier)

/* Precedes the operations of a barrier. */
#define WEIR_CHECK_MEMBER_(b)                                                                      \
	weir_check_member((b).words, (b).config.blocks, (b).config.first_block,                    \
	                  (b).config.part_of_grid)

/** The rank of the calling block among the blocks of the barrier, from 0. */
WEIR_FN uint32_t weir_barrier_rank(weir_barrier b)
{
	return weir_block_id() - b.config.first_block;
}

#endif
