/* The operations of sim/machine.h, for the simulated thread that is running. */
#include "base/status.h"
#include "sim/state.h"

/* The jitter is the same for all threads of a warp that run in step, so their accesses stay
 * together. */
static double jitter(const weir_sim_engine *e, const weir_sim_thread *t)
{
	union {
		double time;
		uint64_t bits;
	} at = {.time = t->clock};
	uint64_t x = at.bits ^ (e->run->seed + t->block * 0x9e3779b97f4a7c15u +
	                        t->id / WEIR_SIM_WARP * 0xd1b54a32d192ed03u);
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	return WEIR_SIM_JITTER * ((double)(x >> 11) * 0x1p-52 - 1);
}

static void count_access(weir_sim_accesses *accesses, weir_sim_op op)
{
	if (op == WEIR_SIM_LOAD)
		accesses->reads++;
	else if (op == WEIR_SIM_STORE)
		accesses->writes++;
	else
		accesses->atomics++;
}

static uint64_t issue(weir_sim_engine *e, void *w, int bits, weir_sim_op op, uint64_t value,
                      uint64_t expected)
{
	weir_sim_thread *t = e->self;
	const weir_sim_memory *memory = e->run->memory;
	weir_sim_event event = {.word = w,
	                        .bits = bits,
	                        .op = op,
	                        .value = value,
	                        .expected = expected,
	                        .thread = (uint32_t)(t - e->threads)};

	count_access(&t->accesses, op);
	t->clock += WEIR_SIM_ISSUE_NS;
	event.time = t->clock + memory->free[weir_sim_class_of(op)].travel * (1 + jitter(e, t));
	if (event.time < t->arrival)
		event.time = t->arrival;
	t->arrival = event.time;
	weir_sim_push(e, &event);
	if (op == WEIR_SIM_STORE || op == WEIR_SIM_RED_ADD) {
		t->clock += memory->write_issue;
		return 0;
	}
	weir_sim_suspend(e);
	return t->result;
}

uint64_t weir_sim_access_(void *w, int bits, weir_sim_op op, uint64_t value, uint64_t expected)
{
	if (weir_sim_current)
		return issue(weir_sim_current, w, bits, op, value, expected);
	/* Outside a run a caller prepares an object, using only stores, and no time passes. */
	weir_sim_poke(w, bits, value);
	return 0;
}

void weir_sim_pause_(double units)
{
	weir_sim_engine *e = weir_sim_current;
	e->self->clock += units * e->run->memory->pause_unit;
}

/* In a block whose other threads are not simulated, those are already at the sync. */
void weir_sim_block_sync_(void)
{
	weir_sim_engine *e = weir_sim_current;
	weir_sim_thread *t = e->self;

	if (t->block != 0 || e->run->alive_threads == 1) {
		t->clock += WEIR_SIM_SYNC_NS;
		return;
	}
	if (t->clock > e->sync_time)
		e->sync_time = t->clock;
	e->at_sync++;
	weir_sim_suspend(e);
}

/* The scheduler does not resume the thread: the run ends. */
void weir_sim_end_launch_(uint32_t fault, uint32_t kind)
{
	weir_sim_engine *e = weir_sim_current;

	e->fault = (weir_fault){fault, kind};
	weir_sim_suspend(e);
}

uint64_t weir_sim_clock_ns_(void)
{
	return (uint64_t)weir_sim_current->self->clock;
}

uint32_t weir_sim_block_id_(void)
{
	return weir_sim_current->self->block;
}

uint32_t weir_sim_block_count_(void)
{
	return weir_sim_current->run->blocks;
}

uint32_t weir_sim_thread_id_(void)
{
	return weir_sim_current->self->id;
}

uint32_t weir_sim_thread_count_(void)
{
	const weir_sim_engine *e = weir_sim_current;
	/* A thread that is simulated alone does the work that its block divides among its
	 * threads. */
	return e->self->block != 0 || e->run->alive_threads == 1 ? 1 : e->run->threads;
}

void weir_sim_count(void)
{
	weir_sim_engine *e = weir_sim_current;

	e->run->operations++;
	if (e->run->by_block)
		e->run->by_block[e->self->block]++;
}

/* A part sums the accesses of all threads of block 0; only the first thread counts it. */
void weir_sim_count_part(int part)
{
	weir_sim_engine *e = weir_sim_current;
	weir_sim_thread *t = e->self;
	weir_sim_part *counted = &e->run->parts[part];

	counted->sum.reads += t->accesses.reads;
	counted->sum.writes += t->accesses.writes;
	counted->sum.atomics += t->accesses.atomics;
	counted->times += t->id == 0;
	t->accesses = (weir_sim_accesses){0};
}
