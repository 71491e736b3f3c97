"""choosing.py ROOT PROGRAM [--write]: the guidelines of doc/choosing.md have the measured figures and the simulator's
figures, and weir classify prints the guidelines that apply to a machine.

PROGRAM is weir. A figure is `A` N times `B`, a machine, its blocks and slots, and whether it was measured or
simulated. With --write each N is updated.
"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, json_of, read, tables  # noqa: E402

PAGE = "doc/choosing.md"
TITLES = ["when", "contention", "do", "figure"]
FIGURE = re.compile(r"(?P<primitive>\w+) `(?P<left>[\w.]+)` (?P<times>[\d.]+) times (?:(?P<other>\w+) )?`(?P<right>[\w.]+)`, "
                    r"(?P<machine>\w+)(?: with `(?P<change>[^`]+)`)?, (?P<blocks>\d+) blocks?"
                    r"(?:, (?P<slots>\d+) slots?)?, (?P<how>measured|simulated)")
WORDS = {"any machine": lambda c: True,
         "slow atomics": lambda c: c["slow_atomics"],
         "fast atomics": lambda c: not c["slow_atomics"],
         "slow atomic writes": lambda c: c["slow_atomic_writes"],
         "costly polling": lambda c: c["contended_reads"],
         "cheap polling": lambda c: not c["contended_reads"],
         "held lines": lambda c: c["hostage"],
         "free lines": lambda c: not c["hostage"]}


def sides(line):
    """(primitive, kind, slots) of both sides of a figure."""
    for primitive, kind in ((line["primitive"], line["left"]), (line["other"] or line["primitive"], line["right"])):
        yield primitive, kind, int(line["slots"] or 0) if primitive == "semaphore" else 0


def pick(points, line):
    """The rates of the two kinds of a line, from points as weir writes them; None for a missing one."""
    rates = {(point["primitive"], point["kind"], point.get("initial", 0)): point["per_second"] for point in points
             if point["blocks"] == int(line["blocks"])}
    both = [rates.get(side) for side in sides(line)]
    return both if all(both) else None


def of_peers(root, line):
    """The same from the comparisons with CUDA's own primitives, in which all kinds took turns."""
    path = Path(root, f"results/{line['machine']}/peers-{line['primitive']}.json")
    for match in json.loads(read(path))["matches"] if path.exists() else ():
        if (match["blocks"], match["initial"]) == (int(line["blocks"]), int(line["slots"] or 0)):
            us = {one["subject"]: one["us"] for one in match["subjects"] if one["role"] == "kind"}
            return [1 / us[line[side]] for side in ("left", "right")]
    return None


def tuned(profile, line):
    """The rates of the two kinds of a line, each with the better of the backoffs that were measured at that number of
    blocks: its own default, and the result of weir tune. A kind must not look slow for lack of tuning."""
    points = [dict(tuning, per_second=tuning["tuned_per_second"]) for tuning in profile["tunings"]]
    points += profile["points"]
    return pick(sorted(points, key=lambda point: point["per_second"]), line)


def measured(root, line):
    profile = json.loads(read(Path(root, f"data/profiles/{line['machine']}.json")))
    if line["primitive"] == "probe":
        found = []
        for side in ("left", "right"):
            kind, place, way = line[side].split(".")
            found.append(profile["probe"]["ms"][kind][place][way])
        return found if profile["probe"]["blocks"] == int(line["blocks"]) else None
    return tuned(profile, line) or of_peers(root, line)


def simulated(program, line):
    slots = ["--initial", line["slots"]] if line["slots"] else []
    if line["change"]:
        said = json_of(program, "predict", "--profile", line["machine"], "--what-if", line["change"], "--primitive",
                      line["primitive"], "--kinds", f"{line['left']},{line['right']}", "--blocks", line["blocks"],
                      *slots, "--json", "-")
    else:
        said = json_of(program, "bench", line["primitive"], "--device", f"sim:{line['machine']}", "--kinds",
                      f"{line['left']},{line['right']}", "--blocks", line["blocks"], *slots, "--json", "-")
    return pick(said["points"], line)


