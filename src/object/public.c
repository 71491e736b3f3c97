/* The public functions that create, reset and destroy objects: each makes an order of its arguments, or
 * names the object, and leaves the rest to object.c. */
#include "base/status.h"
#include "core/device.h"
#include "object/object.h"

static weir_options options_of(const weir_options *options)
{
	return options ? *options : (weir_options){0};
}

/* An order of a primitive, from the `options` of the function around it. */
#define ORDER(PRIMITIVE, ...)                                                                      \
	((weir_order){                                                                             \
	    .primitive = WEIR_PRIMITIVE_##PRIMITIVE, .options = options_of(options), __VA_ARGS__})

/* weir_TYPE_size and weir_TYPE_CREATE, by the order that they make of their parameters, which begin after
 * the device and end with the options. */
#define SIZE(type, order, ...)                                                                     \
	weir_status weir_##type##_size(weir_device *device, __VA_ARGS__, size_t *bytes,            \
	                               size_t *alignment)                                          \
	{                                                                                          \
		return weir_object_size(device, order, bytes, alignment);                          \
	}
#define CREATE(type, create, order, ...)                                                           \
	weir_status weir_##type##_##create(weir_device *device, __VA_ARGS__, weir_##type *object)  \
	{                                                                                          \
		const weir_order wanted = order;                                                   \
		weir_handle made;                                                                  \
		weir_status status = weir_object_create(device, &wanted, object, &made);           \
                                                                                                   \
		if (object)                                                                        \
			*object = (weir_##type){made.words, made.config.type};                     \
		return status;                                                                     \
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

#define ALL(type, PRIMITIVE, create, order, ...)                                                   \
	SIZE(type, order, __VA_ARGS__)                                                             \
	CREATE(type, create, order, __VA_ARGS__)                                                   \
	ENDS(type, PRIMITIVE)

ALL(barrier, BARRIER, create_with, ORDER(BARRIER, .kind = kind, .count = blocks),
    weir_barrier_kind kind, uint32_t blocks, const weir_options *options)
ALL(mutex, MUTEX, create_with, ORDER(MUTEX, .kind = kind, .count = 1), weir_mutex_kind kind,
    const weir_options *options)
ALL(mutex_array, MUTEX_ARRAY, create, ORDER(MUTEX_ARRAY, .kind = kind, .count = length),
    weir_mutex_kind kind, uint32_t length, const weir_options *options)
SIZE(semaphore, ORDER(SEMAPHORE, .kind = kind, .count = maximum), weir_semaphore_kind kind,
     uint32_t maximum, const weir_options *options)
CREATE(semaphore, create_with, ORDER(SEMAPHORE, .kind = kind, .count = maximum, .initial = initial),
       weir_semaphore_kind kind, uint32_t initial, uint32_t maximum, const weir_options *options)
ENDS(semaphore, SEMAPHORE)
ALL(group, GROUP, create_with, ORDER(GROUP, .kind = kind, .count = most_blocks),
    weir_barrier_kind kind, uint32_t most_blocks, const weir_options *options)
ALL(event_array, EVENT_ARRAY, create, ORDER(EVENT_ARRAY, .kind = kind, .count = length),
    weir_event_kind kind, uint32_t length, const weir_options *options)
ALL(queue, QUEUE, create, ORDER(QUEUE, .kind = kind, .count = capacity, .item_bytes = item_bytes),
    weir_queue_kind kind, uint32_t capacity, size_t item_bytes, const weir_options *options)
ALL(dispenser, DISPENSER, create, ORDER(DISPENSER, .count = items), uint32_t items,
    const weir_options *options)
ALL(tasks, TASKS, create, ORDER(TASKS, .count = graph ? graph->tasks : 0, .graph = graph),
    const weir_graph *graph, const weir_options *options)
ALL(condition, CONDITION, create, ORDER(CONDITION, .count = 1), const weir_options *options)
ALL(rwlock, RWLOCK, create, ORDER(RWLOCK, .kind = kind, .count = 1), weir_rwlock_kind kind,
    const weir_options *options)
ALL(once, ONCE, create, ORDER(ONCE, .count = 1), const weir_options *options)
ALL(combine, COMBINE, create, ORDER(COMBINE, .count = blocks), uint32_t blocks,
    const weir_options *options)

weir_status weir_barrier_create(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                weir_barrier *barrier)
{
	return weir_barrier_create_with(device, kind, blocks, NULL, barrier);
}

weir_status weir_mutex_create(weir_device *device, weir_mutex_kind kind, weir_mutex *mutex)
{
	return weir_mutex_create_with(device, kind, NULL, mutex);
}

weir_status weir_semaphore_create(weir_device *device, weir_semaphore_kind kind, uint32_t initial,
                                  uint32_t maximum, weir_semaphore *semaphore)
{
	return weir_semaphore_create_with(device, kind, initial, maximum, NULL, semaphore);
}

weir_status weir_group_create(weir_device *device, uint32_t most_blocks, weir_group *group)
{
	return weir_group_create_with(device, WEIR_BARRIER_DEFAULT, most_blocks, NULL, group);
}
