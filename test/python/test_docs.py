"""Runs the Python blocks of the pages, each as a separate program: the blocks that need no GPU, or those that the
arguments name (cupy, torch, ...), which need a GPU."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import common

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs"))
from documents import blocks  # noqa: E402

PAGES = [HERE.parent.parent / "doc" / name for name in ("python.md", "python-reference.md", "check-python.md")]
NEEDS = {"host": (), "check": ("numpy",), "pytest": ("numpy", "pytest"),
         "cuda": (), "cupy": ("cupy",), "torch": ("torch",), "load_inline": ("torch",),
         "cuda_core": ("cuda.core",), "numba": ("numba.cuda",), "triton": ("triton", "torch")}
WITHOUT_GPU = ["host", "check", "pytest"]
wanted = sys.argv[1:] or WITHOUT_GPU
del sys.argv[1:]


class Blocks(unittest.TestCase):
    def test_every_block_of_python_says_what_it_needs(self):
        found = [block for page in PAGES for block in blocks(page) if block.language == "python"]
        self.assertGreaterEqual(len(found), 10)
        for block in found:
            self.assertIn(block.marks.get("run"), NEEDS, str(block))

    def test_the_first_program_has_six_lines(self):
        first = next(block for block in blocks(PAGES[0]) if block.language == "python")
        self.assertEqual((len(first.lines), first.marks["run"]), (6, "host"))

    def test_blocks_run(self):
        ran, left_out = 0, []
        for block in (block for page in PAGES for block in blocks(page)):
            need = block.marks.get("run")
            if need not in wanted:
                continue
            reason = (common.no_gpu() if need not in WITHOUT_GPU else "") or common.absent(*NEEDS[need])
            if need in ("check", "pytest"):
                reason = reason or common.no_cuda_compiler()
            if need in ("load_inline", "triton"):
                reason = reason or common.no_extensions()
            if need == "numba":
                reason = reason or common.no_numba()
            if need == "load_inline" and not (shutil.which("ninja") and shutil.which("nvcc")):
                reason = reason or "load_inline needs ninja and nvcc"
            if reason:
                left_out.append(f"{need}: {reason}")
                continue
            with self.subTest(block=str(block)), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "block.py")
                # The deadline of tools/gpu-check for a step, minus a moment to say where the block is.
                path.write_text(f"import common; common.end_after(180)\n{block.text}", encoding="utf-8")
                how = ["-m", "pytest", "-p", "weir.pytest_plugin", "-p", "no:cacheprovider"] if need == "pytest" else []
                done = subprocess.run([sys.executable, *how, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      encoding="utf-8", timeout=190)
                self.assertEqual(done.returncode, 0, done.stdout)
                ran += 1
        if not ran:
            self.skipTest("; ".join(left_out))
        print(f"{ran} blocks ran")


def load_tests(loader, tests, _):
    """With arguments, runs only those blocks: GPU tests exit with 77 where they cannot run."""
    return tests if wanted == WITHOUT_GPU else loader.loadTestsFromName("Blocks.test_blocks_run", sys.modules["__main__"])


if __name__ == "__main__":
    common.main()
