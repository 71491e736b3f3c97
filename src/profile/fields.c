#include "profile/fields.h"

#include <string.h>

#include "base/status.h"

#define AT(type, member) offsetof(type, member)

const weir_field weir_device_fields[] = {
    {"machine", WEIR_FIELD_MACHINE, AT(weir_device_info, machine), 0, 0, 0},
    {"name", WEIR_FIELD_TEXT, AT(weir_device_info, name), 32, 0, 1},
    {"description", WEIR_FIELD_TEXT, AT(weir_device_info, description), 128, 0, 0},
    {"driver", WEIR_FIELD_TEXT, AT(weir_device_info, driver), 64, 0, 1},
    {"is_gpu", WEIR_FIELD_FLAG, AT(weir_device_info, is_gpu), 0, 0, 0},
    {"units", WEIR_FIELD_COUNT, AT(weir_device_info, units), 0, 0, 1},
    {"max_threads_per_block", WEIR_FIELD_COUNT, AT(weir_device_info, max_threads_per_block), 0, 0,
     1},
    {"resident_blocks_at_128", WEIR_FIELD_COUNT, AT(weir_device_info, resident_blocks_at_128), 0, 0,
     1},
    {"l2_bytes", WEIR_FIELD_SIZE, AT(weir_device_info, l2_bytes), 0, 0, 1},
    {"cluster_blocks", WEIR_FIELD_COUNT, AT(weir_device_info, cluster_blocks), 0, 0, 1},
    {0},
};

const weir_field weir_point_fields[] = {
    {"primitive", WEIR_FIELD_SUBJECT, AT(weir_point, primitive), 0, 0, 0},
    {"kind", WEIR_FIELD_KIND, AT(weir_point, kind), 0, 0, 0},
    {"initial", WEIR_FIELD_INITIAL, AT(weir_point, initial), 0, 0, 1},
    {"pattern", WEIR_FIELD_PATTERN, AT(weir_point, pattern), 0, 0, 1},
    {"blocks", WEIR_FIELD_COUNT, AT(weir_point, blocks), 0, 1, 0},
    {"threads", WEIR_FIELD_COUNT, AT(weir_point, threads), 0, 1, 0},
    {"work", WEIR_FIELD_COUNT, AT(weir_point, work), 0, 0, 1},
    {"rounds", WEIR_FIELD_COUNT, AT(weir_point, rounds), 0, 1, 0},
    {"repeats", WEIR_FIELD_COUNT, AT(weir_point, repeats), 0, 1, 0},
    {"per_second", WEIR_FIELD_RATE, AT(weir_point, per_second), 0, 0, 0},
    {"low", WEIR_FIELD_RATE, AT(weir_point, low), 0, 0, 0},
    {"high", WEIR_FIELD_RATE, AT(weir_point, high), 0, 0, 0},
    {"jain", WEIR_FIELD_SHARE, AT(weir_point, jain), 0, 0, 1},
    {"worst_share", WEIR_FIELD_SHARE, AT(weir_point, worst_share), 0, 0, 1},
    {"timed_out", WEIR_FIELD_FLAG, AT(weir_point, timed_out), 0, 0, 1},
    {"completed", WEIR_FIELD_SIZE, AT(weir_point, completed), 0, 0, 1},
    {0},
};

const weir_field weir_tuning_fields[] = {
    {"primitive", WEIR_FIELD_PRIMITIVE, AT(weir_tuning, primitive), 0, 0, 0},
    {"kind", WEIR_FIELD_KIND, AT(weir_tuning, kind), 0, 0, 0},
    {"initial", WEIR_FIELD_COUNT, AT(weir_tuning, initial), 0, 0, 1},
    {"blocks", WEIR_FIELD_COUNT, AT(weir_tuning, blocks), 0, 1, 0},
    {"threads", WEIR_FIELD_COUNT, AT(weir_tuning, threads), 0, 1, 0},
    {"backoff", WEIR_FIELD_BACKOFF, AT(weir_tuning, backoff), 0, 0, 1},
    {"untuned_per_second", WEIR_FIELD_RATE, AT(weir_tuning, untuned_per_second), 0, 0, 0},
    {"tuned_per_second", WEIR_FIELD_RATE, AT(weir_tuning, tuned_per_second), 0, 0, 0},
    {"shape", WEIR_FIELD_SHAPE, AT(weir_tuning, shape), 0, 0, 1},
    {0},
};

