/* The real kernels for the host machine, with the kinds fixed. */
#include "kernels/real/fixed.h"

#include "forms/host_entries.h"
#include "weir/weir.h"

const weir_host_build weir_host_fixed = ENTRIES;
const weir_barrier_kind weir_fixed_barrier = WEIR_BARRIER_KIND;
const weir_mutex_kind weir_fixed_mutex = WEIR_MUTEX_KIND;
const weir_semaphore_kind weir_fixed_semaphore = WEIR_SEMAPHORE_KIND;
