/* The public functions that create, reset and destroy objects. */
#include "core/device.h"
#include "core/status.h"
#include "object/object.h"

static weir_status no_handle(weir_device *device, enum weir_primitive primitive)
{
	weir_status status = weir_device_check(device);
	return status != WEIR_OK ? status
	                         : weir_fail(WEIR_BAD_ARGUMENT, "the handle of the %s is NULL",
	                                     weir_primitive_name(primitive));
}

static weir_order make_order(enum weir_primitive primitive, uint32_t kind, uint32_t count,
                             uint32_t initial, const weir_options *options)
{
	weir_order order = {
	    .primitive = primitive, .kind = kind, .count = count, .initial = initial};
	if (options)
		order.options = *options;
	return order;
}

weir_status weir_barrier_size(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                              const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(
	    device, make_order(WEIR_PRIMITIVE_BARRIER, kind, blocks, 0, options), bytes, alignment);
}

weir_status weir_mutex_size(weir_device *device, weir_mutex_kind kind, const weir_options *options,
                            size_t *bytes, size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_MUTEX, kind, 1, 0, options),
	                        bytes, alignment);
}

weir_status weir_mutex_array_size(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                  const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device,
	                        make_order(WEIR_PRIMITIVE_MUTEX_ARRAY, kind, length, 0, options),
	                        bytes, alignment);
}

weir_status weir_semaphore_size(weir_device *device, weir_semaphore_kind kind, uint32_t maximum,
                                const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device,
	                        make_order(WEIR_PRIMITIVE_SEMAPHORE, kind, maximum, 0, options),
	                        bytes, alignment);
}

weir_status weir_group_size(weir_device *device, weir_barrier_kind kind, uint32_t most_blocks,
                            const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device,
	                        make_order(WEIR_PRIMITIVE_GROUP, kind, most_blocks, 0, options),
	                        bytes, alignment);
}

weir_status weir_event_array_size(weir_device *device, weir_event_kind kind, uint32_t length,
                                  const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device,
	                        make_order(WEIR_PRIMITIVE_EVENT_ARRAY, kind, length, 0, options),
	                        bytes, alignment);
}

static weir_order queue_order(weir_queue_kind kind, uint32_t capacity, size_t item_bytes,
                              const weir_options *options)
{
	weir_order order = make_order(WEIR_PRIMITIVE_QUEUE, kind, capacity, 0, options);

	order.item_bytes = item_bytes;
	return order;
}

static weir_order tasks_order(const weir_graph *graph, const weir_options *options)
{
	weir_order order =
	    make_order(WEIR_PRIMITIVE_TASKS, 0, graph ? graph->tasks : 0, 0, options);

	order.graph = graph;
	return order;
}

weir_status weir_queue_size(weir_device *device, weir_queue_kind kind, uint32_t capacity,
                            size_t item_bytes, const weir_options *options, size_t *bytes,
                            size_t *alignment)
{
	return weir_object_size(device, queue_order(kind, capacity, item_bytes, options), bytes,
	                        alignment);
}

weir_status weir_dispenser_size(weir_device *device, uint32_t items, const weir_options *options,
                                size_t *bytes, size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_DISPENSER, 0, items, 0, options),
	                        bytes, alignment);
}

weir_status weir_tasks_size(weir_device *device, const weir_graph *graph,
                            const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device, tasks_order(graph, options), bytes, alignment);
}

weir_status weir_condition_size(weir_device *device, const weir_options *options, size_t *bytes,
                                size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_CONDITION, 0, 1, 0, options),
	                        bytes, alignment);
}

weir_status weir_rwlock_size(weir_device *device, weir_rwlock_kind kind,
                             const weir_options *options, size_t *bytes, size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_RWLOCK, kind, 1, 0, options),
	                        bytes, alignment);
}

weir_status weir_once_size(weir_device *device, const weir_options *options, size_t *bytes,
                           size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_ONCE, 0, 1, 0, options), bytes,
	                        alignment);
}

weir_status weir_combine_size(weir_device *device, uint32_t blocks, const weir_options *options,
                              size_t *bytes, size_t *alignment)
{
	return weir_object_size(device, make_order(WEIR_PRIMITIVE_COMBINE, 0, blocks, 0, options),
	                        bytes, alignment);
}

weir_status weir_barrier_create_with(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                     const weir_options *options, weir_barrier *barrier)
{
	weir_order order = make_order(WEIR_PRIMITIVE_BARRIER, kind, blocks, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, barrier, &made);

	if (barrier)
		*barrier = (weir_barrier){made.words, made.config.barrier};
	return status;
}

weir_status weir_barrier_create(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                weir_barrier *barrier)
{
	return weir_barrier_create_with(device, kind, blocks, NULL, barrier);
}

weir_status weir_mutex_create_with(weir_device *device, weir_mutex_kind kind,
                                   const weir_options *options, weir_mutex *mutex)
{
	weir_order order = make_order(WEIR_PRIMITIVE_MUTEX, kind, 1, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, mutex, &made);

	if (mutex)
		*mutex = (weir_mutex){made.words, made.config.mutex};
	return status;
}

