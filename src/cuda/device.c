/* The cuda, hip and ptx backends: devices and their memory. Kernels are in kernel.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "cuda/state.h"

weir_status weir_cuda_enter(cuda_state *cuda)
{
	cuda_result result = cuda->calls->context_push(cuda->context);
	return result ? weir_cuda_fail(cuda->driver, result, "making the context current")
	              : WEIR_OK;
}

void weir_cuda_leave(const cuda_state *cuda)
{
	cuda_context ours;
	cuda->calls->context_pop(&ours);
}

static int is_running(cuda_state *cuda)
{
	return cuda->calls->stream_query(cuda->stream) == WEIR_CUDA_ERROR_NOT_READY;
}

weir_status weir_cuda_enter_to_wait(cuda_state *cuda)
{
	int overdue;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&cuda->lock);
	if (cuda->overdue && !is_running(cuda))
		cuda->overdue = 0;
	overdue = cuda->overdue;
	pthread_mutex_unlock(&cuda->lock);
	if (!overdue)
		return WEIR_OK;
	weir_cuda_leave(cuda);
	return weir_fail(WEIR_BUSY, "the kernel whose wait timed out still runs");
}

static cuda_result free_given(const cuda_state *cuda, const cuda_leftover *given)
{
	if (given->module)
		return cuda->calls->module_unload(given->module);
	return given->pinned ? cuda->calls->memory_unpin(given->pinned)
	                     : cuda->calls->memory_free(given->memory);
}

/* Called with the lock held, or by close, which may have to leave what is on the device. */
static void free_leftovers(cuda_state *cuda, int on_device)
{
	while (cuda->leftovers) {
		cuda_leftover *first = cuda->leftovers;
		cuda->leftovers = first->next;
		if (on_device)
			free_given(cuda, first);
		free(first);
	}
}

weir_status weir_cuda_discard(cuda_state *cuda, cuda_leftover given)
{
	cuda_leftover *leftover;
	cuda_result result = WEIR_CUDA_SUCCESS;

	pthread_mutex_lock(&cuda->lock);
	if (!is_running(cuda)) {
		free_leftovers(cuda, 1);
		if (given.module)
			weir_cuda_forget_launches(cuda);
		result = free_given(cuda, &given);
	} else {
		leftover = malloc(sizeof *leftover);
		if (leftover) { /* else it stays until the context goes */
			*leftover = given;
			leftover->next = cuda->leftovers;
			cuda->leftovers = leftover;
		}
	}
	pthread_mutex_unlock(&cuda->lock);
	return result ? weir_cuda_fail(cuda->driver, result, "freeing memory") : WEIR_OK;
}

/* 0 for an attribute that this driver does not know. */
static uint32_t attribute(const weir_cuda_driver *driver, cuda_device device, unsigned int which)
{
	int value = 0;
	if (driver->calls.device_attribute(&value, which, device) != WEIR_CUDA_SUCCESS || value < 0)
		return 0;
	return (uint32_t)value;
}

static uint32_t blocks_per_unit(const weir_cuda_driver *driver, cuda_device device)
{
	uint32_t most =
	    attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
	return most ? most : 32; /* the most of any device; drivers before 11.0 do not say */
}

static int can_cluster(const weir_cuda_driver *driver, cuda_device device)
{
	const weir_cuda_api *calls = &driver->calls;

	return calls->launch_with && calls->most_in_cluster && calls->active_clusters &&
	       attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0;
}

