"""weir with Numba-CUDA: device functions to call in a @cuda.jit kernel.

    from weir import numba as weir_numba

    @cuda.jit
    def step(b, data):
        weir_numba.barrier_wait(b)

    step[blocks, threads](weir_numba.handle(barrier), data)

The functions are those of functions.cu, and take the address of a handle (weir.numba.handle). A kernel that calls a
barrier function is launched cooperatively. check_fits raises an exception if its grid does not fit.
"""

from __future__ import annotations

from typing import Any

from . import frameworks, functions
from .device import Device
from .errors import TooManyBlocks
from .functions import handle as _address
from .object import Object

try:
    import numba
    from numba import cuda
except ImportError as _error:
    raise frameworks.need("numba", "Numba-CUDA", "numba-cuda", _error) from None

# Numba compiles the source with NVRTC when it links a kernel. It includes nothing, so no path is
# needed.
_link = cuda.CUSource(functions.text().encode(), name="weir")


def _declare(function: functions.Function, is_barrier: bool) -> Any:
    signature = getattr(numba.types, function.result)(
        *(getattr(numba.types, argument) for argument in function.arguments))
    return cuda.declare_device(function.symbol, signature, link=_link, use_cooperative=is_barrier, abi="c")


for _name, _function in functions.declarations().items():
    globals()[_name] = _declare(_function, _name.startswith("barrier"))


def __getattr__(name: str) -> Any:
    raise AttributeError(f"weir.numba has no {name!r}: it has {', '.join(functions.declarations())}")


def device() -> Device:
    """weir's device for Numba's current device. It is shared: the same object each time."""
    return Device.of_cuda(cuda.get_current_device().id)


def handle(made: Object) -> Any:
    """The argument for a kernel: the address of the object's handle, as a numpy.uint64."""
    import numpy

    return numpy.uint64(_address(made))


def check_fits(kernel: Any, blocks: int, threads: int, shared_bytes: int = 0) -> None:
    """Raises TooManyBlocks if a grid of a compiled kernel cannot run at once. Compile the kernel first, by a
    launch or with a signature."""
    for signature, overload in kernel.overloads.items():
        most = overload.max_cooperative_grid_blocks(threads, shared_bytes)
        if blocks > most:
            raise TooManyBlocks(f"a grid of {blocks} blocks does not fit: {most} blocks of {threads} threads of this "
                                f"kernel run at once, for the arguments {signature}")
