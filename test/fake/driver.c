/* The fake driver, except for its kernels. With OLD_DRIVER it lacks functions of later drivers. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command/driver/driver.h"
#include "kernels.h"

#define INVALID_CONTEXT 201
#define CAPTURING 900 /* what CUDA calls CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED */

fake_driver fake;

static cuda_result in_context(cuda_result result)
{
	if (fake.depth == 1)
		return result;
	fake.misplaced++;
	return INVALID_CONTEXT;
}

static void would_wait(void)
{
	if (fake.stream_status == WEIR_CUDA_ERROR_NOT_READY)
		fake.hung++;
}

cuda_result cuInit(unsigned int flags)
{
	fake.inits++;
	return flags ? WEIR_CUDA_ERROR_INVALID_VALUE : WEIR_CUDA_SUCCESS;
}

cuda_result cuDriverGetVersion(int *version)
{
	*version = 13010;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuGetErrorName(cuda_result result, const char **name)
{
	*name = result == WEIR_CUDA_ERROR_LAUNCH_FAILED ? "FAKE_LAUNCH_FAILED" : NULL;
	return *name ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuGetErrorString(cuda_result result, const char **string)
{
	*string = result == WEIR_CUDA_ERROR_LAUNCH_FAILED ? "a fake trap" : NULL;
	return *string ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuDeviceGetCount(int *count)
{
	*count = fake_with.devices;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDeviceGet(cuda_device *device, int ordinal)
{
	*device = 10 + ordinal;
	return ordinal < fake_with.devices ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuDeviceGetName(char *name, int length, cuda_device device)
{
	memset(name, 'x', (size_t)length); /* as a driver may leave it after the string */
	snprintf(name, (size_t)length, "Fake %d", device);
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDeviceGetAttribute(int *value, unsigned int attribute, cuda_device device)
{
	const struct {
		unsigned int attribute;
		int value;
	} rows[] = {
	    {WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
	    {WEIR_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
	     fake.depth && fake.context_units ? fake.context_units : fake_with.units},
	    {WEIR_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 50 << 20},
	    {WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
	    {WEIR_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device == 11 ? 6 : 9},
	    {WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
	    {WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 2000000},
	    {WEIR_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, device != 12},
	    {WEIR_CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, fake.host_atomics},
	    {WEIR_CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device != 12},
	    {WEIR_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10},
	    {WEIR_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].attribute == attribute) {
			*value = rows[i].value;
			return WEIR_CUDA_SUCCESS;
		}
	return WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuDevicePrimaryCtxRetain(cuda_context *context, cuda_device device)
{
	fake.contexts++;
	*context = (cuda_context)(uintptr_t)device;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDevicePrimaryCtxRelease_v2(cuda_device device)
{
	(void)device;
	would_wait();
	fake.contexts--;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuCtxPushCurrent_v2(cuda_context context)
{
	fake.depth++;
	return context ? WEIR_CUDA_SUCCESS : INVALID_CONTEXT;
}

cuda_result cuCtxPopCurrent_v2(cuda_context *context)
{
	fake.depth--;
	*context = NULL;
	return WEIR_CUDA_SUCCESS;
}

/* ---- streams: operations in order, at once or in a thread ---- */

struct CUstream_st {
	pthread_t thread;
	fake_op *first, **last;
	unsigned int pending; /* ops that are not done */
	int ends;
};

struct CUevent_st {
	double us;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* The graph that this thread makes. */
static _Thread_local fake_op *captured, **captured_last;

static void run_op(fake_op *op)
{
	if (op->stamp_us)
		*op->stamp_us = fake_with.now_us();
	else if (op->call)
		op->call(&op->params);
	else
		fake_with.run(op);
	free(op);
}

static void *run_stream(void *argument)
{
	cuda_stream stream = argument;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (!stream->first && !stream->ends)
			pthread_cond_wait(&changed, &lock);
		fake_op *op = stream->first;
		if (!op)
			break;
		stream->first = op->next;
		if (!stream->first)
			stream->last = &stream->first;
		pthread_mutex_unlock(&lock);
		run_op(op);
		pthread_mutex_lock(&lock);
		stream->pending--;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void put(cuda_stream stream, const fake_op *op)
{
	fake_op *copy = malloc(sizeof *copy);

	if (!copy)
		abort();
	*copy = *op;
	copy->next = NULL;
	if (captured_last) {
		*captured_last = copy;
		captured_last = &copy->next;
		return;
	}
	if (!fake_with.has_threads) {
		run_op(copy);
		return;
	}
	pthread_mutex_lock(&lock);
	*stream->last = copy;
	stream->last = &copy->next;
	stream->pending++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static unsigned int pending(cuda_stream stream)
{
	if (!fake_with.has_threads)
		return 0;
	pthread_mutex_lock(&lock);
	unsigned int ops = stream->pending;
	pthread_mutex_unlock(&lock);
	return ops;
}

static void finish(cuda_stream stream)
{
	if (!fake_with.has_threads)
		return;
	pthread_mutex_lock(&lock);
	while (stream->pending)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

cuda_result cuStreamCreate(cuda_stream *stream, unsigned int flags)
{
	fake.streams++;
	*stream = fake.idle_stream ? fake.idle_stream : (cuda_stream)0x51;
	if (fake_with.has_threads) {
		*stream = calloc(1, sizeof **stream);
		if (!*stream)
			abort();
		(*stream)->last = &(*stream)->first;
		if (pthread_create(&(*stream)->thread, NULL, run_stream, *stream) != 0)
			abort();
	}
	return in_context(flags == WEIR_CU_STREAM_NON_BLOCKING ? WEIR_CUDA_SUCCESS
	                                                       : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuStreamDestroy_v2(cuda_stream stream)
{
	fake.streams--;
	if (fake_with.has_threads) {
		pthread_mutex_lock(&lock);
		stream->ends = 1;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		pthread_join(stream->thread, NULL);
		free(stream);
	}
	return in_context(fake.stream_status);
}

cuda_result cuStreamQuery(cuda_stream stream)
{
	if (captured_last)
		return in_context(CAPTURING);
	if (fake.busy_queries > 0) {
		fake.busy_queries--;
		return in_context(WEIR_CUDA_ERROR_NOT_READY);
	}
	return in_context(pending(stream) ? WEIR_CUDA_ERROR_NOT_READY : fake.stream_status);
}

cuda_result cuStreamSynchronize(cuda_stream stream)
{
	if (captured_last)
		return in_context(CAPTURING);
	if (fake.idle_stream && stream == fake.idle_stream)
		return in_context(WEIR_CUDA_SUCCESS);
	would_wait();
	finish(stream);
	return in_context(fake.stream_status);
}

cuda_result cuEventCreate(cuda_event *event, unsigned int flags)
{
	(void)flags;
	fake.events++;
	*event = calloc(1, sizeof **event);
	return in_context(*event ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_OUT_OF_MEMORY);
}

cuda_result cuEventDestroy_v2(cuda_event event)
{
	free(event);
	fake.events--;
	return in_context(fake.stream_status);
}

cuda_result cuEventRecord(cuda_event event, cuda_stream stream)
{
	if (captured_last)
		return in_context(CAPTURING);
	fake.records++;
	put(stream, &(fake_op){.stamp_us = &event->us});
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventElapsedTime(float *ms, cuda_event begin, cuda_event end)
{
	*ms = (float)((end->us - begin->us) * 1e-3);
	return in_context(WEIR_CUDA_SUCCESS);
}

void fake_stream_call(cuda_stream stream, void (*call)(void *), const void *params, size_t bytes)
{
	fake_op op = {.call = call};

	if (bytes > sizeof op.params)
		abort();
	memcpy(&op.params, params, bytes);
	put(stream, &op);
}

/* ---- memory, each piece a file without a name ---- */

typedef struct memory {
	struct memory *next;
	void *address;
	size_t bytes;
	int file;
} memory;

static memory *memories;

/* The memory of `bytes` in `file`. */
static cuda_result map(size_t bytes, int file, cuda_address *address)
{
	memory *made = malloc(sizeof *made);
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (!made || mapped == MAP_FAILED)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	*made = (memory){memories, mapped, bytes, file};
	memories = made;
	pthread_mutex_unlock(&lock);
	*address = (uintptr_t)mapped;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result map_new(size_t bytes, cuda_address *address)
{
	int file = memfd_create("memory", MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	return map(bytes, file, address);
}

static void unmap(cuda_address address)
{
	pthread_mutex_lock(&lock);
	memory **at = &memories;
	while (*at && (*at)->address != (void *)(uintptr_t)address)
		at = &(*at)->next;
	memory *gone = *at;
	if (!gone)
		abort();
	*at = gone->next;
	pthread_mutex_unlock(&lock);
	munmap(gone->address, gone->bytes);
	close(gone->file);
	free(gone);
}

cuda_result cuMemAlloc_v2(cuda_address *address, size_t bytes)
{
	cuda_result result = fake.allocate_result ? fake.allocate_result : map_new(bytes, address);

	if (result != WEIR_CUDA_SUCCESS)
		return in_context(result);
	memset((void *)(uintptr_t)*address, 0xaa, bytes);
	if (fake_with.allocated)
		fake_with.allocated(*address, bytes);
	fake.memories++;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemFree_v2(cuda_address address)
{
	would_wait();
	fake.memories--;
	unmap(address);
	return in_context(fake.stream_status);
}

#ifndef OLD_DRIVER
typedef struct exported {
	cuda_address address;
	pid_t process;
	int file;
	size_t bytes;
} exported;

cuda_result cuIpcGetMemHandle(struct CUipcMemHandle_st *handle, cuda_address address)
{
	memset(handle, 0, sizeof *handle);
	fake.exports++;
	pthread_mutex_lock(&lock);
	const memory *found = memories;
	while (found && found->address != (void *)(uintptr_t)address)
		found = found->next;
	if (found)
		memcpy(handle, &(exported){address, getpid(), found->file, found->bytes},
		       sizeof(exported));
	pthread_mutex_unlock(&lock);
	return in_context(found ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE);
}

/* The memory of another process; without threads, this process's own. */
cuda_result cuIpcOpenMemHandle_v2(cuda_address *address, struct CUipcMemHandle_st handle,
                                  unsigned int flags)
{
	char path[64];
	exported from;
	cuda_result result;

	if (fake.import_result)
		return in_context(fake.import_result);
	memcpy(&from, &handle, sizeof from);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)from.process, from.file);
	if (fake_with.has_threads) {
		int file = open(path, O_RDWR | O_CLOEXEC);
		result = file < 0 ? WEIR_CUDA_ERROR_INVALID_VALUE : map(from.bytes, file, address);
	} else {
		result = map_new(from.bytes, address);
	}
	fake.imports += result == WEIR_CUDA_SUCCESS;
	return in_context(flags == WEIR_CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
	                      ? result
	                      : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuIpcCloseMemHandle(cuda_address address)
{
	unmap(address);
	fake.imports--;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuCtxEnablePeerAccess(cuda_context context, unsigned int flags)
{
	(void)context;
	fake.peers++;
	return in_context(flags == 0 ? fake.peer_result : WEIR_CUDA_ERROR_INVALID_VALUE);
}
#endif

cuda_result cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
	if (fake.allocate_result)
		return in_context(fake.allocate_result);
	*memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	if (!*memory)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	memset(*memory, 0xaa, bytes);
	fake.pinned++;
	return in_context(flags == (WEIR_CU_MEMHOSTALLOC_PORTABLE | WEIR_CU_MEMHOSTALLOC_DEVICEMAP)
	                      ? WEIR_CUDA_SUCCESS
	                      : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuMemFreeHost(void *memory)
{
	would_wait();
	fake.pinned--;
	free(memory);
	return in_context(fake.stream_status);
}

cuda_result cuMemsetD8Async(cuda_address to, unsigned char value, size_t bytes, cuda_stream stream)
{
	finish(stream);
	memset((void *)(uintptr_t)to, value, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemcpyHtoDAsync_v2(cuda_address to, const void *from, size_t bytes,
                                 cuda_stream stream)
{
	finish(stream);
	memcpy((void *)(uintptr_t)to, from, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemcpyDtoHAsync_v2(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
	finish(stream);
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleLoadDataEx(cuda_module *module, const void *image, unsigned int count,
                               unsigned int *options, void **values)
{
	if (!fake_with.loads(image)) {
		if (count == 2 && options[0] == WEIR_CU_JIT_ERROR_LOG_BUFFER &&
		    options[1] == WEIR_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			snprintf(values[0], (size_t)(uintptr_t)values[1],
			         "fake ptxas, line 7\nerror\n");
		return in_context(WEIR_CUDA_ERROR_INVALID_PTX);
	}
	fake.modules++;
	*module = (cuda_module)0x71;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleUnload(cuda_module module)
{
	(void)module;
	would_wait();
	fake.modules--;
	return in_context(fake.stream_status);
}

cuda_result cuModuleGetFunction(cuda_function *function, cuda_module module, const char *name)
{
	(void)module;
	*function = fake_with.find(name);
	return in_context(*function ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_NOT_FOUND);
}

/* The handle of a library's kernel, which only callers of the library have. */
cuda_result cuKernelGetFunction(cuda_function *function, void *kernel)
{
	*function = (cuda_function)0x81;
	return kernel ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_HANDLE;
}

#ifndef OLD_DRIVER
cuda_result cuModuleGetFunctionCount(unsigned int *count, cuda_module module)
{
	*count = module ? 2 : 0;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleEnumerateFunctions(cuda_function *functions, unsigned int count,
                                       cuda_module module)
{
	for (unsigned int i = 0; i < count; i++)
		functions[i] = (cuda_function)(uintptr_t)(0x81 + i);
	return in_context(module && count <= 2 ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuFuncGetName(const char **name, cuda_function function)
{
	*name = function == (cuda_function)0x81 ? "step" : "_Z4scanPf";
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuFuncGetModule(cuda_module *module, cuda_function function)
{
	*module = (cuda_module)0x71;
	return in_context(function ? fake.module_result : WEIR_CUDA_ERROR_INVALID_HANDLE);
}

cuda_result cuModuleGetGlobal_v2(cuda_address *address, size_t *bytes, cuda_module module,
                                 const char *name)
{
	*address = 0x91;
	if (module && fake.series && strcmp(name, "_Z20weir_kernels_series_ILi0EE") == 0) {
		*bytes = fake.series;
		return in_context(WEIR_CUDA_SUCCESS);
	}
	if (module && fake.is_abortable && strcmp(name, "_Z19weir_kernels_abort_ILi0EE") == 0) {
		*address = (cuda_address)(uintptr_t)&fake.abort_order;
		*bytes = sizeof fake.abort_order;
		return in_context(WEIR_CUDA_SUCCESS);
	}
	*bytes = 1;
	for (const char *const *global = fake.globals; module && global && *global; global++)
		if (strcmp(*global, name) == 0)
			return in_context(WEIR_CUDA_SUCCESS);
	return in_context(WEIR_CUDA_ERROR_NOT_FOUND);
}
#endif

cuda_result cuFuncGetAttribute(int *value, unsigned int attribute, cuda_function function)
{
	if (!function)
		return in_context(WEIR_CUDA_ERROR_INVALID_HANDLE);
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
		*value = fake_with.most_threads;
	else if (attribute == WEIR_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
		*value = fake_with.static_shared;
	else if (attribute == WEIR_DRIVER_CU_FUNC_ATTRIBUTE_NUM_REGS)
		*value = 40;
	else if (attribute >= WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH &&
	         attribute <= WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)
		*value = fake.compiled_cluster[attribute -
		                               WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
	else
		*value = fake.allowed_shared;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuFuncSetAttribute(cuda_function function, unsigned int attribute, int value)
{
	(void)function;
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
		fake.allowed_shared = value;
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
		fake.allowed_large_clusters = value;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda_function function,
                                                        int threads, size_t shared_bytes)
{
	(void)function;
	*blocks = shared_bytes > 0 ? 2 : 2048 / threads;
	return in_context(WEIR_CUDA_SUCCESS);
}

static cuda_result launch(cuda_function function, const unsigned int grid[3],
                          const unsigned int block[3], unsigned int shared_bytes,
                          cuda_stream stream, void **parameters)
{
	fake_op op = {.function = function, .blocks = grid[0], .threads = block[0]};

	memcpy(fake.launch_grid, grid, sizeof fake.launch_grid);
	memcpy(fake.launch_block, block, sizeof fake.launch_block);
	fake.launch_shared = shared_bytes;
	fake.launch_stream = stream;
	fake_with.take(&op, parameters);
	if (fake.launch_result == WEIR_CUDA_SUCCESS)
		put(stream, &op);
	return in_context(fake.launch_result);
}

cuda_result cuLaunchKernel(cuda_function function, unsigned int grid_x, unsigned int grid_y,
                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                           unsigned int block_z, unsigned int shared_bytes, cuda_stream stream,
                           void **parameters, void **extra)
{
	(void)extra;
	fake.plain++;
	return launch(function, (unsigned int[]){grid_x, grid_y, grid_z},
	              (unsigned int[]){block_x, block_y, block_z}, shared_bytes, stream,
	              parameters);
}

cuda_result cuLaunchCooperativeKernel(cuda_function function, unsigned int grid_x,
                                      unsigned int grid_y, unsigned int grid_z,
                                      unsigned int block_x, unsigned int block_y,
                                      unsigned int block_z, unsigned int shared_bytes,
                                      cuda_stream stream, void **parameters)
{
	fake.cooperative++;
	return launch(function, (unsigned int[]){grid_x, grid_y, grid_z},
	              (unsigned int[]){block_x, block_y, block_z}, shared_bytes, stream,
	              parameters);
}

cuda_result cuLaunchKernelEx(const struct CUlaunchConfig_st *opaque, cuda_function function,
                             void **parameters, void **extra)
{
	const cuda_launch_config *config = (const cuda_launch_config *)opaque;

	(void)extra;
	for (unsigned int i = 0; i < config->attribute_count; i++) {
		const cuda_launch_attribute *attribute = &config->attributes[i];
		if (attribute->id == WEIR_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			memcpy(fake.launch_cluster, attribute->value.cluster,
			       sizeof fake.launch_cluster);
		if (attribute->id == WEIR_CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			fake.cooperative += attribute->value.cooperative;
	}
	fake.clustered++;
	return launch(function, config->grid, config->block, config->shared_bytes, config->stream,
	              parameters);
}

cuda_result cuOccupancyMaxPotentialClusterSize(int *blocks, cuda_function function,
                                               const struct CUlaunchConfig_st *config)
{
	(void)function, (void)config;
	*blocks = fake.allowed_large_clusters ? 16 : 8;
	return in_context(WEIR_CUDA_SUCCESS);
}

/* 528 blocks fit; the result is the number of whole clusters in them. */
cuda_result cuOccupancyMaxActiveClusters(int *clusters, cuda_function function,
                                         const struct CUlaunchConfig_st *opaque)
{
	const cuda_launch_config *config = (const cuda_launch_config *)opaque;
	const unsigned int *size = config->attributes[0].value.cluster;

	(void)function;
	*clusters = (int)(528 / (size[0] * size[1] * size[2]));
	return in_context(WEIR_CUDA_SUCCESS);
}

/* ---- graphs: launches in a row ---- */

struct CUgraph_st {
	fake_op *first;
};

cuda_result cuStreamBeginCapture_v2(cuda_stream stream, unsigned int mode)
{
	(void)stream;
	captured = NULL;
	captured_last = &captured;
	return in_context(mode == WEIR_DRIVER_CU_STREAM_CAPTURE_MODE_RELAXED
	                      ? WEIR_CUDA_SUCCESS
	                      : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuStreamEndCapture(cuda_stream stream, weir_cu_graph *graph)
{
	(void)stream;
	*graph = calloc(1, sizeof **graph);
	if (!*graph)
		abort();
	for (fake_op *op = captured; op; op = op->next)
		op->is_node = 1;
	(*graph)->first = captured;
	captured_last = NULL;
	return in_context(WEIR_CUDA_SUCCESS);
}

/* The executable graph takes the ops out of the graph that it is made from. */
cuda_result cuGraphInstantiateWithFlags(weir_cu_graph_exec *exec, weir_cu_graph graph,
                                        unsigned long long flags)
{
	(void)flags;
	*exec = calloc(1, sizeof *graph);
	if (!*exec)
		abort();
	*(weir_cu_graph)*exec = *graph;
	graph->first = NULL;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphLaunch(weir_cu_graph_exec exec, cuda_stream stream)
{
	for (const fake_op *op = ((weir_cu_graph)exec)->first; op; op = op->next)
		put(stream, op);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphDestroy(weir_cu_graph graph)
{
	while (graph->first) {
		fake_op *op = graph->first;
		graph->first = op->next;
		free(op);
	}
	free(graph);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphExecDestroy(weir_cu_graph_exec exec)
{
	return cuGraphDestroy((weir_cu_graph)exec);
}
