/* Known algorithms, whose numbers of executions test/explore/algorithms knows. algorithms.ptx is made from this file as
 * examples/check/compile does it. */
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void ticket(unsigned *next, unsigned *turn, unsigned *data, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		unsigned mine = word(*next).fetch_add(1, cuda::memory_order_relaxed);
		while (word(*turn).load(cuda::memory_order_acquire) != mine)
			;
		*data = *data + 1;
		word(*turn).store(mine + 1, cuda::memory_order_release);
	}
}

extern "C" __global__ void test_and_set(unsigned *lock, unsigned *data, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		while (word(*lock).exchange(1, cuda::memory_order_acquire))
			;
		*data = *data + 1;
		word(*lock).store(0, cuda::memory_order_release);
	}
}

extern "C" __global__ void fenced(unsigned *lock, unsigned *data, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*data = *data + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

extern "C" __global__ void patient(unsigned *lock, unsigned *data, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		unsigned ns = 8;
		while (atomicCAS(lock, 0, 1) != 0) {
			__nanosleep(ns);
			if (ns < 256)
				ns *= 2;
		}
		__threadfence();
		*data = *data + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

struct node {
	unsigned next, locked;
};

extern "C" __global__ void mcs(unsigned *tail, node *nodes, unsigned *data, unsigned rounds)
{
	unsigned me = blockIdx.x + 1;
	word next(nodes[me].next), locked(nodes[me].locked);

	for (unsigned i = 0; i < rounds; i++) {
		next.store(0, cuda::memory_order_relaxed);
		locked.store(1, cuda::memory_order_relaxed);
		unsigned before = word(*tail).exchange(me, cuda::memory_order_acq_rel);
		if (before) {
			word(nodes[before].next).store(me, cuda::memory_order_release);
			while (locked.load(cuda::memory_order_acquire))
				;
		}
		*data = *data + 1;
		unsigned after = next.load(cuda::memory_order_acquire), expected = me;
		if (!after) {
			if (word(*tail).compare_exchange_strong(expected, 0,
			                                        cuda::memory_order_release,
			                                        cuda::memory_order_relaxed))
				continue;
			while (!(after = next.load(cuda::memory_order_acquire)))
				;
		}
		word(nodes[after].locked).store(0, cuda::memory_order_release);
	}
}

extern "C" __global__ void counter(unsigned *count, unsigned *data, unsigned phases)
{
	for (unsigned p = 1; p <= phases; p++) {
		data[p * gridDim.x + blockIdx.x] = p;
		word(*count).fetch_add(1, cuda::memory_order_acq_rel);
		while (word(*count).load(cuda::memory_order_acquire) < p * gridDim.x)
			;
		if (data[p * gridDim.x + (blockIdx.x + 1) % gridDim.x] != p)
			__trap();
	}
}

/* As people write it, with a volatile generation and fences. */
extern "C" __global__ void generation(unsigned *count, volatile unsigned *turn, unsigned *data,
                                      unsigned phases)
{
	for (unsigned p = 1; p <= phases; p++) {
		if (threadIdx.x == 0)
			data[p * gridDim.x + blockIdx.x] = p;
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			unsigned old = *turn;
			__threadfence();
			if (atomicAdd(count, 1) == gridDim.x - 1) {
				atomicExch(count, 0);
				__threadfence();
				*turn = old + 1;
			} else {
				while (*turn == old)
					;
			}
			__threadfence();
		}
		__syncthreads();
		if (data[p * gridDim.x + (blockIdx.x + 1) % gridDim.x] != p)
			__trap();
	}
}

/* One thread polls, and its whole block goes round the loop: as Triton compiles a poll. */
extern "C" __global__ void together(unsigned *flag, unsigned *data)
{
	__shared__ unsigned seen;

	if (blockIdx.x == 0) {
		data[threadIdx.x] = 7;
		__syncthreads();
		if (threadIdx.x == 0)
			word(*flag).store(1, cuda::memory_order_release);
		return;
	}
	do {
		if (threadIdx.x == 0)
			seen = word(*flag).load(cuda::memory_order_acquire);
		__syncthreads();
		if (seen)
			break;
		__syncthreads();
	} while (1);
	if (data[threadIdx.x] != 7)
		__trap();
}

/* Dekker's: without the fences both may enter. */
extern "C" __global__ void dekker(unsigned *flags, unsigned *entered, unsigned is_fenced)
{
	unsigned me = blockIdx.x;

	word(flags[me]).store(1, cuda::memory_order_relaxed);
	if (is_fenced)
		__threadfence();
	if (word(flags[1 - me]).load(cuda::memory_order_relaxed) == 0)
		word(*entered).fetch_add(1, cuda::memory_order_relaxed);
}

/* A signal that may come before anybody waits for it, and is then taken back. */
extern "C" __global__ void pulse(unsigned *flag)
{
	if (blockIdx.x == 0) {
		word(*flag).store(1, cuda::memory_order_release);
		word(*flag).store(0, cuda::memory_order_release);
	} else {
		while (word(*flag).load(cuda::memory_order_acquire) == 0)
			;
	}
}
