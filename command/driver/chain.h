/* Consecutive kernel launches, timed together: in a stream, or as the nodes of a CUDA graph. */
#ifndef WEIR_COMMAND_DRIVER_CHAIN_H
#define WEIR_COMMAND_DRIVER_CHAIN_H

#include <stdint.h>

#include "weir/weir.h"

enum weir_chain_way {
	WEIR_CHAIN_STREAM,
	WEIR_CHAIN_GRAPH,
	/* A graph with programmatic dependent launch: a node may start before the previous one
	 * ends. */
	WEIR_CHAIN_EARLY
};

/* The launches of a chain. */
typedef struct weir_links {
	weir_kernel kernel;
	uint32_t blocks;
	uint32_t threads;
	uint32_t count;
	void **parameters; /* for every launch: addresses of the kernel's arguments */
	/* Changes the arguments for launch `index`; NULL: all launches have the same. */
	void (*prepare)(void *context, uint32_t index);
	void *context;
} weir_links;

typedef struct weir_chain weir_chain;

/* NULL if the driver lacks a function or refuses; the error text says why. */
weir_chain *weir_chain_create(weir_device *device, enum weir_chain_way way);
void weir_chain_destroy(weir_chain *chain);

/* Runs all launches and waits for them. A graph is rebuilt only when the number of launches
 * changes, so use a chain only for launches that are otherwise the same. */
weir_status weir_chain_run(weir_chain *chain, const weir_links *links, double *ms);

#endif
