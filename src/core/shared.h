/* Memory that the host shares with running kernels. */
#ifndef WEIR_CORE_SHARED_H
#define WEIR_CORE_SHARED_H

#include "core/record.h"

/* WEIR_UNSUPPORTED, with the reason, if the device has no such memory. */
weir_status weir_shared_check(const weir_device *device);

/* Allocates record->bytes, zeroed, for so many events, or 0 for a buffer. */
weir_status weir_shared_allocate(weir_device *device, weir_record *record, uint32_t events);

/* Pauses between two looks at such memory: short at first, long in a wait that has lasted. */
void weir_shared_rest(uint64_t waited_ns);

/* Zeroes an object in such memory, after the launches before. */
weir_status weir_shared_clear(weir_device *device, const weir_record *record);

#endif