const weir_field weir_rule_fields[] = {
    {"primitive", WEIR_FIELD_PRIMITIVE, AT(weir_rule, primitive), 0, 0, 0},
    {"up_to", WEIR_FIELD_COUNT, AT(weir_rule, up_to), 0, 0, 1},
    {"kind", WEIR_FIELD_KIND, AT(weir_rule, kind), 0, 0, 0},
    {"backoff", WEIR_FIELD_BACKOFF, AT(weir_rule, backoff), 0, 0, 1},
    {"shape", WEIR_FIELD_SHAPE, AT(weir_rule, shape), 0, 0, 1},
    {0},
};

const char *const weir_access_kind_names[3] = {"volatile", "atomic", "primed"};
const char *const weir_access_place_names[2] = {"same", "own"};
const char *const weir_access_way_names[2] = {"read", "write"};

/* The primitives that have rules. */
static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
                                                 WEIR_PRIMITIVE_SEMAPHORE};

static weir_status refuse(weir_place place, const char *name, const char *what)
{
	return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s.%s %s", place.origin, place.path, name, what);
}

weir_status weir_read_whole(const json_t *value, weir_place place, const char *name, uint64_t least,
                            uint64_t most, uint64_t *result)
{
	json_int_t number = json_integer_value(value);
	if (!json_is_integer(value) || number < 0 || (uint64_t)number < least ||
	    (uint64_t)number > most)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s: %s.%s must be a whole number from %llu to %llu", place.origin,
		                 place.path, name, (unsigned long long)least,
		                 (unsigned long long)most);
	*result = (uint64_t)number;
	return WEIR_OK;
}

static weir_status read_text(const weir_field *field, const json_t *value, weir_place place,
                             char *to)
{
	if (!json_is_string(value))
		return refuse(place, field->name, "must be a text");
	if (json_string_length(value) >= field->room)
		return refuse(place, field->name, "is too long");
	memcpy(to, json_string_value(value), json_string_length(value) + 1);
	return WEIR_OK;
}

static weir_status read_share(const weir_field *field, const json_t *value, weir_place place,
                              double *to)
{
	*to = json_number_value(value);
	return json_is_number(value) && *to >= 0 && *to <= 1
	           ? WEIR_OK
	           : refuse(place, field->name, "must be a number from 0 to 1");
}

static weir_status read_rate(const weir_field *field, const json_t *value, weir_place place,
                             double *to)
{
	*to = json_number_value(value);
	if (json_is_number(value) &&
	    (*to == 0 || (*to >= WEIR_RATE_LEAST && *to <= WEIR_RATE_MOST)))
		return WEIR_OK;
	return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s.%s must be 0 or a number from %g to %g",
	                 place.origin, place.path, field->name, WEIR_RATE_LEAST, WEIR_RATE_MOST);
}

static weir_status read_machine(const weir_field *field, const json_t *value, weir_place place,
                                weir_machine *to)
{
	const char *name = json_string_value(value);
	for (int machine = 0; name && machine < WEIR_MACHINE_COUNT; machine++)
		if (strcmp(name, weir_machine_name((weir_machine)machine)) == 0) {
			*to = (weir_machine)machine;
			return WEIR_OK;
		}
	return refuse(place, field->name, "must be cuda, hip, opencl, host or ptx");
}

