/* weir crew: tests a crew of processes on this host, or starts a program as one. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "crew/crew.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

static const weir_help help = {
    .usage = "weir crew [-n N] [OPTION]... [PROGRAM [ARGUMENT]...]",
    .what = "Starts a program, or a trial, as the ranks of a crew: processes whose kernels "
	    "synchronize.",
    .examples = {{"weir crew -n 4", "barriers, events and a queue over 4 processes"},
                 {"weir crew -n 2 ./program", "start a program as 2 ranks"}}};

#define MOST_BLOCKS 4096
#define MOST_ROUNDS 10000000
#define MOST_TOKENS 10000
#define MOST_LAYERS 100
#define MOST_REPEATS 1000

/* The options. */
typedef struct asked {
	weir_common common;
	crew_request crew;
	weir_counts simulate; /* numbers of ranks */
	weir_sim_links links;
} asked;

static int take_fault(const char *text, void *into)
{
	static const char *const names[] = {"", "kill", "stay", "late", "absent", "hasty"};
	crew_request *request = &((asked *)into)->crew;
	const char *colon = strchr(text, ':');

	for (crew_fault i = CREW_KILL; colon && i <= CREW_HASTY; i++)
		if (strlen(names[i]) == (size_t)(colon - text) &&
		    strncmp(names[i], text, (size_t)(colon - text)) == 0) {
			request->fault = i;
			return weir_parse_count("--fault", colon + 1, 0,
			                        WEIR_CREW_PROCESSES_MOST - 1, &request->fault_rank);
		}
	return weir_refuse("--fault: '%s' is none of kill:R, stay:R, late:R, absent:R and hasty:R",
	                   text);
}

static int take_links(const char *text, void *into)
{
	return crew_parse_links(text, &((asked *)into)->links);
}

static const weir_option options[] = {
    WEIR_GROUP("The crew"),
    {"ranks", "N", "how many ranks (2)",
     WEIR_TO_NUMBER(asked, crew.ranks, 1, WEIR_CREW_PROCESSES_MOST), .letter = 'n'},
    {"blocks", "B", "blocks per rank (2; with --decode on a GPU, as many as fit)",
     WEIR_TO_NUMBER(asked, crew.blocks, 1, MOST_BLOCKS)},
    {"radix", "K", "each rank signals K - 1 others in a round of a barrier (one that suits N)",
     WEIR_TO_NUMBER(asked, crew.radix, 2, WEIR_CREW_PROCESSES_MOST)},
    WEIR_ROW_DEVICE_SAYING("where the kernels run: host, cuda:0, ptx, ... (host)"),
    {"seconds", "S", "deadline of each wait (10)", WEIR_TO_SECONDS(asked, crew.seconds)},
    WEIR_GROUP("What it does"),
    {"rounds", "R", "rounds of each trial (200), or tokens with --decode (20)",
     WEIR_TO_NUMBER(asked, crew.rounds, 4, MOST_ROUNDS)},
    {"fault", "WHAT:R", "rank R misbehaves: kill, stay, late, absent or hasty (none)",
     WEIR_TO(take_fault)},
    {"decode", NULL, "run a transformer divided over the ranks (up to 8) instead",
     WEIR_TO_FLAG(asked, crew.decodes)},
    {"layers", "N", "with --decode: layers of the model (2; 28 on a GPU)",
     WEIR_TO_NUMBER(asked, crew.layers, 1, MOST_LAYERS)},
    {"repeats", "N", "with --decode: runs of each form after a warm-up (5)",
     WEIR_TO_NUMBER(asked, crew.repeats, 1, MOST_REPEATS)},
    {"nccl", "FILE", "with --decode on CUDA: compare with NCCL, in libnccl.so.2",
     WEIR_TO_TEXT(asked, crew.nccl)},
    WEIR_GROUP("Larger crews"),
    {"simulate", "LIST", "simulate barriers and events over this many GPUs, as in 8,72,4096",
     WEIR_TO_NUMBERS(asked, simulate, 1, WEIR_SIM_RANKS_MOST)},
    {"links", "D,L,G,L,G",
     "with --simulate: GPUs in an NVLink domain; then latency and gap of a signal in ns, inside "
     "and between domains",
     WEIR_TO(take_links)},
    WEIR_GROUP("Output"),
    WEIR_ROW_JSON,
    {.name = NULL}};

