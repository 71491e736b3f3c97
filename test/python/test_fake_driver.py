"""The CUDA part of the package over a fake driver: its calls to the library and the driver, and its refusals. No kernel
runs. CuPy, PyTorch and cuda.core are stand-ins: the real ones need a GPU."""
import ctypes
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "stand_ins"))
import common  # noqa: E402
import weir  # noqa: E402
from weir import frameworks, memory, paths  # noqa: E402

try:
    fake = ctypes.CDLL("libcuda.so.1")
    fake.fake_set_series
    fake.fake_launch_stream.restype = ctypes.c_uint64
    missing = weir.why_no("cuda")
except (OSError, AttributeError):
    missing = "the fake driver is not in LD_LIBRARY_PATH"

CODE = 'extern "C" __global__ void step(weir_barrier b, float *x, unsigned n) { }'
CREW = 'extern "C" __global__ void step(weir_crew c) { }'
TABLE = 'extern "C" __global__ void step(weir_word *const *shares, uint32_t ranks, uint32_t rank) { }'


def crew_words(crew):
    return weir.SharedCrew.size(crew.ranks) // 4


class Array:
    """Memory of the fake device, which is host memory."""

    def __init__(self, count=4096, typestr="<u4"):
        self.room = (ctypes.c_uint32 * count)()
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": typestr, "version": 3, "strides": None,
                                         "data": (ctypes.addressof(self.room), False)}


