"""Builds the wheel: CMake lays the package out, and this packs it. The package has no extension module, so that
one wheel serves every Python.

WEIR_BUILD names a build folder to take the binaries from. Without it they are built from the tree.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent


def version():
    """That of the tree, which its headers have."""
    header = (ROOT / "include" / "weir" / "version.h").read_text(encoding="utf-8")
    return ".".join(re.search(r"use\((\d+), (\d+), (\d+)\)", header).groups())


def newest_glibc(folder):
    """The newest version of glibc that a binary of the folder needs, say (2, 34)."""
    newest = (2, 17)
    for path in sorted(folder.iterdir()):
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        needs = subprocess.run(["readelf", "--version-info", "--wide", str(path)], check=True,
                               stdout=subprocess.PIPE, encoding="utf-8", env={**os.environ, "LC_ALL": "C"}).stdout
        for found in re.findall(r"\bGLIBC_(\d+)\.(\d+)", needs):
            newest = max(newest, (int(found[0]), int(found[1])))
    return newest


class Build(build_py):
    """Copies what CMake has laid out, binaries included."""

    def run(self):
        build = os.environ.get("WEIR_BUILD")
        if not build:
            build = str(Path(self.get_finalized_command("build").build_temp).resolve() / "cmake")
            options = os.environ.get("WEIR_CMAKE_OPTIONS", "").split()
            subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DWEIR_TESTS=OFF",
                            "-DWEIR_WERROR=OFF", *options], check=True)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", build, "--target", "weir_python_package", "-j", jobs], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", self.build_lib,
                        "--strip"], check=True, stdout=subprocess.DEVNULL)


class Wheel(bdist_wheel):
    """Names the platform, not the Python: py3-none-manylinux_2_34_x86_64, say."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        native = Path(self.get_finalized_command("build_py").build_lib) / "weir" / "native"
        _, _, platform = super().get_tag()
        found = re.fullmatch(r"linux_(\w+)", platform)
        if found and native.is_dir():
            platform = "manylinux_{}_{}_{}".format(*newest_glibc(native), found.group(1))
        return "py3", "none", platform


class Binary(Distribution):
    def has_ext_modules(self):
        return True


if not sys.platform.startswith("linux"):
    sys.exit("weir is for Linux")
setup(version=version(), packages=["weir"], package_dir={"": "python"}, distclass=Binary,
      cmdclass={"build_py": Build, "bdist_wheel": Wheel})
