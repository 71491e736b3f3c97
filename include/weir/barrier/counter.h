/* Counter barrier: arrivals only add, and every block looks for itself whether all have come.
 *
 *   state   (counter[copy][shard], passed[block][shard]), with S shards and C copies. Block b counts
 *           in shard b mod S, where n blocks do. Between barriers all copies of a counter, and what
 *           each block remembers of it, are equal
 *   arrive  block b: counter[c][b mod S] += 1 for every copy c
 *   await   block b: passed[b][s] += n for every shard s, then wait until counter[b mod C][s] has
 *           come that far
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. C atomics for each block, whose result nobody waits for, and the polls:
 * one hop between arrival and departure, where a barrier with a last arriver has two.
 * shape.first_pause is the time from the arrival to the first poll: polls that come too early hold
 * up the arrivals on the same line.
 * Wraps safely: counters are compared by signed difference with what the block itself has added
 * up, and a counter is at most one barrier ahead of that.
 *
 * Whoever sees a counter come to its sum has read from the last arrival of its shard, and through
 * the run of adds before it from all of them; of all shards together, from all blocks. What a block
 * remembers is its own: block syncs lie between any two of its threads that touch the word.
 */
#ifndef WEIR_BARRIER_COUNTER_H
#define WEIR_BARRIER_COUNTER_H

#include "weir/barrier/object.h"

/* Words from one counter to the next. Neighbouring lines often lie in the same slice of a cache, and
 * then are no faster than one: measured on Hopper, a KiB is the least that helps. */
#ifndef WEIR_COUNTER_APART
#define WEIR_COUNTER_APART (33 * WEIR_LINE_WORDS)
#endif

WEIR_FN uint32_t weir_counter_shards_(weir_barrier_config config)
{
	return 1u << config.shape.shard_bits;
}

WEIR_FN uint32_t weir_counter_copies_(weir_barrier_config config)
{
	return 1u << config.shape.copy_bits;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_at_(weir_barrier b, uint32_t copy, uint32_t shard)
{
	uint32_t index = (copy << b.config.shape.shard_bits) + shard;
	return &b.words[index * WEIR_COUNTER_APART];
}

/* Words of the counters: what the blocks remember begins after them. */
WEIR_FN uint32_t weir_counter_counters_(weir_barrier_config config)
{
	return (weir_counter_shards_(config) << config.shape.copy_bits) * WEIR_COUNTER_APART;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_passed_(weir_barrier b, uint32_t block, uint32_t shard)
{
	return &b.words[weir_counter_counters_(b.config) + (block << b.config.shape.shard_bits) +
	                shard];
}

/* How many blocks count in a shard. */
WEIR_FN uint32_t weir_counter_share_(weir_barrier_config config, uint32_t shard)
{
	return (config.blocks + weir_counter_shards_(config) - 1 - shard) >>
	       config.shape.shard_bits;
}

WEIR_FN uint32_t weir_counter_barrier_words(weir_barrier_config config)
{
	return weir_counter_counters_(config) + (config.blocks << config.shape.shard_bits);
}

WEIR_FN void weir_counter_barrier_start(weir_barrier b, uint32_t past)
{
	uint32_t shards = weir_counter_shards_(b.config);

	/* Relaxed: before the launch that uses it, which orders them. */
	for (uint32_t s = 0; s < shards; s++) {
		uint32_t sum = past * weir_counter_share_(b.config, s);
		for (uint32_t c = 0; c < weir_counter_copies_(b.config); c++)
			weir_store_rlx(weir_counter_at_(b, c, s), sum);
		for (uint32_t block = 0; block < b.config.blocks; block++)
			weir_store_rlx(weir_counter_passed_(b, block, s), sum);
	}
}

WEIR_FN void weir_counter_signal_(weir_barrier b, uint32_t rank, uint32_t thread)
{
	uint32_t shard = rank & (weir_counter_shards_(b.config) - 1);

	WEIR_NO_UNROLL
	for (uint32_t c = thread; c < weir_counter_copies_(b.config); c += weir_thread_count())
		/* Pairs with the acquire in weir_counter_look_. */
		weir_red_add_rel(weir_counter_at_(b, c, shard), 1);
	if (!WEIR_HAS_THREAD_PROGRESS)
		weir_block_sync(); /* who polls may keep its neighbours from their arrivals */
}

WEIR_FN uint32_t weir_counter_recall_(weir_barrier b, uint32_t rank, uint32_t shard)
{
	/* Relaxed: block syncs, or launches, lie between this and the last write. */
	return weir_load_rlx(weir_counter_passed_(b, rank, shard));
}

/* One shard, of which the block remembers `passed`. */
WEIR_FN void weir_counter_look_(weir_barrier b, uint32_t rank, uint32_t shard, uint32_t passed)
{
	uint32_t copy = rank & (weir_counter_copies_(b.config) - 1);
	uint32_t all = passed + weir_counter_share_(b.config, shard);

	/* Relaxed: no other block touches it, and of this one no other thread now. */
	weir_store_rlx(weir_counter_passed_(b, rank, shard), all);
	/* Pairs with the releases in weir_counter_signal_. */
	weir_await_ge_acq(weir_counter_at_(b, copy, shard), all, b.config.backoff);
}

/* The same threads arrive and poll: nobody looks before its own block has arrived. */
WEIR_FN void weir_counter_barrier(weir_barrier b)
{
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t thread = weir_hide_value(weir_thread_id());

	weir_block_sync(); /* what the block did before comes before each of its arrivals */
	uint32_t mark = weir_cycle_now();
	weir_counter_signal_(b, rank, thread);
	WEIR_NO_UNROLL
	for (uint32_t s = thread; s < weir_counter_shards_(b.config); s += weir_thread_count()) {
		uint32_t passed = weir_counter_recall_(b, rank, s);
		weir_pause_since(mark, b.config.shape.first_pause);
		weir_counter_look_(b, rank, s, passed);
	}
	weir_block_sync(); /* what the pollers have seen comes before what the block does next */
}

/* In the split form the first threads arrive and the last ones poll: while one warp waits for its
 * release to be done, the other can go on. */
WEIR_FN uint32_t weir_counter_last_first_(void)
{
	return weir_thread_count() - 1 - weir_hide_value(weir_thread_id());
}

/* The token: what the block remembers of the first shard that this thread polls, asked for after the
 * arrival, which then does not wait for it. */
WEIR_FN uint32_t weir_counter_arrive(weir_barrier b)
{
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t poller = weir_counter_last_first_();

	weir_block_sync(); /* what the block did before comes before each of its arrivals */
	weir_counter_signal_(b, rank, weir_hide_value(weir_thread_id()));
	return poller < weir_counter_shards_(b.config) ? weir_counter_recall_(b, rank, poller) : 0;
}

WEIR_FN void weir_counter_await(weir_barrier b, uint32_t token)
{
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t s = weir_counter_last_first_();

	if (s < weir_counter_shards_(b.config))
		weir_counter_look_(b, rank, s, token);
	WEIR_NO_UNROLL
	while ((s += weir_thread_count()) < weir_counter_shards_(b.config))
		weir_counter_look_(b, rank, s, weir_counter_recall_(b, rank, s));
	weir_block_sync(); /* what the pollers have seen comes before what the block does next */
}

#endif
