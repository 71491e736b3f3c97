/** @defgroup weir_object Handles
 *
 * What the handles of all objects have in common. The structures are the same on the host and
 * in kernels.
 *
 * A handle is a pointer to the words of an object, and its configuration, which does not change
 * after creation. A kernel gets it by value, and any number of threads may use it. An OpenCL
 * kernel cannot take a structure that holds a pointer. It takes the two members as two arguments,
 * and first puts them together with weir_mutex_make or its like. On the host, the `words` of an
 * OpenCL object are its cl_mem, so &m.words and &m.config are the arguments for clSetKernelArg.
 *
 * @code
 * __kernel void add(__global weir_word *m_words, weir_mutex_config m_config, __global uint *total)
 * {
 * 	weir_mutex m = weir_mutex_make(m_words, m_config);
 * 	weir_mutex_block_lock(m);
 * 	if (weir_thread_id() == 0)
 * 		*total += 1;
 * 	weir_mutex_block_unlock(m);
 * }
 * @endcode
 */
#ifndef WEIR_OBJECT_H
#define WEIR_OBJECT_H

#include "weir/machine.h"

/* Words in a cache line: fields that different blocks poll are kept this far apart. */
#ifndef WEIR_LINE_WORDS
/** Words in a cache line: fields that different blocks poll are kept this far apart. */
#define WEIR_LINE_WORDS 32
#endif

/* The backoff of an object that was created without one. */
#ifndef WEIR_BACKOFF_MIN
/** The least backoff of an object that was created without one. */
#define WEIR_BACKOFF_MIN 1
#endif
#ifndef WEIR_BACKOFF_MAX
/** The most backoff of an object that was created without one. */
#define WEIR_BACKOFF_MAX 16
#endif

/** The first members of every configuration: kind, pitch, offset, backoff and id, as in
 * weir_object_config. In a union of configurations they can be read through any of them: C and
 * C++ allow it for a common initial sequence. */
#define WEIR_CONFIG_MEMBERS                                                                        \
	uint32_t kind;                                                                             \
	uint32_t pitch;                                                                            \
	uint32_t offset;                                                                           \
	weir_backoff backoff;                                                                      \
	uint32_t id;

/** What the configurations of all objects begin with. */
typedef struct weir_object_config {
	WEIR_CONFIG_MEMBERS
} weir_object_config;

/* The members of a handle of that type, and the functions that put it together. The second one
 * is for PRIMITIVE/in.h: an object in zeroed memory, without a pause. It sets only the members
 * above. */
#define WEIR_HANDLE_(type)                                                                         \
	typedef struct type {                                                                      \
		WEIR_GLOBAL weir_word *words;                                                      \
		type##_config config;                                                              \
	} type;                                                                                    \
                                                                                                   \
	WEIR_FN type type##_make(WEIR_GLOBAL weir_word *words, type##_config config)               \
	{                                                                                          \
		type object;                                                                       \
		object.words = words + config.offset;                                              \
		object.config = config;                                                            \
		return object;                                                                     \
	}                                                                                          \
                                                                                                   \
	WEIR_FN type type##_zeroed_(WEIR_GLOBAL weir_word *words, uint32_t kind, uint32_t pitch)   \
	{                                                                                          \
		type object;                                                                       \
		object.words = words;                                                              \
		object.config.kind = kind;                                                         \
		object.config.pitch = pitch;                                                       \
		object.config.offset = 0;                                                          \
		object.config.backoff = weir_no_backoff();                                         \
		object.config.id = 0;                                                              \
		return object;                                                                     \
	}

#if WEIR_HAS_WORD64
/** The 64-bit word in the place of words[index] and words[index + 1]; `index` is even. The host
 * library puts an object that has one at a multiple of 8 bytes. Where WEIR_HAS_WORD64. */
WEIR_FN WEIR_GLOBAL weir_word64 *weir_word64_at(WEIR_GLOBAL weir_word *words, uint32_t index)
{
	return (WEIR_GLOBAL weir_word64 *)(words + index);
}
#endif

#endif
