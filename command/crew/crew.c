/* weir crew: tries a crew of processes on this host, or starts a program as one. */
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
#include "decode.h"
#include "launch.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"
#include "simulate.h"
#include "trial.h"

static const char help[] =
    "usage: weir crew [-n N] [OPTION]... [PROGRAM [ARGUMENT]...]\n"
    "\n"
    "Starts N processes of this host as the ranks of a crew. Without a program they try it:\n"
    "barriers over all ranks, an event and an item of a queue that go round. A rank that does not\n"
    "come is named. Under mpirun or srun each process is the rank that it is there.\n"
    "With --decode they take tokens through a transformer whose weights are divided over the "
    "ranks:\n"
    "in one launch with the sums over the ranks inside, by events; and with a launch for each "
    "part.\n"
    "Each form is checked against a model that is not divided.\n"
    "\n"
    "  -n, --ranks N     how many ranks (2)\n"
    "  --blocks B        blocks of each rank (2; as many as fit, to decode on a GPU)\n"
    "  --radix K         a rank signals K - 1 others in each round of a barrier (one that suits\n"
    "                    the number of ranks)\n"
    "  --rounds R        rounds of each trial (200), or tokens (20)\n"
    "  --device NAME     where the kernels run: host (the default), or cuda:0 and so on\n"
    "  --seconds S       the deadline of each wait (10)\n"
    "  --decode          decode in place of the trials, by up to 8 ranks\n"
    "  --layers N        of the model that decodes (2; 28 on a GPU)\n"
    "  --repeats N       of each form that decodes, after a warm-up (5)\n"
    "  --nccl FILE       also decode with NCCL between launches, on CUDA: say libnccl.so.2\n"
    "  --fault WHAT:R    rank R does wrong: kill (its process ends in the middle), stay (it does\n"
    "                    not come), late, absent (it never starts), or hasty (it does not wait,\n"
    "                    with --decode)\n"
    "  --simulate LIST   simulate barriers and events of so many GPUs instead: 8,72,4096\n"
    "  --links D,L,G,L,G with --simulate: GPUs of an NVLink domain, and in ns the latency of a\n"
    "                    signal and the least time between two: inside, then between domains\n"
    "  --json FILE       write the same as JSON; - for standard output\n"
    "  --help            print this\n";

static const struct option options[] = {{"ranks", required_argument, NULL, 'n'},
                                        {"blocks", required_argument, NULL, 'b'},
                                        {"radix", required_argument, NULL, 'x'},
                                        {"rounds", required_argument, NULL, 'r'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"fault", required_argument, NULL, 'f'},
                                        {"decode", no_argument, NULL, 'd'},
                                        {"layers", required_argument, NULL, 'y'},
                                        {"repeats", required_argument, NULL, 't'},
                                        {"nccl", required_argument, NULL, 'c'},
                                        {"simulate", required_argument, NULL, 'm'},
                                        {"links", required_argument, NULL, 'l'},
                                        WEIR_OPTION_DEVICE,
                                        WEIR_OPTION_JSON,
                                        WEIR_OPTION_LAST};

#define MOST_BLOCKS 4096
#define MOST_ROUNDS 10000000
#define MOST_TOKENS 10000
#define MOST_LAYERS 100
#define MOST_REPEATS 1000

