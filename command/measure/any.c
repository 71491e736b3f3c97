/* An object of any primitive, by the functions that weir.h has for its own. */
#include "measure/any.h"

#include "weir/kind.h"
#include "weir/weir.h"

static weir_status weir_semaphore_create_full(weir_device *device, weir_semaphore_kind kind,
                                              uint32_t maximum, const weir_options *options,
                                              weir_semaphore *semaphore)
{
	return weir_semaphore_create_with(device, kind, maximum, maximum, options, semaphore);
}

/* A row for each primitive: its type, how the name of its creation ends, and what that and weir_TYPE_size
 * take before their results. */
#define ROWS(ROW)                                                                                  \
	ROW(BARRIER, barrier, create_with, device, (weir_barrier_kind)wish->kind, wish->count,     \
	    options)                                                                               \
	ROW(MUTEX, mutex, create_with, device, (weir_mutex_kind)wish->kind, options)               \
	ROW(MUTEX_ARRAY, mutex_array, create, device, (weir_mutex_kind)wish->kind, wish->count,    \
	    options)                                                                               \
	ROW(SEMAPHORE, semaphore, create_full, device, (weir_semaphore_kind)wish->kind,            \
	    wish->count, options)                                                                  \
	ROW(GROUP, group, create_with, device, (weir_barrier_kind)wish->kind, wish->count,         \
	    options)                                                                               \
	ROW(EVENT_ARRAY, event_array, create, device, (weir_event_kind)wish->kind, wish->count,    \
	    options)                                                                               \
	ROW(QUEUE, queue, create, device, (weir_queue_kind)wish->kind, wish->count,                \
	    sizeof(uint32_t), options)                                                             \
	ROW(DISPENSER, dispenser, create, device, wish->count, options)                            \
	ROW(TASKS, tasks, create, device, wish->graph, options)                                    \
	ROW(CONDITION, condition, create, device, options)                                         \
	ROW(RWLOCK, rwlock, create, device, (weir_rwlock_kind)wish->kind, options)                 \
	ROW(ONCE, once, create, device, options)                                                   \
	ROW(COMBINE, combine, create, device, wish->count, options)

static weir_status no_object(enum weir_primitive primitive)
{
	return weir_error_set(WEIR_BAD_ARGUMENT, "there is no object of primitive %d",
	                      (int)primitive);
}

weir_status weir_any_create(weir_device *device, const weir_any_wish *wish,
                            const weir_options *options, weir_any *object)
{
	weir_status status;

	*object = (weir_any){.primitive = wish->primitive};
	switch (wish->primitive) {
#define ROW(PRIMITIVE, type, create, ...)                                                          \
	case WEIR_PRIMITIVE_##PRIMITIVE: {                                                         \
		weir_##type made;                                                                  \
		status = weir_##type##_##create(__VA_ARGS__, &made);                               \
		object->words = made.words;                                                        \
		object->config.type = made.config;                                                 \
		return status;                                                                     \
	}
		ROWS(ROW)
#undef ROW
	default:
		return no_object(wish->primitive);
	}
}

weir_status weir_any_size(weir_device *device, const weir_any_wish *wish,
                          const weir_options *options, size_t *bytes, size_t *alignment)
{
	switch (wish->primitive) {
#define ROW(PRIMITIVE, type, create, ...)                                                          \
	case WEIR_PRIMITIVE_##PRIMITIVE:                                                           \
		return weir_##type##_size(__VA_ARGS__, bytes, alignment);
		ROWS(ROW)
#undef ROW
	default:
		return no_object(wish->primitive);
	}
}

weir_status weir_any_destroy(weir_device *device, weir_any *object)
{
	weir_status status;

	if (!object->words)
		return WEIR_OK;
	switch (object->primitive) {
#define ROW(PRIMITIVE, type, ...)                                                                  \
	case WEIR_PRIMITIVE_##PRIMITIVE: {                                                         \
		weir_##type made = {object->words, object->config.type};                           \
		status = weir_##type##_destroy(device, &made);                                     \
		object->words = made.words;                                                        \
		return status;                                                                     \
	}
		ROWS(ROW)
#undef ROW
	default:
		return no_object(object->primitive);
	}
}
