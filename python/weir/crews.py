"""Crews: ranks that meet across processes or GPUs, while their kernels run.

A rank is a process. Start the ranks with `weir crew -n 4 python3 program.py`, mpirun, srun or torchrun:

    with weir.Crew(events=1, data_bytes=4) as crew:
        crew.data(crew.rank)[0] = crew.rank
        crew.barrier()

A wait of a crew without a timeout also ends when a rank is gone, or aborts the crew. The exception names the rank.
"""

from __future__ import annotations

import atexit
import ctypes as c
import os
import sys
import time
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _native, memory
from ._native import check, do, lib, nanoseconds, text
from .device import Buffer, Device
from .errors import BadArgument, CrewAborted, LaunchEnded, NoRank, NotFound, Unsupported
from .events import ElementEvent, EventArray
from .host import block_value, thread_id
from .object import ABORTED, ACQUIRED, Handle, acquired, handle_type
from .queues import Item, Queue

STATES = ("alive", "left", "dead", "unknown")  # by the numbers of weir_rank_state
_SLICE = 0.2  # seconds: a wait looks for Ctrl-C and for ranks that are gone so often


class RankReport(NamedTuple):
    """What a report says of a rank. `state` is "alive", "left", "dead" or "unknown"."""

    state: str
    pid: int  # 0: not known
    has_arrived: bool  # or nobody waits
    passed: int  # the last phase that it has passed
    arrived: int  # of its blocks, at the barrier of all blocks

    @property
    def is_gone(self) -> bool:
        """Whether it has left, or its process has ended."""
        return self.state in ("left", "dead")


class CrewReport(NamedTuple):
    """Who has not come (Crew.diagnose)."""

    text: str
    missing: int  # ranks that have not arrived where another one waits
    gone: int  # ranks that have left, or whose processes have ended
    phase: int  # the newest one that a rank has begun in that lane
    lane: int  # where ranks are missing
    ranks: Tuple[RankReport, ...]

    def __str__(self) -> str:
        return self.text


class Token:
    """An arrival at a barrier of a crew, for Crew.await_."""

    def __init__(self) -> None:
        self._room = (c.c_uint8 * do("crew_token_bytes"))()


class CrewData:
    """The data of a rank: words of 32 bits that all ranks reach. A barrier or an event says when others may look.

    `data[i]` is a word. view() is the memory, for NumPy or struct. On a CUDA device the data is a CUDA array, for CuPy
    or PyTorch."""

    def __init__(self, crew: "_Ranks", rank: int) -> None:
        self._crew = crew
        self.rank = rank

    def __len__(self) -> int:
        return self._crew.data_bytes // 4

    def view(self) -> memoryview:
        """The bytes. Let go of it, and of arrays made of it, before the crew is left."""
        return memoryview(self._crew._memory(self.rank)).cast("B")

    def _words(self) -> memoryview:
        return self.view()[: len(self) * 4].cast("I")

    def __getitem__(self, index: int) -> int:
        return int(self._words()[index])

    def __setitem__(self, index: int, value: int) -> None:
        self._words()[index] = value & 0xFFFFFFFF

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        if self._crew.device.info.machine != "cuda":
            raise AttributeError("only the data of a crew on a CUDA device is a CUDA array")
        return {"shape": (self._crew.data_bytes,), "typestr": "|u1", "version": 3, "strides": None,
                "data": (self._crew._address(self.rank), False)}


class CrewEvent(ElementEvent):
    """An event of a rank. Any rank signals it."""

    def __init__(self, crew: "_Ranks", rank: int, index: int) -> None:
        array: EventArray = _Events(crew, rank)
        if not 0 <= index < len(array):
            raise IndexError(f"event {index} of {len(array)}")
        super().__init__(array, index)
        self._crew = crew

    def wait(self, target: int, timeout: Optional[float] = None) -> bool:
        """Waits until the count is at or past the target; with a timeout, False when it was not in time. Raises when
        a rank has aborted the crew, or its process has ended."""
        return self._crew._wait(lambda ns: acquired(do(
            "crew_event_wait_for", self._crew._host(), target, other=self.array.handle, index=self.index,
            ns=ns)) or None, timeout) is not None


