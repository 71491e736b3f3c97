/* A kernel with each primitive, and the same kernel with what people use instead. The names say so: PRIMITIVE__weir has a
 * handle from the host, __in makes its handle in the kernel, __grid has grid.sync(), __libcu libcu++, and __hand code as
 * people write it. bench/cost/resources compiles them and counts. */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/semaphore>

#include "kernels/real/hand.h"
#include "weir/device.h"

typedef cuda::binary_semaphore<cuda::thread_scope_device> libcu_lock;
typedef cuda::counting_semaphore<cuda::thread_scope_device> libcu_semaphore;
typedef cuda::atomic_ref<unsigned int, cuda::thread_scope_device> libcu_word;

/* Nothing but a barrier between steps that read what another thread wrote. */
#define MINIMAL(form, type, meet)                                                                  \
	extern "C" __global__ void minimal__##form(type o, float *data, uint32_t rounds)           \
	{                                                                                          \
		uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                \
		float kept = data[i];                                                              \
		for (uint32_t round = 0; round < rounds; round++) {                                \
			meet;                                                                      \
			kept += data[(i + round) % (gridDim.x * blockDim.x)];                      \
			meet;                                                                      \
			data[i] = kept;                                                            \
		}                                                                                  \
	}

MINIMAL(weir, weir_barrier, weir_barrier_wait(o))
MINIMAL(in, weir_word *, weir_barrier_wait(weir_barrier_in(o, gridDim.x)))
MINIMAL(grid, weir_word *, cooperative_groups::this_grid().sync())
MINIMAL(hand, unsigned int *, real_hand_meet_(o))

/* Work whose values live across the primitive, as in a real kernel. */
#define KERNEL(name, type, ...)                                                                    \
	extern "C" __global__ void name(type o, float *data, uint32_t rounds)                      \
	{                                                                                          \
		for (uint32_t i = 0; i < rounds; i++) {                                            \
			float left = data[threadIdx.x];                                            \
			float right = data[threadIdx.x + 1];                                       \
			__VA_ARGS__;                                                               \
			data[threadIdx.x] = 0.5f * (left + right);                                 \
		}                                                                                  \
	}

/* One thread does it for its block. */
#define LEADER(name, type, ...)                                                                    \
	KERNEL(                                                                                    \
	    name, type, if (threadIdx.x == 0) { __VA_ARGS__; })

KERNEL(barrier__weir, weir_barrier, weir_barrier_wait(o))
KERNEL(barrier__in, weir_word *, weir_barrier_wait(weir_barrier_in(o, gridDim.x)))
KERNEL(barrier__grid, weir_word *, cooperative_groups::this_grid().sync())
KERNEL(barrier__hand, unsigned int *, real_hand_meet_(o))

LEADER(mutex__weir, weir_mutex, weir_mutex_lock(o); data[0] += 1; weir_mutex_unlock(o))
LEADER(mutex__in, weir_word *, weir_mutex m = weir_mutex_in(o); weir_mutex_lock(m); data[0] += 1;
       weir_mutex_unlock(m))
LEADER(mutex__libcu, libcu_lock *, o->acquire(); data[0] += 1; o->release())
LEADER(mutex__hand, unsigned int *, while (atomicCAS(o, 0u, 1u) != 0); __threadfence();
       data[0] += 1; __threadfence(); atomicExch(o, 0u))

LEADER(semaphore__weir, weir_semaphore, weir_semaphore_wait(o); data[0] += 1;
       weir_semaphore_post(o))
LEADER(semaphore__libcu, libcu_semaphore *, o->acquire(); data[0] += 1; o->release())

LEADER(event__weir, weir_event_array, weir_event_wait(weir_event_at(o, i), i); data[0] += 1;
       weir_event_post(weir_event_at(o, i + 1), 1))
LEADER(event__libcu, unsigned int *,
       while ((int32_t)(libcu_word(o[32 * i]).load(cuda::memory_order_acquire) - i) < 0);
       data[0] += 1; libcu_word(o[32 * (i + 1)]).fetch_add(1, cuda::memory_order_release))
LEADER(event__hand, unsigned int *, while ((int32_t)(*(volatile unsigned int *)&o[32 * i] - i) < 0);
       __threadfence(); data[0] += 1; __threadfence(); atomicAdd(&o[32 * (i + 1)], 1u))

/* A reader-writer lock in one word, whose top bit is the writer. */
static __device__ void hand_read_lock(unsigned int *word)
{
	while (atomicAdd(word, 1) & 0x80000000u) {
		atomicSub(word, 1);
		while (*(volatile unsigned int *)word & 0x80000000u)
			;
	}
	__threadfence();
}

static __device__ void hand_write_lock(unsigned int *word)
{
	while (atomicCAS(word, 0, 0x80000000u) != 0)
		while (*(volatile unsigned int *)word != 0)
			;
	__threadfence();
}

