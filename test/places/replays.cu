/* Replays of a CUDA graph with objects that hand out work: a dispenser, a queue that is closed and left,
 * and tasks. Nothing is reset between replays, not even by a node of the graph. All counts are plain
 * words, which continue from replay to replay. */
#include <stdio.h>

#include "place.h"

#define THREADS 128u
#define REPLAYS 1000u
#define ITEMS 5000u
#define PUSHES 20u /* of each block that pushes */
#define SIDE                                                                                       \
	40u /* tasks are the tiles of a square: each follows the tile above and the tile before */

typedef struct replayed {
	weir_dispenser dispenser;
	weir_queue queue;
	weir_tasks tasks;
	weir_word *ended;  /* blocks that have pushed all their items */
	uint32_t *written; /* written by the block that pushes or runs a task */
	uint32_t *counted; /* counted by the block that takes or pops */
	uint32_t *wrong;
	uint32_t *counter; /* replaces the dispenser, and is never reset */
	uint32_t without;
} replayed;

static __device__ void replays_count(const replayed &r, uint32_t item)
{
	r.counted[item] = r.counted[item] + 1;
}

__global__ void dispenser_kernel(replayed r)
{
	weir_share share;

	if (r.without) {
		while (threadIdx.x == 0) {
			uint32_t item = atomicAdd(r.counter, 1);

			if (item >= ITEMS)
				break;
			replays_count(r, item);
		}
		return;
	}
	share = weir_dispenser_begin(r.dispenser);
	while (weir_dispenser_block_next(r.dispenser, &share, 7))
		for (uint32_t i = threadIdx.x; i < share.count; i += blockDim.x)
			replays_count(r, share.first + i);
}

/* An item that was pushed has been written once more than it has been counted. */
static __device__ void replays_accept(const replayed &r, uint32_t item)
{
	if (((volatile uint32_t *)r.written)[item] != r.counted[item] + 1)
		atomicAdd(r.wrong, 1);
	replays_count(r, item);
}

/* The first half of the blocks pushes, and the last of them closes the queue. */
__global__ void queue_kernel(replayed r)
{
	uint32_t producers = gridDim.x / 2;
	uint32_t item = 0;

	if (threadIdx.x != 0)
		return;
	if (blockIdx.x < producers) {
		for (uint32_t i = 0; i < PUSHES; i++) {
			item = blockIdx.x * PUSHES + i;
			r.written[item] = r.written[item] + 1;
			if (!r.without)
				weir_queue_push(r.queue, item);
		}
		/* The acquire and the release pair with each other in the same add by other
		 * blocks. */
		if (weir_add_acq_rel(r.ended, 1) + 1 == producers) {
			weir_store_rlx(r.ended, 0); /* relaxed: for the next launch */
			weir_queue_close(r.queue);
		}
	} else if (r.without) {
		for (item = (blockIdx.x - producers) * PUSHES;
		     item < (blockIdx.x - producers + 1) * PUSHES && item < producers * PUSHES;
		     item++)
			replays_accept(r, item);
	} else {
		while (weir_queue_pop(r.queue, &item) == WEIR_OK)
			replays_accept(r, item);
	}
	weir_queue_leave(r.queue);
}

/* The tasks before a task have run once more than itself. */
static __device__ void replays_task(const replayed &r, uint32_t task)
{
	volatile uint32_t *ran = r.counted;

	if (threadIdx.x == 0) {
		if (task >= SIDE && ran[task - SIDE] != ran[task] + 1)
			atomicAdd(r.wrong, 1);
		if (task % SIDE != 0 && ran[task - 1] != ran[task] + 1)
			atomicAdd(r.wrong, 1);
		ran[task] = ran[task] + 1;
	}
}

__global__ void tasks_kernel(replayed r)
{
	if (r.without) {
		for (uint32_t task = blockIdx.x; task < SIDE * SIDE; task += gridDim.x)
			replays_task(r, task);
		return;
	}
	weir_tasks_run(r.tasks, replays_task, r);
}