/* What `weir crew` can do: for each mode, the options that have an effect and the error message for
 * others. */
typedef struct mode {
	const char *takes;
	const char *complaint;
} mode;

static const mode mode_trials = {" json device ranks blocks radix rounds seconds fault ",
                                 "needs --decode"};
static const mode mode_decode = {
    " json device ranks blocks radix rounds seconds fault decode layers repeats nccl ",
    "cannot be combined with --decode"};
static const mode mode_program = {" json ranks seconds fault ",
                                  "only applies to weir crew without a program"};
static const mode mode_simulate = {" json simulate links ", "cannot be combined with --simulate"};

/* An option without an effect is refused, because its user expects one. */
static int check_given(const weir_common *common, const mode *mode)
{
	char name[32];

	for (const weir_option *o = options; o->name; o++) {
		snprintf(name, sizeof name, " %s ", o->name);
		if (weir_option_given(common, o->name) && !strstr(mode->takes, name))
			return weir_refuse("--%s %s", o->name, mode->complaint);
	}
	return WEIR_EXIT_OK;
}

static uint32_t hops(const crew_request *request, uint32_t trial)
{
	return trial >= CREW_EVENT ? request->ranks : 1;
}

/* The figures of rank 0. */
static void show_figures(const weir_common *common, const crew_request *request,
                         const crew_result *result, json_t *json)
{
	static const char *const columns[] = {"<operation", "microseconds", NULL};
	FILE *stream = weir_text_stream(common);
	weir_table *table = weir_table_make(columns);
	json_t *trials = weir_need(json_array());

	for (uint32_t i = 0; i < result->done; i++) {
		double us = (double)result->ns[i] * 1e-3 / hops(request, i);

		weir_table_cell(table, "%s", crew_trial_names[i]);
		weir_table_cell(table, "%.2f", us);
		json_array_append_new(
		    trials, weir_need(json_pack("{s:s, s:f}", "operation", crew_trial_names[i],
		                                "microseconds", us)));
	}
	if (stream && result->done)
		fprintf(stream, "%s of %s on %s, radix %u, %s each\n\n",
		        weir_count_figure(request->ranks, "rank").text,
		        weir_count_figure(request->blocks, "block").text,
		        request->device ? request->device : "this host", result->radix,
		        weir_count_figure(request->rounds, "round").text);
	weir_table_end(table, result->done ? stream : NULL);
	json_object_set_new(json, "radix", json_integer(result->radix));
	json_object_set_new(json, "trials", trials);
}

/* The forms in which rank 0 has decoded, and how long each took compared with the form that uses
 * the crew's events. */
static void show_forms(const weir_common *common, const crew_request *request,
                       const crew_result *result, json_t *json)
{
	static const char *const columns[] = {"<form",   "microseconds a token", "lowest",
	                                      "highest", "of one launch",        NULL};
	const crew_figure *first = &result->forms[CREW_FORM_EVENTS];
	FILE *stream = weir_text_stream(common);
	weir_table *table = weir_table_make(columns);
	json_t *forms = weir_need(json_array());

	for (crew_form i = 0; i < CREW_FORMS; i++) {
		const crew_figure *figure = &result->forms[i];

		if (figure->median <= 0)
			continue;
		weir_table_cell(table, "%s", crew_form_names[i]);
		weir_table_cell(table, "%.1f", figure->median);
		weir_table_cell(table, "%.1f", figure->lowest);
		weir_table_cell(table, "%.1f", figure->highest);
		weir_table_cell(table, "%.2f", figure->median / first->median);
		json_array_append_new(
		    forms, weir_need(json_pack("{s:s, s:f, s:f, s:f}", "form", crew_form_names[i],
		                               "microseconds", figure->median, "lowest",
		                               figure->lowest, "highest", figure->highest)));
	}
	if (stream && first->median > 0)
		fprintf(stream, "%s of %s on %s decode with %s: medians of %s of %s\n\n",
		        weir_count_figure(request->ranks, "rank").text,
		        weir_count_figure(result->blocks, "block").text,
		        request->device ? request->device : "this host", result->model,
		        weir_count_figure(request->repeats, "repeat").text,
		        weir_count_figure(request->rounds, "token").text);
	weir_table_end(table, first->median > 0 ? stream : NULL);
	if (stream && result->note[0])
		fprintf(stream, "\nskipped: %s\n", result->note);
	json_object_set_new(json, "model", json_string(result->model));
	json_object_set_new(json, "skipped", json_string(result->note));
	json_object_set_new(json, "forms", forms);
}

