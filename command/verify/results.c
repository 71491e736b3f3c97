/* Prints the results of weir verify, as text and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/model/model.h"
#include "verify/verify.h"

/* Sums over the jobs that have run. */
struct totals {
	size_t jobs;
	size_t wrong;
	size_t refused;
	size_t equivalent;
	size_t uncovered;
	uint64_t executions;
	uint64_t steps;
	double seconds;
};

static struct totals sum_of(const weir_verify_job *jobs, size_t count)
{
	struct totals sum = {0};

	for (size_t i = 0; i < count; i++) {
		const weir_verify_job *job = &jobs[i];
		if (!job->ran)
			continue;
		sum.jobs++;
		sum.refused += (size_t)weir_verify_refused(job);
		sum.wrong += !weir_verify_refused(job) && !weir_verify_good(job);
		sum.equivalent += job->part == WEIR_VERIFY_MUTANTS && job->mutant.equivalent;
		sum.uncovered += job->part == WEIR_VERIFY_MUTANTS && job->mutant.uncovered;
		sum.executions += job->outcome.executions;
		sum.steps += job->outcome.steps;
		sum.seconds += job->outcome.seconds;
	}
	return sum;
}

/* How much was explored: "exhaustive", "2 preemptions", ... */
static void extent_of(const weir_verify_request *request, const weir_verify_job *job, char *text,
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
		snprintf(text, room, "bounded: %s",
		         weir_count_figure(request->bound, "preemption").text);
	else
		snprintf(text, room, "bounded: attempts of a wait");
}

static const char *verdict_text(const weir_verify_job *job)
{
	if (weir_verify_refused(job))
		return "not run";
	if (job->part == WEIR_VERIFY_MUTANTS && job->outcome.verdict == WEIR_MODEL_PASS)
		return job->mutant.equivalent  ? "equivalent"
		       : job->mutant.uncovered ? "not covered"
		                               : "SURVIVED";
	return weir_model_verdict_text(job->outcome.verdict);
}

/* ---- rows ---- */

/* Columns for rows of cases, of mutants and of kinds. */
static const char *const case_columns[] = {"<case", "<verdict", "executions", "cut",
                                           "steps", "time",     "<search",    NULL};
static const char *const mutant_columns[] = {"<mutant", "<verdict", "<found by, or why it survives",
                                             NULL};
static const char *const kind_columns[] = {"<kind", "<verdict", "cases", "executions",
                                           "time",  "<search",  NULL};

static void add_case(weir_table *table, const weir_verify_request *request,
                     const weir_verify_job *job)
{
	char name[160];
	char extent[288];

	weir_model_case_name(&job->c, name, sizeof name);
	extent_of(request, job, extent, sizeof extent);
	weir_table_cells(table, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.2f s\t%s", name,
	                 verdict_text(job), job->outcome.executions, job->outcome.cut,
	                 job->outcome.steps, job->outcome.seconds, extent);
}

static void add_mutant(weir_table *table, const weir_verify_job *job)
{
	char name[160] = "";

	if (job->outcome.verdict != WEIR_MODEL_PASS)
		weir_model_case_name(&job->c, name, sizeof name);
	else if (job->mutant.equivalent)
		snprintf(name, sizeof name, "%s", job->mutant.equivalent);
	else if (job->mutant.uncovered)
		snprintf(name, sizeof name, "%s", job->mutant.uncovered);
	weir_table_cells(table, "%s\t%s\t%s", job->mutant.name, verdict_text(job), name);
}

/* Whether both jobs are of the same kind, in the same part. */
static int is_same_group(const weir_verify_job *a, const weir_verify_job *b)
{
	return a->part == b->part && strcmp(a->c.primitive, b->c.primitive) == 0 &&
	       strcmp(a->c.kind, b->c.kind) == 0;
}