class _Part:
    """A part of a crew: it has the operations, and no life of its own."""

    _crew: "_Ranks"
    _copy: Optional[Buffer]
    handle: Any

    def _of(self, crew: "_Ranks", operation: str, rank: int) -> None:
        self._crew, self.device, self._alive, self._copy = crew, crew.device, True, None
        self.handle = handle_type(getattr(self, "c_type"))()
        do(operation, crew._host(), crew._check_rank(rank), items=self.handle)

    def _live(self) -> Any:
        self._crew._host()
        return self.handle

    def reset(self) -> None:
        """A crew is never reset."""
        raise BadArgument("a part of a crew is not reset: ranks that begin anew join a new crew")

    def destroy(self) -> None:
        """A part ends with its crew."""
        raise BadArgument("a part of a crew is not destroyed alone: leave the crew")


class _Events(_Part, EventArray):
    def __init__(self, crew: "_Ranks", rank: int) -> None:
        self._of(crew, "crew_events", rank)


class CrewQueue(_Part, Queue):
    """The queue of a rank. Any rank pushes and pops, items of one word."""

    def __init__(self, crew: "_Ranks", rank: int) -> None:
        self._of(crew, "crew_queue", rank)

    def push(self, item: Item, timeout: Optional[float] = None) -> bool:
        """Waits for room; with a timeout, False when there was none in time. Raises when a rank has aborted the crew, or
        its process has ended."""
        return self._crew._wait(lambda ns: Queue.push(self, item, ns * 1e-9) or None, timeout) is not None

    def pop(self, timeout: Optional[float] = None) -> Optional[Item]:
        """Waits for an item; with a timeout, None when there was none in time. Raises when a rank has aborted the crew,
        or its process has ended."""
        found: Optional[Item] = self._crew._wait(lambda ns: Queue.pop(self, ns * 1e-9), timeout)
        return found


class _Ranks(Handle):
    """What all crews do."""

    c_type = "weir_crew"
    data_bytes = 0

    @property
    def rank(self) -> int:
        """The number of this rank."""
        return int(self.handle.rank)

    @property
    def ranks(self) -> int:
        """How many ranks there are."""
        return int(self.handle.ranks)

    def _host(self) -> Any:
        """The handle, if this process may use it, not only its kernels."""
        if self.device.info.machine != "host":
            raise Unsupported(f"a crew on {self.device.info.name} is for its kernels: they call weir_crew_barrier and the "
                              "others")
        return self._live()

    def _check_rank(self, rank: int) -> int:
        if not 0 <= rank < self.ranks:
            raise BadArgument(f"rank {rank} of {self.ranks} ranks")
        return rank

    def check_launch(self, kernel: Any, blocks: int) -> None:
        if getattr(kernel, "system_scope", None) is False:
            raise BadArgument("the kernel is for one GPU alone: compile it with system_scope=True, since a crew's ranks may be "
                              "on several")
        if self.handle.first_block + self.handle.blocks > blocks:
            raise BadArgument(f"{self.handle.blocks} blocks of the grid come to the crew's barrier, and it has {blocks}: "
                              "say blocks=... when the crew is made")

    # ---- waits ----

    def _look(self, waited: float, in_barrier: bool) -> None:
        """Raises NoRank when a rank that others wait for is gone."""

    def _report(self, waited: float) -> str:
        return f"rank {do('crew_aborted', self._host()) - 1} has aborted the crew"

    def _check_result(self, result: int, waited: float) -> None:
        """Raises when the crew or the launch has ended."""
        if result == ABORTED and not do("crew_aborted", self._host()):
            raise LaunchEnded()
        if result == ABORTED:
            raise CrewAborted(self._report(waited))

    def _wait(self, look: Callable[[int], Any], timeout: Optional[float]) -> Any:
        """A wait of one thread, in slices: what `look` finds, or None when the time is over."""
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
            self._check_result(ABORTED if do("crew_aborted", self._host()) else ACQUIRED, waited)
            self._look(waited, False)

    def arrive(self) -> Token:
        """The first half of barrier."""
        token = Token()
        do("crew_arrive", self._host(), items=token._room)
        return token

    def lane_arrive(self, lane: int = 0) -> Token:
        """The first half of lane_barrier."""
        if not 0 <= lane < self.handle.lanes:
            raise BadArgument(f"lane {lane} of {self.handle.lanes}")
        token = Token()
        do("crew_lane_arrive", self._host(), lane, items=token._room)
        return token

    def await_(self, token: Token, timeout: Optional[float] = None) -> bool:
        """The second half. False when a rank has not come in time: the arrival still counts, so wait again with the same
        token, or abort. Raises NoRank when a rank that has not come is gone."""
        began = time.monotonic()
        while True:
            left = _SLICE if timeout is None else timeout - (time.monotonic() - began)
            result = do("crew_await_for", self._host(), items=token._room, ns=nanoseconds(max(min(left, _SLICE), 0)))
            self._check_result(result, time.monotonic() - began)
            if result == ACQUIRED:
                return True
            # The first thread decides for its block, so that all of its threads do the same.
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
        """All blocks of all ranks meet: all threads call it. Outside of a kernel, the process is one block. Raises NoRank,
        with the ranks that have not come in time or are gone, or CrewAborted."""
        self._meet(self.arrive(), timeout)

    def lane_barrier(self, lane: int = 0, timeout: Optional[float] = None) -> None:
        """One block of each rank meets those of the others."""
        self._meet(self.lane_arrive(lane), timeout)

    # ---- parts ----

    def event(self, rank: int, index: int = 0) -> CrewEvent:
        """An event of a rank."""
        return CrewEvent(self, rank, index)

    def queue(self, rank: int) -> CrewQueue:
        """The queue of a rank."""
        if not self.handle.queue_bits:
            raise BadArgument("the crew has no queues: say queue=... when it is made")
        return CrewQueue(self, rank)

    def data(self, rank: int) -> CrewData:
        """The data of a rank."""
        return CrewData(self, self._check_rank(rank))

    def _share(self, rank: int) -> int:
        """The address of a rank's share, on the device."""
        if rank != self.rank:
            raise Unsupported(f"the data of rank {rank} is for kernels of {self.device.info.name}: they call weir_crew_data")
        return int(self.handle.words)

    def _address(self, rank: int) -> int:
        """Of a rank's data, on the device."""
        handle = self._live()
        if self.device.info.machine == "host":
            return do("crew_data", handle, rank)
        return self._share(rank) + 4 * do("crew_words", handle)

    def _memory(self, rank: int) -> Any:
        """The data of a rank as something that memoryview takes."""
        self._host()
        return (c.c_uint8 * self.data_bytes).from_address(self._address(rank))

    def abort(self) -> None:
        """Ends the waits of all ranks, also later ones. The crew is then over."""
        do("crew_abort", self._host())


