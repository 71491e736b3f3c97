// A shuffle by the lower half of a warp, whose mask names the whole warp or only some of the lanes.
__global__ void wrong(const unsigned *in, unsigned *out)
{
	unsigned x = in[threadIdx.x];

	if (threadIdx.x % 32 < 16)
		x += __shfl_xor_sync(0x00ff, x, 8, 16);
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void right(const unsigned *in, unsigned *out)
{
	unsigned x = in[threadIdx.x];

	if (threadIdx.x % 32 < 16)
		x += __shfl_xor_sync(0xffff, x, 8, 16);
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
