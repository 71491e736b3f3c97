/* Chains of launches, through the driver API. */
#include "driver/chain.h"

#include <stdint.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "driver/driver.h"
#include "weir/weir.h"

enum {
	DEADLINE_S = 60
};

struct weir_chain {
	weir_device *device;
	weir_cu_api api;
	weir_cu_context context;
	weir_cu_stream stream;
	weir_cu_event begin, end;
	enum weir_chain_way way;
	weir_cu_graph_exec exec;
	uint32_t nodes; /* of exec */
};

/* Calls of the driver happen between enter and its counterpart, so that the thread's current
 * context is preserved. */
static weir_status enter(const weir_chain *chain)
{
	weir_cu_result result = chain->api.context_push(chain->context);

	return result ? weir_cu_fail(&chain->api, result, "entering the context") : WEIR_OK;
}

static void leave(const weir_chain *chain)
{
	weir_cu_context context;
	chain->api.context_pop(&context);
}

static weir_status make_events(weir_chain *chain)
{
	const weir_cu_api *api = &chain->api;
	weir_status status = enter(chain);

	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api->event_create(&chain->begin, WEIR_DRIVER_CU_EVENT_DEFAULT);
	if (!result)
		result = api->event_create(&chain->end, WEIR_DRIVER_CU_EVENT_DEFAULT);
	leave(chain);
	return result ? weir_cu_fail(api, result, "making events") : WEIR_OK;
}

weir_chain *weir_chain_create(weir_device *device, enum weir_chain_way way)
{
	weir_chain *chain = weir_need(calloc(1, sizeof *chain));
	weir_cuda_handles handles;
	weir_status status = weir_device_cuda_handles(device, &handles);

	chain->device = device;
	chain->way = way;
	if (status == WEIR_OK) {
		chain->context = handles.context;
		chain->stream = handles.stream;
		status = weir_cu_load(&chain->api, way != WEIR_CHAIN_STREAM);
	}
	if (status == WEIR_OK)
		status = make_events(chain);
	if (status == WEIR_OK)
		return chain;
	weir_chain_destroy(chain);
	return NULL;
}

static void drop_graph(weir_chain *chain)
{
	if (chain->exec)
		chain->api.exec_destroy(chain->exec);
	chain->exec = NULL;
	chain->nodes = 0;
}

void weir_chain_destroy(weir_chain *chain)
{
	if (!chain)
		return;
	/* Without events the driver was missing or refused. */
	if (chain->begin && enter(chain) == WEIR_OK) {
		drop_graph(chain);
		chain->api.event_destroy(chain->begin);
		if (chain->end)
			chain->api.event_destroy(chain->end);
		leave(chain);
	}
	free(chain);
}

static weir_cu_result launch(const weir_chain *chain, const weir_links *links)
{
	weir_cu_attribute early = {
	    .id = WEIR_DRIVER_CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
	weir_cu_launch with = {.grid = {links->blocks, 1, 1},
	                       .block = {links->threads, 1, 1},
	                       .stream = chain->stream,
	                       .attributes = &early,
	                       .attribute_count = 1};

	if (chain->way != WEIR_CHAIN_EARLY)
		return chain->api.launch(links->kernel.native, links->blocks, 1, 1, links->threads,
		                         1, 1, 0, chain->stream, links->parameters, NULL);
	early.value.allowed = 1;
	return chain->api.launch_with((const struct CUlaunchConfig_st *)&with, links->kernel.native,
	                              links->parameters, NULL);
}

static weir_cu_result launch_all(const weir_chain *chain, const weir_links *links)
{
	weir_cu_result result = 0;

	for (uint32_t i = 0; !result && i < links->count; i++) {
		if (links->prepare)
			links->prepare(links->context, i);
		result = launch(chain, links);
	}
	return result;
}

/* Captures the launches instead of running them, which makes a chain of nodes. */
static weir_cu_result make_graph(weir_chain *chain, const weir_links *links)
{
	weir_cu_stream stream = chain->stream;
	weir_cu_graph graph = NULL;

	drop_graph(chain);
	weir_cu_result result =
	    chain->api.capture_begin(stream, WEIR_DRIVER_CU_STREAM_CAPTURE_MODE_RELAXED);
	if (result)
		return result;
	weir_cu_result launched = launch_all(chain, links);
	/* Even after a failure, which leaves the stream capturing. */
	result = chain->api.capture_end(stream, &graph);
	result = launched ? launched : result;
	if (!result)
		result = chain->api.graph_instantiate(&chain->exec, graph, 0);
	if (graph)
		chain->api.graph_destroy(graph);
	chain->nodes = result ? 0 : links->count;
	return result;
}

static weir_cu_result start(weir_chain *chain, const weir_links *links)
{
	weir_cu_stream stream = chain->stream;
	weir_cu_result result = 0;

	if (chain->way != WEIR_CHAIN_STREAM && chain->nodes != links->count)
		result = make_graph(chain, links);
	if (!result)
		result = chain->api.event_record(chain->begin, stream);
	if (!result)
		result = chain->way == WEIR_CHAIN_STREAM
		             ? launch_all(chain, links)
		             : chain->api.graph_launch(chain->exec, stream);
	return result ? result : chain->api.event_record(chain->end, stream);
}

weir_status weir_chain_run(weir_chain *chain, const weir_links *links, double *ms)
{
	float elapsed = 0;
	weir_status status = enter(chain);

	*ms = 0;
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = start(chain, links);
	leave(chain);
	if (result)
		return weir_cu_fail(&chain->api, result, "launching kernels");
	status = weir_device_wait(chain->device, (uint64_t)DEADLINE_S * 1000000000, NULL);
	if (status == WEIR_OK)
		status = enter(chain);
	if (status != WEIR_OK)
		return status;
	result = chain->api.event_elapsed(&elapsed, chain->begin, chain->end);
	leave(chain);
	if (result)
		return weir_cu_fail(&chain->api, result, "timing kernels");
	*ms = elapsed;
	return WEIR_OK;
}
