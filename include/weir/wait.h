/* Waiting, over the machine's loads, exchanges and pause: the one place that polls.
 *
 * The backoff is the paper's: I starts at min, grows by one unit a failure, and starts again at
 * min when it would pass max. {0, 0} polls without a pause.
 *
 * A machine that must know more than that a thread pauses defines WEIR_HAS_OWN_WAIT and brings
 * these functions itself.
 */
#ifndef WEIR_WAIT_H
#define WEIR_WAIT_H

/* Bounds of the pause between two attempts, in units of one uncontended load. */
typedef struct weir_backoff {
	uint32_t min;
	uint32_t max;
} weir_backoff;

#ifndef WEIR_HAS_OWN_WAIT

typedef struct weir_wait {
	weir_backoff backoff;
	uint32_t interval;
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	uint64_t since;
#endif
} weir_wait;

WEIR_FN weir_wait weir_wait_begin(weir_backoff backoff)
{
	weir_wait wait;
	wait.backoff = backoff;
	wait.interval = backoff.min;
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	wait.since = weir_clock_ns();
#endif
	return wait;
}

WEIR_FN void weir_wait_again(weir_wait *wait)
{
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	if (weir_clock_ns() - wait->since > (uint64_t)(WEIR_WAIT_LIMIT_NS))
		weir_wait_expired_();
#endif
	weir_pause(wait->interval);
	wait->interval =
	    wait->interval < wait->backoff.max ? wait->interval + 1 : wait->backoff.min;
}

WEIR_FN void weir_await_eq_acq(WEIR_GLOBAL weir_word *w, uint32_t value, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	while (weir_load_acq(w) != value)
		weir_wait_again(&wait);
}

WEIR_FN void weir_await_ge_acq(WEIR_GLOBAL weir_word *w, uint32_t value, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	while ((int32_t)(weir_load_acq(w) - value) < 0)
		weir_wait_again(&wait);
}

WEIR_FN uint32_t weir_await_xchg_eq_acq(WEIR_GLOBAL weir_word *w, uint32_t put, uint32_t want,
                                        weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t old;
	while ((old = weir_xchg_acq(w, put)) != want)
		weir_wait_again(&wait);
	return old;
}

WEIR_FN uint32_t weir_await_xchg_ne_acq(WEIR_GLOBAL weir_word *w, uint32_t put, uint32_t avoid,
                                        weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t old;
	while ((old = weir_xchg_acq(w, put)) == avoid)
		weir_wait_again(&wait);
	return old;
}

#endif

WEIR_FN weir_backoff weir_no_backoff(void)
{
	weir_backoff none;
	none.min = 0;
	none.max = 0;
	return none;
}

#endif
