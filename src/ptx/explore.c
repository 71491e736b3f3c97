/* Runs a launch along given choices: which thread's strong access comes next, of those to words that several blocks
 * share. All else runs in a fixed order. A search tries the choices one after another (check.c).
 *
 * Each thread runs up to its next access of that kind. When all are there, or wait, one of them goes on. A thread that has
 * come around a loop without a change waits until the word that it polls has a newer value. */
#include "ptx/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/exec.h"
#include "ptx/machine.h"

#define SLICE 64       /* backward branches of a thread before others run */
#define REPEATS 16     /* of a loop that polls several words */
#define STEPS 20000    /* shared accesses of an execution */

typedef struct agent {
	weir_ptx_thread *thread;
	weir_ptx_event event;
	int is_pending;  /* at a shared access */
	int is_pending_access; /* it is performed */
	int is_awaiting; /* it has read `last` in vain */
	uint32_t reads;  /* since the loop's head */
	int has_written;
	const ptx_code *head;
	uint64_t hash;
	uint64_t word; /* that it read last, and the changes of that word before */
	uint64_t changes;
	int is_stale; /* it did not read the newest value */
	uint64_t writes_at_start; /* of the word, when the access was reached */
	uint32_t repeats;
} agent;

typedef struct explorer {
	weir_ptx_machine *m;
	ptx_schedule *schedule;
	agent *agents; /* of each thread of the grid */
	uint32_t count, last, preemptions, steps;
} explorer;

/* ---- shared words ---- */

ptx_shared *weir_ptx_shared_at(ptx_schedule *s, uint64_t key)
{
	size_t at;

	if (2 * (s->word_count + 1) > s->word_room) {
		size_t room = s->word_room ? 2 * s->word_room : 256;
		ptx_shared *more = calloc(room, sizeof *more);
		if (!more) {
			s->failed = 1;
			return NULL;
		}
		for (size_t i = 0; i < s->word_room; i++)
			if (s->words[i].key) {
				at = s->words[i].key % room;
				while (more[at].key)
					at = (at + 1) % room;
				more[at] = s->words[i];
			}
		free(s->words);
		s->words = more;
		s->word_room = room;
	}
	at = key % s->word_room;
	while (s->words[at].key && s->words[at].key != key)
		at = (at + 1) % s->word_room;
	if (!s->words[at].key) {
		s->words[at] = (ptx_shared){.key = key, .block = UINT32_MAX};
		s->word_count++;
	}
	return &s->words[at];
}

static uint64_t key_of(const explorer *x, const weir_ptx_event *event)
{
	char name[160];
	uint64_t hash = UINT64_C(0xcbf29ce484222325) + event->owner;

	if (event->space == WEIR_PTX_GLOBAL)
		x->schedule->name(x->schedule->name_context, event->address, name, sizeof name);
	else
		snprintf(name, sizeof name, "shared %u + %llu", event->owner,
		         (unsigned long long)event->address);
	if (event->space == WEIR_PTX_GLOBAL)
		hash -= event->owner;
	for (const char *c = name; *c; c++)
		hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	return hash | 1;
}

static int is_access(const weir_ptx_event *event)
{
	return event->kind == WEIR_PTX_LOAD || event->kind == WEIR_PTX_STORE ||
	       event->kind == WEIR_PTX_RMW;
}

/* Whether the word is one that several blocks access; remembers that this one does. */
static ptx_shared *look_up(explorer *x, const agent *a)
{
	const weir_ptx_event *event = &a->event;
	uint32_t block = weir_ptx_thread_block(a->thread);
	ptx_shared *word;

	if (!is_access(event) || event->operation->order == WEIR_PTX_WEAK)
		return NULL;
	word = weir_ptx_shared_at(x->schedule, key_of(x, event));
	if (!word)
		return NULL;
	word->is_written |= event->kind != WEIR_PTX_LOAD;
	if (word->block == UINT32_MAX)
		word->block = block;
	word->is_shared |= word->block != block;
	if (word->is_shared && word->is_written && !word->branches)
		x->schedule->has_grown = 1; /* the search begins again */
	return word;
}

/* ---- threads ---- */

static int ask(explorer *x, int after, agent *a)
{
	const weir_ptx_observer *o = x->m->observer;
	weir_ptx_end end = (after ? o->after : o->before)(o->context, a->thread, &a->event, &x->m->result);

	if (end != WEIR_PTX_DONE) {
		x->m->result.end = end;
		x->m->failed = true;
	}
	return !x->m->failed;
}

static void perform(explorer *x, agent *a)
{
	weir_ptx_answered answer;

	a->is_pending = 0;
	if (is_access(&a->event))
		a->is_awaiting = 0;
	if (!ask(x, 0, a))
		return;
	if (!a->is_pending_access)
		a->has_written |= a->event.kind == WEIR_PTX_STORE || a->event.kind == WEIR_PTX_RMW;
	answer = weir_ptx_serve(a->thread, &a->event);
	if (answer == WEIR_PTX_FAULT)
		x->m->failed = true;
	else if (answer == WEIR_PTX_SERVED && a->event.kind != WEIR_PTX_EXIT)
		ask(x, 1, a);
}

