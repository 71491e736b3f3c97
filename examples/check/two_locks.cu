// A transfer between two accounts takes both locks. Every block must take them in the same order.
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

__global__ void wrong(unsigned *locks, unsigned *accounts)
{
	if (threadIdx.x == 0) {
		unsigned from = blockIdx.x % 2, to = 1 - from;
		for (unsigned i = 0; i < 8; i++) {
			take(&locks[from]);
			take(&locks[to]);
			accounts[from]--;
			accounts[to]++;
			give(&locks[to]);
			give(&locks[from]);
		}
	}
}

__global__ void right(unsigned *locks, unsigned *accounts)
{
	if (threadIdx.x == 0) {
		unsigned from = blockIdx.x % 2, to = 1 - from;
		for (unsigned i = 0; i < 8; i++) {
			take(&locks[0]);
			take(&locks[1]);
			accounts[from]--;
			accounts[to]++;
			give(&locks[1]);
			give(&locks[0]);
		}
	}
}
