/* The primitives in launches of every sort: clusters, dynamic shared memory, launch bounds, graphs, several
 * streams, calls that are not inlined, bulk copies, replays, and ranks of a crew. Two processes at once use the
 * last form: each runs barriers on that share of the blocks that fit, for that long.
 *
 *   places [clusters|shared|bounds|graphs|streams|calls|bulk|replays|ranks]...    all without an argument
 *   places units                                                                  prints the multiprocessors
 *   places process PERCENT SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place.h"

#define THREADS 128u

__global__ void plain_kernel(work w)
{
	work_all<inlined>(w);
}

__global__ void __launch_bounds__(1024, 1) bounds_1024_1_kernel(work w)
{
	work_all<inlined>(w);
}

__global__ void __launch_bounds__(128, 8) bounds_128_8_kernel(work w)
{
	work_all<inlined>(w);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define IN_CLUSTERS_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define IN_CLUSTERS_OF(blocks)
#endif

__global__ void IN_CLUSTERS_OF(4) compiled_cluster_kernel(work w)
{
	work_all<inlined>(w);
}

/* The block's dynamic shared memory must keep the block's values. */
__global__ void shared_kernel(work w, uint32_t bytes)
{
	extern __shared__ uint32_t room[];
	uint32_t words = bytes / (uint32_t)sizeof *room;
	uint32_t errors = 0;

	for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
		room[i] = blockIdx.x + i;
	__syncthreads();
	work_all<inlined>(w);
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
		errors += room[i] != blockIdx.x + i;
	if (errors)
		atomicAdd(&w.common->overwritten, errors);
}

/* A kernel without a barrier needs no cooperative launch. */
__global__ void locks_kernel(work w)
{
	if (w.kernels)
		work_assemble(w);
	work_count<inlined>(w);
	work_enter<inlined>(w);
}

static void try_clusters(void)
{
	place where = {"", (const void *)plain_kernel, THREADS, 0, 0};
	char name[32];

	if (info.cluster_blocks == 0) {
		printf("no clusters on this device\n");
		return;
	}
	where.name = name;
	for (where.cluster = 2; where.cluster <= 8; where.cluster *= 2) {
		snprintf(name, sizeof name, "clusters of %u", where.cluster);
		try_place(&where, where.cluster);
	}
	place compiled = {"compiled for clusters of 4", (const void *)compiled_cluster_kernel,
	                  THREADS, 0, 0};
	place named = compiled;

	named.cluster = 4;
	verdict(fit_of(&compiled) == fit_of(&named),
	        "compiled for clusters of 4: %u blocks fit, %u if the launch names them",
	        fit_of(&compiled), fit_of(&named));
	try_place(&compiled, 4);
}

static int attribute(enum cudaDeviceAttr which)
{
	int value;

	NEED_CUDA(cudaDeviceGetAttribute(&value, which, 0));
	return value;
}

/* No more blocks fit than their shared memory allows; and at least one on each multiprocessor. */
static void count_shared(const place *where, size_t fixed)
{
	size_t each =
	    where->shared + fixed + (size_t)attribute(cudaDevAttrReservedSharedMemoryPerBlock);
	size_t room = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
	uint32_t blocks = fit_of(where);

	verdict(blocks >= info.units && blocks <= room / each * info.units,
	        "%s: %u blocks fit on %u multiprocessors", where->name, blocks, info.units);
}

