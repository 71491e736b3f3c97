/* Loading the builds, and asking the driver about their kernels. */
#include "builds/builds.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "builds/code.h"
#include "builds/host.h"
#include "peers/driver.h"
#include "weir/weir.h"

extern const void *const real_default_cuda_image;
extern const char *const real_default_opencl_text;
extern const void *const real_fixed_cuda_image;
extern const char *const real_fixed_opencl_text;
extern const void *const real_toolkit_cuda_image;
extern const void *const real_hand_cuda_image;

int weir_builds_have_cuda(void)
{
	return real_default_cuda_image != NULL;
}

static weir_program_text text_of(enum weir_build build)
{
	switch (build) {
	case WEIR_BUILD_FIXED:
		return (weir_program_text){.cuda_image = real_fixed_cuda_image,
		                           .opencl_text = real_fixed_opencl_text,
		                           .host_entries = weir_host_fixed.entries,
		                           .host_entry_count = weir_host_fixed.count};
	case WEIR_BUILD_TOOLKIT:
		return (weir_program_text){.cuda_image = real_toolkit_cuda_image};
	case WEIR_BUILD_HAND:
		return (weir_program_text){.cuda_image = real_hand_cuda_image};
	default:
		return (weir_program_text){.cuda_image = real_default_cuda_image,
		                           .opencl_text = real_default_opencl_text,
		                           .host_entries = weir_host_default.entries,
		                           .host_entry_count = weir_host_default.count};
	}
}

/* The compute capability, or 0 where the driver does not tell: then no figure of code is known. */
static weir_status find_capability(weir_builds *builds)
{
	weir_cuda_handles handles;
	weir_cu_api api;
	int major = 0;
	int minor = 0;
	weir_status status = weir_device_cuda(builds->device, &handles);

	if (status == WEIR_OK)
		status = weir_cu_load(&api, 0);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api.device_attribute(
	    &major, WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handles.device);
	if (!result)
		result = api.device_attribute(
		    &minor, WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
		    handles.device);
	if (result)
		return weir_cu_fail(&api, result, "asking for the compute capability");
	builds->capability = (uint32_t)(10 * major + minor);
	return WEIR_OK;
}

weir_status weir_builds_open(weir_builds *builds, weir_device *device, const weir_device_info *info)
{
	memset(builds, 0, sizeof *builds);
	builds->device = device;
	builds->info = *info;
	return info->machine == WEIR_MACHINE_CUDA ? find_capability(builds) : WEIR_OK;
}

weir_status weir_builds_kernel(weir_builds *builds, enum weir_build build, const char *name,
                               weir_kernel *kernel)
{
	weir_status status = WEIR_OK;

	if (!builds->programs[build]) {
		weir_program_text text = text_of(build);
		status = weir_program_create(builds->device, &text, &builds->programs[build]);
	}
	return status == WEIR_OK ? weir_program_kernel(builds->programs[build], name, kernel)
	                         : status;
}

static weir_status find_registers(const weir_builds *builds, weir_kernel kernel, uint32_t *count)
{
	weir_cuda_handles handles;
	weir_cu_context context;
	weir_cu_api api;
	int registers = 0;
	weir_status status = weir_device_cuda(builds->device, &handles);

	if (status == WEIR_OK)
		status = weir_cu_load(&api, 0);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api.context_push(handles.context);
	if (!result) {
		result = api.function_attribute(&registers, WEIR_DRIVER_CU_FUNC_ATTRIBUTE_NUM_REGS,
		                                kernel.native);
		api.context_pop(&context);
	}
	if (result)
		return weir_cu_fail(&api, result, "asking for a kernel's registers");
	*count = (uint32_t)registers;
	return WEIR_OK;
}

weir_status weir_builds_cost(weir_builds *builds, enum weir_build build, const char *name,
                             uint32_t threads, weir_cost *cost)
{
	weir_kernel kernel;
	weir_status status = weir_builds_kernel(builds, build, name, &kernel);

	memset(cost, 0, sizeof *cost);
	if (status != WEIR_OK)
		return status;
	status = weir_resident_blocks(builds->device, kernel, threads, 0, &cost->resident);
	/* No block of so many threads can run. */
	if (status == WEIR_BAD_ARGUMENT)
		status = WEIR_OK;
	if (status != WEIR_OK || builds->info.machine != WEIR_MACHINE_CUDA)
		return status;
	cost->code = weir_code_bytes(text_of(build).cuda_image, name, builds->capability);
	return find_registers(builds, kernel, &cost->registers);
}
