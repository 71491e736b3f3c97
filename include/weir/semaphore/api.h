/** @defgroup weir_semaphore Semaphores
 *
 * A semaphore has slots, which blocks take and give back.
 *
 * The host makes one with weir_semaphore_create, for a maximum of slots, or the kernel makes
 * one in zeroed memory with weir_semaphore_in. One thread waits and posts for its whole block,
 * any thread of it. The functions with `block` in their name are for all threads of a block
 * together, those with `team` for a team of its warps. Where WEIR_HAS_THREAD_PROGRESS, single
 * threads may also wait and post for themselves.
 *
 * Any number of blocks may call any operation at the same time. A post gives back a slot that a
 * wait took, by the same block or another one, or one that was not free at creation. The value
 * never exceeds the maximum.
 *
 * Memory order: everything before a post happens before everything after a wait that takes the
 * slot.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE, teams WEIR_HAS_TEAMS.
 *
 * @code
 * __global__ void stage(weir_semaphore slots, const float *in, float *out)
 * {
 * 	weir_semaphore_block_wait(slots); // at most weir_semaphore_config.maximum blocks are here
 * 	use_a_buffer(in, out);
 * 	weir_semaphore_block_post(slots);
 * }
 * @endcode
 */
#ifndef WEIR_SEMAPHORE_API_H
#define WEIR_SEMAPHORE_API_H

#include "weir/dispatch.h"
#include "weir/semaphore/kinds.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/semaphore.h"
#endif

WEIR_FN int weir_semaphore_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(SEMAPHORE, kind);
}

/** The words of a semaphore. */
WEIR_FN uint32_t weir_semaphore_words(weir_semaphore_config config)
{
	WEIR_DISPATCH_VALUE_(SEMAPHORE, WEIR_KIND_(SEMAPHORE, config), _semaphore_words, (config),
	                     0);
}

/** Sets the state of a semaphore with `value` slots free that was used `past` times. One thread
 * calls it, before the launch that uses the semaphore. */
WEIR_FN void weir_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	WEIR_DISPATCH_(SEMAPHORE, WEIR_KIND_(SEMAPHORE, s.config), _semaphore_start,
	               (s, value, past));
}

/** Whether more slots are free than the maximum, as far as one load can tell: some block posted
 * a slot that it had not taken. Any thread may call it; it orders nothing. */
WEIR_FN int weir_semaphore_above(weir_semaphore s)
{
	WEIR_DISPATCH_VALUE_(SEMAPHORE, WEIR_KIND_(SEMAPHORE, s.config), _above, (s), 0);
}

#ifdef WEIR_DIAGNOSE
/* Follows a post. */
WEIR_FN void weir_note_posted_(weir_semaphore s, uint32_t slots, weir_site site)
{
	if (!WEIR_LIKELY(!weir_note_post_(s.words, s.config.id, slots, site)) &&
	    weir_semaphore_above(s)) {
		weir_note_misuse_(weir_notes_open_(s.words, s.config.id, site),
		                  WEIR_MISUSE_ABOVE_MAXIMUM, 0, s.config.maximum);
		weir_area_leave_();
	}
}
#endif

WEIR_FN void weir_semaphore_wait_of_(weir_semaphore s, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(SEMAPHORE, kind, _wait, (s), WEIR_REFUSE_KIND_(SEMAPHORE, s, kind));
}

/** Waits until a slot is free, and takes it. One thread calls it for its block. */
WEIR_FN void weir_semaphore_wait(weir_semaphore s WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(SEMAPHORE, s.config);
	WEIR_NOTED_(weir_doing doing = weir_note_wait_(s.words, s.config.id, 1, site));

	WEIR_CHECK_(SEMAPHORE, s, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(SEMAPHORE, kind, weir_semaphore_wait_of_, s);
	WEIR_NOTED_(weir_note_end_(s.words, doing));
}

WEIR_FN void weir_semaphore_post_of_(weir_semaphore s, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(SEMAPHORE, kind, _post, (s), WEIR_REFUSE_KIND_(SEMAPHORE, s, kind));
}

/** Gives a slot back that a wait took, or that was not free at creation. One more post would raise
 * the value above the maximum. One thread calls it for its block. */
WEIR_FN void weir_semaphore_post(weir_semaphore s WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(SEMAPHORE, s.config);

	WEIR_CHECK_ONLY_(SEMAPHORE, s, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(SEMAPHORE, kind, weir_semaphore_post_of_, s);
	WEIR_NOTED_(weir_note_posted_(s, 1, site));
}

/** Takes `n` slots at once, or none; `n` is at most the maximum. In the queue it counts as one
 * wait. */
WEIR_FN void weir_semaphore_wait_n(weir_semaphore s, uint32_t n WEIR_SITE_)
{
	WEIR_NOTED_(weir_doing doing = weir_note_wait_(s.words, s.config.id, n, site));

	WEIR_CHECK_(SEMAPHORE, s, WEIR_NO_RESULT_);
	WEIR_DISPATCH_(SEMAPHORE, WEIR_KIND_(SEMAPHORE, s.config), _wait_n, (s, n));
	WEIR_NOTED_(weir_note_end_(s.words, doing));
}

WEIR_FN void weir_semaphore_post_n_of_(weir_semaphore s, uint32_t n, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(SEMAPHORE, kind, _post_n, (s, n), WEIR_REFUSE_KIND_(SEMAPHORE, s, kind));
}

/** Gives `n` slots back, like `n` posts, but at the cost of one. */
WEIR_FN void weir_semaphore_post_n(weir_semaphore s, uint32_t n WEIR_SITE_)
{
	WEIR_CHECK_ONLY_(SEMAPHORE, s, WEIR_NO_RESULT_);
	weir_semaphore_post_n_of_(s, n, WEIR_KIND_(SEMAPHORE, s.config) WEIR_AT_);
	WEIR_NOTED_(weir_note_posted_(s, n, site));
}

/** Takes a slot for a block. All threads of the block call it; when it returns, the block has a
 * slot. */
WEIR_FN void weir_semaphore_block_wait(weir_semaphore s WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait(s WEIR_AT_);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/** Gives a block's slot back. All threads of the block call it; thread 0 posts when all of them
 * have. */
WEIR_FN void weir_semaphore_block_post(weir_semaphore s WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post(s WEIR_AT_);
}

WEIR_LIST_KINDS_(SEMAPHORE)

#endif
