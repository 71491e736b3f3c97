"""A barrier of all programs of a Triton kernel: see it fail, read why, fix it. It needs Triton and NumPy, but no GPU.
Each `# %%` begins a cell, in VS Code and Jupytext."""
# %% Imports.
import sys

import weir

try:
    import numpy as np
    import triton
    import triton.language as tl
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


# %% Each program writes its part of `mid`, waits for all others, and reads a part that another program wrote.
@triton.jit
def relaxed(arrived, x, mid, out, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(mid + i, 2 * tl.load(x + i))
    tl.atomic_add(arrived, 1, sem="relaxed")
    while tl.atomic_add(arrived, 0, sem="relaxed") < tl.num_programs(0):
        pass
    tl.store(out + i, tl.load(mid + (SIZE * tl.num_programs(0) - 1 - i)))


def check(kernel, **launch):
    numbers = np.arange(256, dtype="f4")
    return weir.check(kernel, grid=2, args=[np.zeros(1, "i4"), numbers, np.zeros_like(numbers), np.zeros_like(numbers), 128],
                      expect={"out": 2 * numbers[::-1].copy()}, **launch)


report = check(relaxed)
print(report.explain())
assert report.verdict == "race"


# %% One thread of a program executes its atomics. Acquire and release order only that thread, so the other warps need a
# sync before the arrival and after the wait: `tl.debug_barrier()` is Triton's `__syncthreads()`.
@triton.jit
def released(arrived, x, mid, out, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(mid + i, 2 * tl.load(x + i))
    tl.debug_barrier()
    tl.atomic_add(arrived, 1, sem="acq_rel")
    while tl.atomic_add(arrived, 0, sem="acq_rel") < tl.num_programs(0):
        pass
    tl.debug_barrier()
    tl.store(out + i, tl.load(mid + (SIZE * tl.num_programs(0) - 1 - i)))


report = check(released, seeds=20)
print(report)
assert report.clean, report


# %% Locks are also written by hand. All threads of a program execute the load, and one of them the store. So there is a
# race even within a program, and the next owner of the lock may not see the sum.
@triton.jit
def unlocked(lock, total):
    while tl.atomic_cas(lock, 0, 1, sem="relaxed") == 1:
        pass
    tl.store(total, tl.load(total) + 1)
    tl.atomic_xchg(lock, 0, sem="relaxed")


def check_lock(kernel, **launch):
    return weir.check(kernel, grid=4, args=[np.zeros(1, "i4"), np.zeros(1, "i4")],
                      expect={"total": np.array([4], "i4")}, **launch)


report = check_lock(unlocked)
print(report)
assert report.verdict == "race"


# %% The lock acquires, the unlock releases, and syncs extend both to the whole program.
@triton.jit
def locked(lock, total):
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    tl.debug_barrier()
    sum = tl.load(total) + 1
    tl.debug_barrier()
    tl.store(total, sum)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release")


report = check_lock(locked, seeds=20)
print(report)
assert report.clean, report
