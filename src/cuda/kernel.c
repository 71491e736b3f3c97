/* The cuda, hip and ptx backends: programs, residency, launches and waiting. */
#define _POSIX_C_SOURCE 200809L

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/version.h"
#include "cuda/state.h"

/* Joins the lines of a compiler's log into one. */
static void join_lines(char *log)
{
	size_t length = strlen(log);

	while (length && (log[length - 1] == '\n' || log[length - 1] == ' '))
		log[--length] = '\0';
	for (char *c = log; *c; c++)
		if (*c == '\n')
			*c = ' ';
}

/* The name of weir_kernels_series_<0>, of weir/machine/cuda.h and hip.h. Its size is the series. */
#define SERIES_NAME "_Z20weir_kernels_series_ILi0EE"

/* 0 for a module that does not say, and where the driver cannot tell. */
static uint32_t series_of(const cuda_state *cuda, cuda_module module)
{
	cuda_address address;
	size_t bytes = 0;

	if (!cuda->calls->module_global ||
	    cuda->calls->module_global(&address, &bytes, module, SERIES_NAME) != WEIR_CUDA_SUCCESS)
		return 0;
	return (uint32_t)bytes;
}

/* Unloads the module again if its headers do not fit. */
static weir_status check_module(cuda_state *cuda, cuda_module module)
{
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	status = weir_version_check_kernel(series_of(cuda, module));
	if (status != WEIR_OK)
		weir_cuda_discard(cuda, (cuda_leftover){.module = module});
	weir_cuda_leave(cuda);
	return status;
}

weir_status weir_cuda_program_load(void *state, const weir_program_text *text, void **module)
{
	cuda_state *cuda = state;
	const void *image = cuda->driver->image(text);
	char log[768] = "";
	unsigned int options[2] = {WEIR_CU_JIT_ERROR_LOG_BUFFER,
	                           WEIR_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	/* The driver reads the size out of the pointer itself. */
	void *values[2] = {log, (void *)(uintptr_t)(sizeof log - 1)};
	cuda_module loaded = NULL;
	cuda_result result;
	weir_status status;

	if (!image)
		return weir_fail(WEIR_UNSUPPORTED, "the program has no image for %s devices",
		                 cuda->driver->api);
	status = weir_cuda_enter_to_wait(cuda);
	if (status != WEIR_OK)
		return status;
	result = cuda->calls->module_load(&loaded, image, 2, options, values);
	weir_cuda_leave(cuda);
	if (result) {
		char doing[800];

		join_lines(log);
		snprintf(doing, sizeof doing, "loading a %s program%s%s", cuda->driver->api,
		         *log ? ": " : "", log);
		return weir_cuda_fail(cuda->driver, result, doing);
	}
	*module = loaded;
	return check_module(cuda, loaded);
}

/* The names as the driver has them: of C++ unless they were declared as extern "C". */
static weir_status fail_no_kernel(cuda_state *cuda, cuda_module module, const char *name)
{
	const weir_cuda_api *calls = cuda->calls;
	weir_kernel_list list = {""};
	cuda_function functions[64];
	unsigned int count = 0;
	int listed = calls->module_functions && calls->module_list && calls->function_name &&
	             weir_cuda_enter(cuda) == WEIR_OK;

	if (!listed)
		return weir_fail_no_kernel(name, NULL);
	listed = calls->module_functions(&count, module) == WEIR_CUDA_SUCCESS;
	if (count > sizeof functions / sizeof *functions)
		count = sizeof functions / sizeof *functions;
	if (listed && count > 0)
		listed = calls->module_list(functions, count, module) == WEIR_CUDA_SUCCESS;
	for (unsigned int i = 0; listed && i < count; i++) {
		const char *one = NULL;
		if (calls->function_name(&one, functions[i]) == WEIR_CUDA_SUCCESS && one)
			weir_kernel_list_add(&list, one);
	}
	weir_cuda_leave(cuda);
	return weir_fail_no_kernel(name, listed ? &list : NULL);
}

weir_status weir_cuda_program_kernel(void *state, void *module, const char *name,
                                     weir_kernel *kernel)
{
	cuda_state *cuda = state;
	cuda_function function = NULL;
	cuda_result result;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->module_function(&function, module, name);
	weir_cuda_leave(cuda);
	if (result == WEIR_CUDA_ERROR_NOT_FOUND)
		return fail_no_kernel(cuda, module, name);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "looking for a kernel");
	kernel->native = function;
	return WEIR_OK;
}

