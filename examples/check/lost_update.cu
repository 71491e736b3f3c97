// Several threads count into the same bin.
__global__ void wrong(const unsigned *keys, unsigned *bins)
{
	bins[keys[blockIdx.x * blockDim.x + threadIdx.x] % 16]++;
}

__global__ void right(const unsigned *keys, unsigned *bins)
{
	atomicAdd(&bins[keys[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1);
}
