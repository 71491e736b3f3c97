"""Arguments of CUDA kernels: their bytes and their errors."""

from __future__ import annotations

import ctypes as c
import sys
from typing import TYPE_CHECKING, Any, Optional

from . import memory, signature
from .checks import shown
from .errors import BadArgument, BadType

if TYPE_CHECKING:
    from .device import Device


def pack(device: "Device", value: Any, number: int, parameter: Optional[signature.Parameter]) -> bytes:
    """The bytes of an argument of a CUDA kernel."""
    from .device import Buffer
    from .object import Handle

    if isinstance(value, Handle):
        if parameter is not None and parameter.text and parameter.handle != value.c_type:
            raise BadArgument(f"argument {number} is a {type(value).__name__}, but the kernel takes "
                              f"{parameter.text}")
        value.check_on(device)
        return bytes(value.handle)
    if parameter is not None and parameter.handle:
        raise BadArgument(f"argument {number} is a {type(value).__name__}, but the kernel takes {parameter.text}")
    if isinstance(value, Buffer):
        if value.device is not device:
            raise BadArgument(f"argument {number} is one of another device, {value!r}")
        return _sized(value.address.to_bytes(8, sys.byteorder), value, number, parameter)
    if memory.is_array(value):
        return _pack_pointer(device, value, number, parameter)
    if value is None or isinstance(value, bytes):
        return _sized(bytes(8) if value is None else value, value, number, parameter)
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        if parameter is not None and len(parameter.dtypes) == 1 and parameter.dtypes[0] != str(value.dtype):
            raise BadArgument(f"argument {number} is a {value.dtype}, but the kernel takes {parameter.text}: "
                              f"give a numpy.{parameter.dtypes[0]}")
        return bytes(value.tobytes())
    if isinstance(value, (c._SimpleCData, c.Structure)):
        return _sized(bytes(value), value, number, parameter)
    if isinstance(value, (int, float)):
        if parameter is None:
            raise BadArgument(f"argument {number} is {shown(value)}, and the kernel's type for it is not known here: "
                              "give a numpy.int32, a numpy.float32, ...")
        return parameter.pack(value, number)
    raise BadType(f"argument {number}, a {type(value).__name__}, is nothing that a kernel takes")


def _sized(data: bytes, value: Any, number: int, parameter: Optional[signature.Parameter]) -> bytes:
    """The bytes of a parameter of that size: the driver reads the number that the kernel takes."""
    if parameter is not None and parameter.size not in (None, len(data)):
        raise BadArgument(f"argument {number} is {shown(value)}, of {len(data)} bytes, but the kernel takes "
                          f"{parameter.text}, of {parameter.size}")
    return data


def _pack_pointer(device: "Device", value: Any, number: int,
                  parameter: Optional[signature.Parameter]) -> bytes:
    place = memory.place_of(value)
    if place.machine != "cuda":
        raise BadArgument(f"argument {number} lies in the host's memory: copy it to the device first, with "
                          "cupy.asarray or tensor.cuda()")
    if place.device is not None and place.device != device.number:
        raise BadArgument(f"argument {number} lies on cuda:{place.device}, but the launch is on {device.info.name}: "
                          f"move it there")
    if parameter is not None and parameter.text and not parameter.is_pointer:
        raise BadArgument(f"argument {number} is an array, but the kernel takes {parameter.text}")
    if parameter is not None and parameter.dtypes and place.dtype and place.dtype not in parameter.dtypes:
        raise BadArgument(f"argument {number} is an array of {place.dtype}, but the kernel takes "
                          f"{parameter.text}: make it with dtype={parameter.dtypes[0]}")
    return place.address.to_bytes(8, sys.byteorder)
