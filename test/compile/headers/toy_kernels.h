/* The smallest input of weir_embed_kernels: one kernel, for each machine. */
#ifndef TOY_KERNELS_H
#define TOY_KERNELS_H

#include "weir/device.h"

#if defined(__CUDACC__)
#define TOY_KERNEL extern "C" __global__
#elif defined(WEIR_MACHINE_HIP_H)
#define TOY_KERNEL extern "C" __attribute__((global))
#else
#define TOY_KERNEL __kernel
#endif

TOY_KERNEL void toy(WEIR_GLOBAL uint32_t *counts)
{
	counts[weir_block_id()] += TOY_STEP;
	weir_block_sync();
}

#endif
