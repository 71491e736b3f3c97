"""The common parts of all crews: their waits, and the events, queues and data of each rank."""

from __future__ import annotations

import ctypes as c
import operator
import time
from typing import Any, Callable, Dict, Optional

from . import life
from ._native import do
from .checks import nanoseconds, shown, whole
from .checks import seconds as checked_seconds
from .errors import BadArgument, BadType, CrewAborted, LaunchEnded, NoRank, Unsupported
from .events import ElementEvent, EventArray
from .host import block_value, thread_id
from .object import ABORTED, OK, Handle, Part, acquired, handle_type
from .queues import Item, Queue

_SLICE = 0.2  # seconds between a wait's checks for Ctrl-C and for ranks that are gone


class Token(life.Unique):
    """An arrival at a barrier of a crew, for Crew.await_."""

    def __init__(self, crew: "Ranks") -> None:
        self._crew = crew
        self._room = (c.c_uint8 * do("crew_token_bytes"))()

    def __repr__(self) -> str:
        return f"<weir.ranks.Token of {self._crew!r}>"


def _crew(given: "Ranks") -> "Ranks":
    if not isinstance(given, Ranks):
        raise BadType(f"{shown(given)} is no crew")
    return given


class CrewData(life.Unique):
    """The data of a rank: 32-bit words that all ranks reach. A barrier or an event tells others when they may read it.

    `data[i]` is a word. view() is the memory, for NumPy or struct. On a CUDA device the data are a CUDA array, for
    CuPy or PyTorch."""

    def __init__(self, crew: "Ranks", rank: int) -> None:
        self._crew = _crew(crew)
        self.rank = crew._check_rank(rank)

    def __repr__(self) -> str:
        return f"<weir.CrewData of {self._crew.data_bytes} bytes of rank {self.rank} of {self._crew!r}>"

    def __len__(self) -> int:
        return self._crew.data_bytes // 4

    def view(self) -> memoryview:
        """The bytes. Release the view, and arrays made from it, before you leave the crew."""
        return memoryview(self._crew._memory(self.rank)).cast("B")

    def _words(self) -> memoryview:
        return self.view()[: len(self) * 4].cast("I")

    def __getitem__(self, index: int) -> int:
        return int(self._words()[self._index(index)])

    def __setitem__(self, index: int, value: int) -> None:
        self._words()[self._index(index)] = whole(value, "a word of a crew's data")

    def _index(self, index: int) -> int:
        """As in Python, -1 is the last word."""
        try:
            number = operator.index(index)
        except TypeError:
            raise BadType(f"{shown(index)} is not the index of a word: view() is for ranges") from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"word {shown(index)} of {len(self)}")
        return number

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        if self._crew.device.info.machine != "cuda":
            raise AttributeError("only the data of a crew on a CUDA device is a CUDA array")
        return {"shape": (self._crew.data_bytes,), "typestr": "|u1", "version": 3, "strides": None,
                "data": (self._crew._address(self.rank), False)}


class CrewEvent(ElementEvent):
    """An event of a rank. Any rank may signal it."""

    def __init__(self, crew: "Ranks", rank: int, index: int) -> None:
        array: EventArray = _Events(crew, rank)
        super().__init__(array, index)
        self._crew = crew

    def wait(self, target: int, timeout: Optional[float] = None) -> bool:
        """Waits until the count is at or past the target. With a timeout, returns False if that was not in time. Raises
        if a rank has aborted the crew, or a rank's process has ended."""
        return self._crew._wait(lambda ns: acquired(do(
            "crew_event_wait_for", self._crew._host(), target, other=self.array._live(), index=self.index,
            ns=ns)) or None, timeout) is not None


class _CrewPart(Part):
    """One rank's part of a crew."""

    _whole: "Ranks"

    def _take(self, crew: "Ranks", operation: str, rank: int) -> None:
        handle = handle_type(getattr(self, "c_type"))()
        do(operation, _crew(crew)._host(), crew._check_rank(rank), items=handle)
        self.rank = rank
        self._of(crew, handle)

    def _live(self) -> Any:
        self._whole._host()
        return self.handle


