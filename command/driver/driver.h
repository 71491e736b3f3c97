/* The part of the CUDA driver API needed for launches that act as barriers, and for figures of
 * kernels. It is declared here so that building does not need the toolkit; a test compares it with
 * the toolkit's cuda.h. */
#ifndef WEIR_COMMAND_DRIVER_DRIVER_H
#define WEIR_COMMAND_DRIVER_DRIVER_H

#include <stdint.h>

#include "weir/weir.h"

typedef unsigned int weir_cu_result;
typedef struct CUctx_st *weir_cu_context;
typedef struct CUfunc_st *weir_cu_function;
typedef struct CUstream_st *weir_cu_stream;
typedef struct CUevent_st *weir_cu_event;
typedef struct CUgraph_st *weir_cu_graph;
typedef struct CUgraphExec_st *weir_cu_graph_exec;

/* A launch with attributes: the layout of the driver's CUlaunchAttribute and CUlaunchConfig, whose
 * tag is CUlaunchConfig_st. */
struct CUlaunchConfig_st;

typedef struct weir_cu_attribute {
	unsigned int id;
	union {
		void *aligned[8];
		int allowed; /* of WEIR_DRIVER_CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */
	} value;
} weir_cu_attribute;

typedef struct weir_cu_launch {
	unsigned int grid[3];
	unsigned int block[3];
	unsigned int shared_bytes;
	weir_cu_stream stream;
	weir_cu_attribute *attributes;
	unsigned int attribute_count;
} weir_cu_launch;

/* The member of the table, the symbol with the version that has this prototype, and the
 * parameters. */
#define WEIR_CU_FUNCTIONS(X)                                                                       \
	X(error_name, cuGetErrorName, (weir_cu_result result, const char **name))                  \
	X(error_string, cuGetErrorString, (weir_cu_result result, const char **string))            \
	X(device_attribute, cuDeviceGetAttribute,                                                  \
	  (int *value, unsigned int attribute, int device))                                        \
	X(function_attribute, cuFuncGetAttribute,                                                  \
	  (int *value, unsigned int attribute, weir_cu_function function))                         \
	X(context_push, cuCtxPushCurrent_v2, (weir_cu_context context))                            \
	X(context_pop, cuCtxPopCurrent_v2, (weir_cu_context * context))                            \
	X(event_create, cuEventCreate, (weir_cu_event * event, unsigned int flags))                \
	X(event_destroy, cuEventDestroy_v2, (weir_cu_event event))                                 \
	X(event_record, cuEventRecord, (weir_cu_event event, weir_cu_stream stream))               \
	X(event_elapsed, cuEventElapsedTime, (float *ms, weir_cu_event start, weir_cu_event stop)) \
	X(launch, cuLaunchKernel,                                                                  \
	  (weir_cu_function function, unsigned int grid_x, unsigned int grid_y,                    \
	   unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z,  \
	   unsigned int shared_bytes, weir_cu_stream stream, void **parameters, void **extra))

/* Functions that an older driver may lack: for graphs, and for launches with attributes. */
#define WEIR_CU_GRAPH_FUNCTIONS(X)                                                                 \
	X(capture_begin, cuStreamBeginCapture_v2, (weir_cu_stream stream, unsigned int mode))      \
	X(capture_end, cuStreamEndCapture, (weir_cu_stream stream, weir_cu_graph * graph))         \
	X(graph_instantiate, cuGraphInstantiateWithFlags,                                          \
	  (weir_cu_graph_exec * exec, weir_cu_graph graph, unsigned long long flags))              \
	X(graph_launch, cuGraphLaunch, (weir_cu_graph_exec exec, weir_cu_stream stream))           \
	X(graph_destroy, cuGraphDestroy, (weir_cu_graph graph))                                    \
	X(exec_destroy, cuGraphExecDestroy, (weir_cu_graph_exec exec))                             \
	X(launch_with, cuLaunchKernelEx,                                                           \
	  (const struct CUlaunchConfig_st *launch, weir_cu_function function, void **parameters,   \
	   void **extra))

#define WEIR_CU_CONSTANTS(X)                                                                       \
	X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                           \
	X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                                      \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                        \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                        \
	X(CU_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                           \
	X(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 6)                                \
	X(CU_EVENT_DEFAULT, 0)                                                                     \
	X(CU_STREAM_CAPTURE_MODE_RELAXED, 2)

typedef struct weir_cu_api {
#define WEIR_ROW_(member, symbol, parameters) weir_cu_result(*member) parameters;
	WEIR_CU_FUNCTIONS(WEIR_ROW_)
	WEIR_CU_GRAPH_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_cu_api;

/* The driver's names with the prefix WEIR_DRIVER_. */
enum {
#define WEIR_ROW_(name, value) WEIR_DRIVER_##name = value,
	WEIR_CU_CONSTANTS(WEIR_ROW_)
#undef WEIR_ROW_
};

/* WEIR_UNSUPPORTED if the driver lacks one of the functions; without `graphs`, those for graphs are
 * not required. */
weir_status weir_cu_load(weir_cu_api *api, int graphs);

/* Fails with "doing: NAME number (the driver's description)": WEIR_UNSUPPORTED if the driver says
 * so, otherwise WEIR_DRIVER_ERROR. */
weir_status weir_cu_fail(const weir_cu_api *api, weir_cu_result result, const char *doing);

/* Cycles of a multiprocessor per microsecond, at the clock that the driver reports. */
weir_status weir_cu_cycles_per_us(weir_device *device, uint32_t *cycles);

#endif
