/* The classic mistakes, for weir doctor: kernels that hang or misuse an object, and correct ones.
 * Compiled with WEIR_DIAGNOSE. One source for all machines.
 *
 * Block 1 makes the mistake or takes part in it. */
#ifndef WEIR_DIAGNOSE
#define WEIR_DIAGNOSE
#endif
/* The kinds of its objects: PoCL takes long to compile code for any kind. */
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
	}
	for (uint32_t i = 0; i < params.rounds; i++)
		weir_barrier_wait(b);
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

/* Each block holds its first mutex before either asks for its second. */
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
	uint32_t rounds = params.rounds;

	(void)data;
	rounds += weir_block_id() != DOCTOR_CULPRIT;
	for (uint32_t i = 0; i < rounds; i++)
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

/* Block 0 holds it all the time, so that the unlock by another block does harm. */
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
	if (weir_block_id() == 1)
		doctor_await(words, 1);
	weir_mutex_lock(weir_block_id() == 0 ? a : b);
	weir_mutex_lock(weir_block_id() == 0 ? b : a);
	weir_mutex_unlock(a);
	weir_mutex_unlock(b);
	if (weir_block_id() == 0)
		doctor_signal(words);
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

/* Each block signals event 0 `signals` times, and waits for one signal from each block. */
WEIR_FN void doctor_meet(weir_event_array a, uint32_t signals)
{
	weir_event e = weir_event_at(a, 0);
	uint32_t round = weir_event_array_round(a);

	weir_event_block_post(e, signals);
	weir_event_block_wait(e, weir_event_target(round, weir_block_count(), weir_block_count()));
	weir_event_array_block_leave(a);
}

WEIR_KERNEL(doctor_events_healthy, doctor_params)
{
	(void)data;
	doctor_meet(weir_event_array_make(words, params.tiles), 1);
}

/* Block 1 also waits for its own signal, which it has not made. The others have signalled. */
WEIR_KERNEL(doctor_waits_for_more, doctor_params)
{
	weir_event e = weir_event_at(weir_event_array_make(words, params.tiles), 2);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() == DOCTOR_CULPRIT) {
		doctor_await(words, weir_block_count() - 1);
		weir_event_wait(e, weir_block_count());
	} else {
		weir_event_post(e, 1);
		doctor_signal(words);
	}
}

/* The count of 0 is already past it, by signed difference. */
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
 * already arrived. */
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

/* Runs all tasks, with one thread of each block. */
WEIR_FN void doctor_run(weir_tasks t)
{
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_next(t, &task))
		;
}

/* A queue, a dispenser and a graph, used correctly. */
WEIR_KERNEL(doctor_work_healthy, doctor_params)
{
	weir_queue q = weir_queue_make(words, params.work);
	weir_dispenser d = weir_dispenser_make(words, params.rows);
	uint32_t item = 0;
	weir_share share = weir_dispenser_begin(d);

	(void)data;
	if (!doctor_leads())
		return;
	while (weir_dispenser_next(d, &share, 1)) {
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

/* Without teams it does nothing and is not launched. */
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

/* Both blocks wait in their pops. */
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
	weir_share share = weir_dispenser_begin(d);

	(void)data;
	if (!doctor_leads())
		return;
	while (weir_dispenser_next(d, &share, 1))
		;
	share = weir_dispenser_begin(d);
	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_next(d, &share, 1);
}

/* Launched twice, as above. */
WEIR_KERNEL(doctor_takes_once, doctor_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.rows);
	weir_share share = weir_dispenser_begin(d);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_next(d, &share, 1);
}

WEIR_KERNEL(doctor_takes_nothing, doctor_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.rows);
	weir_share share = weir_dispenser_begin(d);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_dispenser_next(d, &share, 0);
}

/* Block 1 runs task 0, a dependency of all others, and waits in it for too many signals. */
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

