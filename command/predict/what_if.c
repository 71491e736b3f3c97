/* The simulated machine of a prediction. */
#include "predict/predict.h"

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/profile.h"
#include "weir/weir.h"

int weir_predict_failed(weir_status status)
{
	return weir_complain(status == WEIR_BAD_ARGUMENT ? WEIR_EXIT_USAGE : WEIR_EXIT_FAILED, "%s",
	                     weir_error_text());
}

static int move_bar(void *progress, double work)
{
	weir_progress_add(progress, work);
	return weir_stop_asked();
}

static void lengthen_bar(void *progress, double more)
{
	((weir_progress *)progress)->total += more;
}

weir_sim_watch weir_predict_watch(weir_progress *progress)
{
	return (weir_sim_watch){move_bar, lengthen_bar, progress};
}

static int add_work(void *sum, double work)
{
	*(double *)sum += work;
	return 0;
}

weir_sim_watch weir_predict_sum(double *work)
{
	return (weir_sim_watch){.look = add_work, .context = work};
}

weir_status weir_predict_unless_stopped(weir_status status)
{
	return status == WEIR_ABORTED && weir_stop_asked() ? WEIR_OK : status;
}

int weir_predict_machine(const char *name, const weir_profile *profile, const char *what_if,
                         weir_sim_machine *machine)
{
	weir_status status = WEIR_OK;
	weir_probe probe = profile->probe;
	int batched_loads = 0;

	if (!profile->has_probe)
		return weir_no_probe(name, profile);
	if (what_if)
		status = weir_sim_what_if(what_if, &probe, &batched_loads);
	if (status == WEIR_OK)
		status = weir_sim_machine_make(&probe, machine);
	if (status == WEIR_OK)
		machine->batched_loads = batched_loads;
	return status == WEIR_OK ? 0 : weir_predict_failed(status);
}

int weir_predict_check_blocks(const char *name, const weir_sim_machine *machine,
                              const weir_counts *blocks)
{
	for (uint32_t i = 0; i < blocks->count; i++)
		if (blocks->values[i] > machine->probe.blocks)
			return weir_refuse("--blocks: %u do not run at once on %s, which has room "
			                   "for %s",
			                   blocks->values[i], name,
			                   weir_count_figure(machine->probe.blocks, "block").text);
	return 0;
}
