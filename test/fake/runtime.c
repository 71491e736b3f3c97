/* A runtime without a device: it stands in for libamdhip64.so. Its functions are those of the fake CUDA
 * driver under HIP's names, and it keeps the same record. A HIP call counts as in its context if the
 * current device is not the caller's. With OLD_RUNTIME it lacks the cooperative launch of kernels in
 * modules. */
#include "kernels.h"

#include "hip/runtime.h"

/* The functions of driver.c. */
#define ROW(member, symbol, parameters) cuda_result symbol parameters;
WEIR_CUDA_FUNCTIONS(ROW)
WEIR_CUDA_LATER_FUNCTIONS(ROW)
#undef ROW

#define CALLERS_DEVICE 7

static _Thread_local int current = CALLERS_DEVICE;

cuda_result hipGetDevice(int *device)
{
	*device = current;
	return WEIR_CUDA_SUCCESS;
}

cuda_result hipSetDevice(int device)
{
	current = device;
	fake.depth = device != CALLERS_DEVICE;
	return WEIR_CUDA_SUCCESS;
}

cuda_result hipDriverGetVersion(int *version)
{
	*version = 60241133;
	return WEIR_CUDA_SUCCESS;
}

const char *hipGetErrorName(cuda_result result)
{
	const char *name;
	cuGetErrorName(result, &name);
	return name;
}

const char *hipGetErrorString(cuda_result result)
{
	const char *string;
	cuGetErrorString(result, &string);
	return string;
}

cuda_result hipDeviceGetAttribute(int *value, unsigned int attribute, int device)
{
	switch (attribute) {
#define ROW(name, number, cuda)                                                                    \
	case number:                                                                               \
		return cuDeviceGetAttribute(value, WEIR_##cuda, device);
		WEIR_HIP_ATTRIBUTES(ROW)
#undef ROW
	default:
		return WEIR_CUDA_ERROR_INVALID_VALUE;
	}
}

cuda_result hipMalloc(void **memory, size_t bytes)
{
	cuda_address address = 0;
	cuda_result result = cuMemAlloc_v2(&address, bytes);
	*memory = (void *)(uintptr_t)address;
	return result;
}

cuda_result hipFree(void *memory)
{
	return cuMemFree_v2((uintptr_t)memory);
}

cuda_result hipHostMalloc(void **memory, size_t bytes, unsigned int flags)
{
	if (!(flags & WEIR_HIP_HOST_COHERENT))
		return WEIR_CUDA_ERROR_INVALID_VALUE;
	return cuMemHostAlloc(memory, bytes, flags & ~WEIR_HIP_HOST_COHERENT);
}

cuda_result hipMemsetD8Async(void *to, unsigned char value, size_t bytes, cuda_stream stream)
{
	return cuMemsetD8Async((uintptr_t)to, value, bytes, stream);
}

cuda_result hipMemcpyHtoDAsync(void *to, void *from, size_t bytes, cuda_stream stream)
{
	return cuMemcpyHtoDAsync_v2((uintptr_t)to, from, bytes, stream);
}

cuda_result hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, cuda_stream stream)
{
	return cuMemcpyDtoHAsync_v2(to, (uintptr_t)from, bytes, stream);
}

cuda_result hipModuleLoadData(cuda_module *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

cuda_result hipModuleGetGlobal(void **address, size_t *bytes, cuda_module module, const char *name)
{
	cuda_address found = 0;
	cuda_result result = cuModuleGetGlobal_v2(&found, bytes, module, name);
	*address = (void *)(uintptr_t)found;
	return result;
}

cuda_result hipFuncGetAttribute(int *value, unsigned int attribute, cuda_function function)
{
	return cuFuncGetAttribute(value, attribute, function);
}

/* Functions that differ only in name. */
#define SAME(hip, cuda, parameters, arguments)                                                     \
	cuda_result hip parameters                                                                 \
	{                                                                                          \
		return cuda arguments;                                                             \
	}
SAME(hipInit, cuInit, (unsigned int flags), (flags))
SAME(hipGetDeviceCount, cuDeviceGetCount, (int *count), (count))
SAME(hipDeviceGet, cuDeviceGet, (cuda_device * device, int ordinal), (device, ordinal))
SAME(hipDeviceGetName, cuDeviceGetName, (char *name, int length, cuda_device device),
     (name, length, device))
SAME(hipStreamCreateWithFlags, cuStreamCreate, (cuda_stream * stream, unsigned int flags),
     (stream, flags))
SAME(hipStreamDestroy, cuStreamDestroy_v2, (cuda_stream stream), (stream))
SAME(hipStreamQuery, cuStreamQuery, (cuda_stream stream), (stream))
SAME(hipStreamSynchronize, cuStreamSynchronize, (cuda_stream stream), (stream))
SAME(hipEventCreateWithFlags, cuEventCreate, (cuda_event * event, unsigned int flags),
     (event, flags))
SAME(hipEventDestroy, cuEventDestroy_v2, (cuda_event event), (event))
SAME(hipEventRecord, cuEventRecord, (cuda_event event, cuda_stream stream), (event, stream))
SAME(hipEventElapsedTime, cuEventElapsedTime, (float *ms, cuda_event begin, cuda_event end),
     (ms, begin, end))
SAME(hipHostFree, cuMemFreeHost, (void *memory), (memory))
SAME(hipModuleUnload, cuModuleUnload, (cuda_module module), (module))
SAME(hipModuleGetFunction, cuModuleGetFunction,
     (cuda_function * function, cuda_module module, const char *name), (function, module, name))
SAME(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,
     cuOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, cuda_function function, int threads, size_t shared),
     (blocks, function, threads, shared))
SAME(hipModuleLaunchKernel, cuLaunchKernel,
     (cuda_function function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
      unsigned int by, unsigned int bz, unsigned int shared, cuda_stream stream, void **parameters,
      void **extra),
     (function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra))
#ifndef OLD_RUNTIME
SAME(hipModuleLaunchCooperativeKernel, cuLaunchCooperativeKernel,
     (cuda_function function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
      unsigned int by, unsigned int bz, unsigned int shared, cuda_stream stream, void **parameters),
     (function, gx, gy, gz, bx, by, bz, shared, stream, parameters))
#endif