static void describe(const weir_cuda_driver *driver, uint32_t index, weir_device_info *info)
{
	cuda_device device = driver->devices[index];
	uint32_t blocks = blocks_per_unit(driver, device);
	uint32_t threads =
	    attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
	char name[sizeof info->description];
	int version = 0;

	memset(info, 0, sizeof *info);
	info->machine = driver->machine;
	info->is_gpu = driver->machine != WEIR_MACHINE_PTX;
	if (driver->name)
		driver->name(device, info->name, sizeof info->name);
	else
		snprintf(info->name, sizeof info->name, "%s:%u", driver->prefix, index);
	if (driver->calls.device_name(name, sizeof name, device))
		snprintf(name, sizeof name, "%s device %u", driver->vendor, index);
	weir_copy_name(info->description, sizeof info->description, name);
	driver->calls.driver_version(&version);
	snprintf(info->driver, sizeof info->driver, "%s %d.%d", driver->api, version / 1000,
	         version % 1000 / 10);
	info->units = attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	info->max_threads_per_block =
	    attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	info->resident_blocks_at_128 =
	    info->units * (threads / 128 < blocks ? threads / 128 : blocks);
	info->l2_bytes = attribute(driver, device, WEIR_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
	info->cluster_blocks = can_cluster(driver, device) ? WEIR_CUDA_PORTABLE_CLUSTER : 0;
}

static const char *list_devices(const weir_cuda_driver *driver, weir_device_info *infos,
                                size_t room, size_t *count)
{
	const char *absence = driver->load();

	*count = *absence ? 0 : driver->device_count;
	for (uint32_t i = 0; i < *count && i < room; i++)
		describe(driver, i, &infos[i]);
	return absence;
}

static void destroy_stream(cuda_state *cuda)
{
	if (cuda->start)
		cuda->calls->event_destroy(cuda->start);
	if (cuda->stop)
		cuda->calls->event_destroy(cuda->stop);
	if (cuda->beside)
		cuda->calls->stream_destroy(cuda->beside);
	if (cuda->stream)
		cuda->calls->stream_destroy(cuda->stream);
}

/* A context that a trap has broken answers with errors, and frees everything all the same. While a
 * kernel runs that cannot be stopped, everything on the device is left: destroying it might wait for
 * the kernel. */
static void cuda_close(void *state)
{
	cuda_state *cuda = state;
	int current =
	    cuda->context && cuda->calls->context_push(cuda->context) == WEIR_CUDA_SUCCESS;
	int running = current && cuda->stream && is_running(cuda);

	if (running && cuda->driver->stop) {
		cuda->driver->stop(cuda->stream);
		cuda->calls->stream_synchronize(cuda->stream);
		running = 0;
	}
	free_leftovers(cuda, current && !running);
	if (current && !running)
		destroy_stream(cuda);
	if (current)
		weir_cuda_leave(cuda);
	if (cuda->context && !running)
		cuda->calls->context_release(cuda->device);
	pthread_mutex_destroy(&cuda->lock);
	free(cuda);
}

/* Asks with the context current: it may have a part of the multiprocessors only, as under MPS with
 * CUDA_MPS_ACTIVE_THREAD_PERCENTAGE. */
static weir_status describe_context(cuda_state *cuda, uint32_t index, weir_device_info *info)
{
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	describe(cuda->driver, index, info);
	weir_cuda_leave(cuda);
	cuda->units = info->units;
	cuda->max_threads = info->max_threads_per_block;
	cuda->most_blocks = info->units * blocks_per_unit(cuda->driver, cuda->device);
	cuda->most_shared = attribute(cuda->driver, cuda->device,
	                              WEIR_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
	cuda->can_cooperate =
	    cuda->calls->launch_cooperative &&
	    attribute(cuda->driver, cuda->device, WEIR_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
	cuda->can_cluster = info->cluster_blocks != 0;
	cuda->has_host_atomics =
	    attribute(cuda->driver, cuda->device,
	              WEIR_CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) != 0;
	return WEIR_OK;
}

static weir_status make_stream(cuda_state *cuda)
{
	weir_status status = weir_cuda_enter(cuda);
	cuda_result result;

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->stream_create(&cuda->stream, WEIR_CU_STREAM_NON_BLOCKING);
	if (!result)
		result = cuda->calls->event_create(&cuda->start, WEIR_CU_EVENT_DEFAULT);
	if (!result)
		result = cuda->calls->event_create(&cuda->stop, WEIR_CU_EVENT_DEFAULT);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "making a stream") : WEIR_OK;
}

static weir_status open_device(const weir_cuda_driver *driver, uint32_t index, void **state,
                               weir_device_info *info)
{
	const char *absence = driver->load();
	cuda_state *cuda;
	cuda_result result;
	weir_status status;

	if (*absence)
		return weir_fail(WEIR_NO_DEVICE, "%s", absence);
	/* Only one of the ptx devices is listed: the others have parameters. */
	if (index >= driver->device_count && driver->machine != WEIR_MACHINE_PTX)
		return weir_fail(WEIR_NO_DEVICE, "there is no %s device %u", driver->api, index);
	cuda = calloc(1, sizeof *cuda);
	if (!cuda)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a device");
	pthread_mutex_init(&cuda->lock, NULL);
	cuda->driver = driver;
	cuda->calls = &driver->calls;
	cuda->device = driver->devices[index];
	result = cuda->calls->context_retain(&cuda->context, cuda->device);
	if (result) {
		cuda->context = NULL;
		status = weir_cuda_fail(cuda->driver, result, "retaining the primary context");
	} else {
		status = describe_context(cuda, index, info);
	}
	if (status == WEIR_OK)
		status = make_stream(cuda);
	if (status != WEIR_OK) {
		cuda_close(cuda);
		return status;
	}
	*state = cuda;
	return WEIR_OK;
}

static weir_status cuda_allocate(void *state, size_t bytes, void **native)
{
	cuda_state *cuda = state;
	cuda_address address = 0;
	cuda_result result;
	weir_status status = weir_cuda_enter_to_wait(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_allocate(&address, bytes);
	if (result) {
		weir_cuda_leave(cuda);
		return weir_cuda_fail(cuda->driver, result, "allocating device memory");
	}
	result = cuda->calls->memory_set(address, 0, bytes, cuda->stream);
	if (!result)
		result = cuda->calls->stream_synchronize(cuda->stream);
	if (result)
		cuda->calls->memory_free(address);
	weir_cuda_leave(cuda);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "zeroing device memory");
	*native = (void *)(uintptr_t)address;
	return WEIR_OK;
}

static weir_status cuda_release(void *state, void *native)
{
	cuda_state *cuda = state;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	status =
	    weir_cuda_discard(cuda, (cuda_leftover){.memory = (cuda_address)(uintptr_t)native});
	weir_cuda_leave(cuda);
	return status;
}

/* Pinned memory has one address for the host and for all devices. It is not managed memory, which may
 * move to the device while the host looks. */
static weir_status cuda_share(void *state, size_t bytes, void **native, int *atomics)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter_to_wait(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_pin(
	    native, bytes, WEIR_CU_MEMHOSTALLOC_PORTABLE | WEIR_CU_MEMHOSTALLOC_DEVICEMAP);
	weir_cuda_leave(cuda);
	if (result) {
		*native = NULL;
		return weir_cuda_fail(cuda->driver, result, "allocating pinned memory");
	}
	memset(*native, 0, bytes);
	*atomics = cuda->has_host_atomics;
	return WEIR_OK;
}

static weir_status cuda_unshare(void *state, void *native)
{
	cuda_state *cuda = state;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	status = weir_cuda_discard(cuda, (cuda_leftover){.pinned = native});
	weir_cuda_leave(cuda);
	return status;
}

static weir_status cuda_settle(void *state)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter_to_wait(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->stream_synchronize(cuda->stream);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "waiting for the launches before")
	              : WEIR_OK;
}

/* Copies on the device's own stream, after the launches before it. */
static weir_status cuda_write(void *state, void *native, size_t offset, const void *from,
                              size_t bytes)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter_to_wait(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_write((cuda_address)(uintptr_t)native + offset, from, bytes,
	                                   cuda->stream);
	if (!result)
		result = cuda->calls->stream_synchronize(cuda->stream);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "writing device memory") : WEIR_OK;
}

