/* The kinds as data, all of it from the rows of the kinds.h. */
#include <stdio.h>
#include <string.h>

#include "core/count.h"
#include "core/device.h"
#include "core/record.h"
#include "core/status.h"
#include "profile/defaults.h"
#include "weir/kind.h"

static const char *const phrases[] = {"a barrier",
                                      "a mutex",
                                      "an array of mutexes",
                                      "a semaphore",
                                      "a buffer",
                                      "a group",
                                      "an array of events",
                                      "a queue",
                                      "a dispenser",
                                      "a graph of tasks",
                                      "a condition",
                                      "a reader-writer lock",
                                      "a once",
                                      "a combiner",
                                      "a crew"};

const char *weir_primitive_phrase(enum weir_primitive primitive)
{
	return phrases[primitive];
}

const char *weir_primitive_name(enum weir_primitive primitive)
{
	return strchr(phrases[primitive], ' ') + 1;
}

const char *weir_primitive_id(enum weir_primitive primitive)
{
	static const char *const ids[WEIR_PRIMITIVES] = {
	    [WEIR_PRIMITIVE_EVENT_ARRAY] = "event",
	    [WEIR_PRIMITIVE_TASKS] = "tasks",
	    [WEIR_PRIMITIVE_RWLOCK] = "rwlock",
	    [WEIR_PRIMITIVE_COMBINE] = "combine",
	};

	return ids[primitive] ? ids[primitive] : weir_primitive_name(primitive);
}

