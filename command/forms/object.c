/* Objects of weir, and the words of peers. */
#include "forms/trial.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "kernels/real/real.h"

/* An object that is wanted. */
typedef struct order {
	weir_builds *builds;
	weir_device *device;
	const real_kernel *kernel;
	const uint32_t *size;
	uint32_t blocks;
	uint32_t count; /* how many there are: of an array its length, of a semaphore its slots */
	int fixed;      /* of the kind that the build has */
	weir_options options;
} order;

/* What a kernel can synchronize by. */
struct weir_real_way {
	/* WEIR_OK with 0 bytes for a kernel that has no such object; WEIR_UNSUPPORTED when the device
	 * has none. */
	weir_status (*bytes)(const order *o, size_t *bytes);
	weir_status (*create)(const order *o, weir_real_object *object);
	weir_status (*destroy)(weir_device *device, weir_real_object *object);
};

#define KIND(lower, upper) (o->fixed ? weir_fixed_##lower : WEIR_##upper##_DEFAULT)

/* The functions of a way whose object is the member of the same name. */
#define WAY(member, calls_size, calls_create)                                                      \
	static weir_status member##_bytes(const order *o, size_t *bytes)                           \
	{                                                                                          \
		size_t alignment;                                                                  \
                                                                                                   \
		return calls_size;                                                                 \
	}                                                                                          \
	static weir_status member##_create(const order *o, weir_real_object *object)               \
	{                                                                                          \
		weir_status status = calls_create;                                                 \
                                                                                                   \
		object->words = object->is.member.words;                                           \
		object->config.member = object->is.member.config;                                  \
		return status;                                                                     \
	}                                                                                          \
	static weir_status member##_destroy(weir_device *device, weir_real_object *object)         \
	{                                                                                          \
		return weir_##member##_destroy(device, &object->is.member);                        \
	}

WAY(barrier,
    weir_barrier_size(o->device, KIND(barrier, BARRIER), o->count, NULL, bytes, &alignment),
    weir_barrier_create_with(o->device, KIND(barrier, BARRIER), o->count, &o->options,
                             &object->is.barrier))
WAY(mutex, weir_mutex_size(o->device, KIND(mutex, MUTEX), NULL, bytes, &alignment),
    weir_mutex_create_with(o->device, KIND(mutex, MUTEX), &o->options, &object->is.mutex))
WAY(mutex_array,
    weir_mutex_array_size(o->device, KIND(mutex, MUTEX), o->count, &o->options, bytes, &alignment),
    weir_mutex_array_create(o->device, KIND(mutex, MUTEX), o->count, &o->options,
                            &object->is.mutex_array))
WAY(semaphore,
    weir_semaphore_size(o->device, KIND(semaphore, SEMAPHORE), o->count, NULL, bytes, &alignment),
    weir_semaphore_create_with(o->device, KIND(semaphore, SEMAPHORE), o->count, o->count,
                               &o->options, &object->is.semaphore))
WAY(event_array,
    o->kernel->events ? weir_event_array_size(o->device, WEIR_EVENT_DEFAULT,
                                              o->kernel->events(o->size), NULL, bytes, &alignment)
                      : WEIR_OK,
    weir_event_array_create(o->device, WEIR_EVENT_DEFAULT, o->kernel->events(o->size), &o->options,
                            &object->is.event_array))

static weir_status queue_size(const order *o, size_t *bytes, size_t *alignment)
{
	if (!o->kernel->items)
		return WEIR_OK;
	if (o->builds->info.machine == WEIR_MACHINE_OPENCL ||
	    o->builds->info.machine == WEIR_MACHINE_HIP)
		return weir_error_set(WEIR_UNSUPPORTED,
		                      "OpenCL and HIP lack pops by all threads of a block");
	return weir_queue_size(o->device, WEIR_QUEUE_DEFAULT, o->kernel->items(o->size),
	                       sizeof(uint32_t), NULL, bytes, alignment);
}

WAY(queue, queue_size(o, bytes, &alignment),
    weir_queue_create(o->device, WEIR_QUEUE_DEFAULT, o->kernel->items(o->size), sizeof(uint32_t),
                      &o->options, &object->is.queue))

/* ---- a graph of tasks ---- */

