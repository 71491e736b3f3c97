/* A benchmark point on a device. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "kernels/bench_kernels.h"
#include "measure_programs.h"
#include "measure_sim.h"
#include "subject.h"

extern const void *const bench_cuda_image;
extern const char *const bench_opencl_text;

enum {
	PILOT_ROUNDS = 4,
	WARM_UP_MS = 20,
	MOST_WARM_UPS = 50,
	MOST_REPEATS = 1000
};

weir_status weir_bench_program(weir_device *device, weir_program **program)
{
	static const weir_host_entry entries[] = {{"mutex_bench", mutex_bench_entry},
	                                          {"semaphore_bench", semaphore_bench_entry},
	                                          {"barrier_bench", barrier_bench_entry},
#define ROW(name, ...) {"mutex_bench_" #name, mutex_bench_##name##_entry},
	                                          WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, ...) {"semaphore_bench_" #name, semaphore_bench_##name##_entry},
	                                              WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, ...) {"barrier_bench_" #name, barrier_bench_##name##_entry},
	                                                  WEIR_BARRIER_KINDS(ROW)
#undef ROW
	};
	const weir_program_text text = {.cuda_image = bench_cuda_image,
	                                .opencl_text = bench_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	return weir_program_create(device, &text, program);
}

int weir_has_cuda_kernels(void)
{
	return bench_cuda_image != NULL;
}

int weir_meter_open(const char *device, weir_meter *meter)
{
	memset(meter, 0, sizeof *meter);
	if (weir_sim_is_name(device))
		return weir_sim_meter_open(device, meter);
	int status = weir_open_device(device, &meter->device, &meter->info);
	if (status)
		return status;
	if (weir_bench_program(meter->device, &meter->bench) == WEIR_OK &&
	    weir_probe_program(meter->device, &meter->probe) == WEIR_OK)
		return 0;
	weir_complain(WEIR_EXIT_FAILED, "%s: %s", meter->info.name, weir_error_text());
	weir_meter_close(meter);
	return WEIR_EXIT_FAILED;
}

void weir_meter_close(weir_meter *meter)
{
	if (meter->device)
		weir_device_close(meter->device); /* and the programs with it */
	free(meter->sim);
	memset(meter, 0, sizeof *meter);
}

weir_status weir_measure_most_blocks(weir_meter *meter, uint32_t threads, uint32_t *blocks)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	*blocks = UINT32_MAX;
	if (meter->sim) {
		*blocks = weir_sim_most_blocks(meter, threads);
		return WEIR_OK;
	}
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		weir_kernel kernel;
		uint32_t fit;
		char name[64];
		weir_status status = weir_program_kernel(
		    meter->bench, weir_bench_kernel_name(all[i], 0, name), &kernel);
		if (status == WEIR_OK)
			status = weir_resident_blocks(meter->device, kernel, threads, 0, &fit);
		if (status != WEIR_OK)
			return status;
		*blocks = fit < *blocks ? fit : *blocks;
	}
	return WEIR_OK;
}

weir_backoff weir_untuned_backoff(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *found = weir_kind_find(primitive, kind);
	weir_backoff untuned = {WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};
	return found && found->backs_off ? untuned : weir_no_backoff();
}

weir_setting weir_untuned_setting(const weir_point *wanted)
{
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	weir_setting setting = {.backoff = weir_untuned_backoff(wanted->primitive, wanted->kind)};

	if (kind && kind->shaped)
		setting.shape = (weir_known_shape){1, weir_untuned_shape(kind, wanted->blocks)};
	return setting;
}

/* Without a clock in the kernel only fewer rounds keep a launch to its limit: how many, short runs
 * say, each longer than the one before. */
static weir_status fit_rounds(weir_subject *subject, double limit_s, uint32_t *rounds)
{
	weir_outcome outcome;
	uint32_t pilot = *rounds < PILOT_ROUNDS ? *rounds : PILOT_ROUNDS;
	weir_status status = weir_subject_run(subject, pilot, limit_s, &outcome);

	while (status == WEIR_OK && limit_s > 0 && !outcome.clocked && pilot < *rounds / 8 &&
	       outcome.ms < limit_s * 1e3 / 16) {
		pilot *= 8;
		status = weir_subject_run(subject, pilot, limit_s, &outcome);
	}
	if (status == WEIR_OK && limit_s > 0 && !outcome.clocked && outcome.ms > 0) {
		double fit = pilot * limit_s * 1e3 / outcome.ms;
		*rounds = fit >= *rounds ? *rounds : fit < 1 ? 1 : (uint32_t)fit;
	}
	return status;
}

/* A GPU's clocks are low at first. */
static weir_status warm_up(weir_subject *subject, double limit_s, uint32_t rounds)
{
	weir_outcome outcome;
	weir_status status = WEIR_OK;
	double spent = 0;

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && spent < WARM_UP_MS; i++) {
		status = weir_subject_run(subject, rounds, limit_s, &outcome);
		spent += outcome.ms;
	}
	return status;
}

static weir_status run_repeats(weir_subject *subject, double limit_s, weir_point *result)
{
	uint32_t rounds = subject->wanted.rounds;
	uint32_t repeats = subject->wanted.repeats;
	double each_s = limit_s / (repeats + 1);
	weir_outcome *outcomes = weir_need(calloc(repeats, sizeof *outcomes));
	weir_status status = fit_rounds(subject, each_s, &rounds);
	double spent_s = 0;
	uint32_t done = 0;

	if (status == WEIR_OK && subject->meter->info.is_gpu)
		status = warm_up(subject, each_s, rounds);
	result->timed_out = rounds < subject->wanted.rounds;
	while (status == WEIR_OK && done < repeats) {
		weir_outcome *outcome = &outcomes[done];
		status = weir_subject_run(subject, rounds, each_s, outcome);
		if (status != WEIR_OK)
			break;
		done++;
		result->timed_out |= outcome->cut;
		spent_s += outcome->ms * 1e-3;
		if ((limit_s > 0 && spent_s > limit_s) || weir_stop_asked())
			break;
	}
	if (status == WEIR_OK)
		weir_outcomes_summarize(outcomes, done, result);
	free(outcomes);
	return status;
}

weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               const weir_setting *setting, weir_point *result)
{
	weir_subject subject;

	if (wanted->blocks == 0 || wanted->threads == 0 || wanted->rounds == 0 ||
	    wanted->repeats == 0 || wanted->repeats > MOST_REPEATS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a benchmark without blocks or repeats");
	if (meter->sim)
		return weir_sim_measure_point(meter, wanted, setting, result);
	*result = *wanted;
	weir_status status = weir_subject_create(meter, wanted, setting, &subject);
	if (status == WEIR_OK)
		status = run_repeats(&subject, limit_s, result);
	weir_subject_destroy(&subject);
	return status;
}
