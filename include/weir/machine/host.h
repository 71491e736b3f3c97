/* The host machine: the C compiler's atomics, and a pthread for each GPU thread.
 *
 * Every pause yields, and a wait sleeps after a while, so it works with more threads than cores.
 * Threads that weir_launch started know their block. The caller's own threads declare their block
 * with weir_host_join; without that, each is block 0 of 1. A thread that did not join must not call a
 * barrier of several blocks; weir_host_on_fault says what happens if it does.
 *
 * The accesses use the __atomic builtins of gcc and clang, which are the same in C11 and C++. Their
 * order is always part of the access, since ThreadSanitizer does not understand standalone fences.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_HOST_H
#define WEIR_MACHINE_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WEIR_FN static inline
#define WEIR_GLOBAL
#define WEIR_NO_UNROLL
#define WEIR_UNROLL
#define WEIR_HAS_ALL_KINDS 1
#define WEIR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_WORD64 1
#define WEIR_HAS_CLUSTER 1
#define WEIR_HAS_THREAD_PROGRESS 1
#define WEIR_HAS_TEAMS 1
#define WEIR_HAS_BLOCK_VALUE 1

/* The number of threads that divide work: one, except in tests of such code, where they form a
 * warp. */
#ifndef WEIR_HOST_FIRST_THREADS
#define WEIR_HOST_FIRST_THREADS 1
#elif WEIR_HOST_FIRST_THREADS > 1
#define WEIR_HOST_WARP_THREADS WEIR_HOST_FIRST_THREADS
#endif

/* The number of consecutive threads in a warp: the same as on CUDA, so that teams are the same on
 * both. */
#ifndef WEIR_HOST_WARP_THREADS
#define WEIR_HOST_WARP_THREADS 32
#endif
#define WEIR_WARP_THREADS WEIR_HOST_WARP_THREADS

typedef struct weir_word {
	uint32_t value_;
} weir_word;

/* May alias: it lies in an array of weir_word. */
typedef uint64_t weir_value64_ __attribute__((may_alias, aligned(8)));

typedef struct weir_word64 {
	weir_value64_ value_;
} weir_word64;

struct weir_host_group; /* the threads of one running block */

typedef struct weir_host_thread {
	struct weir_host_group *group; /* NULL: the caller's own thread, alone in its block */
	uint32_t block_id;
	uint32_t block_count;
	uint32_t thread_id;
	uint32_t thread_count;
	uint32_t cluster_id;
	uint32_t cluster_rank;
	uint32_t cluster_size;
	uint32_t joined; /* it is a block of a launch, or called weir_host_join */
	uint32_t each;   /* WEIR_NOTE_EACH of a diagnosis, of every thread */
	const void *met; /* the words of the last barrier that was found to have it as a member */
} weir_host_thread;

/* The condition that ends a wait: the word (of 64 bits, its upper half), after masking, passes the
 * test. */
#define WEIR_REST_EQ 0u
#define WEIR_REST_NE 1u
#define WEIR_REST_GE 2u /* by signed difference */
#define WEIR_REST_TEST 3u
#define WEIR_REST_64 4u
#define WEIR_REST_ONE 8u /* only one of the threads that wait for it can go on */

typedef struct weir_rest_hint {
	const void *word;
	uint32_t test;
	uint32_t mask;
	uint32_t value;
} weir_rest_hint;

#define WEIR_REST_HINTS 2

/* How a thread has rested. */
#define WEIR_REST_PAUSED 1
#define WEIR_REST_SLEPT 2

/* The state of a thread that rests between the attempts of a wait. */
typedef struct weir_rest {
	uint64_t until_ns; /* a deadline, which ends a sleep; 0: none */
	uint32_t tries;
	uint32_t sleeps;
	uint32_t hinted; /* since the last attempt */
	weir_rest_hint hints[WEIR_REST_HINTS];
} weir_rest;

/* The shared library exports these. */
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Makes the calling thread, which weir_kernel_launch did not start, block `block_id` of `block_count`, with
 * one thread. It may join again as another block. Returns WEIR_BAD_ARGUMENT if `block_id` is not below
 * `block_count`, or in a thread of a launch. */
enum weir_status weir_host_join(uint32_t block_id, uint32_t block_count);

/* The handler of faults in threads that weir_kernel_launch did not start, for which there is no launch to
 * end. A fault is a handle whose kind does not exist, or a barrier of several blocks without
 * weir_host_join, or with another number of blocks than the thread joined with. It is also a fault if two
 * threads arrive at a barrier as the same block. That is allowed once one of them has ended or joined as
 * another block, or the barrier was reset. The handler is called with one line that says what is wrong. It
 * may end the thread, or jump out of the operation. Without a handler, or when it returns, the line is
 * written to standard error and the program ends with abort(), as assert does. */
