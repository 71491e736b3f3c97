/* The declarations of command/driver/driver.h agree with the toolkit's cuda.h. Compiling this is the
 * test. */
#include <cuda.h>
#include <stddef.h>

#include "command/driver/driver.h"

#define ROW(name, value) _Static_assert((int)(name) == (int)WEIR_DRIVER_##name, #name);
WEIR_CU_CONSTANTS(ROW)
#undef ROW

#define ROW(member, symbol, parameters)                                                            \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&symbol),                           \
	                                            __typeof__(((weir_cu_api *)0)->member)),       \
	               #symbol);
WEIR_CU_FUNCTIONS(ROW)
WEIR_CU_GRAPH_FUNCTIONS(ROW)
#undef ROW

#define SAME(ours, member, theirs, name)                                                           \
	_Static_assert(offsetof(ours, member) == offsetof(theirs, name), #name);
_Static_assert(sizeof(weir_cu_attribute) == sizeof(CUlaunchAttribute), "CUlaunchAttribute");
_Static_assert(sizeof(weir_cu_launch) == sizeof(CUlaunchConfig), "CUlaunchConfig");
SAME(weir_cu_attribute, id, CUlaunchAttribute, id)
SAME(weir_cu_attribute, value.allowed, CUlaunchAttribute,
     value.programmaticStreamSerializationAllowed)
SAME(weir_cu_launch, grid, CUlaunchConfig, gridDimX)
SAME(weir_cu_launch, block, CUlaunchConfig, blockDimX)
SAME(weir_cu_launch, shared_bytes, CUlaunchConfig, sharedMemBytes)
SAME(weir_cu_launch, stream, CUlaunchConfig, hStream)
SAME(weir_cu_launch, attributes, CUlaunchConfig, attrs)
SAME(weir_cu_launch, attribute_count, CUlaunchConfig, numAttrs)
