/* Declares what clang needs from the CUDA toolkit's headers. Clang can read only the headers of toolkits
 * that are as old as itself, and here it only compiles a header. */
#define __CUDACC__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))

typedef __SIZE_TYPE__ size_t;

struct place {
	unsigned x, y, z;
};
extern __device__ const place threadIdx, blockIdx, blockDim, gridDim;

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = 0xffffffffu);
__device__ unsigned __shfl_sync(unsigned mask, unsigned value, int lane);
__device__ unsigned __ballot_sync(unsigned mask, int condition);
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value);
__device__ int __popc(unsigned bits);
__device__ int __ffs(int bits);
__device__ size_t __cvta_generic_to_global(const void *pointer);
__device__ size_t __cvta_generic_to_shared(const void *pointer);
__device__ long long clock64();
