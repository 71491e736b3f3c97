#include "executed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(void *context, const weir_race_finding *finding)
{
	executed *r = context;

	if (r->found)
		return;
	r->found = r->count;
	for (uint32_t t = 0; t < r->p->threads; t++)
		if (r->grid.slot[t] == finding->thread[0])
			r->with = t;
}

static uint32_t add(executed *r, uint32_t t, axioms_kind kind, uint32_t value)
{
	const small_op *op = &r->p->thread[t].op[r->threads[t].at];
	axioms_event *event = &r->event[r->count];

	if (r->count == AXIOMS_EVENTS) {
		r->is_too_long = 1;
		return r->count - 1;
	}
	memset(event, 0, sizeof *event);
	event->kind = kind;
	event->order = op->order;
	event->scope = op->scope;
	event->thread = (uint8_t)t;
	event->word = op->word;
	event->count = op->count;
	event->op = (uint8_t)r->threads[t].at;
	event->is_red = op->type == SMALL_RED;
	event->is_atomic = op->type == SMALL_ATOM || op->type == SMALL_RED;
	event->value = value;
	r->threads[t].event[r->threads[t].count++] = (uint8_t)r->count;
	return r->count++;
}

static uint32_t operand(const executed *r, uint32_t t, small_value value)
{
	return value.is_register ? r->threads[t].registers[value.value] : value.value;
}

/* The write that a strong access reads, or that its write follows in coherence order, from those that the detector
 * offers. Returns its place in coherence order. */
static uint32_t choose(executed *r, weir_race_access *access, uint32_t word)
{
	weir_race_choice list[AXIOMS_EVENTS];
	uint32_t last = r->writes[word] - 1;
	uint32_t count;
	uint32_t event;

	if (!r->is_weak || access->order == WEIR_RACE_WEAK)
		return last;
	access->old = r->event[r->coherence[word][last]].value;
	count = weir_race_choices(r->race, access, list, AXIOMS_EVENTS);
	access->message =
	    list[random_below(r->random, 8) < r->newest ? 0 : random_below(r->random, count)]
		.message;
	event =
	    access->message == UINT64_MAX ? r->newest_weak[word] : (uint32_t)access->message - 1;
	if (!access->message)
		return last;
	while (last && r->coherence[word][last] != event)
		last--;
	return last;
}

static void insert_write(executed *r, uint32_t word, uint32_t behind, uint32_t number)
{
	uint8_t *order = r->coherence[word];

	memmove(&order[behind + 2], &order[behind + 1], r->writes[word] - behind - 1);
	order[behind + 1] = (uint8_t)number;
	r->writes[word]++;
	r->words[word] = r->event[order[r->writes[word] - 1]].value;
}

static void access(executed *r, uint32_t t, const small_op *op)
{
	uint32_t a = operand(r, t, op->a);
	uint32_t value = a;
	uint32_t from;
	uint32_t old;
	weir_race_access access = {.thread = r->grid.slot[t],
	                           .site = r->threads[t].at,
	                           .address = 64 + 4ull * op->word,
	                           .size = 4,
	                           .order = (weir_race_order)op->order,
	                           .scope = (weir_race_scope)op->scope,
	                           .reads = op->type != SMALL_STORE,
	                           .writes = op->type != SMALL_LOAD,
	                           .is_silent = op->type == SMALL_RED};

	access.is_compared = access.reads && access.writes && op->calc == SMALL_CAS;
	access.compare = a;
	from = choose(r, &access, op->word);
	r->stale += from + 1 < r->writes[op->word];
	old = r->event[r->coherence[op->word][from]].value;
	if (access.reads && access.writes) {
		if (op->calc == SMALL_CAS) {
			access.writes = old == a;
			value = operand(r, t, op->b);
		} else if (op->calc != SMALL_EXCH) {
			value = small_calculate(op->calc, old, a);
		}
	}
	if (access.reads)
		r->source[add(r, t, AXIOMS_READ, old)] = r->coherence[op->word][from];
	if (access.writes) {
		uint32_t number = add(r, t, AXIOMS_WRITE, value);
		if (access.order == WEIR_RACE_WEAK)
			r->newest_weak[op->word] = number;
		access.number = number + 1;
		access.value = value;
		access.old = r->words[op->word];
		insert_write(r, op->word, from, number);
	}
	if (op->to != SMALL_NOWHERE)
		r->threads[t].registers[op->to] = old;
	/* Half of the threads try the shorter way first. */
	if (t % 2 == 0 && access.order == WEIR_RACE_WEAK &&
	    weir_race_plain(r->race, access.thread, access.site, access.space, access.address,
	                    access.size, access.writes))
		return;
	if (weir_race_do(r->race, &access) != 0)
		exit(2);
}