static void show_end(const crew_ended *ended, uint32_t rank, json_t *list)
{
	char how[64];

	if (!ended->has_started)
		snprintf(how, sizeof how, "was not started");
	else if (ended->signal)
		snprintf(how, sizeof how, "was ended by signal %d", ended->signal);
	else if (ended->status)
		snprintf(how, sizeof how, "ended with status %d", ended->status);
	else
		return;
	weir_complain(WEIR_EXIT_FAILED, "rank %u %s", rank, how);
	json_array_append_new(list,
	                      weir_need(json_pack("{s:i, s:s}", "rank", (int)rank, "how", how)));
}

/* The report of a rank that has one, preferring ranks that saw themselves who is missing or what is
 * wrong. */
static const char *report_of(const crew_request *request, const crew_ended *ended)
{
	const char *found = "";

	for (uint32_t i = 0; i < request->ranks; i++) {
		const char *text = ended[i].has_result ? ended[i].result.text : "";

		if (strstr(text, "has not") || strstr(text, "is gone"))
			return text;
		if (!found[0] || strcmp(found, CREW_TEXT_ABORTED) == 0)
			found = text[0] ? text : found;
	}
	return found;
}

/* An input error that a rank reports: its device or its program does not exist. Or NULL. */
static const char *find_wrong_input(const crew_request *request, const crew_ended *ended)
{
	for (uint32_t i = 0; i < request->ranks; i++)
		if (ended[i].has_result && (ended[i].result.status == WEIR_EXIT_USAGE ||
		                            ended[i].result.status == CREW_CANNOT_RUN))
			return ended[i].result.text;
	return NULL;
}

static int show(const weir_common *common, const crew_request *request, const crew_ended *ended,
                int has_program, int status)
{
	const char *wrong = find_wrong_input(request, ended);

	if (wrong)
		return weir_refuse("%s", wrong);
	json_t *json = weir_output_document("crew");
	json_t *failed = weir_need(json_array());
	const char *report = report_of(request, ended);
	uint32_t blocks = ended[0].result.blocks ? ended[0].result.blocks : request->blocks;

	json_object_set_new(json, "ranks", json_integer(request->ranks));
	json_object_set_new(json, "blocks", json_integer(blocks));
	json_object_set_new(json, "device",
	                    json_string(request->device ? request->device : "host"));
	json_object_set_new(json, "rounds", json_integer(request->rounds));
	if (!has_program && request->decodes)
		show_forms(common, request, &ended[0].result, json);
	else if (!has_program)
		show_figures(common, request, &ended[0].result, json);
	for (const char *line = report; *line;) {
		size_t length = strcspn(line, "\n");
		weir_complain(WEIR_EXIT_FAILED, "%.*s", (int)length, line);
		line += length + (line[length] != 0);
	}
	for (uint32_t i = 0; i < request->ranks; i++)
		show_end(&ended[i], i, failed);
	json_object_set_new(json, "report", json_string(report));
	json_object_set_new(json, "failed", failed);
	int written = weir_write_json(common->json, json);
	return status ? status : written;
}

static int check_decode(const crew_request *request)
{
	const char *why = request->decodes ? crew_decode_refuses(request) : NULL;

	return why ? weir_refuse("%s", why) : WEIR_EXIT_OK;
}

static int check_fault(const crew_request *request)
{
	if (!request->fault || request->fault_rank < request->ranks)
		return WEIR_EXIT_OK;
	return weir_refuse("--fault: there is no rank %u of %u", request->fault_rank,
	                   request->ranks);
}

/* Acts as one rank of a crew that another launcher has started. */
static int be_rank(const weir_common *common, crew_request *request, const weir_crew_place *place)
{
	crew_ended *ended = weir_need(calloc(place->ranks, sizeof *ended));
	int status = WEIR_EXIT_OK;

	request->ranks = place->ranks;
	if (check_fault(request) || check_decode(request)) {
		free(ended);
		return WEIR_EXIT_USAGE;
	}
	crew_run(request, place, &ended[place->rank].result);
	const crew_result *result = &ended[place->rank].result;
	status = (int)result->status;
	if (place->rank == 0) {
		for (uint32_t i = 0; i < place->ranks; i++)
			ended[i].has_started = 1;
		ended[0].has_result = 1;
		status = show(common, request, ended, 0, status);
	} else if (result->text[0]) {
		weir_complain(status, "rank %u: %.*s", place->rank,
		              (int)strcspn(result->text, "\n"), result->text);
	}
	free(ended);
	return status;
}

