#include "axioms.h"

#include <stdlib.h>
#include <string.h>

#define VALUES 32         /* that a word may have */
#define TRACE_EVENTS 28   /* of a thread */
#define TRACE_READS 20    /* of them */
#define MOST_STEPS 64     /* of a thread */
#define MOST_ROUNDS 2     /* back to a label */
#define MOST_TRACES 20000 /* of a thread */
#define MOST_TRIALS 40000000

#define BIT(i) ((uint64_t)1 << (i))

/* One path through a thread's code. */
typedef struct trace {
	uint32_t count;
	axioms_event event[TRACE_EVENTS];
	uint32_t registers[SMALL_REGISTERS];
	uint32_t needs[SMALL_WORDS];    /* values read, by their numbers */
	uint32_t provides[SMALL_WORDS]; /* values written */
} trace;

/* The values of a word. A value is the result of a chain of writes and reads, where each depends on
 * the previous one. `depth` is the least number of writes to each word in such a chain. */
typedef struct domain {
	uint32_t count;
	uint32_t value[VALUES];
	uint32_t depth[VALUES][SMALL_WORDS];
} domain;

typedef struct pair {
	uint8_t a;
	uint8_t b;
} pair;

typedef struct enumeration {
	const small_program *p;
	axioms_result *result;
	domain domain[SMALL_WORDS];
	trace *traces[SMALL_THREADS];
	uint32_t trace_count[SMALL_THREADS];
	const trace *chosen[SMALL_THREADS];
	uint32_t provided[SMALL_THREADS + 1][SMALL_WORDS]; /* by this thread and all after it */
	uint64_t trials;
	uint32_t
	    *slots; /* a hash table of the outcomes: their numbers from 1, or 0; twice their room */
	int no_memory;

	axioms_execution x;
	axioms_relation strong; /* morally strong */
	axioms_relation po;
	axioms_relation meets; /* arrivals and waits at a barrier */
	axioms_relation observation;
	axioms_relation base; /* causality */
	axioms_relation cause;
	int is_plain;
	int is_judge;   /* the coherence order is given */
	int is_allowed; /* some fence-SC order is allowed */
	uint64_t *races;
	uint64_t *strict;
	int races_now;
	pair fences[AXIOMS_EVENTS];
	uint32_t fence_count;
	uint32_t reads[AXIOMS_EVENTS];
	uint32_t read_count;
} enumeration;

/* ---- paths through a thread ---- */

typedef struct run {
	enumeration *e;
	trace *t;
	const uint32_t *choices;
	uint32_t choice_count;
	uint32_t limits[TRACE_READS]; /* how many choices each read has */
	uint32_t reads;
	uint32_t taint[SMALL_REGISTERS];
	uint32_t control;
	int is_cut;
} run;

static uint32_t value_number(const domain *d, uint32_t value)
{
	uint32_t i = 0;

	while (i < d->count && d->value[i] != value)
		i++;
	return i;
}

static uint32_t operand(const run *r, small_value v, uint32_t *taint)
{
	if (!v.is_register)
		return v.value;
	*taint |= r->taint[v.value];
	return r->t->registers[v.value];
}

static axioms_event *add_event(run *r, axioms_kind kind, uint32_t thread, uint32_t op_number)
{
	const small_op *op = &r->e->p->thread[thread].op[op_number];
	axioms_event *event = &r->t->event[r->t->count];

	if (r->t->count == TRACE_EVENTS) {
		r->e->result->refused = "a thread makes too many accesses";
		return event - 1;
	}
	r->t->count++;
	memset(event, 0, sizeof *event);
	event->kind = kind;
	event->order = op->order;
	event->scope = op->scope;
	event->thread = (uint8_t)thread;
	event->word = op->word;
	event->count = op->count;
	event->op = (uint8_t)op_number;
	event->is_atomic = op->type == SMALL_ATOM || op->type == SMALL_RED;
	event->is_red = op->type == SMALL_RED;
	event->needs = r->control;
	return event;
}

/* Returns the bit that stands for the read in its dependents. */
static uint32_t read_value(run *r, const small_op *op, uint32_t thread, uint32_t op_number,
                           uint32_t *value)
{
	const domain *d = &r->e->domain[op->word];
	axioms_event *event = add_event(r, AXIOMS_READ, thread, op_number);
	uint32_t choice = 0;

	if (r->reads == TRACE_READS) {
		r->e->result->refused = "a thread reads too often";
		*value = 0;
		return 0;
	}
	if (r->reads < r->choice_count)
		choice = r->choices[r->reads];
	r->limits[r->reads] = d->count;
	*value = d->value[choice];
	event->value = *value;
	r->t->needs[op->word] |= 1u << choice;
	return 1u << r->reads++;
}

static void write_value(run *r, const small_op *op, uint32_t thread, uint32_t op_number,
                        uint32_t value, uint32_t needs)
{
	axioms_event *event = add_event(r, AXIOMS_WRITE, thread, op_number);
	uint32_t number = value_number(&r->e->domain[op->word], value);

	event->value = value;
	event->needs |= needs;
	if (number < VALUES)
		r->t->provides[op->word] |= 1u << number;
}

