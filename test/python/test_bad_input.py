"""Bad input: every mistake is an exception that says what to do."""
import ctypes
import os
import unittest

import common
import weir
from weir import arguments, memory, nvrtc, signature

try:
    import numpy
except ImportError:
    numpy = None


class FakeDevice:
    id = 1


class FakeCudaArray:
    """A GPU array according to the protocol: no GPU is needed to inspect it."""

    def __init__(self, typestr="<u4", shape=(4096,), address=0x7F0000000000, strides=None, device=None):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (address, False),
                                         "version": 3, "strides": strides}
        if device is not None:
            self.device = FakeDevice()
            self.device.id = device


class FakeStorage:
    def __init__(self, size):
        self.size = size

    def nbytes(self):
        return self.size


class FakeTensor:
    """A PyTorch tensor, as far as weir inspects one."""

    def __init__(self, kind="cuda", index=0, dtype="torch.uint32", count=1024, contiguous=True):
        self.device = type("device", (), {"type": kind, "index": index, "__str__": lambda d: kind})()
        self.dtype, self.count, self.contiguous = dtype, count, contiguous
        self.storage = FakeStorage(count * 4)
        self.address = 0x7F0000000000

    def data_ptr(self):
        return self.address

    def numel(self):
        return self.count

    def element_size(self):
        return 4

    def is_contiguous(self):
        return self.contiguous

    def untyped_storage(self):
        return self.storage


