/* Searches that are not exhaustive find the faults that they should, and the same ones each time.
 * Bad requests are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static int failures;

static void expect(int holds, const char *what)
{
	if (!holds) {
		printf("FAILED: %s\n", what);
		failures++;
	}
}

static weir_model_outcome run(const char *primitive, const char *kind, uint32_t blocks,
                              uint32_t rounds, weir_model_options options)
{
	weir_model_case c = {.form = WEIR_MODEL_SINGLE,
	                     .blocks = blocks,
	                     .threads = 1,
	                     .rounds = rounds,
	                     .initial = 1};
	weir_model_outcome outcome;

	snprintf(c.primitive, sizeof c.primitive, "%s", primitive);
	snprintf(c.kind, sizeof c.kind, "%s", kind);
	if (weir_model_run(&c, &options, &outcome) != 0)
		exit(2);
	return outcome;
}

static void random_search(void)
{
	weir_model_options options = {0};
	weir_model_outcome first;
	weir_model_outcome second;

	options.search = WEIR_MODEL_RANDOM;
	options.bound = 2000;
	options.seed = 42;
	first = run("mutex", "ring", 6, 2, options);
	expect(first.verdict == WEIR_MODEL_PASS && !first.exhaustive, "random: 6 blocks pass");
	expect(first.executions == 2000, "random: every execution of 6 blocks runs to its end");
	first = run("semaphore", "spin", 5, 2, options);
	expect(first.verdict == WEIR_MODEL_PASS, "random: semaphore passes");
	expect(first.executions > first.cut, "random: most executions of it run to their end");
	first = run("barrier", "published_xf_volatile", 3, 2, options);
	second = run("barrier", "published_xf_volatile", 3, 2, options);
	expect(first.verdict == WEIR_MODEL_RACE, "random: finds the race of the published barrier");
	expect(first.trace && second.trace && strcmp(first.trace, second.trace) == 0,
	       "random: the same seed gives the same trace");
	weir_model_outcome_free(&first);
	weir_model_outcome_free(&second);
}

static void bounded_search(void)
{
	weir_model_options options = {0};
	weir_model_outcome none;
	weir_model_outcome one;
	weir_model_outcome all;

	options.search = WEIR_MODEL_PREEMPT;
	none = run("mutex", "ticket", 3, 1, options);
	options.bound = 1;
	one = run("mutex", "ticket", 3, 1, options);
	options.bound = 100;
	all = run("mutex", "ticket", 3, 1, options);
	expect(none.verdict == WEIR_MODEL_PASS && !none.exhaustive, "bounded: passes");
	expect(none.executions < one.executions && one.executions < all.executions,
	       "bounded: more preemptions, more executions");
	options.bound = 1;
	one = run("mutex", "published_fa", 2, 1, options);
	expect(one.verdict == WEIR_MODEL_RACE, "bounded: finds the race of the published mutex");
	weir_model_outcome_free(&one);
}

static int stop_at_once(void *context, uint64_t executions, uint64_t steps)
{
	(void)executions;
	(void)steps;
	++*(int *)context;
	return 1;
}

static void limits(void)
{
	weir_model_options options = {0};
	weir_model_outcome outcome;
	int calls = 0;

	expect(run("mutex", "no_such", 2, 1, options).verdict == WEIR_MODEL_LIMIT, "unknown kind");
	expect(run("no_such", "spin", 2, 1, options).verdict == WEIR_MODEL_LIMIT,
	       "unknown primitive");
	expect(run("mutex", "spin", 0, 1, options).verdict == WEIR_MODEL_LIMIT, "no blocks");
	expect(run("mutex", "spin", 9, 1, options).verdict == WEIR_MODEL_LIMIT, "too many blocks");
	expect(run("mutex", "spin", 2, 0, options).verdict == WEIR_MODEL_LIMIT, "no rounds");
	expect(run("mutex", "spin", 2, 1000, options).verdict == WEIR_MODEL_LIMIT,
	       "too many rounds");
	options.max_executions = 5;
	outcome = run("mutex", "ticket", 3, 2, options);
	expect(outcome.executions == 5 && !outcome.exhaustive, "a limit on executions");
	options.max_executions = 0;
	options.progress = stop_at_once;
	options.progress_context = &calls;
	outcome = run("mutex", "ring", 4, 2, options);
	expect(calls == 1 && !outcome.exhaustive, "the caller can stop a search");
}

static void names(void)
{
	weir_model_case c;
	weir_model_case again;
	char name[128];
	int larger;

	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		weir_model_case_name(&c, name, sizeof name);
		expect(weir_model_case_named(name, &again) == 0 &&
		           memcmp(&c, &again, sizeof c) == 0,
		       name);
	}
	expect(weir_model_case_named("mutex ticket 2x1, 2 rounds, 3 cats", &again) != 0,
	       "a name with something else in it");
	expect(weir_model_case_named("", &again) != 0, "no name");
}

int main(void)
{
	names();
	random_search();
	bounded_search();
	limits();
	printf("%d failed\n", failures);
	return failures != 0;
}
