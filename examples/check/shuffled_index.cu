// Lane 0 fills a slot and broadcasts its index: the shuffle passes the index on, and does not order memory.
__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ unsigned slot[64];
	unsigned lane = threadIdx.x % 32;
	unsigned index = threadIdx.x / 32 * 32 + in[threadIdx.x] % 32;

	if (lane == 0)
		slot[index] = in[blockIdx.x * blockDim.x + threadIdx.x];
	index = __shfl_sync(0xffffffff, index, 0);
	out[blockIdx.x * blockDim.x + threadIdx.x] = slot[index];
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ unsigned slot[64];
	unsigned lane = threadIdx.x % 32;
	unsigned index = threadIdx.x / 32 * 32 + in[threadIdx.x] % 32;

	if (lane == 0)
		slot[index] = in[blockIdx.x * blockDim.x + threadIdx.x];
	index = __shfl_sync(0xffffffff, index, 0);
	__syncwarp();
	out[blockIdx.x * blockDim.x + threadIdx.x] = slot[index];
}
