/* A CUDA driver whose device is this host: it stands in for libcuda.so.1, and the kernels of crews run, as threads of
 * the host machine. Memory is shared memory, which other processes import. So `weir crew --device cuda` runs as a
 * whole without a GPU: shares in the memory of devices, launches in streams and in graphs. What it does not do itself
 * is the fake driver's. */
#define _GNU_SOURCE

/* These are its own. */
#define cuStreamCreate fake_stream_create
#define cuStreamDestroy_v2 fake_stream_destroy
#define cuStreamQuery fake_stream_query
#define cuStreamSynchronize fake_stream_synchronize
#define cuEventCreate fake_event_create
#define cuEventDestroy_v2 fake_event_destroy
#define cuEventRecord fake_event_record
#define cuEventElapsedTime fake_event_elapsed
#define cuMemAlloc_v2 fake_memory_allocate
#define cuMemFree_v2 fake_memory_free
#define cuIpcGetMemHandle fake_ipc_get
#define cuIpcOpenMemHandle_v2 fake_ipc_open
#define cuIpcCloseMemHandle fake_ipc_close
#define cuMemsetD8Async fake_memory_set
#define cuMemcpyHtoDAsync_v2 fake_memory_write
#define cuMemcpyDtoHAsync_v2 fake_memory_read
#define cuModuleLoadDataEx fake_module_load
#define cuModuleGetFunction fake_module_function
#define cuLaunchKernel fake_launch
#define cuLaunchCooperativeKernel fake_launch_cooperative
#define cuLaunchKernelEx fake_launch_with
#include "compile/cuda/fake_driver.c" /* NOLINT(bugprone-suspicious-include): with other names */
#undef cuStreamCreate
#undef cuStreamDestroy_v2
#undef cuStreamQuery
#undef cuStreamSynchronize
#undef cuEventCreate
#undef cuEventDestroy_v2
#undef cuEventRecord
#undef cuEventElapsedTime
#undef cuMemAlloc_v2
#undef cuMemFree_v2
#undef cuIpcGetMemHandle
#undef cuIpcOpenMemHandle_v2
#undef cuIpcCloseMemHandle
#undef cuMemsetD8Async
#undef cuMemcpyHtoDAsync_v2
#undef cuMemcpyDtoHAsync_v2
#undef cuModuleLoadDataEx
#undef cuModuleGetFunction
#undef cuLaunchKernel
#undef cuLaunchCooperativeKernel
#undef cuLaunchKernelEx

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "crew_decode_kernels.h"
#include "crew_kernels.h"
#include "weir/weir.h"

#define MOST_MEMORIES 64

static const struct kernel {
	weir_host_entry entry;
	size_t bytes; /* of its third argument */
} kernels[] = {{{"crew_trial", crew_trial_entry}, sizeof(crew_params)},
               {{"crew_decode", crew_decode_entry}, sizeof(crew_decode_params)},
               {{"crew_decode_once", crew_decode_once_entry}, sizeof(crew_decode_params)}};

/* What a stream does, in order: a note of the time, a call of another library, or a launch. */
typedef struct op {
	struct op *next;
	double *stamp;              /* of an event, or NULL */
	void (*call)(void *params); /* or NULL */
	const struct kernel *kernel;
	unsigned int blocks;
	void *words, *data;
	union {
		crew_params trial;
		crew_decode_params decode;
		char bytes[64]; /* of a call */
	} params;
} op;

struct CUstream_st {
	pthread_t thread;
	op *first, **last;
	unsigned int pending; /* ops that are not done */
	int ends;
	weir_device *device;
	op *captured; /* the graph that is being made, if `captures` */
	op **captured_last;
	int captures;
};

struct CUevent_st {
	double ms;
};

