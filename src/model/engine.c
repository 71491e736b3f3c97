/* The search: depth first, by running the program again from its start along recorded choices.
 *
 * Two events of different threads commute unless one reads the message that the other wrote. A
 * store may take any place in modification order however late it runs, and a load may read old
 * messages. So:
 *  - Operations that do not read run at once, and no other thread is tried in their place. Threads
 *    that read can wait.
 *  - Among operations that read, another thread is tried first only where necessary: a later write
 *    to the same word could have run before the read and was not caused by it.
 *  - A thread whose choices were all explored at a node sleeps in the alternatives of that node.
 *    When a new message of its word wakes it, it may read only messages that are new since then.
 */
#define _POSIX_C_SOURCE 200809L
#include "model/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/memory.h"
#include "model/scopes.h"
#include "model/trace.h"

#define STACK_BYTES (64 * 1024)
#define OPAQUE_ATTEMPTS 2
#define GRACE_STEPS 16
#define PROGRESS_EVERY 4096
#define MOST_REVIVALS 64

_Thread_local weir_model_engine *weir_model_engine_;

void weir_model_fail(weir_model_engine *e, weir_model_verdict verdict, const char *format, ...)
{
	va_list arguments;

	e->stopped = 1;
	if (!e->in_grace && e->verdict == WEIR_MODEL_PASS) {
		e->verdict = verdict;
		va_start(arguments, format);
		vsnprintf(e->message, sizeof e->message, format, arguments);
		va_end(arguments);
	}
	if (e->current >= 0) {
		int self = e->current;
		e->current = -1;
		weir_fiber_switch(&e->threads[self].fiber, &e->scheduler);
	}
}

static void thread_main(void *argument)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_thread *t = argument;
	weir_model_op none = {.type = WEIR_OP_NONE, .scope = WEIR_MODEL_DEVICE};

	e->program.body(e->program.context);
	if (t->late.type != WEIR_OP_NONE) {
		weir_model_op late = t->late;
		t->late.type = WEIR_OP_NONE;
		weir_model_step(e, &late);
	}
	t->state = WEIR_MODEL_DONE;
	weir_model_step(e, &none);
}

/* Sets the state of a thread that calls weir_wait_again. Returns 1 when it tries again at once. */
static int try_again(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];

	if (e->in_grace)
		return 0;
	if (e->program.failed)
		e->program.failed(e->program.context, thread);
	if (weir_model_attempt_futile(e, thread)) {
		t->state = WEIR_MODEL_FUTILE;
	} else if (++t->attempt.opaque > OPAQUE_ATTEMPTS) {
		e->bounded_waits = 1;
		t->state = WEIR_MODEL_FUTILE;
	}
	t->attempt.count = 0;
	t->fresh = 0;
	return t->state == WEIR_MODEL_READY && !e->stopped;
}

/* Runs a thread up to its next operation. */
static void advance(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];

	do {
		e->current = thread;
		weir_fiber_switch(&e->scheduler, &t->fiber);
		e->current = -1;
	} while (!e->stopped && t->op.type == WEIR_OP_AGAIN && try_again(e, thread));
}

static void wake_parked(weir_model_engine *e)
{
	for (uint32_t t = 0; t < e->thread_count && !e->stopped; t++) {
		weir_model_thread *thread = &e->threads[t];
		if (!thread->is_woken || thread->state != WEIR_MODEL_IN_SYNC ||
		    thread->op.type != WEIR_OP_PARK)
			continue;
		thread->is_woken = 0;
		thread->state = WEIR_MODEL_READY;
		advance(e, (int)t);
		t = UINT32_MAX; /* it may have woken any other */
	}
}

static void start_execution(weir_model_engine *e)
{
	weir_model_memory_reset(e);
	e->stopped = 0;
	e->in_grace = 0;
	e->has_vain = 0;
	e->is_aborted = 0;
	e->revivals = 0;
	e->move_count = 0;
	e->to_replay = e->setting.choices;
	e->depth = 0;
	e->last = -1;
	e->current = -1;
	memset(e->floor, 0, sizeof e->floor);
	memset(e->plain, 0, sizeof e->plain);
	e->in_setup = 1;
	e->program.setup(e->program.context);
	e->in_setup = 0;
	for (uint32_t t = 0; t < e->thread_count; t++) {
		e->threads[t].state = WEIR_MODEL_READY;
		weir_fiber_start(&e->threads[t].fiber, thread_main, &e->threads[t]);
	}
	for (uint32_t t = 0; t < e->thread_count && !e->stopped; t++)
		advance(e, (int)t);
	wake_parked(e);
}