@unittest.skipIf(missing, missing)
class Cuda(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("cuda:0")
        self.addCleanup(self.device.close)
        self.addCleanup(fake.fake_set_series, 0)

    def kernel(self, device=None):
        return (device or self.device).program(b"good", CODE).kernel("step")

    def test_devices(self):
        self.assertEqual((self.device.info.machine, self.device.number), ("cuda", 0))
        self.assertGreater(self.device.stream, 0)
        self.assertEqual(self.device.architecture, "compute_90")
        with self.assertRaisesRegex(weir.Unsupported, "sm_70"):  # the second is too old
            weir.Device.of_cuda(1)
        self.assertEqual(weir.Device.of_cuda(2).info.name, "cuda:1")  # weir skips that device
        self.assertEqual(weir.Device.of_cuda(2).number, 2)

    def test_programs(self):
        with self.assertRaisesRegex(weir.BadProgram, "fake ptxas, line 7"):
            self.device.program(b"bad")
        self.assertRaises(weir.BadArgument, self.device.program, b"")
        self.assertRaises(weir.NotFound, self.device.program(b"good").kernel, "stride")
        program = self.device.program(b"good")
        program.destroy()
        self.assertRaises(weir.Error, program.kernel, "step")

    def test_nothing_is_used_after_its_program_or_device(self):
        program = self.device.program(b"good", CODE)
        kernel, buffer = program.kernel("step"), self.device.buffer(64)
        arguments = (weir.Barrier(self.device, 8), buffer, 4)
        self.device.launch(kernel, 8, 128, arguments)
        with weir.Device("cuda:0") as other:
            strange, mine = self.kernel(other), other.program(b"good")
            with self.assertRaisesRegex(weir.BadArgument, "a kernel of another device"):
                self.device.launch(strange, 8, 128, arguments)
            with self.assertRaisesRegex(weir.BadArgument, "argument 1 is one of another device"):
                self.device.launch(kernel, 8, 128, (arguments[0], other.buffer(64), 4))
            late = other.buffer(64)
        for use in (lambda: self.device.launch(strange, 8, 128, arguments), mine.destroy, lambda: mine.kernel("step"),
                    lambda: late.__cuda_array_interface__, lambda: self.device.resident_blocks(strange, 64)):
            with self.assertRaisesRegex(weir.DeviceClosed, "the device is closed"):
                use()
        self.assertRegex(repr(strange), "weir.Kernel step of 3 parameters on cuda:0, its device closed")
        program.destroy()
        for use in (lambda: self.device.launch(kernel, 8, 128, arguments), lambda: program.kernel("step"), program.destroy):
            with self.assertRaisesRegex(weir.NotFound, "this Program was destroyed before"):
                use()
        self.assertRegex(repr(program), "weir.Program of \\d+ bytes on cuda:0, destroyed")
        kernel = self.kernel()
        memory_of = weir.Mutex(self.device, memory=buffer)
        buffer.destroy()
        with self.assertRaisesRegex(weir.NotFound, "this Buffer was destroyed before"):
            self.device.launch(kernel, 8, 128, arguments)
        with self.assertRaisesRegex(weir.BadArgument, "the memory of this Mutex is gone"):
            memory_of.reset()
        with self.assertRaisesRegex(weir.BadArgument, "NUL"):
            self.device.program(b"good", CODE).kernel("step\0other")
        with self.assertRaisesRegex(weir.BadType, "must be bytes"):
            self.device.program("good")
        for number in -1, 2**64, 2**70:
            with self.assertRaises(weir.BadArgument):
                weir.Device.of_cuda(number)
        with self.assertRaises(weir.Unsupported):
            weir.Device.of_cuda(2**31)

    def test_a_launch(self):
        before = fake.fake_cooperative_launches()
        barrier = weir.Barrier(self.device, 8)
        self.device.run(self.kernel(), 8, 128, (barrier, Array(64, "<f4"), 64), barrier=barrier)
        self.assertEqual(fake.fake_cooperative_launches(), before + 1)
        self.assertEqual(fake.fake_launch_stream(), self.device.stream)
        self.device.launch(self.kernel(), 8, 128, (barrier, Array(64, "<f4"), 64), cooperative=True, stream=0)
        self.assertEqual(fake.fake_launch_stream(), 1)  # the other name of the default stream

    def test_a_grid_that_does_not_fit(self):
        self.assertEqual(self.device.resident_blocks(self.kernel(), 128), 16 * 132)
        with self.assertRaisesRegex(weir.TooManyBlocks, "2112"):
            self.device.launch(self.kernel(), 2113, 128, (weir.Barrier(self.device, 8), None, 0), cooperative=True)

    def test_an_array_of_another_dtype(self):
        with self.assertRaisesRegex(weir.BadArgument, "array of uint32, but the kernel takes float"):
            self.device.launch(self.kernel(), 8, 128, (weir.Barrier(self.device, 8), Array(), 4))

    def test_a_kernel_with_other_headers(self):
        kernel = self.kernel()
        fake.fake_set_series(99001)
        with self.assertRaisesRegex(weir.OtherVersion, "headers of weir 99.1.*recompile it"):
            self.device.launch(kernel, 8, 128, (weir.Barrier(self.device, 8), Array(8, "<f4"), 4))
        with self.assertRaises(weir.OtherVersion):
            self.device.program(b"good")

    def test_a_package_of_another_version(self):
        version, paths.version = paths.version, lambda: "99.1.0"
        try:
            with self.assertRaisesRegex(weir.OtherVersion, "99.1.0"):
                weir.Device("cuda:0")
        finally:
            paths.version = version

    def test_memory_of_others(self):
        array = Array()
        barrier = weir.Barrier(self.device, 8, memory=array)
        self.assertEqual(barrier.handle.words, ctypes.addressof(array.room))
        array.__cuda_array_interface__["data"] = (ctypes.addressof(array.room) + 4096, False)
        with self.assertRaisesRegex(weir.BadArgument, "freed or moved"):
            barrier.reset()
        with self.assertRaisesRegex(weir.BadArgument, "the memory is the host's"):
            weir.Barrier(self.device, 8, memory=HostArray())

    def test_a_copy_of_a_handle_on_the_device(self):
        mutex = weir.Mutex(self.device)
        copy = mutex.on_device()
        self.assertEqual(copy.read(), bytes(mutex))
        self.assertIs(mutex.on_device(), copy)
        self.assertEqual(memory.place_of(copy).address, copy.address)
        mutex.destroy()

    def test_a_crew_that_is_joined(self):
        before = fake.fake_cooperative_launches()
        with weir.Crew(self.device, rank=0, ranks=1, blocks=8, data_bytes=6) as crew:
            data = crew.data(0).__cuda_array_interface__
            self.assertEqual((data["shape"], data["data"][0] - crew.handle.words), ((8,), 4 * crew_words(crew)))
            self.assertRaises(weir.Unsupported, crew.barrier)
            self.assertRaises(weir.Unsupported, crew.data(0).view)
            self.assertRaises(weir.Unsupported, crew.event, 0)
            kernel = self.device.program(b"good", CREW).kernel("step")
            frameworks.launch(self.device, kernel, 8, 64, (crew,), None, None, False, 1, 0)
            self.assertEqual(fake.fake_cooperative_launches(), before + 1)
            with self.assertRaisesRegex(weir.BadArgument, "8 blocks of the grid"):
                self.device.launch(kernel, 7, 64, (crew,))
            self.assertEqual(crew.on_device().read(), bytes(crew))
            self.assertIn("every rank has arrived", str(crew.diagnose()))
            crew.abort()
        other = weir.Device("cuda:0")
        crew = weir.Crew(other, rank=0, ranks=1)
        other.close()
        with self.assertRaisesRegex(weir.BadArgument, "closed before the crew was left"):
            crew.leave()

    def test_a_crew_by_addresses(self):
        shares = [Array(weir.SharedCrew.size(2) // 4) for _ in range(2)]
        crew = weir.SharedCrew(self.device, shares, 1)
        table, ranks, rank = crew.arguments
        addresses = [ctypes.addressof(share.room) for share in shares]
        self.assertEqual((ranks, rank, table.read()), (2, 1, b"".join(at.to_bytes(8, "little") for at in addresses)))
        self.assertEqual((crew.handle.words, crew.handle.table), (addresses[1], table.address))
        kernel = self.device.program(b"good", TABLE).kernel("step")
        self.device.launch(kernel, 8, 64, crew.arguments, cooperative=True)
        with self.assertRaisesRegex(weir.BadArgument, "memory of another kind"):
            weir.SharedCrew(self.device, [HostArray()], 0)
        with self.assertRaisesRegex(weir.BadArgument, "has 64 bytes"):
            weir.SharedCrew(self.device, [Array(16)], 0)

    def test_a_crew_of_torch(self):
        from torch import distributed
        from torch.distributed import _symmetric_memory
        from weir import torch

        with self.assertRaisesRegex(weir.Unsupported, "init_process_group"):
            torch.crew()
        distributed.begin()
        crew = torch.crew(blocks=8, events=2)
        shared = _symmetric_memory.made[-1]
        self.assertEqual((crew.rank, crew.ranks, crew.handle.events, shared.barriers), (1, 2, 2, 1))
        self.assertEqual(crew.handle.words, shared.buffer_ptrs[1] + _symmetric_memory.OFFSET)
        kernel = torch.device().program(b"good", CREW).kernel("step")
        torch.launch(kernel, 8, 64, (crew,))
        kernel.system_scope = False  # as weir.torch.kernel notes it
        with self.assertRaisesRegex(weir.BadArgument, "system_scope=True"):
            torch.launch(kernel, 8, 64, (crew,))
        shared = _symmetric_memory._Shared.__init__
        self.addCleanup(setattr, _symmetric_memory._Shared, "__init__", shared)
        _symmetric_memory._Shared.__init__ = lambda self, tensor: setattr(self, "buffer_ptrs", [4096, 0])
        with self.assertRaisesRegex(weir.Unsupported, "rank 1 is not reached"):
            torch.crew()

    def test_cupy(self):
        from weir import cupy

        kernel = cupy.kernel(CODE, "step", diagnose=True, system_scope=True)
        self.assertEqual((len(kernel.parameters), kernel.system_scope), (3, True))
        self.assertIs(cupy.kernel(CODE, "step").system_scope, False)
        self.assertIs(cupy.device(), cupy.device())
        self.assertIs(weir.Device.current(), cupy.device())
        barrier = weir.Barrier(None, 8)
        before = fake.fake_cooperative_launches()
        cupy.launch(kernel, 8, 128, (barrier, Array(8, "<f4"), 8))
        self.assertEqual((fake.fake_cooperative_launches(), fake.fake_launch_stream()), (before + 1, 1))
        self.assertEqual(cupy.resident_blocks(kernel, 128), 2112)
        with self.assertRaisesRegex(weir.BadArgument, "several barriers"):
            cupy.launch(kernel, 8, 128, (barrier, barrier, 8))
        large = weir.Barrier(None, 2112)
        with self.assertRaises(weir.BadArgument):  # a barrier of another grid
            cupy.launch(kernel, 8, 128, (large, Array(8, "<f4"), 8))
        own = cupy.module(CODE).get_function("step")  # a kernel of CuPy itself
        cupy.launch(own, 8, 128, (barrier, Array(8, "<f4"), 8))

    def test_torch(self):
        import torch as stand_in
        from weir import nvrtc, torch

        compiled, nvrtc.compile = nvrtc.compile, lambda *_, **__: b"good"
        self.addCleanup(setattr, nvrtc, "compile", compiled)
        kernel = torch.kernel(CODE, "step")
        torch.launch(kernel, 8, 128, (weir.Barrier(torch.device(), 8), Array(8, "<f4"), 8))
        self.assertEqual(fake.fake_launch_stream(), 0x77)
        _, _, _, options = torch.load_inline("x", "", diagnose=True)
        self.assertIn("-DWEIR_DIAGNOSE", options["extra_cuda_cflags"])
        self.assertIn(weir.include_dir(), options["extra_include_paths"])
        stand_in.cuda.capability = (6, 1)
        self.addCleanup(setattr, stand_in.cuda, "capability", (9, 0))
        with self.assertRaisesRegex(weir.Unsupported, "sm_61.*from sm_70"):
            torch.load_inline("x", "")

    def test_cuda_core(self):
        from weir import cuda_core

        if not hasattr(fake, "cuKernelGetFunction"):
            self.skipTest("the fake driver has no kernels of libraries")
        kernel = cuda_core.kernel(CODE, "step")
        self.assertEqual(kernel.native, 0x81)
        stream = type("Stream", (), {"__cuda_stream__": lambda s: (0, 0x78)})()
        cuda_core.launch(stream, kernel, 8, 128, (weir.Barrier(cuda_core.device(), 8), Array(8, "<f4"), 8))
        self.assertEqual(fake.fake_launch_stream(), 0x78)


class HostArray:
    def __init__(self):
        self.room = (ctypes.c_uint32 * 64)()
        self.__array_interface__ = {"shape": (64,), "typestr": "<u4", "version": 3, "strides": None,
                                    "data": (ctypes.addressof(self.room), False)}


if __name__ == "__main__":
    common.main()
