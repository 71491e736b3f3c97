/* Two-stage barrier: a counter in and a counter out (the atomic barrier of Stuart and Owens). As
 * published, for comparison: barrier/atomic.h needs only one atomic.
 *
 *   state   (in, out), both 0 between barriers
 *   arrive  wait until out == 0, then (i, 0) -> (i+1, 0)
 *   await   wait until in == blocks
 *           (blocks, o) -> (blocks, o+1) for o < blocks-1
 *           (blocks, blocks-1) -> (0, blocks) -> (0, 0), by the last block to leave
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. It needs no reset between
 * barriers or launches. An arrival may wait until all blocks have left the previous phase. Each
 * block makes two atomics; the waiters of each stage poll one word.
 * Nothing counts past `blocks`, so nothing wraps.
 *
 * The paper names this barrier: it is centralized, has two stages, and uses atomics. It gives no
 * pseudo-code, and does not say how the counters become 0 again or what waiters poll. Here the
 * second stage permits the reset: the last block to leave knows that all have seen the first
 * counter full. A block that returns to the barrier earlier waits for the reset. Waiters poll with
 * loads, as the paper's sleeping algorithms do.
 *
 * The arrivals form a chain of releasing read-modify-writes, and a waiter acquires from the last
 * one. That orders the work of all blocks. The release of the second stage orders the reset of `in`
 * before the next arrivals. Block syncs on both sides extend this from the leader to its block.
 */
#ifndef WEIR_BARRIER_TWO_STAGE_H
#define WEIR_BARRIER_TWO_STAGE_H

#include "weir/barrier/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_two_stage_in_(weir_barrier b)
{
	return &b.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_two_stage_out_(weir_barrier b)
{
	return &b.words[b.config.pitch];
}

WEIR_FN uint32_t weir_two_stage_barrier_words(weir_barrier_config config)
{
	return config.pitch + 1;
}

WEIR_FN void weir_two_stage_barrier_start(weir_barrier b, uint32_t past)
{
	(void)past; /* it looks the same however often it was passed */
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_two_stage_in_(b), 0);
	weir_store_rlx(weir_two_stage_out_(b), 0);
}

/* The token carries no information. */
WEIR_FN uint32_t weir_two_stage_arrive(weir_barrier b)
{
	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0) {
		/* Pairs with the release in weir_two_stage_leave_. Until this block arrives, no
		 * block adds to `out`. */
		weir_await_eq_acq(weir_two_stage_out_(b), 0, b.config.backoff);
		/* Pairs with the acquire in weir_two_stage_await. */
		weir_add_rel(weir_two_stage_in_(b), 1);
	}
	return 0;
}

WEIR_FN void weir_two_stage_leave_(weir_barrier b)
{
	/* Relaxed: the first stage has acquired. */
	if (weir_add_rlx(weir_two_stage_out_(b), 1) != b.config.blocks - 1)
		return;
	/* Relaxed: the release below orders it before every arrival of the next phase. */
	weir_store_rlx(weir_two_stage_in_(b), 0);
	/* Pairs with the acquire in weir_two_stage_arrive. */
	weir_store_rel(weir_two_stage_out_(b), 0);
}

WEIR_FN void weir_two_stage_await(weir_barrier b, uint32_t token)
{
	(void)token;
	if (weir_thread_id() == 0) {
		/* Pairs with the releases of all arrivals. */
		weir_await_eq_acq(weir_two_stage_in_(b), b.config.blocks, b.config.backoff);
		weir_two_stage_leave_(b);
	}
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_two_stage_barrier(weir_barrier b)
{
	weir_two_stage_await(b, weir_two_stage_arrive(b));
}

#endif
