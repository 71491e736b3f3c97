/* weir bench: throughput and fairness of each kind over block counts. */
#include "command.h"
#include "measure_sim.h"

static const char help[] =
    "usage: weir bench barrier|mutex|semaphore [OPTION]...\n"
    "\n"
    "Operations a second of each kind, from one block to as many as run at once, with the spread\n"
    "over the repeats, Jain's index of fairness among the blocks (1 is even) and the share of the\n"
    "block that got least (1 is an even share).\n"
    "On a simulated device (sim:NAME, see weir devices) a point is one run of a million accesses,\n"
    "with the backoff tuned for it: --rounds, --repeats and --limit change nothing, and there is "
    "no\n"
    "--work, no --save and no figure of fairness.\n"
    "\n"
    "  --device NAME     cuda:0, opencl:0, host, sim:gf100, ...; the best device if not given\n"
    "  --kinds LIST      say spin,ticket; all if not given\n"
    "  --blocks LIST     say 1,132,2112\n"
    "  --threads N       threads of each block (128; 32 on a CPU)\n"
    "  --rounds N        operations of each block (1000)\n"
    "  --repeats N       runs of each point, after a warm-up (5; 3 on a CPU)\n"
    "  --work N          words that a critical section reads and writes (0)\n"
    "  --initial LIST    initial values of semaphores (1,2,10,120)\n"
    "  --limit SECONDS   for each point (2; 0.4 on a CPU); one that hits it is marked\n"
    "  --save            put the points into the user's profile of the device\n"
    "  --json FILE       write the same as JSON; - for standard output\n"
    "  --help            print this\n";

static const struct option options[] = {WEIR_OPTION_DEVICE,
                                        WEIR_OPTION_JSON,
                                        {"kinds", required_argument, NULL, 'k'},
                                        {"blocks", required_argument, NULL, 'b'},
                                        {"threads", required_argument, NULL, 't'},
                                        {"rounds", required_argument, NULL, 'r'},
                                        {"repeats", required_argument, NULL, 'n'},
                                        {"work", required_argument, NULL, 'w'},
                                        {"initial", required_argument, NULL, 'i'},
                                        {"limit", required_argument, NULL, 'l'},
                                        {"save", no_argument, NULL, 's'},
                                        WEIR_OPTION_LAST};

enum {
	MOST_BLOCKS = 1 << 20,
	MOST_THREADS = 1024,
	MOST_ROUNDS = 100000000,
	MOST_REPEATS = 1000,
	MOST_WORK = 4096,
	MOST_INITIAL = 1 << 20
};

/* What the command line asks for; 0 or an empty list: the default. */
struct request {
	enum weir_primitive primitive;
	const char *kinds_text;
	weir_counts kinds;
	weir_sweep sweep;
	int save;
};

static int take_option(int c, struct request *request)
{
	weir_sweep *sweep = &request->sweep;

	switch (c) {
	case 'k':
		request->kinds_text = optarg;
		return 0;
	case 'b':
		return weir_parse_counts("--blocks", optarg, 1, MOST_BLOCKS, &sweep->blocks);
	case 't':
		return weir_parse_count("--threads", optarg, 1, MOST_THREADS, &sweep->threads);
	case 'r':
		return weir_parse_count("--rounds", optarg, 1, MOST_ROUNDS, &sweep->rounds);
	case 'n':
		return weir_parse_count("--repeats", optarg, 1, MOST_REPEATS, &sweep->repeats);
	case 'w':
		return weir_parse_count("--work", optarg, 0, MOST_WORK, &sweep->work);
	case 'i':
		return weir_parse_counts("--initial", optarg, 1, MOST_INITIAL, &sweep->initials);
	case 'l':
		return weir_parse_seconds("--limit", optarg, &sweep->limit_s);
	default:
		request->save = 1;
		return 0;
	}
}

static int take_operands(int argc, char **argv, struct request *request)
{
	if (optind >= argc)
		return weir_complain(WEIR_EXIT_USAGE, "bench barrier, mutex or semaphore?");
	int status = weir_parse_primitive(argv[optind++], &request->primitive);
	if (!status)
		status = weir_no_operands(argc, argv);
	if (status)
		return status;
	if (request->primitive == WEIR_PRIMITIVE_BARRIER && request->sweep.work)
		return weir_complain(WEIR_EXIT_USAGE, "--work: a barrier has no critical section");
	if (request->primitive != WEIR_PRIMITIVE_SEMAPHORE && request->sweep.initials.count)
		return weir_complain(WEIR_EXIT_USAGE, "--initial: only semaphores have one");
	request->kinds = weir_all_kinds(request->primitive);
	return request->kinds_text
	           ? weir_parse_kinds(request->kinds_text, request->primitive, &request->kinds)
	           : 0;
}

