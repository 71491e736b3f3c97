/* Memory that the host shares with running kernels. */
#ifndef WEIR_CORE_SHARED_H
#define WEIR_CORE_SHARED_H

#include "core/record.h"

/* WEIR_UNSUPPORTED, with the reason, if the device has no memory that the host shares with running
 * kernels. */
weir_status weir_shared_check(const weir_device *device);

/* Allocates record->bytes, zeroed, for this number of events, or 0 for a buffer. */
weir_status weir_shared_allocate(weir_device *device, weir_record *record, uint32_t events);

/* Pauses between two looks at such memory: briefly at first, longer in a wait that has lasted. */
void weir_shared_rest(uint64_t waited_ns);

/* Zeroes an object in such memory, after earlier launches have ended. */
weir_status weir_shared_clear(weir_device *device, const weir_record *record);

#endif