static void run_atomic(run *r, const small_op *op, uint32_t thread, uint32_t op_number)
{
	uint32_t old;
	uint32_t taint = 0;
	uint32_t a = operand(r, op->a, &taint);
	uint32_t b = operand(r, op->b, &taint);
	uint32_t own = read_value(r, op, thread, op_number, &old);

	if (op->calc == SMALL_EXCH)
		write_value(r, op, thread, op_number, a, taint);
	else if (op->calc != SMALL_CAS)
		write_value(r, op, thread, op_number, small_calculate(op->calc, old, a),
		            taint | own);
	else if (old == a)
		write_value(r, op, thread, op_number, b, taint | own);
	if (op->to != SMALL_NOWHERE) {
		r->t->registers[op->to] = old;
		r->taint[op->to] = own | r->control;
	}
}

/* Returns the number of the next operation. */
static uint32_t run_op(run *r, uint32_t thread, uint32_t number)
{
	const small_op *op = &r->e->p->thread[thread].op[number];
	uint32_t taint = 0;
	uint32_t a;
	uint32_t b;

	switch (op->type) {
	case SMALL_LOAD:
		taint = read_value(r, op, thread, number, &a);
		r->t->registers[op->to] = a;
		r->taint[op->to] = taint | r->control;
		break;
	case SMALL_STORE:
		a = operand(r, op->a, &taint);
		write_value(r, op, thread, number, a, taint);
		break;
	case SMALL_ATOM:
	case SMALL_RED:
		run_atomic(r, op, thread, number);
		break;
	case SMALL_FENCE:
		add_event(r, AXIOMS_FENCE, thread, number);
		break;
	case SMALL_SYNC:
	case SMALL_ARRIVE:
		add_event(r, AXIOMS_ARRIVE, thread, number);
		if (op->type == SMALL_SYNC)
			add_event(r, AXIOMS_WAIT, thread, number);
		break;
	case SMALL_SET:
		a = operand(r, op->a, &taint);
		b = operand(r, op->b, &taint);
		r->t->registers[op->to] = small_calculate(op->calc, a, b);
		r->taint[op->to] = taint | r->control;
		break;
	case SMALL_BRANCH:
		a = operand(r, op->a, &taint);
		b = operand(r, op->b, &taint);
		r->control |= taint;
		if (!small_calculate(op->calc, a, b))
			break;
		return op->target;
	case SMALL_JUMP:
		return op->target;
	}
	return number + 1;
}

static void run_thread(run *r, uint32_t thread)
{
	const small_thread *text = &r->e->p->thread[thread];
	uint8_t phases[2][256] = {{0}};
	uint32_t at = 0;
	uint32_t back = 0;

	memset(r->t, 0, sizeof *r->t);
	memcpy(r->t->registers, r->e->p->registers[thread], sizeof r->t->registers);
	for (uint32_t steps = 0; at < text->ops && !r->e->result->refused; steps++) {
		uint32_t next = run_op(r, thread, at);
		back += next <= at;
		if (steps == MOST_STEPS || back > MOST_ROUNDS) {
			r->is_cut = 1;
			return;
		}
		at = next;
	}
	for (uint32_t i = 0; i < r->t->count; i++) {
		axioms_event *event = &r->t->event[i];
		if (event->kind == AXIOMS_ARRIVE || event->kind == AXIOMS_WAIT)
			event->phase = phases[event->kind == AXIOMS_WAIT][event->word]++;
	}
	/* A wait has the phase of the preceding arrival. */
	for (uint32_t i = 1; i < r->t->count; i++)
		if (r->t->event[i].kind == AXIOMS_WAIT)
			r->t->event[i].phase = r->t->event[i - 1].phase;
}

static void keep_trace(enumeration *e, uint32_t thread, const trace *t)
{
	uint32_t count = e->trace_count[thread];

	if (count == MOST_TRACES) {
		e->result->refused = "too many ways through a thread";
		return;
	}
	if ((count & (count - 1)) == 0) {
		trace *more = realloc(e->traces[thread], (count ? 2 * count : 1) * sizeof *more);
		if (!more) {
			e->no_memory = 1;
			return;
		}
		e->traces[thread] = more;
	}
	e->traces[thread][e->trace_count[thread]++] = *t;
}

static void find_traces(enumeration *e, uint32_t thread)
{
	uint32_t choices[TRACE_READS] = {0};
	trace t;
	run r = {.e = e, .t = &t, .choices = choices};
	uint32_t depth = 0;

	e->trace_count[thread] = 0;
	do {
		memset(r.taint, 0, sizeof r.taint);
		r.choice_count = depth;
		r.reads = 0;
		r.control = 0;
		r.is_cut = 0;
		run_thread(&r, thread);
		if (r.is_cut)
			e->result->is_cut = 1;
		else
			keep_trace(e, thread, &t);
		for (; depth < r.reads; depth++)
			choices[depth] = 0;
		while (depth > 0 && ++choices[depth - 1] >= r.limits[depth - 1])
			depth--;
	} while (depth > 0 && !e->result->refused && !e->no_memory);
}

