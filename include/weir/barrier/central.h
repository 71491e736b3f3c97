/* Central barrier: one counter, whose top bit turns when all have come.
 *
 *   state   (c), with 2^31 added for each barrier that was passed
 *   arrive  block 0: c += 2^31 - (count - 1); others: c += 1
 *   await   wait until c has come to the next multiple of 2^31 after what the arrival found
 *
 * All threads of all `count` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. One atomic for each block; then it polls the same word, and the last to
 * arrive does not even that: it knows. Nothing else is remembered, so it is the smallest barrier, and
 * nobody pauses, so it is at its best where blocks come at different times.
 * Wraps safely: the counter is compared by signed difference with a multiple of 2^31 that it is at
 * most 2^31 away from, since the next barrier needs the arrival of every block.
 *
 * The arrivals are a run of read-modify-writes, so whoever sees the sum complete has read from all of
 * them: those who poll through their acquire, the last to arrive through that of its add.
 */
#ifndef WEIR_BARRIER_CENTRAL_H
#define WEIR_BARRIER_CENTRAL_H

#include "weir/object.h"

#define WEIR_CENTRAL_TURN 0x80000000u

WEIR_FN uint32_t weir_central_barrier_words(weir_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_central_barrier_start(weir_barrier b, uint32_t past)
{
	/* Relaxed: before the launch that uses it, which orders it. */
	weir_store_rlx(&b.words[0], past * WEIR_CENTRAL_TURN);
}

/* The leader's part; returns what the counter must come to, and whether it has in `*last`. */
WEIR_FN uint32_t weir_central_signal_(weir_barrier b, int *last)
{
	uint32_t step = weir_barrier_rank(b) == 0 ? WEIR_CENTRAL_TURN - (b.config.count - 1) : 1;
	/* Release pairs with the acquire in weir_central_await, and with that of the same add. */
	uint32_t found = weir_add_acq_rel(&b.words[0], step);
	uint32_t all = (found | (WEIR_CENTRAL_TURN - 1)) + 1;

	*last = found + step == all;
	return all;
}

WEIR_FN void weir_central_barrier(weir_barrier b)
{
	weir_block_sync(); /* what the block did before comes before its leader's arrival */
	if (weir_thread_id() == 0) {
		int last;
		uint32_t all = weir_central_signal_(b, &last);
		if (!last)
			/* Pairs with the release in weir_central_signal_. */
			weir_await_ge_acq(&b.words[0], all, b.config.backoff);
	}
	weir_block_sync(); /* what the leader has seen comes before what the block does next */
}

/* The token is what the counter must come to; the leader's counts. */
WEIR_FN uint32_t weir_central_arrive(weir_barrier b)
{
	int last;

	weir_block_sync(); /* what the block did before comes before its leader's arrival */
	return weir_thread_id() == 0 ? weir_central_signal_(b, &last) : 0;
}

WEIR_FN void weir_central_await(weir_barrier b, uint32_t token)
{
	if (weir_thread_id() == 0)
		/* Pairs with the release in weir_central_signal_. */
		weir_await_ge_acq(&b.words[0], token, b.config.backoff);
	weir_block_sync(); /* what the leader has seen comes before what the block does next */
}

#endif
