/* Spin semaphore with both exchanges in post, and backoff in wait (Stuart and Owens, algorithm 4 with
 * UseBackoff). As published, for comparison.
 *
 *   state, wait, post   those of semaphore/spin_exchange.h, with a pause of I units after each failed
 *                       attempt of a wait
 *
 * All-zero memory is not a semaphore: start with weir_spin_exchange_backoff_semaphore_start.
 * Any thread may wait or post at any time. Unfair. Each wait and each post takes at least two
 * atomics. Nothing wraps.
 *
 * The paper contradicts itself: algorithm 4 also backs off in post, while the prose says that a
 * post does not, since it should proceed quickly and aggressively. Here a post follows the prose.
 */
#ifndef WEIR_SEMAPHORE_SPIN_EXCHANGE_BACKOFF_H
#define WEIR_SEMAPHORE_SPIN_EXCHANGE_BACKOFF_H

#include "weir/semaphore/spin_exchange.h"

WEIR_FN uint32_t weir_spin_exchange_backoff_semaphore_words(weir_semaphore_config config)
{
	return weir_spin_semaphore_words(config);
}

WEIR_FN void weir_spin_exchange_backoff_semaphore_start(weir_semaphore s, uint32_t value,
                                                        uint32_t past)
{
	weir_spin_semaphore_start(s, value, past);
}

WEIR_FN void weir_spin_exchange_backoff_wait_n(weir_semaphore s, uint32_t n)
{
	/* Its acquire pairs with the release in weir_spin_exchange_post_n. */
	weir_spin_wait_with_(s, n, s.config.backoff);
}

WEIR_FN void weir_spin_exchange_backoff_wait(weir_semaphore s)
{
	weir_spin_exchange_backoff_wait_n(s, 1);
}

WEIR_FN weir_status weir_spin_exchange_backoff_try_wait_n(weir_semaphore s, uint32_t n)
{
	return weir_spin_exchange_try_wait_n(s, n);
}

WEIR_FN void weir_spin_exchange_backoff_post_n(weir_semaphore s, uint32_t n)
{
	weir_spin_exchange_post_n(s, n);
}

WEIR_FN void weir_spin_exchange_backoff_post(weir_semaphore s)
{
	weir_spin_exchange_post(s);
}

WEIR_FN int weir_spin_exchange_backoff_above(weir_semaphore s)
{
	return weir_spin_above(s);
}

#endif
