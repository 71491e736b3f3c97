/* Loads the driver's functions by their symbols. */
#include "driver/driver.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "weir/weir.h"

/* The missing symbol, or NULL. */
static const char *resolve(weir_cu_api *api, int graphs)
{
	/* It is loaded already, because a device is open. Never closed. */
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	void *found;

	if (!library)
		return "libcuda.so.1";
#define ROW(member, symbol, parameters)                                                            \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&api->member, &found, sizeof found);
	WEIR_CU_FUNCTIONS(ROW)
	if (!graphs)
		return NULL;
	WEIR_CU_GRAPH_FUNCTIONS(ROW)
#undef ROW
	return NULL;
}

weir_status weir_cu_load(weir_cu_api *api, int graphs)
{
	const char *missing = resolve(api, graphs);

	return missing ? weir_error_set(WEIR_UNSUPPORTED, "the driver lacks %s", missing) : WEIR_OK;
}

weir_status weir_cu_fail(const weir_cu_api *api, weir_cu_result result, const char *doing)
{
	weir_status status =
	    result == WEIR_DRIVER_CUDA_ERROR_NOT_SUPPORTED ? WEIR_UNSUPPORTED : WEIR_DRIVER_ERROR;
	const char *name = NULL;
	const char *string = NULL;

	if (api->error_name(result, &name) || !name)
		name = "unknown CUDA error";
	if (api->error_string(result, &string) || !string)
		string = "no description";
	return weir_error_set(status, "%s: %s %u (%s)", doing, name, result, string);
}

weir_status weir_cu_cycles_per_us(weir_device *device, uint32_t *cycles)
{
	weir_cuda_handles handles;
	weir_cu_api api;
	weir_status status = weir_device_cuda_handles(device, &handles);
	int khz = 0;

	if (status == WEIR_OK)
		status = weir_cu_load(&api, 0);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result =
	    api.device_attribute(&khz, WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_CLOCK_RATE, handles.device);
	if (result)
		return weir_cu_fail(&api, result, "asking for the clock rate");
	*cycles = khz > 1000 ? (uint32_t)khz / 1000 : 1;
	return WEIR_OK;
}
