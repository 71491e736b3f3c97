/* Objects of all primitives: creation, reset, destruction.
 *
 * The algorithm's own *_start function makes the first state of an object, on the host machine, in
 * an image that is then written to the device. */
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "core/event.h"
#include "core/lock.h"
#include "core/queue.h"
#include "core/record.h"
#include "core/shared.h"
#include "core/status.h"
#include "core/tasks.h"
#include "diagnose/objects.h"
#include "profile/defaults.h"
#include "profile/shape.h"
#include "weir/barrier/bounded.h"
#include "weir/event/api.h"
#include "weir/group/discovery.h"
#include "weir/kind.h"
#include "weir/mutex/api.h"
#include "weir/semaphore/api.h"

#define ALIGNMENT 128 /* a cache line */
#define MOST_SLOTS (1u << 20)
#define MOST_LOCKS (1u << 28)

/* What the caller asked for. `count` is the blocks, the length or the maximum. */
struct order {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t count;
	uint32_t initial;
	size_t item_bytes;       /* of a queue */
	const weir_graph *graph; /* of tasks */
	weir_options options;
};

static weir_status check_blocks(weir_device *device, const struct order *order)
{
	uint32_t most = device->backend->most_blocks(device->state);

	if (order->count > most)
		return weir_fail(WEIR_TOO_MANY_BLOCKS,
		                 "a barrier of %u blocks: no kernel has more than %u "
		                 "running at once on %s",
		                 order->count, most, device->info.name);
	return WEIR_OK;
}

static weir_status check_slots(weir_device *device, const struct order *order)
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

static weir_status plan_dispenser(weir_device *device, const struct order *order,
                                  weir_any_config *config)
{
	return weir_dispenser_plan(device, order->count, &order->options, &config->dispenser);
}

static weir_status plan_tasks(weir_device *device, const struct order *order,
                              weir_any_config *config)
{
	return weir_tasks_plan(device, order->graph, &order->options, &config->tasks);
}

static weir_status plan_condition(weir_device *device, const struct order *order,
                                  weir_any_config *config)
{
	return weir_condition_plan(device, &order->options, &config->condition);
}

static weir_status plan_once(weir_device *device, const struct order *order,
                             weir_any_config *config)
{
	(void)device;
	(void)order;
	(void)config;
	return WEIR_OK;
}

static weir_status plan_combine(weir_device *device, const struct order *order,
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

/* What creation must know of a primitive. A group's words are those of its parts (plan_group). */
static const struct primitive {
	const char *counted;  /* what its count is a number of */
	uint32_t most_in_row; /* an array: its most; else 0 */
	int is_diagnosed;     /* it can take part in a diagnosis */
	weir_status (*check)(weir_device *device, const struct order *order); /* its count */
	size_t (*words)(const weir_any_config *config);
	/* Sets the members of its own, in a primitive without kinds; else NULL. */
	weir_status (*plan)(weir_device *device, const struct order *order,
	                    weir_any_config *config);
	/* Makes its first state in zeros; NULL: these are it. */
	void (*start)(weir_word *image, const weir_record *record);
} primitives[WEIR_PRIMITIVES] = {
    [WEIR_PRIMITIVE_BARRIER] = {"blocks", 0, 1, check_blocks, barrier_words, NULL, start_barrier},
    [WEIR_PRIMITIVE_MUTEX] = {"mutexes", 0, 1, NULL, mutex_words, NULL, start_mutex},
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = {"mutexes", MOST_LOCKS, 0, NULL, mutex_array_words, NULL,
                                    start_mutex_array},
    [WEIR_PRIMITIVE_SEMAPHORE] = {"slots", 0, 1, check_slots, semaphore_words, NULL,
                                  start_semaphore},
    [WEIR_PRIMITIVE_GROUP] = {"blocks", 0, 0, NULL, NULL, NULL, start_group},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {"events", MOST_LOCKS, 1, NULL, event_array_words, NULL, NULL},
    [WEIR_PRIMITIVE_QUEUE] = {"items", 0, 1, NULL, queue_words, NULL, NULL},
    [WEIR_PRIMITIVE_DISPENSER] = {"items", 0, 1, NULL, dispenser_words, plan_dispenser, NULL},
    [WEIR_PRIMITIVE_TASKS] = {"tasks", 0, 1, NULL, tasks_words, plan_tasks, start_tasks},
    [WEIR_PRIMITIVE_CONDITION] = {"conditions", 0, 1, NULL, condition_words, plan_condition, NULL},
    [WEIR_PRIMITIVE_RWLOCK] = {"locks", 0, 1, NULL, rwlock_words, NULL, NULL},
    [WEIR_PRIMITIVE_ONCE] = {"onces", 0, 1, NULL, once_words, plan_once, NULL},
    [WEIR_PRIMITIVE_COMBINE] = {"blocks", 0, 1, NULL, combine_words, plan_combine, NULL},
};

static weir_status check_count(weir_device *device, const struct order *order)
{
	const struct primitive *primitive = &primitives[order->primitive];

	if (order->count == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s of 0 %s",
		                 weir_primitive_phrase(order->primitive), primitive->counted);
	if (primitive->most_in_row && order->count > primitive->most_in_row)
		return weir_fail(WEIR_BAD_ARGUMENT, "an array of %u %s: the most is %u",
		                 order->count, primitive->counted, primitive->most_in_row);
	return primitive->check ? primitive->check(device, order) : WEIR_OK;
}

static weir_status choose_slots(weir_device *device, const struct order *order,
                                const weir_kind *kind, weir_any_config *config)
{
	uint32_t wanted = order->options.slots;
	uint32_t slots = kind->queue == WEIR_QUEUE_TIMED ? 2 : 1;

	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a mutex of kind %s needs a queue of its own: no arrays of it",
		                 kind->name);
	if (wanted == 0)
		wanted = device->backend->most_blocks(device->state);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a mutex with %u slots: the most is %u", wanted,
		                 MOST_SLOTS);
	while (slots < wanted)
		slots *= 2;
	config->mutex.slots = slots;
	return WEIR_OK;
}

