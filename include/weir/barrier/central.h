/* Central barrier: one counter, whose top bit changes when all blocks have arrived.
 *
 *   state   (c), 0 at first. Each phase adds 2^31.
 *   arrive  block 0: c += 2^31 - (blocks - 1); others: c += 1.
 *   await   wait until c is at or past the next multiple of 2^31 after its value just before the
 *           arrival.
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. One atomic for each block, and the polls of the same word. There is no
 * other state, so it is the smallest barrier.
 * shape.first_pause is the time from the arrival to the first poll, which does not wait for the
 * result of the arrival. If that poll comes too early, it fails, and the next one comes too late.
 * Wraps safely: the counter is compared by signed difference with a multiple of 2^31. It is at most
 * 2^31 away from that, since the next phase needs the arrival of every block.
 *
 * The arrivals are a run of read-modify-writes, so a poll that sees the sum complete synchronizes
 * with all of them. A value that a block loads before its arrival belongs to this phase: the block
 * has seen the last phase complete, and this phase cannot complete without it.
 */
#ifndef WEIR_BARRIER_CENTRAL_H
#define WEIR_BARRIER_CENTRAL_H

#include "weir/barrier/object.h"

#define WEIR_CENTRAL_PHASE 0x80000000u

WEIR_FN uint32_t weir_central_barrier_words(weir_barrier_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_central_barrier_start(weir_barrier b, uint32_t past)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(&b.words[0], past * WEIR_CENTRAL_PHASE);
}

WEIR_FN uint32_t weir_central_step_(weir_barrier b)
{
	return weir_barrier_rank(b) == 0 ? WEIR_CENTRAL_PHASE - (b.config.blocks - 1) : 1;
}

WEIR_FN void weir_central_barrier(weir_barrier b)
{
	/* 0 for the leader. A compiler that knew this would add once for the whole warp, and wait
	 * for the result to broadcast it. */
	uint32_t thread = weir_hide_value(weir_thread_id());

	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	if (thread == 0) {
		uint32_t mark = weir_cycle_now();
		/* Pairs with the acquire below. */
		uint32_t found = weir_add_rel(&b.words[thread], weir_central_step_(b));
		weir_pause_since(mark, b.config.shape.first_pause);
		/* Pairs with the releases above. */
		weir_await_phase_acq(&b.words[0], found, WEIR_CENTRAL_PHASE, b.config.backoff);
	}
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/* In the split form thread 0 arrives and the last thread polls. While thread 0 waits for its
 * release to complete, the last thread can go on. */
WEIR_FN int weir_central_polls_(void)
{
	return weir_thread_id() == weir_thread_count() - 1;
}

/* The token is the counter as the polling thread loaded it before the arrival. */
WEIR_FN uint32_t weir_central_arrive(weir_barrier b)
{
	uint32_t found = 0;

	if (weir_central_polls_())
		/* Relaxed: any value since the last barrier will do. */
		found = weir_load_rlx(&b.words[0]);
	/* The block's writes, and the load above, precede the leader's release. */
	weir_block_sync_rel();
	if (weir_thread_id() == 0)
		/* Pairs with the acquires in weir_central_await and weir_central_barrier. */
		weir_red_add_rel(&b.words[0], weir_central_step_(b));
	if (!WEIR_HAS_THREAD_PROGRESS)
		weir_block_sync(); /* else a polling thread could keep the leader from arriving */
	return found;
}

WEIR_FN void weir_central_await(weir_barrier b, uint32_t token)
{
	if (weir_central_polls_())
		/* Pairs with the releases in weir_central_arrive and weir_central_barrier. */
		weir_await_phase_acq(&b.words[0], token, WEIR_CENTRAL_PHASE, b.config.backoff);
	weir_block_sync(); /* extends the poller's acquire to its block */
}

#endif
