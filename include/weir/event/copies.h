/* Copies event: for few blocks that signal and hundreds that wait. The waiters poll different words.
 *
 *   state    (count[copy]), 2^bits copies, all 0 at first. Block b belongs to copy b mod 2^bits.
 *   signal n count[copy] += n for every copy; returns the old count[0]
 *   post n   the same without a result
 *   wait t   a block of copy c: until count[c] is at or past t
 *
 * Any thread may signal, post and wait at any time. The copies of a count may differ during a
 * signal; each one only grows. A wait returns when its target was signalled. A signal or a post is
 * an atomic for each copy. A wait makes none; it polls one word.
 * Wraps safely, as a word event does.
 *
 * Each copy is a word event of its own: one run of read-modify-writes with release. So a wait
 * acquires from all that its copy has counted. The results of signals come from copy 0 alone, whose
 * additions have one order: exactly one of k signals finds the other k - 1, and acquires from them.
 */
#ifndef WEIR_EVENT_COPIES_H
#define WEIR_EVENT_COPIES_H

#include "weir/event/object.h"

WEIR_FN WEIR_GLOBAL weir_word *weir_copies_own_(weir_event e)
{
	return &e.words[(weir_block_id() & ((1u << e.config.bits) - 1)) * e.config.apart];
}

WEIR_FN void weir_copies_event_start(weir_event e, uint32_t past)
{
	for (uint32_t i = 0; i >> e.config.bits == 0; i++)
		/* Relaxed: the launch that uses it orders these stores. */
		weir_store_rlx(&e.words[i * e.config.apart], past);
}

WEIR_FN uint32_t weir_copies_signal(weir_event e, uint32_t n)
{
	for (uint32_t i = 1; i >> e.config.bits == 0; i++)
		/* Pairs with the acquire in weir_copies_acquire. */
		weir_red_add_rel(&e.words[i * e.config.apart], n);
	/* The release pairs with the same acquire, and with that of later signals. The acquire pairs
	 * with the releases of copy 0, here and in weir_copies_post. */
	return weir_add_acq_rel(e.words, n);
}

WEIR_FN void weir_copies_post(weir_event e, uint32_t n)
{
	/* Pairs with the acquires in weir_copies_acquire and weir_copies_signal. */
	weir_red_add_each_rel(e.words, e.config.apart, e.config.bits, n);
}

WEIR_FN uint32_t weir_copies_count(weir_event e)
{
	/* Relaxed: a caller that relies on it calls weir_copies_acquire. */
	return weir_load_rlx(weir_copies_own_(e));
}

/* Follows a relaxed look. */
WEIR_FN void weir_copies_acquire(weir_event e)
{
	/* Pairs with the releases in weir_copies_signal and weir_copies_post. */
	weir_acquire_each(weir_copies_own_(e), 0, 0);
}

WEIR_FN void weir_copies_await(weir_event e, uint32_t target)
{
	weir_wait wait = weir_event_wait_begin_(e, target);

	weir_wait_ge_rlx(&wait, weir_copies_own_(e), target);
	weir_copies_acquire(e);
}

/* All of the first threads poll the block's copy, as weir_word_await_first. */
WEIR_FN void weir_copies_await_first(weir_event e, uint32_t target, uint32_t thread,
                                     uint32_t threads)
{
	(void)thread;
	(void)threads;
	weir_copies_await(e, target);
}

#endif
