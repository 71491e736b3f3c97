"""made.py ROOT PROGRAM [--write]: the tables and cells that commands generate match the commands' current output.

PROGRAM is weir. Counts of accesses come from `weir predict --counts`, in doc/kinds.md and on the page of each
primitive; the effect of batched loads, in doc/simulator.md, from `weir predict --what-if batched-loads`; that
of atomics as fast as volatile accesses, in doc/paper.md, from `weir predict --published --what-if equal-atomics`;
barriers and events over ranks, in doc/crew-cost.md, from `weir crew --simulate`. With --write the documents are
updated.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, json_of, read  # noqa: E402

PARTS = {"mutex": ("lock", "unlock"), "semaphore": ("wait", "post"), "barrier": ("wait",)}
ACCESSES = ("reads", "writes", "atomics")
# A counter barrier has a copy of its counters for every 4 shards; the counts are of one shard.
MORE_COUNTERS = {"counter": (" and copy", "one for every 4 shards")}
CROWDED = "gf100"
# The kinds of the paper's figures, and two later ones.
LATER = {"mutex": (), "semaphore": ("packed",), "barrier": ("counter",)}
PAPER = {"mutex": ("spin", "spin_backoff", "ticket"),
         "semaphore": ("spin_exchange", "spin_exchange_backoff", "sleeping"), "barrier": ("two_stage", "xf")}
SLOTS = (1, 2, 10, 120)
SPIN_WITH_BACKOFF = {"mutex": "spin_backoff", "semaphore": "spin_exchange_backoff", "barrier": None}
SIMULATED = (8, 16, 72, 144, 512, 1024, 4096)
# The tables of doc/crew-cost.md: the mark, the member of the JSON, and the rows.
RANKS = (("ranks", "rows", SIMULATED), ("one to all", "one_to_all", (8, 72, 512, 4096)),
         ("all to one", "all_to_one", (8, 72, 512, 4096)))


class Counts:
    """The output of weir predict --counts, by primitive, kind, part and cluster size."""

    def __init__(self, program):
        said = json_of(program, "predict", "--profile", CROWDED, "--counts", "--json", "-")
        self.blocks = said["blocks"]
        self.rows = said["counts"]
        self.by = {(row["primitive"], row["kind"], row["part"], row["cluster"]): row for row in self.rows}

    def has(self, primitive, kind):
        return primitive in PARTS and (primitive, kind, PARTS[primitive][0], 0) in self.by

    def cluster(self, primitive, kind):
        """The cluster size with which the kind was counted, or 0."""
        return max(row["cluster"] for row in self.rows if (row["primitive"], row["kind"]) == (primitive, kind))

    def of(self, primitive, kind, part, cluster=0):
        return self.by[primitive, kind, part, cluster]


def bounds(count, without_bound):
    if count["unbounded"]:
        return without_bound.format(count["least"])
    joint = " or " if count["most"] == count["least"] + 1 else " to "
    return str(count["least"]) + (joint + str(count["most"]) if count["most"] > count["least"] else "")


def kinds_cells(counts, primitive, kind):
    """The two cells on atomics in the first table of doc/kinds.md."""
    cluster = counts.cluster(primitive, kind)
    rows = [counts.of(primitive, kind, part, cluster) for part in PARTS[primitive]]
    alone = [row["alone"]["atomics"] for row in rows]
    few = [bounds(row["few"]["atomics"], "{} or more") for row in rows]
    if primitive == "barrier":
        more = MORE_COUNTERS.get(kind, ("",))[0]
        return [f"{alone[0]} a block{more}" if alone[0] else "0", f"{few[0]} a block{more}" if few[0] != "0" else "0"]
    start = "in a cluster: " if cluster else ""
    return [start + ", ".join(f"{part} {number}" for part, number in zip(PARTS[primitive], numbers))
            for numbers in (alone, few)]


def atomics_cell(primitive, part):
    def cell(counts, kind):
        cluster = counts.cluster(primitive, kind)
        row = counts.of(primitive, kind, part, cluster)
        few = bounds(row["few"]["atomics"], "no bound")
        return f"{row['alone']['atomics']} / {few}" + (" in a cluster" if cluster else "")
    return cell


def accesses_cell(primitive, part):
    def cell(counts, kind):
        cluster = counts.cluster(primitive, kind)
        few = counts.of(primitive, kind, part, cluster)["few"]
        said = []
        for name, one in zip(ACCESSES, ("load", "store", "atomic")):
            number = bounds(few[name], "{} or more")
            if number != "0":
                said.append(f"{number} {one}" + ("" if number == "1" else "s"))
        return ("in a cluster: " if cluster else "") + ", ".join(said)
    return cell


def barrier_cell(counts, kind):
    return MORE_COUNTERS[kind][1] if kind in MORE_COUNTERS else kinds_cells(counts, "barrier", kind)[1].split()[0]


# Rows of the tables with a column for each kind: page, primitive, label, cell.
ROWS = (("doc/mutex.md", "mutex", "atomics in lock, free / contended", atomics_cell("mutex", "lock")),
        ("doc/mutex.md", "mutex", "unlock", accesses_cell("mutex", "unlock")),
        ("doc/semaphore.md", "semaphore", "atomics in wait, slot free / none", atomics_cell("semaphore", "wait")),
        ("doc/semaphore.md", "semaphore", "atomics in post, alone / contended", atomics_cell("semaphore", "post")),
        ("doc/barrier.md", "barrier", "atomics for each block", barrier_cell))


def put_rows(counts, page, text):
    """The page with its rows of counts, and how many cells they have."""
    lines, kinds, cells = text.splitlines(), [], 0
    for number, line in enumerate(lines):
        row = [cell.strip() for cell in line.split("|")[1:-1]]
        if row and row[0] == "" and all(re.fullmatch(r"`\w+`", cell) for cell in row[1:]):
            kinds = [cell.strip("`") for cell in row[1:]]
        for where, primitive, label, cell in ROWS:
            if page == where and row and row[0] == label:
                made = [cell(counts, kind) if counts.has(primitive, kind) else old
                        for kind, old in zip(kinds, row[1:])]
                lines[number] = f"| {label} | {' | '.join(made)} |"
                cells += len(made)
    return "\n".join(lines) + "\n", cells


def put_kinds(counts, text):
    """The same for the table of kinds, whose rows are kinds."""
    lines, cells = text.splitlines(), 0
    for number, line in enumerate(lines):
        row = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(row) == 7 and row[1].strip("`") != row[1] and counts.has(row[0], row[1].strip("`")):
            row[3:5] = kinds_cells(counts, row[0], row[1].strip("`"))
            lines[number] = f"| {' | '.join(row)} |".replace("|  |", "| |")
            cells += 2
    return "\n".join(lines) + "\n", cells


def mean(number):
    return "-" if number is None else f"{number:.3g}" if number < 100 else f"{number:.0f}"


def counts_table(counts):
    yield f"| primitive | kind | part | alone | two blocks | {counts.blocks} blocks on {CROWDED} |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in counts.rows:
        kind = f"`{row['kind']}`" + (" in a cluster" if row["cluster"] else "")
        alone = " / ".join(str(row["alone"][name]) for name in ACCESSES)
        few = " / ".join(bounds(row["few"][name], "{}+") for name in ACCESSES)
        many = " / ".join(mean(row["many"][name]) for name in ACCESSES)
        many = "not simulated" if row["many"]["reads"] is None else many
        yield f"| {row['primitive']} | {kind} | {row['part']} | {alone} | {few} | {many} |"


def batched_rows(program, blocks):
    """(case, its primitive, {kind: (rate, rate without)})"""
    for primitive in PARTS:
        said = json_of(program, "predict", "--profile", CROWDED, "--what-if", "batched-loads", "--primitive",
                      primitive, "--kinds", ",".join(PAPER[primitive] + LATER[primitive]), "--blocks", blocks, "--json", "-")["points"]
        for slots in SLOTS if primitive == "semaphore" else (0,):
            found = {point["kind"]: (point["per_second"], point["without"]) for point in said
                     if point.get("initial", 0) == slots}
            case = f"{primitive}, {slots} slot{'s' * (slots > 1)}" if slots else primitive
            yield case, primitive, found


def batched_table(program, blocks):
    yield f"| {CROWDED}, {blocks} blocks | times the rate without it | the paper's fastest kind without it | with it |"
    yield "| --- | --- | --- | --- |"
    for case, primitive, found in batched_rows(program, blocks):
        ratios = {kind: f"{with_ / without:.2f}" if without else "-" for kind, (with_, without) in found.items()}
        changed = [f"`{kind}` {ratio}" for kind, ratio in ratios.items() if ratio not in ("1.00", "-")]
        best = [max(PAPER[primitive], key=lambda kind: found[kind][way]) for way in (1, 0)]
        yield f"| {case} | {', '.join(changed) or 'all 1.00'} | `{best[0]}` | `{best[1]}` |"


def equal_table(program, blocks):
    """The paper's kinds if atomics took the time of volatile accesses. XF runs with 6 of 8 blocks."""
    yield f"| {CROWDED}, equal atomics | blocks | the paper's fastest kind | times the spin lock with backoff |"
    yield "| --- | --- | --- | --- |"
    for primitive in ("mutex", "semaphore", "barrier"):
        scale = blocks * 6 // 8 if primitive == "barrier" else blocks
        said = json_of(program, "predict", "--profile", CROWDED, "--published", "--what-if", "equal-atomics",
                      "--primitive", primitive, "--kinds", ",".join(PAPER[primitive]), "--blocks", scale,
                      "--json", "-")["points"]
        for slots in SLOTS if primitive == "semaphore" else (0,):
            rates = {point["kind"]: point["per_second"] for point in said if point.get("initial", 0) == slots}
            best = max(rates, key=rates.get)
            spin = SPIN_WITH_BACKOFF[primitive]
            times = "there is none" if not spin else "it is" if best == spin else f"{rates[best] / rates[spin]:.3g}"
            case = f"{primitive}, {slots} slot{'s' * (slots > 1)}" if slots else primitive
            yield f"| {case} | {scale} | `{best}` | {times} |"