def _find_place(rank: Optional[int], ranks: Optional[int], name: str) -> Any:
    """The place that was given, or that of the launcher. Without a launcher the process is alone."""
    place = _native.CrewPlace()
    if (rank is None) != (ranks is None):
        raise BadArgument("rank and ranks are given together, or neither of them")
    if rank is None:
        status = lib.weir_crew_place_find(c.byref(place))
        if status == NotFound.status:
            place.rank, place.ranks = 0, 1
        else:
            check(status)
    else:
        assert ranks is not None
        if not (0 <= rank < ranks < 2**32):
            raise BadArgument(f"rank {rank} of {ranks} ranks")
        place.rank, place.ranks = rank, ranks
        place.name = f"parent.{os.getppid()}".encode()
    if name:
        if len(name.encode()) >= 64 or "/" in name:
            raise BadArgument(f"{name!r} is no name of a crew: it has less than 64 bytes, and no /")
        place.name = name.encode()
        place.sockets, place.socket_count = None, 0
    return place


_joined: "weakref.WeakSet[Crew]" = weakref.WeakSet()


class Crew(_Ranks):
    """A crew of processes of this host, which this process joins. All of them give the same options, `blocks` and
    `timeout` excepted.

    The rank is that of the launcher: `weir crew`, mpirun, srun or torchrun. Or say `rank` and `ranks`, and the same
    `name` in all processes unless they have the same parent. Without any of these the process is a crew of one.

    `blocks` of this rank come to barrier. `lanes`, `events`, `queue` (slots) and `data_bytes` are those of each rank. On
    a CUDA device, the crew is in the memory of the ranks' GPUs, and kernels take it as a weir_crew; compile them with
    system_scope=True. Raises NoRank when a rank did not come within `timeout` seconds.
    """

    _gone = "was left before"

    def __init__(self, device: Optional[Device] = None, *, rank: Optional[int] = None, ranks: Optional[int] = None,
                 name: str = "", blocks: int = 1, lanes: int = 1, events: int = 0, queue: int = 0, radix: int = 0,
                 bits: int = 0, data_bytes: int = 0, timeout: float = 60) -> None:
        host = Device.shared("host")
        super().__init__(device if device is not None else host)
        for what, value in (("blocks", blocks), ("lanes", lanes), ("events", events), ("queue", queue),
                            ("radix", radix), ("bits", bits)):
            if not 0 <= value < 2**32:
                raise BadArgument(f"{value} {what}: it is no number from 0 to 2^32 - 1")
        if not 0 < timeout < 1e9 or data_bytes < 0:
            raise BadArgument(f"{timeout} seconds to wait for the ranks, and {data_bytes} bytes of data")
        self.data_bytes = (data_bytes + 3) // 4 * 4
        options = _native.CrewOptions(blocks, lanes, events, queue, radix, bits, self.data_bytes, timeout)
        place = _find_place(rank, ranks, name)
        link = c.c_void_p()
        is_cuda = self.device.info.machine != "host"
        self.device._open()
        # The sockets are for one crew. A later one meets by name.
        if place.sockets:
            os.environ.pop("WEIR_CREW_SOCKETS", None)
        check(lib.weir_crew_join(host._open(), c.byref(place), c.byref(options), c.byref(link)))
        self._link: Optional[int] = link.value
        self._views: List[Any] = []
        try:
            if is_cuda:
                check(lib.weir_crew_on_device(self._link, self.device._open(), c.byref(self.handle)))
            else:
                check(lib.weir_crew_handle(self._link, c.byref(self.handle)))
        except BaseException:
            lib.weir_crew_leave(self._link)
            raise
        self._alive = True
        _joined.add(self)

    def _memory(self, rank: int) -> Any:
        self._host()
        self._views = [view for view in self._views if view() is not None]
        kind: Any = type("Data", (c.c_uint8 * self.data_bytes,), {})  # a class of Python: weak references know its life
        made = kind.from_address(self._address(rank))
        self._views.append(weakref.ref(made))
        return made

    def diagnose(self, waited: float = 0) -> CrewReport:
        """Who has not come. `waited` seconds are for the text."""
        self._live()
        raw = _native.CrewReport()
        check(lib.weir_crew_diagnose(self._link, waited, c.byref(raw)))
        ranks = tuple(RankReport(STATES[one.state], one.pid, bool(one.has_arrived), one.passed, one.arrived)
                      for one in raw.rank[:raw.ranks])
        report = CrewReport(text(raw.text), raw.missing, raw.gone, raw.phase, raw.lane, ranks)
        lib.weir_crew_report_clear(c.byref(raw))
        return report

    def _report(self, waited: float) -> str:
        return self.diagnose(waited).text.strip()

    def _look(self, waited: float, in_barrier: bool) -> None:
        report = self.diagnose(waited)
        if any(one.state == "dead" or in_barrier and one.is_gone and not one.has_arrived for one in report.ranks):
            raise NoRank(report.text.strip())

    def abort(self) -> None:
        """Ends the waits of all ranks, also later ones. The crew is then over. Also while a kernel runs."""
        self._live()
        check(lib.weir_crew_stop(self._link))

    def leave(self) -> None:
        """Frees this rank's part. No kernel may be using the crew. Ranks that still wait for this one are told."""
        self._live()
        if any(view() is not None for view in self._views):
            raise BadArgument("an array or a view over the crew's data is still in use: delete it before the crew is left")
        if self.device.info.machine != "host" and not self.device.is_open:
            raise BadArgument("the device of the crew was closed before the crew was left")
        self._alive = False
        self._free_copy()
        _joined.discard(self)
        link, self._link = self._link, None
        check(lib.weir_crew_leave(link))

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if not self._alive:
            return
        if kind is not None and not any(isinstance(error, CrewAborted) for error in (value, value.__cause__)):
            self.abort()  # the others would wait for this rank
        if kind is None:
            self.leave()
            return
        try:
            self.leave()
        except BadArgument:
            pass  # the exception on its way says more, and its frames may hold a view

    def __repr__(self) -> str:
        return f"<weir.Crew rank {self.rank} of {self.ranks} on {self.device.info.name}{'' if self._alive else ', left'}>"


