"""The shared library, through ctypes: its structures, its functions and its errors.

The library reports the layout of its structures, and the structures here are built from that or
compared with it, so a library of another version is refused when it is loaded.
"""

from __future__ import annotations

import ctypes as c
import sys
from typing import Any, Dict, List, Optional, Tuple, Type

from . import errors, life, paths
from .checks import U64, whole

try:
    lib = c.CDLL(paths.library())
except OSError as error:
    raise ImportError(
        f"weir: the shared library does not load: {error}. The wheel is for Linux with glibc; for another "
        "system, install from the source distribution"
    ) from None


class _Member(c.Structure):
    _fields_ = [("structure", c.c_char_p), ("member", c.c_char_p), ("offset", c.c_size_t),
                ("bytes", c.c_size_t)]


def _read_layouts() -> Dict[str, Tuple[int, Dict[str, Tuple[int, int]]]]:
    """The size of each structure, and the offset and the size of each of its members."""
    lib.weir_python_members.restype = c.POINTER(_Member)
    rows = lib.weir_python_members()
    found: Dict[str, Tuple[int, Dict[str, Tuple[int, int]]]] = {}
    index = 0
    while rows[index].structure:
        row = rows[index]
        name = row.structure.decode()
        if row.member is None:
            found[name] = (row.bytes, {})
        else:
            found[name][1][row.member.decode()] = (row.offset, row.bytes)
        index += 1
    return found


LAYOUTS = _read_layouts()
_POINTERS = ("words", "table")  # members of handles


def _check_layout(structure: Type[c.Structure], name: str) -> None:
    size, members = LAYOUTS[name]
    mine = {field[0]: (getattr(structure, field[0]).offset, getattr(structure, field[0]).size)
            for field in structure._fields_}
    if mine != members or c.sizeof(structure) != size:
        raise ImportError(f"weir: {name} of the shared library is not that of the package; install weir again")


def handle_type(name: str) -> Type[c.Structure]:
    """The structure of a handle, with the library's layout: pointers, and 32-bit and 64-bit numbers."""
    size, members = LAYOUTS[name]
    fields: List[Tuple[str, Any]] = []
    for member, (_, length) in sorted(members.items(), key=lambda item: item[1][0]):
        fields.append((member, c.c_void_p if member in _POINTERS else {4: c.c_uint32, 8: c.c_uint64}[length]))
    made = type(name, (c.Structure,), {"_fields_": fields})
    _check_layout(made, name)
    return made


# The members of options that are not 32-bit numbers.
_OPTION_TYPES: Dict[str, Any] = {"memory": c.c_void_p, "memory_offset": c.c_size_t, "memory_bytes": c.c_size_t,
                                 "name": c.c_char_p, "reserved": c.c_uint64 * 4}
# The members that are true or false.
FLAGS = frozenset(("diagnose", "compact", "has_backoff", "fair", "part_of_grid", "has_delay", "host_visible", "local",
                   "served"))


def options_type(name: str) -> Type[c.Structure]:
    """The structure of a primitive's options. Nested members have the name of their parent as a prefix, except for
    `object`."""
    size, members = LAYOUTS[name]
    fields: List[Tuple[str, Any]] = []
    places = {}
    for member, (offset, length) in sorted(members.items(), key=lambda item: item[1][0]):
        own = member[len("object."):] if member.startswith("object.") else member.replace(".", "_")
        fields.append((own, _OPTION_TYPES.get(own, c.c_int if own in FLAGS else c.c_uint32)))
        places[own] = (offset, length)
    made = type(name, (c.Structure,), {"_fields_": fields})
    mine = {field[0]: (getattr(made, field[0]).offset, getattr(made, field[0]).size) for field in fields}
    if mine != places or c.sizeof(made) != size:
        raise ImportError(f"weir: {name} of the shared library is not that of the package; install weir again")
    return made


