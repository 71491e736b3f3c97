/* Counter barrier: arrivals only add, and every block checks for itself that all blocks have
 * arrived.
 *
 *   state   (c[copy][shard]), S shards, a power of two, and a copy for every 4 shards; all start at
 *           0. Block b belongs to shard b mod S. Each phase adds 2^30 to every counter.
 *   arrive  block b of shard s: c[copy][s] += 1 for every copy, or for b < S, which is the first of
 *           the n blocks of its shard: += 2^30 - (n - 1)
 *   await   block b of shard s: wait until c[s / 4][shard], for every shard, is at or past the next
 *           multiple of 2^30 after the value that the block found in c[s / 4][s] at its arrival
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. There are at least S
 * blocks. Where threads can divide the work (weir_has_parts), the first S threads of a block do one
 * part each, so a block has at least S threads; elsewhere thread 0 does everything. It needs no
 * reset between barriers or launches. Each block makes one atomic for each copy and polls S words.
 * There is one hop between arrival and departure; a barrier with a last arriver has two.
 * A block polls only after the result of its arrival has returned: earlier polls would fail, and
 * would delay arrivals at the same counters.
 * Wraps safely: a counter is compared by signed difference with a multiple of 2^30. It is at most
 * 2^30 before that multiple, since the block has seen the last phase complete. It is less than 2^31
 * past that multiple, since the next phase cannot complete without the arrival of this block.
 *
 * The arrivals at a counter are a chain of read-modify-writes, so a thread that sees the complete
 * sum synchronizes with all blocks of the shard, and the shards together cover all blocks. A sum
 * may also be complete because one block has arrived twice before another has arrived once. That
 * block had then passed this barrier, and its second arrival releases the work of all blocks.
 * No block remembers the phase: the value that it finds in c[s / 4][s] identifies it. The blocks of
 * shard s both add to that counter and poll it. So none of them adds to it for the next phase
 * before all of them have added for the current phase. The other copies do not identify the phase,
 * since a block may add to them twice.
 * With one counter, the block that completes it need not poll: its own addition has read all the
 * others.
 */
#ifndef WEIR_BARRIER_COUNTER_H
#define WEIR_BARRIER_COUNTER_H

#include "weir/barrier/object.h"

#define WEIR_COUNTER_PHASE 0x40000000u

/* Words from one counter to the next. Neighbouring cache lines often lie in the same cache slice,
 * and are then no faster than a single line. Measured on Hopper, 1 KiB is the least that helps. */
#ifndef WEIR_COUNTER_APART
#define WEIR_COUNTER_APART (33 * WEIR_LINE_WORDS)
#endif

/* There is a copy for every 2^WEIR_COUNTER_COPY_BITS shards. More copies mean more arrivals, fewer
 * copies mean more polls of each. Measured on Hopper: 4 shards. */
#ifndef WEIR_COUNTER_COPY_BITS
#define WEIR_COUNTER_COPY_BITS 2
#endif

/* With 2^WEIR_COUNTER_MANY_BITS shards or more, a block waits for its own shard before it polls all.
 * With that many blocks the polls would delay the arrivals. Measured on Hopper: 16 shards. */
#ifndef WEIR_COUNTER_MANY_BITS
#define WEIR_COUNTER_MANY_BITS 4
#endif

WEIR_FN uint32_t weir_counter_shards_(weir_barrier_config config)
{
	return 1u << config.shape.bits;
}

WEIR_FN uint32_t weir_counter_copies_(uint32_t bits)
{
	return ((1u << bits) + (1u << WEIR_COUNTER_COPY_BITS) - 1) >> WEIR_COUNTER_COPY_BITS;
}

