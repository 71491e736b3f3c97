// Warps add their sums in shared memory, but only one slot for each warp is set.
__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[32];
	unsigned sum = __reduce_add_sync(~0u, in[blockIdx.x * blockDim.x + threadIdx.x]);

	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x < 32) {
		sum = __reduce_add_sync(~0u, part[threadIdx.x]);
		if (threadIdx.x == 0)
			out[blockIdx.x] = sum;
	}
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[32];
	unsigned sum = __reduce_add_sync(~0u, in[blockIdx.x * blockDim.x + threadIdx.x]);

	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x < 32) {
		sum = __reduce_add_sync(~0u, threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
		if (threadIdx.x == 0)
			out[blockIdx.x] = sum;
	}
}
