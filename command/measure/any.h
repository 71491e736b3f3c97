/* An object of any primitive. In weir.h each primitive has its own type and functions. */
#ifndef WEIR_COMMAND_MEASURE_ANY_H
#define WEIR_COMMAND_MEASURE_ANY_H

#include <stddef.h>
#include <stdint.h>

#include "weir/kind.h"
#include "weir/weir.h"

/* The arguments for creating an object. */
typedef struct weir_any_wish {
	enum weir_primitive primitive;
	/* The blocks of a barrier, a group or a combiner, the length of an array, the capacity of a
	 * queue of words, or the items of a dispenser. For a semaphore, both the maximum and the
	 * initial value. */
	uint32_t count;
	const weir_graph *graph; /* for tasks */
	weir_any_options options;
} weir_any_wish;

typedef struct weir_any {
	enum weir_primitive primitive;
	weir_word *words; /* NULL: no object */
	weir_any_config config;
} weir_any;

/* On failure `object` has no words. */
weir_status weir_any_create(weir_device *device, const weir_any_wish *wish, weir_any *object);
weir_status weir_any_size(weir_device *device, const weir_any_wish *wish, size_t *bytes,
                          size_t *alignment);
/* Does nothing if there is no object. */
weir_status weir_any_destroy(weir_device *device, weir_any *object);

#endif
