/* The twelve memory benchmarks on a device. */
#include "measure/probe.h"

#include <stdint.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "kernels/probe_params.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	GPU_THREADS = 128,
	GPU_ACCESSES = 1000,
	/* On a CPU an access takes a nanosecond, and starting a thread takes tens of
	 * microseconds. */
	CPU_ACCESSES = 1000000,
	MOST_CPU_BLOCKS = 8,
	REPEATS = 9,
	WARM_UP_MS = 20, /* clocks are low at first */
	MOST_WARM_UPS = 100,
	HANG_S = 120
};

struct probing {
	weir_meter *meter;
	weir_kernel kernel;
	weir_buffer words;
	weir_buffer sums;
	const weir_probe *probe;
};

static weir_status run_once(struct probing *probing, probe_params params, double *ms)
{
	weir_argument arguments[] = {{&probing->words.native, sizeof probing->words.native},
	                             {&probing->sums.native, sizeof probing->sums.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = probing->kernel,
	                      .grid = {probing->probe->blocks},
	                      .block = {probing->probe->threads},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_kernel_launch(probing->meter->device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(probing->meter->device, HANG_S * 1000000000ull, ms);
	return status;
}

static weir_status median_of_runs(struct probing *probing, probe_params params, double *median)
{
	double times[REPEATS];
	double spent = 0;
	double ms = 0;
	weir_status status = run_once(probing, params, &ms);

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && spent < WARM_UP_MS; i++) {
		status = run_once(probing, params, &ms);
		spent += ms;
	}
	for (int i = 0; status == WEIR_OK && i < REPEATS; i++)
		status = run_once(probing, params, &times[i]);
	if (status != WEIR_OK)
		return status;
	weir_sort_figures(times, REPEATS);
	*median = times[REPEATS / 2];
	return WEIR_OK;
}

/* A full GPU; on a CPU one block per core, with one thread each: the other threads would only start
 * and end. */
static weir_status size_probe(struct probing *probing, weir_probe *probe)
{
	const weir_device_info *info = &probing->meter->info;
	uint32_t most = 0;

	memset(probe, 0, sizeof *probe);
	probe->threads = info->is_gpu ? GPU_THREADS : 1;
	probe->accesses = info->is_gpu ? GPU_ACCESSES : CPU_ACCESSES;
	weir_status status =
	    weir_program_kernel(probing->meter->probe, "memory_probe", &probing->kernel);
	if (status == WEIR_OK)
		status = weir_kernel_resident_blocks(probing->meter->device, probing->kernel,
		                                     probe->threads, 0, &most);
	probe->blocks = most;
	if (!info->is_gpu) {
		uint32_t fit = info->units < 2 ? 2 : info->units;
		fit = fit > MOST_CPU_BLOCKS ? MOST_CPU_BLOCKS : fit;
		probe->blocks = most < fit ? most : fit;
	}
	return status;
}

static weir_status run_all(struct probing *probing, weir_progress *progress, weir_probe *probe)
{
	for (uint32_t i = 0; i < WEIR_ACCESS_COUNT && !weir_stop_asked(); i++) {
		probe_params params = {i / 4, i / 2 % 2, i % 2, probe->accesses / PROBE_UNROLL, 0};
		weir_status status = median_of_runs(probing, params, &probe->ms[i]);
		if (status != WEIR_OK)
			return status;
		weir_progress_add(progress, 1);
	}
	return WEIR_OK;
}

weir_status weir_measure_probe(weir_meter *meter, weir_progress *progress, weir_probe *probe)
{
	struct probing probing = {.meter = meter, .probe = probe};

	if (meter->sim) {
		*probe = meter->sim->probe;
		weir_progress_add(progress, WEIR_ACCESS_COUNT);
		return WEIR_OK;
	}
	weir_status status = size_probe(&probing, probe);

	if (status == WEIR_OK)
		status = weir_buffer_create(meter->device,
		                            (size_t)probe->blocks * PROBE_PITCH * sizeof(weir_word),
		                            &probing.words);
	if (status == WEIR_OK)
		status = weir_buffer_create(meter->device, (size_t)probe->blocks * sizeof(uint32_t),
		                            &probing.sums);
	if (status == WEIR_OK)
		status = run_all(&probing, progress, probe);
	if (probing.words.native)
		weir_buffer_destroy(meter->device, &probing.words);
	if (probing.sums.native)
		weir_buffer_destroy(meter->device, &probing.sums);
	return status;
}

int weir_probe_with_bar(weir_meter *meter, weir_probe *probe)
{
	weir_progress progress;

	weir_stop_catch();
	weir_progress_begin(&progress, "probing", "benchmark", WEIR_ACCESS_COUNT);
	weir_status status = weir_measure_probe(meter, &progress, probe);
	weir_progress_end(&progress);
	return status == WEIR_OK ? 0 : weir_complain_failed();
}
