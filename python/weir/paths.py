"""The locations of the package's files."""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache

_HERE = os.path.dirname(os.path.abspath(__file__))


def include_dir() -> str:
    """The folder to pass to a compiler with -I, so that `#include "weir/device.h"` works."""
    return os.path.join(_HERE, "include")


@lru_cache(maxsize=None)
def headers() -> str:
    """The device headers as one string, for compilers that take a string. Put it before a kernel.

    It includes nothing: no cooperative_groups.h, no file of a CUDA toolkit and no host header.
    """
    with open(os.path.join(include_dir(), "weir", "device_single.h"), encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=None)
def digest() -> str:
    """A name for the current contents of the headers, for kernel caches."""
    return hashlib.sha256(headers().encode()).hexdigest()[:16]


@lru_cache(maxsize=None)
def version() -> str:
    """The version of these headers, which the library compares with its own."""
    with open(os.path.join(include_dir(), "weir", "version.h"), encoding="utf-8") as file:
        found = re.search(r"use\((\d+), (\d+), (\d+)\)", file.read())
    return ".".join(found.groups()) if found else ""


def library() -> str:
    """The path of the shared library."""
    return os.path.join(_HERE, "native", "libweir.so")


def program() -> str:
    """The path of the command `weir`."""
    return os.path.join(_HERE, "native", "weir")


def source(name: str) -> str:
    """The path of a source file of the package."""
    return os.path.join(_HERE, name)
