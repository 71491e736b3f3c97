/* Objects of weir, and the words of peers. */
#include "forms/object.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "forms/builds.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "kernels/real/real.h"
#include "weir/weir.h"

/* How many objects there are: of an array its length, of a semaphore its slots. */
static uint32_t count_of(const weir_object_wish *wish)
{
	switch (wish->kernel->uses) {
	case REAL_USES_BARRIER:
		return wish->blocks;
	case REAL_USES_MUTEX_ARRAY:
		return wish->kernel->locks(wish->size);
	case REAL_USES_SEMAPHORE:
		return wish->kernel->maximum(wish->size);
	default:
		return 1;
	}
}

static weir_status weirs_bytes(weir_builds *builds, const weir_object_wish *wish, int fixed,
                               size_t *bytes)
{
	const weir_options compact = {.compact = 1};
	uint32_t count = count_of(wish);
	size_t alignment;

	switch (wish->kernel->uses) {
	case REAL_USES_BARRIER:
		return weir_barrier_size(builds->device,
		                         fixed ? weir_fixed_barrier : WEIR_BARRIER_DEFAULT, count,
		                         NULL, bytes, &alignment);
	case REAL_USES_MUTEX:
		return weir_mutex_size(builds->device,
		                       fixed ? weir_fixed_mutex : WEIR_MUTEX_DEFAULT, NULL, bytes,
		                       &alignment);
	case REAL_USES_MUTEX_ARRAY:
		return weir_mutex_array_size(builds->device,
		                             fixed ? weir_fixed_mutex : WEIR_MUTEX_DEFAULT, count,
		                             &compact, bytes, &alignment);
	default:
		return weir_semaphore_size(builds->device,
		                           fixed ? weir_fixed_semaphore : WEIR_SEMAPHORE_DEFAULT,
		                           count, NULL, bytes, &alignment);
	}
}

/* A word for each lock, two for a semaphore, one for a barrier. */
static size_t peers_bytes(const weir_object_wish *wish)
{
	size_t words = wish->kernel->uses == REAL_USES_MUTEX_ARRAY ? count_of(wish) : 2;

	return words * sizeof(uint32_t);
}

static weir_status events_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	size_t alignment;

	*bytes = 0;
	return wish->kernel->events ? weir_event_array_size(builds->device, WEIR_EVENT_DEFAULT,
	                                                    wish->kernel->events(wish->size), NULL,
	                                                    bytes, &alignment)
	                            : WEIR_OK;
}

static weir_status tasks_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	size_t alignment;
	weir_graph graph;

	*bytes = 0;
	if (!wish->kernel->make_graph)
		return WEIR_OK;
	wish->kernel->make_graph(wish->size, &graph);
	weir_status status = weir_tasks_size(builds->device, &graph, NULL, bytes, &alignment);
	wish->kernel->free_graph(&graph);
	return status;
}

static weir_status queue_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	size_t alignment;

	*bytes = 0;
	if (!wish->kernel->items)
		return WEIR_OK;
	if (builds->info.machine == WEIR_MACHINE_OPENCL || builds->info.machine == WEIR_MACHINE_HIP)
		return weir_error_set(WEIR_UNSUPPORTED,
		                      "OpenCL and HIP lack pops by all threads of a block");
	return weir_queue_size(builds->device, WEIR_QUEUE_DEFAULT, wish->kernel->items(wish->size),
	                       sizeof(uint32_t), NULL, bytes, &alignment);
}

/* The bytes of one combiner, to where the next one begins. */
static weir_status combiner_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	const weir_options options = {.words = wish->kernel->operation_words};
	size_t line = WEIR_LINE_WORDS * sizeof(uint32_t);
	size_t alignment;

	*bytes = 0;
	if (!wish->kernel->combiners)
		return WEIR_OK;
	weir_status status =
	    weir_combine_size(builds->device, wish->blocks, &options, bytes, &alignment);
	*bytes = (*bytes + line - 1) / line * line;
	return status;
}

weir_status weir_real_object_runs(weir_builds *builds, const weir_object_wish *wish,
                                  const weir_form *form)
{
	size_t bytes;

	if (form->is_for == WEIR_FOR_QUEUE)
		return queue_bytes(builds, wish, &bytes);
	if (form->is_for == WEIR_FOR_COMBINE)
		return combiner_bytes(builds, wish, &bytes);
	return form->is_for == WEIR_FOR_TASKS ? tasks_bytes(builds, wish, &bytes) : WEIR_OK;
}

