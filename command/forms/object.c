/* The objects of weir, and the words of peers. */
#include "forms/trial.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "kernels/real/real.h"

/* The arguments of weir_any_create for an object. */
typedef struct order {
	weir_any_wish wish;
	weir_graph graph; /* see end_order */
} order;

/* The number of objects: for an array its length, for a semaphore its slots. */
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

/* Fills in the order for what a kernel itself uses, or for what one of its other forms uses.
 * Returns 0 if the kernel does not have the form. Call end_order afterwards. */
static int make_order(const weir_object_wish *wish, int is_for, int fixed, order *o)
{
	static const enum weir_primitive usual[] = {
	    [REAL_USES_BARRIER] = WEIR_PRIMITIVE_BARRIER,
	    [REAL_USES_MUTEX] = WEIR_PRIMITIVE_MUTEX,
	    [REAL_USES_MUTEX_ARRAY] = WEIR_PRIMITIVE_MUTEX_ARRAY,
	    [REAL_USES_SEMAPHORE] = WEIR_PRIMITIVE_SEMAPHORE};
	const real_kernel *kernel = wish->kernel;

	memset(o, 0, sizeof *o);
	switch (is_for) {
	case WEIR_FOR_EVENTS:
		o->wish.primitive = WEIR_PRIMITIVE_EVENT_ARRAY;
		o->wish.count = kernel->events ? kernel->events(wish->size) : 0;
		return kernel->events != NULL;
	case WEIR_FOR_TASKS:
		o->wish.primitive = WEIR_PRIMITIVE_TASKS;
		if (!kernel->make_graph)
			return 0;
		kernel->make_graph(wish->size, &o->graph);
		o->wish.graph = &o->graph;
		return 1;
	case WEIR_FOR_QUEUE:
		o->wish.primitive = WEIR_PRIMITIVE_QUEUE;
		o->wish.count = kernel->items ? kernel->items(wish->size) : 0;
		return kernel->items != NULL;
	case WEIR_FOR_COMBINE:
		o->wish.primitive = WEIR_PRIMITIVE_COMBINER;
		o->wish.count = wish->blocks;
		o->wish.options.combiner.words = kernel->operation_words;
		return kernel->combiners != 0;
	default:
		o->wish.primitive = usual[kernel->uses];
		o->wish.options.of_kind.kind = fixed ? weir_fixed_kinds[kernel->uses] : 0;
		o->wish.count = count_of(wish);
		o->wish.options.object.compact = kernel->uses == REAL_USES_MUTEX_ARRAY;
		return 1;
	}
}

static void end_order(const weir_object_wish *wish, order *o)
{
	if (o->wish.graph)
		wish->kernel->free_graph(&o->graph);
}

/* The bytes of one object, for a combiner up to the start of the next; 0: the kernel has none. */
static weir_status bytes_of(weir_builds *builds, const weir_object_wish *wish, int is_for,
                            int fixed, size_t *bytes)
{
	const size_t line = WEIR_LINE_WORDS * sizeof(uint32_t);
	weir_machine machine = builds->info.machine;
	size_t alignment;
	order o;

	*bytes = 0;
	if (!make_order(wish, is_for, fixed, &o))
		return WEIR_OK;
	if (is_for == WEIR_FOR_QUEUE &&
	    (machine == WEIR_MACHINE_OPENCL || machine == WEIR_MACHINE_HIP))
		return weir_error_set(WEIR_UNSUPPORTED,
		                      "OpenCL and HIP lack pops by all threads of a block");
	weir_status status = weir_any_size(builds->device, &o.wish, bytes, &alignment);
	end_order(wish, &o);
	if (is_for == WEIR_FOR_COMBINE)
		*bytes = (*bytes + line - 1) / line * line;
	return status;
}

static uint32_t objects_of(const weir_object_wish *wish, int is_for)
{
	return is_for == WEIR_FOR_COMBINE ? wish->kernel->combiners : 1;
}

/* One word for each lock, two for a semaphore, one for a barrier. */
static size_t peers_bytes(const weir_object_wish *wish)
{
	size_t words = wish->kernel->uses == REAL_USES_MUTEX_ARRAY ? count_of(wish) : 2;

	return words * sizeof(uint32_t);
}

weir_status weir_real_object_runs(weir_builds *builds, const weir_object_wish *wish,
                                  const weir_form *form)
{
	size_t bytes;

	return form->is_for > WEIR_FOR_EVENTS ? bytes_of(builds, wish, form->is_for, 0, &bytes)
	                                      : WEIR_OK;
}

weir_status weir_real_object_bytes(weir_builds *builds, const weir_object_wish *wish, size_t *bytes)
{
	weir_status status = WEIR_OK;

	*bytes = peers_bytes(wish);
	for (int form = 0; status == WEIR_OK && form < WEIR_FORMS; form++) {
		int is_for = weir_forms[form].is_for;
		int fixed = weir_forms[form].build == WEIR_BUILD_FIXED;
		size_t own = 0;
		if (weir_forms[form].is_peer)
			continue;
		status = bytes_of(builds, wish, is_for, fixed, &own);
		if (status == WEIR_UNSUPPORTED && is_for >= WEIR_FOR_EVENTS) {
			status = WEIR_OK; /* the form is left out */
			continue;
		}
		own *= objects_of(wish, is_for);
		*bytes = own > *bytes ? own : *bytes;
	}
	return status;
}

static weir_status create(weir_builds *builds, const weir_object_wish *wish, const weir_form *form,
                          weir_buffer memory, size_t offset, weir_real_object *object)
{
	size_t bytes = 0;
	order o;
	weir_status status = WEIR_OK;

	if (form->is_for == WEIR_FOR_COMBINE)
		status = bytes_of(builds, wish, form->is_for, 0, &bytes);
	make_order(wish, form->is_for, form->build == WEIR_BUILD_FIXED, &o);
	o.wish.options.object.memory = memory.native;
	if (o.wish.primitive == WEIR_PRIMITIVE_TASKS)
		o.wish.options.tasks.local = form->how == WEIR_HOW_LOCAL;
	for (uint32_t i = 0; status == WEIR_OK && i < objects_of(wish, form->is_for); i++) {
		o.wish.options.object.memory_offset = offset + i * bytes;
		o.wish.options.object.memory_bytes =
		    memory.bytes - o.wish.options.object.memory_offset;
		status = weir_any_create(builds->device, &o.wish, &object->own[i]);
	}
	end_order(wish, &o);
	object->apart = (uint32_t)(bytes / sizeof(uint32_t));
	object->words = object->own[0].words;
	object->config = object->own[0].config;
	return status;
}

/* libcu++'s objects have constructors, which run in a kernel. */
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

/* Peers exist only on CUDA, where a buffer is an address. */
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
	memset(object, 0, sizeof *object);
	return form->is_peer ? make_peer(builds, wish, form, memory, offset, object)
	                     : create(builds, wish, form, memory, offset, object);
}

weir_status weir_real_object_leave(weir_builds *builds, weir_real_object *object)
{
	const weir_tasks tasks = {object->own[0].words, object->own[0].config.tasks};
	weir_status status = WEIR_OK;

	/* A run that got stuck is a separate failure. */
	if (object->own[0].primitive == WEIR_PRIMITIVE_TASKS)
		status = weir_tasks_check(builds->device, tasks);
	for (uint32_t i = 0; i < REAL_COMBINERS && object->own[i].words; i++) {
		weir_status destroyed = weir_any_destroy(builds->device, &object->own[i]);
		status = status == WEIR_OK ? destroyed : status;
	}
	return status;
}