/* Whether the thread waits at the operation's sync, or will never arrive. */
static int meets_at(const weir_model_thread *t, const weir_model_op *op)
{
	if (t->state == WEIR_MODEL_DONE)
		return t->sees_abort;
	if (op->type == WEIR_OP_MEET && t->op.site != op->site)
		return 0;
	return t->state == WEIR_MODEL_IN_SYNC && t->op.type == op->type &&
	       t->op.value == op->value && t->op.expected == op->expected;
}

/* Whether the threads that only arrive at a sync have arrived. */
static int others_arrived(const weir_model_engine *e, const weir_model_op *op, uint32_t first,
                          uint32_t end)
{
	uint32_t all = op->type == WEIR_OP_SYNC_REL ? first + e->program.threads : end;

	for (uint32_t t = end; t < all; t++)
		if (!e->threads[t].has_arrived &&
		    !(e->threads[t].state == WEIR_MODEL_DONE && e->threads[t].sees_abort))
			return 0;
	return 1;
}

/* Lets the threads that wait at this thread's sync continue, if all have arrived. */
static void try_sync(weir_model_engine *e, int thread)
{
	weir_model_op op = e->threads[thread].op;
	uint32_t block = e->threads[thread].block * e->program.threads;
	uint32_t first = block + (uint32_t)op.value;
	uint32_t end = first + (uint32_t)op.expected;
	uint64_t waiting = 0;
	int has_ended = 0;

	for (uint32_t t = first; t < end; t++) {
		if (!meets_at(&e->threads[t], &op))
			return;
		has_ended |= e->threads[t].state == WEIR_MODEL_DONE;
	}
	if (!others_arrived(e, &op, first, end))
		return;
	weir_model_join_threads(e, &op, first, end);
	for (uint32_t t = block; t < block + e->program.threads; t++)
		if (op.type == WEIR_OP_SYNC_REL)
			e->threads[t].has_arrived = 0;
	for (uint32_t t = first; t < end; t++) {
		if (op.type == WEIR_OP_MEET)
			e->met[t] = e->threads[t].passes;
		/* A block is over once an abort has ended one of its threads. */
		if (has_ended)
			e->threads[t].sees_abort = 1;
		if (e->threads[t].state == WEIR_MODEL_DONE)
			continue;
		waiting |= UINT64_C(1) << t;
		e->threads[t].state = WEIR_MODEL_READY;
	}
	for (uint32_t t = first; t < end && !e->stopped; t++)
		if (waiting >> t & 1)
			advance(e, (int)t);
}

static void arrive_at_barrier(weir_model_engine *e, int thread)
{
	uint64_t waiting;

	if (e->threads[thread].op.type == WEIR_OP_BARRIER)
		e->threads[thread].state = WEIR_MODEL_IN_SYNC;
	waiting = weir_model_ptx_arrive(e, thread);
	for (uint32_t t = 0; t < e->thread_count; t++)
		if (waiting >> t & 1)
			e->threads[t].state = WEIR_MODEL_READY;
	if (e->threads[thread].op.type == WEIR_OP_BARRIER_ARRIVE)
		waiting |= UINT64_C(1) << thread;
	for (uint32_t t = 0; t < e->thread_count && !e->stopped; t++)
		if (waiting >> t & 1)
			advance(e, (int)t);
}

static void arrive_in_sync(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];

	if (t->op.type == WEIR_OP_ARRIVE) {
		if (t->has_arrived)
			weir_model_fail(e, WEIR_MODEL_CHECK,
			                "arrives at a second weir_block_sync_rel before a "
			                "weir_block_sync");
		t->has_arrived = 1;
		t->arrived = t->now;
		t->now.clock[thread]++;
		advance(e, thread);
	} else {
		t->state = WEIR_MODEL_IN_SYNC;
		try_sync(e, thread);
	}
}

/* Tries all syncs again, after a thread has reached one that others wait at, or has ended. */
static void try_all_syncs(weir_model_engine *e)
{
	for (uint32_t t = 0; t < e->thread_count && !e->stopped; t++)
		if (e->threads[t].state == WEIR_MODEL_IN_SYNC &&
		    e->threads[t].op.type != WEIR_OP_BARRIER)
			try_sync(e, (int)t);
}

