/* Threads that sleep until a word of shared memory changes. */
#ifndef WEIR_HOST_PARK_H
#define WEIR_HOST_PARK_H

#include <stdint.h>

#include "weir/machine.h"

/* Whether threads can sleep on words on this system. */
int weir_host_can_park(void);

/* Rests after a failed attempt of a wait that has `hinted` hints. At first it returns at once, so that the wait
 * polls again; later it sleeps until a hint holds, weir_host_wake_all is called, or some time has passed. It
 * does not sleep once `is_over` holds. WEIR_REST_PAUSED or WEIR_REST_SLEPT. */
int weir_host_park(weir_rest *rest, uint32_t hinted, int (*is_over)(void));

/* Wakes all threads, after what `is_over` looks at has changed. */
void weir_host_wake_all(void);

/* How often threads have slept so in this process, and how often a sleep was over before a writer had woken the
 * sleeper, though it had written. Every such miss but those of a writer that is just about to is a fault, which
 * costs time, or the write of another process. */
typedef struct weir_host_sleeps {
	uint32_t slept;
	uint32_t missed;
} weir_host_sleeps;

weir_host_sleeps weir_host_sleeps_now(void);

#endif
