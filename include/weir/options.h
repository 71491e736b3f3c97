/** @defgroup weir_options Options of creation
 *
 * A struct of options for each primitive. All zeros, or NULL in place of a pointer, means the defaults.
 *
 * The first member, `object`, is the same for all primitives. Every other member means one thing. A creation refuses
 * a member that the chosen kind does not use: it returns WEIR_BAD_ARGUMENT, and the error text names the member.
 *
 * Compatibility. New members are added at the end of a struct, never in its padding; new members of all objects take
 * the place of `reserved`. The functions of weir/weir.h that take options pass the size of the struct to the function
 * in the library, whose name ends in _sized. So a program and a library of the same series work together, whichever is
 * newer. The library reads missing members as 0, and returns WEIR_UNSUPPORTED if bytes that it does not know are not 0.
 *
 * Backoff. `backoff` and `has_backoff` set the pauses between two attempts of a wait, in units of one uncontended load.
 * If all are 0, a kind that backs off takes the bounds from the device's profile. If the profile has none, it takes
 * WEIR_BACKOFF_MIN and WEIR_BACKOFF_MAX. The ticket mutex, the ring mutex and the sleeping semaphore do not pause then:
 * their waiters poll for a turn that is certain to arrive. With has_backoff, bounds of 0 and 0 mean no pause for any
 * kind. In a kind that never backs off, only operations with a time limit pause. The paced, cohort and patient mutexes
 * pause `min` units for each waiter ahead in the queue. The packed semaphore pauses `min` units for every `maximum`
 * slots that must be released before its turn.
 *
 * @code
 * weir_mutex_options options = {.kind = WEIR_MUTEX_RING, .queue_slots = 256, .object.name = "free list"};
 * weir_mutex m;
 * if (weir_mutex_create(device, &options, &m) != WEIR_OK)
 * 	fprintf(stderr, "%s\n", weir_error_text());
 * @endcode
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

/** The options that all objects share. */
typedef struct weir_object_options {
	/** Where to put the object: an address on the device, or a cl_mem. NULL: memory that weir allocates. The
	 * caller frees its own memory after destroying the object. */
	void *memory;
	/** Bytes from `memory` to the object, a multiple of the alignment that weir_X_size reports. */
	size_t memory_offset;
	/** Bytes from the object to the end of the memory. */
	size_t memory_bytes;
	/** The object's name in reports and error texts, cut to WEIR_NAME_BYTES - 1 bytes. NULL: "mutex 1" and so
	 * on. */
	const char *name;
	/** Nonzero: the object takes part in weir_device_diagnose, in kernels compiled with WEIR_DIAGNOSE. It takes
	 * 128 bytes more, and up to 63 objects of a device can. An array of events takes another 64 bytes for each of
	 * its first 65536 events. WEIR_UNSUPPORTED for arrays of mutexes and for groups. */
	int diagnose;
	/** Nonzero: fields lie next to each other instead of a cache line apart. */
	int compact;
	uint64_t reserved[4]; /**< must be zero */
} weir_object_options;

/** The most bytes of an object's name, with the zero at its end. */
#define WEIR_NAME_BYTES 32

/** Options of a barrier. */
typedef struct weir_barrier_options {
	weir_object_options object; /**< the options that all objects share */
	weir_barrier_kind kind;     /**< 0: the default for this device and number of blocks */
	weir_backoff backoff;       /**< the pauses of its waits; not for the kind grid */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** The kind counter: how many counters arrivals are spread over, rounded up to a power of two, at most 16 and
	 * at most one for each block. 0: the number in the device's profile, or one that suits the number of blocks. */
	uint32_t shards;
	/** Nonzero: the barrier is for `blocks` blocks from first_block on. The grid may have other blocks, which do
	 * not arrive, but the whole grid must run at once. Not for the kind grid. */
	int part_of_grid;
	uint32_t first_block; /**< the first block of the part; 0 unless part_of_grid is set */
} weir_barrier_options;

