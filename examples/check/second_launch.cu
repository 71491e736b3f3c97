// A grid barrier whose counter is never reset: in the next launch it is full from the start.
__global__ void wrong(unsigned *count, unsigned *a, unsigned *b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

	a[i] += i;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1);
		while (*(volatile unsigned *)count < gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	b[i] = a[n - 1 - i];
}

__global__ void right(unsigned *count, unsigned *a, unsigned *b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

	a[i] += i;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		unsigned turn = atomicAdd(count, 1);
		while (*(volatile unsigned *)count / gridDim.x == turn / gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	b[i] = a[n - 1 - i];
}
