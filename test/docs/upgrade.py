"""upgrade.py ROOT CC INCLUDE: doc/changes-0.2.md is what a compiler says. Each new name in its tables exists; each old name is
gone; each macro of weir/weir_compat.h compiles, and the page has it. INCLUDE has weir/device_single.h's folder and more.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, outside, read  # noqa: E402

HEADERS = ["weir/device.h", "weir/weir.h", "weir/profile.h", "weir/diagnose.h", "weir/ranks.h", "weir/kind.h", "weir/options.h"]
NAME = re.compile(r"\b(?:weir|WEIR)_\w+")
# Names that stand for many, or that are switches and folders.
PATTERNS = {"weir_X_size", "weir_X_create", "weir_X_reset", "weir_X_destroy", "weir_X_options", "weir_X_create_sized",
            "weir_X_size_sized", "WEIR_COMPAT_0_1"}
# Old names that the new version gives another meaning, or that are Python's.
OTHER_MEANING = {"WEIR_CLOSED"}


def rows(page):
    """(section, first cell, second cell) of the tables with a column 0.1."""
    section, is_table = "", False
    for _, line in outside(page):
        if line.startswith("## "):
            section, is_table = line[3:], False
        elif line.startswith("| "):
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if "0.2" in cells[1]:
                is_table = True
            elif is_table and not set(cells[0]) <= set("-"):
                yield section, cells[0], cells[1]
        else:
            is_table = False


def names_of(cell):
    """The whole names in a cell's code, without wildcards and paths."""
    found = set()
    for code in re.findall(r"`([^`]*)`", cell):
        for match in NAME.finditer(code):
            if code[match.end():match.end() + 1] not in ("*", "/", ".") and not match[0].endswith("_"):
                found.add(match[0])
    return found - PATTERNS


def compiles(cc, include, names, *options):
    """Which of these names a program can use: types, functions, constants and macros."""
    names = sorted(names)
    lines = [f"#include <{header}>" for header in HEADERS]
    first = len(lines) + 1
    for name in names:
        lines.append(f"int use_{name}(void); int use_{name}(void) {{ return (int)sizeof({name}); }}")
    run = subprocess.run([cc, "-std=gnu11", "-fsyntax-only", "-Wno-all", "-fmax-errors=0", *options, "-I", include, "-x", "c",
                          "-"], input="\n".join(lines) + "\n", capture_output=True, text=True,
                         env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})
    wrong = {int(number) for number in re.findall(r"^<stdin>:(\d+):\d+: error", run.stderr, re.M)}
    if any(number < first for number in wrong) or ("error" in run.stderr and not wrong):
        sys.exit(run.stderr)
    macros = subprocess.run([cc, "-E", "-dM", *options, "-I", include, "-x", "c", "-"],
                            input="\n".join(lines[:first - 1]) + "\n", capture_output=True, text=True).stdout
    defined = set(re.findall(r"^#define (\w+)", macros, re.M))
    return {name for i, name in enumerate(names) if first + i not in wrong or name in defined}


def covered(name, text, suffixes, prefixes):
    """Whether the page has a name: itself, by a wildcard, or as a form of another."""
    plain = re.sub(r"_(block|team)_", "_", re.sub(r"_for$", "", name))
    return (name in text or plain in text or any(name.startswith(prefix) for prefix in prefixes) or
            any(name.endswith(suffix) or plain.endswith(suffix) for suffix in suffixes))


def main(root, cc, include):
    faults = Faults()
    page = Path(root, "doc/changes-0.2.md")
    text = read(page)
    old, new, kept = set(), set(), set()
    for section, before, after in rows(page):
        if section in ("The program", "Python"):
            continue
        new |= names_of(after)
        # "the same": the name stays.
        (kept if after.startswith("the same") or after.startswith("returns") else old).update(names_of(before))
    old -= new | OTHER_MEANING | kept
    for name in sorted(new - compiles(cc, include, new)):
        faults.add(page, f"{name} is no name of this version")
    for name in sorted(kept - compiles(cc, include, kept)):
        faults.add(page, f"{name} has not stayed")
    for name in sorted(old & compiles(cc, include, old)):
        faults.add(page, f"{name} is still there")
    header = read(Path(root, "include/weir/weir_compat.h"))
    mapped = set(re.findall(r"^#define (\w+)(?:\([^)]*\))? \w", header, re.M)) - {"WEIR_WEIR_COMPAT_H"}
    mapped = {name for name in mapped if not name.endswith("_")}
    for name in sorted(mapped - compiles(cc, include, mapped, "-DWEIR_COMPAT_0_1")):
        faults.add("weir_compat.h", f"{name} does not compile")
    suffixes = set(re.findall(r"`(_\w+)`", text))
    prefixes = set(re.findall(r"\b((?:weir|WEIR)_\w+_)\*", text))
    for name in sorted(mapped):
        if not covered(name, text, suffixes, prefixes):
            faults.add(page, f"does not have {name}, which weir_compat.h maps")
    # What the header maps must be names that went away, and their targets must be there.
    targets = {name for _, name in re.findall(r"^#define (\w+) (\w+)", header, re.M)}
    for name in sorted(targets - compiles(cc, include, targets, "-DWEIR_COMPAT_0_1")):
        faults.add("weir_compat.h", f"maps to {name}, which does not exist")
    faults.leave(len(new) + len(kept) + len(old) + len(mapped), "names")


if __name__ == "__main__":
    main(*sys.argv[1:])
