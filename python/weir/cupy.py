"""weir with CuPy: kernels compiled by CuPy, launched on its current stream and checked by weir.

CuPy's own launch shrinks a cooperative grid that does not fit, with a warning, and a barrier of the
larger grid then waits for ever. weir.cupy.launch refuses such a grid.
"""

from __future__ import annotations

from typing import Any, Sequence

from . import frameworks, nvrtc, paths, signature
from .device import Device, Dimensions, Kernel

try:
    import cupy
except ImportError as _error:
    raise frameworks.need("cupy", "CuPy", "cupy-cuda13x", _error) from None


def device() -> Device:
    """weir's device for CuPy's current device. It is shared: the same object each time."""
    return Device.of_cuda(cupy.cuda.Device().id)


def module(code: str, *, options: Sequence[str] = (), diagnose: bool = False, system_scope: bool = False,
           **more: Any) -> Any:
    """A cupy.RawModule of a source that includes "weir/device.h"."""
    nvrtc.architecture(cupy.cuda.Device().compute_capability)
    # CuPy caches kernels on disk by their source and options, and does not look into headers.
    given = [*frameworks.options(diagnose, system_scope, options), f"-DWEIR_HEADERS_{paths.digest()}"]
    return cupy.RawModule(code=code, options=tuple(given), **more)


def kernel(code: str, name: str, **options: Any) -> Kernel:
    """A kernel of such a source, for launch. Arguments are checked against the parameters in the source."""
    function = module(code, **options).get_function(name)
    made = Kernel(int(function.kernel.ptr), name, function, signature.read(code, name))
    return frameworks.scoped(made, options.get("system_scope", False), code, options.get("options", ()))


def resident_blocks(kernel: Any, threads: int, shared_bytes: int = 0) -> int:
    """How many blocks of a kernel run at once."""
    return device().resident_blocks(kernel, threads, shared_bytes)


def launch(kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *, barrier: Any = None,
           cooperative: bool = False, cluster: Dimensions = 1, shared_bytes: int = 0, stream: Any = None) -> None:
    """Launches on CuPy's current stream. With a Barrier among the arguments the launch is cooperative, and a grid
    that does not fit raises TooManyBlocks."""
    frameworks.launch(device(), kernel, grid, block, arguments,
                      cupy.cuda.get_current_stream() if stream is None else stream, barrier, cooperative, cluster,
                      shared_bytes)
