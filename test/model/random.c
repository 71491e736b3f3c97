#include "random.h"

#include <stdio.h>
#include <string.h>

/* The tendencies of a program's operations. */
typedef struct manner {
	uint32_t scopes; /* 0: all include all threads; 1: wide enough, mostly; 2: any */
	uint32_t weak;   /* of 16 accesses */
	uint32_t fences; /* of 16 operations */
	uint32_t sc;     /* of 4 fences */
	uint32_t words;
	/* Weak accesses are only to the last word and strong ones, mostly relaxed, to the others, so that fences order
	 * the weak ones. */
	int is_apart;
} manner;

uint32_t random_below(random_source *r, uint32_t limit)
{
	r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(r->state >> 33) % limit;
}

static small_scope any_scope(random_source *r, const small_program *p, const manner *m)
{
	small_scope scope = SMALL_CTA;

	if (m->scopes == 2 || (m->scopes == 1 && random_below(r, 6) == 0))
		return (small_scope)random_below(r, 4);
	for (uint32_t t = 0; t < p->threads; t++)
		while (!small_includes(p, scope, 0, t))
			scope++;
	return random_below(r, 3) ? scope : scope + (small_scope)random_below(r, 4u - scope);
}

static small_value constant(uint32_t value)
{
	small_value v = {0, value};

	return v;
}

static small_op fence(random_source *r, const manner *m)
{
	static const small_order weaker[] = {SMALL_ACQ_REL, SMALL_ACQ_REL, SMALL_ACQUIRE,
	                                     SMALL_RELEASE};
	small_op op = {.type = SMALL_FENCE, .to = SMALL_NOWHERE};

	op.order = random_below(r, 4) < m->sc ? SMALL_SC : weaker[random_below(r, 4)];
	return op;
}

static small_op atomic(random_source *r, const manner *m)
{
	static const small_calc calcs[] = {SMALL_EXCH, SMALL_ADD, SMALL_CAS, SMALL_OR};
	small_op op = {.type = random_below(r, 4) ? SMALL_ATOM : SMALL_RED};

	op.order = (small_order)(SMALL_RELAXED + random_below(r, 4));
	op.calc = calcs[random_below(r, 4)];
	if (op.type == SMALL_RED)
		op.calc = random_below(r, 2) ? SMALL_ADD : SMALL_OR;
	op.word = (uint8_t)random_below(r, m->words - (uint32_t)m->is_apart);
	if (m->is_apart)
		op.order = SMALL_RELAXED;
	op.a = constant(op.calc == SMALL_CAS ? random_below(r, 3) : 1 + random_below(r, 2));
	op.b = constant(1 + random_below(r, 3));
	return op;
}

static small_op load_or_store(random_source *r, const manner *m)
{
	small_op op = {.type = random_below(r, 2) ? SMALL_LOAD : SMALL_STORE};

	op.word = (uint8_t)random_below(r, m->words - (uint32_t)m->is_apart);
	op.a = constant(1 + random_below(r, 3));
	op.order = SMALL_RELAXED;
	if (random_below(r, 16) < m->weak)
		op.order = SMALL_WEAK;
	else if (random_below(r, m->is_apart ? 8 : 2) == 0)
		op.order = op.type == SMALL_LOAD ? SMALL_ACQUIRE : SMALL_RELEASE;
	if (m->is_apart && op.order == SMALL_WEAK)
		op.word = (uint8_t)(m->words - 1);
	return op;
}

static small_op operation(random_source *r, const small_program *p, const manner *m)
{
	small_op op;

	if (random_below(r, 16) < m->fences)
		op = fence(r, m);
	else if (random_below(r, 4) == 0)
		op = atomic(r, m);
	else
		op = load_or_store(r, m);
	if (op.order != SMALL_WEAK)
		op.scope = any_scope(r, p, m);
	return op;
}

