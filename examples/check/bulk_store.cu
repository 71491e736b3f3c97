// A tile is written by threads and stored by a bulk copy, which goes through another proxy to memory.
#include <cuda/ptx>

__global__ void wrong(unsigned *out)
{
	__shared__ alignas(16) unsigned tile[64];

	tile[threadIdx.x] = threadIdx.x;
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared,
		                         out + 64 * blockIdx.x, tile, sizeof tile);
		cuda::ptx::cp_async_bulk_commit_group();
		cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
	}
}

__global__ void right(unsigned *out)
{
	__shared__ alignas(16) unsigned tile[64];

	tile[threadIdx.x] = threadIdx.x;
	cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared,
		                         out + 64 * blockIdx.x, tile, sizeof tile);
		cuda::ptx::cp_async_bulk_commit_group();
		cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
	}
}
