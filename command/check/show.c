#include "check/show.h"

#include <jansson.h>
#include <string.h>

#include "check/check.h"
#include "cli/complain.h"
#include "output/figure.h"
#include "output/json.h"

const char *weir_check_verdict(const weir_check_report *report, int *status)
{
	static const int statuses[] = {WEIR_CHECK_EXIT_RACE, WEIR_CHECK_EXIT_FAULT,
	                               WEIR_CHECK_EXIT_HANG, WEIR_CHECK_EXIT_WRONG,
	                               WEIR_CHECK_EXIT_INCOMPLETE};
	size_t count = weir_check_count(report->check);

	for (weir_check_kind kind = WEIR_CHECK_RACE; kind <= WEIR_CHECK_INCOMPLETE; kind++)
		for (size_t i = 0; i < count; i++)
			if (weir_check_at(report->check, i)->kind == kind &&
			    !weir_check_silenced(report->plan, weir_check_at(report->check, i)) &&
			    !(kind == WEIR_CHECK_INCOMPLETE && report->stopped)) {
				*status = statuses[kind];
				return weir_check_kind_name(kind);
			}
	*status = report->stopped ? WEIR_EXIT_STOPPED : WEIR_EXIT_OK;
	return report->stopped ? "stopped" : "clean";
}

static void show_trace(const char *trace, FILE *to)
{
	fprintf(to, "  The execution:\n");
	for (const char *line = trace, *end; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		fprintf(to, "    %.*s\n", (int)(end - line), line);
	}
}

static void show_finding(const weir_check_finding *f, FILE *to)
{
	const char *kind = weir_check_kind_name(f->kind);
	size_t bytes = strlen(kind);
	/* The text of a hang begins with the word itself. */
	int has_kind = strncmp(f->what, kind, bytes) == 0 && f->what[bytes] == ':';

	fprintf(to, "%s: %s\n", kind, has_kind ? f->what + bytes + 2 : f->what);
	if (f->why[0])
		fprintf(to, "  %s\n", f->why);
	if (f->kind == WEIR_CHECK_RACE && (f->pairs > 1 || f->count > 1)) {
		fprintf(to, "  %llu such race%s", (unsigned long long)f->count,
		        f->count == 1 ? "" : "s");
		if (f->pairs > 1)
			fprintf(to, ", of %u %s of instructions", f->pairs, "pairs");
		fprintf(to, ".\n");
	}
	if (f->fix[0])
		fprintf(to, "  Fix: %s\n", f->fix);
	if (f->trace[0])
		show_trace(f->trace, to);
	if (f->launch > 1)
		fprintf(to, "  In launch %u.\n", f->launch);
	fprintf(to, "  [%s]\n", f->cause);
}

static void show_kinds(const weir_check_report *report, FILE *to)
{
	const char *before = "";
	size_t count = weir_check_count(report->check);

	for (weir_check_kind kind = WEIR_CHECK_RACE; kind <= WEIR_CHECK_INCOMPLETE; kind++) {
		unsigned found = 0;
		for (size_t i = 0; i < count; i++)
			found +=
			    weir_check_at(report->check, i)->kind == kind &&
			    !weir_check_silenced(report->plan, weir_check_at(report->check, i));
		if (!found)
			continue;
		fprintf(to, "%s%u %s", before, found, weir_check_kind_name(kind));
		if (found > 1 && kind != WEIR_CHECK_INCOMPLETE)
			fprintf(to, "s");
		before = ", ";
	}
	if (!*before)
		fprintf(to, report->stopped       ? "stopped"
		            : report->is_explored ? "clean, in all executions"
		                                  : "clean, for what was run");
}

static void show_outcomes(const weir_check_report *report, FILE *to)
{
	const weir_explore_result *r = &report->explored;

	for (size_t i = 0; i < r->outcome_count; i++)
		fprintf(to, "%s: %s  (%llu execution%s)\n", report->plan->outcomes,
		        r->outcomes[i].text, (unsigned long long)r->outcomes[i].executions,
		        r->outcomes[i].executions == 1 ? "" : "s");
}

