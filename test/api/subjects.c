#include "subjects.h"

#include <stddef.h>

static const uint32_t first[] = {0, 1, 1}, successors[] = {1};
static const weir_graph graph = {.tasks = 2, .first = first, .successors = successors};

/* The primitives: their names, and the arguments of their creation before the options. */
#define SUBJECTS(X)                                                                                \
	X(BARRIER, barrier, "a barrier", d, API_USERS)                                             \
	X(MUTEX, mutex, "a mutex", d)                                                              \
	X(MUTEX_ARRAY, mutex_array, "an array of mutexes", d, API_LENGTH)                          \
	X(SEMAPHORE, semaphore, "a semaphore", d, 1, API_SLOTS)                                    \
	X(GROUP, group, "a group", d, API_USERS)                                                   \
	X(EVENT_ARRAY, event_array, "an array of events", d, API_LENGTH)                           \
	X(QUEUE, queue, "a queue", d, API_SLOTS, sizeof(uint32_t))                                 \
	X(DISPENSER, dispenser, "a dispenser", d, API_SLOTS)                                       \
	X(TASKS, tasks, "a graph of tasks", d, &graph)                                             \
	X(CONDITION, condition, "a condition", d)                                                  \
	X(RWLOCK, rwlock, "a reader-writer lock", d)                                               \
	X(ONCE, once, "a once", d)                                                                 \
	X(COMBINER, combiner, "a combiner", d, API_USERS)

#define CALLS(NAME, type, phrase, ...)                                                             \
	static weir_status type##_create(weir_device *d, const weir_any_options *options,          \
	                                 api_any *object)                                          \
	{                                                                                          \
		return weir_##type##_create(__VA_ARGS__, options ? &options->type : NULL,          \
		                            object ? &object->type : NULL);                        \
	}                                                                                          \
                                                                                                   \
	static weir_status type##_size(weir_device *d, const weir_any_options *options,            \
	                               size_t *bytes, size_t *alignment)                           \
	{                                                                                          \
		return weir_##type##_size(__VA_ARGS__, options ? &options->type : NULL, bytes,     \
		                          alignment);                                              \
	}                                                                                          \
                                                                                                   \
	static weir_status type##_sized(weir_device *d, const void *options, size_t options_bytes, \
	                                api_any *object)                                           \
	{                                                                                          \
		return weir_##type##_create_sized(__VA_ARGS__,                                     \
		                                  (const weir_##type##_options *)options,          \
		                                  options_bytes, &object->type);                   \
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
	{WEIR_PRIMITIVE_##NAME, phrase,        sizeof(weir_##type##_options),                      \
	 type##_create,         type##_size,   type##_sized,                                       \
	 type##_reset,          type##_destroy},
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
