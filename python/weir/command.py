"""The command `weir`, from Python."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from . import paths
from .checks import encoded
from .errors import Error


def run_program(*arguments: str) -> str:
    """Runs the command `weir` with these arguments, and returns its output: run_program("devices").

    Raises Error with the command's error text if it fails."""
    for argument in arguments:
        encoded(argument, "an argument of the program")
    done = subprocess.run([paths.program(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"weir {' '.join(arguments)} ended with status {done.returncode}")
    return done.stdout


def main() -> NoReturn:
    """The console script: this process becomes the command."""
    try:
        os.execv(paths.program(), ["weir", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"weir: {paths.program()} does not run here: {error}")
