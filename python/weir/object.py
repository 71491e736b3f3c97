"""What all objects have in common: creation, the handle, and the end.

An object has a handle, a small structure. A CUDA kernel gets it by value: `object.numpy()` for CuPy,
`bytes(object)` for C++ code, the object itself in Device.launch. A kernel that is a Python function on the
host machine gets the object and calls its operations, which have the names of the C functions. Waits free
the interpreter's lock.

Methods with `block` in their name are called by all threads of a block together, those with `team` by all
threads of a team. All others are called by one thread, for its block.
"""

from __future__ import annotations

import ctypes as c
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type

from . import _native, memory
from ._native import check, do, lib, nanoseconds, text
from .device import Buffer, Device
from .errors import BadArgument, Closed, LaunchEnded, NotFound, TimedOut

# The results of operations that do not wait for ever.
ACQUIRED, BUSY, TIMED_OUT, ABORTED, ENDED = range(5)

_TYPES: Dict[str, Type[c.Structure]] = {}
_WORD_TYPES = ("uint32", "int32", "uint8", "")


class Options:
    """Options of creation, by the names of weir_options. `memory` is an array of uint32 on the device, or an
    address with `memory_bytes`; the object then lies there, and keeps the array."""

    def __init__(self, device: Device, given: Dict[str, Any]) -> None:
        self.raw = _native.Options()
        self.owner: Any = None
        self.place: Optional[memory.Place] = None
        for name, value in given.items():
            if name == "backoff":
                (self.raw.backoff_min, self.raw.backoff_max), self.raw.has_backoff = value, 1
            elif name == "shape":
                self.raw.shape_bits, self.raw.has_shape = value, 1
            elif name == "delay":
                self.raw.delay, self.raw.has_delay = value, 1
            elif name == "name":
                self.raw.name = value.encode() if value is not None else None
            elif name == "first_block":
                self.raw.first_block, self.raw.part_of_grid = value, 1
            elif name == "memory" and value is not None and not isinstance(value, int):
                self._take_memory(device, value)
            elif name in ("shape_bits", "has_shape", "has_delay", "has_backoff", "backoff_min", "backoff_max") or \
                    not hasattr(self.raw, name):
                raise BadArgument(f"no option is called {name!r}")
            else:
                setattr(self.raw, name, value)
        if self.place is not None:
            offset = int(given.get("memory_offset", 0))
            if not 0 <= offset <= self.place.bytes:
                raise BadArgument(f"a memory_offset of {offset} in {self.place.bytes} bytes")
            if "memory_bytes" not in given:
                self.raw.memory_bytes = self.place.bytes - offset
        elif self.raw.memory and "memory_bytes" not in given:
            raise BadArgument("memory by its address needs memory_bytes, its size")

    def _take_memory(self, device: Device, value: Any) -> None:
        self.owner = value
        self.place = memory.place_of(value)
        wanted = "cuda" if device.info.machine == "cuda" else "host"
        if self.place.machine != wanted:
            raise BadArgument(f"the memory is the {'host' if wanted == 'cuda' else 'GPU'}'s, but {device.info.name} "
                              f"needs its own: make the array there")
        if self.place.device is not None and self.place.device != device.number:
            raise BadArgument(f"the memory lies on cuda:{self.place.device}, but the object is for "
                              f"{device.info.name}: make the array there")
        if self.place.dtype not in _WORD_TYPES:
            raise BadArgument(f"memory of {self.place.dtype}: an object lies in words, give an array of uint32")
        self.raw.memory = self.place.address
        memory.settle(value)


