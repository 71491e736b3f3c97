/* One source, one kernel, on every machine.
 *
 *   WEIR_KERNEL(name, params_type)
 *   {
 *           ... words, data, params ...
 *   }
 *
 * defines a kernel of three arguments: `words`, shared words; `data`, plain memory; `params`, a
 * structure of plain integers, by value. On the host machine it also makes name_entry, which
 * weir_program_text lists.
 *
 *   WEIR_KERNEL_BOUNDED(name, params_type, threads, blocks)
 *
 * the same for blocks of at most `threads` threads; on CUDA `blocks` blocks run at once on a
 * multiprocessor, and the compiler limits registers accordingly.
 *
 *   KERNEL_CALLED
 *
 * marks a large function that a kernel calls from many places, so that it is not inlined everywhere.
 *
 *   KERNEL_HANDLE(type, name, words, config);
 *
 * defines a handle from its two parts. As in a CUDA kernel that takes a handle by value, its words
 * are the object's there.
 */
#ifndef WEIR_KERNEL_H
#define WEIR_KERNEL_H

#include "weir/device.h"

#if defined(__CUDACC__)
#define WEIR_KERNEL(name, params_type)                                                             \
	extern "C" __global__ void name(weir_word *words, uint32_t *data, params_type params)
#elif defined(WEIR_MACHINE_HIP_H)
#define WEIR_KERNEL(name, params_type)                                                             \
	extern "C" __attribute__((global)) void name(weir_word *words, uint32_t *data,             \
	                                             params_type params)
#elif defined(__OPENCL_VERSION__)
#define WEIR_KERNEL(name, params_type)                                                             \
	__kernel void name(__global weir_word *words, __global uint32_t *data, params_type params)
#else
#define WEIR_KERNEL(name, params_type)                                                             \
	static void name(weir_word *words, uint32_t *data, params_type params);                    \
	static void name##_entry(void **arguments)                                                 \
	{                                                                                          \
		name(*(weir_word **)arguments[0], *(uint32_t **)arguments[1],                      \
		     *(params_type *)arguments[2]);                                                \
	}                                                                                          \
	static void name(weir_word *words, uint32_t *data, params_type params)
#endif

#if defined(__CUDACC__)
#define WEIR_KERNEL_BOUNDED(name, params_type, threads, blocks)                                    \
	extern "C" __global__ void __launch_bounds__(threads, blocks)                              \
	    name(weir_word *words, uint32_t *data, params_type params)
#elif defined(WEIR_MACHINE_HIP_H)
#define WEIR_KERNEL_BOUNDED(name, params_type, threads, blocks)                                    \
	extern "C" __attribute__((global, launch_bounds(threads))) void name(                      \
	    weir_word *words, uint32_t *data, params_type params)
#else
#define WEIR_KERNEL_BOUNDED(name, params_type, threads, blocks) WEIR_KERNEL(name, params_type)
#endif

#ifdef __CUDACC__
#define KERNEL_CALLED static __device__ __noinline__
#elif defined(WEIR_MACHINE_HIP_H)
#define KERNEL_CALLED static __attribute__((device, noinline))
#else
#define KERNEL_CALLED WEIR_FN
#endif

#if defined(__CUDACC__) || defined(WEIR_MACHINE_HIP_H)
#define KERNEL_HANDLE(type, name, memory, configuration)                                           \
	type name;                                                                                 \
	name.words = memory;                                                                       \
	name.config = configuration
#else
#define KERNEL_HANDLE(type, name, memory, configuration)                                           \
	type name = type##_make(memory, configuration)
#endif

#endif
