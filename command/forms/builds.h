/* The builds of the real kernels, loaded on a device, and what their kernels cost there. */
#ifndef WEIR_COMMAND_FORMS_BUILDS_H
#define WEIR_COMMAND_FORMS_BUILDS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/cost.h"
#include "weir/weir.h"

/* The builds of kernels/real/all.h. */
enum weir_build {
	WEIR_BUILD_DEFAULT,
	WEIR_BUILD_FIXED,
	WEIR_BUILD_TOOLKIT, /* grid.sync(), and the locks of libcu++ */
	WEIR_BUILD_HAND,
	WEIR_BUILDS
};

typedef struct weir_builds {
	weir_device *device;
	weir_device_info info;
	weir_program *programs[WEIR_BUILDS]; /* NULL until the first kernel is asked for */
} weir_builds;

/* The kinds of the build with fixed ones. */
extern const weir_barrier_kind weir_fixed_barrier;
extern const weir_mutex_kind weir_fixed_mutex;
extern const weir_semaphore_kind weir_fixed_semaphore;

weir_status weir_builds_open(weir_builds *builds, weir_device *device,
                             const weir_device_info *info);
/* Returns 0 when there was no nvcc when this was built. */
int weir_builds_have_cuda(void);
weir_status weir_builds_kernel(weir_builds *builds, enum weir_build build, const char *name,
                               weir_kernel *kernel);
weir_status weir_builds_cost(weir_builds *builds, enum weir_build build, const char *name,
                             uint32_t threads, weir_cost *cost);

typedef struct weir_host_build {
	const weir_host_entry *entries;
	size_t count;
} weir_host_build;

extern const weir_host_build weir_host_default;
extern const weir_host_build weir_host_fixed;

#endif
