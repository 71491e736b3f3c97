"""layers.py ROOT: the table of doc/architecture.md says which folder may include which; every #include must follow it.

The table may have no cycle, nor may the folders below its rows. An #include that finds two files on the path of its
folder is an error as well. Last, includes that break a rule are planted in the list, and each must be found."""
import re
import sys
from pathlib import Path

SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".cu", ".hip", ".cl"}
PATHS = ("", "include", "src", "src/model", "command", "python/include")
GENERATED = {"weir/device_single.h", "weir_texts.h"}
# These headers are one layer: a primitive's use those in weir/, and weir/device.h has all primitives.
ONE_FOLDER = "include/weir"


def read_table(page):
    """What each place, a folder or a header, may include."""
    rows = re.findall(r"^\| (`[^|]*) \| [^|]* \| ([^|]*) \|$", page, re.M)
    table = {}
    for places, allowed in rows:
        for place in re.findall(r"`([^`]+)`", places):
            table[place] = {"everything"} if allowed == "everything" else set(re.findall(r"`([^`]+)`", allowed))
    return table


def under(path, place):
    return path == place or path.startswith(place + "/")


def place_of(path, table):
    return max((place for place in table if under(path, place)), key=len, default=None)


def read_includes(root, table):
    """(file, what it includes) for each #include, as it is written."""
    for top in sorted({place.split("/")[0] for place in table}):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                name = path.relative_to(root).as_posix()
                for line in re.findall(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', path.read_text(), re.M):
                    yield name, line


def find(root, name, line):
    """The files of the tree that an #include may mean."""
    folders = (Path(name).parent.as_posix(),) + PATHS
    found = []
    for folder in folders:
        path = (root / folder / line).resolve()
        if path.is_file() and root in path.parents and path not in found:
            found.append(path)
    return [path.relative_to(root).as_posix() for path in found]


def find_cycle(graph):
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        cycle = next(filter(None, map(visit, sorted(graph.get(node, ())))), None)
        path.pop()
        done.add(node)
        return cycle

    return next(filter(None, map(visit, sorted(graph))), None)


def check(table, includes):
    """The sentences that say what is wrong."""
    wrong, folders = [], {}
    for name, files in includes:
        own, free = place_of(name, table), False
        if own is None:
            wrong.append(f"{name}: doc/architecture.md has no row for its folder")
            continue
        free = table[own] == {"everything"}
        if len(files) > 1 and not free:
            wrong.append(f"{name}: an #include means {' or '.join(files)}")
        for file in files[:1]:
            other = place_of(file, table)
            if not free and other != own and other not in table[own]:
                wrong.append(f"{name} includes {file}, which doc/architecture.md does not let {own} do")
            pair = [ONE_FOLDER if under(f, ONE_FOLDER) else f if f in table else f.rpartition("/")[0]
                    for f in (name, file)]
            if pair[0] != pair[1] and not free:
                folders.setdefault(pair[0], set()).add(pair[1])
    for what, graph in ("table of doc/architecture.md", table), ("folders", folders):
        cycle = find_cycle(graph)
        if cycle:
            wrong.append(f"the {what} include each other: {' > '.join(cycle)}")
    return wrong


def main(root):
    root = Path(root).resolve()
    table = read_table((root / "doc" / "architecture.md").read_text())
    written = list(read_includes(root, table))
    includes = [(name, find(root, name, line)) for name, line in written]
    wrong = check(table, includes)
    wrong += [f"{name}: no {line} on its path" for (name, line), (_, files) in zip(written, includes)
              if line.startswith("weir/") and not files and line not in GENERATED]
    print("\n".join(wrong))
    print(len(table), "rows,", len(written), "includes,", len(wrong), "wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
