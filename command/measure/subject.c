/* A benchmark kernel with its objects, and one launch of it. */
#include "measure/subject.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "kernels/bench_params.h"
#include "measure/any.h"
#include "measure/check.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/programs.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	/* A launch that takes longer than its limit by this factor is considered to hang. */
	HANG_FACTOR = 20,
	HANG_S = 60,
	PLACE_ALIGNMENT = 1024, /* keeps two objects in one place from sharing anything */
	LEAST_CAPACITY = 1024,  /* of a queue */
	MOST_TASKS = 1 << 18
};

uint32_t weir_queue_slots(const weir_point *wanted)
{
	uint64_t users = (uint64_t)wanted->blocks * wanted->threads;

	return users > LEAST_CAPACITY ? (uint32_t)users : LEAST_CAPACITY;
}

/* Creates object `i` at `*offset` into the memory, and advances the offset past it. */
static weir_status create_behind(weir_subject *subject, uint32_t i, weir_any_wish wish,
                                 size_t *offset)
{
	weir_device *device = subject->meter->device;
	weir_object_options *options = &wish.options.object;
	size_t bytes = 0;
	size_t alignment = 1;

	if (!options->memory) {
		options->memory = subject->meter->places[0].native;
		options->memory_bytes = subject->meter->places[0].bytes;
	}
	options->memory_offset = *offset;
	options->memory_bytes -= *offset;
	weir_status status = weir_any_create(device, &wish, &subject->objects[i]);
	if (status == WEIR_OK)
		status = weir_any_size(device, &wish, &bytes, &alignment);
	*offset += (bytes + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
	return status;
}

/* For blocks that meet by two events: one that all signal, followed by one that tells all. */
static weir_status create_meeting(weir_subject *subject, weir_any_wish wish)
{
	weir_event_array_options *options = &wish.options.event_array;
	const weir_kind *kind = weir_kind_find(wish.primitive, options->kind);
	size_t offset = 0;

	wish.count = 1;
	options->kind = kind ? BENCH_EVENT_IN(kind->value, kind->parts) : WEIR_EVENT_DEFAULT;
	weir_status status = create_behind(subject, 0, wish, &offset);
	options->signallers = 1;
	options->waiters = subject->wanted.blocks;
	options->kind = kind ? BENCH_EVENT_OUT(kind->value, kind->parts) : WEIR_EVENT_DEFAULT;
	return status == WEIR_OK ? create_behind(subject, 1, wish, &offset) : status;
}

static weir_status create_events(weir_subject *subject, weir_any_wish wish)
{
	const weir_point *wanted = &subject->wanted;
	weir_event_array_options *options = &wish.options.event_array;
	size_t offset = 0;

	subject->begin = 0;
	weir_pattern_users(wanted->pattern, wanted->blocks, &options->signallers,
	                   &options->waiters);
	if (wanted->pattern == WEIR_PATTERN_MEET)
		return create_meeting(subject, wish);
	/* All signal the same event, or each block signals its own. */
	wish.count = options->signallers > 1 ? 1 : wanted->blocks;
	return create_behind(subject, 0, wish, &offset);
}

static weir_status create_queue(weir_subject *subject, weir_any_wish wish)
{
	weir_queue_options *options = &wish.options.queue;

	/* A caller that states that only one thread pushes or pops gets a different default. */
	if (options->kind == WEIR_QUEUE_DEFAULT || options->kind == WEIR_QUEUE_SINGLE)
		options->single = weir_queue_single(&subject->wanted, subject->meter->info.machine);
	wish.count = weir_queue_slots(&subject->wanted);
	return weir_any_create(subject->meter->device, &wish, subject->objects);
}

weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t count, const weir_tasks_options *options, weir_any *tasks)
{
	weir_layers layers;
	weir_status status = weir_layers_make(pattern, blocks, count, &layers);
	weir_any_wish wish = {.primitive = WEIR_PRIMITIVE_TASKS, .graph = &layers.graph};

	if (options)
		wish.options.tasks = *options;
	wish.options.tasks.local = layers.is_local;
	if (status == WEIR_OK)
		status = weir_any_create(device, &wish, tasks);
	weir_layers_free(&layers);
	return status;
}

