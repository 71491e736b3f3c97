/* The options of an object: of whatever version the caller's struct is, and which members each kind uses. */
#include "object/object.h"

#include <stdio.h>
#include <string.h>

#include "base/kind.h"
#include "base/status.h"

#define TEXT_BYTES 256

/* A member that only some kinds use. */
struct member {
	const char *name;
	size_t at;
	int (*is_used)(const weir_kind *kind);
};

static int is_not_vendors(const weir_kind *kind)
{
	return kind->role != WEIR_BY_VENDOR;
}

static int has_queue(const weir_kind *kind)
{
	return kind->queue != WEIR_QUEUE_NONE;
}

static int has_shape(const weir_kind *kind)
{
	return kind->shape == WEIR_SHAPE_COUNTERS;
}

static int has_copies(const weir_kind *kind)
{
	return kind->parts == WEIR_PARTS_COPIES;
}

static int has_shards(const weir_kind *kind)
{
	return kind->parts == WEIR_PARTS_SHARDS;
}

static int has_counts(const weir_kind *kind)
{
	return kind->parts == WEIR_PARTS_COUNTS;
}

#define MOST_MEMBERS 5
#define AT(type, member) offsetof(weir_##type##_options, member)
#define MEMBER(type, member, is_used)                                                              \
	{                                                                                          \
#member, AT(type, member), is_used                                                 \
	}

/* The options that are read in the same way for every primitive. An offset of 0: the primitive lacks the
 * member. */
static const struct struct_row {
	size_t bytes;
	size_t kind_at;
	size_t backoff_at;
	size_t fair_at;
	size_t shared_at; /* a member that is not 0 where the host shares the object */
	struct member members[MOST_MEMBERS];
} rows[WEIR_PRIMITIVES] = {
    [WEIR_PRIMITIVE_BARRIER] = {.bytes = sizeof(weir_barrier_options),
                                .kind_at = AT(barrier, kind),
                                .backoff_at = AT(barrier, backoff),
                                .members = {MEMBER(barrier, shards, has_shape),
                                            MEMBER(barrier, backoff.min, is_not_vendors),
                                            MEMBER(barrier, backoff.max, is_not_vendors)}},
    [WEIR_PRIMITIVE_MUTEX] = {.bytes = sizeof(weir_mutex_options),
                              .kind_at = AT(mutex, kind),
                              .backoff_at = AT(mutex, backoff),
                              .fair_at = AT(mutex, fair),
                              .members = {MEMBER(mutex, queue_slots, has_queue)}},
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = {.bytes = sizeof(weir_mutex_array_options),
                                    .kind_at = AT(mutex_array, kind),
                                    .backoff_at = AT(mutex_array, backoff),
                                    .fair_at = AT(mutex_array, fair)},
    [WEIR_PRIMITIVE_SEMAPHORE] = {.bytes = sizeof(weir_semaphore_options),
                                  .kind_at = AT(semaphore, kind),
                                  .backoff_at = AT(semaphore, backoff)},
    [WEIR_PRIMITIVE_GROUP] = {.bytes = sizeof(weir_group_options),
                              .kind_at = AT(group, kind),
                              .backoff_at = AT(group, backoff)},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {.bytes = sizeof(weir_event_array_options),
                                    .kind_at = AT(event_array, kind),
                                    .shared_at = AT(event_array, host_visible),
                                    .members = {MEMBER(event_array, copies, has_copies),
                                                MEMBER(event_array, shards, has_shards)}},
    [WEIR_PRIMITIVE_QUEUE] = {.bytes = sizeof(weir_queue_options),
                              .kind_at = AT(queue, kind),
                              .backoff_at = AT(queue, backoff),
                              .shared_at = AT(queue, host_side)},
    [WEIR_PRIMITIVE_DISPENSER] = {.bytes = sizeof(weir_dispenser_options)},
    [WEIR_PRIMITIVE_TASKS] = {.bytes = sizeof(weir_tasks_options),
                              .backoff_at = AT(tasks, backoff)},
    [WEIR_PRIMITIVE_CONDITION] = {.bytes = sizeof(weir_condition_options),
                                  .backoff_at = AT(condition, backoff)},
    [WEIR_PRIMITIVE_RWLOCK] = {.bytes = sizeof(weir_rwlock_options),
                               .kind_at = AT(rwlock, kind),
                               .backoff_at = AT(rwlock, backoff),
                               .members = {MEMBER(rwlock, reader_counts, has_counts)}},
    [WEIR_PRIMITIVE_ONCE] = {.bytes = sizeof(weir_once_options), .backoff_at = AT(once, backoff)},
    [WEIR_PRIMITIVE_COMBINER] = {.bytes = sizeof(weir_combiner_options),
                                 .backoff_at = AT(combiner, backoff)},
};

