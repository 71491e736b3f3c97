"""PTX of the kernels that `weir.check` takes: PTX itself, CUDA source, and kernels of Triton, Numba, CuPy and
cuda.core."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import nvrtc, paths, signature
from .checks import shown
from .errors import BadArgument, BadProgram, BadType, NotFound, Unsupported

# The types that a Python number can become, by those that PTX has for a parameter.
_NUMBERS = {"b8": "u8", "u8": "u8", "s8": "u8", "pred": "u8", "b16": "u16", "u16": "u16", "s16": "u16", "f16": "u16",
            "b32": "u32", "u32": "u32", "s32": "i32", "b64": "u64", "u64": "u64", "s64": "i64", "f32": "f32",
            "f64": "f64"}


class Source:
    """A kernel as PTX, with what is known of it beside that."""

    def __init__(self, ptx: str, called: str) -> None:
        self.ptx = ptx
        self.called = called  # for messages
        self.kernel: Optional[str] = None
        self.display = ""  # what to call the kernel
        self.code: Optional[str] = None  # CUDA source
        self.texts: Dict[str, str] = {}  # sources that are in no file, by the names in findings
        self.names: List[str] = []  # of the parameters
        self.folder = ""  # relative names of files may be relative to it
        self.block = 0
        self.shared = 0
        self.form = "c"

    def parameters(self, kernel: Optional[str]) -> Optional[List[signature.Parameter]]:
        """The parameters as the CUDA source has them."""
        if self.code is None:
            return None
        if kernel is None:
            bounds = r"(?:__launch_bounds__\s*\([^)]*\)[^;{(]*?)?"
            kernels = re.findall(rf"__global__[^;{{(]*?{bounds}(\w+)\s*\(", self.code)
            kernel = kernels[0] if len(kernels) == 1 else ""
        return signature.read(self.code, kernel)

    def types(self, kernel: Optional[str]) -> List[str]:
        """The types of the kernel's parameters in the words of a launch: "u32". "" for others."""
        entries = re.findall(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?", self.ptx)
        if kernel is not None:
            plain = [entry for entry in entries if entry[0] == kernel]
            mangled = re.compile(rf"_Z\w*?{len(kernel)}{re.escape(kernel)}")
            entries = plain or [entry for entry in entries if mangled.match(entry[0])]
        if len(entries) != 1:
            return []
        found = re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)([^,]*)", entries[0][1])
        return ["" if "[" in rest else _NUMBERS.get(kind, "") for kind, rest in found]


def _is_path(text: str) -> bool:
    return "\n" not in text and "{" not in text


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror}") from None


def _shortened(ptx: str, folder: str) -> str:
    """PTX whose files are named as seen from the current folder."""
    here = os.getcwd() + os.sep

    def name(found: "re.Match[str]") -> str:
        path = found.group(2)
        for front in (folder, here):
            if front and path.startswith(front):
                path = path[len(front):]
        return f"{found.group(1)}{path}\""

    # LLVM counts the lines of inline assembly on from the one that it is in. Triton's loads are such assembly.
    ptx = re.sub(r"(?ms)^\s*// begin inline asm$.*?^\s*// end inline asm$",
                 lambda found: re.sub(r"(?m)^\s*\.loc\s.*$", "", found.group(0)), ptx)
    return re.sub(r'(?m)^(\s*\.file\s+\d+\s+")([^"]*)"', name, ptx)


def _nvcc() -> Optional[str]:
    if os.environ.get("NVCC"):
        return os.environ["NVCC"]
    found = shutil.which("nvcc")
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if found is None and folder:
            found = shutil.which(os.path.join(folder, "bin", "nvcc"))
    return found


