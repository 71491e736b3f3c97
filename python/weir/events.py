"""Events, and the latches and ordered sections made of them."""

from __future__ import annotations

import ctypes as c
from typing import Any, Callable, Optional, Tuple

from . import life
from ._native import check, do, lib
from .checks import nanoseconds, shown, whole
from .device import Device
from .errors import BadType
from .host import Team
from .object import Object, acquired, sliced


class EventOperations:
    """The operations of an event, a count that only grows, modulo 2^32."""

    def _place(self) -> Tuple["EventArray", int]:
        """The array of the event, and its index there."""
        raise NotImplementedError

    def _do(self, name: str, *numbers: int, **more: Any) -> int:
        array, index = self._place()
        return do(name, array._live(), *numbers, index=index, **more)

    def _host(self, function: Callable[..., int], *more: Any) -> int:
        """Calls a function of the host side."""
        array, index = self._place()
        handle = array._live()
        return int(life.call(handle.lives, function, c.c_void_p(array.device._open()), handle, c.c_uint32(index), *more))

    def signal(self, n: int = 1) -> int:
        """Adds n, and returns the previous count."""
        return self._do("event_signal", n)

    def post(self, n: int = 1) -> None:
        """Adds n; no thread waits for it."""
        self._do("event_post", n)

    def wait(self, target: int, timeout: Optional[float] = None) -> bool:
        """Waits until the count is at or past the target."""
        if timeout is None:
            self._do("event_wait", target)
            return True
        return acquired(self._do("event_wait_for", target, ns=nanoseconds(timeout)))

    def count(self) -> int:
        """The current count."""
        return self._do("event_count")

    def reached(self, target: int) -> bool:
        """Whether the count is at or past the target now."""
        return bool(self._do("event_reached", target))

    def block_signal(self, n: int = 1) -> int:
        """The same for all threads of a block together."""
        return self._do("event_block_signal", n)

    def block_post(self, n: int = 1) -> None:
        """The same for all threads of a block together."""
        self._do("event_block_post", n)

    def block_wait(self, target: int) -> None:
        """The same for all threads of a block together."""
        self._do("event_block_wait", target)

    def team_signal(self, team: Team, n: int = 1) -> int:
        """The same for all threads of a team together."""
        return self._do("event_team_signal", n, team=team)

    def team_post(self, team: Team, n: int = 1) -> None:
        """The same for all threads of a team together."""
        self._do("event_team_post", n, team=team)

    def team_wait(self, team: Team, target: int) -> None:
        """The same for all threads of a team together."""
        self._do("event_team_wait", target, team=team)

    # ---- the host side, usable while a kernel runs ----

    def host_count(self) -> int:
        """The count as seen by the host. The array must be host_visible."""
        count = c.c_uint32()
        check(self._host(lib.weir_event_host_count, c.byref(count)))
        return count.value

    def host_post(self, n: int = 1) -> None:
        """Adds n, on the host."""
        check(self._host(lib.weir_event_host_post, c.c_uint32(whole(n))))

    def host_wait(self, target: int, timeout: Optional[float] = None) -> None:
        """Waits for a count, on the host. Raises TimedOut. Ctrl-C ends the wait."""
        count = c.c_uint32(whole(target, "the target"))
        sliced(timeout, lambda ns: self._host(lib.weir_event_host_wait, count, c.c_uint64(ns)))


class ElementEvent(EventOperations, life.Unique):
    """One event of an array."""

    def __init__(self, array: "EventArray", index: int) -> None:
        if not isinstance(array, EventArray):
            raise BadType(f"{shown(array)} is no weir.EventArray")
        array._live()
        self.array = array
        self.index = array._index(index, len(array))

    def __repr__(self) -> str:
        return f"<weir.{type(self).__name__} {self.index} of {self.array!r}>"

    def _place(self) -> Tuple["EventArray", int]:
        return self.array, self.index


