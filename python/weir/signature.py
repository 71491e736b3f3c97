"""The parameters of a CUDA kernel, read from its source, against which arguments are checked."""

from __future__ import annotations

import re
import struct
from typing import Any, List, Optional, Tuple

from .checks import flag, shown
from .errors import BadArgument

# The C name, the NumPy name, and the `struct` letter for a scalar.
_TYPES = {
    "float": ("float32", "f"), "double": ("float64", "d"), "bool": ("bool", "?"),
    "char": ("int8", "b"), "signed char": ("int8", "b"), "unsigned char": ("uint8", "B"),
    "int8_t": ("int8", "b"), "uint8_t": ("uint8", "B"),
    "short": ("int16", "h"), "unsigned short": ("uint16", "H"),
    "int16_t": ("int16", "h"), "uint16_t": ("uint16", "H"),
    "int": ("int32", "i"), "unsigned": ("uint32", "I"), "unsigned int": ("uint32", "I"),
    "int32_t": ("int32", "i"), "uint32_t": ("uint32", "I"),
    "long": ("int64", "q"), "unsigned long": ("uint64", "Q"), "long long": ("int64", "q"),
    "unsigned long long": ("uint64", "Q"), "int64_t": ("int64", "q"), "uint64_t": ("uint64", "Q"),
    "size_t": ("uint64", "Q"), "__half": ("float16", "e"), "half": ("float16", "e"),
}
# A word may be any 32 bits.
_WORDS = {"weir_word": ("uint32", "int32"), "weir_word64": ("uint64", "int64")}
_LETTERS = {numpy_name: letter for numpy_name, letter in _TYPES.values()}


class Parameter:
    """One parameter. `dtypes` are the NumPy names of the types that it accepts; none if they are not known."""

    def __init__(self, dtypes: Tuple[str, ...] = (), is_pointer: bool = False, handle: str = "",
                 text: str = "") -> None:
        self.dtypes = dtypes
        self.is_pointer = is_pointer
        self.handle = handle  # "weir_barrier"
        self.text = text

    @property
    def size(self) -> Optional[int]:
        """Its size in bytes; None if it is not known."""
        if self.is_pointer:
            return 8
        return struct.calcsize(f"={_LETTERS[self.dtypes[0]]}") if self.dtypes else None

    def pack(self, value: Any, number: int) -> bytes:
        """The bytes of a Python number."""
        if self.is_pointer or self.handle or len(self.dtypes) != 1:
            raise BadArgument(f"argument {number} is {shown(value)}, but the kernel takes {self.text or 'something else'}")
        try:
            if self.dtypes == ("bool",):
                value = flag(value, f"argument {number}")
            # In its native format, struct turns a number that is too large for a float into
            # infinity.
            return struct.pack(f"={_LETTERS[self.dtypes[0]]}", value)
        except (struct.error, OverflowError) as error:
            raise BadArgument(f"argument {number}, {shown(value)}, does not fit {self.text}: {error}") from None


def _parameter(text: str) -> Parameter:
    plain = re.sub(r"\b(const|volatile|restrict|__restrict__|__restrict|__grid_constant__|struct)\b", " ", text)
    found = re.fullmatch(r"\s*([A-Za-z_][\w\s]*?)\s*(\*?)\s*([A-Za-z_]\w*)?\s*", plain)
    if not found:
        return Parameter(text=text.strip())
    name, is_pointer = " ".join(found.group(1).split()), bool(found.group(2))
    if not is_pointer and found.group(3) is None and " " in name and name not in _TYPES:
        name = name.rsplit(" ", 1)[0]  # the regular expression included the name in the type
    what = text.strip()
    if name.startswith("weir_") and name not in _WORDS and not is_pointer:
        return Parameter(handle=name, text=what)
    if name in _WORDS:
        return Parameter(_WORDS[name], is_pointer, text=what)
    if name in _TYPES:
        return Parameter((_TYPES[name][0],), is_pointer, text=what)
    return Parameter(is_pointer=is_pointer, text=what)


def read(code: str, name: str) -> Optional[List[Parameter]]:
    """The parameters of the kernel `name` in a CUDA source; None if the source does not show them."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
    heads = re.findall(r"__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+"
                       r"(?:__launch_bounds__\s*\([^)]*\)\s*)?" + re.escape(name) + r"\s*\(([^()]*)\)", code)
    if len(set(heads)) != 1:
        return None
    parts = heads[0].strip()
    return [_parameter(part) for part in parts.split(",")] if parts and parts != "void" else []
