/* The dispatch: from an object to the algorithm of its kind. It is made from the rows, and nothing
 * else in a kernel compares kinds. PRIMITIVE is BARRIER, MUTEX, SEMAPHORE, EVENT or QUEUE.
 *
 *   WEIR_DISPATCH_(PRIMITIVE, kind, _operation, (arguments))
 *       calls weir_NAME_operation(arguments) for the row that has the value `kind`. A constant kind
 *       leaves that one call. A kind that no row has ends the launch.
 *   WEIR_DISPATCH_OR_(PRIMITIVE, kind, _operation, (arguments), otherwise)
 *       does the same; for a kind that no row has it executes the statement `otherwise`.
 *   WEIR_DISPATCH_RETURN_(PRIMITIVE, kind, _operation, (arguments), otherwise)
 *       does the same, and returns the result of the call. For a kind that no row has it ends the
 *       launch, or executes the `refusal` of WEIR_DISPATCH_RETURN_OR_, and returns `otherwise`.
 *   WEIR_DISPATCH_VALUE_(PRIMITIVE, kind, _operation, (arguments), otherwise)
 *       does the same for an operation without effects. For a kind that no row has it returns
 *       `otherwise`, so that compilers can still merge several calls.
 *   WEIR_DISPATCH_LIKELY_(PRIMITIVE, kind, function, object)
 *       calls function(object, kind), with the call site of the operation in a diagnosis. It compares
 *       with the likely kinds first, and passes them as constants: for them a dispatch costs one
 *       comparison or two.
 *   WEIR_HAS_ROW_(PRIMITIVE, kind)
 *       returns whether a row has the value `kind`, and the kernel has that kind.
 *
 * The kinds that a kernel has are those of the group below.
 *
 * What follows for a kernel:
 *   WEIR_KIND_(PRIMITIVE, config)        is the kind to dispatch on.
 *   WEIR_IS_FIXED_(PRIMITIVE)            is 1 in a kernel that has one kind, else 0.
 *   WEIR_HANDLES_(PRIMITIVE, kind)       tells whether the code of that kind, or of the default,
 *                                        handles `kind`.
 *   WEIR_HAS_KIND_(PRIMITIVE, kind)      is 0 if a kernel with several kinds lacks that one.
 *   WEIR_FITS_(PRIMITIVE, config)        tells whether the kernel can handle the kind of the handle.
 *   WEIR_CHECK_KIND_(PRIMITIVE, config)  ends the launch when it cannot.
 *   WEIR_CHECK_FIXED_(PRIMITIVE, config) does so in a kernel that has one kind. A kernel with more
 *                                        checks that where it dispatches.
 *   WEIR_LIST_KINDS_(PRIMITIVE)          lists the kinds that the kernel has, by WEIR_LIST_KIND_ of
 *                                        the machine. weir_kernel_launch reads the list, and refuses
 *                                        a handle of another kind before the launch.
 */
#ifndef WEIR_DISPATCH_H
#define WEIR_DISPATCH_H

#include "weir/machine.h"

/** @defgroup weir_select The kinds of a kernel
 *
 * Macros that choose which kinds a kernel contains. Define them before the headers.
 *
 * A kernel for a GPU contains only the code of the default kind of each primitive. The code of a
 * default also handles a kind that is a special case of it: `counter` handles `central`, and
 * `spin_backoff` handles `spin`. A kernel for a CPU contains all kinds. weir_kernel_launch refuses a
 * CUDA kernel that lacks the kind of a handle; in other launches the first operation on such a handle
 * ends the launch.
 *
 * @code
 * #define WEIR_MUTEX_WITH (1 << WEIR_MUTEX_TICKET | 1 << WEIR_MUTEX_PATIENT)
 * #define WEIR_SEMAPHORE_KIND WEIR_SEMAPHORE_SLEEPING
 * #include <weir/device.h>
 * @endcode
 */
