#include "core/memory.h"

#include "base/status.h"
#include "core/backend.h"

weir_status weir_memory_allocate(weir_device *device, size_t bytes, void **native)
{
	return device->backend->allocate(device->state, bytes, native);
}

weir_status weir_memory_release(weir_device *device, void *native)
{
	return device->backend->release(device->state, native);
}

weir_status weir_memory_write(weir_device *device, void *native, size_t offset, const void *from,
                              size_t bytes)
{
	return device->backend->write(device->state, native, offset, from, bytes);
}

weir_status weir_memory_read(weir_device *device, void *native, size_t offset, void *to,
                             size_t bytes)
{
	return device->backend->read(device->state, native, offset, to, bytes);
}

weir_status weir_area_open(weir_device *device, size_t bytes, void **area)
{
	if (!device->backend->area_open)
		return weir_fail(WEIR_UNSUPPORTED, "%s has no diagnosis", device->info.name);
	return device->backend->area_open(device->state, bytes, area);
}

void weir_area_close(weir_device *device, void *area)
{
	device->backend->area_close(device->state, area);
}

weir_status weir_area_peek(weir_device *device, void *area, size_t offset, void *to, size_t bytes)
{
	return device->backend->peek(device->state, area, offset, to, bytes);
}

weir_status weir_area_poke(weir_device *device, void *area, size_t offset, const void *from,
                           size_t bytes)
{
	return device->backend->poke(device->state, area, offset, from, bytes);
}

weir_status weir_area_can_export(const weir_device *device)
{
	return device->backend->export_memory
	           ? WEIR_OK
	           : weir_fail(WEIR_UNSUPPORTED, "%s cannot share memory with other processes",
	                       device->info.name);
}

weir_status weir_area_export(weir_device *device, void *area, unsigned char *handle)
{
	return device->backend->export_memory(device->state, area, handle);
}

weir_status weir_area_import(weir_device *device, const unsigned char *handle, void **area)
{
	return device->backend->import_memory(device->state, handle, area);
}

void weir_area_drop(weir_device *device, void *area)
{
	device->backend->drop_memory(device->state, area);
}

weir_status weir_program_read(weir_device *device, uint64_t address, void *to, size_t bytes)
{
	return device->backend->read_program(device->state, address, to, bytes);
}
