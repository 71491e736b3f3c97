/* weir doctor: makes the classic mistakes and shows what the diagnosis reports. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "command.h"
#include "doctor/doctor.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir doctor [OPTION]...",
    .what = "Makes the classic synchronization mistakes on purpose and checks that each is "
	    "diagnosed.",
    .examples = {{"weir doctor", "all mistakes, and which of them were diagnosed"},
                 {"weir doctor --case deadlock --full", "one mistake, with the whole report"}}};

enum {
	MOST_BLOCKS = 4096,
	MOST_THREADS = 1024
};

struct request {
	weir_common common;
	const weir_mistake *only;
	int costs;
	int full;
	weir_cost_request cost;
};

static const char *const verdicts[] = {"named", "missed", "skipped"};

static const weir_mistake *find_mistake(const char *name)
{
	for (size_t i = 0; i < weir_mistake_count; i++)
		if (strcmp(weir_mistakes[i].name, name) == 0)
			return &weir_mistakes[i];
	return NULL;
}

/* How a report shows that an object or a block is involved: its line, or the lines below it. */
static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

static const char *next_line(const char *line)
{
	size_t length = strcspn(line, "\n");

	return line + length + (line[length] == '\n');
}

/* Whether the finding names the object of the line: "mutex 'accounts' (ticket)". */
static int is_named_in(const char *finding, size_t length, const char *line)
{
	const char *name = strchr(line, '\'');
	const char *end = name && name < next_line(line) ? strchr(name + 1, '\'') : NULL;
	size_t bytes = end ? (size_t)(end - name) + 1 : 0;

	for (size_t i = 0; bytes && i + bytes <= length; i++)
		if (strncmp(finding + i, name, bytes) == 0)
			return 1;
	return 0;
}

/* Prints the report without uninvolved objects: those that no finding names and that no block holds
 * or waits for. */
static void print_report(FILE *text, const char *report, int full)
{
	const char *lines = report;
	size_t findings = 0;
	int in_objects = 0;

	for (const char *next; lines && *lines; lines = next) {
		next = next_line(lines);
		size_t length = strcspn(lines, "\n");
		if (indent_of(lines) == 0)
			in_objects = strncmp(lines, "objects on ", strlen("objects on ")) == 0;
		if (in_objects && findings == 0)
			findings = (size_t)(lines - report);
		if (!full && in_objects && indent_of(lines) == 2 && indent_of(next) <= 2 &&
		    !is_named_in(report, findings, lines))
			continue;
		fprintf(text, "    %.*s\n", (int)length, lines);
	}
}

static void print_case(FILE *text, const weir_mistake *mistake, const weir_mistake_result *result,
                       int full)
{
	if (!text)
		return;
	fprintf(text, "%s: %s\n", mistake->name, mistake->what);
	print_report(text, result->text, full);
	if (result->verdict == WEIR_MISTAKE_NAMED && !mistake->kernel.name)
		fprintf(text, "  diagnosed: refused before anything was launched\n\n");
	else if (result->verdict == WEIR_MISTAKE_NAMED)
		fprintf(text, "  diagnosed: the report names the right culprit%s\n\n",
		        mistake->ends == WEIR_ABORTED ? ", the kernel ended, and the next one ran"
		                                      : "");
	else
		fprintf(text, "  %s: %s\n\n",
		        result->verdict == WEIR_MISTAKE_MISSED ? "MISSED" : "left out",
		        result->why);
	fflush(text);
}

static json_t *case_json(const weir_mistake *mistake, const weir_mistake_result *result)
{
	return weir_need(json_pack("{s:s, s:s, s:s, s:s, s:f, s:s, s:O?}", "name", mistake->name,
	                           "what", mistake->what, "verdict", verdicts[result->verdict],
	                           "why", result->why, "seconds", result->seconds, "text",
	                           result->text ? result->text : "", "report", result->report));
}

/* The outcome of the cases: how many of each verdict, and which did not go as expected. */
typedef struct outcome {
	size_t counts[3];
	char names[3][1024];
} outcome;

static void run_cases(const struct request *request, const char *device, FILE *text, json_t *cases,
                      outcome *outcome)
{
	weir_progress bar;

	weir_progress_begin(&bar, "doctor", "case", request->only ? 1 : (double)weir_mistake_count);
	for (size_t i = 0; i < weir_mistake_count && !weir_stop_asked(); i++) {
		const weir_mistake *mistake = &weir_mistakes[i];
		weir_mistake_result result;
		if (request->only && request->only != mistake)
			continue;
		weir_mistake_run(device, mistake, &result);
		weir_progress_hide(&bar);
		print_case(text, mistake, &result, request->full);
		json_array_append_new(cases, case_json(mistake, &result));
		outcome->counts[result.verdict]++;
		weir_append_name(outcome->names[result.verdict],
		                 sizeof outcome->names[result.verdict], mistake->name);
		weir_mistake_result_clear(&result);
		weir_progress_add(&bar, 1);
	}
	weir_progress_end(&bar);
}

static void print_outcome(FILE *text, const outcome *outcome)
{
	static const char *const columns[] = {"<result", "cases", "<which", NULL};
	static const char *const results[] = {"diagnosed", "missed", "left out"};
	weir_table *table = weir_table_make(columns);

	for (int i = 0; i < 3; i++)
		if (outcome->counts[i] || i != WEIR_MISTAKE_SKIPPED)
			weir_table_cells(table, "%s\t%zu\t%s", results[i], outcome->counts[i],
			                 i == WEIR_MISTAKE_NAMED ? "" : outcome->names[i]);
	weir_table_end(table, text);
}

