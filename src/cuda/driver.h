/* The part of the CUDA driver API that weir uses. It is declared here so that building needs
 * neither the toolkit nor the driver: libcuda.so.1 is opened when the first CUDA device is asked
 * for.
 *
 * Constants are the driver's names with WEIR_ in front. Where the toolkit's cuda.h is installed, a
 * test compares every constant and every prototype of this file with it.
 */
#ifndef WEIR_CUDA_DRIVER_H
#define WEIR_CUDA_DRIVER_H

#include "weir/weir.h"

typedef unsigned int cuda_result;
typedef int cuda_device;
typedef unsigned long long cuda_address;
typedef struct CUctx_st *cuda_context;
typedef struct CUmod_st *cuda_module;
typedef struct CUfunc_st *cuda_function;
typedef struct CUstream_st *cuda_stream;
typedef struct CUevent_st *cuda_event;
struct CUlaunchConfig_st;
#ifndef __cuda_cuda_h__
/* The driver's name for memory of a process that another one opens. */
struct CUipcMemHandle_st {
	char reserved[64];
};
#endif

/* Results, with the status that each one becomes; any other is a WEIR_DRIVER_ERROR. */
#define WEIR_CUDA_RESULTS(X)                                                                       \
	X(CUDA_SUCCESS, 0, WEIR_OK)                                                                \
	X(CUDA_ERROR_INVALID_VALUE, 1, WEIR_BAD_ARGUMENT)                                          \
	X(CUDA_ERROR_OUT_OF_MEMORY, 2, WEIR_NO_MEMORY)                                             \
	X(CUDA_ERROR_STUB_LIBRARY, 34, WEIR_NO_DEVICE)                                             \
	X(CUDA_ERROR_NO_DEVICE, 100, WEIR_NO_DEVICE)                                               \
	X(CUDA_ERROR_INVALID_DEVICE, 101, WEIR_NO_DEVICE)                                          \
	X(CUDA_ERROR_INVALID_IMAGE, 200, WEIR_BAD_PROGRAM)                                         \
	X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, WEIR_BAD_PROGRAM)                                     \
	X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, WEIR_UNSUPPORTED)                               \
	X(CUDA_ERROR_INVALID_PTX, 218, WEIR_BAD_PROGRAM)                                           \
	X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, WEIR_BAD_PROGRAM)                                \
	X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, WEIR_BAD_PROGRAM)                               \
	X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223, WEIR_BAD_PROGRAM)                              \
	X(CUDA_ERROR_INVALID_SOURCE, 300, WEIR_BAD_PROGRAM)                                        \
	X(CUDA_ERROR_INVALID_HANDLE, 400, WEIR_BAD_ARGUMENT)                                       \
	X(CUDA_ERROR_NOT_FOUND, 500, WEIR_NOT_FOUND)                                               \
	X(CUDA_ERROR_NOT_READY, 600, WEIR_BUSY)                                                    \
	X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, WEIR_LAUNCH_FAILED)                                     \
	X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, WEIR_BAD_ARGUMENT)                              \
	X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, WEIR_LAUNCH_FAILED)                                      \
	X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, WEIR_OK)                                    \
	X(CUDA_ERROR_ASSERT, 710, WEIR_LAUNCH_FAILED)                                              \
	X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, WEIR_LAUNCH_FAILED)                                \
	X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, WEIR_LAUNCH_FAILED)                                 \
	X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, WEIR_LAUNCH_FAILED)                                  \
	X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, WEIR_LAUNCH_FAILED)                               \
	X(CUDA_ERROR_INVALID_PC, 718, WEIR_LAUNCH_FAILED)                                          \
	X(CUDA_ERROR_LAUNCH_FAILED, 719, WEIR_LAUNCH_FAILED)                                       \
	X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, WEIR_TOO_MANY_BLOCKS)                      \
	X(CUDA_ERROR_NOT_SUPPORTED, 801, WEIR_UNSUPPORTED)                                         \
	X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, WEIR_BAD_ARGUMENT)

