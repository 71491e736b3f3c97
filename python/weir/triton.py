"""weir with Triton: functions to call in a @triton.jit kernel, from a bitcode library.

    from weir import triton as weir_triton

    @triton.jit
    def step(b, x, n: tl.constexpr):
        weir_triton.barrier_wait(b)

    step[(blocks,)](weir_triton.handle(barrier), x, 1024, **weir_triton.options())

All threads of a Triton program run a call with scalar arguments, so there are only functions for a whole block: those
of barriers, and those with `block` in their name. options() makes the launch cooperative.
"""

from __future__ import annotations

import os
from typing import Any, Dict

from . import frameworks, functions, paths
from .device import Device
from .errors import TooManyBlocks, Unsupported
from .functions import handle as handle

try:
    from triton.language import core
except ImportError as _error:
    raise frameworks.need("triton", "Triton", "triton", _error) from None


def bitcode() -> str:
    """The path of the bitcode library."""
    path = paths.source(os.path.join("native", "weir.bc"))
    if not os.path.exists(path):
        raise Unsupported("this wheel was built without clang, and has no bitcode for Triton: build weir where clang is")
    return path


def options(cooperative: bool = True) -> Dict[str, Any]:
    """The launch options for a kernel that calls these functions."""
    return {"extern_libs": {"weir": bitcode()}, "launch_cooperative_grid": cooperative}


def _make(name: str, function: functions.Function) -> Any:
    types = [core.dtype(argument) for argument in function.arguments]

    def call(*values: Any, _semantic: Any = None) -> Any:
        given = [core.cast(_semantic.to_tensor(value), kind, _semantic=_semantic)
                 for value, kind in zip(values, types)]
        if len(values) != len(types):
            raise TypeError(f"{name} takes {len(types)} arguments, not {len(values)}")
        return core.extern_elementwise("weir", "", given, {tuple(types): (function.symbol, core.dtype(function.result))},
                                       is_pure=False, _semantic=_semantic)

    call.__name__ = call.__qualname__ = name
    call.__module__ = "triton.language.weir"  # Triton accepts only functions of its own language
    return core.extern(call)


for _name, _function in functions.declarations().items():
    if _name.startswith("barrier") or "block" in _name:
        globals()[_name] = _make(_name, _function)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"weir.triton has no {name!r}: it has those of barriers, and those with block in their name")


def check_fits(device: Device, compiled: Any, blocks: int) -> None:
    """Raises TooManyBlocks if a grid of a compiled kernel cannot run at once. The kernel is the result of a
    launch or of `warmup`."""
    _ = compiled.run  # Triton loads a kernel when this is first read
    most = device.resident_blocks(int(compiled.function), 32 * compiled.metadata.num_warps, compiled.metadata.shared)
    if blocks > most:
        raise TooManyBlocks(f"a grid of {blocks} blocks does not fit: {most} blocks of this kernel run at once")
