/** @defgroup weir_once Once
 *
 * One block initializes, and all others wait for it, in whichever launch.
 *
 * The host makes a once with weir_once_create, or the kernel makes one in zeroed memory with
 * weir_once_in. One thread calls an operation for its block; the functions with `block` in
 * their name are for all threads of a block together. Any number of blocks may begin at the
 * same time, and as often as they like. The block that begins ends, and does not begin again
 * before that. A once stays done until the host resets it.
 *
 * Memory order: everything before the end happens before everything after a begin that returns
 * 0.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE.
 *
 * @code
 * __global__ void look_up(weir_once once, float *table)
 * {
 * 	if (weir_once_block_begin(once)) {
 * 		fill(table);
 * 		weir_once_block_end(once);
 * 	}
 * 	use(table);
 * }
 * @endcode
 */

/* The operations of a once: one block initializes, all others wait for it, in whichever launch.
 *
 *   state   (s): 0 new, 1 begun, 2 done
 *   begin   (0) -> (1), and the caller initializes; else it waits until s is 2
 *   end     (1) -> (2), by the block that began
 *
 *   if (weir_once_begin(o)) {
 *           ... initialize ...
 *           weir_once_end(o);
 *   }
 *
 * Any thread may begin at any time. Everything before the end happens before everything after a
 * begin that returns 0. When it is done, a begin is one load. Before that it is a load and one
 * atomic, and then it polls. It stays done for later launches, until the host resets it. The
 * block that began must end: the others wait for it. It must not begin again before that, since
 * it would wait for itself. Nothing wraps.
 */
#ifndef WEIR_ONCE_API_H
#define WEIR_ONCE_API_H

#include "weir/once/object.h"

/** The word of a once that no block has begun. */
#define WEIR_ONCE_NEW 0u
/** The word of a once that a block initializes. */
#define WEIR_ONCE_BEGUN 1u
/** The word of a once that is done. */
#define WEIR_ONCE_DONE 2u

/** Returns whether it is done. If so, it acquires as a begin that returns 0. Any thread may call
 * it; it never waits. */
WEIR_FN int weir_once_is_done(weir_once o)
{
	/* Pairs with the release in weir_once_end. */
	return weir_load_acq(&o.words[0]) == WEIR_ONCE_DONE;
}

/* Whether the caller is the one that initializes. */
WEIR_FN int weir_once_is_mine_(weir_once o)
{
	/* Relaxed: the block that begins is the first, and has nothing to acquire. */
	return weir_cas_rlx(&o.words[0], WEIR_ONCE_NEW, WEIR_ONCE_BEGUN) == WEIR_ONCE_NEW;
}

/** Returns 1 to the block that initializes, which then ends. To the others it returns 0 when
 * that is done. One thread calls it for its block. */
WEIR_FN int weir_once_begin(weir_once o WEIR_SITE_)
{
	WEIR_NOTED_(weir_doing doing);
	WEIR_NOTED_(weir_notes n = weir_notes_open_(o.words, o.config.id, site));

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return 0);
	if (WEIR_LIKELY(weir_once_is_done(o))) {
		WEIR_NOTED_(weir_area_leave_());
		return 0;
	}
	WEIR_NOTED_(weir_note_again_(n, WEIR_MISUSE_BEGUN_TWICE));
	WEIR_NOTED_(doing = weir_note_begin_(n, WEIR_OPERATION_BEGIN));
	if (weir_once_is_mine_(o)) {
		WEIR_NOTED_(weir_note_held_(n, 1); weir_note_end_(o.words, doing));
		return 1;
	}
	/* Pairs with the release in weir_once_end. */
	weir_await_eq_acq(&o.words[0], WEIR_ONCE_DONE, o.config.backoff);
	WEIR_NOTED_(weir_note_end_(o.words, doing));
	return 0;
}

/** Lets the others go on: the block that began has initialized. One thread calls it for its
 * block. */
WEIR_FN void weir_once_end(weir_once o WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(o, WEIR_NO_RESULT_);
	/* Pairs with the acquires of the word. */
	weir_store_rel(&o.words[0], WEIR_ONCE_DONE);
	WEIR_NOTED_(weir_note_unlock_(o.words, o.config.id, site));
}

#if WEIR_HAS_BLOCK_VALUE

/** Begins for a block. All threads of the block call it, and all of them get the same answer.
 * Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN int weir_once_block_begin(weir_once o WEIR_SITE_)
{
	uint32_t is_mine = 0;

	weir_block_sync(); /* all have read the value before */
	if (weir_thread_id() == 0)
		is_mine = (uint32_t)weir_once_begin(o WEIR_AT_);
	return (int)weir_block_value(is_mine); /* its sync extends the acquire to the block */
}

#endif

/** Ends for a block. All threads of the block call it; thread 0 ends when all of them have. */
WEIR_FN void weir_once_block_end(weir_once o WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_once_end(o WEIR_AT_);
}

#endif