void weir_cuda_program_unload(void *state, void *module)
{
	cuda_state *cuda = state;

	if (weir_cuda_enter(cuda) != WEIR_OK)
		return;
	weir_cuda_discard(cuda, (cuda_leftover){.module = module});
	weir_cuda_leave(cuda);
}

/* The name of weir_kernels_have_<primitive, kind>, of weir/machine/cuda.h. */
#define KIND_NAME "_Z18weir_kernels_have_ILi%uELi%uEE"

static uint32_t listed_in(const cuda_state *cuda, cuda_module module, uint32_t fault,
                          uint32_t kinds)
{
	uint32_t found = 0;

	for (uint32_t kind = 0; kind < 32; kind++) {
		char name[sizeof KIND_NAME + 20];
		cuda_address address;
		size_t bytes;

		if (!(kinds >> kind & 1))
			continue;
		snprintf(name, sizeof name, KIND_NAME, fault, kind);
		if (cuda->calls->module_global(&address, &bytes, module, name) == WEIR_CUDA_SUCCESS)
			found |= 1u << kind;
	}
	return found;
}

/* A driver that lacks the functions finds nothing. Then the kernel may have any kinds. */
uint32_t weir_cuda_listed(void *state, weir_kernel kernel, uint32_t fault, uint32_t kinds)
{
	cuda_state *cuda = state;
	cuda_module module = NULL;
	uint32_t found = 0;

	if (!cuda->calls->function_module || !cuda->calls->module_global ||
	    weir_cuda_enter(cuda) != WEIR_OK)
		return 0;
	if (cuda->calls->function_module(&module, kernel.native) == WEIR_CUDA_SUCCESS)
		found = listed_in(cuda, module, fault, kinds);
	weir_cuda_leave(cuda);
	return found;
}

uint32_t weir_cuda_series(void *state, weir_kernel kernel)
{
	cuda_state *cuda = state;
	cuda_module module = NULL;
	uint32_t series = 0;

	if (!cuda->calls->function_module || weir_cuda_enter(cuda) != WEIR_OK)
		return 0;
	if (cuda->calls->function_module(&module, kernel.native) == WEIR_CUDA_SUCCESS)
		series = series_of(cuda, module);
	weir_cuda_leave(cuda);
	return series;
}

static int function_attribute(const cuda_state *cuda, cuda_function function, unsigned int which)
{
	int value = 0;
	cuda->calls->function_get(&value, which, function);
	return value;
}

