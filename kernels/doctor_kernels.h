/* The classic mistakes, for weir doctor: kernels that hang or misuse an object, and one that is right.
 * Compiled with WEIR_DIAGNOSE. One text for all machines.
 *
 * Block 1 makes the mistake, or has a part in it. */
#ifndef WEIR_DIAGNOSE
#define WEIR_DIAGNOSE
#endif
/* The kinds of its objects: PoCL takes long to compile what may be any. */
#define WEIR_BARRIER_KIND WEIR_BARRIER_ATOMIC
#define WEIR_MUTEX_KIND WEIR_MUTEX_TICKET
#define WEIR_SEMAPHORE_KIND WEIR_SEMAPHORE_SLEEPING
#define WEIR_EVENT_WITH (1 << WEIR_EVENT_SHARDS)
#define WEIR_QUEUE_WITH (1 << WEIR_QUEUE_SINGLE)
#include "doctor_params.h"
#include "kernel.h"

#define DOCTOR_CULPRIT 1

WEIR_FN int doctor_leads(void)
{
	return weir_thread_id() == 0;
}

/* Tells the other blocks that a step is done. */
WEIR_FN void doctor_signal(WEIR_GLOBAL weir_word *words)
{
	weir_add_acq_rel(words, 1); /* pairs with the await below */
}

WEIR_FN void doctor_await(WEIR_GLOBAL weir_word *words, uint32_t signals)
{
	weir_await_ge_acq(words, signals, weir_no_backoff()); /* pairs with doctor_signal */
}

WEIR_KERNEL(doctor_healthy, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_barrier b = weir_barrier_make(words, params.barrier);

	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_mutex_block_lock(m);
		if (doctor_leads())
			data[0] = data[0] + 1;
		weir_mutex_block_unlock(m);
		weir_barrier_wait(b);
	}
}

WEIR_KERNEL(doctor_exits_with_lock, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() == DOCTOR_CULPRIT) {
		weir_mutex_lock(m);
		doctor_signal(words);
		return;
	}
	doctor_await(words, 1);
	weir_mutex_lock(m);
	weir_mutex_unlock(m);
}

/* Each has its first mutex before either asks for its second. */
WEIR_KERNEL(doctor_deadlock, doctor_params)
{
	weir_mutex a = weir_mutex_make(words, params.first);
	weir_mutex b = weir_mutex_make(words, params.second);

	(void)data;
	if (!doctor_leads() || weir_block_id() > 1)
		return;
	if (weir_block_id() == 0) {
		weir_mutex_lock(a);
		doctor_signal(words);
		doctor_await(words, 2);
		weir_mutex_lock(b);
	} else {
		weir_mutex_lock(b);
		doctor_signal(words);
		doctor_await(words, 2);
		weir_mutex_lock(a);
	}
	weir_mutex_unlock(a);
	weir_mutex_unlock(b);
}

WEIR_KERNEL(doctor_skips_barrier, doctor_params)
{
	weir_barrier b = weir_barrier_make(words, params.barrier);

	(void)data;
	for (uint32_t i = 0; i < params.rounds; i++)
		weir_barrier_wait(b);
	if (weir_block_id() != DOCTOR_CULPRIT)
		weir_barrier_wait(b);
}

WEIR_KERNEL(doctor_fewer_threads, doctor_params)
{
	weir_barrier b = weir_barrier_make(words, params.barrier);

	(void)data;
	if (weir_block_id() == DOCTOR_CULPRIT && weir_thread_id() == 1)
		return;
	weir_barrier_wait(b);
}

/* Block 0 has it all the time, so that the stranger's unlock does harm. */
WEIR_KERNEL(doctor_stranger, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);

	(void)data;
	if (!doctor_leads() || weir_block_id() > 1)
		return;
	if (weir_block_id() == 0) {
		weir_mutex_lock(m);
		doctor_signal(words);
		doctor_await(words, 2);
		return;
	}
	doctor_await(words, 1);
	weir_mutex_unlock(m);
	doctor_signal(words);
}

WEIR_KERNEL(doctor_posts_above, doctor_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.semaphore);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_semaphore_wait(s);
	weir_semaphore_post(s);
	weir_semaphore_post(s);
}

WEIR_KERNEL(doctor_order, doctor_params)
{
	weir_mutex a = weir_mutex_make(words, params.first);
	weir_mutex b = weir_mutex_make(words, params.second);

	(void)data;
	if (!doctor_leads() || weir_block_id() > 1)
		return;
	if (weir_block_id() == 0) {
		weir_mutex_lock(a);
		weir_mutex_lock(b);
		weir_mutex_unlock(b);
		weir_mutex_unlock(a);
		doctor_signal(words);
		return;
	}
	doctor_await(words, 1);
	weir_mutex_lock(b);
	weir_mutex_lock(a);
	weir_mutex_unlock(a);
	weir_mutex_unlock(b);
}

WEIR_KERNEL(doctor_locks_twice, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_mutex_lock(m);
	weir_mutex_lock(m);
	weir_mutex_unlock(m);
}

WEIR_KERNEL(doctor_destroyed, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_mutex_lock(m);
	weir_mutex_unlock(m);
}

