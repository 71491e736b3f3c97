/* What the subcommands write as JSON: the members of a profile file, under the same names. */
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "command.h"
#include "src/profile/fields.h"

enum {
	FORMAT_VERSION = 1
};

json_t *weir_json_document(const char *command)
{
	return weir_need(json_pack("{s:s, s:i, s:s, s:s}", "command", command, "version",
	                           FORMAT_VERSION, "weir", weir_version(), "commit", WEIR_COMMIT));
}

json_t *weir_json_device(const weir_device_info *info)
{
	return weir_need(weir_fields_write(weir_device_fields, info));
}

json_t *weir_json_point(const weir_point *point)
{
	return weir_need(weir_fields_write(weir_point_fields, point));
}

json_t *weir_json_tuning(const weir_tuning *tuning)
{
	return weir_need(weir_fields_write(weir_tuning_fields, tuning));
}

json_t *weir_json_rule(const weir_rule *rule)
{
	return weir_need(weir_fields_write(weir_rule_fields, rule));
}

json_t *weir_json_probe(const weir_probe *probe)
{
	json_t *ms = weir_need(json_object());

	for (int i = 0; i < WEIR_ACCESS_COUNT; i++) {
		const char *kind = weir_access_kind_names[i / 4];
		const char *place = weir_access_place_names[i / 2 % 2];
		if (i % 4 == 0)
			json_object_set_new(ms, kind, weir_need(json_object()));
		json_t *places = json_object_get(ms, kind);
		if (i % 2 == 0)
			json_object_set_new(places, place, weir_need(json_object()));
		if (probe->ms[i] > 0)
			json_object_set_new(json_object_get(places, place),
			                    weir_access_way_names[i % 2],
			                    weir_need(json_real(probe->ms[i])));
	}
	return weir_need(json_pack("{s:I, s:I, s:I, s:o}", "blocks", (json_int_t)probe->blocks,
	                           "threads", (json_int_t)probe->threads, "accesses",
	                           (json_int_t)probe->accesses, "ms", ms));
}

json_t *weir_json_class(const weir_class *class_)
{
	return weir_need(json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b}", "name",
	                           class_->name, "atomic_to_volatile", class_->atomic_to_volatile,
	                           "atomic_to_volatile_own", class_->atomic_to_volatile_own,
	                           "contention", class_->contention, "contention_write",
	                           class_->contention_write, "hostage_ratio", class_->hostage_ratio,
	                           "slow_atomics", class_->slow_atomics, "contended_reads",
	                           class_->contended_reads, "hostage", class_->hostage));
}

int weir_write_json(const char *path, json_t *root)
{
	if (!path) {
		json_decref(root);
		return 0;
	}
	char *text = weir_need(json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)));
	json_decref(root);
	size_t bytes = strlen(text);
	char *line = weir_need(realloc(text, bytes + 2));
	memcpy(line + bytes, "\n", 2);
	int status = weir_write_file(path, line, bytes + 1);
	free(line);
	return status;
}