/* A call of a combiner, by the first threads of a block. It sums what is published. */
WEIR_FN uint32_t doctor_combine(weir_combiner c, WEIR_GLOBAL uint32_t *sum)
{
	weir_combiner_call call = weir_combiner_publish(c, 1);

	while (weir_combiner_wait(c, &call)) {
		uint32_t now = *sum;
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(&call, i,
				                     now += weir_combiner_operation(&call, i));
		if (doctor_leads())
			*sum = now;
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

/* The block serves, and signals that, or leaves. */
WEIR_FN void doctor_serve(weir_combiner c, WEIR_GLOBAL weir_word *words)
{
	weir_combiner_call call;

	if (!weir_combiner_serve(c, &call)) {
		if (doctor_leads())
			weir_combiner_leave(c);
		return;
	}
	if (doctor_leads())
		doctor_signal(words);
	while (weir_combiner_serve_next(c, &call))
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(&call, i,
				                     weir_combiner_operation(&call, i) + 1);
	weir_combiner_release(c, &call);
}

/* Combiners, used correctly: block 0 serves the second. */
WEIR_KERNEL(doctor_combine_healthy, doctor_params)
{
	weir_combiner counter = weir_combiner_make(words, params.counter);
	weir_combiner desk = weir_combiner_make(words, params.desk);
	uint32_t calls = weir_block_id() == 0 ? 1 : 2;

	if (!weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = 0; i < calls; i++) /* a loop: PoCL inlines every call */
		doctor_combine(i == 0 ? counter : desk, data + 1);
	if (weir_block_id() == 0)
		doctor_serve(desk, words);
	else if (doctor_leads())
		weir_combiner_leave(desk);
}

/* A reader-writer lock and a once, used correctly. */
WEIR_KERNEL(doctor_locks_healthy, doctor_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);
	weir_once o = weir_once_make(words, params.setup);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_once_begin(o))
		weir_once_end(o);
	weir_rwlock_write_lock(l);
	weir_rwlock_downgrade(l);
	weir_rwlock_read_unlock(l);
}

/* All blocks meet at the condition. */
WEIR_KERNEL(doctor_condition_healthy, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	if (!doctor_leads())
		return;
	weir_mutex_lock(m);
	data[2] = data[2] + 1;
	weir_condition_broadcast(c);
	weir_condition_wait_until(c, m, data[2] % weir_block_count() == 0);
	weir_mutex_unlock(m);
}

WEIR_KERNEL(doctor_waits_unlocked, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_condition_wait(c, m);
}

/* Block 0 waits after block 1 has got the mutex. */
WEIR_KERNEL(doctor_signals_unlocked, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	(void)data;
	if (!doctor_leads() || weir_block_id() > 1)
		return;
	if (weir_block_id() != 0)
		doctor_await(words, 1);
	weir_mutex_lock(m);
	if (weir_block_id() == 0) {
		doctor_signal(words);
		weir_condition_wait(c, m);
	}
	weir_mutex_unlock(m);
	if (weir_block_id() != 0)
		weir_condition_signal(c);
}

/* The others start to wait after block 1 has signalled, without checking whether they must. */
WEIR_KERNEL(doctor_signals_early, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() != DOCTOR_CULPRIT)
		doctor_await(words, 1);
	weir_mutex_lock(m);
	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_condition_signal(c);
	else
		weir_condition_wait(c, m);
	weir_mutex_unlock(m);
	doctor_signal(words);
}

/* Block 0 waits with the first mutex, then block 1 with the second. */
WEIR_KERNEL(doctor_two_mutexes, doctor_params)
{
	weir_mutex a = weir_mutex_make(words, params.first);
	weir_mutex b = weir_mutex_make(words, params.second);
	weir_condition c = weir_condition_make(words, params.filled);

	(void)data;
	if (!doctor_leads() || weir_block_id() > 1)
		return;
	for (uint32_t i = 0; i < 2; i++) {
		weir_mutex m = i == 0 ? a : b;
		if (i < weir_block_id())
			doctor_await(words, 1);
		weir_mutex_lock(m);
		if (i == 0 && weir_block_id() == 0)
			doctor_signal(words);
		if (i >= weir_block_id())
			weir_condition_wait(c, m);
		weir_mutex_unlock(m);
	}
}

