"""Reports of what the objects of a device are doing, and the watchdog."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Union

from . import _native
from ._native import check, lib, text
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


class Watch:
    """A watchdog, until it is stopped: use it as `with device.watch(2): ...`."""

    def __init__(self, device: "Device", seconds: float,
                 action: Union[str, Callable[[Report], Any]]) -> None:
        if action not in ("print", "raise") and not callable(action):
            raise BadArgument(f"a watchdog that does {action!r}: \"print\", \"raise\" or a function")
        self.device = device
        self.reports: List[Report] = []
        self._action = action
        self._raised = False
        self._callback = _native.WATCH_CALLBACK(self._called)
        check(lib.weir_device_watch(device._open(), seconds, self._callback, None))
        device._watch = self

    def _called(self, _: Any, raw: Any, __: Any) -> None:
        found = raw.contents
        report = Report(text(found.text), text(found.json), found.findings, found.waiting)
        self.reports.append(report)
        if callable(self._action):
            self._action(report)
        elif self._action == "print":
            print(f"weir: {report.text}", file=sys.stderr, flush=True)
        else:
            # The kernel ends, and with it whatever waits for it: weir, CuPy, PyTorch or a notebook's cell.
            lib.weir_device_abort(self.device._pointer)

    def hang(self) -> Optional[Hang]:
        """The exception to raise, once."""
        if self._action != "raise" or self._raised or not self.reports:
            return None
        self._raised = True
        return Hang(self.reports[0].text, self.reports[0].json)

    def stop(self) -> None:
        """Ends the watchdog. Raises what it found, if that was its task and nobody has yet."""
        if self.device._watch is self:
            self.device._watch = None
            check(lib.weir_device_unwatch(self.device._open()))
        hang = self.hang()
        if hang is not None:
            self.device._settle()
            raise hang

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
            pass  # the exception on its way says more
