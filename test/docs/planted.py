"""planted.py ROOT FOLDER FIGURES PROGRAM LITMUS CC [OPTION]...: the checks in Python find planted faults.

Each fault is put into a copy of the documents, or into a page of its own, and the check must then fail;
without a fault it must pass.
"""
import argparse
import shlex
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import choosing  # noqa: E402
import facts  # noqa: E402
import made  # noqa: E402
import walk  # noqa: E402
from documents import Faults, read, run  # noqa: E402

HERE = Path(__file__).resolve().parent

C_BLOCK = "```c\nint main(void)\n{\n\treturn 0;\n}\n```\n"
EXCERPT = "<!-- inside: statements.c -->\n```c\nweir_mutex_lock(m);\n```\n"
PYTHON = "```python\ncode = r'''\n__global__ void f(int *x)\n{\n\tx[0] = 1;\n}\n'''\n```\n"
OPENCL = "<!-- inside: kernel.cl -->\n```opencl\n__kernel void f(__global int *x)\n{\n\tx[0] = 1;\n}\n```\n"
COUNTER = ("<!-- inside: kernel.cl -->\n```opencl\n__kernel void count(__global weir_word *words, "
           "weir_mutex_config config, __global int *total)\n{\n\tweir_mutex m = weir_mutex_make(words, config);\n"
           "\tif (weir_thread_id() == 0) {\n\t\tweir_mutex_lock(m);\n\t\t*total += 1;\n"
           "\t\tweir_mutex_unlock(m);\n\t}\n}\n```\n")
OPENCL_HOST = ("<!-- inside: opencl_host.c -->\n```c\nclSetKernelArg(kernel, 0, sizeof m.words, &m.words);\n"
               "clSetKernelArg(kernel, 1, sizeof m.config, &m.config);\n```\n")
CMAKE = "<!-- inside: CMakeLists.txt -->\n```cmake\nfind_package(weir 0.1 REQUIRED)\n```\n"
COMMANDS = "`weir bench --blocks`\n\n```sh\nweir devices   # all\nbuild/weir bench mutex --peers\nmake help\n```\n"
RULES = "weir bench mutex --peers => skip: needs a GPU\n"


class Planter:
    def __init__(self, given):
        self.given, self.folder, self.missed, self.tried = given, Path(given.folder), 0, 0
        self.root = Path(given.root)
        self.records = self.folder.with_name(self.folder.name + "_records")

    def fresh(self, *names, changed=""):
        """A new tree with copies of these; where only one file is to be changed, with links to the others."""
        tree = self.folder / "tree"
        shutil.rmtree(self.folder, ignore_errors=True)
        tree.mkdir(parents=True)
        for name in names:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            if changed and name not in (changed, changed.split("/")[0]):
                (tree / name).symlink_to((self.root / name).resolve())
                continue
            copy = shutil.copytree if (self.root / name).is_dir() else shutil.copy
            copy(self.root / name, tree / name)
        return tree

    def recorded(self, program):
        """A program that says at once what this one says after its work."""
        self.records.mkdir(parents=True, exist_ok=True)
        script, said = self.records / Path(program).name, self.records / "said"
        said.write_text(run([program], check=True).stdout)
        script.write_text(f"#!/bin/sh\ncat {shlex.quote(str(said.resolve()))}\n")
        script.chmod(0o755)
        return script.resolve()

    def expect(self, fails, what, *command):
        self.tried += 1
        done = run([sys.executable, *command])
        if (done.returncode != 0) != fails or "Traceback" in done.stdout:
            self.missed += 1
            print(f"planted: {what}: status {done.returncode}\n{done.stdout}")

    def page(self, check, fails, text, *more):
        """A tree of one page, for blocks.py and commands.py."""
        tree = self.fresh("include")
        (tree / "README.md").write_text("# Page\n\n" + text)
        (self.folder / "rules").write_text(RULES if RULES.split(" =")[0] in text else "")
        for name, line in more:
            (self.folder / name).write_text(line)
        given = self.given
        options = {"blocks": ["--nvcc", given.nvcc, "--architecture", given.architecture, "--clang",
                              given.clang, "--cmake", given.cmake],
                   "programs": ["--cxx", given.cc, "--library", given.library, "--header", given.header,
                                "--opencl", given.opencl, "--opencl-include", given.opencl_include],
                   "commands": [self.folder / "rules", "--program", given.program]}[check]
        if check == "commands":
            (tree / "Makefile").write_text("help:\n\t@echo help\n")
        prefix = [] if check == "programs" else ["--prefix", given.prefix]
        self.expect(fails, f"{check}: {text}", HERE / f"{check}.py", tree, self.folder / "work", *options,
                    "--cc", given.cc, *prefix)

    def edited(self, check, fails, path, old, new, names, *arguments):
        """A copy of the real documents, in which one text takes the place of another."""
        tree = self.fresh(*names, changed=path)
        text = read(tree / path)
        if old not in text:
            self.missed += 1
            print(f"planted: {path} has no {old!r}")
            return
        (tree / path).write_text(text.replace(old, new), encoding="utf-8")
        self.expect(fails, f"{check}: {new!r} for {old!r} in {path}", HERE / f"{check}.py", tree,
                    *arguments)


