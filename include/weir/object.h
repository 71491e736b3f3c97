/* The handles of weir's objects. The same structures on the host and in kernels.
 *
 * A handle is passed to a kernel by value. An OpenCL kernel cannot take a structure that holds a
 * pointer: it takes the two members as two arguments and puts them together in its first line,
 * with weir_mutex_make and its like. On the host the `words` of an OpenCL object are its cl_mem,
 * so that there, too, &m.words and &m.config are what clSetKernelArg wants.
 */
#ifndef WEIR_OBJECT_H
#define WEIR_OBJECT_H

#include "weir/machine.h"

/* Words in a line of memory: fields that different blocks poll are kept this far apart. */
#ifndef WEIR_LINE_WORDS
#define WEIR_LINE_WORDS 32
#endif

/* The bounds of a backing-off kind that was created without any. */
#ifndef WEIR_BACKOFF_MIN
#define WEIR_BACKOFF_MIN 1
#endif
#ifndef WEIR_BACKOFF_MAX
#define WEIR_BACKOFF_MAX 16
#endif

/* How a barrier of the kind `counter` is laid out, and when its waiters look first; `central` has
 * zeros for the former. */
typedef struct weir_shape {
	uint32_t shard_bits; /* arrivals are spread over 2^shard_bits counters */
	uint32_t copy_bits;  /* each counter stands in 2^copy_bits copies, so that fewer poll one */
	/* From the arrival to the first poll, in sixteenths of a pause unit. */
	uint32_t first_pause;
} weir_shape;

/* The most bits of a shape, and the longest first pause. */
#define WEIR_SHAPE_BITS_MOST 5
#define WEIR_SHAPE_PAUSE_MOST 1024
/* The most counters, all copies of all shards together. */
#define WEIR_SHAPE_COUNTERS_MOST 64

/* What a kernel must know of an object beside its words. Nobody changes it after creation. */
typedef struct weir_config {
	uint32_t kind;
	/* barrier: blocks; semaphore: maximum; array: mutexes; mutex: slots; group: members, at the
	 * most */
	uint32_t count;
	uint32_t pitch; /* words from one field of the object to the next */
	/* array: words from one mutex to the next; cohort mutex: its near slot; barrier: 1 if it is
	 * for a part of the grid; group: pauses before the poll is closed */
	uint32_t stride;
	uint32_t offset; /* words from the start of the buffer to the object; 0 outside OpenCL */
	weir_backoff backoff;
	weir_shape shape; /* zeros but for counter and central barriers */
	/* barrier: the block that is number 0 of those that meet there; group: how many blocks of a
	 * grid may ask */
	uint32_t first;
	uint32_t id; /* the object's number in a diagnosis; 0: it takes part in none */
} weir_config;

typedef struct weir_barrier {
	WEIR_GLOBAL weir_word *words;
	weir_config config;
} weir_barrier;

typedef struct weir_mutex {
	WEIR_GLOBAL weir_word *words;
	weir_config config;
} weir_mutex;

typedef struct weir_mutex_array {
	WEIR_GLOBAL weir_word *words;
	weir_config config;
} weir_mutex_array;

typedef struct weir_semaphore {
	WEIR_GLOBAL weir_word *words;
	weir_config config;
} weir_semaphore;

typedef struct weir_group {
	WEIR_GLOBAL weir_word *words;
	weir_config config;
} weir_group;

#define WEIR_OBJECT_MAKE_(type)                                                                    \
	WEIR_FN type type##_make(WEIR_GLOBAL weir_word *words, weir_config config)                 \
	{                                                                                          \
		type object;                                                                       \
		object.words = words + config.offset;                                              \
		object.config = config;                                                            \
		return object;                                                                     \
	}

WEIR_OBJECT_MAKE_(weir_barrier)
WEIR_OBJECT_MAKE_(weir_mutex)
WEIR_OBJECT_MAKE_(weir_mutex_array)
WEIR_OBJECT_MAKE_(weir_semaphore)
WEIR_OBJECT_MAKE_(weir_group)

#undef WEIR_OBJECT_MAKE_

/* The number of the calling block among those that meet at the barrier. */
WEIR_FN uint32_t weir_barrier_rank(weir_barrier b)
{
	return weir_block_id() - b.config.first;
}

/* By every thread in a barrier, before any of its block waits there: a diagnosis makes its notes, while
 * the leader arrives. */
#if defined(WEIR_DIAGNOSE) && WEIR_NOTES_AFTER_ARRIVAL
WEIR_FN void weir_meanwhile(weir_barrier b);
#else
#define weir_meanwhile(b) ((void)0)
#endif

#if WEIR_HAS_WORD64
/* The 64-bit word that takes the place of words[index] and words[index + 1]; `index` is even. The host
 * library puts an object that has one at a multiple of 8 bytes. */
WEIR_FN WEIR_GLOBAL weir_word64 *weir_word64_at(WEIR_GLOBAL weir_word *words, uint32_t index)
{
	return (WEIR_GLOBAL weir_word64 *)(words + index);
}
#endif

#endif
