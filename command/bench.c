/* weir bench: throughput and fairness of each kind over block counts. */
#include <getopt.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "figures/ranking.h"
#include "forms/command.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "peers/show.h"
#include "peers/tournament.h"
#include "sim/prediction.h"
#include "sweep/request.h"
#include "sweep/store.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const char help[] =
    "usage: weir bench barrier|mutex|semaphore [OPTION]...\n"
    "       weir bench kernels [OPTION]...     real kernels; see weir bench kernels --help\n"
    "\n"
    "Operations a second of each kind, from one block to as many as run at once, with the spread\n"
    "over the repeats, Jain's index of fairness among the blocks (1 is even) and the share of the\n"
    "block that got least (1 is an even share).\n"
    "It ends with the best kind, its lead over the next and the spread of both, and what the\n"
    "fastest fair kind costs.\n"
    "On a simulated device (sim:NAME, see weir devices) a point is one run of a million accesses,\n"
    "with what weir tune finds there: --rounds, --repeats and --limit change nothing, and there "
    "is\n"
    "no --work, no --save and no figure of fairness.\n"
    "\n"
    "  --device NAME     cuda:0, opencl:0, host, sim:gf100, ...; the best device if not given\n"
    "  --kinds LIST      say spin,ticket; all if not given\n"
    "  --blocks LIST     say 1,132,2112\n"
    "  --threads N       threads of each block (128; 32 on a CPU)\n"
    "  --rounds N        operations of each block, at least; there are as many as take 5 ms, or\n"
    "                    10 on a CPU, and no fewer than 20 (8 of a barrier)\n"
    "  --repeats N       of each point, after a warm-up (5); on a GPU each at three places in "
    "memory\n"
    "  --work N          words that a critical section reads and writes (0)\n"
    "  --cluster N       blocks in a cluster (none), where the device has clusters; for mutexes\n"
    "  --initial LIST    initial values of semaphores (1,2,10,120)\n"
    "  --limit SECONDS   for each point (2; 0.4 on a CPU); one that hits it is marked\n"
    "  --peers           CUDA's own primitives beside weir's, in turns in one run, with ratios; on "
    "a\n"
    "                    CUDA device, with rounds that take some milliseconds, at least 7 "
    "repeats,\n"
    "                    and the backoffs of the profile\n"
    "  --save            put the points into the user's profile of the device\n"
    "  --json FILE       write the same as JSON; - for standard output\n"
    "  --help            print this\n";

static const struct option options[] = {WEIR_OPTION_DEVICE,
                                        WEIR_OPTION_JSON,
                                        WEIR_REQUEST_OPTIONS,
                                        WEIR_REQUEST_LIMIT,
                                        {"rounds", required_argument, NULL, 'r'},
                                        {"repeats", required_argument, NULL, 'n'},
                                        {"work", required_argument, NULL, 'w'},
                                        {"cluster", required_argument, NULL, 'c'},
                                        {"peers", no_argument, NULL, 'p'},
                                        {"save", no_argument, NULL, 's'},
                                        WEIR_OPTION_LAST};

enum {
	MOST_ROUNDS = 100000000,
	MOST_REPEATS = 1000,
	MOST_WORK = 4096,
	MOST_CLUSTER = 64
};

struct request {
	weir_request shared;
	enum weir_primitive primitive;
	weir_counts kinds;
	int peers;
	int save;
};

static int take_option(int c, struct request *request)
{
	weir_sweep *sweep = &request->shared.sweep;

	switch (c) {
	case 'r':
		return weir_parse_count("--rounds", optarg, 1, MOST_ROUNDS, &sweep->rounds);
	case 'n':
		return weir_parse_count("--repeats", optarg, 1, MOST_REPEATS, &sweep->repeats);
	case 'w':
		return weir_parse_count("--work", optarg, 0, MOST_WORK, &sweep->work);
	case 'c':
		return weir_parse_count("--cluster", optarg, 2, MOST_CLUSTER, &sweep->cluster);
	case 'p':
		request->peers = 1;
		return 0;
	case 's':
		request->save = 1;
		return 0;
	default:
		return weir_request_take(c, &request->shared);
	}
}

static int take_operands(int argc, char **argv, struct request *request)
{
	if (optind >= argc)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "bench barrier, mutex, semaphore or kernels?");
	if (strcmp(argv[optind], "kernels") == 0)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "kernels comes first: weir bench kernels ...");
	int status = weir_parse_primitive(argv[optind++], &request->primitive);
	if (!status)
		status = weir_no_operands(argc, argv);
	if (status)
		return status;
	if (request->primitive == WEIR_PRIMITIVE_BARRIER && request->shared.sweep.work)
		return weir_complain(WEIR_EXIT_USAGE, "--work: a barrier has no critical section");
	if (request->primitive != WEIR_PRIMITIVE_SEMAPHORE && request->shared.sweep.initials.count)
		return weir_complain(WEIR_EXIT_USAGE, "--initial: only semaphores have one");
	if (request->primitive != WEIR_PRIMITIVE_MUTEX && request->shared.sweep.cluster)
		return weir_complain(WEIR_EXIT_USAGE, "--cluster: only mutexes profit from one");
	if (request->save && request->shared.sweep.cluster)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--cluster and --save exclude each other: a profile is about "
		                     "plain launches");
	return weir_request_kinds(&request->shared, request->primitive, &request->kinds);
}

