"""Combiners."""

from __future__ import annotations

import ctypes as c
from typing import Any, Callable, List, Optional

from ._native import do
from .checks import nanoseconds, shown
from .device import Device
from .errors import BadArgument, BadType, LaunchEnded
from .object import ABORTED, BUSY, TIMED_OUT, Object
from .queues import Item, words_of


def _check_function(function: Any) -> None:
    if not callable(function):
        raise BadType(f"{shown(function)} is no function of an operation")


class Combiner(Object):
    """A combiner for grids of up to `blocks` blocks: one block at a time runs the operations of all blocks."""

    c_type = _stem = "weir_combiner"
    _counts = (1, 1)

    def __init__(self, device: Optional[Device], blocks: int, **options: Any) -> None:
        super().__init__(device, options, blocks)

    @property
    def words(self) -> int:
        """The number of words in an operation and in its result."""
        return int(self.handle.item_words)

    def _about(self) -> str:
        return f"of {self.handle.seats} blocks, {self.words} words"

    def _new_call(self) -> Any:
        return (c.c_uint64 * ((do("combiner_call_bytes") + 7) // 8))()

    def _values(self, value: Item) -> List[int]:
        values = words_of(value, "an operation or its result")
        if not 1 <= len(values) <= self.words:
            raise BadArgument(f"{len(values)} words for a combiner of operations of {self.words}")
        return values

    def _do_found(self, call: Any, function: Callable[..., Item]) -> None:
        while do("combiner_next", self._live(), items=call):
            for number in range(do("combiner_found", items=call)):
                operation = [do("combiner_operation", None, number, word, items=call)
                             for word in range(self.words)]
                for word, value in enumerate(self._values(function(*operation))):
                    do("combiner_answer", None, number, word, value, items=call)

    def call(self, operation: Item, function: Callable[..., Item],
             timeout: Optional[float] = None) -> Optional[Item]:
        """Publishes an operation, and returns its result. Thread 0 of a block calls it. `function` gets the words
        of an operation and returns its result; it runs in the block that combines, one call at a time. With a
        timeout, returns None if no block started the operation in time."""
        values = self._values(operation)
        _check_function(function)
        room, call = (c.c_uint32 * len(values))(*values), self._new_call()
        if timeout is None:
            do("combiner_publish", self._live(), len(values), items=call, other=room)
        else:
            do("combiner_publish_timed", self._live(), len(values), items=call, other=room)
        since = do("clock_ns")
        while True:
            if timeout is None:
                combines = do("combiner_wait", self._live(), items=call) != 0
            else:
                result = do("combiner_wait_for", self._live(), wide=since, items=call, ns=nanoseconds(timeout))
                if result == TIMED_OUT:
                    return None
                combines = result == BUSY
                if result == ABORTED:
                    raise LaunchEnded()
            if not combines:
                break
            self._do_found(call, function)
            do("combiner_release", self._live(), items=call)
        results = [do("combiner_result", None, word, items=call) for word in range(self.words)]
        return results[0] if self.words == 1 else tuple(results)

    def serve(self, function: Callable[..., Item]) -> bool:
        """Runs the operations of all other blocks until they have left. Returns False if another block serves."""
        _check_function(function)
        call = self._new_call()
        if not do("combiner_serve", self._live(), items=call):
            return False
        while do("combiner_serve_next", self._live(), items=call):
            self._do_found(call, function)
        do("combiner_release", self._live(), items=call)
        return True

    def leave(self) -> None:
        """Says that the block publishes no more in this launch. Needed where a block serves."""
        do("combiner_leave", self._live())
