/* Programs, kernels, residency and launches: the checks that all machines share. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct weir_program {
	weir_device *device;
	void *module;
};

weir_status weir_program_create(weir_device *device, const weir_program_text *text,
                                weir_program **program)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!text || !program)
		return weir_fail(WEIR_BAD_ARGUMENT, "weir_program_create needs a text and a place for the program");
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
	*program = made;
	return WEIR_OK;
}

weir_status weir_program_kernel(weir_program *program, const char *name, weir_kernel *kernel)
{
	if (!program || !name || !kernel)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_program_kernel needs a program, a name and a place for the kernel");
	memset(kernel, 0, sizeof *kernel);
	weir_status status = weir_device_check(program->device);
	if (status != WEIR_OK)
		return status;
	return program->device->backend->kernel(program->device->state, program->module, name, kernel);
}

weir_status weir_program_destroy(weir_program *program)
{
	if (!program)
		return weir_fail(WEIR_BAD_ARGUMENT, "the program is NULL");
	weir_status status = weir_device_check(program->device);
	if (status == WEIR_OK)
		program->device->backend->unload(program->device->state, program->module);
	free(program);
	return status;
}

static weir_status check_threads(const weir_device *device, uint64_t threads)
{
	if (threads == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a block of 0 threads");
	if (threads > device->info.max_threads_per_block)
		return weir_fail(WEIR_BAD_ARGUMENT, "a block of %llu threads: %s runs up to %u",
		                 (unsigned long long)threads, device->info.name,
		                 device->info.max_threads_per_block);
	return WEIR_OK;
}

weir_status weir_resident_blocks(weir_device *device, weir_kernel kernel, uint32_t threads,
                                 size_t shared_bytes, uint32_t *blocks)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!blocks || (!kernel.native && !kernel.host))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_resident_blocks needs a kernel and a place for the number");
	*blocks = 0;
	status = check_threads(device, threads);
	if (status != WEIR_OK)
		return status;
	return device->backend->resident(device->state, kernel, threads, shared_bytes, blocks);
}

/* Multiplies the dimensions, of which only the first may not be 0. */
static weir_status multiply(const uint32_t from[3], uint32_t to[3], const char *what,
                            uint64_t *product)
{
	if (from[0] == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a %s of 0", what);
	*product = 1;
	for (int i = 0; i < 3; i++) {
		to[i] = from[i] ? from[i] : 1;
		if (*product > UINT32_MAX / to[i])
			return weir_fail(WEIR_BAD_ARGUMENT, "a %s of %u x %u x %u", what, from[0], from[1], from[2]);
		*product *= to[i];
	}
	return WEIR_OK;
}

static weir_status check_fit(weir_device *device, const weir_checked_launch *checked)
{
	const weir_launch *asked = checked->asked;
	uint32_t fit;

	if (asked->barrier && asked->barrier->config.count != checked->blocks)
		return weir_fail(WEIR_BAD_ARGUMENT, "a grid of %u blocks for a barrier of %u", checked->blocks,
		                 asked->barrier->config.count);
	weir_status status = device->backend->resident(device->state, asked->kernel, checked->threads,
	                                               asked->shared_bytes, &fit);
	if (status != WEIR_OK)
		return status;
	if (checked->blocks > fit)
		return weir_fail(WEIR_TOO_MANY_BLOCKS,
		                 "a grid of %u blocks of %u threads: %u of this kernel run at once on %s",
		                 checked->blocks, checked->threads, fit, device->info.name);
	return WEIR_OK;
}

weir_status weir_kernel_launch(weir_device *device, const weir_launch *launch)
{
	weir_checked_launch checked = {launch, {0}, {0}, 0, 0, 0};
	uint64_t blocks, threads;
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	if (!launch || (!launch->kernel.native && !launch->kernel.host))
		return weir_fail(WEIR_BAD_ARGUMENT, "weir_kernel_launch needs a launch with a kernel");
	if (launch->argument_count && !launch->arguments)
		return weir_fail(WEIR_BAD_ARGUMENT, "the launch has %u arguments and no list of them",
		                 launch->argument_count);
	status = multiply(launch->grid, checked.grid, "grid", &blocks);
	if (status == WEIR_OK)
		status = multiply(launch->block, checked.block, "block", &threads);
	if (status == WEIR_OK)
		status = check_threads(device, threads);
	if (status != WEIR_OK)
		return status;
	checked.blocks = (uint32_t)blocks;
	checked.threads = (uint32_t)threads;
	checked.cooperative = launch->cooperative || launch->barrier;
	if (checked.cooperative)
		status = check_fit(device, &checked);
	return status == WEIR_OK ? device->backend->launch(device->state, &checked) : status;
}
