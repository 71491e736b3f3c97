// A path that goes on to the next round without releasing the lock.
__device__ void take(unsigned *lock)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	__threadfence();
}

__device__ void give(unsigned *lock)
{
	__threadfence();
	atomicExch(lock, 0);
}

__global__ void wrong(unsigned *lock, unsigned *items, unsigned limit)
{
	if (threadIdx.x == 0)
		for (unsigned i = 0; i < 4; i++) {
			take(lock);
			if (*items == limit)
				continue;
			*items += 1;
			give(lock);
		}
}

__global__ void right(unsigned *lock, unsigned *items, unsigned limit)
{
	if (threadIdx.x == 0)
		for (unsigned i = 0; i < 4; i++) {
			take(lock);
			if (*items < limit)
				*items += 1;
			give(lock);
		}
}
