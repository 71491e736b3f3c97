/** @defgroup weir_mutex Mutexes
 *
 * A mutex is held by one block at a time.
 *
 * The host makes one with weir_mutex_create, or an array of them, or the kernel makes one in
 * zeroed memory with weir_mutex_in. One thread locks and unlocks for its whole block, any
 * thread of it. The functions with `block` in their name are for all threads of a block
 * together, those with `team` for a team of its warps. Where WEIR_HAS_THREAD_PROGRESS, single
 * threads may also lock for themselves.
 *
 * Any number of blocks may call any operation at the same time. The holder unlocks, and does
 * not lock again before that. Some kinds serve waiters in order (WEIR_FAIR), others do not.
 *
 * Memory order: everything before an unlock happens before everything after the lock that
 * follows it. That is the work of the calling thread, and the work of its block before a
 * weir_block_sync.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE, teams WEIR_HAS_TEAMS.
 *
 * @code
 * __global__ void count(weir_mutex m, unsigned *total)
 * {
 * 	weir_mutex_block_lock(m);
 * 	if (threadIdx.x == 0)
 * 		*total += 1;
 * 	weir_mutex_block_unlock(m);
 * }
 * @endcode
 */
#ifndef WEIR_MUTEX_API_H
#define WEIR_MUTEX_API_H

#include "weir/dispatch.h"
#include "weir/mutex/kinds.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/mutex.h"
#endif

WEIR_FN int weir_mutex_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(MUTEX, kind);
}

/** The words of a mutex. */
WEIR_FN uint32_t weir_mutex_words(weir_mutex_config config)
{
	WEIR_DISPATCH_VALUE_(MUTEX, WEIR_KIND_(MUTEX, config), _mutex_words, (config), 0);
}

/** Sets the state of a free mutex that was locked `past` times; all zeros for 0. One thread
 * calls it, before the launch that uses the mutex. */
WEIR_FN void weir_mutex_start(weir_mutex m, uint32_t past)
{
	WEIR_DISPATCH_(MUTEX, WEIR_KIND_(MUTEX, m.config), _mutex_start, (m, past));
}

WEIR_FN void weir_mutex_lock_of_(weir_mutex m, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(MUTEX, kind, _lock, (m), WEIR_REFUSE_KIND_(MUTEX, m, kind));
}

/** Waits until the mutex is free, and takes it. One thread calls it for its block. */
WEIR_FN void weir_mutex_lock(weir_mutex m WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(MUTEX, m.config);
	WEIR_NOTED_(weir_doing doing = weir_note_lock_(m.words, m.config.id, site));

	WEIR_CHECK_(MUTEX, m, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(MUTEX, kind, weir_mutex_lock_of_, m);
	WEIR_NOTED_(weir_note_end_(m.words, doing));
}

WEIR_FN void weir_mutex_unlock_of_(weir_mutex m, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(MUTEX, kind, _unlock, (m), WEIR_REFUSE_KIND_(MUTEX, m, kind));
}

/** Gives the mutex back. A thread of the block that holds it. */
WEIR_FN void weir_mutex_unlock(weir_mutex m WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(MUTEX, m.config);

	WEIR_CHECK_ABORT_(m, WEIR_NO_RESULT_); /* another block may hold it then */
	WEIR_CHECK_ONLY_(MUTEX, m, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(MUTEX, kind, weir_mutex_unlock_of_, m);
	WEIR_NOTED_(weir_note_unlock_(m.words, m.config.id, site));
}

/** Locks for a block. All threads of the block call it; when it returns, the block holds the
 * mutex. */
WEIR_FN void weir_mutex_block_lock(weir_mutex m WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock(m WEIR_AT_);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/** Unlocks for a block. All threads of the block call it; thread 0 unlocks when all of them
 * have. */
WEIR_FN void weir_mutex_block_unlock(weir_mutex m WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock(m WEIR_AT_);
}

WEIR_LIST_KINDS_(MUTEX)

#endif
