"""One rank of a crew, for test_crew.py and test_gpu.py.

`meet`: the ranks add up, in a kernel and by events, and then again in a new crew. `kill`: rank 2 is killed, and each of
the others reports that. `on_device NAME`: the ranks synchronize in kernels on that device. `symmetric`: the same in PyTorch's symmetric
memory.
"""
import datetime
import os
import signal
import sys

import common
import weir
from weir import host

DEADLINE = 120


def add_up(crew, sums):
    """All threads of two blocks of each rank."""
    if host.block_id() == 0 and host.thread_id() == 0:
        crew.data(crew.rank)[0] = crew.rank + 1
    crew.barrier(timeout=DEADLINE)
    if host.thread_id() == 0:
        sums.append(sum(crew.data(rank)[0] for rank in range(crew.ranks)))
    crew.barrier(timeout=DEADLINE)


def meet():
    for turn in range(2):  # the second crew meets by name: the sockets were for the first
        with weir.Crew(blocks=2, events=1, queue_slots=2, data_bytes=4, timeout=DEADLINE) as crew:
            sums = []
            crew.device.run(add_up, 2, 2, (crew, sums), timeout=DEADLINE)
            assert sums == [10, 10], sums
            crew.queue((crew.rank + 1) % crew.ranks).push(crew.rank)
            assert crew.queue(crew.rank).pop(DEADLINE) == (crew.rank - 1) % crew.ranks
            if crew.rank:
                assert crew.event(crew.rank).wait(1, DEADLINE)
            if turn == 0:
                print(f"rank {crew.rank} of {crew.ranks}: the sum is {sums[0]}", flush=True)
            if crew.rank + 1 < crew.ranks:
                crew.event(crew.rank + 1).post()
            crew.lane_barrier()


def kill():
    crew = weir.Crew(timeout=DEADLINE)
    crew.barrier()
    if crew.rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        crew.barrier()  # without a timeout
    except weir.NoRank as error:
        if "rank 2 has not arrived" in str(error) and "its process has ended" in str(error):
            print("NoRank names rank 2", flush=True)


def on_device():
    name = sys.argv[2]
    from crew_kernels import CREW

    with weir.Device(name) as device:
        image = weir.compile(CREW, device.architecture, system_scope=True, cubin=name == "cuda")
        kernel = device.program(image, CREW).kernel("meet")
        with weir.Crew(device, blocks=8, data_bytes=8, timeout=DEADLINE) as crew:
            wrong = device.buffer(4)
            device.run(kernel, 8, 64, (crew, wrong), cooperative=True, timeout=DEADLINE)
            assert wrong.read() == bytes(4), wrong.read()
    print(f"met on {name}", flush=True)


def symmetric():
    # Ranks that share a GPU have no multicast, and PyTorch accepts them only if told so.
    os.environ.update(TORCH_SYMM_MEM_ALLOW_OVERLAPPING_DEVICES="1", TORCH_SYMM_MEM_DISABLE_MULTICAST="1",
                      GLOO_SOCKET_IFNAME="lo")
    import torch
    from crew_kernels import CREW
    from torch import distributed
    from torch.distributed import _symmetric_memory
    from weir import torch as weir_torch

    rank, ranks = int(os.environ["WEIR_CREW_RANK"]), int(os.environ["WEIR_CREW_RANKS"])
    try:  # only PyTorch's part, which needs more of the system than a GPU
        distributed.init_process_group("gloo", init_method=f"file://{os.environ['WEIR_TEST_FOLDER']}/store", rank=rank,
                                       world_size=ranks, timeout=datetime.timedelta(seconds=60))
        room = _symmetric_memory.empty(64, dtype=torch.int32, device="cuda:0")
        _symmetric_memory.rendezvous(room, distributed.group.WORLD).barrier()
        torch.cuda.synchronize()
    except RuntimeError as error:
        why = str(error).splitlines()[0]
        print(f"skipped: PyTorch has no symmetric memory for {ranks} ranks here: {why}", flush=True)
        os._exit(77)
    kernel = weir_torch.kernel(CREW, "meet", system_scope=True)
    for _ in range(2):  # the second is made while the first exists
        crew = weir_torch.crew(blocks=8, data_bytes=8)
        assert (crew.rank, crew.ranks) == (rank, ranks)
        wrong = torch.zeros(1, dtype=torch.int32, device="cuda").view(torch.uint32)
        weir_torch.launch(kernel, 8, 64, (crew, wrong))
        torch.cuda.synchronize()
        assert int(wrong.cpu()[0]) == 0, wrong
        for other in range(ranks):
            words = torch.as_tensor(crew.data(other), device="cuda").view(torch.int32)
            assert words.tolist() == [20, 19], words
        distributed.barrier()  # no rank starts again while another still looks
        try:
            weir_torch.launch(kernel, 7, 64, (crew, wrong))
        except weir.BadArgument:
            pass
        else:
            raise AssertionError("a grid of fewer blocks than the crew's was launched")
    print("met in symmetric memory", flush=True)
    distributed.destroy_process_group()


common.end_after(140)  # before common.start_crew gives up
{"meet": meet, "kill": kill, "on_device": on_device, "symmetric": symmetric}[sys.argv[1]]()
