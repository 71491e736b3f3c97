/* The interpreter of PTX as a driver of the cuda backend (cuda/driver.h): a model of a GPU, on the CPU.
 *
 * A device is a shape (shape.h): the first has the defaults, and each other set of parameters that is
 * asked for becomes one more. All devices share one table of memory, so that kernels of one may use the
 * memory of another. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cuda/driver.h"
#include "ptx_device/image.h"
#include "ptx_device/pages.h"
#include "ptx_device/shape.h"
#include "ptx_device/stream.h"

/* A result that only this driver returns. `explanation` says what it means, in the thread that got
 * it. */
#define EXPLAINED 100000u

static _Thread_local struct {
	weir_status status;
	char text[1024];
} explanation;

/* The notes of a block, of weir/machine/cuda_notes.h, and whether a wait of it was ended, of cuda_abort.h: a stamp
 * says whether they are this block's. */
static const char *const stamped[WEIR_PTX_STAMPED] = {"_ZZ18weir_shared_notes_vE5notes",
                                                      "_ZZ19weir_aborted_block_vE5stamp"};

static weir_ptx_memory *memory;
static ptx_shape shapes[WEIR_CUDA_MOST_DEVICES];
static uint32_t shape_count;
static pthread_mutex_t shapes_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

typedef struct ptx_function_handle {
	struct ptx_module_handle *module;
	weir_ptx_kernel *kernel;
	size_t dynamic_shared; /* that launches may have */
} function_handle;

typedef struct ptx_module_handle {
	weir_ptx_module *module;
	unsigned kernels;
	function_handle functions[];
} module_handle;

/* The function's error text, as a result. */
static cuda_result explain(weir_status status)
{
	if (status == WEIR_OK)
		return WEIR_CUDA_SUCCESS;
	explanation.status = status;
	snprintf(explanation.text, sizeof explanation.text, "%s", weir_error_text());
	return EXPLAINED;
}

static int explained(cuda_result result, weir_status *status, const char **text)
{
	*status = explanation.status;
	*text = explanation.text;
	return result == EXPLAINED;
}

/* --- Devices ---------------------------------------------------------------------------------------- */

static void load(void)
{
	weir_status status = weir_ptx_memory_create(&memory);

	if (status == WEIR_OK)
		status = weir_ptx_shape_read("", &shapes[0]);
	if (status != WEIR_OK) {
		snprintf(weir_ptx_driver.absence, sizeof weir_ptx_driver.absence, "%s",
		         weir_error_text());
		return;
	}
	shape_count = 1;
	weir_ptx_driver.device_count = 1;
}

static const char *load_once(void)
{
	pthread_once(&loaded, load);
	return weir_ptx_driver.absence;
}

weir_status weir_ptx_device_find(const char *parameters, uint32_t *index)
{
	ptx_shape shape;
	uint32_t at = 0;
	weir_status status;

	if (*load_once())
		return weir_fail(WEIR_NO_DEVICE, "%s", weir_ptx_driver.absence);
	status = weir_ptx_shape_read(parameters, &shape);
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&shapes_lock);
	while (at < shape_count && memcmp(&shapes[at], &shape, sizeof shape) != 0)
		at++;
	if (at == shape_count && at < WEIR_CUDA_MOST_DEVICES) {
		shapes[at] = shape;
		weir_ptx_driver.devices[at] = (cuda_device)at;
		shape_count++;
	}
	pthread_mutex_unlock(&shapes_lock);
	*index = at;
	return at < WEIR_CUDA_MOST_DEVICES
	           ? WEIR_OK
	           : weir_fail(WEIR_NO_DEVICE,
	                       "the process has used %d ptx devices, no two with the same "
	                       "parameters: there are no more",
	                       WEIR_CUDA_MOST_DEVICES);
}

/* A device whose parameters take more room than a name has goes by the default's name. */
static void name_device(cuda_device device, char *name, size_t bytes)
{
	char text[160];

	weir_ptx_shape_write(&shapes[device], text, sizeof text);
	snprintf(name, bytes, "%s", weir_ptx_driver.prefix);
	if (*text && strlen(text) + strlen(name) + 2 <= bytes)
		snprintf(name, bytes, "%s:%s", weir_ptx_driver.prefix, text);
}

