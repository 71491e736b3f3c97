/* weir profile: shows, creates or checks the profile of a device. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "command.h"
#include "compare/ranking.h"
#include "measure/meter.h"
#include "output/file.h"
#include "output/json.h"
#include "output/probe_tables.h"
#include "output/progress.h"
#include "output/table.h"
#include "sweep/store.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir profile [OPTION]...\n"
	     "weir profile --save|--output FILE [--fresh] [OPTION]...\n"
	     "weir profile --check FILE [OPTION]...",
    .what = "Shows, measures or checks the profile from which the library takes its defaults.",
    .examples = {{"weir profile", "the profile in use on this machine"},
                 {"weir profile --save", "measure what it lacks; the library then uses it"}}};

struct request {
	weir_common common;
	int save;
	int fresh;
	const char *output;
	const char *check;
};

static const weir_option options[] = {
    WEIR_GROUP("Which profile"),
    WEIR_ROW_DEVICE,
    WEIR_ROW_PROFILE("a built-in profile (gt200, gf100, h200, cpu) or a file"),
    WEIR_GROUP("What to do instead of showing it"),
    {"save", NULL, "measure what it lacks, and write it where the library looks",
     WEIR_TO_FLAG(struct request, save)},
    {"output", "FILE", "the same, written elsewhere", WEIR_TO_TEXT(struct request, output)},
    {"fresh", NULL, "with these two: measure everything anew", WEIR_TO_FLAG(struct request, fresh)},
    {"check", "FILE", "check that it is a profile, and with --device, that it is of that device",
     WEIR_TO_TEXT(struct request, check)},
    WEIR_GROUP("Output"),
    WEIR_ROW_JSON,
    {.name = NULL}};

static void show_rules(FILE *text, const weir_profile *profile)
{
	static const char *const columns[] = {"<primitive",  "<for",   "<kind", "backoff min",
	                                      "backoff max", "shards", NULL};
	weir_table *table = weir_table_make(columns);

	for (size_t i = 0; i < profile->rule_count; i++) {
		const weir_rule *rule = &profile->rules[i];
		int is_rest = i && profile->rules[i - 1].primitive == rule->primitive;
		weir_table_cell(table, "%s", weir_primitive_name(rule->primitive));
		if (rule->up_to)
			weir_table_cell(table, "up to %u", rule->up_to);
		else
			weir_table_cell(table, is_rest ? "more" : "all");
		weir_table_cell(table, "%s", weir_kind_name(rule->primitive, rule->kind));
		if (rule->backoff.min || rule->backoff.max)
			weir_table_cells(table, "%u\t%u", rule->backoff.min, rule->backoff.max);
		else
			weir_table_blanks(table, 2);
		weir_table_count(table, rule->shape.known ? 1u << rule->shape.shape.bits : 0);
	}
	weir_table_end(table, text);
}

static void print_profile(FILE *text, const weir_profile *profile)
{
	if (!text)
		return;
	fprintf(text, "%s%s%s\n", profile->name, *profile->device.driver ? ", " : "",
	        profile->device.driver);
	fprintf(text, "measured points: %zu; tunings: %zu; probe: %s%s%s\n", profile->point_count,
	        profile->tuning_count, profile->has_probe ? "yes" : "no",
	        *profile->commit ? "; commit " : "", profile->commit);
	if (profile->has_probe) {
		weir_class class_;
		weir_classify(&profile->probe, &class_);
		fprintf(text, "class: %s\n\n", class_.name);
		weir_print_probe(text, &profile->probe);
	}
	char *faster = weir_need(weir_profile_faster_text(profile));
	if (profile->rule_count > 0)
		fprintf(text, "\n%s kinds\n", *faster ? "Fastest" : "Default");
	show_rules(text, profile);
	fputs(faster, text);
	free(faster);
}

/* Explains each rule. */
static json_t *show_rankings(FILE *text, const weir_profile *profile)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	weir_ranking rankings[WEIR_RANKINGS];
	json_t *array = weir_need(json_array());

	if (text)
		fprintf(text, "\n");
	for (size_t p = 0; p < sizeof all / sizeof all[0]; p++) {
		size_t count = weir_rankings(profile, all[p], rankings);
		for (size_t i = 0; i < count; i++) {
			const weir_rule *rule = weir_profile_rule(
			    profile, all[p], weir_comparison_count(&rankings[i].comparison));
			if (text && rule)
				weir_ranking_print_default(text, &rankings[i], rule->kind);
			json_array_append_new(array, weir_output_ranking(&rankings[i]));
		}
	}
	return array;
}

