/* Loading the builds, and asking the driver about their kernels. */
#include "forms/builds.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "weir/weir.h"

extern const void *const real_default_cuda_image;
extern const void *const real_default_hip_image;
extern const char *const real_default_opencl_text;
extern const void *const real_fixed_cuda_image;
extern const void *const real_fixed_hip_image;
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
		                           .hip_image = real_fixed_hip_image,
		                           .opencl_text = real_fixed_opencl_text,
		                           .host_entries = weir_host_fixed.entries,
		                           .host_entry_count = weir_host_fixed.count};
	case WEIR_BUILD_TOOLKIT:
		return (weir_program_text){.cuda_image = real_toolkit_cuda_image};
	case WEIR_BUILD_HAND:
		return (weir_program_text){.cuda_image = real_hand_cuda_image};
	default:
		return (weir_program_text){.cuda_image = real_default_cuda_image,
		                           .hip_image = real_default_hip_image,
		                           .opencl_text = real_default_opencl_text,
		                           .host_entries = weir_host_default.entries,
		                           .host_entry_count = weir_host_default.count};
	}
}

weir_status weir_builds_open(weir_builds *builds, weir_device *device, const weir_device_info *info)
{
	memset(builds, 0, sizeof *builds);
	builds->device = device;
	builds->info = *info;
	return WEIR_OK;
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

weir_status weir_builds_cost(weir_builds *builds, enum weir_build build, const char *name,
                             uint32_t threads, weir_cost *cost)
{
	weir_kernel kernel;
	weir_status status = weir_builds_kernel(builds, build, name, &kernel);

	memset(cost, 0, sizeof *cost);
	if (status != WEIR_OK)
		return status;
	return weir_kernel_cost(builds->device, &builds->info, text_of(build).cuda_image, name,
	                        kernel, threads, cost);
}
