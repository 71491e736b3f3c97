/* A crew over NVSHMEM's memory compiles. */
#define WEIR_SYSTEM_SCOPE
#include <nvshmem.h>
#include <weir/crew/engines.h>
#include <weir/device.h>

__global__ void step(weir_word *const *shares, uint32_t ranks, uint32_t rank)
{
	weir_crew_barrier(weir_crew_in(shares, ranks, rank, gridDim.x));
}

int prepare(weir_word **shares)
{
	uint32_t ranks = (uint32_t)nvshmem_n_pes();
	void *memory = nvshmem_calloc(WEIR_CREW_WORDS(ranks), sizeof(weir_word));

	return !memory || !WEIR_CREW_SHARES_NVSHMEM(memory, ranks, shares);
}
