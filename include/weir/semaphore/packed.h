/* Packed semaphore: the slots taken, the slots waited for and the turns given, in one 64-bit word.
 * It is the sleeping semaphore's queue with ticket and turn in one word.
 *
 *   state   (released, used), the upper and the lower half: used = slots taken + slots waited for,
 *           released = slots given back so far, modulo 2^32
 *   wait    (r, u) -> (r, u+n); if u + n > max, then wait until released is at or past
 *           r + (u + n - max). For n > 1024 only if u + n <= max + 2^30; else first wait for that,
 *           outside the queue
 *   try     (r, u) -> (r, u+n) if u + n <= max, which means that no thread waits
 *   post    (r, u) -> (r+n, u-n)
 *
 * All-zero memory is a semaphore with all its slots free; for another initial value start with
 * weir_packed_semaphore_start.
 * Any thread may wait or post at any time. Posting more than was taken is the caller's error, and
 * so is waiting for more than the maximum.
 * Fair: first come, first served, in the order of the fetch-and-add, whatever the number of slots.
 * A wait for more than 1024 that finds the queue full is overtaken by waits that find room in it.
 * One atomic for each wait, preceded by a load for more than 1024 slots; one atomic without a
 * result for each post. A waiter only loads. Between two loads it pauses backoff.min units for
 * every `maximum` slots that must be released before its turn.
 * Wraps safely: `used` stays below 2^32 (semaphore/line.h), and a post never subtracts more than it
 * holds, so neither half carries into or borrows from the other. `released` is compared by signed
 * difference. No wait is for 2^31 or more, and a waiter loads again before 2^31 slots are released
 * after its turn; a post of n counts as n.
 *
 * All changes of the word are read-modify-writes, so that a wait acquires all posts before the
 * value that let it in. If A slots were requested up to and including its own, at least A - max of
 * them have been released.
 */
#ifndef WEIR_SEMAPHORE_PACKED_H
#define WEIR_SEMAPHORE_PACKED_H

#include "weir/semaphore/line.h"

#if !WEIR_HAS_WORD64
#error "the packed semaphore needs a machine with 64-bit words (WEIR_HAS_WORD64)"
#endif

WEIR_FN WEIR_GLOBAL weir_word64 *weir_packed_word_(weir_semaphore s)
{
	return weir_word64_at(s.words, 0);
}

WEIR_FN uint32_t weir_packed_semaphore_words(weir_semaphore_config config)
{
	(void)config;
	return 2;
}

WEIR_FN void weir_packed_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store64_rlx(weir_packed_word_(s), (uint64_t)past << 32 | (s.config.maximum - value));
}

/* Joins the queue when there is room for `n`; returns the previous value of the word. */
WEIR_FN uint64_t weir_packed_join_(weir_semaphore s, uint32_t n)
{
	weir_wait wait = weir_wait_begin(s.config.backoff);
	uint64_t old;

	for (;;) {
		/* Relaxed: a guess; the read-modify-write below acquires. */
		old = weir_load64_rlx(weir_packed_word_(s));
		/* Pairs with the release in weir_packed_post_n. */
		if (weir_line_has_room_((uint32_t)old, n, s.config.maximum) &&
		    weir_cas64_acq(weir_packed_word_(s), old, old + n) == old)
			break;
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	return old;
}

WEIR_FN void weir_packed_wait_n(weir_semaphore s, uint32_t n)
{
	uint64_t old;
	uint32_t used;

	if (n <= WEIR_LINE_AT_ONCE)
		/* Pairs with the release in weir_packed_post_n. */
		old = weir_add64_acq(weir_packed_word_(s), n);
	else
		old = weir_packed_join_(s, n);
	used = (uint32_t)old + n;
	if (WEIR_LIKELY(used <= s.config.maximum))
		return;
	/* Pairs with the same release. */
	weir_await_high_ge_acq(weir_packed_word_(s),
	                       (uint32_t)(old >> 32) + (used - s.config.maximum),
	                       s.config.backoff.min, s.config.maximum);
}

WEIR_FN weir_status weir_packed_try_wait_n(weir_semaphore s, uint32_t n)
{
	/* Relaxed: a guess; the read-modify-write below acquires. */
	uint64_t old = weir_load64_rlx(weir_packed_word_(s));

	/* With 64 bits: in a long queue the sum may pass 2^32. */
	while ((uint64_t)(uint32_t)old + n <= s.config.maximum) {
		/* Pairs with the release in weir_packed_post_n. */
		uint64_t found = weir_cas64_acq(weir_packed_word_(s), old, old + n);
		if (found == old)
			return WEIR_OK;
		old = found;
	}
	return WEIR_BUSY;
}

WEIR_FN void weir_packed_post_n(weir_semaphore s, uint32_t n)
{
	/* n in the upper half and -n in the lower one. Pairs with all acquires here. */
	weir_red_add64_rel(weir_packed_word_(s), (uint64_t)n * 0xffffffffu);
}

WEIR_FN void weir_packed_wait(weir_semaphore s)
{
	weir_packed_wait_n(s, 1);
}

WEIR_FN void weir_packed_post(weir_semaphore s)
{
	weir_packed_post_n(s, 1);
}

WEIR_FN int weir_packed_above(weir_semaphore s)
{
	/* Relaxed: only the number counts. */
	return (int32_t)weir_load64_rlx(weir_packed_word_(s)) < 0;
}

#endif
