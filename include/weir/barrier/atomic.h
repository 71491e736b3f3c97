/* Atomic barrier: one counter in, one epoch out (the two-stage counter of Stuart and Owens).
 *
 *   state   (arrived, epoch), arrived == 0 between barriers
 *   arrive  (a, e) -> (a+1, e) for a < blocks-1
 *           (blocks-1, e) -> (0, e) -> (0, e+1), by the last block to arrive
 *   await   wait until epoch == e+1
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. It needs no reset between
 * barriers or launches. Each block makes one atomic; the waiters poll one word.
 * Wraps safely: epochs are only tested for equality. No epoch can be skipped, since the next one
 * needs the arrival of every block.
 *
 * The arrivals form a chain of releasing read-modify-writes, so the last one, which also acquires,
 * synchronizes with all of them. The store of the epoch then releases the writes of all blocks to
 * the waiters. Block syncs on both sides extend this from the leader to its block.
 */
#ifndef WEIR_BARRIER_ATOMIC_H
#define WEIR_BARRIER_ATOMIC_H

#include "weir/barrier/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_atomic_arrived_(weir_barrier b)
{
	return &b.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_atomic_epoch_(weir_barrier b)
{
	return &b.words[b.config.pitch];
}

WEIR_FN uint32_t weir_atomic_barrier_words(weir_barrier_config config)
{
	return config.pitch + 1;
}

WEIR_FN void weir_atomic_barrier_start(weir_barrier b, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_atomic_arrived_(b), 0);
	weir_store_rlx(weir_atomic_epoch_(b), past);
}

/* The token is the epoch after this phase. Only the leader's token is used. */
WEIR_FN uint32_t weir_atomic_arrive(weir_barrier b)
{
	uint32_t next = 0;

	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0) {
		/* Relaxed: the epoch cannot change between our last barrier and our arrival. */
		next = weir_load_rlx(weir_atomic_epoch_(b)) + 1;
		/* Release pairs with the acquire of the same add by the last block to arrive. */
		if (weir_add_acq_rel(weir_atomic_arrived_(b), 1) == b.config.blocks - 1) {
			/* Relaxed: the release below orders it before every arrival of the next
			 * phase. */
			weir_store_rlx(weir_atomic_arrived_(b), 0);
			/* Pairs with the acquire in weir_atomic_await. */
			weir_store_rel(weir_atomic_epoch_(b), next);
		}
	}
	return next;
}

WEIR_FN void weir_atomic_await(weir_barrier b, uint32_t token)
{
	if (weir_thread_id() == 0)
		/* Pairs with the release in weir_atomic_arrive. */
		weir_await_eq_acq(weir_atomic_epoch_(b), token, b.config.backoff);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_atomic_barrier(weir_barrier b)
{
	uint32_t token = weir_atomic_arrive(b);
	weir_atomic_await(b, token);
}

#endif
