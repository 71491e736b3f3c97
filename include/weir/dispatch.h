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
 *       calls function(object, kind), with the call site of the operation in a diagnosis. It compares with the likely kinds first, and passes them as
 *       constants: for them a dispatch costs one comparison or two.
 *   WEIR_HAS_ROW_(PRIMITIVE, kind)
 *       returns whether a row has the value `kind`, and the kernel has that kind.
 *
 * A kernel has the text of one kind of a primitive, unless its author says otherwise:
 *   WEIR_MUTEX_KIND   the one kind that it has instead of the default's.
 *   WEIR_MUTEX_WITH   kinds that it has beside the default's, as a sum of bits:
 *                     (1 << WEIR_MUTEX_TICKET | 1 << WEIR_MUTEX_PATIENT).
 *   WEIR_ALL_KINDS    it has all kinds of all primitives. So has every kernel for a CPU, where code
 *                     takes no registers from other work (WEIR_HAS_ALL_KINDS).
 * The vendor's kinds need one more word: WEIR_GRID_SYNC, for the barrier `grid` (weir/machine.h).
 * Without it, not even WEIR_ALL_KINDS has them.
 * The text of a default also handles a kind that is a special case of it: `counter` handles
 * `central`, and `spin_backoff` handles `spin`.
 *
 * The other primitives have the same as these of the mutex:
 *   WEIR_MUTEX_KIND_(config)    is the kind to dispatch on.
 *   WEIR_MUTEX_IS_FIXED_        is 1 in a kernel that has one kind, else 0.
 *   WEIR_MUTEX_HAS_(kind)       is 0 if a kernel with several kinds lacks that one.
 *   WEIR_MUTEX_FITS_(config)    tells whether the kernel can handle the kind of the handle.
 *   WEIR_MUTEX_CHECK_(config)   ends the launch when a kernel that has one kind cannot. A kernel
 *                               with more checks that where it dispatches.
 *   WEIR_MUTEX_LIST_            lists the kinds that the kernel has, by WEIR_LIST_KIND_ of the
 *                               machine. weir_kernel_launch reads the list, and refuses a handle
 *                               of another kind before the launch.
 */
#ifndef WEIR_DISPATCH_H
#define WEIR_DISPATCH_H

#include "weir/machine.h"

#if WEIR_HAS_ALL_KINDS && !defined(WEIR_ALL_KINDS)
#define WEIR_ALL_KINDS
#endif

#if defined(WEIR_BARRIER_KIND)
#define WEIR_BARRIER_ONLY_ WEIR_BARRIER_KIND
#define WEIR_BARRIER_ALIKE_ WEIR_BARRIER_KIND
#define WEIR_BARRIER_LIST_ WEIR_LIST_KIND_(BARRIER, WEIR_BARRIER_KIND)
#elif !defined(WEIR_ALL_KINDS) && !defined(WEIR_BARRIER_WITH)
#define WEIR_BARRIER_ONLY_ WEIR_BARRIER_COUNTER
#define WEIR_BARRIER_ALIKE_ WEIR_BARRIER_CENTRAL
#define WEIR_BARRIER_LIST_                                                                         \
	WEIR_LIST_KIND_(BARRIER, WEIR_BARRIER_COUNTER)                                             \
	WEIR_LIST_KIND_(BARRIER, WEIR_BARRIER_CENTRAL)
#else
#define WEIR_BARRIER_LIST_ WEIR_BARRIER_KINDS_WITH(WEIR_LIST_ROW_, BARRIER)
#endif
#ifdef WEIR_BARRIER_ONLY_
#define WEIR_BARRIER_IS_FIXED_ 1
#define WEIR_BARRIER_KIND_(config) (WEIR_BARRIER_ONLY_)
/* With the counter's need of threads, so that a barrier makes one check. */
#define WEIR_BARRIER_FITS_(config)                                                                 \
	((WEIR_BARRIER_ONLY_ != WEIR_BARRIER_COUNTER ||                                            \
	  weir_has_parts(weir_thread_count(), (config).shape.bits)) &&                             \
	 WEIR_KIND_FITS_(BARRIER, config))
