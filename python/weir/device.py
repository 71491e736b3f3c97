"""Devices: opening them, memory, programs, launches, waits and diagnoses."""

from __future__ import annotations

import atexit
import ctypes as c
import operator
import os
import sys
import threading
import time
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple, Union

from . import _native, life, memory, nvrtc, paths, signature
from . import arguments as arguments_of
from ._native import check, lib, text
from .checks import SIZE, U64, encoded, flag, nanoseconds, shown, whole
from .errors import BadArgument, BadType, DeviceClosed, Error, Aborted, NoDevice, NotFound, TimedOut, Unsupported
from .hostrun import HostRun
from .watch import Report, Watch

Dimensions = Union[int, Sequence[int]]
_MACHINES = _native.machines()
# Asks a framework for the number of its current device; None if it has no CUDA device.
_CURRENT: Dict[str, Callable[[Any], Optional[int]]] = {
    "cupy": lambda cupy: int(cupy.cuda.Device().id),
    "torch": lambda torch: int(torch.cuda.current_device()) if torch.cuda.is_available() else None,
    "cuda.core": lambda core: int(core.Device().device_id),
}
_CAPABILITY = (75, 76)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
_SLICE_NS = 50_000_000  # how often a wait checks for Ctrl-C and for hangs


class Info(NamedTuple):
    """The properties of a device. `name` opens it."""

    name: str
    machine: str
    description: str
    driver: str
    is_gpu: bool
    units: int
    max_threads_per_block: int
    resident_blocks_at_128: int
    l2_bytes: int
    cluster_blocks: int


def _info(raw: Any) -> Info:
    return Info(text(raw.name), _MACHINES[raw.machine], text(raw.description), text(raw.driver),
                bool(raw.is_gpu), raw.units, raw.max_threads_per_block, raw.resident_blocks_at_128,
                raw.l2_bytes, raw.cluster_blocks)


def devices() -> List[Info]:
    """The usable devices of this computer, best first. The host is always one of them."""
    count = c.c_size_t()
    check(lib.weir_device_list(None, 0, c.byref(count)))
    room = (_native.DeviceInfo * max(count.value, 1))()
    check(lib.weir_device_list(room, len(room), c.byref(count)))
    return [_info(raw) for raw in room[:min(count.value, len(room))]]


def why_no(machine: str) -> str:
    """Why this computer has no device of that machine ("cuda", "opencl"); "" if it has one."""
    if not isinstance(machine, str) or machine not in _MACHINES:
        raise BadArgument(f"no machine is called {shown(machine)}: {', '.join(_MACHINES)}")
    return text(lib.weir_machine_absence(_MACHINES.index(machine)))


class Kernel(life.Unique):
    """A kernel on a CUDA device. It keeps its program alive."""

    def __init__(self, native: int, name: str, owner: Any = None,
                 parameters: Optional[List[signature.Parameter]] = None) -> None:
        self.native = whole(native, "the address of a kernel", U64)
        self.name = name
        self.parameters = parameters
        self.system_scope: Optional[bool] = None  # whether it was compiled for system scope; None: not known
        self._owner = owner

    def _number(self, device: "Device") -> int:
        """Its CUfunction, for a launch on that device."""
        if isinstance(self._owner, Program):
            self._owner._life.check()
            if self._owner.device is not device:
                raise BadArgument(f"{self!r} is a kernel of another device: load its program on {device.info.name}")
        return int(self.native)

    def __repr__(self) -> str:
        count = "" if self.parameters is None else f" of {len(self.parameters)} parameters"
        owner = self._owner if isinstance(self._owner, Program) else None
        return f"<weir.Kernel {self.name}{count}{owner._where() if owner else ''}>"


def given_device(value: Any, what: str) -> "Device":
    """The caller's device, checked to be one."""
    if not isinstance(value, Device):
        raise BadType(f"{shown(value)} is no device: a {what} needs a weir.Device")
    return value


