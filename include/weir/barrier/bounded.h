/* A barrier with a deadline: one algorithm for all kinds. Its two words follow those of the kind.
 *
 *   state    (arrived, decision); an even decision is twice the number of phases passed, an odd
 *            decision means broken
 *   arrive   (a, d) -> (a+1, d) for a < blocks-1
 *            (blocks-1, d) -> (0, d) -> (0, d+2) by the last block to arrive, unless the barrier is
 *            broken
 *   give up  (a, d) -> (a, d+1) for an even d, by a block whose deadline has passed
 *
 * All threads of all `blocks` blocks call it, each block with a deadline of its own. It returns the
 * same result in every thread of every block, since one word decides. A broken barrier stays
 * broken: it returns at once in blocks that arrive later, until the host resets the object. Phases
 * with a deadline and phases of the kind itself may alternate, since each has its own words.
 * Each block makes one or two atomics, and one more if it gives up; the waiters poll one word.
 * Wraps safely: a decision is only tested for equality with values computed from a decision that
 * the same thread loaded earlier.
 *
 * Before its block arrives, a thread can find this phase undecided or broken. It cannot find the
 * phase passed, since that needs the thread's own block. After its leader has returned, a thread
 * can find this phase broken, or passed, or passed with the next phase broken. It cannot find the
 * next phase passed, since that needs its own block again. So the first decision that a thread
 * loads, rounded down to an even number, identifies the phase, which is broken if the decision is
 * that number plus one.
 */
#ifndef WEIR_BARRIER_BOUNDED_H
#define WEIR_BARRIER_BOUNDED_H

#include "weir/barrier/api.h"

/* The words of the kind itself, rounded up to a multiple of the pitch. */
WEIR_FN uint32_t weir_barrier_own_words_(weir_barrier_config config)
{
	uint32_t words = weir_barrier_kind_words(config);
	return (words + config.pitch - 1) / config.pitch * config.pitch;
}

/** All words of a barrier. Those after the kind's own words start at zero. */
WEIR_FN uint32_t weir_barrier_words(weir_barrier_config config)
{
	return weir_barrier_own_words_(config) + config.pitch + 1;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_bounded_arrived_(weir_barrier b)
{
	return &b.words[weir_barrier_own_words_(b.config)];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_bounded_decision_(weir_barrier b)
{
	return weir_bounded_arrived_(b) + b.config.pitch;
}

/** Sets the words for phases with a deadline to zero. One thread calls it, before the launch that
 * uses the barrier. */
WEIR_FN void weir_bounded_barrier_start(weir_barrier b)
{
	/* Relaxed: the launch that uses it orders these stores; for a group, the release in
	 * weir_group_close_ does. */
	weir_store_rlx(weir_bounded_arrived_(b), 0);
	weir_store_rlx(weir_bounded_decision_(b), 0);
}

#if WEIR_HAS_DEADLINE

WEIR_FN void weir_bounded_await_(weir_barrier b, uint32_t open, const weir_deadline *deadline)
{
	weir_wait wait = weir_wait_begin(b.config.backoff);
	weir_wait_can_fail(&wait);

	/* Pairs with the release of the last block to arrive. */
	while (weir_load_acq(weir_bounded_decision_(b)) == open) {
		if (weir_wait_result(&wait, deadline) != WEIR_OK) {
			/* Acquire: the compare-and-swap may find the phase passed. Pairs with the
			 * same release. */
			weir_cas_acq(weir_bounded_decision_(b), open, open + 1);
			return;
		}
		weir_wait_again(&wait);
	}
}

WEIR_FN void weir_bounded_arrive_(weir_barrier b, uint32_t open, const weir_deadline *deadline)
{
	/* The release pairs with the acquire of the same add by the last block to arrive. */
	if (weir_add_acq_rel(weir_bounded_arrived_(b), 1) != b.config.blocks - 1) {
		weir_bounded_await_(b, open, deadline);
		return;
	}
	/* Relaxed: the release below orders it before every arrival of the next phase. */
	weir_store_rlx(weir_bounded_arrived_(b), 0);
	/* Pairs with the acquires in weir_bounded_await_. */
	weir_cas_rel(weir_bounded_decision_(b), open, open + 2);
}

WEIR_FN weir_status weir_bounded_barrier_(weir_barrier b, uint64_t ns)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	/* Relaxed: our last barrier, or the launch, happens before it. */
	uint32_t found = weir_load_rlx(weir_bounded_decision_(b));
	uint32_t open = found & ~(uint32_t)1;

	weir_block_sync_rel(); /* the block's writes, and this load, precede the leader's release */
	if (weir_thread_id() == 0 && found == open)
		weir_bounded_arrive_(b, open, &deadline);
	weir_block_sync(); /* extends the leader's acquire to its block */
	/* Relaxed: the leader has acquired, and the block sync orders this load after that. */
	return weir_load_rlx(weir_bounded_decision_(b)) == open + 1 ? WEIR_TIMED_OUT : WEIR_OK;
}

/** Waits for all blocks, up to a deadline. Every thread of every block calls it; each block passes
 * its own `ns` nanoseconds. It returns WEIR_OK in all of them, or WEIR_TIMED_OUT in all of them if
 * one block ran out of time before the last block arrived. After that it returns WEIR_TIMED_OUT at
 * once, until the host resets the barrier. Phases with and without a deadline may alternate.
 * Requires WEIR_HAS_DEADLINE. */
WEIR_FN weir_status weir_barrier_wait_for(weir_barrier b, uint64_t ns WEIR_SITE_)
{
	WEIR_CHECK_MEMBER_(b);
	WEIR_CHECK_ALL_(BARRIER, b, WEIR_ABORTED);
	return weir_bounded_barrier_(b, ns);
}

#endif

#endif
