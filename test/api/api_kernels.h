/* Kernels that show whether an object or a launch does what it should. All machines share this
 * source. */
#include "kernels/kernel.h"
#include "params.h"

/* Each thread of the grid writes its numbers to its own place. */
WEIR_KERNEL(api_ids, api_params)
{
	(void)words;
	data[weir_block_id() * weir_thread_count() + weir_thread_id()] +=
	    params.value + weir_block_id() * 1000 + weir_thread_id();
}

#ifdef API_STUCK
#include "lock_kernels.h"
#elif defined(API_QUEUES)
#include "queue_kernels.h"
#elif defined(API_LOCKS)
#include "made_kernels.h"
#elif defined(API_CREWS)
#include "crew_kernels.h"
#else
/* Each block writes which cluster it is in, waits for the other blocks of that cluster, and then
 * records that they have met. */
WEIR_KERNEL(api_clusters, api_params)
{
	WEIR_GLOBAL uint32_t *mine = data + weir_block_id() * API_CLUSTER_WORDS;
	uint32_t first = weir_cluster_id() * weir_cluster_size();

	if (weir_thread_id() != 0)
		return;
	mine[0] = weir_cluster_id();
	mine[1] = weir_cluster_rank();
	mine[2] = weir_cluster_size();
	weir_store_rlx(&words[first + weir_cluster_rank()], params.value);
	for (uint32_t i = 0; i < weir_cluster_size(); i++)
		weir_await_eq_acq(&words[first + i], params.value, weir_no_backoff());
	mine[3] = params.value;
}

/* Each block counts in data[0], one at a time. With `value` 1 it keeps the mutex; with a larger
 * value it pauses for that long while it holds it. */
WEIR_KERNEL(api_mutex, api_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_mutex_lock(m);
		data[0] += 1;
		if (params.value > 1)
			weir_pause(params.value);
		if (params.value != 1)
			weir_mutex_unlock(m);
	}
}

/* Each block counts in data[i] under mutex i. With `value` set it keeps them all. */
WEIR_KERNEL(api_mutex_array, api_params)
{
	weir_mutex_array a = weir_mutex_array_make(words, params.config.mutex_array);
	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < a.config.length; i++) {
		weir_mutex_lock(weir_mutex_at(a, i));
		data[i] += 1;
		if (!params.value)
			weir_mutex_unlock(weir_mutex_at(a, i));
	}
}

/* Posts `value` to the last event of an array, and leaves its count in data[0]. */
WEIR_KERNEL(api_event, api_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	weir_event e = weir_event_at(a, a.config.length - 1);
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	weir_event_post(e, params.value);
	data[0] = weir_event_count(e);
}

/* A persistent kernel: the host passes `rounds` items, one after the other, in data[0] and so on.
 * Event 0 counts them. Block b takes every item i with i mod blocks == b, stores its answer in
 * data[rounds + i], and counts it in event 1 + b. With `value` it does not wait. */
WEIR_KERNEL(api_feed, api_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	uint32_t last = weir_thread_count() - 1;

	for (uint32_t i = weir_block_id(); i < params.rounds; i += weir_block_count()) {
		if (!params.value)
			weir_event_block_wait(weir_event_at(a, 0), i + 1);
		if (weir_thread_id() == last)
			data[params.rounds + i] = API_ANSWER(data[i]);
		weir_event_block_post(weir_event_at(a, 1 + weir_block_id()), 1);
	}
}

#ifdef WEIR_DIAGNOSE

/* Signals all events as often as a launch must, and waits for them: the last is a latch, the one
 * before it a sequence. With `value` block 1 signals the plain events once more. */
WEIR_KERNEL(api_events_meet, api_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	uint32_t blocks = weir_block_count();
	uint32_t round = weir_event_array_round(a);
	uint32_t plain = a.config.length - 2;

	if (weir_thread_id() == 0)
		for (uint32_t i = 0; i < plain; i++)
			weir_event_post(weir_event_at(a, i),
			                params.value && weir_block_id() == 1 ? 2 : 1);
	weir_event_array_block_wait_all(a, 0, plain, weir_event_target(round, blocks, blocks));
	if (weir_thread_id() == 0) {
		weir_sequence s = weir_sequence_of(weir_event_at(a, plain), blocks, round);
		weir_latch l = weir_latch_of(weir_event_at(a, plain + 1), 2 * blocks, round);
		weir_event_array_wait_all(a, 0, plain, weir_event_target(round, blocks, blocks));
		weir_sequence_begin(s, weir_block_id());
		weir_sequence_end(s);
		weir_latch_arrive(l, 2);
		weir_latch_wait(l);
		data[weir_block_id()] = 1;
	}
	weir_event_array_block_leave(a);
}

