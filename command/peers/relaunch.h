/* Kernel launches as barriers: in a stream, or as the nodes of a CUDA graph. */
#ifndef WEIR_COMMAND_PEERS_RELAUNCH_H
#define WEIR_COMMAND_PEERS_RELAUNCH_H

#include "measure/subject.h"
#include "src/cuda/driver.h"

typedef struct CUgraph_st *cuda_graph;
typedef struct CUgraphExec_st *cuda_graph_exec;

/* What the driver has for graphs, loaded like the rest of it (src/cuda_driver.h); a test compares
 * it with the toolkit's cuda.h. */
#define WEIR_CUDA_GRAPH_FUNCTIONS(X)                                                               \
	X(capture_begin, cuStreamBeginCapture_v2, (cuda_stream stream, unsigned int mode))         \
	X(capture_end, cuStreamEndCapture, (cuda_stream stream, cuda_graph * graph))               \
	X(graph_instantiate, cuGraphInstantiateWithFlags,                                          \
	  (cuda_graph_exec * exec, cuda_graph graph, unsigned long long flags))                    \
	X(graph_launch, cuGraphLaunch, (cuda_graph_exec exec, cuda_stream stream))                 \
	X(graph_destroy, cuGraphDestroy, (cuda_graph graph))                                       \
	X(exec_destroy, cuGraphExecDestroy, (cuda_graph_exec exec))

#define WEIR_CUDA_GRAPH_CONSTANTS(X)                                                               \
	X(CU_STREAM_CAPTURE_MODE_RELAXED, 2)                                                       \
	X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)

typedef struct weir_cuda_graph_api {
#define WEIR_ROW_(member, symbol, parameters) cuda_result(*member) parameters;
	WEIR_CUDA_GRAPH_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_cuda_graph_api;

enum {
#define WEIR_ROW_(name, value) WEIR_##name = value,
	WEIR_CUDA_GRAPH_CONSTANTS(WEIR_ROW_)
#undef WEIR_ROW_
};

typedef struct weir_relaunch weir_relaunch;

/* NULL when the device has no memory for it, or the driver no graphs; the error text says. */
weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph);
void weir_relaunch_destroy(weir_relaunch *relaunch);

/* `rounds` launches of the subject's kernel, one after the other. */
weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome);

/* The most rounds of a run: a graph is made before it is launched. */
uint32_t weir_relaunch_most(const weir_relaunch *relaunch);

/* Cycles of a multiprocessor in a microsecond, at the clock that the driver states. */
weir_status weir_cuda_cycles_per_us(weir_device *device, uint32_t *cycles);

#endif