static void show_explored(const weir_check_report *report, FILE *to)
{
	const weir_explore_result *r = &report->explored;

	fprintf(to, "; explored %s, %llu blocked, %s",
	        weir_count_figure(r->executions, "execution").text, (unsigned long long)r->blocked,
	        weir_count_figure(r->steps, "step").text);
	if (r->estimate > 0)
		fprintf(to, ", of about %.3g", r->estimate);
	if (r->may_buffer_loads)
		fprintf(to, "; load buffering, which PTX allows here, is not explored");
	fprintf(to, "; %.1f s\n", report->seconds);
}

static int has_lines(const weir_check_report *report)
{
	for (size_t i = 0; i < weir_check_count(report->check); i++) {
		const weir_check_finding *f = weir_check_at(report->check, i);
		if (f->accesses && f->access[0].site.line && !f->access[0].site.file)
			return 0;
	}
	return 1;
}

void weir_check_show_counts(const weir_check_report *report, FILE *to)
{
	unsigned long long executions = weir_check_executions(report->check);
	const weir_check_plan *plan = report->plan;
	unsigned silenced = 0;

	for (size_t i = 0; i < weir_check_count(report->check); i++)
		silenced += weir_check_silenced(plan, weir_check_at(report->check, i)) != NULL;
	show_kinds(report, to);
	if (silenced)
		fprintf(to, ", %u silenced", silenced);
	if (plan->wraps)
		fprintf(to, "; %s", plan->wrapped);
	if (report->is_explored) {
		show_explored(report, to);
		return;
	}
	fprintf(to, "; %llu execution%s, seed%s %u", executions, executions == 1 ? "" : "s",
	        plan->seeds > 1 ? "s" : "", plan->seed);
	if (plan->seeds > 1)
		fprintf(to, " to %u", plan->seed + plan->seeds - 1);
	if (plan->is_weak)
		fprintf(to, ", with older values");
	fprintf(to, "; %llu instructions; %.1f s\n",
	        (unsigned long long)weir_check_instructions(report->check), report->seconds);
}

void weir_check_show(const weir_check_report *report, FILE *to)
{
	for (size_t i = 0; i < weir_check_count(report->check); i++) {
		const weir_check_finding *f = weir_check_at(report->check, i);
		if (weir_check_silenced(report->plan, f))
			continue;
		show_finding(f, to);
		fprintf(to, "\n");
	}
	if (weir_check_left_out(report->check))
		fprintf(to, "There are %llu more races, of instructions that are not listed.\n",
		        (unsigned long long)weir_check_left_out(report->check));
	if (weir_check_repeated_stores(report->check))
		fprintf(to,
		        "Lanes of a warp stored the same value to the same place %llu times, which "
		        "is not counted as a race.\n",
		        (unsigned long long)weir_check_repeated_stores(report->check));
	if (!has_lines(report))
		fprintf(to,
		        "These are lines of the PTX: nvcc -lineinfo gives those of the source.\n");
	show_outcomes(report, to);
	weir_check_show_counts(report, to);
}

/* ---- JSON ---- */

static json_t *place_json(const weir_check_place *place)
{
	const weir_ptx_site *s = &place->site;
	json_t *json = weir_need(json_pack(
	    "{s:i, s:i, s:s, s:s, s:i}", "block", (int)place->block, "thread", (int)place->thread,
	    "does", place->does, "instruction", place->instruction, "ptx_line", (int)s->line));

	if (s->file) {
		json_object_set_new(json, "file", json_string(s->file));
		json_object_set_new(json, "line", json_integer(s->source_line));
	}
	return json;
}

static json_t *step_json(const weir_check_step *step)
{
	json_t *json =
	    weir_need(json_pack("{s:i, s:i, s:i, s:s, s:s, s:i}", "block", (int)step->block,
	                        "thread", (int)step->thread, "threads", (int)step->threads, "text",
	                        step->text, "role", step->role, "ptx_line", (int)step->site.line));

	if (step->site.file) {
		json_object_set_new(json, "file", json_string(step->site.file));
		json_object_set_new(json, "line", json_integer(step->site.source_line));
	}
	return json;
}

