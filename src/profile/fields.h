/* The members of a profile file that are fields of a structure: tables that the reader and the
 * writer share, so that the two always agree. */
#ifndef WEIR_PROFILE_FIELDS_H
#define WEIR_PROFILE_FIELDS_H

#include <jansson.h>

#include "weir/profile.h"

enum weir_field_type {
	WEIR_FIELD_TEXT,
	WEIR_FIELD_COUNT, /* uint32_t */
	WEIR_FIELD_SIZE,  /* uint64_t */
	WEIR_FIELD_FLAG,
	WEIR_FIELD_RATE,  /* a double: 0, or from WEIR_RATE_LEAST to WEIR_RATE_MOST */
	WEIR_FIELD_SHARE, /* a double from 0 to 1 */
	WEIR_FIELD_MACHINE,
	WEIR_FIELD_PRIMITIVE, /* the first member of each structure that has one */
	WEIR_FIELD_SUBJECT,   /* the same, where events are allowed */
	WEIR_FIELD_INITIAL,   /* a count; for events, the pattern, which another member sets */
	WEIR_FIELD_PATTERN,   /* for events, the pattern in the same place */
	WEIR_FIELD_KIND,      /* after the primitive that it belongs to */
	WEIR_FIELD_BACKOFF,
	WEIR_FIELD_SHAPE /* weir_known_shape */
};

typedef struct weir_field {
	const char *name; /* NULL ends a table */
	enum weir_field_type type;
	size_t offset;
	size_t room;    /* of a string */
	uint32_t least; /* of a count */
	int optional;   /* may be missing, which means 0; a 0 is not written */
} weir_field;

extern const weir_field weir_device_fields[];
extern const weir_field weir_point_fields[];
extern const weir_field weir_tuning_fields[];
extern const weir_field weir_rule_fields[];

/* The names of the rows of a probe. */
extern const char *const weir_access_kind_names[3];
extern const char *const weir_access_place_names[2];
extern const char *const weir_access_way_names[2];

/* The file and the position in it, for error texts. */
typedef struct weir_place {
	const char *origin;
	const char *path; /* "points[3]" */
} weir_place;

/* Fills the structure at `base`, which must be all zeros, from the object. */
weir_status weir_fields_read(const weir_field *fields, const json_t *object, weir_place place,
                             void *base);
/* Refuses members that the table does not name. */
weir_status weir_fields_known(const weir_field *fields, const json_t *object, weir_place place);

/* A flag for Jansson: more digits than any clock has, few enough that 0.848 stays 0.848. */
#define WEIR_PROFILE_DIGITS JSON_REAL_PRECISION(9)

/* NULL if out of memory, or if a number is not finite. */
json_t *weir_fields_write(const weir_field *fields, const void *base);
/* The same for a probe, whose times are rows rather than fields; times of 0 are left out. */
json_t *weir_probe_write(const weir_probe *probe);

/* A whole number from `least` to `most`, or a failure that says so. */
weir_status weir_read_whole(const json_t *value, weir_place place, const char *name, uint64_t least,
                            uint64_t most, uint64_t *result);

#endif
