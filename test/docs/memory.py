"""memory.py ROOT FIGURES: the memory of each kind in the documents' tables matches the code.

FIGURES is the program that prints the figures of the code. A cell is `SUM bytes; SUM compact` or
`SUM bytes, SUM compact`, or `SUM bytes` if both are the same. A sum has terms such as `256`, `4 S`
and `4224 K`, with n blocks, S entries, items, counts or shards, and K counters after the first, a copy of S for every 4
of them. E are an event's copies or shards after the first. kinds.md says
`4 an entry` for `4 S`. A sum of n is for multiples of 32; other values may take up to 248 bytes more.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, run, tables  # noqa: E402

WORDS = {"a block": "n", "an entry": "S", "an item": "S", "a counter after the first": "K",
         "a copy after the first": "E", "a shard after the first": "E", "a count": "S"}
MOST_PADDING = 248


def parse(cell):
    """The two sums of a cell, padded and compact, each a list of (factor, letters); None: not a memory cell."""
    cell = cell.split("; 64 bytes of shared memory")[0]
    for words, letters in WORDS.items():
        cell = cell.replace(words, letters)
    parts = [part.strip() for part in re.split("[;,]", cell)]
    if len(parts) > 2 or "bytes" not in parts[0] or (len(parts) == 2 and "compact" not in parts[1]):
        return None
    sums = []
    for part in parts:
        terms = []
        for term in part.replace("bytes", "").replace("compact", "").split("+"):
            match = re.fullmatch(r"(\d+)((?: [nSKE])*)", term.strip())
            if not match:
                return None
            terms.append((int(match[1]), match[2].split()))
        sums.append(terms)
    return sums[0], sums[-1]


def value(terms, letters):
    total = 0
    for factor, names in terms:
        for name in names:
            factor *= letters[name]
        total += factor
    return total


def check(where, cell, sizes, faults):
    sums = parse(cell)
    if not sums:
        faults.add(where, f"not a cell of memory: {cell}")
        return
    for compact, n, s, bytes_ in sizes:
        stated = value(sums[compact], {"n": n, "S": s, "K": (s + 3) // 4 * s - 1, "E": s - 1})
        scales = any("n" in names for _, names in sums[compact])
        slack = MOST_PADDING if scales and n % 32 else 0
        if not stated <= bytes_ <= stated + slack:
            form = "compact" if compact else "padded"
            faults.add(where, f"{cell}: {stated} bytes {form} with n = {n}, S = {s}; "
                              f"the code takes {bytes_}")
            return


def main(root, figures):
    sizes = {}
    for line in run([figures], check=True).stdout.splitlines():
        if line.startswith("bytes "):
            _, primitive, kind, form, *numbers = line.split()
            row = (form == "compact", *map(int, numbers))
            sizes.setdefault((primitive, kind), []).append(row)
    faults, seen = Faults(), 0
    for table in tables(Path(root, "doc/kinds.md")):
        if table[0][:2] == ["primitive", "kind"] and "memory" in table[0]:
            for row in table[1:]:
                seen += 1
                key = (row[0], row[1].strip("`"))
                check(f"doc/kinds.md: {' '.join(key)}", row[table[0].index("memory")], sizes[key], faults)
    for primitive in ("barrier", "mutex", "semaphore", "event", "queue", "rwlock"):
        for table in tables(Path(root, "doc", f"{primitive}.md")):
            for row in table:
                if row[0].startswith("memory"):
                    for head, cell in zip(table[0][1:], row[1:]):
                        seen += 1
                        kind = head.strip("`")
                        check(f"doc/{primitive}.md: {kind}", cell, sizes[primitive, kind], faults)
    expected = 2 * sum(1 for primitive, _ in sizes if primitive != "array")
    if seen != expected:
        faults.add("the documents", f"{seen} cells of memory, not {expected}")
    for (primitive, kind), rows in sizes.items():
        if primitive == "array":
            each = next(row[-1] for row in sizes["mutex", kind] if row[0])
            if [row[-1] for row in rows] != [128, each]:
                faults.add("doc/mutex.md", f"an array of {kind}: {rows}, not 128 bytes or {each}")
    faults.leave(seen, "cells of memory")


if __name__ == "__main__":
    main(*sys.argv[1:])
