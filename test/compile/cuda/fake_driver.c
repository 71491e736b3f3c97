/* A driver without a device: it stands in for libcuda.so.1, does as told and records the calls. It
 * has three devices. The second is too old for weir; the third can launch neither cooperatively nor
 * in clusters. With OLD_DRIVER it lacks functions of later drivers. */
#include "fake_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INVALID_CONTEXT 201

fake_driver fake;

/* For tests in other languages, which do not know the structure. */
void fake_set_series(unsigned int series)
{
	fake.series = series;
}

unsigned int fake_cooperative_launches(void)
{
	return (unsigned int)fake.cooperative;
}

uint64_t fake_launch_stream(void)
{
	return (uintptr_t)fake.launch_stream;
}

static cuda_result in_context(cuda_result result)
{
	if (fake.depth == 1)
		return result;
	fake.misplaced++;
	return INVALID_CONTEXT;
}

static void would_wait(void)
{
	if (fake.stream_status == WEIR_CUDA_ERROR_NOT_READY)
		fake.hung++;
}

cuda_result cuInit(unsigned int flags)
{
	fake.inits++;
	return flags ? WEIR_CUDA_ERROR_INVALID_VALUE : WEIR_CUDA_SUCCESS;
}

cuda_result cuDriverGetVersion(int *version)
{
	*version = 13010;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuGetErrorName(cuda_result result, const char **name)
{
	*name = result == WEIR_CUDA_ERROR_LAUNCH_FAILED ? "FAKE_LAUNCH_FAILED" : NULL;
	return *name ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuGetErrorString(cuda_result result, const char **string)
{
	*string = result == WEIR_CUDA_ERROR_LAUNCH_FAILED ? "a fake trap" : NULL;
	return *string ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuDeviceGetCount(int *count)
{
	*count = 3;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDeviceGet(cuda_device *device, int ordinal)
{
	*device = 10 + ordinal;
	return ordinal < 3 ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE;
}

cuda_result cuDeviceGetName(char *name, int length, cuda_device device)
{
	memset(name, 'x', (size_t)length); /* as a driver may leave it behind the text */
	snprintf(name, (size_t)length, "Fake %d", device);
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDeviceGetAttribute(int *value, unsigned int attribute, cuda_device device)
{
	switch (attribute) {
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = 1024;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = fake.depth && fake.context_units ? fake.context_units : 132;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
		*value = 50 << 20;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
		*value = 2048;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
		*value = device == 11 ? 6 : 9;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
		*value = device != 12;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED:
		*value = fake.host_atomics;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
		*value = device != 12;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
		*value = 227 << 10;
		break;
	case WEIR_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
		*value = 32;
		break;
	default:
		return WEIR_CUDA_ERROR_INVALID_VALUE;
	}
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDevicePrimaryCtxRetain(cuda_context *context, cuda_device device)
{
	fake.contexts++;
	*context = (cuda_context)(uintptr_t)device;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuDevicePrimaryCtxRelease_v2(cuda_device device)
{
	(void)device;
	would_wait();
	fake.contexts--;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuCtxPushCurrent_v2(cuda_context context)
{
	fake.depth++;
	return context ? WEIR_CUDA_SUCCESS : INVALID_CONTEXT;
}

cuda_result cuCtxPopCurrent_v2(cuda_context *context)
{
	fake.depth--;
	*context = NULL;
	return WEIR_CUDA_SUCCESS;
}

cuda_result cuStreamCreate(cuda_stream *stream, unsigned int flags)
{
	fake.streams++;
	*stream = fake.idle_stream ? fake.idle_stream : (cuda_stream)0x51;
	return in_context(flags == WEIR_CU_STREAM_NON_BLOCKING ? WEIR_CUDA_SUCCESS
	                                                       : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuStreamDestroy_v2(cuda_stream stream)
{
	(void)stream;
	fake.streams--;
	return in_context(fake.stream_status);
}

cuda_result cuStreamQuery(cuda_stream stream)
{
	(void)stream;
	if (fake.busy_queries > 0) {
		fake.busy_queries--;
		return in_context(WEIR_CUDA_ERROR_NOT_READY);
	}
	return in_context(fake.stream_status);
}

cuda_result cuStreamSynchronize(cuda_stream stream)
{
	if (fake.idle_stream && stream == fake.idle_stream)
		return in_context(WEIR_CUDA_SUCCESS);
	would_wait();
	return in_context(fake.stream_status);
}

cuda_result cuEventCreate(cuda_event *event, unsigned int flags)
{
	(void)flags;
	fake.events++;
	*event = (cuda_event)0x61;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventDestroy_v2(cuda_event event)
{
	(void)event;
	fake.events--;
	return in_context(fake.stream_status);
}

cuda_result cuEventRecord(cuda_event event, cuda_stream stream)
{
	(void)event, (void)stream;
	fake.records++;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuEventElapsedTime(float *ms, cuda_event begin, cuda_event end)
{
	(void)begin, (void)end;
	*ms = 1.5F;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemAlloc_v2(cuda_address *address, size_t bytes)
{
	void *memory;

	if (fake.allocate_result)
		return in_context(fake.allocate_result);
	memory = malloc(bytes);
	if (!memory)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	memset(memory, 0xaa, bytes);
	fake.memories++;
	*address = (uintptr_t)memory;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemFree_v2(cuda_address address)
{
	would_wait();
	fake.memories--;
	free((void *)(uintptr_t)address);
	return in_context(fake.stream_status);
}

#ifndef OLD_DRIVER
cuda_result cuIpcGetMemHandle(struct CUipcMemHandle_st *handle, cuda_address address)
{
	memset(handle, 0, sizeof *handle);
	memcpy(handle, &address, sizeof address);
	fake.exports++;
	return in_context(WEIR_CUDA_SUCCESS);
}

/* The memory of another process: some of its own, as large as any that a test touches. */
cuda_result cuIpcOpenMemHandle_v2(cuda_address *address, struct CUipcMemHandle_st handle,
                                  unsigned int flags)
{
	(void)handle;
	if (fake.import_result)
		return in_context(fake.import_result);
	*address = (uintptr_t)calloc(1, 1 << 16);
	fake.imports++;
	return in_context(flags == WEIR_CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
	                      ? WEIR_CUDA_SUCCESS
	                      : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuIpcCloseMemHandle(cuda_address address)
{
	free((void *)(uintptr_t)address);
	fake.imports--;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuCtxEnablePeerAccess(cuda_context context, unsigned int flags)
{
	(void)context;
	fake.peers++;
	return in_context(flags == 0 ? fake.peer_result : WEIR_CUDA_ERROR_INVALID_VALUE);
}
#endif

cuda_result cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
	if (fake.allocate_result)
		return in_context(fake.allocate_result);
	*memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	if (!*memory)
		return WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	memset(*memory, 0xaa, bytes);
	fake.pinned++;
	return in_context(flags == (WEIR_CU_MEMHOSTALLOC_PORTABLE | WEIR_CU_MEMHOSTALLOC_DEVICEMAP)
	                      ? WEIR_CUDA_SUCCESS
	                      : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuMemFreeHost(void *memory)
{
	would_wait();
	fake.pinned--;
	free(memory);
	return in_context(fake.stream_status);
}

cuda_result cuMemsetD8Async(cuda_address to, unsigned char value, size_t bytes, cuda_stream stream)
{
	(void)stream;
	memset((void *)(uintptr_t)to, value, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemcpyHtoDAsync_v2(cuda_address to, const void *from, size_t bytes,
                                 cuda_stream stream)
{
	(void)stream;
	memcpy((void *)(uintptr_t)to, from, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuMemcpyDtoHAsync_v2(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
	(void)stream;
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleLoadDataEx(cuda_module *module, const void *image, unsigned int count,
                               unsigned int *options, void **values)
{
	if (strcmp(image, "good") != 0) {
		if (count == 2 && options[0] == WEIR_CU_JIT_ERROR_LOG_BUFFER &&
		    options[1] == WEIR_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			snprintf(values[0], (size_t)(uintptr_t)values[1],
			         "fake ptxas, line 7\nerror\n");
		return in_context(WEIR_CUDA_ERROR_INVALID_PTX);
	}
	fake.modules++;
	*module = (cuda_module)0x71;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleUnload(cuda_module module)
{
	(void)module;
	would_wait();
	fake.modules--;
	return in_context(fake.stream_status);
}

cuda_result cuModuleGetFunction(cuda_function *function, cuda_module module, const char *name)
{
	(void)module;
	*function = (cuda_function)0x81;
	return in_context(strcmp(name, "step") == 0 ? WEIR_CUDA_SUCCESS
	                                            : WEIR_CUDA_ERROR_NOT_FOUND);
}

/* Of a kernel of a library, which only callers of the library have. */
cuda_result cuKernelGetFunction(cuda_function *function, void *kernel)
{
	*function = (cuda_function)0x81;
	return kernel ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_HANDLE;
}

#ifndef OLD_DRIVER
cuda_result cuModuleGetFunctionCount(unsigned int *count, cuda_module module)
{
	*count = module ? 2 : 0;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuModuleEnumerateFunctions(cuda_function *functions, unsigned int count,
                                       cuda_module module)
{
	for (unsigned int i = 0; i < count; i++)
		functions[i] = (cuda_function)(uintptr_t)(0x81 + i);
	return in_context(module && count <= 2 ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_INVALID_VALUE);
}

cuda_result cuFuncGetName(const char **name, cuda_function function)
{
	*name = function == (cuda_function)0x81 ? "step" : "_Z4scanPf";
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuFuncGetModule(cuda_module *module, cuda_function function)
{
	*module = (cuda_module)0x71;
	return in_context(function ? fake.module_result : WEIR_CUDA_ERROR_INVALID_HANDLE);
}

cuda_result cuModuleGetGlobal_v2(cuda_address *address, size_t *bytes, cuda_module module,
                                 const char *name)
{
	*address = 0x91;
	if (module && fake.series && strcmp(name, "_Z20weir_kernels_series_ILi0EE") == 0) {
		*bytes = fake.series;
		return in_context(WEIR_CUDA_SUCCESS);
	}
	*bytes = 1;
	for (const char *const *global = fake.globals; module && global && *global; global++)
		if (strcmp(*global, name) == 0)
			return in_context(WEIR_CUDA_SUCCESS);
	return in_context(WEIR_CUDA_ERROR_NOT_FOUND);
}
#endif

cuda_result cuFuncGetAttribute(int *value, unsigned int attribute, cuda_function function)
{
	if (!function)
		return in_context(WEIR_CUDA_ERROR_INVALID_HANDLE);
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
		*value = 512;
	else if (attribute == WEIR_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
		*value = 1024;
	else if (attribute >= WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH &&
	         attribute <= WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)
		*value = fake.compiled_cluster[attribute -
		                               WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
	else
		*value = fake.allowed_shared;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuFuncSetAttribute(cuda_function function, unsigned int attribute, int value)
{
	(void)function;
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
		fake.allowed_shared = value;
	if (attribute == WEIR_CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
		fake.allowed_large_clusters = value;
	return in_context(WEIR_CUDA_SUCCESS);
}

cuda_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda_function function,
                                                        int threads, size_t shared_bytes)
{
	(void)function;
	*blocks = shared_bytes > 0 ? 2 : 2048 / threads;
	return in_context(WEIR_CUDA_SUCCESS);
}

static cuda_result note_launch(const unsigned int grid[3], const unsigned int block[3],
                               unsigned int shared_bytes, cuda_stream stream, void **parameters)
{
	memcpy(fake.launch_grid, grid, sizeof fake.launch_grid);
	memcpy(fake.launch_block, block, sizeof fake.launch_block);
	fake.launch_shared = shared_bytes;
	fake.launch_stream = stream;
	fake.launch_argument = *(int *)parameters[0];
	return in_context(fake.launch_result);
}

cuda_result cuLaunchKernel(cuda_function function, unsigned int grid_x, unsigned int grid_y,
                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                           unsigned int block_z, unsigned int shared_bytes, cuda_stream stream,
                           void **parameters, void **extra)
{
	(void)function, (void)extra;
	fake.plain++;
	return note_launch((unsigned int[]){grid_x, grid_y, grid_z},
	                   (unsigned int[]){block_x, block_y, block_z}, shared_bytes, stream,
	                   parameters);
}

cuda_result cuLaunchCooperativeKernel(cuda_function function, unsigned int grid_x,
                                      unsigned int grid_y, unsigned int grid_z,
                                      unsigned int block_x, unsigned int block_y,
                                      unsigned int block_z, unsigned int shared_bytes,
                                      cuda_stream stream, void **parameters)
{
	(void)function;
	fake.cooperative++;
	return note_launch((unsigned int[]){grid_x, grid_y, grid_z},
	                   (unsigned int[]){block_x, block_y, block_z}, shared_bytes, stream,
	                   parameters);
}

cuda_result cuLaunchKernelEx(const struct CUlaunchConfig_st *opaque, cuda_function function,
                             void **parameters, void **extra)
{
	const cuda_launch_config *config = (const cuda_launch_config *)opaque;

	(void)function, (void)extra;
	for (unsigned int i = 0; i < config->attribute_count; i++) {
		const cuda_launch_attribute *attribute = &config->attributes[i];
		if (attribute->id == WEIR_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			memcpy(fake.launch_cluster, attribute->value.cluster,
			       sizeof fake.launch_cluster);
		if (attribute->id == WEIR_CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			fake.cooperative += attribute->value.cooperative;
	}
	fake.clustered++;
	return note_launch(config->grid, config->block, config->shared_bytes, config->stream,
	                   parameters);
}

cuda_result cuOccupancyMaxPotentialClusterSize(int *blocks, cuda_function function,
                                               const struct CUlaunchConfig_st *config)
{
	(void)function, (void)config;
	*blocks = fake.allowed_large_clusters ? 16 : 8;
	return in_context(WEIR_CUDA_SUCCESS);
}

/* 528 blocks fit; the result is how many whole clusters those are. */
cuda_result cuOccupancyMaxActiveClusters(int *clusters, cuda_function function,
                                         const struct CUlaunchConfig_st *opaque)
{
	const cuda_launch_config *config = (const cuda_launch_config *)opaque;
	const unsigned int *size = config->attributes[0].value.cluster;

	(void)function;
	*clusters = (int)(528 / (size[0] * size[1] * size[2]));
	return in_context(WEIR_CUDA_SUCCESS);
}