/* Block 0 signals event 1. Block 1 waits for two events; its leader waits for event 1. */
WEIR_KERNEL(api_events_all, api_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);

	(void)data;
	if (weir_block_id() == 0 && weir_thread_id() == 0)
		weir_event_post(weir_event_at(a, 1), params.rounds);
	weir_event_array_block_wait_all(a, 1, weir_block_id() == 1 ? 2 : 0, params.rounds);
}

/* The leader of block 1 operates on event 1; data[0] gets the result of a check or a count. */
WEIR_FN void api_events_one(weir_event_array a, WEIR_GLOBAL uint32_t *data, api_params params)
{
	weir_event e = weir_event_at(a, 1);

	if (params.value == API_EVENTS_WAIT)
		weir_event_wait(e, params.rounds);
	if (params.value == API_EVENTS_WAIT_ANY)
		weir_event_array_wait_any(a, 2, 3, params.rounds);
#if WEIR_HAS_DEADLINE
	if (params.value == API_EVENTS_WAIT_PAST)
		weir_event_array_wait_all_for(a, 1, a.config.length, params.rounds, 1000);
#endif
	if (params.value == API_EVENTS_LOOK)
		data[0] = (uint32_t)weir_event_reached(e, params.rounds);
	if (params.value == API_EVENTS_SIGNAL) {
		weir_event_post(e, params.rounds);
		data[0] = weir_event_count(e);
	}
	if (params.value == API_EVENTS_WRITE) {
		weir_event_post(e, 2);
		weir_store_rlx(e.words, 0); /* relaxed: any order is wrong here */
	}
}

WEIR_KERNEL(api_events, api_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);

#if WEIR_HAS_TEAMS
	if (params.value == API_EVENTS_WAIT_TEAM && weir_block_id() == 1)
		weir_event_team_wait(weir_event_at(a, 2), params.rounds, weir_team_block());
#endif
	if (weir_thread_id() == 0 && weir_block_id() == 1)
		api_events_one(a, data, params);
	else if (weir_thread_id() == 0 && params.value == API_EVENTS_WAIT)
		weir_event_post(weir_event_at(a, 1), 1);
}

WEIR_FN void api_queue_one(weir_queue q, WEIR_GLOBAL uint32_t *data, api_params params)
{
	uint32_t item[2] = {0, 0};
	uint32_t pushes = params.value != API_QUEUE_POP && params.value != API_QUEUE_LEAVE;

	if (params.value == API_QUEUE_LEAVE)
		weir_queue_leave(q);
	if (params.value == API_QUEUE_ITEM)
		weir_queue_push_item(q, item, params.rounds);
	if (params.value == API_QUEUE_CLOSED)
		weir_queue_close(q);
	for (uint32_t i = 0; i < params.rounds && params.value != API_QUEUE_ITEM; i++) {
		if (pushes && weir_queue_push(q, i) == WEIR_OK)
			data[0] += 1;
		if (params.value == API_QUEUE_POP && weir_queue_pop(q, item) == WEIR_OK)
			data[1] += 1;
	}
	if (params.value == API_QUEUE_CLOSE) {
		weir_queue_close(q);
		while (weir_queue_pop(q, item) == WEIR_OK)
			data[1] += 1;
	}
}

/* The part of a leader. */
WEIR_FN void api_queue_lead(weir_queue q, WEIR_GLOBAL uint32_t *data, api_params params)
{
	uint32_t item;

	if (params.value == API_QUEUE_RIGHT) {
		for (uint32_t i = 0; i < params.rounds; i++) {
			weir_queue_push(q, i);
			weir_queue_pop(q, &item);
		}
	} else if (params.value == API_QUEUE_PUSH) {
		for (uint32_t i = 0; i < params.rounds; i++)
			weir_queue_push(q, i);
	} else if (params.value == API_QUEUE_SHARE) {
		if (weir_block_id() < 2)
			weir_queue_pop(q, &item);
	} else if (weir_block_id() == 1 && params.value < API_QUEUE_BATCH &&
	           params.value != API_QUEUE_STAY) {
		api_queue_one(q, data, params);
	}
	if (params.value <= API_QUEUE_CLOSE ||
	    (params.value == API_QUEUE_STAY && weir_block_id() != 1))
		weir_queue_leave(q);
}

