/* The operations of a mutex of any kind. One thread locks and unlocks for its whole block; the
 * functions with `block` in their name are for all threads of a block together. */
#ifndef WEIR_MUTEX_API_H
#define WEIR_MUTEX_API_H

#include "weir/dispatch.h"
#include "weir/mutex/kinds.h"

WEIR_FN int weir_mutex_is_kind_(uint32_t kind)
{
	WEIR_HAS_ROW_(MUTEX, kind);
}

/* How many words a mutex takes. */
WEIR_FN uint32_t weir_mutex_words(weir_mutex_config config)
{
	WEIR_DISPATCH_VALUE_(MUTEX, WEIR_MUTEX_KIND_(config), _mutex_words, (config), 0);
}

/* Sets the state of a free mutex that was locked `past` times; all zeros for 0. */
WEIR_FN void weir_mutex_start(weir_mutex m, uint32_t past)
{
	WEIR_DISPATCH_(MUTEX, WEIR_MUTEX_KIND_(m.config), _mutex_start, (m, past));
}

WEIR_FN
void weir_mutex_lock_of_(weir_mutex m, uint32_t kind)
{
	WEIR_DISPATCH_(MUTEX, kind, _lock, (m));
}

WEIR_FN void weir_mutex_lock(weir_mutex m)
{
	uint32_t kind = WEIR_MUTEX_KIND_(m.config);

	WEIR_MUTEX_CHECK_(m.config);
	WEIR_DISPATCH_LIKELY_(MUTEX, kind, weir_mutex_lock_of_, m);
}

WEIR_FN void weir_mutex_unlock_of_(weir_mutex m, uint32_t kind)
{
	WEIR_DISPATCH_(MUTEX, kind, _unlock, (m));
}

WEIR_FN void weir_mutex_unlock(weir_mutex m)
{
	uint32_t kind = WEIR_MUTEX_KIND_(m.config);

	WEIR_MUTEX_CHECK_(m.config);
	WEIR_DISPATCH_LIKELY_(MUTEX, kind, weir_mutex_unlock_of_, m);
}

/* All threads of the block call it; when it returns, the block holds the mutex. */
WEIR_FN void weir_mutex_block_lock(weir_mutex m)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock(m);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/* All threads of the block call it; the leader unlocks when all of them have. */
WEIR_FN void weir_mutex_block_unlock(weir_mutex m)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock(m);
}

WEIR_MUTEX_LIST_

#endif