class _Events(_CrewPart, EventArray):
    def __init__(self, crew: "Ranks", rank: int) -> None:
        self._take(crew, "crew_events", rank)

    def _about(self) -> str:
        return f"of {len(self)} of rank {self.rank}"


class CrewQueue(_CrewPart, Queue):
    """The queue of a rank. Any rank may push and pop items of one word."""

    def __init__(self, crew: "Ranks", rank: int) -> None:
        self._take(crew, "crew_queue", rank)

    def _about(self) -> str:
        return f"of {self.capacity} items of {4 * self.words} bytes of rank {self.rank}"

    def push(self, item: Item, timeout: Optional[float] = None) -> bool:
        """Pushes: waits for room. With a timeout, returns False if there was none in time. Raises if a rank has aborted
        the crew, or a rank's process has ended."""
        return self._whole._wait(lambda ns: Queue.push(self, item, ns * 1e-9) or None, timeout) is not None

    def pop(self, timeout: Optional[float] = None) -> Optional[Item]:
        """Pops: waits for an item. With a timeout, returns None if there was none in time. Raises if a rank has aborted
        the crew, or a rank's process has ended."""
        found: Optional[Item] = self._whole._wait(lambda ns: Queue.pop(self, ns * 1e-9), timeout)
        return found


class Ranks(Handle):
    """The base class of all crews."""

    c_type = "weir_crew"
    data_bytes = 0

    @property
    def rank(self) -> int:
        """The number of this rank."""
        return int(self.handle.rank)

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return int(self.handle.ranks)

    def _host(self) -> Any:
        """The handle, if this process itself may use it, and not only its kernels."""
        handle = self._live()
        if self.device.info.machine != "host":
            raise Unsupported(f"a crew on {self.device.info.name} is for its kernels: they call weir_crew_wait and "
                              "the others")
        return handle

    def _check_rank(self, rank: int) -> int:
        return whole(rank, "the rank", self.ranks - 1)

    def _about(self) -> str:
        return f"rank {self.rank} of {self.ranks}, {self.data_bytes} bytes of data"

    def check_launch(self, kernel: Any, blocks: int) -> None:
        if getattr(kernel, "system_scope", None) is False:
            raise BadArgument("the kernel is for one GPU alone: compile it with system_scope=True, since the ranks of "
                              "a crew may be on several")
        if self.handle.first_block + self.handle.blocks > blocks:
            raise BadArgument(f"{self.handle.blocks} blocks of the grid come to the crew's barrier, and it has "
                              f"{blocks}: say blocks=... when the crew is made")

    # ---- waits ----

    def _look(self, waited: float, in_barrier: bool) -> None:
        """Raises NoRank if a rank for which others wait is gone."""

    def _report(self, waited: float) -> str:
        aborted = do("crew_aborted", self._host())
        return f"rank {aborted - 1} has aborted the crew" if aborted else f"a rank has not arrived in {waited:.1f} s"

    def _check_result(self, result: int, waited: float) -> None:
        """Raises if the crew or the launch has ended."""
        if result == ABORTED and not do("crew_aborted", self._host()):
            raise LaunchEnded()
        if result == ABORTED:
            raise CrewAborted(self._report(waited))

    def _wait(self, look: Callable[[int], Any], timeout: Optional[float]) -> Any:
        """A wait of one thread, in slices. Returns the result of `look`, or None after the timeout."""
        timeout = None if timeout is None else checked_seconds(timeout)
        began = time.monotonic()
        while True:
            left = _SLICE if timeout is None else timeout - (time.monotonic() - began)
            try:
                found = look(nanoseconds(max(min(left, _SLICE), 0)))
            except LaunchEnded:  # or the crew was aborted
                self._check_result(ABORTED, time.monotonic() - began)
                raise
            if found is not None or timeout is not None and left <= _SLICE:
                return found
            waited = time.monotonic() - began
            self._check_result(ABORTED if do("crew_aborted", self._host()) else OK, waited)
            self._look(waited, False)

    def arrive(self) -> Token:
        """The first half of barrier."""
        token = Token(self)
        do("crew_arrive", self._host(), items=token._room)
        return token

    def lane_arrive(self, lane: int = 0) -> Token:
        """The first half of lane_barrier."""
        lane = whole(lane, "the lane", int(self.handle.lanes) - 1)
        token = Token(self)
        do("crew_lane_arrive", self._host(), lane, items=token._room)
        return token

    def await_(self, token: Token, timeout: Optional[float] = None) -> bool:
        """The second half. Returns False if a rank has not arrived in time. The arrival still counts, so wait again
        with the same token, or abort. Raises NoRank if a rank that has not arrived is gone."""
        if not isinstance(token, Token):
            raise BadType(f"{shown(token)} is no token: take what arrive or lane_arrive returns")
        if token._crew is not self:
            raise BadArgument(f"the token is one of another crew, {token._crew!r}")
        timeout = None if timeout is None else checked_seconds(timeout)
        began = time.monotonic()
        while True:
            left = _SLICE if timeout is None else timeout - (time.monotonic() - began)
            result = do("crew_await_for", self._host(), items=token._room, ns=nanoseconds(max(min(left, _SLICE), 0)))
            self._check_result(result, time.monotonic() - began)
            if result == OK:
                return True
            # The first thread decides for its block, so that all its threads do the same.
            if block_value(int(timeout is not None and left <= _SLICE)):
                return False
            failure = self._missing(time.monotonic() - began) if thread_id() == 0 else None
            if block_value(int(failure is not None)):
                raise failure or NoRank("a rank of the crew is gone")

    def _missing(self, waited: float) -> Optional[NoRank]:
        try:
            self._look(waited, True)
        except NoRank as error:
            return error
        return None

    def _meet(self, token: Token, timeout: Optional[float]) -> None:
        if not self.await_(token, timeout):
            raise NoRank(self._report(timeout or 0))

    def barrier(self, timeout: Optional[float] = None) -> None:
        """Waits for all blocks of all ranks; all threads call it. Outside a kernel, the process counts as one
        block. Raises NoRank, which names the ranks that have not arrived in time or are gone, or CrewAborted."""
        self._meet(self.arrive(), timeout)

    def lane_barrier(self, lane: int = 0, timeout: Optional[float] = None) -> None:
        """Waits for one block of each rank."""
        self._meet(self.lane_arrive(lane), timeout)

    # ---- parts ----

    def event(self, rank: int, index: int = 0) -> CrewEvent:
        """An event of a rank."""
        return CrewEvent(self, rank, index)

    def queue(self, rank: int) -> CrewQueue:
        """The queue of a rank."""
        if not self.handle.queue_bits:
            raise BadArgument("the crew has no queues: say queue_slots=... when it is made")
        return CrewQueue(self, rank)

    def data(self, rank: int) -> CrewData:
        """The data of a rank."""
        return CrewData(self, self._check_rank(rank))

    def _share(self, rank: int) -> int:
        """The device address of a rank's share."""
        if rank != self.rank:
            raise Unsupported(f"the data of rank {rank} is for kernels of {self.device.info.name}: they call "
                              "weir_crew_data")
        return int(self.handle.words)

    def _address(self, rank: int) -> int:
        """The device address of a rank's data."""
        handle = self._live()
        if self.device.info.machine == "host":
            return do("crew_data", handle, rank)
        return self._share(rank) + 4 * do("crew_words", handle)

    def _memory(self, rank: int) -> Any:
        """The data of a rank as an object that memoryview accepts."""
        self._host()
        kind: Any = type("Data", (c.c_uint8 * self.data_bytes,), {})  # a Python class: it supports weak references
        return kind.from_address(self._address(rank))

    def abort(self) -> None:
        """Ends all current and later waits of all ranks, which ends the crew."""
        do("crew_abort", self._host())
