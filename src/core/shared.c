/* Memory that the host shares with running kernels, and what the host does there: it reads counts
 * and posts, in the words that kernels poll and add to.
 *
 * The host runs the operations of the host machine, a kernel those of system scope. The release of
 * a post and the acquire that finds it in a count pair across the link, in both directions: PTX
 * includes the host's threads in its system scope.
 *
 * Over most links, additions by the host and by a device to the same word are not atomic with
 * respect to each other. Loads are, and so are additions by one side among themselves. So only one
 * side may post to an event there. The library keeps the sum of the host's posts: a count that
 * differs comes from the device.
 */
#define _GNU_SOURCE
#include "core/shared.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "core/backend.h"
#include "core/device.h"
#include "weir/event/api.h"

#define MOST_POSTED 0x80000000u /* signed differences are valid up to here */
#define BRISK_NS 1000000u       /* how long a wait yields before it sleeps */
#define NAP_NS 50000

weir_status weir_shared_check(const weir_device *device)
{
	if (device->backend->share)
		return WEIR_OK;
	return weir_fail(WEIR_UNSUPPORTED,
	                 "%s has no memory that the host can use while a kernel runs: a buffer of "
	                 "OpenCL belongs to the device then",
	                 device->info.name);
}

weir_status weir_shared_allocate(weir_device *device, weir_record *record, uint32_t events)
{
	weir_status status = weir_shared_check(device);
	int atomics = 0;

	if (status != WEIR_OK)
		return status;
	record->shared = 1;
	status = device->backend->share(device->state, record->bytes, &record->native, &atomics);
	if (status != WEIR_OK || atomics || events == 0)
		return status;
	record->posted = calloc(events, sizeof *record->posted);
	return record->posted ? WEIR_OK
	                      : weir_fail(WEIR_NO_MEMORY, "no memory for the host's counts");
}

weir_status weir_shared_clear(weir_device *device, const weir_record *record)
{
	weir_status status = device->backend->settle(device->state);

	if (status == WEIR_BUSY)
		return status;
	memset(record->native, 0, record->bytes);
	if (record->posted)
		memset(record->posted, 0,
		       record->config.event_array.length * sizeof *record->posted);
	return status;
}

/* Writes the record of the array and locks the device, so that the array cannot be destroyed. On
 * failure the device is not locked. */
static weir_status begin(weir_device *device, weir_event_array array, uint32_t index,
                         weir_record **record)
{
	weir_status status = weir_device_check(device);
	uint32_t length;

	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&device->lock);
	*record = weir_record_look(device, WEIR_PRIMITIVE_EVENT_ARRAY, array.words,
	                           array.config.offset * sizeof(weir_word));
	length = *record ? (*record)->config.event_array.length : 0;
	if (*record && (*record)->shared && index < length)
		return WEIR_OK;
	pthread_mutex_unlock(&device->lock);
	if (!length)
		return weir_fail(
		    WEIR_NOT_FOUND,
		    "no such array of events on device %s: not created there, or destroyed before",
		    device->info.name);
	if (index >= length)
		return weir_fail(WEIR_BAD_ARGUMENT, "event %u of an array of %u", index, length);
	return weir_fail(WEIR_BAD_ARGUMENT,
	                 "the host cannot use these events while a kernel runs: create the array "
	                 "with host_visible");
}

static weir_event event_of(const weir_record *record, uint32_t index)
{
	weir_event_array array = {record->native, record->config.event_array};

	return weir_event_at(array, index);
}

weir_status weir_event_host_count(weir_device *device, weir_event_array array, uint32_t index,
                                  uint32_t *count)
{
	weir_record *record;
	weir_status status;
	weir_event event;

	if (!count)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the count of an event");
	status = begin(device, array, index, &record);
	if (status != WEIR_OK)
		return status;
	event = event_of(record, index);
	*count = weir_event_count(event);
	weir_event_acquire_(event);
	pthread_mutex_unlock(&device->lock);
	return WEIR_OK;
}

weir_status weir_event_host_post(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t n)
{
	weir_record *record;
	weir_status status;
	weir_event event;
	uint32_t count;
	uint32_t posted;

	if (n == 0 || n > MOST_POSTED)
		return weir_fail(WEIR_BAD_ARGUMENT, "a post of %u to an event: 1 to %u are allowed",
		                 n, MOST_POSTED);
	status = begin(device, array, index, &record);
	if (status != WEIR_OK)
		return status;
	event = event_of(record, index);
	count = weir_event_count(event);
	posted = record->posted ? record->posted[index] : count;
	if (count == posted) {
		weir_event_post(event, n);
		if (record->posted)
			record->posted[index] += n;
	}
	pthread_mutex_unlock(&device->lock);
	if (count == posted)
		return WEIR_OK;
	return weir_fail(WEIR_UNSUPPORTED,
	                 "event %u is at %u, of which the host has posted %u: between the host and "
	                 "%s no additions are atomic, so that either of them may signal an event, "
	                 "not both",
	                 index, count, posted, device->info.name);
}

void weir_shared_rest(uint64_t waited_ns)
{
	if (waited_ns < BRISK_NS)
		weir_host_yield_();
	else
		nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}

weir_status weir_event_host_wait(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t target, uint64_t timeout_ns)
{
	uint64_t begun = weir_host_clock_ns_();

	for (;;) {
		uint32_t count;
		weir_status status = weir_event_host_count(device, array, index, &count);
		uint64_t waited = weir_host_clock_ns_() - begun;

		if (status != WEIR_OK || weir_event_is_past_(count, target))
			return status;
		if (timeout_ns && waited >= timeout_ns)
			return weir_fail(WEIR_TIMED_OUT,
			                 "event %u is at %u and not yet at %u after %.3f seconds",
			                 index, count, target, (double)waited * 1e-9);
		weir_shared_rest(waited);
	}
}