static weir_status create_tasks(weir_subject *subject, weir_any_wish wish)
{
	return weir_layers_create(subject->meter->device, subject->wanted.pattern,
	                          subject->wanted.blocks, subject->layers ? subject->layers : 1,
	                          &wish.options.tasks, subject->objects);
}

/* Two conditions and their mutex. */
static weir_status create_conditions(weir_subject *subject, weir_any_wish wish)
{
	weir_any_wish mutex = {.primitive = WEIR_PRIMITIVE_MUTEX};
	size_t offset = 0;
	weir_status status = create_behind(subject, 0, wish, &offset);

	mutex.options.object = wish.options.object;
	if (status == WEIR_OK)
		status = create_behind(subject, 1, wish, &offset);
	return status == WEIR_OK ? create_behind(subject, 2, mutex, &offset) : status;
}

static weir_status create_one(weir_subject *subject, weir_any_wish wish)
{
	if (wish.primitive == WEIR_PRIMITIVE_COMBINER)
		wish.options.combiner.served =
		    subject->wanted.pattern == WEIR_PATTERN_COMBINE_SERVE;
	return weir_any_create(subject->meter->device, &wish, subject->objects);
}

/* How the objects of each primitive's benchmark are created, and how many. */
static const struct maker {
	weir_status (*create)(weir_subject *subject, weir_any_wish wish);
	enum {
		ONE,
		BLOCKS,
		INITIAL
	} count;
} makers[] = {
    [WEIR_PRIMITIVE_BARRIER] = {create_one, BLOCKS},
    [WEIR_PRIMITIVE_MUTEX] = {create_one, ONE},
    [WEIR_PRIMITIVE_SEMAPHORE] = {create_one, INITIAL},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {create_events, ONE},
    [WEIR_PRIMITIVE_QUEUE] = {create_queue, ONE},
    [WEIR_PRIMITIVE_DISPENSER] = {create_one, ONE},
    [WEIR_PRIMITIVE_TASKS] = {create_tasks, ONE},
    [WEIR_PRIMITIVE_CONDITION] = {create_conditions, ONE},
    [WEIR_PRIMITIVE_RWLOCK] = {create_one, ONE},
    [WEIR_PRIMITIVE_ONCE] = {create_one, ONE},
    [WEIR_PRIMITIVE_COMBINER] = {create_one, BLOCKS},
};

/* The primitives that are tuned. */
static void set(const weir_setting *setting, enum weir_primitive primitive,
                weir_any_options *options)
{
	switch (primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		options->barrier.backoff = setting->backoff;
		options->barrier.has_backoff = 1;
		if (setting->shape.known)
			options->barrier.shards = 1u << setting->shape.shape.bits;
		break;
	case WEIR_PRIMITIVE_MUTEX:
		options->mutex.backoff = setting->backoff;
		options->mutex.has_backoff = 1;
		break;
	case WEIR_PRIMITIVE_SEMAPHORE:
		options->semaphore.backoff = setting->backoff;
		options->semaphore.has_backoff = 1;
		break;
	default:
		break;
	}
}

static weir_status create_object(weir_subject *subject, const weir_buffer *memory)
{
	const weir_point *wanted = &subject->wanted;
	const struct maker *maker = &makers[wanted->primitive];
	const uint32_t counts[] = {
	    [ONE] = 1, [BLOCKS] = wanted->blocks, [INITIAL] = wanted->initial};
	weir_any_wish wish = {.primitive = wanted->primitive, .count = counts[maker->count]};
	weir_any_options *options = &wish.options;

	if (wanted->kind)
		options->of_kind.kind = wanted->kind;
	if (subject->has_setting)
		set(&subject->setting, wanted->primitive, options);
	if (memory) {
		options->object.memory = memory->native;
		options->object.memory_bytes = memory->bytes;
	}
	if (!maker->create)
		return weir_error_set(WEIR_BAD_ARGUMENT, "no benchmark for that");
	weir_status status = maker->create(subject, wish);
	subject->words = subject->objects[0].words;
	subject->config = subject->objects[0].config;
	return status;
}

weir_status weir_subject_leave(weir_subject *subject)
{
	weir_status status = WEIR_OK;

	for (uint32_t i = 3; i-- > 0 && status == WEIR_OK;)
		status = weir_any_destroy(subject->meter->device, &subject->objects[i]);
	return status;
}