WEIR_KERNEL(doctor_all_wait, doctor_params)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	(void)data;
	if (!doctor_leads())
		return;
	weir_mutex_lock(m);
	weir_condition_wait(c, m);
	weir_mutex_unlock(m);
}

WEIR_KERNEL(doctor_unlocks_as_reader, doctor_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_rwlock_write_lock(l);
	weir_rwlock_read_unlock(l);
}

WEIR_KERNEL(doctor_unlocks_free, doctor_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_rwlock_read_unlock(l);
}

WEIR_KERNEL(doctor_upgrades, doctor_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	weir_rwlock_read_lock(l);
	weir_rwlock_write_lock(l);
}

WEIR_KERNEL(doctor_exits_writing, doctor_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() == DOCTOR_CULPRIT) {
		weir_rwlock_write_lock(l);
		doctor_signal(words);
		return;
	}
	doctor_await(words, 1);
	weir_rwlock_read_lock(l);
	weir_rwlock_read_unlock(l);
}

WEIR_KERNEL(doctor_never_ends, doctor_params)
{
	weir_once o = weir_once_make(words, params.setup);

	(void)data;
	if (!doctor_leads())
		return;
	if (weir_block_id() != DOCTOR_CULPRIT)
		doctor_await(words, 1);
	weir_once_begin(o);
	doctor_signal(words);
}

WEIR_KERNEL(doctor_begins_inside, doctor_params)
{
	weir_once o = weir_once_make(words, params.setup);

	(void)data;
	if (!doctor_leads() || weir_block_id() != DOCTOR_CULPRIT)
		return;
	if (weir_once_begin(o) && !weir_once_begin(o))
		weir_once_end(o);
}

WEIR_KERNEL(doctor_publishes_pair, doctor_params)
{
	weir_combiner c = weir_combiner_make(words, params.counter);
	uint32_t pair[2] = {1, 2};

	(void)data;
	if (weir_is_first(weir_thread_id()) && weir_block_id() == DOCTOR_CULPRIT)
		weir_combiner_publish_words(c, pair, 2);
}

WEIR_KERNEL(doctor_has_no_seat, doctor_params)
{
	if (weir_is_first(weir_thread_id()) && weir_block_id() == DOCTOR_CULPRIT)
		doctor_combine(weir_combiner_make(words, params.booth), data + 1);
}

/* Launched with blocks that are too small, if the machine has any. */
WEIR_KERNEL(doctor_has_no_warp, doctor_params)
{
	if (weir_is_first(weir_thread_id()) && weir_block_id() == DOCTOR_CULPRIT)
		doctor_combine(weir_combiner_make(words, params.counter), data + 1);
}

/* Blocks 0 and 1 serve, one after the other. */
WEIR_KERNEL(doctor_serves_twice, doctor_params)
{
	weir_combiner c = weir_combiner_make(words, params.desk);

	(void)data;
	if (!weir_is_first(weir_thread_id()))
		return;
	if (weir_block_id() == DOCTOR_CULPRIT)
		doctor_await(words, 1);
	if (weir_block_id() <= DOCTOR_CULPRIT)
		doctor_serve(c, words);
	else if (doctor_leads())
		weir_combiner_leave(c);
}

WEIR_KERNEL(doctor_has_no_server, doctor_params)
{
	if (weir_is_first(weir_thread_id()) && weir_block_id() == DOCTOR_CULPRIT)
		doctor_combine(weir_combiner_make(words, params.desk), data + 1);
}

WEIR_KERNEL(doctor_server_quits, doctor_params)
{
	weir_combiner c = weir_combiner_make(words, params.desk);
	weir_combiner_call call;

	if (!weir_is_first(weir_thread_id()) || weir_block_id() > 1)
		return;
	if (weir_block_id() == 0) {
		doctor_await(words, 1);
		doctor_combine(c, data + 1);
	} else if (weir_combiner_serve(c, &call)) {
		weir_combiner_release(c, &call);
		if (doctor_leads())
			doctor_signal(words);
	}
}