@atexit.register
def _leave_all() -> None:
    """A process that ends without leave would be reported as one that died. The memory of a GPU goes with its
    process, without a wait for the other ranks."""
    for crew in list(_joined):
        if crew._alive and crew.device.info.machine == "host" and crew.device._run is None:
            lib.weir_crew_leave(crew._link)
            crew._alive = False


class SharedCrew(_Ranks):
    """A crew in memory that you share among the ranks yourself: NVSHMEM's, PyTorch's, or that of several GPUs of one
    process. weir.torch.crew makes one.

    `shares` has the address of each rank's share, or an array there, as `device` reaches it. Each has size(ranks) bytes,
    which are zero before any rank's first launch. A kernel takes the crew as a weir_crew. Or it calls weir_crew_in, with
    `arguments`; the crew then has no other options than `blocks`.
    """

    def __init__(self, device: Optional[Device], shares: Sequence[Any], rank: int, *, blocks: int = 1,
                 first_block: int = 0, lanes: int = 1, events: int = 0, queue: int = 0, data_bytes: int = 0,
                 owner: Any = None) -> None:
        super().__init__(device if device is not None else Device.current())
        _configure(self.handle, len(shares), rank, blocks, lanes, events, queue)
        self.handle.first_block = first_block
        self.data_bytes = (data_bytes + 3) // 4 * 4
        self._owner = (list(shares), owner)
        needed = 4 * do("crew_words", self.handle) + self.data_bytes
        self._addresses = [_share_address(self.device, share, needed, number) for number, share in enumerate(shares)]
        self.table: Buffer = self.device.buffer(8 * len(shares))
        self.table.write(b"".join(address.to_bytes(8, sys.byteorder) for address in self._addresses))
        self.handle.words, self.handle.table = self._addresses[rank], self.table.address
        self._alive = True

    def _share(self, rank: int) -> int:
        return self._addresses[rank]

    @staticmethod
    def size(ranks: int, *, lanes: int = 1, events: int = 0, queue: int = 0, data_bytes: int = 0) -> int:
        """The bytes of each share."""
        handle = handle_type("weir_crew")()
        _configure(handle, ranks, 0, 1, lanes, events, queue)
        return 4 * do("crew_words", handle) + (data_bytes + 3) // 4 * 4

    @property
    def arguments(self) -> Tuple[Buffer, int, int]:
        """What weir_crew_in takes before the number of blocks: the table, the ranks and the rank."""
        self._live()
        return self.table, self.ranks, self.rank

    def __exit__(self, *_: Any) -> None:
        self.destroy()

    def destroy(self) -> None:
        """Frees the table. No kernel may be using the crew. The shares are yours."""
        self._live()
        self._alive = False
        self._owner = ([], None)
        self._free_copy()
        if self.device.is_open:
            self.table.destroy()

    def __repr__(self) -> str:
        return (f"<weir.SharedCrew rank {self.rank} of {self.ranks} on {self.device.info.name}"
                f"{'' if self._alive else ', destroyed'}>")


