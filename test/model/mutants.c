/* Runs every mutant of every shipped kind and writes the list with the verdicts. With the name of a
 * file, it compares the list with that file instead, and fails when they differ. It also fails when
 * a mutant survives that is not argued to be no fault, or is killed although it is.
 *
 * Mutants that survive take most of the time, since they need all of every case. Only a run that
 * writes the list explores them fully; a comparison explores only the start of each case. It first
 * runs the case that is recorded to kill a mutant, and the others only when that one does not. Where a
 * case does not reach the place of a mutant, the mutant is the text as it is: one run stands for all.
 *
 * usage: mutants [FILE [--print]]
 *
 * --print: writes the list as a comparison makes it, in place of the comparison
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define MOST_EXECUTIONS 3000000
#define SURVIVOR_EXECUTIONS 1000

static int comparing;
static size_t made;
static size_t killed;
static size_t misjudged; /* killed, though argued to survive */
static size_t equivalent;
static size_t uncovered; /* no fault that a case can notice */

static int may_survive(const weir_model_mutant *mutant)
{
	return mutant->equivalent || mutant->uncovered;
}

static char *recorded; /* the list to compare with, after an empty line */

/* The case that is recorded to kill the mutant: 0, or -1. */
static int recorded_killer(const weir_model_mutant *mutant, weir_model_case *killer)
{
	char start[200];
	char name[128];
	const char *line;

	snprintf(start, sizeof start, "\n%s | ", mutant->name);
	line = recorded ? strstr(recorded, start) : NULL;
	if (!line)
		return -1;
	line = strstr(line + strlen(start), " | ");
	if (!line || sscanf(line, " | %127[^\n]", name) != 1)
		return -1;
	return weir_model_case_named(name, killer);
}

/* The places that the start of a case reaches, in the text as it is. */
#define MOST_PLACES 4096 /* a power of two, far above those of a kind */
#define MOST_CASES 64

typedef struct places {
	const weir_model_site *sites[MOST_PLACES]; /* by a hash of their addresses */
	int is_known;
} places;

static places *reached; /* of the cases of a kind, over the text and over its copy with places */

static size_t place_of(const places *p, const weir_model_site *site)
{
	size_t at = (uintptr_t)site / 8 % MOST_PLACES;

	while (p->sites[at] && p->sites[at] != site)
		at = (at + 1) % MOST_PLACES;
	return at;
}

static void note_place(void *context, const weir_model_site *site, const weir_model_site *before)
{
	places *p = context;

	(void)before;
	p->sites[place_of(p, site)] = site;
}

/* Runs the start of a case, unless it is known not to reach the mutant. */
static int run_start(const weir_model_case *c, const weir_model_mutant *mutant, places *known,
                     weir_model_outcome *outcome)
{
	weir_model_options options = {.mutant = mutant, .max_executions = SURVIVOR_EXECUTIONS};

	if (known->is_known && !known->sites[place_of(known, mutant->site)])
		return 0;
	if (!known->is_known) {
		memset(known, 0, sizeof *known);
		options.reached = note_place;
		options.reached_context = known;
	}
	if (weir_model_run(c, &options, outcome) != 0)
		return -1;
	known->is_known |= !known->sites[place_of(known, mutant->site)];
	return 0;
}

/* The starts of all cases of a mutant that survives, until one fails. */
static int run_survivor(const weir_model_mutant *mutant, weir_model_case *killer,
                        weir_model_outcome *outcome)
{
	int over_copy = mutant->change == WEIR_MODEL_TEXT;
	size_t number = 0;
	int larger;

	memset(outcome, 0, sizeof *outcome);
	for (size_t i = 0; weir_model_case_at(i, killer, &larger) == 0; i++) {
		if (strcmp(killer->primitive, mutant->primitive) != 0 ||
		    strcmp(killer->kind, mutant->kind) != 0)
			continue;
		if (number == MOST_CASES ||
		    run_start(killer, mutant, &reached[2 * number + (size_t)over_copy], outcome) !=
		        0)
			return -1;
		if (outcome->verdict != WEIR_MODEL_PASS)
			return 0;
		number++;
	}
	return 0;
}