static int parse_fault(const char *text, crew_request *request)
{
	static const char *const names[] = {"", "kill", "stay", "late", "absent", "hasty"};
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

static int take(int c, crew_request *request)
{
	switch (c) {
	case 'n':
		return weir_parse_count("--ranks", optarg, 1, WEIR_CREW_PROCESSES_MOST,
		                        &request->ranks);
	case 'b':
		return weir_parse_count("--blocks", optarg, 1, MOST_BLOCKS, &request->blocks);
	case 'x':
		return weir_parse_count("--radix", optarg, 2, WEIR_CREW_PROCESSES_MOST,
		                        &request->radix);
	case 'r':
		return weir_parse_count("--rounds", optarg, 4, MOST_ROUNDS, &request->rounds);
	case 's':
		return weir_parse_seconds("--seconds", optarg, &request->seconds);
	case 'd':
		request->decodes = 1;
		return WEIR_EXIT_OK;
	case 'y':
		return weir_parse_count("--layers", optarg, 1, MOST_LAYERS, &request->layers);
	case 't':
		return weir_parse_count("--repeats", optarg, 1, MOST_REPEATS, &request->repeats);
	case 'c':
		request->nccl = optarg;
		return WEIR_EXIT_OK;
	default:
		return parse_fault(optarg, request);
	}
}

/* What `weir crew` can do: the letters of the options that are about it, and what to say of others. */
typedef struct mode {
	const char *takes;
	const char *complaint;
	int has_device;
} mode;

static const mode mode_trials = {"nbxrsf", "needs --decode", 1};
static const mode mode_decode = {"nbxrsfdytc", "does not go with --decode", 1};
static const mode mode_program = {"nsf", "is for weir crew without a program", 0};
static const mode mode_simulate = {"ml", "does not go with --simulate", 0};

/* An option without an effect is refused: its user expects one. */
static int check_given(const weir_common *common, const char *given, const mode *mode)
{
	if (common->device && !mode->has_device)
		return weir_refuse("--device %s", mode->complaint);
	for (const struct option *o = options; o->name; o++)
		if (strchr(given, o->val) && !strchr(mode->takes, o->val))
			return weir_refuse("--%s %s", o->name, mode->complaint);
	return WEIR_EXIT_OK;
}

struct simulation {
	weir_counts ranks;
	weir_sim_links links;
	int has_links;
};

static int take_simulated(int c, struct simulation *simulation)
{
	if (c == 'm')
		return weir_parse_counts("--simulate", optarg, 1, WEIR_SIM_RANKS_MOST,
		                         &simulation->ranks);
	simulation->has_links = 1;
	return crew_parse_links(optarg, &simulation->links);
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

/* The forms that rank 0 has decoded in, and how long each took beside the one by the crew's events. */
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

/* The report of a rank that has one: of those that have seen for themselves who is missing, or what is wrong. */
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

/* What was wrong with the input, as a rank says: its device or its program does not exist. Or NULL. */
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

/* One rank of a crew that another launcher has started. */
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

/* What goes together, and the defaults of what is not given. */
static int check_request(crew_request *request)
{
	if (request->nccl && (!request->decodes || !request->device))
		return weir_refuse("--nccl needs --decode and a CUDA device");
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

static int run_program(const weir_common *common, crew_request *request, const char *given,
                       char **program)
{
	int status = check_given(common, given, &mode_program);

	if (!status && request->fault && request->fault != CREW_ABSENT)
		status = weir_refuse("--fault: of a program's ranks, one can only be absent");
	return status ? status : run(common, request, 1, program);
}

static int run_simulation(const weir_common *common, const struct simulation *simulation,
                          const char *given)
{
	int status = check_given(common, given, &mode_simulate);

	return status ? status
	              : crew_simulate(common, &simulation->ranks,
	                              simulation->has_links ? &simulation->links : NULL);
}

int weir_command_crew(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options, .letters = "+:hn:"};
	crew_request request = {.ranks = 2, .repeats = 5, .seconds = 10};
	struct simulation simulation = {.ranks = {.count = 0}};
	char given[sizeof options / sizeof options[0]] = ""; /* letters, each once */

	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
		int status =
		    c == 'm' || c == 'l' ? take_simulated(c, &simulation) : take(c, &request);
		if (status)
			return status;
		if (!strchr(given, c))
			given[strlen(given)] = (char)c;
	}
	if (common.device && strcmp(common.device, "host") != 0)
		request.device = common.device;
	if (request.device && strcmp(request.device, "cuda") != 0 &&
	    strncmp(request.device, "cuda:", 5) != 0)
		return weir_refuse("--device: crews run on host, cuda or cuda:NUMBER, not on %s",
		                   request.device);
	int is_simulated = simulation.ranks.count != 0;
	if (is_simulated && optind < argc)
		return weir_refuse("--simulate and a program exclude each other");
	if (simulation.has_links && !is_simulated)
		return weir_refuse("--links goes with --simulate");
	int status = check_request(&request);
	if (!status)
		status = weir_check_writable(common.json);
	if (status)
		return status;
	if (is_simulated)
		return run_simulation(&common, &simulation, given);
	if (optind < argc)
		return run_program(&common, &request, given, argv + optind);
	status = check_given(&common, given, request.decodes ? &mode_decode : &mode_trials);
	return status ? status : run(&common, &request, strchr(given, 'n') != NULL, NULL);
}
