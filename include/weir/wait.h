/** @addtogroup weir_machine */
/* Waiting, over the machine's loads, exchanges and pause: the one place that polls.
 *
 * The backoff is the paper's: the interval starts at min, grows by one unit with each failure, and
 * starts again at min when it would pass max. {0, 0} polls without a pause.
 *
 * A machine that must know more of a wait than its pauses defines WEIR_HAS_OWN_WAIT and brings
 * these functions itself.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* machine.h includes this file */
#endif

#ifndef WEIR_WAIT_H
#define WEIR_WAIT_H

/** Bounds of the pause between two attempts, in units of one uncontended load. {0, 0} polls
 * without a pause. */
typedef struct weir_backoff {
	/** The first pause. */
	uint32_t min;
	/** The longest one; after it comes the first again. */
	uint32_t max;
} weir_backoff;

/** No pauses. */
WEIR_FN weir_backoff weir_no_backoff(void)
{
	weir_backoff none;
	none.min = 0;
	none.max = 0;
	return none;
}

/* Whether a wait can have a deadline: the machine has a clock or a substitute for one. */
#ifndef WEIR_HAS_DEADLINE
#define WEIR_HAS_DEADLINE WEIR_HAS_CLOCK
#endif

/* Machines whose threads do not sleep need no hints. */
#ifndef WEIR_HAS_HINTS
#define weir_wait_until_eq(wait, w, value) ((void)0)
#define weir_wait_until_ne(wait, w, mask, value) ((void)0)
#define weir_wait_until_ge(wait, w, value) ((void)0)
#define weir_wait_until_high_ge(wait, w, value) ((void)0)
#define weir_wait_until_change(wait, w) ((void)0)
#define weir_wait_one_until_eq(wait, w, value) ((void)0)
#define weir_wait_one_until_ne(wait, w, value) ((void)0)
#define weir_wait_by_(wait, deadline) ((void)0)
#endif

#ifndef WEIR_HAS_OWN_WAIT

#if WEIR_HAS_DEADLINE
/** The time at which a wait gives up. */
typedef struct weir_deadline {
	uint64_t since; /**< weir_clock_ns at its begin */
	uint64_t ns;    /**< from then on */
} weir_deadline;

/** A deadline `ns` nanoseconds from now. Where WEIR_HAS_DEADLINE. */
WEIR_FN weir_deadline weir_deadline_begin(uint64_t ns)
{
	weir_deadline deadline;
	deadline.since = weir_clock_ns();
	deadline.ns = ns;
	return deadline;
}

/** WEIR_OK to go on, else the result to give up with. A wait asks it after each failed
 * attempt and before the pause. It compares the time that has passed: the sum of the start and
 * a long deadline could overflow. */
WEIR_FN weir_status weir_deadline_check(const weir_deadline *deadline)
{
	return weir_clock_ns() - deadline->since < deadline->ns ? WEIR_OK : WEIR_TIMED_OUT;
}
#endif

/* How often a wait looks for the host's order to end, where the machine has such orders. */
#define WEIR_OBEY_POLLS_ 128

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/notes.h"
#endif

/** A wait that is going on, of another shape than a weir_await_ operation. */
typedef struct weir_wait {
	weir_backoff backoff; /**< its pauses */
	uint32_t interval;    /**< the next one */
#ifdef WEIR_DIAGNOSE
	weir_wait_notes notes;
	weir_want want; /**< what the wait is for */
#elif defined(WEIR_OBEYS_ABORT)
	uint32_t polls; /**< since it began */
#endif
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	uint64_t since;
#endif
#if WEIR_HAS_REST
	weir_rest rest; /**< how long it has rested */
#endif
} weir_wait;

/** Begins a wait with these pauses. */
WEIR_FN weir_wait weir_wait_begin(weir_backoff backoff)
{
	weir_wait wait;
	wait.backoff = backoff;
	wait.interval = backoff.min;
#ifdef WEIR_DIAGNOSE
	wait.notes = weir_wait_notes_begin_();
	wait.want = weir_want_(0, 0, 0, 0);
#elif defined(WEIR_OBEYS_ABORT)
	wait.polls = 0;
#endif
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	wait.since = weir_clock_ns();
#endif
#if WEIR_HAS_REST
	weir_rest_begin_(&wait.rest);
#endif
	return wait;
}

