/** @defgroup weir_event Events
 *
 * An event is a count that blocks add to, and for which other blocks wait.
 *
 * The host makes an array of them with weir_event_array_create, or the kernel makes one in zeroed
 * memory with weir_event_array_in; weir_event_at is one of them. One thread signals, posts and
 * waits for its whole block. The functions with `block` in their name are for all threads of a
 * block together, those with `team` for a team of its warps. Any number of blocks may call any
 * operation at the same time.
 *
 * A target is a count. It is reached when the count is at or past it, by signed difference. An
 * event is never reset, neither by a kernel nor between launches: a kernel that is launched more
 * than once computes its targets with weir_event_target. A latch and a sequence are an event with
 * its targets.
 *
 * Memory order: everything before a signal or a post happens before everything after a wait, a
 * look or a signal that finds it in the count.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE, teams WEIR_HAS_TEAMS, the functions that return
 * a value to a block WEIR_HAS_BLOCK_VALUE.
 *
 * @code
 * __global__ void pipeline(weir_event_array ready, float *tiles)
 * {
 * 	unsigned round = weir_event_array_round(ready);
 * 	unsigned filled = weir_event_target(round, 1, 1); // one post in each launch
 * 	if (blockIdx.x > 0) // the tile of the block before
 * 		weir_event_block_wait(weir_event_at(ready, blockIdx.x - 1), filled);
 * 	fill(tiles, blockIdx.x);
 * 	weir_event_block_post(weir_event_at(ready, blockIdx.x), 1);
 * 	weir_event_array_block_leave(ready);
 * }
 * @endcode
 */
#ifndef WEIR_EVENT_API_H
#define WEIR_EVENT_API_H

#include "weir/dispatch.h"
#include "weir/event/kinds.h"

WEIR_FN int weir_event_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(EVENT, kind);
}

WEIR_FN uint32_t weir_event_count_(weir_event e)
{
	WEIR_CHECK_FIXED_(EVENT, e.config);
	WEIR_DISPATCH_RETURN_(EVENT, WEIR_KIND_(EVENT, e.config), _count, (e), 0);
}

WEIR_FN void weir_event_acquire_(weir_event e)
{
	WEIR_DISPATCH_(EVENT, WEIR_KIND_(EVENT, e.config), _acquire, (e));
}

/* Whether a count that has just been loaded is at or past the target; if so, it acquires. */
WEIR_FN int weir_event_has_reached_(weir_event e, uint32_t count, uint32_t target)
{
	int is_past = weir_event_is_past_(count, target);

	if (is_past)
		weir_event_acquire_(e);
	return is_past;
}

WEIR_FN int weir_event_reached_(weir_event e, uint32_t target)
{
	return weir_event_has_reached_(e, weir_event_count_(e), target);
}

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/event.h"
#endif

/** Sets the state of an event whose count is `past`; all zeros for 0. One thread calls it, before
 * the launch that uses the event. */
WEIR_FN void weir_event_start(weir_event e, uint32_t past)
{
	WEIR_DISPATCH_(EVENT, WEIR_KIND_(EVENT, e.config), _event_start, (e, past));
	WEIR_NOTED_(weir_note_start_(e, past));
}

WEIR_FN uint32_t weir_event_signal_(weir_event e, uint32_t n)
{
	WEIR_CHECK_FIXED_(EVENT, e.config);
	WEIR_DISPATCH_RETURN_(EVENT, WEIR_KIND_(EVENT, e.config), _signal, (e, n), 0);
}

/** Adds `n`, from 1 to 2^31, and returns the count before. The last of k signals of 1 finds k - 1
 * more than the first began with, and knows what the blocks of all others did before. Not for the
 * kind `shards`, which ends the launch. */
WEIR_FN uint32_t weir_event_signal(weir_event e, uint32_t n WEIR_SITE_)
{
	uint32_t before;

	WEIR_NOTED_(if (weir_event_refuses_signal_(e, n, site)) return 0);
	before = weir_event_signal_(e, n);
	WEIR_NOTED_(weir_note_signal_(e, n));
	return before;
}

WEIR_FN void weir_event_post_(weir_event e, uint32_t n)
{
	WEIR_CHECK_FIXED_(EVENT, e.config);
	WEIR_DISPATCH_(EVENT, WEIR_KIND_(EVENT, e.config), _post, (e, n));
}

/** Adds `n`, from 1 to 2^31. No thread waits for the result. */
WEIR_FN void weir_event_post(weir_event e, uint32_t n WEIR_SITE_)
{
	WEIR_NOTED_(if (weir_event_refuses_(e, n, site)) return );
	weir_event_post_(e, n);
	WEIR_NOTED_(weir_note_signal_(e, n));
}

/** weir_event_post after the bulk copies that this thread has started: the post covers all that
 * they write to global memory. Bulk copies exist only on CUDA from sm_90 on. A block that then
 * reads the data by a bulk copy puts a fence.proxy.async between its wait and the copy. */
WEIR_FN void weir_event_post_bulk(weir_event e, uint32_t n WEIR_SITE_)
{
	weir_bulk_wait();
	weir_event_post(e, n WEIR_AT_);
}

/** Waits until the count is at or past `target`. */
WEIR_FN void weir_event_wait(weir_event e, uint32_t target WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_event_open_(e, site); weir_doing doing);

	WEIR_NOTED_(if (weir_event_left_out_(n, e) || weir_event_sees_(n, e, target)) return );
	WEIR_NOTED_(doing = weir_note_event_(n));
	WEIR_CHECK_FIXED_(EVENT, e.config);
	WEIR_DISPATCH_(EVENT, WEIR_KIND_(EVENT, e.config), _await, (e, target));
	WEIR_NOTED_(weir_note_end_(weir_event_base_(e), doing));
}

