/* JSON of the subcommands. */
#include "output/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/file.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	FORMAT_VERSION = 1
};

json_t *weir_output_document(const char *command)
{
	return weir_need(json_pack("{s:s, s:i, s:s, s:s}", "command", command, "version",
	                           FORMAT_VERSION, "weir", weir_version(), "commit", WEIR_COMMIT));
}

/* Parses JSON that the library wrote, and frees it. */
static json_t *parse(char *text)
{
	json_t *value = weir_need(json_loads(weir_need(text), 0, NULL));

	free(text);
	return value;
}

json_t *weir_output_device(const weir_device_info *info)
{
	return parse(weir_device_json(info));
}

json_t *weir_output_probe(const weir_probe *probe)
{
	return parse(weir_probe_json(probe));
}

json_t *weir_output_class(const weir_class *class_)
{
	return weir_need(json_pack(
	    "{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b, s:b}", "name",
	    class_->name, "atomic_to_volatile", class_->atomic_to_volatile,
	    "atomic_to_volatile_write", class_->atomic_to_volatile_write, "atomic_to_volatile_own",
	    class_->atomic_to_volatile_own, "atomic_to_volatile_own_write",
	    class_->atomic_to_volatile_own_write, "contention", class_->contention,
	    "contention_write", class_->contention_write, "hostage_ratio", class_->hostage_ratio,
	    "hostage_ratio_write", class_->hostage_ratio_write, "slow_atomics",
	    class_->slow_atomics, "slow_atomic_writes", class_->slow_atomic_writes, "equal_atomics",
	    class_->equal_atomics, "contended_reads", class_->contended_reads, "hostage",
	    class_->hostage));
}

json_t *weir_output_point(const weir_point *point)
{
	return parse(weir_point_json(point));
}

json_t *weir_output_tuning(const weir_tuning *tuning)
{
	return parse(weir_tuning_json(tuning));
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

int weir_finish_json(const char *path, json_t *root)
{
	json_object_set_new(root, "complete", json_boolean(!weir_stop_asked()));
	int status = weir_write_json(path, root);
	return status || !weir_stop_asked() ? status : WEIR_EXIT_STOPPED;
}