/* Ends the barrier of a block when all its threads, or the number that it waits for, have
 * arrived. */
static void arrive(executed *r, uint32_t t, const small_op *op)
{
	uint8_t phase = r->threads[t].phase[op->word]++;
	uint32_t expected = op->count;
	uint32_t arrived = 0;
	uint32_t in_block = 0;

	r->event[add(r, t, AXIOMS_ARRIVE, 0)].phase = phase;
	r->threads[t].is_waiting = op->type == SMALL_SYNC;
	for (uint32_t u = 0; u < r->p->threads; u++) {
		if (r->p->thread[u].block != r->p->thread[t].block)
			continue;
		in_block++;
		arrived += r->threads[u].phase[op->word] > phase;
	}
	if (expected == 0)
		expected = in_block;
	if (weir_race_barrier(r->race, r->grid.slot[t], op->word, expected, op->type == SMALL_SYNC))
		exit(2);
	for (uint32_t u = 0; u < r->p->threads && arrived == expected; u++) {
		const small_op *other = &r->p->thread[u].op[r->threads[u].at];
		if (r->p->thread[u].block != r->p->thread[t].block || !r->threads[u].is_waiting ||
		    other->word != op->word)
			continue;
		r->event[add(r, u, AXIOMS_WAIT, 0)].phase = phase;
		r->threads[u].is_waiting = 0;
		r->threads[u].at += u != t;
	}
}

static void step(executed *r, uint32_t t)
{
	executed_thread *self = &r->threads[t];
	const small_op *op = &r->p->thread[t].op[self->at];
	uint32_t next = self->at + 1;

	switch (op->type) {
	case SMALL_FENCE:
		add(r, t, AXIOMS_FENCE, 0);
		if (weir_race_fence(r->race, r->grid.slot[t], (weir_race_order)op->order,
		                    (weir_race_scope)op->scope))
			exit(2);
		break;
	case SMALL_SYNC:
	case SMALL_ARRIVE:
		arrive(r, t, op);
		break;
	case SMALL_SET:
		self->registers[op->to] =
		    small_calculate(op->calc, operand(r, t, op->a), operand(r, t, op->b));
		break;
	case SMALL_BRANCH:
		if (small_calculate(op->calc, operand(r, t, op->a), operand(r, t, op->b)))
			next = op->target;
		break;
	case SMALL_JUMP:
		next = op->target;
		break;
	default:
		access(r, t, op);
		break;
	}
	if (!self->is_waiting)
		self->at = next;
}

static void run_all(executed *r)
{
	uint32_t ready[SMALL_THREADS];
	uint32_t count;
	uint32_t last = 0;
	uint32_t stays =
	    random_below(r->random, 8); /* of 8 steps, that go on with the same thread */

	for (uint32_t w = 0; w < r->p->words; w++) {
		axioms_event *event = &r->event[r->count];
		memset(event, 0, sizeof *event);
		event->kind = AXIOMS_WRITE;
		event->thread = SMALL_THREADS;
		event->word = (uint8_t)w;
		r->words[w] = event->value = r->p->initial[w];
		r->newest_weak[w] = r->count;
		r->coherence[w][0] = (uint8_t)r->count++;
		r->writes[w] = 1;
	}
	do {
		int stays_now = random_below(r->random, 8) < stays;
		count = 0;
		for (uint32_t t = 0; t < r->p->threads; t++)
			if (!r->threads[t].is_waiting && r->threads[t].at < r->p->thread[t].ops)
				ready[count++] = t;
		for (uint32_t i = 0; i < count && stays_now; i++)
			if (ready[i] == last)
				ready[0] = last, count = 1;
		last = count ? ready[random_below(r->random, count)] : 0;
		if (count)
			step(r, last);
	} while (count && !r->is_too_long && !(r->is_weak && r->found));
}