static cuda_result driver_version(int *version)
{
	*version = 9000; /* of the newest PTX that it was made for */
	return WEIR_CUDA_SUCCESS;
}

static cuda_result error_name(cuda_result result, const char **name)
{
	(void)result;
	*name = NULL;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result device_name(char *name, int length, cuda_device device)
{
	(void)device;
	snprintf(name, (size_t)length,
	         "an interpreter of PTX on the CPU, a model of a GPU: its times measure nothing");
	return WEIR_CUDA_SUCCESS;
}

static cuda_result device_attribute(int *value, unsigned int attribute, cuda_device device)
{
	const ptx_shape *shape = &shapes[device];

	switch (attribute) {
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = 1024;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = (int)shape->sms;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
		*value = (int)shape->threads;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
		*value = 9;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
		*value = (int)(shape->shared < 227 ? shape->shared : 227) * 1024;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
		*value = (int)shape->blocks;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED:
	case WEIR_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
	case WEIR_CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
		*value = 1;
		break;
	default:
		*value = 0;
	}
	return WEIR_CUDA_SUCCESS;
}

/* The context of device n is n + 1: not NULL. */
static cuda_result context_retain(cuda_context *context, cuda_device device)
{
	*context = (cuda_context)((uintptr_t)device + 1);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result context_release(cuda_device device)
{
	(void)device;
	return WEIR_CUDA_SUCCESS;
}

static _Thread_local cuda_device current;

static cuda_result context_push(cuda_context context)
{
	current = (cuda_device)((uintptr_t)context - 1);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result context_pop(cuda_context *context)
{
	*context = NULL;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result peer_enable(cuda_context context, unsigned int flags)
{
	(void)context;
	(void)flags;
	return WEIR_CUDA_SUCCESS;
}

/* --- Streams and events ----------------------------------------------------------------------------- */

static ptx_stream *stream_of(cuda_stream stream)
{
	return (ptx_stream *)(void *)stream;
}

static cuda_result stream_create(cuda_stream *stream, unsigned int flags)
{
	ptx_stream *made;
	weir_status status = weir_ptx_stream_create(&made);

	(void)flags;
	*stream = (cuda_stream)(void *)made;
	return explain(status);
}

static cuda_result stream_destroy(cuda_stream stream)
{
	weir_ptx_stream_destroy(stream_of(stream));
	return WEIR_CUDA_SUCCESS;
}

static cuda_result stream_query(cuda_stream stream)
{
	weir_status status = weir_ptx_stream_query(stream_of(stream));

	return status == WEIR_BUSY ? WEIR_CUDA_ERROR_NOT_READY : explain(status);
}

static cuda_result stream_synchronize(cuda_stream stream)
{
	return explain(weir_ptx_stream_synchronize(stream_of(stream)));
}

static void stop(cuda_stream stream)
{
	weir_ptx_stream_stop(stream_of(stream));
}

static cuda_result event_create(cuda_event *event, unsigned int flags)
{
	ptx_moment *moment = calloc(1, sizeof *moment);

	(void)flags;
	*event = (cuda_event)moment;
	return *event ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_OUT_OF_MEMORY;
}

static cuda_result event_destroy(cuda_event event)
{
	free(event);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result event_record(cuda_event event, cuda_stream stream)
{
	return explain(weir_ptx_stream_record(stream_of(stream), (ptx_moment *)(void *)event));
}

static cuda_result event_elapsed(float *ms, cuda_event from, cuda_event to)
{
	const ptx_moment *first = (const ptx_moment *)(const void *)from;
	const ptx_moment *last = (const ptx_moment *)(const void *)to;

	if (__atomic_load_n(&first->pending, __ATOMIC_ACQUIRE) ||
	    __atomic_load_n(&last->pending, __ATOMIC_ACQUIRE))
		return WEIR_CUDA_ERROR_NOT_READY;
	*ms = (float)((double)(last->ns - first->ns) / 1e6);
	return WEIR_CUDA_SUCCESS;
}

/* --- Memory ----------------------------------------------------------------------------------------- */

static cuda_result memory_allocate(cuda_address *address, size_t bytes)
{
	uint64_t at = 0;
	weir_status status = weir_ptx_pages_allocate(memory, bytes, &at);

	*address = at;
	return explain(status);
}

static cuda_result memory_free(cuda_address address)
{
	return explain(weir_ptx_pages_free(memory, address));
}

static cuda_result memory_export(struct CUipcMemHandle_st *handle, cuda_address address)
{
	ptx_pages_name name;
	weir_status status = weir_ptx_pages_export(memory, address, &name);

	memset(handle, 0, sizeof *handle);
	if (status == WEIR_OK)
		memcpy(handle, &name, sizeof name);
	return explain(status);
}

static cuda_result memory_import(cuda_address *address, struct CUipcMemHandle_st handle,
                                 unsigned int flags)
{
	ptx_pages_name name;
	uint64_t at = 0;
	weir_status status;

	(void)flags;
	memcpy(&name, &handle, sizeof name);
	status = weir_ptx_pages_import(memory, &name, &at);
	*address = at;
	return explain(status);
}

static void expose(cuda_address address)
{
	weir_ptx_make_visible(memory, address);
}

static cuda_result memory_pin(void **pinned, size_t bytes, unsigned int flags)
{
	uint64_t at = 0;
	weir_status status =
	    weir_ptx_allocate(memory, bytes, WEIR_PTX_HOST_VISIBLE | WEIR_PTX_WRITTEN, &at);

	(void)flags;
	*pinned = (void *)(uintptr_t)at;
	return explain(status);
}

static cuda_result memory_unpin(void *pinned)
{
	return explain(weir_ptx_free(memory, (uintptr_t)pinned));
}

/* Copies are made at once, after the launches before them. */
static cuda_result memory_set(cuda_address to, unsigned char value, size_t bytes,
                              cuda_stream stream)
{
	weir_status status = weir_ptx_stream_synchronize(stream_of(stream));

	if (status == WEIR_OK)
		status = weir_ptx_mark_written(memory, to, bytes);
	if (status == WEIR_OK)
		memset((void *)(uintptr_t)to, value, bytes);
	return explain(status);
}

static cuda_result memory_write(cuda_address to, const void *from, size_t bytes, cuda_stream stream)
{
	weir_status status = weir_ptx_stream_synchronize(stream_of(stream));

	if (status == WEIR_OK && bytes)
		status = weir_ptx_mark_written(memory, to, bytes);
	if (status == WEIR_OK)
		memcpy((void *)(uintptr_t)to, from, bytes);
	return explain(status);
}

static cuda_result memory_read(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
	weir_status status = weir_ptx_stream_synchronize(stream_of(stream));
	weir_ptx_place place;

	if (status == WEIR_OK && bytes) {
		status = weir_ptx_place_find(memory, from, &place);
		if (status == WEIR_OK &&
		    (place.freed || bytes > place.bytes - (size_t)(from - place.start)))
			status =
			    weir_fail(WEIR_BAD_ARGUMENT,
			              "%zu bytes at %#llx are not in one allocation", bytes, from);
	}
	if (status == WEIR_OK)
		memcpy(to, (const void *)(uintptr_t)from, bytes);
	return explain(status);
}

/* --- Modules ---------------------------------------------------------------------------------------- */

static module_handle *module_of(cuda_module module)
{
	return (module_handle *)(void *)module;
}

static function_handle *function_of(cuda_function function)
{
	return (function_handle *)(void *)function;
}

static cuda_result module_load(cuda_module *module, const void *image, unsigned int count,
                               unsigned int *options, void **values)
{
	const char *text;
	size_t bytes;
	weir_ptx_module *loaded_module = NULL;
	module_handle *made;
	weir_status status = weir_ptx_image_text(image, &text, &bytes);

	(void)count;
	(void)options;
	(void)values;
	if (status == WEIR_OK)
		status = weir_ptx_module_load(&loaded_module, memory, text, bytes);
	if (status != WEIR_OK)
		return explain(status);
	count = weir_ptx_module_about(loaded_module).kernels;
	made = calloc(1, sizeof *made + count * sizeof *made->functions);
	if (!made) {
		weir_ptx_module_unload(loaded_module);
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	}
	made->module = loaded_module;
	made->kernels = count;
	for (unsigned i = 0; i < count; i++)
		made->functions[i] =
		    (function_handle){made, weir_ptx_module_kernel_at(loaded_module, i), 48 * 1024};
	*module = (cuda_module)(void *)made;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result module_unload(cuda_module module)
{
	weir_ptx_module_unload(module_of(module)->module);
	free(module_of(module));
	return WEIR_CUDA_SUCCESS;
}

static cuda_result module_function(cuda_function *function, cuda_module module, const char *name)
{
	module_handle *in = module_of(module);
	weir_ptx_kernel *kernel;

	if (weir_ptx_module_kernel(in->module, name, &kernel) != WEIR_OK)
		return WEIR_CUDA_ERROR_NOT_FOUND;
	for (unsigned i = 0; i < in->kernels; i++)
		if (in->functions[i].kernel == kernel)
			*function = (cuda_function)(void *)&in->functions[i];
	return WEIR_CUDA_SUCCESS;
}

static cuda_result module_functions(unsigned int *count, cuda_module module)
{
	*count = module_of(module)->kernels;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result module_list(cuda_function *functions, unsigned int count, cuda_module module)
{
	for (unsigned i = 0; i < count && i < module_of(module)->kernels; i++)
		functions[i] = (cuda_function)(void *)&module_of(module)->functions[i];
	return WEIR_CUDA_SUCCESS;
}

/* Declared as "kernel_name" in the PTX. */
static cuda_result function_name(const char **name, cuda_function function)
{
	weir_ptx_kernel_info info;
	weir_status status = weir_ptx_kernel_about(function_of(function)->kernel, &info);

	*name = status == WEIR_OK ? info.name : NULL;
	return explain(status);
}

static cuda_result function_module(cuda_module *module, cuda_function function)
{
	*module = (cuda_module)(void *)function_of(function)->module;
	return WEIR_CUDA_SUCCESS;
}

static cuda_result module_global(cuda_address *address, size_t *bytes, cuda_module module,
                                 const char *name)
{
	uint64_t at = 0;
	weir_status status = weir_ptx_module_variable(module_of(module)->module, name, &at, bytes);

	*address = at;
	return status == WEIR_OK ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_NOT_FOUND;
}

static cuda_result function_get(int *value, unsigned int attribute, cuda_function function)
{
	weir_ptx_kernel_info info;
	weir_status status = weir_ptx_kernel_about(function_of(function)->kernel, &info);

	*value = 0;
	if (status != WEIR_OK)
		return explain(status);
	switch (attribute) {
	case WEIR_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = info.max_threads ? (int)info.max_threads : 1024;
		break;
	case WEIR_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)info.shared_bytes;
		break;
	case WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = (int)function_of(function)->dynamic_shared;
		break;
	case WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
	case WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
	case WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
		*value = (int)info.required_cluster[attribute -
		                                    WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
		break;
	default:
		break;
	}
	return WEIR_CUDA_SUCCESS;
}

static cuda_result function_set(cuda_function function, unsigned int attribute, int value)
{
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
		function_of(function)->dynamic_shared = (size_t)value;
	return WEIR_CUDA_SUCCESS;
}

/* --- Launches --------------------------------------------------------------------------------------- */

#define WARP 32
#define MOST_REGISTERS 255    /* of a thread */
#define REGISTERS_AT_ONCE 256 /* a warp's registers are a multiple of this */

/* For how many warps there are registers. PTX does not say how many a thread has: the number is that of .maxnreg, or an
 * estimate under which one block can run, or the number that .minnctapersm asks for. */
static uint64_t warps_by_registers(const weir_ptx_kernel_info *info, uint64_t registers,
                                   uint64_t warps_of_block)
{
	uint64_t each = info->max_registers ? info->max_registers : info->registers;
	uint64_t warp, least = warps_of_block;

	each = each > MOST_REGISTERS ? MOST_REGISTERS : each ? each : 1;
	warp = (each * WARP + REGISTERS_AT_ONCE - 1) / REGISTERS_AT_ONCE * REGISTERS_AT_ONCE;
	if (info->max_registers)
		return registers / warp;
	if (info->least_blocks && info->max_threads)
		least = (info->max_threads + WARP - 1) / WARP * info->least_blocks;
	return registers / warp > least ? registers / warp : least;
}

static cuda_result occupancy(int *blocks, cuda_function function, int threads, size_t shared_bytes)
{
	const ptx_shape *shape = &shapes[current];
	uint64_t warps = ((uint64_t)threads + WARP - 1) / WARP, shared, most, by_registers;
	weir_ptx_kernel_info info;
	weir_status status = weir_ptx_kernel_about(function_of(function)->kernel, &info);

	*blocks = 0;
	if (status != WEIR_OK)
		return explain(status);
	most = shape->threads / (warps * WARP);
	by_registers = warps_by_registers(&info, shape->registers, warps) / warps;
	most = most < by_registers ? most : by_registers;
	/* A block takes a kibibyte more, as on GPUs. */
	shared = info.shared_bytes + shared_bytes + 1024;
	if (info.shared_bytes + shared_bytes && most > shape->shared * 1024 / shared)
		most = shape->shared * 1024 / shared;
	*blocks = (int)(most < shape->blocks ? most : shape->blocks);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result most_in_cluster(int *blocks, cuda_function function,
                                   const struct CUlaunchConfig_st *config)
{
	(void)function;
	(void)config;
	*blocks = 16;
	return WEIR_CUDA_SUCCESS;
}

static uint32_t product(const unsigned int *sizes)
{
	return sizes[0] * sizes[1] * sizes[2];
}

/* The blocks of a cluster are on any multiprocessors. */
static cuda_result resident(cuda_function function, const cuda_launch_config *config,
                            uint32_t *blocks)
{
	int here = 0;
	cuda_result result =
	    occupancy(&here, function, (int)product(config->block), config->shared_bytes);

	*blocks = (uint32_t)shapes[current].sms * (uint32_t)here;
	return result;
}

static const unsigned int *cluster_of(const cuda_launch_config *config)
{
	for (unsigned int i = 0; i < config->attribute_count; i++)
		if (config->attributes[i].id == WEIR_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			return config->attributes[i].value.cluster;
	return NULL;
}

static int is_cooperative(const cuda_launch_config *config)
{
	for (unsigned int i = 0; i < config->attribute_count; i++)
		if (config->attributes[i].id == WEIR_CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			return config->attributes[i].value.cooperative;
	return 0;
}

static cuda_result active_clusters(int *clusters, cuda_function function,
                                   const struct CUlaunchConfig_st *config)
{
	const cuda_launch_config *c = (const cuda_launch_config *)(const void *)config;
	const unsigned int *cluster = cluster_of(c);
	uint32_t blocks = 0;
	cuda_result result = resident(function, c, &blocks);

	*clusters = (int)(blocks / (cluster ? product(cluster) : 1));
	return result;
}

static void print(void *context, const char *text, size_t bytes)
{
	(void)context;
	fwrite(text, 1, bytes, stdout);
}

/* The files of the traces, by device; the process's end closes them. */
static FILE *traces[WEIR_CUDA_MOST_DEVICES];

static weir_status open_trace(const ptx_shape *shape, FILE **file)
{
	size_t at = (size_t)(shape - shapes);
	weir_status status = WEIR_OK;

	pthread_mutex_lock(&shapes_lock);
	if (*shape->trace && !traces[at])
		traces[at] = fopen(shape->trace, "w");
	if (*shape->trace && !traces[at])
		status = weir_fail(WEIR_NO_DEVICE, "the trace %s cannot be written", shape->trace);
	*file = traces[at];
	pthread_mutex_unlock(&shapes_lock);
	return status;
}

static void trace(void *file, const char *text, size_t bytes)
{
	if (bytes)
		fwrite(text, 1, bytes, file);
	else
		fflush(file);
}

/* The block of parameters, to be freed. */
static weir_status gather(const weir_ptx_kernel *kernel, const weir_ptx_kernel_info *info,
                          void **parameters, void **gathered)
{
	char *block = calloc(1, info->param_bytes + 1);
	weir_status status = block ? WEIR_OK : weir_fail(WEIR_NO_MEMORY, "no memory for arguments");

	for (unsigned i = 0; i < info->params && status == WEIR_OK; i++) {
		size_t offset, bytes;

		if (!parameters[i])
			status = weir_fail(WEIR_BAD_ARGUMENT,
			                   "kernel %s has %u parameters: the "
			                   "launch has %u",
			                   info->name, info->params, i);
		else
			status = weir_ptx_kernel_param(kernel, i, &offset, &bytes);
		if (status == WEIR_OK)
			memcpy(block + offset, parameters[i], bytes);
	}
	*gathered = block;
	return status;
}

/* Counts the process's launches. Relaxed: the numbers only have to differ. */
static uint64_t next_number(void)
{
	static uint64_t launches;

	return __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
}

/* Launches of one device have different schedules, so that a launch that is repeated shows more. */
static uint64_t next_seed(void)
{
	static uint64_t launches[WEIR_CUDA_MOST_DEVICES];
	uint64_t seed = shapes[current].seed, before;

	before = __atomic_fetch_add(&launches[current], 1, __ATOMIC_RELAXED);
	if (!seed)
		return 0; /* blocks one after another */
	seed += before << 32;
	return seed ? seed : 1;
}

static weir_status set_up(function_handle *function, const cuda_launch_config *config,
                          uint32_t blocks, void **parameters, weir_ptx_machine **machine)
{
	const ptx_shape *shape = &shapes[current];
	const unsigned int *cluster = cluster_of(config);
	weir_ptx_launch launch = {.dynamic_shared = config->shared_bytes,
	                          .resident = blocks,
	                          .units = (unsigned)shape->sms,
	                          .number = next_number(),
	                          .cooperative = is_cooperative(config),
	                          .stamped = stamped,
	                          .seed = next_seed(),
	                          .budget = shape->budget,
	                          .stop = weir_ptx_stream_stops(stream_of(config->stream)),
	                          .print = print};
	weir_ptx_kernel_info info;
	void *block = NULL;
	FILE *file = NULL;
	weir_status status = weir_ptx_kernel_about(function->kernel, &info);

	if (status == WEIR_OK)
		status = open_trace(shape, &file);
	launch.trace = file ? trace : NULL;
	launch.trace_context = file;
	if (status == WEIR_OK)
		status = gather(function->kernel, &info, parameters, &block);
	if (status == WEIR_OK) {
		memcpy(launch.grid, config->grid, sizeof launch.grid);
		memcpy(launch.block, config->block, sizeof launch.block);
		if (cluster)
			memcpy(launch.cluster, cluster, sizeof launch.cluster);
		launch.params = block;
		status = weir_ptx_machine_create(machine, function->kernel, &launch);
	}
	free(block);
	return status;
}

static cuda_result start(const cuda_launch_config *config, cuda_function function,
                         void **parameters)
{
	uint32_t blocks = 0;
	weir_ptx_machine *machine;
	weir_status status;
	cuda_result result;

	if (!weir_ptx_stream_is(config->stream))
		return explain(
		    weir_fail(WEIR_BAD_ARGUMENT, "the ptx device has no streams but its own"));
	result = resident(function, config, &blocks);
	if (result)
		return result;
	if (!blocks)
		return explain(weir_fail(WEIR_BAD_ARGUMENT,
		                         "a block of %u threads, with its registers and shared "
		                         "memory, is too much for a multiprocessor",
		                         product(config->block)));
	if (is_cooperative(config) && product(config->grid) > blocks)
		return explain(weir_fail(WEIR_TOO_MANY_BLOCKS,
		                         "a cooperative grid of %u blocks: %u run at once",
		                         product(config->grid), blocks));
	status = set_up(function_of(function), config, blocks, parameters, &machine);
	if (status == WEIR_OK)
		status = weir_ptx_stream_launch(stream_of(config->stream), machine,
		                                (unsigned)shapes[current].check);
	return explain(status);
}

static cuda_result launch_with(const struct CUlaunchConfig_st *config, cuda_function function,
                               void **parameters, void **extra)
{
	(void)extra;
	return start((const cuda_launch_config *)(const void *)config, function, parameters);
}

static cuda_result launch(cuda_function function, unsigned int grid_x, unsigned int grid_y,
                          unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                          unsigned int block_z, unsigned int shared_bytes, cuda_stream stream,
                          void **parameters, void **extra)
{
	const cuda_launch_config config = {.grid = {grid_x, grid_y, grid_z},
	                                   .block = {block_x, block_y, block_z},
	                                   .shared_bytes = shared_bytes,
	                                   .stream = stream};

	(void)extra;
	return start(&config, function, parameters);
}

static cuda_result launch_cooperative(cuda_function function, unsigned int grid_x,
                                      unsigned int grid_y, unsigned int grid_z,
                                      unsigned int block_x, unsigned int block_y,
                                      unsigned int block_z, unsigned int shared_bytes,
                                      cuda_stream stream, void **parameters)
{
	cuda_launch_attribute attribute = {.id = WEIR_CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
	                                   .value.cooperative = 1};
	const cuda_launch_config config = {.grid = {grid_x, grid_y, grid_z},
	                                   .block = {block_x, block_y, block_z},
	                                   .shared_bytes = shared_bytes,
	                                   .stream = stream,
	                                   .attributes = &attribute,
	                                   .attribute_count = 1};

	return start(&config, function, parameters);
}

static const void *ptx_image(const weir_program_text *text)
{
	return text->cuda_image;
}

weir_cuda_driver weir_ptx_driver = {
    .machine = WEIR_MACHINE_PTX,
    .prefix = "ptx",
    .api = "PTX",
    .vendor = "PTX",
    .software = "interpreter",
    .load = load_once,
    .image = ptx_image,
    .name = name_device,
    .expose = expose,
    .stop = stop,
    .explain = explained,
    .calls =
	{
	    .driver_version = driver_version,
	    .error_name = error_name,
	    .error_string = error_name,
	    .device_name = device_name,
	    .device_attribute = device_attribute,
	    .context_retain = context_retain,
	    .context_release = context_release,
	    .context_push = context_push,
	    .context_pop = context_pop,
	    .peer_enable = peer_enable,
	    .stream_create = stream_create,
	    .stream_destroy = stream_destroy,
	    .stream_query = stream_query,
	    .stream_synchronize = stream_synchronize,
	    .event_create = event_create,
	    .event_destroy = event_destroy,
	    .event_record = event_record,
	    .event_elapsed = event_elapsed,
	    .memory_allocate = memory_allocate,
	    .memory_free = memory_free,
	    .memory_export = memory_export,
	    .memory_import = memory_import,
	    .memory_drop = memory_free,
	    .memory_pin = memory_pin,
	    .memory_unpin = memory_unpin,
	    .memory_set = memory_set,
	    .memory_write = memory_write,
	    .memory_read = memory_read,
	    .module_load = module_load,
	    .module_unload = module_unload,
	    .module_function = module_function,
	    .module_functions = module_functions,
	    .module_list = module_list,
	    .module_global = module_global,
	    .function_name = function_name,
	    .function_module = function_module,
	    .function_get = function_get,
	    .function_set = function_set,
	    .occupancy = occupancy,
	    .most_in_cluster = most_in_cluster,
	    .active_clusters = active_clusters,
	    .launch = launch,
	    .launch_cooperative = launch_cooperative,
	    .launch_with = launch_with,
	},
};