/* The depth of the values on which an event of the trace depends. */
static void find_depth(const enumeration *e, const trace *t, const axioms_event *event,
                       uint32_t depth[SMALL_WORDS])
{
	uint32_t reads = 0;

	memset(depth, 0, SMALL_WORDS * sizeof *depth);
	for (const axioms_event *read = t->event; read < event; read++) {
		const domain *d = &e->domain[read->word];
		const uint32_t *more;
		if (read->kind != AXIOMS_READ || !(event->needs >> reads++ & 1))
			continue;
		more = d->depth[value_number(d, read->value)];
		for (uint32_t w = 0; w < SMALL_WORDS; w++)
			if (depth[w] < more[w])
				depth[w] = more[w];
	}
}

/* Returns whether the value is new, or now has less depth. */
static int add_value(enumeration *e, uint32_t word, uint32_t value,
                     const uint32_t depth[SMALL_WORDS])
{
	domain *d = &e->domain[word];
	uint32_t number = value_number(d, value);
	int has_changed = 0;

	if (number == d->count) {
		if (d->count == VALUES) {
			e->result->refused = "a word may have too many values";
			return 0;
		}
		d->value[d->count++] = value;
		memcpy(d->depth[number], depth, sizeof d->depth[number]);
		return 1;
	}
	for (uint32_t w = 0; w < SMALL_WORDS; w++)
		if (depth[w] < d->depth[number][w]) {
			d->depth[number][w] = depth[w];
			has_changed = 1;
		}
	return has_changed;
}

/* Adds the values that the traces write. A chain has each write once, and no more than `most` to a word. Returns
 * whether anything has changed. */
static int widen_domains(enumeration *e, const uint32_t most[SMALL_WORDS])
{
	uint32_t depth[SMALL_WORDS];
	int has_changed = 0;

	for (uint32_t t = 0; t < e->p->threads; t++)
		for (uint32_t i = 0; i < e->trace_count[t]; i++)
			for (uint32_t j = 0; j < e->traces[t][i].count; j++) {
				const axioms_event *event = &e->traces[t][i].event[j];
				if (event->kind != AXIOMS_WRITE)
					continue;
				find_depth(e, &e->traces[t][i], event, depth);
				if (++depth[event->word] <= most[event->word])
					has_changed |=
					    add_value(e, event->word, event->value, depth);
			}
	return has_changed;
}

/* How often the code can write the word, if each loop runs the most rounds. */
static uint32_t writes_of(const small_program *p, uint32_t word)
{
	uint32_t writes = 0;

	for (uint32_t t = 0; t < p->threads; t++) {
		uint32_t rounds = 1;
		uint32_t own = 0;
		for (uint32_t i = 0; i < p->thread[t].ops; i++) {
			const small_op *op = &p->thread[t].op[i];
			if (op->type == SMALL_STORE || op->type == SMALL_ATOM ||
			    op->type == SMALL_RED)
				own += op->word == word;
			if ((op->type == SMALL_BRANCH || op->type == SMALL_JUMP) && op->target <= i)
				rounds = 1 + MOST_ROUNDS;
		}
		writes += own * rounds;
	}
	return writes;
}

static void find_all_traces(enumeration *e)
{
	uint32_t most[SMALL_WORDS];

	for (uint32_t w = 0; w < e->p->words; w++) {
		e->domain[w].count = 1;
		e->domain[w].value[0] = e->p->initial[w];
		most[w] = writes_of(e->p, w);
	}
	do
		for (uint32_t t = 0; t < e->p->threads; t++)
			find_traces(e, t);
	while (!e->result->refused && !e->no_memory && widen_domains(e, most));
}

/* ---- relations ---- */

static void close_relation(axioms_relation r, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t i = 0; i < count; i++)
			if (r[i] & BIT(k))
				r[i] |= r[k];
}

static int has_cycle(const axioms_relation r, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (r[i] & BIT(i))
			return 1;
	return 0;
}

static int is_memory(const axioms_event *a)
{
	return a->kind == AXIOMS_READ || a->kind == AXIOMS_WRITE;
}

static int is_strong(const axioms_event *a)
{
	return a->thread != SMALL_THREADS && a->order != SMALL_WEAK &&
	       (is_memory(a) || a->kind == AXIOMS_FENCE);
}

static int is_release(const axioms_event *a)
{
	return a->kind == AXIOMS_WRITE && (a->order == SMALL_RELEASE || a->order == SMALL_ACQ_REL);
}

static int is_acquire(const axioms_event *a)
{
	return a->kind == AXIOMS_READ && !a->is_red &&
	       (a->order == SMALL_ACQUIRE || a->order == SMALL_ACQ_REL);
}

static int fence_releases(const axioms_event *a)
{
	return a->kind == AXIOMS_FENCE && a->order != SMALL_ACQUIRE;
}

