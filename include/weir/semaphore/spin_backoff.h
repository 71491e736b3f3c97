/* Spin semaphore with backoff in wait, none in post: there are more waiters than posters, and a
 * post should go ahead (Stuart and Owens, "Spin-Lock Semaphore", UseBackoff).
 *
 *   state, wait, post   the spin semaphore's, with a pause of I units after each failed attempt of
 *                       a wait
 *
 * All-zero memory is not a semaphore: start with weir_spin_backoff_semaphore_start.
 * Any thread may wait or post at any time. Unfair. Each wait takes at least two atomics, each post
 * one atomic and a store. Nothing wraps.
 */
#ifndef WEIR_SEMAPHORE_SPIN_BACKOFF_H
#define WEIR_SEMAPHORE_SPIN_BACKOFF_H

#include "weir/semaphore/spin.h"

WEIR_FN uint32_t weir_spin_backoff_semaphore_words(weir_semaphore_config config)
{
	return weir_spin_semaphore_words(config);
}

WEIR_FN void weir_spin_backoff_semaphore_start(weir_semaphore s, uint32_t value, uint32_t past)
{
	weir_spin_semaphore_start(s, value, past);
}

WEIR_FN void weir_spin_backoff_wait_n(weir_semaphore s, uint32_t n)
{
	weir_spin_wait_with_(s, n, s.config.backoff);
}

WEIR_FN void weir_spin_backoff_wait(weir_semaphore s)
{
	weir_spin_backoff_wait_n(s, 1);
}

WEIR_FN weir_status weir_spin_backoff_try_wait_n(weir_semaphore s, uint32_t n)
{
	return weir_spin_try_wait_n(s, n);
}

WEIR_FN void weir_spin_backoff_post_n(weir_semaphore s, uint32_t n)
{
	weir_spin_post_n(s, n);
}

WEIR_FN void weir_spin_backoff_post(weir_semaphore s)
{
	weir_spin_post(s);
}

WEIR_FN int weir_spin_backoff_above(weir_semaphore s)
{
	return weir_spin_above(s);
}

#endif
