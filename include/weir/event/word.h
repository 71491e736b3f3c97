/* Word event: one word that signals add to, a counter as people write it by hand.
 *
 *   state    (count), from 0 on
 *   signal n (c) -> (c+n); returns c
 *   post n   (c) -> (c+n)
 *   wait t   until c is at or past t
 *
 * Any thread may signal, post and wait at any time. A count never goes back, so that no waiter can
 * miss its target, and nothing is ever reset. A wait returns when its target was signalled, however
 * many others wait. A signal or a post is one atomic, and a post does not wait for its result. A
 * wait makes no atomic; it polls the word.
 * Wraps safely: a count is compared with a target by signed difference. So a wait must begin less
 * than 2^31 before its target, and look before the count is 2^31 past it.
 *
 * All writes of the word are read-modify-writes. They are one run, so that a wait or a signal that
 * reads a count acquires from every signal and post in it.
 */
#ifndef WEIR_EVENT_WORD_H
#define WEIR_EVENT_WORD_H

#include "weir/event/object.h"

WEIR_FN void weir_word_event_start(weir_event e, uint32_t past)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(e.words, past);
}

WEIR_FN uint32_t weir_word_signal(weir_event e, uint32_t n)
{
	/* The release pairs with the acquire in weir_word_acquire, and with that of later
	 * signals. The acquire pairs with the releases here and in weir_word_post. */
	return weir_add_acq_rel(e.words, n);
}

WEIR_FN void weir_word_post(weir_event e, uint32_t n)
{
	/* Pairs with the acquires in weir_word_acquire and weir_word_signal. */
	weir_red_add_rel(e.words, n);
}

WEIR_FN uint32_t weir_word_count(weir_event e)
{
	/* Relaxed: a caller that relies on it calls weir_word_acquire. */
	return weir_load_rlx(e.words);
}

/* Follows a relaxed look. */
WEIR_FN void weir_word_acquire(weir_event e)
{
	/* Pairs with the releases in weir_word_signal and weir_word_post. */
	weir_acquire_each(e.words, 0, 0);
}

WEIR_FN void weir_word_await(weir_event e, uint32_t target)
{
	weir_wait wait = weir_event_wait_begin_(e, target);

	weir_wait_ge_rlx(&wait, e.words, target);
	weir_word_acquire(e);
}

/* All of the first threads poll the word: a warp that is one costs no more than a thread, and goes on
 * sooner. */
WEIR_FN void weir_word_await_first(weir_event e, uint32_t target, uint32_t thread, uint32_t threads)
{
	(void)thread;
	(void)threads;
	weir_word_await(e, target);
}

#endif
