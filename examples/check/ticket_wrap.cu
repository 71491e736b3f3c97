// A ticket lock whose tickets count on from launch to launch. After 2^32 of them, next is small and turn is still large.
__global__ void wrong(unsigned *next, volatile unsigned *turn, unsigned *sums)
{
	__shared__ unsigned mine;
	if (threadIdx.x == 0) {
		mine = atomicAdd(next, 1);
		while (*turn < mine)
			;
		__threadfence();
	}
	__syncthreads();
	sums[threadIdx.x] += blockIdx.x + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		*turn = mine + 1;
	}
}

__global__ void right(unsigned *next, volatile unsigned *turn, unsigned *sums)
{
	__shared__ unsigned mine;
	if (threadIdx.x == 0) {
		mine = atomicAdd(next, 1);
		while ((int)(*turn - mine) < 0)
			;
		__threadfence();
	}
	__syncthreads();
	sums[threadIdx.x] += blockIdx.x + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		*turn = mine + 1;
	}
}
