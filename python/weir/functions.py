"""The operations as functions that Numba and Triton call (functions.cu): their source and their declarations."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, NamedTuple, Tuple

from . import paths
from .checks import shown
from .errors import BadType
from .object import Object

_PREFIX = "weir_call_"
_DECLARATION = re.compile(r"^WEIR_CALL (uint32_t|uint64_t) " + _PREFIX + r"(\w+)\(([^)]*)\)", re.M)


class Function(NamedTuple):
    """One function: its symbol, and the NumPy names of its types."""

    symbol: str
    result: str
    arguments: Tuple[str, ...]


@lru_cache(maxsize=None)
def _source() -> str:
    with open(paths.source("functions.cu"), encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=None)
def text() -> str:
    """The functions and the device headers as one CUDA source, which includes nothing."""
    return paths.headers() + _source().replace('#include "weir/device.h"\n', "\n")


@lru_cache(maxsize=None)
def declarations() -> Dict[str, Function]:
    """The functions by name: barrier_wait and so on."""
    found = {}
    for result, name, arguments in _DECLARATION.findall(_source()):
        types = tuple(argument.split()[0][:-2] for argument in arguments.split(","))
        found[name] = Function(_PREFIX + name, result[:-2], types)
    return found


def handle(made: Object) -> int:
    """The address of an object's handle in the device's memory: the first argument of each function. The object must
    live as long as kernels use it."""
    if not isinstance(made, Object):
        raise BadType(f"{shown(made)} is no object of weir")
    return made.on_device().address
