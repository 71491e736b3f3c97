"""Objects that hand out work: queues, dispensers and graphs of tasks."""

from __future__ import annotations

import ctypes as c
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _native, host, life
from ._native import check, do, lib
from .checks import SIZE, flag, nanoseconds, shown, whole
from .device import Device
from .errors import BadArgument, BadType, Closed
from .host import Team
from .object import CLOSED, Object, Part, acquired, sliced

Item = Union[int, Sequence[int]]
NO_TASK = 0xFFFFFFFF
HOST_PUSHES, HOST_POPS = 1, 2
ONE_PUSHES, ONE_POPS = 1, 2


def words_of(item: Item, what: str = "an item") -> List[int]:
    """The words of an item, which is a number or a tuple of numbers."""
    if hasattr(item, "__index__") and not getattr(item, "shape", ()):
        return [whole(item, what)]
    if isinstance(item, (str, bytes, bytearray, dict, set, frozenset)) or not hasattr(item, "__iter__"):
        raise BadType(f"{what} is {shown(item)}, which is neither a whole number nor a tuple of them")
    return [whole(value, f"a word of {what}") for value in item]


def _item_size(item_bytes: int) -> Any:
    return c.c_size_t(whole(item_bytes, "item_bytes", SIZE))


class Queue(Object):
    """A queue of items of `item_bytes` bytes, a multiple of 4. An item of 4 bytes is a number, a longer item
    a tuple of numbers. A push to a closed queue, or a pop from a closed and empty one, raises Closed."""

    c_type = _stem = "weir_queue"
    _counts = (1, 2)
    _kinds = "queue"

    def __init__(self, device: Optional[Device], capacity: int, item_bytes: int = 4, *, kind: str = "",
                 **options: Any) -> None:
        super().__init__(device, options, capacity, _item_size(item_bytes), kind=kind)

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        super()._sized(numbers)
        return numbers[0], _item_size(numbers[1] if len(numbers) > 1 else 4)

    @property
    def words(self) -> int:
        """The number of words in an item."""
        return int(self.handle.item_words)

    @property
    def capacity(self) -> int:
        """The number of items for which it has room."""
        return 1 << int(self.handle.bits)

    def _about(self) -> str:
        return f"of {self.capacity} items of {4 * self.words} bytes"

    def _room(self) -> Any:
        return (c.c_uint32 * self.words)()

    def _room_of(self, item: Item) -> Any:
        values = words_of(item)
        if len(values) != self.words:
            raise BadArgument(f"an item of {len(values)} words for a queue of items of {self.words}")
        return (c.c_uint32 * self.words)(*values)

    def _item(self, room: Any) -> Item:
        return int(room[0]) if self.words == 1 else tuple(room)

    def _pushed(self, result: int) -> bool:
        if result == CLOSED:
            raise Closed("the queue is closed: it takes no item")
        return acquired(result)

    def _popped(self, result: int, room: Any) -> Optional[Item]:
        if result == CLOSED:
            raise Closed("the queue is closed, and has no item")
        return self._item(room) if acquired(result) else None

    def push(self, item: Item, timeout: Optional[float] = None) -> bool:
        """Pushes an item: waits for room. With a timeout, returns False if there was none in time."""
        if timeout is None:
            return self._pushed(do("queue_push", self._live(), self.words, items=self._room_of(item)))
        return self._pushed(do("queue_push_for", self._live(), self.words, items=self._room_of(item),
                               ns=nanoseconds(timeout)))

    def try_push(self, item: Item) -> bool:
        """Pushes an item if there is room now."""
        return self._pushed(do("queue_try_push", self._live(), self.words, items=self._room_of(item)))

    def pop(self, timeout: Optional[float] = None) -> Optional[Item]:
        """Pops an item: waits for one. With a timeout, returns None if there was none in time."""
        room = self._room()
        if timeout is None:
            return self._popped(do("queue_pop", self._live(), self.words, items=room), room)
        return self._popped(do("queue_pop_for", self._live(), self.words, items=room,
                               ns=nanoseconds(timeout)), room)

    def try_pop(self) -> Optional[Item]:
        """Pops an item, or returns None if there is none now."""
        room = self._room()
        return self._popped(do("queue_try_pop", self._live(), self.words, items=room), room)

    def __iter__(self) -> Iterator[Item]:
        """Pops until the queue is closed and empty."""
        while True:
            try:
                item = self.pop()
            except Closed:
                return
            assert item is not None
            yield item

    def block_push(self, value: int, team: Optional[Team] = None) -> bool:
        """The block, or a team, pushes one item of one word: its first thread's."""
        room = (c.c_uint32 * 1)(whole(value, "an item"))
        if team is None:
            return self._pushed(do("queue_block_push", self._live(), items=room))
        return self._pushed(do("queue_team_push", self._live(), items=room, team=team))

    def block_pop(self, team: Optional[Team] = None) -> int:
        """The block, or a team, pops one item of one word. All its threads get it."""
        room = (c.c_uint32 * 1)()
        if team is None:
            self._popped(do("queue_block_pop", self._live(), items=room), room)
        else:
            self._popped(do("queue_team_pop", self._live(), items=room, team=team), room)
        return int(room[0])

    def block_push_n(self, n: int, item: Item, team: Optional[Team] = None) -> bool:
        """The first n threads push an item each, in one batch."""
        if team is None:
            return self._pushed(do("queue_block_push_n", self._live(), self.words, n, items=self._room_of(item)))
        return self._pushed(do("queue_team_push_n", self._live(), self.words, n, items=self._room_of(item),
                               team=team))

    def block_pop_n(self, n: int, team: Optional[Team] = None) -> Item:
        """The first n threads pop an item each, in one batch. The other threads get meaningless values."""
        room = self._room()
        if team is None:
            self._popped(do("queue_block_pop_n", self._live(), self.words, n, items=room), room)
        else:
            self._popped(do("queue_team_pop_n", self._live(), self.words, n, items=room, team=team), room)
        return self._item(room)

    def block_pop_some(self, most: int, team: Optional[Team] = None) -> Tuple[int, Item]:
        """Pops up to `most` items. Returns how many, and the caller's item if its number is below that."""
        room, count = self._room(), whole(most, "the number of items", least=1)
        if team is None:
            count = do("queue_block_pop_some", self._live(), self.words, count, items=room)
        else:
            count = do("queue_team_pop_some", self._live(), self.words, count, items=room, team=team)
        return count, self._item(room)

    def close(self) -> None:
        """Closes the queue: pops get the items that are left, and then end."""
        do("queue_close", self._live())

    def leave(self) -> bool:
        """Says that the block is done with the queue in this launch. The last block to leave reopens the queue."""
        return bool(do("queue_leave", self._live()))

    def block_leave(self) -> bool:
        """The same for all threads of a block together."""
        return bool(do("queue_block_leave", self._live()))

    def length(self) -> int:
        """The number of items at one moment."""
        return do("queue_length", self._live())

    # ---- the host side, usable while a kernel runs ----

    def _host_side(self, function: Callable[..., int], *more: Any) -> int:
        """Calls a function of the host side."""
        handle = self._live()
        return int(life.call(handle.lives, function, c.c_void_p(self.device._open()), handle, *more))

    def host_push(self, item: Union[Item, bytes], timeout: Optional[float] = None) -> None:
        """Pushes, on the host, to a queue with host_side=weir.HOST_PUSHES."""
        data = item if isinstance(item, bytes) else bytes(self._room_of(item))
        sliced(timeout, lambda ns: self._host_side(lib.weir_queue_host_push, data, c.c_size_t(len(data)), c.c_uint64(ns)))

    def host_pop(self, timeout: Optional[float] = None) -> Item:
        """Pops, on the host, from a queue with host_side=weir.HOST_POPS. Raises Closed or TimedOut."""
        room = self._room()
        sliced(timeout, lambda ns: self._host_side(lib.weir_queue_host_pop, c.byref(room), c.c_size_t(c.sizeof(room)),
                                                   c.c_uint64(ns)))
        return self._item(room)

    def host_close(self) -> None:
        """Closes, on the host, a queue to which the host pushes."""
        check(self._host_side(lib.weir_queue_host_close))

    def host_length(self) -> int:
        """The number of items at one moment, as seen by the host."""
        length = c.c_uint32()
        check(self._host_side(lib.weir_queue_host_length, c.byref(length)))
        return length.value