static json_t *finding_json(const weir_check_plan *plan, const weir_check_finding *f)
{
	const char *silenced = weir_check_silenced(plan, f);
	json_t *accesses = weir_need(json_array()), *steps = weir_need(json_array());
	json_t *json = weir_need(json_pack(
	    "{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:I, s:i}", "kind",
	    weir_check_kind_name(f->kind), "cause", f->cause, "what", f->what, "why", f->why, "fix",
	    f->fix, "object", f->object, "count", (json_int_t)f->count, "pairs", (int)f->pairs,
	    "seed", (json_int_t)f->seed, "launch", (int)f->launch));

	for (unsigned k = 0; k < f->accesses; k++)
		json_array_append_new(accesses, place_json(&f->access[k]));
	json_object_set_new(json, "accesses", accesses);
	for (unsigned k = 0; k < f->step_count; k++)
		json_array_append_new(steps, step_json(&f->steps[k]));
	json_object_set_new(json, "steps", steps);
	if (f->trace[0])
		json_object_set_new(json, "trace", weir_need(json_string(f->trace)));
	if (silenced)
		json_object_set_new(json, "silenced", json_string(silenced));
	if (f->release.does)
		json_object_set_new(json, "release", place_json(&f->release));
	if (f->acquire.does)
		json_object_set_new(json, "acquire", place_json(&f->acquire));
	return json;
}

static json_t *explored_json(const weir_explore_result *r)
{
	json_t *outcomes = weir_need(json_array()), *json;

	for (size_t i = 0; i < r->outcome_count; i++)
		json_array_append_new(
		    outcomes,
		    weir_need(json_pack("{s:s, s:I}", "contents", r->outcomes[i].text, "executions",
		                        (json_int_t)r->outcomes[i].executions)));
	json = weir_need(json_pack("{s:I, s:I, s:I, s:b, s:b, s:o}", "executions",
	                           (json_int_t)r->executions, "blocked", (json_int_t)r->blocked,
	                           "steps", (json_int_t)r->steps, "exhaustive", r->is_exhaustive,
	                           "load_buffering", r->may_buffer_loads, "outcomes", outcomes));
	if (r->bound[0])
		json_object_set_new(json, "bound", weir_need(json_string(r->bound)));
	if (r->estimate > 0)
		json_object_set_new(json, "estimate", json_real(r->estimate));
	return json;
}

int weir_check_write_json(const weir_check_report *report, const char *path)
{
	const weir_check_plan *plan = report->plan;
	json_t *root, *findings;
	int status;

	if (!path)
		return 0;
	root = weir_output_document("check");
	findings = weir_need(json_array());
	for (size_t i = 0; i < weir_check_count(report->check); i++)
		json_array_append_new(findings,
		                      finding_json(plan, weir_check_at(report->check, i)));
	json_object_update_new(
	    root,
	    weir_need(json_pack(
		"{s:s, s:s, s:[i,i,i], s:[i,i,i], s:i, s:i, s:I, s:I, s:I, s:s, s:o}", "file",
		plan->file, "kernel", plan->kernel, "grid", (int)plan->grid[0], (int)plan->grid[1],
		(int)plan->grid[2], "block", (int)plan->block[0], (int)plan->block[1],
		(int)plan->block[2], "launches", (int)plan->launches, "seed", (int)plan->seed,
		"executions", (json_int_t)weir_check_executions(report->check), "instructions",
		(json_int_t)weir_check_instructions(report->check), "repeated_stores",
		(json_int_t)weir_check_repeated_stores(report->check), "verdict",
		weir_check_verdict(report, &status), "findings", findings)));
	if (plan->wraps)
		json_object_set_new(root, "wrap", weir_need(json_string(plan->wrapped)));
	if (report->is_explored)
		json_object_set_new(root, "explored", explored_json(&report->explored));
	return weir_finish_json(path, root) == WEIR_EXIT_FAILED ? WEIR_EXIT_FAILED : 0;
}