class Arguments(unittest.TestCase):
    """Arguments of CUDA kernels, checked before anything is launched: against the parameters in the source."""

    CODE = """
    // step(float *nothing)
    extern "C" __global__ void __launch_bounds__(128) step(weir_barrier b, const float *__restrict__ data,
                                                           weir_word *words, unsigned int n, struct own o)
    { }
    extern "C" __global__ void none() { }
    template <class T> __global__ void several(T *x) { }
    """

    def setUp(self):
        self.host = weir.Device("host")
        self.addCleanup(self.host.close)
        # The checks need no GPU: this device claims to be one.
        self.gpu = object.__new__(weir.Device)
        self.gpu._pointer, self.gpu._life, self.gpu._number = self.host._pointer, self.host._life, 0
        self.gpu.info = self.host.info._replace(name="cuda:0", machine="cuda")
        self.parameters = signature.read(self.CODE, "step")

    def refuse(self, value, number, words, parameters=True):
        parameter = self.parameters[number] if parameters else None
        with self.assertRaisesRegex(weir.BadArgument, words):
            arguments.pack(self.gpu, value, number, parameter)

    def test_parameters_are_read_from_the_text(self):
        self.assertEqual([p.handle for p in self.parameters], ["weir_barrier", "", "", "", ""])
        self.assertEqual([p.dtypes for p in self.parameters],
                         [(), ("float32",), ("uint32", "int32"), ("uint32",), ()])
        self.assertEqual([p.is_pointer for p in self.parameters], [False, True, True, False, False])
        self.assertEqual(signature.read(self.CODE, "none"), [])
        self.assertIsNone(signature.read(self.CODE, "absent"))

    def test_an_array_of_another_dtype(self):
        self.refuse(FakeCudaArray("<f8"), 1, "array of float64, but the kernel takes.*dtype=float32")
        self.refuse(FakeTensor(dtype="torch.float64"), 1, "array of float64")
        self.assertEqual(len(arguments.pack(self.gpu, FakeCudaArray("<f4"), 1, self.parameters[1])), 8)
        self.assertEqual(len(arguments.pack(self.gpu, FakeTensor(dtype="torch.int32"), 2, self.parameters[2])), 8)

    def test_an_array_of_another_device(self):
        self.refuse(FakeCudaArray("<f4", device=1), 1, "lies on cuda:1, but the launch is on cuda:0")
        self.refuse(FakeTensor(index=1, dtype="torch.float32"), 1, "lies on cuda:1")
        self.refuse(FakeTensor("cpu", None, "torch.float32"), 1, "host's memory: copy it to the device")
        self.refuse(FakeTensor("mps", 0, "torch.float32"), 1, r"move it to a CUDA device")

    def test_a_tensor_that_was_freed(self):
        tensor = FakeTensor(dtype="torch.float32")
        tensor.storage.size = 0
        self.refuse(tensor, 1, "memory was freed")
        tensor = FakeTensor(dtype="torch.float32")
        tensor.address = 0
        self.refuse(tensor, 1, "memory was freed")

    def test_arrays_with_gaps(self):
        self.refuse(FakeCudaArray("<f4", (4, 4), strides=(4, 16)), 1, "not contiguous")
        self.refuse(FakeTensor(contiguous=False), 1, r"contiguous\(\)")

    def test_values_in_the_wrong_place(self):
        self.refuse(FakeCudaArray("<u4"), 3, "is an array, but the kernel takes")
        self.refuse(FakeCudaArray("<u4"), 0, "but the kernel takes weir_barrier b")
        self.refuse(weir.Mutex(self.host), 0, "is a Mutex, but the kernel takes weir_barrier b")
        self.refuse(7, 1, "7, but the kernel takes")
        self.refuse(-1, 3, "does not fit")
        self.refuse(2.5, 3, "does not fit")
        self.refuse(7, 3, "give a numpy.int32", parameters=False)
        self.refuse(object(), 3, "nothing that a kernel takes")
        # The driver reads the number of bytes that the kernel takes.
        for value in (b"\7", b"", bytes(8), ctypes.c_uint8(5), ctypes.c_int64(5), None):
            self.refuse(value, 3, "but the kernel takes unsigned int n, of 4")
        for value in (b"\7", ctypes.c_int(5)):
            self.refuse(value, 1, "but the kernel takes const float .*, of 8")
        for value in (2**32, 10**5000, float("nan")):
            self.refuse(value, 3, "does not fit")
        with self.assertRaisesRegex(weir.BadType, "argument 0 is 2.5, but it must be True or False"):
            arguments.pack(self.gpu, 2.5, 0, signature.Parameter(("bool",), text="bool b"))
        wanted = signature.Parameter(("float32",), text="float x")
        for value in (1e300, 10**5000):
            with self.assertRaisesRegex(weir.BadArgument, "does not fit float x"):
                arguments.pack(self.gpu, value, 0, wanted)
        self.assertEqual(arguments.pack(self.gpu, 7, 3, self.parameters[3]), b"\7\0\0\0")
        self.assertEqual(arguments.pack(self.gpu, ctypes.c_int(5), 3, None), b"\5\0\0\0")
        self.assertEqual(arguments.pack(self.gpu, None, 1, self.parameters[1]), bytes(8))

    def test_the_number_of_arguments(self):
        kernel = weir.Kernel(1, "step", None, self.parameters)
        with self.assertRaisesRegex(weir.BadArgument, "1 arguments for a kernel that takes 5"):
            self.gpu.launch(kernel, 1, 1, (3,))
        with self.assertRaisesRegex(weir.BadArgument, "is no CUDA kernel"):
            self.gpu.launch("step", 1, 1)
        with self.assertRaisesRegex(weir.BadArgument, "one of another device"):
            self.gpu.launch(kernel, 4, 1, barrier=weir.Barrier(self.host, 4))

    @unittest.skipUnless(numpy, "numpy cannot be imported here")
    def test_numpy_values(self):
        self.refuse(numpy.float32(1), 3, "give a numpy.uint32")
        self.refuse(numpy.zeros(4, numpy.float32), 1, "host's memory")
        self.assertEqual(arguments.pack(self.gpu, numpy.uint32(7), 3, self.parameters[3]), b"\7\0\0\0")

    def test_streams(self):
        stream = type("stream", (), {"ptr": 0})()
        self.assertEqual(memory.stream_pointer(stream), 1)  # the default stream, not weir's own
        self.assertEqual(memory.stream_pointer(type("s", (), {"cuda_stream": 77})()), 77)
        self.assertEqual(memory.stream_pointer(type("s", (), {"__cuda_stream__": lambda s: (0, 78)})()), 78)
        self.assertIsNone(memory.stream_pointer(None))
        with self.assertRaisesRegex(weir.BadArgument, "is no CUDA stream"):
            memory.stream_pointer("fast")


