"""One rank of a crew, for test_crew.py. `meet`: the ranks add up, in a kernel and by events, and then do so once more in a
new crew. `kill`: rank 2 is killed, and each of the others says so."""
import os
import signal
import sys

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
        with weir.Crew(blocks=2, events=1, queue=2, data_bytes=4, timeout=DEADLINE) as crew:
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


{"meet": meet, "kill": kill}[sys.argv[1]]()
