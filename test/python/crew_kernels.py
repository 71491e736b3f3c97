"""Kernels of crews, for test_gpu.py and the ranks of crew_program.py: `wrong` counts words of another phase."""
CREW = r"""
#include "weir/device.h"

static __device__ void phases(weir_crew c, unsigned *wrong)
{
	for (unsigned phase = 1; phase <= 20; phase++) {
		if (blockIdx.x == c.config.first_block && threadIdx.x == 0)
			weir_crew_data(c, c.config.rank)[phase & 1] = phase;
		weir_crew_wait(c);
		for (unsigned rank = 0; rank < c.config.ranks; rank++)
			if (weir_crew_data(c, rank)[phase & 1] != phase)
				atomicAdd(wrong, 1);
	}
}

extern "C" __global__ void meet(weir_crew c, unsigned *wrong)
{
	phases(c, wrong);
}

extern "C" __global__ void meet_two(weir_crew a, weir_crew b, unsigned *wrong)
{
	phases(blockIdx.x < b.config.first_block ? a : b, wrong);
}

extern "C" __global__ void meet_in(weir_word *const *shares, uint32_t ranks, uint32_t rank, unsigned *total)
{
	weir_crew c = weir_crew_in(shares, ranks, rank, gridDim.x);

	if (threadIdx.x == 0)
		atomicAdd(total, 1);
	weir_crew_wait(c);
	if (atomicAdd(total, 0) != gridDim.x)
		__trap();
}
"""
