/* The race detector on random executions of random programs: it finds a race where the axioms of PTX have a race.
 *
 * Each program runs a few times, each time with its threads in another order, in which every read returns the value of
 * the last write before it. The axioms judge the same execution: two accesses race if some allowed order of fence.sc
 * leaves them unordered. The detector's first race must lie between two accesses. One is the first that races by the
 * letter of the manual. The other is the first that races even if accesses are also ordered through others to the same
 * bytes. The two seldom differ.
 *
 * usage: race [PROGRAMS [SEED]]
 */
#include "ptx/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "random.h"

#define RUNS 4 /* of each program */

typedef struct thread {
	uint32_t at;
	uint32_t registers[SMALL_REGISTERS];
	uint32_t count;
	uint8_t event[AXIOMS_EVENTS]; /* in the order of the run */
	int is_waiting;
	uint8_t phase[256];
} thread;

typedef struct run {
	const small_program *p;
	small_grid grid;
	random_source *random;
	weir_race *race;
	thread threads[SMALL_THREADS];
	uint32_t words[SMALL_WORDS];
	uint32_t count; /* of events, the initial writes first */
	axioms_event event[AXIOMS_EVENTS];
	uint32_t source[AXIOMS_EVENTS];
	uint32_t last_write[SMALL_WORDS];
	uint32_t found; /* event with the first race that the detector found, + 1 */
	uint32_t with;  /* thread of the earlier access */
	int is_too_long;
} run;

typedef struct totals {
	uint32_t runs;
	uint32_t races;
	uint32_t loose; /* the letter and the other definition differ */
	uint32_t wrong;
	uint32_t fenced; /* without a race, with several fence.sc */
} totals;

static void note(void *context, const weir_race_finding *finding)
{
	run *r = context;

	if (r->found)
		return;
	r->found = r->count;
	for (uint32_t t = 0; t < r->p->threads; t++)
		if (r->grid.slot[t] == finding->thread[0])
			r->with = t;
}

static uint32_t add(run *r, uint32_t t, axioms_kind kind, uint32_t value)
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

static uint32_t operand(const run *r, uint32_t t, small_value value)
{
	return value.is_register ? r->threads[t].registers[value.value] : value.value;
}

static void access(run *r, uint32_t t, const small_op *op)
{
	uint32_t old = r->words[op->word];
	uint32_t a = operand(r, t, op->a);
	uint32_t value = a;
	weir_race_access access = {.thread = r->grid.slot[t],
	                           .site = r->threads[t].at,
	                           .address = 64 + 4ull * op->word,
	                           .size = 4,
	                           .order = (weir_race_order)op->order,
	                           .scope = (weir_race_scope)op->scope,
	                           .reads = op->type != SMALL_STORE,
	                           .writes = op->type != SMALL_LOAD,
	                           .is_silent = op->type == SMALL_RED};

	if (op->type != SMALL_STORE && op->type != SMALL_LOAD) {
		if (op->calc == SMALL_CAS) {
			access.writes = old == a;
			value = operand(r, t, op->b);
		} else if (op->calc != SMALL_EXCH) {
			value = small_calculate(op->calc, old, a);
		}
	}
	if (access.reads)
		r->source[add(r, t, AXIOMS_READ, old)] = r->last_write[op->word];
	if (access.writes) {
		uint32_t number = add(r, t, AXIOMS_WRITE, value);
		r->words[op->word] = value;
		r->last_write[op->word] = number;
	}
	if (op->to != SMALL_NOWHERE)
		r->threads[t].registers[op->to] = old;
	if (weir_race_do(r->race, &access) != 0)
		exit(2);
}

/* Ends the barrier of a block when all its threads, or the number that it waits for, have
 * arrived. */
static void arrive(run *r, uint32_t t, const small_op *op)
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

static void step(run *r, uint32_t t)
{
	thread *self = &r->threads[t];
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

static void run_all(run *r)
{
	uint32_t ready[SMALL_THREADS];
	uint32_t count;

	for (uint32_t w = 0; w < r->p->words; w++) {
		axioms_event *event = &r->event[r->count];
		memset(event, 0, sizeof *event);
		event->kind = AXIOMS_WRITE;
		event->thread = SMALL_THREADS;
		event->word = (uint8_t)w;
		r->words[w] = event->value = r->p->initial[w];
		r->last_write[w] = r->count++;
	}
	do {
		count = 0;
		for (uint32_t t = 0; t < r->p->threads; t++)
			if (!r->threads[t].is_waiting && r->threads[t].at < r->p->thread[t].ops)
				ready[count++] = t;
		if (count)
			step(r, ready[random_below(r->random, count)]);
	} while (count && !r->is_too_long);
}

/* The execution in the order of the axioms: thread after thread. `number` maps events to it. */
static void arrange(const run *r, axioms_execution *x, uint32_t *number)
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
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t j = i + 1; j < r->count; j++)
			if (r->event[i].kind == AXIOMS_WRITE && r->event[j].kind == AXIOMS_WRITE &&
			    r->event[i].word == r->event[j].word)
				x->co[number[i]] |= (uint64_t)1 << number[j];
}

