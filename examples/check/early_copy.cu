// cp.async fills a tile: each thread must wait for its copies, and then for the other threads of the block.
#include <cuda_pipeline.h>

__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[128];

	__pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 128 + threadIdx.x], 4);
	__pipeline_commit();
	__syncthreads();
	out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[128];

	__pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 128 + threadIdx.x], 4);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}
