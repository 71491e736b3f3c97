/* Barriers, mutexes, arrays of mutexes, semaphores and groups: creation, reset, destruction.
 *
 * Their first state is made by the algorithm's own *_start function, on the host machine, in an
 * image that is then written to the device. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "weir/barrier/bounded.h"

#define ALIGNMENT 128 /* a line */
#define MOST_SLOTS (1u << 20)
#define MOST_LOCKS (1u << 28)

/* What the caller asked for. `count` is the blocks, the length or the maximum. */
struct order {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t count;
	uint32_t initial;
	weir_options options;
};

static weir_status check_count(weir_device *device, const struct order *order)
{
	static const char *const counted[] = {"blocks", "", "mutexes", "slots"};
	const char *name = weir_primitive_names[order->primitive];

	if (order->count == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a %s of 0 %s", name,
		                 counted[order->primitive]);
	if (order->primitive == WEIR_PRIMITIVE_BARRIER) {
		uint32_t most = device->backend->most_blocks(device->state);
		if (order->count > most)
			return weir_fail(WEIR_TOO_MANY_BLOCKS,
			                 "a barrier of %u blocks: no kernel has more than %u "
			                 "running at once on %s",
			                 order->count, most, device->info.name);
	}
	if (order->primitive == WEIR_PRIMITIVE_SEMAPHORE && order->count > INT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT, "a semaphore's maximum of %u is above %d",
		                 order->count, INT32_MAX);
	if (order->primitive == WEIR_PRIMITIVE_SEMAPHORE && order->initial > order->count)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a semaphore's initial value of %u is above its maximum of %u",
		                 order->initial, order->count);
	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY && order->count > MOST_LOCKS)
		return weir_fail(WEIR_BAD_ARGUMENT, "an array of %u mutexes: the most is %u",
		                 order->count, MOST_LOCKS);
	return WEIR_OK;
}

static weir_status choose_slots(weir_device *device, const struct order *order,
                                const weir_kind *kind, weir_config *config)
{
	uint32_t wanted = order->options.slots;
	uint32_t slots = kind->queue == WEIR_QUEUE_TIMED ? 2 : 1;

	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a mutex of kind %s needs a queue of its own: no arrays of it",
		                 weir_mutex_kind_name(config->kind));
	if (wanted == 0)
		wanted = device->backend->most_blocks(device->state);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a mutex with %u slots: the most is %u", wanted,
		                 MOST_SLOTS);
	while (slots < wanted)
		slots *= 2;
	config->count = slots;
	return WEIR_OK;
}

static weir_status choose_backoff(weir_device *device, const struct order *order,
                                  const weir_kind *kind, weir_config *config)
{
	config->backoff = order->options.backoff;
	if (config->backoff.min > config->backoff.max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 config->backoff.min, config->backoff.max);
	if (config->backoff.max == 0)
		config->backoff =
		    weir_default_backoff(device, order->primitive, order->count, kind);
	return WEIR_OK;
}

static weir_status choose_shape(weir_device *device, const struct order *order,
                                const weir_kind *kind, weir_config *config)
{
	weir_shape asked = order->options.shape;

	if (!order->options.has_shape && !asked.shard_bits && !asked.copy_bits &&
	    !asked.first_pause) {
		if (kind->shape != WEIR_SHAPE_NONE)
			config->shape = weir_default_shape(device, order->count, kind);
		return WEIR_OK;
	}
	if (kind->shape == WEIR_SHAPE_NONE)
		return weir_fail(WEIR_BAD_ARGUMENT, "a %s of kind %s has no shape",
		                 weir_primitive_names[order->primitive], kind->name);
	if (weir_shape_fault(asked))
		return weir_fail(
		    WEIR_BAD_ARGUMENT, "a shape of %u shard bits, %u copy bits, first pause %u: %s",
		    asked.shard_bits, asked.copy_bits, asked.first_pause, weir_shape_fault(asked));
	if (kind->shape == WEIR_SHAPE_FIRST_PAUSE && (asked.shard_bits || asked.copy_bits))
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "a barrier of kind %s has one counter: a shape of %u shard bits and "
		    "%u copy bits is none for it",
		    kind->name, asked.shard_bits, asked.copy_bits);
	config->shape = asked;
	return WEIR_OK;
}