def _configure(handle: Any, ranks: int, rank: int, blocks: int, lanes: int, events: int, queue: int) -> None:
    """Fills in what weir_crew_in would."""
    if not (0 <= rank < ranks <= 32768 and 1 <= blocks <= 32768):
        raise BadArgument(f"rank {rank} of {ranks} ranks, with {blocks} blocks: at most 32768 of each")
    if not (1 <= lanes <= 4096 and 0 <= events <= 2**20 and 0 <= queue <= 2**20):
        raise BadArgument(f"{lanes} lanes, {events} events and {queue} slots of a queue are none, or too many")
    do("crew_in", None, ranks, rank, blocks, items=handle)
    handle.lanes, handle.events = lanes, events
    handle.queue_bits = max((queue - 1).bit_length(), 1) if queue else 0


def _share_address(device: Device, share: Any, needed: int, rank: int) -> int:
    if isinstance(share, Buffer):
        address, size = share.address, share.size
    elif isinstance(share, int):
        address, size = share, needed
    else:
        place = memory.place_of(share)
        address, size = place.address, place.bytes
        if place.machine != ("cuda" if device.info.machine == "cuda" else "host"):
            raise BadArgument(f"the share of rank {rank} is memory of another kind than that of {device.info.name}")
    if not address or address % 4:
        raise BadArgument(f"the share of rank {rank} is at address {address:#x}: the device reaches it by loads and stores, at "
                          "a multiple of 4")
    if size < needed:
        raise BadArgument(f"the share of rank {rank} has {size} bytes, and the crew needs {needed}: SharedCrew.size says so")
    return address
