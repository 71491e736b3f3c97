// __threadfence_block() orders within the block; the reader is in another one.
__global__ void wrong(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x + 7;
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence_block();
			*flag = 1;
		}
	} else {
		if (threadIdx.x == 0) {
			while (*flag == 0)
				;
			__threadfence();
		}
		__syncthreads();
		out[threadIdx.x] = data[threadIdx.x];
	}
}

__global__ void right(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x + 7;
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			*flag = 1;
		}
	} else {
		if (threadIdx.x == 0) {
			while (*flag == 0)
				;
			__threadfence();
		}
		__syncthreads();
		out[threadIdx.x] = data[threadIdx.x];
	}
}
