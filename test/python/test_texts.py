"""Every CUDA source of the package, its documents and its examples compiles with NVRTC, without a toolkit.

NVRTC is taken from the nvidia-cuda-nvrtc wheel if it is installed (`run` says where), otherwise from a toolkit. The
wheel has 53 MB, so nothing downloads it automatically.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import common
import weir
from weir import _native, functions, nvrtc

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = re.compile(r'(?:code|CODE|COUNT|CREW) = r("""|\'\'\')\n(.*?)\1', re.S)
KERNEL = """
extern "C" __global__ void step(weir_barrier b, weir_mutex m, float *x)
{
	weir_mutex_block_lock(m);
	x[0] += 1;
	weir_mutex_block_unlock(m);
	weir_barrier_wait(b);
}
"""


def texts(path):
    return [found[1] for found in TEXT.findall(path.read_text(encoding="utf-8"))]


@unittest.skipUnless(nvrtc.version(), "no NVRTC here: install its wheel (test/python/run says where), or a CUDA toolkit")
class Texts(unittest.TestCase):
    def test_the_headers_as_one_text(self):
        ptx = weir.compile(weir.headers() + KERNEL, "sm_90").decode()
        self.assertIn(".entry step", ptx)
        self.assertIn(".gpu", ptx)  # the scope of weir's own instructions

    def test_the_headers_by_their_folder(self):
        for options in ({}, {"diagnose": True}, {"system_scope": True}):
            ptx = weir.compile('#include "weir/device.h"\n' + KERNEL, 80, **options).decode()
            self.assertIn("sys" if options.get("system_scope") else "gpu", re.findall(r"acquire\.(\w+)", ptx))

    def test_machine_code(self):
        image = weir.compile(weir.headers() + KERNEL, "sm_90", cubin=True)
        self.assertTrue(image.startswith(b"\x7fELF"))
        self.assertIn(b"step", image)

    def test_layouts_are_those_of_device_code(self):
        """NVRTC compares the sizes in Python. The library reports the offsets of the members."""
        lines = ['#include "weir/device.h"']
        for name, (size, _) in _native.LAYOUTS.items():
            if any(made.c_type == name for made in (*weir.Object.__subclasses__(), weir.Crew)):
                lines.append(f"static_assert(sizeof({name}) == {size}, \"{name}\");")
        self.assertGreaterEqual(len(lines), 14)
        weir.compile("\n".join(lines))
        lines.append("static_assert(sizeof(weir_mutex) == 1, \"wrong\");")
        self.assertRaises(weir.BadProgram, weir.compile, "\n".join(lines))  # the comparison can fail

    def test_documents_and_examples(self):
        found = 0
        for path in [ROOT / "doc" / "python.md", ROOT / "doc" / "python-reference.md", ROOT / "doc" / "cuda.md", *sorted((ROOT / "examples" / "python").glob("*.py")),
                     ROOT / "test" / "python" / "test_gpu.py", ROOT / "test" / "python" / "crew_kernels.py"]:
            for text in texts(path):
                with self.subTest(path=path.name):
                    weir.compile(text, system_scope="weir_crew" in text)
                    found += 1
        self.assertGreaterEqual(found, 10)

    def test_which_nvrtc(self):
        print(f"NVRTC {nvrtc.version()}: {nvrtc.library()._name}")
        self.assertRegex(nvrtc.version(), r"^\d+\.\d+$")

    def test_a_text_with_a_mistake(self):
        with self.assertRaisesRegex(weir.BadProgram, "kernel.cu.*weir_barrier_weight"):
            weir.compile('#include "weir/device.h"\n__global__ void k(weir_barrier b) { weir_barrier_weight(b); }')

    def test_functions_link_with_what_numba_compiles(self):
        ptx = weir.compile(functions.text(), 90, ["-rdc=true"])
        for function in functions.declarations().values():
            self.assertIn(f" {function.symbol}(".encode(), ptx.replace(b"\n", b""))
        tools = [shutil.which(tool) or shutil.which(tool, path="/usr/local/cuda/bin") for tool in ("ptxas", "nvlink")]
        reason = common.absent("numba.cuda") or ("" if all(tools) else "no ptxas or nvlink here")
        if reason:
            self.skipTest(reason)
        from numba import cuda, types
        from weir import numba as weir_numba

        def kernel(b, m, x):
            weir_numba.barrier_wait(b)
            if cuda.threadIdx.x == 0:
                weir_numba.mutex_lock(m)
                x[0] += weir_numba.event_count(b, 0)
                weir_numba.mutex_unlock(m)

        mine, _ = cuda.compile(kernel, types.void(types.uint64, types.uint64, types.float32[::1]), device=False,
                               cc=(9, 0), abi="numba")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a", mine.encode()), ("b", ptx)):
                Path(folder, f"{name}.ptx").write_bytes(text)
                done = subprocess.run([tools[0], "-arch=sm_90", "-c", f"{name}.ptx", "-o", f"{name}.o"], cwd=folder,
                                      stderr=subprocess.PIPE, encoding="utf-8")
                if "Unsupported .version" in done.stderr:
                    self.skipTest(f"this ptxas is older than Numba's NVVM: {done.stderr.splitlines()[0]}")
                self.assertEqual(done.returncode, 0, done.stderr)
            subprocess.run([tools[1], "-arch=sm_90", "a.o", "b.o", "-o", "c.cubin"], cwd=folder, check=True)


class Triton(unittest.TestCase):
    def test_a_kernel_compiles_with_the_bitcode(self):
        reason = common.absent("triton")
        if reason:
            self.skipTest(reason)
        os.environ.setdefault("TRITON_CACHE_DIR", tempfile.mkdtemp())
        import triton
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        import triton_kernel
        from weir import triton as weir_triton

        source = ASTSource(fn=triton_kernel.shift, signature={"b": "i64", "x": "*fp32", "n": "constexpr"},
                           constexprs={"n": 1024})
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=weir_triton.options())
        ptx = made.asm["ptx"]
        self.assertTrue(made.metadata.launch_cooperative_grid)
        before, wait, after = (ptx.find(text) for text in ("st.global", "ld.acquire.gpu", "ld.acquire.gpu"))
        self.assertTrue(0 < before < wait, "the stores come before the wait")
        self.assertIn("ld.global", ptx[after:], "the loads come after it")


if __name__ == "__main__":
    common.main()
