/* The declarations of src/hip/runtime.h agree with HIP's own header. Compiling this is the test. HIP's
 * types are mapped to those that weir uses instead. */
#define __HIP_PLATFORM_AMD__ 1
#define ihipStream_t CUstream_st
#define ihipModule_t CUmod_st
#define ihipModuleSymbol_t CUfunc_st
#define ihipEvent_t CUevent_st
#include <hip/hip_runtime_api.h>

#include "hip/runtime.h"

#define ROW(name, number, cuda) _Static_assert((int)(name) == (int)(number), #name);
WEIR_HIP_CONSTANTS(ROW)
WEIR_HIP_ATTRIBUTES(ROW)
#undef ROW
_Static_assert((unsigned int)hipHostMallocCoherent == WEIR_HIP_HOST_COHERENT, "coherent");

/* An enumeration of HIP is compatible with the unsigned int that stands for it here. */
#define ROW(member, symbol)                                                                        \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&symbol),                           \
	                                            __typeof__(((weir_cuda_api *)0)->member)),     \
	               #symbol);
WEIR_HIP_SAME_FUNCTIONS(ROW)
#undef ROW

/* Newer versions read through a pointer to const. */
typedef cuda_result hip_write(void *to, const void *from, size_t bytes, cuda_stream stream);
#define ROW(result, symbol, parameters)                                                            \
	typedef result weir_##symbol parameters;                                                   \
	_Static_assert(__builtin_types_compatible_p(__typeof__(symbol), weir_##symbol) ||          \
	                   __builtin_types_compatible_p(__typeof__(symbol), hip_write),            \
	               #symbol);
WEIR_HIP_OWN_FUNCTIONS(ROW)
