"""A barrier of all blocks, written by hand: see it fail, read why, fix it. It needs NumPy and a compiler for CUDA
(`pip install nvidia-cuda-nvrtc`), and no GPU. Each `# %%` begins a cell, in VS Code and for Jupytext."""
# %% What it needs.
import sys

import weir

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed here")
    sys.exit(77)

# %% Each block writes its part of `mid`. All blocks meet. Then each reads a part that another block wrote. Thread 0 of
# a block meets the others: it counts the block, and waits until all are counted.
FIRST = r"""
__device__ void meet(unsigned *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x)
            ;
    }
    __syncthreads();
}

__global__ void step(unsigned *arrived, const float *in, float *mid, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    mid[i] = 2 * in[i];
    meet(arrived);
    out[i] = mid[n - 1 - i];
}
"""


def check(source, **launch):
    numbers = np.arange(256, dtype="f4")
    args = {"arrived": np.zeros(1, "u4"), "in": numbers, "mid": np.zeros_like(numbers), "out": np.zeros_like(numbers)}
    return weir.check(source, grid=2, block=128, args=args, expect={"out": 2 * numbers[::-1].copy()}, **launch)


# %% The results may be right, and still nothing orders the accesses to `mid`. In a notebook, `report` alone shows a page
# with the source and the steps of both blocks.
try:
    report = check(FIRST)
except weir.Unsupported as error:
    print(f"skipped: {error}")
    sys.exit(77)
print(report)
assert report.verdict == "race"
assert all(finding.object.startswith("mid") for finding in report.findings)

# %% Thread 0 must speak for its whole block. `__syncthreads()` first collects what the block has written, and a fence
# on each side makes the counter's atomics a release and an acquire.
SECOND = FIRST.replace("""    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);""", """    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);""").replace("""            ;
    }""", """            ;
        __threadfence();
    }""")
report = check(SECOND, seeds=20)
print(report)
assert report.clean, report

# %% Does it work twice? The counter still has the first launch's arrivals, so nobody waits in the second one.
report = check(SECOND, launches=2, seeds=5)
print(report)
assert [finding.cause for finding in report.findings] == ["leftover-state"]

# %% So arrivals count on: the target is the next multiple of the number of blocks.
THIRD = SECOND.replace("""        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x)""", """        unsigned before = atomicAdd(arrived, 1), target = before - before % gridDim.x + gridDim.x;
        while ((int)(atomicAdd(arrived, 0) - target) < 0)""")
report = check(THIRD, launches=2, seeds=20)
print(report)
assert report.clean, report

# %% And when the blocks do not all fit? The two that run wait for those that cannot start. A launch must not have more
# blocks than fit, and a cooperative launch refuses to.
report = weir.check(THIRD, grid=4, block=32, resident=2,
                    args=[np.zeros(1, "u4"), *(np.zeros(128, "f4") for _ in range(3))])
print(report)
assert [finding.cause for finding in report.findings] == ["blocks-not-resident"]
