/* The algorithm's own *_start function makes the first state of an object, on the host machine, in
 * an image that is then written to the device. */
#include "object/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/status.h"
#include "core/memory.h"
#include "core/notes.h"
#include "core/record.h"
#include "core/shared.h"

#define ALIGNMENT 128 /* a cache line */

/* Writes zeros in parts: arrays may be larger than the host's memory. */
static weir_status write_zeros(weir_device *device, const weir_record *record)
{
	static const char zeros[1 << 16];
	weir_status status = WEIR_OK;
	size_t done = 0;

	while (done < record->bytes && status == WEIR_OK) {
		size_t part =
		    record->bytes - done < sizeof zeros ? record->bytes - done : sizeof zeros;
		status =
		    weir_memory_write(device, record->native, record->offset + done, zeros, part);
		done += part;
	}
	return status;
}

static weir_status write_start(weir_device *device, const weir_record *record)
{
	if (record->shared)
		return weir_shared_clear(device, record);
	if (!weir_primitive_rows[record->primitive].start)
		return write_zeros(device, record);
	weir_word *image = calloc(1, record->bytes);
	if (!image)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", record->bytes);
	weir_primitive_rows[record->primitive].start(image, record);
	weir_status status =
	    weir_memory_write(device, record->native, record->offset, image, record->bytes);
	free(image);
	return status;
}

/* The least alignment of an object. */
static size_t word_bytes(enum weir_primitive primitive, const weir_any_config *config)
{
	const weir_kind *kind = weir_kind_find(primitive, config->object.kind);

	return !kind || kind->width == WEIR_WORDS_OF_64 ? sizeof(weir_word64) : sizeof(weir_word);
}

static weir_status check_memory(const weir_object_options *options, size_t bytes, size_t alignment)
{
	if (options->memory_bytes < bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the object takes %zu bytes, the memory has %zu", bytes,
		                 options->memory_bytes);
	if (options->memory_offset % alignment != 0 ||
	    options->memory_offset / sizeof(weir_word) > UINT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "an offset of %s into the memory, which is no multiple of "
		                 "%zu or too far",
		                 weir_counted(options->memory_offset, "byte").text, alignment);
	return WEIR_OK;
}

/* Moves from the start of the memory to the object itself, where its handle and its record
 * point. */
static void skip_header(const weir_device *device, const weir_object_request *request,
                        weir_record *record, weir_handle *handle)
{
	size_t lead = weir_object_request_lead(request, &handle->config);

	record->bytes -= lead;
	if (device->info.machine == WEIR_MACHINE_OPENCL) {
		record->offset += lead;
	} else {
		record->native = (char *)record->native + lead;
		record->lead = lead;
	}
	handle->words = record->native;
	handle->config.object.offset = (uint32_t)(record->offset / sizeof(weir_word));
}

/* Memory that the host shares with kernels, and what the host's side needs of its own. */
static weir_status allocate_shared(weir_device *device, const weir_object_request *request,
                                   weir_record *record)
{
	if (request->primitive != WEIR_PRIMITIVE_QUEUE)
		return weir_shared_allocate(device, record, request->count);
	record->host_side = request->options.queue.host_side;
	record->item = malloc(request->item_bytes);
	return record->item ? weir_shared_allocate(device, record, 0)
	                    : weir_fail(WEIR_NO_MEMORY, "no memory for an item of the queue");
}

static weir_status place(weir_device *device, const weir_object_request *request,
                         weir_record *record, weir_handle *handle)
{
	const weir_object_options *options = &request->options.object;
	size_t alignment = word_bytes(request->primitive, &handle->config);

	if (!options->memory) {
		record->owned = 1;
		weir_status status =
		    weir_object_request_is_shared(request)
			? allocate_shared(device, request, record)
			: weir_memory_allocate(device, record->bytes, &record->native);
		if (status == WEIR_OK)
			skip_header(device, request, record, handle);
		return status;
	}
	weir_status status = check_memory(options, record->bytes, alignment);
	if (status != WEIR_OK)
		return status;
	if (device->info.machine == WEIR_MACHINE_OPENCL) {
		record->native = options->memory;
		record->offset = options->memory_offset;
	} else {
		record->native = (char *)options->memory + options->memory_offset;
		if ((uintptr_t)record->native % alignment != 0)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "the memory is not aligned to %zu bytes", alignment);
	}
	skip_header(device, request, record, handle);
	return WEIR_OK;
}

