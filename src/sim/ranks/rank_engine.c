#define WEIR_SIM_RANKS
#include "sim/ranks/rank_engine.h"

#include <stdlib.h>

#include "base/status.h"
#include "fiber/fiber.h"
#include "sim/engine.h"
#include "sim/event.h"

#define STACK_BYTES ((size_t)64 * 1024)
/* Replaces the sender of a signal that the port has taken. */
#define TAKEN UINT32_MAX

enum {
	NEAR,
	FAR,
	LINKS
};

struct rank {
	weir_fiber fiber;
	double clock;
	double sends[LINKS]; /* when the port out of it is free again */
	double takes[LINKS]; /* the same for the port into it */
	int has_loads;       /* loads that it has not waited for */
	int is_asleep;       /* until a signal arrives */
	int is_through;
	uint32_t came; /* signals that have arrived */
	uint32_t seen; /* those that arrived before its last poll */
	uint32_t signals[LINKS];
	uint32_t plain; /* what its block shares */
};

struct engine {
	weir_ranks_run *run;
	weir_fiber scheduler;
	struct rank *ranks;
	struct rank *self;
	weir_sim_queue queue;
	double now;
	int no_memory;
	int reads_another;
	weir_fault fault;
};

static _Thread_local struct engine *current;

static void push(struct engine *e, const weir_sim_event *event)
{
	if (weir_sim_queue_push(&e->queue, event) != 0)
		e->no_memory = 1;
}

static uint32_t number(const struct engine *e, const struct rank *r)
{
	return (uint32_t)(r - e->ranks);
}

/* Returns to the scheduler, until it resumes the rank. */
static void suspend(struct engine *e)
{
	weir_fiber_switch(&e->self->fiber, &e->scheduler);
}

static void resume(struct engine *e, struct rank *r)
{
	r->clock = e->now;
	e->self = r;
	weir_fiber_switch(&e->scheduler, &r->fiber);
	e->self = NULL;
}

static void pass_time(struct engine *e, double ns)
{
	const weir_sim_event wake = {.time = e->self->clock + ns, .thread = number(e, e->self)};

	push(e, &wake);
	suspend(e);
}

static void wait_for_loads(struct engine *e)
{
	if (!e->self->has_loads)
		return;
	e->self->has_loads = 0;
	pass_time(e, WEIR_SIM_POLL_NS);
}

static int link_of(const struct engine *e, uint32_t a, uint32_t b)
{
	return a / e->run->links->domain == b / e->run->links->domain ? NEAR : FAR;
}

static const weir_sim_link *figures(const struct engine *e, int link)
{
	return link == NEAR ? &e->run->links->near : &e->run->links->far;
}

/* The latency includes the poll in which the other rank sees the signal. */
static void send(struct engine *e, uint32_t to, weir_sim_event *event)
{
	struct rank *r = e->self;
	int link = link_of(e, number(e, r), to);
	double sent = r->clock > r->sends[link] ? r->clock : r->sends[link];

	r->signals[link]++;
	r->sends[link] = sent + figures(e, link)->gap;
	event->time = sent + figures(e, link)->latency - WEIR_SIM_POLL_NS;
	push(e, event);
}

/* ---- the machine ---- */

static uint64_t load(struct engine *e, const void *w, int bits)
{
	struct rank *r = e->self;

	if (!r->has_loads)
		r->seen = r->came;
	r->has_loads = 1;
	return weir_sim_peek(w, bits);
}

uint64_t weir_ranks_access_(void *w, int bits, weir_sim_op op, uint64_t value, uint64_t expected)
{
	struct engine *e = current;
	uint32_t home = (uint32_t)((size_t)((weir_word *)w - e->run->words) / e->run->stride);
	int is_own = home == number(e, e->self);
	int is_posted = op == WEIR_SIM_STORE || op == WEIR_SIM_RED_ADD;
	weir_sim_event event = {.word = w,
	                        .bits = bits,
	                        .op = op,
	                        .value = value,
	                        .expected = expected,
	                        .thread = number(e, e->self)};

	if (is_own && op == WEIR_SIM_LOAD)
		return load(e, w, bits);
	wait_for_loads(e);
	if (is_own) {
		if (!is_posted)
			pass_time(e, WEIR_SIM_POLL_NS);
		return weir_sim_apply(&event);
	}
	if (!is_posted) {
		e->reads_another = 1;
		suspend(e);
	}
	send(e, home, &event);
	return 0;
}

void weir_ranks_fence_(void)
{
	wait_for_loads(current);
}

/* Called after a poll that did not find enough. */
void weir_ranks_pause_(double units)
{
	struct engine *e = current;
	struct rank *r = e->self;

	wait_for_loads(e);
	if (units > 0)
		pass_time(e, units * WEIR_SIM_POLL_NS);
	if (r->came == r->seen) {
		r->is_asleep = 1;
		suspend(e);
	}
}

