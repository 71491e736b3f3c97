"""Tests of kernels that NVRTC compiles, on a GPU (test_gpu.py) and on ptx (test_ptx.py)."""
import threading

import common
import weir
from crew_kernels import CREW

DEADLINE = 120
COUNT = r"""
#include "weir/device.h"

extern "C" __global__ void count(weir_mutex m, weir_barrier b, unsigned *total, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		weir_mutex_block_lock(m);
		if (threadIdx.x == 0)
			*total += 1; /* plain: the mutex alone protects it */
		weir_mutex_block_unlock(m);
	}
	weir_barrier_wait(b);
	if (*total != n * gridDim.x)
		__trap();
}

extern "C" __global__ void hang(weir_barrier b)
{
	if (blockIdx.x != 1)
		weir_barrier_wait(b);
}
"""


def objects(device, blocks=32, **options):
    return weir.Mutex(device, **options), weir.Barrier(device, blocks, **options)


class Plain:
    """Without a framework: NVRTC, and weir's own memory and stream. A subclass has the name of the device, and whether it takes
    machine code."""

    def test_all(self):
        with weir.Device(self.name) as device:
            kernel = device.program(weir.compile(COUNT, device.architecture, cubin=self.cubin), COUNT).kernel("count")
            total = device.buffer(4)
            mutex, barrier = objects(device)
            device.run(kernel, 32, 64, (mutex, barrier, total, 10), barrier=barrier, timeout=DEADLINE)
            self.assertEqual(int.from_bytes(total.read(), "little"), 320)

    def test_other_headers(self):
        parts = ", ".join(weir.__version__.split("."))
        text = weir.headers().replace(f"use({parts})", "use(0, 99, 0)")
        self.assertNotEqual(text, weir.headers())
        with weir.Device(self.name) as device, self.assertRaisesRegex(weir.OtherVersion, "0.99"):
            text += 'extern "C" __global__ void k(weir_barrier b) { weir_barrier_wait(b); }'
            device.program(weir.compile(text, device.architecture, cubin=self.cubin))

    def test_printed_while_it_hangs(self):
        with weir.Device(self.name) as device:
            image = weir.compile(COUNT, device.architecture, diagnose=True, cubin=self.cubin)
            kernel = device.program(image, COUNT).kernel("hang")
            barrier = weir.Barrier(device, 8, diagnose=True, name="steps")
            seen = threading.Event()
            with device.watch(0.5, lambda report: seen.set()):
                device.launch(kernel, 8, 64, (barrier,), barrier=barrier)
                self.assertTrue(seen.wait(DEADLINE))
                self.assertIn("kernel.cu:", device.diagnose().text)
                device.abort()
                self.assertRaises(weir.Aborted, device.wait, DEADLINE)

    def crew_kernel(self, device, name):
        image = weir.compile(CREW, device.architecture, system_scope=True, cubin=self.cubin)
        return device.program(image, CREW).kernel(name)

    def test_a_crew_of_two_ranks_in_one_grid(self):
        with weir.Device(self.name) as device:
            shares = [device.buffer(weir.SharedCrew.size(2, data_bytes=8)) for _ in range(2)]
            crews = [weir.SharedCrew(device, shares, rank, blocks=16, first_block=16 * rank, data_bytes=8)
                     for rank in range(2)]
            wrong = device.buffer(4)
            for _ in range(3):  # nothing is reset between launches
                device.run(self.crew_kernel(device, "meet_two"), 32, 64, (*crews, wrong), cooperative=True,
                           timeout=DEADLINE)
            self.assertEqual(wrong.read(), bytes(4))
            self.assertEqual(shares[1].read(8, shares[1].size - 8), bytes([20, 0, 0, 0, 19, 0, 0, 0]))

    def test_a_crew_of_processes(self):
        done = common.start_crew(2, "on_device", self.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count(f"met on {self.name}"), 2)
