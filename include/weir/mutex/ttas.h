/* Test-and-test-and-set mutex with backoff: a waiter loads before it exchanges.
 *
 *   state   (held): 0 free, 1 held; the spin mutex's
 *   lock    (0) -> (1) by an exchange; after an exchange that found it held, pauses and loads until
 *           a load finds it free, then exchanges again
 *   unlock  (1) -> (0), by the holder alone
 *
 * Any thread may lock at any time. Unfair. One atomic per lock without contention, and few more
 * with contention, since waiters only read; one store per unlock. Nothing wraps.
 */
#ifndef WEIR_MUTEX_TTAS_H
#define WEIR_MUTEX_TTAS_H

#include "weir/mutex/spin.h"

WEIR_FN uint32_t weir_ttas_mutex_words(weir_mutex_config config)
{
	return weir_spin_mutex_words(config);
}

WEIR_FN void weir_ttas_mutex_start(weir_mutex m, uint32_t past)
{
	weir_spin_mutex_start(m, past);
}

WEIR_FN void weir_ttas_lock(weir_mutex m)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);

	/* Pairs with the release in weir_spin_unlock. */
	while (weir_xchg_acq(&m.words[0], 1) != 0) {
		do {
			if (weir_wait_aborted(&wait)) {
				weir_wait_end(&wait);
				return;
			}
			weir_wait_one_until_eq(&wait, &m.words[0], 0);
			weir_wait_again(&wait);
			/* Relaxed: it only says that an exchange may succeed; the exchange
			 * acquires. */
		} while (weir_load_rlx(&m.words[0]) != 0);
	}
	weir_wait_end(&wait);
}

WEIR_FN weir_status weir_ttas_try_lock(weir_mutex m)
{
	/* Relaxed: it only says that an exchange may succeed; the exchange acquires. */
	return weir_load_rlx(&m.words[0]) == 0 ? weir_spin_try_lock(m) : WEIR_BUSY;
}

WEIR_FN void weir_ttas_unlock(weir_mutex m)
{
	weir_spin_unlock(m);
}

#endif
