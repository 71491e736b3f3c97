/** @defgroup weir_condition Conditions
 *
 * Blocks wait until a predicate, which a mutex protects, holds.
 *
 * The host makes one with weir_condition_create, or the kernel makes one in zeroed memory with
 * weir_condition_in. A block calls the operations while it holds the mutex, always the same
 * one, of any kind. One thread calls them for its block; the functions with `block` in their
 * name are for all threads of a block together. A waiter looks at its predicate again when it
 * wakes, in a loop: another block may have had the mutex in between. weir_condition_wait_until
 * is that loop.
 *
 * Any number of blocks may wait. First come, first served: a signal wakes the block that has
 * waited longest, and none is lost.
 *
 * Memory order: that of the mutex. A waiter that returns holds it, and sees what its holders
 * before wrote.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE.
 *
 * @code
 * __global__ void take(weir_mutex m, weir_condition filled, int *items)
 * {
 * 	weir_mutex_block_lock(m);
 * 	weir_condition_block_wait_until(filled, m, *items > 0);
 * 	if (threadIdx.x == 0)
 * 		*items -= 1;
 * 	weir_mutex_block_unlock(m);
 * }
 * @endcode
 */

/* The operations of a condition variable, which a block calls while it holds the mutex.
 *
 *   state      (w, j, s, gone): waiters, tickets given, tickets served, and tickets from s on whose
 *              waiters have gone. Ticket s is not gone unless s = j
 *   wait       (w, j, s, gone) -> (w+1, j+1, s, gone), and unlocks; waits until s is past ticket j;
 *              locks
 *   signal     w = 0: nothing. Else (w, j, s, gone) -> (w-1, j, s', gone), where s' is the next
 *              ticket after s that is not gone
 *   broadcast  (w, j, s, gone) -> (0, j, j, {})
 *   give up    as a signal for ticket s; another ticket is gone, and the last one is given again
 *
 * Every call holds the mutex, always the same one. So the mutex orders all of this, and the
 * words need no atomics. A waiter polls s alone, and relies on nothing but its lock that
 * follows. First come, first served among waiters: a signal wakes the one that has waited
 * longest. Between that and its return another block may lock the mutex. So a waiter looks at
 * its predicate again, in a loop. No wake-up is lost: a waiter has its ticket before it
 * unlocks. The exception is a wait that finds config.slots tickets between the first waiter and the
 * last: it gets none. With a slot for each waiter, this happens only after waiters have given up.
 * Such a wait returns when the first waiter is woken or gives up; its caller checks the predicate
 * and waits again. A signal with no waiters is one load. A wait adds two loads and two stores to an
 * unlock and a lock. Wraps safely: tickets are compared by signed difference, and fewer than 2^31
 * wait.
 */
#ifndef WEIR_CONDITION_API_H
#define WEIR_CONDITION_API_H

#include "weir/condition/object.h"
#include "weir/mutex/api.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/condition.h"
#endif

WEIR_FN WEIR_GLOBAL weir_word *weir_condition_waiting_(weir_condition c)
{
	return &c.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_condition_joined_(weir_condition c)
{
	return &c.words[1];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_condition_served_(weir_condition c)
{
	return &c.words[weir_condition_served_at_(c.config)];
}

/* The word that has the bit of a ticket. */
WEIR_FN WEIR_GLOBAL weir_word *weir_condition_gone_(weir_condition c, uint32_t ticket)
{
	return weir_condition_served_(c) + 1 + (ticket & (c.config.slots - 1)) / 32;
}

WEIR_FN uint32_t weir_condition_bit_(weir_condition c, uint32_t ticket)
{
	return 1u << (ticket & (c.config.slots - 1)) % 32;
}

/** Sets the state after `past` waits that have all ended; all zeros for 0. One thread calls it,
 * before the launch that uses the condition. */
WEIR_FN void weir_condition_start(weir_condition c, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_condition_waiting_(c), 0);
	weir_store_rlx(weir_condition_joined_(c), past);
	weir_store_rlx(weir_condition_served_(c), past);
	for (uint32_t i = 0; i < c.config.slots; i += 32)
		weir_store_rlx(weir_condition_gone_(c, i), 0);
}

/* Returns whether there was a slot. `ticket` gets the caller's, or without a slot that of the
 * first waiter: once it is served, the caller may try again. Until then there has been no signal
 * or broadcast. Relaxed, here and below: the caller holds the mutex, which orders all writes of
 * these words. */
WEIR_FN int weir_condition_join_(weir_condition c, uint32_t *ticket)
{
	uint32_t first = weir_load_rlx(weir_condition_served_(c));

	*ticket = weir_load_rlx(weir_condition_joined_(c));
	if (*ticket - first >= c.config.slots) {
		*ticket = first;
		return 0;
	}
	weir_store_rlx(weir_condition_joined_(c), *ticket + 1);
	weir_store_rlx(weir_condition_waiting_(c), weir_load_rlx(weir_condition_waiting_(c)) + 1);
	return 1;
}

/* Whether the ticket was gone. It is no more. */
WEIR_FN int weir_condition_forget_(weir_condition c, uint32_t ticket)
{
	uint32_t gone = weir_load_rlx(weir_condition_gone_(c, ticket));
	uint32_t bit = weir_condition_bit_(c, ticket);

	if ((gone & bit) == 0)
		return 0;
	weir_store_rlx(weir_condition_gone_(c, ticket), gone & ~bit);
	return 1;
}

/* Serves `ticket`, the first one, and those after it that are gone. */
WEIR_FN void weir_condition_serve_(weir_condition c, uint32_t ticket, uint32_t waiting)
{
	/* Neither the last ticket is gone, nor those behind it. */
	do
		ticket++;
	while (weir_condition_forget_(c, ticket));
	weir_store_rlx(weir_condition_waiting_(c), waiting - 1);
	weir_store_rlx(weir_condition_served_(c), ticket);
}

/* Waits until the ticket is served. Relaxed: the lock that follows carries the data. */
WEIR_FN weir_status weir_condition_await_(weir_condition c, uint32_t ticket)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);

	while ((int32_t)(weir_load_rlx(weir_condition_served_(c)) - ticket) <= 0) {
		if (weir_wait_aborted(&wait))
			return WEIR_ABORTED;
		weir_wait_until_ge(&wait, weir_condition_served_(c), ticket + 1);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	return WEIR_OK;
}