static int launch(const weir_common *common, const crew_request *request, char **program)
{
	crew_ended *ended = weir_need(calloc(request->ranks, sizeof *ended));
	int status;

	weir_stop_catch();
	status = crew_launch(request, program, ended);
	status = show(common, request, ended, program != NULL, status);
	free(ended);
	return status;
}

static int run(const weir_common *common, crew_request *request, int ranks_given, char **program)
{
	weir_crew_place place;
	weir_status found = ranks_given || program ? WEIR_NOT_FOUND : weir_crew_place_find(&place);

	if (found == WEIR_OK)
		return be_rank(common, request, &place);
	if (found != WEIR_NOT_FOUND)
		return weir_refuse("%s", weir_error_text());
	int status = check_fault(request);
	if (!status)
		status = check_decode(request);
	return status ? status : launch(common, request, program);
}

/* Checks which options fit together, and fills in defaults. */
static int check_request(crew_request *request)
{
	if (request->nccl && (!request->decodes || !request->device))
		return weir_refuse("--nccl needs --decode and a CUDA device");
	if (request->decodes && request->device && strncmp(request->device, "ptx", 3) == 0)
		return weir_refuse(
		    "--decode: it is timed against launches on a CUDA stream, which %s lacks, and "
		    "times there measure nothing; use host or cuda",
		    request->device);
	if (request->fault == CREW_HASTY && !request->decodes)
		return weir_refuse("--fault: hasty needs --decode");
	if (request->decodes && request->rounds > MOST_TOKENS)
		return weir_refuse("--rounds: at most %s",
		                   weir_count_figure(MOST_TOKENS, "token").text);
	if (request->rounds == 0)
		request->rounds = request->decodes ? 20 : 200;
	if (request->blocks == 0 && !(request->decodes && request->device))
		request->blocks = 2;
	return WEIR_EXIT_OK;
}

static int run_program(const weir_common *common, crew_request *request, char **program)
{
	int status = check_given(common, &mode_program);

	if (!status && request->fault && request->fault != CREW_ABSENT)
		status = weir_refuse("--fault: of a program's ranks, one can only be absent");
	return status ? status : run(common, request, 1, program);
}

static int run_simulation(const asked *a, int has_links)
{
	int status = check_given(&a->common, &mode_simulate);

	return status ? status
	              : crew_simulate(&a->common, &a->simulate, has_links ? &a->links : NULL);
}

static int can_have_crews(const char *device)
{
	size_t length = strcspn(device, ":");

	return (length == 4 && strncmp(device, "cuda", 4) == 0) ||
	       (length == 3 && strncmp(device, "ptx", 3) == 0);
}

int weir_command_crew(int argc, char **argv)
{
	asked a = {.common = {.help = &help, .rows = options, .program_follows = 1},
	           .crew = {.ranks = 2, .repeats = 5, .seconds = 10}};
	const weir_common *common = &a.common;

	if (!weir_options_read(argc, argv, &a.common))
		return common->status;
	int has_links = weir_option_given(common, "links");
	if (common->device && strcmp(common->device, "host") != 0)
		a.crew.device = common->device;
	if (a.crew.device && !can_have_crews(a.crew.device))
		return weir_refuse(
		    "--device: crews run on host, cuda, cuda:NUMBER or ptx, not on %s",
		    a.crew.device);
	if (a.simulate.count && optind < argc)
		return weir_refuse("--simulate and a program exclude each other");
	if (has_links && !a.simulate.count)
		return weir_refuse("--links needs --simulate");
	int status = check_request(&a.crew);
	if (!status)
		status = weir_check_writable(common->json);
	if (status)
		return status;
	if (a.simulate.count)
		return run_simulation(&a, has_links);
	if (optind < argc)
		return run_program(common, &a.crew, argv + optind);
	status = check_given(common, a.crew.decodes ? &mode_decode : &mode_trials);
	return status ? status : run(common, &a.crew, weir_option_given(common, "ranks"), NULL);
}
