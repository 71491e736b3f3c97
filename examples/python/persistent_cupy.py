"""A persistent kernel with CuPy: the host sends rows through a queue, and an event counts the finished sums.

One launch serves all requests, and the host sees the event's count while it runs. Needs a GPU, CuPy and weir.
"""
import sys

import numpy
import weir

CODE = r"""
#include "weir/device.h"

extern "C" __global__ void serve(weir_queue requests, weir_event_array done, const float *rows, float *sums,
                                 unsigned width)
{
	uint32_t row;

	while (weir_queue_block_pop(requests, &row) == WEIR_OK) { /* until the host closes the queue */
		float sum = 0;
		for (unsigned i = threadIdx.x; i < width; i += blockDim.x)
			sum += rows[(size_t)row * width + i];
		atomicAdd(&sums[row], sum);
		weir_event_block_post(weir_event_at(done, 0), 1); /* the row's sum is written */
	}
}
"""


def main() -> int:
    if weir.why_no("cuda"):
        print(f"skipped: {weir.why_no('cuda')}")
        return 77
    import cupy
    from weir import cupy as weir_cupy

    device = weir_cupy.device()
    rows = cupy.asarray(numpy.random.default_rng(1).random((1000, 4096), numpy.float32))
    sums = cupy.zeros(1000, cupy.float32)
    requests = weir.Queue(device, 256, host_side=weir.HOST_PUSHES)
    done = weir.Event(device, host_visible=True)
    kernel = weir_cupy.kernel(CODE, "serve", system_scope=True)
    cupy.cuda.get_current_stream().synchronize()  # the rows are there

    device.launch(kernel, 64, 128, (requests, done, rows, sums, numpy.uint32(4096)))
    for row in range(1000):
        requests.host_push(row, timeout=60)
    done.host_wait(1000, timeout=60)  # while the kernel still runs
    requests.host_close()
    device.wait(60)
    cupy.testing.assert_allclose(sums, rows.sum(axis=1), rtol=1e-3)
    print("1000 sums by one launch")
    return 0


if __name__ == "__main__":
    sys.exit(main())