static weir_status choose_backoff(weir_device *device, const struct order *order,
                                  const weir_kind *kind, weir_backoff *backoff)
{
	*backoff = order->options.backoff;
	if (backoff->min > backoff->max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 backoff->min, backoff->max);
	if (backoff->max == 0)
		*backoff = weir_default_backoff(device, order->primitive, order->count, kind);
	return WEIR_OK;
}

static weir_status choose_shape(weir_device *device, const struct order *order,
                                const weir_kind *kind, weir_any_config *config)
{
	weir_shape asked = order->options.shape;

	if (!order->options.has_shape && !asked.bits) {
		if (kind->shape != WEIR_SHAPE_NONE)
			config->barrier.shape = weir_default_shape(device, order->count, kind);
		return WEIR_OK;
	}
	if (kind->shape == WEIR_SHAPE_NONE)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s of kind %s has no shape",
		                 weir_primitive_phrase(order->primitive), kind->name);
	if (weir_shape_fault(asked, order->count))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a shape of %u bits for a barrier of %u blocks: %s", asked.bits,
		                 order->count, weir_shape_fault(asked, order->count));
	config->barrier.shape = asked;
	return WEIR_OK;
}

static weir_status choose_part(const struct order *order, const weir_kind *kind,
                               weir_any_config *config)
{
	if (!order->options.part_of_grid && !order->options.first_block)
		return WEIR_OK;
	if (kind->role == WEIR_BY_VENDOR)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a barrier of kind %s is for all blocks of a grid, not for a part",
		                 kind->name);
	if (order->primitive != WEIR_PRIMITIVE_BARRIER || !order->options.part_of_grid)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "first_block is for barriers that have part_of_grid");
	config->barrier.part_of_grid = 1;
	config->barrier.first_block = order->options.first_block;
	return WEIR_OK;
}

static weir_status choose_memory(const weir_device *device, const struct order *order,
                                 const weir_kind *kind)
{
	const char *phrase = weir_primitive_phrase(order->primitive);
	int is_queue = order->primitive == WEIR_PRIMITIVE_QUEUE;
	uint32_t side = order->options.host_side;

	if (side && !(order->options.host_visible && is_queue))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "host_side is for queues that are host_visible");
	if (!order->options.host_visible)
		return WEIR_OK;
	if (order->primitive != WEIR_PRIMITIVE_EVENT_ARRAY && !is_queue)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "host_visible is for events and queues, not for %s", phrase);
	if (is_queue && side != WEIR_HOST_PUSHES && side != WEIR_HOST_POPS)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a queue that is host_visible with host_side %u: WEIR_HOST_PUSHES "
		                 "or WEIR_HOST_POPS",
		                 side);
	if (kind->parts != WEIR_PARTS_NONE)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "events of kind %s cannot be host_visible: use the kind word",
		                 kind->name);
	if (order->options.memory)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s that is host_visible lies in memory that weir allocates",
		                 phrase);
	if (order->options.diagnose)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s that is host_visible takes no part in a diagnosis", phrase);
	return weir_shared_check(device);
}