#ifdef WEIR_REFERENCE
/** The one kind of barrier that the kernel has, instead of the default: a constant of weir_barrier_kind. */
#define WEIR_BARRIER_KIND
/** Kinds of barrier that the kernel has in addition to the default, each as a bit: 1 << its number. */
#define WEIR_BARRIER_WITH
/** The one kind of mutex that the kernel has, instead of the default: a constant of weir_mutex_kind. */
#define WEIR_MUTEX_KIND
/** Kinds of mutex that the kernel has in addition to the default, each as a bit: 1 << its number. */
#define WEIR_MUTEX_WITH
/** The one kind of semaphore that the kernel has, instead of the default: a constant of weir_semaphore_kind. */
#define WEIR_SEMAPHORE_KIND
/** Kinds of semaphore that the kernel has in addition to the default, each as a bit: 1 << its number. */
#define WEIR_SEMAPHORE_WITH
/** The one kind of event that the kernel has, instead of the default: a constant of weir_event_kind. */
#define WEIR_EVENT_KIND
/** Kinds of event that the kernel has in addition to the default, each as a bit: 1 << its number. */
#define WEIR_EVENT_WITH
/** The one kind of queue that the kernel has, instead of the default: a constant of weir_queue_kind. */
#define WEIR_QUEUE_KIND
/** Kinds of queue that the kernel has in addition to the default, each as a bit: 1 << its number. */
#define WEIR_QUEUE_WITH
/** The kernel has all kinds of all primitives. The kind `grid` of barriers also needs WEIR_GRID_SYNC. */
#define WEIR_ALL_KINDS
/** A kernel with several kinds of a primitive compares with none of them first. */
#define WEIR_NO_LIKELY_KINDS
/** weir/weir.h and weir/device.h include weir/weir_compat.h, which has the names of weir 0.1. */
#define WEIR_COMPAT_0_1
#endif

#if WEIR_HAS_ALL_KINDS && !defined(WEIR_ALL_KINDS)
#define WEIR_ALL_KINDS
#endif

/* For each primitive:
 *   _SET_    the code that the kernel contains: that of ONE_ kind, code for TWO_ kinds, or that of SOME_
 *            kinds; then the kind, or the default, the second kind of that code, and more kinds as bits.
 *   _ROW_    tells whether the kernel has a row with that value.
 *   _NEEDS_  tells whether a handle has what that code needs, apart from its kind. */
#if defined(WEIR_BARRIER_KIND)
#define WEIR_BARRIER_SET_ ONE_, WEIR_BARRIER_KIND, WEIR_BARRIER_KIND, 0
#elif defined(WEIR_BARRIER_WITH) || defined(WEIR_ALL_KINDS)
#define WEIR_BARRIER_SET_                                                                          \
	SOME_, WEIR_BARRIER_COUNTER, WEIR_BARRIER_CENTRAL, WEIR_WITH_(WEIR_BARRIER_WITH)
#else
#define WEIR_BARRIER_SET_ TWO_, WEIR_BARRIER_COUNTER, WEIR_BARRIER_CENTRAL, 0
#endif
#define WEIR_BARRIER_ROW_ weir_barrier_is_kind_
/* The counter's need of threads, so that a barrier makes one check. */
#define WEIR_BARRIER_NEEDS_(config)                                                                \
	(WEIR_KIND_(BARRIER, config) != WEIR_BARRIER_COUNTER ||                                    \
	 weir_has_parts(weir_thread_count(), (config).shape.bits))

#if defined(WEIR_MUTEX_KIND)
#define WEIR_MUTEX_SET_ ONE_, WEIR_MUTEX_KIND, WEIR_MUTEX_KIND, 0
#elif defined(WEIR_MUTEX_WITH) || defined(WEIR_ALL_KINDS)
#define WEIR_MUTEX_SET_ SOME_, WEIR_MUTEX_SPIN_BACKOFF, WEIR_MUTEX_SPIN, WEIR_WITH_(WEIR_MUTEX_WITH)
#else
#define WEIR_MUTEX_SET_ TWO_, WEIR_MUTEX_SPIN_BACKOFF, WEIR_MUTEX_SPIN, 0
#endif
#define WEIR_MUTEX_ROW_ weir_mutex_is_kind_
#define WEIR_MUTEX_NEEDS_(config) 1

#if defined(WEIR_SEMAPHORE_KIND)
#define WEIR_SEMAPHORE_SET_ ONE_, WEIR_SEMAPHORE_KIND, WEIR_SEMAPHORE_KIND, 0
#elif defined(WEIR_SEMAPHORE_WITH) || defined(WEIR_ALL_KINDS)
#define WEIR_SEMAPHORE_SET_                                                                        \
	SOME_, WEIR_SEMAPHORE_LIKELY, WEIR_SEMAPHORE_LIKELY, WEIR_WITH_(WEIR_SEMAPHORE_WITH)