LEADER(rwlock__weir, weir_rwlock, weir_rwlock_read_lock(o); data[0] += data[1];
       weir_rwlock_read_unlock(o); weir_rwlock_write_lock(o); data[1] += 1;
       weir_rwlock_write_unlock(o))
LEADER(rwlock__hand, unsigned int *, hand_read_lock(o); data[0] += data[1]; __threadfence();
       atomicSub(o, 1u); hand_write_lock(o); data[1] += 1; __threadfence();
       atomicSub(o, 0x80000000u))

LEADER(
    once__weir, weir_once, if (weir_once_begin(o)) {
	    data[0] = 1;
	    weir_once_end(o);
    })
static __device__ bool libcu_begin(unsigned int *word)
{
	unsigned int found = libcu_word(*word).load(cuda::memory_order_acquire);
	if (found == 2)
		return false;
	if (found == 0 &&
	    libcu_word(*word).compare_exchange_strong(found, 1, cuda::memory_order_acquire))
		return true;
	while (libcu_word(*word).load(cuda::memory_order_acquire) != 2)
		;
	return false;
}
LEADER(
    once__libcu, unsigned int *, if (libcu_begin(o)) {
	    data[0] = 1;
	    libcu_word(*o).store(2, cuda::memory_order_release);
    })

/* A condition, and a loop that unlocks and locks until the predicate holds. */
struct weir_waiting {
	weir_mutex m;
	weir_condition c;
};
LEADER(condition__weir, weir_waiting, weir_mutex_lock(o.m);
       while (data[0] < i) weir_condition_wait(o.c, o.m); data[0] += 1; weir_condition_signal(o.c);
       weir_mutex_unlock(o.m))
LEADER(
    condition__libcu, libcu_lock *, o->acquire(); while (data[0] < i) {
	    o->release();
	    o->acquire();
    } data[0] += 1;
    o->release())

/* A bounded ring of 1024 items of one word, with a turn for each slot, as people write it. */
struct hand_ring {
	unsigned int *head;
	unsigned int *tail;
	unsigned int *turn;
	unsigned int *item;
};
static __device__ void hand_push(hand_ring q, unsigned int item)
{
	unsigned int at = atomicAdd(q.tail, 1u);
	while (*(volatile unsigned int *)&q.turn[at % 1024] != at / 1024 * 2)
		;
	__threadfence();
	q.item[at % 1024] = item;
	__threadfence();
	atomicAdd(&q.turn[at % 1024], 1u);
}
static __device__ unsigned int hand_pop(hand_ring q)
{
	unsigned int at = atomicAdd(q.head, 1u);
	while (*(volatile unsigned int *)&q.turn[at % 1024] != at / 1024 * 2 + 1)
		;
	__threadfence();
	unsigned int item = *(volatile unsigned int *)&q.item[at % 1024];
	__threadfence();
	atomicAdd(&q.turn[at % 1024], 1u);
	return item;
}
LEADER(queue__weir, weir_queue, uint32_t item = 0; weir_queue_push(o, i); weir_queue_pop(o, &item);
       data[item] += 1)
LEADER(queue__hand, hand_ring, hand_push(o, i); data[hand_pop(o)] += 1)

LEADER(dispenser__weir, weir_dispenser, weir_share share = weir_dispenser_begin(o);
       while (weir_dispenser_next(o, &share, 1)) data[share.first] += 1)
LEADER(
    dispenser__hand, unsigned int *, for (;;) {
	    unsigned int item = atomicAdd(o, 1u);
	    if (item >= rounds)
		    break;
	    data[item] += 1;
    })

LEADER(tasks__weir, weir_tasks, uint32_t task = WEIR_NO_TASK;
       while (weir_tasks_next(o, &task)) data[task] += 1)

static __device__ uint32_t add(uint32_t *state, uint32_t n)
{
	uint32_t before = *state;
	*state += n;
	return before;
}
struct weir_combined {
	weir_combiner c;
	uint32_t *state;
};
struct libcu_combined {
	libcu_lock *lock;
	uint32_t *state;
};
KERNEL(combiner__weir, weir_combined, uint32_t before;
       weir_combiner_block_call(o.c, uint32_t, o.state, add, i, before); left += before)
KERNEL(
    combiner__libcu, libcu_combined, __shared__ uint32_t told; __syncthreads();
    if (threadIdx.x == 0) {
	    o.lock->acquire();
	    told = add(o.state, i);
	    o.lock->release();
    } __syncthreads();
    left += told)

KERNEL(crew__weir, weir_crew, weir_crew_wait(o))

/* A group discovers once which of its blocks run. */
extern "C" __global__ void group__weir(weir_group g, float *data, uint32_t rounds)
{
	weir_member me = weir_group_discover(g);
	if (!me.is_member)
		return;
	for (uint32_t i = 0; i < rounds; i++) {
		float left = data[threadIdx.x];
		float right = data[threadIdx.x + 1];
		weir_group_wait(g, me);
		data[threadIdx.x] = 0.5f * (left + right);
	}
}
KERNEL(group__grid, weir_word *, cooperative_groups::this_grid().sync())
