/* What the handles of all weir's objects have in common. The same structures on the host and in
 * kernels; PRIMITIVE/object.h has those of a primitive.
 *
 * A handle is the words of an object and its configuration: what a kernel must know of it beside
 * them, which nobody changes after creation. It is passed to a kernel by value. An OpenCL kernel
 * cannot take a structure that holds a pointer: it takes the two members as two arguments and puts
 * them together in its first line, with weir_mutex_make and its like. On the host the `words` of an
 * OpenCL object are its cl_mem, so that there, too, &m.words and &m.config are what clSetKernelArg
 * wants.
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

/* How every configuration begins. In a union of configurations these can be read through any member:
 * C and C++ allow it for a common initial sequence.
 *   kind     the value of a row in the primitive's kinds.h; of a group: in barrier/kinds.h
 *   pitch    words from one field of the object to the next
 *   offset   words from the start of the buffer to the object; 0 outside OpenCL
 *   backoff  of its waits
 *   id       the object's number in a diagnosis; 0: it takes part in none */
#define WEIR_CONFIG_MEMBERS                                                                        \
	uint32_t kind;                                                                             \
	uint32_t pitch;                                                                            \
	uint32_t offset;                                                                           \
	weir_backoff backoff;                                                                      \
	uint32_t id;

typedef struct weir_object_config {
	WEIR_CONFIG_MEMBERS
} weir_object_config;

/* The members of a handle of that type, and the function that puts it together. */
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
	}

#if WEIR_HAS_WORD64
/* The 64-bit word that takes the place of words[index] and words[index + 1]; `index` is even. The host
 * library puts an object that has one at a multiple of 8 bytes. */
WEIR_FN WEIR_GLOBAL weir_word64 *weir_word64_at(WEIR_GLOBAL weir_word *words, uint32_t index)
{
	return (WEIR_GLOBAL weir_word64 *)(words + index);
}
#endif

#endif