#else
#define WEIR_SEMAPHORE_SET_ ONE_, WEIR_SEMAPHORE_LIKELY, WEIR_SEMAPHORE_LIKELY, 0
#endif
#define WEIR_SEMAPHORE_ROW_ weir_semaphore_is_kind_
#define WEIR_SEMAPHORE_NEEDS_(config) 1

#if defined(WEIR_EVENT_KIND)
#define WEIR_EVENT_SET_ ONE_, WEIR_EVENT_KIND, WEIR_EVENT_KIND, 0
#elif defined(WEIR_EVENT_WITH) || defined(WEIR_ALL_KINDS)
#define WEIR_EVENT_SET_ SOME_, WEIR_EVENT_WORD, WEIR_EVENT_WORD, WEIR_WITH_(WEIR_EVENT_WITH)
#else
#define WEIR_EVENT_SET_ ONE_, WEIR_EVENT_WORD, WEIR_EVENT_WORD, 0
#endif
#define WEIR_EVENT_ROW_ weir_event_is_kind_
#define WEIR_EVENT_NEEDS_(config) 1

#if defined(WEIR_QUEUE_KIND)
#define WEIR_QUEUE_SET_ ONE_, WEIR_QUEUE_KIND, WEIR_QUEUE_KIND, 0
#elif defined(WEIR_QUEUE_WITH) || defined(WEIR_ALL_KINDS)
#define WEIR_QUEUE_SET_ SOME_, WEIR_QUEUE_LIKELY, WEIR_QUEUE_LIKELY, WEIR_WITH_(WEIR_QUEUE_WITH)
#else
#define WEIR_QUEUE_SET_ ONE_, WEIR_QUEUE_LIKELY, WEIR_QUEUE_LIKELY, 0
#endif
#define WEIR_QUEUE_ROW_ weir_queue_is_kind_
#define WEIR_QUEUE_NEEDS_(config) 1

#ifdef WEIR_ALL_KINDS
#define WEIR_WITH_(bits) ~0u
#else
#define WEIR_WITH_(bits) (bits)
#endif

