/* The benchmarks of the paper: every block repeats the operation. One source for all machines.
 * There is a kernel for each kind, as in a program that knows the kind at compile time.
 * Another kernel dispatches on the kind at run time, as in a program that uses the device's
 * default. */
#define WEIR_GRID_SYNC /* the vendor's barrier, if it exists */
/* Two arrays of events in a kernel may be of different kinds. */
#ifndef WEIR_DIAGNOSE /* which only has the default kind */
#define WEIR_EVENT_WITH (1u << WEIR_EVENT_WORD | 1u << WEIR_EVENT_COPIES | 1u << WEIR_EVENT_SHARDS)
#define WEIR_QUEUE_WITH (1u << WEIR_QUEUE_CELLS | 1u << WEIR_QUEUE_LINES | 1u << WEIR_QUEUE_SINGLE)
#endif
#include "bench_events.h"
#include "bench_locks.h"
#include "bench_loop.h"
#include "bench_queues.h"
#include "bench_tasks.h"
#include "kernel.h"

#ifndef WEIR_DIAGNOSE
/* Kernels of single kinds call them by name, including kinds not listed in the dispatch. */
#define ROW(PRIMITIVE, name, NAME, value, ...)                                                     \
	WEIR_LIST_KIND_(PRIMITIVE, (WEIR_HANDLES_(PRIMITIVE, value) ? -(value) : (value)))
WEIR_BARRIER_KINDS_WITH(ROW, BARRIER)
WEIR_MUTEX_KINDS_WITH(ROW, MUTEX)
WEIR_SEMAPHORE_KINDS_WITH(ROW, SEMAPHORE)
#undef ROW
#endif

#define MUTEX_BENCH(kernel, lock, unlock)                                                          \
	MUTEX_LOOP(kernel, KERNEL_HANDLE(weir_mutex, m, words, params.config.mutex), lock, unlock)

/* Several blocks may be inside at once, so each works on its own words. */
#define SEMAPHORE_BENCH(kernel, wait, post)                                                        \
	WEIR_KERNEL(kernel, bench_params)                                                          \
	{                                                                                          \
		KERNEL_HANDLE(weir_semaphore, s, words, params.config.semaphore);                  \
		uint32_t done = 0;                                                                 \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			wait(s);                                                                   \
			bench_work(data, params, weir_block_id() * params.work);                   \
			post(s);                                                                   \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_leave(data, done, begin);                                                    \
	}

#define BARRIER_BENCH(kernel, before, pass)                                                        \
	BARRIER_LOOP(kernel, KERNEL_HANDLE(weir_barrier, b, words, params.config.barrier), before, \
	             pass)

MUTEX_BENCH(mutex_bench, weir_mutex_lock, weir_mutex_unlock)
SEMAPHORE_BENCH(semaphore_bench, weir_semaphore_wait, weir_semaphore_post)
BARRIER_BENCH(barrier_bench, bench_idle, weir_barrier_wait)
EVENT_BENCH(, params.config.event_array.kind, params.config.event_array.kind, params.second.kind)

#ifdef WEIR_DIAGNOSE /* only measured in this pattern */
QUEUE_BENCH_(queue_pairs, params.config.queue.kind, bench_queue_pairs(q, data, params))
#endif

#ifndef WEIR_DIAGNOSE /* a diagnosis does not see direct calls of an algorithm */
#define ROW(name, ...) MUTEX_BENCH(mutex_bench_##name, weir_##name##_lock, weir_##name##_unlock)
WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, ...)                                                                             \
	SEMAPHORE_BENCH(semaphore_bench_##name, weir_##name##_wait, weir_##name##_post)
WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, ...) BARRIER_BENCH(barrier_bench_##name, bench_idle, weir_##name##_barrier)
WEIR_BARRIER_KINDS(ROW)
#undef ROW

#define ROW(name, NAME, value, parts)                                                              \
	EVENT_BENCH(_##name, WEIR_EVENT_##NAME, BENCH_EVENT_IN(WEIR_EVENT_##NAME, parts),          \
	            BENCH_EVENT_OUT(WEIR_EVENT_##NAME, parts))
WEIR_EVENT_KINDS(ROW)
#undef ROW

QUEUE_BENCH(, params.config.queue.kind)
#define ROW(name, NAME, ...) QUEUE_BENCH(_##name, WEIR_QUEUE_##NAME)
WEIR_QUEUE_KINDS(ROW)
#undef ROW

/* Blocks that store words and arrive unevenly. */
BARRIER_BENCH(barrier_busy, bench_busy, weir_barrier_wait)
#define ROW(name, ...) BARRIER_BENCH(barrier_busy_##name, bench_busy, weir_##name##_barrier)
WEIR_BARRIER_KINDS(ROW)
#undef ROW
#endif
