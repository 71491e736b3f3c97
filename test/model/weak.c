/* Stale reads (weir check --weak) against the axioms of PTX, on random programs.
 *
 * Each program runs many times. Every execution must be one that the axioms allow, and its first race, at which it ends,
 * must be one by the axioms. A program without races must show no outcome but those that the axioms allow without load
 * buffering, and all of these: since runs are random, one in a thousand may be missing, which takes a row of rare choices.
 *
 * usage: weak [PROGRAMS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executed.h"

#define MOST_RUNS 200000 /* of a program, for its outcomes */
#define RACY_RUNS 20
#define MOST_OUTCOMES 60

typedef struct totals {
	uint32_t programs; /* without races */
	uint32_t outcomes;
	uint32_t unseen; /* of these, those that no run showed */
	uint64_t runs;
	uint32_t races;
	uint32_t stale; /* executions in which an access did not choose the newest write */
	uint32_t wrong;
} totals;

static const char *judge(const executed *r, totals *sum)
{
	uint32_t loosely, strictly;

	sum->runs++;
	sum->races += r->found != 0;
	sum->stale += r->stale != 0;
	return executed_judge(r, &loosely, &strictly);
}

static int is_outcome(const executed *r, const small_state *state)
{
	for (uint32_t t = 0; t < r->p->threads; t++)
		if (memcmp(r->threads[t].registers, state->registers[t],
		           sizeof state->registers[t]) != 0)
			return 0;
	return memcmp(r->words, state->words, r->p->words * sizeof r->words[0]) == 0;
}

static void print_state(const small_program *p, const small_state *state)
{
	for (uint32_t t = 0; t < p->threads; t++)
		for (uint32_t i = 0; i < p->thread[t].ops; i++)
			if (p->thread[t].op[i].to != SMALL_NOWHERE)
				printf(" P%u:r%u=%u", t, p->thread[t].op[i].to,
				       state->registers[t][p->thread[t].op[i].to]);
	for (uint32_t w = 0; w < p->words; w++)
		printf(" %s=%u", p->word_names[w], state->words[w]);
	printf("\n");
}

static int fail(const char *why, const executed *r)
{
	printf("%s\n", why);
	executed_print(r);
	return 1;
}

/* Outcomes of a program without races. */
static int compare_outcomes(const small_program *p, const axioms_result *result,
                            random_source *source, totals *sum)
{
	uint8_t seen[MOST_OUTCOMES] = {0};
	uint32_t left = 0;

	for (uint32_t i = 0; i < result->count; i++)
		left += (uint32_t)result->outcomes[i].is_plain;
	sum->programs++;
	sum->outcomes += left;
	for (uint32_t run = 0; run < MOST_RUNS && left; run++) {
		executed r;
		const char *why;
		uint32_t i = 0;

		executed_run(&r, p, source, 1);
		why = run < RACY_RUNS ? judge(&r, sum) : NULL;
		if (why)
			return fail(why, &r);
		if (r.found) { /* by the letter of the manual alone, as judge() knows */
			why = judge(&r, sum);
			return why ? fail(why, &r) : 0;
		}
		while (i < result->count && !is_outcome(&r, &result->outcomes[i].state))
			i++;
		if (i == result->count || !result->outcomes[i].is_plain)
			return fail("the axioms do not allow the outcome", &r);
		left -= !seen[i];
		seen[i] = 1;
	}
	sum->unseen += left;
	for (uint32_t i = 0; i < result->count && left; i++)
		if (result->outcomes[i].is_plain && !seen[i]) {
			printf("never came out:");
			print_state(p, &result->outcomes[i].state);
		}
	if (left)
		small_print(p);
	return 0;
}

static int run_program(const small_program *p, random_source *source, totals *sum)
{
	axioms_result result;
	int wrong = 0;

	if (axioms_enumerate(p, &result) != 0) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	if (!result.refused && !result.is_cut && !result.buffered_races && !result.hangs &&
	    result.count <= MOST_OUTCOMES)
		wrong = compare_outcomes(p, &result, source, sum);
	axioms_free(&result);
	for (uint32_t i = 0; i < RACY_RUNS && !wrong; i++) {
		executed r;
		const char *why;
		executed_run(&r, p, source, 1);
		why = r.is_too_long ? NULL : judge(&r, sum);
		wrong = why && fail(why, &r);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
	random_source source = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
	totals sum = {0};

	for (uint32_t i = 0; i < programs; i++) {
		small_program p;
		random_program(&source, &p);
		sum.wrong += (uint32_t)run_program(&p, &source, &sum);
	}
	printf(
	    "%llu executions judged, %u of them with stale accesses, %u with a race; %u programs "
	    "without races, with %u outcomes, of which %u never came out; %u wrong\n",
	    (unsigned long long)sum.runs, sum.stale, sum.races, sum.programs, sum.outcomes,
	    sum.unseen, sum.wrong);
	return sum.wrong || sum.unseen * 1000 > sum.outcomes;
}
