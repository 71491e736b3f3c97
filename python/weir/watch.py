"""Reports of what the objects of a device are doing, and the watchdog."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Set, Union

from . import _native, life
from ._native import check, lib, text
from .checks import seconds as checked_seconds
from .checks import shown
from .errors import BadArgument, Error, Hang

if TYPE_CHECKING:
    from .device import Device


class Report(NamedTuple):
    """A diagnosis: what the diagnosed objects of a device are doing."""

    text: str
    json: str
    findings: int
    waiting: int

    def __str__(self) -> str:
        return self.text


_watching: Set["Watch"] = set()  # keeps watchdogs alive while the library may call them


class Watch(life.Unique):
    """A running watchdog: use it as `with device.watch(2): ...`."""

    def __init__(self, device: "Device", seconds: float,
                 action: Union[str, Callable[[Report], Any]]) -> None:
        if not callable(action) and (not isinstance(action, str) or action not in ("print", "raise")):
            raise BadArgument(f"a watchdog that does {shown(action)}: \"print\", \"raise\" or a function")
        self.seconds = checked_seconds(seconds, "a watchdog")
        self.device = device
        self.reports: List[Report] = []
        self._action = action
        self._raised = False
        self._callback = _native.WATCH_CALLBACK(self._called)
        self._caller: Optional[int] = None  # the thread that is in the function
        if device._watch is not None:
            device._watch.refuse_own("start another watchdog")
        check(device._call(lib.weir_device_watch, self.seconds, self._callback, None))
        if device._watch is not None:
            device._watch.ended()  # the library has replaced it
        device._watch = self
        _watching.add(self)

    def _called(self, _: Any, raw: Any, __: Any) -> None:
        found = raw.contents
        report = Report(text(found.text), text(found.json), found.findings, found.waiting)
        self.reports.append(report)
        if callable(self._action):
            self._caller = threading.get_ident()
            try:
                self._action(report)
            finally:
                self._caller = None
        elif self._action == "print":
            print(f"weir: {report.text}", file=sys.stderr, flush=True)
        else:
            # The kernel ends, and so does any wait for it: weir's, CuPy's, PyTorch's or a notebook cell's.
            try:
                self.device._call(lib.weir_device_abort)
            except Error:
                pass  # the device is being closed, and ends the kernel itself

    def hang(self) -> Optional[Hang]:
        """The exception to raise, once."""
        if self._action != "raise" or self._raised or not self.reports:
            return None
        self._raised = True
        return Hang(self.reports[0].text, self.reports[0].json)

    def refuse_own(self, what: str) -> None:
        """Raises in the watchdog's function, where the library would wait for the calling thread itself."""
        if self._caller == threading.get_ident():
            raise BadArgument(f"a watchdog's function cannot {what}, since that waits for the function: call "
                              "device.abort() to end the kernel")

    def ended(self) -> None:
        """Called when the library no longer uses it."""
        _watching.discard(self)

    def stop(self) -> None:
        """Ends the watchdog. Raises the hang that it found, if it is a raising watchdog and has not raised it yet."""
        self.refuse_own("stop the watchdog")
        if self.device._watch is self:
            self.device._watch = None
            check(self.device._call(lib.weir_device_unwatch))
            self.ended()
        hang = self.hang()
        if hang is not None:
            self.device._settle()
            raise hang

    def __repr__(self) -> str:
        does = self._action if isinstance(self._action, str) else "calls a function"
        state = "" if self.device._watch is self else ", stopped"
        return (f"<weir.Watch on {self.device.info.name}, {self.seconds:g} s, {does}, {len(self.reports)} reports"
                f"{state}>")

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is None:
            self.stop()
            return
        try:
            self.stop()
        except Hang as hang:
            raise hang from value
        except Error:
            pass  # the exception being raised says more