class _Owned(life.Unique):
    """A resource of a device that this package destroys: `_life` ends with the device's."""

    device: "Device"
    _life = life.Life(NotFound, "it was never made: ask a weir.Device for one")
    _life.alive = False

    def _where(self) -> str:
        """For repr: the device, and whether it can be used."""
        if self._life is _Owned._life:
            return ", never made"
        state = ", destroyed" if not self._life.alive else "" if self.device.is_open else ", its device closed"
        return f" on {self.device.info.name}{state}"

    def _begin(self, device: "Device") -> None:
        self.device = device
        self._life = life.Life(NotFound, f"this {type(self).__name__} was destroyed before", device._life)

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a library function that uses it, and raises on an error."""
        self._life.check()
        self.device._outside()
        check(life.call((self._life,), function, *arguments))

    def _end(self) -> None:
        self._life.check()
        self._life.end(f"this {type(self).__name__}")


class Program(_Owned):
    """PTX, a cubin or a fatbin on a CUDA device. Arguments are checked against `source`, its source code."""

    _pointer: Optional[int] = None

    def __init__(self, device: "Device", image: bytes, source: str = "") -> None:
        given_device(device, "Program")
        if not isinstance(image, (bytes, bytearray, memoryview)):
            raise BadType(f"the program is {shown(image)}, but it must be bytes: weir.compile makes them of a text")
        if not image:
            raise BadArgument("the program is empty")
        self._source = source
        self._image = c.create_string_buffer(bytes(image))
        given = _native.ProgramText(cuda_image=c.addressof(self._image))
        pointer = c.c_void_p()
        check(device._call_outside(lib.weir_program_create, c.byref(given), c.byref(pointer)))
        self._pointer = pointer.value
        self._begin(device)

    def kernel(self, name: str) -> Kernel:
        """The kernel with that name, which must be declared `extern "C"`."""
        found = _native.Kernel()
        raw = encoded(name, "the name of a kernel")
        self._call(lib.weir_program_kernel, self._pointer, raw, c.byref(found))
        return Kernel(int(found.native or 0), name, self, signature.read(self._source, name))

    def destroy(self) -> None:
        """Unloads the program. None of its kernels may be running."""
        self._end()
        check(life.call((self.device._life,), lib.weir_program_destroy, self._pointer))

    def __repr__(self) -> str:
        made = f" of {len(self._image)} bytes" if hasattr(self, "_image") else ""
        return f"<weir.Program{made}{self._where()}>"


class Buffer(_Owned):
    """Zeroed memory of a device; freed with the device, or by destroy()."""

    def __init__(self, device: "Device", size: int, shared: bool = False) -> None:
        given_device(device, "Buffer")
        self._raw = _native.Buffer()
        make = lib.weir_buffer_create_shared if flag(shared, "shared") else lib.weir_buffer_create
        check(device._call_outside(make, whole(size, "the size of a buffer", SIZE), c.byref(self._raw)))
        self._begin(device)

    @property
    def address(self) -> int:
        """Its address on the device."""
        self._life.check()
        return int(self._raw.native or 0)

    @property
    def size(self) -> int:
        """Its size in bytes."""
        self._life.check()
        return int(self._raw.bytes)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        self._life.check()
        if self.device.info.machine != "cuda":
            raise AttributeError("only memory of a CUDA device is a CUDA array")
        return {"shape": (self.size,), "typestr": "|u1", "data": (self.address, False), "version": 3,
                "strides": None}

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies bytes or a host array into the buffer."""
        try:
            copy = memoryview(data).tobytes()
        except TypeError:
            raise BadType(f"{shown(data)} is neither bytes nor an array of the host") from None
        self._call(lib.weir_buffer_write, self.device._open(), self._raw, self._offset(offset), copy, len(copy))

    def read(self, size: Optional[int] = None, offset: int = 0) -> bytes:
        """The contents of the buffer."""
        start = self._offset(offset)
        most = self.size - start
        room = c.create_string_buffer(most if size is None else whole(size, "the bytes to read", most))
        self._call(lib.weir_buffer_read, self.device._open(), self._raw, start, room, len(room))
        return room.raw

    def _offset(self, offset: int) -> int:
        return whole(offset, f"an offset into {self.size} bytes", self.size)

    def destroy(self) -> None:
        """Frees the buffer."""
        self._end()
        check(self.device._call(lib.weir_buffer_destroy, c.byref(self._raw)))

    def __enter__(self) -> "Buffer":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._life.alive and self.device.is_open:
            self.destroy()

    def __repr__(self) -> str:
        size = f" of {int(self._raw.bytes)} bytes" if self._life.alive else ""
        return f"<weir.Buffer{size}{self._where()}>"


