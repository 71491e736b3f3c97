// Warp 1 adds its mark to the state and then uses a fence. A red has no result, so it acquires nothing.
__global__ void wrong(unsigned *data, unsigned *state, unsigned *out)
{
	if (blockIdx.x == 0) {
		if (threadIdx.x == 0) {
			*data = 42;
			__threadfence();
			atomicExch(state, 1);
		}
		return;
	}
	if (threadIdx.x == 0)
		while (*(volatile unsigned *)state == 0)
			;
	__syncthreads();
	if (threadIdx.x == 32) {
		asm volatile("red.relaxed.gpu.global.add.u32 [%0], 256;" ::"l"(state) : "memory");
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
		*out = *data;
	}
}

__global__ void right(unsigned *data, unsigned *state, unsigned *out)
{
	if (blockIdx.x == 0) {
		if (threadIdx.x == 0) {
			*data = 42;
			__threadfence();
			atomicExch(state, 1);
		}
		return;
	}
	if (threadIdx.x == 0)
		while (*(volatile unsigned *)state == 0)
			;
	__syncthreads();
	if (threadIdx.x == 32) {
		unsigned before;
		asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 256;"
		             : "=r"(before)
		             : "l"(state)
		             : "memory");
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
		*out = *data;
	}
}