def numpy_type(name: str) -> Any:
    """The same as a NumPy type."""
    import numpy

    size, members = LAYOUTS[name]
    names = sorted(members, key=lambda member: members[member][0])
    return numpy.dtype({
        "names": names,
        "formats": [f"u{members[member][1]}" for member in names],
        "offsets": [members[member][0] for member in names],
        "itemsize": size,
    }, align=True)


class DeviceInfo(c.Structure):
    _fields_ = [
        ("machine", c.c_int), ("name", c.c_char * 32), ("description", c.c_char * 128),
        ("driver", c.c_char * 64), ("is_gpu", c.c_int), ("units", c.c_uint32),
        ("max_threads_per_block", c.c_uint32), ("resident_blocks_at_128", c.c_uint32),
        ("l2_bytes", c.c_uint64), ("cluster_blocks", c.c_uint32),
    ]


class CudaHandles(c.Structure):
    _fields_ = [("device", c.c_int), ("context", c.c_void_p), ("stream", c.c_void_p)]


class Buffer(c.Structure):
    _fields_ = [("native", c.c_void_p), ("bytes", c.c_size_t)]


class Graph(c.Structure):
    _fields_ = [
        ("tasks", c.c_uint32), ("first", c.POINTER(c.c_uint32)), ("successors", c.POINTER(c.c_uint32)),
        ("counts", c.POINTER(c.c_uint32)), ("levels", c.POINTER(c.c_uint8)), ("is_trusted", c.c_int),
    ]


HOST_KERNEL = c.CFUNCTYPE(None, c.c_void_p)


class Kernel(c.Structure):
    _fields_ = [("native", c.c_void_p), ("host", c.c_void_p)]


class ProgramText(c.Structure):
    _fields_ = [
        ("cuda_image", c.c_void_p), ("hip_image", c.c_void_p), ("opencl_text", c.c_char_p), ("opencl_options", c.c_char_p),
        ("host_entries", c.c_void_p), ("host_entry_count", c.c_size_t),
    ]


class Argument(c.Structure):
    _fields_ = [("value", c.c_void_p), ("bytes", c.c_size_t)]


class Launch(c.Structure):
    _fields_ = [
        ("kernel", Kernel), ("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3),
        ("cluster", c.c_uint32 * 3), ("shared_bytes", c.c_size_t), ("stream", c.c_void_p),
        ("cooperative", c.c_int), ("barrier", c.c_void_p), ("arguments", c.POINTER(Argument)),
        ("argument_count", c.c_uint32),
    ]


class Diagnosis(c.Structure):
    _fields_ = [("text", c.c_char_p), ("json", c.c_char_p), ("findings", c.c_uint32),
                ("waiting", c.c_uint32)]


class Team(c.Structure):
    _fields_ = [("id", c.c_uint32), ("first", c.c_uint32), ("threads", c.c_uint32)]


class CrewPlace(c.Structure):
    _fields_ = [
        ("rank", c.c_uint32), ("ranks", c.c_uint32), ("sockets", c.c_void_p), ("socket_count", c.c_uint32),
        ("name", c.c_char * 64),
    ]


class CrewOptions(c.Structure):
    _fields_ = [
        ("blocks", c.c_uint32), ("lanes", c.c_uint32), ("events", c.c_uint32), ("queue_slots", c.c_uint32),
        ("radix", c.c_uint32), ("copies", c.c_uint32), ("data_bytes", c.c_size_t), ("seconds", c.c_double),
        ("diagnose", c.c_int), ("name", c.c_char_p),
    ]


class RankReport(c.Structure):
    _fields_ = [("state", c.c_int), ("pid", c.c_int), ("has_arrived", c.c_int), ("passed", c.c_uint32),
                ("arrived", c.c_uint32)]


class CrewReport(c.Structure):
    _fields_ = [
        ("ranks", c.c_uint32), ("missing", c.c_uint32), ("gone", c.c_uint32), ("phase", c.c_uint32),
        ("lane", c.c_uint32), ("rank", c.POINTER(RankReport)), ("text", c.c_char_p),
    ]


class Call(c.Structure):
    _fields_ = [
        ("object", c.c_void_p), ("other", c.c_void_p), ("items", c.c_void_p), ("site", c.c_uint64),
        ("ns", c.c_uint64), ("numbers", c.c_uint64 * 4), ("result", c.c_uint64), ("team", Team),
    ]


for _structure, _name in (
    (DeviceInfo, "weir_device_info"), (CudaHandles, "weir_cuda_handles"), (Buffer, "weir_buffer"),
    (Graph, "weir_graph"), (Kernel, "weir_kernel"),
    (ProgramText, "weir_program_text"), (Argument, "weir_argument"), (Launch, "weir_launch"),
    (Diagnosis, "weir_diagnosis"), (Call, "weir_python_call"), (CrewPlace, "weir_crew_place"),
    (CrewOptions, "weir_crew_options"), (RankReport, "weir_rank_report"), (CrewReport, "weir_crew_report"),
):
    _check_layout(_structure, _name)

WATCH_CALLBACK = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Diagnosis), c.c_void_p)
SIZES = (c.POINTER(c.c_size_t), c.POINTER(c.c_size_t))