static int is_mutex(const struct order *order)
{
	return order->primitive == WEIR_PRIMITIVE_MUTEX ||
	       order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY;
}

static weir_status choose_kind(const weir_device *device, const struct order *order,
                               const weir_kind **kind)
{
	const char *phrase = weir_primitive_phrase(order->primitive);
	int fair = order->options.fair;
	uint32_t value = order->kind;

	if (fair && !is_mutex(order))
		return weir_fail(WEIR_BAD_ARGUMENT, "fair is for mutexes, not for %s", phrase);
	if (value == 0)
		value = fair ? weir_default_fair_kind(device, order->primitive)
		        : order->primitive == WEIR_PRIMITIVE_EVENT_ARRAY
		            ? weir_event_kind_for(&order->options)
		        : order->primitive == WEIR_PRIMITIVE_QUEUE
		            ? weir_queue_kind_for(device, order->item_bytes, &order->options)
		        : order->primitive == WEIR_PRIMITIVE_RWLOCK
		            ? (uint32_t)WEIR_RWLOCK_FAIR
		            : weir_default_kind(device, order->primitive, order->count);
	*kind = weir_kind_find(order->primitive, value);
	if (!*kind)
		return weir_fail(WEIR_BAD_ARGUMENT, "there is no %s of kind %u",
		                 weir_primitive_name(order->primitive), value);
	if (!weir_kind_runs(device, *kind) && (*kind)->role == WEIR_BY_VENDOR)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s of kind %s is grid.sync() of CUDA, which %s lacks", phrase,
		                 (*kind)->name, device->info.name);
	if (!weir_kind_runs(device, *kind))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s of kind %s needs 64-bit atomics, which %s lacks", phrase,
		                 (*kind)->name, device->info.name);
	if (fair && !(*kind)->fair)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s of kind %s is not fair", phrase,
		                 (*kind)->name);
	return WEIR_OK;
}

/* A compact array has its mutexes next to each other. */
static uint32_t array_stride(const struct order *order, const weir_mutex_array_config *array)
{
	weir_mutex_config each = {.kind = array->kind, .pitch = array->pitch};

	return order->options.compact ? weir_mutex_words(each) : WEIR_LINE_WORDS;
}

