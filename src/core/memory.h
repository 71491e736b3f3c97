/* Memory of a device, for the parts of the library above src/core. Offsets and sizes are in
 * bytes. */
#ifndef WEIR_CORE_MEMORY_H
#define WEIR_CORE_MEMORY_H

#include "core/device.h"

weir_status weir_memory_allocate(weir_device *device, size_t bytes, void **native); /* zeroed */
weir_status weir_memory_release(weir_device *device, void *native);
weir_status weir_memory_write(weir_device *device, void *native, size_t offset, const void *from,
                              size_t bytes);
weir_status weir_memory_read(weir_device *device, void *native, size_t offset, void *to,
                             size_t bytes);

/* An area: zeroed memory that the host reads and writes while kernels run. WEIR_UNSUPPORTED: the
 * machine has none. Where a peek finds 0 it leaves `to` unchanged, so `to` must be all zeros. */
weir_status weir_area_open(weir_device *device, size_t bytes, void **area);
void weir_area_close(weir_device *device, void *area);
weir_status weir_area_peek(weir_device *device, void *area, size_t offset, void *to, size_t bytes);
weir_status weir_area_poke(weir_device *device, void *area, size_t offset, const void *from,
                           size_t bytes);

/* An area that other processes import, by a handle of 64 bytes. Each of them drops it before this
 * process closes it. */
weir_status weir_area_can_export(const weir_device *device);
weir_status weir_area_export(weir_device *device, void *area, unsigned char *handle);
weir_status weir_area_import(weir_device *device, const unsigned char *handle, void **area);
void weir_area_drop(weir_device *device, void *area);

/* Reads memory of the program, such as a string in it, even while a kernel runs. Fails safely at an
 * invalid address. */
weir_status weir_program_read(weir_device *device, uint64_t address, void *to, size_t bytes);

#endif
