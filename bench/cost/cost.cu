/* The cost of each kind in a kernel. One kernel for each kind alternates between work and the
 * primitive. Beside it is the same kernel without the primitive, and with grid.sync() instead.
 * bench/cost/table compiles them and counts. */
#include <cooperative_groups.h>

#include "weir/device.h"

/* Some work whose values live across the primitive, as in a real kernel. */
#define LOOP(call)                                                                                 \
	for (uint32_t i = 0; i < rounds; i++) {                                                    \
		float left = data[threadIdx.x];                                                    \
		float right = data[threadIdx.x + 1];                                               \
		call;                                                                              \
		data[threadIdx.x] = 0.5f * (left + right);                                         \
	}

#define KERNEL(name, type, call)                                                                   \
	extern "C" __global__ void name(type o, float *data, uint32_t rounds)                      \
	{                                                                                          \
		LOOP(call)                                                                         \
	}

KERNEL(nothing, weir_barrier, (void)o)
KERNEL(grid_sync, weir_barrier, cooperative_groups::this_grid().sync())

#define ROW(name, ...)                                                                             \
	KERNEL(barrier_##name, weir_barrier, weir_##name##_barrier(o))                             \
	KERNEL(split_##name, weir_barrier, weir_##name##_await(o, weir_##name##_arrive(o)))
WEIR_BARRIER_KINDS(ROW)
#undef ROW

#define ROW(name, ...)                                                                             \
	KERNEL(                                                                                    \
	    mutex_##name, weir_mutex, if (threadIdx.x == 0) {                                      \
		    weir_##name##_lock(o);                                                         \
		    data[0] += 1;                                                                  \
		    weir_##name##_unlock(o);                                                       \
	    })
WEIR_MUTEX_KINDS(ROW)
#undef ROW

#define ROW(name, ...)                                                                             \
	KERNEL(                                                                                    \
	    semaphore_##name, weir_semaphore, if (threadIdx.x == 0) {                              \
		    weir_##name##_wait(o);                                                         \
		    weir_##name##_post(o);                                                         \
	    })
WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW

/* One thread waits for an event and posts it. The hand-written equivalent is listed beside the
 * kinds. */
#define ROW(name, ...)                                                                             \
	KERNEL(                                                                                    \
	    event_##name, weir_event_array, if (threadIdx.x == 0) {                                \
		    weir_##name##_await(weir_event_at(o, 0), i);                                   \
		    weir_##name##_post(weir_event_at(o, 0), 1);                                    \
	    })
WEIR_EVENT_KINDS(ROW)
#undef ROW

static __device__ void hand_wait(weir_word *word, uint32_t target)
{
	uint32_t count;
	do {
		asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
		             : "=r"(count)
		             : "l"(word)
		             : "memory");
	} while ((int32_t)(count - target) < 0);
}

static __device__ void hand_post(weir_word *word)
{
	asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(word) : "memory");
}

KERNEL(
    hand_flag, weir_event_array, if (threadIdx.x == 0) {
	    hand_wait(weir_event_at(o, 0).words, i);
	    hand_post(weir_event_at(o, 0).words);
    })

/* The budget: a barrier and a mutex of fixed kind, compared with grid.sync() in the same place. */
#define BOTH(barrier, mutex)                                                                       \
	extern "C" __global__ void both_##barrier##_##mutex(weir_barrier o, weir_mutex m,          \
	                                                    float *data, uint32_t rounds)          \
	{                                                                                          \
		LOOP(weir_##barrier##_barrier(o); if (threadIdx.x == 0) {                          \
			weir_##mutex##_lock(m);                                                    \
			data[0] += 1;                                                              \
			weir_##mutex##_unlock(m);                                                  \
		})                                                                                 \
	}

BOTH(atomic, ticket)
BOTH(counter, spin_backoff)
BOTH(counter, paced)