void weir_subject_destroy(weir_subject *subject)
{
	free(subject->copy);
	free(subject->rings);
	if (subject->data.native)
		weir_buffer_destroy(subject->meter->device, &subject->data);
	weir_subject_leave(subject);
}

weir_status weir_subject_enter(weir_subject *subject, const weir_buffer *memory)
{
	weir_status status = weir_subject_leave(subject);

	subject->memory = memory;
	return status == WEIR_OK ? create_object(subject, memory) : status;
}

weir_status weir_subject_create_around(weir_meter *meter, const weir_point *wanted,
                                       const char *name, weir_kernel kernel, weir_subject *subject)
{
	size_t words = weir_check_words(wanted);
	size_t stored = 0;

	memset(subject, 0, sizeof *subject);
	subject->meter = meter;
	subject->wanted = *wanted;
	subject->name = name;
	subject->kernel = kernel;
	subject->copied = words * sizeof(uint32_t);
	subject->copy = weir_need(calloc(words + 1, sizeof(uint32_t)));
	subject->rings = weir_need(calloc(wanted->blocks, sizeof(uint32_t)));
	if (wanted->primitive == WEIR_PRIMITIVE_BARRIER) {
		subject->busy = meter->busy;
		stored = (size_t)wanted->blocks * wanted->threads * meter->busy.stores;
	}
	if (stored)
		words = BENCH_STORES((size_t)wanted->blocks) + stored;
	return weir_buffer_create(meter->device, words * sizeof(uint32_t), &subject->data);
}

uint32_t weir_subject_kernel_kind(const weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t kind = subject->objects[0].config.object.kind;

	if (wanted->kind || !weir_has_patterns(wanted->primitive) ||
	    !weir_kind_at(wanted->primitive, 0))
		return wanted->kind;
	/* Where all blocks meet, the kind of the side that has parts. */
	return wanted->pattern == WEIR_PATTERN_MEET && kind == WEIR_EVENT_WORD &&
	               subject->objects[1].words
	           ? subject->objects[1].config.object.kind
	           : kind;
}

/* Names the kernel once the library has chosen a kind of event or queue. */
static weir_status name_choice(weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;
	char name[64];

	if (!weir_has_patterns(wanted->primitive) || wanted->kind)
		return WEIR_OK;
	return weir_program_kernel(subject->meter->bench,
	                           weir_bench_kernel_name(wanted->primitive,
	                                                  weir_subject_kernel_kind(subject),
	                                                  wanted->pattern, 0, name),
	                           &subject->kernel);
}

weir_status weir_subject_create(weir_meter *meter, const weir_point *wanted,
                                const weir_setting *setting, weir_subject *subject)
{
	weir_kernel kernel;
	char name[64];
	weir_status found = weir_program_kernel(
	    meter->bench,
	    weir_bench_kernel_name(wanted->primitive, wanted->kind, wanted->pattern,
	                           weir_is_busy(meter->busy), name),
	    &kernel);
	weir_status status = weir_subject_create_around(
	    meter, wanted, weir_kind_name(wanted->primitive, wanted->kind), kernel, subject);

	if (setting) {
		subject->setting = *setting;
		subject->has_setting = 1;
	}
	if (status == WEIR_OK)
		status = found;
	if (status == WEIR_OK)
		status = create_object(subject, NULL);
	return status == WEIR_OK ? name_choice(subject) : status;
}

uint64_t weir_launch_deadline_ns(double limit_s)
{
	return limit_s > 0 ? (uint64_t)((HANG_S + HANG_FACTOR * limit_s) * 1e9) : 0;
}