WEIR_KERNEL(api_queue, api_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);

	if (weir_thread_id() == 0)
		api_queue_lead(q, data, params);
#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE
	{
		uint32_t item = 0;
		if (weir_block_id() == 1 && params.value == API_QUEUE_BATCH)
			weir_queue_block_push_n(q, params.rounds, &item, 1);
		if (weir_block_id() == 1 && params.value == API_QUEUE_POP_BATCH)
			weir_queue_block_pop_n(q, params.rounds, &item, 1);
	}
#endif
}

#if WEIR_HAS_WORD64

/* data[i] counts the items that block i got. */
WEIR_KERNEL(api_dispenser, api_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.config.dispenser);
	int once = params.value == API_DISPENSER_ONCE || params.value == API_DISPENSER_NOTHING;
	uint32_t n = params.value == API_DISPENSER_NOTHING ? 0 : 3;
	weir_share share = weir_dispenser_begin(d);

	if (weir_thread_id() != 0 || (once && weir_block_id() != 1))
		return;
	while (weir_dispenser_next(d, &share, n)) {
		data[weir_block_id()] += share.count;
		if (once)
			return;
	}
	share = weir_dispenser_begin(d);
	if (params.value == API_DISPENSER_AGAIN && weir_block_id() == 1)
		weir_dispenser_next(d, &share, n);
}

/* data[1 + i] counts the runs of task i. */
WEIR_KERNEL(api_tasks, api_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	uint32_t task = WEIR_NO_TASK;

	if (params.value != API_TASKS_TEAM && weir_thread_id() == 0) {
		while (weir_tasks_next(t, &task)) {
			data[1 + task] += 1;
			if (task == params.rounds && params.value == API_TASKS_HANG)
				weir_await_eq_acq(weir_tasks_stuck_(t), 2, weir_no_backoff());
			if (task == params.rounds && params.value == API_TASKS_ADD)
				weir_tasks_add(t, t.config.tasks - 1, 0);
			if (task == params.rounds && params.value == API_TASKS_BREAK)
				break;
		}
	}
#if WEIR_HAS_BLOCK_VALUE
	while (params.value == API_TASKS_TEAM && weir_tasks_block_next(t, &task))
		if (weir_thread_id() == 0)
			data[1 + task] += 1;
#endif
}

#endif

#endif

/* Waits and posts; block 0 counts its rounds in data[0]. */
WEIR_KERNEL(api_semaphore, api_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (params.value & API_WAIT)
			weir_semaphore_wait(s);
		if (params.value >= API_LINGER)
			weir_pause(params.value);
		if (params.value & API_POST)
			weir_semaphore_post(s);
	}
	if (weir_block_id() == 0)
		data[0] += params.rounds;
}

/* data[0] counts the blocks that passed a barrier before others had written; data[1 + i] belongs to
 * block i. Block 0 pauses for `value` each time. */
WEIR_KERNEL(api_barrier, api_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	uint32_t wrong = 0;

	/* The blocks store in even steps and look in odd steps: PoCL takes ten times as long to compile
	 * a loop with two waits. */
	for (uint32_t step = 0; step < 2 * params.rounds; step++) {
		uint32_t round = step / 2 + 1;

		if (step % 2 == 0 && weir_block_id() == 0)
			weir_pause(params.value);
		if (step % 2 == 0 && weir_thread_id() == 0)
			data[1 + weir_block_id()] = round;
		for (uint32_t block = 0; step % 2 == 1 && block < weir_block_count(); block++)
			wrong += data[1 + block] != round;
		weir_barrier_wait(b);
	}
	if (wrong)
		data[0] = wrong;
}

/* Runs for long. */
WEIR_KERNEL(api_linger, api_params)
{
	(void)words;
	for (uint32_t i = 0; i < params.rounds; i++)
		weir_pause(params.value);
	if (weir_thread_id() == 0)
		data[weir_block_id()] = 1;
}

/* Waits for a store that may never happen. */
WEIR_KERNEL(api_await, api_params)
{
	weir_await_eq_acq(words, params.value, weir_no_backoff());
	if (weir_thread_id() == 0)
		data[weir_block_id()] = 1;
}

/* The other threads of a block lock and unlock a mutex of their own, while the leader waits for
 * itself. */
