"""Crews in memory that the caller shares between the ranks."""

from __future__ import annotations

import sys
from typing import Any, Optional, Sequence, Tuple

from . import memory
from ._native import do
from .checks import SIZE, U64, shown, whole
from .device import Buffer, Device
from .errors import BadArgument, BadType
from .object import handle_type
from .ranks import Ranks


class SharedCrew(Ranks):
    """A crew in memory that you share between the ranks yourself: NVSHMEM's, PyTorch's, or that of several GPUs of
    one process. weir.torch.crew makes such a crew.

    `shares` has the address of each rank's share as seen by `device`, or an array there. Each share has
    size(ranks) bytes, which must be zero before any rank's first launch. A kernel takes the crew as a weir_crew.
    Or it calls weir_crew_in with `arguments`; the crew then has no options other than `blocks`.
    """

    def __init__(self, device: Optional[Device], shares: Sequence[Any], rank: int, *, blocks: int = 1,
                 first_block: int = 0, lanes: int = 1, events: int = 0, queue_slots: int = 0, data_bytes: int = 0,
                 owner: Any = None) -> None:
        super().__init__(device if device is not None else Device.current())
        try:
            shares = list(shares)
        except TypeError:
            raise BadType(f"the shares are {shown(shares)}, but they must be a list") from None
        _configure(self.handle, len(shares), rank, blocks, lanes, events, queue_slots)
        self.handle.first_block = whole(first_block, "first_block")
        self.data_bytes = _rounded(data_bytes)
        self._owner: Tuple[Sequence[Any], Any] = (shares, owner)
        needed = 4 * do("crew_words", self.handle) + self.data_bytes
        self._addresses = [_share_address(self.device, share, needed, number) for number, share in enumerate(shares)]
        self.table: Buffer = self.device.buffer(8 * len(shares))
        self.table.write(b"".join(address.to_bytes(8, sys.byteorder) for address in self._addresses))
        self.handle.words, self.handle.table = self._addresses[rank], self.table.address
        self._begin(self.device._life, self.table._life,
                    *(share._life for share in shares if isinstance(share, Buffer)))

    def _live(self) -> Any:
        handle = super()._live()
        for number, (share, address) in enumerate(zip(self._owner[0], self._addresses)):
            if not isinstance(share, (Buffer, int)) and memory.place_of(share).address != address:
                raise BadArgument(f"the share of rank {number} was freed or moved: make the crew again, and leave its "
                                  "arrays as they are")
        return handle

    def _memory(self, rank: int) -> Any:
        made = super()._memory(rank)
        made.owner = self._owner  # the view may outlive the crew
        return made

    def _share(self, rank: int) -> int:
        return self._addresses[rank]

    @staticmethod
    def size(ranks: int, *, lanes: int = 1, events: int = 0, queue_slots: int = 0, data_bytes: int = 0) -> int:
        """The bytes of each share."""
        handle = handle_type("weir_crew")()
        _configure(handle, ranks, 0, 1, lanes, events, queue_slots)
        return 4 * do("crew_words", handle) + _rounded(data_bytes)

    @property
    def arguments(self) -> Tuple[Buffer, int, int]:
        """The arguments of weir_crew_in before the number of blocks: the table, the ranks and the rank."""
        self._live()
        return self.table, self.ranks, self.rank

    def __exit__(self, *_: Any) -> None:
        if self._alive and self.device.is_open:
            self.destroy()

    def destroy(self) -> None:
        """Frees the table. No kernel may be using the crew. The shares remain yours."""
        self._end()
        self._owner = ((), None)
        self._free_copy()
        if self.device.is_open:
            self.table.destroy()


def _rounded(data_bytes: int) -> int:
    """The number of bytes, rounded up to whole words."""
    return (whole(data_bytes, "data_bytes", SIZE - 3) + 3) // 4 * 4


def _configure(handle: Any, ranks: int, rank: int, blocks: int, lanes: int, events: int, queue_slots: int) -> None:
    """Fills in what weir_crew_in would."""
    ranks, rank, blocks, lanes, events, queue_slots = [whole(value, what) for value, what in (
        (ranks, "ranks"), (rank, "rank"), (blocks, "blocks"), (lanes, "lanes"), (events, "events"), (queue_slots, "queue_slots"))]
    if not (0 <= rank < ranks <= 32768 and 1 <= blocks <= 32768):
        raise BadArgument(f"rank {rank} of {ranks} ranks, with {blocks} blocks: at most 32768 of each")
    if not (1 <= lanes <= 4096 and 0 <= events <= 2**20 and 0 <= queue_slots <= 2**20):
        raise BadArgument(f"{lanes} lanes, {events} events and {queue_slots} slots of a queue are none, or too many")
    do("crew_in", None, ranks, rank, blocks, items=handle)
    handle.lanes, handle.events = lanes, events
    handle.queue_bits = max((queue_slots - 1).bit_length(), 1) if queue_slots else 0


def _share_address(device: Device, share: Any, needed: int, rank: int) -> int:
    if isinstance(share, Buffer):
        address, size = share.address, share.size
    elif isinstance(share, int):
        address, size = whole(share, "the address of a share", U64), needed
    else:
        place = memory.place_of(share)
        address, size = place.address, place.bytes
        if place.machine != ("cuda" if device.info.machine == "cuda" else "host"):
            raise BadArgument(f"the share of rank {rank} is memory of another kind than that of {device.info.name}")
    if not address or address % 4:
        raise BadArgument(f"the share of rank {rank} is at address {address:#x}: the device reaches it by loads and "
                          "stores, at a multiple of 4")
    if size < needed:
        raise BadArgument(f"the share of rank {rank} has {size} bytes, and the crew needs {needed}: SharedCrew.size "
                          "says so")
    return address
