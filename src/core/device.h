/* The device behind the public pointer. */
#ifndef WEIR_CORE_DEVICE_H
#define WEIR_CORE_DEVICE_H

#include <pthread.h>

#include "core/record.h"

struct weir_backend; /* core/backend.h, which only src/core and the backends include */

struct weir_device {
	struct weir_device *next; /* list of all devices ever opened, including closed ones */
	const struct weir_backend *backend;
	void *state;
	weir_device_info info;
	int open;
	pthread_mutex_t lock; /* guards the next seven, and the creation of the diagnosis */
	weir_record *records;
	weir_grave graves[WEIR_GRAVES];
	uint32_t buried;                /* how many there have been */
	uint32_t made[WEIR_PRIMITIVES]; /* the kinds ever created, as bits */
	uint32_t dsmem_slots;           /* a bit for each slot in use by a mutex */
	int shares;                     /* objects in memory shared with the host have existed */
	const void *fitting;            /* the last CUDA kernel whose headers were found to match */
	struct weir_profile *profile; /* has a rule for every primitive while the device is open */
	char defaults_from[1024];
	struct weir_diagnostics *diagnosis; /* NULL: no object was ever diagnosed */
};

/* WEIR_OK if `device` is an open device; otherwise the status, with its message. */
weir_status weir_device_check(weir_device *device);

/* Calls `look` for each open device until it returns nonzero; no device can be closed during the
 * loop. Returns that result, or 0. */
int weir_devices_look(int (*look)(weir_device *device, void *context), void *context);

/* The maximum number of blocks of any kernel that run at once. */
uint32_t weir_device_most_blocks(const weir_device *device);
/* Whether kernels have WEIR_HAS_WORD64. */
int weir_device_has_word64(const weir_device *device);
/* Ends every wait of the running launch, if the machine can. Returns 0 if it cannot. `ordered`:
 * an order that waits poll was given, so the launch need not be stopped. */
int weir_device_interrupt(weir_device *device, int ordered);
/* WEIR_BUSY while a launch on the device's own stream runs: `what` needs that it has ended. */
weir_status weir_device_check_idle(weir_device *device, const char *what);

#endif