static weir_status choose_part(const struct order *order, weir_config *config)
{
	if (!order->options.part_of_grid && !order->options.first_block)
		return WEIR_OK;
	if (order->primitive != WEIR_PRIMITIVE_BARRIER || !order->options.part_of_grid)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "first_block is for barriers that have part_of_grid");
	config->stride = 1;
	config->first = order->options.first_block;
	return WEIR_OK;
}

static int is_mutex(const struct order *order)
{
	return order->primitive == WEIR_PRIMITIVE_MUTEX ||
	       order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY;
}

static weir_status choose_kind(const weir_device *device, const struct order *order,
                               const weir_kind **kind)
{
	const char *name = weir_primitive_names[order->primitive];
	int fair = order->options.fair;
	uint32_t value = order->kind;

	if (fair && !is_mutex(order))
		return weir_fail(WEIR_BAD_ARGUMENT, "fair is for mutexes, not for a %s", name);
	if (value == 0)
		value = fair ? weir_default_fair_kind(device, order->primitive)
		             : weir_default_kind(device, order->primitive, order->count);
	*kind = weir_kind_find(order->primitive, value);
	if (!*kind)
		return weir_fail(WEIR_BAD_ARGUMENT, "there is no %s of kind %u", name, value);
	if (!weir_kind_runs(device, *kind))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a %s of kind %s needs 64-bit atomics, which %s lacks", name,
		                 (*kind)->name, device->info.name);
	if (fair && !(*kind)->fair)
		return weir_fail(WEIR_BAD_ARGUMENT, "a %s of kind %s is not fair", name,
		                 (*kind)->name);
	return WEIR_OK;
}

