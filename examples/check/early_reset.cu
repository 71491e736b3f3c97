// The leader waits for all arrivals and resets the counter at once: a block that still polls misses them.
__global__ void wrong(unsigned *count, unsigned *out)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1);
		while (atomicAdd(count, 0) < gridDim.x)
			;
		if (blockIdx.x == 0)
			atomicExch(count, 0);
		__threadfence();
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void right(unsigned *count, unsigned *out)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1);
		while (atomicAdd(count, 0) < gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