/* Refuses options that exclude --peers. */
static int check_peers(struct request *request)
{
	weir_sweep *sweep = &request->shared.sweep;

	if (!request->peers)
		return 0;
	if (request->save)
		return weir_complain(WEIR_EXIT_USAGE, "--peers and --save exclude each other");
	if (sweep->rounds)
		return weir_complain(WEIR_EXIT_USAGE, "--rounds: --peers finds them by itself");
	if (sweep->repeats && sweep->repeats < WEIR_PEERS_REPEATS)
		return weir_complain(WEIR_EXIT_USAGE, "--repeats: --peers takes at least %d",
		                     WEIR_PEERS_REPEATS);
	if (!sweep->repeats)
		sweep->repeats = WEIR_PEERS_REPEATS;
	return weir_peers_check_built();
}

static int check_cluster(const weir_meter *meter, const weir_sweep *sweep)
{
	if (sweep->cluster > meter->info.cluster_blocks)
		return weir_complain(WEIR_EXIT_USAGE, "--cluster: %s has no clusters of %u blocks",
		                     meter->info.name, sweep->cluster);
	for (uint32_t i = 0; sweep->cluster && i < sweep->blocks.count; i++)
		if (sweep->blocks.values[i] % sweep->cluster)
			return weir_complain(WEIR_EXIT_USAGE,
			                     "--cluster: %u does not divide %u blocks",
			                     sweep->cluster, sweep->blocks.values[i]);
	return 0;
}

static int check_device(const weir_meter *meter, const struct request *request)
{
	if (request->peers && (meter->sim || meter->info.machine != WEIR_MACHINE_CUDA))
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--peers: %s is not a CUDA device, which the peers need",
		                     meter->info.name);
	if (meter->sim && request->shared.sweep.work)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--work: %s runs empty critical sections only",
		                     meter->info.name);
	return check_cluster(meter, &request->shared.sweep);
}

