/* The primitives and their kinds as data: the rows of each kinds.h, found by name or by number. */
#ifndef WEIR_KIND_H
#define WEIR_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum weir_primitive {
	WEIR_PRIMITIVE_BARRIER,
	WEIR_PRIMITIVE_MUTEX,
	WEIR_PRIMITIVE_MUTEX_ARRAY,
	WEIR_PRIMITIVE_SEMAPHORE,
	WEIR_PRIMITIVE_BUFFER,
	WEIR_PRIMITIVE_GROUP,
	WEIR_PRIMITIVE_EVENT_ARRAY,
	WEIR_PRIMITIVE_QUEUE,
	WEIR_PRIMITIVE_DISPENSER,
	WEIR_PRIMITIVE_TASKS,
	WEIR_PRIMITIVE_CONDITION,
	WEIR_PRIMITIVE_RWLOCK,
	WEIR_PRIMITIVE_ONCE,
	WEIR_PRIMITIVE_COMBINER,
	WEIR_PRIMITIVE_CREW
};

const char *weir_primitive_name(enum weir_primitive primitive);
/* One word for it, in options and files: "event" for an array of events, "rwlock" for a reader-writer
 * lock. */
const char *weir_primitive_id(enum weir_primitive primitive);

/* One row of a kinds.h, in the constants of weir/rows.h. */
typedef struct weir_kind {
	const char *name;
	uint32_t value;
	int fair;
	int queue;
	int pause;
	int shape;
	int width; /* of its words */
	int parts;
	int items;
	int role;
} weir_kind;

const weir_kind *weir_kind_find(enum weir_primitive primitive, uint32_t value);
const weir_kind *weir_kind_named(enum weir_primitive primitive, const char *name);
/* In the order of kinds.h; NULL past the last. */
const weir_kind *weir_kind_at(enum weir_primitive primitive, size_t index);

/* Whether the device has what the kind needs. */
int weir_kind_runs(const weir_device *device, const weir_kind *kind);

/* Kernels for a GPU have the default's text alone, unless their author names more kinds
 * (weir/dispatch.h). Returns `kind` if that text handles it, else the text's own kind. */
uint32_t weir_text_kind(enum weir_primitive primitive, uint32_t kind);

/* The kind that an open device takes by default for `count` blocks, or for a semaphore's maximum of
 * `count`. On a GPU it is one that the default's text handles. */
#define WEIR_ANY_COUNT UINT32_MAX
uint32_t weir_default_kind(const weir_device *device, enum weir_primitive primitive,
                           uint32_t count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