/* More dynamic shared memory than the default of 48 KiB must be asked for, kernel by kernel. */
static weir_status allow_shared(cuda_state *cuda, cuda_function function, size_t bytes)
{
	size_t fixed =
	    (size_t)function_attribute(cuda, function, WEIR_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
	cuda_result result = WEIR_CUDA_SUCCESS;

	if (bytes + fixed > cuda->most_shared || bytes > cuda->most_shared)
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "%zu bytes of shared memory: the device has %u a block, of which the "
		    "kernel takes %zu",
		    bytes, cuda->most_shared, fixed);
	pthread_mutex_lock(&cuda->lock);
	/* Raised only: another thread may have asked for more and be about to launch. */
	if ((int)bytes > function_attribute(cuda, function,
	                                    WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES))
		result = cuda->calls->function_set(
		    function, WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
	pthread_mutex_unlock(&cuda->lock);
	return result ? weir_cuda_fail(cuda->driver, result, "asking for shared memory") : WEIR_OK;
}

/* WEIR_BAD_ARGUMENT for a block that could never be launched. The driver would answer 0 blocks for
 * some of these, and the caller would not know why. */
static weir_status check_block(cuda_state *cuda, cuda_function function, uint32_t threads,
                               size_t shared_bytes)
{
	int most = 0;
	cuda_result result = cuda->calls->function_get(
	    &most, WEIR_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);

	if (result)
		return weir_cuda_fail(cuda->driver, result, "asking a kernel for its limits");
	if (threads > cuda->max_threads)
		return weir_fail(WEIR_BAD_ARGUMENT, "%u threads a block: the device allows %u",
		                 threads, cuda->max_threads);
	if (threads > (uint32_t)most)
		return weir_fail(WEIR_BAD_ARGUMENT, "%u threads a block: the kernel allows %d",
		                 threads, most);
	return allow_shared(cuda, function, shared_bytes);
}

/* A launch with clusters, in the driver's form. */
typedef struct cluster_launch {
	cuda_launch_attribute attributes[2];
	cuda_launch_config config;
} cluster_launch;

static const struct CUlaunchConfig_st *describe_clusters(const weir_checked_launch *launch,
                                                         cuda_stream stream, cluster_launch *made)
{
	cuda_launch_config *config = &made->config;

	memset(made, 0, sizeof *made);
	made->attributes[0].id = WEIR_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
	memcpy(made->attributes[0].value.cluster, launch->cluster, sizeof launch->cluster);
	made->attributes[1].id = WEIR_CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
	made->attributes[1].value.cooperative = 1;
	memcpy(config->grid, launch->grid, sizeof launch->grid);
	memcpy(config->block, launch->block, sizeof launch->block);
	config->shared_bytes = (unsigned int)launch->asked->shared_bytes;
	config->stream = stream;
	config->attributes = made->attributes;
	config->attribute_count = launch->cooperative ? 2 : 1;
	return (const struct CUlaunchConfig_st *)config;
}

/* Clusters larger than those that every device runs must be allowed, kernel by kernel. */
static cuda_result allow_large_clusters(cuda_state *cuda, cuda_function function)
{
	cuda_result result;

	pthread_mutex_lock(&cuda->lock);
	result = cuda->calls->function_set(
	    function, WEIR_CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
	pthread_mutex_unlock(&cuda->lock);
	return result;
}

static weir_status count_clusters(cuda_state *cuda, const weir_checked_launch *launch,
                                  uint32_t *clusters)
{
	cuda_function function = launch->asked->kernel.native;
	cluster_launch made;
	const struct CUlaunchConfig_st *config = describe_clusters(launch, cuda->stream, &made);
	cuda_result result = WEIR_CUDA_SUCCESS;
	int most = 0;
	int count = 0;

	if (launch->cluster_blocks > WEIR_CUDA_PORTABLE_CLUSTER)
		result = allow_large_clusters(cuda, function);
	if (!result)
		result = cuda->calls->most_in_cluster(&most, function, config);
	if (!result && launch->cluster_blocks > (uint32_t)most)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "clusters of %u blocks: the device has up to %d of this kernel",
		                 launch->cluster_blocks, most);
	if (!result)
		result = cuda->calls->active_clusters(&count, function, config);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "counting resident clusters");
	*clusters = (uint32_t)count;
	return WEIR_OK;
}

weir_status weir_cuda_clusters(void *state, const weir_checked_launch *launch, uint32_t *clusters)
{
	cuda_state *cuda = state;
	weir_status status;

	if (!cuda->can_cluster)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "the device, or its driver, has no thread block clusters");
	status = weir_cuda_enter(cuda);
	if (status != WEIR_OK)
		return status;
	status = check_block(cuda, launch->asked->kernel.native, launch->threads,
	                     launch->asked->shared_bytes);
	if (status == WEIR_OK)
		status = count_clusters(cuda, launch, clusters);
	weir_cuda_leave(cuda);
	return status;
}

/* The cluster that the kernel was compiled for (__cluster_dims__), as the only one of a launch;
 * cluster_blocks is 0 when it was compiled for none. */
