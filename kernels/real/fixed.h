/* All kernels with kinds fixed by the build, to the defaults of most GPUs. */
#define WEIR_BARRIER_KIND WEIR_BARRIER_COUNTER
#define WEIR_MUTEX_KIND WEIR_MUTEX_SPIN_BACKOFF
#define WEIR_SEMAPHORE_KIND WEIR_SEMAPHORE_LIKELY
#define REAL_NO_EVENTS

#include "all.h"
