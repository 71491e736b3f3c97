// A bulk copy fills a tile: every thread that reads it must wait for the copy's mbarrier.
#include <cuda/ptx>

__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ alignas(16) unsigned tile[64];
	__shared__ alignas(8) uint64_t arrived;

	if (threadIdx.x == 0) {
		cuda::ptx::mbarrier_init(&arrived, 1);
		cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, tile,
		                         in + 64 * blockIdx.x, sizeof tile, &arrived);
		cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
		                                     cuda::ptx::space_shared, &arrived,
		                                     sizeof tile);
	}
	__syncthreads();
	out[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ alignas(16) unsigned tile[64];
	__shared__ alignas(8) uint64_t arrived;

	if (threadIdx.x == 0) {
		cuda::ptx::mbarrier_init(&arrived, 1);
		cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, tile,
		                         in + 64 * blockIdx.x, sizeof tile, &arrived);
		cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
		                                     cuda::ptx::space_shared, &arrived,
		                                     sizeof tile);
	}
	while (!cuda::ptx::mbarrier_try_wait_parity(&arrived, 0))
		;
	out[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];
}
