"""Checks of kernels without a GPU, by the package's own program `weir check`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type, Union

from . import check_sources, paths
from .check_report import CheckReport
from .checks import U32, flag, shown, whole
from .errors import BadArgument, BadProgram, BadType, Error, Hang, LaunchFailed, NotFound, TimedOut, Unsupported
from .signature import Parameter

Sizes = Union[int, Sequence[int]]
Arguments = Union[Sequence[Any], Dict[str, Any]]

# The types of a launch by NumPy's letter and size; others go by their bits.
_SCALARS = {"u1": "u8", "u2": "u16", "u4": "u32", "u8": "u64", "i4": "i32", "i8": "i64", "f4": "f32", "f8": "f64"}
_BITS = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}

# Called with each report: pytest's plugin adds one.
_listeners: List[Callable[[CheckReport], None]] = []


class _Buffer:
    """Memory that a kernel works on."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.kind = str(getattr(value, "dtype", "")).replace("torch.", "")
        try:
            view = memoryview(value)
        except (TypeError, ValueError, BufferError) as error:
            raise BadType(f"{name} is {shown(value)}, whose memory Python cannot see: {error}") from None
        if "O" in view.format:
            raise BadType(f"{name} is an array of Python objects: a kernel takes numbers")
        if not view.c_contiguous:
            raise BadArgument(f"{name} is not contiguous: give numpy.ascontiguousarray of it")
        if view.nbytes == 0:
            raise BadArgument(f"{name} is empty: a buffer has at least one byte")
        self.bytes = view.cast("B") if view.ndim != 1 or view.format != "B" else view
        interface = getattr(value, "__array_interface__", None)
        self.start = int(interface["data"][0]) if interface else 0

    def inside(self, other: "_Buffer") -> Optional[int]:
        """Its offset in another buffer; None when it is not a part of it."""
        offset = self.start - other.start
        if not self.start or not other.start or offset >= len(other.bytes) or -offset >= len(self.bytes):
            return None
        if offset < 0 or offset + len(self.bytes) > len(other.bytes):
            raise BadArgument(f"{self.name} and {other.name} share memory: give the array that has all of it first")
        return offset


def _host(value: Any) -> Any:
    """A tensor of PyTorch as the NumPy array that shares its memory."""
    if type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach"):
        return value.detach().numpy()
    return value


def _is_buffer(value: Any) -> bool:
    if getattr(value, "ndim", None) == 0 or isinstance(value, (str, int, float)):
        return False
    try:
        memoryview(value)
    except (TypeError, ValueError):
        return hasattr(value, "__array_interface__")
    return True


def _scalar(name: str, value: Any, kind: str) -> Dict[str, Any]:
    """A number, of NumPy's type or else of the parameter's."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None and hasattr(value, "tobytes") and dtype.itemsize in _BITS:
        own = _SCALARS.get(f"{dtype.kind}{dtype.itemsize}")
        if own is None or own[0] == "f":  # as bits, which no text rounds
            return {_BITS[dtype.itemsize]: str(int.from_bytes(value.tobytes(), "little"))}
        return {own: str(int(value))}
    if isinstance(value, float) and kind in ("u32", "u64"):
        kind = "f32" if kind == "u32" else "f64"
    if isinstance(value, float) and kind in ("", "f32", "f64"):
        return {kind or "f32": repr(value)}
    if isinstance(value, (bool, int)):
        if kind in ("f32", "f64"):
            return {kind: repr(float(value))}
        kind = kind or "u32"
        bits = int(kind[1:])
        if not -2**(bits - 1) <= value < 2**bits:
            raise BadArgument(f"{name} is {shown(value)}, which does not fit {bits} bits")
        return {f"u{bits}" if bits < 32 else kind: str(int(value) % 2**bits if kind[0] == "u" else int(value))}
    raise BadType(f"{name} is {shown(value)}: a kernel takes arrays, NumPy scalars and numbers")


def _is_struct(value: Any) -> bool:
    """A dict, or a NumPy scalar with fields."""
    return isinstance(value, dict) or (getattr(value, "ndim", None) == 0 and value.dtype.kind == "V")


def _alignment(value: Any) -> int:
    """C's, of a member of a struct."""
    if isinstance(value, dict):
        return max(map(_alignment, value.values()), default=1)
    if _is_struct(value):
        return int(value.dtype.alignment)
    return 8 if _is_buffer(value) else int(getattr(getattr(value, "dtype", None), "itemsize", 1))


