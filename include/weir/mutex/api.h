/* The operations of a mutex of any kind. One thread locks and unlocks for its whole block; the
 * functions with `block` in their name are for all threads of a block together. */
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

/* How many words a mutex takes. */
WEIR_FN uint32_t weir_mutex_words(weir_mutex_config config)
{
	WEIR_DISPATCH_VALUE_(MUTEX, WEIR_KIND_(MUTEX, config), _mutex_words, (config), 0);
}

/* Sets the state of a free mutex that was locked `past` times; all zeros for 0. */
WEIR_FN void weir_mutex_start(weir_mutex m, uint32_t past)
{
	WEIR_DISPATCH_(MUTEX, WEIR_KIND_(MUTEX, m.config), _mutex_start, (m, past));
}

WEIR_FN void weir_mutex_lock_of_(weir_mutex m, uint32_t kind WEIR_SITE_)
{
	WEIR_DISPATCH_OR_(MUTEX, kind, _lock, (m), WEIR_REFUSE_KIND_(MUTEX, m, kind));
}

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

WEIR_FN void weir_mutex_unlock(weir_mutex m WEIR_SITE_)
{
	uint32_t kind = WEIR_KIND_(MUTEX, m.config);

	WEIR_CHECK_ABORT_(m, WEIR_NO_RESULT_); /* another block may hold it then */
	WEIR_CHECK_ONLY_(MUTEX, m, WEIR_NO_RESULT_);
	WEIR_DISPATCH_LIKELY_(MUTEX, kind, weir_mutex_unlock_of_, m);
	WEIR_NOTED_(weir_note_unlock_(m.words, m.config.id, site));
}

/* All threads of the block call it; when it returns, the block holds the mutex. */
WEIR_FN void weir_mutex_block_lock(weir_mutex m WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock(m WEIR_AT_);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/* All threads of the block call it; the leader unlocks when all of them have. */
WEIR_FN void weir_mutex_block_unlock(weir_mutex m WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock(m WEIR_AT_);
}

WEIR_LIST_KINDS_(MUTEX)

#endif
