#include "far.h"

__device__ void far_meet(weir_barrier b)
{
	weir_barrier_wait(b);
}

__device__ void far_lock(weir_mutex m)
{
	weir_mutex_block_lock(m);
}

__device__ void far_take(weir_semaphore s)
{
	weir_semaphore_block_wait(s);
}

__device__ void far_give(weir_semaphore s)
{
	weir_semaphore_block_post(s);
}