static weir_status cuda_read(void *state, void *native, size_t offset, void *to, size_t bytes)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter_to_wait(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_read(to, (cuda_address)(uintptr_t)native + offset, bytes,
	                                  cuda->stream);
	if (!result)
		result = cuda->calls->stream_synchronize(cuda->stream);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "reading device memory") : WEIR_OK;
}

static uint32_t cuda_most_blocks(void *state)
{
	cuda_state *cuda = state;
	return cuda->most_blocks;
}

/* Memory of the device, not of the host: a kernel's stores to it complete sooner, and its next
 * release waits for them. */
static weir_status cuda_area_open(void *state, size_t bytes, void **area)
{
	cuda_state *cuda = state;
	cuda_result result = WEIR_CUDA_SUCCESS;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	if (!cuda->beside)
		result = cuda->calls->stream_create(&cuda->beside, WEIR_CU_STREAM_NON_BLOCKING);
	weir_cuda_leave(cuda);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "making a stream for a diagnosis");
	status = cuda_allocate(state, bytes, area);
	if (status == WEIR_OK && cuda->driver->expose)
		cuda->driver->expose((cuda_address)(uintptr_t)*area);
	return status;
}

static void cuda_area_close(void *state, void *area)
{
	cuda_release(state, area);
}

static weir_status cuda_peek(void *state, void *area, size_t offset, void *to, size_t bytes)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_read(to, (cuda_address)(uintptr_t)area + offset, bytes,
	                                  cuda->beside);
	if (!result)
		result = cuda->calls->stream_synchronize(cuda->beside);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "reading a diagnosis") : WEIR_OK;
}

