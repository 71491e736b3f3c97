/* All cases of all shipped kinds must pass, exhaustively; all published code must fail.
 *
 * usage: kinds [--all] [--diagnosed] [--kind NAME] [--search dpor|sleep|naive] [--trace]
 *
 * --all: the larger cases too; --diagnosed: those with diagnosis instead; --kind: only the cases of the kinds
 * with that name
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static uint64_t total_steps;
static double total_seconds;
static weir_model_polls polls;

static int report(const weir_model_case *c, weir_model_outcome *outcome, int must_fail, int trace)
{
	char name[128];
	int failed = outcome->verdict != WEIR_MODEL_PASS;
	int good = must_fail ? failed && outcome->verdict != WEIR_MODEL_LIMIT
	                     : !failed && (outcome->exhaustive || outcome->bounded_waits);

	weir_model_case_name(c, name, sizeof name);
	printf("%-60s %-12s %8llu executions %8llu cut %10llu steps %7.2f s%s%s\n", name,
	       weir_model_verdict_text(outcome->verdict), (unsigned long long)outcome->executions,
	       (unsigned long long)outcome->cut, (unsigned long long)outcome->steps,
	       outcome->seconds,
	       outcome->exhaustive || failed ? ""
	       : outcome->bounded_waits      ? ", waits bounded"
	                                     : ", not exhaustive",
	       good ? "" : "  WRONG");
	if (outcome->trace && (trace || !good))
		printf("%s", outcome->trace);
	fflush(stdout);
	total_steps += outcome->steps;
	total_seconds += outcome->seconds;
	weir_model_outcome_free(outcome);
	return !good;
}

static int run(const weir_model_case *c, weir_model_search search, int must_fail, int trace)
{
	weir_model_options options = {0};
	weir_model_outcome outcome;

	options.search = search;
	options.polls = polls;
	if (weir_model_run(c, &options, &outcome) != 0) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	return report(c, &outcome, must_fail, trace);
}

static weir_model_search search_named(const char *name)
{
	return strcmp(name, "sleep") == 0   ? WEIR_MODEL_SLEEP
	       : strcmp(name, "naive") == 0 ? WEIR_MODEL_NAIVE
	                                    : WEIR_MODEL_DPOR;
}

int main(int argc, char **argv)
{
	weir_model_search search = WEIR_MODEL_DPOR;
	const char *kind = NULL;
	weir_model_case c;
	uint32_t diagnosed = 0;
	int all = 0;
	int trace = 0;
	int larger;
	int wrong = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0)
			all = 1;
		else if (strcmp(argv[i], "--diagnosed") == 0)
			diagnosed = 1;
		else if (strcmp(argv[i], "--trace") == 0)
			trace = 1;
		else if (strcmp(argv[i], "--kind") == 0 && i + 1 < argc)
			kind = argv[++i];
		else if (strcmp(argv[i], "--search") == 0 && i + 1 < argc)
			search = search_named(argv[++i]);
		else if (strcmp(argv[i], "--polls") == 0 && i + 1 < argc)
			polls = (weir_model_polls)atoi(argv[++i]);
	}
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++)
		if ((all || !larger) && c.diagnosed == diagnosed &&
		    (!kind || strcmp(c.kind, kind) == 0))
			wrong += run(&c, search, 0, trace);
	for (size_t i = 0; !kind && !diagnosed && weir_model_published_at(i, &c) == 0; i++)
		wrong += run(&c, search, 1, trace);
	printf("%d wrong; %.2f million steps a second\n", wrong,
	       1e-6 * (double)total_steps / total_seconds);
	return wrong != 0;
}
