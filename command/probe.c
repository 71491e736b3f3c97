/* weir probe: the paper's twelve memory benchmarks. */
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

static const weir_help help = {
    .usage = "weir probe [OPTION]...",
    .what = "Measures the memory system of a device by the paper's twelve benchmarks.",
    .examples = {{"weir probe", "the best device here"},
                 {"weir probe --device cuda:0 --save", "and keep the figures in its profile"}}};

struct request {
	weir_common common;
	int save;
};

static const weir_option options[] = {WEIR_GROUP("What to measure"),
                                      WEIR_ROW_DEVICE,
                                      WEIR_GROUP("Output"),
                                      {"save", NULL,
                                       "add the figures to the user's profile of the device",
                                       WEIR_TO_FLAG(struct request, save)},
                                      WEIR_ROW_JSON,
                                      {.name = NULL}};

static int save_probe(const weir_meter *meter, const weir_probe *probe, FILE *text)
{
	weir_profile *profile = weir_store_open(meter);
	char path[4096];

	profile->probe = *probe;
	profile->has_probe = 1;
	int status = weir_store_write(profile, meter, NULL, path, sizeof path);
	weir_profile_destroy(profile);
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
	return weir_finish_json(common->json, json);
}

static int run_probe(weir_meter *meter, void *asked)
{
	const struct request *request = asked;
	weir_probe probe;
	int status = request->save ? weir_store_check(meter) : 0;

	if (!status)
		status = weir_probe_with_bar(meter, &probe);
	if (!status)
		status = show(meter, &probe, &request->common);
	return status || !request->save
	           ? status
	           : save_probe(meter, &probe, weir_text_stream(&request->common));
}

int weir_command_probe(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options}};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	int status = weir_no_operands(argc, argv);
	return status ? status : weir_meter_use(&request.common, run_probe);
}
