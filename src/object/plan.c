/* The plan of an object: its kind, its configuration and its size. */
#include "object/object.h"

#include <string.h>

#include "base/status.h"
#include "core/defaults.h"
#include "core/device.h"
#include "core/notes.h"
#include "core/shared.h"
#include "object/layout.h"
#include "profile/shape.h"
#include "weir/group/discovery.h"

#define MOST_SLOTS (1u << 20)

static weir_status check_count(weir_device *device, const weir_order *order)
{
	const weir_primitive_row *primitive = &weir_primitive_rows[order->primitive];

	if (order->count == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s of 0 %s",
		                 weir_primitive_phrase(order->primitive), primitive->counted);
	if (primitive->most_in_row && order->count > primitive->most_in_row)
		return weir_fail(WEIR_BAD_ARGUMENT, "an array of %u %s: the most is %u",
		                 order->count, primitive->counted, primitive->most_in_row);
	return primitive->check ? primitive->check(device, order) : WEIR_OK;
}

static weir_status choose_slots(weir_device *device, const weir_order *order, const weir_kind *kind,
                                weir_any_config *config)
{
	uint32_t wanted = order->options.slots;
	uint32_t slots = kind->queue == WEIR_QUEUE_TIMED ? 2 : 1;

	if (weir_primitive_rows[order->primitive].most_in_row)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a mutex of kind %s needs a queue of its own: no arrays of it",
		                 kind->name);
	if (wanted == 0)
		wanted = weir_device_most_blocks(device);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a mutex with %u slots: the most is %u", wanted,
		                 MOST_SLOTS);
	while (slots < wanted)
		slots *= 2;
	config->mutex.slots = slots;
	return WEIR_OK;
}

static weir_status choose_backoff(weir_device *device, const weir_order *order,
                                  const weir_kind *kind, weir_backoff *backoff)
{
	*backoff = order->options.backoff;
	if (backoff->min > backoff->max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 backoff->min, backoff->max);
	if (backoff->max == 0 && !order->options.has_backoff)
		*backoff = weir_default_backoff(device, order->primitive, order->count, kind);
	return WEIR_OK;
}

static weir_status choose_shape(weir_device *device, const weir_order *order, const weir_kind *kind,
                                weir_any_config *config)
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

static weir_status choose_part(const weir_order *order, const weir_kind *kind,
                               weir_any_config *config)
{
	if (!order->options.part_of_grid && !order->options.first_block)
		return WEIR_OK;
	if (kind->role == WEIR_BY_VENDOR)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a barrier of kind %s is for all blocks of a grid, not for a part",
		                 kind->name);
	if (!weir_primitive_rows[order->primitive].has_parts || !order->options.part_of_grid)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "first_block is for barriers that have part_of_grid");
	config->barrier.part_of_grid = 1;
	config->barrier.first_block = order->options.first_block;
	return WEIR_OK;
}

static weir_status choose_memory(const weir_device *device, const weir_order *order,
                                 const weir_kind *kind)
{
	const char *phrase = weir_primitive_phrase(order->primitive);
	const weir_primitive_row *row = &weir_primitive_rows[order->primitive];
	uint32_t side = order->options.host_side;

	if (side && !(order->options.host_visible && row->has_host_side))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "host_side is for queues that are host_visible");
	if (!order->options.host_visible)
		return WEIR_OK;
	if (!row->may_be_shared)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "host_visible is for events and queues, not for %s", phrase);
	if (row->has_host_side && side != WEIR_HOST_PUSHES && side != WEIR_HOST_POPS)
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

static weir_status choose_kind(const weir_device *device, const weir_order *order,
                               const weir_kind **kind)
{
	const char *phrase = weir_primitive_phrase(order->primitive);
	const weir_primitive_row *row = &weir_primitive_rows[order->primitive];
	int fair = order->options.fair;
	uint32_t value = order->kind;

	if (fair && !row->may_be_fair)
		return weir_fail(WEIR_BAD_ARGUMENT, "fair is for mutexes, not for %s", phrase);
	if (value == 0)
		value = fair            ? weir_default_fair_kind(device, order->primitive)
		        : row->kind_for ? row->kind_for(device, order)
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

/* Backoff, and the members that not all primitives have. */
static weir_status choose_own(weir_device *device, const weir_order *order, const weir_kind *kind,
                              weir_any_config *config)
{
	const weir_primitive_row *row = &weir_primitive_rows[order->primitive];
	weir_status status = WEIR_OK;

	if (kind->queue != WEIR_QUEUE_NONE)
		status = choose_slots(device, order, kind, config);
	if (row->count_at)
		*(uint32_t *)((char *)config + row->count_at) = order->count;
	if (status == WEIR_OK && row->lay_out)
		status = row->lay_out(order, kind, config);
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
	return status;
}

size_t weir_order_lead(const weir_order *order, const weir_any_config *config)
{
	return order->options.diagnose ? weir_diagnosis_lead(order->primitive, config) : 0;
}

/* Makes the configuration of an object that has kinds of its own. */
static weir_status plan_one(weir_device *device, const weir_order *order, weir_any_config *config,
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
	    order->options.compact || weir_primitive_rows[order->primitive].is_dense
		? 1
		: WEIR_LINE_WORDS;
	status = choose_own(device, order, kind, config);
	if (status != WEIR_OK)
		return status;
	*bytes = weir_primitive_rows[order->primitive].words(config) * sizeof(weir_word) +
	         weir_order_lead(order, config);
	return WEIR_OK;
}

/* Pauses that let blocks that start together come before the poll is closed. A processor's threads
 * first have to be scheduled, which takes far more pauses. */
static uint32_t default_delay(const weir_device *device)
{
	return device->info.is_gpu ? 64 : 1000;
}

weir_status weir_group_plan(weir_device *device, const weir_order *order, weir_any_config *config,
                            size_t *bytes)
{
	weir_order barrier = *order;
	weir_any_config planned;
	uint32_t most;
	weir_status status;

	if (order->count > WEIR_MOST_IN_ARRAY)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a group for grids of %u blocks: the most is %u", order->count,
		                 WEIR_MOST_IN_ARRAY);
	if (order->options.part_of_grid)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "part_of_grid is for barriers, not for a group");
	most = weir_device_most_blocks(device);
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
static weir_status plan_plain(weir_device *device, const weir_order *order, weir_any_config *config,
                              size_t *bytes)
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
	status = weir_primitive_rows[order->primitive].plan(device, order, config);
	if (status == WEIR_OK)
		*bytes = weir_primitive_rows[order->primitive].words(config) * sizeof(weir_word) +
		         weir_order_lead(order, config);
	return status;
}

weir_status weir_order_plan(weir_device *device, const weir_order *order, weir_any_config *config,
                            size_t *bytes)
{
	const weir_primitive_row *row = &weir_primitive_rows[order->primitive];
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	if (order->options.diagnose && !row->is_diagnosed)
		return weir_fail(WEIR_UNSUPPORTED, "%s takes no part in a diagnosis",
		                 weir_primitive_phrase(order->primitive));
	if (row->plan_parts)
		return row->plan_parts(device, order, config, bytes);
	return row->plan ? plan_plain(device, order, config, bytes)
	                 : plan_one(device, order, config, bytes);
}