def _function_of(kernel: int) -> int:
    """The CUfunction, in the current context, of a CUkernel, which cuda.core uses."""
    function = c.c_void_p()
    status = c.CDLL("libcuda.so.1").cuKernelGetFunction(c.byref(function), c.c_void_p(kernel))
    if status != 0 or not function.value:
        raise BadArgument(f"the driver has no function for this kernel (error {status}): call set_current() of its "
                          "cuda.core Device first")
    return int(function.value)


def _three(name: str, given: Dimensions) -> Tuple[int, int, int]:
    if hasattr(given, "__index__") and not getattr(given, "shape", ()):
        values: List[Any] = [given]
    elif isinstance(given, (str, bytes, bytearray)) or not hasattr(given, "__iter__"):
        raise BadType(f"a {name} of {shown(given)}: it is a number, or up to three of them")
    else:
        values = list(given)
    if not 1 <= len(values) <= 3:
        raise BadArgument(f"a {name} of {shown(given)}: it has one to three dimensions")
    values = [whole(value, f"a dimension of a {name}", least=1) for value in values] + [1] * (3 - len(values))
    return values[0], values[1], values[2]


_lost: List[HostRun] = []
_shared: Dict[Optional[str], "Device"] = {}
_shared_lock = threading.Lock()
_open_devices: "weakref.WeakSet[Device]" = weakref.WeakSet()
_running: Set["Device"] = set()  # keeps devices alive that run a launch on the host, which calls Python
_DRAIN_S = 5.0  # how long closing a device waits for calls of other threads


