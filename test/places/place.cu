#include "place.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DEADLINE_S 60
#define MEETINGS 60u

weir_device *device;
weir_device_info info;

static int passed, failed;

static const weir_barrier_kind barriers[] = {
#define ROW(name, NAME, ...) WEIR_BARRIER_##NAME,
    WEIR_BARRIER_DEFAULT, WEIR_BARRIER_KINDS(ROW)
#undef ROW
};

static const weir_mutex_kind mutexes[] = {
#define ROW(name, NAME, ...) WEIR_MUTEX_##NAME,
    WEIR_MUTEX_DEFAULT, WEIR_MUTEX_KINDS(ROW)
#undef ROW
};

static const weir_semaphore_kind semaphores[] = {
#define ROW(name, NAME, ...) WEIR_SEMAPHORE_##NAME,
    WEIR_SEMAPHORE_DEFAULT, WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* A kernel that does not end would make an orderly exit hang as well. */
static void give_up(const char *what, const char *why)
{
	printf("FAILED %s: %s\n", what, why);
	fflush(NULL);
	_Exit(1);
}

void need_(int fine, const char *call, const char *why)
{
	if (!fine)
		give_up(call, why);
}

void need_cuda_(cudaError_t error, const char *call)
{
	if (error != cudaSuccess)
		give_up(call, cudaGetErrorString(error));
}

void verdict(int right, const char *format, ...)
{
	va_list arguments;

	*(right ? &passed : &failed) += 1;
	printf("%s ", right ? "ok    " : "FAILED");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
}

int verdicts(void)
{
	printf("%d passed, %d failed\n", passed, failed);
	if (passed + failed == 0)
		return SKIPPED;
	return failed == 0 ? 0 : 1;
}

weir_kernel kernel_of(const void *symbol)
{
	weir_kernel kernel = {};
	cudaFunction_t function;

	NEED_CUDA(cudaGetFuncBySymbol(&function, symbol));
	kernel.native = function;
	return kernel;
}

static uint32_t clusters_of(const place *where)
{
	cudaLaunchAttribute attribute = {};
	cudaLaunchConfig_t config = {};
	int clusters;

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = where->cluster;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(where->cluster);
	config.blockDim = dim3(where->threads);
	config.dynamicSmemBytes = where->shared;
	config.attrs = &attribute;
	config.numAttrs = 1;
	NEED_CUDA(cudaOccupancyMaxActiveClusters(&clusters, where->symbol, &config));
	return (uint32_t)clusters;
}

uint32_t fit_of(const place *where)
{
	uint32_t blocks;

	if (where->cluster)
		return clusters_of(where) * where->cluster;
	NEED(weir_kernel_resident_blocks(device, kernel_of(where->symbol), where->threads,
	                                 where->shared, &blocks));
	return blocks;
}

uint32_t kind_sets(void)
{
	uint32_t most = COUNT(barriers);

	most = COUNT(mutexes) > most ? COUNT(mutexes) : most;
	return COUNT(semaphores) > most ? COUNT(semaphores) : most;
}

static void *zeroed(size_t bytes)
{
	void *memory;

	NEED_CUDA(cudaMalloc(&memory, bytes));
	NEED_CUDA(cudaMemset(memory, 0, bytes));
	return memory;
}

static void own_memory(trial *t)
{
	t->args.phases = (uint32_t *)zeroed(2 * t->blocks * sizeof *t->args.phases);
	t->args.span = (uint64_t *)zeroed(2 * sizeof *t->args.span);
	/* The memory must be cleared before a launch in any stream. */
	NEED_CUDA(cudaDeviceSynchronize());
}

trial trial_open(uint32_t blocks, uint32_t kind_set)
{
	trial t = {};
	/* With more blocks, each turn at a spinning kind takes longer. */
	uint64_t turns = 20000000 / ((uint64_t)blocks * blocks);

	t.blocks = blocks;
	weir_barrier_options barrier = {};
	weir_mutex_options mutex = {};
	weir_semaphore_options semaphore = {};

	barrier.kind = barriers[kind_set % COUNT(barriers)];
	mutex.kind = mutexes[kind_set % COUNT(mutexes)];
	semaphore.kind = semaphores[kind_set % COUNT(semaphores)];
	NEED(weir_barrier_create(device, blocks, &barrier, &t.args.barrier));
	NEED(weir_mutex_create(device, &mutex, &t.args.mutex));
	NEED(weir_semaphore_create(device, WORK_SLOTS, WORK_SLOTS, &semaphore, &t.args.semaphore));
	t.args.common = (tally *)zeroed(sizeof *t.args.common);
	t.args.meetings = MEETINGS;
	t.args.turns = turns > 40 ? 40 : turns < 2 ? 2 : (uint32_t)turns;
	own_memory(&t);
	return t;
}

void trial_close_beside(trial *t)
{
	NEED_CUDA(cudaFree(t->args.phases));
	NEED_CUDA(cudaFree(t->args.span));
}

void trial_close(trial *t)
{
	trial_close_beside(t);
	NEED_CUDA(cudaFree(t->args.common));
	NEED(weir_barrier_destroy(device, &t->args.barrier));
	NEED(weir_mutex_destroy(device, &t->args.mutex));
	NEED(weir_semaphore_destroy(device, &t->args.semaphore));
}

trial trial_beside(const trial *first)
{
	trial t = *first;

	own_memory(&t);
	return t;
}

weir_status launch(const place *where, trial *t, cudaStream_t stream)
{
	weir_argument arguments[] = {{&t->args, sizeof t->args},
	                             {&where->shared, sizeof where->shared}};
	weir_launch order = {};

	order.kernel = kernel_of(where->symbol);
	order.grid[0] = t->blocks;
	order.block[0] = where->threads;
	order.cluster[0] = where->cluster;
	order.shared_bytes = where->shared;
	order.stream = stream;
	order.barrier = &t->args.barrier;
	order.arguments = arguments;
	order.argument_count = where->shared ? 2 : 1;
	return weir_kernel_launch(device, &order);
}

cudaStream_t new_stream(void)
{
	cudaStream_t stream;

	NEED_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

cudaError_t ended(cudaStream_t stream)
{
	time_t begin = time(NULL);
	cudaError_t state;

	while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
		if (time(NULL) - begin > DEADLINE_S)
			give_up("waiting", "the kernel is still running");
	return state;
}

void wait_for(cudaStream_t stream)
{
	NEED_CUDA(ended(stream));
}

tally tally_of(const trial *t)
{
	tally found;

	NEED_CUDA(cudaMemcpy(&found, t->args.common, sizeof found, cudaMemcpyDeviceToHost));
	return found;
}

static int added_up(const trial *t, const tally *found, uint32_t launches)
{
	for (uint32_t i = 0; i < WORK_WIDTH; i++)
		if (found->under[i] != launches * t->blocks * t->args.turns)
			return 0;
	return found->torn == 0;
}

int is_right(const trial *t, uint32_t launches)
{
	tally found = tally_of(t);

	return found.wrong_phases == 0 && added_up(t, &found, launches) && found.crowded == 0 &&
	       found.inside == 0 && found.overwritten == 0 && found.apart == 0;
}

int is_noticed(const trial *t, uint32_t launches)
{
	tally found = tally_of(t);

	return (t->args.meetings == 0 || found.wrong_phases != 0) &&
	       !added_up(t, &found, launches) && found.crowded != 0 && found.inside == 0 &&
	       found.apart == 0;
}

static void run(const place *where, uint32_t blocks, uint32_t kind_set, cudaStream_t stream)
{
	trial t = trial_open(blocks, kind_set);

	NEED(launch(where, &t, stream));
	wait_for(stream);
	verdict(is_right(&t, 1), "%s: %u blocks of %u, %s, %s, %s", where->name, blocks,
	        where->threads, weir_barrier_kind_name(t.args.barrier.config.kind),
	        weir_mutex_kind_name(t.args.mutex.config.kind),
	        weir_semaphore_kind_name(t.args.semaphore.config.kind));
	trial_close(&t);
}

/* One launch may go well by chance, so there are five. */
static void run_without(const place *where, uint32_t blocks, cudaStream_t stream)
{
	int noticed = 0;

	for (int i = 0; i < 5 && !noticed; i++) {
		trial t = trial_open(blocks, 0);

		t.args.without = 1;
		NEED(launch(where, &t, stream));
		wait_for(stream);
		noticed = is_noticed(&t, 1);
		trial_close(&t);
	}
	verdict(noticed, "%s: %u blocks of %u, taken out: %s", where->name, blocks, where->threads,
	        noticed ? "noticed" : "NOT noticed");
}

void try_too_many(const place *where, uint32_t blocks, cudaStream_t stream)
{
	trial t = {};
	weir_status status;

	t.blocks = blocks;
	status = weir_barrier_create(device, blocks, NULL, &t.args.barrier);
	if (status == WEIR_OK) {
		status = launch(where, &t, stream);
		NEED(weir_barrier_destroy(device, &t.args.barrier));
	}
	verdict(status == WEIR_TOO_MANY_BLOCKS, "%s: %u blocks are refused: %s", where->name,
	        blocks, weir_status_text(status));
}

void try_place(const place *where, uint32_t step)
{
	uint32_t blocks = fit_of(where);
	cudaStream_t stream = new_stream();

	for (uint32_t i = 0; i < kind_sets(); i++)
		run(where, blocks, i, stream);
	run_without(where, blocks, stream);
	try_too_many(where, blocks + step, stream);
	NEED_CUDA(cudaStreamDestroy(stream));
}
