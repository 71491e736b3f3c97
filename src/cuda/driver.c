#include "cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

#define MOST_DEVICES 64
#define OLDEST_MAJOR 7

weir_cuda_api weir_cuda;

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static char absence[192];
static cuda_device devices[MOST_DEVICES];
static uint32_t device_count;

/* The driver's own name for the result, else ours: a broken driver may not know its errors. */
static const char *result_name(cuda_result result)
{
	const char *name = NULL;

	if (weir_cuda.error_name(result, &name) == WEIR_CUDA_SUCCESS && name)
		return name;
	switch (result) {
#define WEIR_ROW_(name, value, status)                                                             \
	case value:                                                                                \
		return #name;
		WEIR_CUDA_RESULTS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		return "unknown CUDA error";
	}
}

static const char *result_string(cuda_result result)
{
	const char *string = NULL;

	if (weir_cuda.error_string(result, &string) == WEIR_CUDA_SUCCESS && string)
		return string;
	return result == WEIR_CUDA_ERROR_STUB_LIBRARY ? "a stub library, not a driver"
	                                              : "no description";
}

static weir_status result_status(cuda_result result)
{
	switch (result) {
#define WEIR_ROW_(name, value, status)                                                             \
	case value:                                                                                \
		return status;
		WEIR_CUDA_RESULTS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		return WEIR_DRIVER_ERROR;
	}
}

weir_status weir_cuda_fail(cuda_result result, const char *doing)
{
	return weir_fail(result_status(result), "%s: %s %u (%s)", doing, result_name(result),
	                 result, result_string(result));
}

/* The symbol that is missing, or NULL. */
static const char *resolve(void *library)
{
	void *found;

#define WEIR_ROW_(member, symbol, parameters)                                                      \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&weir_cuda.member, &found, sizeof found);
	WEIR_CUDA_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
#define WEIR_ROW_(member, symbol, parameters)                                                      \
	found = dlsym(library, #symbol);                                                           \
	memcpy(&weir_cuda.member, &found, sizeof found);
	WEIR_CUDA_LATER_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
	return NULL;
}

static void find_devices(int count)
{
	for (int i = 0; i < count && device_count < MOST_DEVICES; i++) {
		cuda_device device;
		int major = 0;

		if (weir_cuda.device_get(&device, i) == WEIR_CUDA_SUCCESS &&
		    weir_cuda.device_attribute(&major,
		                               WEIR_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
		                               device) == WEIR_CUDA_SUCCESS &&
		    major >= OLDEST_MAJOR)
			devices[device_count++] = device;
	}
	if (count == 0)
		snprintf(absence, sizeof absence, "the NVIDIA driver has no devices");
	else if (device_count == 0)
		snprintf(absence, sizeof absence,
		         "no NVIDIA device of compute capability %d.0 or newer", OLDEST_MAJOR);
}

static void load(void)
{
	/* Never closed: the driver keeps threads and contexts of its own. */
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	const char *missing;
	cuda_result result;
	int count = 0;

	if (!library) {
		snprintf(absence, sizeof absence, "no NVIDIA driver (libcuda.so.1 not found)");
		return;
	}
	missing = resolve(library);
	if (missing) {
		snprintf(absence, sizeof absence, "the NVIDIA driver is too old: it lacks %s",
		         missing);
		return;
	}
	result = weir_cuda.init(0);
	if (result == WEIR_CUDA_SUCCESS)
		result = weir_cuda.device_count(&count);
	if (result != WEIR_CUDA_SUCCESS) {
		snprintf(absence, sizeof absence, "the NVIDIA driver does not start: %s (%s)",
		         result_name(result), result_string(result));
		return;
	}
	find_devices(count);
}

const char *weir_cuda_load(void)
{
	pthread_once(&loaded, load);
	return absence;
}

uint32_t weir_cuda_device_count(void)
{
	return device_count;
}

cuda_device weir_cuda_device(uint32_t index)
{
	return devices[index];
}
