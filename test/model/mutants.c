/* Runs every mutant of every shipped kind, and writes how many of each kind are killed, equivalent and not
 * covered. With a FILE, it compares these lines with that file and fails if they differ. It names each mutant
 * that survives although it is not argued to be harmless, or is killed although it is.
 *
 * Mutants that may survive take most of the time, since they need every case in full. So only the start of each
 * case is searched for a killer here; `--all` explores the cases fully, as `weir verify --mutants` does.
 *
 * usage: mutants [FILE] [--all]
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

#define MOST_EXECUTIONS 3000000

typedef struct tally {
	size_t killed;
	size_t equivalent;
	size_t uncovered; /* faults that no case can notice */
	size_t wrong;     /* survived, or killed though argued to survive */
} tally;

static int run_mutant(const weir_model_mutant *mutant, int fully, tally *sum)
{
	int may_survive = mutant->equivalent || mutant->uncovered;
	weir_model_outcome outcome;
	weir_model_case killer;
	char name[128];
	int killed;
	int status = may_survive && !fully
	                 ? weir_model_try_mutant(mutant, &killer, &outcome)
	                 : weir_model_run_mutant(mutant, MOST_EXECUTIONS, &killer, &outcome);

	if (status != 0)
		return -1;
	/* An endless execution is cut off at the explorer's limit. */
	killed = outcome.verdict != WEIR_MODEL_PASS &&
	         (outcome.verdict != WEIR_MODEL_LIMIT || outcome.trace);
	sum->killed += (size_t)killed;
	sum->equivalent += !killed && mutant->equivalent;
	sum->uncovered += !killed && mutant->uncovered;
	if (killed == may_survive) {
		sum->wrong++;
		weir_model_case_name(&killer, name, sizeof name);
		printf("%s: %s%s\n", mutant->name,
		       killed ? "is argued to survive, but killed by " : "survives",
		       killed ? name : "");
	}
	weir_model_outcome_free(&outcome);
	return 0;
}

static int run_kind(FILE *out, const weir_model_case *c, int fully, tally *all)
{
	weir_model_mutant *list;
	size_t count;
	tally sum = {0};

	if (weir_model_mutants(c->primitive, c->kind, c->diagnosed, &list, &count) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (run_mutant(&list[i], fully, &sum) != 0)
			return -1;
	free(list);
	if (count != 0)
		fprintf(out, "%s %s: %zu killed, %zu equivalent, %zu not covered\n", c->primitive,
		        c->diagnosed ? "diagnosed" : c->kind, sum.killed, sum.equivalent,
		        sum.uncovered);
	all->killed += sum.killed;
	all->equivalent += sum.equivalent;
	all->uncovered += sum.uncovered;
	all->wrong += sum.wrong;
	return 0;
}

static int run_all(FILE *out, int fully, tally *all)
{
	weir_model_case before = {.primitive = ""};
	weir_model_case c;
	int larger;

	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		if ((c.diagnosed != before.diagnosed || strcmp(c.kind, before.kind) != 0 ||
		     strcmp(c.primitive, before.primitive) != 0) &&
		    run_kind(out, &c, fully, all) != 0)
			return -1;
		before = c;
	}
	return 0;
}

/* Whether the file has exactly these lines. */
static int compare_with(const char *path, char *lines)
{
	FILE *file = fopen(path, "r");
	char expected[128] = "";
	int status = 0;

	if (!file) {
		perror(path);
		return 1;
	}
	for (char *line = lines; *line; line += strcspn(line, "\n") + 1)
		if (!fgets(expected, sizeof expected, file) ||
		    strncmp(expected, line, strlen(expected)) != 0) {
			printf("expected %sgot %.*s\n", expected, (int)strcspn(line, "\n"), line);
			status = 1;
			break;
		}
	if (!status && fgets(expected, sizeof expected, file)) {
		printf("expected %s", expected);
		status = 1;
	}
	fclose(file);
	return status;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	char *lines = NULL;
	size_t size = 0;
	FILE *out;
	int fully = 0;
	int changed = 0;
	tally all = {0};

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0)
			fully = 1;
		else
			path = argv[i];
	}
	out = path ? open_memstream(&lines, &size) : stdout;
	if (!out || run_all(out, fully, &all) != 0) {
		fprintf(stderr, "no memory\n");
		return 2;
	}
	if (path) {
		fclose(out);
		changed = compare_with(path, lines);
		free(lines);
		printf("%zu mutants killed, %zu equivalent, %zu not covered, %s\n", all.killed,
		       all.equivalent, all.uncovered, changed ? "not as recorded" : "as recorded");
	}
	return changed || all.wrong;
}
