"""measured.py ROOT PROGRAM: tables of measurements match the files under results/, and the traces of
doc/verification.md match the output of PROGRAM, which is weir.
"""
import json
import os
import re
import statistics
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, outside, read, run, tables  # noqa: E402

# The first cell of a row, and the subject of the measurement that it shows.
SUBJECTS = {"default": "default", "libcu++ as a mutex": "cuda::binary_semaphore",
            "kernels in a graph, empty": "relaunch as a graph", "floor: one hop": "one hop",
            "floor: counter without orders": "unordered counter"}

# The rows of the README's table: primitive, subject, unit and initial value.
README = {"barrier, microseconds": ("barrier", "default", 0, 0),
          "`grid.sync()`, microseconds": ("barrier", "grid.sync()", 0, 0),
          "mutex, million a second": ("mutex", "default", 1, 0),
          "`cuda::binary_semaphore` as a mutex": ("mutex", "cuda::binary_semaphore", 1, 0),
          "semaphore of 10 slots, million a second": ("semaphore", "default", 1, 10),
          "`cuda::counting_semaphore` of 10 slots": ("semaphore", "cuda::counting_semaphore", 1, 10)}


def subject(cell):
    """The subject of a row, or None if it shows no measurement."""
    name = re.sub(r" \(.*\)$", "", cell)
    if name in SUBJECTS:
        return SUBJECTS[name]
    match = re.match(r"`([^`]+)`(, fair)?$", cell)
    return match and match[1]


def points(root, primitive, initial=0):
    """(subject, blocks) -> (microseconds, million a second)"""
    found = {}
    for match in json.loads(read(Path(root, f"results/h200/peers-{primitive}.json")))["matches"]:
        if match["initial"] != initial:
            continue
        for one in match["subjects"]:
            if one.get("left_out"):
                continue
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
            check_cell(page, f"{row[0]}, {number} blocks", stated, measured[name, number][unit], faults)
    return count


def check_cell(page, what, stated, value, faults):
    digits = len(stated.partition(".")[2])
    if abs(float(stated) - value) > 0.51 * 10 ** -digits:
        faults.add(page, f"{what}: {stated}, measured {value:.4g}")


def check_readme(root, faults):
    """Every row of the README's table, for three primitives."""
    found = [table for table in tables(Path(root, "README.md")) if table[0][0] == "blocks"]
    if len(found) != 1 or {row[0] for row in found[0][1:]} != set(README):
        faults.add("README.md", f"{len(found)} tables of measurements, or one with other rows")
        return 0
    count = 0
    for row in found[0][1:]:
        primitive, name, unit, initial = README[row[0]]
        measured = points(root, primitive, initial)
        for number, stated in zip(found[0][0][1:], row[1:]):
            known = measured.get((name, int(number)))
            if not stated and not known:
                continue
            count += 1
            if not stated or not known:
                faults.add("README.md", f"{row[0]}, {number} blocks: a figure here or there alone")
            else:
                check_cell("README.md", f"{row[0]}, {number} blocks", stated, known[unit], faults)
    return count


def check_semaphores(root, faults):
    """The table of doc/performance.md whose rows begin with a number of blocks."""
    page, count = "doc/performance.md", 0
    for table in tables(Path(root, page)):
        if table[0][0] != "blocks, initial value":
            continue
        for row in table[1:]:
            match = re.match(r"(\d+): (default|`(.*)`)", row[0])
            for initial, stated in zip(table[0][1:], row[1:]) if match else ():
                measured = points(root, "semaphore", int(initial))
                count += 1
                check_cell(page, f"{row[0]}, {initial} slots", stated,
                           measured[match[3] or "default", int(match[1])][1], faults)
    if not count:
        faults.add(page, "no table of semaphores")
    return count


def kernel_cases(root, file, kernel, own, *others):
    """The measured forms of each case of a kernel, by name."""
    for case in json.loads(read(Path(root, "results/h200", file)))["cases"]:
        forms = {form["form"]: form for form in case["forms"]}
        if case["kernel"] == kernel and all(forms.get(form, {}).get("us") for form in (own, *others)):
            yield forms


