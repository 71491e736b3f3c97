"""Barriers, and groups of blocks."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any, Optional

from ._native import do, nanoseconds
from .device import Device
from .host import Team
from .object import Object, acquired


class Barrier(Object):
    """A barrier for grids of exactly `blocks` blocks."""

    c_type = _stem = "weir_barrier"
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, blocks, kind=kind)

    @property
    def blocks(self) -> int:
        """The blocks that arrive."""
        return int(self.handle.blocks)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """All threads of all blocks call it. False when a block did not come in time, for all blocks."""
        if timeout is None:
            do("barrier_wait", self._live())
            return True
        return acquired(do("barrier_wait_for", self._live(), ns=nanoseconds(timeout)))

    def arrive(self) -> int:
        """The first half of wait; the token is for `await_`."""
        return do("barrier_arrive", self._live())

    def await_(self, token: int) -> None:
        """The second half of wait."""
        do("barrier_await", self._live(), token)

    def team_wait(self, team: Team) -> None:
        """All threads of one team in each block call it."""
        do("barrier_team_wait", self._live(), team=team.raw)

    def group_wait(self, member: "Member") -> None:
        """The blocks of a group that the caller has chosen call it (group_range, group_mask)."""
        do("group_barrier_wait", self._live(), items=member._raw())


@dataclass(frozen=True)
class Member:
    """The part of a block in a group."""

    is_member: bool
    rank: int
    count: int

    def _raw(self) -> Any:
        return (c.c_uint32 * 3)(int(self.is_member), self.rank, self.count)


def _member(name: str, handle: Any, *numbers: int) -> Member:
    room = (c.c_uint32 * 3)()
    do(name, handle, *numbers, items=room)
    return Member(bool(room[0]), int(room[1]), int(room[2]))


def group_range(first: int, count: int) -> Member:
    """The blocks from `first` on are a group: the part of the calling block in it."""
    return _member("group_range", None, first, count)


def group_mask(mask: int) -> Member:
    """The blocks of the bits of a mask of 64 are a group: the part of the calling block in it."""
    return _member("group_mask", None, mask)


class Group(Object):
    """A group of blocks that find out which of them run together."""

    c_type = _stem = "weir_group"
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], most_blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, most_blocks, kind=kind)

    def discover(self) -> Member:
        """All threads of every block call it, once in a launch."""
        return _member("group_discover", self._live())

    def wait(self, member: Member) -> None:
        """The group's own barrier: all threads of every member call it."""
        do("group_wait", self._live(), items=member._raw())
