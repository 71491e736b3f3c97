/* Options of creation: a struct for each primitive. All zeros, or NULL in place of a pointer, means the defaults.
 *
 * The first member, `object`, is the same for all primitives. Every other member means one thing. A creation refuses,
 * with WEIR_BAD_ARGUMENT and a sentence that names the member, what the kind that it chose does not use.
 *
 * Compatibility. New members come at the end of a struct, never in its padding; new members of all objects take the
 * place of `reserved`. The functions of weir/weir.h that take options pass their size to the function in the library,
 * whose name ends in _sized. So a program and a library of one series fit each other, whichever is newer: the library
 * reads missing members as 0, and returns WEIR_UNSUPPORTED if bytes that it does not know are not 0.
 */
#ifndef WEIR_OPTIONS_H
#define WEIR_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "weir/barrier/kinds.h"
#include "weir/event/kinds.h"
#include "weir/mutex/kinds.h"
#include "weir/queue/kinds.h"
#include "weir/rwlock/kinds.h"
#include "weir/semaphore/kinds.h"

/* What all objects share. */
typedef struct weir_object_options {
	/* Where to put the object: an address on the device, or a cl_mem; NULL: memory that weir allocates. The
	 * caller frees its own memory after destroying the object. */
	void *memory;
	size_t
	    memory_offset; /* bytes from `memory` to the object, a multiple of what weir_X_size says */
	size_t memory_bytes; /* bytes from the object to the end of the memory */
	/* In reports and error texts; NULL: "mutex 1" and so on. Cut to WEIR_NAME_BYTES - 1 bytes. */
	const char *name;
	/* The object takes part in weir_device_diagnose, in kernels compiled with WEIR_DIAGNOSE. It takes 128 bytes
	 * more, and up to 63 of a device can. An array of events takes another 64 bytes for each of its first 65536
	 * events. WEIR_UNSUPPORTED for arrays of mutexes and for groups. */
	int diagnose;
	int compact;          /* fields next to each other instead of a cache line apart */
	uint64_t reserved[4]; /* zero */
} weir_object_options;

#define WEIR_NAME_BYTES 32

/* `backoff` and `has_backoff` of the structs below: the pauses between two attempts of a wait, in units of one
 * uncontended load. If all are 0, a kind that backs off takes the bounds in the device's profile. Without any there, it
 * takes WEIR_BACKOFF_MIN and WEIR_BACKOFF_MAX, except the ticket and the ring mutex and the sleeping semaphore: there a
 * waiter polls for a turn that is certain to come, and does not pause. With has_backoff, 0 and 0 mean no pause for any
 * kind. Of a kind that never backs off, only operations with a time limit pause. The paced, cohort and patient mutexes
 * pause `min` units for each waiter ahead in the queue; the packed semaphore pauses `min` units for every `maximum`
 * slots that must be released before its turn. */

typedef struct weir_barrier_options {
	weir_object_options object;
	weir_barrier_kind kind; /* 0: the default for this device and number of blocks */
	weir_backoff backoff;   /* not for the kind grid */
	int has_backoff;
	/* The kind counter: the counters that arrivals are spread over, rounded up to a power of two, up to 16 and no
	 * more than there are blocks. 0: the device's profile says, or the number of blocks alone. */
	uint32_t shards;
	/* The barrier is for `blocks` blocks from first_block on. The grid may have other blocks, which do not come
	 * to the barrier, but all of it must run at once. Not for the kind grid. */
	int part_of_grid;
	uint32_t first_block;
} weir_barrier_options;

typedef struct weir_mutex_options {
	weir_object_options object;
	weir_mutex_kind kind; /* 0: the default for this device */
	weir_backoff backoff;
	int has_backoff;
	int fair; /* the default among the kinds that serve in the order of arrival; refuses any other kind */
	/* Kinds with a queue: its places for waiters, rounded up to a power of two. 0: as many as blocks can run at
	 * once on the device.
	 * ring: a thread that finds its ring full waits for room.
	 * cohort: how many blocks may queue inside their clusters. Blocks of later clusters lock without that queue.
	 * patient: how long the queue may be, at least 2, for weir_mutex_lock_for to take a place in it. When the
	 * queue is longer, the call waits outside. */
	uint32_t queue_slots;
} weir_mutex_options;

/* Arrays have no kinds with a queue. With object.compact a mutex takes 4 to 8 bytes, else a cache line. */
typedef struct weir_mutex_array_options {
	weir_object_options object;
	weir_mutex_kind kind; /* 0: the default for this device */
	weir_backoff backoff;
	int has_backoff;
	int fair; /* as a mutex's */
} weir_mutex_array_options;

typedef struct weir_semaphore_options {
	weir_object_options object;
	weir_semaphore_kind kind; /* 0: the default for this device and maximum */
	weir_backoff backoff;
	int has_backoff;
} weir_semaphore_options;

