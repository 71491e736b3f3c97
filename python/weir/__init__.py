"""weir: synchronization primitives between GPU thread blocks.

Kernels include weir/device.h (include_dir) or begin with headers(). They need no cooperative_groups.h, no
CUDA toolkit and no host headers. Without a GPU, kernels are Python functions on the device "host".
"""

from __future__ import annotations

from . import host
from ._native import lib as _lib
from ._native import text as _text
from .barriers import Barrier, Group, Member, group_mask, group_range
from .combine import Combine
from .command import run_program
from .device import Buffer, Device, Info, Kernel, Program, devices, why_no
from .errors import (BadArgument, BadProgram, Closed, DriverError, Ended, Error, Hang, KernelError, LaunchAborted,
                     LaunchEnded, LaunchFailed, NoDevice, NoMemory, NoRank, NotFound, OtherVersion, Stuck, TimedOut,
                     TooManyBlocks, Unsupported)
from .events import Event, EventArray, Latch, OrderedSection
from .locks import Condition, Mutex, MutexArray, Once, RWLock, Semaphore
from .nvrtc import compile
from .object import Object
from .queues import HOST_POPS, HOST_PUSHES, ONE_POPS, ONE_PUSHES, Dispenser, Queue, Tasks
from .paths import headers, include_dir, library, program
from .watch import Report, Watch

__version__ = _text(_lib.weir_version())

__all__ = [
    "BadArgument", "BadProgram", "Barrier", "Buffer", "Closed", "Combine", "Condition", "Device", "Dispenser",
    "DriverError", "Ended", "Error", "Event", "EventArray", "Group", "HOST_POPS", "HOST_PUSHES", "Hang", "Info",
    "Kernel", "KernelError", "Latch", "LaunchAborted", "LaunchEnded", "LaunchFailed", "Member", "Mutex", "MutexArray",
    "NoDevice", "NoMemory", "NoRank", "NotFound", "ONE_POPS", "ONE_PUSHES", "Object", "Once",
    "OtherVersion", "Program", "Queue", "RWLock",
    "Report", "Semaphore", "OrderedSection", "Stuck", "Tasks", "TimedOut", "TooManyBlocks", "Unsupported", "Watch",
    "compile", "devices", "group_mask", "group_range", "headers", "host", "include_dir", "library", "program",
    "run_program", "why_no",
]
