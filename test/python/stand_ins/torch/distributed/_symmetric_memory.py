"""Two ranks, whose shares are parts of allocations in host memory."""
import ctypes

OFFSET = 512  # of the tensor in its allocation
made = []


class _Tensor:
    def __init__(self, count):
        self.count, self.is_zeroed = count, False
        self.room = [(ctypes.c_uint32 * (count + OFFSET // 4))() for _ in range(2)]

    def zero_(self):
        self.is_zeroed = True


class _Shared:
    rank, offset = 1, OFFSET

    def __init__(self, tensor):
        assert tensor.is_zeroed
        self.barriers = 0
        self.buffer_ptrs = [ctypes.addressof(room) for room in tensor.room]

    def barrier(self, channel=0, timeout_ms=0):
        assert timeout_ms > 0  # a rank may be gone
        self.barriers += 1


def empty(count, dtype, device):
    assert (dtype, device) == ("int32", ("cuda", 0)), (dtype, device)
    return _Tensor(count)


def rendezvous(tensor, group):
    made.append(_Shared(tensor))
    return made[-1]
