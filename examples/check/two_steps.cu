// Two steps of a stencil. A block sync between them does not wait for the neighbouring blocks; grid.sync() does.
#include <cooperative_groups.h>

__global__ void wrong(const unsigned *a, unsigned *b, unsigned *c)
{
	unsigned n = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	b[i] = a[i] + a[(i + 1) % n];
	__syncthreads();
	c[i] = b[i] + b[(i + 1) % n];
}

__global__ void right(const unsigned *a, unsigned *b, unsigned *c)
{
	unsigned n = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	b[i] = a[i] + a[(i + 1) % n];
	cooperative_groups::this_grid().sync();
	c[i] = b[i] + b[(i + 1) % n];
}
