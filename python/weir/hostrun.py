"""A launch of a Python function on the host machine."""

from __future__ import annotations

import ctypes as c
import threading
import traceback
from typing import Any, Callable, Dict, Optional, Sequence

from . import _native
from .errors import KernelError, LaunchEnded


class HostRun:
    """A launch of a Python function on the host machine."""

    def __init__(self, kernel: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.kernel = kernel
        self.arguments = tuple(arguments)
        self.failure: Optional[KernelError] = None
        self.ending = False
        self.threads: Dict[int, None] = {}
        self._lock = threading.Lock()
        self.entry = _native.HOST_KERNEL(self._enter)  # the library calls it until the launch ends

    def _enter(self, _: Any) -> None:
        me = threading.get_ident()
        try:
            self.threads[me] = None
            self.kernel(*self.arguments)
        except LaunchEnded:
            pass
        except BaseException as error:
            self._fail(error)
        finally:
            self._left(me)

    def _left(self, me: int) -> None:
        """The thread has left the kernel: nothing interrupts it any more, also no order that is on its way."""
        while True:
            try:
                with self._lock:
                    self.threads.pop(me, None)
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

    def stop(self) -> None:
        """Ends threads that compute. Those that wait are ended by the library."""
        self.ending = True
        with self._lock:
            for thread in list(self.threads):
                c.pythonapi.PyThreadState_SetAsyncExc(c.c_ulong(thread), c.py_object(LaunchEnded))
