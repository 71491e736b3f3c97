// A scan with look-back: each block publishes its sum, and adds up the sums of the blocks before it. Both words are
// volatile, so nothing races. But volatile does not order them, and a block may see the flag before the sum.
__device__ unsigned block_sum(const unsigned *keys)
{
	__shared__ unsigned sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, keys[blockIdx.x * blockDim.x + threadIdx.x]);
	__syncthreads();
	return sum;
}

__global__ void wrong(const unsigned *keys, volatile unsigned *sums, volatile unsigned *flags,
                      unsigned *before)
{
	unsigned sum = block_sum(keys);

	if (threadIdx.x == 0) {
		unsigned prefix = 0;

		sums[blockIdx.x] = sum;
		flags[blockIdx.x] = 1;
		for (unsigned i = 0; i < blockIdx.x; i++) {
			while (flags[i] == 0)
				;
			prefix += sums[i];
		}
		before[blockIdx.x] = prefix;
	}
}

__global__ void right(const unsigned *keys, volatile unsigned *sums, volatile unsigned *flags,
                      unsigned *before)
{
	unsigned sum = block_sum(keys);

	if (threadIdx.x == 0) {
		unsigned prefix = 0;

		sums[blockIdx.x] = sum;
		__threadfence();
		flags[blockIdx.x] = 1;
		for (unsigned i = 0; i < blockIdx.x; i++) {
			while (flags[i] == 0)
				;
			__threadfence();
			prefix += sums[i];
		}
		before[blockIdx.x] = prefix;
	}
}