/** The count at one moment, for information: it orders nothing. */
WEIR_FN uint32_t weir_event_count(weir_event e WEIR_SITE_)
{
	WEIR_NOTED_(if (weir_event_left_out_(weir_event_open_(e, site), e)) return 0);
	WEIR_NOTED_(weir_area_leave_());
	return weir_event_count_(e);
}

/** Looks once. If it returns 1, the count is at or past `target`, as after a wait. */
WEIR_FN int weir_event_reached(weir_event e, uint32_t target WEIR_SITE_)
{
	uint32_t count;
	WEIR_NOTED_(weir_notes n = weir_event_open_(e, site));

	WEIR_NOTED_(if (weir_event_left_out_(n, e)) return 0);
	count = weir_event_count_(e);
	WEIR_NOTED_(weir_note_target_(n, e, count, target); weir_area_leave_());
	return weir_event_has_reached_(e, count, target);
}

/** Waits for `count` events, from `first` on, to reach the target. */
WEIR_FN void weir_event_array_wait_all(weir_event_array a, uint32_t first, uint32_t count,
                                       uint32_t target WEIR_SITE_)
{
	for (uint32_t i = 0; i < count; i++)
		weir_event_wait(weir_event_at(a, first + i WEIR_AT_), target WEIR_AT_);
}

/* The first of the range that has reached the target; first + count if none has. */
WEIR_FN uint32_t weir_event_find_(weir_event_array a, uint32_t first, uint32_t count,
                                  uint32_t target)
{
	for (uint32_t i = 0; i < count; i++)
		if (weir_event_reached_(weir_event_at_(a, first + i), target))
			return first + i;
	return first + count;
}

/** Waits for any of `count` events, from `first` on, to reach the target. Returns the index of one
 * that has: the one nearest to `first`, if several have when it looks. A count of 0 is no wait. */
WEIR_FN uint32_t weir_event_array_wait_any(weir_event_array a, uint32_t first, uint32_t count,
                                           uint32_t target WEIR_SITE_)
{
	weir_wait wait;
	uint32_t found = first + count;
	WEIR_NOTED_(weir_doing doing);

	WEIR_NOTED_(found = weir_event_look_(a, first, count, target, site));
	WEIR_NOTED_(if (count == 0 || found != first + count) return found);
	WEIR_NOTED_(doing = weir_note_event_(weir_event_open_(weir_event_at_(a, first), site)));
	wait = weir_wait_begin(weir_no_backoff());
	WEIR_NOTED_(weir_wait_wants_(&wait, a.config.id, first, count, target));
	while (count != 0 && (found = weir_event_find_(a, first, count, target)) == first + count) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	WEIR_NOTED_(weir_note_end_(a.words, doing));
	return found;
}

/** Posts for a block. All threads of the block call it, and thread 0 posts when all of them have. */
WEIR_FN void weir_event_block_post(weir_event e, uint32_t n WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_event_post(e, n WEIR_AT_);
}

/** weir_event_block_post after the bulk copies that any thread of the block has started, as
 * weir_event_post_bulk. */
WEIR_FN void weir_event_block_post_bulk(weir_event e, uint32_t n WEIR_SITE_)
{
	weir_bulk_wait();
	weir_event_block_post(e, n WEIR_AT_);
}

/* The first ones of `threads` threads of a block or team wait for all of it. */
WEIR_FN void weir_event_await_first_(weir_event e, uint32_t target, uint32_t thread,
                                     uint32_t threads WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_event_open_(e, site); weir_doing doing);

	WEIR_NOTED_(if (weir_event_left_out_(n, e)) return );
	WEIR_NOTED_(doing = weir_note_event_first_(n, &e, target, thread));
	WEIR_CHECK_FIXED_(EVENT, e.config);
	WEIR_DISPATCH_(EVENT, WEIR_KIND_(EVENT, e.config), _await_first,
	               (e, target, thread, threads));
	WEIR_NOTED_(weir_note_end_(weir_event_base_(e), doing));
}

/** Waits for a block. All threads of the block call it. */
WEIR_FN void weir_event_block_wait(weir_event e, uint32_t target WEIR_SITE_)
{
	if (weir_is_first(weir_thread_id()))
		weir_event_await_first_(e, target, weir_thread_id(), weir_thread_count() WEIR_AT_);
	weir_block_sync(); /* extends the acquires to the block */
}

/** weir_event_array_wait_all for a block. All threads of the block call it, and divide the range. */
WEIR_FN void weir_event_array_block_wait_all(weir_event_array a, uint32_t first, uint32_t count,
                                             uint32_t target WEIR_SITE_)
{
	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count())
		weir_event_wait(weir_event_at(a, first + i WEIR_AT_), target WEIR_AT_);
	weir_block_sync(); /* extends each thread's acquires to all */
}

#if WEIR_HAS_BLOCK_VALUE

/** Signals for a block. All threads of the block call it, and all of them get the count before.
 * Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_event_block_signal(weir_event e, uint32_t n WEIR_SITE_)
{
	uint32_t before = 0;

	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		before = weir_event_signal(e, n WEIR_AT_);
	return weir_block_value(before); /* its sync extends the leader's acquire to its block */
}

/** weir_event_array_wait_any for a block. All threads of the block call it with the same range,
 * and all of them get the same index. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_event_array_block_wait_any(weir_event_array a, uint32_t first, uint32_t count,
                                                 uint32_t target WEIR_SITE_)
{
	uint32_t found = 0;

	weir_block_sync(); /* all have read the value before */
	if (weir_thread_id() == 0)
		found = weir_event_array_wait_any(a, first, count, target WEIR_AT_);
	return weir_block_value(found); /* its sync extends the leader's acquire to its block */
}

#endif

WEIR_LIST_KINDS_(EVENT)

#endif
