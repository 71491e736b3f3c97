/* Counter barrier: arrivals only add, and every block checks for itself whether all have arrived.
 *
 *   state   (counter[copy][shard], passed[block][shard]), with S shards and C copies. Block b adds
 *           to shard b mod S; n[s] blocks add to shard s. Between barriers, all counter[c][s] and
 *           passed[b][s] of a shard s are equal.
 *   arrive  block b: counter[c][b mod S] += 1 for every copy c.
 *   await   block b: passed[b][s] += n[s] for every shard s, then wait until counter[b mod C][s] is
 *           at or past passed[b][s].
 *
 * All threads of all `blocks` blocks call it, and all blocks run at once. Reusable without a reset,
 * also by the next launch. C atomics for each block, whose results no thread waits for, and the
 * polls. There is one hop between arrival and departure; a barrier with a last arriver has two.
 * shape.first_pause is the time from the arrival to the first poll: polls that come too early hold
 * up the arrivals on the same cache line.
 * Wraps safely: a counter is compared by signed difference with the block's own sum, passed, and is
 * at most one barrier ahead of it.
 *
 * A thread that sees a counter reach its sum has read from the last arrival of the shard, and
 * through the run of adds before that from all arrivals of the shard. All shards together are all
 * blocks. The passed words of a block are its own: block syncs lie between the accesses of any two
 * of its threads to the same word.
 */
#ifndef WEIR_BARRIER_COUNTER_H
#define WEIR_BARRIER_COUNTER_H

#include "weir/barrier/object.h"

/* Words from one counter to the next. Neighbouring cache lines often lie in the same slice of a
 * cache, and are then no faster than one. Measured on Hopper, 1 KiB is the least that helps. */
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

/* Words of the counters. The passed words of the blocks begin after them. */
WEIR_FN uint32_t weir_counter_counters_(weir_barrier_config config)
{
	return (weir_counter_shards_(config) << config.shape.copy_bits) * WEIR_COUNTER_APART;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_counter_passed_(weir_barrier b, uint32_t block, uint32_t shard)
{
	return &b.words[weir_counter_counters_(b.config) + (block << b.config.shape.shard_bits) +
	                shard];
}

/* How many blocks add to a shard. */
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

	/* Relaxed: the launch that uses it orders these stores. */
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
		weir_block_sync(); /* else a polling thread could keep others from arriving */
}

WEIR_FN uint32_t weir_counter_recall_(weir_barrier b, uint32_t rank, uint32_t shard)
{
	/* Relaxed: a block sync, or a launch, lies between the last write and this load. */
	return weir_load_rlx(weir_counter_passed_(b, rank, shard));
}

/* Polls one shard. `passed` is the block's sum before this phase. */
WEIR_FN void weir_counter_look_(weir_barrier b, uint32_t rank, uint32_t shard, uint32_t passed)
{
	uint32_t copy = rank & (weir_counter_copies_(b.config) - 1);
	uint32_t all = passed + weir_counter_share_(b.config, shard);

	/* Relaxed: no other block touches it, and no other thread of this block does now. */
	weir_store_rlx(weir_counter_passed_(b, rank, shard), all);
	/* Pairs with the releases in weir_counter_signal_. */
	weir_await_ge_acq(weir_counter_at_(b, copy, shard), all, b.config.backoff);
}

/* The same threads arrive and poll, so that none polls before its own block has arrived. */
WEIR_FN void weir_counter_barrier(weir_barrier b)
{
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t thread = weir_hide_value(weir_thread_id());

	weir_block_sync(); /* the block's writes precede each of its releases */
	uint32_t mark = weir_cycle_now();
	weir_counter_signal_(b, rank, thread);
	WEIR_NO_UNROLL
	for (uint32_t s = thread; s < weir_counter_shards_(b.config); s += weir_thread_count()) {
		uint32_t passed = weir_counter_recall_(b, rank, s);
		weir_pause_since(mark, b.config.shape.first_pause);
		weir_counter_look_(b, rank, s, passed);
	}
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

/* In the split form the first threads arrive and the last threads poll. While one warp waits for
 * its release to complete, the other can go on. */
WEIR_FN uint32_t weir_counter_last_first_(void)
{
	return weir_thread_count() - 1 - weir_hide_value(weir_thread_id());
}

/* The token is the block's passed for the first shard that this thread polls. It is loaded after
 * the arrival, so that the arrival does not wait for it. */
WEIR_FN uint32_t weir_counter_arrive(weir_barrier b)
{
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));
	uint32_t poller = weir_counter_last_first_();

	weir_block_sync(); /* the block's writes precede each of its releases */
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
	weir_block_sync(); /* extends the pollers' acquires to the block */
}

#endif
