// The lock is taken by compare-and-swap, so an atomic must release it as well.
__global__ void wrong(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*sum += blockIdx.x + 1;
		__threadfence();
		*lock = 0;
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