/* Each block signals the event 0 of the array so often, and waits for one signal of each. */
WEIR_FN void doctor_meet(weir_event_array a, uint32_t signals)
{
	weir_event e = weir_event_at(a, 0);
	uint32_t round = weir_event_round(a);

	weir_event_block_post(e, signals);
	weir_event_block_wait(e, weir_event_target(round, weir_block_count(), weir_block_count()));
	weir_event_block_leave(a);
}

WEIR_KERNEL(doctor_events_healthy, doctor_params)
{
	(void)data;
	doctor_meet(weir_event_array_make(words, params.tiles), 1);
}

/* Block 1 waits for its own signal, too, which it has not made. */
WEIR_KERNEL(doctor_waits_for_more, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.tiles), 2);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_event_wait(e, weir_block_count());
	else
		weir_event_post(e, 1);
}

/* The count of 0 is past it already, by signed difference. */
WEIR_KERNEL(doctor_waits_far, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.tiles), 0);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_event_wait(e, 3000000000u);
}

WEIR_KERNEL(doctor_signals_twice, doctor_params)
{
	(void)data;
	doctor_meet(weir_event_array_make(words, params.tiles),
	            weir_block_id() == DOCTOR_CULPRIT ? 2 : 1);
}

WEIR_KERNEL(doctor_past_array, doctor_params)
{
	weir_event_array a = weir_event_array_make(words, params.tiles);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_event_post(weir_event_at(a, a.config.length), 1);
}

WEIR_KERNEL(doctor_signals_nothing, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.tiles), 0);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_event_post(e, 0);
}

WEIR_KERNEL(doctor_asks_shards, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.sums), 0);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_event_signal(e, 1);
}

/* Block 0 sets the counter to 0, as kernels with their own counters do at their start. Block 1 has
 * come already. */
WEIR_KERNEL(doctor_resets, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.tiles), 0);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() == 0) {
		doctor_await(words, 1);
		weir_store_rlx(e.words, 0); /* relaxed: any order is wrong here */
	}
	weir_event_post(e, 1);
	if (weir_block_id() == DOCTOR_CULPRIT)
		doctor_signal(words);
	weir_event_wait(e, weir_block_count());
}

/* Runs all tasks; one thread of each block. */
WEIR_FN void doctor_run(weir_tasks t)
{
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_next(t, &task))
		;
}

/* A queue, a dispenser and a graph as they should be used. */
WEIR_KERNEL(doctor_work_healthy, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);
	weir_dispenser d = weir_dispenser_make(words, params.rows);
	uint32_t item = 0;

	(void)data;
	if (!doctor_leads())
		return;
	while (weir_dispenser_take(d, 1).count != 0) {
		weir_queue_push(q, item);
		weir_queue_pop(q, &item);
	}
	weir_queue_leave(q);
	doctor_run(weir_tasks_make(words, params.steps));
}

WEIR_KERNEL(doctor_fills, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);

	(void)data;
	for (uint32_t i = 0; i <= weir_queue_capacity(q) && doctor_leads(); i++)
		weir_queue_push(q, i);
}

WEIR_KERNEL(doctor_drains, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);
	uint32_t item;

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_queue_pop(q, &item);
}

WEIR_KERNEL(doctor_pushes_late, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_queue_close(q);
	weir_queue_push(q, 1);
}

WEIR_KERNEL(doctor_pushes_pair, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);
	uint32_t pair[2] = {1, 2};

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_queue_push_item(q, pair, 2);
}

/* Without teams it does nothing, and is not launched. */
WEIR_KERNEL(doctor_pushes_many, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE
	weir_queue q = weir_queue_make(words, params.work);
	uint32_t item = 1;

	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_queue_block_push_n(q, weir_queue_capacity(q) + 1, &item, 1);
#endif
}

/* Both wait in their pops. */
WEIR_KERNEL(doctor_shares_side, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.lane);
	uint32_t item;

	(void)data;
	if (doctor_leads() && weir_block_id() <= DOCTOR_CULPRIT)
		weir_queue_pop(q, &item);
}

/* Launched twice: the second launch finds what the first one left behind. */
WEIR_KERNEL(doctor_leaves_alone, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_queue_leave(q);
}

WEIR_KERNEL(doctor_takes_again, doctor_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.rows);

	(void)data;
	if (!doctor_leads())
		return;
	while (weir_dispenser_take(d, 1).count != 0)
		;
	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_take(d, 1);
}

/* Launched twice, as above. */
WEIR_KERNEL(doctor_takes_once, doctor_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.rows);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_take(d, 1);
}

WEIR_KERNEL(doctor_takes_nothing, doctor_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.rows);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_take(d, 0);
}

/* Block 1 has task 0, on which all others depend, and waits in it for more signals than come. */
WEIR_KERNEL(doctor_task_hangs, doctor_params)
{
	weir_tasks t = weir_tasks_make(words, params.steps);
	uint32_t task = WEIR_NO_TASK;

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() != DOCTOR_CULPRIT)
		doctor_await(words, 1);
	while (weir_tasks_next(t, &task)) {
		doctor_signal(words);
		doctor_await(words, 2);
	}
}

WEIR_KERNEL(doctor_runs_ring, doctor_params)
{
	(void)data;
	if (doctor_leads())
		doctor_run(weir_tasks_make(words, params.ring));
}

WEIR_KERNEL(doctor_adds_again, doctor_params)
{
	weir_tasks t = weir_tasks_make(words, params.steps);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_tasks_add(t, 0, 0);
}
