/* Counter barrier: arrivals only add, and every block checks for itself whether all have arrived.
 *
 *   state   (c[shard]), S shards, all 0 at first. Block b belongs to shard b mod S. Each phase adds
 *           2^30 to every counter.
 *   arrive  block b: c[b mod S] += 1, or for b < S, which is the first of the n blocks of its
 *           shard: += 2^30 - (n - 1)
 *   await   thread t < S of block b: wait until c[t] is at or past the next multiple of 2^30 after
 *           the value that the block found at its arrival
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. There are at least S
 * blocks, and on CUDA at least S threads in a block. Elsewhere thread 0 polls all shards. Reusable
 * without a reset, also by the next launch. One atomic for each block, and the polls of S words.
 * There is one hop between arrival and departure; a barrier with a last arriver has two.
 * A block polls only when the result of its arrival has come back: earlier polls would fail, and
 * would hold up the arrivals at the same counters.
 * Wraps safely: a counter is compared by signed difference with a multiple of 2^30. It is at most
 * 2^30 before that, since the block has seen the last phase complete. It is at most 2^30 past that,
 * since the next phase needs the arrival of this block.
 *
 * The arrivals at a counter are a run of read-modify-writes. So a thread that sees the sum complete
 * synchronizes with all blocks of the shard, and all shards together are all blocks. What a block
 * finds at its arrival belongs to the present phase, which cannot complete without it, and all
 * counters have the same phases. So no block has to remember a phase.
 * With one counter, the block that completes it need not poll: its own addition read the others.
 */
#ifndef WEIR_BARRIER_COUNTER_H
#define WEIR_BARRIER_COUNTER_H

#include "weir/barrier/object.h"

#define WEIR_COUNTER_PHASE 0x40000000u

/* Words from one counter to the next. Neighbouring cache lines often lie in the same slice of a
 * cache, and are then no faster than one. Measured on Hopper, 1 KiB is the least that helps. */
#ifndef WEIR_COUNTER_APART
#define WEIR_COUNTER_APART (33 * WEIR_LINE_WORDS)
#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_at_(weir_barrier b, uint32_t shard)
{
	return &b.words[shard * WEIR_COUNTER_APART];
}

WEIR_FN uint32_t weir_counter_shards_(weir_barrier_config config)
{
	return 1u << config.shape.bits;
}

WEIR_FN uint32_t weir_counter_barrier_words(weir_barrier_config config)
{
	return (weir_counter_shards_(config) - 1) * WEIR_COUNTER_APART + 1;
}

WEIR_FN void weir_counter_barrier_start(weir_barrier b, uint32_t past)
{
	for (uint32_t s = 0; s < weir_counter_shards_(b.config); s++)
		/* Relaxed: the launch that uses it orders these stores. */
		weir_store_rlx(weir_counter_at_(b, s), past * WEIR_COUNTER_PHASE);
}

/* What a block adds: all blocks of a shard together 2^30. */
WEIR_FN uint32_t weir_counter_step_(weir_barrier b, uint32_t rank, uint32_t bits)
{
	return rank >> bits == 0 ? WEIR_COUNTER_PHASE - ((b.config.blocks - 1 - rank) >> bits) : 1;
}

/* Thread 0 arrives. Returns what its counter was before, to all threads that poll. */
WEIR_FN uint32_t weir_counter_signal_(weir_barrier b, uint32_t shard, uint32_t step,
                                      uint32_t thread, uint32_t bits)
{
	uint32_t found = 0;

	if (thread == 0)
		/* Pairs with the acquire in weir_counter_look_. A compiler that knew that `thread`
		 * is 0 would add once for the whole warp. */
		found = weir_add_rel(weir_counter_at_(b, shard + thread), step);
	return weir_first_value(found, bits);
}

/* Waits; `found` is what the arrival returned. */
WEIR_FN void weir_counter_look_(weir_barrier b, uint32_t found, uint32_t step, uint32_t thread,
                                uint32_t bits)
{
	uint32_t missing = (found + step) & (WEIR_COUNTER_PHASE - 1);
	uint32_t all = (found | (WEIR_COUNTER_PHASE - 1)) + 1;

	WEIR_EACH_PART (shard, thread, bits)
		/* Not if it is the only counter, and this block has just completed it. */
		if ((missing | bits) != 0)
			weir_await_ge_rlx(weir_counter_at_(b, shard), all);
	/* Pairs with the releases in weir_counter_signal_. */
	weir_acquire_each(b.words, WEIR_COUNTER_APART, bits);
}

WEIR_FN void weir_counter_barrier_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	weir_block_sync_rel(); /* the block's writes precede the release */
	if (weir_is_first(thread)) {
		uint32_t shard = rank & ((1u << bits) - 1);
		uint32_t step = weir_counter_step_(b, rank, bits);
		uint32_t found = weir_counter_signal_(b, shard, step, thread, bits);
		weir_counter_look_(b, found, step, thread, bits);
	}
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

/* The token is what the block found. It counts in the threads that poll. */
WEIR_FN uint32_t weir_counter_arrive_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t shard = rank & ((1u << bits) - 1);
	uint32_t step = weir_counter_step_(b, rank, bits);

	weir_block_sync_rel(); /* the block's writes precede the release */
	return weir_is_first(thread) ? weir_counter_signal_(b, shard, step, thread, bits) : 0;
}

WEIR_FN void weir_counter_await_of_(weir_barrier b, uint32_t token, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	if (weir_is_first(thread))
		weir_counter_look_(b, token, weir_counter_step_(b, rank, bits), thread, bits);
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

/* Ends the launch when a block has too few threads. */
WEIR_FN void weir_counter_check_(weir_barrier b)
{
	if (!WEIR_LIKELY(weir_has_parts(b.config.shape.bits)))
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
}

WEIR_FN uint32_t weir_counter_arrive(weir_barrier b)
{
	weir_counter_check_(b);
	return weir_counter_arrive_of_(b, weir_hide_value(b.config.shape.bits));
}

WEIR_FN void weir_counter_await(weir_barrier b, uint32_t token)
{
	weir_counter_await_of_(b, token, weir_hide_value(b.config.shape.bits));
}

WEIR_FN void weir_counter_barrier(weir_barrier b)
{
	weir_counter_check_(b);
	weir_counter_barrier_of_(b, weir_hide_value(b.config.shape.bits));
}

#endif
