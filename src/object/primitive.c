/* What creation must know of each primitive: a row for each. */
#include "object/object.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/device.h"
#include "object/layout.h"
#include "object/tasks.h"
#include "profile/shape.h"
#include "weir/barrier/bounded.h"
#include "weir/dsmem.h"
#include "weir/event/api.h"
#include "weir/group/discovery.h"
#include "weir/mutex/api.h"
#include "weir/semaphore/api.h"

static weir_status check_blocks(weir_device *device, const weir_object_request *request)
{
	uint32_t most = weir_device_most_blocks(device);

	if (request->count > most)
		return weir_fail(WEIR_TOO_MANY_BLOCKS,
		                 "a barrier of %u blocks: no kernel has more than %u "
		                 "running at once on %s",
		                 request->count, most, device->info.name);
	return WEIR_OK;
}

static weir_status check_slots(weir_device *device, const weir_object_request *request)
{
	(void)device;
	if (request->count > INT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT, "a semaphore's maximum of %u is above %d",
		                 request->count, INT32_MAX);
	if (request->initial > request->count)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a semaphore's initial value of %u is above its maximum of %u",
		                 request->initial, request->count);
	return WEIR_OK;
}

#define WORDS(type)                                                                                \
	static size_t type##_words(const weir_any_config *config)                                  \
	{                                                                                          \
		return weir_##type##_words(config->type);                                          \
	}

WORDS(barrier)
WORDS(mutex)
WORDS(semaphore)
WORDS(event_array)
WORDS(queue)
WORDS(dispenser)
WORDS(tasks)
WORDS(condition)
WORDS(rwlock)
WORDS(once)
WORDS(combiner)

static size_t mutex_array_words(const weir_any_config *config)
{
	return (size_t)config->mutex_array.stride * config->mutex_array.length;
}

static uint32_t event_kind_for(const weir_device *device, const weir_object_request *request)
{
	const weir_event_array_options *options = &request->options.event_array;

	(void)device;
	return options->host_visible ? WEIR_EVENT_WORD
	                             : weir_event_kind_for(options->signallers, options->waiters);
}

static uint32_t queue_kind_for(const weir_device *device, const weir_object_request *request)
{
	return weir_queue_kind_for(device, request->item_bytes, &request->options.queue);
}

static uint32_t rwlock_kind_for(const weir_device *device, const weir_object_request *request)
{
	(void)device;
	(void)request;
	return WEIR_RWLOCK_FAIR;
}

/* A compact array has its mutexes next to each other. */
static weir_status lay_out_mutex_array(const weir_object_request *request, const weir_kind *kind,
                                       weir_any_config *config)
{
	weir_mutex_config each = {.kind = kind->value, .pitch = config->object.pitch};

	config->mutex_array.stride =
	    request->options.object.compact ? weir_mutex_words(each) : WEIR_LINE_WORDS;
	return WEIR_OK;
}

static weir_status lay_out_queue(const weir_object_request *request, const weir_kind *kind,
                                 weir_any_config *config)
{
	return weir_queue_lay_out(kind, request->count, request->item_bytes,
	                          &request->options.queue, &config->queue);
}

static weir_status plan_dispenser(weir_device *device, const weir_object_request *request,
                                  weir_any_config *config)
{
	return weir_dispenser_plan(device, request->count, &request->options.dispenser,
	                           &config->dispenser);
}

static weir_status plan_tasks(weir_device *device, const weir_object_request *request,
                              weir_any_config *config)
{
	return weir_tasks_plan(device, request->graph, &request->options.tasks, &config->tasks);
}

static weir_status plan_condition(weir_device *device, const weir_object_request *request,
                                  weir_any_config *config)
{
	return weir_condition_plan(device, &request->options.condition, &config->condition);
}

static weir_status plan_once(weir_device *device, const weir_object_request *request,
                             weir_any_config *config)
{
	(void)device;
	(void)request;
	(void)config;
	return WEIR_OK;
}

static weir_status plan_combine(weir_device *device, const weir_object_request *request,
                                weir_any_config *config)
{
	return weir_combiner_plan(device, request->count, &request->options.combiner,
	                          &config->combiner);
}

