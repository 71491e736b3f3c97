"""plot.py ROOT: doc/barrier.svg is the output of tools/plot-barrier for results/h200/peers-barrier.json, and is valid
XML."""
import sys
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
from documents import Faults, read, run  # noqa: E402


def main(root):
    faults = Faults()
    command = [sys.executable, Path(root, "tools/plot-barrier"), Path(root, "results/h200/peers-barrier.json")]
    drawn = run(command, check=True).stdout
    if drawn != read(Path(root, "doc/barrier.svg")):
        faults.add("doc/barrier.svg", "is another picture than tools/plot-barrier draws")
    picture = ElementTree.fromstring(drawn)
    lines = picture.findall("{*}polyline")
    if len(lines) != 2:
        faults.add("doc/barrier.svg", f"{len(lines)} curves, not 2")
    faults.leave(len(lines), "curves")


if __name__ == "__main__":
    main(*sys.argv[1:])
