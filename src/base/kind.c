/* The kinds as data, derived from the rows of the kinds.h headers. */
#include "base/kind.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/status.h"

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
	    [WEIR_PRIMITIVE_COMBINER] = "combiner",
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

/* The rows of a primitive; some have none. `text` and `other` are the kinds that the default's code
 * handles, as in weir/dispatch.h; they may be equal, and 0 means all kinds. */
static const struct family {
	const weir_kind *kinds;
	size_t count;
	uint32_t text;
	uint32_t other;
} families[WEIR_PRIMITIVES] = {
#define FAMILY(kinds, text, other)                                                                 \
	{                                                                                          \
		kinds, COUNT(kinds), text, other                                                   \
	}
    [WEIR_PRIMITIVE_BARRIER] = FAMILY(barrier_kinds, WEIR_BARRIER_COUNTER, WEIR_BARRIER_CENTRAL),
    [WEIR_PRIMITIVE_MUTEX] = FAMILY(mutex_kinds, WEIR_MUTEX_SPIN_BACKOFF, WEIR_MUTEX_SPIN),
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = FAMILY(mutex_kinds, WEIR_MUTEX_SPIN_BACKOFF, WEIR_MUTEX_SPIN),
    [WEIR_PRIMITIVE_SEMAPHORE] =
	FAMILY(semaphore_kinds, WEIR_SEMAPHORE_PACKED, WEIR_SEMAPHORE_PACKED),
    [WEIR_PRIMITIVE_GROUP] = FAMILY(barrier_kinds, WEIR_BARRIER_COUNTER, WEIR_BARRIER_CENTRAL),
    [WEIR_PRIMITIVE_EVENT_ARRAY] = FAMILY(event_kinds, WEIR_EVENT_WORD, WEIR_EVENT_WORD),
    [WEIR_PRIMITIVE_QUEUE] = FAMILY(queue_kinds, WEIR_QUEUE_CELLS, WEIR_QUEUE_CELLS),
    [WEIR_PRIMITIVE_RWLOCK] = FAMILY(rwlock_kinds, 0, 0),
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

uint32_t weir_text_kind(enum weir_primitive primitive, uint32_t kind)
{
	const struct family *family = &families[primitive];

	return family->text == 0 || kind == family->other ? kind : family->text;
}

/* Faults of an object whose kind is the problem, with the word for the object. */
static const struct subject {
	enum weir_primitive primitive;
	const char *phrase;
} subjects[] = {
    [WEIR_FAULT_BARRIER] = {WEIR_PRIMITIVE_BARRIER, "a barrier"},
    [WEIR_FAULT_MUTEX] = {WEIR_PRIMITIVE_MUTEX, "a mutex"},
    [WEIR_FAULT_SEMAPHORE] = {WEIR_PRIMITIVE_SEMAPHORE, "a semaphore"},
    [WEIR_FAULT_EVENT] = {WEIR_PRIMITIVE_EVENT_ARRAY, "an event"},
    [WEIR_FAULT_QUEUE] = {WEIR_PRIMITIVE_QUEUE, "a queue"},
};

#define DIGITS_(number) #number
#define DIGITS(number) DIGITS_(number)

/* The other faults: a sentence around the number that replaces the kind and may be a count. If
 * `after` is NULL, the number is left out. */
static const struct sentence {
	const char *before;
	const char *noun;
	const char *after;
} sentences[] = {
    [WEIR_FAULT_WAIT] = {"a wait passed its limit", NULL, NULL},
    [WEIR_FAULT_TEAM] = {"a team ", NULL,
                         " that is none: names go from 1 to " DIGITS(
			     WEIR_TEAM_NAMES) ", and a team is whole warps of its block"},
    [WEIR_FAULT_INDEX] = {"an event ", NULL, " past the end of its array"},
    [WEIR_FAULT_ITEM] = {"an item of ", "word", " for a queue whose items have another size"},
    [WEIR_FAULT_BATCH] = {"a batch of ", "item", " for a smaller queue"},
    [WEIR_FAULT_SHARE] = {"a take of 0 items from a dispenser", NULL, NULL},
    [WEIR_FAULT_TASK] = {"task ", NULL,
                         " was added: its number must come after those of the graph, and its class "
                         "must be one of the graph's"},
    [WEIR_FAULT_COMBINER] = {"a combiner called by a block of ", "thread", ": it needs a warp"},
    [WEIR_FAULT_SEAT] = {"a combiner called by block ", NULL,
                         ", which has no seat: create it for more blocks"},
    [WEIR_FAULT_OPERATION] = {"an operation of ", "word",
                              " for a combiner whose operations are smaller"},
    [WEIR_FAULT_LANE] = {"a lane ", NULL, " that the crew does not have"},
    [WEIR_FAULT_REACH] = {"data, an event or a queue of rank ", NULL,
                          ", which only an engine reaches: put by the engine, and post with "
                          "weir_crew_event_post"},
    [WEIR_FAULT_MEMBER] = {"block ", NULL,
                           " came to a barrier that is not for it: launch as many blocks as the "
                           "barrier has, or create it with part_of_grid"},
    [WEIR_FAULT_GRID] = {"a barrier of ", "block",
                         " in a smaller grid: launch as many blocks as the barrier has"},
    [WEIR_FAULT_ROUNDS] = {"a crew of radix ", NULL,
                           " over an engine that does not complete: its radix is the number of "
                           "ranks"},
};

static void kind_text(weir_fault fault, char text[WEIR_FAULT_BYTES])
{
	const struct subject *subject =
	    &subjects[fault.why < COUNT(subjects) ? fault.why : WEIR_FAULT_SEMAPHORE];
	const weir_kind *kind = weir_kind_find(subject->primitive, fault.kind);

	if (kind)
		snprintf(text, WEIR_FAULT_BYTES,
		         "%s of kind %u (%s), which the kernel was not compiled for",
		         subject->phrase, fault.kind, kind->name);
	else
		snprintf(text, WEIR_FAULT_BYTES, "%s of kind %u, which is none", subject->phrase,
		         fault.kind);
}

void weir_fault_text(weir_fault fault, char text[WEIR_FAULT_BYTES])
{
	const struct sentence *sentence =
	    fault.why < COUNT(sentences) ? &sentences[fault.why] : NULL;
	char number[16] = "";

	if (fault.why == WEIR_FAULT_RESULT) {
		const weir_kind *kind = weir_kind_find(WEIR_PRIMITIVE_EVENT_ARRAY, fault.kind);
		snprintf(text, WEIR_FAULT_BYTES,
		         "a signal at an event of kind %s, which has no result: post instead, or "
		         "create the events with another kind",
		         kind ? kind->name : "none");
		return;
	}
	if (!sentence || !sentence->before) {
		kind_text(fault, text);
		return;
	}
	if (sentence->after)
		snprintf(number, sizeof number, "%u", fault.kind);
	snprintf(text, WEIR_FAULT_BYTES, "%s%s%s", sentence->before,
	         sentence->noun ? weir_counted(fault.kind, sentence->noun).text : number,
	         sentence->after ? sentence->after : "");
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

#define KIND_NAME(type, PRIMITIVE)                                                                 \
	const char *weir_##type##_kind_name(uint32_t kind)                                         \
	{                                                                                          \
		return kind_name(WEIR_PRIMITIVE_##PRIMITIVE, kind);                                \
	}

KIND_NAME(barrier, BARRIER)
KIND_NAME(mutex, MUTEX)
KIND_NAME(semaphore, SEMAPHORE)
KIND_NAME(event, EVENT_ARRAY)
KIND_NAME(queue, QUEUE)
KIND_NAME(rwlock, RWLOCK)