void weir_ranks_block_sync_(void)
{
	pass_time(current, WEIR_SIM_SYNC_NS);
}

/* The scheduler does not resume the rank: the run ends. */
void weir_ranks_end_launch_(uint32_t fault, uint32_t kind)
{
	current->fault = (weir_fault){fault, kind};
	suspend(current);
}

uint64_t weir_ranks_clock_ns_(void)
{
	return (uint64_t)current->self->clock;
}

uint32_t weir_ranks_block_id_(void)
{
	return 0;
}

uint32_t weir_ranks_block_count_(void)
{
	return 1;
}

uint32_t weir_ranks_thread_id_(void)
{
	return 0;
}

uint32_t weir_ranks_thread_count_(void)
{
	return 1;
}

uint32_t *weir_ranks_plain_(uint32_t place)
{
	(void)place;
	return &current->self->plain;
}

/* ---- the run ---- */

/* At the end of its way, a signal waits until the port is free. */
static void arrive(struct engine *e, weir_sim_event signal)
{
	uint32_t home =
	    (uint32_t)((size_t)((weir_word *)signal.word - e->run->words) / e->run->stride);
	struct rank *r = &e->ranks[home];

	if (signal.thread != TAKEN) {
		int link = link_of(e, signal.thread, home);
		double taken = r->takes[link];

		r->takes[link] = (taken > e->now ? taken : e->now) + figures(e, link)->gap;
		if (taken > e->now) {
			signal.time = taken;
			signal.thread = TAKEN;
			push(e, &signal);
			return;
		}
	}
	weir_sim_apply(&signal);
	r->came++;
	if (r->is_asleep) {
		r->is_asleep = 0;
		resume(e, r);
	}
}

static void begin(void *argument)
{
	struct engine *e = argument;

	e->run->entry(e->run->argument, number(e, e->self));
	wait_for_loads(e);
	e->self->is_through = 1;
	if (e->self->clock > e->run->ns)
		e->run->ns = e->self->clock;
	suspend(e);
}

static int prepare(struct engine *e)
{
	e->ranks = calloc(e->run->ranks, sizeof *e->ranks);
	if (!e->ranks)
		return -1;
	for (uint32_t i = 0; i < e->run->ranks; i++) {
		if (weir_fiber_create(&e->ranks[i].fiber, STACK_BYTES) != 0)
			return -1;
		weir_fiber_start(&e->ranks[i].fiber, begin, e);
	}
	return 0;
}

static int goes_on(const struct engine *e)
{
	return !e->no_memory && !e->reads_another && !e->fault.why;
}

static void loop(struct engine *e)
{
	const weir_sim_event *next;

	for (uint32_t i = 0; i < e->run->ranks && goes_on(e); i++)
		resume(e, &e->ranks[i]);
	while (goes_on(e) && (next = weir_sim_queue_pop(&e->queue)) != NULL) {
		e->now = next->time;
		if (next->word)
			arrive(e, *next);
		else
			resume(e, &e->ranks[next->thread]);
	}
}

/* Whether all ranks finished well, and how many signals they sent. */
static weir_status judge(const struct engine *e)
{
	weir_ranks_run *run = e->run;

	if (e->no_memory)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the simulated signals");
	if (e->fault.why)
		return weir_fail_fault(e->fault);
	if (e->reads_another)
		return weir_fail(WEIR_UNSUPPORTED, "a simulated rank reads a word of another one");
	for (uint32_t i = 0; i < run->ranks; i++) {
		const struct rank *r = &e->ranks[i];

		if (!r->is_through)
			return weir_fail(WEIR_LAUNCH_FAILED, "simulated rank %u waits forever", i);
		run->near_signals += r->signals[NEAR];
		run->far_signals += r->signals[FAR];
		if (r->signals[NEAR] + r->signals[FAR] > run->most_signals)
			run->most_signals = r->signals[NEAR] + r->signals[FAR];
	}
	return WEIR_OK;
}

weir_status weir_ranks_engine_run(weir_ranks_run *run)
{
	struct engine e = {.run = run};
	weir_status status;

	run->ns = 0;
	run->near_signals = run->far_signals = 0;
	run->most_signals = 0;
	if (prepare(&e) != 0) {
		status = weir_fail(WEIR_NO_MEMORY, "no memory to simulate %u ranks", run->ranks);
	} else {
		current = &e;
		loop(&e);
		current = NULL;
		status = judge(&e);
	}
	for (uint32_t i = 0; e.ranks && i < run->ranks; i++)
		weir_fiber_destroy(&e.ranks[i].fiber);
	free(e.ranks);
	weir_sim_queue_free(&e.queue);
	return status;
}
