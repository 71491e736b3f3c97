"""facts.py ROOT FIGURES: the sizes, bounds and measured figures in the documents match the code.

FIGURES prints figures of the library. Each line of STATED is a page, a phrase in which @ stands for the figure,
and the figure's name. The page must contain the phrase with the right figure, in digits or as a word.
"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, read, run, sentences, tables  # noqa: E402

WORDS = ("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
         "sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four "
         "twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty").split()

STATED = """
doc/kinds.md         a cache line of @ bytes                                   line_bytes
doc/mutex.md         A device has up to @ of them at a time                    near_slots
doc/mutex.md         @ bytes of shared memory                                  near_bytes
doc/mutex.md         after @ holders in a row                                  cohort_limit
doc/mutex.md         each lock has a cache line of @ bytes                     line_bytes
doc/barrier.md       The most is @; other numbers are rounded up               most_shards
doc/queue.md         A dispenser takes @ bytes                                 dispenser_bytes
doc/queue.md         bytes, or @ if it is compact                              dispenser_compact_bytes
doc/condition.md     A condition takes @ bytes and a bit for each slot         condition_bytes
doc/condition.md     with `options.object.compact` @ bytes and the bits        condition_compact_bytes
doc/rwlock.md        `options.reader_counts` up to @                           most_reader_counts
doc/rwlock.md        | `options.reader_counts` above @ |                       most_reader_counts
doc/once.md          A once takes @ bytes                                      once_bytes
doc/combiner.md       A combiner takes @ bytes                                  combine_bytes
doc/combiner.md       for each seat @ bytes a word                              combine_word_bytes
doc/combiner.md       bytes a word and @ more                                   combine_more_bytes
doc/combiner.md       goes over all seats at most @ times                       combine_rounds
doc/combiner.md       | 1 to @, by `options.words`                              combine_words
doc/limits.md        Its operations have up to @ words                         combine_words
doc/tasks.md         A graph takes @ bytes a task                              task_bytes
doc/tasks.md         bytes a task, @ an edge                                   edge_bytes
doc/tasks.md         and @ a task without a dependency                         root_bytes
doc/guide.md         `WEIR_BACKOFF_MIN` (@)                                    backoff_min
doc/guide.md         `WEIR_BACKOFF_MAX` (@)                                    backoff_max
doc/other-machines.md Up to @ threads run at once                               host_threads
doc/guide.md         | host | @ threads in all |                               host_threads
doc/cuda.md          cupy.zeros(@, dtype=cupy.uint32)                          barrier_words
doc/command-bench.md Kinds that back off do so between @ and 16 units          backoff_min
doc/command-bench.md do so between 1 and @ units                               backoff_max
doc/command.md       Bounds above @ units do not count                         rule_pause
doc/hopper.md        longer than @ loads (`WEIR_RULE_PAUSE_MOST`)              rule_pause
doc/hopper.md        backoff makes the spin mutex @ times as fast               h200_mutex_backoff
doc/hopper.md        with 2112 blocks, and @ times with 132                    h200_mutex_backoff_few
doc/hopper.md        gains @ times by tuned backoff                            h200_semaphore_backoff
doc/hopper.md        `packed` is another @ times as fast                       h200_semaphore_packed
doc/hopper.md        spin mutex with backoff @ times as fast                   h200_mutex_tuned
doc/hopper.md        the spin semaphore of 120 slots @ times                   h200_semaphore_tuned
doc/hopper.md        reads take @ times as long after an atomic                h200_scope_reads
doc/hopper.md        after an atomic, writes @ times                           h200_scope_writes
doc/hopper.md        That is @ times as long for reads                         h200_scope_reads
doc/hopper.md        for reads, and @ times for writes                         h200_scope_writes
doc/hopper.md        runs had [@ and                                           h200_scope_ratio_0
doc/hopper.md        runs had [65.5 and @]                                     h200_scope_ratio_1
doc/hangs.md         up to @ of a device                                       diagnosed_objects
doc/hangs.md         Blocks from number @ on take no part                      diagnosed_blocks
doc/hangs.md         Of an array of events, the first @ have notes             diagnosed_events
doc/simulator-claims.md judges the @ claims of that file                          claims
doc/simulator-claims.md @ of the 49 rows are right                                claims_right
doc/simulator-claims.md are right: @ of the 10 best kinds                         claims_best_right
doc/simulator-claims.md of the @ best kinds, none of them fitted                  claims_best
doc/simulator-claims.md and @ of the 39 others                                    claims_others_right
doc/simulator-claims.md of the @ others. Four of these are fitted                 claims_others
doc/simulator-claims.md @ of 35 are right without them                            claims_counted_right
doc/simulator-claims.md of @ are right without them                               claims_counted
doc/simulator-claims.md sleeping over spin is @ with 132 blocks and one slot      h200_sleeping_over_spin
doc/simulator-claims.md blocks and one slot, and @ with 120                       h200_sleeping_over_spin_120
doc/simulator-claims.md it is @ times as fast with 120 slots                       h200_exchange_slots
doc/hopper.md        `counter` is @ times as fast                              h200_counter_over_xf
doc/hopper.md        `two_stage` is ahead, by @ times with 132                 h200_two_stage_over_xf_132
doc/hopper.md        with 132 and @ times with 528                             h200_two_stage_over_xf_528
doc/hopper.md        are tied there, at @ and 99.4 thousand                    h200_xf_thousands
doc/hopper.md        99.9 and @ thousand a second                              h200_two_stage_thousands
include/weir/options.h  It takes * @ bytes more, and up to                        diagnosis_header_bytes
include/weir/options.h  more, and up to @ objects of a device can                 diagnosed_objects
include/weir/options.h  takes another @ bytes for each of * its first             diagnosed_event_bytes
include/weir/options.h  for each of * its first @ events                          diagnosed_events
include/weir/options.h  #define WEIR_NAME_BYTES @ /**                             name_bytes
include/weir/options.h  arrivals are spread over, rounded up to a power of two, at most @ and * at most one  most_shards
include/weir/options.h  spread over, rounded up to a power of two, at most @. 0: 8  most_reader_counts
include/weir/options.h  of an operation, and of its result: 1 to @. 0: 1.         combine_words
include/weir/options.h  With object.compact a mutex takes 4 to @ bytes            array_most_bytes
"""

# CONTRIBUTING must name every function of a kind that the rest of the code calls.
CALL = re.compile(r"weir_##name##_(\w+)|WEIR_DISPATCH_\w*\((?:BARRIER|MUTEX|SEMAPHORE|EVENT|QUEUE), [^;]*?, _(\w+),")
PROBE = ("contentious volatile", "noncontentious volatile", "contentious atomic",
         "noncontentious atomic", "contentious volatile preceded by atomic",
         "noncontentious volatile preceded by atomic")


def output(*command):
    return run(command, check=True).stdout


def found(text, pattern):
    match = re.search(pattern, text, re.S)
    if not match:
        raise SystemExit(f"no figure where one was: {pattern}")
    return match


def figures(root, program):
    known, arrays = {}, []
    for line in output(program).splitlines():
        if line.startswith("fact "):
            known[line.split()[1]] = int(line.split()[2])
        elif line.startswith("bytes array ") and " compact " in line:
            arrays.append(int(line.split()[-1]))
    known["array_most_bytes"] = max(arrays)
    known["host_threads"] = int(found(read(Path(root, "src/host/run.h")), r"#define WEIR_HOST_MOST_THREADS (\d+)")[1])
    known.update(h200_gains(root))
    known.update(h200_scopes(root))
    known.update(h200_paper(root))
    known.update(claims(root))
    return known


def h200_paper(root):
    """Ratios of the rates of the paper's kinds on an H200."""
    def rates(page):
        return {(point["primitive"], point["kind"], point["blocks"], point.get("initial", 0)): point["per_second"]
                for point in json.loads(read(Path(root, page)))["points"]}

    default, paper = rates("data/profiles/h200.json"), rates("results/h200/paper.json")

    def over_spin(slots):
        return default["semaphore", "sleeping", 132, slots] / default["semaphore", "spin", 132, slots]

    def over_xf(kind, blocks):
        return paper["barrier", kind, blocks, 0] / paper["barrier", "xf", blocks, 0]

    return {"h200_sleeping_over_spin": over_spin(1), "h200_sleeping_over_spin_120": over_spin(120),
            "h200_exchange_slots": paper["semaphore", "spin_exchange", 132, 120] /
            paper["semaphore", "spin_exchange", 132, 1],
            "h200_counter_over_xf": over_xf("counter", 2112),
            "h200_two_stage_over_xf_132": over_xf("two_stage", 132),
            "h200_two_stage_over_xf_528": over_xf("two_stage", 528),
            "h200_xf_thousands": paper["barrier", "xf", 2112, 0] / 1000,
            "h200_two_stage_thousands": paper["barrier", "two_stage", 2112, 0] / 1000}


def recorded_claims(root):
    """{id: [predicted, verdict]} from the simulator's test."""
    lines = (line.partition(": ") for line in read(Path(root, "test/golden/claims.txt")).splitlines())
    return {name: rest.rsplit(": ", 1) for name, _, rest in lines}


def claims(root):
    """The score of the paper's claims."""
    rows = recorded_claims(root)
    best = [verdict for name, (_, verdict) in rows.items() if name.startswith("best-")]
    others = [verdict for name, (_, verdict) in rows.items() if not name.startswith("best-")]
    counted = [verdict for verdict in others if "fitted" not in verdict]

    def right(verdicts):
        return sum(verdict.startswith("right") for verdict in verdicts)

    return {"claims": len(rows), "claims_right": right(best + others), "claims_best": len(best),
            "claims_best_right": right(best), "claims_others": len(others), "claims_others_right": right(others),
            "claims_counted": len(counted), "claims_counted_right": right(counted)}


def h200_gains(root):
    """Ratios of rates in the H200's profile."""
    profile = json.loads(read(Path(root, "data/profiles/h200.json")))

    def rate(primitive, kind, blocks, initial=0):
        return next(point["per_second"] for point in profile["points"]
                    if (point["primitive"], point["kind"], point["blocks"], point.get("initial", 0))
                    == (primitive, kind, blocks, initial))

    def tuned(primitive, kind, blocks, initial=0):
        return next((one["tuned_per_second"], one["untuned_per_second"]) for one in profile["tunings"]
                    if (one["primitive"], one["kind"], one["blocks"], one.get("initial", 0))
                    == (primitive, kind, blocks, initial))

    slots, mutex = tuned("semaphore", "spin_backoff", 2112, 120), tuned("mutex", "spin_backoff", 2112)
    waits = tuned("semaphore", "spin_backoff", 132, 10)[0]
    return {"h200_mutex_backoff": rate("mutex", "spin_backoff", 2112) / rate("mutex", "spin", 2112),
            "h200_mutex_backoff_few": rate("mutex", "spin_backoff", 132) / rate("mutex", "spin", 132),
            "h200_semaphore_backoff": waits / rate("semaphore", "spin", 132, 10),
            "h200_semaphore_packed": rate("semaphore", "packed", 132, 10) / waits,
            "h200_mutex_tuned": mutex[0] / mutex[1], "h200_semaphore_tuned": slots[0] / slots[1]}


def h200_scopes(root):
    """Ratios of the first run at device scope, and of atomic to volatile writes in both volatile runs."""
    rows = [[float(number) for number in line.split()[-4:]]
            for line in read(Path(root, "results/h200/probe-scopes.txt")).splitlines()
            if re.search(r"(\d\.\d{4}\s*){4}$", line)]
    plain, atomic, primed = rows[0:2], rows[4:6], rows[8:10]
    return {"h200_scope_reads": primed[0][0] / plain[0][0], "h200_scope_writes": primed[0][1] / plain[0][1],
            "h200_scope_ratio_0": atomic[0][3] / plain[0][3], "h200_scope_ratio_1": atomic[1][3] / plain[1][3]}


def check_stated(root, known, faults):
    count = 0
    for line in STATED.strip().splitlines():
        page, phrase, name = re.fullmatch(r"(\S+) +(.*\S) +(\S+)", line).groups()
        count += 1
        value = known[name]
        if isinstance(value, float):
            value = f"{value:.3g}" if "." in f"{value:.3g}" else f"{value:.1f}"
            words = [value]
        else:
            words = [str(value)] + ([WORDS[value], WORDS[value].capitalize()]
                                    if value < len(WORDS) else [])
        text = sentences(Path(root, page))
        if not any(phrase.replace("@", word) in text for word in words):
            faults.add(page, f"does not say \"{phrase.replace('@', words[0])}\"")
    return count


def check_claims(root, page, faults):
    """The table of claims has all claims of the file, with the predictions."""
    rows = recorded_claims(root)
    told = [table[1:] for table in tables(Path(root, page)) if table[0] == ["row", "paper", "predicted", ""]]
    stated = {row[0].strip("`"): [row[2], row[3]] for row in (told[0] if told else ())}
    file = {line.partition(",")[0] for line in read(Path(root, "data/paper/claims.csv")).splitlines()
            if line and line[0] != "#" and not line.startswith("id,")}
    for name in sorted(file | set(rows) | set(stated)):
        if name not in file or rows.get(name) != stated.get(name):
            faults.add(page, f"{name}: {stated.get(name)}, the simulator has {rows.get(name)}")
    return len(stated)


def check_functions(root, faults):
    """CONTRIBUTING names exactly the functions of a kind that the code calls."""
    called = set()
    for folder, suffix in (("include", "h"), ("src", "c")):
        for path in Path(root, folder).rglob(f"*.{suffix}"):
            called |= {one or other for one, other in CALL.findall(read(path))}
    text = read(Path(root, "CONTRIBUTING.md"))
    told = set(re.findall(r"weir_NAME_(\w+)", text))
    for name in sorted(called - told):
        faults.add("CONTRIBUTING.md", f"does not say that a kind has weir_NAME_{name}")
    for name in sorted(told - called):
        faults.add("CONTRIBUTING.md", f"weir_NAME_{name} is called by nobody")
    return len(called)


def probe_cells(root):
    """The twelve figures of the H200's profile, by the rows of the paper's table."""
    probe = json.loads(read(Path(root, "data/profiles/h200.json")))["probe"]["ms"]
    for number, row in enumerate(PROBE):
        kind, place = ("volatile", "atomic", "primed")[number // 2], ("same", "own")[number % 2]
        yield row, [probe[kind][place][way] for way in ("read", "write")]


def check_probe(root, page, faults):
    rows = {row[0]: row[1:] for table in tables(Path(root, page)) for row in table}
    for row, figures_ in probe_cells(root):
        for stated, figure in zip(rows[row], figures_):
            digits = len(stated.partition(".")[2])
            if f"{figure:.{digits}f}" != stated:
                faults.add(page, f"{row}: {stated}, the profile has {figure}")
    return 2 * len(PROBE)


RATIOS = {"atomic to volatile, contentious reads": ("atomic.same.read", "volatile.same.read"),
          "atomic to volatile, contentious writes": ("atomic.same.write", "volatile.same.write"),
          "atomic to volatile, noncontentious reads": ("atomic.own.read", "volatile.own.read"),
          "atomic to volatile, noncontentious writes": ("atomic.own.write", "volatile.own.write"),
          "contentious to noncontentious volatile reads": ("volatile.same.read", "volatile.own.read"),
          "contentious to noncontentious volatile writes": ("volatile.same.write", "volatile.own.write"),
          "contentious to noncontentious atomic reads": ("atomic.same.read", "atomic.own.read"),
          "volatile reads of one word after an atomic, to without": ("primed.same.read", "volatile.same.read"),
          "volatile writes of one word after an atomic, to without": ("primed.same.write", "volatile.same.write")}


def check_ratios(root, page, faults):
    """The table of ratios has all ratios of the profiles."""
    found = [table for table in tables(Path(root, page)) if table[0] == ["", "GT200", "GF100", "H200"]]
    if len(found) != 1 or {row[0] for row in found[0][1:]} != set(RATIOS):
        faults.add(page, f"{len(found)} tables of ratios, or one with other rows")
        return 0
    for row in found[0][1:]:
        for gpu, stated in zip(found[0][0][1:], row[1:]):
            probe = json.loads(read(Path(root, f"data/profiles/{gpu.lower()}.json")))["probe"]["ms"]
            above, below = (probe[kind][place][way]
                            for kind, place, way in (name.split(".") for name in RATIOS[row[0]]))
            digits = len(stated.partition(".")[2])
            if f"{above / below:.{digits}f}" != stated or len(stated) != 4:
                faults.add(page, f"{row[0]}, {gpu}: {stated}, the profile has {above / below:.4g}")
    return len(RATIOS) * 3


def main(root, program):
    faults = Faults()
    known = figures(root, program)
    count = check_stated(root, known, faults)
    count += check_functions(root, faults)
    count += check_claims(root, "doc/simulator-claims.md", faults)
    count += check_probe(root, "doc/hopper.md", faults)
    count += check_ratios(root, "doc/hopper.md", faults)
    faults.leave(count, "facts")


if __name__ == "__main__":
    main(*sys.argv[1:])
