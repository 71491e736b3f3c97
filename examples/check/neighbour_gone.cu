// A block reads the shared memory of another one of its cluster, which may have ended.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) wrong(unsigned *out)
{
	__shared__ unsigned tile[64];
	auto cluster = cooperative_groups::this_cluster();

	tile[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
	cluster.sync();
	out[blockIdx.x * 64 + threadIdx.x] =
	    *cluster.map_shared_rank(&tile[threadIdx.x], 1 - cluster.block_rank());
}

__global__ void __cluster_dims__(2) right(unsigned *out)
{
	__shared__ unsigned tile[64];
	auto cluster = cooperative_groups::this_cluster();

	tile[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
	cluster.sync();
	out[blockIdx.x * 64 + threadIdx.x] =
	    *cluster.map_shared_rank(&tile[threadIdx.x], 1 - cluster.block_rank());
	cluster.sync();
}