#define WEIR_BARRIER_CHECK_(config) WEIR_KIND_CHECK_(BARRIER, config)
#else
#define WEIR_BARRIER_IS_FIXED_ 0
#define WEIR_BARRIER_KIND_(config) ((config).kind)
#define WEIR_BARRIER_FITS_(config) weir_barrier_is_kind_((config).kind)
#define WEIR_BARRIER_CHECK_(config) ((void)0)
#endif
#if defined(WEIR_BARRIER_WITH) && !defined(WEIR_ALL_KINDS)
#define WEIR_BARRIER_HAS_(kind)                                                                    \
	((kind) == WEIR_BARRIER_COUNTER || (kind) == WEIR_BARRIER_CENTRAL ||                       \
	 ((WEIR_BARRIER_WITH) >> (kind)&1) != 0)
#else
#define WEIR_BARRIER_HAS_(kind) 1
#endif

#if defined(WEIR_MUTEX_KIND)
#define WEIR_MUTEX_ONLY_ WEIR_MUTEX_KIND
#define WEIR_MUTEX_ALIKE_ WEIR_MUTEX_KIND
#define WEIR_MUTEX_LIST_ WEIR_LIST_KIND_(MUTEX, WEIR_MUTEX_KIND)
#elif !defined(WEIR_ALL_KINDS) && !defined(WEIR_MUTEX_WITH)
#define WEIR_MUTEX_ONLY_ WEIR_MUTEX_SPIN_BACKOFF
#define WEIR_MUTEX_ALIKE_ WEIR_MUTEX_SPIN
#define WEIR_MUTEX_LIST_                                                                           \
	WEIR_LIST_KIND_(MUTEX, WEIR_MUTEX_SPIN_BACKOFF) WEIR_LIST_KIND_(MUTEX, WEIR_MUTEX_SPIN)
#else
#define WEIR_MUTEX_LIST_ WEIR_MUTEX_KINDS_WITH(WEIR_LIST_ROW_, MUTEX)
#endif
#ifdef WEIR_MUTEX_ONLY_
#define WEIR_MUTEX_IS_FIXED_ 1
#define WEIR_MUTEX_KIND_(config) (WEIR_MUTEX_ONLY_)
#define WEIR_MUTEX_FITS_(config) WEIR_KIND_FITS_(MUTEX, config)
#define WEIR_MUTEX_CHECK_(config) WEIR_KIND_CHECK_(MUTEX, config)
#else
#define WEIR_MUTEX_IS_FIXED_ 0
#define WEIR_MUTEX_KIND_(config) ((config).kind)
#define WEIR_MUTEX_FITS_(config) weir_mutex_is_kind_((config).kind)
#define WEIR_MUTEX_CHECK_(config) ((void)0)
#endif
#if defined(WEIR_MUTEX_WITH) && !defined(WEIR_ALL_KINDS)
#define WEIR_MUTEX_HAS_(kind)                                                                      \
	((kind) == WEIR_MUTEX_SPIN_BACKOFF || (kind) == WEIR_MUTEX_SPIN ||                         \
	 ((WEIR_MUTEX_WITH) >> (kind)&1) != 0)
#else
#define WEIR_MUTEX_HAS_(kind) 1
#endif

