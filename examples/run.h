/* Opens the device given on the command line, and runs kernels with three arguments. */
#ifndef EXAMPLE_RUN_H
#define EXAMPLE_RUN_H

#include "check.h"

#define SKIPPED 77

/* The device named by the first argument; the host by default. Ends the program if it does not
 * exist here. */
static inline weir_device *run_open(int argc, char **argv)
{
	weir_device *device = NULL;

	if (weir_device_open(argc > 1 ? argv[1] : "host", &device) == WEIR_NO_DEVICE) {
		puts(weir_error_text());
		exit(SKIPPED);
	}
	if (!device) {
		puts(weir_error_text());
		exit(1);
	}
	return device;
}

/* The arguments of a kernel: the words of an object, plain memory, and its parameters. */
typedef struct run_arguments {
	weir_word *words;
	void *data;
	const void *params;
	size_t params_bytes;
} run_arguments;

static inline void run_launch_(weir_device *device, weir_program *program, const char *name,
                               weir_launch *launch, const run_arguments *with)
{
	const weir_argument arguments[] = {{&with->words, sizeof with->words},
	                                   {&with->data, sizeof with->data},
	                                   {with->params, with->params_bytes}};

	launch->arguments = arguments;
	launch->argument_count = 3;
	CHECK(weir_program_kernel(program, name, &launch->kernel));
	CHECK(weir_kernel_launch(device, launch));
}

static inline void run_launch(weir_device *device, weir_program *program, const char *name,
                              uint32_t blocks, uint32_t threads, const run_arguments *with)
{
	weir_launch launch = {.grid = {blocks}, .block = {threads}};

	run_launch_(device, program, name, &launch, with);
}

/* The same for blocks that wait for each other: all of them run at once. */
static inline void run_together(weir_device *device, weir_program *program, const char *name,
                                uint32_t blocks, uint32_t threads, const run_arguments *with)
{
	weir_launch launch = {.grid = {blocks}, .block = {threads}, .cooperative = 1};

	run_launch_(device, program, name, &launch, with);
}

#endif
