/* The entry points of a build for the host machine. Include this file after the kernels. */
#include <stddef.h>

#include "forms/forms.h"
#include "weir/weir.h"

#define ENTRY(name)                                                                                \
	{                                                                                          \
#name, name##_entry                                                                \
	}
#define STEPS(name) ENTRY(name), ENTRY(name##_once)

static const weir_host_entry entries[] = {
    STEPS(alignment),
    STEPS(bitonic),
    STEPS(cholesky),
    STEPS(decode),
    STEPS(fft),
    STEPS(gradient),
    STEPS(jacobi),
    STEPS(search),
    STEPS(solve),
    ENTRY(buckets),
    ENTRY(pool),
    ENTRY(slots),
    ENTRY(restore),
#ifndef REAL_NO_EVENTS
    ENTRY(alignment_events),
    ENTRY(buckets_combine),
    ENTRY(cholesky_tasks),
    ENTRY(decode_events),
    ENTRY(pool_combine),
    ENTRY(search_queue),
    ENTRY(solve_events),
#endif
};
#define ENTRIES                                                                                    \
	{                                                                                          \
		entries, sizeof entries / sizeof entries[0]                                        \
	}