weir_status weir_mutex_create(weir_device *device, weir_mutex_kind kind, weir_mutex *mutex)
{
	return weir_mutex_create_with(device, kind, NULL, mutex);
}

weir_status weir_mutex_array_create(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                    const weir_options *options, weir_mutex_array *array)
{
	weir_order order = make_order(WEIR_PRIMITIVE_MUTEX_ARRAY, kind, length, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, array, &made);

	if (array)
		*array = (weir_mutex_array){made.words, made.config.mutex_array};
	return status;
}

weir_status weir_semaphore_create_with(weir_device *device, weir_semaphore_kind kind,
                                       uint32_t initial, uint32_t maximum,
                                       const weir_options *options, weir_semaphore *semaphore)
{
	weir_order order = make_order(WEIR_PRIMITIVE_SEMAPHORE, kind, maximum, initial, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, semaphore, &made);

	if (semaphore)
		*semaphore = (weir_semaphore){made.words, made.config.semaphore};
	return status;
}

weir_status weir_semaphore_create(weir_device *device, weir_semaphore_kind kind, uint32_t initial,
                                  uint32_t maximum, weir_semaphore *semaphore)
{
	return weir_semaphore_create_with(device, kind, initial, maximum, NULL, semaphore);
}

weir_status weir_group_create_with(weir_device *device, weir_barrier_kind kind,
                                   uint32_t most_blocks, const weir_options *options,
                                   weir_group *group)
{
	weir_order order = make_order(WEIR_PRIMITIVE_GROUP, kind, most_blocks, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, group, &made);

	if (group)
		*group = (weir_group){made.words, made.config.group};
	return status;
}

weir_status weir_group_create(weir_device *device, uint32_t most_blocks, weir_group *group)
{
	return weir_group_create_with(device, WEIR_BARRIER_DEFAULT, most_blocks, NULL, group);
}

weir_status weir_event_array_create(weir_device *device, weir_event_kind kind, uint32_t length,
                                    const weir_options *options, weir_event_array *array)
{
	weir_order order = make_order(WEIR_PRIMITIVE_EVENT_ARRAY, kind, length, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, array, &made);

	if (array)
		*array = (weir_event_array){made.words, made.config.event_array};
	return status;
}

weir_status weir_queue_create(weir_device *device, weir_queue_kind kind, uint32_t capacity,
                              size_t item_bytes, const weir_options *options, weir_queue *queue)
{
	weir_order order = queue_order(kind, capacity, item_bytes, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, queue, &made);

	if (queue)
		*queue = (weir_queue){made.words, made.config.queue};
	return status;
}

weir_status weir_dispenser_create(weir_device *device, uint32_t items, const weir_options *options,
                                  weir_dispenser *dispenser)
{
	weir_order order = make_order(WEIR_PRIMITIVE_DISPENSER, 0, items, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, dispenser, &made);

	if (dispenser)
		*dispenser = (weir_dispenser){made.words, made.config.dispenser};
	return status;
}

weir_status weir_tasks_create(weir_device *device, const weir_graph *graph,
                              const weir_options *options, weir_tasks *tasks)
{
	weir_order order = tasks_order(graph, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, tasks, &made);

	if (tasks)
		*tasks = (weir_tasks){made.words, made.config.tasks};
	return status;
}

weir_status weir_condition_create(weir_device *device, const weir_options *options,
                                  weir_condition *condition)
{
	weir_order order = make_order(WEIR_PRIMITIVE_CONDITION, 0, 1, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, condition, &made);

	if (condition)
		*condition = (weir_condition){made.words, made.config.condition};
	return status;
}

weir_status weir_rwlock_create(weir_device *device, weir_rwlock_kind kind,
                               const weir_options *options, weir_rwlock *rwlock)
{
	weir_order order = make_order(WEIR_PRIMITIVE_RWLOCK, kind, 1, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, rwlock, &made);

	if (rwlock)
		*rwlock = (weir_rwlock){made.words, made.config.rwlock};
	return status;
}

weir_status weir_once_create(weir_device *device, const weir_options *options, weir_once *once)
{
	weir_order order = make_order(WEIR_PRIMITIVE_ONCE, 0, 1, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, once, &made);

	if (once)
		*once = (weir_once){made.words, made.config.once};
	return status;
}

weir_status weir_combine_create(weir_device *device, uint32_t blocks, const weir_options *options,
                                weir_combine *combine)
{
	weir_order order = make_order(WEIR_PRIMITIVE_COMBINE, 0, blocks, 0, options);
	weir_handle made;
	weir_status status = weir_object_create(device, &order, combine, &made);

	if (combine)
		*combine = (weir_combine){made.words, made.config.combine};
	return status;
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

ENDS(barrier, BARRIER)
ENDS(mutex, MUTEX)
ENDS(mutex_array, MUTEX_ARRAY)
ENDS(semaphore, SEMAPHORE)
ENDS(group, GROUP)
ENDS(event_array, EVENT_ARRAY)
ENDS(queue, QUEUE)
ENDS(dispenser, DISPENSER)
ENDS(tasks, TASKS)
ENDS(condition, CONDITION)
ENDS(rwlock, RWLOCK)
ENDS(once, ONCE)
ENDS(combine, COMBINE)
