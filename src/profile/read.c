/* Reads a profile from JSON. A file with any mistake in it is rejected as a whole. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "profile/fields.h"
#include "profile/shape.h"

void weir_profile_destroy(weir_profile *profile)
{
	if (!profile)
		return;
	free(profile->points);
	free(profile->tunings);
	free(profile->rules);
	free(profile);
}

static weir_status check_version(const json_t *root, const char *origin)
{
	const json_t *version = json_object_get(root, "weir_profile");
	if (!json_is_integer(version))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: not a profile: it has no whole number weir_profile", origin);
	if (json_integer_value(version) < WEIR_PROFILE_VERSION)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: a profile of version %lld, made by an older weir: recreate "
		                 "it with weir profile --save, then weir tune --save",
		                 origin, (long long)json_integer_value(version));
	if (json_integer_value(version) != WEIR_PROFILE_VERSION)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: a profile of version %lld, weir %s reads version %d", origin,
		                 (long long)json_integer_value(version), WEIR_VERSION,
		                 WEIR_PROFILE_VERSION);
	return WEIR_OK;
}

static weir_status read_text_member(const json_t *root, const char *origin, const char *name,
                                    char *to, size_t room)
{
	const json_t *value = json_object_get(root, name);
	if (!value)
		return WEIR_OK;
	if (!json_is_string(value) || json_string_length(value) >= room)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s must be a text of less than %zu bytes",
		                 origin, name, room);
	memcpy(to, json_string_value(value), json_string_length(value) + 1);
	return WEIR_OK;
}

static weir_status read_ms(const json_t *ms, const char *origin, double *to)
{
	for (int row = 0; row < WEIR_ACCESS_COUNT; row++) {
		const char *kind = weir_access_kind_names[row / 4];
		const char *place = weir_access_place_names[row / 2 % 2];
		const char *way = weir_access_way_names[row % 2];
		const json_t *value =
		    json_object_get(json_object_get(json_object_get(ms, kind), place), way);
		if (!value)
			return weir_fail(WEIR_BAD_ARGUMENT, "%s: probe.ms.%s.%s.%s is missing",
			                 origin, kind, place, way);
		double number = json_number_value(value);
		if (!json_is_number(value) || number < WEIR_PROBE_MS_LEAST ||
		    number > WEIR_PROBE_MS_MOST)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "%s: probe.ms.%s.%s.%s must be a number from %g to %.0f, "
			                 "a nanosecond to a day",
			                 origin, kind, place, way, WEIR_PROBE_MS_LEAST,
			                 WEIR_PROBE_MS_MOST);
		to[row] = number;
	}
	return WEIR_OK;
}

static weir_status read_probe(const json_t *probe, const char *origin, weir_probe *to)
{
	static const char *const names[] = {"blocks", "threads", "accesses"};
	uint32_t *counts[] = {&to->blocks, &to->threads, &to->accesses};
	weir_place place = {origin, "probe"};

	if (!json_is_object(probe))
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: probe must be an object", origin);
	for (int i = 0; i < 3; i++) {
		uint64_t whole = 0;
		weir_status status = weir_read_whole(json_object_get(probe, names[i]), place,
		                                     names[i], 1, UINT32_MAX, &whole);
		if (status != WEIR_OK)
			return status;
		*counts[i] = (uint32_t)whole;
	}
	return read_ms(json_object_get(probe, "ms"), origin, to->ms);
}

/* Reads an array of objects into an array of structures of `size` bytes. */
static weir_status read_array(const json_t *root, const char *origin, const char *name,
                              const weir_field *fields, size_t size, void **items, size_t *count)
{
	const json_t *array = json_object_get(root, name);
	size_t length = json_array_size(array);
	weir_status status = WEIR_OK;

	if (array && !json_is_array(array))
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s must be an array", origin, name);
	if (length == 0)
		return WEIR_OK;
	*items = calloc(length, size);
	if (!*items)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the %s of %s", name, origin);
	*count = length;
	for (size_t i = 0; i < length && status == WEIR_OK; i++) {
		char path[40];
		snprintf(path, sizeof path, "%s[%zu]", name, i);
		weir_place place = {origin, path};
		status = weir_fields_read(fields, json_array_get(array, i), place,
		                          (char *)*items + i * size);
	}
	return status;
}

static weir_status check_points(const weir_profile *profile, const char *origin)
{
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point->per_second <= 0 && !point->timed_out)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "%s: points[%zu].per_second is 0, yet it did not time out",
			                 origin, i);
		if (weir_has_patterns(point->primitive) && point->pattern == 0)
			return weir_fail(WEIR_BAD_ARGUMENT, "%s: points[%zu].pattern is missing",
			                 origin, i);
	}
	return WEIR_OK;
}

/* `blocks`: the blocks of the largest barrier that gets the shape; 0: any number. */
static weir_status check_shape(const weir_known_shape *shape, weir_place place,
                               enum weir_primitive primitive, uint32_t kind, uint32_t blocks)
{
	const weir_kind *found = weir_kind_find(primitive, kind);
	const char *fault = weir_shape_fault(shape->shape, blocks);

	if (!shape->known)
		return WEIR_OK;
	if (!found || found->shape == WEIR_SHAPE_NONE)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s.shape: a %s of kind %s has none",
		                 place.origin, place.path, weir_primitive_name(primitive),
		                 found ? found->name : "?");
	return fault ? weir_fail(WEIR_BAD_ARGUMENT, "%s: %s.shape: %s", place.origin, place.path,
	                         fault)
	             : WEIR_OK;
}

