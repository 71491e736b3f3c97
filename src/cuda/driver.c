#include "cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

static pthread_once_t loaded = PTHREAD_ONCE_INIT;

/* The driver's own name for the result, else ours: a broken driver may not know its errors. */
static const char *result_name(const weir_cuda_driver *driver, cuda_result result)
{
	const char *name = NULL;

	if (driver->calls.error_name(result, &name) == WEIR_CUDA_SUCCESS && name)
		return name;
	switch (result) {
#define WEIR_ROW_(name, value, status)                                                             \
	case value:                                                                                \
		return #name;
		WEIR_CUDA_RESULTS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		return "unknown error";
	}
}

static const char *result_string(const weir_cuda_driver *driver, cuda_result result)
{
	const char *string = NULL;

	if (driver->calls.error_string(result, &string) == WEIR_CUDA_SUCCESS && string)
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

weir_status weir_cuda_fail(const weir_cuda_driver *driver, cuda_result result, const char *doing)
{
	weir_status status;
	const char *text;

	if (driver->explain && driver->explain(result, &status, &text))
		return weir_fail(status, "%s: %s", doing, text);
	return weir_fail(result_status(result), "%s: %s %u (%s)", doing,
	                 result_name(driver, result), result, result_string(driver, result));
}

/* The symbol that is missing, or NULL. */
static const char *resolve(void *library)
{
	void *found;

#define WEIR_ROW_(member, symbol, parameters)                                                      \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&weir_cuda.calls.member, &found, sizeof found);
	WEIR_CUDA_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
#define WEIR_ROW_(member, symbol, parameters)                                                      \
	found = dlsym(library, #symbol);                                                           \
	memcpy(&weir_cuda.calls.member, &found, sizeof found);
	WEIR_CUDA_LATER_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
	return NULL;
}

static void find_devices(weir_cuda_driver *driver, int count)
{
	const weir_cuda_api *calls = &driver->calls;

	for (int i = 0; i < count && driver->device_count < WEIR_CUDA_MOST_DEVICES; i++) {
		cuda_device device;
		int major = 0;

		if (calls->device_get(&device, i) == WEIR_CUDA_SUCCESS &&
		    calls->device_attribute(&major,
		                            WEIR_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
		                            device) == WEIR_CUDA_SUCCESS &&
		    major >= driver->oldest_major)
			driver->devices[driver->device_count++] = device;
	}
}

static void start(weir_cuda_driver *driver)
{
	char *absence = driver->absence;
	int count = 0;
	cuda_result result = driver->calls.init(0);

	if (result == WEIR_CUDA_SUCCESS)
		result = driver->calls.device_count(&count);
	if (result != WEIR_CUDA_SUCCESS) {
		snprintf(absence, sizeof driver->absence, "the %s driver does not start: %s (%s)",
		         driver->vendor, result_name(driver, result),
		         result_string(driver, result));
		return;
	}
	find_devices(driver, count);
	if (count == 0)
		snprintf(absence, sizeof driver->absence, "the %s driver has no devices",
		         driver->vendor);
	else if (driver->device_count == 0)
		snprintf(absence, sizeof driver->absence, "no %s device of %s or newer",
		         driver->vendor, driver->oldest);
}

void weir_cuda_load(weir_cuda_driver *driver, void *library)
{
	const char *missing = library ? driver->resolve(library) : NULL;

	if (!library)
		snprintf(driver->absence, sizeof driver->absence, "no %s %s (%s not found)",
		         driver->vendor, driver->software, driver->library);
	else if (missing)
		snprintf(driver->absence, sizeof driver->absence,
		         "the %s %s is too old: it lacks %s", driver->vendor, driver->software,
		         missing);
	else
		start(driver);
}

static void load(void)
{
	/* Never closed: the driver keeps threads and contexts of its own. */
	weir_cuda_load(&weir_cuda, dlopen(weir_cuda.library, RTLD_NOW | RTLD_LOCAL));
}

static const char *load_once(void)
{
	pthread_once(&loaded, load);
	return weir_cuda.absence;
}

static const void *cuda_image(const weir_program_text *text)
{
	return text->cuda_image;
}

weir_cuda_driver weir_cuda = {
    .machine = WEIR_MACHINE_CUDA,
    .prefix = "cuda",
    .api = "CUDA",
    .vendor = "NVIDIA",
    .software = "driver",
    .library = "libcuda.so.1",
    .oldest_major = 7,
    .oldest = "compute capability 7.0",
    .resolve = resolve,
    .load = load_once,
    .image = cuda_image,
};
