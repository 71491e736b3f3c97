/* Opens a device for measurements. */
#include "measure/meter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/simulated.h"
#include "driver/driver.h"
#include "measure/pattern.h"
#include "measure/programs.h"
#include "measure/sim.h"
#include "output/file.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	PLACE_BYTES = 1 << 24 /* larger than any object */
};

static weir_status open_places(weir_meter *meter)
{
	weir_status status = WEIR_OK;

	meter->place_count = meter->info.is_gpu ? WEIR_PLACES : 1;
	for (uint32_t i = 0; status == WEIR_OK && i < meter->place_count; i++)
		status = weir_buffer_create(meter->device, PLACE_BYTES, &meter->places[i]);
	return status;
}

int weir_meter_open(const char *device, weir_meter *meter)
{
	memset(meter, 0, sizeof *meter);
	if (weir_simulated_is_name(device))
		return weir_sim_meter_open(device, meter);
	int status = weir_choose_device(device, &meter->device, &meter->info);
	if (status)
		return status;
	if (meter->info.machine == WEIR_MACHINE_PTX) {
		weir_meter_close(meter);
		return weir_refuse("%s interprets PTX on the CPU: its times measure nothing",
		                   device);
	}
	if (weir_bench_program(meter->device, &meter->bench) == WEIR_OK &&
	    weir_probe_program(meter->device, &meter->probe) == WEIR_OK &&
	    open_places(meter) == WEIR_OK)
		return 0;
	weir_complain(WEIR_EXIT_FAILED, "%s: %s", meter->info.name, weir_error_text());
	weir_meter_close(meter);
	return WEIR_EXIT_FAILED;
}

void weir_meter_close(weir_meter *meter)
{
	if (meter->device)
		weir_device_close(meter->device); /* this also frees the programs and places */
	free(meter->sim);
	memset(meter, 0, sizeof *meter);
}

int weir_meter_use(weir_common *common, int (*run)(weir_meter *meter, void *request))
{
	weir_meter meter;
	int status = weir_check_writable(common->json);

	if (!status)
		status = weir_meter_open(common->device, &meter);
	if (status)
		return status;
	status = run(&meter, common);
	weir_meter_close(&meter);
	return status;
}

int weir_is_busy(weir_busy busy)
{
	return busy.stores || busy.uneven_us;
}

weir_status weir_meter_set_busy(weir_meter *meter, weir_busy busy)
{
	weir_status status = WEIR_OK;

	/* The unit of bench_ticks. */
	if (busy.uneven_us && !meter->ticks_per_us) {
		if (meter->info.machine == WEIR_MACHINE_CUDA)
			status = weir_cu_cycles_per_us(meter->device, &meter->ticks_per_us);
		else
			meter->ticks_per_us = 1000;
	}
	meter->busy = busy;
	return status;
}

/* Lowers `*blocks` to the number that runs at once in the kernel of the kind; 0: in the kernel that
 * dispatches on the kind. */
static weir_status fit_kernel(weir_meter *meter, enum weir_primitive primitive, uint32_t kind,
                              uint32_t pattern, uint32_t threads, uint32_t *blocks)
{
	weir_kernel kernel;
	uint32_t fit = 0;
	char name[64];
	weir_status status = weir_program_kernel(
	    meter->bench,
	    weir_bench_kernel_name(primitive, kind, pattern, weir_is_busy(meter->busy), name),
	    &kernel);

	if (status == WEIR_OK)
		status = weir_kernel_resident_blocks(meter->device, kernel, threads, 0, &fit);
	if (status == WEIR_OK && fit < *blocks)
		*blocks = fit;
	return status;
}

static weir_status fit_kinds(weir_meter *meter, uint32_t pattern, uint32_t threads,
                             uint32_t *blocks)
{
	const weir_kind *kind;
	weir_status status = fit_kernel(meter, meter->primitive, 0, pattern, threads, blocks);

	for (size_t i = 0; status == WEIR_OK && (kind = weir_kind_at(meter->primitive, i)) != NULL;
	     i++)
		if (weir_kind_runs(meter->device, kind))
			status = fit_kernel(meter, meter->primitive, kind->value, pattern, threads,
			                    blocks);
	return status;
}

weir_status weir_measure_most_blocks(weir_meter *meter, uint32_t threads, uint32_t *blocks)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	weir_status status = WEIR_OK;

	*blocks = UINT32_MAX;
	if (meter->sim) {
		*blocks = weir_sim_most_blocks(meter, threads);
		return WEIR_OK;
	}
	for (size_t i = 0; status == WEIR_OK && i < sizeof all / sizeof all[0]; i++)
		status = fit_kernel(meter, all[i], 0, 0, threads, blocks);
	for (uint32_t pattern = 1; status == WEIR_OK && weir_pattern_find(pattern); pattern++)
		if (weir_pattern_is_of(pattern, WEIR_PRIMITIVE_EVENT_ARRAY))
			status = fit_kernel(meter, WEIR_PRIMITIVE_EVENT_ARRAY, 0, pattern, threads,
			                    blocks);
		else if (weir_pattern_is_of(pattern, meter->primitive) &&
		         weir_pattern_runs(pattern, meter->info.machine))
			status = fit_kinds(meter, pattern, threads, blocks);
	return status;
}
