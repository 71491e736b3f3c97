"""layers.py ROOT: every #include follows the table of doc/architecture.md, which says what each folder may include.

A row of the table may list only rows above it, and folders may not include each other in a cycle. An #include must find
exactly one file, and two folders on one include path may not have the same name. Finally, mistakes are planted, and
each must be found."""
import re
import sys
from pathlib import Path

SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".cu", ".hip", ".cl"}
PATHS = {"src": ("", "include", "src"), "command": ("", "include", "command"), "python": ("include", "src")}
OTHER_PATH = ("", "include")
GENERATED = {"weir_part.h", "weir_hooks.h", "device_single.h", "weir/device_single.h", "weir_texts.h"}
# Everything may include these. They count as one folder: the headers of primitives use those in weir/, and
# weir/device.h includes all.
HEADERS = "include/weir"
# Tests may include everything, and have their own include paths.
ALL = {"everything"}


def read_table(page):
    """What each folder or header may include."""
    layers = page.split("\n## Layers\n")[1].split("\n## ")[0]
    table = {}
    for places, allowed in re.findall(r"^\| (`[^|]*) \| [^|]* \|([^|]*)\|$", layers, re.M):
        for place in re.findall(r"`([^`]+)`", places):
            table[place] = ALL if allowed.strip() == "everything" else set(re.findall(r"`([^`]+)`", allowed))
    return table


def is_in(file, place):
    return file == place or file.startswith(place + "/")


def place_of(file, table):
    return max((place for place in table if is_in(file, place)), key=len, default=None)


def folder_of(file, table):
    return HEADERS if is_in(file, HEADERS) else file if file in table else file.rpartition("/")[0]


def find(root, name, header):
    """The files that an #include may mean, relative to the tree."""
    path = PATHS.get(name.split("/")[0], OTHER_PATH)
    folders = [(root / name).parent] + [root / folder for folder in path]
    found = dict.fromkeys((folder / header).resolve() for folder in folders if (folder / header).is_file())
    return [path.relative_to(root).as_posix() for path in found if root in path.parents]


def read_includes(root, table):
    """(file, the #include as written, the files that it may mean) for the whole tree."""
    for top in sorted({place.split("/")[0] for place in table}):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                name = path.relative_to(root).as_posix()
                for quote, header in re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)', path.read_text(), re.M):
                    files = find(root, name, header)
                    if files or quote == '"' and header not in GENERATED:
                        yield name, header, files


def find_cycle(graph):
    path, done = [], set()

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
    """A sentence for each violation."""
    wrong, folders, above = [], {}, set()
    for place, allowed in table.items():
        wrong += [f"doc/architecture.md: {place} lists {other}, which is no row above it"
                  for other in sorted(allowed - above - ALL)]
        above.add(place)
    for name, header, files in includes:
        own = place_of(name, table)
        if own is None:
            wrong.append(f"{name}: doc/architecture.md has no row for its folder")
        elif table[own] is ALL:
            continue
        elif len(files) != 1:
            wrong.append(f"{name}: {header} is {' or '.join(files) or 'no file on the path'}")
        else:
            other = place_of(files[0], table)
            if other not in (own, HEADERS) and other not in table[own]:
                wrong.append(f"{name}: the row of {own} in doc/architecture.md does not have {files[0]}")
            pair = folder_of(name, table), folder_of(files[0], table)
            if pair[0] != pair[1]:
                folders.setdefault(pair[0], set()).add(pair[1])
    cycle = find_cycle(folders)
    return wrong + ([f"folders include each other: {' > '.join(cycle)}"] if cycle else [])


def find_twins(root):
    """Folders with the same name on one path."""
    for path in PATHS.values():
        seen = {}
        for parent in path:
            for folder in (root / parent).iterdir():
                if folder.is_dir() and seen.setdefault(folder.name, folder) != folder:
                    yield f"{folder} and {seen[folder.name]} are on one path"


def find_blind_rules(table, includes):
    """The mistakes that no rule notices."""
    def planted(name, *files):
        return table, includes + [(name, "planted.h", list(files))]

    mistakes = {
        "an upward include": planted("src/core/planted.c", "src/object/object.h"),
        "a private header": planted("command/planted.c", "src/core/device.h"),
        "the backend outside core": planted("src/crew/planted.c", "src/core/backend.h"),
        "a header of the tests": planted("kernels/planted.h", "test/harness/params.h"),
        "folders that include each other": planted("command/cli/planted.c", "command/sweep/sweep.h"),
        "a row that lists one below it": ({**table, "src/base": {"src/core"}}, includes),
        "two files of one name": planted("command/planted.c", "kernels/planted.h", "command/planted.h"),
        "a path that this test does not know": planted("command/planted.c"),
        "a folder without a row": planted("more/planted.c", "include/weir/weir.h"),
    }
    return [f"nothing notices {what}" for what, (rows, planted) in mistakes.items() if not check(rows, planted)]


def main(root):
    root = Path(root).resolve()
    table = read_table((root / "doc" / "architecture.md").read_text())
    includes = list(read_includes(root, table))
    wrong = check(table, includes) + list(find_twins(root))
    wrong += find_blind_rules(table, includes) if not wrong else []
    print("\n".join(wrong + [f"{len(table)} rows, {len(includes)} includes, {len(wrong)} wrong"]))
    return bool(wrong) or not includes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
