/* weir classify: the paper's machine abstraction of a probe. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "measure.h"

static const char help[] =
    "usage: weir classify [--device NAME | --profile NAME|FILE] [--json FILE]\n"
    "\n"
    "Says what kind of machine a probe shows (how dear atomics are next to volatile accesses, how\n"
    "dear contention is, whether atomics hold a line hostage) and what follows for each\n"
    "primitive.\n"
    "\n"
    "  --device NAME        probe this device now (sim:NAME: a profile's probe); the best one if\n"
    "                       neither is given\n"
    "  --profile NAME|FILE  take the probe of a built-in profile (gt200, gf100, ...) or of a file\n"
    "  --json FILE          write the same as JSON; - for standard output\n"
    "  --help               print this\n";

static const struct option options[] = {WEIR_OPTION_DEVICE, WEIR_OPTION_PROFILE, WEIR_OPTION_JSON,
                                        WEIR_OPTION_LAST};

/* Low is few slots next to many waiters, high one for almost each: the paper's two columns. */
static const struct {
	const char *name;
	enum weir_primitive primitive;
	uint32_t initial;
} choices[] = {
    {"barrier", WEIR_PRIMITIVE_BARRIER, 0},
    {"mutex", WEIR_PRIMITIVE_MUTEX, 0},
    {"semaphore_low", WEIR_PRIMITIVE_SEMAPHORE, 1},
    {"semaphore_high", WEIR_PRIMITIVE_SEMAPHORE, 120},
};

static json_t *recommended(const weir_class *class_)
{
	json_t *kinds = weir_need(json_object());
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		uint32_t kind = weir_class_kind(class_, choices[i].primitive, choices[i].initial);
		json_object_set_new(kinds, choices[i].name,
		                    json_string(weir_kind_name(choices[i].primitive, kind)));
	}
	return kinds;
}

static int show(const weir_common *common, const char *name, const weir_device_info *device,
                const weir_probe *probe)
{
	FILE *stream = weir_text_stream(common);
	json_t *json = weir_json_document("classify");
	weir_class class_;

	weir_classify(probe, &class_);
	char *text = weir_need(weir_class_text(&class_, probe));
	if (stream)
		fprintf(stream, "%s: %s\n\n%s%s", name, class_.name, text,
		        *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
	json_object_set_new(json, "profile", json_string(name));
	json_object_set_new(json, "device", weir_json_device(device));
	json_object_set_new(json, "probe", weir_json_probe(probe));
	json_object_set_new(json, "classification", weir_json_class(&class_));
	json_object_set_new(json, "recommended", recommended(&class_));
	json_object_set_new(json, "text", json_string(text));
	free(text);
	return weir_write_json(common->json, json);
}

static int classify_profile(const weir_common *common)
{
	weir_profile *profile;
	int status = weir_open_profile(common->profile, &profile);

	if (status)
		return status;
	if (profile->has_probe)
		status = show(common, profile->name, &profile->device, &profile->probe);
	else
		status = weir_complain(WEIR_EXIT_USAGE, "profile %s has no probe", common->profile);
	weir_profile_free(profile);
	return status;
}

static int classify_device(const weir_common *common)
{
	weir_meter meter;
	weir_probe probe;
	weir_progress progress;
	int status = weir_meter_open(common->device, &meter);

	if (status)
		return status;
	weir_stop_catch();
	weir_progress_begin(&progress, "probing", WEIR_ACCESS_COUNT);
	weir_status measured = weir_measure_probe(&meter, &progress, &probe);
	weir_progress_end(&progress);
	if (measured != WEIR_OK)
		status = weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	else if (weir_stop_asked())
		status = weir_complain(WEIR_EXIT_STOPPED, "stopped before the probe was complete");
	else
		status = show(common, meter.info.name, &meter.info, &probe);
	weir_meter_close(&meter);
	return status;
}

int weir_command_classify(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options};

	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;)
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
	int status = weir_no_operands(argc, argv);
	if (!status && common.device && common.profile)
		status =
		    weir_complain(WEIR_EXIT_USAGE, "--device and --profile exclude each other");
	if (!status)
		status = weir_check_writable(common.json);
	if (status)
		return status;
	return common.profile ? classify_profile(&common) : classify_device(&common);
}
