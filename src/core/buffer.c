#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/backend.h"
#include "core/device.h"
#include "core/record.h"
#include "core/shared.h"
#include "weir/kind.h"

static weir_status make(weir_device *device, size_t bytes, int shared, weir_buffer *buffer)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!buffer || bytes == 0)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 buffer ? "a buffer of 0 bytes" : "no place for the buffer");
	memset(buffer, 0, sizeof *buffer);
	weir_record *record = calloc(1, sizeof *record);
	if (!record)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a record");
	record->primitive = WEIR_PRIMITIVE_BUFFER;
	record->owned = 1;
	record->bytes = bytes;
	status = shared ? weir_shared_allocate(device, record, 0)
	                : device->backend->allocate(device->state, bytes, &record->native);
	if (status != WEIR_OK) {
		weir_record_free(device, record);
		return status;
	}
	weir_record_add(device, record);
	buffer->native = record->native;
	buffer->bytes = bytes;
	return WEIR_OK;
}

weir_status weir_buffer_create(weir_device *device, size_t bytes, weir_buffer *buffer)
{
	return make(device, bytes, 0, buffer);
}

weir_status weir_buffer_create_shared(weir_device *device, size_t bytes, weir_buffer *buffer)
{
	return make(device, bytes, 1, buffer);
}

static weir_status check_range(weir_device *device, weir_buffer buffer, size_t offset,
                               const void *memory, size_t bytes, int *shared)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	const weir_record *record =
	    weir_record_find(device, WEIR_PRIMITIVE_BUFFER, buffer.native, 0);
	if (!record)
		return weir_fail(WEIR_NOT_FOUND, "no such buffer on device %s", device->info.name);
	if (!memory)
		return weir_fail(WEIR_BAD_ARGUMENT, "the memory to copy is NULL");
	if (offset > record->bytes || bytes > record->bytes - offset)
		return weir_fail(WEIR_BAD_ARGUMENT, "%zu bytes at %zu of a buffer of %zu", bytes,
		                 offset, record->bytes);
	*shared = record->shared;
	return WEIR_OK;
}

weir_status weir_buffer_write(weir_device *device, weir_buffer buffer, size_t offset,
                              const void *from, size_t bytes)
{
	int shared = 0;
	weir_status status = check_range(device, buffer, offset, from, bytes, &shared);
	if (status != WEIR_OK || bytes == 0) /* some drivers fail to copy zero bytes */
		return status;
	if (shared) {
		memcpy((char *)buffer.native + offset, from, bytes);
		return WEIR_OK;
	}
	return device->backend->write(device->state, buffer.native, offset, from, bytes);
}

weir_status weir_buffer_read(weir_device *device, weir_buffer buffer, size_t offset, void *to,
                             size_t bytes)
{
	int shared = 0;
	weir_status status = check_range(device, buffer, offset, to, bytes, &shared);
	if (status != WEIR_OK || bytes == 0) /* some drivers fail to copy zero bytes */
		return status;
	if (shared) {
		memcpy(to, (char *)buffer.native + offset, bytes);
		return WEIR_OK;
	}
	return device->backend->read(device->state, buffer.native, offset, to, bytes);
}

weir_status weir_buffer_destroy(weir_device *device, weir_buffer *buffer)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!buffer)
		return weir_fail(WEIR_BAD_ARGUMENT, "the buffer is NULL");
	weir_record *record = weir_record_take(device, WEIR_PRIMITIVE_BUFFER, buffer->native, 0);
	if (!record)
		return weir_fail(WEIR_NOT_FOUND, "no such buffer on device %s, or destroyed before",
		                 device->info.name);
	status = weir_record_free(device, record);
	memset(buffer, 0, sizeof *buffer);
	return status;
}
