// The writer has a fence; the reader only polls, and has none.
__global__ void wrong(unsigned *data, unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 3;
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicExch(flag, 1);
		}
	} else {
		if (threadIdx.x == 0)
			while (atomicAdd(flag, 0) == 0)
				;
		__syncthreads();
		out[threadIdx.x] = data[threadIdx.x];
	}
}

__global__ void right(unsigned *data, unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 3;
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicExch(flag, 1);
		}
	} else {
		if (threadIdx.x == 0) {
			while (atomicAdd(flag, 0) == 0)
				;
			__threadfence();
		}
		__syncthreads();
		out[threadIdx.x] = data[threadIdx.x];
	}
}
