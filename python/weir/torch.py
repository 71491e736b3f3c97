"""weir with PyTorch: kernels from a source string or in an extension, launched on the current stream."""

from __future__ import annotations

from typing import Any, Sequence, Union

from . import frameworks, nvrtc, paths
from .device import Device, Dimensions, Kernel
from .errors import Unsupported
from .shared_crews import SharedCrew

try:
    import torch
except ImportError as _error:
    raise frameworks.need("torch", "PyTorch", "torch", _error) from None

_DEADLINE_MS = 60_000  # for ranks to arrive at the first barrier of a crew


def device() -> Device:
    """weir's device for PyTorch's current device. It is shared: the same object each time."""
    return Device.of_cuda(torch.cuda.current_device())


def kernel(code: str, name: str, *, options: Sequence[str] = (), diagnose: bool = False,
           system_scope: bool = False) -> Kernel:
    """A kernel of a source that includes "weir/device.h", compiled by NVRTC, for launch."""
    image = nvrtc.compile(code, torch.cuda.get_device_capability(), options, diagnose=diagnose,
                          system_scope=system_scope, cubin=True)
    return frameworks.scoped(device().program(image, code).kernel(name), system_scope, code, options)


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


def crew(group: Any = None, *, blocks: int = 1, lanes: int = 1, events: int = 0, queue_slots: int = 0,
         data_bytes: int = 0) -> SharedCrew:
    """A crew of the ranks of a process group (the default one), in PyTorch's symmetric memory on the current device.
    All ranks call it, with the same options. A kernel takes it as a weir_crew; compile it with system_scope=True."""
    symmetric, group = _symmetric_memory(group)
    size = SharedCrew.size(group.size(), lanes=lanes, events=events, queue_slots=queue_slots, data_bytes=data_bytes)
    words = symmetric.empty(size // 4, dtype=torch.int32, device=torch.device("cuda", torch.cuda.current_device()))
    words.zero_()
    torch.cuda.synchronize()
    shared = symmetric.rendezvous(words, group)
    if not all(shared.buffer_ptrs):
        raise Unsupported(f"rank {shared.buffer_ptrs.index(0)} is not reached by loads and stores: a crew is of ranks "
                          "that share memory over NVLink or PCIe")
    # Waits until all ranks have zeroed their memory, which PyTorch may have used before. If a rank is gone, this is a
    # CUDA error.
    shared.barrier(channel=0, timeout_ms=_DEADLINE_MS)
    torch.cuda.synchronize()
    # Several tensors may lie in one allocation: the addresses are those of its start.
    offset = getattr(shared, "offset", 0)
    return SharedCrew(device(), [address + offset for address in shared.buffer_ptrs], shared.rank, blocks=blocks,
                      lanes=lanes, events=events, queue_slots=queue_slots, data_bytes=data_bytes, owner=(words, shared))


def _symmetric_memory(group: Any) -> Any:
    """PyTorch's module for symmetric memory, and the process group."""
    try:
        from torch import distributed
        from torch.distributed import _symmetric_memory as symmetric
    except ImportError as error:
        raise Unsupported(f"this PyTorch has no symmetric memory: {error}") from None
    if group is None and not distributed.is_initialized():
        raise Unsupported("there is no process group: call torch.distributed.init_process_group first, or start the "
                          "program with torchrun and do so")
    return symmetric, distributed.group.WORLD if group is None else group


def load_inline(name: str, cuda_sources: Union[str, Sequence[str]], *, cpp_sources: Union[str, Sequence[str]] = "",
                diagnose: bool = False, system_scope: bool = False, extra_cuda_cflags: Sequence[str] = (),
                extra_include_paths: Sequence[str] = (), **more: Any) -> Any:
    """torch.utils.cpp_extension.load_inline with weir's headers: weir/device.h for kernels, weir/launch.hpp for
    handles from Python and cooperative launches."""
    from torch.utils import cpp_extension

    nvrtc.architecture(torch.cuda.get_device_capability())
    # PyTorch chooses the C++ standard that its own headers need.
    flags = [flag for flag in frameworks.options(diagnose, system_scope, ()) if not flag.startswith(("-I", "-std="))]
    flags.extend(extra_cuda_cflags)
    return cpp_extension.load_inline(name, cpp_sources, cuda_sources, extra_cuda_cflags=flags,
                                     extra_include_paths=[paths.include_dir(), *extra_include_paths], **more)