#define WEIR_CUDA_CONSTANTS(X)                                                                     \
	X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                            \
	X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                            \
	X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                                   \
	X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                                  \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                        \
	X(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 86)                                    \
	X(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 95)                                              \
	X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                               \
	X(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 106)                                  \
	X(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 120)                                                 \
	X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                              \
	X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                                  \
	X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                      \
	X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 11)                                            \
	X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 12)                                           \
	X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 13)                                            \
	X(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 14)                                 \
	X(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2)                                                      \
	X(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4)                                                \
	X(CU_JIT_ERROR_LOG_BUFFER, 5)                                                              \
	X(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                   \
	X(CU_MEMHOSTALLOC_PORTABLE, 1)                                                             \
	X(CU_MEMHOSTALLOC_DEVICEMAP, 2)                                                            \
	X(CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, 1)                                                   \
	X(CU_STREAM_NON_BLOCKING, 1)                                                               \
	X(CU_EVENT_DEFAULT, 0)

enum {
#define WEIR_ROW_(name, value, status) WEIR_##name = value,
	WEIR_CUDA_RESULTS(WEIR_ROW_)
#undef WEIR_ROW_
#define WEIR_ROW_(name, value) WEIR_##name = value,
	WEIR_CUDA_CONSTANTS(WEIR_ROW_)
#undef WEIR_ROW_
};

/* A launch with attributes: the layout of the driver's CUlaunchAttribute and CUlaunchConfig, as far
 * as weir sets them. */
typedef struct cuda_launch_attribute {
	unsigned int id;
	union {
		void *aligned[8];
		int cooperative;
		unsigned int cluster[3];
	} value;
} cuda_launch_attribute;

typedef struct cuda_launch_config {
	unsigned int grid[3];
	unsigned int block[3];
	unsigned int shared_bytes;
	cuda_stream stream;
	cuda_launch_attribute *attributes;
	unsigned int attribute_count;
} cuda_launch_config;

/* The functions: the member of the table, the symbol with the version that has this prototype, and
 * the parameters. */
#define WEIR_CUDA_FUNCTIONS(X)                                                                     \
	X(init, cuInit, (unsigned int flags))                                                      \
	X(driver_version, cuDriverGetVersion, (int *version))                                      \
	X(error_name, cuGetErrorName, (cuda_result result, const char **name))                     \
	X(error_string, cuGetErrorString, (cuda_result result, const char **string))               \
	X(device_count, cuDeviceGetCount, (int *count))                                            \
	X(device_get, cuDeviceGet, (cuda_device * device, int ordinal))                            \
	X(device_name, cuDeviceGetName, (char *name, int length, cuda_device device))              \
	X(device_attribute, cuDeviceGetAttribute,                                                  \
	  (int *value, unsigned int attribute, cuda_device device))                                \
	X(context_retain, cuDevicePrimaryCtxRetain, (cuda_context * context, cuda_device device))  \
	X(context_release, cuDevicePrimaryCtxRelease_v2, (cuda_device device))                     \
	X(context_push, cuCtxPushCurrent_v2, (cuda_context context))                               \
	X(context_pop, cuCtxPopCurrent_v2, (cuda_context * context))                               \
	X(stream_create, cuStreamCreate, (cuda_stream * stream, unsigned int flags))               \
	X(stream_destroy, cuStreamDestroy_v2, (cuda_stream stream))                                \
	X(stream_query, cuStreamQuery, (cuda_stream stream))                                       \
	X(stream_synchronize, cuStreamSynchronize, (cuda_stream stream))                           \
	X(event_create, cuEventCreate, (cuda_event * event, unsigned int flags))                   \
	X(event_destroy, cuEventDestroy_v2, (cuda_event event))                                    \
	X(event_record, cuEventRecord, (cuda_event event, cuda_stream stream))                     \
	X(event_elapsed, cuEventElapsedTime, (float *ms, cuda_event start, cuda_event stop))       \
	X(memory_allocate, cuMemAlloc_v2, (cuda_address * address, size_t bytes))                  \
	X(memory_free, cuMemFree_v2, (cuda_address address))                                       \
	X(memory_pin, cuMemHostAlloc, (void **memory, size_t bytes, unsigned int flags))           \
	X(memory_unpin, cuMemFreeHost, (void *memory))                                             \
	X(memory_set, cuMemsetD8Async,                                                             \
	  (cuda_address to, unsigned char value, size_t bytes, cuda_stream stream))                \
	X(memory_write, cuMemcpyHtoDAsync_v2,                                                      \
	  (cuda_address to, const void *from, size_t bytes, cuda_stream stream))                   \
	X(memory_read, cuMemcpyDtoHAsync_v2,                                                       \
	  (void *to, cuda_address from, size_t bytes, cuda_stream stream))                         \
	X(module_load, cuModuleLoadDataEx,                                                         \
	  (cuda_module * module, const void *image, unsigned int count, unsigned int *options,     \
	   void **values))                                                                         \
	X(module_unload, cuModuleUnload, (cuda_module module))                                     \
	X(module_function, cuModuleGetFunction,                                                    \
	  (cuda_function * function, cuda_module module, const char *name))                        \
	X(function_get, cuFuncGetAttribute,                                                        \
	  (int *value, unsigned int attribute, cuda_function function))                            \
	X(function_set, cuFuncSetAttribute,                                                        \
	  (cuda_function function, unsigned int attribute, int value))                             \
	X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                  \
	  (int *blocks, cuda_function function, int threads, size_t shared_bytes))                 \
	X(launch, cuLaunchKernel,                                                                  \
	  (cuda_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,  \
	   unsigned int block_x, unsigned int block_y, unsigned int block_z,                       \
	   unsigned int shared_bytes, cuda_stream stream, void **parameters, void **extra))        \
	X(launch_cooperative, cuLaunchCooperativeKernel,                                           \
	  (cuda_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,  \
	   unsigned int block_x, unsigned int block_y, unsigned int block_z,                       \
	   unsigned int shared_bytes, cuda_stream stream, void **parameters))