/* Backoff, and the members that not all primitives have. */
static weir_status choose_own(weir_device *device, const struct order *order, const weir_kind *kind,
                              weir_any_config *config)
{
	weir_status status = WEIR_OK;

	if (kind->queue != WEIR_QUEUE_NONE)
		status = choose_slots(device, order, kind, config);
	if (order->primitive == WEIR_PRIMITIVE_BARRIER)
		config->barrier.blocks = order->count;
	if (order->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		config->semaphore.maximum = order->count;
	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		config->mutex_array.length = order->count;
	if (order->primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		config->event_array.length = order->count;
	if (order->primitive == WEIR_PRIMITIVE_QUEUE)
		status = weir_queue_lay_out(kind, order->count, order->item_bytes, &order->options,
		                            &config->queue);
	if (status == WEIR_OK)
		status = choose_backoff(device, order, kind, &config->object.backoff);
	if (status == WEIR_OK && kind->parts == WEIR_PARTS_COUNTS)
		status = weir_rwlock_spread(&order->options, &config->rwlock);
	else if (status == WEIR_OK && kind->parts != WEIR_PARTS_NONE)
		status = weir_event_spread(device, kind, &order->options, &config->event_array);
	else if (status == WEIR_OK)
		status = choose_shape(device, order, kind, config);
	if (status == WEIR_OK)
		status = choose_part(order, kind, config);
	if (status == WEIR_OK)
		status = choose_memory(device, order, kind);
	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		config->mutex_array.stride = array_stride(order, &config->mutex_array);
	return status;
}

/* What lies before the words of the object. */
static size_t lead_bytes(const struct order *order, const weir_any_config *config)
{
	return order->options.diagnose ? weir_diagnosis_lead(order->primitive, config) : 0;
}

/* Makes the configuration of an object that has kinds of its own. */
static weir_status plan_one(weir_device *device, const struct order *order, weir_any_config *config,
                            size_t *bytes)
{
	const weir_kind *kind;
	weir_status status = choose_kind(device, order, &kind);

	memset(config, 0, sizeof *config);
	if (status == WEIR_OK)
		status = check_count(device, order);
	if (status != WEIR_OK)
		return status;
	config->object.kind = kind->value;
	config->object.pitch =
	    order->options.compact || order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY
		? 1
		: WEIR_LINE_WORDS;
	status = choose_own(device, order, kind, config);
	if (status != WEIR_OK)
		return status;
	*bytes = primitives[order->primitive].words(config) * sizeof(weir_word) +
	         lead_bytes(order, config);
	return WEIR_OK;
}

/* Pauses that let blocks that start together come before the poll is closed. A processor's threads
 * first have to be scheduled, which takes far more pauses. */
static uint32_t default_delay(const weir_device *device)
{
	return device->info.is_gpu ? 64 : 1000;
}

/* A group is a poll, and behind it a barrier for as many blocks as could ever run together. */
static weir_status plan_group(weir_device *device, const struct order *order,
                              weir_any_config *config, size_t *bytes)
{
	struct order barrier = *order;
	weir_any_config planned;
	uint32_t most;
	weir_status status;

	if (order->count > MOST_LOCKS)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a group for grids of %u blocks: the most is %u", order->count,
		                 MOST_LOCKS);
	if (order->options.part_of_grid)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "part_of_grid is for barriers, not for a group");
	most = device->backend->most_blocks(device->state);
	barrier.primitive = WEIR_PRIMITIVE_BARRIER;
	barrier.count = order->count < most ? order->count : most;
	status = plan_one(device, &barrier, &planned, bytes);
	if (status != WEIR_OK)
		return status;
	if (weir_kind_find(WEIR_PRIMITIVE_BARRIER, planned.object.kind)->role == WEIR_BY_VENDOR)
		return weir_fail(
		    WEIR_UNSUPPORTED,
		    "a barrier of kind %s is for all blocks of a grid, not for a group",
		    weir_barrier_kind_name(planned.object.kind));
	memset(config, 0, sizeof *config);
	config->object = planned.object;
	config->group.most_members = planned.barrier.blocks;
	config->group.askers = order->count;
	config->group.delay = order->options.has_delay || order->options.delay
	                          ? order->options.delay
	                          : default_delay(device);
	config->group.shape = planned.barrier.shape;
	*bytes += weir_group_poll_words(config->group) * sizeof(weir_word);
	return WEIR_OK;
}

/* An object of a primitive that has no kinds. */
static weir_status plan_plain(weir_device *device, const struct order *order,
                              weir_any_config *config, size_t *bytes)
{
	const weir_options *options = &order->options;
	weir_status status = WEIR_OK;

	memset(config, 0, sizeof *config);
	config->object.pitch = options->compact ? 1 : WEIR_LINE_WORDS;
	config->object.backoff = options->backoff;
	if (options->backoff.min > options->backoff.max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 options->backoff.min, options->backoff.max);
	if (options->fair || options->host_visible)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s cannot be %s",
		                 weir_primitive_phrase(order->primitive),
		                 options->fair ? "fair" : "host_visible");
	status = primitives[order->primitive].plan(device, order, config);
	if (status == WEIR_OK)
		*bytes = primitives[order->primitive].words(config) * sizeof(weir_word) +
		         lead_bytes(order, config);
	return status;
}

static weir_status plan(weir_device *device, const struct order *order, weir_any_config *config,
                        size_t *bytes)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (order->options.diagnose && !primitives[order->primitive].is_diagnosed)
		return weir_fail(WEIR_UNSUPPORTED, "%s takes no part in a diagnosis",
		                 weir_primitive_phrase(order->primitive));
	if (order->primitive == WEIR_PRIMITIVE_GROUP)
		return plan_group(device, order, config, bytes);
	if (primitives[order->primitive].plan)
		return plan_plain(device, order, config, bytes);
	return plan_one(device, order, config, bytes);
}

/* Writes zeros in parts: arrays may be larger than the host's memory. */
static weir_status write_zeros(weir_device *device, const weir_record *record)
{
	static const char zeros[1 << 16];
	weir_status status = WEIR_OK;
	size_t done = 0;

	while (done < record->bytes && status == WEIR_OK) {
		size_t part =
		    record->bytes - done < sizeof zeros ? record->bytes - done : sizeof zeros;
		status = device->backend->write(device->state, record->native,
		                                record->offset + done, zeros, part);
		done += part;
	}
	return status;
}

