// All blocks draw tickets from one counter: with the block's scope it is not atomic to other blocks.
__global__ void wrong(unsigned *next, unsigned *taken)
{
	if (threadIdx.x == 0)
		for (unsigned i = 0; i < 4; i++)
			atomicAdd(&taken[atomicAdd_block(next, 1)], 1);
}

__global__ void right(unsigned *next, unsigned *taken)
{
	if (threadIdx.x == 0)
		for (unsigned i = 0; i < 4; i++)
			atomicAdd(&taken[atomicAdd(next, 1)], 1);
}
