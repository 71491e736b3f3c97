/* OpenCL devices: enumeration, and which of them can run weir. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/opencl.h"

/* The devices that can run weir, over all platforms in order, found once per process. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static cl_device_id *usable;
static size_t usable_count;
static char absence[256];

static int device_text(cl_device_id device, cl_device_info what, char *text, size_t room)
{
	text[0] = '\0';
	/* A string that does not fit is an error and not truncated, so ask for all of it. */
	size_t bytes = 0;
	if (weir_opencl.clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS)
		return 0;
	char *full = calloc(bytes + 1, 1);
	if (full == NULL)
		return 0;
	int found = weir_opencl.clGetDeviceInfo(device, what, bytes, full, NULL) == CL_SUCCESS;
	if (found)
		weir_copy_name(text, room, full);
	free(full);
	return found;
}

static cl_ulong device_number(cl_device_id device, cl_device_info what, size_t bytes)
{
	union {
		cl_uint word;
		cl_ulong words;
	} number = {.words = 0};

	/* An attribute unknown to the device leaves 0. */
	if (weir_opencl.clGetDeviceInfo(device, what, bytes, &number, NULL) != CL_SUCCESS)
		return 0;
	return bytes == sizeof number.word ? number.word : number.words;
}

static cl_uint device_uint(cl_device_id device, cl_device_info what)
{
	return (cl_uint)device_number(device, what, sizeof(cl_uint));
}

/* Reads a cl_ulong, a size_t or bit fields, all of 64 bits. */
static cl_ulong device_ulong(cl_device_id device, cl_device_info what)
{
	return device_number(device, what, sizeof(cl_ulong));
}

static int platform_says(cl_device_id device, cl_platform_info what, const char *word)
{
	cl_platform_id platform;
	char text[128] = "";

	if (weir_opencl.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
	                                NULL) != CL_SUCCESS ||
	    weir_opencl.clGetPlatformInfo(platform, what, sizeof text, text, NULL) != CL_SUCCESS)
		return 0;
	return strstr(text, word) != NULL;
}

