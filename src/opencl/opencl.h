/* Shared by the OpenCL files of the library: the functions, the devices found, and the state of an
 * open device. The functions are looked up at run time, so that nothing links against OpenCL. */
#ifndef WEIR_SRC_OPENCL_H
#define WEIR_SRC_OPENCL_H

#include "base/name.h"
#include "base/status.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <pthread.h>

#include "core/backend.h"

#define WEIR_OPENCL_CALLS(X)                                                                       \
	X(clBuildProgram)                                                                          \
	X(clCreateBuffer)                                                                          \
	X(clCreateCommandQueueWithProperties)                                                      \
	X(clCreateContext)                                                                         \
	X(clCreateKernel)                                                                          \
	X(clCreateProgramWithSource)                                                               \
	X(clEnqueueMarkerWithWaitList)                                                             \
	X(clEnqueueNDRangeKernel)                                                                  \
	X(clEnqueueReadBuffer)                                                                     \
	X(clEnqueueWriteBuffer)                                                                    \
	X(clFlush)                                                                                 \
	X(clGetCommandQueueInfo)                                                                   \
	X(clGetDeviceIDs)                                                                          \
	X(clGetDeviceInfo)                                                                         \
	X(clGetEventInfo)                                                                          \
	X(clGetEventProfilingInfo)                                                                 \
	X(clGetKernelInfo)                                                                         \
	X(clGetKernelWorkGroupInfo)                                                                \
	X(clGetPlatformIDs)                                                                        \
	X(clGetPlatformInfo)                                                                       \
	X(clGetProgramBuildInfo)                                                                   \
	X(clGetProgramInfo)                                                                        \
	X(clReleaseCommandQueue)                                                                   \
	X(clReleaseContext)                                                                        \
	X(clReleaseEvent)                                                                          \
	X(clReleaseKernel)                                                                         \
	X(clReleaseMemObject)                                                                      \
	X(clReleaseProgram)                                                                        \
	X(clRetainCommandQueue)                                                                    \
	X(clRetainContext)                                                                         \
	X(clRetainEvent)                                                                           \
	X(clSetKernelArg)

typedef struct weir_opencl_calls {
#define WEIR_ROW_(name) __typeof__(&name) name;
	WEIR_OPENCL_CALLS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_opencl_calls;

/* Filled by weir_opencl_load, which must be called before any other use. */
extern weir_opencl_calls weir_opencl;

/* Loads OpenCL, once per process. Returns "", or the reason why there is none. */
const char *weir_opencl_load(void);

/* "CL_INVALID_VALUE" and so on, or "an unknown error" for unlisted codes. */
const char *weir_opencl_error_name(cl_int error);

/* Sets the error text to `what` and the error's name, and returns the status for the error. */
weir_status weir_opencl_fail(cl_int error, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct weir_opencl_state {
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	uint32_t units;
	cl_ulong local_bytes;
	const char *build_options; /* every program here needs them */
	uint32_t cycles_per_ms;    /* of the counter that kernels can read; 0: none */
	int shares_memory;         /* kernels reach the process's memory */
	size_t area_bytes;         /* of a diagnosis */
	int adopted;               /* the caller owns context and queue */
	pthread_mutex_t lock;      /* guards the members below and the arguments of kernels */
	cl_event last;             /* the last launch on `queue`, or NULL */
	int overdue;               /* a wait timed out, and the queue has not been seen idle
	                            * since */
} weir_opencl_state;

/* Cycles per millisecond of the counter that a kernel can read on this CPU; 0: none. The first call
 * takes some milliseconds. */
uint32_t weir_opencl_cycles_per_ms(void);

/* The functions of weir_opencl_backend, by file. */

/* opencl_device.c */
const char *weir_opencl_list(weir_device_info *infos, size_t room, size_t *count);
int weir_opencl_has_word64(void *state);
weir_status weir_opencl_open(uint32_t index, void **state, weir_device_info *info);
void weir_opencl_close(void *state);

/* opencl_program.c */
weir_status weir_opencl_program_load(void *state, const weir_program_text *text, void **module);
weir_status weir_opencl_program_kernel(void *state, void *module, const char *name,
                                       weir_kernel *kernel);
void weir_opencl_program_unload(void *state, void *module);

/* opencl_launch.c */
weir_status weir_opencl_resident(void *state, weir_kernel kernel, uint32_t threads,
                                 size_t shared_bytes, uint32_t *blocks);
uint32_t weir_opencl_most_blocks(void *state);
weir_status weir_opencl_launch(void *state, const weir_checked_launch *launch);
weir_status weir_opencl_wait(void *state, uint64_t timeout_ns, double *elapsed_ms);
/* Called before operations that would wait for the queue. WEIR_BUSY if a wait timed out and the
 * kernel still runs: the operation might never return. */
weir_status weir_opencl_check_overdue(weir_opencl_state *state);
int weir_opencl_is_running(void *state);

#endif
