"""A PyTorch operator with a grid barrier: ten steps of a stencil in one launch instead of ten launches.

`steps` is a custom operator: it works in torch.compile and in CUDA graphs. It needs a GPU, PyTorch and weir.
"""
import sys

import weir

CODE = r"""
#include "weir/device.h"

extern "C" __global__ void smooth(weir_barrier b, float *from, float *to, unsigned n, unsigned steps)
{
	for (unsigned step = 0; step < steps; step++) {
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
			to[i] = (from[i ? i - 1 : 0] + from[i] + from[i + 1 < n ? i + 1 : i]) / 3;
		weir_barrier_wait(b); /* all blocks have written this step */
		float *last = from;
		from = to;
		to = last;
	}
}
"""


def make_operator():
    import torch
    from weir import torch as weir_torch

    kernel = weir_torch.kernel(CODE, "smooth")
    blocks = min(weir_torch.resident_blocks(kernel, 256), 264)
    barrier = weir.Barrier(weir_torch.device(), blocks)

    @torch.library.custom_op("weir_example::steps", mutates_args=())
    def steps(x: torch.Tensor, count: int) -> torch.Tensor:
        if x.dtype != torch.float32 or not x.is_cuda:
            raise weir.BadArgument(f"steps takes a float32 tensor on a CUDA device, not {x.dtype} on {x.device}")
        first, second = x.clone(), torch.empty_like(x)
        weir_torch.launch(kernel, blocks, 256, (barrier, first, second, x.numel(), count))
        return second if count % 2 else first

    @steps.register_fake
    def _(x, count):
        return torch.empty_like(x)

    return steps


def main() -> int:
    if weir.why_no("cuda"):
        print(f"skipped: {weir.why_no('cuda')}")
        return 77
    import torch

    steps = make_operator()
    x = torch.rand(1 << 20, device="cuda")
    expected = x
    for _ in range(10):
        expected = (torch.cat((expected[:1], expected[:-1])) + expected + torch.cat((expected[1:], expected[-1:]))) / 3
    torch.testing.assert_close(steps(x, 10), expected)
    torch.testing.assert_close(torch.compile(lambda y: steps(y, 10), fullgraph=True)(x), expected)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = steps(x, 10)
    for _ in range(3):
        captured.zero_()
        graph.replay()
        torch.testing.assert_close(captured, expected)
    print("ten steps by one launch")
    return 0


if __name__ == "__main__":
    sys.exit(main())
