/* Runs the kernels of crews as threads of the host machine. So all of `weir crew --device cuda` runs without a
 * GPU: shares in device memory, and launches in streams and in graphs. */
#define _GNU_SOURCE
#include "kernels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/crew_kernels.h"
#include "kernels/real/crew_decode_kernels.h"

struct CUfunc_st {
	weir_host_entry entry;
	size_t bytes; /* of its third parameter */
};

static struct CUfunc_st functions[] = {
    {{"crew_trial", crew_trial_entry}, sizeof(crew_params)},
    {{"crew_decode", crew_decode_entry}, sizeof(crew_decode_params)},
    {{"crew_decode_once", crew_decode_once_entry}, sizeof(crew_decode_params)}};

_Static_assert(sizeof(crew_params) <= sizeof((fake_op *)0)->params, "room");
_Static_assert(sizeof(crew_decode_params) <= sizeof((fake_op *)0)->params, "room");

static double now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int loads(const void *image)
{
	return image != NULL;
}

static cuda_function find(const char *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (strcmp(functions[i].entry.name, name) == 0)
			return &functions[i];
	return NULL;
}

static void take(fake_op *op, void **parameters)
{
	op->words = *(void **)parameters[0];
	op->data = *(void **)parameters[1];
	memcpy(&op->params, parameters[2], op->function->bytes);
}

static void run(const fake_op *op)
{
	const weir_host_entry *entry = &op->function->entry;
	weir_program_text text = {.host_entries = entry, .host_entry_count = 1};
	weir_argument arguments[] = {{&op->words, sizeof op->words},
	                             {&op->data, sizeof op->data},
	                             {&op->params, op->function->bytes}};
	weir_launch launch = {.grid = {op->blocks, 1, 1},
	                      .block = {1, 1, 1},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_device *device;
	weir_program *program;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_program_create(device, &text, &program) != WEIR_OK ||
	    weir_program_kernel(program, entry->name, &launch.kernel) != WEIR_OK ||
	    weir_kernel_launch(device, &launch) != WEIR_OK ||
	    weir_device_wait(device, 0, NULL) != WEIR_OK)
		abort();
	weir_program_destroy(program);
	weir_device_close(device);
}

const fake_kernels fake_with = {.devices = 3,
                                .units = 132,
                                .most_threads = 512,
                                .static_shared = 1024,
                                .has_threads = 1,
                                .now_us = now_us,
                                .loads = loads,
                                .find = find,
                                .take = take,
                                .run = run};
