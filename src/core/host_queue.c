/* The host's side of a queue while a kernel runs.
 *
 * The host runs the device's code with the operations of the host machine. Kernels run it with
 * those of system scope, so that releases and acquires pair across the link (core/shared.c).
 *
 * The pushing side changes `tail` and the closed bit, the popping side changes `head`. Over most
 * links, additions by the host and by a device to the same word are not atomic with respect to each
 * other. A slot has one owner at a time and is passed on by a store of its turn. The host's threads
 * take turns under the lock of the device, which also keeps the queue from being destroyed.
 *
 * The last block to leave a queue that the host has closed stores `tail` and `end`, which the host
 * may see in either order. So the host considers a queue open only when both say so. Its own stores
 * then follow these. */
#include "core/shared.h"

#include <string.h>

#include "base/status.h"
#include "core/device.h"
#include "weir/queue/bounded.h"

/* One call of the host. */
struct call {
	weir_device *device;
	weir_queue queue;
	uint32_t side;    /* the side that the call is for; 0: both */
	const void *from; /* the item of a push */
	void *to;         /* destination of a pop */
	size_t item_bytes;
};

static const char *side_text(uint32_t side)
{
	return side == WEIR_HOST_PUSHES ? "pushes to" : "pops from";
}

static weir_status check_record(const struct call *call, const weir_record *record)
{
	if (!record)
		return weir_fail(
		    WEIR_NOT_FOUND,
		    "no such queue on device %s: not created there, or destroyed before",
		    call->device->info.name);
	if (!record->shared)
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "the host cannot use this queue while a kernel runs: create it with "
		    "host_visible");
	if (call->side && call->side != record->host_side)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the host %s this queue, and a kernel %s it: create it with the "
		                 "other host_side",
		                 side_text(record->host_side), side_text(call->side));
	if ((call->from || call->to) &&
	    call->item_bytes != record->config.queue.words * sizeof(weir_word))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "an item of %zu bytes for a queue whose items have %zu",
		                 call->item_bytes, record->config.queue.words * sizeof(weir_word));
	return WEIR_OK;
}

/* Writes the record of the queue and locks the device. On failure the device is not locked. */
static weir_status begin(const struct call *call, weir_record **record)
{
	weir_status status = weir_device_check(call->device);

	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&call->device->lock);
	*record = weir_record_look(call->device, WEIR_PRIMITIVE_QUEUE, call->queue.words,
	                           call->queue.config.offset * sizeof(weir_word));
	status = check_record(call, *record);
	if (status != WEIR_OK)
		pthread_mutex_unlock(&call->device->lock);
	return status;
}

/* The queue as it was created, whatever became of the caller's handle. */
static weir_queue queue_of(const weir_record *record)
{
	return (weir_queue){record->native, record->config.queue};
}

static int is_closed(weir_queue q)
{
	/* Relaxed: reading both words suffices, as the comment at the top of this file explains. */
	return weir_load_rlx(weir_queue_end_(q)) != 0 ||
	       (weir_load_rlx(weir_queue_tail_(q)) & WEIR_QUEUE_CLOSED) != 0;
}

static weir_status try_once(const struct call *call, weir_status *result)
{
	weir_record *record;
	weir_status status = begin(call, &record);
	weir_queue q;

	if (status != WEIR_OK)
		return status;
	q = queue_of(record);
	if (call->side == WEIR_HOST_PUSHES) {
		memcpy(record->item, call->from, call->item_bytes);
		*result = is_closed(q) ? WEIR_CLOSED
		                       : weir_queue_try_push_item(q, record->item, q.config.words);
	} else {
		*result = weir_queue_try_pop_item(q, record->item, q.config.words);
		if (*result == WEIR_OK)
			memcpy(call->to, record->item, call->item_bytes);
	}
	pthread_mutex_unlock(&call->device->lock);
	return WEIR_OK;
}

static weir_status try_for(const struct call *call, uint64_t timeout_ns)
{
	int pushes = call->side == WEIR_HOST_PUSHES;
	uint64_t begun = weir_host_clock_ns_();

	for (;;) {
		weir_status result = WEIR_BUSY;
		weir_status status = try_once(call, &result);
		uint64_t waited = weir_host_clock_ns_() - begun;

		if (status != WEIR_OK || result == WEIR_OK)
			return status;
		if (result == WEIR_CLOSED)
			return weir_fail(WEIR_CLOSED, pushes ? "a push to a queue that is closed"
			                                     : "a pop from a queue that is closed "
			                                       "and empty");
		if (timeout_ns && waited >= timeout_ns)
			return weir_fail(WEIR_TIMED_OUT, "the queue is still %s after %.3f seconds",
			                 pushes ? "full" : "empty", (double)waited * 1e-9);
		weir_shared_rest(waited);
	}
}

weir_status weir_queue_host_push(weir_device *device, weir_queue queue, const void *item,
                                 size_t item_bytes, uint64_t timeout_ns)
{
	const struct call call = {.device = device,
	                          .queue = queue,
	                          .side = WEIR_HOST_PUSHES,
	                          .from = item,
	                          .item_bytes = item_bytes};

	if (!item)
		return weir_fail(WEIR_BAD_ARGUMENT, "no item to push");
	return try_for(&call, timeout_ns);
}

weir_status weir_queue_host_pop(weir_device *device, weir_queue queue, void *item,
                                size_t item_bytes, uint64_t timeout_ns)
{
	const struct call call = {.device = device,
	                          .queue = queue,
	                          .side = WEIR_HOST_POPS,
	                          .to = item,
	                          .item_bytes = item_bytes};

	if (!item)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the item of a pop");
	return try_for(&call, timeout_ns);
}

weir_status weir_queue_host_close(weir_device *device, weir_queue queue)
{
	const struct call call = {.device = device, .queue = queue, .side = WEIR_HOST_PUSHES};
	weir_record *record;
	weir_status status = begin(&call, &record);

	if (status != WEIR_OK)
		return status;
	if (!is_closed(queue_of(record)))
		weir_queue_close(queue_of(record));
	pthread_mutex_unlock(&device->lock);
	return WEIR_OK;
}

weir_status weir_queue_host_length(weir_device *device, weir_queue queue, uint32_t *length)
{
	const struct call call = {.device = device, .queue = queue};
	weir_record *record;
	weir_status status;

	if (!length)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the length of a queue");
	status = begin(&call, &record);
	if (status != WEIR_OK)
		return status;
	*length = weir_queue_length(queue_of(record));
	pthread_mutex_unlock(&device->lock);
	return WEIR_OK;
}