struct CUgraph_st {
	op *first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void run_kernel(weir_device *device, op *o)
{
	weir_program_text text = {.host_entries = &o->kernel->entry, .host_entry_count = 1};
	weir_argument arguments[] = {{&o->words, sizeof o->words},
	                             {&o->data, sizeof o->data},
	                             {&o->params, o->kernel->bytes}};
	weir_launch launch = {.grid = {o->blocks, 1, 1},
	                      .block = {1, 1, 1},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_program *program;

	if (weir_program_create(device, &text, &program) != WEIR_OK ||
	    weir_program_kernel(program, o->kernel->entry.name, &launch.kernel) != WEIR_OK ||
	    weir_kernel_launch(device, &launch) != WEIR_OK ||
	    weir_device_wait(device, 0, NULL) != WEIR_OK)
		abort();
	weir_program_destroy(program);
}

static void *run_stream(void *argument)
{
	cuda_stream stream = argument;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (!stream->first && !stream->ends)
			pthread_cond_wait(&changed, &lock);
		op *o = stream->first;
		if (!o)
			break;
		stream->first = o->next;
		if (!stream->first)
			stream->last = &stream->first;
		pthread_mutex_unlock(&lock);
		if (o->stamp)
			*o->stamp = now_ms();
		else if (o->call)
			o->call(&o->params);
		else
			run_kernel(stream->device, o);
		free(o);
		pthread_mutex_lock(&lock);
		stream->pending--;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void put(cuda_stream stream, const op *o)
{
	op *copy = malloc(sizeof *copy);

	if (!copy)
		abort();
	*copy = *o;
	copy->next = NULL;
	pthread_mutex_lock(&lock);
	if (stream->captures) {
		*stream->captured_last = copy;
		stream->captured_last = &copy->next;
	} else {
		*stream->last = copy;
		stream->last = &copy->next;
		stream->pending++;
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void finish(cuda_stream stream)
{
	pthread_mutex_lock(&lock);
	while (stream->pending)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

cuda_result cuStreamCreate(cuda_stream *stream, unsigned int flags)
{
	cuda_stream made = calloc(1, sizeof *made);

	(void)flags;
	if (!made || weir_device_open("host", &made->device) != WEIR_OK)
		abort();
	made->last = &made->first;
	if (pthread_create(&made->thread, NULL, run_stream, made) != 0)
		abort();
	*stream = made;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuStreamDestroy_v2(cuda_stream stream)
{
	pthread_mutex_lock(&lock);
	stream->ends = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(stream->thread, NULL);
	weir_device_close(stream->device);
	free(stream);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuStreamQuery(cuda_stream stream)
{
	pthread_mutex_lock(&lock);
	unsigned int pending = stream->pending;
	pthread_mutex_unlock(&lock);
	return in_context(pending ? WEIR_CUDA_ERROR_NOT_READY : WEIR_CUDA_SUCCESS);
}

cuda_result cuStreamSynchronize(cuda_stream stream)
{
	finish(stream);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventCreate(cuda_event *event, unsigned int flags)
{
	(void)flags;
	*event = calloc(1, sizeof **event);
	return in_context(*event ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_OUT_OF_MEMORY);
}

cuda_result cuEventDestroy_v2(cuda_event event)
{
	free(event);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventRecord(cuda_event event, cuda_stream stream)
{
	put(stream, &(op){.stamp = &event->ms});
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventElapsedTime(float *ms, cuda_event begin, cuda_event end)
{
	*ms = (float)(end->ms - begin->ms);
	return in_context(WEIR_CUDA_SUCCESS);
}

/* ---- memory, each piece a file without a name ---- */

static struct memory {
	void *address;
	size_t bytes;
	int file;
} memories[MOST_MEMORIES];

static struct memory *find_memory(const void *address)
{
	for (size_t i = 0; i < MOST_MEMORIES; i++)
		if (memories[i].address == address)
			return &memories[i];
	return NULL;
}

static cuda_result map(struct memory *memory, size_t bytes, int file, cuda_address *address)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (!memory || mapped == MAP_FAILED)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	*memory = (struct memory){mapped, bytes, file};
	*address = (uintptr_t)mapped;
	return in_context(WEIR_CUDA_SUCCESS);
}

static void unmap(cuda_address address)
{
	struct memory *memory = find_memory((void *)(uintptr_t)address);

	if (!memory)
		abort();
	munmap(memory->address, memory->bytes);
	close(memory->file);
	memory->address = NULL;
}

cuda_result cuMemAlloc_v2(cuda_address *address, size_t bytes)
{
	int file = memfd_create("memory", MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	return map(find_memory(NULL), bytes, file, address);
}

cuda_result cuMemFree_v2(cuda_address address)
{
	unmap(address);
	return in_context(WEIR_CUDA_SUCCESS);
}

typedef struct exported {
	pid_t process;
	int file;
	size_t bytes;
} exported;

cuda_result cuIpcGetMemHandle(struct CUipcMemHandle_st *handle, cuda_address address)
{
	const struct memory *memory = find_memory((void *)(uintptr_t)address);

	if (!memory)
		return WEIR_CUDA_ERROR_INVALID_VALUE;
	memset(handle, 0, sizeof *handle);
	memcpy(handle, &(exported){getpid(), memory->file, memory->bytes}, sizeof(exported));
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuIpcOpenMemHandle_v2(cuda_address *address, struct CUipcMemHandle_st handle,
                                  unsigned int flags)
{
	char path[64];
	exported from;

	(void)flags;
	memcpy(&from, &handle, sizeof from);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)from.process, from.file);
	int file = open(path, O_RDWR | O_CLOEXEC);
	return file < 0 ? WEIR_CUDA_ERROR_INVALID_VALUE
	                : map(find_memory(NULL), from.bytes, file, address);
}

cuda_result cuIpcCloseMemHandle(cuda_address address)
{
	unmap(address);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemsetD8Async(cuda_address to, unsigned char value, size_t bytes, cuda_stream stream)
{
	finish(stream);
	return fake_memory_set(to, value, bytes, stream);
}

cuda_result cuMemcpyHtoDAsync_v2(cuda_address to, const void *from, size_t bytes,
                                 cuda_stream stream)
{
	finish(stream);
	return fake_memory_write(to, from, bytes, stream);
}

cuda_result cuMemcpyDtoHAsync_v2(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
	finish(stream);
	return fake_memory_read(to, from, bytes, stream);
}

/* ---- kernels ---- */

cuda_result cuModuleLoadDataEx(cuda_module *module, const void *image, unsigned int count,
                               unsigned int *options, void **values)
{
	(void)image, (void)count, (void)options, (void)values;
	fake.modules++;
	*module = (cuda_module)0x71;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleGetFunction(cuda_function *function, cuda_module module, const char *name)
{
	(void)module;
	for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
		if (strcmp(kernels[i].entry.name, name) == 0) {
			*function = (cuda_function)(uintptr_t)&kernels[i];
			return in_context(WEIR_CUDA_SUCCESS);
		}
	return in_context(WEIR_CUDA_ERROR_NOT_FOUND);
}

static cuda_result start(cuda_function function, unsigned int blocks, cuda_stream stream,
                         void **parameters)
{
	op o = {.kernel = (const struct kernel *)function,
	        .blocks = blocks,
	        .words = *(void **)parameters[0],
	        .data = *(void **)parameters[1]};

	memcpy(&o.params, parameters[2], o.kernel->bytes);
	put(stream, &o);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuLaunchKernel(cuda_function function, unsigned int grid_x, unsigned int grid_y,
                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                           unsigned int block_z, unsigned int shared_bytes, cuda_stream stream,
                           void **parameters, void **extra)
{
	(void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z;
	(void)shared_bytes, (void)extra;
	return start(function, grid_x, stream, parameters);
}

cuda_result cuLaunchCooperativeKernel(cuda_function function, unsigned int grid_x,
                                      unsigned int grid_y, unsigned int grid_z,
                                      unsigned int block_x, unsigned int block_y,
                                      unsigned int block_z, unsigned int shared_bytes,
                                      cuda_stream stream, void **parameters)
{
	(void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z, (void)shared_bytes;
	return start(function, grid_x, stream, parameters);
}

cuda_result cuLaunchKernelEx(const struct CUlaunchConfig_st *opaque, cuda_function function,
                             void **parameters, void **extra)
{
	const cuda_launch_config *config = (const cuda_launch_config *)opaque;

	(void)extra;
	return start(function, config->grid[0], config->stream, parameters);
}

/* For a library that has kernels of its own: a call in the order of the stream, with a copy of `bytes` from `params`. */
void host_driver_call(cuda_stream stream, void (*call)(void *), const void *params, size_t bytes)
{
	op o = {.call = call};

	if (bytes > sizeof o.params.bytes)
		abort();
	memcpy(&o.params, params, bytes);
	put(stream, &o);
}

/* ---- graphs: launches in a row ---- */

typedef struct CUgraph_st *cuda_graph;

cuda_result cuStreamBeginCapture_v2(cuda_stream stream, unsigned int mode)
{
	(void)mode;
	stream->captured = NULL;
	stream->captured_last = &stream->captured;
	stream->captures = 1;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuStreamEndCapture(cuda_stream stream, cuda_graph *graph)
{
	*graph = calloc(1, sizeof **graph);
	if (!*graph)
		abort();
	(*graph)->first = stream->captured;
	stream->captures = 0;
	return in_context(WEIR_CUDA_SUCCESS);
}

/* The one who launches has the ops; nobody else does. */
cuda_result cuGraphInstantiateWithFlags(cuda_graph *exec, cuda_graph graph,
                                        unsigned long long flags)
{
	(void)flags;
	*exec = calloc(1, sizeof **exec);
	if (!*exec)
		abort();
	(*exec)->first = graph->first;
	graph->first = NULL;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphLaunch(cuda_graph exec, cuda_stream stream)
{
	for (const op *o = exec->first; o; o = o->next)
		put(stream, o);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphDestroy(cuda_graph graph)
{
	while (graph->first) {
		op *o = graph->first;
		graph->first = o->next;
		free(o);
	}
	free(graph);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuGraphExecDestroy(cuda_graph exec)
{
	return cuGraphDestroy(exec);
}