/* The verdict on a group whose jobs have all run. */
static void say_verdict(const struct totals *sum, weir_verify_part part, char *text, size_t room)
{
	static const char *const good[] = {[WEIR_VERIFY_KINDS] = "pass",
	                                   [WEIR_VERIFY_PUBLISHED] = "fails as it must",
	                                   [WEIR_VERIFY_MUTANTS] = "all found",
	                                   [WEIR_VERIFY_REPLAY] = "pass"};

	if (sum->wrong && part == WEIR_VERIFY_MUTANTS)
		snprintf(text, room, "%zu NOT FOUND", sum->wrong);
	else if (sum->wrong)
		snprintf(text, room, "%zu WRONG", sum->wrong);
	else if (sum->refused)
		snprintf(text, room, "%s, %zu not run", good[part], sum->refused);
	else
		snprintf(text, room, "%s", good[part]);
}

struct weir_verify_show {
	const weir_verify_request *request;
	const weir_verify_list *list;
	FILE *stream; /* NULL: nothing is shown */
	int by_case;
	int is_busy; /* and weir_verify_show_busy has printed its message */
	weir_table *table;
	weir_verify_part part; /* of the table */
	size_t first;          /* the first job of the group that is not yet shown */
};

/* The widest rows that can follow in the table of a part. */
static void add_widest(weir_verify_show *show)
{
	for (size_t i = 0; i < show->list->count; i++) {
		const weir_verify_job *job = &show->list->jobs[i];
		char name[160];

		if (job->part != show->part)
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		if (!show->by_case)
			weir_table_cells(show->table,
			                 "%s %s%s\tfails as it must\t00\t0000000\t000.0 s\t"
			                 "bounded: attempts of a wait",
			                 job->c.primitive, job->c.kind,
			                 job->c.diagnosed ? ", diagnosed" : "");
		else if (show->part == WEIR_VERIFY_MUTANTS)
			weir_table_cells(show->table, "%s\tnot covered\t%s", job->mutant.name,
			                 job->mutant.equivalent  ? job->mutant.equivalent
			                 : job->mutant.uncovered ? job->mutant.uncovered
			                                         : name);
		else
			weir_table_cells(show->table,
			                 "%s\tdeadlock\t00000\t0000\t0000000\t0.00 s\texhaustive",
			                 name);
	}
}

static void begin_table(weir_verify_show *show, weir_verify_part part)
{
	show->part = part;
	show->table = weir_table_make(!show->by_case                ? kind_columns
	                              : part == WEIR_VERIFY_MUTANTS ? mutant_columns
	                                                            : case_columns);
	add_widest(show);
	weir_table_flow(show->table, show->stream);
}

static void end_table(weir_verify_show *show)
{
	if (!show->table)
		return;
	int is_empty = weir_table_is_empty(show->table);
	weir_table_end(show->table, show->stream);
	if (!is_empty)
		fputc('\n', show->stream);
	show->table = NULL;
}

static void add_group(weir_verify_show *show, size_t first, size_t count)
{
	const weir_verify_job *jobs = &show->list->jobs[first];
	struct totals sum = sum_of(jobs, count);
	const weir_verify_job *least = &jobs[0]; /* the least explored job */
	char verdict[64];
	char extent[288];

	/* No verdict on a kind that was not explored to the end, unless it already failed. */
	if ((sum.jobs < count && !sum.wrong) || sum.refused == count)
		return;
	for (size_t i = 0; i < count; i++)
		if (jobs[i].ran && !weir_verify_refused(&jobs[i]) &&
		    (weir_verify_refused(least) || !jobs[i].outcome.exhaustive))
			least = &jobs[i];
	say_verdict(&sum, jobs[0].part, verdict, sizeof verdict);
	if (sum.wrong)
		snprintf(extent, sizeof extent, "see below");
	else
		extent_of(show->request, least, extent, sizeof extent);
	weir_table_cells(show->table, "%s %s%s\t%s\t%zu\t%" PRIu64 "\t%.1f s\t%s",
	                 jobs[0].c.primitive, jobs[0].c.kind,
	                 jobs[0].c.diagnosed ? ", diagnosed" : "", verdict, sum.jobs,
	                 sum.executions, sum.seconds, extent);
}

