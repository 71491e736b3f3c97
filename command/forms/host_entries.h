/* The entries of a build for the host machine. A source includes this after the kernels. */
#include <stddef.h>

#include "forms/builds.h"
#include "weir/weir.h"

static const weir_host_entry entries[] = {
    {"alignment", alignment_entry},
    {"alignment_once", alignment_once_entry},
    {"bitonic", bitonic_entry},
    {"bitonic_once", bitonic_once_entry},
    {"cholesky", cholesky_entry},
    {"cholesky_once", cholesky_once_entry},
    {"decode", decode_entry},
    {"decode_once", decode_once_entry},
    {"fft", fft_entry},
    {"fft_once", fft_once_entry},
    {"gradient", gradient_entry},
    {"gradient_once", gradient_once_entry},
    {"jacobi", jacobi_entry},
    {"jacobi_once", jacobi_once_entry},
    {"search", search_entry},
    {"search_once", search_once_entry},
    {"solve", solve_entry},
    {"solve_once", solve_once_entry},
    {"buckets", buckets_entry},
    {"pool", pool_entry},
    {"slots", slots_entry},
    {"restore", restore_entry},
#ifndef REAL_NO_EVENTS
    {"alignment_events", alignment_events_entry},
    {"buckets_combine", buckets_combine_entry},
    {"cholesky_tasks", cholesky_tasks_entry},
    {"decode_events", decode_events_entry},
    {"pool_combine", pool_combine_entry},
    {"search_queue", search_queue_entry},
    {"solve_events", solve_events_entry},
#endif
};
#define ENTRIES                                                                                    \
	{                                                                                          \
		entries, sizeof entries / sizeof entries[0]                                        \
	}
