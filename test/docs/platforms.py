"""platforms.py ROOT: what doc/platforms.md claims has evidence in the tree. "measured" links to a file of results, that
the row is about; "tested" on an H200 is a step that passed in a log of tools/gpu-check; "tested" elsewhere is a test in
test/harness; and every primitive has a row.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, read, tables  # noqa: E402

LOGS = ["results/h200/gpu-check.txt", "results/h200/gpu-check-0.2.txt"]
# The columns of the table of primitives, and what a log or a list of tests must have.
OWN_NAMES = {"combiner": "combine"}  # as in files that were measured before it was renamed


def passed(root):
    """The steps that passed on the H200."""
    steps = set()
    for log in LOGS:
        for line in read(Path(root, log)).splitlines():
            match = re.match(r"(.+?) +passed +\d+ s ", line)
            if match:
                steps.add(match[1])
    return steps


def primitives(root):
    """Those with a harness of every kind."""
    text = read(Path(root, "test/harness/CMakeLists.txt"))
    return set(re.search(r"set\(families ([^)]*)\)", text)[1].split()) - {"bounded", "faults"}


def main(root):
    faults = Faults()
    page = Path(root, "doc/platforms.md")
    steps, ptx, rows = passed(root), primitives(root), {}
    cells = 0
    for table in tables(page):
        for row in table:
            name = row[0]
            where = f"{page}, {name}"
            for cell in row[1:]:
                match = re.search(r"\[measured\]\(\.\./([^)]+)\)", cell)
                if not match:
                    continue
                cells += 1
                file = Path(root, match[1])
                wanted = OWN_NAMES.get(name, name)
                if not file.is_file() or not file.stat().st_size:
                    faults.add(where, f"{name} is measured in {match[1]}, which is not there")
                elif name in primitives(root) and wanted not in read(file):
                    faults.add(where, f"{match[1]} does not measure {name}")
            for cell in row[2:]:
                for step in re.findall(r'"([^"]+)"', cell):
                    cells += 1
                    if not any(step in read(Path(root, log)) for log in LOGS):
                        faults.add(where, f"no log of the H200 has {step}")
            if len(row) == 7 and name != "primitive":
                rows[name] = row
    for name, (_, cuda, opencl, emulated, pocl, host, amd) in rows.items():
        where = f"{page}, {name}"
        checks = [(cuda, f"{name} on cuda" in steps), (opencl, f"{name} on opencl:1" in steps), (emulated, name in ptx),
                  (pocl, Path(root, f"test/harness/test_{name}.c").is_file()),
                  (host, Path(root, f"test/harness/test_{name}.c").is_file()), (amd, False)]
        for cell, has in checks:
            cells += 1
            if ("tested" in cell) != has:
                faults.add(where, f"{cell!r}, but the evidence says {'tested' if has else 'not tested'}")
    for name in primitives(root) ^ set(rows):
        faults.add(page, f"{name} has a row or a harness, but not both")
    faults.leave(cells, "claims")


if __name__ == "__main__":
    main(sys.argv[1])
