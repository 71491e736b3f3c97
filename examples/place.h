/* Several objects in one buffer, because a kernel of these examples gets a single pointer to words.
 * Object `number` begins PLACE_BYTES * number bytes after the start. */
#ifndef EXAMPLE_PLACE_H
#define EXAMPLE_PLACE_H

#include "check.h"

#define PLACE_BYTES 4096u /* enough for each object here */

static inline weir_object_options place_object(weir_buffer memory, uint32_t number)
{
	return (weir_object_options){.memory = memory.native,
	                             .memory_offset = (size_t)number * PLACE_BYTES,
	                             .memory_bytes = PLACE_BYTES};
}

/* For the configuration passed to the kernel: offsets count from the start of the buffer. Except on
 * OpenCL, a handle's pointer already contains the offset. */
static inline uint32_t place_offset(uint32_t number)
{
	return number * (uint32_t)(PLACE_BYTES / sizeof(weir_word));
}

#endif
