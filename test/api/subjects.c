#include "subjects.h"

#include <stddef.h>

static const uint32_t first[] = {0, 1, 1}, successors[] = {1};
static const weir_graph graph = {.tasks = 2, .first = first, .successors = successors};

/* The primitives: how they are called, and the parameters of their creation and of their size. */
#define SUBJECTS(X)                                                                                \
	X(BARRIER, barrier, "a barrier", _create_with, (d, kind, API_USERS), (d, kind, API_USERS)) \
	X(MUTEX, mutex, "a mutex", _create_with, (d, kind), (d, kind))                             \
	X(MUTEX_ARRAY, mutex_array, "an array of mutexes", _create, (d, kind, API_LENGTH),         \
	  (d, kind, API_LENGTH))                                                                   \
	X(SEMAPHORE, semaphore, "a semaphore", _create_with, (d, kind, 1, API_SLOTS),              \
	  (d, kind, API_SLOTS))                                                                    \
	X(GROUP, group, "a group", _create_with, (d, kind, API_USERS), (d, kind, API_USERS))       \
	X(EVENT_ARRAY, event_array, "an array of events", _create, (d, kind, API_LENGTH),          \
	  (d, kind, API_LENGTH))                                                                   \
	X(QUEUE, queue, "a queue", _create, (d, kind, API_SLOTS, sizeof(uint32_t)),                \
	  (d, kind, API_SLOTS, sizeof(uint32_t)))                                                  \
	X(DISPENSER, dispenser, "a dispenser", _create, (d, API_SLOTS), (d, API_SLOTS))            \
	X(TASKS, tasks, "a graph of tasks", _create, (d, &graph), (d, &graph))                     \
	X(CONDITION, condition, "a condition", _create, (d), (d))                                  \
	X(RWLOCK, rwlock, "a reader-writer lock", _create, (d, kind), (d, kind))                   \
	X(ONCE, once, "a once", _create, (d), (d))                                                 \
	X(COMBINE, combine, "a combiner", _create, (d, API_USERS), (d, API_USERS))

#define BARE(...) __VA_ARGS__

#define CALLS(NAME, type, phrase, creates, by, size_by)                                            \
	static weir_status type##_create(weir_device *d, uint32_t kind,                            \
	                                 const weir_options *options, api_any *object)             \
	{                                                                                          \
		(void)kind;                                                                        \
		return weir_##type##creates(BARE by, options, object ? &object->type : NULL);      \
	}                                                                                          \
                                                                                                   \
	static weir_status type##_size(weir_device *d, uint32_t kind, const weir_options *options, \
	                               size_t *bytes, size_t *alignment)                           \
	{                                                                                          \
		(void)kind;                                                                        \
		return weir_##type##_size(BARE size_by, options, bytes, alignment);                \
	}                                                                                          \
                                                                                                   \
	static weir_status type##_reset(weir_device *d, api_any object)                            \
	{                                                                                          \
		return weir_##type##_reset(d, object.type);                                        \
	}                                                                                          \
                                                                                                   \
	static weir_status type##_destroy(weir_device *d, api_any *object)                         \
	{                                                                                          \
		return weir_##type##_destroy(d, object ? &object->type : NULL);                    \
	}
SUBJECTS(CALLS)

const api_subject api_subjects[API_SUBJECTS] = {
#define ROW(NAME, type, phrase, ...)                                                               \
	{WEIR_PRIMITIVE_##NAME, phrase, type##_create, type##_size, type##_reset, type##_destroy},
    SUBJECTS(ROW)
#undef ROW
};

const api_subject *api_subject_of(enum weir_primitive primitive)
{
	for (size_t i = 0; i < API_SUBJECTS; i++)
		if (api_subjects[i].primitive == primitive)
			return &api_subjects[i];
	return NULL;
}
