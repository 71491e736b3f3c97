/* A pipeline of stages with events, in a graph that is replayed without a memset: block s takes
 * tile after tile from block s - 1. The array of events counts the launches, so that the same
 * targets are valid in every replay. */
#include <time.h>

#include "check.h"
#include "weir/device.h"

#define STAGES 16u
#define TILES 64u
#define THREADS 128u
#define REPLAYS 1000u

/* What stage `stage` computes for one word of a tile in that round. */
static __device__ unsigned word_of(unsigned round, unsigned stage, unsigned i)
{
	return round * 7 + stage * 5 + i;
}

__global__ void stages(weir_event_array done, unsigned *tiles, unsigned *wrong)
{
	unsigned round = weir_event_array_round(done);
	unsigned stage = blockIdx.x;

	for (unsigned tile = 0; tile < TILES; tile++) {
		unsigned at = tile * THREADS + threadIdx.x;

		if (stage > 0) {
			weir_event_block_wait(weir_event_at(done, stage - 1),
			                      weir_event_target(round, TILES, tile + 1));
			if (tiles[at] != word_of(round, stage - 1, at))
				atomicAdd(wrong, 1);
		}
		tiles[at] = word_of(round, stage, at);
		weir_event_block_post(weir_event_at(done, stage), 1);
	}
	weir_event_array_block_leave(done); /* each block, once per launch */
}

#define CHECK_CUDA(call)                                                                           \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void wait_for(cudaStream_t stream)
{
	time_t begin = time(NULL);
	cudaError_t state;

	while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady) {
		if (time(NULL) - begin < 60)
			continue;
		fprintf(stderr, "the graph is still running\n");
		_Exit(1);
	}
	CHECK_CUDA(state);
}

int main(void)
{
	weir_device *device;
	weir_event_array done;
	unsigned *tiles, *wrong, found;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t replayed;

	if (weir_device_open("cuda", &device) == WEIR_NO_DEVICE)
		return puts(weir_error_text()), 77; /* skipped: there is no GPU here */
	CHECK(weir_event_array_create(device, STAGES, NULL, &done));
	CHECK_CUDA(cudaMalloc(&tiles, TILES * THREADS * sizeof *tiles));
	CHECK_CUDA(cudaMalloc(&wrong, sizeof *wrong));
	CHECK_CUDA(cudaMemset(wrong, 0, sizeof *wrong));
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

	void *arguments[] = {&done, &tiles, &wrong};
	CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	/* Cooperative, because stages wait for each other. */
	CHECK_CUDA(cudaLaunchCooperativeKernel((const void *)stages, STAGES, THREADS, arguments, 0,
	                                       stream));
	CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
	CHECK_CUDA(cudaGraphInstantiate(&replayed, graph, 0));
	for (unsigned i = 0; i < REPLAYS; i++)
		CHECK_CUDA(cudaGraphLaunch(replayed, stream));
	wait_for(stream);

	CHECK_CUDA(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaGraphExecDestroy(replayed));
	CHECK_CUDA(cudaGraphDestroy(graph));
	CHECK_CUDA(cudaFree(tiles));
	CHECK_CUDA(cudaFree(wrong));
	CHECK(weir_device_close(device));
	printf("event_graph: %u stages, %u replays, %u words wrong\n", STAGES, REPLAYS, found);
	return found != 0;
}
