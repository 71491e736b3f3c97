/* The handle of a barrier. */
#ifndef WEIR_BARRIER_OBJECT_H
#define WEIR_BARRIER_OBJECT_H

#include "weir/object.h"

/* The layout of a `counter` barrier, and its first pause. A `central` barrier has one counter: it
 * uses first_pause alone, and the bits are 0. */
typedef struct weir_shape {
	uint32_t shard_bits; /* arrivals are spread over 2^shard_bits counters */
	uint32_t copy_bits; /* each counter has 2^copy_bits copies, so that fewer blocks poll one */
	/* From the arrival to the first poll, in sixteenths of a pause unit. */
	uint32_t first_pause;
} weir_shape;

/* The most shard or copy bits, and the longest first pause. */
#define WEIR_SHAPE_BITS_MOST 5
#define WEIR_SHAPE_PAUSE_MOST 1024
/* The most counters, all copies of all shards together. */
#define WEIR_SHAPE_COUNTERS_MOST 64

typedef struct weir_barrier_config {
	WEIR_CONFIG_MEMBERS
	uint32_t blocks;       /* how many arrive */
	uint32_t first_block;  /* the block of rank 0 */
	uint32_t part_of_grid; /* 1: the grid may have other blocks, which do not arrive */
	weir_shape shape;      /* zeros except in counter and central barriers */
} weir_barrier_config;

WEIR_HANDLE_(weir_barrier)

/* The rank of the calling block among those that arrive at the barrier, from 0. */
WEIR_FN uint32_t weir_barrier_rank(weir_barrier b)
{
	return weir_block_id() - b.config.first_block;
}

#endif
