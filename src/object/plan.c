/* The plan of an object: its kind, its configuration and its size. */
#include "object/object.h"

#include <string.h>

#include "base/count.h"
#include "base/status.h"
#include "core/defaults.h"
#include "core/device.h"
#include "core/notes.h"
#include "core/shared.h"
#include "object/layout.h"
#include "profile/shape.h"
#include "weir/group/discovery.h"

#define MOST_SLOTS (1u << 20)

static weir_status check_count(weir_device *device, const weir_object_request *request)
{
	const weir_primitive_row *primitive = &weir_primitive_rows[request->primitive];

	if (request->count == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s of 0 %s",
		                 weir_primitive_phrase(request->primitive), primitive->counted);
	if (primitive->most_in_row && request->count > primitive->most_in_row)
		return weir_fail(WEIR_BAD_ARGUMENT, "an array of %u %s: the most is %u",
		                 request->count, primitive->counted, primitive->most_in_row);
	return primitive->check ? primitive->check(device, request) : WEIR_OK;
}

static weir_status choose_slots(weir_device *device, const weir_object_request *request,
                                const weir_kind *kind, weir_any_config *config)
{
	uint32_t wanted = request->options.mutex.queue_slots;
	uint32_t slots = kind->queue == WEIR_QUEUE_TIMED ? 2 : 1;

	if (wanted == 0)
		wanted = weir_device_most_blocks(device);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "queue_slots is %u for a mutex: the most is %u",
		                 wanted, MOST_SLOTS);
	while (slots < wanted)
		slots *= 2;
	config->mutex.slots = slots;
	return WEIR_OK;
}

static weir_status choose_backoff(weir_device *device, const weir_object_request *request,
                                  const weir_kind *kind, weir_backoff *backoff)
{
	int is_given = weir_object_request_backoff(request, backoff);

	if (backoff->min > backoff->max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 backoff->min, backoff->max);
	if (!is_given)
		*backoff = weir_default_backoff(device, request->primitive, request->count, kind);
	return WEIR_OK;
}

/* `shards` is that of a barrier, or of a group's. */
static weir_status choose_shape(weir_device *device, const weir_object_request *request,
                                const weir_kind *kind, weir_any_config *config)
{
	uint32_t shards = request->options.barrier.shards;

	if (request->primitive != WEIR_PRIMITIVE_BARRIER || kind->shape == WEIR_SHAPE_NONE)
		return WEIR_OK;
	if (shards == 0) {
		config->barrier.shape = weir_default_shape(device, request->count, kind);
		return WEIR_OK;
	}
	config->barrier.shape.bits = weir_bits_for(shards);
	if (config->barrier.shape.bits > WEIR_SHAPE_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "shards is %u for a barrier: the most is %u",
		                 shards, 1u << WEIR_SHAPE_BITS_MOST);
	if (weir_shape_fault(config->barrier.shape, request->count))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "shards is %u for a barrier of %s: the most is one for each block",
		                 shards, weir_counted(request->count, "block").text);
	return WEIR_OK;
}

static weir_status choose_part(const weir_object_request *request, const weir_kind *kind,
                               weir_any_config *config)
{
	const weir_barrier_options *options = &request->options.barrier;

	if (request->primitive != WEIR_PRIMITIVE_BARRIER ||
	    (!options->part_of_grid && !options->first_block))
		return WEIR_OK;
	if (kind->role == WEIR_BY_VENDOR)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a barrier of kind %s is for all blocks of a grid, not for a part",
		                 kind->name);
	if (!options->part_of_grid)
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "first_block is %u, but part_of_grid is 0: only a barrier for a part of "
		    "the grid has a first block",
		    options->first_block);
	config->barrier.part_of_grid = 1;
	config->barrier.first_block = options->first_block;
	return WEIR_OK;
}

