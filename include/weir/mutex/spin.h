/* Spin mutex: exchange until the old value says that the lock was free (Stuart and Owens, algorithm
 * 2).
 *
 *   state   (held): 0 free, 1 held
 *   lock    (0) -> (1); while held, an exchange of 1 for 1 changes nothing and is tried again
 *   try     the same, once
 *   unlock  (1) -> (0), by the holder alone
 *
 * Any thread may lock at any time. Unfair: any waiter may enter next. One atomic per lock without
 * contention, an unbounded number with contention; one store per unlock. Nothing counts, so nothing
 * wraps.
 */
#ifndef WEIR_MUTEX_SPIN_H
#define WEIR_MUTEX_SPIN_H

#include "weir/mutex/object.h"

WEIR_FN uint32_t weir_spin_mutex_words(weir_mutex_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_spin_mutex_start(weir_mutex m, uint32_t past)
{
	(void)past; /* a free spin mutex looks the same however often it was locked */
	weir_store_rlx(&m.words[0], 0); /* relaxed: the launch that uses it orders this store */
}

WEIR_FN void weir_spin_lock(weir_mutex m)
{
	/* Pairs with the release in weir_spin_unlock. */
	weir_await_xchg_eq_acq(&m.words[0], 1, 0, weir_no_backoff());
}

WEIR_FN weir_status weir_spin_try_lock(weir_mutex m)
{
	/* Pairs with the release in weir_spin_unlock. */
	return weir_xchg_acq(&m.words[0], 1) == 0 ? WEIR_OK : WEIR_BUSY;
}

WEIR_FN void weir_spin_unlock(weir_mutex m)
{
	weir_store_rel(&m.words[0], 0); /* pairs with every acquire here */
}

#endif