static weir_status check_shapes(const weir_profile *profile, const char *origin)
{
	char path[40];
	weir_place place = {origin, path};
	weir_status status = WEIR_OK;

	for (size_t i = 0; i < profile->tuning_count && status == WEIR_OK; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		snprintf(path, sizeof path, "tunings[%zu]", i);
		status = check_shape(&tuning->shape, place, tuning->primitive, tuning->kind,
		                     tuning->blocks);
	}
	for (size_t i = 0; i < profile->rule_count && status == WEIR_OK; i++) {
		const weir_rule *rule = &profile->rules[i];
		snprintf(path, sizeof path, "rules[%zu]", i);
		status = check_shape(&rule->shape, place, rule->primitive, rule->kind, rule->up_to);
	}
	return status;
}

static weir_status check_rule(const weir_profile *profile, size_t i, const char *origin)
{
	const weir_rule *rule = &profile->rules[i];
	const weir_rule *next = NULL;

	for (size_t j = i + 1; j < profile->rule_count && !next; j++)
		if (profile->rules[j].primitive == rule->primitive)
			next = &profile->rules[j];
	if (rule->up_to != 0 && rule->primitive == WEIR_PRIMITIVE_MUTEX)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: rules[%zu].up_to: a mutex has no count to compare with",
		                 origin, i);
	if (rule->up_to != 0 && !next)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: rules[%zu].up_to: the last rule for a %s must not have it",
		                 origin, i, weir_primitive_name(rule->primitive));
	if (next && (rule->up_to == 0 || (next->up_to != 0 && next->up_to <= rule->up_to)))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: rules[%zu] leaves nothing to the next rule for a %s", origin,
		                 i, weir_primitive_name(rule->primitive));
	return WEIR_OK;
}

static weir_status read_members(const json_t *root, const char *origin, weir_profile *made)
{
	weir_place place = {origin, "device"};
	const json_t *probe = json_object_get(root, "probe");

	weir_status status = read_text_member(root, origin, "name", made->name, sizeof made->name);
	if (status == WEIR_OK)
		status =
		    read_text_member(root, origin, "commit", made->commit, sizeof made->commit);
	if (status == WEIR_OK)
		status = weir_fields_read(weir_device_fields, json_object_get(root, "device"),
		                          place, &made->device);
	if (status == WEIR_OK && probe) {
		made->has_probe = 1;
		status = read_probe(probe, origin, &made->probe);
	}
	if (status == WEIR_OK)
		status = read_array(root, origin, "points", weir_point_fields, sizeof(weir_point),
		                    (void **)&made->points, &made->point_count);
	if (status == WEIR_OK)
		status =
		    read_array(root, origin, "tunings", weir_tuning_fields, sizeof(weir_tuning),
		               (void **)&made->tunings, &made->tuning_count);
	if (status == WEIR_OK)
		status = read_array(root, origin, "rules", weir_rule_fields, sizeof(weir_rule),
		                    (void **)&made->rules, &made->rule_count);
	return status;
}

static weir_status check_members(const json_t *root, const char *origin)
{
	/* The classification follows from the probe; the file contains it only for people. */
	static const weir_field members[] = {
	    {.name = "weir_profile"},   {.name = "name"},  {.name = "commit"}, {.name = "device"},
	    {.name = "classification"}, {.name = "probe"}, {.name = "points"}, {.name = "tunings"},
	    {.name = "rules"},          {.name = NULL},
	};
	weir_place place = {origin, "the profile"};
	return weir_fields_known(members, root, place);
}

static weir_status from_root(const json_t *root, const char *origin, weir_profile **profile)
{
	weir_profile *made = calloc(1, sizeof *made);
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a profile");
	weir_status status = check_version(root, origin);
	if (status == WEIR_OK)
		status = check_members(root, origin);
	if (status == WEIR_OK)
		status = read_members(root, origin, made);
	if (status == WEIR_OK)
		status = check_points(made, origin);
	if (status == WEIR_OK)
		status = check_shapes(made, origin);
	for (size_t i = 0; i < made->rule_count && status == WEIR_OK; i++)
		status = check_rule(made, i, origin);
	if (status == WEIR_OK)
		*profile = made;
	else
		weir_profile_destroy(made);
	return status;
}

static weir_status not_json(const char *origin, const json_error_t *error)
{
	return weir_fail(WEIR_BAD_ARGUMENT, "%s:%d: not JSON: %s", origin, error->line,
	                 error->text);
}

weir_status weir_profile_parse(const char *text, const char *origin, weir_profile **profile)
{
	json_error_t error;
	*profile = NULL;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return not_json(origin, &error);
	weir_status status = from_root(root, origin, profile);
	json_decref(root);
	return status;
}

weir_status weir_profile_read(const char *path, weir_profile **profile)
{
	json_error_t error;
	*profile = NULL;
	FILE *file = fopen(path, "r");
	if (!file)
		return weir_fail(errno == ENOENT ? WEIR_NOT_FOUND : WEIR_DRIVER_ERROR, "%s: %s",
		                 path, strerror(errno));
	/* Opening a folder works; reading it fails. */
	int first = getc(file);
	if (first == EOF && ferror(file)) {
		weir_explain("%s: %s", path, strerror(errno));
		fclose(file);
		return WEIR_DRIVER_ERROR;
	}
	if (first != EOF)
		ungetc(first, file);
	json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
	fclose(file);
	if (!root)
		return not_json(path, &error);
	weir_status status = from_root(root, path, profile);
	json_decref(root);
	return status;
}