/* Functions that an older driver may lack: then NULL. CUlaunchConfig_st is the driver's name for a
 * cuda_launch_config. */
#define WEIR_CUDA_LATER_FUNCTIONS(X)                                                               \
	X(module_functions, cuModuleGetFunctionCount, (unsigned int *count, cuda_module module))   \
	X(module_list, cuModuleEnumerateFunctions,                                                 \
	  (cuda_function * functions, unsigned int count, cuda_module module))                     \
	X(function_name, cuFuncGetName, (const char **name, cuda_function function))               \
	X(function_module, cuFuncGetModule, (cuda_module * module, cuda_function function))        \
	X(module_global, cuModuleGetGlobal_v2,                                                     \
	  (cuda_address * address, size_t * bytes, cuda_module module, const char *name))          \
	X(memory_export, cuIpcGetMemHandle,                                                        \
	  (struct CUipcMemHandle_st * handle, cuda_address address))                               \
	X(memory_import, cuIpcOpenMemHandle_v2,                                                    \
	  (cuda_address * address, struct CUipcMemHandle_st handle, unsigned int flags))           \
	X(memory_drop, cuIpcCloseMemHandle, (cuda_address address))                                \
	X(peer_enable, cuCtxEnablePeerAccess, (cuda_context context, unsigned int flags))          \
	X(launch_with, cuLaunchKernelEx,                                                           \
	  (const struct CUlaunchConfig_st *config, cuda_function function, void **parameters,      \
	   void **extra))                                                                          \
	X(most_in_cluster, cuOccupancyMaxPotentialClusterSize,                                     \
	  (int *blocks, cuda_function function, const struct CUlaunchConfig_st *config))           \
	X(active_clusters, cuOccupancyMaxActiveClusters,                                           \
	  (int *clusters, cuda_function function, const struct CUlaunchConfig_st *config))

typedef struct weir_cuda_api {
#define WEIR_ROW_(member, symbol, parameters) cuda_result(*member) parameters;
	WEIR_CUDA_FUNCTIONS(WEIR_ROW_)
	WEIR_CUDA_LATER_FUNCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_cuda_api;

#define WEIR_CUDA_MOST_DEVICES 64

/* A vendor's driver. The hip and ptx backends are the cuda backend with another driver. AMD's runtime has nearly the
 * same functions, and src/hip/runtime.c maps them to the names and numbers of this file. src/ptx_device/driver.c
 * implements them on top of an interpreter. The last four members are valid once `load` has returned "". */
typedef struct weir_cuda_driver {
	weir_machine machine;
	const char *prefix;             /* "cuda", of the names of its devices */
	const char *api;                /* "CUDA" */
	const char *vendor;             /* "NVIDIA" */
	const char *software, *library; /* "driver" of that vendor, and its file */
	int oldest_major; /* of the devices that can run weir's kernels: their compute capability, */
	const char *oldest; /* and its name */
	const char *(*resolve)(
	    void *library); /* finds the functions; returns the one that is missing, or NULL */
	const char *(*load)(void);
	const void *(*image)(const weir_program_text *text);
	/* What only the interpreter of PTX has; NULL for drivers of GPUs. */
	void (*name)(cuda_device device, char *name, size_t bytes); /* else PREFIX:INDEX */
	void (*expose)(cuda_address address); /* the host will write there while kernels run */
	void (*stop)(cuda_stream stream);     /* ends what runs */
	/* Whether a result has a text of its own, which takes the place of its name. */
	int (*explain)(cuda_result result, weir_status *status, const char **text);
	char absence[192]; /* "", or the reason why no device can be used */
	weir_cuda_api calls;
	/* The devices that can run weir's kernels. */
	cuda_device devices[WEIR_CUDA_MOST_DEVICES];
	uint32_t device_count;
} weir_cuda_driver;

/* `load` opens the driver, once for the process. */
extern weir_cuda_driver weir_cuda;
extern weir_cuda_driver weir_hip;        /* src/hip/runtime.c */
extern weir_cuda_driver weir_ptx_driver; /* src/ptx_device/driver.c */
/* The number of the ptx device with these parameters, "sms=4,seed=7". */
weir_status weir_ptx_device_find(const char *parameters, uint32_t *index);

/* Starts the driver that is in `library`, which may be NULL, and finds its devices. */
void weir_cuda_load(weir_cuda_driver *driver, void *library);

/* The status for `result`, with the message "doing: NAME (the driver's description)". */
weir_status weir_cuda_fail(const weir_cuda_driver *driver, cuda_result result, const char *doing);

#endif
