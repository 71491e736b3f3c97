/* Spin mutex with backoff (Stuart and Owens, "Spin-Lock Mutex", UseBackoff).
 *
 *   state   (held): 0 free, 1 held; the spin mutex's
 *   lock    (0) -> (1); after each exchange that found it held, a pause of I units
 *   unlock  (1) -> (0), by the holder alone
 *
 * Any thread may lock at any time. Unfair. One atomic per lock without contention; under
 * contention, the pauses keep the number of exchanges low. One store per unlock. Nothing wraps.
 */
#ifndef WEIR_MUTEX_SPIN_BACKOFF_H
#define WEIR_MUTEX_SPIN_BACKOFF_H

#include "weir/mutex/spin.h"

WEIR_FN uint32_t weir_spin_backoff_mutex_words(weir_mutex_config config)
{
	return weir_spin_mutex_words(config);
}

WEIR_FN void weir_spin_backoff_mutex_start(weir_mutex m, uint32_t past)
{
	weir_spin_mutex_start(m, past);
}

WEIR_FN void weir_spin_backoff_lock(weir_mutex m)
{
	/* Pairs with the release in weir_spin_unlock. */
	weir_await_xchg_eq_acq(&m.words[0], 1, 0, m.config.backoff);
}

WEIR_FN weir_status weir_spin_backoff_try_lock(weir_mutex m)
{
	return weir_spin_try_lock(m);
}

WEIR_FN void weir_spin_backoff_unlock(weir_mutex m)
{
	weir_spin_unlock(m);
}

#endif
