/* The results of `weir verify`: tables, JSON, and the file of traces. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "command.h"
#include "verify/jobs.h"

static const char *verdict_text(const weir_verify_job *job)
{
	if (weir_verify_refused(job))
		return "not run";
	if (job->part == WEIR_VERIFY_MUTANTS && job->outcome.verdict == WEIR_MODEL_PASS)
		return job->mutant.equivalent ? "equivalent" : "SURVIVED";
	return weir_model_verdict_text(job->outcome.verdict);
}

void weir_verify_extent(const weir_verify_request *request, const weir_verify_job *job, char *text,
                        size_t room)
{
	const weir_model_outcome *outcome = &job->outcome;

	if (weir_verify_refused(job))
		snprintf(text, room, "%s", outcome->message);
	else if (job->part == WEIR_VERIFY_REPLAY)
		snprintf(text, room, "one execution");
	else if (outcome->verdict != WEIR_MODEL_PASS)
		snprintf(text, room, "up to the failure");
	else if (outcome->exhaustive)
		snprintf(text, room, "exhaustive");
	else if (request->random)
		snprintf(text, room, "%u random from seed %u", request->bound, request->seed);
	else if (request->bounded)
		snprintf(text, room, "bounded: %u preemptions", request->bound);
	else
		snprintf(text, room, "bounded: attempts of a wait");
}

static void print_cases(const weir_verify_request *request, const weir_verify_list *list,
                        weir_verify_part part, FILE *stream)
{
	static const char *const columns[] = {"<case", "<verdict", "executions", "cut",
	                                      "steps", "time",     "<search",    NULL};
	weir_table *table = weir_table_make(columns);
	int rows = 0;

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160];
		char extent[288];
		if (job->part != part || !job->ran)
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		weir_verify_extent(request, job, extent, sizeof extent);
		weir_table_cell(table, "%s", name);
		weir_table_cell(table, "%s", verdict_text(job));
		weir_table_cell(table, "%" PRIu64, job->outcome.executions);
		weir_table_cell(table, "%" PRIu64, job->outcome.cut);
		weir_table_cell(table, "%" PRIu64, job->outcome.steps);
		weir_table_cell(table, "%.2f s", job->outcome.seconds);
		weir_table_cell(table, "%s", extent);
		rows++;
	}
	weir_table_end(table, rows ? stream : NULL);
}

static void print_mutants(const weir_verify_list *list, FILE *stream)
{
	static const char *const columns[] = {"<mutant", "<verdict", "<found by, or why it is none",
	                                      NULL};
	weir_table *table = weir_table_make(columns);
	int rows = 0;

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160] = "";
		if (job->part != WEIR_VERIFY_MUTANTS || !job->ran)
			continue;
		if (job->outcome.verdict != WEIR_MODEL_PASS)
			weir_model_case_name(&job->c, name, sizeof name);
		else if (job->mutant.equivalent)
			snprintf(name, sizeof name, "%s", job->mutant.equivalent);
		weir_table_cell(table, "%s", job->mutant.name);
		weir_table_cell(table, "%s", verdict_text(job));
		weir_table_cell(table, "%s", name);
		rows++;
	}
	weir_table_end(table, rows ? stream : NULL);
}

/* The traces of mutants that were found are for --trace alone: there are many. */
static void print_traces(const weir_verify_list *list, FILE *stream)
{
	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160];
		if (!job->outcome.trace || job->part == WEIR_VERIFY_MUTANTS)
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		fprintf(stream, "\n%s%s%s:\n%s", name, job->is_mutant ? ", mutant " : "",
		        job->is_mutant ? job->mutant.name : "", job->outcome.trace);
	}
}

/* Below that, most of it was not the explorer. */
#define SECONDS_FOR_A_RATE 1.0

typedef struct totals {
	size_t jobs;
	size_t wrong;
	size_t refused;
	size_t equivalent;
	uint64_t executions;
	uint64_t steps;
	double seconds;
} totals;

static totals sum_up(const weir_verify_list *list)
{
	totals sum = {0};

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		if (!job->ran)
			continue;
		sum.jobs++;
		sum.refused += (size_t)weir_verify_refused(job);
		sum.wrong += !weir_verify_refused(job) && !weir_verify_good(job);
		sum.equivalent += job->part == WEIR_VERIFY_MUTANTS && job->mutant.equivalent;
		sum.executions += job->outcome.executions;
		sum.steps += job->outcome.steps;
		sum.seconds += job->outcome.seconds;
	}
	return sum;
}

static void print_totals(const weir_verify_list *list, FILE *stream)
{
	totals sum = sum_up(list);

	fprintf(stream, "\n%zu of %zu as expected", sum.jobs - sum.wrong - sum.refused, sum.jobs);
	if (sum.refused)
		fprintf(stream, ", %zu too large to run", sum.refused);
	if (sum.equivalent)
		fprintf(stream, ", %zu of them equivalent to the text", sum.equivalent);
	if (sum.jobs < list->count)
		fprintf(stream, ", %zu left out after Ctrl-C", list->count - sum.jobs);
	fprintf(stream, "; %" PRIu64 " executions, %" PRIu64 " steps in %.1f s", sum.executions,
	        sum.steps, sum.seconds);
	if (sum.seconds >= SECONDS_FOR_A_RATE)
		fprintf(stream, ": %s steps a second on one core",
		        weir_rate_figure((double)sum.steps / sum.seconds).text);
	fputc('\n', stream);
}