static weir_status read_primitive(const weir_field *field, const json_t *value, weir_place place,
                                  enum weir_primitive *to)
{
	const char *name = json_string_value(value);
	for (size_t i = 0; name && i < sizeof primitives / sizeof *primitives; i++)
		if (strcmp(name, weir_primitive_name(primitives[i])) == 0) {
			*to = primitives[i];
			return WEIR_OK;
		}
	return refuse(place, field->name, "must be barrier, mutex or semaphore");
}

static weir_status read_subject(const weir_field *field, const json_t *value, weir_place place,
                                enum weir_primitive *to)
{
	static const enum weir_primitive others[] = {
	    WEIR_PRIMITIVE_EVENT_ARRAY, WEIR_PRIMITIVE_QUEUE,     WEIR_PRIMITIVE_DISPENSER,
	    WEIR_PRIMITIVE_TASKS,       WEIR_PRIMITIVE_CONDITION, WEIR_PRIMITIVE_RWLOCK,
	    WEIR_PRIMITIVE_ONCE,        WEIR_PRIMITIVE_COMBINER};
	const char *name = json_string_value(value);

	for (size_t i = 0; name && i < sizeof others / sizeof *others; i++)
		if (strcmp(name, weir_primitive_id(others[i])) == 0) {
			*to = others[i];
			return WEIR_OK;
		}
	return read_primitive(field, value, place, to) == WEIR_OK
	           ? WEIR_OK
	           : refuse(place, field->name,
	                    "must be barrier, mutex, semaphore, event, queue, dispenser, tasks, "
	                    "condition, rwlock, once or combiner");
}

/* The name of the kind for a primitive without kinds. */
static const char only_kind[] = "default";

static weir_status read_initial(const weir_field *field, const json_t *value, weir_place place,
                                enum weir_primitive primitive, uint32_t *to)
{
	uint64_t whole = 0;

	if (weir_has_patterns(primitive))
		return refuse(place, field->name, "is only for semaphores");
	weir_status status = weir_read_whole(value, place, field->name, 0, UINT32_MAX, &whole);
	*to = (uint32_t)whole;
	return status;
}

static weir_status read_pattern(const weir_field *field, const json_t *value, weir_place place,
                                enum weir_primitive primitive, uint32_t *to)
{
	const char *name = json_string_value(value);

	if (!weir_has_patterns(primitive))
		return refuse(place, field->name, "is not for barriers, mutexes and semaphores");
	*to = name ? weir_pattern_named(primitive, name) : 0;
	return *to ? WEIR_OK : refuse(place, field->name, "is not a pattern of this benchmark");
}

static int has_kinds(enum weir_primitive primitive)
{
	return weir_kind_at(primitive, 0) != NULL;
}

static weir_status read_kind(const json_t *value, weir_place place, enum weir_primitive primitive,
                             uint32_t *to)
{
	const char *name = json_string_value(value);

	*to = 0;
	if (!has_kinds(primitive) && name && strcmp(name, only_kind) == 0)
		return WEIR_OK;
	const weir_kind *kind = name ? weir_kind_named(primitive, name) : NULL;
	if (!kind)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s.kind: there is no %s of kind '%.32s'",
		                 place.origin, place.path, weir_primitive_id(primitive),
		                 name ? name : "");
	*to = kind->value;
	return WEIR_OK;
}

static weir_status read_backoff(const json_t *value, weir_place place, weir_backoff *to)
{
	static const weir_field bounds[] = {
	    {"min", WEIR_FIELD_COUNT, AT(weir_backoff, min), 0, 0, 0},
	    {"max", WEIR_FIELD_COUNT, AT(weir_backoff, max), 0, 1, 0},
	    {0},
	};
	char path[64];
	snprintf(path, sizeof path, "%.48s.backoff", place.path);
	place.path = path;
	weir_status status = weir_fields_read(bounds, value, place, to);
	if (status == WEIR_OK && to->min > to->max)
		status = refuse(place, "min", "is above its max");
	return status;
}

