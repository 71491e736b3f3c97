"""commands.py ROOT FOLDER RULES [OPTION]...: every command in the documents is accepted and runs.

The commands are the lines of the fenced blocks of sh. RULES says how to shorten long commands, and why some are not
run: weir's own commands among these are still given to its option parser, followed by --help. A
command of make is run with -n. A command of weir in the middle of a sentence, `weir NAME --OPTION`, is
compared with the help of that name.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from documents import Faults, blocks, outside, pages, read, run  # noqa: E402

SECONDS = 600  # longer is a hang, even on a busy machine
SPAN = re.compile(r"`weir ([a-z]+)\b([^`]*)`")


def rules(path):
    """command -> (verb, what)"""
    found = {}
    for line in read(path).splitlines():
        if line.strip() and not line.startswith("#"):
            command, _, how = line.partition("=>")
            verb, _, what = how.strip().partition(": ")
            if verb not in ("add", "skip") or not what:
                raise SystemExit(f"{path}: not a rule: {line}")
            found[command.strip()] = (verb, what)
    return found


def commands(root):
    """(block, command), without comments, with weir for build/weir; a line that ends with a backslash continues."""
    for page in pages(root):
        for block in blocks(page):
            if block.language == "sh":
                for line in block.text.replace("\\\n", " ").splitlines():
                    command = re.sub(r"(^|\s)#.*", "", line).strip()
                    command = re.sub(r"^build/weir\b", "weir", command)
                    if command:
                        yield block, command


class Runner:
    def __init__(self, given):
        self.given, self.folder = given, Path(given.folder).resolve()
        self.root = Path(given.root).resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for suffix in ("c", "cu"):
            example = self.root / "examples" / f"quickstart.{suffix}"
            if example.exists():
                shutil.copy(example, self.folder / f"program.{suffix}")
        (self.folder / "examples").symlink_to(self.root / "examples")  # commands name files there
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith(("MAKE", "MFLAGS", "WEIR_")) or key == "WEIR_HOST_THREADS"}
        # A shell splits the output of pkg-config, so a path without spaces leads to the installed tree.
        self.short = tempfile.TemporaryDirectory()
        self.prefix = Path(self.short.name, "weir")
        if given.prefix:
            self.prefix.symlink_to(Path(given.prefix).resolve())
        configs = ":".join(str(path) for path in self.prefix.glob("**/pkgconfig"))
        self.environment.update(HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder / "config"),
                                PKG_CONFIG_PATH=configs)

    def translate(self, command):
        """(what to run here, why it cannot be run here), one of them None."""
        given = self.given
        first = command.split()[0]
        quote = shlex.quote
        if first == "weir":
            return command.replace(first, quote(str(Path(given.program).resolve())), 1), None
        if first.startswith("build/examples/"):
            program = Path(given.examples).resolve() / Path(first).name
            if not program.exists():
                return None, f"{first} was not built"
            return command.replace(first, quote(str(program)), 1), None
        if first == "make":
            return f"make -n -C {quote(str(self.root))} {command[5:]} > make.log", None
        if first == "./a.out":
            return (command, None) if Path(self.folder, "a.out").exists() else (None, "no program was compiled")
        if first in ("cc", "nvcc"):
            compiler = given.cc if first == "cc" else given.nvcc
            if not compiler or not given.prefix:
                return None, f"no {first}, or no installed weir"
            if "pkg-config" in command and not shutil.which("pkg-config"):
                return None, "no pkg-config"
            command = command.replace("/opt/weir", str(self.prefix))
            return command.replace(first, quote(compiler), 1), None
        return None, None

    def complaint(self, command):
        """Its output if it fails, otherwise None."""
        try:
            done = run(["sh", "-e", "-c", command], cwd=self.folder, env=self.environment,
                       timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"not done after {SECONDS} seconds"
        return f"status {done.returncode}: {done.stdout[-2000:]}" if done.returncode else None


def run_all(runner, known, faults):
    done, used = set(), set()
    for block, command in commands(runner.given.root):
        verb, what = known.get(command, ("", ""))
        used.add(command)
        if command in done:
            continue
        done.add(command)
        here, why_not = runner.translate(command)
        if not here and not why_not and verb != "skip":
            faults.add(block, f"no way to run: {command}")
        elif verb == "skip":
            print(f"{block}: not run ({what}): {command}")
            if here and command.split()[0] == "weir":
                check(runner, block, f"{here} --help", faults)
        elif why_not:
            print(f"{block}: not run ({why_not}): {command}")
        else:
            check(runner, block, f"{here} {what}".strip(), faults)
    for command in sorted(set(known) - used):
        faults.add("commands.txt", f"no document has: {command}")
    return len(done)


def check(runner, block, command, faults):
    complaint = runner.complaint(command)
    if complaint:
        faults.add(block, f"{command}: {complaint}")


def check_sentences(runner, faults):
    helps, count = {}, 0
    for page in pages(runner.given.root):
        for number, line in outside(page):
            for name, rest in SPAN.findall(line):
                count += 1
                if name not in helps:
                    helps[name] = run([runner.given.program, name, "--help"])
                if helps[name].returncode:
                    faults.add(f"{page}:{number}", f"there is no weir {name}")
                for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
                    if not re.search(rf"{option}(?![a-z-])", helps[name].stdout):
                        faults.add(f"{page}:{number}", f"weir {name} has no {option}")
            if re.match(r" {4}(weir|make|build/\S+|cmake|ctest) ", line):
                faults.add(f"{page}:{number}", "a command outside of a fenced block of sh")
    return count


def main():
    parser = argparse.ArgumentParser()
    for name in ("root", "folder", "rules"):
        parser.add_argument(name)
    for name in ("program", "examples", "prefix", "cc", "nvcc"):
        parser.add_argument(f"--{name}", default="")
    given = parser.parse_args()
    faults, runner = Faults(), Runner(given)
    count = run_all(runner, rules(given.rules), faults)
    count += check_sentences(runner, faults)
    faults.leave(count, "commands")


if __name__ == "__main__":
    main()
