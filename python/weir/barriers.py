"""Barriers, and groups of blocks."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any, Optional

from ._native import do
from .checks import U64, flag, nanoseconds, shown, whole
from .device import Device
from .errors import BadArgument, BadType
from .host import Team
from .object import Object, acquired


class Barrier(Object):
    """A barrier for grids of exactly `blocks` blocks."""

    c_type = _stem = "weir_barrier"
    _counts = (1, 1)
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, blocks, kind=kind)

    @property
    def blocks(self) -> int:
        """The number of blocks that arrive."""
        return int(self.handle.blocks)

    def _about(self) -> str:
        return f"of {self.blocks} blocks"

    def check_meeting(self, blocks: int) -> None:
        first = int(self.handle.first_block)
        if self.handle.part_of_grid:
            if first + self.blocks > blocks:
                raise BadArgument(f"a grid of {blocks} blocks for a barrier of {self.blocks} from block {first} on: launch "
                                  f"{first + self.blocks} blocks or more")
        elif self.blocks > blocks:
            raise BadArgument(f"a grid of {blocks} blocks for a barrier of {self.blocks}, which would wait for ever: launch "
                              f"{self.blocks} blocks")

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits for all blocks; all threads of all blocks call it. With a timeout, returns False to all
        blocks if one did not arrive in time."""
        if timeout is None:
            do("barrier_wait", self._live())
            return True
        return acquired(do("barrier_wait_for", self._live(), ns=nanoseconds(timeout)))

    def arrive(self) -> int:
        """The first half of wait. Returns the token for `await_`."""
        return do("barrier_arrive", self._live())

    def await_(self, token: int) -> None:
        """The second half of wait."""
        do("barrier_await", self._live(), token)

    def team_wait(self, team: Team) -> None:
        """Waits for one team of each block; all threads of these teams call it."""
        do("barrier_team_wait", self._live(), team=team)

    def group_wait(self, member: "Member") -> None:
        """Waits for the members of a group that the caller chose (group_range, group_mask)."""
        do("group_barrier_wait", self._live(), items=_raw_member(member, self.blocks))


@dataclass(frozen=True)
class Member:
    """The part of a block in a group."""

    is_member: bool
    rank: int
    count: int


def _raw_member(member: Member, most: int) -> Any:
    if not isinstance(member, Member):
        raise BadType(f"{shown(member)} is no weir.Member: take that of group_range, group_mask or discover")
    count, rank = whole(member.count, "the members of a group"), whole(member.rank, "a rank in a group")
    if flag(member.is_member, "is_member") and not rank < count <= most:
        raise BadArgument(f"rank {rank} of a group of {count} blocks, for a barrier of {most}")
    return (c.c_uint32 * 3)(int(member.is_member), rank, count)


def _member(name: str, handle: Any = None, *numbers: int, wide: Optional[int] = None) -> Member:
    room = (c.c_uint32 * 3)()
    do(name, handle, *numbers, items=room, wide=wide)
    return Member(bool(room[0]), int(room[1]), int(room[2]))


def group_range(first: int, count: int) -> Member:
    """The part of the calling block in the group of blocks from `first` on."""
    return _member("group_range", None, first, count)


def group_mask(mask: int) -> Member:
    """The part of the calling block in the group of the blocks whose bits are set in a 64-bit mask."""
    return _member("group_mask", wide=whole(mask, "the mask", U64))


class Group(Object):
    """A group of blocks that find out which of them run at the same time."""

    c_type = _stem = "weir_group"
    _counts = (1, 1)
    _kinds = "barrier"

    def __init__(self, device: Optional[Device], most_blocks: int, *, kind: str = "", **options: Any) -> None:
        super().__init__(device, options, most_blocks, kind=kind)

    def _about(self) -> str:
        return f"of up to {self.handle.most_members} blocks"

    def discover(self) -> Member:
        """Finds the members. All threads of every block call it, once per launch."""
        return _member("group_discover", self._live())

    def wait(self, member: Member) -> None:
        """Waits at the group's own barrier; all threads of every member call it."""
        do("group_wait", self._live(), items=_raw_member(member, int(self.handle.most_members)))
