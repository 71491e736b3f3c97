/* The real kernels for the host machine, with fixed kinds. */
#include "kernels/real/fixed.h"

#include "forms/host_entries.h"
#include "weir/weir.h"

const weir_host_build weir_host_fixed = ENTRIES;
const uint32_t weir_fixed_kinds[] = {[REAL_USES_BARRIER] = WEIR_BARRIER_KIND,
                                     [REAL_USES_MUTEX] = WEIR_MUTEX_KIND,
                                     [REAL_USES_MUTEX_ARRAY] = WEIR_MUTEX_KIND,
                                     [REAL_USES_SEMAPHORE] = WEIR_SEMAPHORE_KIND};
