// A 64-bit ticket whose lower half is polled by 32-bit loads.
__global__ void wrong(unsigned long long *ticket, unsigned *out)
{
	if (threadIdx.x != 0)
		return;
	if (blockIdx.x == 0) {
		atomicExch(ticket, 5ull << 32 | 1);
	} else {
		while (*(volatile unsigned *)ticket == 0)
			;
		out[0] = 1;
	}
}

__global__ void right(unsigned long long *ticket, unsigned *out)
{
	if (threadIdx.x != 0)
		return;
	if (blockIdx.x == 0) {
		atomicExch(ticket, 5ull << 32 | 1);
	} else {
		while ((unsigned)*(volatile unsigned long long *)ticket == 0)
			;
		out[0] = 1;
	}
}
