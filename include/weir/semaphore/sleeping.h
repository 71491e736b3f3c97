/* Sleeping semaphore: count first, queue only when full (Stuart and Owens, "Sleeping Semaphore").
 *
 *   state   (count, ticket, turn), count = slots taken + waiters; ticket == turn when none waits
 *   wait    (c, k, t) -> (c+1, k, t); if c >= max, then (c', k', t) -> (c', k'+1, t) and wait
 *           until turn is past k'
 *   post    (c, k, t) -> (c-1, k, t); if c > max, then (c', k, t) -> (c', k, t+1)
 *   wait n  (c, k, t) -> (c+n, k, t); if c + n > max, then all n queue: (c', k', t) -> (c', k'+n,
 *           t), and if c < max, the slots that were free go to the queue: (c', k'', t) -> (c', k'',
 *           t + max - c); then wait until turn is at or past k' + n. For n > 1024 repeat try n,
 *           outside the queue
 *   try n   (c, k, t) -> (c+n, k, t) if c + n <= max, which means that no thread queues
 *   post n  (c, k, t) -> (c-n, k, t); then a turn for each of the n that was above max
 *
 * All-zero memory is a semaphore with all its slots free; for another initial value start with
 * weir_sleeping_semaphore_start.
 * Any thread may wait or post at any time; posting more than was taken is the caller's error.
 * First come, first served among waiters that queue, in the order of their tickets. A wait may be
 * overtaken between its two atomics. A wait for more than 1024 may starve behind the others. One or
 * two atomics for each wait and for each post; a post never waits.
 * Wraps safely: a count never exceeds the maximum plus the slots queued for, which are below 2^31
 * and 2^30 (semaphore/line.h). Turns are compared by signed difference. Every turn that a waiter
 * reads differs from its own by less than 2^31. A wait for n takes n turns, at most 1024. Waits for
 * more do not queue, because a few of them could take 2^31 turns.
 *
 * A wait that needs no turn acquires all posts before it in the order of `count`, since all changes
 * of `count` are read-modify-writes. A queued wait also acquires those and, through the turn, one
 * later post for each turn given. So the n-th wait has seen n - initial posts.
 */
#ifndef WEIR_SEMAPHORE_SLEEPING_H
#define WEIR_SEMAPHORE_SLEEPING_H

#include "weir/semaphore/line.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_sleeping_count_(weir_semaphore s)
{
	return &s.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_sleeping_ticket_(weir_semaphore s)
{
	return &s.words[s.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_sleeping_turn_(weir_semaphore s)
{
	return &s.words[2 * s.config.pitch];
}

WEIR_FN uint32_t weir_sleeping_semaphore_words(weir_semaphore_config config)
{
	return 2 * config.pitch + 1;
}

WEIR_FN void weir_sleeping_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_sleeping_count_(s), s.config.maximum - value);
	weir_store_rlx(weir_sleeping_ticket_(s), past);
	weir_store_rlx(weir_sleeping_turn_(s), past);
}

WEIR_FN void weir_sleeping_wait(weir_semaphore s)
{
	/* Pairs with the release of `count` in weir_sleeping_post. */
	if (weir_add_acq(weir_sleeping_count_(s), 1) < s.config.maximum)
		return;
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_sleeping_ticket_(s), 1);
	/* Pairs with the release of `turn` in weir_sleeping_post. */
	weir_await_ge_acq(weir_sleeping_turn_(s), mine + 1, s.config.backoff);
}

WEIR_FN void weir_sleeping_post(weir_semaphore s)
{
	/* Pairs with the acquire of `count` in weir_sleeping_wait. */
	if (weir_add_rel(weir_sleeping_count_(s), (uint32_t)-1) > s.config.maximum)
		/* Pairs with the acquire of `turn` there. */
		weir_add_rel(weir_sleeping_turn_(s), 1);
}

WEIR_FN weir_status weir_sleeping_try_wait_n(weir_semaphore s, uint32_t n)
{
	/* Relaxed: a guess; the read-modify-write below acquires. */
	uint32_t count = weir_load_rlx(weir_sleeping_count_(s));

	/* With 64 bits: in a long queue the sum may pass 2^32. */
	while ((uint64_t)count + n <= s.config.maximum) {
		/* Pairs with the releases of `count` in both posts. */
		uint32_t found = weir_cas_acq(weir_sleeping_count_(s), count, count + n);
		if (found == count)
			return WEIR_OK;
		count = found;
	}
	return WEIR_BUSY;
}

/* Waits outside the queue. */
WEIR_FN void weir_sleeping_wait_for_many_(weir_semaphore s, uint32_t n)
{
	weir_wait wait = weir_wait_begin(s.config.backoff);

	while (weir_sleeping_try_wait_n(s, n) != WEIR_OK) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

/* A wait that finds some slots but not enough does not keep them while it queues. Otherwise it
 * could deadlock with a wait that overtook it between its atomics: each would wait for slots of the
 * other. */
WEIR_FN void weir_sleeping_wait_n(weir_semaphore s, uint32_t n)
{
	uint32_t before;

	if (n > WEIR_LINE_AT_ONCE) {
		weir_sleeping_wait_for_many_(s, n);
		return;
	}
	/* Pairs with the releases of `count` in both posts. */
	before = weir_add_acq(weir_sleeping_count_(s), n);
	if (before + n <= s.config.maximum)
		return;
	/* Relaxed: the ticket only orders us among waiters; the acquire below carries the data. */
	uint32_t mine = weir_add_rlx(weir_sleeping_ticket_(s), n);
	if (before < s.config.maximum)
		/* Passes on what the add above acquired. Pairs with the acquires of `turn`. */
		weir_red_add_rel(weir_sleeping_turn_(s), s.config.maximum - before);
	/* Pairs with the releases of `turn` here and in both posts. */
	weir_await_ge_acq(weir_sleeping_turn_(s), mine + n, s.config.backoff);
}

WEIR_FN void weir_sleeping_post_n(weir_semaphore s, uint32_t n)
{
	/* Pairs with the acquires of `count` in both waits. */
	uint32_t before = weir_add_rel(weir_sleeping_count_(s), (uint32_t)0 - n);
	if (before > s.config.maximum) {
		uint32_t above = before - s.config.maximum;
		/* Pairs with the acquires of `turn` there. */
		weir_red_add_rel(weir_sleeping_turn_(s), above < n ? above : n);
	}
}

WEIR_FN int weir_sleeping_above(weir_semaphore s)
{
	/* Relaxed: only the number counts. */
	return (int32_t)weir_load_rlx(weir_sleeping_count_(s)) < 0;
}

#endif