static int fence_acquires(const axioms_event *a)
{
	return a->kind == AXIOMS_FENCE && a->order != SMALL_RELEASE;
}

static int morally_strong(const enumeration *e, const axioms_event *a, const axioms_event *b)
{
	if (is_memory(a) && is_memory(b) && a->word != b->word)
		return 0;
	if (a->thread == b->thread)
		return a->thread != SMALL_THREADS;
	return is_strong(a) && is_strong(b) &&
	       small_includes(e->p, a->scope, a->thread, b->thread) &&
	       small_includes(e->p, b->scope, b->thread, a->thread);
}

static int meet(const enumeration *e, const axioms_event *a, const axioms_event *b)
{
	return a->kind == AXIOMS_ARRIVE && b->kind == AXIOMS_WAIT && a->word == b->word &&
	       a->phase == b->phase &&
	       e->p->thread[a->thread].block == e->p->thread[b->thread].block;
}

/* The relations that do not depend on the reads-from relation. */
static void relate(enumeration *e)
{
	axioms_execution *x = &e->x;

	e->fence_count = 0;
	e->read_count = 0;
	for (uint32_t i = 0; i < x->count; i++) {
		const axioms_event *a = &x->event[i];
		e->strong[i] = 0;
		e->po[i] = 0;
		e->meets[i] = 0;
		if (a->kind == AXIOMS_READ)
			e->reads[e->read_count++] = i;
		for (uint32_t j = 0; j < x->count; j++) {
			const axioms_event *b = &x->event[j];
			if (i == j)
				continue;
			if (morally_strong(e, a, b))
				e->strong[i] |= BIT(j);
			if (a->thread == b->thread && a->thread != SMALL_THREADS && i < j)
				e->po[i] |= BIT(j);
			if (meet(e, a, b))
				e->meets[i] |= BIT(j);
			if (i < j && e->strong[i] & BIT(j) && a->kind == AXIOMS_FENCE &&
			    b->kind == AXIOMS_FENCE && a->order == SMALL_SC && b->order == SMALL_SC)
				e->fences[e->fence_count++] = (pair){(uint8_t)i, (uint8_t)j};
		}
	}
}

static void observe(enumeration *e)
{
	const axioms_execution *x = &e->x;
	int changes = 1;

	memset(e->observation, 0, x->count * sizeof e->observation[0]);
	for (uint32_t i = 0; i < e->read_count; i++) {
		uint32_t read = e->reads[i];
		uint32_t source = x->source[read];
		if (e->strong[source] & BIT(read))
			e->observation[source] |= BIT(read);
	}
	/* Through atomics: an atomic's write passes on what its read observes. */
	while (changes) {
		changes = 0;
		for (uint32_t i = 0; i < x->count; i++)
			for (uint32_t z = 0; z + 1 < x->count; z++) {
				uint64_t more;
				if (!(e->observation[i] & BIT(z)) || !x->event[z].is_atomic ||
				    x->event[z + 1].kind != AXIOMS_WRITE ||
				    x->event[z + 1].op != x->event[z].op ||
				    x->event[z + 1].thread != x->event[z].thread)
					continue;
				more = e->observation[z + 1] & ~e->observation[i];
				e->observation[i] |= more;
				changes |= more != 0;
			}
	}
}

/* The first operations of release patterns that end with this write. */
static uint64_t release_patterns(const enumeration *e, uint32_t write)
{
	const axioms_execution *x = &e->x;
	const axioms_event *w = &x->event[write];
	uint64_t heads = 0;

	if (!is_strong(w))
		return 0;
	if (is_release(w))
		heads |= BIT(write);
	for (uint32_t i = 0; i < write; i++) {
		const axioms_event *a = &x->event[i];
		if (e->po[i] & BIT(write) &&
		    (fence_releases(a) || (is_release(a) && a->word == w->word)))
			heads |= BIT(i);
	}
	return heads;
}

/* The last operations of acquire patterns that start with this read. */
static uint64_t acquire_patterns(const enumeration *e, uint32_t read)
{
	const axioms_execution *x = &e->x;
	const axioms_event *r = &x->event[read];
	uint64_t tails = 0;

	if (!is_strong(r) || r->is_red)
		return 0;
	if (is_acquire(r))
		tails |= BIT(read);
	for (uint32_t i = read + 1; i < x->count; i++) {
		const axioms_event *a = &x->event[i];
		if (e->po[read] & BIT(i) &&
		    (fence_acquires(a) || (is_acquire(a) && a->word == r->word)))
			tails |= BIT(i);
	}
	return tails;
}

static void synchronize(enumeration *e)
{
	const axioms_execution *x = &e->x;

	for (uint32_t w = 0; w < x->count; w++) {
		uint64_t heads;
		if (!e->observation[w])
			continue;
		heads = release_patterns(e, w);
		for (uint32_t r = 0; heads && r < x->count; r++) {
			uint64_t tails;
			if (!(e->observation[w] & BIT(r)))
				continue;
			tails = acquire_patterns(e, r);
			for (uint32_t h = 0; h < x->count; h++)
				if (heads & BIT(h))
					e->base[h] |= tails & e->strong[h];
		}
	}
}

