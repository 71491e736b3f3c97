// Threads past the end of the array return before a block sync.
__global__ void wrong(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[128];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	tile[threadIdx.x] = in[i];
	__syncthreads();
	out[i] = tile[threadIdx.x ? threadIdx.x - 1 : 0];
}

__global__ void right(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[128];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		tile[threadIdx.x] = in[i];
	__syncthreads();
	if (i < n)
		out[i] = tile[threadIdx.x ? threadIdx.x - 1 : 0];
}
