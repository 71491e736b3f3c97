/* How the waits of a cuda kernel end by the host's order (WEIR_ABORTABLE, WEIR_DIAGNOSE).
 *
 * Every module has a word, in which weir_device_abort writes the order. A wait looks at it now and then, and its
 * thread ends. The other threads of the block end at their next block sync: the thread left the stamp of its block
 * in shared memory. Shared memory holds anything at first, so a stamp has the number of the block and of the grid,
 * which no other launch has.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_CUDA_ABORT_H
#define WEIR_MACHINE_CUDA_ABORT_H

#define WEIR_OBEYS_ABORT 1

extern "C++" {
template <int> __device__ __attribute__((used)) unsigned int weir_kernels_abort_ = 0;
template __device__ unsigned int weir_kernels_abort_<0>;
}

/* Not static: all parts of a program that is linked on the device must use the same memory. */
inline __device__ volatile uint64_t *weir_aborted_block_(void)
{
	__shared__ uint64_t stamp;
	return &stamp;
}

WEIR_FN uint64_t weir_aborted_stamp_(void)
{
	uint64_t grid;
	asm("mov.u64 %0, %%gridid;" : "=l"(grid));
	return (grid << 32 | weir_block_id()) ^ 0xd1b54a32d192ed03ull;
}

/* Follows a failed attempt of a wait, but not every one. Volatile: the host writes the word. */
WEIR_FN void weir_wait_obey_(void)
{
	if (WEIR_LIKELY(*(volatile unsigned int *)&weir_kernels_abort_<0> == 0))
		return;
	*weir_aborted_block_() = weir_aborted_stamp_();
	asm volatile("exit;");
}

/* Follows a block sync. */
WEIR_FN void weir_block_obey_(void)
{
	if (!WEIR_LIKELY(*weir_aborted_block_() != weir_aborted_stamp_()))
		asm volatile("exit;");
}

#endif