weir_verify_show *weir_verify_show_begin(const weir_verify_request *request,
                                         const weir_verify_list *list, FILE *stream)
{
	weir_verify_show *show = weir_need(calloc(1, sizeof *show));
	int groups = 1;

	for (size_t i = 1; i < list->count; i++)
		groups += !is_same_group(&list->jobs[i - 1], &list->jobs[i]);
	*show = (weir_verify_show){.request = request,
	                           .list = list,
	                           .stream = stream,
	                           .by_case = request->verbose || groups == 1};
	return show;
}

void weir_verify_show_busy(weir_verify_show *show)
{
	if (show->stream && !show->is_busy && weir_verify_is_large(show->request, show->list))
		fputs("This is larger than the cases that weir verify runs by default, and may "
		      "take hours. "
		      "--bound 2 explores only executions with at most 2 preemptions; Ctrl-C "
		      "prints the results so far.\n\n",
		      show->stream);
	show->is_busy = 1;
}

void weir_verify_show_job(weir_verify_show *show, size_t job, weir_progress *bar)
{
	const weir_verify_job *jobs = show->list->jobs;
	int ends = job + 1 == show->list->count || !is_same_group(&jobs[job], &jobs[job + 1]);

	if (!show->stream || (!show->by_case && !ends))
		return;
	if (!show->table || show->part != jobs[job].part) {
		end_table(show);
		begin_table(show, jobs[job].part);
	}
	weir_progress_hide(bar);
	if (jobs[job].ran && !weir_verify_refused(&jobs[job]))
		weir_verify_show_busy(show);
	if (!show->by_case)
		add_group(show, show->first, job + 1 - show->first);
	else if (jobs[job].ran && !weir_verify_refused(&jobs[job]) &&
	         show->part == WEIR_VERIFY_MUTANTS)
		add_mutant(show->table, &jobs[job]);
	else if (jobs[job].ran && !weir_verify_refused(&jobs[job]))
		add_case(show->table, show->request, &jobs[job]);
	show->first = job + 1;
}

/* ---- the end ---- */

/* Rows that are still missing: refused cases, and in a table of kinds the cases that failed. */
static void print_exceptions(const weir_verify_show *show, int mutants)
{
	weir_table *table = weir_table_make(mutants ? mutant_columns : case_columns);

	for (size_t i = 0; i < show->list->count; i++) {
		const weir_verify_job *job = &show->list->jobs[i];
		int is_mutant = job->part == WEIR_VERIFY_MUTANTS;

		if (!job->ran || is_mutant != mutants ||
		    !(weir_verify_refused(job) || (!show->by_case && !weir_verify_good(job))))
			continue;
		if (is_mutant)
			add_mutant(table, job);
		else
			add_case(table, show->request, job);
	}
	int is_empty = weir_table_is_empty(table);
	weir_table_end(table, show->stream);
	if (!is_empty)
		fputc('\n', show->stream);
}

/* Only --trace shows the traces of killed mutants: there are many. A table of kinds omits those of
 * published code, which fails as it must. */
static void print_traces(const weir_verify_show *show, FILE *stream)
{
	for (size_t i = 0; i < show->list->count; i++) {
		const weir_verify_job *job = &show->list->jobs[i];
		char name[160];
		if (!job->outcome.trace || job->part == WEIR_VERIFY_MUTANTS ||
		    (!show->by_case && weir_verify_good(job)))
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		fprintf(stream, "%s%s%s:\n%s\n", name, job->is_mutant ? ", mutant " : "",
		        job->is_mutant ? job->mutant.name : "", job->outcome.trace);
	}
}

/* Below this, most of the time was not spent in the explorer. */
#define SECONDS_FOR_A_RATE 1.0

