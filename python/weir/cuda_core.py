"""weir with cuda.core.

cuda.core's own launch takes numbers and buffers but no structures. Pass handles with weir.cuda_core.launch,
which passes them by value. For cuda.core's launch, pass `object.on_device().address` to a kernel that takes a
pointer to the handle.
"""

from __future__ import annotations

from typing import Any, Sequence

from . import frameworks, nvrtc, paths, signature
from .device import Device, Dimensions, Kernel, _function_of

try:
    from cuda import core
except ImportError as _error:
    raise frameworks.need("cuda_core", "cuda.core", "cuda-core", _error) from None


def device() -> Device:
    """weir's device for cuda.core's current device. It is shared: the same object each time."""
    return Device.of_cuda(core.Device().device_id)


def kernel(code: str, name: str, *, options: Sequence[str] = (), diagnose: bool = False,
           system_scope: bool = False) -> Kernel:
    """A kernel of a source that includes "weir/device.h", compiled and loaded by cuda.core, for launch. `options`
    are macros to define."""
    arch = nvrtc.architecture(tuple(core.Device().compute_capability)).replace("compute_", "sm_")
    defines = [*(["WEIR_DIAGNOSE"] if diagnose else []), *(["WEIR_SYSTEM_SCOPE"] if system_scope else []), *options]
    given = core.ProgramOptions(std="c++17", arch=arch, include_path=[paths.include_dir()],
                                define_macro=defines or None)
    made = core.Program(code, "c++", given).compile("cubin").get_kernel(name)
    found = Kernel(_function_of(int(made.handle)), name, made, signature.read(code, name))
    return frameworks.scoped(found, system_scope, code, options)


def resident_blocks(kernel: Any, threads: int, shared_bytes: int = 0) -> int:
    """How many blocks of a kernel run at once."""
    return device().resident_blocks(kernel, threads, shared_bytes)


def launch(stream: Any, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *,
           barrier: Any = None, cooperative: bool = False, cluster: Dimensions = 1, shared_bytes: int = 0) -> None:
    """Launches on a cuda.core stream. With a Barrier among the arguments the launch is cooperative, and a grid
    that does not fit raises TooManyBlocks."""
    frameworks.launch(device(), kernel, grid, block, arguments, stream, barrier, cooperative, cluster, shared_bytes)