WEIR_KERNEL(api_company, api_pair)
{
	weir_mutex m = weir_mutex_make(words, params.first.mutex);
	weir_mutex other = weir_mutex_make(words, params.other.mutex);

	(void)data;
	if (weir_thread_id() == 0)
		weir_mutex_lock(m);
	weir_block_sync(); /* the block's notes exist before its other threads need them */
	if (weir_thread_id() == 0)
		weir_mutex_lock(m);
	if (!WEIR_HAS_THREAD_PROGRESS)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_mutex_lock(other);
		weir_mutex_unlock(other);
		weir_pause(params.value);
	}
}

/* After a barrier of all blocks every leader locks, and none unlocks. With `value` the barrier is
 * in two halves, and the leader locks between them. */
WEIR_KERNEL(api_after_barrier, api_pair)
{
	weir_barrier b = weir_barrier_make(words, params.first.barrier);
	weir_mutex m = weir_mutex_make(words, params.other.mutex);
	uint32_t token = 0;

	(void)data;
	if (params.value)
		token = weir_barrier_arrive(b);
	else
		weir_barrier_wait(b);
	if (weir_thread_id() == 0)
		weir_mutex_lock(m);
	if (params.value)
		weir_barrier_await(b, token);
}

WEIR_FN void api_operate_mutex(weir_mutex m, uint32_t operation)
{
	if (operation == API_MUTEX_LOCK)
		weir_mutex_lock(m);
	if (operation == API_MUTEX_UNLOCK)
		weir_mutex_unlock(m);
	if (operation == API_MUTEX_TRYLOCK)
		weir_mutex_try_lock(m);
#if WEIR_HAS_DEADLINE
	if (operation == API_MUTEX_LOCK_FOR)
		weir_mutex_lock_for(m, 1000);
#endif
}

WEIR_FN void api_operate_semaphore(weir_semaphore s, uint32_t operation)
{
	if (operation == API_SEMAPHORE_WAIT)
		weir_semaphore_wait(s);
	if (operation == API_SEMAPHORE_WAIT_N)
		weir_semaphore_wait_n(s, 2);
	if (operation == API_SEMAPHORE_POST)
		weir_semaphore_post(s);
	if (operation == API_SEMAPHORE_POST_N)
		weir_semaphore_post_n(s, 2);
	if (operation == API_SEMAPHORE_TRYWAIT)
		weir_semaphore_try_wait(s);
#if WEIR_HAS_DEADLINE
	if (operation == API_SEMAPHORE_WAIT_FOR)
		weir_semaphore_wait_for(s, 1000);
#endif
}

WEIR_FN void api_operate_barrier(weir_barrier b, uint32_t operation)
{
	if (operation == API_BARRIER_WAIT)
		weir_barrier_wait(b);
	if (operation == API_BARRIER_ARRIVE)
		weir_barrier_arrive(b);
	if (operation == API_BARRIER_AWAIT)
		weir_barrier_await(b, 0);
#if WEIR_HAS_DEADLINE
	if (operation == API_BARRIER_WAIT_FOR)
		weir_barrier_wait_for(b, 1000);
#endif
}

WEIR_FN void api_operate_event(weir_event e, uint32_t operation)
{
	if (operation == API_EVENT_SIGNAL)
		weir_event_signal(e, 1);
	if (operation == API_EVENT_POST)
		weir_event_post(e, 1);
	if (operation == API_EVENT_WAIT)
		weir_event_wait(e, 1);
	if (operation == API_EVENT_REACHED)
		weir_event_reached(e, 1);
#if WEIR_HAS_DEADLINE
	if (operation == API_EVENT_WAIT_FOR)
		weir_event_wait_for(e, 1, 1000);
#endif
}

/* One operation, in every thread; block i records in data[i] that it returned. */
WEIR_KERNEL(api_operate, api_params)
{
	api_operate_mutex(weir_mutex_make(words, params.config.mutex), params.value);
	api_operate_semaphore(weir_semaphore_make(words, params.config.semaphore), params.value);
	api_operate_barrier(weir_barrier_make(words, params.config.barrier), params.value);
	if (params.value >= API_EVENT_SIGNAL) /* other objects have no length */
		api_operate_event(
		    weir_event_at(weir_event_array_make(words, params.config.event_array), 0),
		    params.value);
	if (weir_thread_id() == 0)
		data[weir_block_id()] = 1;
}

#endif