def _by_nvcc(nvcc: str, path: str, arch: str, options: Sequence[str], folder: str) -> str:
    result = os.path.join(folder, "kernel.ptx")
    try:
        done = subprocess.run([nvcc, "-ptx", "-lineinfo", f"-arch={arch}", f"-I{paths.include_dir()}", *options, "-o",
                               result, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                              errors="replace", stdin=subprocess.DEVNULL)
    except OSError as error:
        raise Unsupported(f"nvcc does not run here: {nvcc}: {error.strerror}") from None
    if done.returncode != 0:
        raise BadProgram(done.stdout.replace(folder + os.sep, "").strip() or f"nvcc ended with status {done.returncode}")
    return _read(result)


def _compiled(code: str, path: Optional[str], arch: str, options: Sequence[str]) -> Source:
    """CUDA source, in a file or not, by nvcc or else by NVRTC."""
    nvcc = _nvcc()
    with tempfile.TemporaryDirectory(prefix="weir-check-") as folder:
        folder = os.path.realpath(folder)
        if nvcc:
            file = path
            if file is None:
                file = os.path.join(folder, "kernel.cu")
                with open(file, "w", encoding="utf-8") as to:
                    to.write(code)
            ptx = _by_nvcc(nvcc, os.path.abspath(file), arch, options, folder)
        else:
            beside = [f"-I{os.path.dirname(os.path.abspath(path))}"] if path else []
            try:
                ptx = nvrtc.compile(code, arch, ["-lineinfo", *beside, *options],
                                    name=path or "kernel.cu").decode("utf-8", "replace")
            except Unsupported as error:
                raise Unsupported(f"there is no nvcc and no NVRTC to compile {path or 'CUDA source'}: pip install "
                                  f"nvidia-cuda-nvrtc, or give PTX") if "pip install" in str(error) else error
        source = Source(_shortened(ptx, folder + os.sep), path or "the CUDA source")
    source.code = code
    if path is None:
        source.texts["kernel.cu"] = code
    return source


def _other_machine(code: str, called: str) -> None:
    """Raises for assembly that is not PTX."""
    if re.search(r"(?m)^\s*(\.amdgcn_target|target triple|\.cfi_startproc)", code):
        raise BadProgram(f"{called} is assembly of another architecture: give PTX, which is for NVIDIA's GPUs")


def _of_text(text: str, arch: str, options: Sequence[str]) -> Source:
    if not _is_path(text):
        if re.search(r"(?m)^\s*\.version\s", text):
            return Source(_shortened(text, ""), "the PTX")
        _other_machine(text, "this text")
        return _compiled(text, None, arch, options)
    code = _read(text)
    if re.search(r"(?m)^\s*\.version\s", code):
        source = Source(_shortened(code, ""), text)
        source.folder = os.path.dirname(text)
        return source
    _other_machine(code, text)
    if not text.endswith((".cu", ".cuh", ".cpp", ".cc")):
        raise BadProgram(f"{text} is neither PTX, which has a .version, nor a .cu file")
    return _compiled(code, text, arch, options)


# ---- frameworks ----

_TRITON = {"bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
           "uint32": "u32", "uint64": "u64", "float16": "fp16", "bfloat16": "bf16", "float32": "fp32",
           "float64": "fp64"}


def _triton_type(name: str, value: Any) -> str:
    kind = getattr(value, "dtype", None)
    if kind is not None:
        known = _TRITON.get(str(kind).replace("torch.", ""))
        if known is None:
            raise BadType(f"argument {name} has type {kind}, which Triton does not have")
        return ("*" if getattr(value, "ndim", 0) else "") + known
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -2**31 <= value < 2**31 else "i64"
    if isinstance(value, float):
        return "fp32"
    raise BadType(f"argument {name} is {shown(value)}, which a Triton kernel does not take here")


def _capability(arch: str) -> int:
    return int(re.sub(r"\D", "", nvrtc.architecture(arch)))


def _of_triton(function: Any, args: Dict[str, Any], arch: str, more: Dict[str, Any]) -> Tuple[Source, Dict[str, Any]]:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = [parameter.name for parameter in function.params]
    fixed = {parameter.name: args[parameter.name] for parameter in function.params
             if parameter.is_constexpr and parameter.name in args}
    passed = {name: value for name, value in args.items() if name not in fixed}
    missing = [name for name in names if name not in args]
    if missing:
        raise BadArgument(f"{function.__name__} takes {', '.join(names)}, and {missing[0]} is not given")
    kinds = {name: "constexpr" if name in fixed else _triton_type(name, args[name]) for name in names}
    try:
        made = triton.compile(ASTSource(function, kinds, constexprs=fixed),
                              target=GPUTarget("cuda", _capability(arch), 32), options=more)
    except Exception as error:
        raise BadProgram(f"Triton does not compile {function.__name__}: {error}") from error
    source = Source(_shortened(made.asm["ptx"], ""), f"the Triton function {function.__name__}")
    source.kernel = made.metadata.name
    source.names = list(passed)
    source.block, source.shared = 32 * made.metadata.num_warps, made.metadata.shared
    source.form = "triton"
    return source, passed


def _of_numba(function: Any, args: Dict[str, Any], arch: str) -> Source:
    try:
        import numba
        from numba import cuda
    except ImportError as error:
        raise Unsupported(f"a Python function needs Numba-CUDA, which cannot be imported here: {error}: pip install "
                          "numba-cuda") from None
    plain = getattr(function, "py_func", function)
    number = _capability(arch)
    try:
        kinds = tuple(numba.typeof(value) for value in args.values())
        ptx, _ = cuda.compile_ptx(plain, kinds, lineinfo=True, cc=(number // 10, number % 10))
    except Exception as error:
        raise BadProgram(f"Numba does not compile {plain.__name__}: {error}") from error
    source = Source(_shortened(ptx, ""), f"the Numba function {plain.__name__}")
    source.display = plain.__name__
    source.form = "numba"
    return source


def _of_program(program: Any, arch: str, options: Sequence[str]) -> Source:
    """A Program of cuda.core, by the NVRTC that it uses. Its own `compile` asks a driver for its version."""
    from cuda.bindings import nvrtc as own

    given = [f"--gpu-architecture={nvrtc.architecture(arch)}", "-lineinfo", *options]
    (status,) = own.nvrtcCompileProgram(program.handle, len(given), [option.encode() for option in given])
    what = "ProgramLog" if int(status) else "PTX"
    text = b" " * getattr(own, f"nvrtcGet{what}Size")(program.handle)[1]
    getattr(own, f"nvrtcGet{what}")(program.handle, text)
    made = text.rstrip(b"\0").decode("utf-8", "replace")
    if int(status):
        raise BadProgram(made.strip())
    return Source(_shortened(made, ""), "the program")


def _named(args: Any, names: Sequence[str]) -> Dict[str, Any]:
    """Arguments by the names of their parameters."""
    if isinstance(args, dict):
        return dict(args)
    if len(args) > len(names):
        raise BadArgument(f"the kernel takes {len(names)} arguments ({', '.join(names)}), and {len(args)} are given")
    return dict(zip(names, args))


def read(source: Any, args: Any, arch: str, options: Sequence[str],
         more: Dict[str, Any]) -> Tuple[Source, Dict[str, Any], bool]:
    """The kernel, its arguments by name, and whether these names are the parameters'."""
    module = type(source).__module__.split(".")[0]
    if isinstance(source, (bytes, bytearray)):
        source = bytes(source).decode("utf-8", "replace")
    if isinstance(source, os.PathLike):
        source = os.fspath(source)
        if not _is_path(source):
            raise BadArgument(f"{shown(source)} is no path")
    if isinstance(source, str):
        return (_of_text(source, arch, options), *_numbered(args))
    if module == "triton" and hasattr(source, "params"):
        found, passed = _of_triton(source, _named(args, [parameter.name for parameter in source.params]), arch, more)
        return found, passed, True
    code = getattr(source, "code", None)
    if isinstance(code, str) and hasattr(source, "name"):  # a RawKernel of CuPy
        found = _of_text(code, arch, [*options, *getattr(source, "options", ())])
        found.kernel = source.name
        return (found, *_numbered(args))
    if isinstance(code, bytes) and getattr(source, "code_type", "") == "ptx":  # an ObjectCode of cuda.core
        return (_of_text(code.decode("utf-8", "replace"), arch, options), *_numbered(args))
    if module == "cuda" and getattr(source, "backend", "") == "NVRTC" and hasattr(source, "handle"):
        return (_of_program(source, arch, options), *_numbered(args))
    plain = getattr(source, "py_func", source)
    if callable(plain) and hasattr(plain, "__code__"):
        named = _named(args, plain.__code__.co_varnames[:plain.__code__.co_argcount])
        if len(named) != plain.__code__.co_argcount:
            raise BadArgument(f"{plain.__name__} takes {plain.__code__.co_argcount} arguments, and {len(named)} are "
                              "given")
        return _of_numba(source, named, arch), named, True
    raise BadType(f"{shown(source)} is no kernel: give PTX, CUDA source, the path of a file, or a kernel of Triton, "
                  "Numba, CuPy or cuda.core")


def _numbered(args: Any) -> Tuple[Dict[str, Any], bool]:
    if isinstance(args, dict):
        return dict(args), True
    return {f"argument {number}": value for number, value in enumerate(args, 1)}, False
