"""A test for continuous integration that checks the kernels of a project without a GPU."""
import numpy as np
import pytest

count = """
__global__ void count(const unsigned *keys, unsigned n, unsigned *bins)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[keys[i] % 64], 1);
}
"""


@pytest.mark.weir(grid=2, block=128)
def test_count(weir_check):
    keys, bins = np.arange(1000, dtype="u4"), np.zeros(64, "u4")
    weir_check(count, args=[keys, np.uint32(1000), bins])
    assert bins.sum() == 1000
