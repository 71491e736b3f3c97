/* weir probe: the paper's twelve memory benchmarks. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "command.h"
#include "measure/meter.h"
#include "measure/probe.h"
#include "output/file.h"
#include "output/json.h"
#include "output/probe_tables.h"
#include "output/progress.h"
#include "sweep/store.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const char help[] =
    "usage: weir probe [--device NAME] [--json FILE] [--save]\n"
    "\n"
    "Runs the paper's twelve memory benchmarks: the master thread of each block reads or writes a\n"
    "word, the same for all blocks (contentious) or one of its own, with volatile or atomic\n"
    "accesses, or volatile ones after a single atomic. Prints the paper's three tables. Of a\n"
    "simulated device (sim:NAME) it prints the figures that it is made from.\n"
    "\n"
    "  --device NAME   cuda:0, opencl:0, host, ...; the best device if not given\n"
    "  --save          put it into the user's profile of the device\n"
    "  --json FILE     write the same as JSON; - for standard output\n"
    "  --help          print this\n";

static const struct option options[] = {
    WEIR_OPTION_DEVICE, WEIR_OPTION_JSON, {"save", no_argument, NULL, 's'}, WEIR_OPTION_LAST};

static int save_probe(const weir_meter *meter, const weir_probe *probe, FILE *text)
{
	weir_profile *profile;
	char path[4096];

	if (weir_store_open(meter, &profile) != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	profile->probe = *probe;
	profile->has_probe = 1;
	int status = weir_store_write(profile, meter, NULL, path, sizeof path);
	weir_profile_free(profile);
	if (!status && text)
		fprintf(text, "\nsaved in %s\n", path);
	return status;
}

static int show(const weir_meter *meter, const weir_probe *probe, const weir_common *common)
{
	FILE *text = weir_text_stream(common);
	json_t *json = weir_output_document("probe");

	if (text)
		fprintf(text, "%s: %s, %s\n\n", meter->info.name, meter->info.description,
		        meter->info.driver);
	weir_print_probe(text, probe);
	weir_progress_say_stopped(text);
	json_object_set_new(json, "device", weir_output_device(&meter->info));
	json_object_set_new(json, "probe", weir_output_probe(probe));
	json_object_set_new(json, "complete", json_boolean(!weir_stop_asked()));
	return weir_write_json(common->json, json);
}

static int run_probe(weir_meter *meter, const weir_common *common, int save)
{
	weir_progress progress;
	weir_probe probe;

	weir_stop_catch();
	weir_progress_begin(&progress, "probing", "benchmark", WEIR_ACCESS_COUNT);
	weir_status measured = weir_measure_probe(meter, &progress, &probe);
	weir_progress_end(&progress);
	if (measured != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	int status = show(meter, &probe, common);
	if (weir_stop_asked())
		return status ? status : WEIR_EXIT_STOPPED;
	return status || !save ? status : save_probe(meter, &probe, weir_text_stream(common));
}

int weir_command_probe(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options};
	weir_meter meter;
	int save = 0;

	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
		save = 1;
	}
	int status = weir_no_operands(argc, argv);
	if (!status)
		status = weir_check_writable(common.json);
	if (!status)
		status = weir_meter_open(common.device, &meter);
	if (status)
		return status;
	status = save ? weir_store_check(&meter) : 0;
	if (!status)
		status = run_probe(&meter, &common, save);
	weir_meter_close(&meter);
	return status;
}
