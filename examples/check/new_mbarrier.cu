// One thread initializes an mbarrier; the others must not arrive before that.
#include <cstdint>

__device__ void arrive(uint64_t *bar)
{
	asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(
			 (unsigned)__cvta_generic_to_shared(bar))
	             : "memory");
}

__device__ void wait(uint64_t *bar)
{
	unsigned done;
	do
		asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; "
		             "selp.u32 %0, 1, 0, p; }"
		             : "=r"(done)
		             : "r"((unsigned)__cvta_generic_to_shared(bar))
		             : "memory");
	while (!done);
}

__global__ void wrong(unsigned *out)
{
	__shared__ uint64_t bar;
	__shared__ unsigned tile[64];

	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
				 (unsigned)__cvta_generic_to_shared(&bar)),
		             "r"(blockDim.x)
		             : "memory");
	tile[threadIdx.x] = threadIdx.x;
	arrive(&bar);
	wait(&bar);
	out[blockIdx.x * blockDim.x + threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void right(unsigned *out)
{
	__shared__ uint64_t bar;
	__shared__ unsigned tile[64];

	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
				 (unsigned)__cvta_generic_to_shared(&bar)),
		             "r"(blockDim.x)
		             : "memory");
	__syncthreads();
	tile[threadIdx.x] = threadIdx.x;
	arrive(&bar);
	wait(&bar);
	out[blockIdx.x * blockDim.x + threadIdx.x] = tile[63 - threadIdx.x];
}