/* Initializes an object in its memory: writes its first state and, if it is diagnosed, its number
 * and header. */
static weir_status begin(weir_device *device, const weir_object_request *request,
                         weir_record *record, weir_handle *handle)
{
	weir_status status = place(device, request, record, handle);

	record->config = handle->config;
	/* Memory of weir's own begins with zeros. */
	if (status == WEIR_OK && (weir_primitive_rows[record->primitive].start || !record->owned))
		status = write_start(device, record);
	if (status != WEIR_OK || !request->options.object.diagnose)
		return status;
	status = weir_diagnosis_register(device, record, request->options.object.name);
	handle->config.object.id = record->config.object.id;
	return status;
}

weir_status weir_object_create(weir_device *device, weir_object_request request, const void *out,
                               weir_handle *made)
{
	const weir_primitive_row *row = &weir_primitive_rows[request.primitive];
	weir_handle handle = {0};
	size_t bytes;
	weir_record *record;

	memset(made, 0, sizeof *made);
	if (!out)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the handle of the %s",
		                 weir_primitive_name(request.primitive));
	weir_status status = weir_object_request_read(&request);
	if (status == WEIR_OK)
		status = weir_object_request_plan(device, &request, &handle.config, &bytes);
	if (status != WEIR_OK)
		return status;
	record = calloc(1, sizeof *record);
	if (!record)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a record");
	if (row->take)
		status = row->take(device, &handle.config);
	if (status != WEIR_OK) {
		free(record);
		return status;
	}
	record->primitive = request.primitive;
	record->initial = request.initial;
	record->bytes = bytes;
	record->config = handle.config;
	if (row->draw)
		status = row->draw(&request, record);
	if (status == WEIR_OK)
		status = begin(device, &request, record, &handle);
	if (status != WEIR_OK) {
		if (row->give)
			row->give(device, &record->config);
		weir_record_free(device, record);
		return status;
	}
	weir_record_add(device, record);
	*made = handle;
	return WEIR_OK;
}

static weir_status not_here(const weir_device *device, enum weir_primitive primitive)
{
	return weir_fail(WEIR_NOT_FOUND,
	                 "no such %s on device %s: not created there, or destroyed before",
	                 weir_primitive_name(primitive), device->info.name);
}

weir_status weir_object_reset(weir_device *device, enum weir_primitive primitive,
                              const weir_word *words, size_t offset)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	weir_record *record =
	    weir_record_find(device, primitive, words, offset * sizeof(weir_word));
	if (!record)
		return not_here(device, primitive);
	weir_record_forget_members(device, record);
	if (record->config.object.id != 0)
		status = weir_diagnosis_renew(device, record);
	return status == WEIR_OK ? write_start(device, record) : status;
}

weir_status weir_object_destroy(weir_device *device, enum weir_primitive primitive,
                                const weir_word *words, size_t offset, void *handle,
                                size_t handle_bytes)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!weir_record_find(device, primitive, words, offset * sizeof(weir_word)))
		return not_here(device, primitive);
	status = weir_device_check_idle(device, weir_primitive_phrase(primitive));
	if (status != WEIR_OK)
		return status;
	weir_record *record =
	    weir_record_take(device, primitive, words, offset * sizeof(weir_word));
	if (!record)
		return not_here(device, primitive);
	memset(handle, 0, handle_bytes);
	weir_record_bury(device, record);
	if (weir_primitive_rows[primitive].give)
		weir_primitive_rows[primitive].give(device, &record->config);
	if (record->config.object.id != 0)
		return weir_diagnosis_remove(device, record);
	return weir_record_free(device, record);
}

weir_status weir_object_size(weir_device *device, weir_object_request request, size_t *bytes,
                             size_t *alignment)
{
	weir_any_config config;
	if (!bytes || !alignment)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the size of the %s",
		                 weir_primitive_name(request.primitive));
	weir_status status = weir_object_request_read(&request);
	if (status == WEIR_OK)
		status = weir_object_request_plan(device, &request, &config, bytes);
	if (status == WEIR_OK)
		*alignment = request.options.object.compact ? word_bytes(request.primitive, &config)
		                                            : ALIGNMENT;
	return status;
}
