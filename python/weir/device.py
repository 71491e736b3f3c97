"""Devices: opening them, memory, programs, launches, waits and diagnoses."""

from __future__ import annotations

import atexit
import ctypes as c
import sys
import threading
import time
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _native, memory, nvrtc, paths, signature
from . import arguments as arguments_of
from ._native import check, lib, text
from .errors import BadArgument, Closed, Error, LaunchAborted, NoDevice, NotFound, TimedOut, Unsupported
from .hostrun import HostRun
from .watch import Report, Watch

Dimensions = Union[int, Sequence[int]]
_MACHINES = _native.machines()
# How to ask a framework for the number of its current device; None when it has no CUDA device.
_CURRENT: Dict[str, Callable[[Any], Optional[int]]] = {
    "cupy": lambda cupy: int(cupy.cuda.Device().id),
    "torch": lambda torch: int(torch.cuda.current_device()) if torch.cuda.is_available() else None,
    "cuda.core": lambda core: int(core.Device().device_id),
}
_CAPABILITY = (75, 76)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
_SLICE_NS = 50_000_000  # a wait looks for Ctrl-C and for hangs so often


class Info(NamedTuple):
    """What a device is. `name` opens it."""

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
    """The usable devices here, best first. The host is always one of them."""
    count = c.c_size_t()
    check(lib.weir_device_list(None, 0, c.byref(count)))
    room = (_native.DeviceInfo * max(count.value, 1))()
    check(lib.weir_device_list(room, len(room), c.byref(count)))
    return [_info(raw) for raw in room[:min(count.value, len(room))]]


def why_no(machine: str) -> str:
    """Why there is no device of that machine ("cuda", "opencl") here; "" when there is one."""
    if machine not in _MACHINES:
        raise BadArgument(f"no machine is called {machine!r}: {', '.join(_MACHINES)}")
    return text(lib.weir_machine_absence(_MACHINES.index(machine)))


class Kernel:
    """A kernel on a CUDA device. It keeps what it belongs to."""

    def __init__(self, native: int, name: str, owner: Any = None,
                 parameters: Optional[List[signature.Parameter]] = None) -> None:
        self.native = native
        self.name = name
        self.parameters = parameters
        self.system_scope: Optional[bool] = None  # whether it was compiled so; None: not known
        self._owner = owner

    def __repr__(self) -> str:
        return f"<weir.Kernel {self.name}>"


class Program:
    """PTX, a cubin or a fatbin on a CUDA device; `source` is its text, which arguments are checked by."""

    def __init__(self, device: "Device", image: bytes, source: str = "") -> None:
        self.device = device
        self._source = source
        self._image = c.create_string_buffer(bytes(image))
        given = _native.ProgramText(cuda_image=c.addressof(self._image))
        pointer = c.c_void_p()
        check(lib.weir_program_create(device._open(), c.byref(given), c.byref(pointer)))
        self._pointer: Optional[int] = pointer.value

    def kernel(self, name: str) -> Kernel:
        """The kernel of that name; declare it `extern "C"`."""
        found = _native.Kernel()
        check(lib.weir_program_kernel(self._pointer, name.encode(), c.byref(found)))
        return Kernel(int(found.native), name, self, signature.read(self._source, name))

    def destroy(self) -> None:
        """Unloads the program. No kernel of it may run."""
        pointer, self._pointer = self._pointer, None
        check(lib.weir_program_destroy(pointer))