/* Considers the events after `reader` that it did not cause, followed by the operation that
 * `writer` is about to do. Returns the threads that may run first in this sequence. */
static uint64_t initials(const weir_model_engine *e, const weir_model_event *reader, int writer)
{
	uint16_t first[WEIR_MODEL_AGENTS];
	uint64_t result = 0;
	const weir_model_event *end = &e->events[e->event_count];

	memset(first, 0xff, sizeof first);
	for (const weir_model_event *event = reader + 1; event <= end + 1; event++) {
		int thread = event > end ? writer : event->thread;
		const weir_model_cause *cause =
		    event > end ? &e->threads[writer].cause : &event->cause;
		int initial = 1;
		if (event <= end &&
		    (event->index == 0 || event->cause.index[reader->thread] >= reader->index))
			continue;
		if (first[thread] != 0xffff)
			continue;
		for (uint32_t q = 0; q < e->thread_count; q++)
			if ((int)q != thread && first[q] <= cause->index[q])
				initial = 0;
		first[thread] = event > end ? 0xfffe : event->index;
		if (initial)
			result |= UINT64_C(1) << thread;
	}
	return result;
}

/* The thread is about to write. An earlier read of the word that did not cause this write could
 * have read it. */
static void find_races(weir_model_engine *e, int thread)
{
	const weir_model_thread *t = &e->threads[thread];
	const weir_model_location *location = &e->locations[t->op.location];

	for (uint32_t i = 0; i < location->reader_count; i++) {
		const weir_model_event *reader = &e->events[location->readers[i].event];
		weir_model_node *node = &e->nodes[location->readers[i].node];
		uint64_t first;
		if (reader->thread == thread || t->cause.index[reader->thread] >= reader->index)
			continue;
		first = initials(e, reader, thread);
		if (first & node->backtrack || first & ~node->runnable)
			continue;
		node->backtrack |= first & -first;
	}
}

/* A thread may never perform its write, because it sleeps, or because others took the messages that
 * it could read. It could have written before them. */
static void find_pending_races(weir_model_engine *e)
{
	for (uint32_t t = 0; t < e->thread_count; t++)
		if (e->threads[t].state == WEIR_MODEL_READY &&
		    weir_model_writes(e->threads[t].op.type))
			find_races(e, (int)t);
}

static void log_reader(weir_model_engine *e, int thread, uint32_t node)
{
	weir_model_location *location = &e->locations[e->threads[thread].op.location];

	if (location->reader_count == WEIR_MODEL_EVENTS / 8) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "too many reads of one word");
		return;
	}
	location->readers[location->reader_count].node = (uint16_t)node;
	location->readers[location->reader_count].event = (uint16_t)(e->event_count + 1);
	location->reader_count++;
}

static void note_move(weir_model_engine *e, uint32_t thread, char what, uint32_t choice)
{
	weir_model_move *move = &e->moves[e->move_count];

	if (e->move_count == WEIR_MODEL_MOVES) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "an execution of more than %d moves",
		                WEIR_MODEL_MOVES);
		return;
	}
	move->thread = (uint8_t)thread;
	move->what = what;
	move->choice = (uint16_t)choice;
	e->move_count++;
}

static void do_step(weir_model_engine *e, int thread, uint32_t choice, uint32_t node)
{
	weir_model_thread *t = &e->threads[thread];
	weir_model_op_type type = t->op.type;

	note_move(e, (uint32_t)thread, WEIR_MODEL_MOVE_STEP, choice);
	if (e->setting.search == WEIR_MODEL_DPOR) {
		if (weir_model_writes(type))
			find_races(e, thread);
		if (weir_model_reads(type))
			log_reader(e, thread, node);
	}
	weir_model_perform(e, thread, choice, node);
	e->last = thread;
	if (e->stopped)
		return;
	if (type == WEIR_OP_PARK)
		t->state = WEIR_MODEL_IN_SYNC;
	else if (type == WEIR_OP_BARRIER || type == WEIR_OP_BARRIER_ARRIVE)
		arrive_at_barrier(e, thread);
	else if (weir_model_syncs(type))
		arrive_in_sync(e, thread);
	else
		advance(e, thread);
	if (type == WEIR_OP_ARRIVE || e->is_aborted)
		try_all_syncs(e);
	wake_parked(e);
}