/** Unlocks the mutex, waits to be woken, and locks it again. One thread calls it for its block,
 * which holds the mutex, in a loop that looks at the predicate. Returns WEIR_OK, or
 * WEIR_ABORTED without the mutex when the launch was aborted and its threads cannot end
 * (weir_device_abort). */
WEIR_FN weir_status weir_condition_wait(weir_condition c, weir_mutex m WEIR_SITE_)
{
	weir_status result;
	uint32_t ticket;
	WEIR_NOTED_(weir_doing doing);
	WEIR_NOTED_(weir_notes n = weir_notes_open_(c.words, c.config.id, site));

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return WEIR_ABORTED);
	WEIR_NOTED_(weir_note_condition_(n, c, m));
	weir_condition_join_(c, &ticket);
	weir_mutex_unlock(m WEIR_AT_);
	WEIR_NOTED_(doing = weir_note_waits_(c, site));
	result = weir_condition_await_(c, ticket);
	WEIR_NOTED_(weir_note_end_(c.words, doing));
	if (result == WEIR_OK)
		weir_mutex_lock(m WEIR_AT_);
	return result;
}

/** Wakes the block that has waited longest. The caller holds the mutex. Returns 1, or 0 if no
 * block waits. */
WEIR_FN int weir_condition_signal(weir_condition c WEIR_SITE_)
{
	uint32_t waiting = weir_load_rlx(weir_condition_waiting_(c));

	if (waiting == 0) {
		WEIR_NOTED_(weir_note_woken_(c, 0, site));
		return 0;
	}
	weir_condition_serve_(c, weir_load_rlx(weir_condition_served_(c)), waiting);
	WEIR_NOTED_(weir_note_woken_(c, 1, site));
	return 1;
}

/** Wakes all blocks that wait. The caller holds the mutex. Returns their number. */
WEIR_FN uint32_t weir_condition_broadcast(weir_condition c WEIR_SITE_)
{
	uint32_t waiting = weir_load_rlx(weir_condition_waiting_(c));
	uint32_t joined;

	if (waiting == 0) {
		WEIR_NOTED_(weir_note_woken_(c, 0, site));
		return 0;
	}
	joined = weir_load_rlx(weir_condition_joined_(c));
	if (joined - weir_load_rlx(weir_condition_served_(c)) != waiting) {
		WEIR_NO_UNROLL
		for (uint32_t i = 0; i < c.config.slots; i += 32)
			weir_store_rlx(weir_condition_gone_(c, i), 0);
	}
	weir_store_rlx(weir_condition_waiting_(c), 0);
	weir_store_rlx(weir_condition_served_(c), joined);
	WEIR_NOTED_(weir_note_woken_(c, 1, site));
	return waiting;
}

/** Waits until `predicate` holds, an expression that the loop evaluates with the mutex. One
 * thread, as weir_condition_wait. */
#define weir_condition_wait_until(c, m, predicate)                                                 \
	do {                                                                                       \
		while (!(predicate) && weir_condition_wait(c, m) == WEIR_OK)                       \
			;                                                                          \
	} while (0)

#if WEIR_HAS_BLOCK_VALUE

/** Waits for a block. All threads of the block call it, and all of them get the same result.
 * Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN weir_status weir_condition_block_wait(weir_condition c, weir_mutex m WEIR_SITE_)
{
	uint32_t result = 0;

	weir_block_sync(); /* the block's work with the mutex precedes the leader's unlock */
	if (weir_thread_id() == 0)
		result = (uint32_t)weir_condition_wait(c, m WEIR_AT_);
	return (weir_status)weir_block_value(result); /* its sync extends the lock to the block */
}

/** Waits until `predicate` holds, for a block. All threads of the block call it. They find the
 * same, since none writes before the last one has looked. */
#define weir_condition_block_wait_until(c, m, predicate)                                           \
	do {                                                                                       \
		while (!(predicate) && weir_condition_block_wait(c, m) == WEIR_OK)                 \
			;                                                                          \
		weir_block_sync();                                                                 \
	} while (0)

#endif

/** Signals for a block. All threads of the block call it, and thread 0 signals. It waits for no
 * other thread: the unlock that follows does. */
WEIR_FN void weir_condition_block_signal(weir_condition c WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_condition_signal(c WEIR_AT_);
}

/** Broadcasts for a block, as weir_condition_block_signal. */
WEIR_FN void weir_condition_block_broadcast(weir_condition c WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_condition_broadcast(c WEIR_AT_);
}

#endif