class Dispenser(Object):
    """Hands out the numbers below `items`, each once per launch."""

    c_type = _stem = "weir_dispenser"
    _counts = (1, 1)

    def __init__(self, device: Optional[Device], items: int, **options: Any) -> None:
        super().__init__(device, options, items)

    def of(self, items: int) -> "Dispenser":
        """The same dispenser with another number of items for this launch. All blocks must pass the same number."""
        return _Refilled(self, items)

    def _about(self) -> str:
        return f"of {self.handle.items} items"

    def shares(self, n: int = 1, rank: Optional[int] = None) -> Iterator[range]:
        """The items of this taker, in ranges of up to n, starting with its own (the option share). One thread of a
        block loops over them, for its block or, with `rank`, for the taker with that number."""
        return self._shares("dispenser_next", n, host.block_id() * int(self.handle.takers) if rank is None else rank)

    def block_shares(self, n: int = 1) -> Iterator[range]:
        """The same for all threads of a block together."""
        return self._shares("dispenser_block_next", n, host.block_id() * int(self.handle.takers))

    def team_shares(self, team: Team, rank: int, n: int = 1) -> Iterator[range]:
        """The same for all threads of a team together, which is the taker with that number."""
        return self._shares("dispenser_team_next", n, rank, team=team)

    def _shares(self, name: str, n: int, rank: int, **more: Any) -> Iterator[range]:
        share = (c.c_uint32 * 3)(whole(rank, "the rank of a taker"))  # a weir_share, as weir_dispenser_begin makes it
        count = whole(n, "the number of items", least=1)
        while do(name, self._live(), count, items=share, **more):
            yield range(share[0], share[0] + share[1])

    def __iter__(self) -> Iterator[int]:
        """Items one by one, until none are left."""
        for share in self.shares():
            yield from share


