/* The part of AMD's HIP runtime that weir uses, as a driver of the cuda backend (cuda/driver.h).
 *
 * It is declared here so that building needs no ROCm: libamdhip64.so is opened when the first HIP
 * device is requested. If hip/hip_runtime_api.h is installed, a test compares every constant and
 * every prototype of this file with it.
 *
 * HIP's results have the numbers of CUDA's, and so do the attributes of functions and the flags.
 * The attributes of devices have different numbers.
 */
#ifndef WEIR_HIP_RUNTIME_H
#define WEIR_HIP_RUNTIME_H

#include "cuda/driver.h"

/* HIP's name, its number, and the name in cuda/driver.h, which has the same number. */
#define WEIR_HIP_CONSTANTS(X)                                                                      \
	X(hipSuccess, 0, CUDA_SUCCESS)                                                             \
	X(hipErrorInvalidValue, 1, CUDA_ERROR_INVALID_VALUE)                                       \
	X(hipErrorOutOfMemory, 2, CUDA_ERROR_OUT_OF_MEMORY)                                        \
	X(hipErrorNoDevice, 100, CUDA_ERROR_NO_DEVICE)                                             \
	X(hipErrorInvalidDevice, 101, CUDA_ERROR_INVALID_DEVICE)                                   \
	X(hipErrorInvalidImage, 200, CUDA_ERROR_INVALID_IMAGE)                                     \
	X(hipErrorNoBinaryForGpu, 209, CUDA_ERROR_NO_BINARY_FOR_GPU)                               \
	X(hipErrorInvalidSource, 300, CUDA_ERROR_INVALID_SOURCE)                                   \
	X(hipErrorInvalidHandle, 400, CUDA_ERROR_INVALID_HANDLE)                                   \
	X(hipErrorNotFound, 500, CUDA_ERROR_NOT_FOUND)                                             \
	X(hipErrorNotReady, 600, CUDA_ERROR_NOT_READY)                                             \
	X(hipErrorIllegalAddress, 700, CUDA_ERROR_ILLEGAL_ADDRESS)                                 \
	X(hipErrorLaunchOutOfResources, 701, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)                   \
	X(hipErrorLaunchTimeOut, 702, CUDA_ERROR_LAUNCH_TIMEOUT)                                   \
	X(hipErrorAssert, 710, CUDA_ERROR_ASSERT)                                                  \
	X(hipErrorLaunchFailure, 719, CUDA_ERROR_LAUNCH_FAILED)                                    \
	X(hipErrorCooperativeLaunchTooLarge, 720, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)         \
	X(hipErrorNotSupported, 801, CUDA_ERROR_NOT_SUPPORTED)                                     \
	X(hipHostMallocPortable, 1, CU_MEMHOSTALLOC_PORTABLE)                                      \
	X(hipHostMallocMapped, 2, CU_MEMHOSTALLOC_DEVICEMAP)                                       \
	X(hipStreamNonBlocking, 1, CU_STREAM_NON_BLOCKING)                                         \
	X(hipEventDefault, 0, CU_EVENT_DEFAULT)                                                    \
	X(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)    \
	X(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)

/* On HIP every block has the memory that it could opt in to. */
#define WEIR_HIP_ATTRIBUTES(X)                                                                     \
	X(hipDeviceAttributeCooperativeLaunch, 10, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)         \
	X(hipDeviceAttributeHostNativeAtomicSupported, 15,                                         \
	  CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED)                                        \
	X(hipDeviceAttributeL2CacheSize, 19, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)                    \
	X(hipDeviceAttributeComputeCapabilityMajor, 23,                                            \
	  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)                                            \
	X(hipDeviceAttributeMaxBlocksPerMultiProcessor, 25,                                        \
	  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)                                       \
	X(hipDeviceAttributeMaxThreadsPerBlock, 56, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)     \
	X(hipDeviceAttributeMaxThreadsPerMultiProcessor, 57,                                       \
	  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)                                      \
	X(hipDeviceAttributeMultiprocessorCount, 63, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)     \
	X(hipDeviceAttributeMaxSharedMemoryPerBlock, 74,                                           \
	  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

/* For memory that the host shares with running kernels, which must not be cached. */
#define WEIR_HIP_HOST_COHERENT 0x40000000u

/* Functions with CUDA's prototype under another name: the member of weir_cuda_api. */
#define WEIR_HIP_SAME_FUNCTIONS(X)                                                                 \
	X(init, hipInit)                                                                           \
	X(device_count, hipGetDeviceCount)                                                         \
	X(device_get, hipDeviceGet)                                                                \
	X(device_name, hipDeviceGetName)                                                           \
	X(stream_create, hipStreamCreateWithFlags)                                                 \
	X(stream_destroy, hipStreamDestroy)                                                        \
	X(stream_query, hipStreamQuery)                                                            \
	X(stream_synchronize, hipStreamSynchronize)                                                \
	X(event_create, hipEventCreateWithFlags)                                                   \
	X(event_destroy, hipEventDestroy)                                                          \
	X(event_record, hipEventRecord)                                                            \
	X(event_elapsed, hipEventElapsedTime)                                                      \
	X(memory_unpin, hipHostFree)                                                               \
	X(occupancy, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)                           \
	X(launch, hipModuleLaunchKernel)

/* Functions with a different prototype, which runtime.c adapts. */
#define WEIR_HIP_OWN_FUNCTIONS(X)                                                                  \
	X(cuda_result, hipDriverGetVersion, (int *version))                                        \
	X(const char *, hipGetErrorName, (cuda_result result))                                     \
	X(const char *, hipGetErrorString, (cuda_result result))                                   \
	X(cuda_result, hipDeviceGetAttribute, (int *value, unsigned int attribute, int device))    \
	X(cuda_result, hipGetDevice, (int *device))                                                \
	X(cuda_result, hipSetDevice, (int device))                                                 \
	X(cuda_result, hipMalloc, (void **memory, size_t bytes))                                   \
	X(cuda_result, hipFree, (void *memory))                                                    \
	X(cuda_result, hipHostMalloc, (void **memory, size_t bytes, unsigned int flags))           \
	X(cuda_result, hipMemsetD8Async,                                                           \
	  (void *to, unsigned char value, size_t bytes, cuda_stream stream))                       \
	X(cuda_result, hipMemcpyHtoDAsync,                                                         \
	  (void *to, void *from, size_t bytes, cuda_stream stream))                                \
	X(cuda_result, hipMemcpyDtoHAsync,                                                         \
	  (void *to, void *from, size_t bytes, cuda_stream stream))                                \
	X(cuda_result, hipModuleLoadData, (cuda_module * module, const void *image))               \
	X(cuda_result, hipModuleUnload, (cuda_module module))                                      \
	X(cuda_result, hipModuleGetFunction,                                                       \
	  (cuda_function * function, cuda_module module, const char *name))                        \
	X(cuda_result, hipModuleGetGlobal,                                                         \
	  (void **address, size_t *bytes, cuda_module module, const char *name))                   \
	X(cuda_result, hipFuncGetAttribute,                                                        \
	  (int *value, unsigned int attribute, cuda_function function))

/* Missing before ROCm 5.5. Then no launch is cooperative. */
#define WEIR_HIP_COOPERATIVE hipModuleLaunchCooperativeKernel

#endif
