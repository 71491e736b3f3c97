"""programs.py ROOT FOLDER [OPTION]...: every complete program in the documents runs and exits with 0.

A program is a C or C++ block with a main function, or with one around it in test/docs/inside. The kernels of an OpenCL
block are built and run by the host program on the same page. A program that exits with 77 says what is missing here. A
block after `<!-- example: PATH -->` is a separate test; Python blocks with a mark `<!-- run: ... -->` run in
test/python, and sh commands in commands.py. Programs in CUDA and HIP need a GPU.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from blocks import surrounded  # noqa: E402
from documents import Faults, blocks, pages, run  # noqa: E402

MAIN = re.compile(r"^int main\(", re.M)
KERNEL = re.compile(r"^__kernel void (\w+)\(", re.M)
DEADLINE = 300  # seconds


class Programs:
    def __init__(self, given, faults):
        self.given, self.faults, self.count = given, faults, 0
        self.folder = Path(given.folder).resolve()

    def missing(self, language, text):
        if language in ("cuda", "hip"):
            return "a GPU runs it"
        if "<CL/cl.h>" in text and not (self.given.opencl_include and self.given.opencl):
            return "no OpenCL"
        return None

    def link(self, language, text):
        """The source as a program, or None if it does not compile."""
        given, path = self.given, self.folder / {"c": "program.c", "cpp": "program.cpp"}[language]
        path.write_text(text, encoding="utf-8")
        library = Path(given.library).resolve()
        more = [f"-isystem{given.opencl_include}", given.opencl] if "<CL/cl.h>" in text else []
        done = run([given.cxx if language == "cpp" else given.cc, "-O1", f"-I{Path(given.root).resolve()}/include",
                    path, "-o", "program", library, f"-Wl,-rpath,{library.parent}", "-lpthread", "-lm", *more],
                   cwd=self.folder)
        return (self.folder / "program", None) if done.returncode == 0 else (None, done.stdout)

    def play(self, block, language, text, arguments):
        missing = self.missing(language, text)
        if missing:
            print(f"{block}: left out, {missing}")
            return
        program, why = self.link(language, text)
        done = run([program, *arguments], cwd=self.folder, timeout=DEADLINE) if program else None
        if not program:
            self.faults.add(block, why)
        elif done.returncode == 77:
            print(f"{block}: left out, {done.stdout.strip()}")
        elif done.returncode != 0:
            self.faults.add(block, f"status {done.returncode}: {done.stdout.strip()}")
        self.count += 1

    def go_over(self, page):
        kernels = []  # of OpenCL, each a block and a name
        hosts = 0
        for block in blocks(page):
            text = surrounded(block, self.faults) if "example" not in block.marks else None
            if text is None:
                continue
            if block.language == "opencl":
                kernels += [(block, name) for name in KERNEL.findall(block.text)]
            elif block.language in ("c", "cpp", "cuda", "hip") and MAIN.search(text):
                host = "<CL/cl.h>" in text
                hosts += host
                for kernel, name in kernels if host else [(None, "")]:
                    path = self.folder / "kernel.cl"
                    path.write_text(kernel.text if kernel else "")
                    self.play(kernel or block, block.language, text,
                              [Path(self.given.header).resolve(), path, name] if kernel else [])
        if kernels and not hosts:
            self.faults.add(kernels[0][0], "no program on this page runs it: see test/docs/inside/opencl_host.c.in")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("folder")
    for name in ("cc", "cxx", "library", "header", "opencl", "opencl-include"):
        parser.add_argument(f"--{name}", default="")
    given = parser.parse_args()
    faults = Faults()
    programs = Programs(given, faults)
    shutil.rmtree(given.folder, ignore_errors=True)
    programs.folder.mkdir(parents=True)
    for page in pages(given.root):
        programs.go_over(page)
    faults.leave(programs.count, "programs ran")


if __name__ == "__main__":
    main()