static void place_threads(random_source *r, small_program *p)
{
	static const uint8_t places[][2][SMALL_THREADS] = {
	    /* blocks, clusters */
	    {{0, 1, 2, 3}, {0, 1, 2, 3}}, {{0, 1, 2, 3}, {0, 1, 2, 3}},
	    {{0, 0, 1, 1}, {0, 0, 1, 1}}, {{0, 0, 1, 1}, {0, 0, 0, 0}},
	    {{0, 1, 2, 3}, {0, 0, 1, 1}}, {{0, 0, 0, 0}, {0, 0, 0, 0}},
	    {{0, 0, 1, 2}, {0, 0, 1, 2}}};
	uint32_t which = random_below(r, sizeof places / sizeof places[0]);
	int has_devices = random_below(r, 6) == 0;

	for (uint32_t t = 0; t < p->threads; t++) {
		p->thread[t].block = places[which][0][t];
		p->thread[t].cluster = places[which][1][t];
		p->thread[t].device = has_devices ? places[which][1][t] % 2 : 0;
	}
}

static void insert(small_thread *t, uint32_t at, small_op op)
{
	memmove(&t->op[at + 1], &t->op[at], (t->ops - at) * sizeof op);
	t->op[at] = op;
	t->ops++;
}

/* A barrier of the threads of a block. The last of them waits, the others may only arrive. */
static void add_barrier(random_source *r, small_program *p, uint32_t block)
{
	uint32_t waiters = 0;
	uint32_t left = 0;

	for (uint32_t t = 0; t < p->threads; t++)
		left += p->thread[t].block == block;
	if (left < 2)
		return;
	for (uint32_t t = 0; t < p->threads; t++) {
		small_op op = {.type = SMALL_SYNC, .to = SMALL_NOWHERE};
		if (p->thread[t].block != block)
			continue;
		if (random_below(r, 4) == 0 && (--left > 0 || waiters > 0))
			op.type = SMALL_ARRIVE;
		waiters += op.type == SMALL_SYNC;
		insert(&p->thread[t], random_below(r, p->thread[t].ops + 1u), op);
	}
}

/* The operations after a load depend on its value. */
static void add_branch(random_source *r, small_thread *t)
{
	for (uint32_t i = 0; i + 1 < t->ops; i++) {
		small_op op = {.type = SMALL_BRANCH, .calc = SMALL_EQ, .to = SMALL_NOWHERE};
		if (t->op[i].type != SMALL_LOAD && t->op[i].type != SMALL_ATOM)
			continue;
		for (uint32_t j = i; j < t->ops; j++)
			if (t->op[j].type == SMALL_SYNC || t->op[j].type == SMALL_ARRIVE)
				return;
		op.a.is_register = 1;
		op.a.value = t->op[i].to;
		op.b = constant(random_below(r, 3));
		op.target = (uint8_t)(t->ops + 1);
		insert(t, i + 1, op);
		return;
	}
}

static void add_registers(small_program *p)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		uint8_t next = 0;
		for (uint32_t i = 0; i < p->thread[t].ops; i++) {
			small_op *op = &p->thread[t].op[i];
			op->to = op->type == SMALL_LOAD || op->type == SMALL_ATOM ? next++
			                                                          : SMALL_NOWHERE;
		}
	}
}

void random_program(random_source *r, small_program *p)
{
	static const uint32_t lengths[SMALL_THREADS + 1] = {0, 0, 5, 4, 3};
	manner m = {.scopes = random_below(r, 3),
	            .weak = random_below(r, 2) ? 0 : 1 + random_below(r, 4),
	            .fences = random_below(r, 8),
	            .sc = random_below(r, 5),
	            .words = 2 + (random_below(r, 3) == 0)};

	if (random_below(r, 4) == 0) {
		m.is_apart = 1;
		m.scopes = random_below(r, 4) == 0;
		m.weak = 6;
		m.fences = 6;
		m.sc = 4;
	}
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "random");
	p->threads = 2 + random_below(r, 3);
	p->words = m.words;
	for (uint32_t w = 0; w < p->words; w++)
		p->word_names[w][0] = (char)('x' + w);
	place_threads(r, p);
	for (uint32_t t = 0; t < p->threads; t++) {
		p->thread[t].ops = (uint8_t)(lengths[p->threads] - random_below(r, 2));
		for (uint32_t i = 0; i < p->thread[t].ops; i++)
			p->thread[t].op[i] = operation(r, p, &m);
	}
	if (random_below(r, 2) == 0)
		for (uint32_t block = 0; block < SMALL_THREADS; block++)
			add_barrier(r, p, block);
	add_registers(p);
	if (random_below(r, 2) == 0)
		for (uint32_t t = 0; t < p->threads; t++)
			if (random_below(r, 2))
				add_branch(r, &p->thread[t]);
}