static const weir_kind barrier_kinds[] = {
#define ROW(n, N, number, shape_, role_)                                                           \
	{.name = #n, .value = number, .shape = shape_, .role = role_},
    WEIR_BARRIER_KINDS_OF_ALL_(WEIR_ROW_ALONE_, ROW)
	WEIR_BARRIER_KINDS_OF_VENDOR_(WEIR_ROW_ALONE_, ROW)
#undef ROW
};

static const weir_kind mutex_kinds[] = {
#define ROW(n, N, number, fair_, queue_, pause_, role_)                                            \
	{.name = #n,                                                                               \
	 .value = number,                                                                          \
	 .fair = fair_,                                                                            \
	 .queue = queue_,                                                                          \
	 .pause = pause_,                                                                          \
	 .role = role_},
    WEIR_MUTEX_KINDS(ROW)
#undef ROW
};

static const weir_kind semaphore_kinds[] = {
#define ROW(n, N, number, fair_, pause_, width_, role_)                                            \
	{.name = #n,                                                                               \
	 .value = number,                                                                          \
	 .fair = fair_,                                                                            \
	 .pause = pause_,                                                                          \
	 .width = width_,                                                                          \
	 .role = role_},
    WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
};

static const weir_kind event_kinds[] = {
#define ROW(n, N, number, parts_)                                                                  \
	{.name = #n, .value = number, .pause = WEIR_PAUSE_IN_TURN, .parts = parts_},
    WEIR_EVENT_KINDS(ROW)
#undef ROW
};

static const weir_kind queue_kinds[] = {
#define ROW(n, N, number, items_, width_)                                                          \
	{.name = #n, .value = number, .items = items_, .width = width_},
    WEIR_QUEUE_KINDS(ROW)
#undef ROW
};

static const weir_kind rwlock_kinds[] = {
#define ROW(n, N, number, parts_) {.name = #n, .value = number, .parts = parts_},
    WEIR_RWLOCK_KINDS(ROW)
#undef ROW
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The rows of a primitive; some have none. */
static const struct family {
	const weir_kind *kinds;
	size_t count;
} families[WEIR_PRIMITIVES] = {
#define FAMILY(kinds)                                                                              \
	{                                                                                          \
		kinds, COUNT(kinds)                                                                \
	}
    [WEIR_PRIMITIVE_BARRIER] = FAMILY(barrier_kinds),
    [WEIR_PRIMITIVE_MUTEX] = FAMILY(mutex_kinds),
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = FAMILY(mutex_kinds),
    [WEIR_PRIMITIVE_SEMAPHORE] = FAMILY(semaphore_kinds),
    [WEIR_PRIMITIVE_GROUP] = FAMILY(barrier_kinds),
    [WEIR_PRIMITIVE_EVENT_ARRAY] = FAMILY(event_kinds),
    [WEIR_PRIMITIVE_QUEUE] = FAMILY(queue_kinds),
    [WEIR_PRIMITIVE_RWLOCK] = FAMILY(rwlock_kinds),
#undef FAMILY
};

const weir_kind *weir_kind_find(enum weir_primitive primitive, uint32_t value)
{
	for (size_t i = 0; i < families[primitive].count; i++)
		if (families[primitive].kinds[i].value == value)
			return &families[primitive].kinds[i];
	return NULL;
}

const weir_kind *weir_kind_named(enum weir_primitive primitive, const char *name)
{
	for (size_t i = 0; i < families[primitive].count; i++)
		if (strcmp(families[primitive].kinds[i].name, name) == 0)
			return &families[primitive].kinds[i];
	return NULL;
}

const weir_kind *weir_kind_at(enum weir_primitive primitive, size_t index)
{
	return index < families[primitive].count ? &families[primitive].kinds[index] : NULL;
}

int weir_kind_runs(const weir_device *device, const weir_kind *kind)
{
	if (kind->role == WEIR_BY_VENDOR)
		return device->info.machine == WEIR_MACHINE_CUDA;
	return kind->width != WEIR_WORDS_OF_64 || !device->backend->has_word64 ||
	       device->backend->has_word64(device->state);
}

uint32_t weir_text_kind(enum weir_primitive primitive, uint32_t kind)
{
	/* As in weir/dispatch.h. One text handles all reader-writer locks. */
	if (primitive == WEIR_PRIMITIVE_RWLOCK)
		return kind;
	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		return WEIR_EVENT_WORD;
	if (primitive == WEIR_PRIMITIVE_QUEUE)
		return WEIR_QUEUE_CELLS;
	if (primitive == WEIR_PRIMITIVE_SEMAPHORE)
		return WEIR_SEMAPHORE_PACKED;
	if (primitive == WEIR_PRIMITIVE_BARRIER || primitive == WEIR_PRIMITIVE_GROUP)
		return kind == WEIR_BARRIER_CENTRAL ? kind : WEIR_BARRIER_COUNTER;
	return kind == WEIR_MUTEX_SPIN ? kind : WEIR_MUTEX_SPIN_BACKOFF;
}

/* What the text of a fault calls the object whose kind is in question. */
static const struct subject {
	enum weir_primitive primitive;
	const char *phrase;
} subjects[] = {
    [WEIR_FAULT_BARRIER] = {WEIR_PRIMITIVE_BARRIER, "a barrier"},
    [WEIR_FAULT_MUTEX] = {WEIR_PRIMITIVE_MUTEX, "a mutex"},
    [WEIR_FAULT_SEMAPHORE] = {WEIR_PRIMITIVE_SEMAPHORE, "a semaphore"},
    [WEIR_FAULT_EVENT] = {WEIR_PRIMITIVE_EVENT_ARRAY, "an event"},
    [WEIR_FAULT_RESULT] = {WEIR_PRIMITIVE_EVENT_ARRAY, "an event"},
    [WEIR_FAULT_QUEUE] = {WEIR_PRIMITIVE_QUEUE, "a queue"},
};

void weir_fault_text(weir_fault fault, char text[WEIR_FAULT_BYTES])
{
	const struct subject *subject =
	    &subjects[fault.why < COUNT(subjects) ? fault.why : WEIR_FAULT_SEMAPHORE];
	const weir_kind *kind = weir_kind_find(subject->primitive, fault.kind);
	const char *phrase = subject->phrase;

	if (fault.why == WEIR_FAULT_WAIT)
		snprintf(text, WEIR_FAULT_BYTES, "a wait passed its limit");
	else if (fault.why == WEIR_FAULT_TEAM)
		snprintf(text, WEIR_FAULT_BYTES,
		         "a team %u that is none: names go from 1 to %u, and a team is whole warps "
		         "of its block",
		         fault.kind, WEIR_TEAM_NAMES);
	else if (fault.why == WEIR_FAULT_INDEX)
		snprintf(text, WEIR_FAULT_BYTES, "an event %u past the end of its array",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_ITEM)
		snprintf(text, WEIR_FAULT_BYTES,
		         "an item of %s for a queue whose items have another size",
		         weir_counted(fault.kind, "word").text);
	else if (fault.why == WEIR_FAULT_BATCH)
		snprintf(text, WEIR_FAULT_BYTES, "a batch of %s for a smaller queue",
		         weir_counted(fault.kind, "item").text);
	else if (fault.why == WEIR_FAULT_SHARE)
		snprintf(text, WEIR_FAULT_BYTES, "a take of 0 items from a dispenser");
	else if (fault.why == WEIR_FAULT_TASK)
		snprintf(text, WEIR_FAULT_BYTES,
		         "task %u was added: its number must come after those of the graph, and "
		         "its class must be one of the graph's",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_COMBINE)
		snprintf(text, WEIR_FAULT_BYTES,
		         "a combiner called by a block of %s: it needs a warp",
		         weir_counted(fault.kind, "thread").text);
	else if (fault.why == WEIR_FAULT_SEAT)
		snprintf(text, WEIR_FAULT_BYTES,
		         "a combiner called by block %u, which has no seat: create it for more "
		         "blocks",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_OPERATION)
		snprintf(text, WEIR_FAULT_BYTES,
		         "an operation of %s for a combiner whose operations are smaller",
		         weir_counted(fault.kind, "word").text);
	else if (fault.why == WEIR_FAULT_LANE)
		snprintf(text, WEIR_FAULT_BYTES, "a lane %u that the crew does not have",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_REACH)
		snprintf(text, WEIR_FAULT_BYTES,
		         "data, an event or a queue of rank %u, which only an engine reaches: put "
		         "by the engine, and post with weir_crew_post",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_ROUNDS)
		snprintf(text, WEIR_FAULT_BYTES,
		         "a crew of radix %u over an engine that does not complete: its radix is "
		         "the number of ranks",
		         fault.kind);
	else if (fault.why == WEIR_FAULT_RESULT)
		snprintf(text, WEIR_FAULT_BYTES,
		         "a signal at an event of kind %s, which has no result: post instead, or "
		         "create the events with another kind",
		         kind ? kind->name : "none");
	else if (kind)
		snprintf(text, WEIR_FAULT_BYTES,
		         "%s of kind %u (%s), which the kernel was not compiled for", phrase,
		         fault.kind, kind->name);
	else
		snprintf(text, WEIR_FAULT_BYTES, "%s of kind %u, which is none", phrase,
		         fault.kind);
}

weir_status weir_fail_fault(weir_fault fault)
{
	char text[WEIR_FAULT_BYTES];

	weir_fault_text(fault, text);
	return weir_fail(WEIR_LAUNCH_FAILED, "the kernel ended itself: %s", text);
}

static const char *kind_name(enum weir_primitive primitive, uint32_t value)
{
	const weir_kind *kind = weir_kind_find(primitive, value);
	if (value == 0)
		return "default";
	return kind ? kind->name : NULL;
}

const char *weir_barrier_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_BARRIER, kind);
}

const char *weir_mutex_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_MUTEX, kind);
}

