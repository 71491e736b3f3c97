/* The graphs of sim/layers.h on a device. */
#ifndef WEIR_COMMAND_MEASURE_GRAPH_H
#define WEIR_COMMAND_MEASURE_GRAPH_H

#include <stdint.h>

#include "weir/weir.h"

/* The most layers in a pattern of tasks. */
uint32_t weir_layers_most(uint32_t pattern, uint32_t blocks);

weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t count, weir_options options, weir_tasks *tasks);

#endif
