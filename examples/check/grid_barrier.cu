// A grid barrier by hand, with cuda::atomic_ref: it orders only what its memory orders say.
#include <cuda/atomic>

__global__ void wrong(unsigned *count, unsigned *a, unsigned *b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

	a[i] = i;
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::atomic_ref<unsigned, cuda::thread_scope_device> c(*count);
		c.fetch_add(1, cuda::memory_order_relaxed);
		while (c.load(cuda::memory_order_acquire) < gridDim.x)
			;
	}
	__syncthreads();
	b[i] = a[n - 1 - i];
}

__global__ void right(unsigned *count, unsigned *a, unsigned *b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

	a[i] = i;
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::atomic_ref<unsigned, cuda::thread_scope_device> c(*count);
		c.fetch_add(1, cuda::memory_order_release);
		while (c.load(cuda::memory_order_acquire) < gridDim.x)
			;
	}
	__syncthreads();
	b[i] = a[n - 1 - i];
}