class _Refilled(Part, Dispenser):
    """A dispenser with another number of items, in the same memory."""

    def __init__(self, whole_one: Dispenser, items: int) -> None:
        handle = type(whole_one.handle).from_buffer_copy(whole_one._live())
        handle.items = whole(items, "items")
        self._of(whole_one, handle)

    def of(self, items: int) -> Dispenser:
        return _Refilled(self, items)


class Tasks(Object):
    """A graph of tasks: `successors[i]` are the tasks that must wait for task i."""

    c_type = _stem = "weir_tasks"
    _counts = (1, 1)

    def __init__(self, device: Optional[Device], successors: Sequence[Iterable[int]], *,
                 levels: Optional[Sequence[int]] = None, trusted: bool = False, **options: Any) -> None:
        super().__init__(device, options, _graph(successors, levels, trusted))

    @classmethod
    def _sized(cls, numbers: Tuple[Any, ...]) -> Tuple[Any, ...]:
        return (_graph(super()._sized(numbers)[0], None, False),)

    def _about(self) -> str:
        return f"of {self.handle.tasks} tasks"

    def next(self, task: int = NO_TASK) -> Optional[int]:
        """Finishes a task, and returns the next one, or None when all are done. One thread of a block calls it."""
        return self._next("tasks_next", task)

    def block_next(self, task: int = NO_TASK) -> Optional[int]:
        """The same for all threads of a block together."""
        return self._next("tasks_block_next", task)

    def _next(self, name: str, task: int) -> Optional[int]:
        number = whole(task, "the task")
        if number != NO_TASK and not self.handle.room:  # added tasks have separate numbers
            whole(number, "the task", int(self.handle.tasks) - 1)
        room = c.c_uint32(number)
        return room.value if do(name, self._live(), items=room) else None

    def __iter__(self) -> Iterator[int]:
        """The tasks of this block, for one thread. Each is finished when the loop continues."""
        return self._each(self.next)

    def block(self) -> Iterator[int]:
        """The same for all threads of a block together."""
        return self._each(self.block_next)

    @staticmethod
    def _each(step: Callable[[int], Optional[int]]) -> Iterator[int]:
        task = step(NO_TASK)
        while task is not None:
            yield task
            task = step(task)

    def add(self, task: int, level: int = 0) -> bool:
        """Adds a task that is not in the graph. Returns False if there is no room."""
        return acquired(do("tasks_add", self._live(), task, level))

    def check(self) -> None:
        """After a launch, raises Stuck if tasks were left that cannot finish."""
        handle = self._live()
        self.device._outside()
        check(life.call(handle.lives, lib.weir_tasks_check, c.c_void_p(self.device._open()), handle))


def _graph(successors: Sequence[Iterable[int]], levels: Optional[Sequence[int]], trusted: bool) -> Any:
    try:
        rows = [list(row) for row in successors]
        ranks = None if levels is None else list(levels)
    except TypeError:
        raise BadType(f"the successors are {shown(successors)} and the levels {shown(levels)}: they are a list of lists "
                      "of tasks, and a list of numbers") from None
    if any(hasattr(edge, "__index__") and not 0 <= edge < len(rows) for row in rows for edge in row):
        raise BadArgument("a successor that is no task")
    edges = [whole(edge, "a successor") for row in rows for edge in row]
    if ranks is not None and len(ranks) != len(rows):
        raise BadArgument(f"{len(ranks)} levels for {len(rows)} tasks")
    first = [0]
    for row in rows:
        first.append(first[-1] + len(row))
    graph = _native.Graph()
    graph.tasks = len(rows)
    graph.first = (c.c_uint32 * len(first))(*first)
    graph.successors = (c.c_uint32 * max(len(edges), 1))(*edges)
    if ranks is not None:
        graph.levels = (c.c_uint8 * max(len(ranks), 1))(*[whole(level, "a level", 255) for level in ranks])
    graph.is_trusted = flag(trusted, "trusted")
    return c.byref(graph)
