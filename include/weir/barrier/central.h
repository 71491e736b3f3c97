/* Central barrier: one counter, whose top bit turns when all have come.
 *
 *   state   (c), with 2^31 added for each barrier that was passed
 *   arrive  block 0: c += 2^31 - (blocks - 1); others: c += 1
 *   await   wait until c has come to the next multiple of 2^31 after what it was just before the
 *           arrival
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. One atomic for each block, and the polls of the same word; nothing is
 * remembered, so it is the smallest barrier.
 * shape.first_pause is the time from the arrival to the first poll, which does not wait for the
 * result of the arrival: a poll that comes too early fails, and the next one comes too late.
 * Wraps safely: the counter is compared by signed difference with a multiple of 2^31 that it is at
 * most 2^31 away from, since the next barrier needs the arrival of every block.
 *
 * The arrivals are a run of read-modify-writes, so whoever sees the sum complete has read from all of
 * them. What a block finds in the counter before it has arrived is of this barrier and no other: it
 * has seen the last one complete, and this one is not without it.
 */
#ifndef WEIR_BARRIER_CENTRAL_H
#define WEIR_BARRIER_CENTRAL_H

#include "weir/barrier/object.h"

#define WEIR_CENTRAL_TURN 0x80000000u

WEIR_FN uint32_t weir_central_barrier_words(weir_barrier_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_central_barrier_start(weir_barrier b, uint32_t past)
{
	/* Relaxed: before the launch that uses it, which orders it. */
	weir_store_rlx(&b.words[0], past * WEIR_CENTRAL_TURN);
}

WEIR_FN uint32_t weir_central_step_(weir_barrier b)
{
	return weir_barrier_rank(b) == 0 ? WEIR_CENTRAL_TURN - (b.config.blocks - 1) : 1;
}

WEIR_FN void weir_central_barrier(weir_barrier b)
{
	/* 0 for the leader. A compiler that knew would add for all its warp, and wait for the result to
	 * share it out. */
	uint32_t thread = weir_hide_value(weir_thread_id());

	weir_block_sync(); /* what the block did before comes before its leader's arrival */
	if (thread == 0) {
		uint32_t mark = weir_cycle_now();
		/* Pairs with the acquire below. */
		uint32_t found = weir_add_rel(&b.words[thread], weir_central_step_(b));
		weir_pause_since(mark, b.config.shape.first_pause);
		/* Pairs with the releases above. */
		weir_await_turn_acq(&b.words[0], found, WEIR_CENTRAL_TURN, b.config.backoff);
	}
	weir_block_sync(); /* what the leader has seen comes before what the block does next */
}

/* In the split form the first thread arrives and the last one polls: while the one waits for its
 * release to be done, the other can go on. */
WEIR_FN int weir_central_polls_(void)
{
	return weir_thread_id() == weir_thread_count() - 1;
}

/* The token: what the thread that polls has found in the counter. */
WEIR_FN uint32_t weir_central_arrive(weir_barrier b)
{
	uint32_t found = 0;

	if (weir_central_polls_())
		/* Relaxed: any value since the last barrier will do. */
		found = weir_load_rlx(&b.words[0]);
	/* What the block did before, and found, comes before its arrival. */
	weir_block_sync();
	if (weir_thread_id() == 0)
		/* Pairs with the acquires in weir_central_await and weir_central_barrier. */
		weir_red_add_rel(&b.words[0], weir_central_step_(b));
	if (!WEIR_HAS_THREAD_PROGRESS)
		weir_block_sync(); /* who polls may keep its neighbours from their arrival */
	return found;
}

WEIR_FN void weir_central_await(weir_barrier b, uint32_t token)
{
	if (weir_central_polls_())
		/* Pairs with the releases in weir_central_arrive and weir_central_barrier. */
		weir_await_turn_acq(&b.words[0], token, WEIR_CENTRAL_TURN, b.config.backoff);
	weir_block_sync(); /* what the poller has seen comes before what the block does next */
}

#endif
