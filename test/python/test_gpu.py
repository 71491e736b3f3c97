"""The package on a GPU, with the installed frameworks. Arguments are names of classes: Plain, Cupy, Torch, CudaCore,
Numba, Triton. tools/gpu-check runs each."""
import unittest

import common
import plain
import weir
from crew_kernels import CREW
from plain import COUNT, DEADLINE, objects


class Framework:
    """The tests shared by CuPy, PyTorch and cuda.core: a subclass provides the module, zeros and the number."""

    def test_handles_by_value(self):
        module, total = self.module(), self.zeros(1)
        mutex, barrier = objects(module.device())
        self.launch(module.kernel(COUNT, "count"), 32, 64, (mutex, barrier, total, 10))
        self.assertEqual(self.number(total), 320)

    def test_a_grid_that_does_not_fit(self):
        module = self.module()
        kernel = module.kernel(COUNT, "count")
        most = module.resident_blocks(kernel, 1024)
        with self.assertRaisesRegex(weir.TooManyBlocks, str(most)):
            mutex, _ = objects(module.device())
            barrier = weir.Barrier(module.device(), most + 1)
            self.launch(kernel, most + 1, 1024, (mutex, barrier, self.zeros(1), 1))

    def test_arguments_are_checked(self):
        module = self.module()
        mutex, barrier = objects(module.device())
        kernel = module.kernel(COUNT, "count")
        with self.assertRaisesRegex(weir.BadArgument, "Event, but the kernel takes weir_mutex m"):
            self.launch(kernel, 32, 64, (weir.Event(module.device()), barrier, self.zeros(1), 1))
        with self.assertRaisesRegex(weir.BadArgument, "3 arguments for a kernel that takes 4"):
            self.launch(kernel, 32, 64, (mutex, barrier, self.zeros(1)))

    def test_a_kind_that_the_kernel_lacks(self):
        module = self.module()
        mutex, barrier = weir.Mutex(module.device(), kind="ticket"), weir.Barrier(module.device(), 32)
        with self.assertRaisesRegex(weir.Error, "WEIR_MUTEX_WITH"):
            self.launch(module.kernel(COUNT, "count"), 32, 64, (mutex, barrier, self.zeros(1), 1))

    def test_memory_of_the_framework(self):
        module, total = self.module(), self.zeros(1)
        size = weir.Barrier.size(module.device(), 32)
        room = self.zeros(size // 4 + 32)
        barrier = weir.Barrier(module.device(), 32, memory=room)
        self.launch(module.kernel(COUNT, "count"), 32, 64, (weir.Mutex(module.device()), barrier, total, 2))
        self.assertEqual(self.number(total), 64)

    def test_a_hang_is_raised(self):
        module = self.module()
        device = module.device()
        barrier = weir.Barrier(device, 8, diagnose=True, name="steps")
        kernel = module.kernel(COUNT, "hang", diagnose=True)
        with self.assertRaisesRegex(weir.Hang, "'steps'"):
            with device.watch(0.5, "raise"):
                self.launch(kernel, 8, 64, (barrier,))
        barrier.reset()
        self.test_handles_by_value()  # the context survives


@common.needs()
class Plain(plain.Plain, unittest.TestCase):
    """NVRTC makes machine code of this GPU."""

    name = "cuda"
    cubin = True


@common.needs("cupy")
class Cupy(Framework, unittest.TestCase):
    def module(self):
        from weir import cupy

        return cupy

    def zeros(self, count):
        import cupy

        return cupy.zeros(count, cupy.uint32)

    def number(self, array):
        return int(array.get()[0])

    def launch(self, *arguments):
        import cupy

        self.module().launch(*arguments)
        cupy.cuda.get_current_stream().synchronize()

    def test_cupy_s_own_launch(self):
        import cupy
        import numpy

        total = self.zeros(1)
        mutex, barrier = objects(self.module().device())
        kernel = self.module().module(COUNT, enable_cooperative_groups=True).get_function("count")
        kernel((32,), (64,), (mutex.numpy(), barrier.numpy(), total, numpy.uint32(5)))
        cupy.cuda.get_current_stream().synchronize()
        self.assertEqual(self.number(total), 160)

    def test_an_array_of_another_dtype(self):
        import cupy

        mutex, barrier = objects(self.module().device())
        with self.assertRaisesRegex(weir.BadArgument, "float64, but the kernel takes"):
            self.launch(self.module().kernel(COUNT, "count"), 32, 64, (mutex, barrier, cupy.zeros(1), 1))

    def test_a_crew_by_a_table_of_addresses(self):
        import cupy

        share, total = self.zeros(weir.SharedCrew.size(1) // 4), self.zeros(1)
        cupy.cuda.get_current_stream().synchronize()
        crew = weir.SharedCrew(None, [share], 0, blocks=32)
        kernel = self.module().kernel(CREW, "meet_in", system_scope=True)
        self.module().launch(kernel, 32, 64, (*crew.arguments, total), cooperative=True)
        cupy.cuda.get_current_stream().synchronize()
        self.assertEqual(self.number(total), 32)

    def test_the_text_by_itself(self):
        import cupy

        code = weir.headers() + COUNT.replace('#include "weir/device.h"', "")
        self.assertTrue(cupy.RawModule(code=code, options=("-std=c++17",)).get_function("count").kernel.ptr)


@common.needs("torch")
class Torch(Framework, unittest.TestCase):
    def module(self):
        from weir import torch

        return torch

    def zeros(self, count):
        import torch

        return torch.zeros(count, dtype=torch.int32, device="cuda").view(torch.uint32)

    def number(self, tensor):
        return int(tensor.cpu()[0])

    def launch(self, *arguments):
        import torch

        self.module().launch(*arguments)
        torch.cuda.synchronize()

    def test_a_crew_in_symmetric_memory(self):
        with self.assertRaisesRegex(weir.Unsupported, "init_process_group"):
            self.module().crew()
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                done = common.start_crew(ranks, "symmetric")
                if "skipped: " in done.stdout:
                    self.skipTest(done.stdout.split("skipped: ")[1].split("\n")[0])
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(done.stdout.count("met in symmetric memory"), ranks)

    def test_a_tensor_that_was_freed(self):
        import torch

        room = torch.zeros(4096, dtype=torch.int32, device="cuda")
        barrier = weir.Barrier(self.module().device(), 32, memory=room)
        room.untyped_storage().resize_(0)
        with self.assertRaisesRegex(weir.BadArgument, "freed"):
            barrier.reset()

    def test_a_tensor_of_the_host(self):
        import torch

        mutex, barrier = objects(self.module().device())
        with self.assertRaisesRegex(weir.BadArgument, "host's memory"):
            self.launch(self.module().kernel(COUNT, "count"), 32, 64,
                        (mutex, barrier, torch.zeros(1, dtype=torch.int32), 1))


@common.needs("cuda.core")
class CudaCore(Framework, unittest.TestCase):
    def setUp(self):
        from cuda import core

        core.Device().set_current()
        self.stream = core.Device().create_stream()

    def module(self):
        from weir import cuda_core

        return cuda_core

    def zeros(self, count):
        return Words(self.module().device().buffer(4 * count))

    def number(self, words):
        return int.from_bytes(words.buffer.read(4), "little")

    def launch(self, *arguments):
        self.module().launch(self.stream, *arguments)
        self.stream.sync()

    def test_a_handle_by_its_address(self):
        """cuda.core's own launch takes numbers, such as the address of the handle's copy."""
        from cuda import core

        code = ('#include "weir/device.h"\nextern "C" __global__ void add(const weir_mutex *m, unsigned *total)\n'
                "{ weir_mutex mine = *m; weir_mutex_block_lock(mine); if (threadIdx.x == 0) *total += 1;\n"
                "  weir_mutex_block_unlock(mine); }\n")
        options = core.ProgramOptions(std="c++17", include_path=[weir.include_dir()],
                                      arch="sm_%d%d" % tuple(core.Device().compute_capability))
        kernel = core.Program(code, "c++", options).compile("cubin").get_kernel("add")
        total, mutex = self.zeros(1), weir.Mutex(self.module().device())
        core.launch(self.stream, core.LaunchConfig(grid=32, block=64), kernel, mutex.on_device().address,
                    total.buffer.address)
        self.stream.sync()
        self.assertEqual(self.number(total), 32)


class Words:
    """A weir buffer as an array of uint32."""

    def __init__(self, buffer):
        self.buffer = buffer
        self.__cuda_array_interface__ = {**buffer.__cuda_array_interface__, "typestr": "<u4",
                                         "shape": (buffer.size // 4,)}


@common.needs("numba.cuda")
class Numba(unittest.TestCase):
    def test_functions_in_a_kernel(self):
        import numpy
        from numba import cuda
        from weir import numba as weir_numba

        ENDED = 2**64 - 1

        @cuda.jit
        def kernel(m, b, q, d, x):
            if cuda.threadIdx.x == 0:
                weir_numba.mutex_lock(m)
                x[0] += 1
                weir_numba.mutex_unlock(m)
                weir_numba.queue_push(q, cuda.blockIdx.x)
            weir_numba.barrier_wait(b)
            if cuda.threadIdx.x == 0:
                item = weir_numba.queue_pop(q)
                x[1 + (item & 0xffffffff)] = 1
                share = weir_numba.dispenser_next(d, 0, 1)
                while share != ENDED:
                    x[40 + (share & 0xffffffff)] = x[0]
                    share = weir_numba.dispenser_next(d, share, 1)

        x = cuda.to_device(numpy.zeros(140, numpy.float32))
        device = weir_numba.device()
        mutex, barrier = objects(device)
        queue, dispenser = weir.Queue(device, 64), weir.Dispenser(device, 100)
        kernel[32, 64](*(weir_numba.handle(made) for made in (mutex, barrier, queue, dispenser)), x)
        cuda.synchronize()
        got = x.copy_to_host()
        self.assertEqual((got[0], got[1:33].sum(), set(got[40:140])), (32, 32, {32.0}))
        self.assertTrue(all(overload.cooperative for overload in kernel.overloads.values()))
        with self.assertRaises(weir.TooManyBlocks):
            weir_numba.check_fits(kernel, 10**6, 64)


@common.needs("triton", "torch", extensions=True)
class Triton(unittest.TestCase):
    def test_a_barrier(self):
        import torch
        import triton_kernel
        from weir import torch as weir_torch
        from weir import triton as weir_triton

        device = weir_torch.device()
        barrier = weir.Barrier(device, 64)
        for _ in range(20):
            x = torch.arange(64, device="cuda", dtype=torch.float32).repeat_interleave(1024)
            made = triton_kernel.shift[(64,)](weir_triton.handle(barrier), x, 1024, **weir_triton.options())
            expected = (torch.arange(64, device="cuda", dtype=torch.float32).roll(-1) + 1).repeat_interleave(1024)
            self.assertTrue(torch.equal(x, expected))
        with self.assertRaises(weir.TooManyBlocks):
            weir_triton.check_fits(device, made, 10**6)


if __name__ == "__main__":
    common.end_after(180)  # tools/gpu-check would silently end it a little later
    common.main()