static int has_extension(cl_device_id device, const char *name)
{
	char all[4096];
	size_t length = strlen(name);

	if (!device_text(device, CL_DEVICE_EXTENSIONS, all, sizeof all))
		return 0;
	for (const char *at = all; (at = strstr(at, name)) != NULL; at += length)
		if ((at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return 1;
	return 0;
}

/* The two extensions that include/weir/machine/opencl.h needs. */
int weir_opencl_has_word64(void *opaque)
{
	cl_device_id device = ((const weir_opencl_state *)opaque)->device;

	return has_extension(device, "cl_khr_int64_base_atomics") &&
	       has_extension(device, "cl_khr_int64_extended_atomics");
}

static int is_pocl_cpu(cl_device_id device)
{
	return (device_ulong(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0 &&
	       platform_says(device, CL_PLATFORM_NAME, "Portable Computing Language");
}

/* Without optimization for PoCL's CPU: include/weir/machine/opencl.h says why. */
static const char *build_options(cl_device_id device)
{
	return is_pocl_cpu(device) ? "-cl-std=CL3.0 -cl-opt-disable" : "-cl-std=CL3.0";
}

static int speaks_opencl_c_3(cl_device_id device)
{
	size_t bytes = 0;
	int found = 0;

	if (weir_opencl.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, NULL, &bytes) !=
	    CL_SUCCESS)
		return 0;
	cl_name_version *versions = calloc(bytes + 1, 1);
	if (versions == NULL)
		return 0;
	if (weir_opencl.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, bytes, versions,
	                                NULL) == CL_SUCCESS)
		for (size_t i = 0; i < bytes / sizeof *versions; i++)
			found |= CL_VERSION_MAJOR(versions[i].version) >= 3;
	free(versions);
	return found;
}

/* NULL, or why the device cannot run weir. */
static const char *refusal(cl_device_id device)
{
	const cl_ulong needed = CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;

	if (!device_uint(device, CL_DEVICE_AVAILABLE))
		return "it is not available";
	if (!device_uint(device, CL_DEVICE_COMPILER_AVAILABLE))
		return "it has no compiler";
	/* NVIDIA's compiler accepts these atomics, though the device does not report them. */
	if (platform_says(device, CL_PLATFORM_VENDOR, "NVIDIA"))
		return NULL;
	if (!speaks_opencl_c_3(device))
		return "it does not compile OpenCL C 3.0";
	if ((device_ulong(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) & needed) != needed)
		return "it has no acquire and release atomics at device scope";
	return NULL;
}

static void add_usable(cl_device_id device)
{
	const char *why = refusal(device);

	if (why != NULL) {
		char name[128];
		device_text(device, CL_DEVICE_NAME, name, sizeof name);
		snprintf(absence, sizeof absence, "no OpenCL device that can run weir: %s: %s",
		         name, why);
		return;
	}
	cl_device_id *longer = realloc(usable, (usable_count + 1) * sizeof *usable);
	if (longer == NULL)
		return;
	usable = longer;
	usable[usable_count++] = device;
}

static void add_platform(cl_platform_id platform)
{
	cl_uint count = 0;

	if (weir_opencl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS)
		return;
	cl_device_id *devices = calloc(count + 1, sizeof *devices);
	if (devices != NULL && weir_opencl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count,
	                                                  devices, NULL) == CL_SUCCESS)
		for (cl_uint i = 0; i < count; i++)
			add_usable(devices[i]);
	free(devices);
}

static void find_devices(void)
{
	cl_uint count = 0;

	snprintf(absence, sizeof absence, "%s", weir_opencl_load());
	if (absence[0] != '\0')
		return;
	if (weir_opencl.clGetPlatformIDs(0, NULL, &count) != CL_SUCCESS || count == 0) {
		snprintf(absence, sizeof absence, "no OpenCL platform: no ICD is installed");
		return;
	}
	snprintf(absence, sizeof absence, "no OpenCL device on any of the installed platforms");
	cl_platform_id *platforms = calloc(count, sizeof *platforms);
	if (platforms != NULL && weir_opencl.clGetPlatformIDs(count, platforms, NULL) == CL_SUCCESS)
		for (cl_uint i = 0; i < count; i++)
			add_platform(platforms[i]);
	free(platforms);
	if (usable_count > 0)
		absence[0] = '\0';
}

static void describe(cl_device_id device, weir_device_info *info)
{
	memset(info, 0, sizeof *info);
	info->machine = WEIR_MACHINE_OPENCL;
	/* A sub-device, which only an adopted queue can have, is not in the list. */
	snprintf(info->name, sizeof info->name, "opencl");
	for (size_t i = 0; i < usable_count; i++)
		if (usable[i] == device)
			snprintf(info->name, sizeof info->name, "opencl:%zu", i);
	device_text(device, CL_DEVICE_NAME, info->description, sizeof info->description);
	device_text(device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
	info->is_gpu = (device_ulong(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
	info->units = device_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS);
	info->max_threads_per_block = (uint32_t)device_ulong(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
	/* One for each unit: see weir_opencl_resident. */
	info->resident_blocks_at_128 = info->max_threads_per_block >= 128 ? info->units : 0;
	info->l2_bytes = device_ulong(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
}

const char *weir_opencl_list(weir_device_info *infos, size_t room, size_t *count)
{
	pthread_once(&once, find_devices);
	*count = usable_count;
	for (size_t i = 0; i < usable_count && i < room; i++)
		describe(usable[i], &infos[i]);
	return absence;
}

/* Takes over the references to `context` and `queue`, even on failure. */
static weir_status make_state(cl_context context, cl_device_id device, cl_command_queue queue,
                              int adopted, void **state)
{
	weir_opencl_state *made = calloc(1, sizeof *made);

	if (made == NULL || pthread_mutex_init(&made->lock, NULL) != 0) {
		free(made);
		weir_opencl.clReleaseCommandQueue(queue);
		weir_opencl.clReleaseContext(context);
		return weir_fail(WEIR_NO_MEMORY, "no memory for an OpenCL device");
	}
	made->context = context;
	made->device = device;
	made->queue = queue;
	made->adopted = adopted;
	made->units = device_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS);
	made->local_bytes = device_ulong(device, CL_DEVICE_LOCAL_MEM_SIZE);
	made->build_options = build_options(device);
	if (device_ulong(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU)
		made->cycles_per_ms = weir_opencl_cycles_per_ms();
#if defined(__x86_64__) && defined(__linux__)
	made->shares_memory = is_pocl_cpu(device);
#endif
	*state = made;
	return WEIR_OK;
}

weir_status weir_opencl_open(uint32_t index, void **state, weir_device_info *info)
{
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
	                                          0};
	cl_int error;

	pthread_once(&once, find_devices);
	if (usable_count == 0)
		return weir_fail(WEIR_NO_DEVICE, "%s", absence);
	if (index >= usable_count)
		return weir_fail(WEIR_NO_DEVICE, "no device opencl:%u: the last is opencl:%zu",
		                 index, usable_count - 1);
	cl_device_id device = usable[index];
	cl_context context = weir_opencl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clCreateContext");
	cl_command_queue queue =
	    weir_opencl.clCreateCommandQueueWithProperties(context, device, properties, &error);
	if (error != CL_SUCCESS) {
		weir_opencl.clReleaseContext(context);
		return weir_opencl_fail(error, "clCreateCommandQueueWithProperties");
	}
	describe(device, info);
	return make_state(context, device, queue, 0, state);
}

static weir_status check_queue(cl_context context, cl_device_id device, cl_command_queue queue)
{
	cl_context its_context = NULL;
	cl_device_id its_device = NULL;
	cl_command_queue_properties properties = 0;
	cl_int error;

	error = weir_opencl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof its_context,
	                                          &its_context, NULL);
	if (error == CL_SUCCESS)
		error = weir_opencl.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof its_device,
		                                          &its_device, NULL);
	if (error == CL_SUCCESS)
		error = weir_opencl.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
		                                          sizeof properties, &properties, NULL);
	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clGetCommandQueueInfo");
	if (its_context != context || its_device != device)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the command queue is not of this context and device");
	if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
		return weir_fail(
		    WEIR_UNSUPPORTED,
		    "the command queue is out of order: weir needs launches and copies "
		    "to run one after another");
	return WEIR_OK;
}

weir_status weir_opencl_adopt(void *context, void *cl_device, void *queue, void **state,
                              weir_device_info *info)
{
	const char *why;
	weir_status status;

	if (context == NULL || cl_device == NULL || queue == NULL)
		return weir_fail(WEIR_BAD_ARGUMENT, "a null context, device or command queue");
	pthread_once(&once, find_devices);
	if (weir_opencl_load()[0] != '\0')
		return weir_fail(WEIR_NO_DEVICE, "%s", weir_opencl_load());
	status = check_queue(context, cl_device, queue);
	if (status != WEIR_OK)
		return status;
	why = refusal(cl_device);
	if (why != NULL)
		return weir_fail(WEIR_UNSUPPORTED, "the OpenCL device cannot run weir: %s", why);
	describe(cl_device, info);
	weir_opencl.clRetainContext(context);
	weir_opencl.clRetainCommandQueue(queue);
	return make_state(context, cl_device, queue, 1, state);
}

/* A kernel that never ends must not make closing hang. A driver may wait when the last reference to
 * a queue is released; in that case our reference is leaked. */
static int is_idle(weir_opencl_state *state)
{
	cl_int status = CL_COMPLETE;

	if (state->last == NULL || state->adopted)
		return 1;
	weir_opencl.clGetEventInfo(state->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
	                           &status, NULL);
	return status <= CL_COMPLETE;
}

void weir_opencl_close(void *opaque)
{
	weir_opencl_state *state = opaque;

	if (is_idle(state)) {
		if (state->last != NULL)
			weir_opencl.clReleaseEvent(state->last);
		weir_opencl.clReleaseCommandQueue(state->queue);
		weir_opencl.clReleaseContext(state->context);
	}
	pthread_mutex_destroy(&state->lock);
	free(state);
}