typedef void (*weir_host_fault_handler)(const char *text);

/* Sets the handler; NULL: none. Returns the previous handler. */
weir_host_fault_handler weir_host_on_fault(weir_host_fault_handler handler);

weir_host_thread *weir_host_self_(void);
void weir_host_block_sync_(void);
void weir_host_warp_sync_(uint32_t first, uint32_t threads);
void weir_host_named_sync_(uint32_t id, uint32_t threads);
uint32_t *weir_host_plain_(uint32_t place);
void weir_host_yield_(void);
void weir_host_jitter_(void);
void weir_host_end_launch_(uint32_t fault, uint32_t kind);
void weir_host_check_member_(const void *words, uint32_t blocks, uint32_t first, uint32_t is_part);
void weir_host_aborted_(void);
uint64_t *weir_host_area_(void);
uint64_t weir_host_clock_ns_(void);
int weir_host_rest_(weir_rest *rest);
void weir_host_wake_(const void *word);

/* For each group of cache lines, whether threads may be sleeping until one of its words changes. */
#define WEIR_HOST_LINES 256
#define WEIR_HOST_LINE_OF_(word) ((uint32_t)((uintptr_t)(word) >> 6) % WEIR_HOST_LINES)
extern uint32_t weir_host_armed_[WEIR_HOST_LINES];

/* The library defines this function only for the series of its own headers, and every unit with
 * kernels refers to the function of its headers. So a unit of another series does not link, or is
 * not loaded. */
#define WEIR_HOST_FITS_(major, minor, patch) weir_host_kernels_##major##_##minor##_
void WEIR_VERSION_PARTS_(WEIR_HOST_FITS_)(void);
#define WEIR_KERNELS_FIT_                                                                          \
	static void (*const weir_kernels_fit_)(void) __attribute__((used)) =                       \
	    WEIR_VERSION_PARTS_(WEIR_HOST_FITS_);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_JITTER
#define weir_jitter_() weir_host_jitter_()
#else
#define weir_jitter_() ((void)0)
#endif

/* Called after each write of a word. A thread arms the line before it looks at the word for the last
 * time and sleeps. Here the word is written before the line is read, so one of the two sees the other.
 * Both fences between these are the sleeper's (src/host/park.c), so this costs only a load, which the
 * compiler must not move. */
WEIR_FN void weir_host_written_(const void *word)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!WEIR_LIKELY(__atomic_load_n(&weir_host_armed_[WEIR_HOST_LINE_OF_(word)],
	                                 __ATOMIC_RELAXED) == 0))
		weir_host_wake_(word);
}

/* `n` and `bits` are empty and 32, or 64 and 64. */
#define WEIR_HOST_LOAD_(n, bits, order, builtin)                                                   \
	WEIR_FN uint##bits##_t weir_load##n##_##order(weir_word##n *w)                             \
	{                                                                                          \
		weir_jitter_();                                                                    \
		return __atomic_load_n(&w->value_, builtin);                                       \
	}

#define WEIR_HOST_STORE_(n, bits, order, builtin)                                                  \
	WEIR_FN void weir_store##n##_##order(weir_word##n *w, uint##bits##_t value)                \
	{                                                                                          \
		weir_jitter_();                                                                    \
		__atomic_store_n(&w->value_, value, builtin);                                      \
		weir_host_written_(w);                                                             \
	}

#define WEIR_HOST_RED_(n, bits, order, builtin)                                                    \
	WEIR_FN void weir_red_add##n##_##order(weir_word##n *w, uint##bits##_t addend)             \
	{                                                                                          \
		weir_jitter_();                                                                    \
		(void)__atomic_fetch_add(&w->value_, addend, builtin);                             \
		weir_host_written_(w);                                                             \
	}

/* A failed compare-and-swap is a load, which cannot release, so its order has no release. */
#define WEIR_HOST_RMW_(n, bits, order, builtin, failure)                                           \
	WEIR_FN uint##bits##_t weir_add##n##_##order(weir_word##n *w, uint##bits##_t addend)       \
	{                                                                                          \
		weir_jitter_();                                                                    \
		uint##bits##_t old = __atomic_fetch_add(&w->value_, addend, builtin);              \
		weir_host_written_(w);                                                             \
		return old;                                                                        \
	}                                                                                          \
	WEIR_FN uint##bits##_t weir_cas##n##_##order(weir_word##n *w, uint##bits##_t expected,     \
	                                             uint##bits##_t value)                         \
	{                                                                                          \
		weir_jitter_();                                                                    \
		if (__atomic_compare_exchange_n(&w->value_, &expected, value, 0, builtin,          \
		                                failure))                                          \
			weir_host_written_(w);                                                     \
		return expected;                                                                   \
	}