static weir_status tasks_bytes(const order *o, size_t *bytes)
{
	size_t alignment;
	weir_graph graph;

	if (!o->kernel->make_graph)
		return WEIR_OK;
	o->kernel->make_graph(o->size, &graph);
	weir_status status = weir_tasks_size(o->device, &graph, NULL, bytes, &alignment);
	o->kernel->free_graph(&graph);
	return status;
}

static weir_status tasks_create(const order *o, weir_real_object *object)
{
	weir_graph graph;

	o->kernel->make_graph(o->size, &graph);
	weir_status status = weir_tasks_create(o->device, &graph, &o->options, &object->is.tasks);
	o->kernel->free_graph(&graph);
	object->words = object->is.tasks.words;
	object->config.tasks = object->is.tasks.config;
	return status;
}

/* A run that got stuck is a failure of its own. */
static weir_status tasks_destroy(weir_device *device, weir_real_object *object)
{
	weir_status status = weir_tasks_check(device, object->is.tasks);
	weir_status destroyed = weir_tasks_destroy(device, &object->is.tasks);

	return status == WEIR_OK ? destroyed : status;
}

/* ---- combiners ---- */

/* From one combiner to the next, which begins a line. */
static weir_status find_apart(const order *o, size_t *bytes)
{
	const weir_options options = {.words = o->kernel->operation_words};
	size_t line = WEIR_LINE_WORDS * sizeof(uint32_t);
	size_t alignment;
	weir_status status = weir_combine_size(o->device, o->blocks, &options, bytes, &alignment);

	*bytes = (*bytes + line - 1) / line * line;
	return status;
}

static weir_status combine_bytes(const order *o, size_t *bytes)
{
	weir_status status = o->kernel->combiners ? find_apart(o, bytes) : WEIR_OK;

	*bytes *= o->kernel->combiners;
	return status;
}

static weir_status combine_create(const order *o, weir_real_object *object)
{
	weir_options options = o->options;
	size_t bytes = 0;
	weir_status status = find_apart(o, &bytes);

	object->apart = (uint32_t)(bytes / sizeof(uint32_t));
	options.words = o->kernel->operation_words;
	options.compact = 0; /* as the locks are */
	for (uint32_t i = 0; status == WEIR_OK && i < o->kernel->combiners; i++) {
		status =
		    weir_combine_create(o->device, o->blocks, &options, &object->is.combiners[i]);
		options.memory_offset += bytes;
		options.memory_bytes -= bytes;
	}
	object->words = object->is.combiners[0].words;
	object->config.combine = object->is.combiners[0].config;
	return status;
}

static weir_status combine_destroy(weir_device *device, weir_real_object *object)
{
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < REAL_COMBINERS && object->is.combiners[i].words; i++)
		if (status == WEIR_OK)
			status = weir_combine_destroy(device, &object->is.combiners[i]);
	return status;
}

/* ---- all ways ---- */

#define ROW(member)                                                                                \
	{                                                                                          \
		member##_bytes, member##_create, member##_destroy                                  \
	}
/* Of a kernel itself, by what it uses. */
static const struct weir_real_way usual[] = {
    [REAL_USES_BARRIER] = ROW(barrier),
    [REAL_USES_MUTEX] = ROW(mutex),
    [REAL_USES_MUTEX_ARRAY] = ROW(mutex_array),
    [REAL_USES_SEMAPHORE] = ROW(semaphore),
};
/* Of its other forms. */
static const struct {
	int is_for;
	struct weir_real_way way;
} others[] = {{WEIR_FOR_EVENTS, ROW(event_array)},
              {WEIR_FOR_TASKS, ROW(tasks)},
              {WEIR_FOR_QUEUE, ROW(queue)},
              {WEIR_FOR_COMBINE, ROW(combine)}};
#undef ROW

enum {
	OTHERS = sizeof others / sizeof others[0]
};

static order order_of(weir_builds *builds, const weir_object_wish *wish)
{
	const real_kernel *kernel = wish->kernel;
	order o = {.builds = builds,
	           .device = builds->device,
	           .kernel = kernel,
	           .size = wish->size,
	           .blocks = wish->blocks,
	           .count = kernel->uses == REAL_USES_BARRIER       ? wish->blocks
	                    : kernel->uses == REAL_USES_MUTEX_ARRAY ? kernel->locks(wish->size)
	                    : kernel->uses == REAL_USES_SEMAPHORE   ? kernel->maximum(wish->size)
	                                                            : 1};

	o.options.compact = kernel->uses == REAL_USES_MUTEX_ARRAY;
	return o;
}