static uint64_t next_random(weir_model_engine *e)
{
	e->random ^= e->random << 13;
	e->random ^= e->random >> 7;
	e->random ^= e->random << 17;
	return e->random * 0x2545f4914f6cdd1dull >> 32;
}

/* A thread whose operation does not affect the choices of any other thread, or -1. */
static int eager_thread(const weir_model_engine *e)
{
	if (e->setting.search == WEIR_MODEL_NAIVE)
		return -1;
	for (uint32_t t = 0; t < e->thread_count; t++)
		if (e->threads[t].state == WEIR_MODEL_READY &&
		    !weir_model_reads(e->threads[t].op.type))
			return (int)t;
	return -1;
}

static uint64_t runnable_threads(weir_model_engine *e, const uint16_t *floor)
{
	uint64_t mask = 0;

	for (uint32_t t = 0; t < e->thread_count; t++)
		if (weir_model_enabled(e, (int)t, floor ? floor[t] : 0))
			mask |= UINT64_C(1) << t;
	return mask;
}

/* Which of the runnable threads to try: all, or those that the bound on preemptions allows. */
static uint64_t allowed_threads(const weir_model_engine *e, weir_model_node *node)
{
	uint64_t last = e->last >= 0 ? UINT64_C(1) << e->last : 0;

	node->preemptions = 0;
	if (e->setting.search != WEIR_MODEL_PREEMPT)
		return node->runnable;
	for (uint32_t i = 0; i + 1 < e->depth; i++) {
		const weir_model_node *before = &e->nodes[i];
		node->preemptions =
		    (uint8_t)(node->preemptions + (before->last != before->thread &&
		                                   before->last < WEIR_MODEL_AGENTS &&
		                                   (before->runnable >> before->last & 1)));
	}
	return node->preemptions >= e->setting.bound && (last & node->runnable) ? last
	                                                                        : node->runnable;
}

static void new_node(weir_model_engine *e, weir_model_node *node, int eager)
{
	memcpy(node->floor, e->floor, sizeof node->floor);
	node->done = 0;
	node->choice = 0;
	node->choices = 0;
	node->last = (uint8_t)(e->last < 0 ? WEIR_MODEL_AGENTS : e->last);
	if (eager >= 0) {
		node->runnable = UINT64_C(1) << eager;
		node->backtrack = node->runnable;
		node->thread = (uint8_t)eager;
		return;
	}
	node->runnable = runnable_threads(e, e->floor);
	node->backtrack = allowed_threads(e, node);
	if (node->backtrack == 0)
		return;
	/* Staying with a thread keeps the trace short. */
	node->thread = (uint8_t)(e->last >= 0 && (node->backtrack >> e->last & 1)
	                             ? e->last
	                             : __builtin_ctzll(node->backtrack));
	if (e->setting.search == WEIR_MODEL_DPOR)
		node->backtrack = UINT64_C(1) << node->thread;
}

/* Takes one step along the recorded choices, or along the first of new ones. Returns 0 when no
 * thread can run. */
static int search_step(weir_model_engine *e)
{
	uint16_t list[WEIR_MODEL_MESSAGES];
	int eager = eager_thread(e);
	uint32_t depth = e->depth;
	weir_model_node *node = &e->nodes[depth];
	uint32_t floor = 0;

	if (eager >= 0 && weir_model_choices(e, eager, 0, list) == 1) {
		do_step(e, eager, list[0], WEIR_MODEL_NO_NODE);
		return 1;
	}
	e->depth++;
	if (depth == e->node_count) {
		new_node(e, node, eager);
		if (node->backtrack == 0) {
			e->depth--;
			return 0;
		}
		e->node_count++;
	}
	if (e->setting.search == WEIR_MODEL_DPOR || e->setting.search == WEIR_MODEL_SLEEP) {
		memcpy(e->floor, node->floor, sizeof e->floor);
		floor = eager >= 0 ? 0 : e->floor[node->thread];
		e->floor[node->thread] = 0;
	}
	node->choices = (uint16_t)weir_model_choices(e, node->thread, floor, list);
	node->messages = e->locations[e->threads[node->thread].op.location].message_count;
	do_step(e, node->thread, list[node->choice], depth);
	return 1;
}

