// Blocks wait for all others, and not all of them fit at once. Instead, the last one to arrive can do the rest.
__global__ void wrong(unsigned *count, unsigned *parts, unsigned *out)
{
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = blockIdx.x + 1;
		__threadfence();
		atomicAdd(count, 1);
		while (*(volatile unsigned *)count < gridDim.x)
			;
		__threadfence();
		if (blockIdx.x == 0)
			for (unsigned b = 0; b < gridDim.x; b++)
				*out += parts[b];
	}
}

__global__ void right(unsigned *count, unsigned *parts, unsigned *out)
{
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = blockIdx.x + 1;
		__threadfence();
		if (atomicAdd(count, 1) != gridDim.x - 1)
			return;
		__threadfence();
		for (unsigned b = 0; b < gridDim.x; b++)
			*out += parts[b];
	}
}
