/* Programs, kernels, residency and launches: the checks common to all machines. */
#include "core/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/status.h"
#include "base/version.h"
#include "core/backend.h"
#include "core/device.h"
#include "core/handles.h"
#include "core/notes.h"

struct weir_program {
	struct weir_program *next;
	weir_device *device;
	void *module; /* NULL once the device is closed */
};

/* All programs that are not destroyed, so that a pointer to a destroyed program is recognized. */
static weir_program *all_programs;
static pthread_mutex_t all_programs_lock = PTHREAD_MUTEX_INITIALIZER;

static void remember(weir_program *program)
{
	pthread_mutex_lock(&all_programs_lock);
	program->next = all_programs;
	all_programs = program;
	pthread_mutex_unlock(&all_programs_lock);
}

/* WEIR_OK if `program` is a program; with `forget` it is also removed from the list. */
static weir_status find_program(weir_program *program, int forget)
{
	weir_program **link;
	int found;

	pthread_mutex_lock(&all_programs_lock);
	for (link = &all_programs; *link && *link != program; link = &(*link)->next)
		;
	found = *link != NULL;
	if (found && forget)
		*link = program->next;
	pthread_mutex_unlock(&all_programs_lock);
	return found ? WEIR_OK : weir_fail(WEIR_NOT_FOUND, "no such program, or destroyed before");
}

void weir_programs_unload(weir_device *device)
{
	pthread_mutex_lock(&all_programs_lock);
	for (weir_program *program = all_programs; program; program = program->next) {
		if (program->device != device || !program->module)
			continue;
		device->backend->unload(device->state, program->module);
		program->module = NULL;
	}
	pthread_mutex_unlock(&all_programs_lock);
}

weir_status weir_program_create(weir_device *device, const weir_program_text *text,
                                weir_program **program)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!text || !program)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_program_create needs a text and a place for the program");
	*program = NULL;
	weir_program *made = calloc(1, sizeof *made);
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a program");
	made->device = device;
	status = device->backend->load(device->state, text, &made->module);
	if (status != WEIR_OK) {
		free(made);
		return status;
	}
	remember(made);
	*program = made;
	return WEIR_OK;
}

weir_status weir_program_kernel(weir_program *program, const char *name, weir_kernel *kernel)
{
	if (!program || !name || !kernel)
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "weir_program_kernel needs a program, a name and a place for the kernel");
	memset(kernel, 0, sizeof *kernel);
	weir_status status = find_program(program, 0);
	if (status == WEIR_OK)
		status = weir_device_check(program->device);
	if (status != WEIR_OK)
		return status;
	if (*name == '\0')
		return weir_fail(WEIR_NOT_FOUND, "no kernel has an empty name");
	return program->device->backend->kernel(program->device->state, program->module, name,
	                                        kernel);
}

weir_status weir_program_destroy(weir_program *program)
{
	if (!program)
		return weir_fail(WEIR_BAD_ARGUMENT, "the program is NULL");
	weir_status status = find_program(program, 1);
	if (status != WEIR_OK)
		return status;
	status = weir_device_check(program->device);
	if (status == WEIR_OK) {
		weir_diagnosis_unload(program->device);
		program->device->backend->unload(program->device->state, program->module);
	}
	free(program);
	return status;
}

static weir_status check_threads(const weir_device *device, uint32_t threads)
{
	if (threads == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a block of 0 threads");
	if (threads > device->info.max_threads_per_block)
		return weir_fail(WEIR_BAD_ARGUMENT, "a block of %s: %s runs up to %u",
		                 weir_counted(threads, "thread").text, device->info.name,
		                 device->info.max_threads_per_block);
	return WEIR_OK;
}

static weir_status check_kernel(const weir_device *device, weir_kernel kernel)
{
	int ours =
	    device->info.machine == WEIR_MACHINE_HOST ? kernel.host != NULL : kernel.native != NULL;
	return ours ? WEIR_OK
	            : weir_fail(WEIR_BAD_ARGUMENT, "no kernel, or none of device %s",
	                        device->info.name);
}

weir_status weir_kernel_resident_blocks(weir_device *device, weir_kernel kernel, uint32_t threads,
                                        size_t shared_bytes, uint32_t *blocks)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!blocks)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_kernel_resident_blocks needs a place for the number");
	*blocks = 0;
	status = check_kernel(device, kernel);
	if (status == WEIR_OK)
		status = check_threads(device, threads);
	if (status != WEIR_OK)
		return status;
	return device->backend->resident(device->state, kernel, threads, shared_bytes, blocks);
}

/* Multiplies the dimensions, where 0 counts as 1. */
static weir_status multiply(const uint32_t from[3], uint32_t to[3], const char *what,
                            uint32_t *product)
{
	*product = 1;
	for (int i = 0; i < 3; i++) {
		to[i] = from[i] ? from[i] : 1;
		if (*product > UINT32_MAX / to[i])
			return weir_fail(WEIR_BAD_ARGUMENT, "a %s of %u x %u x %u", what, from[0],
			                 from[1], from[2]);
		*product *= to[i];
	}
	return WEIR_OK;
}

