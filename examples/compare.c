#define _POSIX_C_SOURCE 200809L
#include "compare.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEADLINE_NS 300000000000u
#define REPEATS 5
#define WARM_UP_S 0.3 /* a GPU's clocks are low at first */
#define MOST_WAYS 4
#define MOST_OPTIONS 16
#define FEW_BLOCKS 4
#define STATUS_USAGE 2
#define STATUS_SKIPPED 77

/* NULL in a build without nvcc. */
extern const void *const example_peers_cuda_image;

void compare_fail(const compare *c, int status, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "%s: ", c->name);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	fflush(NULL);
	_Exit(status); /* an orderly exit would wait for a kernel that does not end */
}

void compare_need(const compare *c, weir_status status)
{
	if (status != WEIR_OK)
		compare_fail(c, 1, "%s", weir_error_text());
}

void *compare_memory(const compare *c, size_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);

	if (!memory)
		compare_fail(c, 1, "no memory for %zu times %zu bytes", count, bytes);
	return memory;
}

static void print_help(const compare_program *program, const compare_option *options, size_t count)
{
	printf("usage: %s [OPTION]...\n%s\n\n", program->name, program->about);
	printf("  --device NAME       host, cuda:N, opencl:N, ptx (default: the best one here)\n");
	for (size_t i = 0; i < count; i++)
		printf("  --%-10s N      %s, %u to %u\n", options[i].name, options[i].help,
		       options[i].least, options[i].most);
	printf("  --help              this text\n");
}

static void read_number(const compare *c, const compare_option *option, const char *text)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || number < option->least || number > option->most)
		compare_fail(c, STATUS_USAGE, "--%s is a number from %u to %u, not '%s'",
		             option->name, option->least, option->most, text);
	*option->value = (uint32_t)number;
}

static const char *read_command_line(compare *c, const compare_program *program, int argc,
                                     char **argv)
{
	compare_option all[MOST_OPTIONS] = {
	    {"blocks", &c->blocks, 1, 1u << 20, "thread blocks"},
	    {"threads", &c->threads, 1, 1024, "threads in a block"}};
	struct option options[MOST_OPTIONS + 3] = {{"device", required_argument, NULL, 'd'},
	                                           {"help", no_argument, NULL, 'h'}};
	size_t count = 2 + program->option_count;
	const char *device = NULL;
	int option;
	int which = 0;

	memcpy(all + 2, program->options, program->option_count * sizeof *all);
	for (size_t i = 0; i < count; i++)
		options[2 + i] = (struct option){all[i].name, required_argument, NULL, 'n'};
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1) {
		if (option == 'd') {
			device = optarg;
		} else if (option == 'n') {
			read_number(c, &all[which - 2], optarg);
		} else if (option == 'h') {
			print_help(program, all, count);
			exit(0);
		} else {
			exit(STATUS_USAGE);
		}
	}
	if (optind < argc)
		compare_fail(c, STATUS_USAGE, "what is '%s'? --help lists the options",
		             argv[optind]);
	return device;
}

static void open_cuda(compare *c)
{
	const weir_program_text peers = {.cuda_image = example_peers_cuda_image};
	const char *number = strchr(c->info.name, ':');

	compare_need(c, weir_program_create(c->device, &peers, &c->peers));
	c->stream = cuda_stream_open(number ? (int)strtol(number + 1, NULL, 10) : 0);
	if (!c->stream)
		compare_fail(c, 1, "%s: the driver makes no stream", c->info.name);
}

void compare_open(compare *c, const compare_program *program, int argc, char **argv)
{
	memset(c, 0, sizeof *c);
	c->name = program->name;
	const char *name = read_command_line(c, program, argc, argv);
	weir_status opened = weir_device_open(name, &c->device);
	if (opened == WEIR_NO_DEVICE)
		compare_fail(c, STATUS_SKIPPED, "%s", weir_error_text());
	compare_need(c, opened);
	compare_need(c, weir_device_describe(c->device, &c->info));
	if (c->info.machine == WEIR_MACHINE_CUDA && !program->kernels.cuda_image)
		compare_fail(c, STATUS_SKIPPED,
		             "built without nvcc, so not for %s; --device host would do",
		             c->info.name);
	compare_need(c, weir_program_create(c->device, &program->kernels, &c->kernels));
	if (c->info.machine == WEIR_MACHINE_CUDA)
		open_cuda(c);
}

void compare_close(compare *c)
{
	cuda_stream_close(c->stream);
	compare_need(c, weir_device_close(c->device)); /* also frees everything on it */
}

void compare_default(const compare *c, uint32_t *value, uint32_t on_gpu, uint32_t elsewhere)
{
	if (*value == 0)
		*value = c->info.is_gpu ? on_gpu : elsewhere;
}

weir_kernel compare_kernel(const compare *c, weir_program *program, const char *name)
{
	weir_kernel kernel = {NULL, NULL};

	if (program)
		compare_need(c, weir_program_kernel(program, name, &kernel));
	return kernel;
}

static int is_absent(weir_kernel kernel)
{
	return !kernel.native && !kernel.host;
}