static weir_status write_start(weir_device *device, const weir_record *record)
{
	if (record->shared)
		return weir_shared_clear(device, record);
	if (!primitives[record->primitive].start)
		return write_zeros(device, record);
	weir_word *image = calloc(1, record->bytes);
	if (!image)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", record->bytes);
	primitives[record->primitive].start(image, record);
	weir_status status = device->backend->write(device->state, record->native, record->offset,
	                                            image, record->bytes);
	free(image);
	return status;
}

/* A handle of any primitive. */
struct handle {
	weir_word *words;
	weir_any_config config;
};

/* The least alignment of an object. */
static size_t word_bytes(enum weir_primitive primitive, const weir_any_config *config)
{
	const weir_kind *kind = weir_kind_find(primitive, config->object.kind);

	return !kind || kind->width == WEIR_WORDS_OF_64 ? sizeof(weir_word64) : sizeof(weir_word);
}

static weir_status check_memory(const weir_options *options, size_t bytes, size_t alignment)
{
	if (options->memory_bytes < bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the object takes %zu bytes, the memory has %zu", bytes,
		                 options->memory_bytes);
	if (options->memory_offset % alignment != 0 ||
	    options->memory_offset / sizeof(weir_word) > UINT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "an offset of %zu bytes into the memory, which is no multiple of "
		                 "%zu or too far",
		                 options->memory_offset, alignment);
	return WEIR_OK;
}

/* Moves from the start of the memory to the object itself, where its handle and its record
 * point. */
static void skip_header(const weir_device *device, const struct order *order, weir_record *record,
                        struct handle *handle)
{
	size_t lead = lead_bytes(order, &handle->config);

	record->bytes -= lead;
	if (device->info.machine == WEIR_MACHINE_OPENCL) {
		record->offset += lead;
	} else {
		record->native = (char *)record->native + lead;
		record->lead = lead;
	}
	handle->words = record->native;
	handle->config.object.offset = (uint32_t)(record->offset / sizeof(weir_word));
}

/* Memory that the host shares with kernels, and what the host's side needs of its own. */
static weir_status allocate_shared(weir_device *device, const struct order *order,
                                   weir_record *record)
{
	if (order->primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		return weir_shared_allocate(device, record, order->count);
	record->host_side = order->options.host_side;
	record->item = malloc(order->item_bytes);
	return record->item ? weir_shared_allocate(device, record, 0)
	                    : weir_fail(WEIR_NO_MEMORY, "no memory for an item of the queue");
}

static weir_status place(weir_device *device, const struct order *order, weir_record *record,
                         struct handle *handle)
{
	const weir_options *options = &order->options;
	size_t alignment = word_bytes(order->primitive, &handle->config);

	if (!options->memory) {
		record->owned = 1;
		weir_status status =
		    options->host_visible
			? allocate_shared(device, order, record)
			: device->backend->allocate(device->state, record->bytes, &record->native);
		if (status == WEIR_OK)
			skip_header(device, order, record, handle);
		return status;
	}
	weir_status status = check_memory(options, record->bytes, alignment);
	if (status != WEIR_OK)
		return status;
	if (device->info.machine == WEIR_MACHINE_OPENCL) {
		record->native = options->memory;
		record->offset = options->memory_offset;
	} else {
		record->native = (char *)options->memory + options->memory_offset;
		if ((uintptr_t)record->native % alignment != 0)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "the memory is not aligned to %zu bytes", alignment);
	}
	skip_header(device, order, record, handle);
	return WEIR_OK;
}

/* Mutexes that a block may hold at once must not share its words of distributed shared memory. */
static weir_status take_near_slot(weir_device *device, weir_mutex_config *config)
{
	uint32_t slot = 0;

	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->kind)->queue != WEIR_QUEUE_CLUSTER)
		return WEIR_OK;
	pthread_mutex_lock(&device->lock);
	while (slot < WEIR_DSMEM_SLOTS && device->dsmem_slots >> slot & 1)
		slot++;
	if (slot < WEIR_DSMEM_SLOTS)
		device->dsmem_slots |= 1u << slot;
	pthread_mutex_unlock(&device->lock);
	config->cluster_slot = slot;
	if (slot < WEIR_DSMEM_SLOTS)
		return WEIR_OK;
	return weir_fail(WEIR_UNSUPPORTED,
	                 "a device has up to %d mutexes of kind %s at a time, and %s has them",
	                 WEIR_DSMEM_SLOTS, weir_mutex_kind_name(config->kind), device->info.name);
}

