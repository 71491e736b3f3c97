"""Checks of callers' arguments. ctypes silently truncates a number to the width of its C type, and a string at a NUL,
so everything passed to the library is checked here first."""

from __future__ import annotations

import operator
from typing import Any

from .errors import BadArgument, BadType

U32 = 2**32 - 1
U64 = 2**64 - 1
SIZE = 2**63 - 1
_LIMITS = {U32: "2^32 - 1", U64: "2^64 - 1", SIZE: "2^63 - 1"}
_MOST_SECONDS = 9e9  # 285 years: as nanoseconds they fit in 63 bits


def shown(value: Any) -> str:
    """A value as shown in an exception, kept short."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def whole(value: Any, what: str = "", most: int = U32, least: int = 0) -> int:
    """A whole number from `least` to `most`. Python's and NumPy's integers count as whole numbers, and so do bools."""
    name = f"{what} is " if what else ""
    try:
        number = operator.index(value)
    except TypeError:
        raise BadType(f"{name}{shown(value)}, which is not a whole number" if what else
                      f"{shown(value)} is not a whole number") from None
    if least <= number <= most:
        return number
    raise BadArgument(f"{name}{shown(number)}, but it must be from {least} to {_LIMITS.get(most, most)}" if what else
                      f"{shown(number)} is not a number from {least} to {_LIMITS.get(most, most)}")


def flag(value: Any, what: str) -> int:
    """1 for true, 0 for false."""
    try:
        if value == 0 or value == 1:
            return int(value)
    except Exception:  # an array has no single truth value
        pass
    raise BadType(f"{what} is {shown(value)}, but it must be True or False")


def seconds(value: Any, what: str = "a timeout") -> float:
    """Seconds, 0 or more. Infinity and anything else above 285 years count as 285 years."""
    if isinstance(value, (str, bytes)) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise BadType(f"{what} of {shown(value)} seconds: it must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = _MOST_SECONDS if value > 0 else -1.0
    except (TypeError, ValueError):
        raise BadType(f"{what} of {shown(value)} seconds: it must be a number") from None
    if not number >= 0:
        raise BadArgument(f"{what} of {shown(value)} seconds: it must be 0 or more")
    return min(number, _MOST_SECONDS)


def nanoseconds(timeout: Any) -> int:
    """The nanoseconds of a timeout in seconds; at least one, since 0 means no limit."""
    return max(int(seconds(timeout) * 1e9), 1)


def encoded(value: Any, what: str) -> bytes:
    """A string for C, which ends at a NUL."""
    if not isinstance(value, str):
        raise BadType(f"{what} is {shown(value)}, but it must be a str")
    if "\0" in value:
        raise BadArgument(f"{what} is {shown(value)}, which has a NUL in it")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise BadArgument(f"{what} is {shown(value)}, which is not text that UTF-8 can encode") from None