/* The place of the first byte from `from` on that is not 0; `bytes` if there is none. */
static size_t first_set(const void *given, size_t from, size_t bytes)
{
	const char *text = given;

	while (from < bytes && text[from] == 0)
		from++;
	return from;
}

weir_status weir_object_request_read(weir_object_request *request)
{
	size_t known = rows[request->primitive].bytes;
	const weir_object_options *object = &request->options.object;

	memset(&request->options, 0, sizeof request->options);
	if (!request->given)
		return WEIR_OK;
	if (request->given_bytes < sizeof(weir_object_options))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the options of %s have %zu bytes: the least is %zu",
		                 weir_primitive_phrase(request->primitive), request->given_bytes,
		                 sizeof(weir_object_options));
	if (first_set(request->given, known, request->given_bytes) < request->given_bytes)
		return weir_fail(
		    WEIR_UNSUPPORTED,
		    "the options of %s have a member that this library (%s) does not know: "
		    "byte %zu of %zu is not 0",
		    weir_primitive_phrase(request->primitive), weir_version(),
		    first_set(request->given, known, request->given_bytes), request->given_bytes);
	memcpy(&request->options, request->given,
	       request->given_bytes < known ? request->given_bytes : known);
	if (first_set(object->reserved, 0, sizeof object->reserved) < sizeof object->reserved)
		return weir_fail(
		    WEIR_UNSUPPORTED,
		    "object.reserved in the options of %s is not 0: this library (%s) does "
		    "not know that member, or the options were not set to zeros",
		    weir_primitive_phrase(request->primitive), weir_version());
	if (!object->memory && (object->memory_offset || object->memory_bytes))
		return weir_fail(WEIR_BAD_ARGUMENT, "object.%s is %zu, but object.memory is NULL",
		                 object->memory_offset ? "memory_offset" : "memory_bytes",
		                 object->memory_offset ? object->memory_offset
		                                       : object->memory_bytes);
	return WEIR_OK;
}

static uint32_t member_at(const weir_object_request *request, size_t at)
{
	uint32_t value = 0;

	if (at)
		memcpy(&value, (const char *)&request->options + at, sizeof value);
	return value;
}

uint32_t weir_object_request_kind(const weir_object_request *request)
{
	return member_at(request, rows[request->primitive].kind_at);
}

int weir_object_request_is_fair(const weir_object_request *request)
{
	return member_at(request, rows[request->primitive].fair_at) != 0;
}

int weir_object_request_is_shared(const weir_object_request *request)
{
	return member_at(request, rows[request->primitive].shared_at) != 0;
}

int weir_object_request_backoff(const weir_object_request *request, weir_backoff *backoff)
{
	size_t at = rows[request->primitive].backoff_at;

	*backoff = weir_no_backoff();
	if (!at)
		return 0;
	backoff->min = member_at(request, at);
	backoff->max = member_at(request, at + sizeof backoff->min);
	/* `has_backoff` stands behind `backoff` in every struct. */
	return backoff->max != 0 || member_at(request, at + sizeof *backoff) != 0;
}

/* "ring, cohort or patient" */
static void name_users(enum weir_primitive primitive, const struct member *member,
                       char text[TEXT_BYTES])
{
	const char *users[WEIR_KINDS_MOST];
	const weir_kind *kind;
	size_t count = 0;
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; (kind = weir_kind_at(primitive, i)) != NULL; i++)
		if (member->is_used(kind) && count < WEIR_KINDS_MOST)
			users[count++] = kind->name;
	for (size_t i = 0; i < count && length < TEXT_BYTES; i++)
		length += (size_t)snprintf(text + length, TEXT_BYTES - length, "%s%s",
		                           i == 0           ? ""
		                           : i + 1 == count ? " or "
		                                            : ", ",
		                           users[i]);
}

weir_status weir_object_request_check(const weir_object_request *request, const weir_kind *kind)
{
	const struct member *members = rows[request->primitive].members;
	const char *phrase = weir_primitive_phrase(request->primitive);
	char users[TEXT_BYTES];

	for (size_t i = 0; i < MOST_MEMBERS && members[i].name; i++) {
		uint32_t value = member_at(request, members[i].at);

		if (value == 0 || members[i].is_used(kind))
			continue;
		name_users(request->primitive, &members[i], users);
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s is %u, but %s of kind %s has none: it is for the kind %s",
		                 members[i].name, value, phrase, kind->name, users);
	}
	return WEIR_OK;
}
