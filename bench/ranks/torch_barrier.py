"""Compares a crew in PyTorch's symmetric memory with that memory's own barrier, in one run. Not yet run.

    weir crew -n 2 python3 bench/ranks/torch_barrier.py FOLDER [LAUNCHES]

PyTorch's barrier is a kernel of its own, so weir's is, too: a lane barrier in a launch of one block. Both are nodes of
a graph. A last row has as many lane barriers inside one launch. Several ranks on one GPU need MPS, and the switch that
allows them. Where PyTorch refuses, this program says so and ends with status 77.
"""
import datetime
import os
import statistics
import sys

SKIPPED = 77
REPEATS = 7
DEADLINE_MS = 10_000

CODE = """
#include "weir/device.h"

extern "C" __global__ void meet(long long *table, int ranks, int rank, int rounds, int *failed)
{
	weir_crew c = weir_crew_in((weir_word *const *)table, ranks, rank, 1);

	for (int i = 0; i < rounds; i++) {
		weir_crew_token t = weir_crew_lane_arrive(c, 0);
		if (weir_crew_await_for(c, &t, 10000000000ull) != WEIR_OK) {
			*failed = 1; /* the threads of a block get the same result */
			return;
		}
	}
}
"""


def skip(why):
    print("skipped:", " ".join(str(why).split())[:400], flush=True)
    os._exit(SKIPPED)


def graph_of(torch, launch, count):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        launch()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(count):
            launch()
    return graph


def measure(torch, dist, run):
    """Milliseconds of one run, which all ranks begin together."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    dist.barrier()
    begin.record()
    run()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end)


def main():
    rank, ranks = int(os.environ["WEIR_CREW_RANK"]), int(os.environ["WEIR_CREW_RANKS"])
    folder = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    os.environ["TORCH_SYMM_MEM_ALLOW_OVERLAPPING_DEVICES"] = "1"
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    try:
        import torch
        import torch.distributed as dist
        import torch.distributed._symmetric_memory as symm_mem
        import weir
        from weir import torch as weir_torch
    except ImportError as error:
        skip(error)
    if not torch.cuda.is_available():
        skip("PyTorch finds no CUDA device")
    if torch.cuda.device_count() < ranks:  # a GPU cannot be twice in a multicast group
        os.environ["TORCH_SYMM_MEM_DISABLE_MULTICAST"] = "1"
    torch.cuda.set_device(rank % torch.cuda.device_count())
    dist.init_process_group("gloo", init_method=f"file://{folder}/torch", rank=rank, world_size=ranks,
                            timeout=datetime.timedelta(seconds=20))
    here = torch.device("cuda", torch.cuda.current_device())
    try:  # PyTorch's part, which needs more of the system than a GPU
        memory = symm_mem.empty(weir.SharedCrew.size(ranks) // 4, dtype=torch.int32, device=here)
        memory.zero_()
        torch.cuda.synchronize()
        handle = symm_mem.rendezvous(memory, dist.group.WORLD)
        shares = [begin + handle.offset for begin in handle.buffer_ptrs]  # of the tensor in each rank's allocation
        table = torch.tensor(shares, dtype=torch.int64, device="cuda")
        failed = torch.zeros(1, dtype=torch.int32, device="cuda")
        dist.barrier()
        handle.barrier(channel=0, timeout_ms=DEADLINE_MS)
        torch.cuda.synchronize()
    except RuntimeError as error:
        skip(f"PyTorch {torch.__version__}: {error}")
    kernel = weir_torch.kernel(CODE, "meet", system_scope=True)

    def meet(rounds):
        weir_torch.launch(kernel, 1, 128, (table, ranks, rank, rounds, failed))

    ways = [("weir, a launch each", graph_of(torch, lambda: meet(1), count).replay),
            ("PyTorch, a launch each",
             graph_of(torch, lambda: handle.barrier(channel=0, timeout_ms=DEADLINE_MS), count).replay),
            ("weir, one launch", lambda: meet(count))]
    times = {name: [] for name, _ in ways}
    for repeat in range(REPEATS + 1):
        for name, run in ways:
            ms = measure(torch, dist, run)
            if repeat:
                times[name].append(ms * 1e3 / count)
    if int(failed.item()):
        print("FAILED: a wait of weir timed out", flush=True)
        os._exit(1)
    if rank == 0:
        print(f"{ranks} ranks of one block, PyTorch {torch.__version__}'s symmetric memory, {count} barriers; "
              f"microseconds, medians of {REPEATS}, lowest to highest")
        first = statistics.median(times[ways[0][0]])
        for name, values in times.items():
            print(f"{name:24} {statistics.median(values):8.3f} ({min(values):.3f} to {max(values):.3f})  "
                  f"{statistics.median(values) / first:.2f} of weir's, a launch each", flush=True)
    dist.barrier()
    # An orderly exit would free symmetric memory that another rank may still have open.
    os._exit(0)


if __name__ == "__main__":
    main()
