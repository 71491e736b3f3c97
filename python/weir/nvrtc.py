"""Compiles CUDA sources with the NVRTC of the nvidia-cuda-nvrtc wheel, PyTorch, CuPy or a toolkit."""

from __future__ import annotations

import ctypes as c
import glob
import os
import re
import sys
from typing import Any, Iterator, List, Optional, Sequence

from . import paths
from .checks import encoded, shown
from .errors import BadArgument, BadProgram, BadType, Unsupported

_OLDEST = 70
_loaded: List[Any] = []


def _candidates() -> Iterator[str]:
    for folder in [*sys.path, *(os.environ.get(name, "") + "/.." for name in ("CUDA_HOME", "CUDA_PATH"))]:
        for pattern in ("nvidia/cuda_nvrtc/lib/libnvrtc.so.*", "nvidia/cu*/lib/libnvrtc.so.*"):
            yield from sorted(glob.glob(os.path.join(glob.escape(folder), pattern)), reverse=True)
    for folder in (os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"):
        if folder:
            yield from sorted(glob.glob(os.path.join(glob.escape(folder), "lib64", "libnvrtc.so.*")), reverse=True)
    yield from ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2")


def library() -> Any:
    """Loads NVRTC. Raises Unsupported, which says what to do, if it is not installed."""
    if _loaded:
        return _loaded[0]
    for path in _candidates():
        if ".alt." in path or "builtins" in path:
            continue
        try:
            _loaded.append(c.CDLL(path))
            _loaded[0].nvrtcGetErrorString.restype = c.c_char_p
            return _loaded[0]
        except OSError:
            continue
    raise Unsupported("there is no NVRTC here: install it with `pip install nvidia-cuda-nvrtc`, or a CUDA toolkit")


def architecture(value: Any) -> str:
    """"compute_90" for "sm_90", "compute_90", "90", 90 or (9, 0). Raises below sm_70."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value = int(value[0]) * 10 + int(value[1])
    found = re.fullmatch(r"(?:sm_|compute_)?(\d+)([af]?)", str(value))
    if not found:
        raise BadArgument(f"{value!r} is no architecture: give \"sm_90\", say")
    if int(found.group(1)) < _OLDEST:
        raise Unsupported(f"sm_{found.group(1)} has no loads and stores with a memory order, which weir needs: use a "
                          f"GPU from sm_{_OLDEST} (Volta) on, and compile for it")
    return f"compute_{found.group(1)}{found.group(2)}"


def compile(code: str, arch: Any = "compute_90", options: Sequence[str] = (), *, name: str = "kernel.cu",
            diagnose: bool = False, system_scope: bool = False, cubin: bool = False) -> bytes:
    """Compiles a CUDA source that includes "weir/device.h" to PTX or, with `cubin`, to machine code for only that
    architecture. No file of a CUDA toolkit is needed. A driver does not accept PTX from an NVRTC newer than itself,
    but does accept machine code of its major version.

    `diagnose` is for objects made with diagnose=True, `system_scope` for host_visible objects.
    Raises BadProgram with the compiler's messages.
    """
    target = architecture(arch)
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise BadType(f"the options are {shown(options)}, but they must be a list of str")
    text, file = encoded(code, "the text of a program"), encoded(name, "the name of a program")
    lib = library()
    if cubin:
        target = target.replace("compute_", "sm_")
    given = [f"--gpu-architecture={target}", "-std=c++17", f"-I{paths.include_dir()}",
             *(["-DWEIR_DIAGNOSE"] if diagnose else []),
             *(["-DWEIR_SYSTEM_SCOPE"] if system_scope else []), *options]
    program = c.c_void_p()
    raw = (c.c_char_p * len(given))(*[encoded(option, "an option") for option in given])
    _check(lib, lib.nvrtcCreateProgram(c.byref(program), text, file, 0, None, None))
    try:
        if lib.nvrtcCompileProgram(program, len(given), raw) != 0:
            raise BadProgram(_read(lib, program, "ProgramLog")[:-1].decode("utf-8", "replace").strip())
        return _read(lib, program, "CUBIN") if cubin else _read(lib, program, "PTX")[:-1]
    finally:
        lib.nvrtcDestroyProgram(c.byref(program))


def _check(lib: Any, status: int) -> None:
    if status != 0:
        raise BadProgram(f"NVRTC: {lib.nvrtcGetErrorString(status).decode()}")


def _read(lib: Any, program: Any, what: str) -> bytes:
    size = c.c_size_t()
    _check(lib, getattr(lib, f"nvrtcGet{what}Size")(program, c.byref(size)))
    room = c.create_string_buffer(size.value)
    _check(lib, getattr(lib, f"nvrtcGet{what}")(program, room))
    return room.raw


def version() -> Optional[str]:
    """The version of the NVRTC in use; None if there is none."""
    try:
        lib = library()
    except Unsupported:
        return None
    major, minor = c.c_int(), c.c_int()
    _check(lib, lib.nvrtcVersion(c.byref(major), c.byref(minor)))
    return f"{major.value}.{minor.value}"
