"""The exceptions of weir. Each has the library's status and its error text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Optional, Tuple, Type

if TYPE_CHECKING:
    from .watch import Report


class Error(Exception):
    """A call of the library failed. `status` is the number of its weir_status, `name` its name.

    Every exception can be made from just its text and keeps the rest as attributes, so it can be pickled, for example
    by a process pool."""

    status = -1
    name = "ERROR"


class BadArgument(Error, ValueError):
    """An invalid argument: a zero count, an unknown kind, an array of another type."""


class BadType(BadArgument, TypeError):
    """An argument of the wrong type: a count that is not a whole number, an object of another class."""


class NoDevice(Error):
    """The device does not exist here, or there is no driver for it."""


class DeviceClosed(Error):
    """The device has been closed."""


class NotFound(Error, LookupError):
    """The object is not on this device or has been destroyed, or the kernel does not exist."""


class Unsupported(Error):
    """The device or the kind does not support this."""


class TooManyBlocks(Error):
    """The grid does not fit on the device at once."""


class NoMemory(Error, MemoryError):
    """The device or the host has no memory left."""


class BadProgram(Error):
    """A compiler or a loader refused the program. The text includes its messages."""


class TimedOut(Error, TimeoutError):
    """The kernel, the event or the queue was not ready in time. For a kernel, the text says whether it still runs
    and, on the host, where its threads were. `report` is the diagnosis at that moment, or None without diagnosed
    objects."""

    def __init__(self, text: str = "", report: "Optional[Report]" = None) -> None:
        super().__init__(text)
        self.report = report


class Busy(Error):
    """Not possible now: a kernel still runs after a wait for it has timed out."""


class LaunchFailed(Error):
    """A launch ended with an error. A CUDA device can then only be closed."""


class DriverError(Error):
    """Any other error from a driver or the system."""


class Aborted(Error):
    """Device.abort, or a watchdog, ended the waits of a launch."""


class Stuck(Error):
    """A run left tasks that cannot finish."""


class Closed(Error):
    """The queue is closed: it accepts no push, or has no item left for a pop."""


class OtherVersion(Error):
    """A kernel was compiled with the headers of another version of weir. Use the headers in weir.include_dir()."""


class NoRank(Error):
    """A rank of a crew did not arrive, or is gone."""


class CrewAborted(Error):
    """A rank has aborted the crew, which is then over. The text says which rank, and which ranks are missing."""


class KernelError(Error):
    """A kernel that is a Python function raised an exception, which is the cause of this one."""

    def __init__(self, text: str, block: int = -1, thread: int = -1) -> None:
        super().__init__(text)
        self.block = block
        self.thread = thread


class Hang(Error):
    """A watchdog found a hang. The text is the diagnosis; `json` is the same for programs."""

    def __init__(self, text: str, json: str = "") -> None:
        super().__init__(text)
        self.json = json


class LaunchEnded(BaseException):
    """Raised inside a kernel that is a Python function when its launch has ended. Do not catch it."""


# By the numbers of weir_status.
STATUSES: Dict[int, Tuple[str, Type[Error]]] = {
    0: ("OK", Error),
    1: ("BUSY", Busy),
    2: ("TIMED_OUT", TimedOut),
    3: ("ABORTED", Aborted),
    4: ("CLOSED", Closed),
    16: ("BAD_ARGUMENT", BadArgument),
    17: ("NO_DEVICE", NoDevice),
    18: ("DEVICE_CLOSED", DeviceClosed),
    19: ("NOT_FOUND", NotFound),
    20: ("UNSUPPORTED", Unsupported),
    21: ("TOO_MANY_BLOCKS", TooManyBlocks),
    22: ("NO_MEMORY", NoMemory),
    23: ("BAD_PROGRAM", BadProgram),
    24: ("LAUNCH_FAILED", LaunchFailed),
    25: ("DRIVER_ERROR", DriverError),
    26: ("STUCK", Stuck),
    27: ("OTHER_VERSION", OtherVersion),
    28: ("NO_RANK", NoRank),
}

for _status, (_name, _type) in STATUSES.items():
    if _type is not Error:
        _type.status = _status
        _type.name = _name
