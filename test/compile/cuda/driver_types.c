/* Everything that cuda_driver.h declares by hand agrees with the toolkit's cuda.h. Compiling it is
 * the test. */
#include <cuda.h>

#include "cuda_driver.h"

#define ROW(name, value, ...) _Static_assert((int)(name) == (int)WEIR_##name, #name);
WEIR_CUDA_RESULTS(ROW)
WEIR_CUDA_CONSTANTS(ROW)
#undef ROW

/* An enumeration of the driver's is compatible with the unsigned int that stands for it here. */
#define ROW(member, symbol, parameters)                                                            \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&symbol),                           \
	                                            __typeof__(((weir_cuda_api *)0)->member)),     \
	               #symbol);
WEIR_CUDA_FUNCTIONS(ROW)
#undef ROW