static void revive_one(weir_model_engine *e, uint32_t thread, int fresh)
{
	note_move(e, thread, fresh ? WEIR_MODEL_MOVE_FRESH : WEIR_MODEL_MOVE_REVIVE, 0);
	e->threads[thread].state = WEIR_MODEL_READY;
	e->threads[thread].fresh = (uint8_t)fresh;
	advance(e, (int)thread);
}

/* Lets all threads whose attempt was futile try again, except thread `except`. Returns their
 * number. */
static int revive(weir_model_engine *e, int except, int fresh)
{
	int count = 0;

	for (uint32_t t = 0; t < e->thread_count && !e->stopped; t++)
		if ((int)t != except && e->threads[t].state == WEIR_MODEL_FUTILE) {
			revive_one(e, t, fresh);
			count++;
		}
	return count;
}

static int random_step(weir_model_engine *e)
{
	uint16_t list[WEIR_MODEL_MESSAGES];
	uint64_t mask = runnable_threads(e, NULL);
	uint32_t skip;
	uint32_t count;
	int thread;
	int writes;

	if (mask == 0)
		return e->revivals++ < MOST_REVIVALS && revive(e, -1, 1) > 0;
	for (skip = (uint32_t)(next_random(e) % (uint32_t)__builtin_popcountll(mask)); skip; skip--)
		mask &= mask - 1;
	thread = __builtin_ctzll(mask);
	count = weir_model_choices(e, thread, 0, list);
	writes = weir_model_writes(e->threads[thread].op.type);
	do_step(e, thread, list[next_random(e) % count], WEIR_MODEL_NO_NODE);
	if (writes && !e->stopped)
		revive(e, thread, 0);
	return 1;
}

/* The next move of a replay. Returns 0 when there is none or it does not apply. */
static int next_move(weir_model_engine *e, weir_model_move *move)
{
	char *end;
	unsigned long thread;

	while (*e->to_replay == ' ')
		e->to_replay++;
	if (*e->to_replay == 0)
		return 0;
	thread = strtoul(e->to_replay, &end, 10);
	if (end == e->to_replay || thread >= e->thread_count)
		return 0;
	move->thread = (uint8_t)thread;
	move->what = *end;
	if (move->what == WEIR_MODEL_MOVE_STEP)
		move->choice = (uint16_t)strtoul(end + 1, &end, 10);
	else if (move->what == WEIR_MODEL_MOVE_REVIVE || move->what == WEIR_MODEL_MOVE_FRESH)
		end++;
	else
		return 0;
	e->to_replay = end;
	return 1;
}

static int is_choice(weir_model_engine *e, const weir_model_move *move)
{
	uint16_t list[WEIR_MODEL_MESSAGES];
	uint32_t count = weir_model_choices(e, move->thread, 0, list);

	for (uint32_t i = 0; i < count; i++)
		if (list[i] == move->choice)
			return 1;
	return 0;
}

static int replay_step(weir_model_engine *e)
{
	weir_model_move move = {0};
	weir_model_state state;
	int fits = next_move(e, &move);

	if (!fits && *e->to_replay == 0)
		return 0;
	state = e->threads[move.thread].state;
	if (fits && move.what != WEIR_MODEL_MOVE_STEP && state == WEIR_MODEL_FUTILE)
		revive_one(e, move.thread, move.what == WEIR_MODEL_MOVE_FRESH);
	else if (fits && move.what == WEIR_MODEL_MOVE_STEP && state == WEIR_MODEL_READY &&
	         is_choice(e, &move))
		do_step(e, move.thread, move.choice, WEIR_MODEL_NO_NODE);
	else
		weir_model_fail(e, WEIR_MODEL_LIMIT,
		                "the choices do not fit this code: number %u cannot be made",
		                e->move_count + 1);
	return 1;
}

/* One more attempt, with the newest messages, by a thread whose last one was futile. 1: it
 * helps. */
