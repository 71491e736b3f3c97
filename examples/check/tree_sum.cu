// A sum in shared memory, with a block sync missing in its loop.
__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[128];

	part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[128];

	part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}
