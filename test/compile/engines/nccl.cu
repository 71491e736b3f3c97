/* A crew over NCCL's memory compiles: the setup of a program that has a communicator, and its kernels. The
 * declarations of command/crew/nccl.h agree with nccl.h. */
#define WEIR_SYSTEM_SCOPE
#include <nccl.h>
#include <nccl_device.h>
#include <weir/crew/engines.h>
#include <weir/device.h>

#include "command/crew/nccl.h"

static_assert(sizeof(crew_nccl_id) == sizeof(ncclUniqueId), "an id");
static_assert(CREW_NCCL_FLOAT == ncclFloat && CREW_NCCL_SUM == ncclSum, "numbers");
static_assert(ncclSuccess == 0 && sizeof(ncclResult_t) == sizeof(int), "results");
static_assert(sizeof(ncclDataType_t) == sizeof(int) && sizeof(ncclRedOp_t) == sizeof(int), "enums");

/* This does not compile if a function of NCCL has another type. */
ncclResult_t (*const get_version)(int *) = ncclGetVersion;
ncclResult_t (*const get_id)(ncclUniqueId *) = ncclGetUniqueId;
ncclResult_t (*const init)(ncclComm_t *, int, ncclUniqueId, int) = ncclCommInitRank;
ncclResult_t (*const all_reduce)(const void *, void *, size_t, ncclDataType_t, ncclRedOp_t,
                                 ncclComm_t, cudaStream_t) = ncclAllReduce;
ncclResult_t (*const destroy)(ncclComm_t) = ncclCommDestroy;
const char *(*const error_string)(ncclResult_t) = ncclGetErrorString;
const char *(*const last_error)(ncclComm_t) = ncclGetLastError;

__global__ void fill(ncclWindow_t window, uint32_t ranks, weir_word **shares)
{
	WEIR_CREW_SHARES_NCCL(window, ranks, shares);
}

__global__ void step(weir_word *const *shares, uint32_t ranks, uint32_t rank)
{
	weir_crew_wait(weir_crew_in(shares, ranks, rank, gridDim.x));
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
