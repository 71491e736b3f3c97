"""The documents as the checks beside this file see them: blocks, tables and sentences."""
import json
import re
import subprocess
import sys
from pathlib import Path

FENCE = re.compile(r"^( *)```(\w*) *$")
MARK = re.compile(r"^ *<!-- (\w+): (.+) -->$")


class Block:
    """A fenced block, with the marks (`<!-- NAME: VALUE -->`) before it."""

    def __init__(self, page, line, language, marks):
        self.page, self.line, self.language, self.marks = page, line, language, marks
        self.lines = []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def __str__(self):
        return f"{self.page}:{self.line}"


def read(path):
    """The contents of a file of the tree, whatever the user's locale."""
    return Path(path).read_text(encoding="utf-8")


def run(command, stderr=subprocess.STDOUT, **more):
    """Runs a command to its end: `stdout` has all of its output."""
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=stderr, encoding="utf-8",
                          errors="replace", **more)


def json_of(*command):
    """The JSON on a command's standard output. Its progress messages go to the log."""
    done = run(command, stderr=None)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return json.loads(done.stdout)


def pages(root):
    """The documents of a tree that describe its current state."""
    found = [Path(root, name) for name in ("README.md", "CONTRIBUTING.md")]
    return [page for page in found + sorted(Path(root, "doc").glob("*.md")) if page.exists()]


def blocks(page):
    """The fenced blocks of a page. A block inside a list loses the list's indentation."""
    found, marks, block, indent = [], {}, None, 0
    for number, line in enumerate(read(page).splitlines(), 1):
        fence, mark = FENCE.match(line), MARK.match(line)
        if block:
            if fence and not fence[2]:
                found.append(block)
                block = None
            else:
                block.lines.append(line[min(indent, len(line) - len(line.lstrip(" "))):])
        elif fence:
            indent = len(fence[1])
            block, marks = Block(page, number, fence[2], marks), {}
        elif mark:
            marks[mark[1]] = mark[2]
        elif line.strip():
            marks = {}
    if block:
        raise SystemExit(f"{block}: the block does not end")
    return found


def outside(page):
    """The lines of a page outside fenced blocks, with their numbers."""
    inside = False
    for number, line in enumerate(read(page).splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line


def tables(page):
    """The tables of a page, each a list of rows, each a list of cells; without the ruler."""
    table = []
    for _, line in list(outside(page)) + [(0, "")]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                table.append(cells)
        elif table:
            yield table
            table = []


def sentences(page):
    """The contents of a page as one line, with single spaces."""
    return " ".join(read(page).split())


class Faults:
    """The findings of a check, and its exit status."""

    def __init__(self):
        self.count = 0

    def add(self, where, what):
        self.count += 1
        print(f"{where}: {what}")

    def leave(self, looked_at, what):
        """Ends the program, with status 2 if there was nothing to look at."""
        print(f"{looked_at} {what}, {self.count} wrong")
        sys.exit(2 if looked_at == 0 else 1 if self.count else 0)
