/** @defgroup weir_tasks Tasks
 *
 * The blocks of a launch run a graph, each task after all tasks that it depends on.
 *
 * The host makes the graph with weir_tasks_create. Every block of the launch calls
 * weir_tasks_next, or weir_tasks_block_next, until it returns 0; blocks need not run at once.
 * Then the graph is ready for the next launch or the next replay, without a reset. A task may
 * add tasks while it runs.
 *
 * A run is stuck when all blocks wait, no task is ready, and some have not finished: some task
 * waits for itself. The blocks find out and end, and weir_tasks_check on the host names the
 * tasks.
 *
 * Memory order: everything that a task did happens before its successors, and before everything
 * after the end of the loop.
 *
 * Machines: those with WEIR_HAS_WORD64; blocks need WEIR_HAS_BLOCK_VALUE.
 *
 * @code
 * __global__ void factor(weir_tasks t, struct matrix *m)
 * {
 * 	unsigned task = WEIR_NO_TASK;
 * 	while (weir_tasks_block_next(t, &task))
 * 		run_one(m, task);
 * }
 * @endcode
 */

/* Tasks: the blocks of a launch run a graph, each task after all tasks that it depends on.
 *
 *   uint32_t task = WEIR_NO_TASK;
 *   while (weir_tasks_block_next(t, &task))
 *           ...                                    the work of `task`, by all threads of the block
 *
 *   state    Each task has a count of its dependencies that have not finished. Each class has a
 *            queue of ready tasks. One more count has the unfinished tasks that no other task waits
 *            for: those without a successor, and the added ones.
 *   next     It finishes the task that the caller has run: it takes 1 from the count of each
 *            successor, and pushes the successors whose count is 0 then. When no task is unfinished,
 *            it closes the queues. Then it pops a ready task, or waits for one. It returns
 *            WEIR_NO_TASK when all tasks have finished.
 *   add      It pushes a task that is not in the graph.
 *
 * Any number of blocks, even one, may run a graph; they need not run at once. Everything that a task
 * did happens before its successors, and before everything after the end of the loop.
 * Every block calls `next` until it returns 0. Then the graph is ready for the next launch: no reset
 * is needed, either between launches of a stream or in replays of a graph. After a launch that was
 * aborted or got stuck it is not ready: the host then resets it.
 *
 * A run is stuck when all blocks wait, no task is ready, and some have not finished: some task
 * waits for itself. The blocks find out and end, and weir_tasks_check on the host names the
 * tasks. Only blocks of the launch may add tasks: the others are not counted when all wait.
 *
 * A task costs an atomic for each successor, and a push and a pop of the queue. With
 * config.is_local, a block goes on with one of the successors that it has made ready, without
 * the queue. With several classes, ready tasks of lower-numbered classes go first.
 */
#ifndef WEIR_TASKS_API_H
#define WEIR_TASKS_API_H

#include "weir/queue/bounded.h"
#include "weir/tasks/object.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/tasks.h"
#endif

#if WEIR_HAS_WORD64

/* How many polls of a waiting block fail before it counts itself as idle. */
#ifndef WEIR_TASKS_PATIENCE
/** How many polls of a waiting block fail before it counts itself as idle. */
#define WEIR_TASKS_PATIENCE 4096u
#endif

/* ---- the state before a run ---- */

/* Puts the roots of a class into its queue, from a position on: the calling threads divide them. */
WEIR_FN void weir_tasks_put_roots_(weir_tasks t, uint32_t level, uint32_t at, uint32_t thread,
                                   uint32_t threads)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < level; i++)
		before += weir_tasks_root_count_(t.config, i);
	weir_queue_before_put_(weir_tasks_queue_(t, level));
	for (uint32_t i = thread; i < weir_tasks_root_count_(t.config, level); i += threads) {
		/* Relaxed: the host wrote it before the launch. */
		uint32_t root = weir_load_rlx(weir_tasks_root_(t, before + i));

		weir_queue_put_(weir_tasks_queue_(t, level), at + i * WEIR_QUEUE_STEP, &root, 1);
	}
}

