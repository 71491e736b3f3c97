"""Mutexes, semaphores, conditions, reader-writer locks and onces."""

from __future__ import annotations

import ctypes as c
from contextlib import contextmanager
from typing import Any, Callable, Generator, Optional, Tuple

from ._native import do
from .checks import nanoseconds, shown, whole
from .device import Device
from .errors import BadType, LaunchEnded
from .host import Team
from .object import Object, Part, acquired, handle_type


@contextmanager
def _held(lock: Callable[[], Any], unlock: Callable[[], Any]) -> Generator[None, None, None]:
    """Unlocks at the end, even after an exception. The locks of a launch that was ended need a reset."""
    lock()
    try:
        yield
    except LaunchEnded:
        raise
    except BaseException:
        unlock()
        raise
    unlock()


class Mutex(Object):
    """A mutex: one block at a time holds it."""

    c_type = _stem = "weir_mutex"
    _kinds = "mutex"

    def __init__(self, device: Optional[Device] = None, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, kind=kind)

    def lock(self, timeout: Optional[float] = None) -> bool:
        """Waits for the mutex; with a timeout, returns False if it was not free in time."""
        if timeout is None:
            do("mutex_lock", self._live())
            return True
        return acquired(do("mutex_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_lock(self) -> bool:
        """Takes the mutex if it is free now."""
        return acquired(do("mutex_try_lock", self._live()))

    def unlock(self) -> None:
        """Lets the next block in."""
        do("mutex_unlock", self._live())

    def block_lock(self) -> None:
        """Locks for the whole block; all its threads call it."""
        do("mutex_block_lock", self._live())

    def block_unlock(self) -> None:
        """Unlocks for the whole block; all its threads call it."""
        do("mutex_block_unlock", self._live())

    def team_lock(self, team: Team) -> None:
        """The same for all threads of a team together."""
        do("mutex_team_lock", self._live(), team=team)

    def team_unlock(self, team: Team) -> None:
        """The same for all threads of a team together."""
        do("mutex_team_unlock", self._live(), team=team)

    @contextmanager
    def locked(self) -> Generator["Mutex", None, None]:
        """`with mutex.locked():` in a kernel."""
        with _held(self.lock, self.unlock):
            yield self

    @contextmanager
    def block_locked(self) -> Generator["Mutex", None, None]:
        """The same for all threads of a block together."""
        with _held(self.block_lock, self.block_unlock):
            yield self


class ElementMutex(Part, Mutex):
    """A mutex of an array. It has a mutex's operations but no lifetime of its own."""

    def __init__(self, array: "MutexArray", index: int) -> None:
        self.index = index
        handle = handle_type("weir_mutex")()
        do("mutex_at", array._live(), index, items=handle)
        self._of(array, handle)

    def _about(self) -> str:
        return f"{self.index} of {self._whole!r}"


class MutexArray(Object):
    """An array of mutexes; `array[i]` is one of them."""

    c_type = _stem = "weir_mutex_array"
    _counts = (1, 1)
    _kinds = "mutex"

    def __init__(self, device: Optional[Device], length: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, length, kind=kind)

    def __len__(self) -> int:
        return int(self.handle.length)

    def _about(self) -> str:
        return f"of {len(self)}"

    def __getitem__(self, index: int) -> Mutex:
        return ElementMutex(self, self._index(index, len(self)))


class Semaphore(Object):
    """A semaphore of `maximum` slots, `initial` of them free (by default all)."""

    c_type = _stem = "weir_semaphore"
    _counts = (1, 2)
    _kinds = "semaphore"

    def __init__(self, device: Optional[Device], maximum: int, initial: Optional[int] = None, *, kind: str = "",
                 **options: Any) -> None:
        super().__init__(device, options, maximum if initial is None else initial, maximum, kind=kind)

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        given = super()._sized(numbers)
        return given[-1:] + given[:1]  # as in C, the initial value is first

    @property
    def maximum(self) -> int:
        """The slots, free and taken together."""
        return int(self.handle.maximum)

    def _about(self) -> str:
        return f"of {self.maximum} slots"

    def _slots(self, n: int) -> int:
        return whole(n, "the number of slots", self.maximum)

    def wait(self, n: int = 1, timeout: Optional[float] = None) -> bool:
        """Takes n slots; with a timeout, takes none and returns False if they were not free in time."""
        if timeout is None:
            do("semaphore_wait", self._live(), self._slots(n))
            return True
        return acquired(do("semaphore_wait_for", self._live(), self._slots(n), ns=nanoseconds(timeout)))

    def try_wait(self, n: int = 1) -> bool:
        """Takes n slots if they are free now."""
        return acquired(do("semaphore_try_wait", self._live(), self._slots(n)))

    def post(self, n: int = 1) -> None:
        """Gives n slots back."""
        do("semaphore_post", self._live(), self._slots(n))

    def block_wait(self) -> None:
        """The same for all threads of a block together."""
        do("semaphore_block_wait", self._live())

    def block_post(self) -> None:
        """The same for all threads of a block together."""
        do("semaphore_block_post", self._live())

    def team_wait(self, team: Team) -> None:
        """The same for all threads of a team together."""
        do("semaphore_team_wait", self._live(), team=team)

    def team_post(self, team: Team) -> None:
        """The same for all threads of a team together."""
        do("semaphore_team_post", self._live(), team=team)


def _mutex(mutex: Mutex) -> Any:
    """The handle of a condition's mutex."""
    if not isinstance(mutex, Mutex):
        raise BadType(f"{shown(mutex)} is no weir.Mutex")
    return mutex._live()


class Condition(Object):
    """A condition variable for blocks that hold a mutex."""

    c_type = _stem = "weir_condition"

    def __init__(self, device: Optional[Device] = None, **options: Any) -> None:
        super().__init__(device, options)

    def wait(self, mutex: Mutex, timeout: Optional[float] = None) -> bool:
        """Unlocks the mutex, waits for a signal, and locks it again. Returns False if no signal arrived in
        time, or if the condition has no slot for another waiter."""
        if timeout is None:
            return acquired(do("condition_wait", self._live(), other=_mutex(mutex)))
        return acquired(do("condition_wait_for", self._live(), other=_mutex(mutex), ns=nanoseconds(timeout)))

    def signal(self) -> bool:
        """Wakes the block that has waited longest. Returns False if no block waits."""
        return bool(do("condition_signal", self._live()))

    def broadcast(self) -> int:
        """Wakes all blocks that wait, and returns how many."""
        return do("condition_broadcast", self._live())

    def block_wait(self, mutex: Mutex, timeout: Optional[float] = None) -> bool:
        """The same for all threads of a block together."""
        if timeout is None:
            return acquired(do("condition_block_wait", self._live(), other=_mutex(mutex)))
        return acquired(do("condition_block_wait_for", self._live(), other=_mutex(mutex),
                            ns=nanoseconds(timeout)))

    def block_signal(self) -> None:
        """The same for all threads of a block together."""
        do("condition_block_signal", self._live())

    def block_broadcast(self) -> None:
        """The same for all threads of a block together."""
        do("condition_block_broadcast", self._live())


class RWLock(Object):
    """A reader-writer lock."""

    c_type = _stem = "weir_rwlock"
    _kinds = "rwlock"

    def __init__(self, device: Optional[Device] = None, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, kind=kind)

    def read_lock(self, timeout: Optional[float] = None) -> bool:
        """Locks for reading: waits until no writer has the lock. With a timeout, returns False if
        that was not in time."""
        if timeout is None:
            do("rwlock_read_lock", self._live())
            return True
        return acquired(do("rwlock_read_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_read(self) -> bool:
        """Locks for reading if no writer has the lock now."""
        return acquired(do("rwlock_try_read_lock", self._live()))

    def read_unlock(self) -> None:
        """Ends a read lock."""
        do("rwlock_read_unlock", self._live())

    def write_lock(self, timeout: Optional[float] = None) -> bool:
        """Locks for writing: waits until the lock is free. With a timeout, returns False if that was not in time."""
        if timeout is None:
            do("rwlock_write_lock", self._live())
            return True
        return acquired(do("rwlock_write_lock_for", self._live(), ns=nanoseconds(timeout)))

    def try_write(self) -> bool:
        """Locks for writing if the lock is free now."""
        return acquired(do("rwlock_try_write_lock", self._live()))

    def write_unlock(self) -> None:
        """Ends a write lock."""
        do("rwlock_write_unlock", self._live())

    def downgrade(self) -> None:
        """Turns the write lock into a read lock."""
        do("rwlock_downgrade", self._live())

    def block_read_lock(self) -> None:
        """The same for all threads of a block together."""
        do("rwlock_block_read_lock", self._live())

    def block_read_unlock(self) -> None:
        """The same for all threads of a block together."""
        do("rwlock_block_read_unlock", self._live())

    def block_write_lock(self) -> None:
        """The same for all threads of a block together."""
        do("rwlock_block_write_lock", self._live())

    def block_write_unlock(self) -> None:
        """The same for all threads of a block together."""
        do("rwlock_block_write_unlock", self._live())

    def block_downgrade(self) -> None:
        """The same for all threads of a block together."""
        do("rwlock_block_downgrade", self._live())

    @contextmanager
    def reading(self) -> Generator["RWLock", None, None]:
        """`with lock.reading():` in a kernel."""
        with _held(self.read_lock, self.read_unlock):
            yield self

    @contextmanager
    def writing(self) -> Generator["RWLock", None, None]:
        """`with lock.writing():` in a kernel."""
        with _held(self.write_lock, self.write_unlock):
            yield self


class Once(Object):
    """Work that one block does and for which all others wait."""

    c_type = _stem = "weir_once"

    def __init__(self, device: Optional[Device] = None, **options: Any) -> None:
        super().__init__(device, options)

    def begin(self, timeout: Optional[float] = None) -> Optional[bool]:
        """Returns True to the block that must do the work and then call end(), and False to others once it
        is done. Returns None if it was not done in time."""
        if timeout is None:
            return bool(do("once_begin", self._live()))
        room = c.c_uint32()
        result = do("once_begin_for", self._live(), items=room, ns=nanoseconds(timeout))
        return bool(room.value) if acquired(result) else None

    def end(self) -> None:
        """Says that the work is done, so that the others go on."""
        do("once_end", self._live())

    def is_done(self) -> bool:
        """Whether the work is done."""
        return bool(do("once_is_done", self._live()))

    def block_begin(self) -> bool:
        """The same for all threads of a block together."""
        return bool(do("once_block_begin", self._live()))

    def block_end(self) -> None:
        """The same for all threads of a block together."""
        do("once_block_end", self._live())
