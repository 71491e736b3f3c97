// Thread 0 waits for the flag; the others must wait for thread 0.
__global__ void wrong(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 5;
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
		out[threadIdx.x] = data[threadIdx.x];
	}
}

__global__ void right(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 5;
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
