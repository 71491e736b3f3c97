/* The handles of a mutex and of an array of them. */
#ifndef WEIR_MUTEX_OBJECT_H
#define WEIR_MUTEX_OBJECT_H

#include "weir/object.h"

/** The configuration in the handle of a mutex. */
typedef struct weir_mutex_config {
	WEIR_CONFIG_MEMBERS
	uint32_t
	    slots; /**< places for waiters, a power of two; 0: the kind has none (weir/rows.h) */
	/** WEIR_QUEUE_CLUSTER: the place of its node in distributed shared memory. */
	uint32_t cluster_slot;
	/** Pads the handle to 48 bytes. Kernels copy a handle of 40 bytes member by member, and
	 * the loops of the paced and the patient mutex then need up to two registers more
	 * (bench/cost). */
	uint32_t unused;
	/** The same. */
	uint32_t unused_too;
} weir_mutex_config;

/** The handle of a mutex. Kernels get it by value; every copy is the same mutex. */
WEIR_HANDLE_(weir_mutex)

/** The configuration in the handle of an array of mutexes. `kind` is a kind without a queue. */
typedef struct weir_mutex_array_config {
	WEIR_CONFIG_MEMBERS
	uint32_t length; /**< the number of mutexes */
	uint32_t stride; /**< words from one mutex to the next */
} weir_mutex_array_config;

/** The handle of an array of mutexes. */
WEIR_HANDLE_(weir_mutex_array)

/** The mutex at `index`, which must be below the array's length. Any thread may call it. */
WEIR_FN weir_mutex weir_mutex_at(weir_mutex_array a, uint32_t index)
{
	weir_mutex m;
	m.words = a.words + (uint64_t)index * a.config.stride;
	m.config.kind = a.config.kind;
	m.config.pitch = a.config.pitch;
	m.config.offset = a.config.offset;
	m.config.id = a.config.id;
	m.config.backoff = a.config.backoff;
	m.config.slots = 0;
	m.config.cluster_slot = 0;
	m.config.unused = 0;
	m.config.unused_too = 0;
	return m;
}

#endif
