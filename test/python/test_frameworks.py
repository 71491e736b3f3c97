"""Compares weir and the stand-ins of test_fake_driver.py with the real CuPy, PyTorch, cuda.core, Numba and Triton,
where they are installed: each name that weir uses exists and accepts weir's arguments. No GPU is needed, and nothing is
launched."""
import ctypes
import importlib.util
import inspect
import sys
import types
import unittest
from pathlib import Path

import common
import weir
from weir import frameworks, memory

STAND_INS = Path(__file__).resolve().parent / "stand_ins"
# Names that the stand-ins have only for the tests, and a class that the real module takes from cuda.bindings.
OWN = {"begin", "capability", "made", "CUkernel", "OFFSET"}
CODE = '#include "weir/device.h"\nextern "C" __global__ void k(weir_barrier b) { weir_barrier_wait(b); }'


def stand_in(name):
    """A stand-in, under a name other than the real module's."""
    path = STAND_INS.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    spec = importlib.util.spec_from_file_location(f"stand_in_of_{name.replace('.', '_')}", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def names(made, prefix=""):
    """The names in a stand-in, including those of its classes."""
    for name, value in vars(made).items():
        if name.startswith("_") or name in OWN or isinstance(value, types.ModuleType):
            continue
        yield prefix + name
        if isinstance(value, type):
            yield from names(value, f"{prefix}{name}.")


def find(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


class Real(unittest.TestCase):
    def need(self, *modules):
        reason = common.absent(*modules)
        if reason:
            self.skipTest(reason)
        return [sys.modules[name] for name in modules]

    def hold(self, *modules):
        """Each name of the stand-ins exists in the real modules."""
        self.need(*modules)
        for name in modules:
            wanted = list(names(stand_in(name)))
            self.assertTrue(wanted, name)
            for one in wanted:
                with self.subTest(name=f"{name}.{one}"):
                    find(sys.modules[name], one)

    def takes(self, function, *arguments, **more):
        inspect.signature(function).bind(*arguments, **more)

    def test_the_comparison_can_fail(self):
        self.assertIn("cuda.Device.compute_capability", list(names(stand_in("cupy"))))
        self.assertRaises(AttributeError, find, weir, "Device.of_nothing")
        self.assertRaises(TypeError, self.takes, frameworks.options, True)

    def test_cupy(self):
        self.hold("cupy")
        cupy, = self.need("cupy")
        made = cupy.RawModule(code=CODE, options=("-std=c++17",), enable_cooperative_groups=True)
        self.assertEqual((made.code, made.enable_cooperative_groups), (CODE, True))
        for name in ("kernel", "code", "name"):
            self.assertTrue(hasattr(cupy.RawKernel, name), name)
        self.assertTrue(hasattr(cupy.cuda.function.Function, "ptr"))
        self.assertTrue(hasattr(cupy.cuda.Stream, "synchronize"))
        # Its own compiler, with weir's options.
        for diagnose in (False, True):
            options = (*frameworks.options(diagnose, True, ()), "-dlto")
            image, _ = cupy.cuda.compiler.compile_using_nvrtc(CODE, options, arch="90", method="lto")
            self.assertTrue(image)

    def test_torch(self):
        self.hold("torch", "torch.distributed", "torch.distributed._symmetric_memory", "torch.utils.cpp_extension")
        torch, distributed, symmetric, extensions = self.need(
            "torch", "torch.distributed", "torch.distributed._symmetric_memory", "torch.utils.cpp_extension")
        self.takes(extensions.load_inline, "name", "cpp", "cuda", functions=["run"], extra_cuda_cflags=[],
                   extra_include_paths=[])
        self.assertEqual(list(inspect.signature(extensions.load_inline).parameters)[:3],
                         ["name", "cpp_sources", "cuda_sources"])
        self.takes(torch.cuda.get_device_capability)
        self.takes(torch.cuda.current_stream)
        self.takes(torch.cuda.current_stream, torch.device("cuda", 0))
        self.assertTrue(hasattr(torch.cuda.Stream, "cuda_stream"))
        self.takes(symmetric.empty, 64, dtype=torch.int32, device="cuda:0")
        self.takes(symmetric.rendezvous, None, None)
        for name in ("rank", "offset", "buffer_ptrs", "barrier"):
            self.assertTrue(hasattr(symmetric._SymmetricMemory, name), name)
        self.assertRegex(symmetric._SymmetricMemory.barrier.__doc__, "channel: .*timeout_ms: ")
        self.assertTrue(hasattr(distributed.group, "WORLD"))

    def test_tensors(self):
        torch, = self.need("torch")
        words = torch.arange(8, dtype=torch.int32).view(torch.uint32)
        place = memory.place_of(words)
        self.assertEqual((place.address, place.bytes, place.dtype, place.machine), (words.data_ptr(), 32, "uint32", "host"))
        self.assertEqual(int(words.cpu()[3]), 3)  # as the GPU tests read them
        with self.assertRaisesRegex(weir.BadArgument, "contiguous"):
            memory.place_of(words[::2])
        words.untyped_storage().resize_(0)
        with self.assertRaisesRegex(weir.BadArgument, "freed"):
            memory.place_of(words)

    def test_cuda_core(self):
        self.hold("cuda.core")
        core, driver = self.need("cuda.core", "cuda.bindings.driver")
        self.assertTrue(all(hasattr(core.Stream, name) for name in ("__cuda_stream__", "sync")))
        self.assertTrue(hasattr(core.Kernel, "handle"))
        self.assertEqual(int(driver.CUkernel(0x41)), 0x41)
        options = core.ProgramOptions(std="c++17", arch="sm_90", include_path=[weir.include_dir()],
                                      define_macro=["WEIR_DIAGNOSE", "WEIR_SYSTEM_SCOPE"])
        made = core.Program(CODE, "c++", options).compile("cubin")
        self.assertTrue(bytes(made.code).startswith(b"\x7fELF"))
        self.takes(core.launch, None, None, None, 1, 2)
        core.LaunchConfig(grid=32, block=64)

    def test_numba(self):
        cuda, dispatcher = self.need("numba.cuda", "numba.cuda.dispatcher")
        from weir import numba as weir_numba

        self.assertEqual(weir_numba.barrier_wait.name, "weir_call_barrier_wait")
        self.takes(cuda.declare_device, "name", None, link=None, use_cooperative=True, abi="c")
        self.takes(dispatcher._Kernel.max_cooperative_grid_blocks, None, 128, 0)
        self.assertTrue(callable(cuda.get_current_device))

    def test_triton(self):
        core, compiler = self.need("triton.language.core", "triton.compiler")
        from weir import triton as weir_triton

        self.assertTrue(callable(weir_triton.barrier_wait))
        self.takes(core.extern_elementwise, "weir", "", [], {}, is_pure=False, _semantic=None)
        self.takes(core.cast, None, None, _semantic=None)
        self.assertIsInstance(compiler.CompiledKernel.run, property)


class Buffers(unittest.TestCase):
    """Memory by DLPack, as in cuda.core: bytes that claim to be int8."""

    def make(self, module):
        class Buffer:
            def __init__(self):
                self.room = (ctypes.c_uint32 * 8)()
                self.shape, self.strides = (ctypes.c_int64 * 1)(32), (ctypes.c_int64 * 1)(1)
                self.tensor = memory._DLTensor(ctypes.addressof(self.room), 2, 0, 1, 0, 8, 1, self.shape, self.strides, 0)

            def __dlpack__(self):
                new = ctypes.pythonapi.PyCapsule_New
                new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
                return new(ctypes.addressof(self.tensor), b"dltensor", None)

        Buffer.__module__ = module
        return Buffer()

    def test_buffers_have_no_type(self):
        for module, dtype in (("cuda.core._memory._buffer", ""), ("elsewhere", "int8")):
            buffer = self.make(module)
            place = memory.place_of(buffer)
            self.assertEqual((place.dtype, place.bytes, place.machine, place.device), (dtype, 32, "cuda", 0))
            buffer.tensor.device_type = 13  # managed memory
            self.assertIsNone(memory.place_of(buffer).device)


if __name__ == "__main__":
    common.main()
