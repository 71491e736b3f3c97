/* What creation must know of each primitive: a row for each. */
#include "object/primitive.h"

#include <string.h>

#include "core/device.h"
#include "core/status.h"
#include "object/lock.h"
#include "object/queue.h"
#include "object/tasks.h"
#include "weir/barrier/bounded.h"
#include "weir/event/api.h"
#include "weir/group/discovery.h"
#include "weir/mutex/api.h"
#include "weir/semaphore/api.h"

static weir_status check_blocks(weir_device *device, const weir_order *order)
{
	uint32_t most = device->backend->most_blocks(device->state);

	if (order->count > most)
		return weir_fail(WEIR_TOO_MANY_BLOCKS,
		                 "a barrier of %u blocks: no kernel has more than %u "
		                 "running at once on %s",
		                 order->count, most, device->info.name);
	return WEIR_OK;
}

static weir_status check_slots(weir_device *device, const weir_order *order)
{
	(void)device;
	if (order->count > INT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT, "a semaphore's maximum of %u is above %d",
		                 order->count, INT32_MAX);
	if (order->initial > order->count)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a semaphore's initial value of %u is above its maximum of %u",
		                 order->initial, order->count);
	return WEIR_OK;
}

static size_t barrier_words(const weir_any_config *config)
{
	return weir_barrier_words(config->barrier);
}

static size_t mutex_words(const weir_any_config *config)
{
	return weir_mutex_words(config->mutex);
}

static size_t mutex_array_words(const weir_any_config *config)
{
	return (size_t)config->mutex_array.stride * config->mutex_array.length;
}

static size_t semaphore_words(const weir_any_config *config)
{
	return weir_semaphore_words(config->semaphore);
}

static size_t event_array_words(const weir_any_config *config)
{
	return weir_event_array_words(config->event_array);
}

static size_t queue_words(const weir_any_config *config)
{
	return weir_queue_words(config->queue);
}

static size_t dispenser_words(const weir_any_config *config)
{
	return weir_dispenser_words(config->dispenser);
}

static size_t tasks_words(const weir_any_config *config)
{
	return weir_tasks_words(config->tasks);
}

static size_t condition_words(const weir_any_config *config)
{
	return weir_condition_words(config->condition);
}

static size_t rwlock_words(const weir_any_config *config)
{
	return weir_rwlock_words(config->rwlock);
}

static size_t once_words(const weir_any_config *config)
{
	return weir_once_words(config->once);
}

static size_t combine_words(const weir_any_config *config)
{
	return weir_combine_words(config->combine);
}

static weir_status plan_dispenser(weir_device *device, const weir_order *order,
                                  weir_any_config *config)
{
	return weir_dispenser_plan(device, order->count, &order->options, &config->dispenser);
}

static weir_status plan_tasks(weir_device *device, const weir_order *order, weir_any_config *config)
{
	return weir_tasks_plan(device, order->graph, &order->options, &config->tasks);
}

static weir_status plan_condition(weir_device *device, const weir_order *order,
                                  weir_any_config *config)
{
	return weir_condition_plan(device, &order->options, &config->condition);
}

static weir_status plan_once(weir_device *device, const weir_order *order, weir_any_config *config)
{
	(void)device;
	(void)order;
	(void)config;
	return WEIR_OK;
}

static weir_status plan_combine(weir_device *device, const weir_order *order,
                                weir_any_config *config)
{
	return weir_combine_plan(device, order->count, &order->options, &config->combine);
}

static void start_barrier(weir_word *image, const weir_record *record)
{
	/* The vendor's has no words of its own, and those of deadlines are 0. */
	if (weir_kind_find(WEIR_PRIMITIVE_BARRIER, record->config.barrier.kind)->role !=
	    WEIR_BY_VENDOR)
		weir_barrier_start((weir_barrier){image, record->config.barrier}, 0);
}

static void start_mutex(weir_word *image, const weir_record *record)
{
	weir_mutex_start((weir_mutex){image, record->config.mutex}, 0);
}

static void start_mutex_array(weir_word *image, const weir_record *record)
{
	weir_mutex_array array = {image, record->config.mutex_array};

	for (uint32_t i = 0; i < array.config.length; i++)
		weir_mutex_start(weir_mutex_at(array, i), 0);
}

static void start_semaphore(weir_word *image, const weir_record *record)
{
	weir_semaphore_start((weir_semaphore){image, record->config.semaphore}, record->initial, 0);
}

static void start_group(weir_word *image, const weir_record *record)
{
	weir_group_start((weir_group){image, record->config.group}, 0);
}

static void start_tasks(weir_word *image, const weir_record *record)
{
	memcpy(image, record->image, record->bytes);
}

const weir_primitive_row weir_primitive_rows[WEIR_PRIMITIVES] = {
    [WEIR_PRIMITIVE_BARRIER] = {"blocks", 0, 1, check_blocks, barrier_words, NULL, start_barrier},
    [WEIR_PRIMITIVE_MUTEX] = {"mutexes", 0, 1, NULL, mutex_words, NULL, start_mutex},
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = {"mutexes", WEIR_MOST_IN_ARRAY, 0, NULL, mutex_array_words, NULL,
                                    start_mutex_array},
    [WEIR_PRIMITIVE_SEMAPHORE] = {"slots", 0, 1, check_slots, semaphore_words, NULL,
                                  start_semaphore},
    [WEIR_PRIMITIVE_GROUP] = {"blocks", 0, 0, NULL, NULL, NULL, start_group},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {"events", WEIR_MOST_IN_ARRAY, 1, NULL, event_array_words, NULL,
                                    NULL},
    [WEIR_PRIMITIVE_QUEUE] = {"items", 0, 1, NULL, queue_words, NULL, NULL},
    [WEIR_PRIMITIVE_DISPENSER] = {"items", 0, 1, NULL, dispenser_words, plan_dispenser, NULL},
    [WEIR_PRIMITIVE_TASKS] = {"tasks", 0, 1, NULL, tasks_words, plan_tasks, start_tasks},
    [WEIR_PRIMITIVE_CONDITION] = {"conditions", 0, 1, NULL, condition_words, plan_condition, NULL},
    [WEIR_PRIMITIVE_RWLOCK] = {"locks", 0, 1, NULL, rwlock_words, NULL, NULL},
    [WEIR_PRIMITIVE_ONCE] = {"onces", 0, 1, NULL, once_words, plan_once, NULL},
    [WEIR_PRIMITIVE_COMBINE] = {"blocks", 0, 1, NULL, combine_words, plan_combine, NULL},
};
