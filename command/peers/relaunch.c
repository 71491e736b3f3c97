/* Launches as barriers, through the driver. */
#include "peers/relaunch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "kernels/bench_params.h"
#include "measure/subject.h"
#include "peers/driver.h"
#include "weir/weir.h"

enum {
	MOST_LAUNCHES = 20000,
	MOST_NODES = 1000,
	DEADLINE_S = 60
};

struct weir_relaunch {
	const weir_subject *subject;
	weir_cu_api api;
	weir_cu_context context;
	weir_cu_stream stream;
	weir_cu_event begin, end;
	int as_graph;
	weir_cu_graph_exec exec;
	uint32_t nodes; /* of exec */
};

/* Calls of the driver are between these two: the thread's current context stays what it was. */
static weir_status enter(const weir_relaunch *relaunch)
{
	weir_cu_result result = relaunch->api.context_push(relaunch->context);

	return result ? weir_cu_fail(&relaunch->api, result, "entering the context") : WEIR_OK;
}

static void leave(const weir_relaunch *relaunch)
{
	weir_cu_context context;
	relaunch->api.context_pop(&context);
}

static weir_status make_events(weir_relaunch *relaunch)
{
	const weir_cu_api *api = &relaunch->api;
	weir_status status = enter(relaunch);

	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api->event_create(&relaunch->begin, WEIR_DRIVER_CU_EVENT_DEFAULT);
	if (!result)
		result = api->event_create(&relaunch->end, WEIR_DRIVER_CU_EVENT_DEFAULT);
	leave(relaunch);
	return result ? weir_cu_fail(api, result, "making events") : WEIR_OK;
}

weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph)
{
	weir_relaunch *relaunch = weir_need(calloc(1, sizeof *relaunch));
	weir_cuda_handles handles;
	weir_status status = weir_device_cuda(subject->meter->device, &handles);

	relaunch->subject = subject;
	relaunch->as_graph = as_graph;
	if (status == WEIR_OK) {
		relaunch->context = handles.context;
		relaunch->stream = handles.stream;
		status = weir_cu_load(&relaunch->api, as_graph);
	}
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
	/* Without events there was no driver, or it refused. */
	if (relaunch->begin && enter(relaunch) == WEIR_OK) {
		drop_graph(relaunch);
		relaunch->api.event_destroy(relaunch->begin);
		if (relaunch->end)
			relaunch->api.event_destroy(relaunch->end);
		leave(relaunch);
	}
	free(relaunch);
}

uint32_t weir_relaunch_most(const weir_relaunch *relaunch)
{
	return relaunch->as_graph ? MOST_NODES : MOST_LAUNCHES;
}

static weir_cu_result launch_all(const weir_relaunch *relaunch, uint32_t rounds)
{
	const weir_subject *subject = relaunch->subject;
	void *words = subject->words;
	void *data = subject->data.native;
	bench_params params = {.config = subject->config, .rounds = rounds};
	void *parameters[] = {&words, &data, &params};
	weir_cu_result result = 0;

	for (uint32_t i = 0; !result && i < rounds; i++)
		result = relaunch->api.launch(subject->kernel.native, subject->wanted.blocks, 1, 1,
		                              subject->wanted.threads, 1, 1, 0, relaunch->stream,
		                              parameters, NULL);
	return result;
}

/* Launches that are captured instead of run become a chain of nodes. */
static weir_cu_result make_graph(weir_relaunch *relaunch, uint32_t rounds)
{
	weir_cu_stream stream = relaunch->stream;
	weir_cu_graph graph = NULL;

	drop_graph(relaunch);
	weir_cu_result result =
	    relaunch->api.capture_begin(stream, WEIR_DRIVER_CU_STREAM_CAPTURE_MODE_RELAXED);
	if (result)
		return result;
	weir_cu_result launched = launch_all(relaunch, rounds);
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

static weir_cu_result start(weir_relaunch *relaunch, uint32_t rounds)
{
	weir_cu_stream stream = relaunch->stream;
	weir_cu_result result = 0;

	if (relaunch->as_graph && relaunch->nodes != rounds)
		result = make_graph(relaunch, rounds);
	if (!result)
		result = relaunch->api.event_record(relaunch->begin, stream);
	if (!result)
		result = relaunch->as_graph ? relaunch->api.graph_launch(relaunch->exec, stream)
		                            : launch_all(relaunch, rounds);
	return result ? result : relaunch->api.event_record(relaunch->end, stream);
}

weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome)
{
	weir_device *device = relaunch->subject->meter->device;
	float ms = 0;

	memset(outcome, 0, sizeof *outcome);
	weir_status status = enter(relaunch);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = start(relaunch, rounds);
	leave(relaunch);
	if (result)
		return weir_cu_fail(&relaunch->api, result, "launching kernels");
	status = weir_device_wait(device, (uint64_t)DEADLINE_S * 1000000000, NULL);
	if (status == WEIR_OK)
		status = enter(relaunch);
	if (status != WEIR_OK)
		return status;
	result = relaunch->api.event_elapsed(&ms, relaunch->begin, relaunch->end);
	leave(relaunch);
	if (result)
		return weir_cu_fail(&relaunch->api, result, "timing kernels");
	outcome->ms = ms;
	outcome->completed = rounds;
	outcome->per_second = ms > 0 ? rounds / (double)ms * 1e3 : 0;
	return WEIR_OK;
}
