/* The results of weir verify, as text and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/model/model.h"
#include "verify/verify.h"

/* The sums over the jobs that ran. */
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

static struct totals sum_of(const weir_verify_list *list)
{
	struct totals sum = {0};

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
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

/* How much of it was explored: "exhaustive", "2 preemptions", ... */
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

static void print_cases(const weir_verify_request *request, const weir_verify_list *list,
                        weir_verify_part part, FILE *stream)
{
	static const char *const columns[] = {"<case", "<verdict", "executions", "cut",
	                                      "steps", "time",     "<search",    NULL};
	weir_table *table = weir_table_make(columns);

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160];
		char extent[288];
		if (job->part != part || !job->ran)
			continue;
		weir_model_case_name(&job->c, name, sizeof name);
		extent_of(request, job, extent, sizeof extent);
		weir_table_cells(table, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.2f s\t%s",
		                 name, verdict_text(job), job->outcome.executions, job->outcome.cut,
		                 job->outcome.steps, job->outcome.seconds, extent);
	}
	weir_table_end(table, stream);
}

static void print_mutants(const weir_verify_list *list, FILE *stream)
{
	static const char *const columns[] = {"<mutant", "<verdict",
	                                      "<found by, or why it survives", NULL};
	weir_table *table = weir_table_make(columns);

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		char name[160] = "";
		if (job->part != WEIR_VERIFY_MUTANTS || !job->ran)
			continue;
		if (job->outcome.verdict != WEIR_MODEL_PASS)
			weir_model_case_name(&job->c, name, sizeof name);
		else if (job->mutant.equivalent)
			snprintf(name, sizeof name, "%s", job->mutant.equivalent);
		else if (job->mutant.uncovered)
			snprintf(name, sizeof name, "%s", job->mutant.uncovered);
		weir_table_cells(table, "%s\t%s\t%s", job->mutant.name, verdict_text(job), name);
	}
	weir_table_end(table, stream);
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

/* Below that, most of the time was not the explorer's. */
#define SECONDS_FOR_A_RATE 1.0

static void print_totals(const weir_verify_list *list, FILE *stream)
{
	struct totals sum = sum_of(list);

	fprintf(stream, "\n%zu of %zu as expected", sum.jobs - sum.wrong - sum.refused, sum.jobs);
	if (sum.refused)
		fprintf(stream, ", %zu too large to run", sum.refused);
	if (sum.equivalent)
		fprintf(stream, ", %zu of them equivalent to the text", sum.equivalent);
	if (sum.uncovered)
		fprintf(stream, ", %zu not covered by any case", sum.uncovered);
	fprintf(stream, "; %" PRIu64 " executions, %" PRIu64 " steps in %.1f s", sum.executions,
	        sum.steps, sum.seconds);
	if (sum.seconds >= SECONDS_FOR_A_RATE)
		fprintf(stream, ": %s steps a second on one core",
		        weir_rate_figure((double)sum.steps / sum.seconds).text);
	fputs("\nPolls order what their contract says and no more: this covers polls that acquire, "
	      "and "
	      "relaxed polls with a fence.\n",
	      stream);
	weir_progress_say_stopped(stream);
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
	    "{s:s, s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:s*, s:s*, s:s*, s:s, s:b, s:s, s:b, s:I, s:I, "
	    "s:I, "
	    "s:f, s:s*, s:s*, s:s*}",
	    "part", parts[job->part], "case", name, "primitive", job->c.primitive, "kind",
	    job->c.kind, "diagnosed", (int)job->c.diagnosed, "blocks", (json_int_t)job->c.blocks, "threads", (json_int_t)job->c.threads,
	    "rounds", (json_int_t)job->c.rounds, "mutant", mutant ? mutant->name : NULL,
	    "equivalent", mutant ? mutant->equivalent : NULL, "uncovered",
	    mutant ? mutant->uncovered : NULL, "verdict", weir_model_verdict_text(outcome->verdict),
	    "good", weir_verify_good(job), "search", extent, "exhaustive", outcome->exhaustive,
	    "executions", (json_int_t)outcome->executions, "cut", (json_int_t)outcome->cut, "steps",
	    (json_int_t)outcome->steps, "seconds", outcome->seconds, "message",
	    outcome->verdict != WEIR_MODEL_PASS ? outcome->message : NULL, "trace", outcome->trace,
	    "choices", outcome->choices));
}

int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list)
{
	struct totals sum = sum_of(list);
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