void compare_choose_grid(compare *c, uint32_t threads_on_gpu, const weir_kernel *kernels,
                         size_t count)
{
	uint32_t fit = UINT32_MAX;

	compare_default(c, &c->threads, threads_on_gpu, 2);
	if (c->threads > c->info.max_threads_per_block)
		compare_fail(c, STATUS_USAGE, "--threads %u: %s runs up to %u in a block",
		             c->threads, c->info.name, c->info.max_threads_per_block);
	if (c->blocks)
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t blocks;
		if (is_absent(kernels[i]))
			continue;
		compare_need(
		    c, weir_kernel_resident_blocks(c->device, kernels[i], c->threads, 0, &blocks));
		fit = blocks < fit ? blocks : fit;
	}
	/* Threads of a processor take turns: many more than its cores only cost time. */
	uint32_t enough = c->info.units < FEW_BLOCKS ? FEW_BLOCKS : c->info.units;
	c->blocks = c->info.is_gpu || fit < enough ? fit : enough;
	if (c->blocks == 0)
		compare_fail(c, 1, "a block of %u threads does not fit on %s", c->threads,
		             c->info.name);
}

void compare_start(const compare *c, const compare_launch *launch)
{
	weir_argument arguments[] = {{&launch->words, sizeof launch->words},
	                             {&launch->data->native, sizeof launch->data->native},
	                             {launch->params, launch->params_bytes}};
	void *parameters[] = {(void *)arguments[0].value, (void *)arguments[1].value,
	                      (void *)arguments[2].value};
	weir_launch through_weir = {.kernel = launch->kernel,
	                            .grid = {c->blocks},
	                            .block = {c->threads},
	                            .cooperative = launch->cooperative,
	                            .barrier = launch->barrier,
	                            .arguments = arguments,
	                            .argument_count = 3};
	int error;

	if (c->stream && !launch->barrier) {
		error = cuda_stream_launch(c->stream, launch->kernel.native, c->blocks, c->threads,
		                           launch->cooperative, parameters);
		if (error)
			compare_fail(c, 1, "a launch failed: CUDA error %d", error);
		return;
	}
	if (c->stream)
		through_weir.stream = cuda_stream_native(c->stream);
	compare_need(c, weir_kernel_launch(c->device, &through_weir));
}

static void wait_for_all(const compare *c)
{
	int error;

	if (!c->stream) {
		compare_need(c, weir_device_wait(c->device, DEADLINE_NS, NULL));
		return;
	}
	error = cuda_stream_wait(c->stream, DEADLINE_NS);
	if (error)
		compare_fail(c, 1, "a kernel failed or did not end: CUDA error %d", error);
}

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the time in milliseconds, including launches. */
static double do_once(const compare *c, const compare_work *work, const compare_way *way, int *bad)
{
	double begin;
	double took;
	uint64_t wrong;

	work->prepare(work->work);
	begin = now_s();
	way->start(work->work, way);
	wait_for_all(c);
	took = now_s() - begin;
	wrong = work->wrong(work->work);
	if (wrong) {
		printf("%s: WRONG RESULT: %llu errors\n", way->label, (unsigned long long)wrong);
		*bad = 1;
	}
	return took * 1e3;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;
	return (a > b) - (a < b);
}

static void print_row(const compare_work *work, const char *label, double times[REPEATS],
                      double *first)
{
	char ratio[32] = "";

	qsort(times, REPEATS, sizeof *times, by_size);
	double median = times[REPEATS / 2];
	if (*first > 0)
		snprintf(ratio, sizeof ratio, "%.2f", median / *first);
	else
		*first = median;
	printf("%-32s %10.3f %10.3f %10.3f %13.3f %9s\n", label, median, times[0],
	       times[REPEATS - 1], median * 1e3 / (double)work->units, ratio);
}

int compare_run(const compare *c, const compare_work *work, const compare_way *ways, size_t count)
{
	double times[MOST_WAYS][REPEATS];
	double first = 0;
	double warm_up_s = c->info.is_gpu ? WARM_UP_S : 0;
	double began = now_s();
	char per_unit[32];
	int bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	do {
		for (size_t w = 0; w < count; w++)
			if (!is_absent(ways[w].kernel))
				do_once(c, work, &ways[w], &bad);
	} while (!bad && now_s() - began < warm_up_s);
	for (size_t i = 0; !bad && i < REPEATS; i++)
		for (size_t w = 0; w < count; w++)
			if (!is_absent(ways[w].kernel))
				times[w][i] = do_once(c, work, &ways[w], &bad);
	if (bad)
		return 1;
	snprintf(per_unit, sizeof per_unit, "us/%s", work->unit);
	printf("%-32s %10s %10s %10s %13s %9s\n", "", "median ms", "least", "most", per_unit,
	       "speed-up");
	for (size_t w = 0; w < count; w++)
		if (!is_absent(ways[w].kernel))
			print_row(work, ways[w].label, times[w], &first);
		else
			printf("%-32s left out: for CUDA devices, in a build with nvcc\n",
			       ways[w].label);
	printf("every result was right; the speed-up is that of the first row over the others\n");
	return 0;
}
