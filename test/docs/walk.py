"""walk.py ROOT FOLDER CC [CMAKE]: following CONTRIBUTING's "How to add a kind" exactly works.

Adds the header and the rows that its blocks show to a copy of the tree. There the table of kinds must be
complete, the explorer must pass all cases of the new kind, and, given CMAKE, so must the harness of
mutexes on the host machine.
"""
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import blocks, read, run  # noqa: E402

COPIED = ("CMakeLists.txt LICENSE command data doc examples include kernels python src "
          "test tools weir.pc.in").split()
HERE = Path(__file__).resolve().parent


def need(*command, cwd):
    """The output of a command, which must succeed."""
    done = run(command, cwd=cwd)
    if done.returncode:
        raise SystemExit(f"{done.stdout[-4000:]}\nstatus {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


def the_block(page, mark, path=None):
    """The only block with that mark, for that path if one is given, and its path."""
    found = [block for block in blocks(page)
             if mark in block.marks and path in (None, block.marks[mark])]
    if len(found) != 1:
        raise SystemExit(f"{page}: {len(found)} blocks are marked {mark}: {path or ''}")
    return found[0], found[0].marks[mark]


def insert(path, before, text):
    """Inserts a text before the first line that starts with `before`."""
    lines = read(path).splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(before))
    path.write_text("".join(lines[:at]) + text + "".join(lines[at:]), encoding="utf-8")


def follow(page, tree):
    """Follows the page; returns the primitive and the name of the new kind."""
    header, path = the_block(page, "new")
    primitive, name = re.fullmatch(r"include/weir/(\w+)/(\w+)\.h", path).groups()
    (tree / path).write_text(header.text, encoding="utf-8")
    kinds = f"include/weir/{primitive}/kinds.h"
    row, _ = the_block(page, "row", kinds)
    insert(tree / kinds, '#include "weir/', f'#include "weir/{primitive}/{name}.h"\n')
    define = f"#define WEIR_{primitive.upper()}_KINDS_WITH(X, context)"
    text = read(tree / kinds)
    found = re.search(rf"{re.escape(define)} *\\\n(?:.*\\\n)*.*\n", text)
    if not found:
        raise SystemExit(f"{kinds}: no list to add a row to")
    # The next free value, whatever kinds the tree has by now.
    free = 1 + max(int(value) for value in re.findall(r"X\(context, \w+, \w+, (\d+)", found[0]))
    mine = re.sub(r"(X\(context, \w+, \w+, )\d+", rf"\g<1>{free}", row.text.strip())
    (tree / kinds).write_text(f"{text[:found.end() - 1]} \\\n\t{mine}\n{text[found.end():]}", encoding="utf-8")
    shown, _ = the_block(page, "row", "doc/kinds.md")
    insert(tree / "doc/kinds.md", f"| {primitive} | `", shown.text)
    return primitive, name


def main(root, folder, cc, cmake=None):
    root, tree = Path(root).resolve(), Path(folder).resolve()
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        copy(root / name, tree / name)
    primitive, name = follow(root / "CONTRIBUTING.md", tree)
    need(HERE / "kinds", tree, cwd=tree)
    # The cases of the primitive first: they include the new kind, and most mistakes show there.
    cases = tree / f"src/model/cases/{primitive}.c"
    others = sorted(path for part in ("fiber", "model") for path in (tree / "src" / part).rglob("*.c")
                    if path != cases)
    compiler = (cc, "-std=c11", "-Wall", "-Wextra", "-Werror",
                '-DWEIR_MACHINE_HEADER="model/machine.h"', "-Isrc", "-Iinclude")
    need(*compiler, "-O1", "-c", "-o", "cases.o", cases, cwd=tree)
    need(*compiler, "-o", "explore", "cases.o", *others, HERE / "explore.c", cwd=tree)
    print(need("./explore", primitive, name, cwd=tree), end="")
    if cmake:
        need(cmake, "-S", ".", "-B", "build", f"-DCMAKE_C_COMPILER={cc}", "-DCMAKE_BUILD_TYPE=Debug",
            "-DWEIR_CUDA=OFF", cwd=tree)
        need(cmake, "--build", "build", "--target", f"test_{primitive}", cwd=tree)
        said = need(f"build/test/harness/test_{primitive}", "--device", "host", "--small",
                    "--few-threads", "--sound-only", cwd=tree)
        mine = [line for line in said.splitlines() if f" {primitive} {name}: " in line]
        print("\n".join(mine))
        if not mine:
            raise SystemExit(f"the harness has nothing for {primitive} {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