static int run_mutant(const weir_model_mutant *mutant, weir_model_case *killer,
                      weir_model_outcome *outcome)
{
	weir_model_options options = {0};

	if (comparing && may_survive(mutant))
		return run_survivor(mutant, killer, outcome);
	options.mutant = mutant;
	options.max_executions = MOST_EXECUTIONS;
	if (!may_survive(mutant) && recorded_killer(mutant, killer) == 0) {
		if (weir_model_run(killer, &options, outcome) != 0)
			return -1;
		if (outcome->verdict != WEIR_MODEL_PASS)
			return 0;
		weir_model_outcome_free(outcome);
	}
	return weir_model_run_mutant(mutant, MOST_EXECUTIONS, killer, outcome);
}

static void describe(FILE *out, const weir_model_mutant *mutant, const weir_model_outcome *outcome,
                     const weir_model_case *killer)
{
	char name[128];

	if (outcome->verdict == WEIR_MODEL_PASS) {
		fprintf(out, "%s | %s%s\n", mutant->name,
		        mutant->equivalent  ? "equivalent: "
		        : mutant->uncovered ? "not covered: "
		                            : "SURVIVED",
		        mutant->equivalent  ? mutant->equivalent
		        : mutant->uncovered ? mutant->uncovered
		                            : "");
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
	for (size_t i = 0; i < (size_t)2 * MOST_CASES; i++)
		reached[i].is_known = 0;
	for (size_t i = 0; i < count; i++) {
		weir_model_outcome outcome;
		weir_model_case killer;
		if (run_mutant(&list[i], &killer, &outcome) != 0)
			return -1;
		describe(out, &list[i], &outcome, &killer);
		made++;
		/* An execution without an end is cut off at the explorer's limit. */
		killed += outcome.verdict != WEIR_MODEL_PASS &&
		          (outcome.verdict != WEIR_MODEL_LIMIT || outcome.trace);
		misjudged += outcome.verdict != WEIR_MODEL_PASS && may_survive(&list[i]);
		equivalent += outcome.verdict == WEIR_MODEL_PASS && list[i].equivalent;
		uncovered += outcome.verdict == WEIR_MODEL_PASS && list[i].uncovered;
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
	fprintf(out, "%zu of %zu mutants killed, %zu equivalent, %zu not covered\n", killed, made,
	        equivalent, uncovered);
	return 0;
}

/* All of a file, after an empty line; NULL when it cannot be read. */
static char *read_list(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size;

	if (!file || getdelim(&text, &(size_t){0}, 0, file) < 0) {
		perror(path);
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	if (!text)
		return NULL;
	size = strlen(text) + 2;
	text = realloc(text, size);
	if (text) {
		memmove(text + 1, text, size - 1);
		text[0] = '\n';
	}
	return text;
}

static int compare_with(const char *expected, const char *list)
{
	while (*expected || *list) {
		size_t wanted = strcspn(expected, "\n");
		size_t got = strcspn(list, "\n");
		if (wanted != got || strncmp(expected, list, got) != 0) {
			printf("expected %.*s\ngot      %.*s\n"
			       "If this is right, record it: model_mutants > FILE\n",
			       (int)wanted, expected, (int)got, list);
			return 1;
		}
		expected += wanted + (expected[wanted] != 0);
		list += got + (list[got] != 0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = argc > 1 ? open_memstream(&text, &size) : stdout;
	int status;

	comparing = argc > 1;
	if (comparing && !(recorded = read_list(argv[1])))
		return 2;
	reached = calloc((size_t)2 * MOST_CASES, sizeof *reached);
	if (!out || !reached || write_list(out) != 0) {
		fprintf(stderr, "no memory\n");
		return 2;
	}
	if (argc < 2)
		return misjudged || killed + equivalent + uncovered != made;
	fclose(out);
	if (argc > 2) {
		fputs(text, stdout);
		return misjudged || killed + equivalent != made;
	}
	status = compare_with(recorded + 1, text);
	printf("%zu of %zu mutants killed, %zu equivalent, %zu not covered, %s\n", killed, made,
	       equivalent, uncovered, status ? "but the list has changed" : "as recorded");
	free(text);
	free(reached);
	free(recorded);
	if (misjudged)
		printf("%zu of them are argued to survive\n", misjudged);
	return status || misjudged || killed + equivalent + uncovered != made;
}