void weir_verify_print(const weir_verify_request *request, const weir_verify_list *list,
                       FILE *stream)
{
	print_cases(request, list, WEIR_VERIFY_KINDS, stream);
	print_cases(request, list, WEIR_VERIFY_PUBLISHED, stream);
	print_cases(request, list, WEIR_VERIFY_REPLAY, stream);
	print_mutants(list, stream);
	print_traces(list, stream);
	print_totals(list, stream);
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, weir_need(value)) != 0)
		weir_need(NULL);
}

static json_t *json_of(const weir_verify_request *request, const weir_verify_job *job)
{
	static const char *const parts[] = {"kinds", "published", "mutants", "replay"};
	const weir_model_outcome *outcome = &job->outcome;
	json_t *object = weir_need(json_object());
	char name[160];
	char extent[288];

	weir_model_case_name(&job->c, name, sizeof name);
	weir_verify_extent(request, job, extent, sizeof extent);
	set(object, "part", json_string(parts[job->part]));
	set(object, "case", json_string(name));
	set(object, "primitive", json_string(job->c.primitive));
	set(object, "kind", json_string(job->c.kind));
	set(object, "blocks", json_integer(job->c.blocks));
	set(object, "threads", json_integer(job->c.threads));
	set(object, "rounds", json_integer(job->c.rounds));
	if (job->is_mutant)
		set(object, "mutant", json_string(job->mutant.name));
	if (job->is_mutant && job->mutant.equivalent)
		set(object, "equivalent", json_string(job->mutant.equivalent));
	set(object, "verdict", json_string(weir_model_verdict_text(outcome->verdict)));
	set(object, "good", json_boolean(weir_verify_good(job)));
	set(object, "search", json_string(extent));
	set(object, "exhaustive", json_boolean(outcome->exhaustive));
	set(object, "executions", json_integer((json_int_t)outcome->executions));
	set(object, "cut", json_integer((json_int_t)outcome->cut));
	set(object, "steps", json_integer((json_int_t)outcome->steps));
	set(object, "seconds", json_real(outcome->seconds));
	if (outcome->verdict != WEIR_MODEL_PASS)
		set(object, "message", json_string(outcome->message));
	if (outcome->trace)
		set(object, "trace", json_string(outcome->trace));
	if (outcome->choices)
		set(object, "choices", json_string(outcome->choices));
	return object;
}

int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list)
{
	totals sum = sum_up(list);
	json_t *root;
	json_t *results;

	if (!request->common.json)
		return 0;
	root = weir_json_document("verify");
	results = weir_need(json_array());
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].ran &&
		    json_array_append_new(results, json_of(request, &list->jobs[i])) != 0)
			weir_need(NULL);
	set(root, "results", results);
	set(root, "wrong", json_integer((json_int_t)sum.wrong));
	set(root, "executions", json_integer((json_int_t)sum.executions));
	set(root, "steps", json_integer((json_int_t)sum.steps));
	set(root, "seconds", json_real(sum.seconds));
	set(root, "complete", json_boolean(!weir_stop_asked()));
	return weir_write_json(request->common.json, root);
}

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

static int find_mutant(const char *name, weir_verify_job *job)
{
	weir_model_mutant *mutants;
	size_t count;

	if (weir_model_mutants(job->c.primitive, job->c.kind, &mutants, &count) != 0)
		return -1;
	for (size_t i = 0; i < count && !job->is_mutant; i++)
		if (strcmp(mutants[i].name, name) == 0) {
			job->is_mutant = 1;
			job->mutant = mutants[i];
		}
	free(mutants);
	return job->is_mutant ? 0 : -1;
}

/* One line of a file of traces; 0, or -1 when it is wrong. Those of the trace itself are skipped. */
static int read_line(char *line, weir_verify_list *list)
{
	weir_verify_job *job = list->count ? &list->jobs[list->count - 1] : NULL;

	line[strcspn(line, "\n")] = 0;
	if (strncmp(line, "case ", 5) == 0)
		return weir_model_case_named(line + 5,
		                             &weir_verify_add(list, WEIR_VERIFY_REPLAY)->c);
	if (strncmp(line, "mutant ", 7) == 0)
		return job ? find_mutant(line + 7, job) : -1;
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
	char *line = NULL;
	size_t room = 0;
	int wrong = 0;

	if (!file)
		return weir_complain(WEIR_EXIT_USAGE, "--replay: cannot read %s", path);
	while (!wrong && getline(&line, &room, file) >= 0)
		wrong = read_line(line, list);
	free(line);
	fclose(file);
	for (size_t i = 0; i < list->count; i++)
		wrong |= !list->jobs[i].choices;
	if (wrong || list->count == 0)
		return weir_complain(WEIR_EXIT_USAGE, "--replay: %s holds no traces of this weir",
		                     path);
	return 0;
}