weir_status weir_real_object_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	size_t other = 0;
	weir_status status = weirs_bytes(builds, wish, 0, bytes);

	if (status == WEIR_OK)
		status = weirs_bytes(builds, wish, 1, &other);
	*bytes = other > *bytes ? other : *bytes;
	if (status == WEIR_OK)
		status = events_bytes(builds, wish, &other);
	*bytes = other > *bytes ? other : *bytes;
	if (status == WEIR_OK)
		status = tasks_bytes(builds, wish, &other);
	*bytes = other > *bytes ? other : *bytes;
	if (status == WEIR_OK)
		status = queue_bytes(builds, wish, &other);
	if (status == WEIR_UNSUPPORTED)
		status = WEIR_OK; /* the form is left out, and a kernel has one of both */
	*bytes = other > *bytes ? other : *bytes;
	if (status == WEIR_OK)
		status = combiner_bytes(builds, wish, &other);
	if (status == WEIR_UNSUPPORTED)
		status = WEIR_OK;
	other *= wish->kernel->combiners;
	*bytes = other > *bytes ? other : *bytes;
	other = peers_bytes(wish);
	*bytes = other > *bytes ? other : *bytes;
	return status;
}

static weir_status create(weir_builds *builds, const weir_object_wish *wish, int fixed,
                          weir_options options, weir_real_object *object)
{
	weir_device *device = builds->device;
	uint32_t count = count_of(wish);
	weir_status status;

	switch (wish->kernel->uses) {
	case REAL_USES_BARRIER:
		status = weir_barrier_create_with(device,
		                                  fixed ? weir_fixed_barrier : WEIR_BARRIER_DEFAULT,
		                                  count, &options, &object->barrier);
		object->words = object->barrier.words;
		object->config.barrier = object->barrier.config;
		return status;
	case REAL_USES_MUTEX:
		status =
		    weir_mutex_create_with(device, fixed ? weir_fixed_mutex : WEIR_MUTEX_DEFAULT,
		                           &options, &object->mutex);
		object->words = object->mutex.words;
		object->config.mutex = object->mutex.config;
		return status;
	case REAL_USES_MUTEX_ARRAY:
		options.compact = 1;
		status =
		    weir_mutex_array_create(device, fixed ? weir_fixed_mutex : WEIR_MUTEX_DEFAULT,
		                            count, &options, &object->mutex_array);
		object->words = object->mutex_array.words;
		object->config.mutex_array = object->mutex_array.config;
		return status;
	default:
		status = weir_semaphore_create_with(
		    device, fixed ? weir_fixed_semaphore : WEIR_SEMAPHORE_DEFAULT, count, count,
		    &options, &object->semaphore);
		object->words = object->semaphore.words;
		object->config.semaphore = object->semaphore.config;
		return status;
	}
}

static weir_status create_events(weir_builds *builds, const weir_object_wish *wish,
                                 const weir_options *options, weir_real_object *object)
{
	weir_status status = weir_event_array_create(builds->device, WEIR_EVENT_DEFAULT,
	                                             wish->kernel->events(wish->size), options,
	                                             &object->event_array);

	object->words = object->event_array.words;
	object->config.event_array = object->event_array.config;
	return status;
}

static weir_status create_tasks(weir_builds *builds, const weir_object_wish *wish,
                                const weir_options *options, weir_real_object *object)
{
	weir_graph graph;

	wish->kernel->make_graph(wish->size, &graph);
	weir_status status = weir_tasks_create(builds->device, &graph, options, &object->tasks);
	wish->kernel->free_graph(&graph);
	object->words = object->tasks.words;
	object->config.tasks = object->tasks.config;
	return status;
}

static weir_status create_queue(weir_builds *builds, const weir_object_wish *wish,
                                const weir_options *options, weir_real_object *object)
{
	weir_status status =
	    weir_queue_create(builds->device, WEIR_QUEUE_DEFAULT, wish->kernel->items(wish->size),
	                      sizeof(uint32_t), options, &object->queue);

	object->words = object->queue.words;
	object->config.queue = object->queue.config;
	return status;
}

static weir_status create_combiners(weir_builds *builds, const weir_object_wish *wish,
                                    weir_options options, weir_real_object *object)
{
	size_t bytes = 0;
	weir_status status = combiner_bytes(builds, wish, &bytes);

	object->apart = (uint32_t)(bytes / sizeof(uint32_t));
	options.words = wish->kernel->operation_words;
	for (uint32_t i = 0; status == WEIR_OK && i < wish->kernel->combiners; i++) {
		status = weir_combine_create(builds->device, wish->blocks, &options,
		                             &object->combiners[i]);
		options.memory_offset += bytes;
		options.memory_bytes -= bytes;
	}
	object->words = object->combiners[0].words;
	object->config.combine = object->combiners[0].config;
	return status;
}