static const weir_field shape_fields[] = {
    {"bits", WEIR_FIELD_COUNT, AT(weir_shape, bits), 0, 0, 0},
    {0},
};

static weir_status read_shape(const json_t *value, weir_place place, weir_known_shape *to)
{
	char path[64];
	snprintf(path, sizeof path, "%.48s.shape", place.path);
	weir_place inside = {place.origin, path};
	to->known = 1;
	return weir_fields_read(shape_fields, value, inside, &to->shape);
}

static weir_status read_field(const weir_field *field, const json_t *value, weir_place place,
                              void *base)
{
	void *to = (char *)base + field->offset;
	uint64_t whole = 0;
	weir_status status;

	switch (field->type) {
	case WEIR_FIELD_TEXT:
		return read_text(field, value, place, to);
	case WEIR_FIELD_COUNT:
		status =
		    weir_read_whole(value, place, field->name, field->least, UINT32_MAX, &whole);
		*(uint32_t *)to = (uint32_t)whole;
		return status;
	case WEIR_FIELD_SIZE:
		return weir_read_whole(value, place, field->name, 0, INT64_MAX, to);
	case WEIR_FIELD_FLAG:
		*(int *)to = json_is_true(value);
		return json_is_boolean(value) ? WEIR_OK
		                              : refuse(place, field->name, "must be true or false");
	case WEIR_FIELD_RATE:
		return read_rate(field, value, place, to);
	case WEIR_FIELD_SHARE:
		return read_share(field, value, place, to);
	case WEIR_FIELD_MACHINE:
		return read_machine(field, value, place, to);
	case WEIR_FIELD_PRIMITIVE:
		return read_primitive(field, value, place, to);
	case WEIR_FIELD_SUBJECT:
		return read_subject(field, value, place, to);
	case WEIR_FIELD_INITIAL:
		return read_initial(field, value, place, *(const enum weir_primitive *)base, to);
	case WEIR_FIELD_PATTERN:
		return read_pattern(field, value, place, *(const enum weir_primitive *)base, to);
	case WEIR_FIELD_KIND:
		return read_kind(value, place, *(const enum weir_primitive *)base, to);
	case WEIR_FIELD_BACKOFF:
		return read_backoff(value, place, to);
	case WEIR_FIELD_SHAPE:
		return read_shape(value, place, to);
	}
	return WEIR_BAD_ARGUMENT;
}

weir_status weir_fields_known(const weir_field *fields, const json_t *object, weir_place place)
{
	const char *key;
	json_t *value;
	/* Jansson iterates over an object that is not const, but does not change it. */
	json_object_foreach((json_t *)object, key, value)
	{
		const weir_field *field = fields;
		while (field->name && strcmp(field->name, key) != 0)
			field++;
		if (!field->name)
			return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s has an unknown member '%.32s'",
			                 place.origin, place.path, key);
	}
	return WEIR_OK;
}

weir_status weir_fields_read(const weir_field *fields, const json_t *object, weir_place place,
                             void *base)
{
	if (!json_is_object(object))
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s must be an object", place.origin,
		                 place.path);
	weir_status status = weir_fields_known(fields, object, place);
	for (const weir_field *field = fields; field->name && status == WEIR_OK; field++) {
		const json_t *value = json_object_get(object, field->name);
		if (value)
			status = read_field(field, value, place, base);
		else if (!field->optional)
			status = refuse(place, field->name, "is missing");
	}
	return status;
}

static json_t *write_backoff(weir_backoff backoff)
{
	return json_pack("{s:I,s:I}", "min", (json_int_t)backoff.min, "max",
	                 (json_int_t)backoff.max);
}

static json_t *write_kind(enum weir_primitive primitive, uint32_t value)
{
	const weir_kind *kind = weir_kind_find(primitive, value);

	if (!has_kinds(primitive))
		return json_string(only_kind);
	return kind ? json_string(kind->name) : NULL;
}

