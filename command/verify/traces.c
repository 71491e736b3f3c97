/* Files of traces, and the executions in them. */
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "output/file.h"
#include "src/model/model.h"

int weir_verify_write_traces(const weir_verify_request *request, const weir_verify_list *list)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out;
	int status;

	if (!request->trace)
		return 0;
	out = weir_need(open_memstream(&text, &bytes));
	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160];
		if (!job->outcome.trace || !job->outcome.choices)
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		fprintf(out, "case %s\n", name);
		if (job->is_mutant)
			fprintf(out, "mutant %s\n", job->mutant.name);
		fprintf(out, "choices %s\n%s\n", job->outcome.choices, job->outcome.trace);
	}
	if (fclose(out) != 0)
		weir_need(NULL);
	status = weir_write_file(request->trace, text, bytes);
	free(text);
	return status;
}

/* The mutants of the last trace's kind: most traces are of the same kind, and finding its mutants
 * takes as long as many replays. */
struct mutants {
	weir_model_mutant *all;
	size_t count;
};

static int find_mutants(struct mutants *mutants, const weir_model_case *c)
{
	if (mutants->count != 0 && mutants->all->diagnosed == c->diagnosed &&
	    strcmp(mutants->all->primitive, c->primitive) == 0 &&
	    strcmp(mutants->all->kind, c->kind) == 0)
		return 0;
	free(mutants->all);
	*mutants = (struct mutants){0};
	return weir_model_mutants(c->primitive, c->kind, c->diagnosed, &mutants->all,
	                          &mutants->count);
}

static int find_mutant(struct mutants *mutants, const char *name, weir_verify_job *job)
{
	if (find_mutants(mutants, &job->c) != 0)
		return -1;
	for (size_t i = 0; i < mutants->count && !job->is_mutant; i++)
		if (strcmp(mutants->all[i].name, name) == 0) {
			job->is_mutant = 1;
			job->mutant = mutants->all[i];
		}
	return job->is_mutant ? 0 : -1;
}

/* Parses one line of a file of traces; returns 0, or -1 if it is invalid. Skips lines of the trace
 * itself. */
static int read_line(char *line, struct mutants *mutants, weir_verify_list *list)
{
	weir_verify_job *job = list->count ? &list->jobs[list->count - 1] : NULL;

	line[strcspn(line, "\n")] = 0;
	if (strncmp(line, "case ", 5) == 0)
		return weir_model_case_named(line + 5,
		                             &weir_verify_add(list, WEIR_VERIFY_REPLAY)->c);
	if (strncmp(line, "mutant ", 7) == 0)
		return job ? find_mutant(mutants, line + 7, job) : -1;
	if (strncmp(line, "choices ", 8) == 0) {
		if (!job || job->choices)
			return -1;
		job->choices = weir_need(strdup(line + 8));
	}
	return 0;
}

int weir_verify_read_traces(const char *path, weir_verify_list *list)
{
	FILE *file = fopen(path, "r");
	struct mutants mutants = {0};
	char *line = NULL;
	size_t room = 0;
	int wrong = 0;

	if (!file)
		return weir_refuse("--replay: cannot read %s", path);
	while (!wrong && getline(&line, &room, file) >= 0)
		wrong = read_line(line, &mutants, list);
	free(mutants.all);
	free(line);
	fclose(file);
	for (size_t i = 0; i < list->count; i++)
		wrong |= !list->jobs[i].choices;
	if (wrong || list->count == 0)
		return weir_refuse("--replay: %s contains no traces of this version of weir", path);
	return 0;
}
