/* What a real kernel synchronizes by, at a place in memory. */
#ifndef WEIR_COMMAND_FORMS_OBJECT_H
#define WEIR_COMMAND_FORMS_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "forms/builds.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "weir/weir.h"

/* What is wanted: the object of a kernel at a size, for a grid. */
typedef struct weir_object_wish {
	const real_kernel *kernel;
	const uint32_t *size;
	uint32_t blocks;
} weir_object_wish;

typedef struct weir_real_object {
	/* One of them, if it is weir's. */
	weir_barrier barrier;
	weir_mutex mutex;
	weir_mutex_array mutex_array;
	weir_semaphore semaphore;
	weir_event_array event_array;           /* of NAME_events, in place of its barrier */
	weir_tasks tasks;                       /* of NAME_tasks */
	weir_queue queue;                       /* of NAME_queue */
	weir_combine combiners[REAL_COMBINERS]; /* of NAME_combine */
	uint32_t apart;                         /* words from a combiner to the next one */
	void *words;
	weir_any_config config;
} weir_real_object;

/* The bytes that such an object takes in any form. */
weir_status weir_real_object_bytes(weir_builds *builds, const weir_object_wish *wish,
                                   size_t *bytes);

/* WEIR_UNSUPPORTED for a form whose object the device cannot have. */
weir_status weir_real_object_runs(weir_builds *builds, const weir_object_wish *wish,
                                  const weir_form *form);

/* Makes the object of a form `offset` bytes into the memory. A peer's words are made by the kernels
 * of its build. It must be left before another one takes its place. */
weir_status weir_real_object_enter(weir_builds *builds, const weir_object_wish *wish,
                                   const weir_form *form, weir_buffer memory, size_t offset,
                                   weir_real_object *object);
weir_status weir_real_object_leave(weir_builds *builds, weir_real_object *object);

#endif
