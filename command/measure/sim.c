/* The measurements on a simulated device. */
#include "measure/sim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/simulated.h"
#include "measure/meter.h"
#include "measure/subject.h"
#include "output/figure.h"
#include "src/sim/sim.h"
#include "weir/profile.h"
#include "weir/weir.h"

static int no_such_device(const char *name)
{
	char known[256] = "";
	weir_device_info info;

	for (size_t i = 0; weir_simulated_device(i, &info); i++)
		weir_append_name(known, sizeof known, info.name);
	return weir_refuse("no simulated device '%s'; there are %s", name, known);
}

int weir_sim_meter_open(const char *name, weir_meter *meter)
{
	weir_profile *profile;
	size_t index = 0;

	memset(meter, 0, sizeof *meter);
	while (weir_simulated_device(index, &meter->info) && strcmp(meter->info.name, name) != 0)
		index++;
	if (strcmp(meter->info.name, name) != 0)
		return no_such_device(name);
	if (weir_profile_builtin(weir_simulated_profile_name(name), &profile) != WEIR_OK)
		return weir_complain_failed();
	meter->sim = weir_need(calloc(1, sizeof *meter->sim));
	weir_status status = weir_sim_machine_make(&profile->probe, meter->sim);
	weir_profile_destroy(profile);
	if (status == WEIR_OK)
		return 0;
	weir_meter_close(meter);
	return weir_complain_failed();
}

/* A profile states how many blocks of the probe's size run at once. Larger blocks are assumed to be
 * limited by their threads, smaller ones by their number. */
uint32_t weir_sim_most_blocks(const weir_meter *meter, uint32_t threads)
{
	const weir_probe *probe = &meter->sim->probe;
	uint64_t fit =
	    (uint64_t)probe->blocks * meter->sim->probe.threads / (threads ? threads : 1);

	return fit < probe->blocks ? (uint32_t)(fit ? fit : 1) : probe->blocks;
}

weir_status weir_sim_use_threads(weir_meter *meter, uint32_t threads)
{
	const weir_probe probe = meter->sim->probe;

	if (meter->sim->threads == threads)
		return WEIR_OK;
	weir_status status = weir_sim_machine_make(&probe, meter->sim);
	meter->sim->threads = threads;
	return status;
}

/* Runs with a setting that the simulator's tuner did not choose. */
static weir_status run_with(const weir_meter *meter, const weir_point *wanted,
                            const weir_setting *setting, weir_sim_score *score)
{
	const weir_sim_case c = {.primitive = wanted->primitive,
	                         .kind = wanted->kind,
	                         .blocks = wanted->blocks,
	                         .threads = wanted->threads,
	                         .initial = wanted->initial,
	                         .pattern = wanted->pattern,
	                         .backoff = setting->backoff,
	                         .has_shape = setting->shape.known,
	                         .shape = setting->shape.shape,
	                         .seed = meter->sim->seed,
	                         .accesses = meter->sim->accesses};

	return weir_sim_run_case(meter->sim, &c, score);
}

weir_status weir_sim_measure_point(weir_meter *meter, const weir_point *wanted,
                                   const weir_setting *setting, weir_point *result)
{
	weir_sim_score score = {0};
	weir_sim_found found;

	*result = *wanted;
	if (wanted->work)
		return weir_error_set(WEIR_BAD_ARGUMENT,
		                      "a simulated device runs empty critical sections only");
	if (wanted->blocks > weir_sim_most_blocks(meter, wanted->threads))
		return weir_error_set(WEIR_TOO_MANY_BLOCKS, "%s do not run at once on %s",
		                      weir_count_figure(wanted->blocks, "block").text,
		                      meter->info.name);
	weir_status status = weir_sim_use_threads(meter, wanted->threads);
	if (status == WEIR_OK && setting) {
		status = run_with(meter, wanted, setting, &score);
	} else if (status == WEIR_OK) {
		status = weir_sim_find(meter->sim, weir_sim_use_of(wanted), &found);
		score = (weir_sim_score){.per_second = found.per_second,
		                         .operations = found.operations,
		                         .jain = found.jain,
		                         .worst_share = found.worst_share};
	}
	if (status != WEIR_OK)
		return status;
	result->repeats = 1;
	result->rounds = result->rounds ? result->rounds : 1;
	result->simulated = 1;
	result->per_second = result->low = result->high = score.per_second;
	result->completed = score.operations;
	result->jain = score.jain;
	result->worst_share = score.worst_share;
	/* A run is limited by its number of accesses. */
	result->timed_out = score.operations == 0;
	return WEIR_OK;
}
