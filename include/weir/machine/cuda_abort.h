/* How an abort by the host ends the waits of a cuda kernel (WEIR_ABORTABLE).
 *
 * Every module has a word in which weir_device_abort requests the abort. A wait checks it now and then, and ends
 * its thread. The other threads of the block end at their next block sync, where they find the stamp that the
 * thread left in shared memory. Shared memory starts with arbitrary contents, so a stamp has the number of the
 * block and of the grid, which no other launch has.
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

/* Not static: all units of a program that is linked on the device must use the same memory. */
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

/* Called after some of the failed attempts of a wait. Volatile: the host writes the word. */
WEIR_FN void weir_wait_obey_(void)
{
	if (WEIR_LIKELY(*(volatile unsigned int *)&weir_kernels_abort_<0> == 0))
		return;
	*weir_aborted_block_() = weir_aborted_stamp_();
	asm volatile("exit;");
}

/* Called after a block sync. */
WEIR_FN void weir_block_obey_(void)
{
	if (!WEIR_LIKELY(*weir_aborted_block_() != weir_aborted_stamp_()))
		asm volatile("exit;");
}

#endif
