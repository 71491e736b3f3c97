/* Every primitive and kind at work on the best device here, or on the one that is named, with a
 * line of result and throughput each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench_kernels.h"
#include "weir/weir.h"

extern const void *const bench_cuda_image;
extern const char *const bench_opencl_text;

static const weir_host_entry entries[] = {{"mutex_bench", mutex_bench_entry},
                                          {"semaphore_bench", semaphore_bench_entry},
                                          {"barrier_bench", barrier_bench_entry}};

enum {
	THREADS = 128,
	WORK = 1,
	LIMIT_US = 300000,
	SLOTS = 2,
	DEADLINE_S = 60
};

struct demo {
	weir_device *device;
	weir_device_info info;
	weir_program *program;
	weir_buffer data;
	uint32_t *copy;
	uint32_t blocks;
	uint32_t rounds;
	int failures;
};

static int complain(const char *what)
{
	fprintf(stderr, "weir-demo: %s: %s\n", what, weir_error_text());
	return 1;
}

static weir_status run(struct demo *demo, const char *name, void *words, weir_config config,
                       double *ms)
{
	bench_params params = {config, demo->rounds, WORK, LIMIT_US};
	weir_argument arguments[] = {{&words, sizeof words},
	                             {&demo->data.native, sizeof demo->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.grid = {demo->blocks},
	                      .block = {THREADS},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	memset(demo->copy, 0, demo->data.bytes);
	weir_status status =
	    weir_buffer_write(demo->device, demo->data, 0, demo->copy, demo->data.bytes);
	if (status == WEIR_OK)
		status = weir_program_kernel(demo->program, name, &launch.kernel);
	if (status == WEIR_OK)
		status = weir_kernel_launch(demo->device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(demo->device, DEADLINE_S * 1000000000ull, ms);
	if (status == WEIR_OK)
		status =
		    weir_buffer_read(demo->device, demo->data, 0, demo->copy, demo->data.bytes);
	return status;
}

static uint64_t operations(const struct demo *demo)
{
	uint64_t done = 0;
	for (uint32_t i = 0; i < demo->blocks; i++)
		done += demo->copy[i * BENCH_BLOCK_WORDS + BENCH_DONE];
	return done;
}

static void print_line(struct demo *demo, const char *primitive, const char *kind,
                       weir_status status, int right, const char *unit, uint64_t done, double ms)
{
	if (status != WEIR_OK || !right)
		demo->failures++;
	if (status != WEIR_OK)
		printf("%-10s %-13s FAILED: %s\n", primitive, kind, weir_error_text());
	else
		printf("%-10s %-13s %-7s %9llu %-8s %12.0f per second\n", primitive, kind,
		       right ? "right" : "WRONG", (unsigned long long)done, unit,
		       (double)done / ms * 1e3);
}

static void show_barrier(struct demo *demo, const char *name, weir_barrier_kind kind)
{
	weir_barrier b;
	double ms = 0;
	weir_status status = weir_barrier_create(demo->device, kind, demo->blocks, &b);
	if (status == WEIR_OK) {
		status = run(demo, "barrier_bench", b.words, b.config, &ms);
		weir_barrier_destroy(demo->device, &b);
	}
	uint64_t done = demo->copy[BENCH_DONE];
	int right = done > 0 && operations(demo) == done * demo->blocks;
	print_line(demo, "barrier", name, status, right, "barriers", done, ms);
}

/* The critical section adds 1 to a plain word, so that word must be the number of operations. */
static void show_mutex(struct demo *demo, const char *name, weir_mutex_kind kind)
{
	weir_mutex m;
	double ms = 0;
	weir_status status = weir_mutex_create(demo->device, kind, &m);
	if (status == WEIR_OK) {
		status = run(demo, "mutex_bench", m.words, m.config, &ms);
		weir_mutex_destroy(demo->device, &m);
	}
	uint64_t done = operations(demo);
	int right = done > 0 && demo->copy[demo->blocks * BENCH_BLOCK_WORDS] == done;
	print_line(demo, "mutex", name, status, right, "locks", done, ms);
}

static void show_semaphore(struct demo *demo, const char *name, weir_semaphore_kind kind)
{
	weir_semaphore s;
	double ms = 0;
	weir_status status = weir_semaphore_create(demo->device, kind, SLOTS, SLOTS, &s);
	if (status == WEIR_OK) {
		status = run(demo, "semaphore_bench", s.words, s.config, &ms);
		weir_semaphore_destroy(demo->device, &s);
	}
	uint64_t done = operations(demo);
	print_line(demo, "semaphore", name, status, done > 0, "waits", done, ms);
}

static int open_demo(struct demo *demo, const char *name)
{
	const weir_program_text text = {.cuda_image = bench_cuda_image,
	                                .opencl_text = bench_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	weir_kernel kernel;

	if (weir_device_open(name, &demo->device) != WEIR_OK ||
	    weir_device_describe(demo->device, &demo->info) != WEIR_OK)
		return complain("cannot open the device");
	if (weir_program_create(demo->device, &text, &demo->program) != WEIR_OK ||
	    weir_program_kernel(demo->program, "barrier_bench", &kernel) != WEIR_OK ||
	    weir_resident_blocks(demo->device, kernel, THREADS, 0, &demo->blocks) != WEIR_OK)
		return complain("cannot load the kernels");
	demo->rounds = 1000;
	if (!demo->info.is_gpu) {
		/* A thread for every GPU thread: keep their number near what a machine can turn over. */
		demo->blocks = demo->blocks < 4 ? demo->blocks : 4;
		demo->rounds = 200;
	}
	if (weir_buffer_create(demo->device,
	                       (demo->blocks * BENCH_BLOCK_WORDS + 32) * sizeof(uint32_t),
	                       &demo->data) != WEIR_OK)
		return complain("cannot allocate");
	demo->copy = malloc(demo->data.bytes);
	return demo->copy ? 0 : complain("cannot allocate");
}

int main(int argc, char **argv)
{
	struct demo demo = {0};

	if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
		printf("usage: weir-demo [DEVICE]\nDEVICE is cuda:N, opencl:N or host; the best "
		       "one here if not given\n");
		return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
	}
	for (int machine = 0; machine < WEIR_MACHINE_COUNT; machine++)
		if (*weir_machine_absence((weir_machine)machine))
			printf("no %s device: %s\n", weir_machine_name((weir_machine)machine),
			       weir_machine_absence((weir_machine)machine));
	if (open_demo(&demo, argc == 2 ? argv[1] : NULL))
		return 1;
	printf("%s: %s, %s; %u blocks of %d threads, a counter in every critical section\n",
	       demo.info.name, demo.info.description, demo.info.driver, demo.blocks, THREADS);
#define ROW(name, NAME, ...) show_barrier(&demo, #name, WEIR_BARRIER_##NAME);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) show_mutex(&demo, #name, WEIR_MUTEX_##NAME);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) show_semaphore(&demo, #name, WEIR_SEMAPHORE_##NAME);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
	free(demo.copy);
	weir_program_destroy(demo.program);
	weir_device_close(demo.device);
	return demo.failures ? 1 : 0;
}
