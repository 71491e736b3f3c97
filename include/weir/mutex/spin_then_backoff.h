/* Spin-then-backoff mutex: an aggressive spin lock that reverts to backoff (Stuart and Owens, end of
 * "Mutex"). As published, for comparison.
 *
 *   state   (held): 0 free, 1 held; the spin mutex's
 *   lock    (0) -> (1); the first WEIR_SPIN_TRIES exchanges that find it held follow each other at
 *           once, and each later one follows a pause of I units, as in mutex/spin_backoff.h
 *   try     the same, once
 *   unlock  (1) -> (0), by the holder alone
 *
 * Any thread may lock at any time. Unfair. One atomic per lock without contention, an unbounded
 * number with contention; one store per unlock. Nothing wraps: the tries are counted up to a
 * constant.
 *
 * The paper proposes it in one sentence, without measurements. It does not say how long a lock
 * spins, and whether a lock that has backed off ever spins again. Here each lock spins for a number
 * of tries that the build may set, and then backs off until it holds the mutex.
 */
#ifndef WEIR_MUTEX_SPIN_THEN_BACKOFF_H
#define WEIR_MUTEX_SPIN_THEN_BACKOFF_H

#include "weir/mutex/spin.h"

#ifndef WEIR_SPIN_TRIES
#define WEIR_SPIN_TRIES 16
#endif

WEIR_FN uint32_t weir_spin_then_backoff_mutex_words(weir_mutex_config config)
{
	return weir_spin_mutex_words(config);
}

WEIR_FN void weir_spin_then_backoff_mutex_start(weir_mutex m, uint32_t past)
{
	weir_spin_mutex_start(m, past);
}

WEIR_FN void weir_spin_then_backoff_lock(weir_mutex m)
{
	weir_wait wait = weir_wait_begin(m.config.backoff);
	uint32_t tries = 0;

	while (weir_spin_try_lock(m) != WEIR_OK) {
		if (tries < WEIR_SPIN_TRIES) {
			tries++;
			continue;
		}
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_one_until_eq(&wait, &m.words[0], 0);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

WEIR_FN weir_status weir_spin_then_backoff_try_lock(weir_mutex m)
{
	return weir_spin_try_lock(m);
}

WEIR_FN void weir_spin_then_backoff_unlock(weir_mutex m)
{
	weir_spin_unlock(m);
}

#endif