static void give_near_slot(weir_device *device, const weir_mutex_config *config)
{
	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->kind)->queue != WEIR_QUEUE_CLUSTER)
		return;
	pthread_mutex_lock(&device->lock);
	device->dsmem_slots &= ~(1u << config->cluster_slot);
	pthread_mutex_unlock(&device->lock);
}

/* Begins an object in its place: writes its first state and, if it is diagnosed, its number and
 * header. */
static weir_status begin(weir_device *device, const struct order *order, weir_record *record,
                         struct handle *handle)
{
	weir_status status = place(device, order, record, handle);

	record->config = handle->config;
	/* Memory of weir's own begins with zeros. */
	if (status == WEIR_OK && (primitives[record->primitive].start || !record->owned))
		status = write_start(device, record);
	if (status != WEIR_OK || !order->options.diagnose)
		return status;
	status = weir_diagnosis_enlist(device, record, order->options.name);
	handle->config.object.id = record->config.object.id;
	return status;
}

/* The first state of tasks, which the record keeps: nothing else has their graph. */
static weir_status draw_tasks(const struct order *order, const weir_tasks_config *config,
                              weir_record *record)
{
	if (order->primitive != WEIR_PRIMITIVE_TASKS)
		return WEIR_OK;
	record->image = calloc(1, record->bytes);
	if (!record->image)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", record->bytes);
	weir_tasks_fill(record->image, config, order->graph);
	return WEIR_OK;
}

/* `out` is the caller's place for the handle. `made` is the new handle, all zeros after a
 * failure. */
static weir_status create(weir_device *device, const struct order *order, const void *out,
                          struct handle *made)
{
	struct handle handle = {0};
	size_t bytes;
	weir_record *record;

	memset(made, 0, sizeof *made);
	if (!out)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the handle of the %s",
		                 weir_primitive_name(order->primitive));
	weir_status status = plan(device, order, &handle.config, &bytes);
	if (status != WEIR_OK)
		return status;
	record = calloc(1, sizeof *record);
	if (!record)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a record");
	if (order->primitive == WEIR_PRIMITIVE_MUTEX)
		status = take_near_slot(device, &handle.config.mutex);
	if (status != WEIR_OK) {
		free(record);
		return status;
	}
	record->primitive = order->primitive;
	record->initial = order->initial;
	record->bytes = bytes;
	status = draw_tasks(order, &handle.config.tasks, record);
	if (status == WEIR_OK)
		status = begin(device, order, record, &handle);
	if (status != WEIR_OK) {
		if (order->primitive == WEIR_PRIMITIVE_MUTEX)
			give_near_slot(device, &record->config.mutex);
		weir_record_free(device, record);
		return status;
	}
	weir_record_add(device, record);
	*made = handle;
	return WEIR_OK;
}

static weir_status not_here(const weir_device *device, enum weir_primitive primitive)
{
	return weir_fail(WEIR_NOT_FOUND,
	                 "no such %s on device %s: not created there, or destroyed before",
	                 weir_primitive_name(primitive), device->info.name);
}

static weir_status reset(weir_device *device, enum weir_primitive primitive, const weir_word *words,
                         size_t offset)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	const weir_record *record =
	    weir_record_find(device, primitive, words, offset * sizeof(weir_word));
	if (!record)
		return not_here(device, primitive);
	if (record->config.object.id != 0)
		status = weir_diagnosis_renew(device, record);
	return status == WEIR_OK ? write_start(device, record) : status;
}

/* Clears the handle when the object is gone. */
static weir_status destroy(weir_device *device, enum weir_primitive primitive,
                           const weir_word *words, size_t offset, void *handle, size_t handle_bytes)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	weir_record *record =
	    weir_record_take(device, primitive, words, offset * sizeof(weir_word));
	if (!record)
		return not_here(device, primitive);
	memset(handle, 0, handle_bytes);
	if (primitive == WEIR_PRIMITIVE_MUTEX)
		give_near_slot(device, &record->config.mutex);
	if (record->config.object.id != 0)
		return weir_diagnosis_bury(device, record);
	return weir_record_free(device, record);
}

static weir_status no_handle(weir_device *device, enum weir_primitive primitive)
{
	weir_status status = weir_device_check(device);
	return status != WEIR_OK ? status
	                         : weir_fail(WEIR_BAD_ARGUMENT, "the handle of the %s is NULL",
	                                     weir_primitive_name(primitive));
}

static struct order make_order(enum weir_primitive primitive, uint32_t kind, uint32_t count,
                               uint32_t initial, const weir_options *options)
{
	struct order order = {
	    .primitive = primitive, .kind = kind, .count = count, .initial = initial};
	if (options)
		order.options = *options;
	return order;
}

