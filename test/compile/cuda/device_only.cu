/* The device header alone, as most kernels include it. */
#include "weir/device.h"

__global__ void step(weir_barrier b, weir_mutex m, int *total)
{
	weir_barrier_wait(b);
	if (threadIdx.x == 0) {
		weir_mutex_lock(m);
		*total += 1;
		weir_mutex_unlock(m);
	}
}
