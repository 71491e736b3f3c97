/* The reductions against the search without them: for random small programs, the two searches that
 * leave executions out must find exactly the outcomes of the search through all interleavings. And
 * polls as machines implement them must lead to no outcome that polls with only the order of their
 * contract do not lead to.
 *
 * usage: fuzz [PROGRAMS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/engine.h"
#include "model/program.h"
#include "weir/machine.h"

#define OPS 3
#define OUTCOMES 65536
#define MOST_INTERLEAVINGS 400000

typedef struct instruction {
	uint32_t what;
	uint32_t word;
	uint32_t value;
} instruction;

typedef struct program {
	uint32_t blocks;
	uint32_t threads;
	uint32_t ops;
	int has_await;
	instruction text[4][OPS];
	uint64_t read[4]; /* the values that each thread has read, as digits */
	uint64_t *found;
	size_t count;
} program;

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % limit;
}

static uint32_t execute(const instruction *i)
{
	weir_word *w = weir_model_memory() + i->word;
	uint32_t value = 0;

	switch (i->what) {
	case 0:
		return weir_load_rlx(w);
	case 1:
		return weir_load_acq(w);
	case 2:
		weir_store_rlx(w, i->value);
		break;
	case 3:
		weir_store_rel(w, i->value);
		break;
	case 4:
		return weir_add_rlx(w, i->value);
	case 5:
		return weir_add_acq_rel(w, i->value);
	case 6:
		return weir_cas_acq(w, i->value - 1, i->value + 1);
	case 7:
		weir_fence_acq_rel();
		break;
	case 8:
		return weir_xchg_rel(w, i->value);
	case 9:
		weir_red_add_rel(w, i->value);
		break;
	case 10:
		value = weir_await_xchg_ne_acq(w, i->value, i->value, weir_no_backoff());
		break;
	case 11:
		for (weir_wait wait = weir_wait_begin(weir_no_backoff());
		     (value = weir_load_acq(w)) == 0 && !weir_wait_aborted(&wait);)
			weir_wait_again(&wait);
		break;
	case 12:
		weir_await_ge_acq(w, i->value, weir_no_backoff());
		break;
	case 13:
		return weir_poll(w);
	case 14:
		weir_poll_acquire();
		break;
	default:
		weir_block_sync();
		break;
	}
	return value;
}

static void setup(void *context)
{
	program *p = context;

	memset(p->read, 0, sizeof p->read);
	weir_store_rlx(weir_model_memory(), 0);
	weir_store_rlx(weir_model_memory() + 1, 0);
}

static void body(void *context)
{
	program *p = context;
	uint32_t self = weir_block_id() * weir_thread_count() + weir_thread_id();

	for (uint32_t i = 0; i < p->ops; i++)
		p->read[self] = p->read[self] * 16 + (execute(&p->text[self][i]) & 15);
}

static void complete(void *context)
{
	program *p = context;
	uint64_t hash =
	    weir_model_final(weir_model_memory()) * 31u + weir_model_final(weir_model_memory() + 1);

	for (uint32_t i = 0; i < 4; i++)
		hash = (hash ^ p->read[i]) * 0x9e3779b97f4a7c15ull + (hash >> 29);
	for (size_t i = p->count; i-- > 0;)
		if (p->found[i] == hash)
			return;
	if (p->count < OUTCOMES)
		p->found[p->count++] = hash;
}

