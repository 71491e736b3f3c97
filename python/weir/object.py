"""The common parts of all objects: creation, the handle and destruction.

An object has a handle, a small structure. A CUDA kernel gets it by value: `object.numpy()` for CuPy,
`bytes(object)` for C++ code, the object itself in Device.launch. A kernel that is a Python function on the
host machine gets the object and calls its operations, which have the names of the C functions. Waits
release the interpreter's lock.

All threads of a block together call methods with `block` in their name, and all threads of a team those
with `team`. One thread calls all other methods, for its block.
"""

from __future__ import annotations

import ctypes as c
import operator
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple, Type

from . import _native, life, memory
from ._native import check, do, lib, text
from .checks import SIZE, U32, U64, encoded, flag, nanoseconds, shown, whole
from .device import Buffer, Device, given_device
from .errors import BadArgument, BadType, Busy, Error, LaunchEnded, NotFound, TimedOut

# The results of operations with a deadline and of tries.
OK, BUSY, TIMED_OUT, ABORTED, CLOSED = range(5)

_TYPES: Dict[str, Type[c.Structure]] = {}
_WORD_TYPES = ("uint32", "int32", "uint8", "")


class Options:
    """Creation options, with the names of the members of weir_MUTEX_options and the like. `memory` is an array of
    uint32 on the device, or an address with `memory_bytes`; the object then lies there, and keeps the array
    alive."""

    def __init__(self, device: Device, stem: str, given: Dict[str, Any], kind: int = 0) -> None:
        self.raw = _options_type(stem)()
        self.name = ""
        self.owner: Any = None
        self.place: Optional[memory.Place] = None
        known = {field[0] for field in self.raw._fields_} - {"kind", "reserved"}
        if kind:
            self.raw.kind = kind
        for name, value in given.items():
            if name == "backoff" and "has_backoff" in known:
                (self.raw.backoff_min, self.raw.backoff_max), self.raw.has_backoff = _pair(value), 1
            elif name not in known or name.startswith(("has_", "backoff_")):
                raise BadArgument(f"no option of {_phrase(stem)} is called {name!r}: it has {_listed(known)}")
            elif name == "delay":
                self.raw.delay, self.raw.has_delay = whole(value, name), 1
            elif name == "name":
                if value is not None:
                    self.raw.name = encoded(value, name)
                    self.name = value
            elif name == "first_block":
                self.raw.first_block, self.raw.part_of_grid = whole(value, name), 1
            elif name == "memory":
                if isinstance(value, int):
                    self.raw.memory = whole(value, name, U64)
                elif value is not None:
                    self._take_memory(device, value)
            elif name in _native.FLAGS:
                setattr(self.raw, name, flag(value, name))
            else:
                setattr(self.raw, name, whole(value, name, SIZE if name in ("memory_offset", "memory_bytes") else U32))
        if self.place is not None:
            offset = self.raw.memory_offset
            if offset > self.place.bytes:
                raise BadArgument(f"a memory_offset of {offset} in {self.place.bytes} bytes")
            if "memory_bytes" not in given:
                self.raw.memory_bytes = self.place.bytes - offset
            elif self.raw.memory_bytes > self.place.bytes - offset:
                raise BadArgument(f"memory_bytes is {self.raw.memory_bytes}, but the array has "
                                  f"{self.place.bytes - offset} from the memory_offset on")
        elif self.raw.memory and "memory_bytes" not in given:
            raise BadArgument("memory by its address needs memory_bytes, its size")

    def _take_memory(self, device: Device, value: Any) -> None:
        self.owner = value
        self.place = memory.place_of(value)
        wanted = "cuda" if device.info.machine in ("cuda", "ptx") else "host"
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


def _pair(value: Any) -> Tuple[int, int]:
    try:
        least, most = value
    except (TypeError, ValueError):
        raise BadType(f"backoff is {shown(value)}, but it must be a pair: its least and its most pauses") from None
    return whole(least, "backoff"), whole(most, "backoff")


_OPTION_TYPES: Dict[str, Type[c.Structure]] = {}


def _options_type(stem: str) -> Type[c.Structure]:
    if stem not in _OPTION_TYPES:
        _OPTION_TYPES[stem] = _native.options_type(f"{stem}_options")
    return _OPTION_TYPES[stem]


def _phrase(stem: str) -> str:
    """"a mutex array", for texts."""
    words = stem[len("weir_"):].replace("_", " ")
    return f"{'an' if words[0] in 'aeio' else 'a'} {words}"


def _listed(known: Set[str]) -> str:
    names = {"backoff" if name.startswith("backoff_") else name for name in known if not name.startswith("has_")}
    return ", ".join(sorted(names))