/* The last event of the first access, in the order of the run, that races with an earlier one, + 1. */
static uint32_t first_race(const run *r, const uint32_t *number, const axioms_relation races)
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

static uint32_t fences(const run *r)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->count; i++)
		count += r->event[i].kind == AXIOMS_FENCE && r->event[i].order == SMALL_SC;
	return count;
}

static const char *judge(const run *r, totals *sum)
{
	axioms_execution x;
	axioms_relation races;
	axioms_relation strict;
	uint32_t number[AXIOMS_EVENTS];
	uint32_t loosely;
	uint32_t strictly;

	arrange(r, &x, number);
	if (!axioms_judge(&x, races, strict))
		return "the axioms do not allow the run";
	loosely = first_race(r, number, races);
	strictly = first_race(r, number, strict);
	sum->runs++;
	sum->races += loosely != 0;
	sum->loose += loosely != strictly;
	sum->fenced += !strictly && fences(r) > 1;
	if (loosely && (!r->found || r->found > loosely))
		return "the detector misses a race";
	if (r->found && (!strictly || r->found < strictly))
		return "the detector finds a race that is none";
	return NULL;
}

static int run_one(const small_program *p, random_source *source, totals *sum)
{
	run r = {.p = p, .grid = small_place(p), .random = source};
	weir_race_grid grid = {r.grid.blocks, r.grid.threads, r.grid.cluster, r.grid.device, 1, 0};
	const char *wrong = NULL;

	r.race = weir_race_create(&grid, note, &r);
	if (!r.race) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	run_all(&r);
	if (!r.is_too_long)
		wrong = judge(&r, sum);
	weir_race_destroy(r.race);
	if (!wrong)
		return 0;
	printf("%s\n", wrong);
	small_print(p);
	printf("order of the run:");
	for (uint32_t i = p->words; i < r.count; i++)
		printf(" P%u:%u", r.event[i].thread, r.event[i].op);
	if (r.found)
		printf("; found at event %u, with a race with P%u", r.found - 1 - p->words, r.with);
	printf("\n");
	return 1;
}

/* ---- beyond small programs: bytes, sizes, large blocks and barriers ---- */

typedef struct tally {
	uint32_t races;
	weir_race_finding last;
} tally;

static void count(void *context, const weir_race_finding *finding)
{
	tally *t = context;

	t->races++;
	t->last = *finding;
}

static weir_race *begin(tally *t, uint32_t blocks, uint32_t threads)
{
	weir_race_grid grid = {blocks, threads, 1, 0, 0, 0};
	weir_race *r = weir_race_create(&grid, count, t);

	memset(t, 0, sizeof *t);
	if (!r)
		exit(2);
	return r;
}

static void plain(weir_race *r, uint32_t t, uint64_t address, uint32_t size, int writes)
{
	weir_race_access a = {
	    .thread = t, .address = address, .size = size, .reads = !writes, .writes = writes};

	if (weir_race_do(r, &a) != 0)
		exit(2);
}

static void strong(weir_race *r, uint32_t t, uint64_t address, uint32_t size, weir_race_order order,
                   int reads, int writes)
{
	weir_race_access a = {.thread = t,
	                      .address = address,
	                      .size = size,
	                      .order = order,
	                      .scope = WEIR_RACE_GPU,
	                      .reads = reads,
	                      .writes = writes};

	if (weir_race_do(r, &a) != 0)
		exit(2);
}

static uint32_t expect(const char *what, weir_race *r, const tally *t, uint32_t races)
{
	weir_race_destroy(r);
	if (t->races == races)
		return 0;
	printf("%s: %u races, expected %u\n", what, t->races, races);
	return 1;
}

static uint32_t bytes(void)
{
	uint32_t wrong = 0;
	tally t;
	weir_race *r = begin(&t, 2, 1);

	for (uint32_t i = 0; i < 4; i++)
		plain(r, i % 2, 64 + i, 1, 1);
	wrong += expect("neighbouring bytes", r, &t, 0);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 2, 1);
	plain(r, 1, 65, 1, 0);
	wrong += t.last.address != 65 || !t.last.has_other_size;
	wrong += expect("a byte of two", r, &t, 1);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 8, 1);
	plain(r, 1, 68, 4, 1);
	wrong += expect("the upper half", r, &t, 1);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 8, 1);
	plain(r, 1, 72, 4, 1);
	wrong += expect("the word behind", r, &t, 0);
	r = begin(&t, 2, 1);
	strong(r, 0, 64, 8, WEIR_RACE_RELEASE, 0, 1);
	strong(r, 1, 64, 8, WEIR_RACE_ACQUIRE, 1, 0);
	wrong += expect("a flag of 64 bits", r, &t, 0);
	r = begin(&t, 2, 1);
	strong(r, 0, 64, 8, WEIR_RACE_RELEASE, 0, 1);
	strong(r, 1, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
	wrong += !t.last.has_other_size;
	wrong += expect("half of a flag of 64 bits", r, &t, 1);
	return wrong;
}

