// A spin lock around a sum. The lock must acquire, and the unlock must release.
__global__ void wrong(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		*sum += blockIdx.x + 1;
		atomicExch(lock, 0);
	}
}

__global__ void right(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*sum += blockIdx.x + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}