static weir_status choose_memory(const weir_device *device, const weir_object_request *request,
                                 const weir_kind *kind)
{
	int is_queue = request->primitive == WEIR_PRIMITIVE_QUEUE;
	uint32_t side = request->options.queue.host_side;
	const char *which =
	    is_queue ? "a queue with a host_side" : "an array of events that is host_visible";

	if (!weir_object_request_is_shared(request))
		return WEIR_OK;
	if (is_queue && side != WEIR_HOST_PUSHES && side != WEIR_HOST_POPS)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "host_side is %u: it is WEIR_HOST_PUSHES or WEIR_HOST_POPS", side);
	if (kind->parts != WEIR_PARTS_NONE)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "events of kind %s cannot be host_visible: use the kind word",
		                 kind->name);
	if (request->options.object.memory)
		return weir_fail(WEIR_UNSUPPORTED, "%s lies in memory that weir allocates", which);
	if (request->options.object.diagnose)
		return weir_fail(WEIR_UNSUPPORTED, "%s takes no part in a diagnosis", which);
	return weir_shared_check(device);
}

static weir_status choose_kind(const weir_device *device, const weir_object_request *request,
                               const weir_kind **kind)
{
	const char *phrase = weir_primitive_phrase(request->primitive);
	const weir_primitive_row *row = &weir_primitive_rows[request->primitive];
	int fair = weir_object_request_is_fair(request);
	uint32_t value = weir_object_request_kind(request);

	if (value == 0)
		value = fair ? weir_default_fair_kind(device, request->primitive)
		        : row->kind_for
		            ? row->kind_for(device, request)
		            : weir_default_kind(device, request->primitive, request->count);
	*kind = weir_kind_find(request->primitive, value);
	if (!*kind)
		return weir_fail(WEIR_BAD_ARGUMENT, "there is no %s of kind %u",
		                 weir_primitive_name(request->primitive), value);
	if (!weir_kind_runs(device, *kind) && (*kind)->role == WEIR_BY_VENDOR)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s of kind %s is grid.sync() of CUDA, which %s lacks", phrase,
		                 (*kind)->name, device->info.name);
	if (!weir_kind_runs(device, *kind))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "%s of kind %s needs 64-bit atomics, which %s lacks", phrase,
		                 (*kind)->name, device->info.name);
	if (fair && !(*kind)->fair)
		return weir_fail(WEIR_BAD_ARGUMENT, "fair is set, but %s of kind %s is not fair",
		                 phrase, (*kind)->name);
	if (row->most_in_row && (*kind)->queue != WEIR_QUEUE_NONE)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a mutex of kind %s needs a queue of its own: no arrays of it",
		                 (*kind)->name);
	return weir_object_request_check(request, *kind);
}

/* Backoff, and the members that not all primitives have. */
static weir_status choose_own(weir_device *device, const weir_object_request *request,
                              const weir_kind *kind, weir_any_config *config)
{
	const weir_primitive_row *row = &weir_primitive_rows[request->primitive];
	weir_status status = WEIR_OK;

	if (kind->queue != WEIR_QUEUE_NONE)
		status = choose_slots(device, request, kind, config);
	if (row->count_at)
		*(uint32_t *)((char *)config + row->count_at) = request->count;
	if (status == WEIR_OK && row->lay_out)
		status = row->lay_out(request, kind, config);
	if (status == WEIR_OK)
		status = choose_backoff(device, request, kind, &config->object.backoff);
	if (status == WEIR_OK && kind->parts == WEIR_PARTS_COUNTS)
		status = weir_rwlock_spread(&request->options.rwlock, &config->rwlock);
	else if (status == WEIR_OK && kind->parts != WEIR_PARTS_NONE)
		status = weir_event_spread(device, kind, &request->options.event_array,
		                           &config->event_array);
	else if (status == WEIR_OK)
		status = choose_shape(device, request, kind, config);
	if (status == WEIR_OK)
		status = choose_part(request, kind, config);
	if (status == WEIR_OK)
		status = choose_memory(device, request, kind);
	return status;
}

size_t weir_object_request_lead(const weir_object_request *request, const weir_any_config *config)
{
	return request->options.object.diagnose ? weir_diagnosis_lead(request->primitive, config)
	                                        : 0;
}

