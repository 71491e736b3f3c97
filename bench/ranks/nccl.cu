/* Compares a crew in a window of NCCL with NCCL's own barrier of GPUs that reach each other (LSA), from NCCL 2.28 on.
 * Compiled, but not yet run. tools/gpu-check -p ranks compiles and runs it.
 *
 * NCCL accepts several ranks on one GPU from 2.30 on, with NCCL_MULTI_RANK_GPU_ENABLE=1. If it refuses, this
 * program prints NCCL's own message and ends with status 77.
 *
 *   nvcc -std=c++17 -arch=sm_90 -I include -I $NCCL_HOME/include bench/ranks/nccl.cu -L $NCCL_HOME/lib \
 *        -l:libnccl.so.2 -o ranks_nccl
 *   weir crew -n 2 ./ranks_nccl FOLDER [ROUNDS]
 *
 * With BY_GIN (nccl_gin.cu) weir reaches no other rank by stores, and the peer is NCCL's barrier over the network. That
 * needs NCCL 2.30.5 and a network supported by GIN; otherwise NCCL refuses it.
 */
#include <nccl.h>
#include <nccl_device.h>
#ifdef BY_GIN
#define WEIR_SYSTEM_SCOPE
#include <weir/crew/nccl.h>
static __device__ weir_crew_nccl engine;
#define SET_ENGINE(c) ((c).engine = &engine)
#define PEER_NAME "ncclGinBarrierSession"
#else
#define PEER_NAME "ncclLsaBarrierSession"
#endif
#include "peers.h"
#include <weir/crew/engines.h>

#ifdef BY_GIN
/* Maps only its own share: all others are reached by GIN. */
static __global__ void fill(ncclWindow_t window, uint32_t rank, weir_word **shares)
{
	shares[rank] = (weir_word *)ncclGetLocalPointer(window, 0);
}
#else
static __global__ void fill(ncclWindow_t window, uint32_t ranks, weir_word **shares)
{
	WEIR_CREW_SHARES_NCCL(window, ranks, shares);
}
#endif

static __global__ void by_nccl_barrier(ncclDevComm comm, uint32_t rounds, outcome *out)
{
#ifdef BY_GIN
	ncclGinBarrierSession<ncclCoopCta> session(ncclCoopCta(), ncclGin(comm, 0),
	                                           ncclTeamTagWorld(), 0);
#else
	ncclLsaBarrierSession<ncclCoopCta> session(ncclCoopCta(), comm, ncclTeamTagLsa(), 0);
#endif
	uint64_t since = 0;

	for (uint32_t i = 0; i < WARM + rounds; i++) {
		if (i == WARM)
			since = weir_clock_ns();
		session.sync(ncclCoopCta(), cuda::memory_order_acq_rel);
	}
	leave_outcome(out, since, 0);
}

static cudaError_t launch(const void *kernel, void **arguments)
{
	return cudaLaunchKernel(kernel, dim3(1), dim3(THREADS), arguments, 0, 0);
}

/* NCCL does not run here; prints why. */
static void skip(const char *call, ncclResult_t result)
{
	int version = 0;

	ncclGetVersion(&version);
	printf("skipped: NCCL %d: %s: %s: %s\n", version, call, ncclGetErrorString(result),
	       ncclGetLastError(NULL));
	fflush(NULL);
	_Exit(SKIPPED);
}
#define NEED_NCCL(call)                                                                            \
	do {                                                                                       \
		ncclResult_t result_ = (call);                                                     \
		if (result_ != ncclSuccess)                                                        \
			skip(#call, result_);                                                      \
	} while (0)

int main(int argc, char **argv)
{
	place p = find_place(argc, argv);
	uint32_t rounds = rounds_of(argc, argv);
	int devices = 0;
	ncclUniqueId id;
	ncclComm_t comm;
	ncclWindow_t window;
	ncclDevComm device_comm;
	void *memory;
	weir_word **table;
	outcome *out;

	NEED_CUDA(cudaGetDeviceCount(&devices));
	NEED_CUDA(cudaSetDevice((int)p.rank % devices));
	if (p.rank == 0)
		NEED_NCCL(ncclGetUniqueId(&id));
	share_bytes(p, "nccl.id", &id, sizeof id);
	NEED_NCCL(ncclCommInitRank(&comm, (int)p.ranks, id, (int)p.rank));
#ifdef NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER
	ncclDevCommRequirements wanted = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
	ncclDevCommRequirements wanted = {};
#endif
#ifdef BY_GIN
	const int flags = NCCL_WIN_COLL_SYMMETRIC | NCCL_WIN_STRICT_ORDERING;
	wanted.ginConnectionType = NCCL_GIN_CONNECTION_FULL;
	wanted.worldGinBarrierCount = 1;
#else
	const int flags = NCCL_WIN_COLL_SYMMETRIC;
	wanted.lsaBarrierCount = 1;
#endif
	NEED_NCCL(ncclDevCommCreate(comm, &wanted, &device_comm));
#ifndef BY_GIN
	if (device_comm.lsaSize != (int)p.ranks)
		give_up("ncclDevCommCreate", "not all ranks reach each other by loads and stores");
#endif
	NEED_NCCL(ncclMemAlloc(&memory, crew_bytes(p.ranks)));
	NEED_CUDA(cudaMemset(memory, 0, crew_bytes(p.ranks)));
	NEED_CUDA(cudaDeviceSynchronize());
	/* All ranks register here, so all of them have zeroed their memory. */
	NEED_NCCL(ncclCommWindowRegister(comm, memory, crew_bytes(p.ranks), &window, flags));
	NEED_CUDA(cudaMalloc((void **)&table, p.ranks * sizeof *table));
	NEED_CUDA(cudaMemset(table, 0, p.ranks * sizeof *table));
	NEED_CUDA(cudaMalloc((void **)&out, sizeof *out));
#ifdef BY_GIN
	weir_crew_nccl named = {device_comm, window, 0};
	NEED_CUDA(cudaMemcpyToSymbol(engine, &named, sizeof named));
	fill<<<1, 1>>>(window, p.rank, table);
#else
	fill<<<1, 1>>>(window, p.ranks, table);
#endif
	NEED_CUDA(cudaDeviceSynchronize());

	uint32_t unused = 0;
	void *barrier[] = {&table, &p.ranks, &p.rank, &rounds, &out};
	void *their_barrier[] = {&device_comm, &rounds, &out};
	side ours = {(const void *)by_weir_barrier, barrier};
	side theirs = {(const void *)by_nccl_barrier, their_barrier};
#ifdef BY_GIN
	print_head(p, "weir by NCCL's GIN");
#else
	print_head(p, "a window of NCCL");
#endif
	compare(p, "barrier", PEER_NAME, &ours, &theirs, launch, out, rounds, &unused, rounds);
	NEED_NCCL(ncclDevCommDestroy(comm, &device_comm));
	NEED_NCCL(ncclCommWindowDeregister(comm, window));
	NEED_NCCL(ncclMemFree(memory));
	NEED_NCCL(ncclCommDestroy(comm));
	return 0;
}
