"""A grid barrier written by hand: see it fail, read why, fix it. It needs NumPy and a CUDA compiler
(`pip install nvidia-cuda-nvrtc`), but no GPU. Each `# %%` begins a cell, in VS Code and Jupytext."""
# %% Imports.
import sys

import weir

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed here")
    sys.exit(77)

# %% Each block writes its part of `mid`, waits for all other blocks, and then reads a part that another block wrote.
# Thread 0 waits for its block: it increments a counter, and polls until all blocks have done so.
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


# %% The results may be right, but nothing orders the accesses to `mid`. In a notebook, `report` by itself shows a page
# with the source and the steps of both blocks.
try:
    report = check(FIRST)
except weir.Unsupported as error:
    print(f"skipped: {error}")
    sys.exit(77)
print(report)
assert report.verdict == "race"
assert all(finding.object.startswith("mid") for finding in report.findings)

# %% Thread 0 arrives for its whole block. The block must have written before, so `__syncthreads()` comes first. A fence
# on each side turns the counter's atomics into a release and an acquire.
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

# %% Does it work twice? The counter still has the arrivals of the first launch, so no block waits in the second one.
report = check(SECOND, launches=2, seeds=5)
print(report)
assert [finding.cause for finding in report.findings] == ["leftover-state"]

# %% So the counter is never reset: blocks wait for the next multiple of the number of blocks.
THIRD = SECOND.replace("""        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x)""", """        unsigned before = atomicAdd(arrived, 1), target = before - before % gridDim.x + gridDim.x;
        while ((int)(atomicAdd(arrived, 0) - target) < 0)""")
report = check(THIRD, launches=2, seeds=20)
print(report)
assert report.clean, report

# %% What if not all blocks fit on the GPU at once? The two that run wait for two that cannot start. A launch must not
# have more blocks than fit; a cooperative launch refuses such a grid.
report = weir.check(THIRD, grid=4, block=32, resident=2,
                    args=[np.zeros(1, "u4"), *(np.zeros(128, "f4") for _ in range(3))])
print(report)
assert [finding.cause for finding in report.findings] == ["blocks-not-resident"]
