/* weir devices: lists the devices of this computer. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/simulated.h"
#include "command.h"
#include "measure/programs.h"
#include "output/json.h"
#include "output/table.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir devices [OPTION]...",
    .what = "Lists the devices that can be used here, best first, and says why others cannot.",
    .examples = {{"weir devices", "real and simulated devices"},
                 {"weir devices --json -", "the same for a script"}}};

static const weir_option options[] = {WEIR_GROUP("Output"), WEIR_ROW_JSON, {.name = NULL}};

static const char no_nvcc[] = "weir was built without nvcc: its own kernels cannot run there";
static const char no_ptx[] =
    "weir was built without nvcc: its own kernels cannot run there, but PTX can";
static const char no_hip[] = "weir was built without WEIR_HIP: its own kernels cannot run there";

static weir_device_info *list_devices(size_t *count)
{
	if (weir_device_list(NULL, 0, count) != WEIR_OK)
		*count = 0;
	size_t room = *count;
	weir_device_info *infos = weir_need(calloc(room + 1, sizeof *infos));
	if (weir_device_list(infos, room, count) != WEIR_OK || *count > room)
		*count = room;
	return infos;
}

static json_t *describe(const weir_device_info *info, weir_table *table)
{
	char origin[1024] = "";
	weir_profile *profile = NULL;
	json_t *json = weir_output_device(info);

	if (weir_simulated_is_name(info->name))
		snprintf(origin, sizeof origin, "built-in profile %s",
		         weir_simulated_profile_name(info->name));
	else if (weir_profile_for(info, &profile, origin, sizeof origin) == WEIR_OK)
		weir_profile_destroy(profile);
	else
		snprintf(origin, sizeof origin, "%s", weir_error_text());
	weir_table_cells(table, "%s\t%s\t%u\t%u", info->name, info->description, info->units,
	                 info->resident_blocks_at_128);
	if (info->l2_bytes >= 1048576)
		weir_table_cell(table, "%.4g MiB", (double)info->l2_bytes / 1048576);
	else if (info->l2_bytes)
		weir_table_cell(table, "%.4g KiB", (double)info->l2_bytes / 1024);
	else
		weir_table_cell(table, "-");
	weir_table_cells(table, "%s\t%s", info->driver, origin);
	return weir_need(json_pack("{s:o, s:s}", "device", json, "defaults_from", origin));
}

static json_t *show_devices(FILE *text, const weir_device_info *infos, size_t count)
{
	static const char *const columns[] = {"<device", "<name",   "units",          "blocks",
	                                      "L2",      "<driver", "<defaults from", NULL};
	weir_table *table = weir_table_make(columns);
	json_t *devices = weir_need(json_array());

	for (size_t i = 0; i < count; i++)
		json_array_append_new(devices, describe(&infos[i], table));
	weir_device_info simulated;
	for (size_t i = 0; weir_simulated_device(i, &simulated); i++)
		json_array_append_new(devices, describe(&simulated, table));
	weir_table_end(table, text);
	if (text)
		fprintf(text, "units are multiprocessors, compute units or cores; blocks are those "
		              "of 128 threads that run at once\n");
	return devices;
}

/* The kinds that are faster than the defaults, for each device that has any. */
static void show_faster(FILE *text, const weir_device_info *infos, size_t count)
{
	for (size_t i = 0; text && i < count; i++) {
		char origin[1024];
		weir_profile *profile;
		if (weir_profile_for(&infos[i], &profile, origin, sizeof origin) != WEIR_OK)
			continue;
		char *faster = weir_need(weir_profile_faster_text(profile));
		for (const char *line = faster; *line; line += strcspn(line, "\n") + 1)
			fprintf(text, "%s: %.*s\n", infos[i].name, (int)strcspn(line, "\n"), line);
		free(faster);
		weir_profile_destroy(profile);
	}
}

static json_t *show_absent(FILE *text, const weir_device_info *infos, size_t count)
{
	json_t *absent = weir_need(json_object());

	for (int i = 0; i < WEIR_MACHINE_COUNT; i++) {
		const char *why = weir_machine_absence((weir_machine)i);
		int has_device = 0;
		for (size_t k = 0; k < count; k++)
			has_device |= (int)infos[k].machine == i;
		if (has_device && i == WEIR_MACHINE_CUDA && !weir_has_cuda_kernels())
			why = no_nvcc;
		if (has_device && i == WEIR_MACHINE_PTX && !weir_has_cuda_kernels())
			why = no_ptx;
		if (has_device && i == WEIR_MACHINE_HIP && !weir_has_hip_kernels())
			why = no_hip;
		if (!*why)
			continue;
		json_object_set_new(absent, weir_machine_name((weir_machine)i), json_string(why));
		if (text)
			fprintf(text, "%s%s: %s\n", has_device ? "" : "no ",
			        weir_machine_name((weir_machine)i), why);
	}
	return absent;
}

static json_t *show_builtins(FILE *text)
{
	json_t *names = weir_need(json_array());
	const char *name;

	if (text)
		fprintf(text, "built-in profiles:");
	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++) {
		json_array_append_new(names, json_string(name));
		if (text)
			fprintf(text, " %s", name);
	}
	if (text)
		fputc('\n', text);
	return names;
}

int weir_command_devices(int argc, char **argv)
{
	weir_common common = {.help = &help, .rows = options};
	size_t count;

	if (!weir_options_read(argc, argv, &common))
		return common.status;
	int status = weir_no_operands(argc, argv);
	if (status)
		return status;
	FILE *text = weir_text_stream(&common);
	weir_device_info *infos = list_devices(&count);
	json_t *json = weir_output_document("devices");
	json_object_set_new(json, "devices", show_devices(text, infos, count));
	show_faster(text, infos, count);
	json_object_set_new(json, "absent", show_absent(text, infos, count));
	json_object_set_new(json, "profiles", show_builtins(text));
	free(infos);
	return weir_write_json(common.json, json);
}