static int write_document(const struct request *request, const weir_device_info *info,
                          const char *member, json_t *value)
{
	json_t *document = weir_output_document("doctor");

	json_object_set_new(document, "device", weir_output_device(info));
	json_object_set_new(document, member, value);
	json_object_set_new(document, "complete", json_boolean(!weir_stop_asked()));
	return weir_write_json(request->common.json, document);
}

static void fill_cost(weir_cost_request *cost, const weir_device_info *info)
{
	if (!cost->threads)
		cost->threads = info->is_gpu ? 128 : 4;
	if (!cost->repeats)
		cost->repeats = info->is_gpu ? 15 : 5;
	cost->maximum = 8;
	if (cost->blocks)
		return;
	cost->blocks = info->resident_blocks_at_128 < 132 ? info->resident_blocks_at_128 : 132;
	if (!info->is_gpu && cost->blocks > 2 * info->units)
		cost->blocks = 2 * info->units;
}

static int show_cases(const struct request *request, const char *device, FILE *text, json_t *rows)
{
	outcome outcome = {0};

	run_cases(request, device, text, rows, &outcome);
	size_t missed = outcome.counts[WEIR_MISTAKE_MISSED];
	if (text && json_array_size(rows) > 1)
		print_outcome(text, &outcome);
	if (text && !weir_stop_asked())
		fprintf(text, "%s, %s missed\n",
		        weir_count_figure(json_array_size(rows), "case").text,
		        missed ? "some" : "none");
	weir_progress_say_stopped(text);
	return missed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static int show_costs(struct request *request, const weir_device_info *info, FILE *text,
                      json_t *rows)
{
	fill_cost(&request->cost, info);
	int failed = weir_doctor_cost(info->name, &request->cost, text, rows);

	if (text && json_array_size(rows))
		fprintf(text, "%s of %s; medians of %s\n",
		        weir_count_figure(request->cost.blocks, "block").text,
		        weir_count_figure(request->cost.threads, "thread").text,
		        weir_count_figure(request->cost.repeats, "pair").text);
	weir_progress_say_stopped(text);
	return failed;
}

static int run(struct request *request)
{
	FILE *text = weir_text_stream(&request->common);
	weir_device *device;
	weir_device_info info;
	int status = weir_choose_device(request->common.device, &device, &info);

	if (status)
		return status;
	weir_device_close(device);
	weir_stop_catch();
	if (text)
		fprintf(text, "%s (%s)\n\n", info.name, info.description);
	json_t *rows = weir_need(json_array());
	int failed = request->costs ? show_costs(request, &info, text, rows)
	                            : show_cases(request, info.name, text, rows);
	status = write_document(request, &info, request->costs ? "costs" : "cases", rows);
	if (status)
		return status;
	return weir_stop_asked() ? WEIR_EXIT_STOPPED : failed;
}

static int take_case(const char *name, void *into)
{
	struct request *request = into;

	request->only = find_mistake(name);
	return request->only ? 0
	                     : weir_refuse("there is no case '%s'; see weir doctor --help", name);
}

static const weir_option options[] = {
    WEIR_GROUP("Which mistakes"),
    WEIR_ROW_DEVICE,
    {"case", "NAME", "only this mistake (names below)", WEIR_TO(take_case)},
    WEIR_GROUP("What a diagnosis costs"),
    {"cost", NULL, "measure each kind with and without a diagnosis instead",
     WEIR_TO_FLAG(struct request, costs)},
    {"blocks", "N", "blocks (132, or the number that runs at once; 2 per core on a CPU)",
     WEIR_TO_NUMBER(struct request, cost.blocks, 1, MOST_BLOCKS)},
    {"threads", "N", "threads per block (128; 4 on a CPU)",
     WEIR_TO_NUMBER(struct request, cost.threads, 1, MOST_THREADS)},
    {"repeats", "N", "pairs of runs (15; 5 on a CPU)",
     WEIR_TO_NUMBER(struct request, cost.repeats, 1, WEIR_COST_REPEATS_MOST)},
    WEIR_GROUP("Output"),
    {"full", NULL, "the whole report on each mistake, including objects that are not involved",
     WEIR_TO_FLAG(struct request, full)},
    WEIR_ROW_JSON,
    {.name = NULL}};

/* Returns one line, which the help folds. */
static char *list_cases(void)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = weir_need(open_memstream(&text, &bytes));

	fputs("Cases:\n ", out);
	for (size_t i = 0; i < weir_mistake_count; i++)
		fprintf(out, " %s", weir_mistakes[i].name);
	fputs("\n", out);
	fclose(out);
	return weir_need(text);
}

int weir_command_doctor(int argc, char **argv)
{
	char *cases = list_cases();
	struct request request = {.common = {.help = &help, .help_end = cases, .rows = options}};
	int reads = weir_options_read(argc, argv, &request.common);

	free(cases);
	if (!reads)
		return request.common.status;
	int status = weir_no_operands(argc, argv);
	if (!status)
		status = weir_check_writable(request.common.json);
	if (!status && !request.costs &&
	    (request.cost.blocks || request.cost.threads || request.cost.repeats))
		status = weir_refuse("--blocks, --threads and --repeats need --cost");
	return status ? status : run(&request);
}