class Handle(life.Unique):
    """An object that a kernel takes by value: a structure of the library, for a device."""

    c_type = ""  # its type in C
    name = ""
    handle: Any = None
    _gone = "was destroyed before"
    _ended = "destroyed"

    def __init__(self, device: Device) -> None:
        if not self.c_type:
            raise BadType(f"weir.{type(self).__name__} has no objects: it is what several classes have in common")
        self.device = given_device(device, type(self).__name__)
        self.handle = handle_type(self.c_type)()
        self._copy: Optional[Buffer] = None

    def _begin(self, *parents: life.Life) -> None:
        """From here on the object can be used. Its memory lives no longer than its parents' memory."""
        self.handle.lives = (life.Life(NotFound, f"this {type(self).__name__} {self._gone}", *parents),)

    def _end(self) -> None:
        """Its memory is about to be freed."""
        Handle._live(self)
        self.handle.lives[0].end(f"this {type(self).__name__}")

    @property
    def _alive(self) -> bool:
        return any(one.alive for one in getattr(self.handle, "lives", ()))

    def _live(self) -> Any:
        """The handle, if the object can be used."""
        if not hasattr(self.handle, "lives"):
            raise NotFound(f"this {type(self).__name__} was never made: call weir.{type(self).__name__}(...)")
        for one in self.handle.lives:
            one.check()
        return self.handle

    def _state(self) -> str:
        """For repr: the state of an object that cannot be used."""
        if not hasattr(self.handle, "lives"):
            return ", never made"
        if not self._alive:
            return f", {self._ended}"
        return "" if self.device.is_open else ", its device closed"

    def _about(self) -> str:
        """For repr: the sizes of the object."""
        return ""

    def _index(self, index: int, length: int) -> int:
        """An index into an array, with the checks of Python's own indices."""
        try:
            number = operator.index(index)
        except TypeError:
            raise BadType(f"{shown(index)} is not the index of a part of this {type(self).__name__}") from None
        if not 0 <= number < length:
            raise IndexError(f"{shown(index)} is past the end of this {type(self).__name__} of {length}")
        return number

    def __repr__(self) -> str:
        made = hasattr(self.handle, "lives")
        words = [f"weir.{type(self).__name__}"]
        if made:
            words += [part for part in (getattr(self, "kind", ""), self._about(), repr(self.name) if self.name else "",
                                        f"on {self.device.info.name}") if part]
        return f"<{' '.join(words)}{self._state()}>"

    def check_launch(self, kernel: Any, blocks: int) -> None:
        """Raises if the object cannot be an argument of that kernel in a grid of `blocks` blocks."""

    def check_meeting(self, blocks: int) -> None:
        """Raises if blocks would wait for it for ever in a grid of `blocks` blocks on the host machine."""

    def check_on(self, device: Device) -> None:
        """Raises if the object is not on this device, or can no longer be used."""
        if device is not self.device:
            raise BadArgument(f"this {type(self).__name__} is one of another device, {self.device!r}")
        device._open()
        self._live()

    def __bytes__(self) -> bytes:
        """The handle, byte by byte, for C++ code that copies it."""
        return bytes(self._live())

    def numpy(self) -> Any:
        """The handle as an argument of a CuPy kernel: a NumPy array of one structure."""
        import numpy

        return numpy.frombuffer(bytearray(bytes(self)), dtype=self.numpy_type())  # a copy would lose the padding

    def on_device(self) -> Buffer:
        """A copy of the handle in device memory, for kernels that take its address (cuda.core, Numba,
        Triton). It lives as long as the object."""
        data = bytes(self)
        if self._copy is None:
            self._copy = Buffer(self.device, max(len(data), 1))
            self._copy.write(data)
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
    """The base class of all objects."""

    _stem = ""  # the stem of the library's function names
    _counts = (0, 0)  # the least and the most numbers that determine the size

    def __init__(self, device: Optional[Device], options: Dict[str, Any], *numbers: Any, kind: str = "") -> None:
        super().__init__(device if device is not None else Device.current())
        self._options = Options(self.device, self._stem, options, self._kind_value(kind))
        self.name = self._options.name
        self._create(numbers)
        self._begin(self.device._life)

    # ---- creation ----

    def _create(self, numbers: Sequence[Any]) -> None:
        raw = self._options.raw
        check(self.device._call_outside(getattr(lib, f"{self._stem}_create_sized"), *map(_c_number, numbers),
                                        c.byref(raw), c.c_size_t(c.sizeof(raw)), c.byref(self.handle)))

    @classmethod
    def _kind_value(cls, kind: str) -> int:
        names = getattr(cls, "_kinds", None)
        if not isinstance(kind, str):
            raise BadType(f"kind is {shown(kind)}, but it must be a str")
        if names is None:
            if kind:
                raise BadArgument(f"a {cls.__name__} has no kinds")
            return 0
        return _kind_number(names, kind)

    @classmethod
    def size(cls, device: Device, *numbers: Any, kind: str = "", **options: Any) -> int:
        """The bytes that an object made with these arguments takes, for your own memory."""
        return cls._extent(device, numbers, kind, options)[0]

    @classmethod
    def alignment(cls, device: Device, *numbers: Any, kind: str = "", **options: Any) -> int:
        """The alignment of such an object."""
        return cls._extent(device, numbers, kind, options)[1]

    @classmethod
    def _extent(cls, device: Device, numbers: Tuple[Any, ...], kind: str, options: Dict[str, Any]) -> Tuple[int, int]:
        given = Options(given_device(device, f"size of a {cls.__name__}"), cls._stem, options, cls._kind_value(kind))
        size, alignment = c.c_size_t(), c.c_size_t()
        check(device._call(getattr(lib, f"{cls._stem}_size_sized"), *map(_c_number, cls._sized(numbers)),
                           c.byref(given.raw), c.c_size_t(c.sizeof(given.raw)), c.byref(size), c.byref(alignment)))
        return size.value, alignment.value

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """The creation arguments that determine the size: the ones that the C function takes."""
        least, most = cls._counts
        if not least <= len(numbers) <= most:
            raise BadType(f"the size of a {cls.__name__} depends on {least} numbers beside the device, and {len(numbers)} "
                          "are given" if least == most else
                          f"the size of a {cls.__name__} depends on {least} to {most} numbers beside the device, and "
                          f"{len(numbers)} are given")
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
        return "" if names is None or self.handle is None else _kind_names(names).get(self.handle.kind, "")

    # ---- the handle ----

    def _live(self) -> Any:
        super()._live()
        if self._options.place is not None:
            try:
                now = memory.place_of(self._options.owner)
            except Error as error:
                self.handle.lives[0].alive = False
                raise BadArgument(f"the memory of this {type(self).__name__} is gone: {error}") from None
            if now.address != self._options.place.address or now.bytes < self._options.place.bytes:
                self.handle.lives[0].alive = False
                raise BadArgument(f"the memory of this {type(self).__name__} was freed or moved: create it again, "
                                  "and leave its array as it is")
        return self.handle

    # ---- life ----

    def reset(self) -> None:
        """Restores the state after creation. No kernel may be using the object."""
        check(self.device._call_outside(getattr(lib, f"{self._stem}_reset"), self._live()))

    def destroy(self) -> None:
        """Frees the object. No kernel may be using it. If it lies in an array, that array is free again."""
        self._end()
        copy = type(self.handle).from_buffer_copy(self.handle)
        status = self.device._call(getattr(lib, f"{self._stem}_destroy"), c.byref(copy))
        if status == Busy.status:
            self.handle.lives[0].alive = True
        check(status)
        self._options.owner = None
        self._options.place = None
        self._free_copy()

    def __exit__(self, kind: Any, *_: Any) -> None:
        if not self._alive or not self.device.is_open:
            return
        try:
            self.destroy()
        except BadArgument:
            if kind is None:
                raise  # otherwise the exception being raised says more