/* The thread is at the head of a loop. */
static void come_around(explorer *x, agent *a)
{
	uint64_t hash = weir_ptx_thread_live_hash(a->thread);

	if (hash && a->head == a->thread->pc && a->hash == hash && !a->has_written && a->reads) {
		if (a->reads == 1) {
			a->is_awaiting = 1;
			x->schedule->is_futile |= a->is_stale;
		}
		else if (++a->repeats > REPEATS)
			x->schedule->is_bounded = 1;
	} else {
		a->repeats = 0;
	}
	a->head = a->thread->pc;
	a->hash = hash;
	a->reads = 0;
	a->has_written = 0;
}

/* A fence.sc, of which the order counts. The fences of threads that access no shared words are not among them: they
 * hide nothing, which allows more than the model does, and never less. */
static int is_fence(const explorer *x, const agent *a)
{
	return a->event.kind == WEIR_PTX_FENCE && a->event.operation->order == WEIR_PTX_SC &&
	       x->schedule->branches[a - x->agents];
}

/* Runs a thread up to a shared access; whether it has done anything. */
static int run_agent(explorer *x, agent *a)
{
	int any = 0;

	for (int slice = 0; slice < SLICE && !x->m->failed && !a->is_pending &&
	                    a->thread->state == WEIR_PTX_RUNNABLE;) {
		ptx_shared *word;
		weir_ptx_kind kind = weir_ptx_step(a->thread, 1, &a->event);
		any = 1;
		if (kind == WEIR_PTX_PREEMPTED) {
			come_around(x, a);
			slice++;
			continue;
		}
		if (kind == WEIR_PTX_FAILED) {
			x->m->failed = true;
			break;
		}
		if ((kind == WEIR_PTX_COPY && a->event.operation->what != PTX_COPY_PLAIN) ||
		    (kind >= WEIR_PTX_MBAR_INIT && kind <= WEIR_PTX_MBAR_TEST &&
		     a->event.owner != weir_ptx_thread_block(a->thread)))
			x->schedule->unsupported = "bulk copies and the mbarriers of other blocks";
		word = look_up(x, a);
		if (is_fence(x, a)) {
			a->is_pending = 1;
			break;
		}
		if (word && word->branches) {
			uint32_t number = (uint32_t)(a - x->agents);
			x->schedule->has_grown |= !x->schedule->branches[number];
			x->schedule->branches[number] = 1;
			a->is_pending = 1;
			a->writes_at_start = word->writes;
			a->is_awaiting &= word->key == a->word && word->changes == a->changes;
			break;
		}
		perform(x, a);
	}
	return any;
}

static int run_rest(explorer *x)
{
	int any = 0;

	for (uint32_t i = 0; i < x->count && !x->m->failed; i++) {
		agent *a = &x->agents[i];
		ptx_block *b = x->m->block[i / x->m->threads];
		if (!b)
			continue;
		a->thread = &b->thread[i % x->m->threads];
		any |= run_agent(x, a);
	}
	return any;
}

static int close_blocks(explorer *x)
{
	weir_ptx_machine *m = x->m;
	int any = 0;

	for (uint32_t k = 0; k < m->live_count;)
		if (!m->live[k]->live) {
			m->finished++;
			weir_ptx_block_close(m, m->live[k]);
			any = 1;
		} else {
			any |= weir_ptx_converge(m->live[k]);
			k++;
		}
	while (m->started * m->cluster_size < m->blocks &&
	       m->live_count + m->cluster_size <= m->launch.resident) {
		if (!weir_ptx_block_open(m, m->started)) {
			m->failed = true;
			m->result.end = WEIR_PTX_NO_MEMORY;
			return 0;
		}
		m->started++;
		any = 1;
	}
	return any;
}

/* ---- the choices ---- */

static int can_go(explorer *x, agent *a)
{
	ptx_shared *word;

	if (!a->is_pending)
		return 0;
	if (a->event.kind == WEIR_PTX_FENCE)
		return 1;
	word = weir_ptx_shared_at(x->schedule, key_of(x, &a->event));
	return word && (!a->is_awaiting || word->changes != a->changes);
}

static uint32_t pick(explorer *x, const uint32_t *ready, uint32_t count)
{
	uint32_t options = count, chosen;

	/* The thread that went on last is the first choice; to take another one is a preemption. */
	if (ready[0] == x->last && x->schedule->bound && x->preemptions >= x->schedule->bound - 1 &&
	    count > 1) {
		options = 1;
		x->schedule->is_cut = 1;
	}
	chosen = options > 1 ? weir_ptx_choose(x->schedule->choices, options) : 0;
	x->preemptions += ready[0] == x->last && chosen;
	return ready[chosen];
}