static void add_row(weir_table *table, const weir_point *point)
{
	double spread =
	    point->per_second > 0 ? (point->high - point->low) / point->per_second * 100 : 0;

	weir_table_cell(table, "%s", weir_kind_name(point->primitive, point->kind));
	if (point->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		weir_table_cell(table, "%u", point->initial);
	weir_table_cell(table, "%u", point->blocks);
	weir_table_cell(table, "%s", weir_rate_figure(point->per_second).text);
	if (point->repeats > 1 || point->simulated)
		weir_table_cell(table, "%.0f%%", spread);
	else
		weir_table_cell(table, "-");
	if (point->jain > 0) {
		weir_table_cell(table, "%.3f", point->jain);
		weir_table_cell(table, "%.2f", point->worst_share);
	} else {
		weir_table_cell(table, "-");
		weir_table_cell(table, "-");
	}
	weir_table_cell(table, "%llu", (unsigned long long)point->completed);
	weir_table_cell(table, "%s", point->timed_out ? "limit" : "");
}

static json_t *show_points(FILE *text, enum weir_primitive primitive, const weir_profile *points)
{
	static const char *const others[] = {"<kind",     "blocks", "per second",
	                                     "spread",    "Jain",   "worst share",
	                                     "completed", "<",      NULL};
	static const char *const semaphores[] = {"<kind",  "initial", "blocks",      "per second",
	                                         "spread", "Jain",    "worst share", "completed",
	                                         "<",      NULL};
	weir_table *table =
	    weir_table_make(primitive == WEIR_PRIMITIVE_SEMAPHORE ? semaphores : others);
	json_t *array = weir_need(json_array());

	for (size_t i = 0; i < points->point_count; i++) {
		add_row(table, &points->points[i]);
		json_array_append_new(array, weir_output_point(&points->points[i]));
	}
	weir_table_end(table, text);
	return array;
}

static json_t *show_rankings(FILE *text, enum weir_primitive primitive, const weir_profile *points)
{
	weir_ranking rankings[WEIR_RANKINGS];
	size_t count = weir_rankings(points, primitive, rankings);
	json_t *array = weir_need(json_array());

	if (text && count)
		fprintf(text, "\n");
	for (size_t i = 0; i < count; i++) {
		if (text)
			weir_ranking_print(text, &rankings[i]);
		json_array_append_new(array, weir_output_ranking(&rankings[i]));
	}
	return array;
}

static void print_head(FILE *text, const weir_meter *meter, const struct request *request)
{
	const char *primitive = weir_primitive_name(request->primitive);

	fprintf(text, "%s: %s, %s\n", meter->info.name, meter->info.description,
	        meter->info.driver);
	if (meter->sim)
		fprintf(
		    text,
		    "%s, %u threads a block, simulated: %llu accesses a point, settings as weir "
		    "tune finds them\n\n",
		    primitive, request->shared.sweep.threads,
		    (unsigned long long)meter->sim->accesses);
	else
		fprintf(text, "%s, %u threads a block%s\n\n", primitive,
		        request->shared.sweep.threads,
		        request->shared.sweep.work ? ", with work in the critical section" : "");
}

static int show(const weir_meter *meter, const struct request *request, const weir_profile *points,
                const weir_common *common, int complete)
{
	FILE *text = weir_text_stream(common);
	json_t *json = weir_output_document("bench");

	if (text)
		print_head(text, meter, request);
	json_object_set_new(json, "device", weir_output_device(&meter->info));
	json_object_set_new(json, "points", show_points(text, request->primitive, points));
	json_object_set_new(json, "verdicts", show_rankings(text, request->primitive, points));
	json_object_set_new(json, "complete", json_boolean(complete));
	return weir_write_json(common->json, json);
}

static int save_points(const weir_meter *meter, const weir_profile *points, FILE *text)
{
	weir_profile *profile;
	weir_status status = weir_store_open(meter, &profile);
	char path[4096];

	for (size_t i = 0; status == WEIR_OK && i < points->point_count; i++)
		status = weir_profile_add_point(profile, &points->points[i]);
	if (status != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	int stored = weir_store_write(profile, meter, NULL, path, sizeof path);
	weir_profile_free(profile);
	if (!stored && text)
		fprintf(text, "\nsaved in %s\n", path);
	return stored;
}

static int run_bench(weir_meter *meter, const struct request *request, const weir_common *common)
{
	weir_profile *points = weir_store_empty(&meter->info);
	weir_progress progress;

	weir_stop_catch();
	weir_progress_begin(
	    &progress, meter->sim ? "simulating" : "measuring",
	    weir_sweep_size(&request->shared.sweep, request->primitive, &request->kinds));
	weir_status measured = weir_measure_sweep(meter, &request->shared.sweep, request->primitive,
	                                          &request->kinds, 0, &progress, points);
	weir_progress_end(&progress);
	int status = 0;
	if (measured != WEIR_OK)
		status = weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	int shown = show(meter, request, points, common, status == 0);
	if (!shown && request->save && points->point_count)
		shown = save_points(meter, points, weir_text_stream(common));
	weir_profile_free(points);
	return shown ? shown : status;
}

static int run_peers(weir_meter *meter, const struct request *request, const weir_common *common,
                     const char *command_line)
{
	weir_tournament tournament = {.meter = meter,
	                              .primitive = request->primitive,
	                              .kinds = request->kinds,
	                              .sweep = request->shared.sweep};
	int status = 0;

	if (weir_peers_program(meter->device, &tournament.program) != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	weir_stop_catch();
	if (weir_tournament_run(&tournament) != WEIR_OK)
		status = weir_complain(WEIR_EXIT_FAILED, "%s", tournament.failure);
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	int shown = weir_tournament_show(&tournament, common, command_line, status == 0);
	weir_tournament_free(&tournament);
	return shown ? shown : status;
}

/* As it was typed: getopt moves operands to the end. */
static void keep_command_line(int argc, char **argv, char *line, size_t room)
{
	size_t used = (size_t)snprintf(line, room, "weir");

	for (int i = 0; i < argc && used < room; i++)
		used += (size_t)snprintf(line + used, room - used, " %s", argv[i]);
}

int weir_command_bench(int argc, char **argv)
{
	char command_line[1024];
	weir_common common = {.help = help, .options = options};
	struct request request = {0};
	weir_meter meter;
	int status = 0;

	keep_command_line(argc, argv, command_line, sizeof command_line);
	if (argc > 1 && strcmp(argv[1], "kernels") == 0) {
		static char name[] = "bench kernels"; /* for complaints */
		argv[1] = name;
		return weir_bench_kernels(argc - 1, argv + 1, command_line);
	}
	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
		status = take_option(c, &request);
		if (status)
			return status;
	}
	status = take_operands(argc, argv, &request);
	if (!status)
		status = check_peers(&request);
	if (!status)
		status = weir_check_writable(common.json);
	if (!status)
		status = weir_meter_open(common.device, &meter);
	if (status)
		return status;
	status = check_device(&meter, &request);
	if (!status)
		status = weir_request_complete(&request.shared, &meter);
	if (!status && request.save)
		status = weir_store_check(&meter);
	if (!status && request.peers)
		status = run_peers(&meter, &request, &common, command_line);
	else if (!status)
		status = run_bench(&meter, &request, &common);
	weir_meter_close(&meter);
	return status;
}