static weir_status size(weir_device *device, struct order order, size_t *bytes, size_t *alignment)
{
	weir_any_config config;
	if (!bytes || !alignment)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the size of the %s",
		                 weir_primitive_name(order.primitive));
	weir_status status = plan(device, &order, &config, bytes);
	if (status == WEIR_OK)
		*alignment =
		    order.options.compact ? word_bytes(order.primitive, &config) : ALIGNMENT;
	return status;
}

weir_status weir_barrier_size(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                              const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_BARRIER, kind, blocks, 0, options), bytes,
	            alignment);
}

weir_status weir_mutex_size(weir_device *device, weir_mutex_kind kind, const weir_options *options,
                            size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_MUTEX, kind, 1, 0, options), bytes,
	            alignment);
}

weir_status weir_mutex_array_size(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                  const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_MUTEX_ARRAY, kind, length, 0, options), bytes,
	            alignment);
}

weir_status weir_semaphore_size(weir_device *device, weir_semaphore_kind kind, uint32_t maximum,
                                const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_SEMAPHORE, kind, maximum, 0, options), bytes,
	            alignment);
}

weir_status weir_group_size(weir_device *device, weir_barrier_kind kind, uint32_t most_blocks,
                            const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_GROUP, kind, most_blocks, 0, options), bytes,
	            alignment);
}

weir_status weir_event_array_size(weir_device *device, weir_event_kind kind, uint32_t length,
                                  const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_EVENT_ARRAY, kind, length, 0, options), bytes,
	            alignment);
}

static struct order queue_order(weir_queue_kind kind, uint32_t capacity, size_t item_bytes,
                                const weir_options *options)
{
	struct order order = make_order(WEIR_PRIMITIVE_QUEUE, kind, capacity, 0, options);

	order.item_bytes = item_bytes;
	return order;
}

static struct order tasks_order(const weir_graph *graph, const weir_options *options)
{
	struct order order =
	    make_order(WEIR_PRIMITIVE_TASKS, 0, graph ? graph->tasks : 0, 0, options);

	order.graph = graph;
	return order;
}

weir_status weir_queue_size(weir_device *device, weir_queue_kind kind, uint32_t capacity,
                            size_t item_bytes, const weir_options *options, size_t *bytes,
                            size_t *alignment)
{
	return size(device, queue_order(kind, capacity, item_bytes, options), bytes, alignment);
}

weir_status weir_dispenser_size(weir_device *device, uint32_t items, const weir_options *options,
                                size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_DISPENSER, 0, items, 0, options), bytes,
	            alignment);
}

weir_status weir_tasks_size(weir_device *device, const weir_graph *graph,
                            const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, tasks_order(graph, options), bytes, alignment);
}

weir_status weir_condition_size(weir_device *device, const weir_options *options, size_t *bytes,
                                size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_CONDITION, 0, 1, 0, options), bytes,
	            alignment);
}

weir_status weir_rwlock_size(weir_device *device, weir_rwlock_kind kind,
                             const weir_options *options, size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_RWLOCK, kind, 1, 0, options), bytes,
	            alignment);
}

weir_status weir_once_size(weir_device *device, const weir_options *options, size_t *bytes,
                           size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_ONCE, 0, 1, 0, options), bytes, alignment);
}

weir_status weir_combine_size(weir_device *device, uint32_t blocks, const weir_options *options,
                              size_t *bytes, size_t *alignment)
{
	return size(device, make_order(WEIR_PRIMITIVE_COMBINE, 0, blocks, 0, options), bytes,
	            alignment);
}

weir_status weir_barrier_create_with(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                     const weir_options *options, weir_barrier *barrier)
{
	struct order order = make_order(WEIR_PRIMITIVE_BARRIER, kind, blocks, 0, options);
	struct handle made;
	weir_status status = create(device, &order, barrier, &made);

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
	struct order order = make_order(WEIR_PRIMITIVE_MUTEX, kind, 1, 0, options);
	struct handle made;
	weir_status status = create(device, &order, mutex, &made);

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
	struct order order = make_order(WEIR_PRIMITIVE_MUTEX_ARRAY, kind, length, 0, options);
	struct handle made;
	weir_status status = create(device, &order, array, &made);

	if (array)
		*array = (weir_mutex_array){made.words, made.config.mutex_array};
	return status;
}