/* Mutexes that a block may hold at once must not share its words of distributed shared memory. */
static weir_status take_near_slot(weir_device *device, weir_any_config *config)
{
	uint32_t slot = 0;

	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->mutex.kind)->queue != WEIR_QUEUE_CLUSTER)
		return WEIR_OK;
	pthread_mutex_lock(&device->lock);
	while (slot < WEIR_DSMEM_SLOTS && device->dsmem_slots >> slot & 1)
		slot++;
	if (slot < WEIR_DSMEM_SLOTS)
		device->dsmem_slots |= 1u << slot;
	pthread_mutex_unlock(&device->lock);
	config->mutex.cluster_slot = slot;
	if (slot < WEIR_DSMEM_SLOTS)
		return WEIR_OK;
	return weir_fail(
	    WEIR_UNSUPPORTED, "a device has up to %d mutexes of kind %s at a time, and %s has them",
	    WEIR_DSMEM_SLOTS, weir_mutex_kind_name(config->mutex.kind), device->info.name);
}

static void give_near_slot(weir_device *device, const weir_any_config *config)
{
	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->mutex.kind)->queue != WEIR_QUEUE_CLUSTER)
		return;
	pthread_mutex_lock(&device->lock);
	device->dsmem_slots &= ~(1u << config->mutex.cluster_slot);
	pthread_mutex_unlock(&device->lock);
}

static weir_status draw_tasks(const weir_object_request *request, weir_record *record)
{
	record->image = calloc(1, record->bytes);
	if (!record->image)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", record->bytes);
	weir_tasks_fill(record->image, &record->config.tasks, request->graph);
	return WEIR_OK;
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

#define COUNT_AT(member) offsetof(weir_any_config, member)

const weir_primitive_row weir_primitive_rows[WEIR_PRIMITIVES] = {
    [WEIR_PRIMITIVE_BARRIER] = {.counted = "blocks",
                                .count_at = COUNT_AT(barrier.blocks),
                                .is_diagnosed = 1,
                                .check = check_blocks,
                                .words = barrier_words,
                                .start = start_barrier},
    [WEIR_PRIMITIVE_MUTEX] = {.counted = "mutexes",
                              .is_diagnosed = 1,
                              .words = mutex_words,
                              .take = take_near_slot,
                              .give = give_near_slot,
                              .start = start_mutex},
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = {.counted = "mutexes",
                                    .most_in_row = WEIR_MOST_IN_ARRAY,
                                    .count_at = COUNT_AT(mutex_array.length),
                                    .is_dense = 1,
                                    .lay_out = lay_out_mutex_array,
                                    .words = mutex_array_words,
                                    .start = start_mutex_array},
    [WEIR_PRIMITIVE_SEMAPHORE] = {.counted = "slots",
                                  .count_at = COUNT_AT(semaphore.maximum),
                                  .is_diagnosed = 1,
                                  .check = check_slots,
                                  .words = semaphore_words,
                                  .start = start_semaphore},
    [WEIR_PRIMITIVE_GROUP] = {.counted = "blocks",
                              .plan_parts = weir_group_plan,
                              .start = start_group},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {.counted = "events",
                                    .most_in_row = WEIR_MOST_IN_ARRAY,
                                    .count_at = COUNT_AT(event_array.length),
                                    .is_diagnosed = 1,
                                    .kind_for = event_kind_for,
                                    .words = event_array_words},
    [WEIR_PRIMITIVE_QUEUE] = {.counted = "items",
                              .is_diagnosed = 1,
                              .kind_for = queue_kind_for,
                              .lay_out = lay_out_queue,
                              .words = queue_words},
    [WEIR_PRIMITIVE_DISPENSER] = {.counted = "items",
                                  .is_diagnosed = 1,
                                  .words = dispenser_words,
                                  .plan = plan_dispenser},
    [WEIR_PRIMITIVE_TASKS] = {.counted = "tasks",
                              .is_diagnosed = 1,
                              .words = tasks_words,
                              .plan = plan_tasks,
                              .draw = draw_tasks,
                              .start = start_tasks},
    [WEIR_PRIMITIVE_CONDITION] = {.counted = "conditions",
                                  .is_diagnosed = 1,
                                  .words = condition_words,
                                  .plan = plan_condition},
    [WEIR_PRIMITIVE_RWLOCK] = {.counted = "locks",
                               .is_diagnosed = 1,
                               .kind_for = rwlock_kind_for,
                               .words = rwlock_words},
    [WEIR_PRIMITIVE_ONCE] = {.counted = "onces",
                             .is_diagnosed = 1,
                             .words = once_words,
                             .plan = plan_once},
    [WEIR_PRIMITIVE_COMBINER] = {.counted = "blocks",
                                 .is_diagnosed = 1,
                                 .words = combiner_words,
                                 .plan = plan_combine},
};
