/* The graphs that tasks are measured with. */
#ifndef WEIR_COMMAND_MEASURE_GRAPH_H
#define WEIR_COMMAND_MEASURE_GRAPH_H

#include <stdint.h>

#include "weir/weir.h"

/* The tasks of a layer in a pattern of tasks, and the most layers. */
uint32_t weir_layer_tasks(uint32_t pattern, uint32_t blocks);
uint32_t weir_layers_most(uint32_t pattern, uint32_t blocks);

/* Whether an operation is a layer, and not a task. */
int weir_is_chain(uint32_t pattern);

/* A graph of layers. A task of a layer depends on two of the layer before: that of its own number, and
 * the next one. */
weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t layers, weir_options options, weir_tasks *tasks);

#endif
