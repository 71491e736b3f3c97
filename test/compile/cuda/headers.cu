/* The host API and the device header in one CUDA source, for the host and for the device. */
#include "weir/weir.h"

#include "weir/device.h"

__global__ void step(weir_barrier b, weir_mutex m, weir_mutex_array a, weir_semaphore s, int *total)
{
	weir_barrier_wait(b);
	weir_mutex_block_lock(m);
	if (weir_thread_id() == 0)
		*total += 1;
	weir_mutex_block_unlock(m);
	weir_mutex bucket = weir_mutex_at(a, weir_block_id() % a.config.length);
	weir_mutex_lock(bucket);
	weir_mutex_unlock(bucket);
	weir_semaphore_block_wait(s);
	weir_semaphore_block_post(s);
}

__global__ void hand_out(weir_queue q, weir_dispenser d, weir_tasks t, int *total)
{
	uint32_t task = WEIR_NO_TASK;
	weir_share share = weir_dispenser_begin(d);

	while (weir_dispenser_block_next(d, &share, 4))
		weir_queue_block_push(q, share.first);
	while (weir_tasks_block_next(t, &task))
		if (weir_thread_id() == 0)
			*total += 1;
	weir_queue_block_leave(q);
}

weir_status prepare(weir_device *device, weir_barrier *b, weir_mutex *m)
{
	weir_status status = weir_barrier_create(device, 4, NULL, b);
	weir_mutex_options options = {};

	options.kind = WEIR_MUTEX_TICKET;
	return status == WEIR_OK ? weir_mutex_create(device, &options, m) : status;
}
