"""Crews: ranks that synchronize across processes or GPUs while their kernels run.

A rank is a process. Start the ranks with `weir crew -n 4 python3 program.py`, mpirun, srun or torchrun:

    with weir.Crew(events=1, data_bytes=4) as crew:
        crew.data(crew.rank)[0] = crew.rank
        crew.barrier()

A crew's wait without a timeout also ends when a rank is gone or aborts the crew. The exception names the rank.
"""

from __future__ import annotations

import atexit
import ctypes as c
import os
import weakref
from typing import Any, List, NamedTuple, Optional, Tuple

from . import _native, life
from ._native import check, lib, text
from .checks import SIZE, encoded, flag, shown, whole
from .checks import seconds as checked_seconds
from .device import Device
from .errors import BadArgument, CrewAborted, NoRank, NotFound
from .ranks import Ranks

STATES = ("alive", "left", "dead", "unknown")  # by the numbers of weir_rank_state


class RankReport(NamedTuple):
    """A report's entry on a rank. `state` is "alive", "left", "dead" or "unknown"."""

    state: str
    pid: int  # 0: not known
    has_arrived: bool  # or no rank waits
    passed: int  # the last phase that it has passed
    arrived: int  # how many of its blocks have arrived at the barrier of all blocks

    @property
    def is_gone(self) -> bool:
        """Whether the rank has left or its process has ended."""
        return self.state in ("left", "dead")


class CrewReport(NamedTuple):
    """Which ranks have not arrived (Crew.diagnose)."""

    text: str
    missing: int  # ranks that have not arrived where another rank waits
    gone: int  # ranks that have left, or whose processes have ended
    phase: int  # the newest phase that a rank has started in that lane
    lane: int  # where ranks are missing
    ranks: Tuple[RankReport, ...]

    def __str__(self) -> str:
        return self.text


def _find_place(rank: Optional[int], ranks: Optional[int], name: str) -> Any:
    """The place that was given, or the launcher's. Without a launcher the process is alone."""
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
        place.ranks = whole(ranks, "ranks", least=1)
        place.rank = whole(rank, "the rank", place.ranks - 1)
        place.name = f"parent.{os.getppid()}".encode()
    raw = encoded(name, "the name of a crew")
    if raw:
        if len(raw) >= 64 or "/" in name:
            raise BadArgument(f"{shown(name)} is no name of a crew: it has less than 64 bytes, and no /")
        place.name = raw
        place.sockets, place.socket_count = None, 0
    return place


_joined: "weakref.WeakSet[Crew]" = weakref.WeakSet()