def plant_blocks(planter):
    good = [C_BLOCK, EXCERPT]
    bad = [C_BLOCK.replace("return 0", "return nothing"), C_BLOCK.replace("```c", "```"),
           C_BLOCK.replace("```c", "```ada"), EXCERPT.replace("weir_mutex_lock(m)", "weir_mutex_lick(m)"),
           EXCERPT.replace("lock(m)", "lock(b)"), EXCERPT.replace("statements.c", "no_such.c"),
           PYTHON.replace("code =", "code = ="), ""]
    if planter.given.clang:
        good.append(OPENCL)
        bad.append(OPENCL.replace("x[0]", "y[0]"))
    if planter.given.nvcc:
        good.append(PYTHON)
        bad.append(PYTHON.replace("x[0]", "y[0]"))
    if planter.given.prefix:
        good.append(CMAKE)
        bad.append(CMAKE.replace("0.1", "99.1"))
    planter.page("blocks", False, "\n".join(good))
    for text in bad:
        planter.page("blocks", True, text)


def plant_programs(planter):
    if not planter.given.library:
        return
    planter.page("programs", False, C_BLOCK)
    planter.page("programs", True, C_BLOCK.replace("return 0", "return 1"))
    planter.page("programs", True, C_BLOCK.replace("return 0", "return nothing"))
    planter.page("programs", True, C_BLOCK + OPENCL)
    planter.page("programs", True, "")
    if planter.given.opencl:
        planter.page("programs", True, COUNTER.replace("void count(", "void step(") + OPENCL_HOST)
        planter.page("programs", True, COUNTER.replace("+= 1", "+= 2") + OPENCL_HOST)


def plant_commands(planter):
    planter.page("commands", False, COMMANDS)
    for old, new in (("weir devices ", "weir divices "), ("weir devices ", "weir devices --all "),
                     ("--peers", "--pears"), ("make help", "make hell"), ("make help", "mike help"),
                     ("--blocks`", "--blacks`"), ("`weir bench", "`weir bunch"),
                     ("```sh", "    weir devices --all\n\n```sh")):
        planter.page("commands", True, COMMANDS.replace(old, new))
    planter.page("commands", True, "```sh\nweir bench mutex --pears\n```\n",
                 ("rules", "weir bench mutex --pears => skip: a fault\n"))
    planter.page("commands", True, COMMANDS, ("rules", RULES + "weir devices -v => skip: nobody has it\n"))


def plant_memory(planter):
    names, figures = ("doc",), planter.given.figures
    planter.edited("memory", False, "doc/kinds.md", "# The kinds", "# Kinds", names, figures)
    for path, old, new in (("doc/kinds.md", "388 bytes; 16 compact", "132 bytes; 8 compact"),
                           ("doc/kinds.md", "260 bytes; 12 compact | no", "4 bytes | no"),
                           ("doc/kinds.md", "132 bytes + 8 a block;", "about 8 bytes a block;"),
                           ("doc/kinds.md", "| mutex | `ttas`", "mutex `ttas`"),
                           ("doc/barrier.md", "8 n + 132 bytes", "4 n + 132 bytes"),
                           ("doc/barrier.md", "4224 K + 12 compact", "4224 K + 8 compact"),
                           ("doc/mutex.md", "8 + 12 S compact", "8 + 8 S compact"),
                           ("doc/semaphore.md", "260 bytes, 12 compact", "260 bytes")):
        planter.edited("memory", True, path, old, new, names, figures)


def plant_facts(planter):
    given = planter.given
    names = ("README.md", "CONTRIBUTING.md", "doc", "include", "src", "command",
             "results/model", "results/h200/probe-scopes.txt", "results/h200/paper.json", "data", "test/golden")
    arguments = (given.figures, given.program, planter.recorded(given.litmus))
    planter.edited("facts", False, "README.md", "# weir", "# Weir", names, *arguments)
    for path, old, new in (("CONTRIBUTING.md", "`weir_NAME_trylock(m)`, ", ""),
                           ("CONTRIBUTING.md", "weir_NAME_await", "weir_NAME_depart"),
                           ("doc/hopper.md", "| 0.627 |", "| 0.672 |"),
                           ("doc/hopper.md", "| 0.0287 |", "| 0.0278 |"),
                           ("doc/hopper.md", "| 8.40 | 68.3 |", "| 8.40 | 66.6 |"),
                           ("doc/hopper.md", "backoff makes the spin mutex 4.81", "backoff makes the spin mutex 5.81"),
                           ("doc/simulator.md", "| 6 | 46.6 | wrong |", "| 6 | 46.6 | right |"),
                           ("data/paper/claims.csv", "mutex-gt200-ring,", "mutex-gt200-rings,")):
        planter.edited("facts", True, path, old, new, names, *arguments)
    # Every figure by itself: with another value, each sentence that states it is wrong.
    known = facts.figures(given.root, *arguments)
    for name in known:
        stated = sum(1 for line in facts.STATED.split("\n") if line.endswith(f" {name}"))
        faults = Quiet()
        facts.check_stated(given.root, {**known, name: known[name] + 1}, faults)
        planter.tried += 1
        if faults.count != stated:
            planter.missed += 1
            print(f"planted: {faults.count} of {stated} sentences found that state {name}")