/* Base causality without the fence-SC order. */
static void find_base(enumeration *e)
{
	const axioms_execution *x = &e->x;
	uint64_t all = x->count == AXIOMS_EVENTS ? ~(uint64_t)0 : BIT(x->count) - 1;
	uint64_t initial = BIT(e->p->words) - 1;

	for (uint32_t i = 0; i < x->count; i++) {
		e->base[i] =
		    x->event[i].thread == SMALL_THREADS ? all & ~initial : e->po[i] | e->meets[i];
	}
	synchronize(e);
	close_relation(e->base, x->count);
}

static uint64_t same_word(const enumeration *e, uint32_t i)
{
	uint64_t mask = 0;

	for (uint32_t j = 0; j < e->x.count; j++)
		if (is_memory(&e->x.event[j]) && e->x.event[j].word == e->x.event[i].word)
			mask |= BIT(j);
	return mask;
}

static void find_cause(enumeration *e)
{
	const axioms_execution *x = &e->x;

	for (uint32_t i = 0; i < x->count; i++) {
		e->cause[i] = 0;
		if (!is_memory(&x->event[i]))
			continue;
		e->cause[i] = e->base[i];
		for (uint32_t z = 0; z < x->count; z++)
			if (e->observation[i] & BIT(z))
				e->cause[i] |= e->base[z];
		e->cause[i] &= same_word(e, i);
	}
}

/* ---- axioms ---- */

static int has_thin_air(const enumeration *e)
{
	const axioms_execution *x = &e->x;
	axioms_relation r;

	memset(r, 0, sizeof r);
	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t reads = 0;
		if (x->event[i].kind == AXIOMS_READ)
			r[x->source[i]] |= BIT(i);
		if (x->event[i].thread == SMALL_THREADS)
			continue;
		for (uint32_t j = 0; j < i; j++) {
			if (x->event[j].thread != x->event[i].thread ||
			    x->event[j].kind != AXIOMS_READ)
				continue;
			if (x->event[i].needs >> reads++ & 1)
				r[j] |= BIT(i);
		}
	}
	close_relation(r, x->count);
	return has_cycle(r, x->count);
}

/* Load buffering: no order of events in time puts each read after the write that it reads from, and
 * each wait after the arrivals at its barrier. */
static int has_buffering(const enumeration *e)
{
	axioms_relation r;

	memcpy(r, e->po, sizeof r);
	for (uint32_t i = 0; i < e->x.count; i++)
		r[i] |= e->meets[i];
	for (uint32_t i = 0; i < e->read_count; i++)
		r[e->x.source[e->reads[i]]] |= BIT(e->reads[i]);
	close_relation(r, e->x.count);
	return has_cycle(r, e->x.count);
}

static uint64_t from_read(const axioms_execution *x, uint32_t read)
{
	return x->co[x->source[read]];
}

static int is_atomic_pair(const axioms_execution *x, uint32_t read)
{
	const axioms_event *w = &x->event[read + 1];

	return read + 1 < x->count && x->event[read].is_atomic && w->kind == AXIOMS_WRITE &&
	       w->thread == x->event[read].thread && w->op == x->event[read].op;
}

/* Causality, and atomicity. */
static int reads_are_right(const enumeration *e)
{
	const axioms_execution *x = &e->x;

	for (uint32_t i = 0; i < e->read_count; i++) {
		uint32_t read = e->reads[i];
		uint64_t later = from_read(x, read);
		for (uint32_t w = 0; w < x->count; w++) {
			if (!(later & BIT(w)))
				continue;
			if (e->cause[w] & BIT(read))
				return 0;
			if (is_atomic_pair(x, read) && x->co[w] & BIT(read + 1) &&
			    e->strong[read] & BIT(w))
				return 0;
		}
	}
	return 1;
}

static int is_sequential_per_word(const enumeration *e)
{
	const axioms_execution *x = &e->x;
	axioms_relation r;

	for (uint32_t i = 0; i < x->count; i++) {
		r[i] = 0;
		if (!is_memory(&x->event[i]))
			continue;
		r[i] = e->po[i] & same_word(e, i);
		if (x->event[i].kind == AXIOMS_WRITE)
			r[i] |= x->co[i] & e->strong[i];
		else
			r[i] |= from_read(x, i) & e->strong[i];
	}
	for (uint32_t i = 0; i < e->read_count; i++) {
		uint32_t read = e->reads[i];
		if (e->strong[x->source[read]] & BIT(read))
			r[x->source[read]] |= BIT(read);
	}
	close_relation(r, x->count);
	return !has_cycle(r, x->count);
}

/* The two halves of an atomic are one operation: what its write precedes, it precedes. */
static uint64_t follows(const enumeration *e, const axioms_relation ordered, uint32_t i)
{
	return ordered[i] | (is_atomic_pair(&e->x, i) ? ordered[i + 1] : 0);
}

