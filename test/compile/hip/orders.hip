/* The kernels of the CUDA test, for AMD GPUs without a HIP installation. Each of them writes plain
 * memory before its operation and reads it after, since a compiler omits a wait for nothing. These
 * are bytes, so that the accesses are not mistaken for accesses to words. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ unsigned char plain[3];
#define BEFORE (plain[0] = 1)
#define AFTER (plain[2] = plain[1])

#include "../cuda/orders.cu"

/* Nothing is in flight before the loop, but a store is at the end of each round. */
extern "C" __global__ void machine_loop_store_rel(weir_word *w, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		weir_store_rel(w, i);
		plain[0] = (unsigned char)i;
	}
}