/* Makes the fields and the queues ready for a run; one thread. */
WEIR_FN void weir_tasks_start_(weir_tasks t)
{
	/* Relaxed: the next launch is ordered after this one. */
	weir_store_rlx(weir_tasks_unfinished_(t), t.config.sinks);
	weir_store_rlx(weir_tasks_idle_(t), 0);
	for (uint32_t i = 0; i < t.config.classes; i++) {
		weir_queue q = weir_tasks_queue_(t, i);
		/* Relaxed: no block uses the queues now, and all tasks have been popped. */
		uint32_t at = weir_load_rlx(weir_queue_head_(q));

		weir_store_rlx(weir_queue_end_(q), 0);
		weir_store_rlx(weir_queue_tail_(q),
		               at + weir_tasks_root_count_(t.config, i) * WEIR_QUEUE_STEP);
		weir_store_rlx(weir_tasks_unclaimed_(t, i), weir_tasks_root_count_(t.config, i));
	}
}

/* ---- a run ---- */

/* Pushes a task of the graph that is ready, or an added one. There is room for all of them. Without
 * added ones a slot has one task in a run, and is free: no need to look. */
WEIR_FN void weir_tasks_push_(weir_tasks t, uint32_t task, uint32_t level)
{
	weir_queue q = weir_tasks_queue_(t, level);
	uint32_t at = weir_queue_take_(q, weir_queue_tail_(q), 1);

	weir_queue_before_put_(q); /* while the position is on its way */
	if (t.config.room != 0)
		weir_queue_await_free_(q, at, &task, 1);
	else
		weir_queue_put_(q, at, &task, 1);
	if (t.config.classes != 1)
		/* Relaxed: this is only a count; the slot carries the data. */
		weir_red_add_rlx(weir_tasks_unclaimed_(t, level), 1);
}

/* Ends the run: waiting blocks return. */
WEIR_FN void weir_tasks_close_(weir_tasks t)
{
	for (uint32_t i = 0; i < t.config.classes; i++)
		weir_queue_close_(weir_tasks_queue_(t, i));
}

/* Takes 1 from the dependencies of a task, after a weir_release_begin. Returns the task if it
 * is ready now. */
WEIR_FN uint32_t weir_tasks_count_down_(weir_tasks t, uint32_t task, uint32_t *level)
{
	WEIR_GLOBAL weir_word64 *record = weir_tasks_record_(t, task);
	/* With weir_release_begin, this add releases the writes of the finished task. It
	 * acquires those of the other dependencies, in case `task` is ready now. Each pairs
	 * with the other, in this add of other blocks. */
	uint64_t old = weir_add64_begun_acq(record, 0u - (uint64_t)1);
	uint64_t needs = old >> 32 & WEIR_TASKS_NEEDS;

	if ((uint32_t)old != 1)
		return WEIR_NO_TASK;
	*level = (uint32_t)(old >> (32 + WEIR_TASKS_NEEDS_BITS));
	/* Relaxed: no other thread accesses it in this launch. */
	weir_store64_rlx(record, (old >> 32) << 32 | needs);
	return task;
}

/* Counts a task as finished. Those that have not finished keep the queues open. */
WEIR_FN void weir_tasks_end_one_(weir_tasks t)
{
	/* Each pairs with the other, in this add of other blocks: the one that closes the queues
	 * knows what all tasks did. */
	if (weir_add_acq_rel(weir_tasks_unfinished_(t), 0u - 1) == 1)
		weir_tasks_close_(t);
}

/* Finishes a task; thread `thread` of the `threads` that divide its successors. Returns one of
 * those that are ready now, or WEIR_NO_TASK; all others are pushed. */