static int is_race(const enumeration *e, const axioms_relation ordered, uint32_t i, uint32_t j)
{
	const axioms_event *a = &e->x.event[i];
	const axioms_event *b = &e->x.event[j];

	return is_memory(a) && is_memory(b) && a->word == b->word && a->thread != b->thread &&
	       a->thread != SMALL_THREADS && b->thread != SMALL_THREADS &&
	       (a->kind == AXIOMS_WRITE || b->kind == AXIOMS_WRITE) && !(e->strong[i] & BIT(j)) &&
	       !(follows(e, ordered, i) & BIT(j)) && !(follows(e, ordered, j) & BIT(i));
}

/* Adds the races with this fence-SC order. */
static int find_races(const enumeration *e)
{
	axioms_relation ordered;
	int found = 0;

	memcpy(ordered, e->cause, sizeof ordered);
	close_relation(ordered, e->x.count);
	for (uint32_t i = 0; i < e->x.count; i++)
		for (uint32_t j = 0; j < e->x.count; j++) {
			if (e->is_judge && is_race(e, e->cause, i, j))
				e->strict[i] |= BIT(j);
			if (!is_race(e, ordered, i, j))
				continue;
			found = 1;
			if (e->is_judge)
				e->races[i] |= BIT(j);
		}
	return found;
}

/* ---- outcomes ---- */

/* The place of a state in the table of outcomes: where it is, or where it belongs. */
static uint32_t *find_slot(enumeration *e, const small_state *state)
{
	const axioms_result *result = e->result;
	uint32_t mask = 2 * result->room - 1;
	uint32_t hash = 2166136261u;
	uint32_t at;

	for (uint32_t t = 0; t < SMALL_THREADS; t++)
		for (uint32_t i = 0; i < SMALL_REGISTERS; i++)
			hash = (hash ^ state->registers[t][i]) * 16777619u;
	for (uint32_t w = 0; w < SMALL_WORDS; w++)
		hash = (hash ^ state->words[w]) * 16777619u;
	for (at = (hash ^ hash >> 15) & mask; e->slots[at]; at = (at + 1) & mask)
		if (memcmp(&result->outcomes[e->slots[at] - 1].state, state, sizeof *state) == 0)
			break;
	return &e->slots[at];
}

static int grow_outcomes(enumeration *e)
{
	axioms_result *result = e->result;
	uint32_t room = result->room ? 2 * result->room : 64;
	axioms_outcome *more = realloc(result->outcomes, room * sizeof *more);
	uint32_t *slots = more ? calloc(2 * (size_t)room, sizeof *slots) : NULL;

	if (more)
		result->outcomes = more;
	if (!slots)
		return -1;
	free(e->slots);
	e->slots = slots;
	result->room = room;
	for (uint32_t i = 0; i < result->count; i++)
		*find_slot(e, &result->outcomes[i].state) = i + 1;
	return 0;
}

static void keep_outcome(enumeration *e, const small_state *state)
{
	axioms_result *result = e->result;
	uint32_t *slot;

	if (result->count == result->room && grow_outcomes(e) != 0) {
		e->no_memory = 1;
		return;
	}
	slot = find_slot(e, state);
	if (*slot) {
		result->outcomes[*slot - 1].is_plain |= e->is_plain;
		return;
	}
	result->outcomes[result->count].state = *state;
	result->outcomes[result->count].is_plain = e->is_plain;
	*slot = ++result->count;
}

/* Racing writes may leave any of their values. */
static void keep_outcomes(enumeration *e, uint32_t word, small_state *state)
{
	if (word == e->p->words) {
		keep_outcome(e, state);
		return;
	}
	for (uint32_t i = 0; i < e->x.count; i++) {
		const axioms_event *a = &e->x.event[i];
		if (a->kind != AXIOMS_WRITE || a->word != word || e->x.co[i])
			continue;
		state->words[word] = a->value;
		keep_outcomes(e, word + 1, state);
	}
}

static void keep_execution(enumeration *e)
{
	small_state state;

	if (!reads_are_right(e) || !is_sequential_per_word(e))
		return;
	e->is_allowed = 1;
	if (e->is_judge)
		return;
	memset(&state, 0, sizeof state);
	for (uint32_t t = 0; t < e->p->threads; t++)
		memcpy(state.registers[t], e->chosen[t]->registers, sizeof state.registers[t]);
	keep_outcomes(e, 0, &state);
	e->result->executions++;
	if (e->races_now) {
		e->result->races |= e->is_plain;
		e->result->buffered_races = 1;
	}
}

