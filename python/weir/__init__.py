"""weir: synchronization primitives between GPU thread blocks.

Kernels include weir/device.h (include_dir) or start with headers(). They need no cooperative_groups.h, no
CUDA toolkit and no host headers. Without a GPU, kernels are Python functions on the device "host".
"""

from __future__ import annotations

from . import host
from ._native import lib as _lib
from ._native import text as _text
from .barriers import Barrier, Group, Member, group_mask, group_range
from .check_report import CheckReport, Explored, Finding, Place
from .checking import check, run
from .combiner import Combiner
from .command import run_program
from .crews import Crew, CrewReport, RankReport
from .device import Buffer, Device, Info, Kernel, Program, devices, why_no
from .errors import (Aborted, BadArgument, BadProgram, BadType, Busy, Closed, CrewAborted, DeviceClosed, DriverError,
                     Error, Hang, KernelError, LaunchEnded, LaunchFailed, NoDevice, NoMemory, NoRank, NotFound,
                     OtherVersion, Stuck, TimedOut, TooManyBlocks, Unsupported)
from .events import Event, EventArray, Latch, OrderedSection
from .locks import Condition, Mutex, MutexArray, Once, RWLock, Semaphore
from .nvrtc import compile
from .object import Handle, Object
from .paths import headers, include_dir, library, program
from .queues import HOST_POPS, HOST_PUSHES, ONE_POPS, ONE_PUSHES, Dispenser, Queue, Tasks
from .ranks import CrewData, CrewEvent, CrewQueue
from .shared_crews import SharedCrew
from .watch import Report, Watch

__version__ = _text(_lib.weir_version())

__all__ = [
    "Aborted", "BadArgument", "BadProgram", "BadType", "Barrier", "Buffer", "Busy", "check", "CheckReport",
    "Closed", "Combiner", "compile", "Condition", "Crew", "CrewAborted", "CrewData", "CrewEvent", "CrewQueue",
    "CrewReport", "Device", "DeviceClosed", "devices", "Dispenser", "DriverError", "Error", "Event", "EventArray",
    "Explored", "Finding", "Group", "group_mask", "group_range", "Handle", "Hang", "headers", "host", "HOST_POPS",
    "HOST_PUSHES", "include_dir", "Info", "Kernel", "KernelError", "Latch", "LaunchEnded", "LaunchFailed",
    "library", "Member", "Mutex", "MutexArray", "NoDevice", "NoMemory", "NoRank", "NotFound", "Object", "Once",
    "ONE_POPS", "ONE_PUSHES", "OrderedSection", "OtherVersion", "Place", "Program", "program", "Queue",
    "RankReport", "Report", "run", "run_program", "RWLock", "Semaphore", "SharedCrew", "Stuck", "Tasks", "TimedOut",
    "TooManyBlocks", "Unsupported", "Watch", "why_no",
]
