/* The work of a kernel in every place: its blocks wait at a barrier, count under a mutex, and go
 * through a semaphore. Each part notices if its primitive is taken out. */
#ifndef PLACES_WORK_H
#define PLACES_WORK_H

#include "weir/device.h"

#define WORK_WIDTH 8u /* words that the mutex protects */
#define WORK_SLOTS 3u /* blocks that the semaphore lets in */

/* The memory of a case. Launches that share objects share it. */
typedef struct tally {
	uint32_t wrong_phases; /* words of another phase, seen after a barrier */
	uint32_t torn;         /* words under the mutex that differed */
	uint32_t crowded;      /* blocks that found too many inside */
	uint32_t overwritten;  /* words of dynamic shared memory that changed */
	uint32_t apart;        /* blocks that never saw the other kernel start */
	uint32_t started;      /* kernels */
	uint32_t inside;       /* blocks between wait and post */
	uint32_t under[WORK_WIDTH];
} tally;

typedef struct work {
	weir_barrier barrier;
	weir_mutex mutex;
	weir_semaphore semaphore;
	tally *common;
	uint32_t *phases; /* two words for each block, only for this launch */
	uint64_t *span;   /* when block 0 started and ended, in nanoseconds; only for this launch */
	uint32_t meetings;
	uint32_t turns;   /* of each block, at the mutex and at the semaphore */
	uint32_t without; /* 1: leave the primitives out */
	uint32_t kernels; /* wait until this many have started; 0: none */
} work;

#ifdef __CUDACC__

/* The calls of a kernel that inlines them. */
struct inlined {
	static __device__ void meet(weir_barrier b, uint32_t)
	{
		weir_barrier_wait(b);
	}
	static __device__ void lock(weir_mutex m, uint32_t)
	{
		weir_mutex_block_lock(m);
	}
	static __device__ void unlock(weir_mutex m, uint32_t)
	{
		weir_mutex_block_unlock(m);
	}
	static __device__ void take(weir_semaphore s, uint32_t)
	{
		weir_semaphore_block_wait(s);
	}
	static __device__ void give(weir_semaphore s, uint32_t)
	{
		weir_semaphore_block_post(s);
	}
};

static __device__ uint64_t work_now(void)
{
	uint64_t ns;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

/* Time for others to enter where they must not. */
static __device__ void work_linger(const work &w)
{
	weir_pause(w.without ? 20 : 1);
}

/* Two sets of plain words alternate: a block that is a phase ahead or behind finds, or leaves, a
 * wrong number. */
template <typename calls> static __device__ void work_meet(const work &w)
{
	uint32_t errors = 0;

	for (uint32_t i = 0; i < w.meetings; i++) {
		uint32_t *set = w.phases + (i & 1) * gridDim.x;

		if (threadIdx.x == i % blockDim.x)
			set[blockIdx.x] = i + 1;
		if (!w.without)
			calls::meet(w.barrier, i);
		for (uint32_t block = threadIdx.x; block < gridDim.x; block += blockDim.x)
			errors += set[block] != i + 1;
	}
	if (errors)
		atomicAdd(&w.common->wrong_phases, errors);
}

/* The words under the mutex are equal whenever no block holds it. Adds 1 to each. */
static __device__ uint32_t work_update(const work &w)
{
	uint32_t *under = w.common->under;
	uint32_t value = under[0];
	uint32_t errors = 0;

	for (uint32_t i = 1; i < WORK_WIDTH; i++)
		errors += under[i] != value;
	work_linger(w);
	for (uint32_t i = 0; i < WORK_WIDTH; i++)
		under[i] = value + 1;
	return errors;
}

template <typename calls> static __device__ void work_count(const work &w)
{
	uint32_t errors = 0;

	for (uint32_t i = 0; i < w.turns; i++) {
		if (!w.without)
			calls::lock(w.mutex, i);
		if (threadIdx.x == 0)
			errors += work_update(w);
		if (!w.without)
			calls::unlock(w.mutex, i);
	}
	if (errors)
		atomicAdd(&w.common->torn, errors);
}

template <typename calls> static __device__ void work_enter(const work &w)
{
	for (uint32_t i = 0; i < w.turns; i++) {
		if (!w.without)
			calls::take(w.semaphore, i);
		if (threadIdx.x == 0) {
			if (atomicAdd(&w.common->inside, 1) >= WORK_SLOTS)
				atomicAdd(&w.common->crowded, 1);
			work_linger(w);
			atomicSub(&w.common->inside, 1);
		}
		if (!w.without)
			calls::give(w.semaphore, i);
	}
}

/* All blocks wait until the other kernels also run, or for ten seconds. */
static __device__ void work_assemble(const work &w)
{
	if (threadIdx.x == 0) {
		uint64_t begin = work_now();

		if (blockIdx.x == 0)
			atomicAdd(&w.common->started, 1);
		while (atomicAdd(&w.common->started, 0) < w.kernels) {
			if (work_now() - begin < 10000000000u)
				continue;
			atomicAdd(&w.common->apart, 1);
			break;
		}
	}
	__syncthreads();
}

template <typename calls> static __device__ void work_all(const work &w)
{
	int marks = blockIdx.x == 0 && threadIdx.x == 0;

	if (marks)
		w.span[0] = work_now();
	if (w.kernels)
		work_assemble(w);
	work_meet<calls>(w);
	work_count<calls>(w);
	work_enter<calls>(w);
	if (marks)
		w.span[1] = work_now();
}

#endif

#endif