class Device(life.Unique):
    """A device: "host", "cuda:0", "opencl:1"; None for the best one.

    Objects, buffers and launches belong to a device. Close it, or use it in a `with`.
    """

    _pointer: Optional[int] = None
    _watch: Optional[Watch] = None
    _run: Optional[HostRun] = None

    def __init__(self, name: Optional[str] = None) -> None:
        if name is not None and not isinstance(name, str):
            raise BadType(f"{shown(name)} is not the name of a device, such as \"host\" or \"cuda:0\"")
        pointer = c.c_void_p()
        raw_name = encoded(name, "the name of a device") if name is not None else None
        check(lib.weir_device_open_for(paths.version().encode(), raw_name, c.byref(pointer)))
        self._pointer = pointer.value
        self._life = life.Life(DeviceClosed, "the device is closed: open another one")
        self._number: Optional[int] = None
        raw = _native.DeviceInfo()
        check(lib.weir_device_describe(self._pointer, c.byref(raw)))
        self.info = _info(raw)
        _open_devices.add(self)

    @staticmethod
    def shared(name: Optional[str] = None) -> "Device":
        """The device of that name that the whole process shares: opened once, until it is closed."""
        with _shared_lock:
            device = _shared.get(name)
            if device is None or not device.is_open:
                device = _shared[name] = Device(name)
            return device

    @staticmethod
    def current() -> "Device":
        """The current device of CuPy, PyTorch or cuda.core, whichever is imported, or else the best device. It
        is shared: the same object each time."""
        for module, number in _CURRENT.items():
            if module in sys.modules:
                try:
                    found = number(sys.modules[module])
                except Exception as error:
                    raise Error(f"{module} has no current device: {error}") from error
                if found is not None:
                    return Device.of_cuda(found)
        return Device.shared()

    @staticmethod
    def of_cuda(number: int) -> "Device":
        """The shared device for the CUDA device with that number in CUDA's numbering. weir's own names skip
        devices that are too old."""
        number = whole(number, "the number of a CUDA device")
        named = sum(info.machine == "cuda" for info in devices())
        for index in range(min(number, named - 1), -1, -1):
            try:
                device = Device.shared(f"cuda:{index}")
            except NoDevice:
                continue
            if device.number == number:
                return device
        raise Unsupported(why_no("cuda") or f"CUDA device {number} is none that weir can use: it has to be sm_70 "
                          "(Volta) or newer")

    def _open(self) -> int:
        if self._pointer is None:
            raise DeviceClosed("the device is closed: open another one")
        self._life.check()
        return self._pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a library function whose first argument is the device, which is not closed during the call."""
        pointer = c.c_void_p(self._open())
        return int(life.call((self._life,), function, pointer, *arguments))

    def _outside(self) -> None:
        """Raises in a kernel on this device: for functions that wait until no kernel runs."""
        if self._run is not None and threading.get_ident() in self._run.threads:
            raise BadArgument(f"this waits for the kernel that calls it: do it on the host's side, after the launch")

    def _call_outside(self, function: Callable[..., int], *arguments: Any) -> int:
        self._outside()
        return self._call(function, *arguments)

    @property
    def is_open(self) -> bool:
        """Whether the device is open."""
        return self._pointer is not None and self._life.alive

    @property
    def number(self) -> Optional[int]:
        """The number of a CUDA device in CUDA's numbering; None for any other device."""
        if self.info.machine == "cuda" and self._number is None:
            handles, found = _native.CudaHandles(), c.c_int(-1)
            check(self._call(lib.weir_device_cuda_handles, c.byref(handles)))
            driver, number = c.CDLL("libcuda.so.1"), 0
            while driver.cuDeviceGet(c.byref(found), number) == 0 and found.value != handles.device:
                number += 1
            self._number = number
        return self._number

    @property
    def architecture(self) -> str:
        """What to compile for on a CUDA device, or on ptx: "compute_90", say."""
        if self.info.machine == "ptx":
            return "compute_90"
        handles, parts = _native.CudaHandles(), (c.c_int(), c.c_int())
        check(self._call(lib.weir_device_cuda_handles, c.byref(handles)))
        for part, attribute in zip(parts, _CAPABILITY):
            c.CDLL("libcuda.so.1").cuDeviceGetAttribute(c.byref(part), attribute, handles.device)
        return nvrtc.architecture((parts[0].value, parts[1].value))

    @property
    def defaults_from(self) -> str:
        """The profile from which this device's default kinds are taken."""
        return text(life.call((self._life,), lib.weir_device_defaults_from, self._open()))

    @property
    def stream(self) -> int:
        """weir's own CUstream on a CUDA device, which launches use unless they name another stream."""
        handles = _native.CudaHandles()
        check(self._call(lib.weir_device_cuda_handles, c.byref(handles)))
        return int(handles.stream or 0)

    def __repr__(self) -> str:
        if self._pointer is None and not hasattr(self, "info"):
            return "<weir.Device, never made>"
        return f"<weir.Device {self.info.name}, {self.info.units} units{'' if self.is_open else ', closed'}>"

    def close(self) -> None:
        """Ends running host kernels, closes the device and destroys everything left on it."""
        pointer, run = self._pointer, self._run
        if pointer is None:
            return
        self._outside()
        if self._watch is not None:
            self._watch.refuse_own("close the device")
        if run is not None:
            self._end_run(run)
        self._drain()
        self._pointer = None
        _open_devices.discard(self)
        if self._watch is not None:
            watch = self._watch
            self._watch = None
            check(lib.weir_device_unwatch(pointer))
            watch.ended()
        check(lib.weir_device_close(pointer))

    def _drain(self) -> None:
        """Refuses new calls, and waits for the calls of other threads."""
        end = time.monotonic() + _DRAIN_S
        self._life.alive = False
        while self._life.in_use():
            if time.monotonic() > end:
                self._life.alive = True
                raise BadArgument("the device is in use: a thread is waiting in a call on it, or in an operation of one "
                                  "of its objects. Let that end before the device is closed")
            time.sleep(0.005)

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- memory and programs ----

    def buffer(self, size: int, shared: bool = False) -> Buffer:
        """Zeroed device memory; with `shared`, memory that the host may use while a kernel runs."""
        return Buffer(self, size, shared)

    def program(self, image: bytes, source: str = "") -> Program:
        """Loads PTX, a cubin or a fatbin. weir.compile makes PTX from a text."""
        if self.info.machine not in ("cuda", "ptx"):
            raise Unsupported(f"{self.info.name} runs no CUDA program: on the host, a kernel is a Python function")
        return Program(self, image, source)

    # ---- launches ----

    def _kernel(self, kernel: Any) -> Tuple[int, Optional[List[signature.Parameter]]]:
        """The CUfunction and the parameters of a kernel of weir, CuPy, PyTorch or cuda.core."""
        parameters = getattr(kernel, "parameters", None)
        parameters = parameters if isinstance(parameters, list) else None
        if isinstance(kernel, Kernel):
            return kernel._number(self), parameters
        if self.info.machine == "ptx":
            raise BadType(f"a {type(kernel).__name__} is no kernel of {self.info.name}: load PTX with Device.program")
        code, name = getattr(kernel, "code", None), getattr(kernel, "name", None)
        if parameters is None and isinstance(code, str) and isinstance(name, str):
            parameters = signature.read(code, name)
        for path in (("kernel", "ptr"), ("ptr",), ("func",), ("handle",)):
            found = kernel
            for part in path:
                found = getattr(found, part, None)
            value = getattr(found, "value", found)
            try:
                if value is not None:
                    number = int(value)
                    return (_function_of(number) if type(value).__name__ == "CUkernel" else number), parameters
            except (TypeError, ValueError):
                continue
        if isinstance(kernel, int) and not isinstance(kernel, bool):
            return whole(kernel, "the address of a kernel", U64, 1), parameters
        raise BadType(f"a {type(kernel).__name__} is no CUDA kernel: give one of CuPy, PyTorch, cuda.core "
                          "or weir, or the address of its CUfunction")

    def resident_blocks(self, kernel: Any, threads: int, shared_bytes: int = 0) -> int:
        """How many blocks of the kernel run at once on this device."""
        raw = self._raw_kernel(kernel)
        blocks = c.c_uint32()
        check(self._call(lib.weir_kernel_resident_blocks, raw, whole(threads, "threads", least=1),
                         whole(shared_bytes, "shared_bytes", SIZE), c.byref(blocks)))
        return blocks.value

    def _raw_kernel(self, kernel: Any) -> Any:
        if self.info.machine == "host":
            if not callable(kernel):
                raise BadType(f"a {type(kernel).__name__} cannot be called: a kernel of the host is a function")
            return _native.Kernel(None, 1)  # the result does not depend on the function
        return _native.Kernel(self._kernel(kernel)[0], None)

    def launch(self, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *,
               barrier: Any = None, cooperative: bool = False, cluster: Dimensions = 1,
               shared_bytes: int = 0, stream: Any = None) -> None:
        """Starts a kernel and returns.

        On the host a kernel is a Python function that runs once in every thread of every block. On a CUDA
        device it is a kernel of weir, CuPy, PyTorch or cuda.core. With `barrier` or `cooperative` all
        blocks must run at once: a grid that does not fit is refused with TooManyBlocks.
        """
        from .object import Handle

        self._open()
        if self.info.machine not in ("cuda", "ptx", "host"):
            raise Unsupported(f"kernels of {self.info.name} are not launched from Python: open \"host\" or a CUDA device")
        if isinstance(arguments, str) or not isinstance(arguments, Sequence):
            raise BadType(f"the arguments of a kernel are a tuple or a list, not {shown(arguments)}")
        launch = _native.Launch()
        launch.grid[:] = _three("grid", grid)
        launch.block[:] = _three("block", block)
        launch.cluster[:] = _three("cluster", cluster)
        launch.shared_bytes = whole(shared_bytes, "shared_bytes", SIZE)
        launch.cooperative = flag(cooperative, "cooperative")
        for value in arguments:
            if isinstance(value, Handle):
                value.check_launch(kernel, launch.grid[0] * launch.grid[1] * launch.grid[2])
        if barrier is not None:
            if getattr(barrier, "c_type", "") != "weir_barrier":
                raise BadType(f"barrier is {shown(barrier)}, but it must be a weir.Barrier")
            barrier.check_on(self)
            launch.barrier = c.addressof(barrier.handle)
        if self.info.machine == "host":
            self._launch_on_host(launch, kernel, arguments, stream)
            return
        native, parameters = self._kernel(kernel)
        if parameters is not None and len(parameters) != len(arguments):
            raise BadArgument(f"{len(arguments)} arguments for a kernel that takes {len(parameters)}")
        values = [arguments_of.pack(self, value, number, parameters[number] if parameters else None)
                  for number, value in enumerate(arguments)]
        kept = [c.create_string_buffer(value, len(value)) for value in values]
        raw = (_native.Argument * max(len(kept), 1))()
        for place, (room, value) in enumerate(zip(kept, values)):
            raw[place] = _native.Argument(c.addressof(room), len(value))
        launch.kernel = _native.Kernel(native, None)
        launch.stream = memory.stream_pointer(stream)
        launch.arguments = raw
        launch.argument_count = len(kept)
        check(self._call(lib.weir_kernel_launch_sized, c.byref(launch), c.sizeof(launch)))

    def _launch_on_host(self, launch: Any, kernel: Any, arguments: Sequence[Any], stream: Any) -> None:
        from .object import Handle

        if not callable(kernel):
            raise BadType(f"a {type(kernel).__name__} cannot be called: a kernel of the host is a function")
        if stream is not None:
            raise Unsupported("the host machine has no streams")
        for value in arguments:
            if isinstance(value, Handle):
                value.check_on(self)
                value.check_meeting(launch.grid[0] * launch.grid[1] * launch.grid[2])
        if self._run is not None:
            self.wait()
        run = HostRun(kernel, arguments)
        launch.kernel = _native.Kernel(None, c.cast(run.entry, c.c_void_p))
        self._open()
        self._set_run(run)
        try:
            check(self._call(lib.weir_kernel_launch_sized, c.byref(launch), c.sizeof(launch)))
        except Error:
            self._set_run(None)
            raise

    def _set_run(self, run: Optional[HostRun]) -> None:
        self._run = run
        (_running.discard if run is None else _running.add)(self)

    def wait(self, timeout: Optional[float] = None) -> float:
        """Waits until weir's own stream is done, and returns the milliseconds of its last launch.

        Raises TimedOut if the kernel still runs after `timeout` seconds, KernelError if a Python kernel
        raised an exception, and Hang if a raising watchdog found a hang. Ctrl-C ends a launch on the host,
        and the waits of diagnosed objects on a GPU.
        """
        return self._wait(timeout, False)

    def _wait(self, timeout: Optional[float], ends: bool) -> float:
        self._outside()
        end = None if timeout is None else time.monotonic_ns() + nanoseconds(timeout)
        elapsed = c.c_double()
        try:
            while True:
                left = _SLICE_NS if end is None else end - time.monotonic_ns()
                status = self._call(lib.weir_device_wait, c.c_uint64(min(max(left, 1), _SLICE_NS)), c.byref(elapsed))
                if status != TimedOut.status:
                    break
                if timeout is not None and end is not None and time.monotonic_ns() >= end:
                    self._late(timeout, ends)
        except KeyboardInterrupt:
            self._interrupt()
            raise
        self._after(status)
        return elapsed.value

    def _late(self, timeout: float, ends: bool) -> NoReturn:
        """Raises TimedOut, which says where the kernel is. First ends the kernel if that is possible."""
        run = self._run
        where = run.where() if run is not None else ""
        try:
            report: Optional[Report] = self.diagnose()
        except Error:  # there are no diagnosed objects
            report = None
        said = f"the kernel still runs after {timeout:g} s"
        if run is not None and ends:
            said = f"the kernel did not end within {timeout:g} s, and was ended"
            if not self._end_run(run):
                said = f"the kernel did not end within {timeout:g} s, and has not ended since"
        details = [where] if where else []
        if report is not None and report.text.strip():
            details.append(report.text.strip())
        elif run is not None or self.info.machine == "cuda":
            details.append("objects made with diagnose=True would say what they wait for")
        raise TimedOut("\n".join([": ".join([said, *details[:1]]), *details[1:]]), report)

    def _after(self, status: int) -> None:
        """Raises the error of a launch that has ended."""
        error = _native.failure(status) if status != 0 else None
        run = self._run
        self._set_run(None)
        if run is not None and run.failure is not None:
            raise run.failure
        hang = self._watch.hang() if self._watch is not None else None
        if hang is not None:
            raise hang from error
        if error is not None:
            raise error
        if run is not None and run.ending:
            raise Aborted("the launch was ended")

    def _settle(self) -> None:
        """After an abort without a wait: waits until the kernel has ended, on any stream. Otherwise the next
        launch could see the abort."""
        if self.info.machine == "cuda":
            c.CDLL("libcuda.so.1").cuCtxSynchronize()
        if self._call(lib.weir_device_wait, c.c_uint64(10_000_000_000), None) != TimedOut.status:
            self._set_run(None)

    def _interrupt(self) -> None:
        if self._run is not None:
            self._end_run(self._run)
        elif self._pointer is not None:
            self._call(lib.weir_device_abort)  # this fails without diagnosed objects, and then nothing helps

    def _end_run(self, run: HostRun) -> bool:
        """Ends a launch on the host and waits briefly for its threads. Returns False if they do not end."""
        end = time.monotonic() + 10
        ended = False
        while not ended and time.monotonic() < end:
            self._call(lib.weir_python_end)
            run.stop()
            ended = self._call(lib.weir_device_wait, c.c_uint64(_SLICE_NS), None) != TimedOut.status
        if not ended:
            _lost.append(run)  # its threads may still call it
        self._set_run(None)
        return ended

    def run(self, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *,
            timeout: Optional[float] = None, **options: Any) -> float:
        """Calls launch and wait. On the host, a kernel that exceeds the timeout is ended before TimedOut is raised."""
        if timeout is not None:
            nanoseconds(timeout)  # raises before anything is launched
        self.launch(kernel, grid, block, arguments, **options)
        return self._wait(timeout, True)

    # ---- diagnosis ----

    def diagnose(self) -> Report:
        """Reports what the diagnosed objects of this device are doing, even while a kernel runs."""
        raw = _native.Diagnosis()
        check(self._call(lib.weir_device_diagnose, c.byref(raw)))
        report = Report(text(raw.text), text(raw.json), raw.findings, raw.waiting)
        lib.weir_diagnosis_destroy(c.byref(raw))
        return report

    def watch(self, seconds: float = 5.0, action: Union[str, Callable[[Report], Any]] = "print") -> Watch:
        """Starts a watchdog: when a block has waited for `seconds`, it prints a report, or ends the kernel
        and raises Hang, or calls a function with the report. It sees objects that were created with
        diagnose=True.

        The report goes to Python's sys.stderr from a separate thread, so a notebook shows it while the
        cell still runs.
        """
        return Watch(self, seconds, action)

    def abort(self) -> None:
        """Ends every wait of the running kernel, and the kernel with it: on the host any wait, on CUDA those of kernels that
        are compiled with -DWEIR_ABORTABLE, and waits for objects with diagnose=True. Raises Unsupported where there are none."""
        status = self._call(lib.weir_device_abort)
        if status == 0 and self._run is not None:
            self._run.stop()
        check(status)


def _forget_all() -> None:
    """A forked child has none of the threads of its parent's kernels."""
    _running.clear()
    _open_devices.clear()


os.register_at_fork(after_in_child=_forget_all)


@atexit.register
def _end_all() -> None:
    """No thread of a kernel may return to an interpreter that has ended."""
    for device in list(_running):
        if device._run is not None and device.is_open:
            device._end_run(device._run)
    for device in list(_open_devices):
        if device._watch is not None and device.is_open:
            device._call(lib.weir_device_unwatch)