class Objects(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)

    def refuse(self, exception, words, call, *arguments, **options):
        with self.assertRaisesRegex(exception, words) as caught:
            call(*arguments, **options)
        if isinstance(caught.exception, weir.Error):
            self.assertGreater(caught.exception.status, 0)

    def test_devices(self):
        self.refuse(weir.NoDevice, "nowhere", weir.Device, "nowhere")
        self.refuse(weir.BadArgument, "no machine is called", weir.why_no, "abacus")
        self.refuse(weir.BadArgument, "3 is not the name of a device", weir.Device, 3)
        self.refuse(weir.BadArgument, "'host' is no device: a Mutex needs a weir.Device", weir.Mutex, "host")
        if weir.why_no("cuda"):
            self.refuse(weir.NoDevice, "driver", weir.Device, "cuda")
        closed = weir.Device("host")
        mutex, mutexes, event = weir.Mutex(closed), weir.MutexArray(closed, 2), weir.EventArray(closed, 2)
        first = mutexes[0]
        closed.close()
        closed.close()
        # Their memory is gone: each would wait for ever, or overwrite something else.
        for call in mutex.lock, mutex.unlock, first.try_lock, lambda: event[0].signal(), lambda: bytes(mutex):
            self.refuse(weir.DeviceClosed, "closed", call)
        self.refuse(weir.DeviceClosed, "closed", weir.Mutex, closed)
        self.refuse(weir.DeviceClosed, "closed", closed.launch, lambda: None, 1, 1)
        self.refuse(weir.Unsupported, "no CUDA program", self.device.program, b"x")
        for info in weir.devices():
            if info.machine == "opencl":
                with weir.Device(info.name) as device:
                    self.refuse(weir.Unsupported, "not launched from Python", device.launch, lambda: None, 1, 1)
                break

    def test_numbers_and_kinds(self):
        self.refuse(weir.BadArgument, "block", weir.Barrier, self.device, 0)
        self.refuse(weir.TooManyBlocks, "blocks", weir.Barrier, self.device, 100000)
        self.refuse(weir.BadArgument, "2\\^32", weir.Barrier, self.device, -1)
        self.refuse(weir.BadArgument, "2.5 is not a whole number", weir.Barrier, self.device, 2.5)
        self.refuse(weir.BadArgument, "ticket", weir.Mutex, self.device, kind="golden")
        self.refuse(weir.BadArgument, "no option of a mutex is called 'colour': it has backoff, compact, diagnose, fair, ", weir.Mutex, self.device, colour="red")
        self.refuse(weir.BadArgument, "", weir.Semaphore, self.device, 2, 3)
        self.refuse(weir.BadArgument, "", weir.Queue, self.device, 4, 3)
        self.refuse(weir.BadArgument, "levels", weir.Tasks, self.device, [[]], levels=[0, 0])
        self.refuse(weir.BadArgument, "no task", weir.Tasks, self.device, [[-1]])
        self.refuse(weir.BadArgument, "task", weir.Tasks, self.device, [[7]])
        self.refuse(weir.BadArgument, "words", weir.Queue(self.device, 4).push, (1, 2))
        self.refuse(weir.BadArgument, "0 or more", weir.Mutex(self.device).lock, timeout=-1)
        self.refuse(weir.BadArgument, "a timeout of 'long' seconds", weir.Mutex(self.device).lock, timeout="long")
        self.refuse(weir.BadArgument, "a tuple or a list, not 5", self.device.run, lambda: None, 1, 1, 5)
        self.refuse(weir.BadArgument, "a tuple or a list, not 'x'", self.device.run, lambda x: None, 1, 1, "x")

    def test_grids(self):
        run = self.device.run
        self.refuse(weir.BadArgument, "grid", run, lambda: None, 0, 1)
        self.refuse(weir.BadArgument, "block of \\(1, 2, 3, 4\\)", run, lambda: None, 1, (1, 2, 3, 4))
        self.refuse(weir.TooManyBlocks, "", run, lambda: None, 5000, 1, cooperative=True)
        self.refuse(weir.BadArgument, "4", run, lambda: None, 3, 1, barrier=weir.Barrier(self.device, 4))
        self.refuse(weir.BadArgument, "cannot be called", run, 3, 1, 1)
        self.refuse(weir.Unsupported, "no streams", run, lambda: None, 1, 1, stream=5)
        self.assertEqual(self.device.resident_blocks(lambda: None, 4), int(os.environ.get("WEIR_HOST_THREADS", 4096)) // 4)

    def test_objects_of_another_device_and_dead_ones(self):
        with weir.Device("host") as other:
            mutex = weir.Mutex(other)
            self.refuse(weir.BadArgument, "another device", self.device.run, lambda m: None, 1, 1, (mutex,))
        mutex = weir.Mutex(self.device)
        mutex.destroy()
        self.refuse(weir.NotFound, "destroyed before", mutex.destroy)
        self.refuse(weir.NotFound, "destroyed before", mutex.reset)
        self.refuse(weir.NotFound, "destroyed before", bytes, mutex)
        self.refuse(weir.NotFound, "destroyed before", self.device.run, lambda m: None, 1, 1, (mutex,))

    def test_with_in_a_kernel_destroys_nothing(self):
        mutex = weir.Mutex(self.device)

        def kernel(m):
            with m:
                pass

        with self.assertRaisesRegex(weir.KernelError, "use locked"):
            self.device.run(kernel, 1, 1, (mutex,))
        mutex.reset()

    def test_the_host_s_side(self):
        plain = weir.EventArray(self.device, 1)
        self.refuse(weir.BadArgument, "host_visible", plain[0].host_post)
        self.refuse(weir.BadArgument, "", weir.Queue(self.device, 4).host_push, 1)
        self.refuse(weir.BadArgument, "timeout", plain[0].host_wait, 1, timeout=-1)

    @unittest.skipUnless(numpy, "numpy cannot be imported here")
    def test_memory_of_the_caller(self):
        size, alignment = weir.Barrier.size(self.device, 4), weir.Barrier.alignment(self.device, 4)
        room = numpy.zeros(size // 4 + 64, numpy.uint32)
        barrier = weir.Barrier(self.device, 4, memory=room)
        self.assertEqual(barrier.handle.words, room.ctypes.data)
        self.device.run(lambda b: b.wait(), 4, 1, (barrier,))
        self.assertTrue(room.any())
        self.assertGreaterEqual(alignment, 4)
        self.refuse(weir.BadArgument, "float64: an object lies in words", weir.Barrier, self.device, 4,
                    memory=numpy.zeros(4096))
        self.refuse(weir.BadArgument, "", weir.Barrier, self.device, 4, memory=numpy.zeros(1, numpy.uint32))
        self.refuse(weir.BadArgument, "memory_offset", weir.Mutex, self.device, memory=room, memory_offset=10**9)
        self.refuse(weir.BadArgument, "needs memory_bytes", weir.Mutex, self.device, memory=room.ctypes.data)
        self.refuse(weir.BadArgument, "not contiguous", weir.Mutex, self.device, memory=room[::2])
        self.refuse(weir.BadArgument, "the memory is the GPU's", weir.Mutex, self.device, memory=FakeCudaArray())
        self.refuse(weir.BadArgument, "is no array", weir.Mutex, self.device, memory="here")
        # Freed under the object, which must notice before a kernel does.
        room.resize(10**6, refcheck=False)
        self.refuse(weir.BadArgument, "freed or moved", self.device.run, lambda b: None, 4, 1, (barrier,))

    @unittest.skipUnless(numpy, "numpy cannot be imported here")
    def test_handles_as_numpy_structures(self):
        made = [weir.Barrier(self.device, 4), weir.Queue(self.device, 8, 12), weir.Tasks(self.device, [[1], []])]
        for one in made:
            value = one.numpy()
            self.assertEqual((value.shape, value.tobytes()), ((1,), bytes(one)))
            for name in value.dtype.names:
                self.assertEqual(int(value[name][0]), getattr(one.handle, name) or 0)

    def test_dlpack(self):
        if numpy is None or not hasattr(numpy.zeros(1), "__dlpack__"):
            self.skipTest("no NumPy with __dlpack__ here")
        array = numpy.zeros((3, 5), numpy.float32)
        only = type("only", (), {"__dlpack__": lambda s: array.__dlpack__()})()
        place = memory.place_of(only)
        self.assertEqual((place.address, place.bytes, place.dtype, place.machine),
                         (array.ctypes.data, 60, "float32", "host"))


class Architectures(unittest.TestCase):
    def test_names(self):
        for given in ("sm_90", "compute_90", 90, "90", (9, 0)):
            self.assertEqual(nvrtc.architecture(given), "compute_90")
        self.assertEqual(nvrtc.architecture("sm_90a"), "compute_90a")
        self.assertRaises(weir.BadArgument, nvrtc.architecture, "fermi")

    def test_below_70(self):
        for given in ("sm_61", (6, 0), 35):
            with self.assertRaisesRegex(weir.Unsupported, "from sm_70"):
                weir.compile("", given)


if __name__ == "__main__":
    common.main()
