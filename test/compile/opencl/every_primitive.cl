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

	total[0] += weir_mutex_try_lock(m) == WEIR_OK;
	total[0] += weir_semaphore_try_wait(s) == WEIR_BUSY;
	total[0] += weir_semaphore_try_wait_n(s, 2) == WEIR_BUSY;
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

	total[0] += weir_queue_push_item(q, item, 2) == WEIR_CLOSED;
	total[0] += weir_queue_pop_item(q, item, 2) == WEIR_CLOSED;
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
	weir_share share = weir_dispenser_begin(d);
	uint task = WEIR_NO_TASK;

	while (weir_dispenser_next(d, &share, 4))
		;
	while (weir_tasks_next(t, &task))
		total[0] += weir_tasks_add(t, tasks_config.tasks, 0) == WEIR_BUSY;
}
#endif

__kernel void locks(__global weir_word *words, weir_mutex_config mutex_config,
                    weir_condition_config condition_config, weir_rwlock_config rwlock_config,
                    weir_once_config once_config, __global uint *total)
{
	weir_mutex m = weir_mutex_make(words, mutex_config);
	weir_condition c = weir_condition_make(words, condition_config);
	weir_rwlock l = weir_rwlock_make(words, rwlock_config);
	weir_once o = weir_once_make(words, once_config);

	if (weir_once_begin(o))
		weir_once_end(o);
	weir_mutex_lock(m);
	weir_condition_wait_until(c, m, total[0] != 0);
	total[0] += weir_condition_signal(c) + weir_condition_broadcast(c);
	weir_mutex_unlock(m);
	weir_condition_block_signal(c);
	weir_condition_block_broadcast(c);
	weir_once_block_end(o);
	weir_rwlock_block_read_lock(l);
	total[1] += weir_once_is_done(o);
	weir_rwlock_block_read_unlock(l);
	weir_rwlock_block_write_lock(l);
	weir_rwlock_block_downgrade(l);
	weir_rwlock_read_unlock(l);
	weir_rwlock_block_write_unlock(l);
	total[1] += weir_rwlock_try_read_lock(l) + weir_rwlock_try_write_lock(l);
#if WEIR_HAS_DEADLINE
	int is_mine;
	total[2] += weir_condition_wait_for(c, m, 1000) + weir_once_begin_for(o, 1000, &is_mine);
	total[2] += weir_rwlock_read_lock_for(l, 1000) + weir_rwlock_write_lock_for(l, 1000);
#endif
}

__kernel void made(__global weir_word *words)
{
	weir_condition_start(weir_condition_in(words, 32), 0);
	weir_rwlock_start(weir_rwlock_in(words), 0);
	weir_once_end(weir_once_in(words));
#if WEIR_HAS_WORD64
	weir_combiner_leave(weir_combiner_in(words, 4));
#endif
}

#if WEIR_HAS_WORD64
__kernel void combined(__global weir_word *words, weir_combiner_config config, __global uint *total)
{
	weir_combiner c = weir_combiner_make(words, config);
	uint operation[2] = {1, 2};
	weir_combiner_call call = weir_combiner_publish_words(c, operation, 2);

	while (weir_combiner_wait(c, &call) || weir_combiner_serve_next(c, &call)) {
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call) {
				total[0] += weir_combiner_operation(&call, i);
				weir_combiner_answer_word(
				    &call, i, 1, weir_combiner_operation_word(&call, i, 1));
				weir_combiner_answer(&call, i, total[0]);
			}
		weir_combiner_release(c, &call);
	}
	total[1] += weir_combiner_result(&call) + weir_combiner_result_word(&call, 1);
	total[2] += weir_combiner_serve(c, &call);
#if WEIR_HAS_DEADLINE
	weir_deadline deadline = weir_deadline_begin(1000);
	call = weir_combiner_publish_timed(c, operation, 1);
	total[3] += weir_combiner_wait_by(c, &call, &deadline);
#endif
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
