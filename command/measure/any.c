/* An object of any primitive, using the primitive's own functions in weir.h. */
#include "measure/any.h"

#include "weir/kind.h"
#include "weir/weir.h"

/* A row for each primitive: its type, and the arguments of its creation before the options. */
#define ROWS(ROW)                                                                                  \
	ROW(BARRIER, barrier, device, wish->count)                                                 \
	ROW(MUTEX, mutex, device)                                                                  \
	ROW(MUTEX_ARRAY, mutex_array, device, wish->count)                                         \
	ROW(SEMAPHORE, semaphore, device, wish->count, wish->count)                                \
	ROW(GROUP, group, device, wish->count)                                                     \
	ROW(EVENT_ARRAY, event_array, device, wish->count)                                         \
	ROW(QUEUE, queue, device, wish->count, sizeof(uint32_t))                                   \
	ROW(DISPENSER, dispenser, device, wish->count)                                             \
	ROW(TASKS, tasks, device, wish->graph)                                                     \
	ROW(CONDITION, condition, device)                                                          \
	ROW(RWLOCK, rwlock, device)                                                                \
	ROW(ONCE, once, device)                                                                    \
	ROW(COMBINER, combiner, device, wish->count)

static weir_status no_object(enum weir_primitive primitive)
{
	return weir_error_set(WEIR_BAD_ARGUMENT, "there is no object of primitive %d",
	                      (int)primitive);
}

weir_status weir_any_create(weir_device *device, const weir_any_wish *wish, weir_any *object)
{
	weir_status status;

	*object = (weir_any){.primitive = wish->primitive};
	switch (wish->primitive) {
#define ROW(PRIMITIVE, type, ...)                                                                  \
	case WEIR_PRIMITIVE_##PRIMITIVE: {                                                         \
		weir_##type made;                                                                  \
		status = weir_##type##_create(__VA_ARGS__, &wish->options.type, &made);            \
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

weir_status weir_any_size(weir_device *device, const weir_any_wish *wish, size_t *bytes,
                          size_t *alignment)
{
	switch (wish->primitive) {
#define ROW(PRIMITIVE, type, ...)                                                                  \
	case WEIR_PRIMITIVE_##PRIMITIVE:                                                           \
		return weir_##type##_size(__VA_ARGS__, &wish->options.type, bytes, alignment);
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