/* Orders the writes from number `i` on, which causality and moral strength relate. */
static void order_writes(enumeration *e, uint32_t i, uint32_t j)
{
	axioms_relation saved;

	for (; i < e->x.count; i++, j = i + 1) {
		if (e->x.event[i].kind != AXIOMS_WRITE)
			continue;
		for (; j < e->x.count; j++) {
			if (e->x.event[j].kind != AXIOMS_WRITE || !(e->strong[i] & BIT(j)) ||
			    e->x.co[i] & BIT(j) || e->x.co[j] & BIT(i))
				continue;
			memcpy(saved, e->x.co, sizeof saved);
			for (int way = 0; way < 2; way++) {
				e->x.co[way ? j : i] |= BIT(way ? i : j);
				close_relation(e->x.co, e->x.count);
				order_writes(e, i, j + 1);
				memcpy(e->x.co, saved, sizeof saved);
			}
			return;
		}
	}
	keep_execution(e);
}

/* The coherence order starts with causality. */
static void begin_coherence(enumeration *e, axioms_relation co)
{
	const axioms_execution *x = &e->x;

	for (uint32_t i = 0; i < x->count; i++) {
		co[i] = 0;
		if (x->event[i].kind != AXIOMS_WRITE)
			continue;
		for (uint32_t j = 0; j < x->count; j++)
			if (x->event[j].kind == AXIOMS_WRITE && e->cause[i] & BIT(j))
				co[i] |= BIT(j);
	}
	close_relation(co, x->count);
}

/* With a fence-SC order. */
static void check_fences_done(enumeration *e)
{
	axioms_relation co;

	find_cause(e);
	for (uint32_t i = 0; i < e->read_count; i++)
		if (e->cause[e->reads[i]] & BIT(e->x.source[e->reads[i]]))
			return;
	begin_coherence(e, co);
	if (has_cycle(co, e->x.count))
		return;
	if (e->is_judge) {
		int was_allowed = e->is_allowed;
		for (uint32_t i = 0; i < e->x.count; i++)
			if (co[i] & ~e->x.co[i])
				return;
		e->is_allowed = 0;
		keep_execution(e);
		if (e->is_allowed)
			find_races(e);
		e->is_allowed |= was_allowed;
		return;
	}
	memcpy(e->x.co, co, sizeof co);
	e->races_now = find_races(e);
	order_writes(e, 0, 1);
}

static void order_fences(enumeration *e, uint32_t from)
{
	axioms_relation saved;

	if (has_cycle(e->base, e->x.count))
		return;
	for (uint32_t i = from; i < e->fence_count; i++) {
		pair f = e->fences[i];
		if (e->base[f.a] & BIT(f.b) || e->base[f.b] & BIT(f.a))
			continue;
		memcpy(saved, e->base, sizeof saved);
		for (int way = 0; way < 2; way++) {
			e->base[way ? f.b : f.a] |= BIT(way ? f.a : f.b);
			close_relation(e->base, e->x.count);
			order_fences(e, i + 1);
			memcpy(e->base, saved, sizeof saved);
		}
		return;
	}
	check_fences_done(e);
}

static void check_sources(enumeration *e)
{
	if (e->trials++ == MOST_TRIALS) {
		e->result->refused = "too many executions";
		return;
	}
	if (has_thin_air(e))
		return;
	e->is_plain = !has_buffering(e);
	observe(e);
	find_base(e);
	order_fences(e, 0);
}

/* Whether the read may read from the write, judging by one thread. */
static int may_read_from(const enumeration *e, uint32_t read, uint32_t write)
{
	const axioms_execution *x = &e->x;
	const axioms_event *r = &x->event[read];
	const axioms_event *w = &x->event[write];

	if (w->kind != AXIOMS_WRITE || w->word != r->word || w->value != r->value ||
	    e->po[read] & BIT(write))
		return 0;
	/* Another write by the reader, between the two. */
	for (uint32_t i = 0; i < read; i++)
		if (x->event[i].kind == AXIOMS_WRITE && x->event[i].word == r->word &&
		    e->po[i] & BIT(read) && (w->thread == SMALL_THREADS || e->po[write] & BIT(i)))
			return 0;
	return 1;
}

static void choose_sources(enumeration *e, uint32_t number)
{
	if (number == e->read_count) {
		check_sources(e);
		return;
	}
	for (uint32_t w = 0; w < e->x.count && !e->result->refused; w++)
		if (may_read_from(e, e->reads[number], w)) {
			e->x.source[e->reads[number]] = (uint8_t)w;
			choose_sources(e, number + 1);
		}
}

/* ---- programs ---- */

/* Whether each barrier has the threads that it waits for. */
static int barriers_end(enumeration *e)
{
	const axioms_execution *x = &e->x;

	for (uint32_t i = 0; i < x->count; i++) {
		const axioms_event *a = &x->event[i];
		uint32_t block = a->kind == AXIOMS_WAIT ? e->p->thread[a->thread].block : 0;
		uint32_t expected = a->count;
		uint32_t arrived = 0;
		if (a->kind != AXIOMS_WAIT)
			continue;
		for (uint32_t t = 0; t < e->p->threads && a->count == 0; t++)
			expected += e->p->thread[t].block == block;
		for (uint32_t j = 0; j < x->count; j++)
			arrived += meet(e, &x->event[j], a);
		if (arrived > expected)
			e->result->refused = "more threads at a barrier than it waits for";
		if (arrived < expected) {
			e->result->hangs = 1;
			return 0;
		}
	}
	return 1;
}

