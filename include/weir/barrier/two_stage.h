/* Two-stage barrier: a counter in and a counter out (the atomic barrier of Stuart and Owens). As
 * published, for comparison: barrier/atomic.h does the same with one atomic.
 *
 *   state   (in, out), both 0 between barriers
 *   arrive  (i, 0) -> (i+1, 0), i < blocks
 *   await   wait until in == blocks
 *           (blocks, o) -> (blocks, o+1) for o < blocks-1, then wait until in != blocks
 *           (blocks, blocks-1) -> (blocks, 0) -> (0, 0), by the last block to leave
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. Two atomics for each block; the waiters poll one word, twice.
 * Nothing counts past `blocks`, so nothing wraps.
 *
 * The paper names this barrier, says that it is centralized, has two stages and uses atomics, and
 * gives no pseudo-code. It leaves out how the counters become 0 again, and what waiters poll. Here
 * the second stage is what allows the reset: the last block to leave knows that all have seen the
 * first counter full. The others wait for the reset, so that none arrives again before it. They poll
 * by loads, as in the paper's other sleeping algorithms.
 *
 * The arrivals are a chain of read-modify-writes that release, and a waiter acquires from its last
 * one. That alone orders the work of all blocks. The second stage orders only accesses to the two
 * words themselves, by their coherence. Block syncs on both sides extend this from the leader to its
 * block.
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
	(void)past; /* looks the same however often it was passed */
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_two_stage_in_(b), 0);
	weir_store_rlx(weir_two_stage_out_(b), 0);
}

/* The token says nothing. */
WEIR_FN uint32_t weir_two_stage_arrive(weir_barrier b)
{
	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		/* Pairs with the acquire in weir_two_stage_await. */
		weir_add_rel(weir_two_stage_in_(b), 1);
	return 0;
}

/* Waits until the last block to leave has reset the counters. Until this block arrives again, `in`
 * cannot be full again. */
WEIR_FN void weir_two_stage_await_reset_(weir_barrier b)
{
	weir_wait wait = weir_wait_begin(b.config.backoff);

	/* Relaxed: the first stage has acquired; after this load our next arrival counts from 0. */
	while (weir_load_rlx(weir_two_stage_in_(b)) == b.config.blocks) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

WEIR_FN void weir_two_stage_leave_(weir_barrier b)
{
	/* Relaxed, as both resets: the arrival that follows releases them, and no block adds to a
	 * counter of the next phase before it has found `in` reset, or full again. */
	if (weir_add_rlx(weir_two_stage_out_(b), 1) != b.config.blocks - 1) {
		weir_two_stage_await_reset_(b);
		return;
	}
	weir_store_rlx(weir_two_stage_out_(b), 0);
	weir_store_rlx(weir_two_stage_in_(b), 0);
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
