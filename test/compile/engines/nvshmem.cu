/* A crew over NVSHMEM compiles: with a table of ranks that only puts reach, without a table, in lanes, with
 * deadlines, posts and an abort. Where NVSHMEM's library is installed, the program is also linked. */
#define WEIR_SYSTEM_SCOPE
#include <nvshmem.h>
#include <nvshmemx.h>
#include <weir/crew/nvshmem.h>
#include <weir/device.h>

#include <weir/crew/engines.h>

#define DEADLINE_NS 1000000000ull

static __device__ weir_crew crew_of(weir_word *words, weir_word *const *shares, uint32_t radix)
{
	weir_crew_config config =
	    weir_crew_in_config((uint32_t)nvshmem_n_pes(), (uint32_t)nvshmem_my_pe(), gridDim.x);

	config.events = 1;
	if (radix)
		config.radix = radix;
	return weir_crew_make(words, shares, config);
}

__global__ void step(weir_word *words, weir_word *const *shares, uint32_t radix)
{
	weir_crew c = crew_of(words, shares, radix);
	weir_crew_token t = weir_crew_arrive(c);
	uint32_t next = (c.config.rank + 1) % c.config.ranks;

	if (weir_crew_await_for(c, &t, DEADLINE_NS) != WEIR_OK && weir_thread_id() == 0)
		weir_crew_abort(c);
	if (weir_block_id() != 0)
		return;
	weir_crew_lane_wait(c, 0);
	if (weir_thread_id() == 0) {
		weir_crew_event_post(c, next, 0, 1);
		weir_crew_event_wait_for(c, weir_crew_event(c, c.config.rank, 0), 1, DEADLINE_NS);
	}
}

int main(void)
{
	weir_word *shares[64], **table, **none = NULL;
	uint32_t radix = 2;

	nvshmem_init();
	int ranks = nvshmem_n_pes();
	weir_word *words = (weir_word *)nvshmem_calloc(
	    WEIR_CREW_WORDS(ranks) + WEIR_EVENT_ARRAY_WORDS(1), sizeof *words);
	if (ranks > 64 || !words || cudaMalloc((void **)&table, sizeof shares) != cudaSuccess)
		return 1;
	/* The address is NULL for PEs of other hosts, which is not an error here. */
	(void)WEIR_CREW_SHARES_NVSHMEM(words, ranks, shares);
	cudaMemcpy(table, shares, sizeof shares, cudaMemcpyDefault);
	void *by_table[] = {&words, &table, &radix}, *by_puts[] = {&words, &none, &radix};
	int failed = nvshmemx_collective_launch((const void *)step, 1, 128, by_table, 0, 0) ||
	             nvshmemx_collective_launch((const void *)step, 1, 128, by_puts, 0, 0) ||
	             cudaDeviceSynchronize() != cudaSuccess;
	nvshmem_finalize();
	return failed;
}
