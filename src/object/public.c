/* The public functions that create, reset and destroy objects: each makes a request of its arguments, or
 * names the object, and leaves the rest to object.c. */
#include "base/status.h"
#include "core/device.h"
#include "object/object.h"

/* A request of a primitive, from the `options` of the function around it. */
#define ORDER(PRIMITIVE, ...)                                                                      \
	((weir_object_request){.primitive = WEIR_PRIMITIVE_##PRIMITIVE,                            \
	                       .given = options,                                                   \
	                       .given_bytes = options_bytes,                                       \
	                       __VA_ARGS__})

/* weir_TYPE_create_sized and weir_TYPE_size_sized, by the request that they make of their parameters: 
 * those up to the options are the rest. */
#define MAKES(type, request, ...)                                                                  \
	weir_status weir_##type##_create_sized(__VA_ARGS__, const weir_##type##_options *options,  \
	                                       size_t options_bytes, weir_##type *object)          \
	{                                                                                          \
		weir_handle made;                                                                  \
		weir_status status = weir_object_create(device, request, object, &made);           \
                                                                                                   \
		if (object)                                                                        \
			*object = (weir_##type){made.words, made.config.type};                     \
		return status;                                                                     \
	}                                                                                          \
                                                                                                   \
	weir_status weir_##type##_size_sized(__VA_ARGS__, const weir_##type##_options *options,    \
	                                     size_t options_bytes, size_t *bytes,                  \
	                                     size_t *alignment)                                    \
	{                                                                                          \
		return weir_object_size(device, request, bytes, alignment);                        \
	}
static weir_status no_handle(weir_device *device, enum weir_primitive primitive)
{
	weir_status status = weir_device_check(device);
	return status != WEIR_OK ? status
	                         : weir_fail(WEIR_BAD_ARGUMENT, "the handle of the %s is NULL",
	                                     weir_primitive_name(primitive));
}

/* weir_TYPE_reset and weir_TYPE_destroy. */
#define ENDS(type, PRIMITIVE)                                                                      \
	weir_status weir_##type##_reset(weir_device *device, weir_##type object)                   \
	{                                                                                          \
		return weir_object_reset(device, WEIR_PRIMITIVE_##PRIMITIVE, object.words,         \
		                         object.config.offset);                                    \
	}                                                                                          \
                                                                                                   \
	weir_status weir_##type##_destroy(weir_device *device, weir_##type *object)                \
	{                                                                                          \
		if (!object)                                                                       \
			return no_handle(device, WEIR_PRIMITIVE_##PRIMITIVE);                      \
		return weir_object_destroy(device, WEIR_PRIMITIVE_##PRIMITIVE, object->words,      \
		                           object->config.offset, object, sizeof *object);         \
	}

#define ALL(type, PRIMITIVE, request, ...)                                                         \
	MAKES(type, request, __VA_ARGS__)                                                          \
	ENDS(type, PRIMITIVE)

ALL(barrier, BARRIER, ORDER(BARRIER, .count = blocks), weir_device *device, uint32_t blocks)
ALL(mutex, MUTEX, ORDER(MUTEX, .count = 1), weir_device *device)
ALL(mutex_array, MUTEX_ARRAY, ORDER(MUTEX_ARRAY, .count = length), weir_device *device,
    uint32_t length)
ALL(semaphore, SEMAPHORE, ORDER(SEMAPHORE, .count = maximum, .initial = initial),
    weir_device *device, uint32_t initial, uint32_t maximum)
ALL(group, GROUP, ORDER(GROUP, .count = most_blocks), weir_device *device, uint32_t most_blocks)
ALL(event_array, EVENT_ARRAY, ORDER(EVENT_ARRAY, .count = length), weir_device *device,
    uint32_t length)
ALL(queue, QUEUE, ORDER(QUEUE, .count = capacity, .item_bytes = item_bytes), weir_device *device,
    uint32_t capacity, size_t item_bytes)
ALL(dispenser, DISPENSER, ORDER(DISPENSER, .count = items), weir_device *device, uint32_t items)
ALL(tasks, TASKS, ORDER(TASKS, .count = graph ? graph->tasks : 0, .graph = graph),
    weir_device *device, const weir_graph *graph)
ALL(condition, CONDITION, ORDER(CONDITION, .count = 1), weir_device *device)
ALL(rwlock, RWLOCK, ORDER(RWLOCK, .count = 1), weir_device *device)
ALL(once, ONCE, ORDER(ONCE, .count = 1), weir_device *device)
ALL(combiner, COMBINER, ORDER(COMBINER, .count = blocks), weir_device *device, uint32_t blocks)
