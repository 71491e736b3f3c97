/* A crew over NCCL's memory compiles: the setup of a program that has a communicator, and its kernels. */
#define WEIR_SYSTEM_SCOPE
#include <nccl.h>
#include <nccl_device.h>
#include <weir/crew/engines.h>
#include <weir/device.h>

__global__ void fill(ncclWindow_t window, uint32_t ranks, weir_word **shares)
{
	WEIR_CREW_SHARES_NCCL(window, ranks, shares);
}

__global__ void step(weir_word *const *shares, uint32_t ranks, uint32_t rank)
{
	weir_crew_barrier(weir_crew_in(shares, ranks, rank, gridDim.x));
}

int prepare(ncclComm_t comm, uint32_t ranks, weir_word **shares)
{
	size_t bytes = WEIR_CREW_WORDS(ranks) * sizeof(weir_word);
	ncclWindow_t window;
	void *memory;

	if (ncclMemAlloc(&memory, bytes) != ncclSuccess ||
	    cudaMemset(memory, 0, bytes) != cudaSuccess ||
	    ncclCommWindowRegister(comm, memory, bytes, &window, NCCL_WIN_COLL_SYMMETRIC) !=
	        ncclSuccess)
		return 1;
	fill<<<1, 1>>>(window, ranks, shares);
	return cudaDeviceSynchronize() != cudaSuccess;
}