/** Options of a mutex. */
typedef struct weir_mutex_options {
	weir_object_options object; /**< the options that all objects share */
	weir_mutex_kind kind;       /**< 0: the default for this device */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** Nonzero: takes the default among the kinds that serve in the order of arrival, and refuses a `kind` that
	 * does not. */
	int fair;
	/** Kinds with a queue: its places for waiters, rounded up to a power of two. 0: the number of blocks that can
	 * run at once on the device.
	 * - ring: a thread that finds the ring full waits for room.
	 * - cohort: how many blocks may queue inside their clusters. Blocks of later clusters lock without that queue.
	 * - patient: the longest queue, at least 2, in which weir_mutex_lock_for takes a place. When the queue is
	 *   longer, the call waits outside. */
	uint32_t queue_slots;
} weir_mutex_options;

/** Options of an array of mutexes, which has no kinds with a queue. With object.compact a mutex takes 4 to 8 bytes, else
 * a cache line. */
typedef struct weir_mutex_array_options {
	weir_object_options object; /**< the options that all objects share */
	weir_mutex_kind kind;       /**< 0: the default for this device */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	int fair;                   /**< as in weir_mutex_options */
} weir_mutex_array_options;

/** Options of a semaphore. */
typedef struct weir_semaphore_options {
	weir_object_options object; /**< the options that all objects share */
	weir_semaphore_kind kind;   /**< 0: the default for this device and maximum */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
} weir_semaphore_options;

/** Options of a group. */
typedef struct weir_group_options {
	weir_object_options object; /**< the options that all objects share */
	weir_barrier_kind kind;     /**< of the group's own barrier; 0: the default; not grid */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	uint32_t shards;            /**< of the group's own barrier, as in weir_barrier_options */
	/** How many pauses of one unit the first block makes before it ends discovery. 0: a number that suits the
	 * device. */
	uint32_t delay;
	int has_delay; /**< nonzero: a `delay` of 0 means none */
} weir_group_options;

/** Options of an array of events. With object.compact an event takes 4 bytes, else a cache line. */
typedef struct weir_event_array_options {
	weir_object_options object; /**< the options that all objects share */
	weir_event_kind kind;       /**< 0: the default for `signallers` and `waiters` */
	/** How many blocks may signal one event at a time; 0: few. The default kind is `copies` if more than 700
	 * blocks wait, else `shards` if more than 700 signal, else `word`. */
	uint32_t signallers;
	uint32_t waiters; /**< how many blocks may wait for one event at a time; 0: few */
	/** The kind copies: words of each event, rounded up to a power of two, at most 16. 0: a number that suits
	 * `waiters`, or if that is 0, all blocks that can run at once. */
	uint32_t copies;
	/** The kind shards: words of each event, rounded up to a power of two, at most 16. 0: a number that suits
	 * `signallers`, or if that is 0, all blocks that can run at once. */
	uint32_t shards;
	/** Nonzero: the host can use the events while a kernel runs (weir_event_host_post). They lie in memory that
	 * weir allocates, and are of the kind word. Compile their kernels with WEIR_SYSTEM_SCOPE. WEIR_UNSUPPORTED
	 * for OpenCL. */
	int host_visible;
} weir_event_array_options;

/** The side of a queue that the host uses. Kernels have the other one. */
typedef enum weir_host_side {
	WEIR_HOST_PUSHES = 1, /**< the host pushes, kernels pop */
	WEIR_HOST_POPS = 2    /**< the host pops, kernels push */
} weir_host_side;

