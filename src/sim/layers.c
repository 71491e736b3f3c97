#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "weir/profile.h"

enum {
	WIDE = 16 /* tasks of a layer for each block, so that few blocks wait */
};

int weir_is_chain(uint32_t pattern)
{
	return pattern == WEIR_PATTERN_TASKS_CHAIN || pattern == WEIR_PATTERN_TASKS_CHAIN_LOCAL;
}

static int is_local(uint32_t pattern)
{
	return pattern == WEIR_PATTERN_TASKS_CHAIN_LOCAL ||
	       pattern == WEIR_PATTERN_TASKS_LAYERS_LOCAL ||
	       pattern == WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES;
}

static int has_classes(uint32_t pattern)
{
	return pattern == WEIR_PATTERN_TASKS_LAYERS_CLASSES ||
	       pattern == WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES;
}

uint32_t weir_layer_tasks(uint32_t pattern, uint32_t blocks)
{
	return weir_is_chain(pattern) ? 2 : WIDE * blocks;
}

weir_status weir_layers_make(uint32_t pattern, uint32_t blocks, uint32_t count, weir_layers *layers)
{
	uint32_t width = weir_layer_tasks(pattern, blocks);
	uint32_t tasks = width * count;
	uint32_t edges = 2 * width * (count - 1);

	memset(layers, 0, sizeof *layers);
	layers->first = calloc((size_t)tasks + 1, sizeof *layers->first);
	layers->successors = calloc((size_t)edges + 1, sizeof *layers->successors);
	layers->levels = calloc(tasks, sizeof *layers->levels);
	if (!layers->first || !layers->successors || !layers->levels)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a graph of %u tasks", tasks);
	for (uint32_t i = 0; i < edges / 2; i++) {
		uint32_t next = i - i % width + width;
		layers->successors[2 * i] = i + width;
		layers->successors[2 * i + 1] = next + (i + width - 1) % width;
	}
	for (uint32_t i = 0; i < tasks; i++) {
		layers->first[i + 1] = 2 * (i + 1) < edges ? 2 * (i + 1) : edges;
		layers->levels[i] = (uint8_t)(i & 1);
	}
	layers->is_local = is_local(pattern);
	layers->graph = (weir_graph){.tasks = tasks,
	                             .first = layers->first,
	                             .successors = layers->successors,
	                             .levels = has_classes(pattern) ? layers->levels : NULL};
	return WEIR_OK;
}

void weir_layers_free(weir_layers *layers)
{
	free(layers->first);
	free(layers->successors);
	free(layers->levels);
}