WEIR_FN uint32_t weir_tasks_finish_(weir_tasks t, uint32_t task, uint32_t thread, uint32_t threads)
{
	uint64_t row = 0;
	uint64_t pair = 0;
	uint32_t kept = WEIR_NO_TASK;
	uint32_t mine = WEIR_NO_TASK;
	uint32_t level = 0;

	if (task == WEIR_NO_TASK)
		return WEIR_NO_TASK;
	if (task < t.config.tasks) {
		/* Relaxed: the host wrote them before the launch. */
		row = weir_load64_rlx(weir_tasks_row_(t, task));
		pair = weir_load64_rlx(weir_tasks_row_(t, task) + 1);
	}
	weir_release_begin(); /* while the loads are on their way */
	if (thread == 0 && (row >> 32 == 0 || t.config.counts_all))
		weir_tasks_end_one_(t);
	if (row >> 32 == 0)
		return WEIR_NO_TASK;
	for (uint32_t i = thread; i < (uint32_t)(row >> 32); i += threads) {
		uint32_t of = 0;
		/* Relaxed: the host wrote it before the launch. */
		uint32_t successor =
		    i < 2 ? (uint32_t)(pair >> 32 * i)
			  : weir_load_rlx(weir_tasks_successor_(t, (uint32_t)row + i));
		uint32_t ready = weir_tasks_count_down_(t, successor, &of);

		if (ready != WEIR_NO_TASK && t.config.is_local && mine == WEIR_NO_TASK) {
			mine = ready;
			level = of;
		} else if (ready != WEIR_NO_TASK) {
			weir_tasks_push_(t, ready, of);
		}
	}
	kept = threads == 1 ? mine : weir_first_pick(mine, WEIR_NO_TASK);
	if (mine != WEIR_NO_TASK && mine != kept)
		weir_tasks_push_(t, mine, level);
	return kept;
}

/* Whether no task is ready. All blocks are idle, and held. */
WEIR_FN int weir_tasks_are_none_(weir_tasks t)
{
	for (uint32_t i = 0; i < t.config.classes; i++) {
		weir_queue q = weir_tasks_queue_(t, i);
		/* Relaxed: all blocks have pushed and popped before they counted themselves. */
		uint32_t taken = weir_load_rlx(weir_queue_head_(q));
		uint32_t waiting = t.config.classes == 1 ? weir_block_count() : 0;

		if (weir_load_rlx(weir_queue_tail_(q)) + waiting * WEIR_QUEUE_STEP != taken)
			return 0;
	}
	return 1;
}

/* Counts the block as idle. If all blocks are, holds them so, and ends the run if no task is
 * ready. */
WEIR_FN void weir_tasks_count_idle_(weir_tasks t)
{
	WEIR_GLOBAL weir_word *idle = weir_tasks_idle_(t);
	uint32_t all = weir_block_count();

	/* Release: this block has pushed all that it had. Pairs with the acquire below. */
	if (weir_add_rel(idle, 1) + 1 != all)
		return;
	/* Pairs with the release above, in all blocks. It fails if one of them has woken. */
	if (weir_cas_acq(idle, all, all | WEIR_TASKS_HELD) != all)
		return;
	if (weir_tasks_are_none_(t)) {
		/* Relaxed: the host reads it after the launch. */
		weir_store_rlx(weir_tasks_stuck_(t), 1);
		weir_tasks_close_(t);
	} else {
		/* Relaxed: blocks that wake now have no part in what was looked at. */
		weir_red_add_rlx(idle, 0u - WEIR_TASKS_HELD);
	}
}