/** Options of a queue. */
typedef struct weir_queue_options {
	weir_object_options object; /**< the options that all objects share */
	/** 0: `single` if the member `single` is set, else `cells` for items of 4 bytes, else `lines`. */
	weir_queue_kind kind;
	weir_backoff backoff; /**< the pauses of its waits */
	int has_backoff;      /**< nonzero: `backoff` counts even if it is zero */
	/** The sides that only one thread at a time uses: WEIR_QUEUE_ONE_PUSHES, WEIR_QUEUE_ONE_POPS or both. 0: any
	 * number of threads on both sides. For the kind single, which needs it. */
	uint32_t single;
	/** WEIR_HOST_PUSHES or WEIR_HOST_POPS: the host has this side, even while a kernel runs
	 * (weir_queue_host_push, weir_queue_host_pop). 0: it has none. Such a queue lies in memory that weir
	 * allocates. Compile its kernels with WEIR_SYSTEM_SCOPE. WEIR_UNSUPPORTED for OpenCL. */
	uint32_t host_side;
} weir_queue_options;

/** Options of a dispenser. */
typedef struct weir_dispenser_options {
	weir_object_options object; /**< the options that all objects share */
	/** How many of the first items each taker has without an atomic. */
	uint32_t share;
	/** How many teams of a block take items independently; 0 and 1: the block takes. */
	uint32_t takers;
} weir_dispenser_options;

/** Options of a graph of tasks. */
typedef struct weir_tasks_options {
	weir_object_options object; /**< the options that all objects share */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** Room for added tasks that no block has begun (weir_tasks_add). */
	uint32_t room;
	/** Nonzero: a block continues with a successor that it has made ready, without the queue. */
	int local;
} weir_tasks_options;

/** Options of a condition. */
typedef struct weir_condition_options {
	weir_object_options object; /**< the options that all objects share */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** Blocks that wait at once, rounded up to a power of two. 0: the number that can run at once on the device.
	 * Others wait for room (weir/condition/api.h). */
	uint32_t waiters;
} weir_condition_options;

/** Options of a reader-writer lock. */
typedef struct weir_rwlock_options {
	weir_object_options object; /**< the options that all objects share */
	weir_rwlock_kind kind;      /**< 0: `fair` */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** The kind spread: how many counts readers are spread over, rounded up to a power of two, at most 64. 0: 8. */
	uint32_t reader_counts;
} weir_rwlock_options;

/** Options of a once. */
typedef struct weir_once_options {
	weir_object_options object; /**< the options that all objects share */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
} weir_once_options;

/** Options of a combiner. */
typedef struct weir_combiner_options {
	weir_object_options object; /**< the options that all objects share */
	weir_backoff backoff;       /**< the pauses of its waits */
	int has_backoff;            /**< nonzero: `backoff` counts even if it is zero */
	/** Words of an operation, and of its result: 1 to 4. 0: 1. */
	uint32_t words;
	/** Nonzero: one block serves, and no other block does operations. */
	int served;
} weir_combiner_options;

/** What the options of every primitive with kinds begin with. */
typedef struct weir_kind_options {
	weir_object_options object; /**< the options that all objects share */
	uint32_t kind;              /**< a kind of that primitive; 0: the default */
} weir_kind_options;

/** The options of any object, for code that makes objects of several primitives. */
typedef union weir_any_options {
	weir_object_options object;           /**< the options that all objects share */
	weir_kind_options of_kind;            /**< the kind, of a primitive that has kinds */
	weir_barrier_options barrier;         /**< of a weir_barrier */
	weir_mutex_options mutex;             /**< of a weir_mutex */
	weir_mutex_array_options mutex_array; /**< of a weir_mutex_array */
	weir_semaphore_options semaphore;     /**< of a weir_semaphore */
	weir_group_options group;             /**< of a weir_group */
	weir_event_array_options event_array; /**< of a weir_event_array */
	weir_queue_options queue;             /**< of a weir_queue */
	weir_dispenser_options dispenser;     /**< of a weir_dispenser */
	weir_tasks_options tasks;             /**< of a weir_tasks */
	weir_condition_options condition;     /**< of a weir_condition */
	weir_rwlock_options rwlock;           /**< of a weir_rwlock */
	weir_once_options once;               /**< of a weir_once */
	weir_combiner_options combiner;       /**< of a weir_combiner */
} weir_any_options;

#endif