static void try_shared(void)
{
	place where = {"64 KiB of shared memory", (const void *)shared_kernel, THREADS, 0,
	               64 << 10};
	size_t most = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
	cudaFuncAttributes attributes;
	uint32_t blocks;
	char name[64];

	NEED_CUDA(cudaFuncGetAttributes(&attributes, where.symbol));
	if (most < where.shared + attributes.sharedSizeBytes) {
		printf("64 KiB of shared memory are more than a block can have on this device\n");
	} else {
		count_shared(&where, attributes.sharedSizeBytes);
		try_place(&where, 1);
	}
	where.shared = (uint32_t)(most - attributes.sharedSizeBytes);
	where.name = name;
	snprintf(name, sizeof name, "all %u bytes of shared memory", where.shared);
	count_shared(&where, attributes.sharedSizeBytes);
	try_place(&where, 1);
	verdict(weir_kernel_resident_blocks(device, kernel_of(where.symbol), THREADS,
	                                    where.shared + 1, &blocks) == WEIR_BAD_ARGUMENT,
	        "%s: one more is refused: %s", where.name, weir_error_text());
}

static void try_bound(const char *name, const void *symbol, uint32_t threads, uint32_t per_unit)
{
	place where = {name, symbol, threads, 0, 0};
	uint32_t blocks = fit_of(&where);
	weir_status status = WEIR_BAD_ARGUMENT;

	verdict(blocks >= per_unit * info.units, "%s: %u blocks fit on %u multiprocessors", name,
	        blocks, info.units);
	try_place(&where, 1);
	if (threads < info.max_threads_per_block)
		status =
		    weir_kernel_resident_blocks(device, kernel_of(symbol), threads + 1, 0, &blocks);
	verdict(status == WEIR_BAD_ARGUMENT, "%s: blocks of %u are refused", name, threads + 1);
}

static void try_bounds(void)
{
	try_bound("bounds (1024, 1)", (const void *)bounds_1024_1_kernel, 1024, 1);
	try_bound("bounds (128, 8)", (const void *)bounds_128_8_kernel, 128, 8);
}

#define REPLAYS 100u

static void replay(cudaGraph_t graph, cudaStream_t stream)
{
	cudaGraphExec_t exec;

	NEED_CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (uint32_t i = 0; i < REPLAYS; i++)
		NEED_CUDA(cudaGraphLaunch(exec, stream));
	wait_for(stream);
	NEED_CUDA(cudaGraphExecDestroy(exec));
}

static int all_cooperative(cudaGraph_t graph, size_t expected)
{
	cudaGraphNode_t nodes[4];
	size_t count = 4;

	NEED_CUDA(cudaGraphGetNodes(graph, nodes, &count));
	if (count != expected)
		return 0;
	for (size_t i = 0; i < count; i++) {
		cudaKernelNodeAttrValue value = {};

		NEED_CUDA(cudaGraphKernelNodeGetAttribute(nodes[i], cudaLaunchAttributeCooperative,
		                                          &value));
		if (!value.cooperative)
			return 0;
	}
	return 1;
}

/* Two launches with the same objects, one by weir and one by the runtime, captured in the mode that
 * refuses the most calls. */
static void capture_barriers(cudaStream_t stream, int without)
{
	place where = {"captured", (const void *)plain_kernel, THREADS, 0, 0};
	trial t = trial_open(fit_of(&where), 0);
	void *arguments[] = {&t.args};
	cudaGraph_t graph;

	t.args.turns = 2;
	t.args.without = (uint32_t)without;
	NEED_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	NEED(launch(&where, &t, stream));
	NEED_CUDA(
	    cudaLaunchCooperativeKernel(where.symbol, t.blocks, THREADS, arguments, 0, stream));
	NEED_CUDA(cudaStreamEndCapture(stream, &graph));
	verdict(all_cooperative(graph, 2), "captured: both nodes are cooperative");
	replay(graph, stream);
	verdict(without ? is_noticed(&t, 2 * REPLAYS) : is_right(&t, 2 * REPLAYS),
	        "captured: %u blocks, %u replays%s", t.blocks, REPLAYS,
	        without ? ", taken out" : "");
	NEED_CUDA(cudaGraphDestroy(graph));
	trial_close(&t);
}

