#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sim/state.h"

#define STACK_BYTES ((size_t)64 * 1024)
/* Between two calls of the watch: some milliseconds. */
#define LOOK_ACCESSES 16384

_Thread_local weir_sim_engine *weir_sim_current;

void weir_sim_push(weir_sim_engine *e, const weir_sim_event *new)
{
	if (weir_sim_queue_push(&e->queue, new) != 0)
		e->no_memory = 1;
}

void weir_sim_suspend(weir_sim_engine *e)
{
	weir_fiber_switch(&e->self->fiber, &e->scheduler);
}

static void resume(weir_sim_engine *e, weir_sim_thread *t)
{
	e->self = t;
	weir_fiber_switch(&e->scheduler, &t->fiber);
	e->self = NULL;
}

weir_sim_class weir_sim_class_of(weir_sim_op op)
{
	switch (op) {
	case WEIR_SIM_LOAD:
		return WEIR_SIM_READ;
	case WEIR_SIM_STORE:
		return WEIR_SIM_WRITE;
	case WEIR_SIM_ADD:
	case WEIR_SIM_RED_ADD:
		return WEIR_SIM_ATOMIC;
	default:
		return WEIR_SIM_EXCHANGE;
	}
}

/* Whether the access is one that no thread waits for. */
static int posted(weir_sim_op op)
{
	return op == WEIR_SIM_STORE || op == WEIR_SIM_RED_ADD;
}

static void arrive(weir_sim_engine *e, const weir_sim_event *a)
{
	weir_sim_thread *t = &e->threads[a->thread];
	size_t line = (size_t)((char *)a->word - (char *)e->run->words) / WEIR_SIM_LINE_BYTES;
	uint64_t warp = ((uint64_t)t->block << 32) | t->id / WEIR_SIM_WARP;
	double back = weir_sim_serve(e->run->memory, &e->lines[line], weir_sim_class_of(a->op),
	                             warp, a->time);
	uint64_t old = weir_sim_apply(a);

	if (posted(a->op))
		return;
	t->result = old;
	t->clock = back;
	resume(e, t);
}

static void pass_sync(weir_sim_engine *e)
{
	uint32_t alive = e->run->alive_threads;
	double passed = e->sync_time + WEIR_SIM_SYNC_NS;

	e->at_sync = 0;
	e->sync_time = 0;
	for (uint32_t i = 0; i < alive; i++)
		e->threads[i].clock = passed;
	for (uint32_t i = 0; i < alive; i++)
		resume(e, &e->threads[i]);
}

static void begin(void *argument)
{
	weir_sim_engine *e = argument;
	e->run->entry(e->run->argument);
	weir_sim_suspend(e);
}

static int prepare(weir_sim_engine *e)
{
	weir_sim_run *run = e->run;

	e->thread_count = run->blocks - 1 + run->alive_threads;
	e->threads = calloc(e->thread_count, sizeof *e->threads);
	e->line_count = run->word_bytes / WEIR_SIM_LINE_BYTES + 1;
	e->lines = calloc(e->line_count, sizeof *e->lines);
	if (!e->threads || !e->lines)
		return -1;
	for (size_t i = 0; i < e->line_count; i++)
		e->lines[i].warp = WEIR_SIM_NO_WARP;
	for (uint32_t i = 0; i < e->thread_count; i++) {
		weir_sim_thread *t = &e->threads[i];
		t->block = i < run->alive_threads ? 0 : i - run->alive_threads + 1;
		t->id = i < run->alive_threads ? i : 0;
		if (weir_fiber_create(&t->fiber, STACK_BYTES) != 0)
			return -1;
		weir_fiber_start(&t->fiber, begin, e);
	}
	return 0;
}

static int is_stopped(weir_sim_engine *e)
{
	const weir_sim_watch *watch = &e->run->watch;

	if (watch->look && e->served % LOOK_ACCESSES == 0)
		e->stopped = watch->look(watch->context, e->run->work * LOOK_ACCESSES);
	return e->stopped;
}

/* Performs one access, or lets all threads of block 0 past their sync; returns 0 when nothing more
 * can happen. */
static int step(weir_sim_engine *e)
{
	const weir_sim_event *next;

	if (e->run->alive_threads > 1 && e->at_sync == e->run->alive_threads) {
		pass_sync(e);
	} else if ((next = weir_sim_queue_pop(&e->queue)) != NULL) {
		e->now = next->time;
		e->served++;
		arrive(e, next);
		if (is_stopped(e))
			return 0;
	} else {
		return 0;
	}
	return !e->no_memory && !e->fault.why;
}

static void loop(weir_sim_engine *e)
{
	weir_sim_run *run = e->run;
	uint64_t half = run->accesses / 2;

	for (uint32_t i = 0; i < e->thread_count && !e->no_memory && !e->fault.why; i++)
		resume(e, &e->threads[i]);
	while (e->served < half && step(e))
		;
	run->operations = 0;
	memset(run->parts, 0, sizeof run->parts);
	if (run->by_block)
		memset(run->by_block, 0, run->blocks * sizeof *run->by_block);
	e->half_time = e->now;
	while (e->served < run->accesses && !e->stopped && step(e))
		;
	run->ns = e->now - e->half_time;
}

static void discard(weir_sim_engine *e)
{
	for (uint32_t i = 0; e->threads && i < e->thread_count; i++)
		weir_fiber_destroy(&e->threads[i].fiber);
	free(e->threads);
	free(e->lines);
	weir_sim_queue_free(&e->queue);
}

weir_status weir_sim_engine_run(weir_sim_run *run)
{
	weir_sim_engine e = {.run = run};
	weir_status status = WEIR_OK;

	run->operations = 0;
	run->ns = 0;
	if (prepare(&e) != 0) {
		status = weir_fail(WEIR_NO_MEMORY, "no memory to simulate %u blocks", run->blocks);
	} else {
		weir_sim_current = &e;
		loop(&e);
		weir_sim_current = NULL;
		if (e.no_memory)
			status = weir_fail(WEIR_NO_MEMORY, "no memory for the simulated accesses");
		else if (e.stopped)
			status = weir_fail(WEIR_ABORTED, "the simulation was stopped");
		else if (e.fault.why)
			status = weir_fail_fault(e.fault);
	}
	discard(&e);
	return status;
}
