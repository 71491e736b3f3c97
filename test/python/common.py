"""Shared by the tests of the Python package: how they end, and how they are skipped.

A file of tests ends with `common.main()`. It exits with 0 if all passed, 1 if some failed, and 77 if none could run
here; the last line then says why.
"""
import faulthandler
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
# The variables that mark a process as a rank.
LAUNCHERS = ("WEIR_CREW_RANK", "WEIR_CREW_RANKS", "WEIR_CREW_SOCKETS", "WEIR_CREW_NAME", "OMPI_COMM_WORLD_RANK",
             "PMI_RANK", "TORCHELASTIC_RUN_ID", "SLURM_PROCID")


def end_after(seconds):
    """Ends this process after `seconds`, and prints where each of its threads is: a framework's wait for a kernel has
    no deadline."""
    faulthandler.dump_traceback_later(seconds, exit=True)


def main():
    program = unittest.main(module="__main__", exit=False, verbosity=1)
    result = program.result
    for _, reason in result.skipped:
        print(f"skipped: {reason}", file=sys.stderr)
    if not result.wasSuccessful():
        sys.exit(1)
    # A class that is entirely skipped runs no test.
    passed = result.testsRun - sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)
    if result.skipped and passed <= 0:
        print(f"skipped: {result.skipped[-1][1]}")
        sys.exit(77)
    print(f"{passed} tests passed, {len(result.skipped)} skipped")


def note_operations():
    """From now on, records which operations of the library the kernels use. Returns a function that lists the
    others."""
    from weir import _native

    used, do = set(), _native.do

    def noted(name, *arguments, **more):
        used.add(name)
        return do(name, *arguments, **more)

    for module in [made for name, made in sys.modules.items() if name.startswith("weir.") and hasattr(made, "do")]:
        module.do = noted
    return lambda: sorted(set(_native.operation_names()) - used)


def start_crew(ranks, *arguments):
    """Starts crew_program.py as that many ranks with `python -m weir crew`. Nothing may be left in the folder of
    names."""
    environment = {name: value for name, value in os.environ.items() if name not in LAUNCHERS}
    with tempfile.TemporaryDirectory() as folder:
        environment["WEIR_CREW_DIR"] = os.path.join(folder, "names")
        environment["WEIR_TEST_FOLDER"] = folder
        os.mkdir(environment["WEIR_CREW_DIR"], 0o700)
        done = subprocess.run(
            [sys.executable, "-m", "weir", "crew", "-n", str(ranks), sys.executable,
             str(Path(__file__).resolve().parent / "crew_program.py"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=150, env=environment)
        left = os.listdir(environment["WEIR_CREW_DIR"])
        assert left == [], left
    return done


def absent(*modules):
    """Why these modules cannot be imported here; "" if they can."""
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as error:  # a module may fail for lack of a driver
            return f"{name} cannot be imported here: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return ""


def no_numba():
    """Why Numba-CUDA compiles no kernel here; "" if it does. It may not support the installed NumPy."""
    reason = absent("numba.cuda", "numpy")
    if reason:
        return reason
    import numba
    import numba_cuda
    import numpy

    try:
        numba.cuda.compile_ptx(lambda: None, ())
    except Exception as error:  # anything that its compiler raises
        return (f"numba-cuda {numba_cuda.__version__} compiles nothing with NumPy {numpy.__version__}: "
                f"{type(error).__name__}: {error}")
    return ""


def no_cuda_compiler():
    """Why no CUDA source can be compiled here; "" when it can."""
    from weir import check_sources, nvrtc

    return "" if check_sources._nvcc() or nvrtc.version() else "neither nvcc nor NVRTC is here"


def no_gpu():
    """Why there is no CUDA device here; "" if there is one."""
    import weir

    return weir.why_no("cuda")


def no_extensions():
    """Why no Python extension can be compiled here, as Triton and load_inline do; "" if it can."""
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.exists():
        return f"there is no {header.name} of this Python here"
    return "" if any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang")) else "no C compiler here"


def needs(*modules, extensions=False):
    """Skips a class of tests if there is no GPU, a module is missing, or no extension can be compiled. Nothing is
    imported for classes that do not run: importing a framework takes seconds."""
    def skip(_):
        reason = (no_gpu() or absent(*modules) or (no_extensions() if extensions else "") or
                  (no_numba() if "numba.cuda" in modules else ""))
        if reason:
            raise unittest.SkipTest(reason)

    def decorate(case):
        case.setUpClass = classmethod(skip)
        return case

    return decorate
