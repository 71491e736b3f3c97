/* What command/peers/driver.h declares by hand agrees with the toolkit's cuda.h. Compiling it is the
 * test. */
#include <cuda.h>

#include "command/peers/driver.h"

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
