/* A barrier and a mutex from one header, in zeroed memory:
 *
 *   weir header barrier,mutex -o weir_part.h
 *   nvcc -arch=sm_90 no_library.cu
 */
#include <stdio.h>

#include "weir_part.h"

#define BLOCKS 64
#define BARRIER_WORDS WEIR_BARRIER_WORDS(BLOCKS)

__global__ void count_blocks(weir_word *words, unsigned *total)
{
	weir_barrier b = weir_barrier_in(words, gridDim.x);
	weir_mutex m = weir_mutex_in(words + BARRIER_WORDS);

	weir_mutex_block_lock(m); /* one block at a time */
	if (threadIdx.x == 0)
		*total += 1;
	weir_mutex_block_unlock(m);
	weir_barrier_wait(b); /* now all blocks have counted */
	if (*total != gridDim.x)
		__trap();
}

int main(void)
{
	weir_word *words;
	size_t bytes = (BARRIER_WORDS + WEIR_MUTEX_WORDS + 1) * sizeof *words;
	cudaError_t error = cudaMalloc(&words, bytes);

	if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver)
		return puts(cudaGetErrorString(error)), 77; /* skipped: there is no GPU here */
	unsigned *total = (unsigned *)(words + BARRIER_WORDS + WEIR_MUTEX_WORDS);
	void *arguments[] = {&words, &total};
	if (error == cudaSuccess)
		error = cudaMemset(words, 0, bytes);
	if (error == cudaSuccess)
		error = cudaLaunchCooperativeKernel(count_blocks, BLOCKS, 128, arguments);
	if (error == cudaSuccess)
		error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		return puts(cudaGetErrorString(error)), 1;
	return 0;
}