/* Whether threads wait for each other at different barriers. */
static int barriers_cross(const enumeration *e)
{
	axioms_relation r;

	for (uint32_t i = 0; i < e->x.count; i++)
		r[i] = e->po[i] | e->meets[i];
	close_relation(r, e->x.count);
	return has_cycle(r, e->x.count);
}

static void check_traces(enumeration *e)
{
	axioms_execution *x = &e->x;

	x->count = 0;
	for (uint32_t w = 0; w < e->p->words; w++) {
		axioms_event *event = &x->event[x->count++];
		memset(event, 0, sizeof *event);
		event->kind = AXIOMS_WRITE;
		event->thread = SMALL_THREADS;
		event->word = (uint8_t)w;
		event->value = e->p->initial[w];
	}
	for (uint32_t t = 0; t < e->p->threads; t++) {
		if (x->count + e->chosen[t]->count > AXIOMS_EVENTS) {
			e->result->refused = "too many accesses";
			return;
		}
		memcpy(&x->event[x->count], e->chosen[t]->event,
		       e->chosen[t]->count * sizeof x->event[0]);
		x->count += e->chosen[t]->count;
	}
	if (!barriers_end(e))
		return;
	relate(e);
	if (barriers_cross(e)) {
		e->result->hangs = 1;
		return;
	}
	choose_sources(e, 0);
}

static void choose_traces(enumeration *e, uint32_t thread, const uint32_t *needs,
                          const uint32_t *provides)
{
	if (thread == e->p->threads) {
		check_traces(e);
		return;
	}
	for (uint32_t i = 0; i < e->trace_count[thread] && !e->result->refused; i++) {
		const trace *t = &e->traces[thread][i];
		uint32_t more_needs[SMALL_WORDS];
		uint32_t more[SMALL_WORDS];
		int is_possible = 1;
		for (uint32_t w = 0; w < e->p->words; w++) {
			more_needs[w] = needs[w] | t->needs[w];
			more[w] = provides[w] | t->provides[w];
			is_possible &= !(more_needs[w] & ~(more[w] | e->provided[thread + 1][w]));
		}
		if (!is_possible)
			continue;
		e->chosen[thread] = t;
		choose_traces(e, thread + 1, more_needs, more);
	}
}

static void find_provided(enumeration *e)
{
	for (uint32_t t = e->p->threads; t-- > 0;) {
		memcpy(e->provided[t], e->provided[t + 1], sizeof e->provided[t]);
		for (uint32_t i = 0; i < e->trace_count[t]; i++)
			for (uint32_t w = 0; w < e->p->words; w++)
				e->provided[t][w] |= e->traces[t][i].provides[w];
	}
}

int axioms_enumerate(const small_program *p, axioms_result *result)
{
	enumeration *e = calloc(1, sizeof *e);
	uint32_t needs[SMALL_WORDS] = {0};
	uint32_t provides[SMALL_WORDS];

	memset(result, 0, sizeof *result);
	if (!e)
		return -1;
	e->p = p;
	e->result = result;
	e->x.program = p;
	for (uint32_t w = 0; w < SMALL_WORDS; w++)
		provides[w] = 1; /* the initial value */
	find_all_traces(e);
	find_provided(e);
	if (!result->refused && !e->no_memory)
		choose_traces(e, 0, needs, provides);
	for (uint32_t t = 0; t < SMALL_THREADS; t++)
		free(e->traces[t]);
	free(e->slots);
	if (e->no_memory) {
		free(e);
		axioms_free(result);
		return -1;
	}
	free(e);
	return 0;
}

void axioms_free(axioms_result *result)
{
	free(result->outcomes);
	result->outcomes = NULL;
	result->count = 0;
	result->room = 0;
}

int axioms_holds(const small_program *p, const axioms_result *result, int plain)
{
	uint32_t with = 0;
	uint32_t without = 0;

	for (uint32_t i = 0; i < result->count; i++) {
		if (plain && !result->outcomes[i].is_plain)
			continue;
		if (small_condition(p, &result->outcomes[i].state))
			with++;
		else
			without++;
	}
	if (p->quantifier == SMALL_FOR_ALL)
		return without == 0;
	return p->quantifier == SMALL_EXISTS ? with > 0 : with == 0;
}

int axioms_judge(const axioms_execution *x, axioms_relation races, axioms_relation strict)
{
	static _Thread_local enumeration e;
	axioms_result result = {0};

	memset(&e, 0, sizeof e);
	e.p = x->program;
	e.x = *x;
	e.result = &result;
	e.is_judge = 1;
	e.races = races;
	e.strict = strict;
	memset(races, 0, sizeof(axioms_relation));
	memset(strict, 0, sizeof(axioms_relation));
	relate(&e);
	observe(&e);
	find_base(&e);
	order_fences(&e, 0);
	return e.is_allowed;
}
