"""weir.check and weir.run: kernels of the gallery, of the compilers that are here, and of Triton and Numba; bad input."""
import array
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import common
import weir
from weir import check_sources, nvrtc

try:
    import numpy
except ImportError:
    numpy = None

GALLERY = Path(__file__).resolve().parent.parent.parent / "examples" / "check"
PTX = GALLERY / "histogram.ptx"
TWICE = """
__global__ void twice(const float *in, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i];
}
"""
COPY = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .f32 x) { .reg .b64 %a, %b; .reg .f32 %f, %x;
ld.param.u64 %a, [in]; ld.param.u64 %b, [out]; ld.param.f32 %x, [x];
ld.global.f32 %f, [%a]; add.f32 %f, %f, %x; st.global.f32 [%b], %f; ret; }
"""
NO_NUMPY = "NumPy is not installed here"


def words(count, value=0):
    return array.array("I", [value] * count)


def histogram(**changed):
    """Arguments for the gallery's histogram."""
    return list({"keys": array.array("I", range(1000)), "n": 1000, "rows": words(128), "arrived": words(1),
                 "bins": words(64), **changed}.values())


class Gallery(unittest.TestCase):
    def test_eight_lines(self):
        report = weir.check(PTX, "wrong", grid=2, block=128, args=histogram())
        self.assertFalse(report.clean, report)
        self.assertEqual((report.verdict, len(report.findings)), ("race", 1))
        report = weir.check(PTX, "right", grid=2, block=128, args=histogram())
        self.assertTrue(report.clean, report)

    def test_a_finding_has_fields(self):
        report = weir.check(PTX, "wrong", grid=2, block=128, args=dict(zip(["keys", "n", "rows", "arrived", "bins"],
                                                                          histogram())))
        finding = report.findings[0]
        self.assertEqual((finding.kind, finding.cause, finding.launch), ("race", "missing-block-sync", 1))
        self.assertTrue(finding.title.startswith("block 1 thread 25 reads rows + 100"), finding.title)
        self.assertIn("releases at histogram.cu:18", finding.text)
        self.assertEqual(finding.fix, "__syncthreads() before histogram.cu:18.")
        self.assertEqual(finding.object, "rows + 100")
        self.assertEqual([(place.file, place.line, place.block, place.thread, place.does) for place in finding.accesses],
                         [("histogram.cu", 16, 0, 25, "writes"), ("histogram.cu", 26, 1, 25, "reads")])
        self.assertEqual((finding.release.line, report.kernel, report.executions), (18, "wrong", 1))
        self.assertIn(">   26             sum += rows[b * 64 + threadIdx.x];   <- block 1 thread 25 reads", finding.excerpt())
        self.assertIn("[missing-block-sync]", str(report))
        self.assertIn(finding.excerpt(), report.explain())
        self.assertEqual(repr(report), "<CheckReport wrong: race>")

    def test_forms_of_a_report(self):
        report = weir.check(PTX, "wrong", grid=2, block=128, args=histogram(), seeds=2)
        self.assertEqual(json.loads(report.json())["findings"][0]["cause"], "missing-block-sync")
        self.assertEqual(json.loads(report.json())["file"], str(PTX))
        self.assertEqual(json.loads(report.sarif())["runs"][0]["results"][0]["ruleId"], "missing-block-sync")
        html = report._repr_html_()
        self.assertIn("<code>missing-block-sync</code>", html)
        self.assertIn("local[threadIdx.x]", html)
        self.assertNotIn("<- ", html)  # escaped
        self.assertEqual(report.executions, 2)

    def test_buffers_hold_the_results(self):
        args = histogram()
        weir.run(PTX, "right", grid=2, block=128, args=args)
        self.assertEqual(list(args[4]), [sum(key % 64 == bin for key in range(1000)) for bin in range(64)])
        fixed = bytes(512)
        args = histogram(rows=fixed)
        weir.run(PTX, "right", grid=2, block=128, args=args)
        self.assertEqual(fixed, bytes(512))

    def test_expect(self):
        right = array.array("I", [sum(key % 64 == bin for key in range(1000)) for bin in range(64)])
        self.assertTrue(weir.check(PTX, "right", grid=2, block=128, args=histogram(), expect={4: right}).clean)
        right[3] += 1
        report = weir.check(PTX, "right", grid=2, block=128, args=histogram(), expect={4: right})
        self.assertEqual((report.verdict, report.findings[0].cause), ("wrong result", "wrong-result"))
        with self.assertRaisesRegex(weir.LaunchFailed, "wrong-result"):
            weir.run(PTX, "right", grid=2, block=128, args=histogram(), expect={4: right})

    def test_shapes_reach_the_program(self):
        counts = [words(1), words(128), words(128)]
        report = weir.check(GALLERY / "second_launch.ptx", "wrong", grid=2, block=64, args=counts, launches=2)
        self.assertEqual([finding.cause for finding in report.findings], ["leftover-state"])
        launch = json.loads((GALLERY / "too_many_blocks.json").read_text())
        args = [words(one["buffer"] // 4) if "buffer" in one else one["u32"] for one in launch["arguments"]]
        report = weir.check(GALLERY / "too_many_blocks.ptx", "wrong", grid=launch["grid"], block=(launch["block"],), args=args,
                            resident=launch["resident"])
        self.assertEqual([finding.cause for finding in report.findings], ["blocks-not-resident"])

    def test_silence(self):
        report = weir.check(PTX, "wrong", grid=2, block=128, args=histogram(), silence=["histogram.cu:26=known"])
        self.assertTrue(report.clean)
        self.assertEqual(report.findings[0].silenced, "known")

    def test_numbers_become_what_the_parameter_is(self):
        out = array.array("f", [0])
        weir.run(COPY, grid=1, block=1, args=[array.array("f", [1]), out, 0.5])
        self.assertEqual(out[0], 1.5)
        weir.run(COPY, grid=1, block=1, args=[array.array("f", [1]), out, 2])
        self.assertEqual(out[0], 3)

    @unittest.skipUnless(numpy, NO_NUMPY)
    def test_numpy(self):
        memory = numpy.arange(4, dtype="f4")
        weir.run(COPY, grid=1, block=1, args=[memory, memory[2:], numpy.float32(0.25)])
        self.assertEqual(list(memory), [0, 1, 0.25, 3])
        with self.assertRaisesRegex(weir.BadArgument, "argument 3 of k is .f32, of 4 bytes, and u64 gives 8"):
            weir.check(COPY, grid=1, block=1, args=[memory, memory, numpy.float64(1)])


class Page(unittest.TestCase):
    def test_steps(self):
        finding = weir.check(PTX, "wrong", grid=2, block=128, args=histogram()).findings[0]
        roles = [step.role for step in finding.steps if step.role]
        self.assertEqual(roles, ["earlier", "release", "acquire", "later"])
        last = finding.steps[-1]
        self.assertEqual((last.block, last.thread, last.line), (finding.accesses[1].block, finding.accesses[1].thread, 26))
        self.assertRegex(repr(last), "^<block 1, thread 25 reads 8 from .* at histogram.cu:26>$")
        self.assertTrue(any(step.threads == 128 for step in finding.steps))

    def test_page(self):
        report = weir.check(PTX, "wrong", grid=2, block=128, args=histogram())
        page = report.html()
        self.assertIn("rows[blockIdx.x * 64 + threadIdx.x]", page)  # histogram.cu lies beside the PTX
        self.assertIn('class="step later"', page)
        self.assertNotIn("weir-check-", page)
        shown = report._repr_html_()
        self.assertIn("<iframe srcdoc=", shown)
        self.assertIn("missing-block-sync", shown.partition("<iframe")[0])
        clean = weir.check(PTX, "right", grid=2, block=128, args=histogram())
        self.assertNotIn("<iframe", clean._repr_html_())
        self.assertIn("right: clean", clean.html())

    def test_weak(self):
        look_back = GALLERY / "look_back.ptx"
        launch = {"grid": 3, "block": 64, "seeds": 50, "expect": {3: array.array("I", [0, 64, 128])}}
        args = [words(192, 1), words(3), words(3), words(3)]
        self.assertTrue(weir.check(look_back, "wrong", args=args, **launch).clean)
        report = weir.check(look_back, "wrong", args=[words(192, 1), words(3), words(3), words(3)], weak=True, **launch)
        self.assertEqual(report.verdict, "wrong result")
        args, launch["block"] = [words(6, 1), words(3), words(3), words(3)], 2
        launch.update(seeds=1, grid=2, expect={3: array.array("I", [0, 2])})
        self.assertTrue(weir.check(look_back, "wrong", args=args, **launch).clean)
        report = weir.check(look_back, "wrong", args=[words(6, 1), words(3), words(3), words(3)], explore=True, **launch)
        self.assertEqual(report.verdict, "wrong result")
        self.assertIn("reads 0 from argument 2", report.findings[0].steps[-1].text)
        self.assertIn("reads 0 from argument 2", report.findings[0].trace)
        self.assertFalse(report.explored.complete)
        self.assertIsNone(weir.check(look_back, "wrong", args=args, **launch).explored)
        args = [words(6, 1), words(3), words(3), words(3)]
        explored = weir.check(look_back, "right", args=args, explore=True, **launch).explored
        self.assertTrue(explored.complete)
        self.assertGreater(explored.executions, 1)
        self.assertGreater(explored.steps, explored.executions)
        self.assertEqual((explored.bound, explored.estimate), ("", 0))
        with self.assertRaisesRegex(weir.BadType, "weak"):
            weir.check(look_back, "wrong", args=args, weak="no", **launch)


class BadInput(unittest.TestCase):
    def refused(self, kind, text, *args, **launch):
        with self.assertRaisesRegex(kind, text) as caught:
            weir.check(*args, **launch)
        self.assertNotIn("\n", str(caught.exception))
        self.assertNotIn("weir-check-", str(caught.exception))

    def test_a_short_buffer_is_found_with_its_name(self):
        report = weir.check(PTX, "right", grid=2, block=128, args=dict(zip("abcde", histogram(rows=words(100)))))
        self.assertEqual([finding.cause for finding in report.findings], ["out-of-bounds"])
        self.assertRegex(report.findings[0].title, r"4 bytes at c \+ \d+ .past its end")
        with self.assertRaisesRegex(weir.LaunchFailed, r"c \+ \d+"):
            weir.run(PTX, "right", grid=2, block=128, args=dict(zip("abcde", histogram(rows=words(100)))))

    def test_kernels(self):
        self.refused(weir.NotFound, "no kernel 'sum' in .*histogram.ptx; there are wrong, right", PTX, "sum", args=histogram())
        self.refused(weir.NotFound, "which kernel. kernel= takes one of wrong, right", PTX, args=histogram())

    def test_arguments(self):
        self.refused(weir.BadArgument, "right takes 5 arguments .*, and 4 are given", PTX, "right", args=histogram()[1:])
        self.refused(weir.BadArgument, "argument 2 of right is .u32, of 4 bytes, and an array gives 8", PTX, "right",
                     args=histogram(n=words(1)))
        self.refused(weir.BadType, "argument 2 is 'x': a kernel takes", PTX, "right", args=histogram(n="x"))
        self.refused(weir.BadArgument, "does not fit 32 bits", PTX, "right", args=histogram(n=2**32))
        self.refused(weir.BadArgument, "argument 3 is empty", PTX, "right", args=histogram(rows=words(0)))
        self.refused(weir.BadType, "args is 5", PTX, "right", args=5)
        self.refused(weir.NotFound, "expect names 'x'", PTX, "right", args=histogram(), expect={"x": words(1)})
        self.refused(weir.BadArgument, "bytes, and what is expected of it", PTX, "right", args=histogram(),
                     expect={3: words(2)})

    def test_launches(self):
        self.refused(weir.BadArgument, "grid is 0", PTX, "right", args=histogram(), grid=0)
        self.refused(weir.BadArgument, "block has 4 numbers", PTX, "right", args=histogram(), block=(1, 1, 1, 1))
        self.refused(weir.BadType, "no argument 'blocks'", PTX, "right", args=histogram(), blocks=2)

    def test_sources(self):
        self.refused(weir.NotFound, "cannot read nothing.ptx", "nothing.ptx")
        self.refused(weir.BadProgram, "is neither PTX", GALLERY / "expected.txt")
        self.refused(weir.BadProgram, "^the PTX: PTX line", COPY.replace(".visible", "visible"), args=[])
        self.refused(weir.BadType, "3 is no kernel", 3)
        amd = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\nk:\n\ts_endpgm\n'
        self.refused(weir.BadProgram, "^this text is assembly of another architecture", amd)

    def test_targets(self):
        numbers = [array.array("f", [1]), array.array("f", [0]), 1.0]
        for target in ("sm_52", "sm_75", "sm_90a", "sm_100a", "sm_120"):
            self.assertTrue(weir.check(COPY.replace("sm_90", target), grid=1, block=1, args=numbers).clean, target)
        newer = COPY.replace(".version 8.0", ".version 99.0").replace("sm_90", "sm_999")
        self.assertTrue(weir.check(newer, grid=1, block=1, args=numbers).clean)

    @unittest.skipUnless(numpy, NO_NUMPY)
    def test_arrays(self):
        rows = numpy.zeros(256, "u4")
        self.refused(weir.BadArgument, "argument 3 is not contiguous: give numpy.ascontiguousarray of it", PTX, "right",
                     args=histogram(rows=rows[::2]))
        keys = numpy.arange(1000, dtype="u4")
        keys.flags.writeable = False
        bins = numpy.zeros(64, "u4")
        self.assertTrue(weir.check(PTX, "right", grid=2, block=128, args=histogram(keys=keys, bins=bins)).clean)
        self.assertEqual((bins.sum(), keys[-1]), (1000, 999))
        self.refused(weir.BadType, "argument 3 is an array of Python objects: a kernel takes numbers", PTX, "right",
                     args=histogram(rows=numpy.array([None] * 64)))
        for value in (None, object(), {}, [1, 2], "x", 1j, b""):
            self.refused((weir.BadType, weir.BadArgument), "argument 3", PTX, "right", args=histogram(rows=value))

    def test_a_grid_that_never_ends(self):
        forever = COPY.replace("ld.global.f32 %f", "L: atom.global.add.f32 %f, [%a], 0f3f800000; bra L; ld.global.f32 %f")
        args = [array.array("f", [1]), array.array("f", [1]), 1.0]
        report = weir.check(forever, args=args, budget=1)
        self.assertEqual((report.verdict, report.findings[0].cause), ("incomplete", "budget"))
        with self.assertRaisesRegex(weir.TimedOut, "budget"):
            weir.run(forever, args=args, budget=1)

    def test_a_hang_and_an_unknown_instruction(self):
        with self.assertRaisesRegex(weir.Hang, "lock-not-released"):
            launch = json.loads((GALLERY / "kept_lock.json").read_text())
            args = [words(one["buffer"] // 4) if "buffer" in one else one["u32"] for one in launch["arguments"]]
            weir.run(GALLERY / "kept_lock.ptx", "wrong", grid=launch["grid"], block=launch["block"], args=args)
        with self.assertRaisesRegex(weir.Unsupported, "unsupported-instruction"):
            weir.run(COPY.replace("add.f32 %f, %f, %x", "tcgen05.alloc.b32 [%a], 5"),
                     args=[array.array("f", [1]), array.array("f", [1]), 1.0])

    def test_without_a_compiler(self):
        missing = weir.Unsupported("install it with `pip install nvidia-cuda-nvrtc`")
        with mock.patch.object(check_sources, "_nvcc", return_value=None), \
                mock.patch.object(nvrtc, "library", side_effect=missing):
            self.refused(weir.Unsupported, "no nvcc and no NVRTC to compile CUDA source: pip install nvidia-cuda-nvrtc",
                         TWICE, args=[])


@unittest.skipIf(common.no_cuda_compiler(), common.no_cuda_compiler())
class Compiled(unittest.TestCase):
    def check_twice(self, source):
        numbers, out = array.array("f", range(100)), array.array("f", [0] * 100)
        report = weir.check(source, grid=2, block=64, args=[numbers, out, 100])
        self.assertTrue(report.clean, report)
        self.assertEqual(list(out), [2 * number for number in numbers])
        report = weir.check(source, grid=2, block=64, args=[numbers, out[:99], 100])
        self.assertRegex(report.findings[0].title, r"at out \+ 396 .past its end")
        self.assertRegex(report.findings[0].excerpt(), r">    6 +out\[i\] = 2 \* in\[i\];")

    def test_names_of_parameters(self):
        for head in ("__launch_bounds__(64) void k", "void __launch_bounds__(64, 2) k", "void k"):
            report = weir.check(f"__global__ {head}(float *data, int n) {{ data[threadIdx.x + n] = 1; }}", grid=1,
                                args=[array.array("f", [0] * 64), 5])
            self.assertRegex(report.findings[0].title, r"at data \+ \d+")

    def test_text_and_file(self):
        self.check_twice(TWICE)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "twice.cu")
            path.write_text(TWICE, encoding="utf-8")
            self.check_twice(path)

    @unittest.skipUnless(nvrtc.version(), "there is no NVRTC here")
    def test_nvrtc(self):
        with mock.patch.object(check_sources, "_nvcc", return_value=None):
            self.check_twice(TWICE)

    def test_what_the_compiler_says(self):
        with self.assertRaisesRegex(weir.BadProgram, 'identifier "nothing" is undefined') as caught:
            weir.check(TWICE.replace("2 *", "nothing *"), args=[])
        self.assertNotIn("weir-check-", str(caught.exception))

    @unittest.skipUnless(numpy, NO_NUMPY)
    def test_another_dtype(self):
        with self.assertRaisesRegex(weir.BadArgument, r"^in is an array of uint32, and the kernel takes const float \*in$"):
            weir.check(TWICE, args=[numpy.zeros(4, "u4"), numpy.zeros(4, "f4"), 4])

    @unittest.skipUnless(numpy, NO_NUMPY)
    def test_structs(self):
        if "--struct" not in weir.run_program("check", "--help"):
            self.skipTest("this version of weir check takes no structs")
        view = "struct view { unsigned char first; const float *in; struct { float *out; unsigned short n; } to; };\n"
        code = view + """__global__ void twice(view v, unsigned factor)
{
	if (threadIdx.x < v.to.n)
		v.to.out[threadIdx.x] = factor * v.in[threadIdx.x] + v.first;
}
"""
        numbers, out = numpy.arange(32, dtype="f4"), numpy.zeros(32, "f4")
        given = {"first": numpy.uint8(1), "in": numbers, "to": {"out": out, "n": numpy.uint16(32)}}
        report = weir.check(code, grid=1, block=32, args=[given, 2], expect={"v.to.out": 2 * numbers + 1})
        self.assertTrue(report.clean, report)
        self.assertEqual(list(out), list(2 * numbers + 1))
        given["to"]["out"] = out[:16].copy()
        report = weir.check(code, grid=1, block=32, args={"v": given, "factor": 2})
        self.assertRegex(report.findings[0].title, r"v.to.out \+ \d+ .past its end")
        pair = numpy.array((3, 4), dtype=[("x", "i4"), ("y", "u1")])[()]
        code = "struct pair { int x; unsigned char y; };\n__global__ void sum(pair p, int *out) { *out = p.x + p.y; }"
        aligned = numpy.array((3, 4), dtype=numpy.dtype([("x", "i4"), ("y", "u1")], align=True))[()]
        total = numpy.zeros(1, "i4")
        weir.run(code, grid=1, block=1, args=[aligned, total])
        self.assertEqual(total[0], 7)
        for wrong, text in ((pair, "b8.8., of 8 bytes, and a struct gives 5"), ({"x": 3}, r"p.x is 3: a member of a struct needs"),
                            (numpy.zeros(2, "i4"), "p is an array, and the kernel takes pair p")):
            with self.assertRaisesRegex(weir.Error, text):
                weir.check(code, grid=1, block=1, args=[wrong, total])

    def test_a_kernel_of_cupy(self):
        class RawKernel:
            code, name, options = TWICE.replace("2 *", "TIMES *"), "twice", ("-DTIMES=2",)

        out = array.array("f", [0] * 4)
        weir.run(RawKernel(), grid=1, block=4, args=[array.array("f", range(4)), out, 4])
        self.assertEqual(list(out), [0, 2, 4, 6])


STEP_NAMES = ["arrived", "in", "mid", "out"]
STEP = r"""
extern "C" __global__ void step(unsigned *arrived, const float *in, float *mid, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	mid[i] = TWICE * in[i];
	if (threadIdx.x == 0) {
		atomicAdd(arrived, 1);
		while (atomicAdd(arrived, 0) < gridDim.x)
			;
	}
	__syncthreads();
	out[i] = mid[n - 1 - i];
}
"""
STEP_RIGHT = STEP.replace("\tif (threadIdx.x == 0) {", "\t__syncthreads();\n\tif (threadIdx.x == 0) {\n\t\t__threadfence();").replace(
    "\t\t\t;\n", "\t\t\t;\n\t\t__threadfence();\n")
NUMBA = '''
from numba import cuda
def wrong(a, b, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = i
    cuda.syncthreads()
    if i < n:
        b[i] = a[n - 1 - i]
def right(a, b, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = i
        b[i] = a[i] + 2
'''
TRITON = '''
import triton
import triton.language as tl
@triton.jit
def wrong(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out, tl.load(out) + tl.sum(tl.load(x + i, mask=i < n, other=0)))
@triton.jit
def right(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0)))
'''


class Frameworks(unittest.TestCase):
    def module(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "kernels.py")
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("kernels", path)
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        return made

    def test_numba(self):
        reason = common.absent("numba.cuda", "numpy")
        if reason:
            self.skipTest(reason)
        from numba import cuda

        try:
            cuda.compile_ptx(lambda: None, (), cc=(9, 0))
        except Exception as error:  # a release of it may not know the NumPy beside it
            self.skipTest(f"numba-cuda compiles nothing here: {error}")
        kernels = self.module(NUMBA)
        a, b = numpy.zeros(128, "u4"), numpy.zeros(128, "u4")
        report = weir.check(kernels.wrong, grid=2, block=64, args=[a, b, 128])
        self.assertEqual([finding.cause for finding in report.findings], ["no-sync"], report)
        self.assertIn("b[i] = a[n - 1 - i]", report.explain())
        self.assertTrue(weir.check(kernels.right, grid=2, block=64, args=[a, b, 128]).clean)
        self.assertEqual(list(b), list(range(2, 130)))
        with self.assertRaisesRegex(weir.BadArgument, "right takes 3 arguments, and 2 are given"):
            weir.check(kernels.right, args=[a, b])

    def test_triton(self):
        reason = common.absent("triton", "numpy")
        if reason:
            self.skipTest(reason)
        kernels = self.module(TRITON)
        x, out = numpy.ones(256, "i4"), numpy.zeros(1, "i4")
        report = weir.check(kernels.wrong, grid=2, args=[x, out, 200, 128])
        self.assertEqual({finding.cause for finding in report.findings}, {"non-atomic-update"}, report)
        line = TRITON.splitlines().index(next(one for one in TRITON.splitlines() if "tl.store(out" in one)) + 1
        self.assertEqual({place.line for finding in report.findings for place in finding.accesses}, {line})
        out[0] = 0
        report = weir.check(kernels.right, grid=2, args=[x, out, 200, 128], num_warps=2)
        self.assertTrue(report.clean, report)
        self.assertEqual(out[0], 200)
        with self.assertRaisesRegex(weir.BadArgument, "right takes x, out, n, B, and B is not given"):
            weir.check(kernels.right, args=[x, out, 200])


    def check_step(self, source, names):
        numbers = numpy.arange(128, dtype="f4")
        args = [numpy.zeros(1, "u4"), numbers, numpy.zeros_like(numbers), numpy.zeros_like(numbers)]
        report = weir.check(source, grid=2, block=64, args=dict(zip(names, args)))
        self.assertEqual({finding.object.split()[0] for finding in report.findings}, {"mid"}, report)
        return report

    def test_cupy(self):
        reason = common.absent("cupy", "numpy") or common.no_cuda_compiler()
        if reason:
            self.skipTest(reason)
        import cupy

        if not hasattr(cupy, "__version__"):
            self.skipTest("cupy is the stand-in of these tests")
        report = self.check_step(cupy.RawKernel(STEP, "step", options=("-DTWICE=2",)), STEP_NAMES)
        self.assertIn("out[i] = mid[n - 1 - i];", report.explain())
        right = cupy.RawKernel(STEP_RIGHT, "step", options=("-DTWICE=2",))
        args = [numpy.zeros(1, "u4"), *(numpy.zeros(128, "f4") for _ in range(3))]
        self.assertTrue(weir.check(right, grid=2, block=64, args=args).clean)

    def test_cuda_core(self):
        reason = common.absent("cuda.core", "cuda.bindings.nvrtc", "numpy")
        if reason:
            self.skipTest(reason)
        from cuda import core

        if not hasattr(core, "ObjectCode"):
            self.skipTest("cuda.core is the stand-in of these tests")
        from cuda.core import ObjectCode, Program, ProgramOptions

        options = ProgramOptions(arch="sm_90", define_macro=("TWICE", "2"))
        try:
            wrong = Program("#define TWICE 2\n" + STEP, "c++", options)
        except Exception as error:  # it finds its NVRTC in its own way
            self.skipTest(f"cuda.core makes no program here: {error}")
        self.check_step(wrong, STEP_NAMES)
        self.check_step(ObjectCode.from_ptx(check_sources._of_program(wrong, "sm_90", []).ptx.encode()), STEP_NAMES)
        args = [numpy.zeros(1, "u4"), *(numpy.zeros(128, "f4") for _ in range(3))]
        right = Program("#define TWICE 2\n" + STEP_RIGHT, "c++", options)
        self.assertTrue(weir.check(right, grid=2, block=64, args=args).clean)
        with self.assertRaisesRegex(weir.BadProgram, "expected"):
            weir.check(Program("this is no C++", "c++", options), args=[])


PYTEST = f'''
import array, pytest
def args(): return [array.array("I", range(1000)), 1000, *[array.array("I", [0] * n) for n in (128, 1, 64)]]
@pytest.mark.weir(grid=2, block=128)
@pytest.mark.parametrize("kernel", ["wrong", "right"])
def test_check(weir_check, kernel):
    report = weir_check({str(PTX)!r}, kernel, args=args())
    assert report.executions == 3 and report.seed == 5
@pytest.mark.weir(grid=2, block=1)
def test_run(weir_run):
    given = args()
    weir_run({str(PTX)!r}, "wrong", args=given, block=128)
    assert sum(given[4]) == 1000
def test_fault(weir_run):
    weir_run({str(PTX)!r}, "right", args=args()[:4] + [array.array("I", [0])], block=128)
'''


def rules(sarif):
    """The causes of all findings; the same finding of two tests is there once."""
    return sorted(result["ruleId"] for run in sarif["runs"] for result in run["results"])


class Plugin(unittest.TestCase):
    def test_plugin(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed here")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "test_kernels.py").write_text(PYTEST, encoding="utf-8")
            done = subprocess.run([sys.executable, "-m", "pytest", "-p", "weir.pytest_plugin", "-p", "no:cacheprovider",
                                   "--strict-markers", "--weir-seed", "5", "--weir-seeds", "3", "--weir-sarif", "sarif"],
                                  cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                                  env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
            sarif = json.loads(Path(folder, "sarif").read_text(encoding="utf-8"))
        self.assertIn("2 failed, 2 passed", done.stdout)
        self.assertIn("weir check of wrong: race", done.stdout)
        self.assertIn("sum += rows[b * 64 + threadIdx.x];   <- block", done.stdout)
        self.assertRegex(done.stdout, r"weir run: fault: .* at argument 5 \+ \d+")
        self.assertNotIn("Traceback", done.stdout)
        self.assertEqual(rules(sarif), ["missing-block-sync", "out-of-bounds"])

    def run_plugin(self, text, *options):
        """Runs tests; returns the output and the SARIF."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "test_kernels.py").write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, "-m", "pytest", "-p", "weir.pytest_plugin", "-p", "no:cacheprovider",
                                   "--weir-sarif", "sarif", *options], cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, encoding="utf-8",
                                  env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
            path = Path(folder, "sarif")
            return done.stdout, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def test_no_check_is_an_empty_run(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed here")
        said, sarif = self.run_plugin("def test_nothing(): pass\n")
        self.assertIn("1 passed", said)
        self.assertEqual([run["results"] for run in sarif["runs"]], [[]])

    def test_a_plain_assertion_shows_the_findings(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed here")
        said, sarif = self.run_plugin(PYTEST + f"""
def test_plain():
    import weir
    report = weir.check({str(PTX)!r}, "wrong", grid=2, block=128, args=args())
    assert report.clean, report
""", "-k", "plain or fault")
        self.assertEqual(said.count("sum += rows[b * 64 + threadIdx.x];   <- block"), 1, said)
        self.assertIn("- weir check of wrong: race -", said)
        self.assertEqual(rules(sarif), ["missing-block-sync", "out-of-bounds"])

    def test_explore(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed here")
        said, _ = self.run_plugin(f"""
import array
def words(count, value=0): return array.array("I", [value] * count)
def test_older_value(weir_check):
    weir_check({str(GALLERY / "look_back.ptx")!r}, "wrong", block=2, args=[words(4, 1), words(2), words(2), words(2)],
               expect={{3: array.array("I", [0, 2])}})
""", "--weir-explore")
        self.assertIn("weir check of wrong: wrong result", said)
        self.assertRegex(said, r"block 1 thread 0 reads 0 from argument 2 .look_back.cu:27")

    def test_workers_share_one_file(self):
        reason = common.absent("pytest", "xdist")
        if reason:
            self.skipTest(reason)
        other = PYTEST + f"""
def test_other(weir_check):
    weir_check({str(GALLERY / "no_fence.ptx")!r}, "wrong", block=128, args=[array.array("I", [0] * n) for n in (128, 1, 128)])
"""
        alone = self.run_plugin(other)[1]
        said, sarif = self.run_plugin(other, "-p", "xdist", "-n", "3")
        self.assertRegex(said, r"\d+ workers")
        self.assertEqual(rules(alone), rules(sarif), said)
        self.assertEqual(len(rules(sarif)), 3, said)


if __name__ == "__main__":
    common.main()