static void print_totals(const weir_verify_list *list, FILE *stream)
{
	struct totals sum = sum_of(list->jobs, list->count);

	fprintf(stream, "%zu of %zu as expected", sum.jobs - sum.wrong - sum.refused, sum.jobs);
	if (sum.refused)
		fprintf(stream, ", %zu too large to run", sum.refused);
	if (sum.equivalent)
		fprintf(stream, ", %zu of them equivalent to the original", sum.equivalent);
	if (sum.uncovered)
		fprintf(stream, ", %zu not covered by any case", sum.uncovered);
	fprintf(stream, "; %s, %s in %.1f s", weir_count_figure(sum.executions, "execution").text,
	        weir_count_figure(sum.steps, "step").text, sum.seconds);
	if (sum.seconds >= SECONDS_FOR_A_RATE)
		fprintf(stream, ": %s steps per second on one core",
		        weir_rate_figure((double)sum.steps / sum.seconds).text);
	fputc('\n', stream);
	weir_progress_say_stopped(stream);
}

void weir_verify_show_end(weir_verify_show *show, int nothing)
{
	FILE *stream = nothing ? NULL : show->stream;

	/* A group that Ctrl-C ended may have failed before that. */
	if (stream && show->table && !show->by_case && show->first < show->list->count) {
		size_t count = 1;
		const weir_verify_job *jobs = &show->list->jobs[show->first];

		while (show->first + count < show->list->count &&
		       is_same_group(&jobs[0], &jobs[count]))
			count++;
		add_group(show, show->first, count);
	}
	if (stream) {
		end_table(show);
		print_exceptions(show, 0);
		print_exceptions(show, 1);
		print_traces(show, stream);
		print_totals(show->list, stream);
	} else if (show->table) {
		weir_table_end(show->table, NULL);
	}
	free(show);
}

static json_t *json_of(const weir_verify_request *request, const weir_verify_job *job)
{
	static const char *const parts[] = {"kinds", "published", "mutants", "replay"};
	const weir_model_outcome *outcome = &job->outcome;
	const weir_model_mutant *mutant = job->is_mutant ? &job->mutant : NULL;
	char name[160];
	char extent[288];

	weir_model_case_name(&job->c, name, sizeof name);
	extent_of(request, job, extent, sizeof extent);
	return weir_need(json_pack(
	    "{s:s, s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:s*, s:s*, s:s*, s:s, s:b, s:s, s:b, s:I, "
	    "s:I, "
	    "s:I, "
	    "s:f, s:s*, s:s*, s:s*}",
	    "part", parts[job->part], "case", name, "primitive", job->c.primitive, "kind",
	    job->c.kind, "diagnosed", (int)job->c.diagnosed, "blocks", (json_int_t)job->c.blocks,
	    "threads", (json_int_t)job->c.threads, "rounds", (json_int_t)job->c.rounds, "mutant",
	    mutant ? mutant->name : NULL, "equivalent", mutant ? mutant->equivalent : NULL,
	    "uncovered", mutant ? mutant->uncovered : NULL, "verdict",
	    weir_model_verdict_text(outcome->verdict), "good", weir_verify_good(job), "search",
	    extent, "exhaustive", outcome->exhaustive, "executions",
	    (json_int_t)outcome->executions, "cut", (json_int_t)outcome->cut, "steps",
	    (json_int_t)outcome->steps, "seconds", outcome->seconds, "message",
	    outcome->verdict != WEIR_MODEL_PASS ? outcome->message : NULL, "trace", outcome->trace,
	    "choices", outcome->choices));
}

int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list)
{
	struct totals sum = sum_of(list->jobs, list->count);
	json_t *results = weir_need(json_array());

	if (!request->common.json) {
		json_decref(results);
		return 0;
	}
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].ran)
			json_array_append_new(results, json_of(request, &list->jobs[i]));
	json_t *root = weir_output_document("verify");
	json_object_update_new(
	    root, weir_need(json_pack("{s:o, s:I, s:I, s:I, s:f, s:b}", "results", results, "wrong",
	                              (json_int_t)sum.wrong, "executions",
	                              (json_int_t)sum.executions, "steps", (json_int_t)sum.steps,
	                              "seconds", sum.seconds, "complete", !weir_stop_asked())));
	return weir_write_json(request->common.json, root);
}