/* Whether a poll may find a task. With one class, the one at position `at`. */
WEIR_FN int weir_tasks_is_ready_(weir_tasks t, uint32_t at)
{
	weir_queue q = weir_tasks_queue_(t, 0);

	if (t.config.classes == 1)
		/* This is a guess, which the caller's poll confirms. */
		return weir_queue_past_(weir_queue_look_full_(q, at),
		                        weir_queue_turn_(q, at) + 1) >= 0;
	for (uint32_t i = 0; i < t.config.classes; i++)
		/* Relaxed: this is a guess, and the claim of the caller confirms it. */
		if ((int32_t)weir_load_rlx(weir_tasks_unclaimed_(t, i)) > 0)
			return 1;
	return 0;
}

/* Takes the block from the idle ones, unless these are held. The block does so before it takes
 * a task, so that no idle block has one. */
WEIR_FN int weir_tasks_wake_(weir_tasks t)
{
	/* Relaxed: this is a guess, and the compare-and-swap confirms it. */
	uint32_t idle = weir_load_rlx(weir_tasks_idle_(t));

	while ((idle & WEIR_TASKS_HELD) == 0) {
		/* Relaxed: the block takes back its count alone, and passes on no data. */
		uint32_t found = weir_cas_rlx(weir_tasks_idle_(t), idle, idle - 1);

		if (found == idle)
			return 1;
		idle = found;
	}
	return 0;
}

/* Waits as an idle block until there may be a task, or the run is over. */
WEIR_FN void weir_tasks_rest_(weir_tasks t, uint32_t at)
{
	weir_queue last = weir_tasks_queue_(t, t.config.classes - 1);
	weir_wait wait;
	uint32_t looks = 0;

	weir_tasks_count_idle_(t);
	wait = weir_wait_begin(t.config.backoff);
	while (!(weir_tasks_is_ready_(t, at) && weir_tasks_wake_(t))) {
		/* Relaxed: the poll that follows acquires. */
		if (looks++ % WEIR_QUEUE_LOOKS == 0 && weir_load_rlx(weir_queue_end_(last)) != 0)
			break;
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
}

/* Claims a ready task of the lowest class that has one. Returns the class, or config.classes if
 * none has. All claims of a class are additions, so that blocks make them at once. */
WEIR_FN uint32_t weir_tasks_claim_(weir_tasks t)
{
	for (uint32_t i = 0; i < t.config.classes; i++) {
		WEIR_GLOBAL weir_word *unclaimed = weir_tasks_unclaimed_(t, i);

		/* Relaxed: this is a guess, and the addition confirms it. */
		while ((int32_t)weir_load_rlx(unclaimed) > 0) {
			/* Relaxed: this is only a count; the slot of the task carries the data. */
			if ((int32_t)weir_add_rlx(unclaimed, 0u - 1) > 0)
				return i;
			weir_red_add_rlx(unclaimed, 1); /* another block has claimed the last one */
		}
	}
	return t.config.classes;
}

/* Polls for a ready task, for the `looks`-th time: WEIR_OK, WEIR_BUSY or WEIR_CLOSED. With one
 * class the block has taken the position `at`; else it claims a task before it takes a
 * position. */
WEIR_FN weir_status weir_tasks_look_(weir_tasks t, uint32_t at, uint32_t looks, uint32_t *task)
{
	weir_queue q = weir_tasks_queue_(t, 0);
	uint32_t level;
	uint64_t seen;

	if (t.config.classes == 1) {
		seen = weir_queue_look_full_(q, at);
		if (WEIR_LIKELY(weir_queue_past_(seen, weir_queue_turn_(q, at) + 1) == 0)) {
			weir_queue_get_(q, at, seen, task, 1);
			return WEIR_OK;
		}
		if (looks % WEIR_QUEUE_LOOKS != 0 || !weir_queue_is_past_end_(q, at))
			return WEIR_BUSY;
		weir_poll_acquire();
		return weir_queue_refuse_(weir_queue_head_(q), 1);
	}
	level = weir_tasks_claim_(t);
	if (level != t.config.classes) {
		q = weir_tasks_queue_(t, level);
		return weir_queue_await_full_(q, weir_queue_take_(q, weir_queue_head_(q), 1), task,
		                              1);
	}
	/* Pairs with the release in weir_queue_close. This queue is closed last. */
	q = weir_tasks_queue_(t, t.config.classes - 1);
	if (looks % WEIR_QUEUE_LOOKS != 0 || weir_poll(weir_queue_end_(q)) == 0)
		return WEIR_BUSY;
	weir_poll_acquire();
	return WEIR_CLOSED;
}

/* Pops a ready task, or waits for one. WEIR_NO_TASK when the run is over. */
WEIR_FN uint32_t weir_tasks_pop_(weir_tasks t)
{
	weir_queue q = weir_tasks_queue_(t, 0);
	uint32_t at = t.config.classes == 1 ? weir_queue_take_(q, weir_queue_head_(q), 1) : 0;
	weir_wait wait = weir_wait_begin(t.config.backoff);
	uint32_t looks = 0;
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_look_(t, at, looks, &task) == WEIR_BUSY) {
		if (weir_wait_aborted(&wait))
			break;
		if (looks++ != WEIR_TASKS_PATIENCE) {
			weir_wait_again(&wait);
			continue;
		}
		weir_wait_end(&wait);
		weir_tasks_rest_(t, at);
		wait = weir_wait_begin(t.config.backoff);
		looks = 0;
	}
	weir_wait_end(&wait);
	if (task >= t.config.tasks && task != WEIR_NO_TASK)
		/* Relaxed: this count bounds the queue, and orders nothing. */
		weir_red_add_rlx(weir_tasks_added_(t), 0u - 1);
	return task;
}

