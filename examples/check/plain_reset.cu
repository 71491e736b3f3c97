// A grid barrier whose leader resets the counter while others may still poll it.
__device__ unsigned load(unsigned *word)
{
	return *(volatile unsigned *)word;
}

__global__ void wrong(unsigned *count, unsigned *rows, unsigned *out)
{
	rows[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		unsigned turn = atomicAdd(count, 1);
		if (turn == gridDim.x - 1)
			*count = 0;
		else
			while (load(count) != 0)
				;
		__threadfence();
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] =
	    rows[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}

__global__ void right(unsigned *count, unsigned *rows, unsigned *out)
{
	rows[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		unsigned turn = atomicAdd(count, 1);
		while (load(count) / gridDim.x == turn / gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] =
	    rows[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}