static void sync_block(weir_race *r, uint32_t block, uint32_t threads)
{
	for (uint32_t i = 0; i < threads; i++)
		if (weir_race_barrier(r, block * threads + i, 0, 0, 1))
			exit(2);
}

/* Every thread writes its own word and reads another thread's, with a grid barrier between. `lacks` leaves out the
 * sync before the arrival or the sync after the wait. */
static uint32_t grid_barrier(int lacks, uint32_t races)
{
	const uint32_t threads = 256;
	const uint32_t blocks = 4;
	const uint32_t all = blocks * threads;
	tally t;
	weir_race *r = begin(&t, blocks, threads);

	for (uint32_t phase = 0; phase < 3; phase++) {
		for (uint32_t b = 0; b < blocks; b++) {
			for (uint32_t i = 0; i < threads; i++)
				plain(r, b * threads + i, 4096 + 4ull * (b * threads + i), 4, 1);
			if (lacks != 1)
				sync_block(r, b, threads);
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQ_REL, 1, 1);
		}
		for (uint32_t b = 0; b < blocks; b++) {
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
			if (lacks != 2)
				sync_block(r, b, threads);
			for (uint32_t i = 0; i < threads; i++)
				plain(r, b * threads + i,
				      4096 + 4ull * ((b * threads + i + threads) % all), 4, 0);
		}
		/* The same barrier again, before the next phase writes. */
		for (uint32_t b = 0; b < blocks && !lacks; b++) {
			sync_block(r, b, threads);
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQ_REL, 1, 1);
		}
		for (uint32_t b = 0; b < blocks && !lacks; b++) {
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
			sync_block(r, b, threads);
		}
		if (lacks)
			break;
	}
	return expect(lacks ? "grid barrier without a sync" : "grid barrier", r, &t, races);
}

/* All threads read a table, and one writes it afterwards. */
static uint32_t table(int meets, uint32_t races)
{
	uint32_t warp[32];
	tally t;
	weir_race *r = begin(&t, 1, 64);

	for (uint32_t i = 0; i < 32; i++) {
		warp[i] = i;
		plain(r, i, 64, 4, 0);
	}
	if (weir_race_meet(r, warp, meets ? 32 : 31))
		exit(2);
	plain(r, 5, 64, 4, 1);
	return expect("a table that a warp reads", r, &t, races);
}

/* Many threads add to a counter, again and again, and then one resets it: only after a barrier. */
static uint32_t counter(int syncs, uint32_t races)
{
	tally t;
	weir_race *r = begin(&t, 1, 512);
	size_t bytes;

	for (uint32_t i = 0; i < 512 * 50; i++)
		strong(r, i * 7 % 512, 64, 4, WEIR_RACE_RELAXED, 1, 1);
	bytes = weir_race_bytes(r);
	if (syncs)
		sync_block(r, 0, 512);
	plain(r, 3, 64, 4, 1);
	if (bytes > 512 * 1024) {
		printf("a counter takes %zu bytes\n", bytes);
		return 1 + expect("a counter", r, &t, races);
	}
	return expect("a counter", r, &t, races);
}

static uint32_t directed(void)
{
	/* Without the first sync, only the first thread of each block releases. Without the second, only
	 * the first thread of each block acquires. */
	return bytes() + grid_barrier(0, 0) + grid_barrier(1, 4 * 255) + grid_barrier(2, 4 * 255) +
	       table(1, 0) + table(0, 1) + counter(1, 0) + counter(0, 1);
}

int main(int argc, char **argv)
{
	uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000;
	random_source source = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
	totals sum = {0};

	for (uint32_t i = 0; i < programs; i++) {
		small_program p;
		random_program(&source, &p);
		for (uint32_t j = 0; j < RUNS; j++)
			sum.wrong += (uint32_t)run_one(&p, &source, &sum);
	}
	printf("%u runs: %u wrong; %u with a race, %u where only the letter has one so early, %u "
	       "without one with "
	       "several fence.sc\n",
	       sum.runs, sum.wrong, sum.races, sum.loose, sum.fenced);
	sum.wrong += directed();
	return sum.wrong != 0;
}