class Buffer:
    """Zeroed memory of a device; freed with the device, or by destroy()."""

    def __init__(self, device: "Device", size: int, shared: bool = False) -> None:
        self.device = device
        self._raw = _native.Buffer()
        make = lib.weir_buffer_create_shared if shared else lib.weir_buffer_create
        check(make(device._open(), size, c.byref(self._raw)))

    @property
    def address(self) -> int:
        """Its address on the device."""
        return int(self._raw.native or 0)

    @property
    def size(self) -> int:
        """Its bytes."""
        return int(self._raw.bytes)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        if self.device.info.machine != "cuda":
            raise AttributeError("only memory of a CUDA device is a CUDA array")
        return {"shape": (self.size,), "typestr": "|u1", "data": (self.address, False), "version": 3,
                "strides": None}

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies bytes, or an array of the host, into the buffer."""
        copy = bytes(data) if isinstance(data, (bytes, bytearray)) else memoryview(data).tobytes()
        check(lib.weir_buffer_write(self.device._open(), self._raw, offset, copy, len(copy)))

    def read(self, size: Optional[int] = None, offset: int = 0) -> bytes:
        """The bytes of the buffer."""
        room = c.create_string_buffer(self.size - offset if size is None else size)
        check(lib.weir_buffer_read(self.device._open(), self._raw, offset, room, len(room)))
        return room.raw

    def destroy(self) -> None:
        """Frees the buffer."""
        check(lib.weir_buffer_destroy(self.device._open(), c.byref(self._raw)))

    def __enter__(self) -> "Buffer":
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()


def _function_of(kernel: int) -> int:
    """The CUfunction of a CUkernel, which cuda.core has, in the current context."""
    function = c.c_void_p()
    status = c.CDLL("libcuda.so.1").cuKernelGetFunction(c.byref(function), c.c_void_p(kernel))
    if status != 0 or not function.value:
        raise BadArgument(f"the driver has no function for this kernel (error {status}): call set_current() of its "
                          "cuda.core Device first")
    return int(function.value)


def _three(name: str, given: Dimensions) -> Tuple[int, int, int]:
    values = [given] if isinstance(given, int) else list(given)
    if not 1 <= len(values) <= 3 or any(not 0 < int(value) < 2**32 for value in values):
        raise BadArgument(f"a {name} of {given!r}: it has one to three dimensions, each at least 1")
    values = [int(value) for value in values] + [1] * (3 - len(values))
    return values[0], values[1], values[2]


_lost: List[HostRun] = []
_shared: Dict[Optional[str], "Device"] = {}
_shared_lock = threading.Lock()
_open_devices: "weakref.WeakSet[Device]" = weakref.WeakSet()


class Device:
    """A device: "host", "cuda:0", "opencl:1"; None for the best one here.

    Objects, buffers and launches belong to a device. Close it, or use it in a `with`.
    """

    def __init__(self, name: Optional[str] = None) -> None:
        self._pointer: Optional[int] = None
        if name is not None and not isinstance(name, str):
            raise BadArgument(f"{name!r} is not the name of a device, such as \"host\" or \"cuda:0\"")
        pointer = c.c_void_p()
        check(lib.weir_device_open_for(paths.version().encode(), name.encode() if name is not None else None,
                                       c.byref(pointer)))
        self._pointer = pointer.value
        self._run: Optional[HostRun] = None
        self._watch: Optional[Watch] = None
        self._number: Optional[int] = None
        raw = _native.DeviceInfo()
        check(lib.weir_device_describe(self._pointer, c.byref(raw)))
        self.info = _info(raw)
        _open_devices.add(self)

    @staticmethod
    def shared(name: Optional[str] = None) -> "Device":
        """The device of that name that the whole process shares: opened once, until somebody closes it."""
        with _shared_lock:
            device = _shared.get(name)
            if device is None or not device.is_open:
                device = _shared[name] = Device(name)
            return device

    @staticmethod
    def current() -> "Device":
        """The device that CuPy, PyTorch or cuda.core uses now, whichever is imported; else the best one. It is
        a shared one: the same object each time."""
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
        """The shared device for the CUDA device of that number, as CUDA counts. weir's own names leave out those
        that are too old."""
        for index in range(number, -1, -1):
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
            raise Closed("the device is closed: open another one")
        return self._pointer

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""
        return self._pointer is not None

    @property
    def number(self) -> Optional[int]:
        """The number of a CUDA device, as CUDA counts; None for any other."""
        if self.info.machine == "cuda" and self._number is None:
            handles, found = _native.CudaHandles(), c.c_int(-1)
            check(lib.weir_device_cuda(self._open(), c.byref(handles)))
            driver, number = c.CDLL("libcuda.so.1"), 0
            while driver.cuDeviceGet(c.byref(found), number) == 0 and found.value != handles.device:
                number += 1
            self._number = number
        return self._number

    @property
    def architecture(self) -> str:
        """What to compile for on a CUDA device: "compute_90", say."""
        handles, parts = _native.CudaHandles(), (c.c_int(), c.c_int())
        check(lib.weir_device_cuda(self._open(), c.byref(handles)))
        for part, attribute in zip(parts, _CAPABILITY):
            c.CDLL("libcuda.so.1").cuDeviceGetAttribute(c.byref(part), attribute, handles.device)
        return nvrtc.architecture((parts[0].value, parts[1].value))

    @property
    def defaults_from(self) -> str:
        """Where the default kinds of this device come from: the profile."""
        return text(lib.weir_device_defaults_from(self._open()))

    @property
    def stream(self) -> int:
        """weir's own CUstream on a CUDA device, which launches use unless they name another."""
        handles = _native.CudaHandles()
        check(lib.weir_device_cuda(self._open(), c.byref(handles)))
        return int(handles.stream or 0)

    def __repr__(self) -> str:
        return f"<weir.Device {self.info.name}{'' if self.is_open else ', closed'}>"

    def close(self) -> None:
        """Ends what runs on the host, closes the device and destroys everything left on it."""
        pointer, run = self._pointer, self._run
        if pointer is None:
            return
        if run is not None:
            self._end_run(run)
        self._pointer = None
        _open_devices.discard(self)
        check(lib.weir_device_close(pointer))

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- memory and programs ----

    def buffer(self, size: int, shared: bool = False) -> Buffer:
        """Zeroed memory of the device; with `shared`, memory that the host uses while a kernel runs."""
        return Buffer(self, size, shared)

    def program(self, image: bytes, source: str = "") -> Program:
        """Loads PTX, a cubin or a fatbin. weir.compile makes PTX from a text."""
        if self.info.machine != "cuda":
            raise Unsupported(f"{self.info.name} runs no CUDA program: on the host, a kernel is a Python function")
        if not image:
            raise BadArgument("the program is empty")
        return Program(self, image if isinstance(image, bytes) else bytes(image), source)

    # ---- launches ----

    def _kernel(self, kernel: Any) -> Tuple[int, Optional[List[signature.Parameter]]]:
        """The CUfunction of a kernel of weir, CuPy, PyTorch or cuda.core, and its parameters."""
        parameters = getattr(kernel, "parameters", None)
        parameters = parameters if isinstance(parameters, list) else None
        if isinstance(kernel, Kernel):
            return kernel.native, parameters
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
        if isinstance(kernel, int):
            return kernel, parameters
        raise BadArgument(f"a {type(kernel).__name__} is no CUDA kernel: give one of CuPy, PyTorch, cuda.core "
                          "or weir, or the address of its CUfunction")

    def resident_blocks(self, kernel: Any, threads: int, shared_bytes: int = 0) -> int:
        """How many blocks of the kernel run at once on this device."""
        raw = self._raw_kernel(kernel)
        blocks = c.c_uint32()
        check(lib.weir_resident_blocks(self._open(), raw, threads, shared_bytes, c.byref(blocks)))
        return blocks.value

    def _raw_kernel(self, kernel: Any) -> Any:
        if self.info.machine == "host":
            if not callable(kernel):
                raise BadArgument(f"a {type(kernel).__name__} cannot be called: a kernel of the host is a function")
            return _native.Kernel(None, 1)  # the number does not depend on the function
        return _native.Kernel(self._kernel(kernel)[0], None)

    def launch(self, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *,
               barrier: Any = None, cooperative: bool = False, cluster: Dimensions = 1,
               shared_bytes: int = 0, stream: Any = None) -> None:
        """Starts a kernel and returns.

        On the host a kernel is a Python function, which runs once in every thread of every block. On a CUDA
        device it is a kernel of weir, CuPy, PyTorch or cuda.core. With `barrier` or `cooperative` all
        blocks must run at once: a grid that does not fit is refused with TooManyBlocks.
        """
        from .object import Handle

        if self.info.machine not in ("cuda", "host"):
            raise Unsupported(f"kernels of {self.info.name} are not launched from Python: open \"host\" or a CUDA device")
        if isinstance(arguments, str) or not isinstance(arguments, Sequence):
            raise BadArgument(f"the arguments of a kernel are a tuple or a list, not {arguments!r}")
        launch = _native.Launch()
        launch.grid[:] = _three("grid", grid)
        launch.block[:] = _three("block", block)
        launch.cluster[:] = _three("cluster", cluster)
        launch.shared_bytes = shared_bytes
        launch.cooperative = int(cooperative)
        for value in arguments:
            if isinstance(value, Handle):
                value.check_launch(kernel, launch.grid[0] * launch.grid[1] * launch.grid[2])
        if barrier is not None:
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
        check(lib.weir_kernel_launch(self._open(), c.byref(launch)))

    def _launch_on_host(self, launch: Any, kernel: Any, arguments: Sequence[Any], stream: Any) -> None:
        from .object import Handle

        if not callable(kernel):
            raise BadArgument(f"a {type(kernel).__name__} cannot be called: a kernel of the host is a function")
        if stream is not None:
            raise Unsupported("the host machine has no streams")
        for value in arguments:
            if isinstance(value, Handle):
                value.check_on(self)
        if self._run is not None:
            self.wait()
        run = HostRun(kernel, arguments)
        launch.kernel = _native.Kernel(None, c.cast(run.entry, c.c_void_p))
        self._run = run
        status = lib.weir_kernel_launch(self._open(), c.byref(launch))
        if status != 0:
            self._run = None
            check(status)

    def wait(self, timeout: Optional[float] = None) -> float:
        """Waits until weir's own stream is done, and returns the milliseconds of its last launch.

        Raises TimedOut when the kernel still runs after `timeout` seconds, KernelError when a Python kernel
        raised, and Hang when a watchdog that raises has found one. Ctrl-C ends a launch on the host, and the
        waits of diagnosed objects on a GPU.
        """
        end = None if timeout is None else time.monotonic() + timeout
        elapsed = c.c_double()
        try:
            while True:
                left = _SLICE_NS if end is None else int((end - time.monotonic()) * 1e9)
                status = lib.weir_device_wait(self._open(), min(max(left, 1), _SLICE_NS), c.byref(elapsed))
                if status != TimedOut.status:
                    break
                if end is not None and time.monotonic() >= end:
                    raise _native.failure(status)
        except KeyboardInterrupt:
            self._interrupt()
            raise
        self._after(status)
        return elapsed.value

    def _after(self, status: int) -> None:
        """Raises what a launch that has ended left."""
        error = _native.failure(status) if status != 0 else None
        run, self._run = self._run, None
        if run is not None and run.failure is not None:
            raise run.failure
        hang = self._watch.hang() if self._watch is not None else None
        if hang is not None:
            raise hang from error
        if error is not None:
            raise error
        if run is not None and run.ending:
            raise LaunchAborted("the launch was ended")

    def _settle(self) -> None:
        """After an abort that nobody has waited for: until the kernel has ended, also on a stream of others. The
        next launch could see the order to end otherwise."""
        if self.info.machine == "cuda":
            c.CDLL("libcuda.so.1").cuCtxSynchronize()
        if lib.weir_device_wait(self._open(), 10_000_000_000, None) != TimedOut.status:
            self._run = None

    def _interrupt(self) -> None:
        if self._run is not None:
            self._end_run(self._run)
        elif self._pointer is not None:
            lib.weir_device_abort(self._pointer)  # it fails without diagnosed objects, and then nothing helps

    def _end_run(self, run: HostRun) -> None:
        """Ends a launch on the host and waits for its threads, which need a moment."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            lib.weir_python_end(self._pointer)
            run.stop()
            if lib.weir_device_wait(self._pointer, _SLICE_NS, None) != TimedOut.status:
                break
        else:
            _lost.append(run)  # its threads may still call it
        self._run = None

    def run(self, kernel: Any, grid: Dimensions, block: Dimensions, arguments: Sequence[Any] = (), *,
            timeout: Optional[float] = None, **options: Any) -> float:
        """launch and wait. On the host, a kernel that is late is ended before TimedOut is raised."""
        self.launch(kernel, grid, block, arguments, **options)
        try:
            return self.wait(timeout)
        except TimedOut:
            if self._run is not None:
                self._end_run(self._run)
            raise

    # ---- diagnosis ----

    def diagnose(self) -> Report:
        """What the diagnosed objects of this device are doing, also while a kernel runs."""
        raw = _native.Diagnosis()
        check(lib.weir_device_diagnose(self._open(), c.byref(raw)))
        report = Report(text(raw.text), text(raw.json), raw.findings, raw.waiting)
        lib.weir_diagnosis_clear(c.byref(raw))
        return report

    def watch(self, seconds: float = 5.0, action: Union[str, Callable[[Report], Any]] = "print") -> Watch:
        """Starts a watchdog: when a block has waited so long, it prints a report, or ends the kernel and
        raises Hang, or calls a function with the report. The objects were created with diagnose=True.

        The report goes to Python's sys.stderr from a thread of its own: a notebook shows it while the cell
        still runs.
        """
        return Watch(self, seconds, action)

    def abort(self) -> None:
        """Ends every wait for a diagnosed object in the running kernels, and those kernels with them."""
        status = lib.weir_device_abort(self._open())
        if status == NotFound.status and self._run is not None:
            status = lib.weir_python_end(self._open())
        if status == 0 and self._run is not None:
            self._run.stop()
        check(status)


@atexit.register
def _end_all() -> None:
    """No thread of a kernel may come back to an interpreter that has ended."""
    for device in list(_open_devices):
        if device._run is not None and device.is_open:
            device._end_run(device._run)
