"""Code shared by the modules for CuPy, PyTorch and cuda.core."""

from __future__ import annotations

from typing import Any, List, Sequence

from . import paths
from .device import Device, Dimensions, Kernel
from .errors import BadArgument


def options(diagnose: bool, system_scope: bool, more: Sequence[str]) -> List[str]:
    """The NVRTC options for a source that includes "weir/device.h"."""
    return ["-std=c++17", f"-I{paths.include_dir()}", *(["-DWEIR_DIAGNOSE"] if diagnose else []),
            *(["-DWEIR_SYSTEM_SCOPE"] if system_scope else []), *more]


def scoped(kernel: Kernel, system_scope: bool, code: str, options: Sequence[str]) -> Kernel:
    """Notes whether a kernel was compiled for system scope."""
    kernel.system_scope = system_scope or any("WEIR_SYSTEM_SCOPE" in text for text in (code, *options))
    return kernel


def launch(device: Device, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any], stream: Any,
           barrier: Any, cooperative: bool, cluster: Dimensions, shared_bytes: int) -> None:
    """A launch on a framework's stream, with the checks of Device.launch. It is cooperative if its blocks use a
    barrier."""
    from .ranks import Ranks

    meets = any(isinstance(value, Ranks) for value in arguments)
    device.launch(kernel, grid, block, arguments, barrier=_barrier(barrier, arguments),
                  cooperative=cooperative or meets, cluster=cluster, shared_bytes=shared_bytes, stream=stream)


def _barrier(barrier: Any, arguments: Sequence[Any]) -> Any:
    """The barrier of a launch: the one among the arguments, unless the caller names another."""
    from .barriers import Barrier

    found = [value for value in arguments if isinstance(value, Barrier)]
    if barrier is None and len(found) > 1:
        raise BadArgument("several barriers among the arguments: say which one the grid is for, with barrier=...")
    return found[0] if barrier is None and found else barrier


def need(module: str, framework: str, install: str, error: ImportError) -> ImportError:
    """The exception for weir's module of a framework that is not installed."""
    return ImportError(f"weir.{module} needs {framework}, which cannot be imported here: {error}. Install it with "
                       f"`pip install {install}`", name=error.name, path=error.path)


__all__ = ["Device", "Kernel", "launch", "need", "options", "scoped"]
