/* Every primitive and kind in OpenCL C, by dispatch and called directly. */
#include "weir/device.h"

__kernel void dispatched(__global weir_word *words, weir_barrier_config barrier_config,
                         weir_mutex_config mutex_config, weir_mutex_array_config array_config,
                         weir_semaphore_config semaphore_config, __global uint *total)
{
	weir_barrier b = weir_barrier_make(words, barrier_config);
	weir_mutex m = weir_mutex_make(words, mutex_config);
	weir_mutex_array a = weir_mutex_array_make(words, array_config);
	weir_semaphore s = weir_semaphore_make(words, semaphore_config);

	weir_barrier_wait(b);
	weir_mutex_block_lock(m);
	total[weir_thread_id()] += 1;
	weir_mutex_block_unlock(m);
	weir_semaphore_block_wait(s);
	weir_semaphore_block_post(s);
	if (weir_thread_id() == 0) {
		weir_mutex_lock(weir_mutex_at(a, 3));
		total[0] += weir_block_count();
		weir_mutex_unlock(weir_mutex_at(a, 3));
		weir_semaphore_wait(s);
		weir_semaphore_post(s);
		weir_semaphore_wait_n(s, 2);
		weir_semaphore_post_n(s, 2);
	}
}

__kernel void bounded(__global weir_word *words, weir_barrier_config barrier_config,
                      weir_mutex_config mutex_config, weir_semaphore_config semaphore_config,
                      __global uint *total)
{
	weir_mutex m = weir_mutex_make(words, mutex_config);
	weir_semaphore s = weir_semaphore_make(words, semaphore_config);

	total[0] += weir_mutex_trylock(m) == WEIR_ACQUIRED;
	total[0] += weir_semaphore_trywait(s) == WEIR_BUSY;
	total[0] += weir_semaphore_trywait_n(s, 2) == WEIR_BUSY;
#if WEIR_HAS_DEADLINE
	total[0] += weir_mutex_lock_for(m, 1000) == WEIR_TIMED_OUT;
	total[0] += weir_semaphore_wait_for(s, 1000) == WEIR_TIMED_OUT;
	total[0] += weir_barrier_wait_for(weir_barrier_make(words, barrier_config), 1000);
#else
	(void)barrier_config;
#endif
}

__kernel void grouped(__global weir_word *words, weir_group_config group_config,
                      weir_barrier_config barrier_config, __global uint *masks, ulong mask)
{
	weir_group g = weir_group_make(words, group_config);
	weir_barrier b = weir_barrier_make(words, barrier_config);
	weir_member found = weir_group_discover(g);
	weir_member ranged = weir_group_range(1, 3);
	weir_member masked = weir_group_mask(mask);
	weir_member listed = weir_group_mask_words(masks, 4);

	if (found.is_member)
		weir_group_wait(g, found);
	if (ranged.is_member)
		weir_barrier_wait(weir_group_barrier(b, ranged));
	if (masked.is_member)
		weir_barrier_wait(weir_group_barrier(b, masked));
	if (listed.is_member)
		weir_barrier_wait(weir_group_barrier(b, listed));
}

__kernel void queued(__global weir_word *words, weir_queue_config queue_config,
                     __global uint *total)
{
	weir_queue q = weir_queue_make(words, queue_config);
	uint item[2] = {1, 2};

	total[0] += weir_queue_push_item(q, item, 2) == WEIR_ENDED;
	total[0] += weir_queue_pop_item(q, item, 2) == WEIR_ENDED;
	total[0] += weir_queue_try_push(q, 1) == WEIR_BUSY;
	total[0] += weir_queue_try_pop(q, item) == WEIR_BUSY;
#if WEIR_HAS_DEADLINE
	total[0] += weir_queue_push_for(q, 1, 1000) == WEIR_TIMED_OUT;
	total[0] += weir_queue_pop_for(q, item, 1000) == WEIR_TIMED_OUT;
#endif
	weir_queue_close(q);
	total[0] += weir_queue_leave(q) + weir_queue_length(q);
}

#if WEIR_HAS_WORD64
__kernel void handed_out(__global weir_word *words, weir_dispenser_config dispenser_config,
                         weir_tasks_config tasks_config, __global uint *total)
{
	weir_dispenser d = weir_dispenser_make(words, dispenser_config);
	weir_tasks t = weir_tasks_make(words, tasks_config);
	weir_share share = weir_dispenser_first(d, weir_block_id(), 4);
	uint task = WEIR_NO_TASK;

	while (share.count != 0)
		share = weir_dispenser_take(d, 4);
	while (weir_tasks_next(t, &task))
		total[0] += weir_tasks_add(t, tasks_config.tasks, 0) == WEIR_BUSY;
}
#endif

#define BARRIER(name, ...)                                                                         \
	__kernel void name##_barrier_alone(__global weir_word *words, weir_barrier_config config)  \
	{                                                                                          \
		weir_barrier b = weir_barrier_make(words, config);                                 \
		weir_##name##_barrier_start(b, weir_##name##_barrier_words(config));               \
		weir_##name##_barrier(b);                                                          \
	}
WEIR_BARRIER_KINDS(BARRIER)

#define MUTEX(name, ...)                                                                           \
	__kernel void name##_mutex_alone(__global weir_word *words, weir_mutex_config config)      \
	{                                                                                          \
		weir_mutex m = weir_mutex_make(words, config);                                     \
		weir_##name##_mutex_start(m, weir_##name##_mutex_words(config));                   \
		weir_##name##_lock(m);                                                             \
		weir_##name##_unlock(m);                                                           \
	}
WEIR_MUTEX_KINDS(MUTEX)

#define SEMAPHORE(name, ...)                                                                       \
	__kernel void name##_semaphore_alone(__global weir_word *words,                            \
	                                     weir_semaphore_config config)                         \
	{                                                                                          \
		weir_semaphore s = weir_semaphore_make(words, config);                             \
		weir_##name##_semaphore_start(s, 1, weir_##name##_semaphore_words(config));        \
		weir_##name##_wait(s);                                                             \
		weir_##name##_post(s);                                                             \
	}
WEIR_SEMAPHORE_KINDS(SEMAPHORE)

#define QUEUE(name, ...)                                                                           \
	__kernel void name##_queue_alone(__global weir_word *words, weir_queue_config config)      \
	{                                                                                          \
		weir_queue q = weir_queue_make(words, config);                                     \
		uint item[2] = {1, 2};                                                             \
		uint at = weir_##name##_take(q, weir_queue_tail_(q), 1);                           \
		ulong seen = weir_##name##_look_full(q, at);                                       \
		weir_##name##_put(q, at, item, 2);                                                 \
		weir_##name##_get(q, at, seen, item, 2);                                           \
	}
WEIR_QUEUE_KINDS(QUEUE)
