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
#include "launch.h"
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
    "\n"
    "  -n, --ranks N     how many ranks (2)\n"
    "  --blocks B        blocks of each rank (2)\n"
    "  --radix K         a rank signals K - 1 others in each round of a barrier (one that suits\n"
    "                    the number of ranks)\n"
    "  --rounds R        rounds of each trial (200)\n"
    "  --device NAME     where the kernels run: host (the default), or cuda:0 and so on\n"
    "  --seconds S       the deadline of each wait (10)\n"
    "  --fault WHAT:R    rank R does wrong: kill (its process ends in the middle), stay (it does\n"
    "                    not come), late, or absent (it never starts)\n"
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
                                        {"simulate", required_argument, NULL, 'm'},
                                        {"links", required_argument, NULL, 'l'},
                                        WEIR_OPTION_DEVICE,
                                        WEIR_OPTION_JSON,
                                        WEIR_OPTION_LAST};

#define MOST_BLOCKS 4096
#define MOST_ROUNDS 10000000

static int parse_fault(const char *text, crew_request *request)
{
	static const char *const names[] = {"", "kill", "stay", "late", "absent"};
	const char *colon = strchr(text, ':');

	for (crew_fault i = CREW_KILL; colon && i <= CREW_ABSENT; i++)
		if (strlen(names[i]) == (size_t)(colon - text) &&
		    strncmp(names[i], text, (size_t)(colon - text)) == 0) {
			request->fault = i;
			return weir_parse_count("--fault", colon + 1, 0,
			                        WEIR_CREW_PROCESSES_MOST - 1, &request->fault_rank);
		}
	return weir_complain(WEIR_EXIT_USAGE,
	                     "--fault: '%s' is none of kill:R, stay:R, late:R and absent:R", text);
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
	default:
		return parse_fault(optarg, request);
	}
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
		fprintf(stream, "%u ranks of %u blocks on %s, radix %u, %u rounds each\n\n",
		        request->ranks, request->blocks,
		        request->device ? request->device : "this host", result->radix,
		        request->rounds);
	weir_table_end(table, result->done ? stream : NULL);
	json_object_set_new(json, "radix", json_integer(result->radix));
	json_object_set_new(json, "trials", trials);
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

/* The report of a rank that has one: of those that have seen for themselves who is missing. */
static const char *report_of(const crew_request *request, const crew_ended *ended)
{
	const char *found = "";

	for (uint32_t i = 0; i < request->ranks; i++) {
		const char *text = ended[i].has_result ? ended[i].result.text : "";

		if (strstr(text, "has not") || strstr(text, "is gone"))
			return text;
		if (!found[0])
			found = text;
	}
	return found;
}

static int show(const weir_common *common, const crew_request *request, const crew_ended *ended,
                int has_program, int status)
{
	json_t *json = weir_output_document("crew");
	json_t *failed = weir_need(json_array());
	const char *report = report_of(request, ended);

	json_object_set_new(json, "ranks", json_integer(request->ranks));
	json_object_set_new(json, "blocks", json_integer(request->blocks));
	json_object_set_new(json, "device",
	                    json_string(request->device ? request->device : "host"));
	json_object_set_new(json, "rounds", json_integer(request->rounds));
	if (!has_program)
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

/* One rank of a crew that another launcher has started. */
static int be_rank(const weir_common *common, crew_request *request, const weir_crew_place *place)
{
	crew_ended *ended = weir_need(calloc(place->ranks, sizeof *ended));
	int status = WEIR_EXIT_OK;

	request->ranks = place->ranks;
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
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	if (request->fault && request->fault_rank >= request->ranks)
		return weir_complain(WEIR_EXIT_USAGE, "--fault: there is no rank %u of %u",
		                     request->fault_rank, request->ranks);
	return launch(common, request, program);
}

int weir_command_crew(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options, .letters = "+:hn:"};
	crew_request request = {.ranks = 2, .blocks = 2, .rounds = 200, .seconds = 10};
	struct simulation simulation = {.ranks = {.count = 0}};
	int ranks_given = 0;

	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
		int status =
		    c == 'm' || c == 'l' ? take_simulated(c, &simulation) : take(c, &request);
		if (status)
			return status;
		ranks_given |= c == 'n';
	}
	if (common.device && strcmp(common.device, "host") != 0)
		request.device = common.device;
	int status = weir_check_writable(common.json);
	if (status)
		return status;
	int is_simulated = simulation.ranks.count != 0;
	if (is_simulated && optind < argc)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--simulate and a program exclude each other");
	if (simulation.has_links && !is_simulated)
		return weir_complain(WEIR_EXIT_USAGE, "--links goes with --simulate");
	if (is_simulated)
		return crew_simulate(&common, &simulation.ranks,
		                     simulation.has_links ? &simulation.links : NULL);
	return run(&common, &request, ranks_given, optind < argc ? argv + optind : NULL);
}