static weir_checked_launch compiled_cluster(const cuda_state *cuda, const weir_launch *asked,
                                            uint32_t threads)
{
	cuda_function function = asked->kernel.native;
	weir_checked_launch one = {.asked = asked, .block = {threads, 1, 1}, .threads = threads};

	for (unsigned int i = 0; i < 3; i++)
		one.cluster[i] = (uint32_t)function_attribute(
		    cuda, function, WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH + i);
	memcpy(one.grid, one.cluster, sizeof one.grid);
	one.cluster_blocks = one.cluster[0] * one.cluster[1] * one.cluster[2];
	one.blocks = one.cluster_blocks;
	return one;
}

static weir_status count_blocks(cuda_state *cuda, const weir_launch *asked, uint32_t threads,
                                uint32_t *blocks)
{
	weir_checked_launch one = compiled_cluster(cuda, asked, threads);
	uint32_t clusters = 0;
	int per_unit = 0;

	if (cuda->can_cluster && one.cluster_blocks > 1) {
		weir_status status = count_clusters(cuda, &one, &clusters);

		*blocks = clusters * one.cluster_blocks;
		return status;
	}
	cuda_result result = cuda->calls->occupancy(&per_unit, asked->kernel.native, (int)threads,
	                                            asked->shared_bytes);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "counting resident blocks");
	*blocks = cuda->units * (uint32_t)per_unit;
	return WEIR_OK;
}

weir_status weir_cuda_resident(void *state, weir_kernel kernel, uint32_t threads,
                               size_t shared_bytes, uint32_t *blocks)
{
	cuda_state *cuda = state;
	weir_launch asked = {.kernel = kernel, .shared_bytes = shared_bytes};
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	status = check_block(cuda, kernel.native, threads, shared_bytes);
	if (status == WEIR_OK)
		status = count_blocks(cuda, &asked, threads, blocks);
	weir_cuda_leave(cuda);
	return status;
}

static cuda_result start(const cuda_state *cuda, const weir_checked_launch *launch,
                         cuda_stream stream, void **parameters)
{
	const weir_launch *asked = launch->asked;
	const uint32_t *grid = launch->grid;
	const uint32_t *block = launch->block;
	unsigned int shared = (unsigned int)asked->shared_bytes;
	cluster_launch made;

	if (launch->cluster_blocks > 1)
		return cuda->calls->launch_with(describe_clusters(launch, stream, &made),
		                                asked->kernel.native, parameters, NULL);
	if (launch->cooperative)
		return cuda->calls->launch_cooperative(asked->kernel.native, grid[0], grid[1],
		                                       grid[2], block[0], block[1], block[2],
		                                       shared, stream, parameters);
	return cuda->calls->launch(asked->kernel.native, grid[0], grid[1], grid[2], block[0],
	                           block[1], block[2], shared, stream, parameters, NULL);
}

/* Launches between two events. The lock keeps another thread's launch from coming between them. */
static cuda_result start_timed(cuda_state *cuda, const weir_checked_launch *launch,
                               void **parameters)
{
	cuda_result result;

	pthread_mutex_lock(&cuda->lock);
	cuda->timed = 0;
	result = cuda->calls->event_record(cuda->start, cuda->stream);
	if (!result)
		result = start(cuda, launch, cuda->stream, parameters);
	if (!result)
		result = cuda->calls->event_record(cuda->stop, cuda->stream);
	cuda->timed = !result;
	pthread_mutex_unlock(&cuda->lock);
	return result;
}

static void **parameters_of(const weir_launch *asked)
{
	/* One more, since an allocation of nothing may be NULL. */
	void **parameters = calloc((size_t)asked->argument_count + 1, sizeof *parameters);

	for (uint32_t i = 0; parameters && i < asked->argument_count; i++)
		parameters[i] = (void *)(uintptr_t)asked->arguments[i].value;
	return parameters;
}

static void note_launch(cuda_state *cuda, cuda_function function)
{
	pthread_mutex_lock(&cuda->lock);
	if (cuda->orders && cuda->calls->stream_query(cuda->stream) != WEIR_CUDA_ERROR_NOT_READY)
		weir_cuda_withdraw_orders(cuda);
	weir_cuda_note_launch(cuda, function);
	pthread_mutex_unlock(&cuda->lock);
}