static void note(explorer *x, const agent *a, uint64_t old)
{
	ptx_schedule *s = x->schedule;
	ptx_step *step;

	if (s->step_count == PTX_STEPS)
		return;
	step = &s->steps[s->step_count++];
	*step = (ptx_step){weir_ptx_thread_block(a->thread),
	                   weir_ptx_thread_index(a->thread),
	                   a->event.operation,
	                   a->event.space,
	                   a->event.owner,
	                   a->event.address,
	                   a->event.kind == WEIR_PTX_STORE ? old : a->event.value[0]};
}

static void go_on_access(explorer *x, agent *a)
{
	ptx_shared *word = weir_ptx_shared_at(x->schedule, key_of(x, &a->event));
	const weir_ptx_operation *o = a->event.operation;
	uint64_t mask = ptx_low(o->size >= 8 ? 64 : o->size * 8u);
	uint64_t operand[2] = {a->event.value[0], a->event.value[1]}, old = operand[0], read;
	int writes = a->event.kind != WEIR_PTX_LOAD, changes = writes;
	ptx_choices *c = x->schedule->choices;

	if (o->count > 1 || o->size > 8)
		x->schedule->unsupported = "vectors that several blocks access strongly";
	a->reads++;
	a->word = word->key;
	/* An access that was reached before the newest write comes behind it: it might have come before. */
	c->only_newest = word->writes != a->writes_at_start;
	a->is_pending_access = 1;
	perform(x, a);
	a->is_pending_access = 0;
	c->only_newest = 1;
	read = a->event.value[0] & mask;
	if (a->event.kind == WEIR_PTX_RMW) {
		changes = read != (weir_ptx_rmw(o->what, o->type, read, operand[0], operand[1]) & mask);
		writes = o->what != PTX_RMW_CAS || read == (operand[0] & mask);
	}
	a->is_stale = c->was_older;
	a->has_written |= changes;
	word->writes += (uint64_t)writes;
	word->changes += (uint64_t)changes;
	a->changes = word->changes;
	note(x, a, old);
}

static void go_on(explorer *x, agent *a)
{
	if (a->event.kind != WEIR_PTX_FENCE) {
		go_on_access(x, a);
		return;
	}
	x->schedule->choices->has_quiet_fence = 0;
	perform(x, a);
	x->schedule->choices->has_quiet_fence = 1;
}

static void run_on(explorer *x)
{
	weir_ptx_machine *m = x->m;
	uint32_t *ready = malloc((x->count + 1) * sizeof *ready);

	while (ready && !m->failed && !x->schedule->failed && !x->schedule->is_bounded &&
	       !x->schedule->is_futile && !x->schedule->unsupported && !x->schedule->has_grown) {
		uint32_t count = 0;
		int any = run_rest(x);

		if (m->failed)
			break;
		any |= close_blocks(x);
		if (m->finished == m->blocks)
			break;
		if ((m->launch.budget && m->instructions > m->launch.budget) ||
		    (m->launch.stop && *m->launch.stop)) {
			x->schedule->is_bounded = 1;
			break;
		}
		if (any)
			continue;
		if (can_go(x, &x->agents[x->last]))
			ready[count++] = x->last;
		for (uint32_t i = 0; i < x->count; i++)
			if (i != x->last && can_go(x, &x->agents[i]))
				ready[count++] = i;
		if (!count) {
			weir_ptx_report_hang(m);
			break;
		}
		if (++x->steps > STEPS) {
			x->schedule->is_bounded = 1;
			break;
		}
		x->last = pick(x, ready, count);
		go_on(x, &x->agents[x->last]);
	}
	free(ready);
}

weir_status weir_ptx_explore_run(weir_ptx_machine *m, const weir_ptx_observer *observer,
                                 ptx_schedule *schedule, weir_ptx_result *result)
{
	explorer x = {.m = m, .schedule = schedule, .count = m->blocks * m->threads};

	m->observer = observer;
	schedule->step_count = 0;
	for (size_t i = 0; i < schedule->word_room; i++)
		schedule->words[i].writes = schedule->words[i].changes = 0;
	for (uint32_t i = 0; i < m->program->loops.count; i++)
		if (m->program->loops.at[i].clocked)
			schedule->unsupported = "loops that read a clock";
	schedule->choices->only_newest = 1;
	schedule->choices->has_quiet_fence = 1;
	if (!schedule->branches)
		schedule->branches = calloc(x.count, 1);
	x.agents = calloc(x.count, sizeof *x.agents);
	if (x.agents && schedule->branches)
		run_on(&x);
	else
		schedule->failed = 1;
	free(x.agents);
	m->result.instructions = m->instructions;
	*result = m->result;
	return WEIR_OK;
}