/* Block 1 calls and does not leave. */
WEIR_KERNEL(doctor_does_not_leave, doctor_params)
{
	weir_combiner c = weir_combiner_make(words, params.desk);

	if (!weir_is_first(weir_thread_id()))
		return;
	if (weir_block_id() == 0)
		doctor_serve(c, words);
	else if (weir_block_id() == DOCTOR_CULPRIT)
		doctor_combine(c, data + 1);
	else if (doctor_leads())
		weir_combiner_leave(c);
}

/* Block 1 combines, and waits in its operation for more signals than are sent. */
WEIR_KERNEL(doctor_combines_long, doctor_params)
{
	weir_combiner c = weir_combiner_make(words, params.counter);
	weir_combiner_call call;

	if (!weir_is_first(weir_thread_id()))
		return;
	if (weir_block_id() != DOCTOR_CULPRIT) {
		doctor_await(words, 1);
		doctor_combine(c, data + 1);
		return;
	}
	call = weir_combiner_publish(c, 1);
	while (weir_combiner_wait(c, &call)) {
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call) {
				doctor_signal(words);
				doctor_await(words, 2);
			}
		weir_combiner_release(c, &call);
	}
}

/* On machines without crews these kernels do nothing and are not launched. */
#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE
#define DOCTOR_HAS_CREWS 1
#define DOCTOR_LONG_NS 600000000000ull

WEIR_FN weir_crew doctor_crew_of(const doctor_params *params)
{
	weir_crew c;

	c.words = (WEIR_GLOBAL weir_word *)(size_t)params->halo_words;
	c.table = (WEIR_GLOBAL weir_word * WEIR_GLOBAL const *)(size_t)params->halo_table;
	c.config = params->halo;
	return c;
}
#else
#define DOCTOR_HAS_CREWS 0
#endif

/* A crew, used correctly. */
WEIR_KERNEL(doctor_crew_healthy, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);

	for (uint32_t i = 0; i < params.rounds; i++)
		weir_crew_wait(c);
	if (weir_block_id() == 0)
		weir_crew_lane_wait(c, 0);
#endif
}

/* The other rank does not arrive, or some blocks of this rank do not exist. */
WEIR_KERNEL(doctor_crew_waits, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew_wait(doctor_crew_of(&params));
#endif
}

WEIR_KERNEL(doctor_crew_skips, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);
	uint32_t rounds = params.rounds;

	rounds += weir_block_id() != DOCTOR_CULPRIT;
	for (uint32_t i = 0; i < rounds; i++)
		weir_crew_wait(c);
#endif
}

WEIR_KERNEL(doctor_crew_listens, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);

	if (doctor_leads() && weir_block_id() == DOCTOR_CULPRIT)
		weir_crew_event_wait_for(c, weir_crew_event(c, c.config.rank, 0), 1,
		                         DOCTOR_LONG_NS);
#endif
}

WEIR_KERNEL(doctor_crew_past_lanes, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);

	if (weir_block_id() == DOCTOR_CULPRIT)
		weir_crew_lane_wait(c, c.config.lanes);
#endif
}

/* Block 0 has arrived but not waited when block 1 arrives. */
WEIR_KERNEL(doctor_crew_shares_lane, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);

	if (weir_block_id() == 0) {
		weir_crew_lane_arrive(c, 0);
		if (doctor_leads())
			doctor_signal(words);
	} else if (weir_block_id() == DOCTOR_CULPRIT) {
		if (doctor_leads())
			doctor_await(words, 1);
		weir_crew_lane_wait(c, 0);
	}
#endif
}

WEIR_KERNEL(doctor_crew_old_token, doctor_params)
{
	(void)words;
	(void)data;
	(void)params;
#if DOCTOR_HAS_CREWS
	weir_crew c = doctor_crew_of(&params);
	weir_crew_token t;

	if (weir_block_id() != DOCTOR_CULPRIT)
		return;
	t = weir_crew_lane_arrive(c, 0);
	weir_crew_await(c, &t);
	weir_crew_await(c, &t);
#endif
}
