/* Functions of another source file: the linker joins them with the kernel, and they are never
 * inline. */
#ifndef PLACES_FAR_H
#define PLACES_FAR_H

#include "weir/device.h"

__device__ void far_meet(weir_barrier b);
__device__ void far_lock(weir_mutex m);
__device__ void far_take(weir_semaphore s);
__device__ void far_give(weir_semaphore s);

#endif