const char *weir_semaphore_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_SEMAPHORE, kind);
}

const char *weir_event_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_EVENT_ARRAY, kind);
}

const char *weir_queue_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_QUEUE, kind);
}

const char *weir_rwlock_kind_name(uint32_t kind)
{
	return kind_name(WEIR_PRIMITIVE_RWLOCK, kind);
}

static weir_status any_default(weir_device *device, enum weir_primitive primitive,
                               const void *place, uint32_t *kind)
{
	weir_status status = weir_device_check(device);
	if (status == WEIR_OK && !place)
		status = weir_fail(WEIR_BAD_ARGUMENT, "no place for the default kind");
	if (status == WEIR_OK)
		*kind = weir_default_kind(device, primitive, WEIR_ANY_COUNT);
	return status;
}

weir_status weir_barrier_default(weir_device *device, weir_barrier_kind *kind)
{
	uint32_t found;
	weir_status status = any_default(device, WEIR_PRIMITIVE_BARRIER, kind, &found);
	if (status == WEIR_OK)
		*kind = (weir_barrier_kind)found;
	return status;
}

weir_status weir_mutex_default(weir_device *device, weir_mutex_kind *kind)
{
	uint32_t found;
	weir_status status = any_default(device, WEIR_PRIMITIVE_MUTEX, kind, &found);
	if (status == WEIR_OK)
		*kind = (weir_mutex_kind)found;
	return status;
}

weir_status weir_semaphore_default(weir_device *device, weir_semaphore_kind *kind)
{
	uint32_t found;
	weir_status status = any_default(device, WEIR_PRIMITIVE_SEMAPHORE, kind, &found);
	if (status == WEIR_OK)
		*kind = (weir_semaphore_kind)found;
	return status;
}