static weir_tasks make_tasks(void)
{
	static uint32_t first[SIDE * SIDE + 1];
	static uint32_t successors[2 * SIDE * SIDE];
	weir_graph graph = {};
	weir_tasks_options options = {};
	weir_tasks tasks;
	uint32_t edges = 0;

	for (uint32_t task = 0; task < SIDE * SIDE; task++) {
		first[task] = edges;
		if ((task + 1) % SIDE != 0)
			successors[edges++] = task + 1;
		if (task + SIDE < SIDE * SIDE)
			successors[edges++] = task + SIDE;
	}
	first[SIDE * SIDE] = edges;
	graph.tasks = SIDE * SIDE;
	graph.first = first;
	graph.successors = successors;
	options.local = 1;
	NEED(weir_tasks_create(device, &graph, &options, &tasks));
	return tasks;
}

/* A kernel, and how many items it counts in each replay. */
struct replayed_kernel {
	const char *name;
	void (*kernel)(replayed r);
	uint32_t items;
};

static void replay(const replayed_kernel *what, const replayed *r, uint32_t blocks,
                   cudaStream_t stream)
{
	static uint32_t counted[ITEMS];
	uint32_t wrong;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	NEED_CUDA(cudaMemset(r->written, 0, sizeof counted));
	NEED_CUDA(cudaMemset(r->counted, 0, sizeof counted));
	NEED_CUDA(cudaMemset(r->wrong, 0, sizeof wrong));
	NEED_CUDA(cudaMemset(r->counter, 0, sizeof wrong));
	NEED_CUDA(cudaDeviceSynchronize());
	NEED_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	what->kernel<<<blocks, THREADS, 0, stream>>>(*r);
	NEED_CUDA(cudaStreamEndCapture(stream, &graph));
	NEED_CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (uint32_t i = 0; i < REPLAYS; i++)
		NEED_CUDA(cudaGraphLaunch(exec, stream));
	wait_for(stream);
	NEED_CUDA(cudaMemcpy(counted, r->counted, sizeof counted, cudaMemcpyDefault));
	NEED_CUDA(cudaMemcpy(&wrong, r->wrong, sizeof wrong, cudaMemcpyDefault));
	int right = wrong == 0;
	for (uint32_t i = 0; i < what->items; i++)
		right &= counted[i] == REPLAYS;
	verdict(r->without ? !right : right,
	        "%s: %u blocks, %u items, %u replays without a reset%s", what->name, blocks,
	        what->items, REPLAYS, r->without ? ", taken out" : "");
	NEED_CUDA(cudaGraphExecDestroy(exec));
	NEED_CUDA(cudaGraphDestroy(graph));
}

static uint32_t *new_words(uint32_t count)
{
	uint32_t *words;

	NEED_CUDA(cudaMalloc(&words, count * sizeof *words));
	NEED_CUDA(cudaMemset(words, 0, count * sizeof *words));
	return words;
}

void try_replays(void)
{
	uint32_t blocks = info.units < 2 * ITEMS / PUSHES ? info.units : 2 * ITEMS / PUSHES;
	const replayed_kernel kernels[] = {{"a dispenser", dispenser_kernel, ITEMS},
	                                   {"a queue", queue_kernel, blocks / 2 * PUSHES},
	                                   {"tasks", tasks_kernel, SIDE * SIDE}};
	cudaStream_t stream = new_stream();
	weir_dispenser_options share = {};
	replayed r = {};

	share.share = 5;
	NEED(weir_dispenser_create(device, ITEMS, &share, &r.dispenser));
	NEED(weir_queue_create(device, 8, sizeof(uint32_t), NULL, &r.queue));
	r.tasks = make_tasks();
	r.ended = (weir_word *)new_words(1);
	r.written = new_words(ITEMS);
	r.counted = new_words(ITEMS);
	r.wrong = new_words(1);
	r.counter = new_words(1);
	for (const replayed_kernel &what : kernels)
		for (r.without = 0; r.without <= 1; r.without++)
			replay(&what, &r, blocks, stream);
	NEED(weir_tasks_check(device, r.tasks));
	NEED(weir_dispenser_destroy(device, &r.dispenser));
	NEED(weir_queue_destroy(device, &r.queue));
	NEED(weir_tasks_destroy(device, &r.tasks));
	for (void *words : {(void *)r.ended, (void *)r.written, (void *)r.counted, (void *)r.wrong,
	                    (void *)r.counter})
		NEED_CUDA(cudaFree(words));
	NEED_CUDA(cudaStreamDestroy(stream));
}
