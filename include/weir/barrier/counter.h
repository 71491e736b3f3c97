/* Counter barrier: arrivals only add, and every block checks for itself whether all have arrived.
 *
 *   state   (c[copy][shard]), S shards and S copies, all 0 at first. Block b belongs to shard
 *           b mod S. Each phase adds 2^30 to every counter.
 *   arrive  block b of shard s: c[t][s] += 1 for each copy t. Block b < S is the first of the n
 *           blocks of its shard, and adds 2^30 - (n - 1) instead.
 *   await   block b of shard s: for each shard t, wait until c[s][t] is at or past the next
 *           multiple of 2^30 after the value of c[s][s] just before the arrival.
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. There are at least S
 * blocks. The parts of a block may be S threads or one (weir_has_parts). Reusable without a reset,
 * also by the next launch. S atomics for each block, and the polls of S words. There is one hop
 * between arrival and departure; a barrier with a last arriver has two.
 * A block polls only when the result of its arrival has come back: earlier polls would fail, and
 * would hold up the arrivals at the same counters.
 * Wraps safely: a counter is compared by signed difference with a multiple of 2^30. It is at most
 * 2^30 before that, since the block has seen the last phase complete. It is at most 2^30 past that:
 * the blocks of a shard may have arrived for the next phase, but that does not end without this
 * block.
 *
 * The arrivals at a counter are a run of read-modify-writes. So a thread that sees the sum complete
 * synchronizes with all blocks of the shard. The shards together are all blocks.
 * No block remembers the phase. What a block finds in c[s][s] tells it: only blocks of shard s add
 * there, and each of them polls it before its next phase. So it has no addition of a later phase
 * before this one is complete, which needs the addition of this block. Other copies tell nothing: a
 * block does not poll c[t][s], so one block may add there for the next phase before another has
 * added for this one. Then c[t][s] may be complete early, by the additions of a block that has seen
 * all others arrive. A poller of it synchronizes with them through that block.
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

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_at_(weir_barrier b, uint32_t index)
{
	return &b.words[index * WEIR_COUNTER_APART];
}

WEIR_FN uint32_t weir_counter_barrier_words(weir_barrier_config config)
{
	return ((1u << (2 * config.shape.bits)) - 1) * WEIR_COUNTER_APART + 1;
}

WEIR_FN void weir_counter_barrier_start(weir_barrier b, uint32_t past)
{
	for (uint32_t i = 0; i < 1u << (2 * b.config.shape.bits); i++)
		/* Relaxed: the launch that uses it orders these stores. */
		weir_store_rlx(weir_counter_at_(b, i), past * WEIR_COUNTER_PHASE);
}

/* What a block adds: all blocks of a shard together 2^30. */
WEIR_FN uint32_t weir_counter_step_(weir_barrier b, uint32_t rank, uint32_t bits)
{
	return rank >> bits == 0 ? WEIR_COUNTER_PHASE - ((b.config.blocks - 1 - rank) >> bits) : 1;
}

/* Arrives, as a thread that has a part. Returns what c[shard][shard] was before. */
WEIR_FN uint32_t weir_counter_signal_(weir_barrier b, uint32_t rank, uint32_t thread, uint32_t bits)
{
	uint32_t shard = rank & ((1u << bits) - 1);
	uint32_t first = weir_first_part(thread, shard);
	uint32_t step = weir_counter_step_(b, rank, bits);
	uint32_t found = 0;

	/* Pairs with the acquires in weir_counter_look_. */
	WEIR_EACH_PART (t, first, bits)
		if (t == first)
			found = weir_add_rel(weir_counter_at_(b, (t << bits) + shard), step);
		else
			weir_red_add_rel(weir_counter_at_(b, (t << bits) + shard), step);
	return weir_part_result(found, shard, bits);
}

/* Waits, as a thread that has a part; `found` is what the arrival returned. */
WEIR_FN void weir_counter_look_(weir_barrier b, uint32_t rank, uint32_t thread, uint32_t bits,
                                uint32_t found)
{
	uint32_t shard = rank & ((1u << bits) - 1);
	uint32_t first = weir_first_part(thread, shard);
	uint32_t after = found + weir_counter_step_(b, rank, bits);

	if (((after & (WEIR_COUNTER_PHASE - 1)) | bits) == 0)
		/* The only counter, and complete. Pairs with the releases in
		 * weir_counter_signal_. */
		weir_acquire(weir_counter_at_(b, 0));
	else
		WEIR_EACH_PART (t, first, bits)
			/* Pairs with the same releases. */
			weir_await_ge_acq(weir_counter_at_(b, (shard << bits) + t),
			                  (found | (WEIR_COUNTER_PHASE - 1)) + 1,
			                  weir_no_backoff());
}

WEIR_FN void weir_counter_barrier_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t found = 0;

	weir_block_sync_rel(); /* the block's writes precede each of its releases */
	if (weir_has_part(thread, bits)) {
		found = weir_counter_signal_(b, rank, thread, bits);
		weir_counter_look_(b, rank, thread, bits, found);
	}
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

/* The token is what the arrival found. */
WEIR_FN uint32_t weir_counter_arrive_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	weir_block_sync_rel(); /* the block's writes precede each of its releases */
	return weir_has_part(thread, bits) ? weir_counter_signal_(b, rank, thread, bits) : 0;
}

WEIR_FN void weir_counter_await_of_(weir_barrier b, uint32_t token, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	if (weir_has_part(thread, bits))
		weir_counter_look_(b, rank, thread, bits, token);
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