static int grace_attempt(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];
	uint16_t list[WEIR_MODEL_MESSAGES];

	t->state = WEIR_MODEL_READY;
	advance(e, thread);
	for (int i = 0; i < GRACE_STEPS; i++) {
		if (e->stopped || t->state != WEIR_MODEL_READY || weir_model_syncs(t->op.type))
			return 1;
		if (t->op.type == WEIR_OP_AGAIN) {
			t->state = WEIR_MODEL_FUTILE;
			return 0;
		}
		if (weir_model_choices(e, thread, 0, list) == 0)
			return 0;
		weir_model_perform(e, thread, list[0], WEIR_MODEL_NO_NODE);
		if (!e->stopped)
			advance(e, thread);
	}
	return 1;
}

/* No thread can go on. Returns whether this is permanent. */
static int stuck_for_good(weir_model_engine *e)
{
	uint32_t events = e->event_count;
	int helps = 0;

	if (e->program.is_stuck) {
		for (uint32_t t = 0; t < e->thread_count; t++)
			helps |= e->threads[t].state == WEIR_MODEL_FUTILE &&
			         !e->program.is_stuck(e->program.context, (int)t);
		return !helps;
	}
	e->in_grace = 1;
	for (uint32_t t = 0; t < e->thread_count && !helps; t++)
		if (e->threads[t].state == WEIR_MODEL_READY && e->is_aborted)
			helps = 1; /* an await, which an abort ends */
		else if (e->threads[t].state == WEIR_MODEL_FUTILE)
			helps = grace_attempt(e, (int)t);
	e->in_grace = 0;
	e->event_count = events;
	return !helps;
}

static void report_stuck(weir_model_engine *e)
{
	char who[160];
	size_t used = 0;

	who[0] = 0;
	for (uint32_t t = 0; t < e->thread_count && used < sizeof who - 48; t++) {
		const weir_model_thread *thread = &e->threads[t];
		if (thread->state == WEIR_MODEL_DONE)
			continue;
		used +=
		    (size_t)snprintf(who + used, sizeof who - used, "%sblock %u thread %u in %.24s",
		                     used ? ", " : "", thread->block, thread->thread,
		                     thread->op.site ? thread->op.site->operation : "?");
	}
	weir_model_fail(e, WEIR_MODEL_DEADLOCK, "deadlock: no thread can continue: %s", who);
}

static void end_execution(weir_model_engine *e)
{
	uint32_t done = 0;

	if (e->setting.search == WEIR_MODEL_DPOR)
		find_pending_races(e);
	for (uint32_t t = 0; t < e->thread_count; t++)
		done += e->threads[t].state == WEIR_MODEL_DONE;
	if (done == e->thread_count) {
		e->executions++;
		if (!(e->setting.broken & WEIR_MODEL_BROKEN_WAKES) && !e->is_aborted)
			weir_model_check_wakes(e);
		if (e->verdict == WEIR_MODEL_PASS && e->program.complete && !e->is_aborted)
			e->program.complete(e->program.context);
	} else if (runnable_threads(e, NULL) || !stuck_for_good(e)) {
		e->cut++;
	} else {
		e->executions++;
		report_stuck(e);
	}
}

/* Threads may go on since no other one can. */
static int leaves_idle(weir_model_engine *e)
{
	if (e->stopped || !e->program.idle || !e->program.idle(e->program.context))
		return 0;
	wake_parked(e);
	return 1;
}

static void run_execution(weir_model_engine *e)
{
	int (*step)(weir_model_engine *) = search_step;

	if (e->setting.search == WEIR_MODEL_RANDOM)
		step = random_step;
	if (e->setting.search == WEIR_MODEL_REPLAY)
		step = replay_step;
	start_execution(e);
	while (!e->stopped && (step(e) || leaves_idle(e)))
		;
	if (!e->stopped)
		end_execution(e);
	else if (e->verdict != WEIR_MODEL_LIMIT)
		e->executions++;
	if (e->has_vain && weir_model_vain_was_read(e))
		e->bounded_waits = 1;
	if (e->program.over)
		e->is_interrupted = e->program.over(e->program.context);
}

/* Sets up the stack of choices for the next execution. Returns 0 when there is none. */
static int next_execution(weir_model_engine *e)
{
	while (e->node_count > 0) {
		weir_model_node *node = &e->nodes[e->node_count - 1];
		uint64_t left;
		if (++node->choice < node->choices)
			return 1;
		node->done |= UINT64_C(1) << node->thread;
		node->floor[node->thread] = node->messages;
		left = node->backtrack & node->runnable & ~node->done;
		if (left) {
			node->thread = (uint8_t)__builtin_ctzll(left);
			node->choice = 0;
			return 1;
		}
		e->node_count--;
	}
	return 0;
}

