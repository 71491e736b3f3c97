"""Memory of others: arrays of NumPy, CuPy, PyTorch and cuda.core, and anything that implements an array protocol."""

from __future__ import annotations

import ctypes as c
import operator
import sys
from typing import Any, List, NamedTuple, Optional

from .checks import U64, whole
from .errors import BadArgument, BadType


class Place(NamedTuple):
    """The location of an array."""

    address: int
    bytes: int
    dtype: str  # its NumPy name: "float32"; "" if it is not known
    machine: str  # "cuda" or "host"
    device: Optional[int]  # the number of the CUDA device; None if it is not known


class _DLTensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32),
                ("ndim", c.c_int32), ("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16),
                ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)),
                ("byte_offset", c.c_uint64)]


_KINDS = {"f": "float", "i": "int", "u": "uint", "c": "complex", "b": "bool"}
_DLPACK_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_DLPACK_CUDA = (2, 13)  # the memory of a CUDA device, and managed memory
_DLPACK_HOST = (1, 3)  # plain and pinned memory


def _type_name(typestr: str) -> str:
    kind, size = typestr[1], int(typestr[2:])
    if kind == "b":
        return "bool"
    return f"{_KINDS[kind]}{8 * size}" if kind in _KINDS else ""


def _of_interface(interface: Any, machine: str, device: Optional[int]) -> Place:
    shape, typestr = interface["shape"], interface["typestr"]
    size = int(typestr[2:])
    strides = interface.get("strides")
    expected: List[int] = []
    count = size
    for length in reversed(shape):
        expected.insert(0, count)
        count *= length
    if strides is not None and count and tuple(strides) != tuple(expected):
        if any(s != e for s, e, length in zip(strides, expected, shape) if length > 1):
            raise BadArgument("the array is not contiguous: give a contiguous copy of it")
    return Place(interface["data"][0] or 0, count, _type_name(typestr), machine, device)


def _of_dlpack(array: Any) -> Place:
    capsule = array.__dlpack__()
    get = c.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c.c_void_p, (c.py_object, c.c_char_p)
    tensor = c.cast(get(capsule, b"dltensor"), c.POINTER(_DLTensor)).contents
    count = tensor.bits * tensor.lanes // 8
    for dimension in reversed(range(tensor.ndim)):
        if tensor.strides and tensor.shape[dimension] > 1 and \
                tensor.strides[dimension] * (tensor.bits * tensor.lanes // 8) != count:
            raise BadArgument("the array is not contiguous: give a contiguous copy of it")
        count *= tensor.shape[dimension]
    kind = _DLPACK_KINDS.get(tensor.code, "")
    if tensor.device_type not in _DLPACK_CUDA + _DLPACK_HOST:
        raise BadArgument(f"the array lies in memory of DLPack's device type {tensor.device_type}: "
                          "weir takes host memory and that of CUDA devices")
    is_cuda = tensor.device_type in _DLPACK_CUDA
    name = "bool" if kind == "bool" else f"{kind}{tensor.bits}" if kind else ""
    if type(array).__module__.startswith("cuda.core"):
        name = ""  # its buffers have no type, and claim int8
    # Any device reaches managed memory, and its device number has no meaning.
    device = tensor.device_id if tensor.device_type == _DLPACK_CUDA[0] else None
    return Place((tensor.data or 0) + tensor.byte_offset, count, name, "cuda" if is_cuda else "host", device)


def is_array(value: Any) -> bool:
    return any(hasattr(value, name) for name in (
        "__cuda_array_interface__", "data_ptr", "__array_interface__", "__dlpack__")) \
        and not _is_scalar(value)


def _is_scalar(value: Any) -> bool:
    """A NumPy scalar also has an array interface."""
    return type(value).__module__.startswith("numpy") and hasattr(value, "dtype") \
        and not type(value).__name__ == "ndarray" and getattr(value, "shape", None) == ()


def place_of(array: Any) -> Place:
    """The location of an array. A tensor whose memory was freed is an error, not an address."""
    if hasattr(array, "data_ptr") and hasattr(array, "element_size"):  # PyTorch
        if not array.is_contiguous():
            raise BadArgument("the tensor is not contiguous: call .contiguous() first")
        count = array.numel() * array.element_size()
        address = int(array.data_ptr())
        if count and address == 0 or count > array.untyped_storage().nbytes():
            raise BadArgument("the tensor's memory was freed: make the tensor again, and keep it as long as "
                              "weir uses it")
        is_cuda = array.device.type == "cuda"
        if not is_cuda and array.device.type != "cpu":
            raise BadArgument(f"the tensor lies on {array.device}: move it to a CUDA device with .cuda()")
        return Place(address, count, str(array.dtype).rsplit(".", 1)[-1],
                     "cuda" if is_cuda else "host", array.device.index if is_cuda else None)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        device = getattr(getattr(array, "device", None), "id", None)
        return _of_interface(interface, "cuda", device if isinstance(device, int) else None)
    interface = getattr(array, "__array_interface__", None)
    if interface is not None:
        return _of_interface(interface, "host", None)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array)
    raise BadType(f"a {type(array).__name__} is no array: weir takes what has "
                      "__cuda_array_interface__, __dlpack__, __array_interface__ or data_ptr")


def settle(array: Any) -> None:
    """Waits until the array's framework has finished with its memory on its current stream, since weir has its own
    stream."""
    name = type(array).__module__.split(".")[0]
    if name == "torch" and array.is_cuda:
        sys.modules[name].cuda.current_stream(array.device).synchronize()
    elif name == "cupy":
        sys.modules[name].cuda.get_current_stream().synchronize()


def stream_pointer(stream: Any) -> Optional[int]:
    """The CUstream of a CuPy, PyTorch or cuda.core stream, or of a number. None means weir's own
    stream.

    CUDA's default stream is 0. weir uses 0 for its own stream, so the default stream gets CUDA's
    other name for it, 1.
    """
    if stream is None:
        return None
    for name in ("ptr", "cuda_stream"):
        if hasattr(stream, name):
            return int(getattr(stream, name)) or 1
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1]) or 1
    if hasattr(stream, "handle"):
        return int(stream.handle) or 1
    try:
        number = operator.index(stream)
    except TypeError:
        raise BadType(f"a {type(stream).__name__} is no CUDA stream: give one of CuPy, PyTorch or cuda.core, or its "
                      "address") from None
    return whole(number, "a stream", U64) or 1
