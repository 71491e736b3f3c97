/* Shards event: for hundreds of blocks that signal and few that wait. The signals add to different
 * words.
 *
 *   state    (part[shard]), 2^bits shards, all 0 at first; the count is their sum. Block b belongs
 *            to shard b mod 2^bits.
 *   post n   a block of shard s: part[s] += n
 *   wait t   until the sum of all parts, read one after the other, is at or past t
 *
 * Any thread may post and wait at any time. No post knows the count before it, so that this kind
 * has no signal: one ends the launch. A wait returns when its target was posted. A post is one
 * atomic. A wait makes none; it polls 2^bits words.
 * Wraps safely: parts and their sum wrap at 2^32, and the sum of the parts modulo 2^32 is the count
 * modulo 2^32. It is compared with a target by signed difference, as in a word event.
 *
 * Parts are read at different times, but each only grows. So the sum of what was read is at most the
 * count at the end of the reading, and if it is at or past the target, so is the count. Each part is
 * one run of read-modify-writes with release. So a wait acquires from every post in its sum: these
 * add up to the target or more.
 */
#ifndef WEIR_EVENT_SHARDS_H
#define WEIR_EVENT_SHARDS_H

#include "weir/event/object.h"

WEIR_FN void weir_shards_event_start(weir_event e, uint32_t past)
{
	for (uint32_t i = 0; i >> e.config.bits == 0; i++)
		/* Relaxed: the launch that uses it orders these stores. */
		weir_store_rlx(&e.words[i * e.config.apart], i == 0 ? past : 0);
}

WEIR_FN uint32_t weir_shards_signal(weir_event e, uint32_t n)
{
	(void)n;
	weir_end_launch(WEIR_FAULT_RESULT, e.config.kind);
	return 0;
}

WEIR_FN void weir_shards_post(weir_event e, uint32_t n)
{
	uint32_t shard = weir_block_id() & ((1u << e.config.bits) - 1);
	/* Pairs with the acquire in weir_shards_acquire. */
	weir_red_add_rel(&e.words[shard * e.config.apart], n);
}

WEIR_FN uint32_t weir_shards_count(weir_event e)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i >> e.config.bits == 0; i++)
		/* Relaxed: a caller that relies on it calls weir_shards_acquire. */
		sum += weir_load_rlx(&e.words[i * e.config.apart]);
	return sum;
}

/* Follows weir_shards_count or weir_shards_sum_. */
WEIR_FN void weir_shards_acquire(weir_event e)
{
	/* Pairs with the release in weir_shards_post. */
	weir_acquire_each(e.words, e.config.apart, e.config.bits);
}

WEIR_FN void weir_shards_await(weir_event e, uint32_t target)
{
	weir_wait wait = weir_event_wait_begin_(e, target);

	while (!weir_event_is_past_(weir_shards_count(e), target)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_shards_acquire(e);
}

/* The sum of all parts, each read by one of the first threads. */
WEIR_FN uint32_t weir_shards_sum_(weir_event e, uint32_t thread)
{
	uint32_t sum = 0;

	WEIR_EACH_PART (part, thread, 1u << e.config.bits)
		/* Relaxed: weir_shards_acquire follows. */
		sum += weir_load_rlx(&e.words[part * e.config.apart]);
	return weir_first_sum(sum, e.config.bits);
}

/* The first threads divide the parts, and add up together. Each acquires from those that it has read. In
 * a block of fewer threads, thread 0 reads all. */
WEIR_FN void weir_shards_await_first(weir_event e, uint32_t target, uint32_t thread,
                                     uint32_t threads)
{
	weir_wait wait;

	if (!weir_has_parts(threads, WEIR_FIRST_BITS)) {
		if (thread == 0)
			weir_shards_await(e, target);
		return;
	}
	wait = weir_event_wait_begin_(e, target);
	while (!weir_event_is_past_(weir_shards_sum_(e, thread), target)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_shards_acquire(e);
}

#endif
