// Block 0 hands data to block 1 by a volatile flag. Volatile accesses are relaxed, so the flag needs fences.
__global__ void wrong(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 3;
		__syncthreads();
		if (threadIdx.x == 0)
			*flag = 1;
	} else {
		if (threadIdx.x == 0)
			while (*flag == 0)
				;
		__syncthreads();
		out[threadIdx.x] = data[threadIdx.x];
	}
}

__global__ void right(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x * 3;
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