static const struct weir_real_way *way_of(const real_kernel *kernel, const weir_form *form)
{
	for (size_t i = 0; i < OTHERS; i++)
		if (form->is_for == others[i].is_for)
			return &others[i].way;
	return &usual[kernel->uses];
}

/* A word for each lock, two for a semaphore, one for a barrier. */
static size_t peers_bytes(const order *o)
{
	return (o->kernel->uses == REAL_USES_MUTEX_ARRAY ? o->count : 2) * sizeof(uint32_t);
}

weir_status weir_real_object_runs(weir_builds *builds, const weir_object_wish *wish,
                                  const weir_form *form)
{
	order o = order_of(builds, wish);
	const struct weir_real_way *way = way_of(wish->kernel, form);
	size_t bytes = 0;

	return way == &usual[wish->kernel->uses] ? WEIR_OK : way->bytes(&o, &bytes);
}

weir_status weir_real_object_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	order o = order_of(builds, wish);
	weir_status status = WEIR_OK;

	*bytes = peers_bytes(&o);
	for (o.fixed = 0; status == WEIR_OK && o.fixed < 2; o.fixed++) {
		size_t own = 0;
		status = usual[wish->kernel->uses].bytes(&o, &own);
		*bytes = own > *bytes ? own : *bytes;
	}
	for (size_t i = 0; status == WEIR_OK && i < OTHERS; i++) {
		size_t own = 0;
		status = others[i].way.bytes(&o, &own);
		if (status == WEIR_UNSUPPORTED)
			status = WEIR_OK; /* the form is left out */
		*bytes = own > *bytes ? own : *bytes;
	}
	return status;
}

/* libcu++'s objects have constructors: a kernel runs them. */
static weir_status construct(const order *o, weir_real_object *object)
{
	int is_semaphore = o->kernel->uses == REAL_USES_SEMAPHORE;
	real_params params = {.config = object->config, .part = o->count};
	weir_argument arguments[] = {{&object->words, sizeof object->words},
	                             {&object->words, sizeof object->words},
	                             {&params, sizeof params}};
	weir_launch launch = {.grid = {1},
	                      .block = {is_semaphore ? 1 : 256},
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_builds_kernel(
	    o->builds, WEIR_BUILD_TOOLKIT,
	    is_semaphore ? "libcu_semaphore_start" : "libcu_locks_start", &launch.kernel);

	return status == WEIR_OK ? weir_kernel_launch(o->device, &launch) : status;
}

/* Peers are CUDA's, where a buffer is an address. */
static weir_status make_peer(const order *o, const weir_form *form, weir_buffer memory,
                             weir_real_object *object)
{
	size_t offset = o->options.memory_offset;
	void *zeros = weir_need(calloc(1, peers_bytes(o)));
	weir_status status = weir_buffer_write(o->device, memory, offset, zeros, peers_bytes(o));

	free(zeros);
	object->words = (char *)memory.native + offset;
	if (o->kernel->uses == REAL_USES_SEMAPHORE)
		object->config.semaphore.maximum = o->count;
	if (status == WEIR_OK && form->build == WEIR_BUILD_TOOLKIT &&
	    o->kernel->uses != REAL_USES_BARRIER)
		status = construct(o, object);
	return status;
}

weir_status weir_real_object_enter(weir_builds *builds, const weir_object_wish *wish,
                                   const weir_form *form, weir_buffer memory, size_t offset,
                                   weir_real_object *object)
{
	order o = order_of(builds, wish);

	memset(object, 0, sizeof *object);
	o.fixed = form->build == WEIR_BUILD_FIXED;
	o.options.memory = memory.native;
	o.options.memory_offset = offset;
	o.options.memory_bytes = memory.bytes - offset;
	o.options.local = form->how == WEIR_HOW_LOCAL;
	if (form->is_peer)
		return make_peer(&o, form, memory, object);
	object->way = way_of(wish->kernel, form);
	return object->way->create(&o, object);
}

weir_status weir_real_object_leave(weir_builds *builds, weir_real_object *object)
{
	return object->way ? object->way->destroy(builds->device, object) : WEIR_OK;
}