/* Two nodes that may run at the same time, and share a mutex and a semaphore. */
static void share_between_nodes(cudaStream_t stream, uint32_t kind_set, int without)
{
	trial t = trial_open(info.units, kind_set);
	void *arguments[] = {&t.args};
	cudaKernelNodeParams node = {};
	cudaGraph_t graph;

	t.args.turns = 4;
	t.args.meetings = 0;
	t.args.without = (uint32_t)without;
	node.func = (void *)locks_kernel;
	node.gridDim = dim3(t.blocks);
	node.blockDim = dim3(THREADS);
	node.kernelParams = arguments;
	NEED_CUDA(cudaGraphCreate(&graph, 0));
	for (int i = 0; i < 2; i++) {
		cudaGraphNode_t made;
		NEED_CUDA(cudaGraphAddKernelNode(&made, graph, NULL, 0, &node));
	}
	replay(graph, stream);
	verdict(without ? is_noticed(&t, 2 * REPLAYS) : is_right(&t, 2 * REPLAYS),
	        "two nodes share a %s mutex and a %s semaphore, %u replays%s",
	        weir_mutex_kind_name(t.args.mutex.config.kind),
	        weir_semaphore_kind_name(t.args.semaphore.config.kind), REPLAYS,
	        without ? ", taken out" : "");
	NEED_CUDA(cudaGraphDestroy(graph));
	trial_close(&t);
}

#define EVENT_REPLAYS 1000u

typedef struct event_tally {
	uint32_t wrong; /* errors that a block found after the latch */
	uint32_t count; /* of the blocks that went through the sequence */
	uint32_t last;  /* launches that some block was the last of */
} event_tally;

/* All blocks wait at a latch, and go through a sequence. No target identifies the launch. */
__global__ void events_kernel(weir_event_array a, uint32_t *left, event_tally *tally,
                              uint32_t without)
{
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	uint32_t round = weir_event_array_round(a);
	weir_latch latch = weir_latch_of(weir_event_at(a, 0), blocks, round);
	weir_sequence sequence = weir_sequence_of(weir_event_at(a, 1), blocks, round);

	if (weir_thread_id() == weir_thread_count() - 1)
		left[me] = round + 1;
	if (!without) {
		weir_latch_block_arrive(latch, 1);
		weir_latch_block_wait(latch);
	}
	for (uint32_t i = weir_thread_id(); i < blocks; i += weir_thread_count())
		if (((volatile uint32_t *)left)[i] != round + 1)
			atomicAdd(&tally->wrong, 1);
	if (!without)
		weir_sequence_block_begin(sequence, me);
	if (weir_thread_id() == 0)
		*(volatile uint32_t *)&tally->count = *(volatile uint32_t *)&tally->count + 1;
	if (!without)
		weir_sequence_block_end(sequence);
	if (weir_event_array_block_leave(a))
		tally->last++;
}

/* Replays of a graph, with nothing between them that would set the events back. */
static void replay_events(cudaStream_t stream, int without)
{
	uint32_t blocks = info.units;
	weir_event_array a;
	event_tally *tally, found;
	uint32_t *left;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	NEED(weir_event_array_create(device, 2, NULL, &a));
	NEED_CUDA(cudaMalloc(&tally, sizeof *tally));
	NEED_CUDA(cudaMalloc(&left, blocks * sizeof *left));
	NEED_CUDA(cudaMemset(tally, 0, sizeof *tally));
	NEED_CUDA(cudaMemset(left, 0, blocks * sizeof *left));
	NEED_CUDA(cudaDeviceSynchronize());
	NEED_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	events_kernel<<<blocks, THREADS, 0, stream>>>(a, left, tally, (uint32_t)without);
	NEED_CUDA(cudaStreamEndCapture(stream, &graph));
	NEED_CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (uint32_t i = 0; i < EVENT_REPLAYS; i++)
		NEED_CUDA(cudaGraphLaunch(exec, stream));
	wait_for(stream);
	NEED_CUDA(cudaMemcpy(&found, tally, sizeof found, cudaMemcpyDefault));
	int right = found.wrong == 0 && found.count == EVENT_REPLAYS * blocks &&
	            found.last == EVENT_REPLAYS;
	verdict(without ? !right : right, "events: %u blocks, %u replays without a reset%s", blocks,
	        EVENT_REPLAYS, without ? ", taken out" : "");
	NEED_CUDA(cudaGraphExecDestroy(exec));
	NEED_CUDA(cudaGraphDestroy(graph));
	NEED_CUDA(cudaFree(tally));
	NEED_CUDA(cudaFree(left));
	NEED(weir_event_array_destroy(device, &a));
}