#if defined(WEIR_SEMAPHORE_KIND)
#define WEIR_SEMAPHORE_ONLY_ WEIR_SEMAPHORE_KIND
#define WEIR_SEMAPHORE_ALIKE_ WEIR_SEMAPHORE_KIND
#define WEIR_SEMAPHORE_LIST_ WEIR_LIST_KIND_(SEMAPHORE, WEIR_SEMAPHORE_KIND)
#elif !defined(WEIR_ALL_KINDS) && !defined(WEIR_SEMAPHORE_WITH)
#define WEIR_SEMAPHORE_ONLY_ WEIR_SEMAPHORE_LIKELY
#define WEIR_SEMAPHORE_ALIKE_ WEIR_SEMAPHORE_LIKELY
#define WEIR_SEMAPHORE_LIST_ WEIR_LIST_KIND_(SEMAPHORE, WEIR_SEMAPHORE_LIKELY)
#else
#define WEIR_SEMAPHORE_LIST_ WEIR_SEMAPHORE_KINDS_WITH(WEIR_LIST_ROW_, SEMAPHORE)
#endif
#ifdef WEIR_SEMAPHORE_ONLY_
#define WEIR_SEMAPHORE_IS_FIXED_ 1
#define WEIR_SEMAPHORE_KIND_(config) (WEIR_SEMAPHORE_ONLY_)
#define WEIR_SEMAPHORE_FITS_(config) WEIR_KIND_FITS_(SEMAPHORE, config)
#define WEIR_SEMAPHORE_CHECK_(config) WEIR_KIND_CHECK_(SEMAPHORE, config)
#else
#define WEIR_SEMAPHORE_IS_FIXED_ 0
#define WEIR_SEMAPHORE_KIND_(config) ((config).kind)
#define WEIR_SEMAPHORE_FITS_(config) weir_semaphore_is_kind_((config).kind)
#define WEIR_SEMAPHORE_CHECK_(config) ((void)0)
#endif
#if defined(WEIR_SEMAPHORE_WITH) && !defined(WEIR_ALL_KINDS)
#define WEIR_SEMAPHORE_HAS_(kind)                                                                  \
	((kind) == WEIR_SEMAPHORE_LIKELY || ((WEIR_SEMAPHORE_WITH) >> (kind)&1) != 0)
#else
#define WEIR_SEMAPHORE_HAS_(kind) 1
#endif

#if defined(WEIR_EVENT_KIND)
#define WEIR_EVENT_ONLY_ WEIR_EVENT_KIND
#define WEIR_EVENT_ALIKE_ WEIR_EVENT_KIND
#define WEIR_EVENT_LIST_ WEIR_LIST_KIND_(EVENT, WEIR_EVENT_KIND)
#elif !defined(WEIR_ALL_KINDS) && !defined(WEIR_EVENT_WITH)
#define WEIR_EVENT_ONLY_ WEIR_EVENT_WORD
#define WEIR_EVENT_ALIKE_ WEIR_EVENT_WORD
#define WEIR_EVENT_LIST_ WEIR_LIST_KIND_(EVENT, WEIR_EVENT_WORD)
#else
#define WEIR_EVENT_LIST_ WEIR_EVENT_KINDS_WITH(WEIR_LIST_ROW_, EVENT)
#endif
#ifdef WEIR_EVENT_ONLY_
#define WEIR_EVENT_IS_FIXED_ 1
#define WEIR_EVENT_KIND_(config) (WEIR_EVENT_ONLY_)
#define WEIR_EVENT_FITS_(config) WEIR_KIND_FITS_(EVENT, config)
#define WEIR_EVENT_CHECK_(config) WEIR_KIND_CHECK_(EVENT, config)
#else
#define WEIR_EVENT_IS_FIXED_ 0
#define WEIR_EVENT_KIND_(config) ((config).kind)
#define WEIR_EVENT_FITS_(config) weir_event_is_kind_((config).kind)
#define WEIR_EVENT_CHECK_(config) ((void)0)
#endif
#if defined(WEIR_EVENT_WITH) && !defined(WEIR_ALL_KINDS)
#define WEIR_EVENT_HAS_(kind) ((kind) == WEIR_EVENT_WORD || ((WEIR_EVENT_WITH) >> (kind)&1) != 0)
#else
#define WEIR_EVENT_HAS_(kind) 1
#endif

