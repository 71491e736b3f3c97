/* The graphs that tasks are measured with, on devices and on simulated ones. */
#ifndef WEIR_SIM_LAYERS_H
#define WEIR_SIM_LAYERS_H

#include <stdint.h>

#include "weir/weir.h"

/* The tasks of a layer in a pattern of tasks. */
uint32_t weir_layer_tasks(uint32_t pattern, uint32_t blocks);

/* Whether an operation is a layer, and not a task. */
int weir_is_chain(uint32_t pattern);

/* A graph of layers. A task of a layer depends on two of the layer before: that of its own number, and
 * the next one. */
typedef struct weir_layers {
	weir_graph graph;
	int is_local; /* the option of that name */
	/* The graph points into these. */
	uint32_t *first;
	uint32_t *successors;
	uint8_t *levels;
} weir_layers;

/* WEIR_NO_MEMORY, or WEIR_OK. Either way the caller frees it. */
weir_status weir_layers_make(uint32_t pattern, uint32_t blocks, uint32_t count,
                             weir_layers *layers);
void weir_layers_free(weir_layers *layers);

#endif