/* Makes the configuration of an object that has kinds of its own. */
static weir_status plan_one(weir_device *device, const weir_object_request *request,
                            weir_any_config *config, size_t *bytes)
{
	const weir_kind *kind;
	weir_status status = choose_kind(device, request, &kind);

	memset(config, 0, sizeof *config);
	if (status == WEIR_OK)
		status = check_count(device, request);
	if (status != WEIR_OK)
		return status;
	config->object.kind = kind->value;
	config->object.pitch =
	    request->options.object.compact || weir_primitive_rows[request->primitive].is_dense
		? 1
		: WEIR_LINE_WORDS;
	status = choose_own(device, request, kind, config);
	if (status != WEIR_OK)
		return status;
	*bytes = weir_primitive_rows[request->primitive].words(config) * sizeof(weir_word) +
	         weir_object_request_lead(request, config);
	return WEIR_OK;
}

/* Pauses that let blocks that start together come before the poll is closed. A processor's threads
 * first have to be scheduled, which takes far more pauses. */
static uint32_t default_delay(const weir_device *device)
{
	return device->info.is_gpu || device->info.machine == WEIR_MACHINE_PTX ? 64 : 1000;
}

weir_status weir_group_plan(weir_device *device, const weir_object_request *request,
                            weir_any_config *config, size_t *bytes)
{
	const weir_group_options *options = &request->options.group;
	weir_object_request barrier = *request;
	weir_any_config planned;
	uint32_t most;
	weir_status status;

	if (request->count == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a group for grids of 0 blocks");
	if (request->count > WEIR_MOST_IN_ARRAY)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a group for grids of %u blocks: the most is %u", request->count,
		                 WEIR_MOST_IN_ARRAY);
	most = weir_device_most_blocks(device);
	barrier.primitive = WEIR_PRIMITIVE_BARRIER;
	barrier.options.barrier = (weir_barrier_options){.object = options->object,
	                                                 .kind = options->kind,
	                                                 .backoff = options->backoff,
	                                                 .has_backoff = options->has_backoff,
	                                                 .shards = options->shards};
	barrier.count = request->count < most ? request->count : most;
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
	config->group.askers = request->count;
	config->group.delay =
	    options->has_delay || options->delay ? options->delay : default_delay(device);
	config->group.shape = planned.barrier.shape;
	*bytes += weir_group_poll_words(config->group) * sizeof(weir_word);
	return WEIR_OK;
}

/* An object of a primitive that has no kinds. */
static weir_status plan_plain(weir_device *device, const weir_object_request *request,
                              weir_any_config *config, size_t *bytes)
{
	weir_status status = WEIR_OK;

	memset(config, 0, sizeof *config);
	config->object.pitch = request->options.object.compact ? 1 : WEIR_LINE_WORDS;
	weir_object_request_backoff(request, &config->object.backoff);
	if (config->object.backoff.min > config->object.backoff.max)
		return weir_fail(WEIR_BAD_ARGUMENT, "a backoff from %u up to %u units",
		                 config->object.backoff.min, config->object.backoff.max);
	status = weir_primitive_rows[request->primitive].plan(device, request, config);
	if (status == WEIR_OK)
		*bytes = weir_primitive_rows[request->primitive].words(config) * sizeof(weir_word) +
		         weir_object_request_lead(request, config);
	return status;
}

weir_status weir_object_request_plan(weir_device *device, const weir_object_request *request,
                                     weir_any_config *config, size_t *bytes)
{
	const weir_primitive_row *row = &weir_primitive_rows[request->primitive];
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	if (request->options.object.diagnose && !row->is_diagnosed)
		return weir_fail(WEIR_UNSUPPORTED, "%s takes no part in a diagnosis",
		                 weir_primitive_phrase(request->primitive));
	if (row->plan_parts)
		return row->plan_parts(device, request, config, bytes);
	return row->plan ? plan_plain(device, request, config, bytes)
	                 : plan_one(device, request, config, bytes);
}