/* The copy that the blocks of a shard poll. */
WEIR_FN uint32_t weir_counter_copy_(uint32_t shard)
{
	return shard >> WEIR_COUNTER_COPY_BITS;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_at_(weir_barrier b, uint32_t copy, uint32_t shard,
                                                uint32_t bits)
{
	return &b.words[((copy << bits) + shard) * WEIR_COUNTER_APART];
}

WEIR_FN uint32_t weir_counter_barrier_words(weir_barrier_config config)
{
	uint32_t counters = weir_counter_copies_(config.shape.bits) * weir_counter_shards_(config);
	return (counters - 1) * WEIR_COUNTER_APART + 1;
}

WEIR_FN void weir_counter_barrier_start(weir_barrier b, uint32_t past)
{
	uint32_t bits = b.config.shape.bits;

	for (uint32_t copy = 0; copy < weir_counter_copies_(bits); copy++)
		for (uint32_t shard = 0; shard < weir_counter_shards_(b.config); shard++)
			/* Relaxed: the launch that uses it orders these stores. */
			weir_store_rlx(weir_counter_at_(b, copy, shard, bits),
			               past * WEIR_COUNTER_PHASE);
}

/* The amount that a block adds. All blocks of a shard together add 2^30. */
WEIR_FN uint32_t weir_counter_step_(weir_barrier b, uint32_t rank, uint32_t bits)
{
	return rank >> bits == 0 ? WEIR_COUNTER_PHASE - ((b.config.blocks - 1 - rank) >> bits) : 1;
}

/* Arrives. Returns, in thread 0, the previous value of this shard's counter in the copy that the
 * block polls. That copy is part 0. No thread waits for the result here. */
WEIR_FN uint32_t weir_counter_signal_(weir_barrier b, uint32_t shard, uint32_t step,
                                      uint32_t thread, uint32_t bits)
{
	uint32_t found = 0;

	WEIR_EACH_PART (part, thread, weir_counter_copies_(bits)) {
		uint32_t copy = part ^ weir_counter_copy_(shard);
		/* Pairs with the acquire in weir_counter_look_. */
		found = weir_add_rel(weir_counter_at_(b, copy, shard, bits), step);
	}
	return found;
}

/* Waits. `found_here` is the value that the arrival returned in this thread. */
WEIR_FN void weir_counter_look_(weir_barrier b, uint32_t shard, uint32_t step, uint32_t thread,
                                uint32_t bits, uint32_t found_here)
{
	WEIR_GLOBAL weir_word *polled = weir_counter_at_(b, weir_counter_copy_(shard), 0, bits);
	uint32_t found = weir_first_value(found_here, bits);
	uint32_t missing = (found + step) & (WEIR_COUNTER_PHASE - 1);
	uint32_t all = (found | (WEIR_COUNTER_PHASE - 1)) + 1;

	if (bits >= WEIR_COUNTER_MANY_BITS)
		weir_await_ge_rlx(&polled[shard * WEIR_COUNTER_APART], all);
	WEIR_EACH_PART (other, thread, 1u << bits)
		/* No wait if it is the only counter and this block has just completed it. */
		if ((missing | bits) != 0)
			weir_await_ge_rlx(&polled[other * WEIR_COUNTER_APART], all);
	/* Pairs with the releases in weir_counter_signal_. */
	weir_acquire_each(polled, WEIR_COUNTER_APART, bits);
}

WEIR_FN void weir_counter_barrier_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	weir_block_sync_rel(); /* the block's writes precede each of its releases */
	if (weir_is_first(thread)) {
		uint32_t shard = rank & ((1u << bits) - 1);
		uint32_t step = weir_counter_step_(b, rank, bits);
		uint32_t found = weir_counter_signal_(b, shard, step, thread, bits);
		weir_counter_look_(b, shard, step, thread, bits, found);
	}
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

/* The token is the value that the block found. Only thread 0's token is used. */
WEIR_FN uint32_t weir_counter_arrive_of_(weir_barrier b, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t shard = rank & ((1u << bits) - 1);
	uint32_t step = weir_counter_step_(b, rank, bits);

	weir_block_sync_rel(); /* the block's writes precede each of its releases */
	return weir_is_first(thread) ? weir_counter_signal_(b, shard, step, thread, bits) : 0;
}

WEIR_FN void weir_counter_await_of_(weir_barrier b, uint32_t token, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_thread_id());
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t shard = rank & ((1u << bits) - 1);

	if (weir_is_first(thread))
		weir_counter_look_(b, shard, weir_counter_step_(b, rank, bits), thread, bits,
		                   token);
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

#ifdef WEIR_COUNTER_FIXED_BITS
#define WEIR_COUNTER_BITS_(b) ((uint32_t)WEIR_COUNTER_FIXED_BITS)
#else
#define WEIR_COUNTER_BITS_(b) weir_hide_value((b).config.shape.bits)
#endif

/* Ends the launch when a block has too few threads. */
WEIR_FN void weir_counter_check_(weir_barrier b)
{
	if (!WEIR_LIKELY(weir_has_parts(weir_thread_count(), b.config.shape.bits)))
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
#ifdef WEIR_COUNTER_FIXED_BITS
	if (!WEIR_LIKELY(b.config.shape.bits == WEIR_COUNTER_FIXED_BITS))
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
#endif
}

WEIR_FN uint32_t weir_counter_arrive(weir_barrier b)
{
	weir_counter_check_(b);
	return weir_counter_arrive_of_(b, WEIR_COUNTER_BITS_(b));
}

WEIR_FN void weir_counter_await(weir_barrier b, uint32_t token)
{
	weir_counter_await_of_(b, token, WEIR_COUNTER_BITS_(b));
}

WEIR_FN void weir_counter_barrier(weir_barrier b)
{
	weir_counter_check_(b);
	weir_counter_barrier_of_(b, WEIR_COUNTER_BITS_(b));
}

#endif
