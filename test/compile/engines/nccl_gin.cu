/* A crew over an NCCL window whose ranks GIN reaches compiles: with and without a table, in lanes, with
 * deadlines, posts and an abort. */
#define WEIR_SYSTEM_SCOPE
#include <nccl.h>
#include <nccl_device.h>
#include <weir/crew/nccl.h>
#include <weir/device.h>

#define DEADLINE_NS 1000000000ull

static_assert(WEIR_CREW_WORDS(8) % 2 == 0, "slots and events are aligned to 8 bytes");

__global__ void fill(const weir_crew_nccl *engine, weir_word **shares)
{
	WEIR_CREW_SHARES_NCCL_WORLD(engine, shares);
}

static __device__ weir_crew crew_of(const weir_crew_nccl *engine, weir_word *const *shares)
{
	weir_crew_config config = weir_crew_in_config((uint32_t)engine->comm.nRanks,
	                                              (uint32_t)engine->comm.rank, gridDim.x);

	config.events = 1;
	weir_crew c =
	    weir_crew_make((weir_word *)ncclGetLocalPointer(engine->window, 0), shares, config);
	c.engine = engine;
	return c;
}

__global__ void step(const weir_crew_nccl *engine, weir_word *const *shares)
{
	weir_crew c = crew_of(engine, shares);
	weir_crew_token t = weir_crew_arrive(c);

	if (weir_crew_await_for(c, &t, DEADLINE_NS) != WEIR_OK && weir_thread_id() == 0)
		weir_crew_abort(c);
	if (weir_block_id() != 0)
		return;
	weir_crew_lane_wait(c, 0);
	if (weir_thread_id() == 0) {
		weir_crew_event_post(c, (c.config.rank + 1) % c.config.ranks, 0, 1);
		weir_crew_event_wait_for(c, weir_crew_event(c, c.config.rank, 0), 1, DEADLINE_NS);
	}
}

int prepare(ncclComm_t comm, uint32_t ranks, weir_crew_nccl *engine)
{
	size_t bytes = (WEIR_CREW_WORDS(ranks) + WEIR_EVENT_ARRAY_WORDS(1)) * sizeof(weir_word);
	ncclDevCommRequirements wanted = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
	void *memory;

	wanted.ginConnectionType = NCCL_GIN_CONNECTION_FULL;
	engine->context = 0;
	return ncclDevCommCreate(comm, &wanted, &engine->comm) != ncclSuccess ||
	       ncclMemAlloc(&memory, bytes) != ncclSuccess ||
	       cudaMemset(memory, 0, bytes) != cudaSuccess ||
	       ncclCommWindowRegister(comm, memory, bytes, &engine->window,
	                              NCCL_WIN_COLL_SYMMETRIC | NCCL_WIN_STRICT_ORDERING) !=
	           ncclSuccess;
}
