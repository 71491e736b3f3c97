// The flag is neither volatile nor atomic: the compiler loads it once.
__global__ void wrong(unsigned *flag, unsigned *out)
{
	if (threadIdx.x != 0)
		return;
	if (blockIdx.x == 0) {
		atomicExch(flag, 1);
	} else {
		while (*flag == 0)
			;
		*out = 1;
	}
}

__global__ void right(unsigned *flag, unsigned *out)
{
	if (threadIdx.x != 0)
		return;
	if (blockIdx.x == 0) {
		atomicExch(flag, 1);
	} else {
		while (*(volatile unsigned *)flag == 0)
			;
		*out = 1;
	}
}