class EventArray(Object):
    """An array of events; `array[i]` is one of them."""

    c_type = _stem = "weir_event_array"
    _counts = (0, 1)
    _kinds = "event"

    def __init__(self, device: Optional[Device], length: int = 1, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, length, kind=kind)

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        return super()._sized(numbers) or (1,)

    def __len__(self) -> int:
        return int(self.handle.length)

    def __getitem__(self, index: int) -> ElementEvent:
        return ElementEvent(self, index)

    def _about(self) -> str:
        return f"of {len(self)}"

    def _range(self, first: int, count: int) -> Tuple[int, int]:
        """Checks a range of its events, which is not empty."""
        begin = self._index(first, len(self))
        return begin, whole(count, f"the number of events from {begin} on", len(self) - begin, 1)

    def wait_all(self, first: int, count: int, target: int, timeout: Optional[float] = None) -> bool:
        """Waits for `count` events from `first` on."""
        if timeout is None:
            do("event_array_wait_all", self._live(), *self._range(first, count), target)
            return True
        return acquired(do("event_array_wait_all_for", self._live(), *self._range(first, count), target, ns=nanoseconds(timeout)))

    def wait_any(self, first: int, count: int, target: int, timeout: Optional[float] = None) -> Optional[int]:
        """Waits for one of them, and returns its index, or None if none reached the target in time."""
        if timeout is None:
            return do("event_array_wait_any", self._live(), *self._range(first, count), target)
        found = c.c_uint32()
        result = do("event_array_wait_any_for", self._live(), *self._range(first, count), target, items=found,
                    ns=nanoseconds(timeout))
        return found.value if acquired(result) else None

    def block_wait_all(self, first: int, count: int, target: int) -> None:
        """The same for all threads of a block together."""
        do("event_array_block_wait_all", self._live(), *self._range(first, count), target)

    def block_wait_any(self, first: int, count: int, target: int) -> int:
        """The same for all threads of a block together."""
        return do("event_array_block_wait_any", self._live(), *self._range(first, count), target)

    def team_wait_all(self, team: Team, first: int, count: int, target: int) -> None:
        """The same for all threads of a team together."""
        do("event_array_team_wait_all", self._live(), *self._range(first, count), target, team=team)

    def team_wait_any(self, team: Team, first: int, count: int, target: int) -> int:
        """The same for all threads of a team together."""
        return do("event_array_team_wait_any", self._live(), *self._range(first, count), target, team=team)

    def round(self) -> int:
        """The number of this launch, from 0, provided that every block of every launch leaves."""
        return do("event_array_round", self._live())

    @staticmethod
    def target(round: int, each: int, count: int) -> int:
        """The count after `count` signals of this launch, for an event that gets `each` signals in every launch."""
        return (whole(round, "round") * whole(each, "each") + whole(count, "count")) & 0xFFFFFFFF

    def leave(self) -> bool:
        """The block is done with the array in this launch. True for the last block."""
        return bool(do("event_array_leave", self._live()))

    def block_leave(self) -> bool:
        """The same for all threads of a block together."""
        return bool(do("event_array_block_leave", self._live()))

    def latch(self, index: int, count: int, round: int = 0) -> "Latch":
        """A latch that opens after `count` arrivals, once in every launch."""
        return Latch(self[index], self.target(round, count, count))

    def sequence(self, index: int, places: int, round: int = 0) -> "OrderedSection":
        """An ordered section: place i enters after place i - 1 has left."""
        return OrderedSection(self[index], self.target(round, places, 0))


class Event(EventOperations, EventArray):
    """A single event. For a C kernel it is an array of length one, a weir_event_array."""

    _counts = (0, 0)

    def __init__(self, device: Optional[Device] = None, *, kind: str = "", **options: Any) -> None:
        EventArray.__init__(self, device, 1, kind=kind, **options)

    def _about(self) -> str:
        return ""

    def _place(self) -> Tuple[EventArray, int]:
        return self, 0


def _event(given: EventOperations) -> EventOperations:
    if not isinstance(given, EventOperations):
        raise BadType(f"{shown(given)} is no event")
    return given


class Latch(life.Unique):
    """An event and a target (EventArray.latch)."""

    def __init__(self, event: EventOperations, target: int) -> None:
        self.event = _event(event)
        self.target = whole(target, "the target")

    def __repr__(self) -> str:
        return f"<weir.Latch to {self.target} on {self.event!r}>"

    def arrive(self, n: int = 1) -> None:
        """Counts n arrivals."""
        self.event.post(n)

    def arrive_is_last(self, n: int = 1) -> bool:
        """The same; True for the arrival that opens the latch."""
        return (self.event.signal(n) + n) & 0xFFFFFFFF == self.target

    def wait(self) -> None:
        """Waits until the latch is open."""
        self.event.wait(self.target)

    def is_open(self) -> bool:
        """Whether the latch is open."""
        return self.event.reached(self.target)

    def block_arrive(self, n: int = 1) -> None:
        """The same for all threads of a block together."""
        self.event.block_post(n)

    def block_arrive_is_last(self, n: int = 1) -> bool:
        """The same for all threads of a block together."""
        return (self.event.block_signal(n) + n) & 0xFFFFFFFF == self.target

    def block_wait(self) -> None:
        """The same for all threads of a block together."""
        self.event.block_wait(self.target)


class OrderedSection(life.Unique):
    """An ordered section (EventArray.sequence)."""

    def __init__(self, event: EventOperations, begin: int) -> None:
        self.event = _event(event)
        self.begin = whole(begin, "begin")

    def __repr__(self) -> str:
        return f"<weir.OrderedSection from {self.begin} on {self.event!r}>"

    def enter(self, place: int) -> None:
        """Waits until place - 1 has left."""
        self.event.wait((self.begin + whole(place, "the place")) & 0xFFFFFFFF)

    def leave(self) -> None:
        """Lets the next place in."""
        self.event.post(1)

    def block_enter(self, place: int) -> None:
        """The same for all threads of a block together."""
        self.event.block_wait((self.begin + whole(place, "the place")) & 0xFFFFFFFF)

    def block_leave(self) -> None:
        """The same for all threads of a block together."""
        self.event.block_post(1)