#define WEIR_HOST_XCHG_(order, builtin)                                                            \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		weir_jitter_();                                                                    \
		uint32_t old = __atomic_exchange_n(&w->value_, value, builtin);                    \
		if (old != value)                                                                  \
			weir_host_written_(w);                                                     \
		return old;                                                                        \
	}

WEIR_HOST_LOAD_(, 32, rlx, __ATOMIC_RELAXED)
WEIR_HOST_LOAD_(, 32, acq, __ATOMIC_ACQUIRE)
WEIR_HOST_STORE_(, 32, rlx, __ATOMIC_RELAXED)
WEIR_HOST_STORE_(, 32, rel, __ATOMIC_RELEASE)
WEIR_HOST_RED_(, 32, rlx, __ATOMIC_RELAXED)
WEIR_HOST_RED_(, 32, rel, __ATOMIC_RELEASE)
WEIR_HOST_RMW_(, 32, rlx, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
WEIR_HOST_RMW_(, 32, acq, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
WEIR_HOST_RMW_(, 32, rel, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
WEIR_HOST_RMW_(, 32, acq_rel, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
WEIR_HOST_LOAD_(64, 64, rlx, __ATOMIC_RELAXED)
WEIR_HOST_LOAD_(64, 64, acq, __ATOMIC_ACQUIRE)
WEIR_HOST_STORE_(64, 64, rlx, __ATOMIC_RELAXED)
WEIR_HOST_STORE_(64, 64, rel, __ATOMIC_RELEASE)
WEIR_HOST_RED_(64, 64, rlx, __ATOMIC_RELAXED)
WEIR_HOST_RED_(64, 64, rel, __ATOMIC_RELEASE)
WEIR_HOST_RMW_(64, 64, rlx, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
WEIR_HOST_RMW_(64, 64, acq, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
WEIR_HOST_RMW_(64, 64, rel, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
WEIR_HOST_RMW_(64, 64, acq_rel, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
WEIR_HOST_XCHG_(rlx, __ATOMIC_RELAXED)
WEIR_HOST_XCHG_(acq, __ATOMIC_ACQUIRE)
WEIR_HOST_XCHG_(rel, __ATOMIC_RELEASE)
WEIR_HOST_XCHG_(acq_rel, __ATOMIC_ACQ_REL)

#undef WEIR_HOST_LOAD_
#undef WEIR_HOST_STORE_
#undef WEIR_HOST_RED_
#undef WEIR_HOST_RMW_
#undef WEIR_HOST_XCHG_

WEIR_FN uint64_t weir_clock_ns(void)
{
	return weir_host_clock_ns_();
}

WEIR_FN void weir_pause(uint32_t units)
{
	(void)units; /* one yield is far longer than any number of loads */
	weir_jitter_();
	weir_host_yield_();
}

WEIR_FN void weir_pause_sixteenths(uint32_t sixteenths)
{
	weir_pause(sixteenths);
}

#define WEIR_HAS_REST 1

WEIR_FN void weir_rest_begin_(weir_rest *rest)
{
	rest->until_ns = 0;
	rest->tries = 0;
	rest->sleeps = 0;
	rest->hinted = 0;
	memset(rest->hints, 0,
	       sizeof rest->hints); /* gcc's sanitizers require it: a wait is copied whole */
}

/* This includes the pause. */
WEIR_FN int weir_rest_again_(weir_rest *rest)
{
	weir_jitter_();
	return weir_host_rest_(rest);
}

WEIR_FN void weir_rest_hint_(weir_rest *rest, const void *word, uint32_t test, uint32_t mask,
                             uint32_t value)
{
	if (rest->hinted < WEIR_REST_HINTS) {
		weir_rest_hint *hint = &rest->hints[rest->hinted++];
		hint->word = word;
		hint->test = test;
		hint->mask = mask;
		hint->value = value;
	}
}

WEIR_FN void weir_rest_by_(weir_rest *rest, uint64_t since, uint64_t ns)
{
	rest->until_ns = ns < UINT64_MAX - since ? since + ns : UINT64_MAX;
}

#define WEIR_HAS_HINTS 1
#define weir_wait_until_eq(wait, w, value)                                                         \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_EQ, ~0u, value)
#define weir_wait_until_ne(wait, w, mask, value)                                                   \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_NE, mask, value)
#define weir_wait_until_ge(wait, w, value)                                                         \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_GE, ~0u, value)
#define weir_wait_until_high_ge(wait, w, value)                                                    \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_GE | WEIR_REST_64, ~0u, value)
/* Relaxed: if the load is too late, the hint is merely useless this time. */
#define weir_wait_until_change(wait, w) weir_wait_until_ne(wait, w, ~0u, weir_load_rlx(w))
#define weir_wait_one_until_eq(wait, w, value)                                                     \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_EQ | WEIR_REST_ONE, ~0u, value)
#define weir_wait_one_until_ne(wait, w, value)                                                     \
	weir_rest_hint_(&(wait)->rest, w, WEIR_REST_NE | WEIR_REST_ONE, ~0u, value)
#define weir_wait_by_(wait, deadline)                                                              \
	weir_rest_by_(&(wait)->rest, (deadline)->since, (deadline)->ns)

WEIR_FN void weir_end_launch(uint32_t fault, uint32_t kind)
{
	weir_host_end_launch_(fault, kind);
}

#define WEIR_HAS_OWN_CHECK 1

/* A thread that did not join is block 0 of 1, and is not a member of any barrier of more blocks. The last
 * barrier of one of the caller's own threads may have been replaced by another in the same memory. */
WEIR_FN void weir_check_member(const void *words, uint32_t blocks, uint32_t first, uint32_t is_part)
{
	const weir_host_thread *self = weir_host_self_();

	if (!WEIR_LIKELY(self->block_id - first < blocks &&
	                 (self->group
	                      ? is_part || blocks <= self->block_count
	                      : self->met == words && (is_part || blocks == self->block_count))))
		weir_host_check_member_(words, blocks, first, is_part);
}

#ifdef WEIR_DIAGNOSE
#define WEIR_HAS_THREAD_END 1
#define WEIR_COUNTS_THREADS 1

/* The area of the objects that the thread is using. */
WEIR_FN uint64_t weir_area_now_(void)
{
	return *weir_host_area_();
}

WEIR_FN void weir_area_set_(uint64_t address)
{
	*weir_host_area_() = address;
}

/* One of the caller's own threads may outlive the device. */
WEIR_FN void weir_area_leave_(void)
{
	*weir_host_area_() = 0;
}

/* Kept in the thread, which does not know the area between operations. */
#define WEIR_HAS_OWN_EACH 1
#define weir_each_put_(value) ((void)(weir_host_self_()->each = (value)))
#define weir_each_get_(notes) ((void)(notes), weir_host_self_()->each)

/* Ends the whole launch: other threads end at their next wait or block sync. */
WEIR_FN void weir_thread_end_(void)
{
	weir_host_aborted_();
}
#endif

WEIR_FN void weir_block_sync(void)
{
	weir_jitter_();
	weir_host_block_sync_();
}

WEIR_FN void weir_warp_sync_(uint32_t first, uint32_t threads)
{
	weir_jitter_();
	weir_host_warp_sync_(first, threads);
}

WEIR_FN void weir_named_sync_(uint32_t id, uint32_t threads)
{
	weir_jitter_();
	weir_host_named_sync_(id, threads);
}

WEIR_FN void weir_plain_put_(uint32_t place, uint32_t value)
{
	*weir_host_plain_(place) = value;
}

WEIR_FN uint32_t weir_plain_get_(uint32_t place)
{
	return *weir_host_plain_(place);
}

WEIR_FN uint32_t weir_hide_value(uint32_t x)
{
	return x;
}

WEIR_FN uint32_t weir_block_id(void)
{
	return weir_host_self_()->block_id;
}

WEIR_FN uint32_t weir_block_count(void)
{
	return weir_host_self_()->block_count;
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return weir_host_self_()->thread_id;
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return weir_host_self_()->thread_count;
}

WEIR_FN uint32_t weir_cluster_id(void)
{
	return weir_host_self_()->cluster_id;
}

WEIR_FN uint32_t weir_cluster_rank(void)
{
	return weir_host_self_()->cluster_rank;
}

WEIR_FN uint32_t weir_cluster_size(void)
{
	return weir_host_self_()->cluster_size;
}

#if WEIR_HOST_FIRST_THREADS > 1
#include "weir/machine/host_first.h"
#endif

#endif
