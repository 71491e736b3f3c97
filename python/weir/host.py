"""The host machine in a kernel that is a Python function: the position of the caller, and its block."""

from __future__ import annotations

from . import _native
from ._native import do
from .checks import whole
from .errors import BadArgument
from .life import Unique


class Team(Unique):
    """Some threads of a block, which synchronize without the others."""

    def __init__(self, raw: _native.Team) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"<weir.host.Team of {self.raw.threads} threads from {self.raw.first} on>"

    def sync(self) -> None:
        """Waits for all threads of the team."""
        do("team_sync", team=self)

    def value(self, value: int) -> int:
        """Returns the value of the team's first thread to all of its threads."""
        return do("team_value", None, value, team=self)

    @property
    def rank(self) -> int:
        """The number of the caller in the team."""
        return do("team_rank", team=self)


def block_id() -> int:
    """The number of the caller's block in the grid."""
    return do("block_id")


def block_count() -> int:
    """The blocks of the grid."""
    return do("block_count")


def thread_id() -> int:
    """The number of the caller in its block."""
    return do("thread_id")


def thread_count() -> int:
    """The threads of a block."""
    return do("thread_count")


def cluster_id() -> int:
    """The number of the caller's cluster."""
    return do("cluster_id")


def cluster_rank() -> int:
    """The number of the caller's block in its cluster."""
    return do("cluster_rank")


def cluster_size() -> int:
    """The blocks of a cluster."""
    return do("cluster_size")


def clock_ns() -> int:
    """A clock, in nanoseconds."""
    return do("clock_ns")


def block_sync() -> None:
    """Waits for all threads of the block."""
    do("block_sync")


def block_value(value: int) -> int:
    """Returns the value of the block's first thread to all of its threads."""
    return do("block_value", None, value)


def team_block() -> Team:
    """All threads of the block."""
    return _team("team_block")


def team_warp() -> Team:
    """The caller's warp: 32 consecutive threads."""
    return _team("team_warp")


def team_named(id: int, first: int, threads: int) -> Team:
    """A team of the threads from `first` on, which must be whole warps; `id` is 1 to 15."""
    return _team("team_named", id, first, threads)


def _team(name: str, *numbers: int) -> Team:
    raw = _native.Team()
    do(name, None, *numbers, team=raw)
    return Team(raw)


def join(block_id: int, block_count: int) -> None:
    """Makes the calling thread, which must be your own, a block of one thread. It can then use objects as a
    kernel does."""
    whole(block_id, "block_id")
    whole(block_count, "block_count")
    if do("is_in_launch"):
        raise BadArgument("a thread of a kernel is a block's thread already: join is for threads of your own")
    _native.check(do("join", None, block_id, block_count))
