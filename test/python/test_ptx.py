"""The device ptx: kernels from PTX text, without a GPU and without a compiler."""
import ctypes
import unittest

import common
import plain
import weir

PTX = b""".version 7.0
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 to, .param .u32 first) {
 .reg .b64 %x<4>; .reg .b32 %r<4>;
 ld.param.u64 %x1, [to]; ld.param.u32 %r1, [first]; mov.u32 %r2, %tid.x;
 mul.wide.u32 %x2, %r2, 4; add.s64 %x3, %x1, %x2; add.u32 %r3, %r1, %r2;
 st.global.u32 [%x3], %r3; ret;
}
"""


class OnPtx(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("ptx:sms=2,seed=3")
        self.addCleanup(self.device.close)
        self.kernel = self.device.program(PTX).kernel("fill")
        self.buffer = self.device.buffer(256)

    def test_a_launch(self):
        self.assertEqual(self.device.info.machine, "ptx")
        self.device.launch(self.kernel, 1, 64, (self.buffer, ctypes.c_uint32(5)))
        self.device.wait()
        words = memoryview(self.buffer.read()).cast("I")
        self.assertEqual(list(words), list(range(5, 69)))

    def test_a_fault_says_where(self):
        self.device.launch(self.kernel, 1, 65, (self.buffer, ctypes.c_uint32(5)))
        with self.assertRaisesRegex(weir.Error, r"out of bounds: block \(0,0,0\) thread \(64,0,0\) at PTX line 8"):
            self.device.wait()

    def test_what_it_refuses(self):
        with self.assertRaisesRegex(weir.Error, "no parameter 'cores'"):
            weir.Device("ptx:cores=2")
        with self.assertRaises(weir.BadType):
            self.device.launch(12345, 1, 1, ())

    def test_it_is_never_the_default(self):
        with weir.Device() as best:
            self.assertNotEqual(best.info.machine, "ptx")


class Compiled(plain.Plain, unittest.TestCase):
    """NVRTC makes PTX."""

    name = "ptx"
    cubin = False

    @classmethod
    def setUpClass(cls):
        try:
            weir.compile("")
        except weir.Error as error:
            raise unittest.SkipTest(str(error)) from None


common.main()