/* Puts the device's defaults where nothing was asked for. */
static int complete(weir_meter *meter, struct request *request)
{
	weir_sweep *asked = &request->sweep;
	uint32_t most;
	weir_sweep sweep;

	if (meter->sim && asked->work)
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--work: %s runs empty critical sections only",
		                     meter->info.name);
	if (asked->threads > meter->info.max_threads_per_block)
		return weir_complain(WEIR_EXIT_USAGE, "--threads: %s runs at most %u in a block",
		                     meter->info.name, meter->info.max_threads_per_block);
	if (weir_sweep_default(meter, asked->threads, &sweep) != WEIR_OK ||
	    weir_measure_most_blocks(meter, sweep.threads, &most) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	for (uint32_t i = 0; i < asked->blocks.count; i++)
		if (asked->blocks.values[i] > most)
			return weir_complain(WEIR_EXIT_USAGE,
			                     "--blocks: %u of %u threads do not run at once on %s, "
			                     "at most %u do",
			                     asked->blocks.values[i], sweep.threads,
			                     meter->info.name, most);
	sweep.rounds = asked->rounds ? asked->rounds : sweep.rounds;
	sweep.repeats = asked->repeats ? asked->repeats : sweep.repeats;
	sweep.limit_s = asked->limit_s > 0 ? asked->limit_s : sweep.limit_s;
	sweep.blocks = asked->blocks.count ? asked->blocks : sweep.blocks;
	sweep.initials = asked->initials.count ? asked->initials : sweep.initials;
	sweep.work = asked->work;
	*asked = sweep;
	return 0;
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
	weir_table_cell(table, "%.0f%%", spread);
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
		json_array_append_new(array, weir_json_point(&points->points[i]));
	}
	weir_table_end(table, text);
	return array;
}

static void print_head(FILE *text, const weir_meter *meter, const struct request *request)
{
	const char *primitive = weir_primitive_names[request->primitive];

	fprintf(text, "%s: %s, %s\n", meter->info.name, meter->info.description,
	        meter->info.driver);
	if (meter->sim)
		fprintf(text,
		        "%s, %u threads a block, simulated: %llu accesses a point, backoff tuned "
		        "for this machine\n\n",
		        primitive, request->sweep.threads,
		        (unsigned long long)meter->sim->accesses);
	else
		fprintf(text, "%s, %u threads a block, %u operations a block%s\n\n", primitive,
		        request->sweep.threads, request->sweep.rounds,
		        request->sweep.work ? ", with work in the critical section" : "");
}

static int show(const weir_meter *meter, const struct request *request, const weir_profile *points,
                const weir_common *common, int complete)
{
	FILE *text = weir_text_stream(common);
	json_t *json = weir_json_document("bench");

	if (text)
		print_head(text, meter, request);
	json_object_set_new(json, "device", weir_json_device(&meter->info));
	json_object_set_new(json, "points", show_points(text, request->primitive, points));
	json_object_set_new(json, "complete", json_boolean(complete));
	return weir_write_json(common->json, json);
}

static int save_points(const weir_meter *meter, const weir_profile *points, FILE *text)
{
	weir_profile *profile;
	weir_status status = weir_profile_start(meter, &profile);
	char path[4096];

	for (size_t i = 0; status == WEIR_OK && i < points->point_count; i++)
		status = weir_profile_add_point(profile, &points->points[i]);
	if (status != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
	int stored = weir_profile_store(profile, meter, NULL, path, sizeof path);
	weir_profile_free(profile);
	if (!stored && text)
		fprintf(text, "\nsaved in %s\n", path);
	return stored;
}

static int run_bench(weir_meter *meter, const struct request *request, const weir_common *common)
{
	weir_profile *points = weir_profile_empty(&meter->info);
	weir_progress progress;

	weir_stop_catch();
	weir_progress_begin(&progress, meter->sim ? "simulating" : "measuring",
	                    weir_sweep_size(&request->sweep, request->primitive, &request->kinds));
	weir_status measured = weir_measure_sweep(meter, &request->sweep, request->primitive,
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

int weir_command_bench(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options};
	struct request request = {0};
	weir_meter meter;
	int status = 0;

	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
		status = take_option(c, &request);
		if (status)
			return status;
	}
	status = take_operands(argc, argv, &request);
	if (!status)
		status = weir_check_writable(common.json);
	if (!status)
		status = weir_meter_open(common.device, &meter);
	if (status)
		return status;
	status = complete(&meter, &request);
	if (!status && request.save)
		status = weir_profile_check_store(&meter);
	if (!status)
		status = run_bench(&meter, &request, &common);
	weir_meter_close(&meter);
	return status;
}
