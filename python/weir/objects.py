"""The objects: created by the host, passed to kernels, used by kernels on the host machine.

An object has a handle, a small structure. A CUDA kernel gets it by value: `object.numpy()` for CuPy,
`bytes(object)` for C++ code, the object itself in Device.launch. A kernel that is a Python function on the
host machine gets the object and calls its operations, which have the names of the C functions. Waits free
the interpreter's lock.

Methods with `block` in their name are called by all threads of a block together, those with `team` by all
threads of a team. All others are called by one thread, for its block.
"""

from __future__ import annotations

import ctypes as c
from contextlib import contextmanager
from typing import Any, Callable, Dict, Generator, Iterable, Iterator, List, NamedTuple, Optional, Sequence, \
    Tuple, Type, Union

from . import _native, memory
from ._native import SIZES, check, do, lib, nanoseconds, text
from .device import Buffer, Device
from .errors import BadArgument, Closed, Ended, LaunchAborted, LaunchEnded, NotFound, TimedOut
from .host import Team

_ACQUIRED, _BUSY, _TIMED_OUT, _ABORTED, _ENDED = range(5)
_TYPES: Dict[str, Type[c.Structure]] = {}
_WORD_TYPES = ("uint32", "int32", "uint8", "")
NO_TASK = 0xFFFFFFFF

Item = Union[int, Sequence[int]]


class Options:
    """Options of creation, by the names of weir_options. `memory` is an array of uint32 on the device, or an
    address with `memory_bytes`; the object then lies there, and keeps the array."""

    def __init__(self, device: Device, given: Dict[str, Any]) -> None:
        self.raw = _native.Options()
        self.owner: Any = None
        self.place: Optional[memory.Place] = None
        for name, value in given.items():
            if name == "backoff":
                self.raw.backoff_min, self.raw.backoff_max = value
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
            elif name in ("shape_bits", "has_shape", "has_delay", "backoff_min", "backoff_max") or \
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


class Object:
    """What all objects have in common."""

    c_type = ""  # its type in C
    _stem = ""  # of the functions of the library


    def __init__(self, device: Optional[Device], options: Dict[str, Any], *numbers: Any, kind: str = "") -> None:
        self.device = device if device is not None else Device.current()
        self._options = Options(self.device, options)
        self._has_kinds = hasattr(lib, f"{self._stem}_kind_name") or self._stem in ("weir_mutex_array",
                                                                                    "weir_event_array")
        self.handle = _handle_type(self.c_type)()
        self._copy: Optional[Buffer] = None
        self._alive = False
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
        """The handle, if the object can be used."""
        if not self._alive:
            raise NotFound(f"this {type(self).__name__} was destroyed before")
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

        return numpy.frombuffer(bytes(self), dtype=self.numpy_type()).copy()

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
        if self._copy is not None and self.device.is_open:
            self._copy.destroy()
            self._copy = None
        copy = type(self.handle).from_buffer_copy(self.handle)
        check(getattr(lib, f"{self._stem}_destroy")(c.c_void_p(self.device._open()), c.byref(copy)))

    def __enter__(self) -> Any:
        if do("is_in_launch"):
            raise BadArgument(f"`with` on a {type(self).__name__} destroys it at the end: in a kernel, use "
                              "locked(), reading() or writing()")
        return self

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


def _handle_type(name: str) -> Type[c.Structure]:
    if name not in _TYPES:
        _TYPES[name] = _native.handle_type(name)
        stem = name
        for function, arguments in (("reset", (c.c_void_p, _TYPES[name])),
                                    ("destroy", (c.c_void_p, c.POINTER(_TYPES[name])))):
            getattr(lib, f"{stem}_{function}").argtypes = arguments
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


def _acquired(result: int) -> bool:
    """Whether a bounded operation succeeded; an aborted one ends the kernel."""
    if result == _ABORTED:
        raise LaunchEnded()
    return result == _ACQUIRED


