"""The lifetime of the memory behind an object: it may be used until it is destroyed, and it is never destroyed during
a call that uses it."""

from __future__ import annotations

import os
import threading
from typing import Any, Callable, Dict, Tuple, Type

from .errors import BadArgument, BadType, Error


class Unique:
    """An object that cannot be copied: the copy would outlive the memory behind both."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise BadType(f"a {type(self).__name__} stands for memory of this process: it is not copied or pickled. Share "
                      "the object itself, or make another one")


class Life:
    """The lifetime of an object's memory, which ends with its parents' lifetimes at the latest."""

    __slots__ = ("alive", "_error", "_gone", "parents")

    def __init__(self, error: Type[Error], gone: str, *parents: "Life") -> None:
        self.alive = True
        self.parents = parents
        self._error = error
        self._gone = gone

    def check(self) -> None:
        """Raises if the memory is gone."""
        if not self.alive:
            raise self._error(self._gone)
        for parent in self.parents:
            parent.check()

    def _is_of(self, life: "Life") -> bool:
        return self is life or any(parent._is_of(life) for parent in self.parents)

    def in_use(self) -> bool:
        """Whether a thread is in a call that uses the memory."""
        return any(one._is_of(self) for lives in list(_calls.values()) for one in lives)

    def end(self, what: str) -> None:
        """Ends the lifetime, unless a thread is in a call: that thread would continue with freed memory."""
        self.alive = False
        if self.in_use():
            self.alive = True
            raise BadArgument(f"{what} is in use: a thread is waiting in one of its operations. Let that end first")


# The lives used by each thread's current call, by the thread's number. A caller stores its lives before it checks
# whether they have ended, and a thread that ends one does so before it looks here: one of the two sees the other.
_calls: Dict[int, Tuple[Life, ...]] = {}
os.register_at_fork(after_in_child=_calls.clear)  # the child has none of those threads


def call(lives: Tuple[Life, ...], function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a library function that uses the memory of these lives."""
    me = threading.get_ident()
    before = _calls.get(me)  # a signal handler may make a call while its thread is here
    try:
        _calls[me] = lives if before is None else before + lives
        for life in lives:
            life.check()
        return function(*arguments)
    finally:
        if before is None:
            _calls.pop(me, None)
        else:
            _calls[me] = before


def left(thread: int) -> None:
    """A thread is no longer in a call, however it left its last one."""
    _calls.pop(thread, None)
