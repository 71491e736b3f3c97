#include "measure/graph.h"

#include <stdint.h>

#include "src/sim/sim.h"
#include "weir/weir.h"

enum {
	MOST_TASKS = 1 << 18
};

uint32_t weir_layers_most(uint32_t pattern, uint32_t blocks)
{
	return MOST_TASKS / weir_layer_tasks(pattern, blocks);
}

weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t count, weir_options options, weir_tasks *tasks)
{
	weir_layers layers;
	weir_status status = weir_layers_make(pattern, blocks, count, &layers);

	options.local = layers.is_local;
	if (status == WEIR_OK)
		status = weir_tasks_create(device, &layers.graph, &options, tasks);
	weir_layers_free(&layers);
	return status;
}
