// Each block counts into rows of its own; the last block to arrive adds the rows up.
// Thread 0 arrives for its block, so the whole block must have written before.
__global__ void wrong(const unsigned *keys, unsigned n, unsigned *rows, unsigned *arrived,
                      unsigned *bins)
{
	__shared__ unsigned local[64];
	__shared__ bool is_last;

	if (threadIdx.x < 64)
		local[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[keys[i] % 64], 1);
	__syncthreads();
	if (threadIdx.x < 64)
		rows[blockIdx.x * 64 + threadIdx.x] = local[threadIdx.x];
	if (threadIdx.x == 0) {
		__threadfence();
		is_last = atomicAdd(arrived, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last && threadIdx.x < 64) {
		unsigned sum = 0;
		__threadfence();
		for (unsigned b = 0; b < gridDim.x; b++)
			sum += rows[b * 64 + threadIdx.x];
		bins[threadIdx.x] = sum;
	}
}

__global__ void right(const unsigned *keys, unsigned n, unsigned *rows, unsigned *arrived,
                      unsigned *bins)
{
	__shared__ unsigned local[64];
	__shared__ bool is_last;

	if (threadIdx.x < 64)
		local[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[keys[i] % 64], 1);
	__syncthreads();
	if (threadIdx.x < 64)
		rows[blockIdx.x * 64 + threadIdx.x] = local[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		is_last = atomicAdd(arrived, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last && threadIdx.x < 64) {
		unsigned sum = 0;
		__threadfence();
		for (unsigned b = 0; b < gridDim.x; b++)
			sum += rows[b * 64 + threadIdx.x];
		bins[threadIdx.x] = sum;
	}
}