class Part:
    """A part of another object, with operations but no lifetime of its own."""

    _whole: Handle
    _copy: Optional[Buffer]
    device: Device
    handle: Any

    def _of(self, whole_one: Handle, handle: Any) -> None:
        self._whole, self.device, self.handle, self._copy = whole_one, whole_one.device, handle, None
        self.handle.lives = whole_one.handle.lives

    def _live(self) -> Any:
        self._whole._live()
        return self.handle

    def reset(self) -> None:
        """Not possible: only the whole object can be reset."""
        raise BadArgument(f"a {type(self).__name__} is a part of {self._whole!r}: reset that")

    def destroy(self) -> None:
        """Not possible: only the whole object can be destroyed."""
        raise BadArgument(f"a {type(self).__name__} is a part of {self._whole!r}: destroy that")


def _c_number(value: Any) -> Any:
    if isinstance(value, (c.Structure, c._SimpleCData)) or hasattr(value, "_obj"):
        return value
    return c.c_uint32(whole(value))


def handle_type(name: str) -> Type[c.Structure]:
    if name not in _TYPES:
        _TYPES[name] = _native.handle_type(name)
        if hasattr(lib, f"{name}_reset"):  # a crew has none, and is destroyed by its link
            getattr(lib, f"{name}_reset").argtypes = (c.c_void_p, _TYPES[name])
            getattr(lib, f"{name}_destroy").argtypes = (c.c_void_p, c.POINTER(_TYPES[name]))
    return _TYPES[name]


_kind_tables: Dict[str, Dict[int, str]] = {}


def _kind_names(primitive: str) -> Dict[int, str]:
    """The names of a primitive's kinds by number, without the default."""
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
    """Whether a bounded operation succeeded; an aborted operation ends the kernel."""
    if result == ABORTED:
        raise LaunchEnded()
    return result == OK


def sliced(timeout: Optional[float], call: Callable[[int], int]) -> None:
    """Calls a host wait in slices, so that Python sees Ctrl-C between them."""
    left = None if timeout is None else nanoseconds(timeout)
    while True:
        slice_ns = 50_000_000 if left is None else min(left, 50_000_000)
        status = call(slice_ns)
        if left is not None:
            left -= slice_ns
        if status == TimedOut.status and timeout is not None and left is not None and left <= 0:
            # The library knows only the last slice.
            raise _native.failure(status, re.sub(r"after [0-9.]+ seconds", f"after {timeout:g} seconds",
                                                 text(lib.weir_error_text())))
        if status != TimedOut.status:
            check(status)
            return