class Handle:
    """What a kernel takes by value: a structure of the library, for a device."""

    c_type = ""  # its type in C
    _gone = "was destroyed before"

    def __init__(self, device: Device) -> None:
        self.device = device
        self.handle = handle_type(self.c_type)()
        self._copy: Optional[Buffer] = None
        self._alive = False

    def _live(self) -> Any:
        """The handle, if it can be used."""
        if not self._alive:
            raise NotFound(f"this {type(self).__name__} {self._gone}")
        return self.handle

    def check_launch(self, kernel: Any, blocks: int) -> None:
        """Raises if it cannot be an argument of that kernel, in a grid of so many blocks."""

    def check_on(self, device: Device) -> None:
        """Raises if the object is not one of this device, or cannot be used any more."""
        if device is not self.device:
            raise BadArgument(f"this {type(self).__name__} is one of another device, {self.device!r}")
        if not device.is_open:
            raise Closed("the device is closed: open another one")
        self._live()

    def __bytes__(self) -> bytes:
        """The handle, byte by byte, for C++ code that copies it."""
        return bytes(self._live())

    def numpy(self) -> Any:
        """The handle as an argument of a kernel of CuPy: a NumPy array of one structure."""
        import numpy

        return numpy.frombuffer(bytearray(bytes(self)), dtype=self.numpy_type())  # a copy would lose the padding

    def on_device(self) -> Buffer:
        """A copy of the handle in the device's memory, for kernels that take its address: those of cuda.core,
        Numba and Triton. It lives as long as the object."""
        if self._copy is None:
            self._copy = Buffer(self.device, max(len(bytes(self)), 1))
            self._copy.write(bytes(self))
        self._live()
        return self._copy

    @classmethod
    def numpy_type(cls) -> Any:
        """The NumPy type of the handle, with the layout of the C structure."""
        return _native.numpy_type(cls.c_type)

    def _free_copy(self) -> None:
        if self._copy is not None and self.device.is_open:
            self._copy.destroy()
            self._copy = None

    def __enter__(self) -> Any:
        if do("is_in_launch"):
            raise BadArgument(f"`with` on a {type(self).__name__} ends it: in a kernel, use locked(), reading() or "
                              "writing()")
        return self


class Object(Handle):
    """What all objects have in common."""

    _stem = ""  # of the functions of the library

    def __init__(self, device: Optional[Device], options: Dict[str, Any], *numbers: Any, kind: str = "") -> None:
        if device is not None and not isinstance(device, Device):
            raise BadArgument(f"{device!r} is no device: a {type(self).__name__} needs a weir.Device")
        super().__init__(device if device is not None else Device.current())
        self._options = Options(self.device, options)
        self._create(numbers, kind)
        self._alive = True

    # ---- creation ----

    def _create(self, numbers: Sequence[Any], kind: str) -> None:
        create = getattr(lib, f"{self._stem}_create_with", None) or getattr(lib, f"{self._stem}_create")
        check(create(c.c_void_p(self.device._open()), *self._kind_argument(kind), *map(_c_number, numbers),
                     c.byref(self._options.raw), c.byref(self.handle)))

    def _kind_argument(self, kind: str) -> List[Any]:
        names = getattr(type(self), "_kinds", None)
        if names is None:
            if kind:
                raise BadArgument(f"a {type(self).__name__} has no kinds")
            return []
        return [c.c_int(_kind_number(names, kind))]

    @classmethod
    def size(cls, device: Device, *numbers: int, kind: str = "", **options: Any) -> Tuple[int, int]:
        """Bytes and alignment of the object that these arguments would make, for memory of your own."""
        given = Options(device, options)
        size, alignment = c.c_size_t(), c.c_size_t()
        names = getattr(cls, "_kinds", None)
        kinds = [c.c_int(_kind_number(names, kind))] if names is not None else []
        check(getattr(lib, f"{cls._stem}_size")(
            c.c_void_p(device._open()), *kinds, *map(_c_number, cls._sized(numbers)), c.byref(given.raw),
            c.byref(size), c.byref(alignment)))
        return size.value, alignment.value

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """The numbers of creation that the size depends on."""
        return numbers

    @classmethod
    def kinds(cls) -> List[str]:
        """The names of the kinds; empty for an object without kinds."""
        names = getattr(cls, "_kinds", None)
        return [] if names is None else sorted(_kind_names(names).values())

    @property
    def kind(self) -> str:
        """The name of its kind; "" for an object without kinds."""
        names = getattr(type(self), "_kinds", None)
        return "" if names is None else _kind_names(names).get(self.handle.kind, "")

    # ---- the handle ----

    def _live(self) -> Any:
        super()._live()
        self.device._open()  # its memory was freed with the device
        if self._options.place is not None:
            try:
                now = memory.place_of(self._options.owner)
            except BadArgument as error:
                self._alive = False
                raise BadArgument(f"the memory of this {type(self).__name__} is gone: {error}") from None
            if now.address != self._options.place.address or now.bytes < self._options.place.bytes:
                self._alive = False
                raise BadArgument(f"the memory of this {type(self).__name__} was freed or moved: create it again, "
                                  "and leave its array as it is")
        return self.handle

    # ---- life ----

    def reset(self) -> None:
        """Restores the state after creation. No kernel may be using the object."""
        check(getattr(lib, f"{self._stem}_reset")(c.c_void_p(self.device._open()), self._live()))

    def destroy(self) -> None:
        """Frees the object. No kernel may be using it. Its array, if it lies in one, is free again."""
        if not self._alive:
            raise NotFound(f"this {type(self).__name__} was destroyed before")
        self._alive = False
        self._options.owner = None
        self._options.place = None
        self._free_copy()
        copy = type(self.handle).from_buffer_copy(self.handle)
        check(getattr(lib, f"{self._stem}_destroy")(c.c_void_p(self.device._open()), c.byref(copy)))

    def __exit__(self, *_: Any) -> None:
        if self._alive and self.device.is_open:
            self.destroy()

    def __repr__(self) -> str:
        kind = f" {self.kind}" if self.kind else ""
        return f"<weir.{type(self).__name__}{kind} on {self.device.info.name}{'' if self._alive else ', destroyed'}>"