static weir_status check_shape(const weir_device *device, weir_checked_launch *checked)
{
	const weir_launch *asked = checked->asked;
	weir_status status;

	if (asked->grid[0] == 0 || asked->block[0] == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a %s of 0", asked->grid[0] ? "block" : "grid");
	status = multiply(asked->grid, checked->grid, "grid", &checked->blocks);
	if (status == WEIR_OK)
		status = multiply(asked->block, checked->block, "block", &checked->threads);
	if (status == WEIR_OK)
		status = check_threads(device, checked->threads);
	if (status == WEIR_OK)
		status =
		    multiply(asked->cluster, checked->cluster, "cluster", &checked->cluster_blocks);
	return status;
}

/* How many blocks run at once if they are in clusters; refuses clusters that cannot run. */
static weir_status check_clusters(weir_device *device, const weir_checked_launch *checked,
                                  uint32_t *fit)
{
	const uint32_t *size = checked->cluster;
	weir_status status;

	for (int i = 0; i < 3; i++)
		if (checked->grid[i] % size[i] != 0)
			return weir_fail(
			    WEIR_BAD_ARGUMENT,
			    "clusters of %u x %u x %u blocks do not divide a grid of %u x %u x %u",
			    size[0], size[1], size[2], checked->grid[0], checked->grid[1],
			    checked->grid[2]);
	if (!device->backend->clusters)
		return weir_fail(WEIR_UNSUPPORTED, "%s has no thread block clusters",
		                 device->info.name);
	status = device->backend->clusters(device->state, checked, fit);
	if (status == WEIR_OK && *fit == 0)
		status =
		    weir_fail(WEIR_BAD_ARGUMENT, "clusters of %s of %s: %s has no room for one",
		              weir_counted(checked->cluster_blocks, "block").text,
		              weir_counted(checked->threads, "thread").text, device->info.name);
	*fit *= checked->cluster_blocks;
	return status;
}

static weir_status check_barrier(const weir_barrier_config *config, uint32_t blocks)
{
	uint32_t first = config->first_block;

	if (!config->part_of_grid && config->blocks != blocks)
		return weir_fail(WEIR_BAD_ARGUMENT, "a grid of %s for a barrier of %u",
		                 weir_counted(blocks, "block").text, config->blocks);
	if (config->part_of_grid && (first > blocks || config->blocks > blocks - first))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a grid of %s for a barrier of %u from block %u on",
		                 weir_counted(blocks, "block").text, config->blocks, first);
	return WEIR_OK;
}

static weir_status check_fit(weir_device *device, const weir_checked_launch *checked,
                             uint32_t in_clusters)
{
	const weir_launch *asked = checked->asked;
	uint32_t fit;

	weir_status status =
	    asked->barrier ? check_barrier(&asked->barrier->config, checked->blocks) : WEIR_OK;
	if (status == WEIR_OK)
		status = device->backend->resident(device->state, asked->kernel, checked->threads,
		                                   asked->shared_bytes, &fit);
	if (status != WEIR_OK)
		return status;
	if (checked->cluster_blocks > 1)
		fit = in_clusters;
	if (checked->blocks > fit)
		return weir_fail(
		    WEIR_TOO_MANY_BLOCKS, "a grid of %s of %s: %u of this kernel run at once on %s",
		    weir_counted(checked->blocks, "block").text,
		    weir_counted(checked->threads, "thread").text, fit, device->info.name);
	return WEIR_OK;
}

/* Checks the module of a kernel once, not before every launch. */
static weir_status check_version(weir_device *device, weir_kernel kernel)
{
	if (!device->backend->series)
		return WEIR_OK;
	pthread_mutex_lock(&device->lock);
	int known = device->fitting == kernel.native;
	pthread_mutex_unlock(&device->lock);
	if (known)
		return WEIR_OK;
	weir_status status =
	    weir_version_check_kernel(device->backend->series(device->state, kernel));
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&device->lock);
	device->fitting = kernel.native;
	pthread_mutex_unlock(&device->lock);
	return WEIR_OK;
}

/* What a caller of another version passes: fewer members than there ever were, or more, which are set. */
static weir_status check_size(const weir_launch *launch, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)launch;

	if (!launch)
		return weir_fail(WEIR_BAD_ARGUMENT, "the launch is NULL");
	if (bytes < sizeof *launch)
		return weir_fail(WEIR_BAD_ARGUMENT, "a launch of %zu bytes: the least is %zu",
		                 bytes, sizeof *launch);
	for (size_t i = sizeof *launch; i < bytes; i++)
		if (at[i] != 0)
			return weir_fail(
			    WEIR_UNSUPPORTED,
			    "the launch has a member that this library (%s) does not know",
			    WEIR_VERSION);
	return WEIR_OK;
}

weir_status weir_kernel_launch_sized(weir_device *device, const weir_launch *launch,
                                     size_t launch_bytes)
{
	weir_checked_launch checked = {.asked = launch};
	uint32_t in_clusters = 0;
	weir_status status = weir_device_check(device);

	if (status == WEIR_OK)
		status = check_size(launch, launch_bytes);
	if (status != WEIR_OK)
		return status;
	status = check_kernel(device, launch->kernel);
	if (status != WEIR_OK)
		return status;
	if (launch->argument_count && !launch->arguments)
		return weir_fail(WEIR_BAD_ARGUMENT, "the launch has %s and no list of them",
		                 weir_counted(launch->argument_count, "argument").text);
	status = check_shape(device, &checked);
	checked.cooperative = launch->cooperative || launch->barrier;
	if (status == WEIR_OK && checked.cluster_blocks > 1)
		status = check_clusters(device, &checked, &in_clusters);
	if (status == WEIR_OK && checked.cooperative)
		status = check_fit(device, &checked, in_clusters);
	if (status == WEIR_OK)
		status = check_version(device, launch->kernel);
	if (status == WEIR_OK)
		status = weir_handles_check(device, &checked);
	if (status != WEIR_OK)
		return status;
	weir_diagnosis_launch(device);
	return device->backend->launch(device->state, &checked);
}