/* Sets the parameters of kernels with patterns: see bench_params. */
static void set_pattern(const weir_subject *subject, bench_params *params)
{
	const weir_point *wanted = &subject->wanted;
	const weir_any *objects = subject->objects;

	params->ring = weir_pattern_ring(wanted);
	/* On OpenCL all are in the same buffer. */
	if (objects[1].words)
		params->second_at = (uint32_t)(objects[1].words - objects[0].words);
	if (wanted->primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		params->second = objects[1].config.event_array;
	else
		params->users = wanted->primitive == WEIR_PRIMITIVE_QUEUE
		                    ? weir_queue_users(wanted, subject->meter->info.machine)
		                    : 1;
	if (wanted->primitive != WEIR_PRIMITIVE_CONDITION || !objects[2].words)
		return;
	params->second_condition = objects[1].config.condition;
	params->mutex = objects[2].config.mutex;
	params->mutex_at = (uint32_t)(objects[2].words - objects[0].words);
}

uint32_t weir_subject_most(const weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;

	if (wanted->primitive == WEIR_PRIMITIVE_TASKS)
		return MOST_TASKS / weir_layer_tasks(wanted->pattern, wanted->blocks);
	/* So that all takes fit into a word, including those past the end. */
	return wanted->primitive == WEIR_PRIMITIVE_DISPENSER ? INT32_MAX / wanted->blocks
	                                                     : UINT32_MAX;
}

/* Rebuilds the graph if it has a different number of layers. */
static weir_status fit_layers(weir_subject *subject, uint32_t layers)
{
	if (subject->wanted.primitive != WEIR_PRIMITIVE_TASKS || !subject->objects[0].words ||
	    subject->layers == layers)
		return WEIR_OK;
	subject->layers = layers;
	return weir_subject_enter(subject, subject->memory);
}

weir_status weir_subject_run(weir_subject *subject, uint32_t rounds, double limit_s,
                             weir_outcome *outcome)
{
	weir_status status = fit_layers(subject, rounds);

	if (status != WEIR_OK)
		return status;
	weir_device *device = subject->meter->device;
	double limit_us = limit_s * 1e6;
	bench_params params = {
	    .config = subject->config,
	    .rounds = rounds,
	    .work = subject->wanted.work,
	    .limit_us = limit_us < 4e9 ? (uint32_t)(limit_us + 0.999) : UINT32_MAX,
	    .stores = subject->busy.stores,
	    .uneven = subject->busy.uneven_us * subject->meter->ticks_per_us,
	    .begin = subject->begin,
	};
	weir_argument arguments[] = {{&subject->words, sizeof subject->words},
	                             {&subject->data.native, sizeof subject->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = subject->kernel,
	                      .grid = {subject->wanted.blocks},
	                      .block = {subject->wanted.threads},
	                      .cooperative = 1,
	                      .cluster = {subject->wanted.cluster},
	                      .arguments = arguments,
	                      .argument_count = 3};

	memset(outcome, 0, sizeof *outcome);
	if (weir_has_patterns(subject->wanted.primitive))
		set_pattern(subject, &params);
	if (subject->meter->info.machine == WEIR_MACHINE_HOST)
		params.meeting = ++subject->launches * subject->wanted.blocks;
	status = weir_kernel_launch(device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(device, weir_launch_deadline_ns(limit_s), &outcome->ms);
	return status == WEIR_OK ? weir_check_run(subject, rounds, outcome) : status;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const weir_outcome *)left)->per_second;
	double b = ((const weir_outcome *)right)->per_second;
	return (a > b) - (a < b);
}

void weir_outcomes_summarize(weir_outcome *outcomes, uint32_t count, uint32_t leave_out,
                             weir_point *result)
{
	qsort(outcomes, count, sizeof *outcomes, by_rate);
	const weir_outcome *median = &outcomes[count / 2];
	result->repeats = count;
	result->per_second = median->per_second;
	result->low = outcomes[leave_out].per_second;
	result->high = outcomes[count - 1 - leave_out].per_second;
	result->jain = median->jain;
	result->worst_share = median->worst_share;
	result->completed = median->completed;
}

weir_setting weir_untuned_setting(const weir_point *wanted)
{
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	weir_setting setting = {.backoff = kind ? weir_untuned_backoff(kind) : weir_no_backoff()};

	if (kind && kind->shape != WEIR_SHAPE_NONE)
		setting.shape = (weir_known_shape){1, weir_untuned_shape(kind, wanted->blocks)};
	/* A block on a GPU handles no more parts than it has threads. */
	while (setting.shape.shape.bits && wanted->threads >> setting.shape.shape.bits == 0)
		setting.shape.shape.bits--;
	return setting;
}
