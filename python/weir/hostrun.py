"""A launch of a Python function on the host machine."""

from __future__ import annotations

import ctypes as c
import os
import sys
import threading
import traceback
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _native, life
from .errors import KernelError, LaunchEnded


_MOST_NAMED = 4  # threads listed at one line; the text says how many more there are


class HostRun:
    """A launch of a Python function on the host machine."""

    def __init__(self, kernel: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.kernel = kernel
        self.arguments = tuple(arguments)
        self.failure: Optional[KernelError] = None
        self.ending = False
        self.threads: Dict[int, Tuple[int, int]] = {}  # the block and thread numbers of each thread in the kernel
        self._lock = threading.Lock()
        self.entry = _native.HOST_KERNEL(self._enter)  # the library calls it until the launch ends

    def _enter(self, _: Any) -> None:
        me = threading.get_ident()
        try:
            self.threads[me] = _native.do("block_id"), _native.do("thread_id")
            self.kernel(*self.arguments)
        except LaunchEnded:
            pass
        except BaseException as error:
            self._fail(error)
        finally:
            self._left(me)

    def _left(self, me: int) -> None:
        """The thread has left the kernel: nothing interrupts it any more, not even a pending request to end."""
        while True:
            try:
                with self._lock:
                    self.threads.pop(me, None)
                    life.left(me)
                    c.pythonapi.PyThreadState_SetAsyncExc(c.c_ulong(me), None)
                return
            except LaunchEnded:
                continue

    def _fail(self, error: BaseException) -> None:
        block, thread = _native.do("block_id"), _native.do("thread_id")
        if self.failure is None:
            line = "".join(traceback.format_exception_only(type(error), error)).strip()
            name = getattr(self.kernel, "__name__", repr(self.kernel))
            self.failure = KernelError(f"block {block}, thread {thread} of {name} raised {line}", block, thread)
            self.failure.__cause__ = error
        try:
            _native.do("end_launch")
        except LaunchEnded:
            pass

    def where(self) -> str:
        """The lines at which its threads are, outside this package."""
        frames: Dict[int, Any] = dict(sys._current_frames())
        places: Dict[str, List[str]] = {}
        for number, (block, thread) in sorted(self.threads.items(), key=lambda item: item[1]):
            frame = frames.get(number)
            while frame is not None and frame.f_globals.get("__package__") == __package__:
                frame = frame.f_back
            if frame is not None:
                code = frame.f_code
                places.setdefault(f"{os.path.basename(code.co_filename)}:{frame.f_lineno} in {code.co_name}", []).append(
                    f"block {block}, thread {thread}")
        lines = []
        for place, threads in places.items():
            more = f" and {len(threads) - _MOST_NAMED} more" if len(threads) > _MOST_NAMED else ""
            lines.append(f"{'; '.join(threads[:_MOST_NAMED])}{more} at {place}")
        return "\n".join(lines)

    def stop(self) -> None:
        """Ends threads that compute. The library ends threads that wait."""
        self.ending = True
        with self._lock:
            for thread in list(self.threads):
                c.pythonapi.PyThreadState_SetAsyncExc(c.c_ulong(thread), c.py_object(LaunchEnded))
