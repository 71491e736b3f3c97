/* What peers_relaunch.h declares by hand agrees with the toolkit's cuda.h. Compiling it is the
 * test. */
#include <cuda.h>

#include "command/peers/relaunch.h"

#define ROW(name, value) _Static_assert((int)(name) == (int)WEIR_##name, #name);
WEIR_CUDA_GRAPH_CONSTANTS(ROW)
#undef ROW

#define ROW(member, symbol, parameters)                                                            \
	_Static_assert(__builtin_types_compatible_p(                                               \
			   __typeof__(&symbol), __typeof__(((weir_cuda_graph_api *)0)->member)),   \
	               #symbol);
WEIR_CUDA_GRAPH_FUNCTIONS(ROW)
#undef ROW
