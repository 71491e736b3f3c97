/* An order of an object, as a public function takes it. */
#ifndef WEIR_OBJECT_ORDER_H
#define WEIR_OBJECT_ORDER_H

#include "weir/kind.h"
#include "weir/weir.h"

/* What the caller asked for. `count` is the blocks, the length or the maximum. */
typedef struct weir_order {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t count;
	uint32_t initial;
	size_t item_bytes;       /* of a queue */
	const weir_graph *graph; /* of tasks */
	weir_options options;
} weir_order;

#endif