def _kind_of(name: str, buffer: _Buffer, parameter: Parameter) -> None:
    """Raises when the array has another type than the kernel's parameter."""
    if parameter.text and not parameter.is_pointer:
        raise BadArgument(f"{name} is an array, and the kernel takes {parameter.text}")
    if parameter.is_pointer and parameter.dtypes and buffer.kind and buffer.kind not in parameter.dtypes:
        raise BadArgument(f"{name} is an array of {buffer.kind}, and the kernel takes {parameter.text}")


class _Launch:
    """The arguments in the form of a launch file, and the arrays that get the results."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.arguments: List[Dict[str, Any]] = []
        self.buffers: List[_Buffer] = []

    def add(self, name: str, value: Any, kind: str, expected: Any) -> None:
        if not _is_buffer(value):
            self.arguments.append(_scalar(name, value, kind))
            return
        buffer = _Buffer(name, value)
        for number, other in enumerate(self.buffers, 1):
            offset = buffer.inside(other)
            if offset is not None:
                self.arguments.append({"at": str(number), "offset": offset})
                return
        self.buffers.append(buffer)
        argument: Dict[str, Any] = {"buffer": len(buffer.bytes), "name": name[:47],
                                    "fill": f"@{self.file(f'in{len(self.buffers)}', buffer.bytes)}"}
        if expected is not None:
            wanted = _Buffer(f"what {name} is expected to hold", _host(expected))
            if len(wanted.bytes) > len(buffer.bytes):
                raise BadArgument(f"{name} has {len(buffer.bytes)} bytes, and what is expected of it {len(wanted.bytes)}")
            argument["expect"] = f"@{self.file(f'expect{len(self.buffers)}', wanted.bytes)}"
        self.arguments.append(argument)

    def add_struct(self, name: str, value: Any, expected: Dict[Any, Any]) -> None:
        """A struct by value: a dict of its members in C's layout, or a NumPy scalar in its own."""
        outer, self.arguments = self.arguments, []
        size = self.lay(name, value, 0, expected)
        if not size:
            raise BadArgument(f"{name} is a struct without members")
        outer.append({"struct": size, "members": self.arguments})
        self.arguments = outer

    def lay(self, name: str, value: Any, at: int, expected: Dict[Any, Any]) -> int:
        """Puts a member behind what is there; returns where it ends."""
        align = _alignment(value)
        at = (at + align - 1) // align * align
        if isinstance(value, dict):
            for member, one in value.items():
                at = self.lay(f"{name}.{member}", _host(one), at, expected)
            return (at + align - 1) // align * align
        if _is_struct(value):
            raw = value.tobytes()
            for start in range(0, len(raw), 8):
                part = raw[start:start + 8]
                sizes = [8] if len(part) == 8 else [1] * len(part)
                for k, size in enumerate(sizes):
                    self.arguments.append({_BITS[size]: str(int.from_bytes(part[k:k + size], "little")),
                                           "in": at + start + k})
            return at + len(raw)
        if not _is_buffer(value) and not hasattr(value, "dtype"):
            raise BadType(f"{name} is {shown(value)}: a member of a struct needs a NumPy type, numpy.int32, say")
        self.add(name, value, "", expected.pop(name, None))
        self.arguments[-1]["in"] = at
        return at + (8 if _is_buffer(value) else int(value.dtype.itemsize))

    def add_numba(self, name: str, value: Any, kind: str, expected: Any) -> None:
        """Numba passes an array as several parameters: its memory, its shape and its strides."""
        if not _is_buffer(value):
            self.add(name, value, kind, expected)
            return
        self.arguments += [{"u64": 0}, {"u64": 0}, {"u64": int(value.size)}, {"u64": int(value.itemsize)}]
        self.add(name, value, kind, expected)
        self.arguments += [{"i64": int(number)} for number in (*value.shape, *value.strides)]

    def file(self, name: str, contents: Any) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as to:
            to.write(contents)
        return path

    def results(self, folder: str) -> None:
        """What the buffers hold, into the arrays that can be written."""
        for number, buffer in enumerate(self.buffers, 1):
            path = os.path.join(folder, str(number))
            if not buffer.bytes.readonly and os.path.exists(path):
                with open(path, "rb") as file:
                    buffer.bytes[:] = file.read()