#if defined(WEIR_QUEUE_KIND)
#define WEIR_QUEUE_ONLY_ WEIR_QUEUE_KIND
#define WEIR_QUEUE_ALIKE_ WEIR_QUEUE_KIND
#define WEIR_QUEUE_LIST_ WEIR_LIST_KIND_(QUEUE, WEIR_QUEUE_KIND)
#elif !defined(WEIR_ALL_KINDS) && !defined(WEIR_QUEUE_WITH)
#define WEIR_QUEUE_ONLY_ WEIR_QUEUE_LIKELY
#define WEIR_QUEUE_ALIKE_ WEIR_QUEUE_LIKELY
#define WEIR_QUEUE_LIST_ WEIR_LIST_KIND_(QUEUE, WEIR_QUEUE_LIKELY)
#else
#define WEIR_QUEUE_LIST_ WEIR_QUEUE_KINDS_WITH(WEIR_LIST_ROW_, QUEUE)
#endif
#ifdef WEIR_QUEUE_ONLY_
#define WEIR_QUEUE_IS_FIXED_ 1
#define WEIR_QUEUE_KIND_(config) (WEIR_QUEUE_ONLY_)
#define WEIR_QUEUE_FITS_(config) WEIR_KIND_FITS_(QUEUE, config)
#define WEIR_QUEUE_CHECK_(config) WEIR_KIND_CHECK_(QUEUE, config)
#else
#define WEIR_QUEUE_IS_FIXED_ 0
#define WEIR_QUEUE_KIND_(config) ((config).kind)
#define WEIR_QUEUE_FITS_(config) weir_queue_is_kind_((config).kind)
#define WEIR_QUEUE_CHECK_(config) ((void)0)
#endif
#if defined(WEIR_QUEUE_WITH) && !defined(WEIR_ALL_KINDS)
#define WEIR_QUEUE_HAS_(kind) ((kind) == WEIR_QUEUE_LIKELY || ((WEIR_QUEUE_WITH) >> (kind)&1) != 0)
#else
#define WEIR_QUEUE_HAS_(kind) 1
#endif

#define WEIR_KIND_FITS_(PRIMITIVE, config)                                                         \
	((config).kind == WEIR_##PRIMITIVE##_ONLY_ || (config).kind == WEIR_##PRIMITIVE##_ALIKE_)
#define WEIR_KIND_CHECK_(PRIMITIVE, config)                                                        \
	do {                                                                                       \
		if (!WEIR_LIKELY(WEIR_##PRIMITIVE##_FITS_(config)))                                \
			weir_end_launch(WEIR_FAULT_##PRIMITIVE, (config).kind);                    \
	} while (0)

/* A kind that the kernel lacks is listed below 0. */
#define WEIR_LIST_ROW_(PRIMITIVE, name, NAME, value, ...)                                          \
	WEIR_LIST_KIND_(PRIMITIVE, (WEIR_##PRIMITIVE##_HAS_(value) ? value : -value))

/* The kinds that a dispatch compares with first. */
#ifndef WEIR_BARRIER_LIKELY
#define WEIR_BARRIER_LIKELY WEIR_BARRIER_CENTRAL
#endif
#ifndef WEIR_BARRIER_LIKELY_TOO
#define WEIR_BARRIER_LIKELY_TOO WEIR_BARRIER_COUNTER
#endif
#ifndef WEIR_MUTEX_LIKELY
#define WEIR_MUTEX_LIKELY WEIR_MUTEX_SPIN_BACKOFF
#endif
#ifndef WEIR_SEMAPHORE_LIKELY
#if WEIR_HAS_WORD64
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_PACKED
#else
#define WEIR_SEMAPHORE_LIKELY WEIR_SEMAPHORE_SLEEPING
#endif
#endif
#if WEIR_HAS_WORD64
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
		if (WEIR_CASE_HAS_ call(value))                                                    \
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
		if (WEIR_CASE_HAS_ call(value))                                                    \
			return WEIR_CASE_CALL_(weir_##name, WEIR_CASE_OPERATION_ call,             \
			                       WEIR_CASE_ARGUMENTS_ call);                         \
		WEIR_CASE_OTHERWISE_ call;                                                         \
		break;

#define WEIR_CASE_HAS_(PRIMITIVE, operation, arguments, otherwise) WEIR_##PRIMITIVE##_HAS_
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
		return WEIR_##PRIMITIVE##_HAS_(value);

#endif
