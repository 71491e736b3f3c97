// The last steps of a sum, within a warp, whose lanes do not run in lockstep.
__global__ void wrong(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[64];
	unsigned lane = threadIdx.x % 32;
	unsigned base = threadIdx.x / 32 * 32;

	part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	for (unsigned half = 16; half > 0; half /= 2)
		if (lane < half)
			part[base + lane] += part[base + lane + half];
	if (lane == 0)
		out[blockIdx.x * 2 + threadIdx.x / 32] = part[base];
}

__global__ void right(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[64];
	unsigned lane = threadIdx.x % 32;
	unsigned base = threadIdx.x / 32 * 32;

	part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncwarp();
	for (unsigned half = 16; half > 0; half /= 2) {
		if (lane < half)
			part[base + lane] += part[base + lane + half];
		__syncwarp();
	}
	if (lane == 0)
		out[blockIdx.x * 2 + threadIdx.x / 32] = part[base];
}