def _sizes(value: Sizes, what: str) -> List[int]:
    given = list(value) if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(given) <= 3:
        raise BadArgument(f"{what} has {len(given)} numbers, and not one to three")
    return [whole(number, what, least=1) for number in given]


def _launched(source: check_sources.Source, named: Dict[str, Any], are_names: bool, kernel: Optional[str],
              expect: Dict[Any, Any], folder: str) -> _Launch:
    launch = _Launch(folder)
    parameters = source.parameters(kernel)
    known = parameters if parameters and len(parameters) == len(named) else [Parameter()] * len(named)
    kinds = source.types(kernel)
    expected = dict(expect)
    for number, ((name, value), parameter) in enumerate(zip(named.items(), known)):
        value = _host(value)
        found = re.search(r"(\w+)\s*$", parameter.text)
        if not are_names and found:
            name = found.group(1)
        if _is_buffer(value):
            _kind_of(name, _Buffer(name, value), parameter)
        wanted = expected.pop(name, None)
        if wanted is None:
            wanted = expected.pop(number, None)
        if _is_struct(value):
            launch.add_struct(name if are_names or found else f"argument {number + 1}", value, expected)
            continue
        add = launch.add_numba if source.form == "numba" else launch.add
        place = len(launch.arguments) + (4 if source.form == "numba" and _is_buffer(value) else 0)
        add(name if are_names or found else f"argument {number + 1}", value, kinds[place] if place < len(kinds) else "",
            wanted)
    for key in expected:
        raise NotFound(f"expect names {key!r}, and the arguments are {', '.join(map(str, named)) or 'none'}")
    if source.form == "triton":  # memory that a launcher would add; these kernels have none of it
        launch.arguments += [{"u64": 0}] * (len(kinds) - len(launch.arguments))
    return launch


def _refused(text: str, source: check_sources.Source, path: str) -> Error:
    """The exception for what the program refuses."""
    said = re.sub(r"\s*\n\s*", " ", re.sub(r"(?m)^weir: ", "", text).strip()).replace(path, source.called)
    kinds: List[Tuple[str, Type[Error]]] = [("there is no kernel ", NotFound), ("which kernel?", NotFound),
                                            (f"{source.called}: ", BadProgram)]
    said = said.replace("--kernel takes", "kernel= takes")
    forms = {"buffer": "an array", "struct": "a struct"}
    said = re.sub(r"--(buffer|struct|[uif]\d+) gives", lambda found: f"{forms.get(found.group(1), found.group(1))} gives",
                  said)
    for front, kind in kinds:
        if said.startswith(front):
            return kind(said)
    return BadArgument(said)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _sources(source: check_sources.Source, raw: str) -> Dict[str, str]:
    """The texts of the files that findings name, as far as they are here."""
    found = dict(source.texts)
    for name in {str(name) for name in re.findall(r'"file": ("(?:[^"\\]|\\.)*")', raw)}:
        path = json.loads(name)
        for place in (path, os.path.join(source.folder, path)):
            if path not in found and os.path.isfile(place):
                with open(place, encoding="utf-8", errors="replace") as file:
                    found[path] = file.read()
    return found


def _laid_out(source: check_sources.Source, folder: str) -> str:
    """A folder with the sources that are in no file; that of the PTX when there are none."""
    if not source.texts:
        return os.path.abspath(source.folder)
    place = os.path.join(folder, "source")
    os.mkdir(place)
    for name, text in source.texts.items():
        with open(os.path.join(place, os.path.basename(name)), "w", encoding="utf-8") as to:
            to.write(text)
    return place


