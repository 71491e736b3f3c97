"""measured.py ROOT PROGRAM: tables of measurements show what the files under results/ hold, and the traces
of doc/verification.md are what PROGRAM, which is weir, prints.
"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, outside, read, run, tables  # noqa: E402

# The first cell of a row, and the subject of the measurement that it shows.
SUBJECTS = {"barrier, microseconds": "default", "default": "default", "libcu++ as a mutex": "cuda::binary_semaphore",
            "kernels in a graph, empty": "relaunch as a graph", "floor: one hop": "one hop",
            "floor: counter without orders": "unordered counter"}


def subject(cell):
    """What a row is about, or None when it shows no measurement."""
    name = re.sub(r" \(.*\)$", "", cell)
    if name in SUBJECTS:
        return SUBJECTS[name]
    match = re.match(r"`([^`]+)`(, fair)?$", cell)
    return match and match[1]


def points(path):
    """(subject, blocks) -> (microseconds, million a second)"""
    found = {}
    for match in json.loads(read(path))["matches"]:
        for one in match["subjects"]:
            name = "default" if one["role"] == "default" else one["subject"]
            found[name, match["blocks"]] = (one["us"], one["per_second"] / 1e6)
    return found


def check_table(page, table, measured, unit, faults):
    """The rows of a table with a number of blocks over each column."""
    blocks, count = [int(cell) for cell in table[0][1:]], 0
    for row in table[1:]:
        name = subject(row[0])
        if not any(key[0] == name for key in measured):
            continue
        for number, stated in zip(blocks, row[1:]):
            count += 1
            value = measured[name, number][unit]
            digits = len(stated.partition(".")[2])
            if abs(float(stated) - value) > 0.51 * 10 ** -digits:
                faults.add(page, f"{row[0]}, {number} blocks: {stated}, measured {value:.4g}")
    return count


def check_tables(root, faults):
    count = 0
    for name, primitive, unit, first in (("README.md", "barrier", 0, "barrier, microseconds"),
                                         ("doc/performance.md", "barrier", 0, "default (`central`"),
                                         ("doc/performance.md", "mutex", 1, "default (`spin_backoff`")):
        measured = points(Path(root, f"results/h200/peers-{primitive}.json"))
        found = [table for table in tables(Path(root, name))
                 if table[0][0] == "blocks" and table[1][0].startswith(first)]
        if len(found) != 1:
            faults.add(name, f"{len(found)} tables of a {primitive}")
        for table in found:
            count += check_table(name, table, measured, unit, faults)
    return count


def traces(page):
    """kind -> the lines of its trace, as the page shows it"""
    found, kind = {}, None
    for _, line in outside(page):
        named = re.match(r"`weir verify --kind (\w+)`", line)
        if named:
            kind = named[1]
            found[kind] = []
        elif kind and line.startswith("    "):
            found[kind].append(line[4:])
        elif kind and line and found[kind]:
            kind = None
    return found


def check_traces(root, program, faults):
    shown = traces(Path(root, "doc/verification.md"))
    for kind, lines in shown.items():
        said = [line.rstrip() for line in run([program, "verify", "--kind", kind]).stdout.splitlines()]
        for line in lines:
            if line.rstrip() not in said:
                faults.add("doc/verification.md", f"weir verify --kind {kind} does not say: {line}")
    return sum(map(len, shown.values()))


def main(root, program):
    faults = Faults()
    cells = check_tables(root, faults)
    lines = check_traces(root, program, faults)
    if not cells or not lines:
        faults.add("the documents", f"{cells} cells of measurements, {lines} lines of traces")
    faults.leave(cells + lines, "cells and lines")


if __name__ == "__main__":
    main(*sys.argv[1:])
