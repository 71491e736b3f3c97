#include "measure/graph.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	MOST_TASKS = 1 << 18,
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

uint32_t weir_layers_most(uint32_t pattern, uint32_t blocks)
{
	return MOST_TASKS / weir_layer_tasks(pattern, blocks);
}

weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t layers, weir_options options, weir_tasks *tasks)
{
	uint32_t width = weir_layer_tasks(pattern, blocks);
	uint32_t count = width * layers;
	uint32_t edges = 2 * width * (layers - 1);
	uint32_t *first = weir_need(calloc((size_t)count + 1, sizeof *first));
	uint32_t *successors = weir_need(calloc((size_t)edges + 1, sizeof *successors));
	uint8_t *levels = weir_need(calloc(count, sizeof *levels));

	for (uint32_t i = 0; i < edges / 2; i++) {
		uint32_t next = i - i % width + width;
		successors[2 * i] = i + width;
		successors[2 * i + 1] = next + (i + width - 1) % width;
	}
	for (uint32_t i = 0; i < count; i++) {
		first[i + 1] = 2 * (i + 1) < edges ? 2 * (i + 1) : edges;
		levels[i] = (uint8_t)(i & 1);
	}
	weir_graph graph = {.tasks = count,
	                    .first = first,
	                    .successors = successors,
	                    .levels = has_classes(pattern) ? levels : NULL};
	options.local = is_local(pattern);
	weir_status status = weir_tasks_create(device, &graph, &options, tasks);
	free(first);
	free(successors);
	free(levels);
	return status;
}
