/* The declarations of src/cuda/driver.h agree with the toolkit's cuda.h. Compiling this is the
 * test. */
#include <cuda.h>
#include <stddef.h>

#include "cuda/driver.h"

#define ROW(name, value, ...) _Static_assert((int)(name) == (int)WEIR_##name, #name);
WEIR_CUDA_RESULTS(ROW)
WEIR_CUDA_CONSTANTS(ROW)
#undef ROW

/* An enumeration of the driver is compatible with the unsigned int that stands for it here. */
#define ROW(member, symbol, parameters)                                                            \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&symbol),                           \
	                                            __typeof__(((weir_cuda_api *)0)->member)),     \
	               #symbol);
WEIR_CUDA_FUNCTIONS(ROW)
WEIR_CUDA_LATER_FUNCTIONS(ROW)
#undef ROW

#define SAME(ours, member, theirs, other)                                                          \
	_Static_assert(offsetof(ours, member) == offsetof(theirs, other), #theirs " " #other)
SAME(cuda_launch_attribute, id, CUlaunchAttribute, id);
SAME(cuda_launch_attribute, value, CUlaunchAttribute, value);
SAME(cuda_launch_attribute, value.cooperative, CUlaunchAttribute, value.cooperative);
SAME(cuda_launch_attribute, value.cluster, CUlaunchAttribute, value.clusterDim.x);
SAME(cuda_launch_attribute, value.cluster[2], CUlaunchAttribute, value.clusterDim.z);
SAME(cuda_launch_config, grid, CUlaunchConfig, gridDimX);
SAME(cuda_launch_config, grid[2], CUlaunchConfig, gridDimZ);
SAME(cuda_launch_config, block, CUlaunchConfig, blockDimX);
SAME(cuda_launch_config, block[2], CUlaunchConfig, blockDimZ);
SAME(cuda_launch_config, shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME(cuda_launch_config, stream, CUlaunchConfig, hStream);
SAME(cuda_launch_config, attributes, CUlaunchConfig, attrs);
SAME(cuda_launch_config, attribute_count, CUlaunchConfig, numAttrs);
_Static_assert(sizeof(cuda_launch_attribute) == sizeof(CUlaunchAttribute), "CUlaunchAttribute");
_Static_assert(sizeof(cuda_launch_config) == sizeof(CUlaunchConfig), "CUlaunchConfig");