typedef struct weir_group_options {
	weir_object_options object;
	weir_barrier_kind kind; /* of the group's own barrier; 0: the default. Not grid */
	weir_backoff backoff;
	int has_backoff;
	uint32_t shards; /* of the group's own barrier, as a barrier's */
	/* How many pauses of one unit the block that comes first makes before it ends discovery; 0: a number that
	 * suits the device. With has_delay, 0 means none. */
	uint32_t delay;
	int has_delay;
} weir_group_options;

/* With object.compact an event takes 4 bytes, else a cache line. */
typedef struct weir_event_array_options {
	weir_object_options object;
	weir_event_kind kind; /* 0: the default for the numbers of blocks below */
	/* How many blocks may signal one event at a time, and how many may wait for one; 0: few. The default kind is
	 * `copies` for more than 700 that wait, else `shards` for more than 700 that signal, else `word`. */
	uint32_t signallers;
	uint32_t waiters;
	/* The words of each event of the kind copies, and of the kind shards: rounded up to a power of two, up to 16.
	 * 0: as many as suit the blocks above, or all that can run at once. */
	uint32_t copies;
	uint32_t shards;
	/* The host can use the events while a kernel runs (weir_event_host_post and the others). They lie in memory
	 * that weir allocates, and are of the kind word. Their kernels are compiled with WEIR_SYSTEM_SCOPE.
	 * WEIR_UNSUPPORTED for OpenCL. */
	int host_visible;
} weir_event_array_options;

/* The side of a queue that the host uses. Kernels have the other one. */
typedef enum weir_host_side {
	WEIR_HOST_PUSHES = 1,
	WEIR_HOST_POPS = 2
} weir_host_side;

typedef struct weir_queue_options {
	weir_object_options object;
	weir_queue_kind
	    kind; /* 0: `single` with the member of that name, else `cells` for items of 4 bytes, else `lines` */
	weir_backoff backoff;
	int has_backoff;
	/* The sides that one thread at a time uses, WEIR_QUEUE_ONE_PUSHES, WEIR_QUEUE_ONE_POPS or both; 0: any number
	 * of threads on both. For the kind single, which needs it. */
	uint32_t single;
	/* WEIR_HOST_PUSHES or WEIR_HOST_POPS: the host has this side, also while a kernel runs
	 * (weir_queue_host_push, weir_queue_host_pop); 0: it has none. The queue then lies in memory that weir
	 * allocates. Its kernels are compiled with WEIR_SYSTEM_SCOPE. WEIR_UNSUPPORTED for OpenCL. */
	uint32_t host_side;
} weir_queue_options;

typedef struct weir_dispenser_options {
	weir_object_options object;
	uint32_t share;  /* items that each taker has without an atomic, the first ones */
	uint32_t takers; /* teams of a block that take for themselves; 0 and 1: the block takes */
} weir_dispenser_options;

typedef struct weir_tasks_options {
	weir_object_options object;
	weir_backoff backoff;
	int has_backoff;
	uint32_t room; /* for added tasks that no block has begun (weir_tasks_add) */
	int local; /* a block goes on with a successor that it has made ready, without the queue */
} weir_tasks_options;

typedef struct weir_condition_options {
	weir_object_options object;
	weir_backoff backoff;
	int has_backoff;
	/* Blocks that wait at once, rounded up to a power of two; 0: as many as can run at once on the device. Others
	 * wait for room (weir/condition/api.h). */
	uint32_t waiters;
} weir_condition_options;

typedef struct weir_rwlock_options {
	weir_object_options object;
	weir_rwlock_kind kind; /* 0: `fair` */
	weir_backoff backoff;
	int has_backoff;
	uint32_t reader_counts; /* of the kind spread, rounded up to a power of two; 0: 8 */
} weir_rwlock_options;

typedef struct weir_once_options {
	weir_object_options object;
	weir_backoff backoff;
	int has_backoff;
} weir_once_options;

typedef struct weir_combiner_options {
	weir_object_options object;
	weir_backoff backoff;
	int has_backoff;
	uint32_t words; /* of an operation and of its result: 1 to 4; 0: 1 */
	int served;     /* a block serves, and no other one does operations */
} weir_combiner_options;

/* What the options of every primitive with kinds begin with. */
typedef struct weir_kind_options {
	weir_object_options object;
	uint32_t kind;
} weir_kind_options;

/* The options of any object, for code that makes objects of several primitives. */
typedef union weir_any_options {
	weir_object_options object;
	weir_kind_options of_kind;
	weir_barrier_options barrier;
	weir_mutex_options mutex;
	weir_mutex_array_options mutex_array;
	weir_semaphore_options semaphore;
	weir_group_options group;
	weir_event_array_options event_array;
	weir_queue_options queue;
	weir_dispenser_options dispenser;
	weir_tasks_options tasks;
	weir_condition_options condition;
	weir_rwlock_options rwlock;
	weir_once_options once;
	weir_combiner_options combiner;
} weir_any_options;

#endif