weir_status weir_semaphore_create_with(weir_device *device, weir_semaphore_kind kind,
                                       uint32_t initial, uint32_t maximum,
                                       const weir_options *options, weir_semaphore *semaphore)
{
	struct order order = make_order(WEIR_PRIMITIVE_SEMAPHORE, kind, maximum, initial, options);
	struct handle made;
	weir_status status = create(device, &order, semaphore, &made);

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
	struct order order = make_order(WEIR_PRIMITIVE_GROUP, kind, most_blocks, 0, options);
	struct handle made;
	weir_status status = create(device, &order, group, &made);

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
	struct order order = make_order(WEIR_PRIMITIVE_EVENT_ARRAY, kind, length, 0, options);
	struct handle made;
	weir_status status = create(device, &order, array, &made);

	if (array)
		*array = (weir_event_array){made.words, made.config.event_array};
	return status;
}

weir_status weir_queue_create(weir_device *device, weir_queue_kind kind, uint32_t capacity,
                              size_t item_bytes, const weir_options *options, weir_queue *queue)
{
	struct order order = queue_order(kind, capacity, item_bytes, options);
	struct handle made;
	weir_status status = create(device, &order, queue, &made);

	if (queue)
		*queue = (weir_queue){made.words, made.config.queue};
	return status;
}

weir_status weir_dispenser_create(weir_device *device, uint32_t items, const weir_options *options,
                                  weir_dispenser *dispenser)
{
	struct order order = make_order(WEIR_PRIMITIVE_DISPENSER, 0, items, 0, options);
	struct handle made;
	weir_status status = create(device, &order, dispenser, &made);

	if (dispenser)
		*dispenser = (weir_dispenser){made.words, made.config.dispenser};
	return status;
}

weir_status weir_tasks_create(weir_device *device, const weir_graph *graph,
                              const weir_options *options, weir_tasks *tasks)
{
	struct order order = tasks_order(graph, options);
	struct handle made;
	weir_status status = create(device, &order, tasks, &made);

	if (tasks)
		*tasks = (weir_tasks){made.words, made.config.tasks};
	return status;
}

weir_status weir_condition_create(weir_device *device, const weir_options *options,
                                  weir_condition *condition)
{
	struct order order = make_order(WEIR_PRIMITIVE_CONDITION, 0, 1, 0, options);
	struct handle made;
	weir_status status = create(device, &order, condition, &made);

	if (condition)
		*condition = (weir_condition){made.words, made.config.condition};
	return status;
}

weir_status weir_rwlock_create(weir_device *device, weir_rwlock_kind kind,
                               const weir_options *options, weir_rwlock *rwlock)
{
	struct order order = make_order(WEIR_PRIMITIVE_RWLOCK, kind, 1, 0, options);
	struct handle made;
	weir_status status = create(device, &order, rwlock, &made);

	if (rwlock)
		*rwlock = (weir_rwlock){made.words, made.config.rwlock};
	return status;
}

weir_status weir_once_create(weir_device *device, const weir_options *options, weir_once *once)
{
	struct order order = make_order(WEIR_PRIMITIVE_ONCE, 0, 1, 0, options);
	struct handle made;
	weir_status status = create(device, &order, once, &made);

	if (once)
		*once = (weir_once){made.words, made.config.once};
	return status;
}

weir_status weir_combine_create(weir_device *device, uint32_t blocks, const weir_options *options,
                                weir_combine *combine)
{
	struct order order = make_order(WEIR_PRIMITIVE_COMBINE, 0, blocks, 0, options);
	struct handle made;
	weir_status status = create(device, &order, combine, &made);

	if (combine)
		*combine = (weir_combine){made.words, made.config.combine};
	return status;
}

/* weir_TYPE_reset and weir_TYPE_destroy. */
#define ENDS(type, PRIMITIVE)                                                                      \
	weir_status weir_##type##_reset(weir_device *device, weir_##type object)                   \
	{                                                                                          \
		return reset(device, WEIR_PRIMITIVE_##PRIMITIVE, object.words,                     \
		             object.config.offset);                                                \
	}                                                                                          \
                                                                                                   \
	weir_status weir_##type##_destroy(weir_device *device, weir_##type *object)                \
	{                                                                                          \
		if (!object)                                                                       \
			return no_handle(device, WEIR_PRIMITIVE_##PRIMITIVE);                      \
		return destroy(device, WEIR_PRIMITIVE_##PRIMITIVE, object->words,                  \
		               object->config.offset, object, sizeof *object);                     \
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
