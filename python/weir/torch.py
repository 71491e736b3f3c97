"""weir with PyTorch: kernels from a text or in an extension, launched on the current stream."""

from __future__ import annotations

from typing import Any, Sequence, Union

from . import frameworks, nvrtc, paths
from .device import Device, Dimensions, Kernel

try:
    import torch
except ImportError as _error:
    raise frameworks.need("PyTorch", _error) from None


def device() -> Device:
    """weir's device for PyTorch's current one. It is shared: the same object each time."""
    return Device.of_cuda(torch.cuda.current_device())


def kernel(code: str, name: str, *, options: Sequence[str] = (), diagnose: bool = False,
           system_scope: bool = False) -> Kernel:
    """A kernel of a text that includes "weir/device.h", compiled by NVRTC, for launch."""
    image = nvrtc.compile(code, torch.cuda.get_device_capability(), options, diagnose=diagnose,
                          system_scope=system_scope)
    return device().program(image, code).kernel(name)


def resident_blocks(kernel: Any, threads: int, shared_bytes: int = 0) -> int:
    """How many blocks of a kernel run at once."""
    return device().resident_blocks(kernel, threads, shared_bytes)


def launch(kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *, barrier: Any = None,
           cooperative: bool = False, cluster: Dimensions = 1, shared_bytes: int = 0, stream: Any = None) -> None:
    """Launches on PyTorch's current stream. With a Barrier among the arguments the launch is cooperative, and a
    grid that does not fit raises TooManyBlocks."""
    frameworks.launch(device(), kernel, grid, block, arguments,
                      torch.cuda.current_stream() if stream is None else stream, barrier, cooperative, cluster,
                      shared_bytes)


def load_inline(name: str, cuda_sources: Union[str, Sequence[str]], *, cpp_sources: Union[str, Sequence[str]] = "",
                diagnose: bool = False, system_scope: bool = False, extra_cuda_cflags: Sequence[str] = (),
                extra_include_paths: Sequence[str] = (), **more: Any) -> Any:
    """torch.utils.cpp_extension.load_inline with weir's headers: weir/device.h for kernels, weir/launch.hpp for
    handles from Python and cooperative launches."""
    from torch.utils import cpp_extension

    nvrtc.architecture(torch.cuda.get_device_capability())
    flags = [flag for flag in frameworks.options(diagnose, system_scope, extra_cuda_cflags)
             if not flag.startswith("-I")]
    return cpp_extension.load_inline(name, cpp_sources, cuda_sources, extra_cuda_cflags=flags,
                                     extra_include_paths=[paths.include_dir(), *extra_include_paths], **more)
