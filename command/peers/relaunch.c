/* Launches as barriers, through the driver. */
#include "peers/relaunch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench_params.h"
#include "src/core/device.h"
#include "src/cuda/state.h"

enum {
	MOST_LAUNCHES = 20000,
	MOST_NODES = 1000,
	DEADLINE_S = 60
};

struct weir_relaunch {
	const weir_subject *subject;
	cuda_state *cuda;
	cuda_event begin, end;
	int as_graph;
	weir_cuda_graph_api api;
	cuda_graph_exec exec;
	uint32_t nodes; /* of exec */
};

/* The symbol that is missing, or NULL. */
static const char *load_graphs(weir_cuda_graph_api *api)
{
	/* It is loaded already, since a device is open, and never closed. */
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	void *found;

	if (!library)
		return "libcuda.so.1";
#define ROW(member, symbol, parameters)                                                            \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&api->member, &found, sizeof found);
	WEIR_CUDA_GRAPH_FUNCTIONS(ROW)
#undef ROW
	return NULL;
}

static weir_status make_events(weir_relaunch *relaunch)
{
	weir_status status = weir_cuda_enter(relaunch->cuda);
	if (status != WEIR_OK)
		return status;
	cuda_result result = weir_cuda.event_create(&relaunch->begin, WEIR_CU_EVENT_DEFAULT);
	if (!result)
		result = weir_cuda.event_create(&relaunch->end, WEIR_CU_EVENT_DEFAULT);
	weir_cuda_leave();
	return result ? weir_cuda_fail(result, "making events") : WEIR_OK;
}

weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph)
{
	weir_relaunch *relaunch = weir_need(calloc(1, sizeof *relaunch));
	const char *missing = as_graph ? load_graphs(&relaunch->api) : NULL;
	weir_status status = WEIR_OK;

	relaunch->subject = subject;
	relaunch->cuda = subject->meter->device->state;
	relaunch->as_graph = as_graph;
	if (missing)
		status =
		    weir_fail(WEIR_UNSUPPORTED, "the driver has no graphs: it lacks %s", missing);
	if (status == WEIR_OK)
		status = make_events(relaunch);
	if (status == WEIR_OK)
		return relaunch;
	weir_relaunch_destroy(relaunch);
	return NULL;
}

static void drop_graph(weir_relaunch *relaunch)
{
	if (relaunch->exec)
		relaunch->api.exec_destroy(relaunch->exec);
	relaunch->exec = NULL;
	relaunch->nodes = 0;
}

void weir_relaunch_destroy(weir_relaunch *relaunch)
{
	if (!relaunch)
		return;
	if (weir_cuda_enter(relaunch->cuda) == WEIR_OK) {
		drop_graph(relaunch);
		if (relaunch->begin)
			weir_cuda.event_destroy(relaunch->begin);
		if (relaunch->end)
			weir_cuda.event_destroy(relaunch->end);
		weir_cuda_leave();
	}
	free(relaunch);
}

uint32_t weir_relaunch_most(const weir_relaunch *relaunch)
{
	return relaunch->as_graph ? MOST_NODES : MOST_LAUNCHES;
}

static cuda_result launch_all(const weir_relaunch *relaunch, uint32_t rounds)
{
	const weir_subject *subject = relaunch->subject;
	void *words = subject->words;
	void *data = subject->data.native;
	bench_params params = {.config = subject->config, .rounds = rounds};
	void *parameters[] = {&words, &data, &params};
	cuda_result result = WEIR_CUDA_SUCCESS;

	for (uint32_t i = 0; !result && i < rounds; i++)
		result = weir_cuda.launch(subject->kernel.native, subject->wanted.blocks, 1, 1,
		                          subject->wanted.threads, 1, 1, 0, relaunch->cuda->stream,
		                          parameters, NULL);
	return result;
}

/* Launches that are captured instead of run become a chain of nodes. */
static cuda_result make_graph(weir_relaunch *relaunch, uint32_t rounds)
{
	cuda_stream stream = relaunch->cuda->stream;
	cuda_graph graph = NULL;

	drop_graph(relaunch);
	cuda_result result =
	    relaunch->api.capture_begin(stream, WEIR_CU_STREAM_CAPTURE_MODE_RELAXED);
	if (result)
		return result;
	cuda_result launched = launch_all(relaunch, rounds);
	/* Also after a failure, which leaves the stream capturing. */
	result = relaunch->api.capture_end(stream, &graph);
	result = launched ? launched : result;
	if (!result)
		result = relaunch->api.graph_instantiate(&relaunch->exec, graph, 0);
	if (graph)
		relaunch->api.graph_destroy(graph);
	relaunch->nodes = result ? 0 : rounds;
	return result;
}

static cuda_result start(weir_relaunch *relaunch, uint32_t rounds)
{
	cuda_stream stream = relaunch->cuda->stream;
	cuda_result result = WEIR_CUDA_SUCCESS;

	if (relaunch->as_graph && relaunch->nodes != rounds)
		result = make_graph(relaunch, rounds);
	if (!result)
		result = weir_cuda.event_record(relaunch->begin, stream);
	if (!result)
		result = relaunch->as_graph ? relaunch->api.graph_launch(relaunch->exec, stream)
		                            : launch_all(relaunch, rounds);
	return result ? result : weir_cuda.event_record(relaunch->end, stream);
}

weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome)
{
	weir_device *device = relaunch->subject->meter->device;
	float ms = 0;

	memset(outcome, 0, sizeof *outcome);
	weir_status status = weir_cuda_enter(relaunch->cuda);
	if (status != WEIR_OK)
		return status;
	cuda_result result = start(relaunch, rounds);
	weir_cuda_leave();
	if (result)
		return weir_cuda_fail(result, "launching kernels");
	status = weir_device_wait(device, (uint64_t)DEADLINE_S * 1000000000, NULL);
	if (status == WEIR_OK)
		status = weir_cuda_enter(relaunch->cuda);
	if (status != WEIR_OK)
		return status;
	result = weir_cuda.event_elapsed(&ms, relaunch->begin, relaunch->end);
	weir_cuda_leave();
	if (result)
		return weir_cuda_fail(result, "timing kernels");
	outcome->ms = ms;
	outcome->completed = rounds;
	outcome->per_second = ms > 0 ? rounds / (double)ms * 1e3 : 0;
	return WEIR_OK;
}

weir_status weir_cuda_cycles_per_us(weir_device *device, uint32_t *cycles)
{
	cuda_state *cuda = device->state;
	int khz = 0;
	cuda_result result =
	    weir_cuda.device_attribute(&khz, WEIR_CU_DEVICE_ATTRIBUTE_CLOCK_RATE, cuda->device);

	if (result)
		return weir_cuda_fail(result, "asking for the clock rate");
	*cycles = khz > 1000 ? (uint32_t)khz / 1000 : 1;
	return WEIR_OK;
}
