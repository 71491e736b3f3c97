/* The declarations that clang lacks without a CUDA toolkit, with which the device headers compile to bitcode.
 * Included before them, with -include.
 */
#ifndef WEIR_CLANG_CUDA_H
#define WEIR_CLANG_CUDA_H

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
#define __forceinline__ inline __attribute__((always_inline))
#define __CUDACC__

#include <__clang_cuda_builtin_vars.h>

#define WEIR_BUILTIN_ static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;

WEIR_BUILTIN_ void __syncwarp(unsigned mask = 0xffffffffu)
{
	__nvvm_bar_warp_sync(mask);
}

WEIR_BUILTIN_ size_t __cvta_generic_to_global(const void *pointer)
{
	return (size_t)(const __attribute__((address_space(1))) void *)pointer;
}

WEIR_BUILTIN_ size_t __cvta_generic_to_shared(const void *pointer)
{
	return (size_t)(const __attribute__((address_space(3))) void *)pointer;
}

WEIR_BUILTIN_ long long clock64(void)
{
	return __nvvm_read_ptx_sreg_clock64();
}

WEIR_BUILTIN_ unsigned __ballot_sync(unsigned mask, int condition)
{
	return __nvvm_vote_ballot_sync(mask, condition);
}

WEIR_BUILTIN_ unsigned __shfl_sync(unsigned mask, unsigned value, int lane)
{
	return (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)value, lane, 0x1f);
}

WEIR_BUILTIN_ int __popc(unsigned value)
{
	return __builtin_popcount(value);
}

WEIR_BUILTIN_ int __ffs(int value)
{
	return __builtin_ffs(value);
}

#undef WEIR_BUILTIN_

#endif
