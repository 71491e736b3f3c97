#include "far.h"
#include "place.h"

#include <stdio.h>

static __noinline__ __device__ void near_meet(weir_barrier b)
{
	weir_barrier_wait(b);
}

static __noinline__ __device__ void near_lock(weir_mutex m)
{
	weir_mutex_block_lock(m);
}

static __noinline__ __device__ void near_unlock(weir_mutex m)
{
	weir_mutex_block_unlock(m);
}

static __noinline__ __device__ void near_take(weir_semaphore s)
{
	weir_semaphore_block_wait(s);
}

/* Calls functions of this file and of the other file alternately. One may unlock or give back what
 * another locked or took: all of them must use the same words. */
struct called {
	static __device__ void meet(weir_barrier b, uint32_t i)
	{
		if (i % 2)
			near_meet(b);
		else
			far_meet(b);
	}
	static __device__ void lock(weir_mutex m, uint32_t i)
	{
		if (i % 2)
			near_lock(m);
		else
			far_lock(m);
	}
	static __device__ void unlock(weir_mutex m, uint32_t)
	{
		near_unlock(m);
	}
	static __device__ void take(weir_semaphore s, uint32_t i)
	{
		if (i % 2)
			near_take(s);
		else
			far_take(s);
	}
	static __device__ void give(weir_semaphore s, uint32_t)
	{
		far_give(s);
	}
};

__global__ void calls_kernel(work w)
{
	work_all<called>(w);
}

void try_calls(void)
{
	place where = {"calls", (const void *)calls_kernel, 128, 0, 0};
	cudaFuncAttributes attributes;

	/* Code that was linked on the device runs only on the architecture for which it was
	 * linked. */
	if (cudaFuncGetAttributes(&attributes, where.symbol) != cudaSuccess) {
		printf("no code for calls on this device: %s\n",
		       cudaGetErrorString(cudaGetLastError()));
		return;
	}
	try_place(&where, 1);
	if (info.cluster_blocks == 0)
		return;
	where.name = "calls in clusters";
	where.cluster = 2;
	try_place(&where, 2);
}