def check(source: Any, kernel: Optional[str] = None, *, grid: Sizes = 2, block: Optional[Sizes] = None,
          args: Arguments = (), cluster: Optional[Sizes] = None, shared: Optional[int] = None,
          resident: Optional[int] = None, launches: int = 1, seed: Optional[int] = None, seeds: Optional[int] = None,
          weak: bool = False, explore: bool = False, wrap: bool = False, expect: Optional[Dict[Any, Any]] = None,
          budget: Optional[int] = None, silence: Sequence[str] = (), arch: str = "sm_90", options: Sequence[str] = (),
          **more: Any) -> CheckReport:
    """Runs a kernel on the CPU under the memory model of PTX, and returns its races, hangs and faults.

    `source` is PTX or CUDA source, as a string or a path, or a kernel of Triton, Numba or CuPy. After the call, arrays
    among `args` hold what the kernel wrote under the first seed. `expect` has the right contents, by the name or
    position of an argument. With `weak`, strong reads may return older values; `explore` runs all executions; `wrap`
    starts counters near 2^31 and 2^32 as well. `budget` is in millions of instructions. `options` go to the compiler;
    `more` goes to Triton, for example num_warps.
    """
    if more and type(source).__module__.split(".")[0] != "triton":
        raise BadType(f"weir.check has no argument {next(iter(more))!r}")
    if isinstance(options, str):
        raise BadType(f"the options are {shown(options)}, but they must be a list of str")
    if not isinstance(args, (dict, list, tuple)):
        raise BadType(f"args is {shown(args)}, but it must be a list or a dict")
    found, named, are_names = check_sources.read(source, args, arch, options, more)
    kernel = kernel or found.kernel
    shape: Dict[str, Any] = {"grid": _sizes(grid, "grid"),
                             "block": _sizes(block if block is not None else found.block or 64, "block"),
                             "shared": whole(shared if shared is not None else found.shared, "shared"),
                             "launches": whole(launches, "launches", least=1), "weak": bool(flag(weak, "weak")),
                             "explore": bool(flag(explore, "explore")), "wrap": bool(flag(wrap, "wrap")),
                             "silence": list(silence)}
    if kernel is not None:
        shape["kernel"] = kernel
    if cluster is not None:
        shape["cluster"] = _sizes(cluster, "cluster")
    if seed is not None:
        shape["seed"] = whole(seed, "seed")
    if seeds is not None:
        shape["seeds"] = whole(seeds, "seeds", least=1)
    if resident is not None:
        shape["resident"] = whole(resident, "resident", least=1)
    with tempfile.TemporaryDirectory(prefix="weir-check-") as folder:
        launch = _launched(found, named, are_names, kernel, expect or {}, folder)
        path = launch.file("kernel.ptx", found.ptx.encode())
        shape.update(file=path, arguments=launch.arguments)
        request = launch.file("launch.json", json.dumps(shape).encode())
        results = os.path.join(folder, "results")
        os.mkdir(results)
        command = [paths.program(), "check", request, "--dump", results]
        for form in ("json", "sarif", "html"):
            command += [f"--{form}", os.path.join(folder, form)]
        command += ["--source", _laid_out(found, folder)]
        if budget is not None:
            command += ["--budget", str(whole(budget, "budget", U32, 1))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              encoding="utf-8", errors="replace")
        if done.returncode == 130:
            raise KeyboardInterrupt
        if done.returncode not in (0, 3, 4, 5, 6, 7):
            raise _refused(done.stderr, found, path) if done.stderr else Error(
                f"weir check ended with status {done.returncode}")
        launch.results(results)
        raw, sarif, page = (_text(os.path.join(folder, form)).replace(path, found.called)
                            for form in ("json", "sarif", "html"))
    report = CheckReport(kernel or found.display, done.stdout, raw, sarif, page, _sources(found, raw))
    for listener in _listeners:
        listener(report)
    return report


def run(source: Any, kernel: Optional[str] = None, **launch: Any) -> None:
    """Runs a kernel as `check` does, for its results alone: arrays among `args` hold them afterwards.

    Raises LaunchFailed after a fault or a wrong result, Hang, TimedOut when the budget is spent, or Unsupported. Races do
    not count."""
    if launch.get("seeds") is None:
        launch["seeds"] = 1
    report = check(source, kernel, **launch)
    kinds: Dict[str, Callable[[str], Error]] = {"fault": LaunchFailed, "hang": Hang, "wrong result": LaunchFailed}
    for finding in report.findings:
        if finding.cause == "budget":
            raise TimedOut(str(finding))
        if finding.kind == "incomplete":
            raise Unsupported(str(finding))
        if finding.kind in kinds:
            raise kinds[finding.kind](str(finding))