/* Finishes `task`, and returns the next one to thread 0. */
WEIR_FN uint32_t weir_tasks_advance_(weir_tasks t, uint32_t task, uint32_t thread, uint32_t threads)
{
	uint32_t lanes = threads < WEIR_FIRST_THREADS ? 1 : WEIR_FIRST_THREADS;
	uint32_t kept = WEIR_NO_TASK;

	weir_queue_check_(weir_tasks_queue_(t, 0), 1); /* a kernel may lack their kind */
	if (thread < lanes)
		kept = weir_tasks_finish_(t, task, thread, lanes);
	return thread == 0 && kept == WEIR_NO_TASK ? weir_tasks_pop_(t) : kept;
}

/* Whether the caller's block is the last one, and makes the graph ready for the next launch. */
WEIR_FN int weir_tasks_leave_(weir_tasks t)
{
	/* Relaxed: the block that stored it has left, if this is the last one. */
	return weir_leave_(weir_tasks_left_(t)) && weir_load_rlx(weir_tasks_stuck_(t)) == 0;
}

/** Finishes `*task`, if it is not WEIR_NO_TASK, waits for a ready task and puts it into `*task`.
 * Returns 1, or 0 when all tasks have finished; then it must not be called again in this
 * launch. One thread calls it for its block. */
WEIR_FN int weir_tasks_next(weir_tasks t, uint32_t *task WEIR_SITE_)
{
	WEIR_NOTED_(weir_doing doing);
	WEIR_NOTED_(weir_notes n = weir_tasks_open_(t, site));

	WEIR_NOTED_(if (weir_tasks_left_out_(n, t)) return *task = WEIR_NO_TASK, 0);
	WEIR_NOTED_(doing = weir_note_enter_(n, WEIR_OPERATION_NEXT));
	*task = weir_tasks_advance_(t, *task, 0, 1);
	WEIR_NOTED_(weir_note_task_(n, *task); weir_note_end_(t.words, doing));
	if (*task != WEIR_NO_TASK)
		return 1;
	if (weir_tasks_leave_(t)) {
		for (uint32_t i = 0; i < t.config.classes; i++)
			/* Relaxed: the next launch is ordered after this one. */
			weir_tasks_put_roots_(
			    t, i, weir_load_rlx(weir_queue_head_(weir_tasks_queue_(t, i))), 0, 1);
		weir_tasks_start_(t);
	}
	return 0;
}

