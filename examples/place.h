/* Several objects in one buffer, since a kernel of these examples gets one pointer to words. Object
 * `number` begins PLACE_BYTES * number bytes behind the start. */
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

/* For the configuration that the kernel gets: it begins at the start of the buffer. Outside OpenCL a
 * handle has its place in its pointer instead. */
static inline uint32_t place_offset(uint32_t number)
{
	return number * (uint32_t)(PLACE_BYTES / sizeof(weir_word));
}

#endif