static int interrupted(weir_model_engine *e, uint64_t runs)
{
	const weir_model_setting *s = &e->setting;

	if (e->is_interrupted || (s->max_executions && runs >= s->max_executions))
		return 1;
	return runs % PROGRESS_EVERY == 0 && s->progress &&
	       s->progress(s->progress_context, e->executions, e->steps);
}

static int search(weir_model_engine *e)
{
	uint64_t runs = 0;

	e->random = e->setting.seed * 0x9e3779b97f4a7c15ull + 0x1234567887654321ull;
	for (;;) {
		run_execution(e);
		runs++;
		if (e->verdict == WEIR_MODEL_LIMIT && e->setting.search == WEIR_MODEL_RANDOM) {
			e->verdict = WEIR_MODEL_PASS; /* spun for too long: treated as cut */
			e->cut++;
		}
		if (e->verdict != WEIR_MODEL_PASS || e->setting.search == WEIR_MODEL_REPLAY)
			return 0;
		if (e->setting.search == WEIR_MODEL_RANDOM) {
			if (runs >= e->setting.bound)
				return 0;
		} else if (!next_execution(e)) {
			return e->setting.search != WEIR_MODEL_PREEMPT;
		}
		if (interrupted(e, runs))
			return 0;
	}
}

static weir_model_engine *create_engine(const weir_model_program *program,
                                        const weir_model_setting *setting)
{
	weir_model_engine *e = calloc(1, sizeof *e);

	if (!e)
		return NULL;
	e->program = *program;
	e->setting = *setting;
	e->thread_count = program->blocks * program->threads;
	e->locations = calloc(WEIR_MODEL_LOCATIONS, sizeof e->locations[0]);
	e->events = calloc(WEIR_MODEL_EVENTS + 1, sizeof e->events[0]);
	if (program->is_ptx)
		e->ptx = weir_model_ptx_create();
	for (uint32_t t = 0; t < e->thread_count; t++) {
		e->threads[t].block = t / program->threads;
		e->threads[t].thread = t % program->threads;
		if (weir_fiber_create(&e->threads[t].fiber, STACK_BYTES))
			e->stopped = 1;
	}
	e->widest = weir_model_widest(e);
	return e;
}

static void destroy_engine(weir_model_engine *e)
{
	for (uint32_t t = 0; t < e->thread_count; t++)
		weir_fiber_destroy(&e->threads[t].fiber);
	free(e->locations);
	free(e->events);
	free(e->ptx);
	free(e);
}

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int weir_model_explore(const weir_model_program *program, const weir_model_setting *setting,
                       weir_model_outcome *outcome)
{
	weir_model_engine *outer = weir_model_engine_;
	weir_model_engine *e;
	double start = now_seconds();

	memset(outcome, 0, sizeof *outcome);
	if (program->blocks == 0 || program->threads == 0 ||
	    program->blocks > WEIR_MODEL_AGENTS / program->threads) {
		outcome->verdict = WEIR_MODEL_LIMIT;
		snprintf(outcome->message, sizeof outcome->message,
		         "the model machine has 1 to %d threads", WEIR_MODEL_AGENTS);
		return 0;
	}
	e = create_engine(program, setting);
	if (!e)
		return -1;
	if (e->stopped || !e->locations || !e->events || !e->ptx != !program->is_ptx) {
		destroy_engine(e);
		return -1;
	}
	weir_model_engine_ = e;
	outcome->exhaustive = search(e) && !e->bounded_waits;
	outcome->verdict = e->verdict;
	outcome->executions = e->executions;
	outcome->cut = e->cut;
	outcome->steps = e->steps;
	outcome->bounded_waits = e->bounded_waits;
	memcpy(outcome->message, e->message, sizeof outcome->message);
	if (e->verdict != WEIR_MODEL_PASS) {
		outcome->trace = weir_model_trace(e);
		outcome->choices = weir_model_moves(e);
	}
	outcome->seconds = now_seconds() - start;
	weir_model_engine_ = outer;
	destroy_engine(e);
	return 0;
}

void weir_model_outcome_free(weir_model_outcome *outcome)
{
	free(outcome->trace);
	free(outcome->choices);
	outcome->trace = NULL;
	outcome->choices = NULL;
}