def _declare(name: str, *arguments: Any, result: Any = c.c_int) -> None:
    function = getattr(lib, name)
    function.argtypes = arguments
    function.restype = result


_P, _U32, _U64 = c.c_void_p, c.c_uint32, c.c_uint64
_declare("weir_error_text", result=c.c_char_p)
_declare("weir_status_text", c.c_int, result=c.c_char_p)
_declare("weir_version", result=c.c_char_p)
_declare("weir_device_list", c.POINTER(DeviceInfo), c.c_size_t, c.POINTER(c.c_size_t))
_declare("weir_machine_absence", c.c_int, result=c.c_char_p)
_declare("weir_machine_name", c.c_int, result=c.c_char_p)
_declare("weir_device_open_for", c.c_char_p, c.c_char_p, c.POINTER(_P))
_declare("weir_device_close", _P)
_declare("weir_device_describe", _P, c.POINTER(DeviceInfo))
_declare("weir_device_cuda_handles", _P, c.POINTER(CudaHandles))
_declare("weir_device_defaults_from", _P, result=c.c_char_p)
_declare("weir_buffer_create", _P, c.c_size_t, c.POINTER(Buffer))
_declare("weir_buffer_create_shared", _P, c.c_size_t, c.POINTER(Buffer))
_declare("weir_buffer_write", _P, Buffer, c.c_size_t, _P, c.c_size_t)
_declare("weir_buffer_read", _P, Buffer, c.c_size_t, _P, c.c_size_t)
_declare("weir_buffer_destroy", _P, c.POINTER(Buffer))
_declare("weir_program_create", _P, c.POINTER(ProgramText), c.POINTER(_P))
_declare("weir_program_kernel", _P, c.c_char_p, c.POINTER(Kernel))
_declare("weir_program_destroy", _P)
_declare("weir_kernel_resident_blocks", _P, Kernel, _U32, c.c_size_t, c.POINTER(_U32))
_declare("weir_kernel_launch_sized", _P, c.POINTER(Launch), c.c_size_t)
_declare("weir_device_wait", _P, _U64, c.POINTER(c.c_double))
_declare("weir_device_diagnose", _P, c.POINTER(Diagnosis))
_declare("weir_diagnosis_destroy", c.POINTER(Diagnosis), result=None)
_declare("weir_device_watch", _P, c.c_double, WATCH_CALLBACK, _P)
_declare("weir_device_unwatch", _P)
_declare("weir_device_abort", _P)
_declare("weir_crew_place_find", c.POINTER(CrewPlace))
_declare("weir_crew_create", _P, c.POINTER(CrewPlace), c.POINTER(CrewOptions), c.POINTER(_P))
_declare("weir_crew_handle", _P, _P)
_declare("weir_crew_on_device", _P, _P, _P)
_declare("weir_crew_host_abort", _P)
_declare("weir_crew_destroy", c.POINTER(_P))
_declare("weir_crew_diagnose", _P, c.c_double, c.POINTER(CrewReport))
_declare("weir_crew_report_destroy", c.POINTER(CrewReport), result=None)
_declare("weir_python_operation", c.c_char_p)
_declare("weir_python_operation_name", c.c_int, result=c.c_char_p)
_declare("weir_python_do", c.c_int, c.POINTER(Call))
_declare("weir_python_site", c.c_char_p, _U32, result=_U64)
_declare("weir_python_end", _P)
_declare("weir_python_crew_leaves", _P, result=None)
_declare("weir_python_stacks", c.c_size_t, result=None)