/* Whether the field has its default value, and so need not be written. */
static json_t *write_field(const weir_field *field, const void *base, int *is_zero)
{
	const void *from = (const char *)base + field->offset;
	const weir_backoff *backoff = from;
	const weir_known_shape *shape = from;
	/* Structures with such a field begin with the primitive. */
	int has_pattern =
	    (field->type == WEIR_FIELD_INITIAL || field->type == WEIR_FIELD_PATTERN) &&
	    weir_has_patterns(*(const enum weir_primitive *)base);

	switch (field->type) {
	case WEIR_FIELD_TEXT:
		*is_zero = *(const char *)from == '\0';
		return json_string(from);
	case WEIR_FIELD_COUNT:
		*is_zero = *(const uint32_t *)from == 0;
		return json_integer(*(const uint32_t *)from);
	case WEIR_FIELD_SIZE:
		*is_zero = *(const uint64_t *)from == 0;
		return json_integer((json_int_t) * (const uint64_t *)from);
	case WEIR_FIELD_FLAG:
		*is_zero = *(const int *)from == 0;
		return json_boolean(*(const int *)from);
	case WEIR_FIELD_RATE:
	case WEIR_FIELD_SHARE:
		*is_zero = *(const double *)from == 0;
		return json_real(*(const double *)from);
	case WEIR_FIELD_MACHINE:
		return json_string(weir_machine_name(*(const weir_machine *)from));
	case WEIR_FIELD_PRIMITIVE:
	case WEIR_FIELD_SUBJECT:
		return json_string(weir_primitive_id(*(const enum weir_primitive *)from));
	case WEIR_FIELD_INITIAL:
		*is_zero = *(const uint32_t *)from == 0;
		return json_integer(*(const uint32_t *)from);
	case WEIR_FIELD_PATTERN:
		*is_zero = !has_pattern;
		return json_string(has_pattern ? weir_pattern_name(*(const uint32_t *)from) : "");
	case WEIR_FIELD_KIND:
		return write_kind(*(const enum weir_primitive *)base, *(const uint32_t *)from);
	case WEIR_FIELD_BACKOFF:
		*is_zero = backoff->max == 0;
		return write_backoff(*backoff);
	case WEIR_FIELD_SHAPE:
		*is_zero = !shape->known;
		return weir_fields_write(shape_fields, &shape->shape);
	}
	return NULL;
}

json_t *weir_fields_write(const weir_field *fields, const void *base)
{
	json_t *object = json_object();
	for (const weir_field *field = fields; field->name; field++) {
		int is_zero = 0;
		json_t *value = write_field(field, base, &is_zero);
		if (value && is_zero && field->optional) {
			json_decref(value);
			continue;
		}
		/* This also refuses a value that is NULL. */
		if (json_object_set_new(object, field->name, value) != 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* The read and write times of one row, or NULL. */
static json_t *write_row(const double *ms)
{
	json_t *row = json_object();

	for (int way = 0; way < 2; way++)
		if (ms[way] != 0 &&
		    json_object_set_new(row, weir_access_way_names[way], json_real(ms[way])) != 0) {
			json_decref(row);
			return NULL;
		}
	return row;
}

json_t *weir_probe_write(const weir_probe *probe)
{
	json_t *ms = json_object();

	for (int row = 0; row < WEIR_ACCESS_COUNT / 2; row++) {
		const char *kind = weir_access_kind_names[row / 2];
		if (row % 2 == 0)
			json_object_set_new(ms, kind, json_object());
		/* This also refuses a row that is NULL. */
		if (json_object_set_new(json_object_get(ms, kind), weir_access_place_names[row % 2],
		                        write_row(&probe->ms[2 * row])) != 0) {
			json_decref(ms);
			return NULL;
		}
	}
	return json_pack("{s:I,s:I,s:I,s:o}", "blocks", (json_int_t)probe->blocks, "threads",
	                 (json_int_t)probe->threads, "accesses", (json_int_t)probe->accesses, "ms",
	                 ms);
}
