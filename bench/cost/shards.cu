/* What a barrier with a fixed number of shards takes, beside grid.sync() in the same run: nanoseconds of one barrier,
 * the median of 9 launches and their range. bench/cost/shards compiles it with and without WEIR_COUNTER_FIXED_BITS. */
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>

#include "weir/device.h"

#define LAUNCHES 9
#define ROUNDS 4000

__global__ void weir_rounds(weir_word *words, uint32_t rounds)
{
	weir_barrier b = weir_barrier_in(words, gridDim.x);

	for (uint32_t i = 0; i < rounds; i++)
		weir_barrier_wait(b);
}

__global__ void grid_rounds(weir_word *words, uint32_t rounds)
{
	(void)words;
	for (uint32_t i = 0; i < rounds; i++)
		cooperative_groups::this_grid().sync();
}

static void need(cudaError_t status)
{
	if (status != cudaSuccess) {
		fprintf(stderr, "shards: %s\n", cudaGetErrorString(status));
		exit(1);
	}
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* The first of LAUNCHES + 1 launches warms up, and does not count. */
static void measure(const char *name, void *kernel, weir_word *words, unsigned blocks)
{
	uint32_t rounds = ROUNDS;
	void *params[] = {&words, &rounds};
	float took[LAUNCHES + 1];
	cudaEvent_t from, to;

	need(cudaEventCreate(&from));
	need(cudaEventCreate(&to));
	for (int i = 0; i <= LAUNCHES; i++) {
		need(cudaEventRecord(from, 0));
		need(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(128), params, 0, 0));
		need(cudaEventRecord(to, 0));
		need(cudaEventSynchronize(to));
		need(cudaEventElapsedTime(&took[i], from, to));
	}
	qsort(took + 1, LAUNCHES, sizeof *took, by_value);
	printf("%-12s %5u blocks %8.1f ns (%.1f to %.1f)\n", name, blocks,
	       1e6 * took[1 + LAUNCHES / 2] / ROUNDS, 1e6 * took[1] / ROUNDS,
	       1e6 * took[LAUNCHES] / ROUNDS);
}

int main(void)
{
	static const unsigned blocks[] = {4, 8, 33, 66, 132, 264, 528, 1056, 2112};

	for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		weir_word *words;
		size_t bytes = (WEIR_BARRIER_WORDS(blocks[i])) * sizeof *words;

		need(cudaMalloc(&words, bytes));
		need(cudaMemset(words, 0, bytes));
		measure("weir", (void *)weir_rounds, words, blocks[i]);
		measure("grid.sync()", (void *)grid_rounds, words, blocks[i]);
		need(cudaFree(words));
	}
	return 0;
}