static weir_status cuda_poke(void *state, void *area, size_t offset, const void *from, size_t bytes)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_write((cuda_address)(uintptr_t)area + offset, from, bytes,
	                                   cuda->beside);
	if (!result)
		result = cuda->calls->stream_synchronize(cuda->beside);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "writing a diagnosis") : WEIR_OK;
}

/* Texts of a program lie in the device's memory. */
static weir_status cuda_read_program(void *state, uint64_t address, void *to, size_t bytes)
{
	return cuda_peek(state, (void *)(uintptr_t)address, 0, to, bytes);
}

static const char *cuda_list(weir_device_info *infos, size_t room, size_t *count)
{
	return list_devices(&weir_cuda, infos, room, count);
}

static weir_status cuda_open(uint32_t index, void **state, weir_device_info *info)
{
	return open_device(&weir_cuda, index, state, info);
}

static const char *ptx_list(weir_device_info *infos, size_t room, size_t *count)
{
	return list_devices(&weir_ptx_driver, infos, room, count);
}

static weir_status ptx_open(uint32_t index, void **state, weir_device_info *info)
{
	return open_device(&weir_ptx_driver, index, state, info);
}

static weir_status ptx_open_with(const char *parameters, void **state, weir_device_info *info)
{
	uint32_t index;
	weir_status status = weir_ptx_device_find(parameters, &index);

	return status == WEIR_OK ? ptx_open(index, state, info) : status;
}

static void ptx_stop(void *state)
{
	cuda_state *cuda = state;

	cuda->driver->stop(cuda->stream);
}

static const char *hip_list(weir_device_info *infos, size_t room, size_t *count)
{
	return list_devices(&weir_hip, infos, room, count);
}

static weir_status hip_open(uint32_t index, void **state, weir_device_info *info)
{
	return open_device(&weir_hip, index, state, info);
}

static int cuda_is_running(void *state)
{
	cuda_state *cuda = state;
	int running;

	if (weir_cuda_enter(cuda) != WEIR_OK)
		return 0;
	running = is_running(cuda);
	weir_cuda_leave(cuda);
	return running;
}

/* What the three backends have in common. */
#define SHARED_FUNCTIONS                                                                           \
	.close = cuda_close, .allocate = cuda_allocate, .release = cuda_release,                   \
	.write = cuda_write, .read = cuda_read, .share = cuda_share, .unshare = cuda_unshare,      \
	.settle = cuda_settle, .export_memory = weir_cuda_export,                                  \
	.import_memory = weir_cuda_import, .drop_memory = weir_cuda_drop,                          \
	.reach = weir_cuda_reach, .load = weir_cuda_program_load,                                  \
	.kernel = weir_cuda_program_kernel, .unload = weir_cuda_program_unload,                    \
	.resident = weir_cuda_resident, .clusters = weir_cuda_clusters,                            \
	.listed = weir_cuda_listed, .series = weir_cuda_series, .most_blocks = cuda_most_blocks,   \
	.launch = weir_cuda_launch, .wait = weir_cuda_wait, .is_running = cuda_is_running,         \
	.area_open = cuda_area_open, .area_close = cuda_area_close, .peek = cuda_peek,             \
	.poke = cuda_poke, .read_program = cuda_read_program, .interrupt = weir_cuda_abort

const weir_backend weir_cuda_backend = {
    .machine = WEIR_MACHINE_CUDA, .list = cuda_list, .open = cuda_open, SHARED_FUNCTIONS};

const weir_backend weir_hip_backend = {
    .machine = WEIR_MACHINE_HIP, .list = hip_list, .open = hip_open, SHARED_FUNCTIONS};

const weir_backend weir_ptx_backend = {.machine = WEIR_MACHINE_PTX,
                                       .list = ptx_list,
                                       .open = ptx_open,
                                       .open_with = ptx_open_with,
                                       .stop = ptx_stop,
                                       SHARED_FUNCTIONS};
