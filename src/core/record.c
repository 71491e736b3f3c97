/* The records of a device, in a list under its lock. */
#include "core/record.h"

#include <stdlib.h>

#include "core/backend.h"
#include "core/device.h"

void *weir_record_memory(const weir_record *record)
{
	return (char *)record->native - record->lead;
}

void weir_record_forget_members(weir_device *device, weir_record *record)
{
	pthread_mutex_lock(&device->lock);
	free(record->members);
	record->members = NULL;
	pthread_mutex_unlock(&device->lock);
}

weir_status weir_record_free(weir_device *device, weir_record *record)
{
	weir_status status = WEIR_OK;

	if (record->owned && record->native && record->shared)
		status = device->backend->unshare(device->state, weir_record_memory(record));
	else if (record->owned && record->native)
		status = device->backend->release(device->state, weir_record_memory(record));
	free(record->posted);
	free(record->item);
	free(record->image);
	free(record->members);
	free(record);
	return status;
}

/* Memory that is used again no longer belongs to a destroyed object. */
static void clear_graves(weir_device *device, const weir_record *record)
{
	uintptr_t from = (uintptr_t)weir_record_memory(record) + record->offset;
	uintptr_t to = from + record->lead + record->bytes;

	for (size_t i = 0; i < WEIR_GRAVES; i++) {
		weir_grave *grave = &device->graves[i];
		uintptr_t at = (uintptr_t)grave->native + grave->offset;

		if (grave->native && at < to && from < at + grave->bytes)
			grave->native = NULL;
	}
}

void weir_record_bury(weir_device *device, const weir_record *record)
{
	pthread_mutex_lock(&device->lock);
	device->graves[device->buried++ % WEIR_GRAVES] =
	    (weir_grave){record->native, record->offset, record->bytes, record->primitive,
	                 record->config.object};
	pthread_mutex_unlock(&device->lock);
}

void weir_record_add(weir_device *device, weir_record *record)
{
	pthread_mutex_lock(&device->lock);
	clear_graves(device, record);
	record->next = device->records;
	device->records = record;
	device->made[record->primitive] |= 1u << record->config.object.kind;
	device->shares |= record->shared && record->primitive != WEIR_PRIMITIVE_BUFFER;
	pthread_mutex_unlock(&device->lock);
}

static weir_record **find_link(weir_device *device, enum weir_primitive primitive,
                               const void *native, size_t offset)
{
	weir_record **link = &device->records;
	while (*link && ((*link)->primitive != primitive || (*link)->native != native ||
	                 (*link)->offset != offset))
		link = &(*link)->next;
	return link;
}

weir_record *weir_record_take(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset)
{
	pthread_mutex_lock(&device->lock);
	weir_record **link = find_link(device, primitive, native, offset);
	weir_record *record = *link;
	if (record)
		*link = record->next;
	pthread_mutex_unlock(&device->lock);
	return record;
}

weir_record *weir_record_look(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset)
{
	return *find_link(device, primitive, native, offset);
}

weir_record *weir_record_find(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset)
{
	pthread_mutex_lock(&device->lock);
	weir_record *record = weir_record_look(device, primitive, native, offset);
	pthread_mutex_unlock(&device->lock);
	return record;
}