static void try_graphs(void)
{
	cudaStream_t stream = new_stream();

	capture_barriers(stream, 0);
	capture_barriers(stream, 1);
	for (uint32_t i = 0; i < kind_sets(); i++)
		share_between_nodes(stream, i, 0);
	share_between_nodes(stream, 0, 1);
	replay_events(stream, 0);
	replay_events(stream, 1);
	NEED_CUDA(cudaStreamDestroy(stream));
}

static int overlapped(const trial *a, const trial *b)
{
	uint64_t first[2], second[2];

	NEED_CUDA(cudaMemcpy(first, a->args.span, sizeof first, cudaMemcpyDeviceToHost));
	NEED_CUDA(cudaMemcpy(second, b->args.span, sizeof second, cudaMemcpyDeviceToHost));
	return first[0] < second[1] && second[0] < first[1];
}

/* Each uses half of the device. The driver may run two cooperative launches one after the other:
 * that is not an error, and the line says so. */
static void two_barriers(cudaStream_t streams[2], uint32_t kind_set, int without)
{
	place where = {"two streams", (const void *)plain_kernel, THREADS, 0, 0};
	uint32_t half = fit_of(&where) / 2;
	trial trials[2] = {trial_open(half, kind_set), trial_open(half, kind_set)};
	int right = 1;

	for (int i = 0; i < 2; i++)
		trials[i].args.without = (uint32_t)without;
	for (int i = 0; i < 2; i++)
		NEED(launch(&where, &trials[i], streams[i]));
	for (int i = 0; i < 2; i++)
		wait_for(streams[i]);
	for (int i = 0; i < 2; i++)
		right &= without ? is_noticed(&trials[i], 1) : is_right(&trials[i], 1);
	verdict(right, "a %s barrier of %u blocks in each of two streams, %s%s",
	        weir_barrier_kind_name(trials[0].args.barrier.config.kind), half,
	        overlapped(&trials[0], &trials[1]) ? "at the same time" : "one after the other",
	        without ? ", taken out" : "");
	for (int i = 0; i < 2; i++)
		trial_close(&trials[i]);
}

/* Each kernel waits until the other has started, so that both run at the same time. */
static void share_between_streams(cudaStream_t streams[2], uint32_t kind_set, int without)
{
	trial first = trial_open(info.units, kind_set);

	first.args.meetings = 0;
	first.args.kernels = 2;
	first.args.without = (uint32_t)without;
	trial second = trial_beside(&first);
	locks_kernel<<<first.blocks, THREADS, 0, streams[0]>>>(first.args);
	NEED_CUDA(cudaGetLastError());
	locks_kernel<<<second.blocks, THREADS, 0, streams[1]>>>(second.args);
	NEED_CUDA(cudaGetLastError());
	wait_for(streams[0]);
	wait_for(streams[1]);
	verdict(without ? is_noticed(&first, 2) : is_right(&first, 2),
	        "kernels in two streams share a %s mutex and a %s semaphore%s%s",
	        weir_mutex_kind_name(first.args.mutex.config.kind),
	        weir_semaphore_kind_name(first.args.semaphore.config.kind),
	        tally_of(&first).apart ? ", but they did not run at the same time" : "",
	        without ? ", taken out" : "");
	trial_close_beside(&second);
	trial_close(&first);
}

