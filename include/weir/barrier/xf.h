/* XF barrier: a word in and a word out for each block, no atomics (Xiao and Feng, 2010; the best
 * barrier of Stuart and Owens).
 *
 *   state   (in[blocks], out[blocks]), all equal to the epoch e between barriers
 *   arrive  block i: in[i]: e -> e+1; block 0: nothing
 *   await   block i: wait until out[i] == e+1
 *           block 0: its threads wait until every in[i] == e+1, meet, and set every out[i]:
 *           e -> e+1
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once; there may be more blocks
 * than threads. It needs no reset between barriers or launches. No atomics: each block makes one
 * store and polls a word of its own. The threads of block 0 make one load and one store for each
 * block. The words of each direction are adjacent, so that block 0 reads and writes whole cache
 * lines. Wraps safely: epochs are only tested for equality. No epoch can be skipped, since block 0
 * releases no block before all have arrived.
 *
 * The thread of block 0 that gathers in[i] acquires what block i released. The block sync extends
 * each thread's acquires to all threads of block 0, so each of their releases carries the writes of
 * all blocks.
 */
#ifndef WEIR_BARRIER_XF_H
#define WEIR_BARRIER_XF_H

#include "weir/barrier/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_xf_in_(weir_barrier b, uint32_t block)
{
	return &b.words[block];
}

WEIR_FN uint32_t weir_xf_side_words_(weir_barrier_config config)
{
	return (config.blocks + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_xf_out_(weir_barrier b, uint32_t block)
{
	return &b.words[weir_xf_side_words_(b.config) + block];
}

WEIR_FN uint32_t weir_xf_barrier_words(weir_barrier_config config)
{
	return weir_xf_side_words_(config) + config.blocks;
}

WEIR_FN void weir_xf_barrier_start(weir_barrier b, uint32_t past)
{
	for (uint32_t i = 0; i < b.config.blocks; i++) {
		/* Relaxed: the launch that uses it orders these stores. */
		weir_store_rlx(weir_xf_in_(b, i), past);
		weir_store_rlx(weir_xf_out_(b, i), past);
	}
}

/* Called by block 0. Returns the epoch after this phase in each thread that gathers. */
WEIR_FN uint32_t weir_xf_gather_next_(weir_barrier b)
{
	uint32_t first = weir_thread_id();
	/* Relaxed: this thread, or an earlier launch, wrote it last. */
	return first < b.config.blocks ? weir_load_rlx(weir_xf_out_(b, first)) + 1 : 0;
}

WEIR_FN void weir_xf_gather_and_release_(weir_barrier b, uint32_t next)
{
	uint32_t first = weir_thread_id();
	uint32_t step = weir_thread_count();

	for (uint32_t i = first; i < b.config.blocks; i += step)
		if (i != 0)
			/* Pairs with the release in weir_xf_signal_. */
			weir_await_eq_acq(weir_xf_in_(b, i), next, b.config.backoff);
	weir_block_sync(); /* extends each thread's acquires to the releases of all */
	for (uint32_t i = first; i < b.config.blocks; i += step)
		/* Pairs with the acquire in weir_xf_look_. */
		weir_store_rel(weir_xf_out_(b, i), next);
}

/* Called by the leader of a block other than 0. Returns the epoch after this phase. */
WEIR_FN uint32_t weir_xf_signal_(weir_barrier b)
{
	uint32_t me = weir_barrier_rank(b);
	/* Relaxed: it cannot change between our last barrier and our arrival. */
	uint32_t next = weir_load_rlx(weir_xf_out_(b, me)) + 1;
	/* Pairs with the acquire in weir_xf_gather_and_release_. */
	weir_store_rel(weir_xf_in_(b, me), next);
	return next;
}

WEIR_FN void weir_xf_look_(weir_barrier b, uint32_t next)
{
	/* Pairs with the release in weir_xf_gather_and_release_. */
	weir_await_eq_acq(weir_xf_out_(b, weir_barrier_rank(b)), next, b.config.backoff);
}

WEIR_FN void weir_xf_barrier(weir_barrier b)
{
	if (weir_barrier_rank(b) == 0) {
		weir_xf_gather_and_release_(b, weir_xf_gather_next_(b));
		return;
	}
	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_xf_look_(b, weir_xf_signal_(b));
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/* The token is the epoch after this phase. It is used in the threads of block 0 that gather, and in
 * the leaders of the other blocks. */
WEIR_FN uint32_t weir_xf_arrive(weir_barrier b)
{
	if (weir_barrier_rank(b) == 0)
		return weir_xf_gather_next_(b);
	weir_block_sync_rel(); /* the block's writes precede the leader's release */
	return weir_thread_id() == 0 ? weir_xf_signal_(b) : 0;
}

WEIR_FN void weir_xf_await(weir_barrier b, uint32_t token)
{
	if (weir_barrier_rank(b) == 0) {
		weir_xf_gather_and_release_(b, token);
		return;
	}
	if (weir_thread_id() == 0)
		weir_xf_look_(b, token);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

#endif