def row_of(cases, own, first, others, other):
    """The cells of a kernel: cases; how much faster `own` is than `first` (mean, least, most) and than the others on
    average, and its cost relative to another form."""
    ratios = {form: [forms[form]["us"] / forms[own]["us"] for forms in cases] for form in (first, *others)}
    means = {form: statistics.geometric_mean(values) for form, values in ratios.items()}
    cells = [means.pop(first), min(ratios[first]), max(ratios[first]), *means.values()]
    costs = [f"{cases[-1][own][cost]} / {cases[-1][other][cost]}" for cost in ("registers", "code_bytes")]
    return [str(len(cases)), *(f"{cell:.2f}" for cell in cells), *costs]


def kernel_figures(root, name, peer):
    return row_of(list(kernel_cases(root, "kernels.json", name, "default", peer)), "default", peer, ["fixed"], peer)


def event_figures(root, name):
    return row_of(list(kernel_cases(root, "kernels-events.json", name, "events")), "events", "default",
                  ["grid", "hand", "graph", "graph-pdl"], "default")


def check_kernels(root, faults):
    """The tables of doc/performance.md with a row for each real kernel."""
    page, count = "doc/performance.md", 0
    found = [table for table in tables(Path(root, page)) if table[0][0] == "kernel" and "cases" in table[0]]
    events = [table for table in tables(Path(root, page)) if table[0][0] == "kernel with events"]
    if (len(found), len(events)) != (2, 1):
        faults.add(page, f"{len(found)} tables of real kernels, {len(events)} of those with events")
        return 0
    for table, figures in ((found[0], lambda name: kernel_figures(root, name, "grid")),
                           (found[1], lambda name: kernel_figures(root, name, "libcu++")),
                           (events[0], lambda name: event_figures(root, name))):
        for row in table[1:]:
            name = re.search(r"`(.*)`", row[0])[1]
            count += len(row) - 1
            if figures(name) != row[1:]:
                faults.add(page, f"{name}: {row[1:]}, measured {figures(name)}")
    return count


def check_patterns(root, faults, first, columns, files, figure):
    """The table of doc/performance-work.md whose rows are a pattern and a subject."""
    page, count, measured = "doc/performance-work.md", 0, {}
    for name in files:
        for match in json.loads(read(Path(root, "results/h200", name)))["matches"]:
            for subject in match["subjects"]:
                name = "default" if subject["role"] == "default" else subject["subject"]
                measured[match["pattern"], name, columns.format(**match)] = figure(subject)
    for table in tables(Path(root, page)):
        for row in table[1:] if table[0][0] == first else ():
            pattern, name = re.match(r"`(.*)`, (.*)", row[0]).groups()
            for column, stated in zip(table[0][1:], row[1:]):
                if stated != "-":
                    count += 1
                    check_cell(page, f"{row[0]}, {column}", stated,
                               measured[pattern, name, column], faults)
    if not count:
        faults.add(page, f"no table of {first}")
    return count


# The first title of such a table, the meaning of a column, the files, and the figure in a cell.
PATTERNS = (("pattern, subject", "{blocks}", ["peers-event.json"], lambda one: one["us"]),
            ("queue, subject", "{blocks} x {threads}", [f"peers-queue-{threads}.json" for threads in (1, 32, 128)],
             lambda one: one["per_second"] * 1e-6),
            ("tasks, subject", "{blocks}", ["peers-tasks.json"], lambda one: 1e9 / one["per_second"]),
            ("lock, subject", "{blocks}", [f"peers-{name}.json" for name in ("rwlock", "condition", "once", "combine")],
             lambda one: one["per_second"] * 1e-6))


def check_tables(root, faults):
    count = check_readme(root, faults) + check_semaphores(root, faults) + check_kernels(root, faults)
    count += sum(check_patterns(root, faults, *table) for table in PATTERNS)
    for name, primitive, unit, first in (("doc/performance.md", "barrier", 0, "default (`counter`"),
                                         ("doc/performance.md", "mutex", 1, "default (`spin_backoff`")):
        measured = points(root, primitive)
        found = [table for table in tables(Path(root, name))
                 if table[0][0] == "blocks" and table[1][0].startswith(first)]
        if len(found) != 1:
            faults.add(name, f"{len(found)} tables of a {primitive}")
        for table in found:
            count += check_table(name, table, measured, unit, faults)
    return count


def traces(page):
    """kind -> the lines of its trace, as shown on the page"""
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
    wide = {**os.environ, "COLUMNS": "1000"}  # no line is folded
    for kind, lines in shown.items():
        said = [line.rstrip() for line in run([program, "verify", "--kind", kind], stderr=None, env=wide).stdout.splitlines()]
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
