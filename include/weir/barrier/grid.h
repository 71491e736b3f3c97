/* Grid barrier: the vendor's own barrier of all blocks of a launch, from the vendor's header.
 *
 *   state   the vendor's, outside the object: the kind has no words of its own
 *   arrive  the vendor's arrival, which returns a token
 *   await   the vendor's wait with that token
 *
 * All threads of all blocks of the launch call it. The launch is cooperative, and the barrier has
 * exactly the blocks of the grid. Anything else ends the launch.
 * The vendor's code has its own memory orders: everything a block did before the barrier happens
 * before everything any block does after it. Each block makes one atomic, and polls one word
 * without a pause. Neither config.backoff nor a diagnosis reaches these waits, and an aborted
 * launch does not end them. No counter wraps.
 *
 * Stuart and Owens ask for such a __syncblocks() to fold into their API. Kernels have this kind
 * only where they define WEIR_GRID_SYNC (weir/machine.h): the toolkit's header is not part of every
 * compilation.
 */
#ifndef WEIR_BARRIER_GRID_H
#define WEIR_BARRIER_GRID_H

#include "weir/barrier/object.h"

#if WEIR_HAS_GRID_SYNC

WEIR_FN uint32_t weir_grid_barrier_words(weir_barrier_config config)
{
	(void)config;
	return 0;
}

WEIR_FN void weir_grid_barrier_start(weir_barrier b, uint32_t past)
{
	(void)b;
	(void)past; /* each launch has a barrier of its own */
}

WEIR_FN void weir_grid_check_(weir_barrier b)
{
	if (!WEIR_LIKELY(weir_has_grid_sync() && b.config.blocks == weir_block_count()))
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
}

WEIR_FN uint32_t weir_grid_arrive(weir_barrier b)
{
	weir_grid_check_(b);
	return weir_grid_sync_arrive();
}

WEIR_FN void weir_grid_await(weir_barrier b, uint32_t token)
{
	(void)b;
	weir_grid_sync_await(token);
}

WEIR_FN void weir_grid_barrier(weir_barrier b)
{
	weir_grid_check_(b);
	weir_grid_sync();
}

#endif

#endif