/* The same execution for the axioms: thread after thread. `number` maps events to it. */
static void arrange(const executed *r, axioms_execution *x, uint32_t *number)
{
	memset(x, 0, sizeof *x);
	x->program = r->p;
	for (uint32_t w = 0; w < r->p->words; w++)
		number[w] = x->count++;
	for (uint32_t t = 0; t < r->p->threads; t++)
		for (uint32_t i = 0; i < r->threads[t].count; i++)
			number[r->threads[t].event[i]] = x->count++;
	for (uint32_t i = 0; i < r->count; i++) {
		x->event[number[i]] = r->event[i];
		if (r->event[i].kind == AXIOMS_READ)
			x->source[number[i]] = (uint8_t)number[r->source[i]];
	}
	for (uint32_t w = 0; w < r->p->words; w++)
		for (uint32_t i = 0; i < r->writes[w]; i++)
			for (uint32_t j = i + 1; j < r->writes[w]; j++)
				x->co[number[r->coherence[w][i]]] |= (uint64_t)1
				                                     << number[r->coherence[w][j]];
}

/* The last event of the first access, in the order of the run, that races with an earlier one, + 1. */
static uint32_t first_race(const executed *r, const uint32_t *number, const axioms_relation races)
{
	for (uint32_t j = 0; j < r->count; j++)
		for (uint32_t i = 0; i < j; i++)
			if (races[number[i]] >> number[j] & 1) {
				int has_write = j + 1 < r->count &&
				                r->event[j].kind == AXIOMS_READ &&
				                r->event[j + 1].kind == AXIOMS_WRITE &&
				                r->event[j + 1].thread == r->event[j].thread &&
				                r->event[j + 1].op == r->event[j].op;
				return j + 1 + (uint32_t)has_write;
			}
	return 0;
}

const char *executed_judge(const executed *r, uint32_t *loosely, uint32_t *strictly)
{
	axioms_execution x;
	axioms_relation races;
	axioms_relation strict;
	uint32_t number[AXIOMS_EVENTS];

	arrange(r, &x, number);
	if (!axioms_judge(&x, races, strict))
		return "the axioms do not allow the execution";
	*loosely = first_race(r, number, races);
	*strictly = first_race(r, number, strict);
	if (*loosely && (!r->found || r->found > *loosely))
		return "the detector misses a race";
	if (r->found && (!*strictly || r->found < *strictly))
		return "the detector finds a race that is none";
	return NULL;
}

void executed_run(executed *r, const small_program *p, random_source *random, int is_weak)
{
	weir_race_grid grid = {
	    .narrow_fences = 1, .history = is_weak ? AXIOMS_EVENTS : 0, .inserts = 1};

	memset(r, 0, sizeof *r);
	r->p = p;
	r->grid = small_place(p);
	r->random = random;
	r->is_weak = is_weak;
	r->newest = random_below(random, 9);
	grid.blocks = r->grid.blocks;
	grid.threads = r->grid.threads;
	grid.cluster = r->grid.cluster;
	grid.device = r->grid.device;
	for (uint32_t t = 0; t < p->threads; t++)
		memcpy(r->threads[t].registers, p->registers[t], sizeof p->registers[t]);
	r->race = weir_race_create(&grid, note, r);
	if (!r->race) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	run_all(r);
	weir_race_destroy(r->race);
	r->race = NULL;
}

void executed_print(const executed *r)
{
	small_print(r->p);
	printf("order of the run:");
	for (uint32_t i = r->p->words; i < r->count; i++) {
		printf(" P%u:%u", r->event[i].thread, r->event[i].op);
		if (r->event[i].kind == AXIOMS_READ)
			printf("=%u", r->event[i].value);
	}
	if (r->found)
		printf("; found at event %u, with a race with P%u", r->found - 1 - r->p->words,
		       r->with);
	printf("\n");
}