def _c_number(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < 2**32:
            raise BadArgument(f"{value} is no number from 0 to 2^32 - 1")
        return c.c_uint32(value)
    if isinstance(value, (c.Structure, c._SimpleCData)) or hasattr(value, "_obj"):
        return value
    try:
        return _c_number(value.__index__())
    except AttributeError:
        raise BadArgument(f"{value!r} is no whole number") from None


def handle_type(name: str) -> Type[c.Structure]:
    if name not in _TYPES:
        _TYPES[name] = _native.handle_type(name)
        for function, arguments in (("reset", (c.c_void_p, _TYPES[name])),
                                    ("destroy", (c.c_void_p, c.POINTER(_TYPES[name])))):
            if hasattr(lib, f"{name}_{function}"):  # a crew has neither
                getattr(lib, f"{name}_{function}").argtypes = arguments
    return _TYPES[name]


_kind_tables: Dict[str, Dict[int, str]] = {}


def _kind_names(primitive: str) -> Dict[int, str]:
    """The names of the kinds of a primitive, by their numbers, without the default."""
    if primitive not in _kind_tables:
        function = getattr(lib, f"weir_{primitive}_kind_name")
        function.restype, function.argtypes = c.c_char_p, (c.c_uint32,)
        names = {number: text(function(number)) for number in range(64) if function(number)}
        _kind_tables[primitive] = names
    return {number: name for number, name in _kind_tables[primitive].items() if name != "default"}


def _kind_number(primitive: str, name: str) -> int:
    names = _kind_names(primitive)
    wanted = name or "default"
    for number, known in _kind_tables[primitive].items():
        if known == wanted:
            return number
    raise BadArgument(f"no {primitive} is of the kind {name!r}: {', '.join(sorted(names.values()))}")


def acquired(result: int) -> bool:
    """Whether a bounded operation succeeded; an aborted one ends the kernel."""
    if result == ABORTED:
        raise LaunchEnded()
    return result == ACQUIRED


def sliced(timeout: Optional[float], call: Callable[[int], int]) -> None:
    """Calls a wait of the host in slices, so that Python sees Ctrl-C between them."""
    left = None if timeout is None else nanoseconds(timeout)
    while True:
        slice_ns = 50_000_000 if left is None else min(left, 50_000_000)
        status = call(slice_ns)
        if left is not None:
            left -= slice_ns
        if status != TimedOut.status or left is not None and left <= 0:
            check(status)
            return