class Crew(Ranks):
    """A crew of processes on this host, which this process joins. All of them pass the same options; only `blocks`,
    `diagnose` and `timeout` may differ.

    The rank comes from the launcher: `weir crew`, mpirun, srun or torchrun. Or pass `rank` and `ranks`, and the same
    `name` in all processes unless they have the same parent. Without any of these the process is a crew of one.

    `blocks` is the number of blocks of this rank at the barrier. `lanes`, `events`, `queue_slots` and `data_bytes`
    apply to each rank. On a CUDA device, the crew is in the memory of the ranks' GPUs, and kernels take it as a
    weir_crew; compile them with system_scope=True. Raises NoRank if a rank did not join within `timeout` seconds.

    With diagnose=True the crew takes part in the diagnosis of `device`, under its `name` if it has one
    (Device.diagnose, Device.watch).
    """

    _gone = "was left before"
    _ended = "left"

    def __init__(self, device: Optional[Device] = None, *, rank: Optional[int] = None, ranks: Optional[int] = None,
                 name: str = "", blocks: int = 1, lanes: int = 1, events: int = 0, queue_slots: int = 0, radix: int = 0,
                 copies: int = 0, data_bytes: int = 0, timeout: float = 60, diagnose: bool = False) -> None:
        host = Device.shared("host")
        super().__init__(device if device is not None else host)
        sizes = [whole(value, what) for what, value in (
            ("blocks", blocks), ("lanes", lanes), ("events", events), ("queue_slots", queue_slots),
            ("radix", radix), ("copies", copies))]
        patience = checked_seconds(timeout)
        if patience == 0:
            raise BadArgument("a timeout of 0 seconds: the ranks need a moment to find each other")
        self.data_bytes = (whole(data_bytes, "data_bytes", SIZE - 3) + 3) // 4 * 4
        place = _find_place(rank, ranks, name)
        self.name = name
        options = _native.CrewOptions(*sizes, self.data_bytes, min(patience, 1e9), flag(diagnose, "diagnose"),
                                      encoded(name, "the name of a crew") or None)
        link = c.c_void_p()
        is_cuda = self.device.info.machine != "host"
        self.device._open()
        # The sockets serve one crew. Later crews are found by name.
        if place.sockets:
            os.environ.pop("WEIR_CREW_SOCKETS", None)
        joins = host if is_cuda else self.device  # whose diagnosis may include it
        check(joins._call_outside(lib.weir_crew_create, c.byref(place), c.byref(options), c.byref(link)))
        self._link: Optional[int] = link.value
        self._views: List[Any] = []
        try:
            if is_cuda:
                check(life.call((self.device._life,), lib.weir_crew_on_device, self._link, self.device._open(),
                                c.byref(self.handle)))
            else:
                check(lib.weir_crew_handle(self._link, c.byref(self.handle)))
        except BaseException:
            lib.weir_crew_destroy(c.byref(c.c_void_p(self._link)))
            raise
        self._begin()
        _joined.add(self)

    def _memory(self, rank: int) -> Any:
        made = super()._memory(rank)
        self._views = [view for view in self._views if view() is not None]
        self._views.append(weakref.ref(made))
        return made

    def _call(self, function: Any, *more: Any) -> int:
        """Calls a library function that takes the crew's link."""
        return int(life.call(self._live().lives, function, self._link, *more))

    def diagnose(self, waited: float = 0) -> CrewReport:
        """Which ranks have not arrived. `waited` is the number of seconds for the text."""
        raw = _native.CrewReport()
        check(self._call(lib.weir_crew_diagnose, checked_seconds(waited, "a wait"), c.byref(raw)))
        ranks = tuple(RankReport(STATES[one.state], one.pid, bool(one.has_arrived), one.passed, one.arrived)
                      for one in raw.rank[:raw.ranks])
        report = CrewReport(text(raw.text), raw.missing, raw.gone, raw.phase, raw.lane, ranks)
        lib.weir_crew_report_destroy(c.byref(raw))
        return report

    def _report(self, waited: float) -> str:
        return self.diagnose(waited).text.strip()

    def _look(self, waited: float, in_barrier: bool) -> None:
        report = self.diagnose(waited)
        if any(one.state == "dead" or in_barrier and one.is_gone and not one.has_arrived for one in report.ranks):
            raise NoRank(report.text.strip())

    def abort(self) -> None:
        """Ends all current and later waits of all ranks, which ends the crew. May be called while a kernel runs."""
        check(self._call(lib.weir_crew_host_abort))

    def leave(self) -> None:
        """Frees this rank's part. No kernel may be using the crew. Ranks that still wait for this rank get an error."""
        self._live()
        if any(view() is not None for view in self._views):
            raise BadArgument("an array or a view over the crew's data is still in use: delete it before the crew is "
                              "left")
        if self.device.info.machine != "host" and not self.device.is_open:
            raise BadArgument("the device of the crew was closed before the crew was left")
        self._end()
        self._free_copy()
        _joined.discard(self)
        link, self._link = self._link, None
        check(lib.weir_crew_destroy(c.byref(c.c_void_p(link))))

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if not self._alive:
            return
        if kind is not None and not any(isinstance(error, CrewAborted) for error in (value, value.__cause__)):
            self.abort()  # otherwise the other ranks would wait for this one
        if kind is None:
            self.leave()
            return
        try:
            self.leave()
        except BadArgument:
            pass  # the exception being raised says more, and its frames may hold a view


os.register_at_fork(after_in_child=_joined.clear)  # the rank is the parent, which leaves by itself


@atexit.register
def _leave_all() -> None:
    """A process that ends without leaving would be reported as dead. Its memory goes with it: objects that refer
    to the crew's data may outlive this."""
    for crew in list(_joined):
        if crew._alive and crew.device.info.machine == "host" and crew.device._run is None and \
                not crew.handle.lives[0].in_use():
            lib.weir_python_crew_leaves(crew._link)
            crew.handle.lives[0].alive = False