WEIR_FN void weir_wait_check_limit_(weir_wait *wait)
{
#ifdef WEIR_DIAGNOSE
	weir_wait_look_(&wait->notes, wait->want);
#elif defined(WEIR_OBEYS_ABORT)
	if (!WEIR_LIKELY(++wait->polls % WEIR_OBEY_POLLS_ != 0))
		weir_wait_obey_();
#endif
#if defined(WEIR_WAIT_LIMIT_NS) && WEIR_HAS_CLOCK
	if (weir_clock_ns() - wait->since > (uint64_t)(WEIR_WAIT_LIMIT_NS))
		weir_end_launch(WEIR_FAULT_WAIT, 0);
#else
	(void)wait;
#endif
}

/* weir_wait_aborted_ is for waits after weir_wait_can_fail, in functions that can return
 * WEIR_ABORTED; weir_wait_aborted is for machines whose threads cannot end themselves. These are
 * macros: the compiler lays out a loop with a call in it differently, even if the function only
 * returns 0. */
#ifdef WEIR_DIAGNOSE
#define weir_wait_wants_(wait, id, index, range, target)                                           \
	((void)((wait)->want = weir_want_(id, index, range, target)))
#define weir_wait_aborted_(wait) (((wait)->notes.polls & WEIR_WAIT_OVER) != 0)
#define weir_wait_aborted(wait) (!WEIR_HAS_THREAD_END && weir_wait_aborted_(wait))
#define weir_wait_can_fail(wait) ((wait)->notes.polls |= WEIR_WAIT_CAN_FAIL)
#define weir_wait_end(wait) weir_wait_notes_end_(&(wait)->notes)
#else
#define weir_wait_aborted_(wait) 0
/** Whether the wait must end without success: the host has aborted the launch. Its loop asks after
 * each weir_wait_again. */
#define weir_wait_aborted(wait) 0
/** Precedes a wait in a function that can return WEIR_ABORTED. */
#define weir_wait_can_fail(wait) ((void)(wait))
/** Follows the loop, in a function that cannot give up. */
#define weir_wait_end(wait) ((void)(wait))
#endif

#if WEIR_HAS_DEADLINE
/** WEIR_OK: wait on; else why it gives up. The wait must be one that can fail. */
#define weir_wait_result(wait, deadline)                                                           \
	(weir_wait_by_(wait, deadline),                                                            \
	 weir_wait_aborted_(wait) ? WEIR_ABORTED : weir_deadline_check(deadline))
#endif

/* Whether the wait has paused, on a machine whose threads rest. One that has slept looks for an
 * order to end at once. */
#if WEIR_HAS_REST
WEIR_FN int weir_wait_rest_(weir_wait *wait)
{
	int how = weir_rest_again_(&wait->rest);
#ifdef WEIR_DIAGNOSE
	if (how == WEIR_REST_SLEPT)
		weir_wait_look_now_(&wait->notes, wait->want);
#endif
	return how;
}
#else
#define weir_wait_rest_(wait) 0
#endif

/** Replaces weir_wait_again in a wait that knows how far off its turn is. It pauses as
 * weir_pause_sixteenths does, whatever the backoff. */
WEIR_FN void weir_wait_sixteenths(weir_wait *wait, uint32_t sixteenths)
{
	weir_wait_check_limit_(wait);
	if (!weir_wait_rest_(wait))
		weir_pause_sixteenths(sixteenths);
}

/** Pauses. A wait calls it after each failed attempt. */
WEIR_FN void weir_wait_again(weir_wait *wait)
{
	weir_wait_check_limit_(wait);
	if (!weir_wait_rest_(wait))
		weir_pause(wait->interval);
	wait->interval =
	    wait->interval < wait->backoff.max ? wait->interval + 1 : wait->backoff.min;
}

/* A wait polls without acquiring, and acquires once at its end, where the machine has a fence for
 * that. Each acquire before would empty the L1 cache of blocks that still work. */
#if WEIR_HAS_ACQUIRE_FENCE
#define WEIR_POLL_(operation) operation##_rlx
#define weir_poll_end_() weir_fence_acq_()
#else
#define WEIR_POLL_(operation) operation##_acq
#define weir_poll_end_() ((void)0)
#endif

