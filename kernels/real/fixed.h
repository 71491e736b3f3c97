/* All kernels with the kinds fixed by the build, to those that the default is on most GPUs. */
#define WEIR_BARRIER_KIND WEIR_BARRIER_COUNTER
#define WEIR_MUTEX_KIND WEIR_MUTEX_SPIN_BACKOFF
#define WEIR_SEMAPHORE_KIND WEIR_SEMAPHORE_LIKELY
#define REAL_NO_EVENTS

#include "all.h"