/* Calls a macro with the members of a set as arguments. */
#define WEIR_IN_SET_(macro, ...) macro(__VA_ARGS__)
#define WEIR_KIND_(PRIMITIVE, config) WEIR_IN_SET_(WEIR_SET_KIND_, WEIR_##PRIMITIVE##_SET_, config)
#define WEIR_SET_KIND_(set, own, alike, with, config)                                              \
	(WEIR_IS_##set ? (uint32_t)(own) : (config).kind)
#define WEIR_IS_FIXED_(PRIMITIVE) WEIR_IN_SET_(WEIR_SET_IS_FIXED_, WEIR_##PRIMITIVE##_SET_)
#define WEIR_SET_IS_FIXED_(set, own, alike, with) WEIR_IS_##set
#define WEIR_IS_ONE_ 1
#define WEIR_IS_TWO_ 1
#define WEIR_IS_SOME_ 0
#define WEIR_HANDLES_(PRIMITIVE, other)                                                            \
	WEIR_IN_SET_(WEIR_SET_HANDLES_, WEIR_##PRIMITIVE##_SET_, other)
#define WEIR_SET_HANDLES_(set, own, alike, with, other) ((other) == (own) || (other) == (alike))
#define WEIR_HAS_KIND_(PRIMITIVE, other) WEIR_IN_SET_(WEIR_SET_HAS_, WEIR_##PRIMITIVE##_SET_, other)
#define WEIR_SET_HAS_(set, own, alike, with, other)                                                \
	(WEIR_IS_##set || WEIR_SET_HANDLES_(set, own, alike, with, other) ||                       \
	 ((with) >> (other)&1) != 0)

/* A kind that the kernel lacks is listed below 0. */
#define WEIR_LIST_KINDS_(PRIMITIVE) WEIR_LIST_(PRIMITIVE, WEIR_##PRIMITIVE##_SET_)
#define WEIR_LIST_(...) WEIR_LIST_SET_(__VA_ARGS__)
#define WEIR_LIST_SET_(PRIMITIVE, set, own, alike, with) WEIR_LIST_##set(PRIMITIVE, own, alike)
#define WEIR_LIST_ONE_(PRIMITIVE, own, alike) WEIR_LIST_KIND_(PRIMITIVE, own)
#define WEIR_LIST_TWO_(PRIMITIVE, own, alike)                                                      \
	WEIR_LIST_KIND_(PRIMITIVE, own) WEIR_LIST_KIND_(PRIMITIVE, alike)
#define WEIR_LIST_SOME_(PRIMITIVE, own, alike)                                                     \
	WEIR_##PRIMITIVE##_KINDS_WITH(WEIR_LIST_ROW_, PRIMITIVE)
#define WEIR_LIST_ROW_(PRIMITIVE, name, NAME, value, ...)                                          \
	WEIR_LIST_KIND_(PRIMITIVE, (WEIR_HAS_KIND_(PRIMITIVE, value) ? value : -value))

#define WEIR_FITS_(PRIMITIVE, config)                                                              \
	(WEIR_IS_FIXED_(PRIMITIVE)                                                                 \
	     ? WEIR_##PRIMITIVE##_NEEDS_(config) && WEIR_HANDLES_(PRIMITIVE, (config).kind)        \
	     : WEIR_##PRIMITIVE##_ROW_((config).kind))
#define WEIR_CHECK_KIND_(PRIMITIVE, config)                                                        \
	do {                                                                                       \
		if (!WEIR_LIKELY(WEIR_FITS_(PRIMITIVE, config)))                                   \
			weir_end_launch(WEIR_FAULT_##PRIMITIVE, (config).kind);                    \
	} while (0)
#define WEIR_CHECK_FIXED_(PRIMITIVE, config)                                                       \
	do {                                                                                       \
		if (WEIR_IS_FIXED_(PRIMITIVE))                                                     \
			WEIR_CHECK_KIND_(PRIMITIVE, config);                                       \
	} while (0)

#ifndef WEIR_BARRIER_LIKELY
/** The kind of barrier that a kernel with several compares with first. A build may set another, as with the macros
 * below. */
#define WEIR_BARRIER_LIKELY WEIR_BARRIER_CENTRAL
#endif
#ifndef WEIR_BARRIER_LIKELY_TOO
/** The kind of barrier that it compares with next. */
#define WEIR_BARRIER_LIKELY_TOO WEIR_BARRIER_COUNTER
#endif
#ifndef WEIR_MUTEX_LIKELY
/** The kind of mutex that it compares with first. */
#define WEIR_MUTEX_LIKELY WEIR_MUTEX_SPIN_BACKOFF
#endif
#ifndef WEIR_SEMAPHORE_LIKELY
#if WEIR_HAS_WORD64
/** The kind of semaphore that it compares with first, and the default. */
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_PACKED
#else
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_SLEEPING
#endif
#endif
#if WEIR_HAS_WORD64
/** The default kind of queue. */
#define WEIR_QUEUE_LIKELY WEIR_QUEUE_CELLS
#else
#define WEIR_QUEUE_LIKELY WEIR_QUEUE_LINES
#endif

#define WEIR_BARRIER_LIKELY_(X, kind, function, object)                                            \
	X(WEIR_BARRIER_LIKELY, kind, function, object)                                             \
	X(WEIR_BARRIER_LIKELY_TOO, kind, function, object)
#define WEIR_MUTEX_LIKELY_(X, kind, function, object) X(WEIR_MUTEX_LIKELY, kind, function, object)
#define WEIR_SEMAPHORE_LIKELY_(X, kind, function, object)                                          \
	X(WEIR_SEMAPHORE_LIKELY, kind, function, object)

#ifdef WEIR_NO_LIKELY_KINDS
#define WEIR_DISPATCH_LIKELY_(PRIMITIVE, kind, function, object) function(object, kind WEIR_AT_)
#else
#define WEIR_DISPATCH_LIKELY_(PRIMITIVE, kind, function, object)                                   \
	WEIR_##PRIMITIVE##_LIKELY_(WEIR_IF_LIKELY_, kind, function, object)                        \
	    function(object, kind WEIR_AT_)
#endif
#define WEIR_IF_LIKELY_(likely, kind, function, object)                                            \
	if (WEIR_LIKELY((kind) == likely))                                                         \
		function(object, likely WEIR_AT_);                                                 \
	else

#define WEIR_DISPATCH_(PRIMITIVE, kind, operation, arguments)                                      \
	WEIR_DISPATCH_OR_(PRIMITIVE, kind, operation, arguments,                                   \
	                  weir_end_launch(WEIR_FAULT_##PRIMITIVE, kind))
#define WEIR_DISPATCH_OR_(PRIMITIVE, kind, operation, arguments, otherwise)                        \
	switch (kind) {                                                                            \
	default:                                                                                   \
		otherwise;                                                                         \
		break;                                                                             \
		WEIR_##PRIMITIVE##_KINDS_WITH(WEIR_CASE_,                                          \
		                              (PRIMITIVE, operation, arguments, otherwise))        \
	}
#define WEIR_CASE_(call, name, NAME, value, ...)                                                   \
	case value:                                                                                \
		if (WEIR_IN_SET_(WEIR_SET_HAS_, WEIR_CASE_SET_ call, value))                       \
			WEIR_CASE_CALL_(weir_##name, WEIR_CASE_OPERATION_ call,                    \
			                WEIR_CASE_ARGUMENTS_ call);                                \
		else                                                                               \
			WEIR_CASE_OTHERWISE_ call;                                                 \
		break;

#define WEIR_DISPATCH_RETURN_(PRIMITIVE, kind, operation, arguments, otherwise)                    \
	WEIR_DISPATCH_RETURN_OR_(PRIMITIVE, kind, operation, arguments, otherwise,                 \
	                         weir_end_launch(WEIR_FAULT_##PRIMITIVE, kind))
#define WEIR_DISPATCH_RETURN_OR_(PRIMITIVE, kind, operation, arguments, otherwise, refusal)        \
	switch (kind) {                                                                            \
	default:                                                                                   \
		refusal;                                                                           \
		return otherwise;                                                                  \
		WEIR_##PRIMITIVE##_KINDS_WITH(WEIR_CASE_RETURN_,                                   \
		                              (PRIMITIVE, operation, arguments, refusal))          \
	}                                                                                          \
	return otherwise
#define WEIR_DISPATCH_VALUE_(PRIMITIVE, kind, operation, arguments, otherwise)                     \
	switch (kind) {                                                                            \
	default:                                                                                   \
		return otherwise;                                                                  \
		WEIR_##PRIMITIVE##_KINDS_WITH(WEIR_CASE_RETURN_,                                   \
		                              (PRIMITIVE, operation, arguments, (void)0))          \
	}                                                                                          \
	return otherwise
#define WEIR_CASE_RETURN_(call, name, NAME, value, ...)                                            \
	case value:                                                                                \
		if (WEIR_IN_SET_(WEIR_SET_HAS_, WEIR_CASE_SET_ call, value))                       \
			return WEIR_CASE_CALL_(weir_##name, WEIR_CASE_OPERATION_ call,             \
			                       WEIR_CASE_ARGUMENTS_ call);                         \
		WEIR_CASE_OTHERWISE_ call;                                                         \
		break;

#define WEIR_CASE_SET_(PRIMITIVE, operation, arguments, otherwise) WEIR_##PRIMITIVE##_SET_
#define WEIR_CASE_OPERATION_(PRIMITIVE, operation, arguments, otherwise) operation
#define WEIR_CASE_ARGUMENTS_(PRIMITIVE, operation, arguments, otherwise) arguments
#define WEIR_CASE_OTHERWISE_(PRIMITIVE, operation, arguments, otherwise) otherwise
#define WEIR_CASE_CALL_(algorithm, operation, arguments)                                           \
	WEIR_CASE_PASTE_(algorithm, operation) arguments
#define WEIR_CASE_PASTE_(algorithm, operation) algorithm##operation

#define WEIR_HAS_ROW_(PRIMITIVE, kind)                                                             \
	switch (kind) {                                                                            \
	default:                                                                                   \
		return 0;                                                                          \
		WEIR_##PRIMITIVE##_KINDS_WITH(WEIR_CASE_ALONE_, PRIMITIVE)                         \
	}
#define WEIR_CASE_ALONE_(PRIMITIVE, name, NAME, value, ...)                                        \
	case value:                                                                                \
		return WEIR_HAS_KIND_(PRIMITIVE, value);

#endif