/** Waits until the word is `value`. */
WEIR_FN void weir_await_eq_acq(WEIR_GLOBAL weir_word *w, uint32_t value, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	while (!WEIR_LIKELY(WEIR_POLL_(weir_load)(w) == value)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_until_eq(&wait, w, value);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_end_();
}

/** Waits as weir_await_ge_rlx, in a wait that the caller has begun. Returns the word. */
WEIR_FN uint32_t weir_wait_ge_rlx(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t value)
{
	uint32_t found;
	while ((int32_t)((found = weir_load_rlx(w)) - value) < 0) {
		if (weir_wait_aborted(wait))
			break;
		weir_wait_until_ge(wait, w, value);
		weir_wait_again(wait);
	}
	weir_wait_end(wait);
	return found;
}

/** Waits as weir_await_ge_acq, relaxed and without a pause. Returns the word. */
WEIR_FN uint32_t weir_await_ge_rlx(WEIR_GLOBAL weir_word *w, uint32_t value)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	return weir_wait_ge_rlx(&wait, w, value);
}

/** Waits until the word is at or past `value`, by signed difference, so that it holds across the
 * wrap at 2^32. Returns the word. */
WEIR_FN uint32_t weir_await_ge_acq(WEIR_GLOBAL weir_word *w, uint32_t value, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t found;
	while (!WEIR_LIKELY((int32_t)((found = WEIR_POLL_(weir_load)(w)) - value) >= 0)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_until_ge(&wait, w, value);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_end_();
	return found;
}

#if WEIR_HAS_WORD64
/* The pause of a waiter `away` steps (more than 0) before its turn: units * (away - 1) / per units,
 * returned in sixteenths. The bounds keep the product, and a machine's time for the pause, below
 * 2^32. A waiter farther off than that polls too early, which costs a load. */
WEIR_FN uint32_t weir_pace_(uint32_t away, uint32_t units, uint32_t per)
{
	const uint32_t most = 1 << 16;
	uint32_t between = away - 1 < most ? away - 1 : most - 1;
	uint32_t parts;
	if (between == 0)
		return 0; /* the next waiter: not even a division between two polls */
	parts = between * (units < 4095 ? units * 16 : 4095 * 16) / per;
	return parts < most ? parts : most;
}

/** Waits until the upper half of a 64-bit word is at or past `value`, by signed difference.
 * While the half is n below that, it pauses units * (n - 1) / per units. Where WEIR_HAS_WORD64. */
WEIR_FN void weir_await_high_ge_acq(WEIR_GLOBAL weir_word64 *w, uint32_t value, uint32_t units,
                                    uint32_t per)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	uint32_t away;
	while (!WEIR_LIKELY(
	    (int32_t)(away = value - (uint32_t)(WEIR_POLL_(weir_load64)(w) >> 32)) <= 0)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_until_high_ge(&wait, w, value);
		weir_wait_sixteenths(&wait, weir_pace_(away, units, per));
	}
	weir_wait_end(&wait);
	weir_poll_end_();
}
#endif

/** Exchanges `put` in until `want` comes out. `put` and every other value found must mean the
 * same. */
WEIR_FN uint32_t weir_await_xchg_eq_acq(WEIR_GLOBAL weir_word *w, uint32_t put, uint32_t want,
                                        weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t old;
	while (!WEIR_LIKELY((old = WEIR_POLL_(weir_xchg)(w, put)) == want)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_one_until_eq(&wait, w, want);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_end_();
	return old;
}

/** Exchanges `put` in until a value other than `avoid` comes out, and returns that value. */
WEIR_FN uint32_t weir_await_xchg_ne_acq(WEIR_GLOBAL weir_word *w, uint32_t put, uint32_t avoid,
                                        weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t old;
	while ((old = WEIR_POLL_(weir_xchg)(w, put)) == avoid) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_one_until_ne(&wait, w, avoid);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_end_();
	return old;
}

/** The load of a wait of another shape. It acquires when weir_poll_acquire follows the loop. */
WEIR_FN uint32_t weir_poll(WEIR_GLOBAL weir_word *w)
{
	return WEIR_POLL_(weir_load)(w);
}

#if WEIR_HAS_WORD64
/** The same of a 64-bit word. Where WEIR_HAS_WORD64. */
WEIR_FN uint64_t weir_poll64(WEIR_GLOBAL weir_word64 *w)
{
	return WEIR_POLL_(weir_load64)(w);
}
#endif

/** Follows a loop around weir_poll, and acquires the value that its last load returned. */
WEIR_FN void weir_poll_acquire(void)
{
	weir_poll_end_();
}

#undef WEIR_POLL_

#endif

#ifndef weir_acquire_each
WEIR_FN void weir_acquire_each(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits)
{
#if WEIR_HAS_ACQUIRE_FENCE
	(void)w;
	(void)apart;
	(void)bits;
	weir_fence_acq_();
#else
	for (uint32_t i = 0; i >> bits == 0; i++)
		(void)weir_load_acq(&w[i * apart]);
#endif
}
#endif

#endif