static size_t object_bytes(const weir_kind *kind, enum weir_primitive primitive, weir_config config)
{
	size_t words = kind->words(config);
	if (primitive == WEIR_PRIMITIVE_BARRIER || primitive == WEIR_PRIMITIVE_GROUP)
		words = weir_barrier_words(config);
	if (primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		words = (size_t)config.stride * config.count;
	return words * sizeof(weir_word);
}

/* From what was asked for to what a kernel will be told, of anything but a group. */
static weir_status plan_one(weir_device *device, const struct order *order, weir_config *config,
                            size_t *bytes)
{
	const weir_kind *kind;
	weir_status status = choose_kind(device, order, &kind);

	memset(config, 0, sizeof *config);
	if (status == WEIR_OK)
		status = check_count(device, order);
	if (status != WEIR_OK)
		return status;
	config->kind = kind->value;
	config->count = order->count;
	config->pitch = order->options.compact || order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY
	                    ? 1
	                    : WEIR_LINE_WORDS;
	if (kind->queue != WEIR_QUEUE_NONE)
		status = choose_slots(device, order, kind, config);
	if (status == WEIR_OK)
		status = choose_backoff(device, order, kind, config);
	if (status == WEIR_OK)
		status = choose_shape(device, order, kind, config);
	if (status == WEIR_OK)
		status = choose_part(order, config);
	if (status != WEIR_OK)
		return status;
	if (order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		config->stride = order->options.compact ? kind->words(*config) : WEIR_LINE_WORDS;
	*bytes = object_bytes(kind, order->primitive, *config) +
	         (order->options.diagnose ? WEIR_HEADER_BYTES : 0);
	return WEIR_OK;
}

/* Pauses that let blocks which start together come before the poll is closed. A processor's threads
 * first have to be given their time, which takes far more of them. */
static uint32_t default_delay(const weir_device *device)
{
	return device->info.is_gpu ? 64 : 1000;
}

/* A group is a poll, and behind it a barrier for as many blocks as could ever run together. */
static weir_status plan_group(weir_device *device, const struct order *order, weir_config *config,
                              size_t *bytes)
{
	struct order barrier = *order;
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
	status = plan_one(device, &barrier, config, bytes);
	if (status != WEIR_OK)
		return status;
	config->first = order->count;
	config->stride = order->options.has_delay || order->options.delay ? order->options.delay
	                                                                  : default_delay(device);
	*bytes += weir_group_poll_words(*config) * sizeof(weir_word);
	return WEIR_OK;
}

static weir_status plan(weir_device *device, const struct order *order, weir_config *config,
                        size_t *bytes)
{
	weir_status status = weir_device_check(device);
	int is_group = order->primitive == WEIR_PRIMITIVE_GROUP;

	if (status != WEIR_OK)
		return status;
	if (order->options.diagnose && (is_group || order->primitive == WEIR_PRIMITIVE_MUTEX_ARRAY))
		return weir_fail(WEIR_UNSUPPORTED, "%s takes no part in a diagnosis",
		                 is_group ? "a group" : "an array of mutexes");
	return is_group ? plan_group(device, order, config, bytes)
	                : plan_one(device, order, config, bytes);
}

static void start_barrier(weir_word *image, weir_config config)
{
	weir_barrier b = {image, config};
	switch (config.kind) {
#define ROW(name, NAME, ...)                                                                       \
	case WEIR_BARRIER_##NAME:                                                                  \
		weir_##name##_barrier_start(b, 0);                                                 \
		break;
		WEIR_BARRIER_KINDS(ROW)
#undef ROW
	default:
		break;
	}
}

static void start_mutex(weir_word *image, weir_config config)
{
	weir_mutex m = {image, config};
	switch (config.kind) {
#define ROW(name, NAME, ...)                                                                       \
	case WEIR_MUTEX_##NAME:                                                                    \
		weir_##name##_mutex_start(m, 0);                                                   \
		break;
		WEIR_MUTEX_KINDS(ROW)
#undef ROW
	default:
		break;
	}
}

static void start_semaphore(weir_word *image, weir_config config, uint32_t initial)
{
	weir_semaphore s = {image, config};
	switch (config.kind) {
#define ROW(name, NAME, ...)                                                                       \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_semaphore_start(s, initial, 0);                                      \
		break;
		WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
	default:
		break;
	}
}

static weir_status write_start(weir_device *device, const weir_record *record)
{
	weir_config config = record->config;
	weir_word *image = calloc(1, record->bytes);
	if (!image)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", record->bytes);
	if (record->primitive == WEIR_PRIMITIVE_BARRIER)
		start_barrier(image, config);
	else if (record->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		start_semaphore(image, config, record->initial);
	else if (record->primitive == WEIR_PRIMITIVE_GROUP)
		weir_group_start((weir_group){image, config}, 0);
	else if (record->primitive == WEIR_PRIMITIVE_MUTEX)
		start_mutex(image, config);
	else
		for (uint32_t i = 0; i < config.count; i++)
			start_mutex(image + (size_t)i * config.stride, config);
	weir_status status = device->backend->write(device->state, record->native, record->offset,
	                                            image, record->bytes);
	free(image);
	return status;
}

/* The members that all handles have. */
struct handle {
	weir_word *words;
	weir_config config;
};

static size_t handle_offset(const struct handle *handle)
{
	return handle->config.offset * sizeof(weir_word);
}

/* The least alignment of an object. */
static size_t word_bytes(enum weir_primitive primitive, weir_config config)
{
	return weir_kind_find(primitive, config.kind)->width == WEIR_WORDS_OF_64
	           ? sizeof(weir_word64)
	           : sizeof(weir_word);
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

/* From the start of the memory to the object itself, which its handle and its record mean. */
static void skip_header(const weir_device *device, const struct order *order, weir_record *record,
                        struct handle *handle)
{
	size_t header = order->options.diagnose ? WEIR_HEADER_BYTES : 0;

	record->bytes -= header;
	if (device->info.machine == WEIR_MACHINE_OPENCL) {
		record->offset += header;
	} else {
		record->native = (char *)record->native + header;
		record->lead = header;
	}
	handle->words = record->native;
	handle->config.offset = (uint32_t)(record->offset / sizeof(weir_word));
}

static weir_status place(weir_device *device, const struct order *order, weir_record *record,
                         struct handle *handle)
{
	const weir_options *options = &order->options;
	size_t alignment = word_bytes(order->primitive, handle->config);

	if (!options->memory) {
		record->owned = 1;
		weir_status status =
		    device->backend->allocate(device->state, record->bytes, &record->native);
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

/* Mutexes that a block may hold at once must not share its near words. */
static weir_status take_near_slot(weir_device *device, weir_config *config)
{
	uint32_t slot = 0;

	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->kind)->queue != WEIR_QUEUE_CLUSTER)
		return WEIR_OK;
	pthread_mutex_lock(&device->lock);
	while (slot < WEIR_NEAR_SLOTS && device->near_slots >> slot & 1)
		slot++;
	if (slot < WEIR_NEAR_SLOTS)
		device->near_slots |= 1u << slot;
	pthread_mutex_unlock(&device->lock);
	config->stride = slot;
	if (slot < WEIR_NEAR_SLOTS)
		return WEIR_OK;
	return weir_fail(WEIR_UNSUPPORTED,
	                 "a device has up to %d mutexes of kind %s at a time, and %s has them",
	                 WEIR_NEAR_SLOTS, weir_mutex_kind_name(config->kind), device->info.name);
}

static void give_near_slot(weir_device *device, const weir_config *config)
{
	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, config->kind)->queue != WEIR_QUEUE_CLUSTER)
		return;
	pthread_mutex_lock(&device->lock);
	device->near_slots &= ~(1u << config->stride);
	pthread_mutex_unlock(&device->lock);
}

/* With its place: its first state there and, if it is to be diagnosed, its number and header. */
static weir_status begin(weir_device *device, const struct order *order, weir_record *record,
                         struct handle *handle)
{
	weir_status status = place(device, order, record, handle);

	record->config = handle->config;
	if (status == WEIR_OK)
		status = write_start(device, record);
	if (status != WEIR_OK || !order->options.diagnose)
		return status;
	status = weir_diagnosis_enlist(device, record, order->options.name);
	handle->config.id = record->config.id;
	return status;
}

static weir_status create(weir_device *device, const struct order *order, void *out)
{
	struct handle handle = {0};
	size_t bytes;
	weir_record *record;

	if (!out)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the handle of the %s",
		                 weir_primitive_names[order->primitive]);
	memset(out, 0, sizeof handle);
	weir_status status = plan(device, order, &handle.config, &bytes);
	if (status != WEIR_OK)
		return status;
	record = calloc(1, sizeof *record);
	if (!record)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a record");
	if (order->primitive == WEIR_PRIMITIVE_MUTEX)
		status = take_near_slot(device, &handle.config);
	if (status != WEIR_OK) {
		free(record);
		return status;
	}
	record->primitive = order->primitive;
	record->initial = order->initial;
	record->bytes = bytes;
	status = begin(device, order, record, &handle);
	if (status != WEIR_OK) {
		if (order->primitive == WEIR_PRIMITIVE_MUTEX)
			give_near_slot(device, &record->config);
		if (record->owned && record->native)
			device->backend->release(device->state, weir_record_memory(record));
		free(record);
		return status;
	}
	weir_record_add(device, record);
	memcpy(out, &handle, sizeof handle);
	return WEIR_OK;
}

static weir_status not_here(const weir_device *device, enum weir_primitive primitive)
{
	return weir_fail(WEIR_NOT_FOUND,
	                 "no such %s on device %s: not created there, or destroyed before",
	                 weir_primitive_names[primitive], device->info.name);
}

static weir_status reset(weir_device *device, enum weir_primitive primitive, const void *opaque)
{
	const struct handle *handle = opaque;
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	const weir_record *record =
	    weir_record_find(device, primitive, handle->words, handle_offset(handle));
	if (!record)
		return not_here(device, primitive);
	if (record->config.id != 0)
		weir_diagnosis_forget(device, record->config.id);
	return write_start(device, record);
}

static weir_status destroy(weir_device *device, enum weir_primitive primitive, void *opaque)
{
	struct handle *handle = opaque;
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!handle)
		return weir_fail(WEIR_BAD_ARGUMENT, "the handle of the %s is NULL",
		                 weir_primitive_names[primitive]);
	weir_record *record =
	    weir_record_take(device, primitive, handle->words, handle_offset(handle));
	if (!record)
		return not_here(device, primitive);
	if (primitive == WEIR_PRIMITIVE_MUTEX)
		give_near_slot(device, &record->config);
	if (record->config.id != 0) {
		memset(handle, 0, sizeof *handle);
		return weir_diagnosis_bury(device, record);
	}
	if (record->owned)
		status = device->backend->release(device->state, record->native);
	free(record);
	memset(handle, 0, sizeof *handle);
	return status;
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
	weir_config config;
	if (!bytes || !alignment)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the size of the %s",
		                 weir_primitive_names[order.primitive]);
	weir_status status = plan(device, &order, &config, bytes);
	if (status == WEIR_OK)
		*alignment =
		    order.options.compact ? word_bytes(order.primitive, config) : ALIGNMENT;
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

