"""A Triton kernel with a grid barrier. Triton reads a kernel's source from its file."""
import triton
import triton.language as tl
from weir import triton as weir_triton


@triton.jit
def shift(b, x, n: tl.constexpr):
    """Every program adds 1 to its part, and copies the next program's part after the barrier."""
    mine = tl.program_id(0) * n + tl.arange(0, n)
    tl.store(x + mine, tl.load(x + mine) + 1)
    weir_triton.barrier_wait(b)
    other = (tl.program_id(0) + 1) % tl.num_programs(0) * n + tl.arange(0, n)
    value = tl.load(x + other)
    weir_triton.barrier_wait(b)
    tl.store(x + mine, value)
