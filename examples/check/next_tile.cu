// A tile in shared memory is refilled in each round: all threads must have read the old one before.
__global__ void wrong(const unsigned *in, unsigned *out, unsigned tiles)
{
	__shared__ unsigned tile[128];
	unsigned sum = 0;

	for (unsigned t = 0; t < tiles; t++) {
		tile[threadIdx.x] = in[t * blockDim.x + threadIdx.x];
		__syncthreads();
		sum += tile[(threadIdx.x + 33) % 128];
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void right(const unsigned *in, unsigned *out, unsigned tiles)
{
	__shared__ unsigned tile[128];
	unsigned sum = 0;

	for (unsigned t = 0; t < tiles; t++) {
		tile[threadIdx.x] = in[t * blockDim.x + threadIdx.x];
		__syncthreads();
		sum += tile[(threadIdx.x + 33) % 128];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