static int show(const struct request *request, const weir_profile *profile, const char *origin,
                int measured)
{
	FILE *text = weir_text_stream(&request->common);

	if (text && origin)
		fprintf(text, "from %s\n", origin);
	print_profile(text, profile);
	json_t *rankings = show_rankings(measured ? text : NULL, profile);
	if (!request->common.json) {
		json_decref(rankings);
		return 0;
	}
	char *written = weir_need(weir_profile_text(profile));
	json_t *json = weir_output_document("profile");
	json_object_set_new(json, "profile", weir_need(json_loads(written, 0, NULL)));
	json_object_set_new(json, "verdicts", rankings);
	if (origin)
		json_object_set_new(json, "origin", json_string(origin));
	free(written);
	return weir_write_json(request->common.json, json);
}

static int show_named(const struct request *request)
{
	weir_profile *profile;
	int status = weir_choose_profile(request->common.profile, &profile);

	if (status)
		return status;
	status = show(request, profile, NULL, 0);
	weir_profile_destroy(profile);
	return status;
}

static int show_device(const struct request *request)
{
	weir_device *device;
	weir_device_info info;
	weir_profile *profile;
	char origin[1024];
	int status = weir_choose_device(request->common.device, &device, &info);

	if (status)
		return status;
	if (weir_profile_for(&info, &profile, origin, sizeof origin) == WEIR_OK) {
		status = show(request, profile, origin, 0);
		weir_profile_destroy(profile);
	} else {
		status = weir_complain_failed();
	}
	weir_device_close(device);
	return status;
}

static int check_device(const struct request *request, const weir_profile *profile)
{
	weir_device *device;
	weir_device_info info;
	int status = weir_choose_device(request->common.device, &device, &info);

	if (status)
		return status;
	if (weir_profile_matches(profile, &info) != WEIR_OK)
		status = weir_refuse("%s: %s", request->check, weir_error_text());
	weir_device_close(device);
	return status;
}

static int check_file(const struct request *request)
{
	FILE *text = weir_text_stream(&request->common);
	weir_profile *profile;

	if (weir_profile_read(request->check, &profile) != WEIR_OK)
		return weir_refuse("%s", weir_error_text());
	int status = request->common.device ? check_device(request, profile) : 0;
	if (!status && text)
		fprintf(text, "%s is a profile\n", request->check);
	if (!status)
		status = show(request, profile, NULL, 0);
	weir_profile_destroy(profile);
	return status;
}

static int make_profile(weir_meter *meter, const struct request *request, weir_profile *profile)
{
	FILE *text = weir_text_stream(&request->common);
	weir_sweep sweep;
	char path[4096];
	int status = 0;

	weir_stop_catch();
	weir_status measured = weir_sweep_default(meter, 0, &sweep);
	sweep.patterns.count = 0; /* no rule follows from events */
	if (measured == WEIR_OK)
		measured = weir_measure_missing(meter, &sweep, profile);
	if (measured == WEIR_OK && !meter->sim)
		measured = weir_measure_duels(meter, profile);
	if (measured != WEIR_OK)
		status = weir_complain_failed();
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	int stored = weir_store_write(profile, meter, request->output, path, sizeof path);
	if (stored)
		return stored;
	stored = show(request, profile, NULL, status == 0);
	weir_progress_say_stopped(text);
	if (text)
		fprintf(text, "\nsaved in %s\n", path);
	return stored ? stored : status;
}

static int measure_profile(weir_meter *meter, void *asked)
{
	const struct request *request = asked;
	int status = request->output ? 0 : weir_store_check(meter);

	if (status)
		return status;
	weir_profile *profile =
	    request->fresh ? weir_store_empty(&meter->info) : weir_store_open(meter);
	status = make_profile(meter, request, profile);
	weir_profile_destroy(profile);
	return status;
}

static int check_request(int argc, char **argv, const struct request *request)
{
	int measures = request->save || request->output;
	const weir_refusal refusals[] = {
	    {request->save + !!request->output + !!request->check > 1,
	     "--save, --output and --check exclude each other"},
	    {request->common.profile && (measures || request->check || request->common.device),
	     "--profile only shows a profile, and excludes --device"},
	    {request->fresh && !measures, "--fresh needs --save or --output"},
	    {0, NULL}};
	int status = weir_no_operands(argc, argv);

	if (!status)
		status = weir_refuse_any(refusals);
	return status ? status : weir_check_writable(request->common.json);
}

int weir_command_profile(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options}};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	int status = check_request(argc, argv, &request);
	if (status)
		return status;
	if (request.check)
		return check_file(&request);
	if (request.save || request.output) {
		status = weir_check_writable(request.output);
		return status ? status : weir_meter_use(&request.common, measure_profile);
	}
	return request.common.profile ? show_named(&request) : show_device(&request);
}
