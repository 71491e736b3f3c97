"""blocks.py ROOT FOLDER [OPTION]...: every code block of the documents compiles.

A block is compiled as it is or, after a mark `<!-- inside: NAME -->`, in place of the line BLOCK in
test/docs/inside/NAME.in. A block after `<!-- example: PATH -->` is a file that the build compiles; a block after `<!--
row: PATH -->` is compiled where the walk-through of CONTRIBUTING is followed. Blocks that cannot be compiled here, for
lack of a compiler or a header, are named and left out.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, blocks, pages, read, run  # noqa: E402

SUFFIXES = {"c": ".c", "cpp": ".cpp", "cuda": ".cu", "hip": ".hip", "opencl": ".cl", "python": ".py", "cmake": ".cmake"}
UNCOMPILED = ("sh", "text", "json", "yaml")  # commands.py runs those of sh
KERNEL_TEXT = re.compile(r"(?:code|source) = r'''\n(.*?)'''", re.S)
INSIDE = Path(__file__).resolve().parent / "inside"


class Compilers:
    def __init__(self, given):
        include = [f"-I{Path(given.root).resolve() / folder}" for folder in ("include", "python/include")]
        unused = ["-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
                  "-Wno-unused-parameter"]
        strict = ["-Wall", "-Wextra", "-Werror", *unused, "-fsyntax-only", *include]
        foreign = [f"-isystem{path}" for path in (given.cuda_include, given.opencl_include) if path]
        self.given = given
        self.commands = {
            "c": given.cc and [given.cc, "-std=c11", *strict, *foreign],
            "cpp": given.cxx and [given.cxx, "-std=c++17", *strict],
            "cuda": given.nvcc and [given.nvcc, "-std=c++17", f"-arch={given.architecture}", "-ptx",
                                    "-Werror", "all-warnings", "-diag-suppress", "177",
                                    "-Wno-deprecated-gpu-targets", *include,
                                    f"-I{INSIDE / 'stand_ins'}", "-o", "/dev/null"],
            "hip": given.hip and [given.hip, "-x", "hip", "-std=c++17", "--cuda-device-only", "-nogpuinc",
                                  "-nogpulib", "--offload-arch=gfx90a",
                                  "-D__global__=__attribute__((global))", *strict],
            "opencl": given.clang and [given.clang, "-x", "cl", "-cl-std=CL3.0", "-target",
                                       "spir64-unknown-unknown", "-Xclang",
                                       "-finclude-default-header", *strict],
        }

    def missing(self, language, text):
        """What this source needs and this computer lacks; None if nothing."""
        if language == "cmake":
            return None if self.given.cmake and self.given.prefix else "no installed weir"
        if language == "python":
            return None
        if not self.commands[language]:
            return f"no compiler for {language}"
        if "<cuda.h>" in text and not self.given.cuda_include:
            return "no cuda.h"
        if "<CL/cl.h>" in text and not self.given.opencl_include:
            return "no CL/cl.h"
        return None

    def complaint(self, language, text, folder):
        """The compiler's message if it refuses a source, otherwise None."""
        if language == "python":
            try:
                compile(text, "block", "exec")
            except SyntaxError as error:
                return str(error)
            return None
        if language == "cmake":
            return self.configure(text, folder)
        path = folder / f"block{SUFFIXES[language]}"
        path.write_text(text, encoding="utf-8")
        return refusal([*self.commands[language], path.name], folder)

    def configure(self, text, folder):
        project = folder / "project"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        (project / "CMakeLists.txt").write_text(text)
        (project / "program.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
        return refusal([self.given.cmake, "-S", ".", "-B", "build",
                        f"-DCMAKE_PREFIX_PATH={self.given.prefix}"], project)


def refusal(command, folder):
    """The message of a command that fails, otherwise None."""
    done = run(command, cwd=folder)
    return done.stdout if done.returncode else None


def surrounded(block, faults):
    """The source to compile, or None if the mark names nothing."""
    name = block.marks.get("inside")
    if not name:
        return block.text
    path = INSIDE / f"{name}.in"
    if not path.is_file():
        faults.add(block, f"there is no test/docs/inside/{name}.in")
        return None
    around = read(path)
    if around.count("\nBLOCK\n") != 1:
        faults.add(block, f"test/docs/inside/{name}.in has no line BLOCK, or several")
        return None
    return around.replace("\nBLOCK\n", "\n" + block.text)


def texts(block, faults):
    """The sources of a block, each with its language: a kernel in a Python string is an additional source."""
    text = surrounded(block, faults)
    if text is None:
        return
    yield block.language, text
    if block.language == "python":
        for kernel in KERNEL_TEXT.findall(text):
            yield "cuda", kernel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("folder")
    for name in ("cc", "cxx", "nvcc", "architecture", "clang", "hip", "cmake", "prefix", "cuda-include",
                 "opencl-include"):
        parser.add_argument(f"--{name}", default="")
    given = parser.parse_args()
    compilers, faults, count = Compilers(given), Faults(), 0
    folder = Path(given.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for page in pages(given.root):
        for block in blocks(page):
            if block.language in UNCOMPILED or "example" in block.marks or "row" in block.marks:
                continue
            if block.language not in SUFFIXES:
                faults.add(block, f"a block of the language '{block.language}'")
                continue
            for language, text in texts(block, faults):
                missing = compilers.missing(language, text)
                if missing:
                    print(f"{block}: left out, {missing}")
                    continue
                count += 1
                complaint = compilers.complaint(language, text, folder)
                if complaint is not None:
                    faults.add(block, complaint)
    faults.leave(count, "texts compiled")


if __name__ == "__main__":
    main()
