/* How many of the blocks that run at the same time a discovery finds, and its cost: a row for each
 * block size, grid size and delay. It runs on the device that the command line names. The cost is
 * the median time of a launch with the discovery minus that of a launch without. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "group_kernels.h"

#define REPEATS 25
#define DEADLINE_NS 60000000000u

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(group_discover), HARNESS_ENTRY(group_other_barrier), HARNESS_ENTRY(group_ask),
    HARNESS_ENTRY(group_nothing),  HARNESS_ENTRY(group_chosen),        HARNESS_ENTRY(group_part)};

struct size {
	uint32_t blocks;
	uint32_t threads;
};

static double run(harness *h, const char *kernel, const weir_group *g, struct size size,
                  uint32_t *found)
{
	harness_params params = {.config.group = g->config};
	weir_argument arguments[] = {{&g->words, sizeof g->words},
	                             {&h->data.native, sizeof h->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.grid = {size.blocks},
	                      .block = {size.threads},
	                      .arguments = arguments,
	                      .argument_count = 3};
	uint32_t data[2];
	double ms;

	harness_need(weir_program_kernel(h->program, kernel, &launch.kernel), kernel);
	harness_need(weir_kernel_launch(h->device, &launch), kernel);
	harness_need(weir_device_wait(h->device, DEADLINE_NS, &ms), kernel);
	harness_need(weir_buffer_read(h->device, h->data, 0, data, sizeof data),
	             "weir_buffer_read");
	*found = data[HARNESS_MOST];
	return ms * 1000;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(double *values)
{
	qsort(values, REPEATS, sizeof *values, compare);
	return values[REPEATS / 2];
}

static void row(harness *h, struct size size, uint32_t resident, uint32_t delay)
{
	weir_group_options options = {.delay = delay, .has_delay = 1};
	double with[REPEATS], without[REPEATS];
	uint32_t least = UINT32_MAX, most = 0, found;
	uint64_t sum = 0;
	weir_group g;

	harness_need(weir_group_create(h->device, size.blocks, &options, &g), "weir_group_create");
	run(h, "group_ask", &g, size, &found);
	run(h, "group_nothing", &g, size, &found);
	for (int i = 0; i < REPEATS; i++) {
		without[i] = run(h, "group_nothing", &g, size, &found);
		with[i] = run(h, "group_ask", &g, size, &found);
		least = found < least ? found : least;
		most = found > most ? found : most;
		sum += found;
	}
	if (resident > size.blocks)
		resident = size.blocks;
	double began = median(without);
	printf("%7u %7u %8u %6u %6u %6u %6u %7.1f%% %10.1f\n", size.threads, size.blocks, resident,
	       delay, least, (uint32_t)(sum / REPEATS), most,
	       100.0 * (double)sum / REPEATS / resident, median(with) - began);
	harness_need(weir_group_destroy(h->device, &g), "weir_group_destroy");
}

int main(int argc, char **argv)
{
	static const uint32_t delays[] = {0, 8, 64, 512};
	static const uint32_t gpu[] = {32, 128, 256, 1024};
	static const uint32_t cpu[] = {1, 32};
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "group", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	printf("%7s %7s %8s %6s %6s %6s %6s %8s %10s\n", "threads", "grid", "resident", "delay",
	       "least", "mean", "most", "recall", "us");
	for (size_t t = 0; t < (h.info.is_gpu ? 4 : 2); t++) {
		uint32_t threads = h.info.is_gpu ? gpu[t] : cpu[t];
		uint32_t resident = harness_resident(&h, "group_ask", threads);
		/* All the threads that fit on the host machine would take minutes. */
		uint32_t blocks = h.info.machine == WEIR_MACHINE_HOST ? 13 : resident;
		for (uint32_t times = 1; times <= 4; times *= 4)
			for (size_t d = 0; d < sizeof delays / sizeof delays[0]; d++)
				row(&h, (struct size){times * blocks, threads}, resident,
				    delays[d]);
	}
	h.passed = 1;
	return harness_close(&h);
}
