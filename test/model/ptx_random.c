/* Random programs: the explorer finds the outcomes and the data races that the axioms of PTX allow.
 *
 * usage: ptx_random [PROGRAMS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "explored.h"
#include "random.h"

typedef struct totals {
	uint32_t programs;
	uint32_t refused;
	uint32_t differ;
	uint32_t races;
	uint32_t buffered; /* that have outcomes only by load buffering */
	uint32_t fenced;   /* without races, with two fence.sc or more */
	uint64_t outcomes;
	uint64_t allowed;
	uint64_t explored;
} totals;

static uint32_t fences(const small_program *p)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < p->threads; t++)
		for (uint32_t i = 0; i < p->thread[t].ops; i++)
			count += p->thread[t].op[i].type == SMALL_FENCE &&
			         p->thread[t].op[i].order == SMALL_SC;
	return count;
}

static const char *check(const small_program *p, totals *sum)
{
	axioms_result result;
	explored x[2];
	const char *wrong;
	int is_buffered = 0;

	if (axioms_enumerate(p, &result) != 0 || explored_run(p, WEIR_MODEL_DPOR, 0, &x[0]) != 0 ||
	    explored_run(p, WEIR_MODEL_SLEEP, 0, &x[1]) != 0) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	sum->programs++;
	if (result.refused || x[0].refused) {
		sum->refused++;
		wrong = NULL;
	} else {
		wrong = explored_compare(&x[0], &result);
		if (!wrong)
			wrong = explored_compare(&x[1], &result);
		for (uint32_t i = 0; i < result.count; i++)
			is_buffered |= !result.outcomes[i].is_plain;
		sum->buffered += (uint32_t)is_buffered;
		sum->races += result.races != 0;
		sum->fenced += !result.races && fences(p) > 1;
		sum->outcomes += result.count;
		if (!result.races) {
			sum->allowed += result.executions;
			sum->explored += x[0].outcome.executions;
		}
	}
	axioms_free(&result);
	explored_free(&x[0]);
	explored_free(&x[1]);
	return wrong;
}

int main(int argc, char **argv)
{
	uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
	random_source source = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
	totals sum = {0};

	for (uint32_t i = 0; i < programs; i++) {
		small_program p;
		const char *wrong;
		random_program(&source, &p);
		wrong = check(&p, &sum);
		if (!wrong)
			continue;
		sum.differ++;
		printf("program %u: %s\n", i, wrong);
		small_print(&p);
	}
	printf("%u programs: %u differ, %u too large; %u with a data race, %u with load buffering, "
	       "%u with "
	       "several fence.sc; %llu outcomes, %llu executions allowed, %llu explored\n",
	       sum.programs, sum.differ, sum.refused, sum.races, sum.buffered, sum.fenced,
	       (unsigned long long)sum.outcomes, (unsigned long long)sum.allowed,
	       (unsigned long long)sum.explored);
	return sum.differ != 0 || sum.refused > programs / 4;
}