weir_status weir_barrier_create_with(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                     const weir_options *options, weir_barrier *barrier)
{
	struct order order = make_order(WEIR_PRIMITIVE_BARRIER, kind, blocks, 0, options);
	return create(device, &order, barrier);
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
	return create(device, &order, mutex);
}

weir_status weir_mutex_create(weir_device *device, weir_mutex_kind kind, weir_mutex *mutex)
{
	return weir_mutex_create_with(device, kind, NULL, mutex);
}

weir_status weir_mutex_array_create(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                    const weir_options *options, weir_mutex_array *array)
{
	struct order order = make_order(WEIR_PRIMITIVE_MUTEX_ARRAY, kind, length, 0, options);
	return create(device, &order, array);
}

weir_status weir_semaphore_create_with(weir_device *device, weir_semaphore_kind kind,
                                       uint32_t initial, uint32_t maximum,
                                       const weir_options *options, weir_semaphore *semaphore)
{
	struct order order = make_order(WEIR_PRIMITIVE_SEMAPHORE, kind, maximum, initial, options);
	return create(device, &order, semaphore);
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
	return create(device, &order, group);
}

weir_status weir_group_create(weir_device *device, uint32_t most_blocks, weir_group *group)
{
	return weir_group_create_with(device, WEIR_BARRIER_DEFAULT, most_blocks, NULL, group);
}