static void try_streams(void)
{
	cudaStream_t streams[2] = {new_stream(), new_stream()};

	for (uint32_t i = 0; i < kind_sets(); i++) {
		two_barriers(streams, i, 0);
		share_between_streams(streams, i, 0);
	}
	two_barriers(streams, 0, 1);
	share_between_streams(streams, 0, 1);
	for (int i = 0; i < 2; i++)
		NEED_CUDA(cudaStreamDestroy(streams[i]));
}

/* Returns ENDED if a launch ended with an error, for example because its barrier waited too
 * long. */
static int run_process(long percent, long seconds)
{
	place where = {"process", (const void *)plain_kernel, THREADS, 0, 0};
	uint32_t fit = fit_of(&where);
	cudaStream_t stream = new_stream();
	time_t begin = time(NULL);
	uint32_t launches = 0;
	cudaError_t state;
	trial t = trial_open((uint32_t)(fit * percent / 100), 0);

	try_too_many(&where, fit + 1, stream);
	do {
		NEED(launch(&where, &t, stream));
		state = ended(stream);
		launches++;
	} while (state == cudaSuccess && time(NULL) - begin < seconds);
	printf("%u multiprocessors, %u of %u blocks, %u launches%s%s\n", info.units, t.blocks, fit,
	       launches, state == cudaSuccess ? "" : ", ended: ",
	       state == cudaSuccess ? "" : cudaGetErrorString(state));
	if (state != cudaSuccess) {
		fflush(NULL);
		_Exit(ENDED);
	}
	verdict(is_right(&t, launches), "every launch did all that it should");
	trial_close(&t);
	return verdicts();
}

static const struct {
	const char *name;
	void (*try_it)(void);
} places[] = {{"clusters", try_clusters}, {"shared", try_shared},   {"bounds", try_bounds},
              {"graphs", try_graphs},     {"streams", try_streams}, {"calls", try_calls},
              {"bulk", try_bulk},         {"replays", try_replays}, {"ranks", try_ranks}};

static size_t find(const char *name)
{
	size_t i = 0;

	while (i < sizeof places / sizeof *places && strcmp(name, places[i].name) != 0)
		i++;
	return i;
}

static int run_places(int argc, char **argv)
{
	for (size_t i = 0; argc == 1 && i < sizeof places / sizeof *places; i++)
		places[i].try_it();
	for (int i = 1; i < argc; i++)
		places[find(argv[i])].try_it();
	return verdicts();
}

static int is_process(int argc, char **argv)
{
	return argc == 4 && strcmp(argv[1], "process") == 0;
}

static int is_units(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], "units") == 0;
}

static int usage(int argc, char **argv)
{
	int known = 1;

	for (int i = 1; i < argc; i++)
		known &= find(argv[i]) < sizeof places / sizeof *places;
	if (known || is_process(argc, argv) || is_units(argc, argv))
		return 0;
	fprintf(stderr, "usage: places [PLACE]...\n"
	                "       places units\n"
	                "       places process PERCENT SECONDS\n"
	                "places:");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		fprintf(stderr, " %s", places[i].name);
	fprintf(stderr, "\n");
	return 2;
}

int main(int argc, char **argv)
{
	int result = usage(argc, argv);
	weir_status status;

	if (result)
		return result;
	setvbuf(stdout, NULL, _IOLBF, 0);
	status = weir_device_open("cuda", &device);
	if (status == WEIR_NO_DEVICE) {
		printf("skipped: %s\n", weir_error_text());
		return SKIPPED;
	}
	NEED(status);
	NEED(weir_device_describe(device, &info));
	if (is_units(argc, argv))
		printf("%u\n", info.units);
	else if (is_process(argc, argv))
		result = run_process(strtol(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
	else
		result = run_places(argc, argv);
	NEED(weir_device_close(device));
	return result;
}