class Barrier(Object):
    """A barrier for grids of exactly `blocks` blocks."""

    c_type = _stem = "weir_barrier"
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, blocks, kind=kind)

    @property
    def blocks(self) -> int:
        return int(self.handle.blocks)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """All threads of all blocks call it. False when a block did not come in time, for all blocks."""
        if timeout is None:
            do("barrier_wait", self._live())
            return True
        return _acquired(do("barrier_wait_for", self._live(), ns=nanoseconds(timeout)))

    def arrive(self) -> int:
        """The first half of wait; the token is for `await_`."""
        return do("barrier_arrive", self._live())

    def await_(self, token: int) -> None:
        """The second half of wait."""
        do("barrier_await", self._live(), token)

    def team_wait(self, team: Team) -> None:
        """All threads of one team in each block call it."""
        do("barrier_team_wait", self._live(), team=team.raw)

    def group_wait(self, member: "Member") -> None:
        """The blocks of a group that the caller has chosen call it (group_range, group_mask)."""
        do("group_barrier_wait", self._live(), items=member._raw())


class Mutex(Object):
    """A mutex: one block at a time holds it."""

    c_type = _stem = "weir_mutex"
    _kinds = "mutex"

    def __init__(self, device: Optional[Device] = None, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, kind=kind)

    def lock(self, timeout: Optional[float] = None) -> bool:
        """Waits for the mutex; with a timeout, False when it was not free in time."""
        if timeout is None:
            do("mutex_lock", self._live())
            return True
        return _acquired(do("mutex_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_lock(self) -> bool:
        return _acquired(do("mutex_trylock", self._live()))

    def unlock(self) -> None:
        do("mutex_unlock", self._live())

    def block_lock(self) -> None:
        do("mutex_block_lock", self._live())

    def block_unlock(self) -> None:
        do("mutex_block_unlock", self._live())

    def team_lock(self, team: Team) -> None:
        do("mutex_team_lock", self._live(), team=team.raw)

    def team_unlock(self, team: Team) -> None:
        do("mutex_team_unlock", self._live(), team=team.raw)

    @contextmanager
    def locked(self) -> Generator["Mutex", None, None]:
        """`with mutex.locked():` in a kernel."""
        self.lock()
        yield self
        self.unlock()  # after an exception the launch ends, and the host resets the mutex

    @contextmanager
    def block_locked(self) -> Generator["Mutex", None, None]:
        """The same for all threads of a block together."""
        self.block_lock()
        yield self
        self.block_unlock()


class _ElementMutex(Mutex):
    """A mutex of an array: it has the operations, and no life of its own."""

    def __init__(self, array: "MutexArray", index: int) -> None:
        self.device = array.device
        self._array = array
        self.handle = _handle_type("weir_mutex")()
        do("mutex_at", array._live(), index, items=self.handle)
        self._alive = True

    def _live(self) -> Any:
        self._array._live()
        return self.handle

    def reset(self) -> None:
        raise BadArgument("one mutex of an array is not reset alone: reset the array")

    def destroy(self) -> None:
        raise BadArgument("one mutex of an array is not destroyed alone: destroy the array")


class MutexArray(Object):
    """Mutexes in a row; `array[i]` is one of them."""

    c_type = _stem = "weir_mutex_array"
    _kinds = "mutex"

    def __init__(self, device: Optional[Device], length: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, length, kind=kind)

    def __len__(self) -> int:
        return int(self.handle.length)

    def __getitem__(self, index: int) -> Mutex:
        if not 0 <= index < len(self):
            raise IndexError(f"mutex {index} of {len(self)}")
        return _ElementMutex(self, index)


class Semaphore(Object):
    """A semaphore of `maximum` slots, `initial` of them free (all, unless said otherwise)."""

    c_type = _stem = "weir_semaphore"
    _kinds = "semaphore"

    def __init__(self, device: Optional[Device], maximum: int, initial: Optional[int] = None, *, kind: str = "",
                 **options: Any) -> None:
        super().__init__(device, options, maximum if initial is None else initial, maximum, kind=kind)

    @property
    def maximum(self) -> int:
        return int(self.handle.maximum)

    def wait(self, n: int = 1, timeout: Optional[float] = None) -> bool:
        """Takes n slots; with a timeout, False and none when they were not free in time."""
        if timeout is None:
            do("semaphore_wait", self._live(), n)
            return True
        return _acquired(do("semaphore_wait_for", self._live(), n, ns=nanoseconds(timeout)))

    def try_wait(self, n: int = 1) -> bool:
        return _acquired(do("semaphore_trywait", self._live(), n))

    def post(self, n: int = 1) -> None:
        do("semaphore_post", self._live(), n)

    def block_wait(self) -> None:
        do("semaphore_block_wait", self._live())

    def block_post(self) -> None:
        do("semaphore_block_post", self._live())

    def team_wait(self, team: Team) -> None:
        do("semaphore_team_wait", self._live(), team=team.raw)

    def team_post(self, team: Team) -> None:
        do("semaphore_team_post", self._live(), team=team.raw)


class Event:
    """One event of an array: a count that only grows, modulo 2^32."""

    def __init__(self, array: "EventArray", index: int) -> None:
        self.array = array
        self.index = index

    def _do(self, name: str, *numbers: int, **more: Any) -> int:
        return do(name, self.array._live(), *numbers, index=self.index, **more)

    def signal(self, n: int = 1) -> int:
        """Adds n, and returns the count before."""
        return self._do("event_signal", n)

    def post(self, n: int = 1) -> None:
        """Adds n; no thread waits for it."""
        self._do("event_post", n)

    def wait(self, target: int, timeout: Optional[float] = None) -> bool:
        """Waits until the count is at or past the target."""
        if timeout is None:
            self._do("event_wait", target)
            return True
        return _acquired(self._do("event_wait_for", target, ns=nanoseconds(timeout)))

    def count(self) -> int:
        return self._do("event_count")

    def reached(self, target: int) -> bool:
        return bool(self._do("event_reached", target))

    def block_signal(self, n: int = 1) -> int:
        return self._do("event_block_signal", n)

    def block_post(self, n: int = 1) -> None:
        self._do("event_block_post", n)

    def block_wait(self, target: int) -> None:
        self._do("event_block_wait", target)

    def team_signal(self, team: Team, n: int = 1) -> int:
        return self._do("event_team_signal", n, team=team.raw)

    def team_post(self, team: Team, n: int = 1) -> None:
        self._do("event_team_post", n, team=team.raw)

    def team_wait(self, team: Team, target: int) -> None:
        self._do("event_team_wait", target, team=team.raw)

    # ---- the host's side, also while a kernel runs ----

    def host_count(self) -> int:
        """The count, seen by the host. The array is host_visible."""
        count = c.c_uint32()
        check(lib.weir_event_host_count(c.c_void_p(self.array.device._open()), self.array._live(),
                                        c.c_uint32(self.index), c.byref(count)))
        return count.value

    def host_post(self, n: int = 1) -> None:
        """The host adds n."""
        check(lib.weir_event_host_post(c.c_void_p(self.array.device._open()), self.array._live(),
                                       c.c_uint32(self.index), c.c_uint32(n)))

    def host_wait(self, target: int, timeout: Optional[float] = None) -> None:
        """The host waits for a count. Raises TimedOut. Ctrl-C ends the wait."""
        device, handle = c.c_void_p(self.array.device._open()), self.array._live()
        _sliced(timeout, lambda ns: lib.weir_event_host_wait(
            device, handle, c.c_uint32(self.index), c.c_uint32(target & 0xFFFFFFFF), c.c_uint64(ns)))


def _sliced(timeout: Optional[float], call: Callable[[int], int]) -> None:
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


class EventArray(Object):
    """Events in a row; `array[i]` is one of them. An array of one is a single event."""

    c_type = _stem = "weir_event_array"
    _kinds = "event"

    def __init__(self, device: Optional[Device], length: int = 1, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, length, kind=kind)

    def __len__(self) -> int:
        return int(self.handle.length)

    def __getitem__(self, index: int) -> Event:
        if not 0 <= index < len(self):
            raise IndexError(f"event {index} of {len(self)}")
        return Event(self, index)

    def wait_all(self, first: int, count: int, target: int, timeout: Optional[float] = None) -> bool:
        """Waits for `count` events from `first` on."""
        if timeout is None:
            do("event_wait_all", self._live(), first, count, target)
            return True
        return _acquired(do("event_wait_all_for", self._live(), first, count, target, ns=nanoseconds(timeout)))

    def wait_any(self, first: int, count: int, target: int, timeout: Optional[float] = None) -> Optional[int]:
        """Waits for one of them, and returns its index; None when none was there in time."""
        if timeout is None:
            return do("event_wait_any", self._live(), first, count, target)
        found = c.c_uint32()
        result = do("event_wait_any_for", self._live(), first, count, target, items=found,
                    ns=nanoseconds(timeout))
        return found.value if _acquired(result) else None

    def block_wait_all(self, first: int, count: int, target: int) -> None:
        do("event_block_wait_all", self._live(), first, count, target)

    def block_wait_any(self, first: int, count: int, target: int) -> int:
        return do("event_block_wait_any", self._live(), first, count, target)

    def team_wait_all(self, team: Team, first: int, count: int, target: int) -> None:
        do("event_team_wait_all", self._live(), first, count, target, team=team.raw)

    def team_wait_any(self, team: Team, first: int, count: int, target: int) -> int:
        return do("event_team_wait_any", self._live(), first, count, target, team=team.raw)

    def round(self) -> int:
        """The number of this launch, from 0, if every block of every launch leaves."""
        return do("event_round", self._live())

    @staticmethod
    def target(round: int, each: int, count: int) -> int:
        """The count after `count` signals of this launch, if an event gets `each` in every launch."""
        return (round * each + count) & 0xFFFFFFFF

    def leave(self) -> bool:
        """The block is done with the array in this launch. True for the last block."""
        return bool(do("event_leave", self._live()))

    def block_leave(self) -> bool:
        return bool(do("event_block_leave", self._live()))

    def latch(self, index: int, count: int, round: int = 0) -> "Latch":
        """A latch that `count` arrivals open, once in every launch."""
        return Latch(self[index], self.target(round, count, count))

    def sequence(self, index: int, places: int, round: int = 0) -> "OrderedSection":
        """An ordered section: place i enters after place i - 1 has left."""
        return OrderedSection(self[index], self.target(round, places, 0))


class Latch:
    """An event and a target (EventArray.latch)."""

    def __init__(self, event: Event, target: int) -> None:
        self.event = event
        self.target = target

    def arrive(self, n: int = 1) -> None:
        self.event.post(n)

    def arrive_is_last(self, n: int = 1) -> bool:
        return (self.event.signal(n) + n) & 0xFFFFFFFF == self.target

    def wait(self) -> None:
        self.event.wait(self.target)

    def is_open(self) -> bool:
        return self.event.reached(self.target)

    def block_arrive(self, n: int = 1) -> None:
        self.event.block_post(n)

    def block_arrive_is_last(self, n: int = 1) -> bool:
        return (self.event.block_signal(n) + n) & 0xFFFFFFFF == self.target

    def block_wait(self) -> None:
        self.event.block_wait(self.target)


class OrderedSection:
    """An ordered section (EventArray.sequence)."""

    def __init__(self, event: Event, begin: int) -> None:
        self.event = event
        self.begin = begin

    def enter(self, place: int) -> None:
        self.event.wait((self.begin + place) & 0xFFFFFFFF)

    def leave(self) -> None:
        self.event.post(1)

    def block_enter(self, place: int) -> None:
        self.event.block_wait((self.begin + place) & 0xFFFFFFFF)

    def block_leave(self) -> None:
        self.event.block_post(1)


HOST_PUSHES, HOST_POPS = 1, 2
ONE_PUSHES, ONE_POPS = 1, 2


class Queue(Object):
    """A queue of items of `item_bytes` bytes, a multiple of 4. An item of 4 bytes is a number, a longer one a
    tuple of numbers. A push or pop of a closed queue raises Ended."""

    c_type = _stem = "weir_queue"
    _kinds = "queue"

    def __init__(self, device: Optional[Device], capacity: int, item_bytes: int = 4, *, kind: str = "",
                 **options: Any) -> None:
        super().__init__(device, options, capacity, c.c_size_t(item_bytes), kind=kind)

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        return numbers[0], c.c_size_t(numbers[1] if len(numbers) > 1 else 4)

    @property
    def words(self) -> int:
        """The words of an item."""
        return int(self.handle.item_words)

    @property
    def capacity(self) -> int:
        return 1 << int(self.handle.bits)

    def _room(self, item: Optional[Item] = None) -> Any:
        values = [] if item is None else [item] if isinstance(item, int) else list(item)
        if item is not None and len(values) != self.words:
            raise BadArgument(f"an item of {len(values)} words for a queue of items of {self.words}")
        return (c.c_uint32 * self.words)(*[value & 0xFFFFFFFF for value in values])

    def _item(self, room: Any) -> Item:
        return int(room[0]) if self.words == 1 else tuple(room)

    def _pushed(self, result: int) -> bool:
        if result == _ENDED:
            raise Ended("the queue is closed: it takes no item")
        return _acquired(result)

    def _popped(self, result: int, room: Any) -> Optional[Item]:
        if result == _ENDED:
            raise Ended("the queue is closed, and has no item")
        return self._item(room) if _acquired(result) else None

    def push(self, item: Item, timeout: Optional[float] = None) -> bool:
        """Waits for room; with a timeout, False when there was none in time."""
        if timeout is None:
            return self._pushed(do("queue_push", self._live(), self.words, items=self._room(item)))
        return self._pushed(do("queue_push_for", self._live(), self.words, items=self._room(item),
                               ns=nanoseconds(timeout)))

    def try_push(self, item: Item) -> bool:
        return self._pushed(do("queue_try_push", self._live(), self.words, items=self._room(item)))

    def pop(self, timeout: Optional[float] = None) -> Optional[Item]:
        """Waits for an item; with a timeout, None when there was none in time."""
        room = self._room()
        if timeout is None:
            return self._popped(do("queue_pop", self._live(), self.words, items=room), room)
        return self._popped(do("queue_pop_for", self._live(), self.words, items=room,
                               ns=nanoseconds(timeout)), room)

    def try_pop(self) -> Optional[Item]:
        room = self._room()
        return self._popped(do("queue_try_pop", self._live(), self.words, items=room), room)

    def __iter__(self) -> Iterator[Item]:
        """Pops until the queue is closed and empty."""
        while True:
            try:
                item = self.pop()
            except Ended:
                return
            assert item is not None
            yield item

    def block_push(self, value: int, team: Optional[Team] = None) -> bool:
        """The block, or a team, pushes one item of a word: that of its first thread."""
        room = (c.c_uint32 * 1)(value & 0xFFFFFFFF)
        if team is None:
            return self._pushed(do("queue_block_push", self._live(), items=room))
        return self._pushed(do("queue_team_push", self._live(), items=room, team=team.raw))

    def block_pop(self, team: Optional[Team] = None) -> int:
        """The block, or a team, pops one item of a word. All its threads get it."""
        room = (c.c_uint32 * 1)()
        if team is None:
            self._popped(do("queue_block_pop", self._live(), items=room), room)
        else:
            self._popped(do("queue_team_pop", self._live(), items=room, team=team.raw), room)
        return int(room[0])

    def block_push_n(self, n: int, item: Item, team: Optional[Team] = None) -> bool:
        """The first n threads push an item each, in one batch."""
        if team is None:
            return self._pushed(do("queue_block_push_n", self._live(), self.words, n, items=self._room(item)))
        return self._pushed(do("queue_team_push_n", self._live(), self.words, n, items=self._room(item),
                               team=team.raw))

    def block_pop_n(self, n: int, team: Optional[Team] = None) -> Item:
        """The first n threads pop an item each, in one batch. Others get what means nothing."""
        room = self._room()
        if team is None:
            self._popped(do("queue_block_pop_n", self._live(), self.words, n, items=room), room)
        else:
            self._popped(do("queue_team_pop_n", self._live(), self.words, n, items=room, team=team.raw), room)
        return self._item(room)

    def block_pop_some(self, most: int, team: Optional[Team] = None) -> Tuple[int, Item]:
        """Pops up to `most` items: how many, and the item of the caller if its number is below that."""
        room = self._room()
        if team is None:
            count = do("queue_block_pop_some", self._live(), self.words, most, items=room)
        else:
            count = do("queue_team_pop_some", self._live(), self.words, most, items=room, team=team.raw)
        return count, self._item(room)

    def close(self) -> None:
        """No more items: pops get what is there, and then end."""
        do("queue_close", self._live())

    def leave(self) -> bool:
        """The block is done with the queue in this launch. The last block to leave opens it again."""
        return bool(do("queue_leave", self._live()))

    def block_leave(self) -> bool:
        return bool(do("queue_block_leave", self._live()))

    def length(self) -> int:
        """The number of items at one moment."""
        return do("queue_length", self._live())

    # ---- the host's side, also while a kernel runs ----

    def host_push(self, item: Union[Item, bytes], timeout: Optional[float] = None) -> None:
        """The host pushes to a queue with host_visible=True and host_side=weir.HOST_PUSHES."""
        data = item if isinstance(item, bytes) else bytes(self._room(item))
        device, handle = c.c_void_p(self.device._open()), self._live()
        _sliced(timeout, lambda ns: lib.weir_queue_host_push(
            device, handle, data, c.c_size_t(len(data)), c.c_uint64(ns)))

    def host_pop(self, timeout: Optional[float] = None) -> Item:
        """The host pops from a queue with host_side=weir.HOST_POPS. Raises Ended, or TimedOut."""
        room = self._room()
        device, handle = c.c_void_p(self.device._open()), self._live()
        _sliced(timeout, lambda ns: lib.weir_queue_host_pop(
            device, handle, c.byref(room), c.c_size_t(c.sizeof(room)), c.c_uint64(ns)))
        return self._item(room)

    def host_close(self) -> None:
        """The host closes a queue that it pushes to."""
        check(lib.weir_queue_host_close(c.c_void_p(self.device._open()), self._live()))

    def host_length(self) -> int:
        """The number of items at one moment, seen by the host."""
        length = c.c_uint32()
        check(lib.weir_queue_host_length(c.c_void_p(self.device._open()), self._live(), c.byref(length)))
        return length.value


class Dispenser(Object):
    """Gives out the numbers below `items`, once in every launch."""

    c_type = _stem = "weir_dispenser"

    def __init__(self, device: Optional[Device], items: int, **options: Any) -> None:
        super().__init__(device, options, items)

    def of(self, items: int) -> "Dispenser":
        """The same dispenser with another number of items, for this launch: all blocks say the same."""
        other: Dispenser = object.__new__(Dispenser)
        other.__dict__.update(self.__dict__)
        other.handle = type(self.handle).from_buffer_copy(self.handle)
        other.handle.items = items
        return other

    @staticmethod
    def _range(result: int) -> range:
        first, count = result & 0xFFFFFFFF, result >> 32
        return range(first, first + count)

    def take(self, n: int = 1) -> range:
        """The next n items; an empty range when none are left."""
        return self._range(do("dispenser_take", self._live(), n))

    def first(self, rank: int, n: int = 1) -> range:
        """The first items of a taker: its share, or those that it takes."""
        return self._range(do("dispenser_first", self._live(), n, rank))

    def block_take(self, n: int = 1) -> range:
        return self._range(do("dispenser_block_take", self._live(), n))

    def block_first(self, n: int = 1) -> range:
        return self._range(do("dispenser_block_first", self._live(), n))

    def team_take(self, team: Team, n: int = 1) -> range:
        return self._range(do("dispenser_team_take", self._live(), n, team=team.raw))

    def __iter__(self) -> Iterator[int]:
        """Items one by one, until none are left."""
        while True:
            share = self.take()
            if not share:
                return
            yield share[0]


class Tasks(Object):
    """A graph of tasks: `successors[i]` are the tasks that may begin after task i."""

    c_type = _stem = "weir_tasks"

    def __init__(self, device: Optional[Device], successors: Sequence[Iterable[int]], *,
                 levels: Optional[Sequence[int]] = None, trusted: bool = False, **options: Any) -> None:
        super().__init__(device, options, _graph(successors, levels, trusted))

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        return (_graph(numbers[0], None, False),)

    def next(self, task: int = NO_TASK) -> Optional[int]:
        """Finishes a task, and returns the next one; None when all are done. One thread of a block calls."""
        return self._next("tasks_next", task)

    def block_next(self, task: int = NO_TASK) -> Optional[int]:
        """The same for all threads of a block together."""
        return self._next("tasks_block_next", task)

    def _next(self, name: str, task: int) -> Optional[int]:
        room = c.c_uint32(task)
        return room.value if do(name, self._live(), items=room) else None

    def __iter__(self) -> Iterator[int]:
        """The tasks of this block, of one thread: each is finished when the loop goes on."""
        return self._each(self.next)

    def block(self) -> Iterator[int]:
        """The same for all threads of a block together."""
        return self._each(self.block_next)

    @staticmethod
    def _each(step: Callable[[int], Optional[int]]) -> Iterator[int]:
        task = step(NO_TASK)
        while task is not None:
            yield task
            task = step(task)

    def add(self, task: int, level: int = 0) -> bool:
        """Adds a task that is not in the graph. False when there is no room."""
        return _acquired(do("tasks_add", self._live(), task, level))

    def check(self) -> None:
        """After a launch: raises Stuck when tasks were left that nobody can finish."""
        check(lib.weir_tasks_check(c.c_void_p(self.device._open()), self._live()))


def _graph(successors: Sequence[Iterable[int]], levels: Optional[Sequence[int]], trusted: bool) -> Any:
    rows = [list(row) for row in successors]
    edges = [edge for row in rows for edge in row]
    if any(not 0 <= edge < 2**32 for edge in edges):
        raise BadArgument("a successor that is no task")
    if levels is not None and len(levels) != len(rows):
        raise BadArgument(f"{len(levels)} levels for {len(rows)} tasks")
    first = [0]
    for row in rows:
        first.append(first[-1] + len(row))
    graph = _native.Graph()
    graph.tasks = len(rows)
    graph.first = (c.c_uint32 * len(first))(*first)
    graph.successors = (c.c_uint32 * max(len(edges), 1))(*edges)
    if levels is not None:
        graph.levels = (c.c_uint8 * max(len(levels), 1))(*levels)
    graph.is_trusted = int(trusted)
    return c.byref(graph)


class Condition(Object):
    """A condition variable for blocks that hold a mutex."""

    c_type = _stem = "weir_condition"

    def __init__(self, device: Optional[Device] = None, **options: Any) -> None:
        super().__init__(device, options)

    def wait(self, mutex: Mutex, timeout: Optional[float] = None) -> bool:
        """Unlocks the mutex, waits for a signal, and locks it again. False when no signal came in time, or
        when the condition has no slot for one more waiter."""
        if timeout is None:
            return _acquired(do("condition_wait", self._live(), other=mutex._live()))
        return _acquired(do("condition_wait_for", self._live(), other=mutex._live(), ns=nanoseconds(timeout)))

    def signal(self) -> bool:
        """Wakes the block that has waited longest. False when none waits."""
        return bool(do("condition_signal", self._live()))

    def broadcast(self) -> int:
        """Wakes all blocks that wait, and returns how many."""
        return do("condition_broadcast", self._live())

    def block_wait(self, mutex: Mutex, timeout: Optional[float] = None) -> bool:
        if timeout is None:
            return _acquired(do("condition_block_wait", self._live(), other=mutex._live()))
        return _acquired(do("condition_block_wait_for", self._live(), other=mutex._live(),
                            ns=nanoseconds(timeout)))

    def block_signal(self) -> None:
        do("condition_block_signal", self._live())

    def block_broadcast(self) -> None:
        do("condition_block_broadcast", self._live())


class RWLock(Object):
    """A reader-writer lock."""

    c_type = _stem = "weir_rwlock"
    _kinds = "rwlock"

    def __init__(self, device: Optional[Device] = None, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, kind=kind)

    def read_lock(self, timeout: Optional[float] = None) -> bool:
        if timeout is None:
            do("rwlock_read_lock", self._live())
            return True
        return _acquired(do("rwlock_read_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_read(self) -> bool:
        return _acquired(do("rwlock_try_read", self._live()))

    def read_unlock(self) -> None:
        do("rwlock_read_unlock", self._live())

    def write_lock(self, timeout: Optional[float] = None) -> bool:
        if timeout is None:
            do("rwlock_write_lock", self._live())
            return True
        return _acquired(do("rwlock_write_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_write(self) -> bool:
        return _acquired(do("rwlock_try_write", self._live()))

    def write_unlock(self) -> None:
        do("rwlock_write_unlock", self._live())

    def downgrade(self) -> None:
        """The writer becomes a reader."""
        do("rwlock_downgrade", self._live())

    def block_read_lock(self) -> None:
        do("rwlock_block_read_lock", self._live())

    def block_read_unlock(self) -> None:
        do("rwlock_block_read_unlock", self._live())

    def block_write_lock(self) -> None:
        do("rwlock_block_write_lock", self._live())

    def block_write_unlock(self) -> None:
        do("rwlock_block_write_unlock", self._live())

    def block_downgrade(self) -> None:
        do("rwlock_block_downgrade", self._live())

    @contextmanager
    def reading(self) -> Generator["RWLock", None, None]:
        """`with lock.reading():` in a kernel."""
        self.read_lock()
        yield self
        self.read_unlock()

    @contextmanager
    def writing(self) -> Generator["RWLock", None, None]:
        """`with lock.writing():` in a kernel."""
        self.write_lock()
        yield self
        self.write_unlock()


class Once(Object):
    """Something that one block does, and all others wait for."""

    c_type = _stem = "weir_once"

    def __init__(self, device: Optional[Device] = None, **options: Any) -> None:
        super().__init__(device, options)

    def begin(self, timeout: Optional[float] = None) -> Optional[bool]:
        """True for the block that does it, which then calls end(); False for others, once it is done. None
        when it was not done in time."""
        if timeout is None:
            return bool(do("once_begin", self._live()))
        room = c.c_uint32()
        result = do("once_begin_for", self._live(), items=room, ns=nanoseconds(timeout))
        return bool(room.value) if _acquired(result) else None

    def end(self) -> None:
        do("once_end", self._live())

    def is_done(self) -> bool:
        return bool(do("once_is_done", self._live()))

    def block_begin(self) -> bool:
        return bool(do("once_block_begin", self._live()))

    def block_end(self) -> None:
        do("once_block_end", self._live())


class Combine(Object):
    """A combiner for grids of up to `blocks` blocks: one block at a time does the operations of all."""

    c_type = _stem = "weir_combine"

    def __init__(self, device: Optional[Device], blocks: int, **options: Any) -> None:
        super().__init__(device, options, blocks)

    @property
    def words(self) -> int:
        """The words of an operation, and of its result."""
        return int(self.handle.item_words)

    def _new_call(self) -> Any:
        return (c.c_uint64 * ((do("combine_call_bytes") + 7) // 8))()

    def _values(self, value: Item) -> List[int]:
        values = [value] if isinstance(value, int) else list(value)
        if not 1 <= len(values) <= self.words:
            raise BadArgument(f"{len(values)} words for a combiner of operations of {self.words}")
        return [word & 0xFFFFFFFF for word in values]

    def _do_found(self, call: Any, function: Callable[..., Item]) -> None:
        while do("combine_next", self._live(), items=call):
            for number in range(do("combine_found", items=call)):
                operation = [do("combine_operation", None, number, word, items=call)
                             for word in range(self.words)]
                for word, value in enumerate(self._values(function(*operation))):
                    do("combine_answer", None, number, word, value, items=call)

    def call(self, operation: Item, function: Callable[..., Item],
             timeout: Optional[float] = None) -> Optional[Item]:
        """Publishes an operation, and returns its result. Thread 0 of a block calls it. `function` gets the words
        of an operation and returns its result: it runs in the block that combines, one at a time. With a
        timeout, None when nobody has begun the operation in time."""
        values = self._values(operation)
        room, call = (c.c_uint32 * len(values))(*values), self._new_call()
        if timeout is None:
            do("combine_publish", self._live(), len(values), items=call, other=room)
        else:
            do("combine_publish_timed", self._live(), len(values), items=call, other=room)
        since = do("clock_ns")
        while True:
            if timeout is None:
                combines = do("combine_wait", self._live(), items=call) != 0
            else:
                result = do("combine_wait_for", self._live(), since, items=call, ns=nanoseconds(timeout))
                if result == _TIMED_OUT:
                    return None
                combines = result == _BUSY
                if result == _ABORTED:
                    raise LaunchEnded()
            if not combines:
                break
            self._do_found(call, function)
            do("combine_release", self._live(), items=call)
        results = [do("combine_result", None, word, items=call) for word in range(self.words)]
        return results[0] if self.words == 1 else tuple(results)

    def serve(self, function: Callable[..., Item]) -> bool:
        """Does the operations of all other blocks until they have left. False if another block serves."""
        call = self._new_call()
        if not do("combine_serve", self._live(), items=call):
            return False
        while do("combine_goes_on", self._live(), items=call):
            self._do_found(call, function)
        do("combine_release", self._live(), items=call)
        return True

    def leave(self) -> None:
        """The block publishes no more in this launch. Needed where a block serves."""
        do("combine_leave", self._live())


class Member(NamedTuple):
    """The part of a block in a group."""

    is_member: bool
    rank: int
    count: int

    def _raw(self) -> Any:
        return (c.c_uint32 * 3)(int(self.is_member), self.rank, self.count)


def _member(name: str, handle: Any, *numbers: int) -> Member:
    room = (c.c_uint32 * 3)()
    do(name, handle, *numbers, items=room)
    return Member(bool(room[0]), int(room[1]), int(room[2]))


def group_range(first: int, count: int) -> Member:
    """The blocks from `first` on are a group: the part of the calling block in it."""
    return _member("group_range", None, first, count)


def group_mask(mask: int) -> Member:
    """The blocks of the bits of a mask of 64 are a group: the part of the calling block in it."""
    return _member("group_mask", None, mask)


class Group(Object):
    """A group of blocks that find out which of them run together."""

    c_type = _stem = "weir_group"
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], most_blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, most_blocks, kind=kind)

    def discover(self) -> Member:
        """All threads of every block call it, once in a launch."""
        return _member("group_discover", self._live())

    def wait(self, member: Member) -> None:
        """The group's own barrier: all threads of every member call it."""
        do("group_wait", self._live(), items=member._raw())