/* libcu++'s objects have constructors: a kernel runs them. */
static weir_status construct(weir_builds *builds, const weir_object_wish *wish,
                             weir_real_object *object)
{
	int is_semaphore = wish->kernel->uses == REAL_USES_SEMAPHORE;
	real_params params = {.config = object->config, .part = count_of(wish)};
	weir_argument arguments[] = {{&object->words, sizeof object->words},
	                             {&object->words, sizeof object->words},
	                             {&params, sizeof params}};
	weir_launch launch = {.grid = {1},
	                      .block = {is_semaphore ? 1 : 256},
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_builds_kernel(
	    builds, WEIR_BUILD_TOOLKIT,
	    is_semaphore ? "libcu_semaphore_start" : "libcu_locks_start", &launch.kernel);

	return status == WEIR_OK ? weir_kernel_launch(builds->device, &launch) : status;
}

/* Peers are CUDA's, where a buffer is an address. */
static weir_status make_peer(weir_builds *builds, const weir_object_wish *wish,
                             const weir_form *form, weir_buffer memory, size_t offset,
                             weir_real_object *object)
{
	size_t bytes = peers_bytes(wish);
	void *zeros = weir_need(calloc(1, bytes));
	weir_status status = weir_buffer_write(builds->device, memory, offset, zeros, bytes);

	free(zeros);
	object->words = (char *)memory.native + offset;
	if (wish->kernel->uses == REAL_USES_SEMAPHORE)
		object->config.semaphore.maximum = count_of(wish);
	if (status == WEIR_OK && form->build == WEIR_BUILD_TOOLKIT &&
	    wish->kernel->uses != REAL_USES_BARRIER)
		status = construct(builds, wish, object);
	return status;
}

weir_status weir_real_object_enter(weir_builds *builds, const weir_object_wish *wish,
                                   const weir_form *form, weir_buffer memory, size_t offset,
                                   weir_real_object *object)
{
	weir_options options = {.memory = memory.native,
	                        .memory_offset = offset,
	                        .memory_bytes = memory.bytes - offset,
	                        .local = form->how == WEIR_HOW_LOCAL};

	memset(object, 0, sizeof *object);
	if (form->is_peer)
		return make_peer(builds, wish, form, memory, offset, object);
	if (form->how == WEIR_HOW_EVENTS)
		return create_events(builds, wish, &options, object);
	if (form->is_for == WEIR_FOR_QUEUE)
		return create_queue(builds, wish, &options, object);
	if (form->is_for == WEIR_FOR_COMBINE)
		return create_combiners(builds, wish, options, object);
	if (form->is_for == WEIR_FOR_TASKS)
		return create_tasks(builds, wish, &options, object);
	return create(builds, wish, form->build == WEIR_BUILD_FIXED, options, object);
}

/* A run that got stuck is a failure of its own. */
static weir_status destroy_tasks(weir_builds *builds, weir_real_object *object)
{
	weir_status status = weir_tasks_check(builds->device, object->tasks);
	weir_status destroyed = weir_tasks_destroy(builds->device, &object->tasks);

	return status == WEIR_OK ? destroyed : status;
}

weir_status weir_real_object_leave(weir_builds *builds, weir_real_object *object)
{
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < REAL_COMBINERS && object->combiners[i].words; i++)
		if (status == WEIR_OK)
			status = weir_combine_destroy(builds->device, &object->combiners[i]);
	if (status != WEIR_OK)
		return status;
	if (object->barrier.words)
		return weir_barrier_destroy(builds->device, &object->barrier);
	if (object->mutex.words)
		return weir_mutex_destroy(builds->device, &object->mutex);
	if (object->mutex_array.words)
		return weir_mutex_array_destroy(builds->device, &object->mutex_array);
	if (object->queue.words)
		return weir_queue_destroy(builds->device, &object->queue);
	if (object->tasks.words)
		return destroy_tasks(builds, object);
	if (object->event_array.words)
		return weir_event_array_destroy(builds->device, &object->event_array);
	return object->semaphore.words ? weir_semaphore_destroy(builds->device, &object->semaphore)
	                               : WEIR_OK;
}