# An interpreter needs more stack than a kernel in C. Only the part that is used takes memory.
lib.weir_python_stacks(2 << 20)


def text(value: Any) -> str:
    """A string from the library."""
    return (value or b"").decode("utf-8", "replace")


def machines() -> List[str]:
    """The names of the machines, by their numbers."""
    names: List[str] = []
    while text(lib.weir_machine_name(len(names))) != "unknown":
        names.append(text(lib.weir_machine_name(len(names))))
    return names


def failure(status: int, message: str = "") -> errors.Error:
    """The exception for a status of the library, with its error text."""
    kind: Type[errors.Error] = errors.STATUSES.get(status, ("", errors.Error))[1]
    return kind(message or text(lib.weir_error_text()))


def check(status: int) -> None:
    """Raises the exception for a status, unless it is WEIR_OK."""
    if status != 0:
        raise failure(status)


# ---- operations of kernels on the host machine ----

_sites: Dict[str, Any] = {}


def _site(depth: int) -> int:
    """The calling line of the kernel, for diagnoses: the first frame outside this package."""
    frame = sys._getframe(depth)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    name = frame.f_code.co_filename
    kept = _sites.get(name)
    if kept is None:
        # Never freed: the library reads the name whenever it makes a report.
        kept = _sites.setdefault(name, c.create_string_buffer(name.encode("utf-8", "replace")))
    return int(lib.weir_python_site(c.cast(kept, c.c_char_p), frame.f_lineno))


def operation(name: str) -> int:
    number = int(lib.weir_python_operation(name.encode()))
    if number < 0:
        raise ImportError(f"weir: the shared library has no operation {name}; install weir again")
    return number


def operation_names() -> List[str]:
    """All operations that the library offers to Python kernels."""
    names: List[str] = []
    while lib.weir_python_operation_name(len(names)) is not None:
        names.append(lib.weir_python_operation_name(len(names)).decode())
    return names


_numbers = {name: number for number, name in enumerate(operation_names())}


def do(name: str, handle: Any = None, *numbers: int, other: Any = None, items: Any = None, ns: int = 0,
       index: int = 0, team: Any = None, wide: Optional[int] = None) -> int:
    """Runs an operation in the calling thread. The interpreter's lock is released while it waits. The operation
    takes 32-bit numbers, or one 64-bit number, `wide`."""
    call = Call()
    lives: Tuple[life.Life, ...] = ()
    if handle is not None:
        call.object = c.addressof(handle)
        lives = getattr(handle, "lives", ())
    if other is not None:
        call.other = c.addressof(other)
        lives += getattr(other, "lives", ())
    if items is not None:
        call.items = c.addressof(items)
    if team is not None:
        raw = getattr(team, "raw", team)
        if not isinstance(raw, Team):
            raise errors.BadType(f"a {type(team).__name__} is no team: take one of weir.host")
        call.team = raw
    call.site = _site(2)
    call.ns = ns
    for place, number in enumerate(numbers):
        call.numbers[place] = whole(number)
    if wide is not None:
        call.numbers[0] = whole(wide, most=U64)
    if index:
        call.numbers[3] = whole(index)
    how = life.call(lives, lib.weir_python_do, _numbers[name], c.byref(call))
    if how == 1:
        raise errors.LaunchEnded()
    if how == 2:
        raise errors.BadArgument(text(lib.weir_error_text()))
    if team is not None:
        raw.id, raw.first, raw.threads = call.team.id, call.team.first, call.team.threads
    return int(call.result)