def plant_made(planter):
    """What is made does not depend on what stood there, and so finds each change."""
    root, counts = planter.root, made.Counts(planter.given.program)
    for page, old, new in (("doc/mutex.md", "| 1 / no bound |", "| 2 / no bound |"),
                           ("doc/semaphore.md", "| 1 / 1 or 2 |", "| 1 / 2 |"),
                           ("doc/barrier.md", "| atomics for each block | 1 |", "| atomics for each block | 2 |"),
                           ("doc/kinds.md", "| lock 1 or more, unlock 0 |", "| lock few, unlock 0 |")):
        text = read(root / page)
        put = made.put_kinds if page == "doc/kinds.md" else lambda known, text, page=page: made.put_rows(known, page, text)
        planter.tried += 1
        if old not in text or put(counts, text.replace(old, new, 1))[0] != text:
            planter.missed += 1
            print(f"planted: made: '{new}' for '{old}' in {page}")


def plant_choosing(planter):
    """A page with another line than the program's, with a word for no machine, or without a figure."""
    def look(edits):
        tree = planter.fresh("doc", "data")
        text = read(tree / choosing.PAGE)
        for old, new in edits:
            text = text.replace(old, new, 1)
        (tree / choosing.PAGE).write_text(text, encoding="utf-8")
        faults, rows = Quiet(), choosing.guidelines(tree)
        choosing.check_words(rows, faults)
        choosing.check_printed(tree, planter.given.program, planter.folder, rows, faults)
        return faults.count

    for edits in ((), (("Where you spin, pause.", "Where you spin, rest."),), (("| slow atomics | high", "| no atomics | high"),),
                  ((" times `spin`, h200, 8 blocks, measured", " times `spin`"),),
                  (("| any machine | low |", "| any machine | medium |"),)):
        planter.tried += 1
        if (look(edits) > 0) != bool(edits):
            planter.missed += 1
            print(f"planted: choosing: {edits}")


def plant_measured(planter):
    names, program = ("README.md", "doc", "results/h200"), planter.given.program
    planter.edited("measured", False, "README.md", "# weir", "# Weir", names, program)
    # The first figure of a row, with a digit more.
    for path, row in (("README.md", "| barrier, microseconds | "),
                      ("README.md", "| `cuda::binary_semaphore` as a mutex | "),
                      ("README.md", "| `cuda::counting_semaphore` of 10 slots | "),
                      ("doc/performance.md", "| 1056: default | "),
                      ("doc/performance.md", "| default (`counter`) | "),
                      ("doc/performance.md", "| `paced`, fair | "),
                      ("doc/performance.md", "| `meet`, default | "),
                      ("doc/performance.md", "| sparse triangular solve, `solve` | ")):
        planter.edited("measured", True, path, row, row + "1", names, program)
    for path, old, new in (("doc/performance.md", "| blocks | 2 | 8 |", "| blocks | 2 | 33 |"),
                           ("doc/verification.md", "published.c:82 fa_lock", "published.c:81 fa_lock"),
                           ("doc/verification.md", "`weir verify --kind", "weir verify --kind")):
        planter.edited("measured", True, path, old, new, names, program)


class Quiet(Faults):
    def add(self, where, what):
        self.count += 1


def plant_walk(planter):
    names = ["CONTRIBUTING.md", *walk.COPIED]
    for old, new in (("weir_store_rel(&m.words[0], 0); /* pairs", "weir_store_rlx(&m.words[0], 0); /* pairs"),
                     ("X(context, claim, CLAIM, 11,", "X(context, claim, CLAIM, 3,"),
                     ("WEIR_FN weir_result weir_claim_trylock", "WEIR_FN weir_result weir_claim_try")):
        planter.edited("walk", True, "CONTRIBUTING.md", old, new, names, planter.folder / "walk",
                       planter.given.cc)


def main():
    parser = argparse.ArgumentParser()
    for name in ("root", "folder", "figures", "program", "litmus", "cc"):
        parser.add_argument(name)
    for name in ("nvcc", "architecture", "clang", "cmake", "prefix", "library", "header", "opencl", "opencl-include"):
        parser.add_argument(f"--{name}", default="")
    planter = Planter(parser.parse_args())
    for plant in (plant_blocks, plant_programs, plant_commands, plant_memory, plant_facts, plant_made, plant_choosing,
                  plant_measured, plant_walk):
        plant(planter)
    print(f"{planter.tried} faults and controls, {planter.missed} not as expected")
    sys.exit(1 if planter.missed else 0)


if __name__ == "__main__":
    main()
