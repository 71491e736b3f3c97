/* The operations of a semaphore of any kind. One thread waits and posts for its whole block; the
 * functions with `block` in their name are for all threads of a block together. */
#ifndef WEIR_SEMAPHORE_API_H
#define WEIR_SEMAPHORE_API_H

#include "weir/dispatch.h"
#include "weir/semaphore/kinds.h"

WEIR_FN int weir_semaphore_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(SEMAPHORE, kind);
}

/* How many words a semaphore takes. */
WEIR_FN uint32_t weir_semaphore_words(weir_semaphore_config config)
{
	WEIR_DISPATCH_VALUE_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(config), _semaphore_words, (config),
	                     0);
}

/* Sets the state of a semaphore with `value` slots free that was used `past` times. */
WEIR_FN void weir_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	WEIR_DISPATCH_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), _semaphore_start,
	               (s, value, past));
}

WEIR_FN void weir_semaphore_wait_of_(weir_semaphore s, uint32_t kind)
{
	WEIR_DISPATCH_(SEMAPHORE, kind, _wait, (s));
}

WEIR_FN void weir_semaphore_wait(weir_semaphore s)
{
	uint32_t kind = WEIR_SEMAPHORE_KIND_(s.config);

	WEIR_SEMAPHORE_CHECK_(s.config);
	WEIR_DISPATCH_LIKELY_(SEMAPHORE, kind, weir_semaphore_wait_of_, s);
}

WEIR_FN void weir_semaphore_post_of_(weir_semaphore s, uint32_t kind)
{
	WEIR_DISPATCH_(SEMAPHORE, kind, _post, (s));
}

/* Each post gives back a slot that a wait took, or that was not free at creation. One more post
 * would raise the value above the maximum. */
WEIR_FN void weir_semaphore_post(weir_semaphore s)
{
	uint32_t kind = WEIR_SEMAPHORE_KIND_(s.config);

	WEIR_SEMAPHORE_CHECK_(s.config);
	WEIR_DISPATCH_LIKELY_(SEMAPHORE, kind, weir_semaphore_post_of_, s);
}

/* Takes `n` slots at once, or none; `n` is at most the maximum. In the queue it counts as one
 * wait. */
WEIR_FN void weir_semaphore_wait_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	WEIR_DISPATCH_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), _wait_n, (s, n));
}

/* Gives `n` slots back, like `n` posts, but at the cost of one. */
WEIR_FN void weir_semaphore_post_n(weir_semaphore s, uint32_t n)
{
	WEIR_SEMAPHORE_CHECK_(s.config);
	WEIR_DISPATCH_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), _post_n, (s, n));
}

/* Whether more slots are free than the maximum, as far as one load can tell: some block posted a
 * slot that it had not taken. */
WEIR_FN int weir_semaphore_above(weir_semaphore s)
{
	WEIR_DISPATCH_VALUE_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), _above, (s), 0);
}

/* All threads of the block call it; when it returns, the block has a slot. */
WEIR_FN void weir_semaphore_block_wait(weir_semaphore s)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait(s);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/* All threads of the block call it; the leader gives the slot back when all of them have. */
WEIR_FN void weir_semaphore_block_post(weir_semaphore s)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post(s);
}

WEIR_SEMAPHORE_LIST_

#endif