def ranks_table(systems, key, counts):
    """One pattern's time in each form, and the best form."""
    forms = list(systems[0][key][0]["microseconds"])
    yield f"| GPUs | ranks | {' | '.join(forms)} | best |"
    yield "| --- |" + " --- |" * (len(forms) + 2)
    for system in systems:
        for row in system[key]:
            if row["ranks"] in counts:
                cells = " | ".join(f"{row['microseconds'][form]:.2f}" for form in forms)
                yield f"| {system['what']} | {row['ranks']} | {cells} | {row['best']} |"


def put_table(text, name, made):
    """The page with a table between its marks."""
    begin, end = f"<!-- made: {name} -->\n", "<!-- end of what is made -->\n"
    before, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"no place for the table {name}")
    return before + begin + "\n" + "\n".join(made) + "\n\n" + end + rest.partition(end)[2]


def made_texts(root, program):
    """(page, its contents as they should be, how many cells are generated)"""
    counts = Counts(program)
    for page in sorted({row[0] for row in ROWS}):
        yield page, *put_rows(counts, page, read(Path(root, page)))
    table = list(counts_table(counts))
    text, cells = put_kinds(counts, read(Path(root, "doc/kinds.md")))
    yield "doc/kinds.md", put_table(text, "counts", table), cells + 3 * (len(table) - 2)
    table = list(batched_table(program, counts.blocks))
    text = put_table(read(Path(root, "doc/simulator.md")), "batched loads", table)
    yield "doc/simulator.md", text, 3 * (len(table) - 2)
    table = list(equal_table(program, counts.blocks))
    text = put_table(read(Path(root, "doc/paper.md")), "equal atomics", table)
    yield "doc/paper.md", text, 2 * (len(table) - 2)
    said = json_of(program, "crew", "--simulate", ",".join(map(str, SIMULATED)), "--json", "-")["systems"]
    text, cells = read(Path(root, "doc/crew-cost.md")), 0
    for name, key, counts in RANKS:
        table = list(ranks_table(said, key, counts))
        text = put_table(text, name, table)
        cells += (table[0].count("|") - 3) * (len(table) - 2)
    yield "doc/crew-cost.md", text, cells


def main(root, program, write=""):
    faults, total = Faults(), 0
    for page, text, cells in made_texts(root, program):
        total += cells
        if cells == 0:
            faults.add(page, "has no cell of those that are made")
        now = read(Path(root, page))
        if write == "--write":
            Path(root, page).write_text(text, encoding="utf-8")
            continue
        for old, new in zip(now.splitlines(), text.splitlines()):
            if old != new:
                faults.add(page, f"says   {old}\n  should say {new}")
        if len(now.splitlines()) != len(text.splitlines()):
            faults.add(page, "has a table with rows too many or too few")
    if faults.count:
        print("python3 test/docs/made.py . build/weir --write changes the documents")
    faults.leave(total, "cells")


if __name__ == "__main__":
    main(*sys.argv[1:])