static void make(program *p)
{
	uint32_t syncs = below(3) == 0;

	p->blocks = syncs ? 2 : 2 + below(2);
	p->threads = syncs ? 2 : 1;
	p->has_await = 0;
	p->ops = syncs || p->blocks == 3 ? 2 + (below(4) == 0 && !syncs) : OPS;
	for (uint32_t t = 0; t < 4; t++)
		for (uint32_t i = 0; i < p->ops; i++) {
			p->text[t][i].what = below(15);
			p->text[t][i].word = below(2);
			p->text[t][i].value = 1 + below(3);
		}
	if (syncs)
		for (uint32_t t = 0; t < 4; t++)
			p->text[t][1].what = 15;
	for (uint32_t i = 0; i < 4 * p->ops; i++)
		p->has_await |= p->text[i / p->ops][i % p->ops].what == 12;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static weir_model_outcome run(program *p, weir_model_search search, weir_model_polls polls,
                              uint64_t *found)
{
	weir_model_program under = {.blocks = p->blocks,
	                            .threads = p->threads,
	                            .setup = setup,
	                            .body = body,
	                            .complete = complete,
	                            .context = p,
	                            .has_fences = 1};
	weir_model_setting setting = {0};
	weir_model_outcome outcome;

	setting.search = search;
	setting.polls = polls;
	/* More programs run to their end if lost wake-ups do not count. They do count with waits
	 * that only read, since the reductions leave out executions that differ in nothing else. */
	setting.broken = p->has_await ? 0 : WEIR_MODEL_BROKEN_WAKES;
	setting.max_executions = search == WEIR_MODEL_NAIVE ? MOST_INTERLEAVINGS : 0;
	p->found = found;
	p->count = 0;
	if (weir_model_explore(&under, &setting, &outcome) != 0)
		exit(2);
	weir_model_outcome_free(&outcome);
	qsort(found, p->count, sizeof *found, compare_hashes);
	return outcome;
}

static void print(const program *p)
{
	for (uint32_t t = 0; t < p->blocks * p->threads; t++) {
		printf("  thread %u:", t);
		for (uint32_t i = 0; i < p->ops; i++)
			printf("  %u(%u, %u)", p->text[t][i].what, p->text[t][i].word,
			       p->text[t][i].value);
		printf("\n");
	}
}

static uint64_t naive_found[OUTCOMES];
static uint64_t found[OUTCOMES];

/* Whether polls as a machine has them lead to an outcome that the contract's do not. */
static int has_more(program *p, weir_model_polls polls, size_t naive_count)
{
	if (run(p, WEIR_MODEL_DPOR, polls, found).verdict != WEIR_MODEL_PASS)
		return 1;
	for (size_t i = 0; i < p->count; i++)
		if (!bsearch(&found[i], naive_found, naive_count, sizeof *found, compare_hashes))
			return 1;
	return 0;
}

/* 1: differs; 0: the same; -1: too large to say. */
static int check(program *p)
{
	weir_model_outcome naive = run(p, WEIR_MODEL_NAIVE, WEIR_MODEL_POLLS_CONTRACT, naive_found);
	size_t naive_count = p->count;
	weir_model_outcome outcome;

	/* A deadlock or a lost wake-up ends a search, so the rest cannot be compared. Each search
	 * must find one, though not the same. */
	for (int i = 0; i < 2; i++) {
		outcome = run(p, i ? WEIR_MODEL_SLEEP : WEIR_MODEL_DPOR, WEIR_MODEL_POLLS_CONTRACT,
		              found);
		if (!naive.exhaustive && naive.verdict == WEIR_MODEL_PASS)
			return -1;
		if ((outcome.verdict == WEIR_MODEL_PASS) != (naive.verdict == WEIR_MODEL_PASS))
			return 1;
		if (naive.verdict == WEIR_MODEL_PASS &&
		    (p->count != naive_count ||
		     memcmp(found, naive_found, naive_count * sizeof *found) != 0))
			return 1;
	}
	return naive.verdict == WEIR_MODEL_PASS &&
	       (has_more(p, WEIR_MODEL_POLLS_FENCE, naive_count) ||
	        has_more(p, WEIR_MODEL_POLLS_ACQUIRE, naive_count));
}

int main(int argc, char **argv)
{
	uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
	uint32_t skipped = 0;
	uint32_t wrong = 0;

	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (uint32_t i = 0; i < programs; i++) {
		program p;
		int differs;
		make(&p);
		differs = check(&p);
		skipped += differs < 0;
		if (differs > 0) {
			wrong++;
			printf("program %u differs\n", i);
			print(&p);
		}
	}
	printf("%u programs, %u too large, %u differ\n", programs, skipped, wrong);
	return wrong != 0 || skipped > programs / 2;
}