def figures(root, program, faults):
    """(a figure as it is, as it should be)"""
    known = {}
    for figure in FIGURE.finditer(read(Path(root, PAGE))):
        line = figure.groupdict()
        key = figure[0].replace(f" {line['times']} times ", " times ")
        if key not in known:
            known[key] = measured(root, line) if line["how"] == "measured" else simulated(program, line)
        if not known[key]:
            faults.add(PAGE, f"nobody {line['how']} {figure[0]}")
            continue
        ratio = f"{known[key][0] / known[key][1]:.3g}"
        yield figure[0], figure[0].replace(f" {line['times']} times ", f" {ratio} times ")


def guidelines(root):
    """The rows of the page: section, when, contention, advice, figure."""
    text = read(Path(root, PAGE))
    sections = re.findall(r"^## (.*)$", text, re.M)
    found = [table for table in tables(Path(root, PAGE)) if table[0] == TITLES]
    if len(found) != len(sections):
        raise SystemExit(f"{PAGE}: {len(found)} tables of guidelines in {len(sections)} sections")
    return [[section, *row] for section, table in zip(sections, found) for row in table[1:]]


def check_words(rows, faults):
    for section, when, contention, advice, figure in rows:
        for word in when.split(", "):
            if word not in WORDS:
                faults.add(PAGE, f"'{word}' is no word for a machine")
        if contention not in ("high", "low", "any"):
            faults.add(PAGE, f"'{contention}' is no contention")
        if not FIGURE.fullmatch(figure):
            faults.add(PAGE, f"no figure: {figure}")


def changed_profiles(root, folder):
    """Profiles of machines with one changed figure, which belong to classes that no profile has."""
    for number, figure in enumerate(FIGURE.finditer(read(Path(root, PAGE)))):
        if not figure["change"]:
            continue
        profile = json.loads(read(Path(root, f"data/profiles/{figure['machine']}.json")))
        for change in figure["change"].split(","):
            name, factor = change.split("*=")
            kind, place, *ways = name.split(".")
            for way in ways or ("read", "write"):
                profile["probe"]["ms"][kind][place][way] *= float(factor)
        path = Path(folder, f"changed_{number}.json")
        path.write_text(json.dumps(profile))
        yield path


def check_printed(root, program, folder, rows, faults):
    """weir classify prints the rows that apply, in order, and each row applies somewhere."""
    held = set()
    for profile in ("gt200", "gf100", "h200", *changed_profiles(root, folder)):
        said = json_of(program, "classify", "--profile", profile, "--json", "-")
        want = [row for row in rows
                if all(WORDS[word](said["classification"]) for word in row[1].split(", ") if word in WORDS)]
        held |= {tuple(row) for row in want}
        names = ("section", "when", "contention", "advice", "figure")
        printed = [[line[name] for name in names] for line in said["guidelines"]]
        if printed != want:
            faults.add(f"weir classify --profile {profile}",
                       f"prints {len(printed)} guidelines, not the {len(want)} of {PAGE}")
    for row in rows:
        if tuple(row) not in held:
            faults.add(PAGE, f"holds for no machine: {row}")


def main(root, program, folder, write=""):
    faults = Faults()
    Path(folder).mkdir(parents=True, exist_ok=True)
    text = read(Path(root, PAGE))
    count = 0
    for now, should in list(figures(root, program, faults)):
        count += 1
        if write == "--write":
            text = text.replace(now, should)
        elif now != should:
            faults.add(PAGE, f"says   {now}\n  should say {should}")
    if write == "--write":
        Path(root, PAGE).write_text(text, encoding="utf-8")
        print("make the program again: it has the page inside")
    else:
        rows = guidelines(root)
        check_words(rows, faults)
        check_printed(root, program, folder, rows, faults)
        if count != len(rows):
            faults.add(PAGE, f"{count} figures for {len(rows)} guidelines")
        if faults.count:
            print("python3 test/docs/choosing.py . build/weir build --write changes the figures")
    faults.leave(count, "figures")


if __name__ == "__main__":
    main(*sys.argv[1:])
