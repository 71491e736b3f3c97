/* A barrier of one block a PE by weir and by NVSHMEM, in one run. It has been compiled, and not yet run.
 *
 *   nvcc -std=c++17 -arch=sm_90 -rdc=true -I include -I $NVSHMEM_HOME/include bench/ranks/nvshmem.cu \
 *        -L $NVSHMEM_HOME/lib -lnvshmem_host -lnvshmem_device -lcuda -o ranks_nvshmem
 *   mpirun -n 4 ./ranks_nvshmem [ROUNDS]      several PEs of one GPU: under MPS
 */
#define WEIR_SYSTEM_SCOPE
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <weir/crew/engines.h>
#include <weir/device.h>

#define THREADS 128

__global__ void by_weir(weir_word *const *shares, uint32_t ranks, uint32_t rank, uint32_t rounds)
{
	weir_crew c = weir_crew_in(shares, ranks, rank, gridDim.x);

	for (uint32_t i = 0; i < rounds; i++)
		weir_crew_lane_barrier(c, 0);
}

__global__ void by_nvshmem(uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++)
		nvshmemx_barrier_all_block();
}

/* Microseconds a round, after one launch that is not counted; less than 0 if it fails. */
static double measure(const void *kernel, void **arguments, uint32_t rounds)
{
	cudaEvent_t begin, end;
	float ms = 0;

	if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess)
		return -1;
	for (int i = 0; i < 2; i++) {
		nvshmem_barrier_all();
		cudaEventRecord(begin, 0);
		if (nvshmemx_collective_launch(kernel, 1, THREADS, arguments, 0, 0) != 0)
			return -1;
		cudaEventRecord(end, 0);
		if (cudaEventSynchronize(end) != cudaSuccess)
			return -1;
	}
	cudaEventElapsedTime(&ms, begin, end);
	return ms * 1e3 / rounds;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 10000;
	int devices = 0;

	nvshmem_init();
	uint32_t ranks = (uint32_t)nvshmem_n_pes(), rank = (uint32_t)nvshmem_my_pe();
	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 ||
	    cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE) % devices) != cudaSuccess)
		return puts("no device"), 1;
	void *words = nvshmem_calloc(WEIR_CREW_WORDS(ranks), sizeof(weir_word));
	weir_word **shares = (weir_word **)calloc(ranks, sizeof *shares), **table = NULL;
	if (!words || !shares || !WEIR_CREW_SHARES_NVSHMEM(words, ranks, shares))
		return puts("not all PEs reach each other by loads and stores"), 1;
	if (cudaMalloc((void **)&table, ranks * sizeof *table) != cudaSuccess ||
	    cudaMemcpy(table, shares, ranks * sizeof *table, cudaMemcpyHostToDevice) != cudaSuccess)
		return puts("no table"), 1;
	void *ours[] = {&table, &ranks, &rank, &rounds}, *theirs[] = {&rounds};
	double weir_us = measure((const void *)by_weir, ours, rounds);
	double nvshmem_us = measure((const void *)by_nvshmem, theirs, rounds);
	if (rank == 0)
		printf(
		    "%u PEs, microseconds a barrier: weir %.3f, nvshmemx_barrier_all_block %.3f\n",
		    ranks, weir_us, nvshmem_us);
	free(shares);
	nvshmem_finalize();
	return weir_us < 0 || nvshmem_us < 0;
}