weir_status weir_barrier_reset(weir_device *device, weir_barrier barrier)
{
	return reset(device, WEIR_PRIMITIVE_BARRIER, &barrier);
}

weir_status weir_mutex_reset(weir_device *device, weir_mutex mutex)
{
	return reset(device, WEIR_PRIMITIVE_MUTEX, &mutex);
}

weir_status weir_mutex_array_reset(weir_device *device, weir_mutex_array array)
{
	return reset(device, WEIR_PRIMITIVE_MUTEX_ARRAY, &array);
}

weir_status weir_semaphore_reset(weir_device *device, weir_semaphore semaphore)
{
	return reset(device, WEIR_PRIMITIVE_SEMAPHORE, &semaphore);
}

weir_status weir_group_reset(weir_device *device, weir_group group)
{
	return reset(device, WEIR_PRIMITIVE_GROUP, &group);
}

weir_status weir_barrier_destroy(weir_device *device, weir_barrier *barrier)
{
	return destroy(device, WEIR_PRIMITIVE_BARRIER, barrier);
}

weir_status weir_mutex_destroy(weir_device *device, weir_mutex *mutex)
{
	return destroy(device, WEIR_PRIMITIVE_MUTEX, mutex);
}

weir_status weir_mutex_array_destroy(weir_device *device, weir_mutex_array *array)
{
	return destroy(device, WEIR_PRIMITIVE_MUTEX_ARRAY, array);
}

weir_status weir_semaphore_destroy(weir_device *device, weir_semaphore *semaphore)
{
	return destroy(device, WEIR_PRIMITIVE_SEMAPHORE, semaphore);
}

weir_status weir_group_destroy(weir_device *device, weir_group *group)
{
	return destroy(device, WEIR_PRIMITIVE_GROUP, group);
}