weir_status weir_cuda_launch(void *state, const weir_checked_launch *launch)
{
	cuda_state *cuda = state;
	const weir_launch *asked = launch->asked;
	cuda_result result = WEIR_CUDA_SUCCESS;
	weir_status status;
	void **parameters;

	if (launch->cooperative && !cuda->can_cooperate)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "the device, or its driver, has no cooperative launch");
	for (uint32_t i = 0; i < asked->argument_count; i++)
		if (!asked->arguments[i].value)
			return weir_fail(WEIR_BAD_ARGUMENT, "argument %u of the kernel is NULL", i);
	parameters = parameters_of(asked);
	if (!parameters)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %u arguments",
		                 asked->argument_count);

	status = weir_cuda_enter(cuda);
	if (status == WEIR_OK) {
		status =
		    check_block(cuda, asked->kernel.native, launch->threads, asked->shared_bytes);
		if (status == WEIR_OK) {
			note_launch(cuda, asked->kernel.native);
			result = asked->stream ? start(cuda, launch, asked->stream, parameters)
			                       : start_timed(cuda, launch, parameters);
		}
		weir_cuda_leave(cuda);
	}
	free(parameters);
	return result ? weir_cuda_fail(cuda->driver, result, "launching a kernel") : status;
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Yields at first, so that the end of a short kernel is seen soon. Then sleeps for an eighth of the
 * time waited so far, up to a millisecond. */
static void relax(uint64_t waited_ns, uint64_t left_ns)
{
	struct timespec pause = {0, 0};
	uint64_t ns = waited_ns / 8;

	if (waited_ns < 100000) {
		sched_yield();
		return;
	}
	if (ns > 1000000)
		ns = 1000000;
	if (ns > left_ns)
		ns = left_ns;
	pause.tv_nsec = (long)ns;
	nanosleep(&pause, NULL);
}

static cuda_result poll_stream(cuda_state *cuda, uint64_t timeout_ns)
{
	uint64_t begin = now_ns();

	for (;;) {
		cuda_result result = cuda->calls->stream_query(cuda->stream);
		uint64_t waited = now_ns() - begin;

		if (result != WEIR_CUDA_ERROR_NOT_READY)
			return result;
		if (timeout_ns && waited >= timeout_ns)
			return result;
		relax(waited, timeout_ns ? timeout_ns - waited : UINT64_MAX);
	}
}

static cuda_result elapsed(cuda_state *cuda, double *elapsed_ms)
{
	float ms = 0;
	cuda_result result = WEIR_CUDA_SUCCESS;

	pthread_mutex_lock(&cuda->lock);
	if (cuda->timed)
		result = cuda->calls->event_elapsed(&ms, cuda->start, cuda->stop);
	pthread_mutex_unlock(&cuda->lock);
	if (result == WEIR_CUDA_ERROR_NOT_READY) {
		/* Another thread has launched since then: the last launch still runs. */
		ms = 0;
		result = WEIR_CUDA_SUCCESS;
	}
	*elapsed_ms = ms;
	return result;
}

weir_status weir_cuda_wait(void *state, uint64_t timeout_ns, double *elapsed_ms)
{
	cuda_state *cuda = state;
	cuda_result result;
	int aborted = 0;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	result = poll_stream(cuda, timeout_ns);
	pthread_mutex_lock(&cuda->lock);
	cuda->overdue = result == WEIR_CUDA_ERROR_NOT_READY;
	if (!result) {
		weir_cuda_withdraw_orders(cuda);
		weir_cuda_forget_launches(cuda);
		aborted = cuda->aborted;
		cuda->aborted = 0;
	}
	pthread_mutex_unlock(&cuda->lock);
	if (!result && elapsed_ms)
		result = elapsed(cuda, elapsed_ms);
	weir_cuda_leave(cuda);
	if (result == WEIR_CUDA_ERROR_NOT_READY)
		return weir_fail(WEIR_TIMED_OUT, "the kernel still runs after %llu ms",
		                 (unsigned long long)(timeout_ns / 1000000));
	if (result)
		return weir_cuda_fail(cuda->driver, result, "waiting for the device");
	return aborted ? weir_fail(WEIR_ABORTED, "weir_device_abort ended the kernel's waits")
	               : WEIR_OK;
}
