/* Runs every mutant of every shipped kind and writes the list with the verdicts; with the name of a
 * file, compares the list with it instead, and fails when they differ. Fails when one survives that
 * nobody has argued to be no fault, and when one is killed that was argued to be none.
 *
 * Those that survive take most of the time, all of every case, and finding them out is the business
 * of whoever writes the list: a comparison explores only the start of each case with them.
 *
 * usage: mutants [FILE]
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define MOST_EXECUTIONS 3000000
#define SURVIVOR_EXECUTIONS 4000

static int comparing;
static size_t made;
static size_t killed;
static size_t misjudged; /* killed, though argued to be no fault */
static size_t equivalent;

static void describe(FILE *out, const weir_model_mutant *mutant, const weir_model_outcome *outcome,
                     const weir_model_case *killer)
{
	char name[128];

	if (outcome->verdict == WEIR_MODEL_PASS) {
		fprintf(out, "%s | %s%s\n", mutant->name,
		        mutant->equivalent ? "equivalent: " : "SURVIVED",
		        mutant->equivalent ? mutant->equivalent : "");
		return;
	}
	weir_model_case_name(killer, name, sizeof name);
	fprintf(out, "%s | %s | %s\n", mutant->name, weir_model_verdict_text(outcome->verdict),
	        name);
}

static int run_mutants(FILE *out, const char *primitive, const char *kind)
{
	weir_model_mutant *list;
	size_t count;

	if (weir_model_mutants(primitive, kind, &list, &count) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		weir_model_outcome outcome;
		weir_model_case killer;
		uint64_t most =
		    comparing && list[i].equivalent ? SURVIVOR_EXECUTIONS : MOST_EXECUTIONS;
		if (weir_model_run_mutant(&list[i], most, &killer, &outcome) != 0)
			return -1;
		describe(out, &list[i], &outcome, &killer);
		made++;
		killed += outcome.verdict != WEIR_MODEL_PASS && outcome.verdict != WEIR_MODEL_LIMIT;
		misjudged += outcome.verdict != WEIR_MODEL_PASS && list[i].equivalent;
		equivalent += outcome.verdict == WEIR_MODEL_PASS && list[i].equivalent;
		weir_model_outcome_free(&outcome);
	}
	free(list);
	return 0;
}

static int write_list(FILE *out)
{
	weir_model_case c;
	weir_model_case before;
	int larger;

	memset(&before, 0, sizeof before);
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		if (strcmp(c.kind, before.kind) != 0 || strcmp(c.primitive, before.primitive) != 0)
			if (run_mutants(out, c.primitive, c.kind) != 0)
				return -1;
		before = c;
	}
	fprintf(out, "%zu of %zu mutants killed, %zu equivalent\n", killed, made, equivalent);
	return 0;
}

static int compare_with(const char *path, const char *list)
{
	FILE *file = fopen(path, "r");
	char expected[512];
	int differ = 0;

	if (!file) {
		perror(path);
		return 2;
	}
	while (fgets(expected, sizeof expected, file)) {
		size_t length = strlen(expected);
		if (strncmp(list, expected, length) != 0) {
			size_t got = strcspn(list, "\n");
			printf("expected %sgot      %.*s\n", expected, (int)got, list);
			differ = 1;
			break;
		}
		list += length;
	}
	fclose(file);
	if (!differ && *list) {
		printf("not in %s: %s", path, list);
		differ = 1;
	}
	return differ;
}

int main(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = argc > 1 ? open_memstream(&text, &size) : stdout;
	int status;

	comparing = argc > 1;
	if (!out || write_list(out) != 0) {
		fprintf(stderr, "no memory\n");
		return 2;
	}
	if (argc < 2)
		return misjudged || killed + equivalent != made;
	fclose(out);
	status = compare_with(argv[1], text);
	printf("%zu of %zu mutants killed, %s\n", killed, made,
	       status ? "but the list has changed" : "as recorded");
	free(text);
	if (misjudged)
		printf("%zu of them are argued to be no fault\n", misjudged);
	return status || misjudged || killed + equivalent != made;
}
