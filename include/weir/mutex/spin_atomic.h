/* Spin mutex with an atomic unlock (Stuart and Owens, algorithm 1). As published, for comparison:
 * mutex/spin.h unlocks with a store.
 *
 *   state   (held): 0 free, 1 held; the spin mutex's
 *   lock    (0) -> (1); while held, an exchange of 1 for 1 changes nothing and is tried again
 *   try     the same, once
 *   unlock  (1) -> (0) by an exchange, by the holder alone
 *
 * Any thread may lock at any time. Unfair: any waiter may enter next. One atomic per lock without
 * contention, an unbounded number with contention; one per unlock. Nothing counts, so nothing
 * wraps.
 *
 * The paper has two unlocks. Algorithm 1, which it takes from other programs, exchanges, because
 * the time of a fence after a store varies. The paper's section on mutexes and its algorithm 2
 * assign 0, as mutex/spin.h does. The paper names no memory order and no fence. The data of the
 * critical section need ordering at both ends: the exchange in lock acquires, and the exchange in
 * unlock releases.
 */
#ifndef WEIR_MUTEX_SPIN_ATOMIC_H
#define WEIR_MUTEX_SPIN_ATOMIC_H

#include "weir/mutex/object.h"

WEIR_FN uint32_t weir_spin_atomic_mutex_words(weir_mutex_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_spin_atomic_mutex_start(weir_mutex m, uint32_t past)
{
	(void)past; /* a free spin mutex looks the same however often it was locked */
	weir_store_rlx(&m.words[0], 0); /* relaxed: the launch that uses it orders this store */
}

WEIR_FN void weir_spin_atomic_lock(weir_mutex m)
{
	/* Pairs with the release in weir_spin_atomic_unlock. */
	weir_await_xchg_eq_acq(&m.words[0], 1, 0, weir_no_backoff());
}

WEIR_FN weir_status weir_spin_atomic_try_lock(weir_mutex m)
{
	/* Pairs with the release in weir_spin_atomic_unlock. */
	return weir_xchg_acq(&m.words[0], 1) == 0 ? WEIR_OK : WEIR_BUSY;
}

WEIR_FN void weir_spin_atomic_unlock(weir_mutex m)
{
	weir_xchg_rel(&m.words[0], 0); /* pairs with every acquire here */
}

#endif
