/* The results of weir verify as text. */
#include "verify/tables.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/figure.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/model/model.h"
#include "verify/jobs.h"
#include "verify/totals.h"

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
	static const char *const columns[] = {"<mutant", "<verdict",
	                                      "<found by, or why it survives", NULL};
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
		else if (job->mutant.uncovered)
			snprintf(name, sizeof name, "%s", job->mutant.uncovered);
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

/* Below that, most of the time was not the explorer's. */
#define SECONDS_FOR_A_RATE 1.0

static void print_totals(const weir_verify_list *list, FILE *stream)
{
	weir_verify_totals sum = weir_verify_sum(list);

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