/** Adds a task that is ready, from within a task. `task` is a number of the caller's own, from
 * the number of tasks in the graph on; it has no successors, and belongs to class `level`.
 * Returns WEIR_OK, or WEIR_BUSY when config.room such tasks wait already: then it was not
 * added, and the caller may run it itself. */
WEIR_FN weir_status weir_tasks_add(weir_tasks t, uint32_t task, uint32_t level WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_tasks_open_(t, site));

	WEIR_NOTED_(if (weir_tasks_left_out_(n, t)) return WEIR_ABORTED);
	if (!WEIR_LIKELY(task >= t.config.tasks && task != WEIR_NO_TASK &&
	                 level < t.config.classes))
		WEIR_REFUSE_(t, WEIR_FAULT_TASK, task, WEIR_ABORTED);
	/* Relaxed: this count bounds the queue, and orders nothing. */
	if (weir_add_rlx(weir_tasks_added_(t), 1) >= t.config.room) {
		weir_red_add_rlx(weir_tasks_added_(t), 0u - 1);
		WEIR_NOTED_(weir_area_leave_());
		return WEIR_BUSY;
	}
	/* Relaxed: the task that adds the new one is unfinished, and ends after this. */
	weir_red_add_rlx(weir_tasks_unfinished_(t), 1);
	weir_tasks_push_(t, task, level);
	WEIR_NOTED_(weir_area_leave_());
	return WEIR_OK;
}

#if WEIR_HAS_BLOCK_VALUE

/** weir_tasks_next for a block. All threads of the block call it, and all of them get the same
 * task. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN int weir_tasks_block_next(weir_tasks t, uint32_t *task WEIR_SITE_)
{
	uint32_t next = WEIR_NO_TASK;
	uint32_t is_last = 0;
	WEIR_NOTED_(weir_doing doing);
	WEIR_NOTED_(weir_notes n = weir_notes_at_(0, 0, site));

	WEIR_NOTED_(if (weir_thread_id() == 0) n = weir_tasks_open_(t, site)); /* it pops */
	WEIR_NOTED_(if (weir_tasks_left_out_(n, t)) return *task = WEIR_NO_TASK, 0);
	WEIR_NOTED_(doing = weir_note_enter_(n, WEIR_OPERATION_NEXT));
	weir_block_sync(); /* the block's work precedes the releases; all have read the value before */
	if (weir_is_first(weir_thread_id()))
		next = weir_tasks_advance_(t, *task, weir_thread_id(), weir_thread_count());
	*task = weir_block_value(next); /* its sync extends the acquires to the block */
	WEIR_NOTED_(weir_note_task_(n, *task); weir_note_end_(t.words, doing));
	if (*task != WEIR_NO_TASK)
		return 1;
	weir_block_sync();
	if (weir_thread_id() == 0)
		is_last = (uint32_t)weir_tasks_leave_(t);
	if (weir_block_value(is_last) == 0)
		return 0;
	for (uint32_t i = 0; i < t.config.classes; i++)
		/* Relaxed: the next launch is ordered after this one. */
		weir_tasks_put_roots_(t, i,
		                      weir_load_rlx(weir_queue_head_(weir_tasks_queue_(t, i))),
		                      weir_thread_id(), weir_thread_count());
	if (weir_thread_id() == 0)
		weir_tasks_start_(t);
	return 0;
}

/** Runs a graph: all threads of all blocks call it, and it calls `function(argument, task)` for
 * each task. */
#define weir_tasks_run(t, function, argument)                                                      \
	do {                                                                                       \
		uint32_t task_ = WEIR_NO_TASK;                                                     \
		while (weir_tasks_block_next(t, &task_))                                           \
			function(argument, task_);                                                 \
	} while (0)

#endif

#endif

#endif
