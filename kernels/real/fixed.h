/* All kernels with the kinds fixed by the build. */
#define WEIR_BARRIER_KIND WEIR_BARRIER_CENTRAL

#include "all.h"
