/* weir bench: throughput and fairness of each kind over block counts. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "compare/peers.h"
#include "compare/ranking.h"
#include "forms/bench.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/programs.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "sweep/request.h"
#include "sweep/store.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir bench PRIMITIVE [OPTION]...\n"
	     "weir bench kernels [OPTION]...",
    .what = "Measures throughput and fairness of each kind of a primitive over block counts. "
	    "PRIMITIVE is barrier, mutex, semaphore, event, queue, dispenser, tasks, rwlock, "
	    "condition, once or combiner.",
    .examples = {{"weir bench mutex --blocks 1,132,2112", "mutexes at three levels of contention"},
                 {"weir bench barrier --peers", "barriers beside CUDA's or pthreads' own"}}};

enum {
	MOST_ROUNDS = 100000000,
	MOST_REPEATS = 1000,
	MOST_WORK = 4096,
	MOST_CLUSTER = 64,
	MOST_STORES = 256,
	MOST_US = 1000
};

struct request {
	weir_common common;
	weir_request shared;
	enum weir_primitive primitive;
	weir_counts kinds;
	weir_busy_sweep busy;
	int peers;
	int is_duel;     /* --busy */
	int has_threads; /* --threads is given; the same for --blocks */
	int has_blocks;
	int save;
	const char *patterns_text;
};

static const weir_option options[] = {
    WEIR_GROUP("What to measure"),
    WEIR_ROW_DEVICE_SAYING("cuda:0, opencl:0, host, sim:h200, ... (the best one here)"),
    {"kinds", "LIST", "kinds, such as spin,ticket (all)",
     WEIR_TO_TEXT(struct request, shared.kinds_text)},
    {"blocks", "LIST", "block counts, such as 1,132 or 1..240:8 (1 up to all that run at once)",
     WEIR_TO_NUMBERS(struct request, shared.sweep.blocks, 1, WEIR_MOST_BLOCKS)},
    {"threads", "N", "threads per block (128; 32 on a CPU)",
     WEIR_TO_NUMBER(struct request, shared.sweep.threads, 1, WEIR_MOST_THREADS)},
    {"initial", "LIST", "initial values of semaphores (1,2,10,120)",
     WEIR_TO_NUMBERS(struct request, shared.sweep.initials, 1, WEIR_MOST_INITIAL)},
    {"patterns", "LIST", "how blocks use events, queues, ...; the manual lists them (all)",
     WEIR_TO_TEXT(struct request, patterns_text)},
    {"work", "N", "words that a critical section reads and writes (0)",
     WEIR_TO_NUMBER(struct request, shared.sweep.work, 0, MOST_WORK)},
    {"cluster", "N", "blocks per cluster, for mutexes on devices with clusters (none)",
     WEIR_TO_NUMBER(struct request, shared.sweep.cluster, 2, MOST_CLUSTER)},
    {"stores", "LIST", "words that every thread stores before each barrier (0)",
     WEIR_TO_NUMBERS(struct request, busy.stores, 0, MOST_STORES)},
    {"uneven", "LIST", "maximum microseconds of random work by a block before each barrier (0)",
     WEIR_TO_NUMBERS(struct request, busy.unevens, 0, MOST_US)},
    WEIR_GROUP("Beside others"),
    {"peers", NULL, "CUDA's primitives, or pthreads' on the host, in the same run",
     WEIR_TO_FLAG(struct request, peers)},
    {"busy", NULL, "with --peers: the barrier and grid.sync() after work, over many shapes",
     WEIR_TO_FLAG(struct request, is_duel)},
    WEIR_GROUP("How long"),
    {"limit", "SECONDS", "time limit of a point (2; 0.4 on a CPU)",
     WEIR_TO_SECONDS(struct request, shared.sweep.limit_s)},
    {"repeats", "N", "runs of each point after a warm-up (5)",
     WEIR_TO_NUMBER(struct request, shared.sweep.repeats, 1, MOST_REPEATS)},
    {"rounds", "N", "minimum number of operations of each block (20; 8 for a barrier)",
     WEIR_TO_NUMBER(struct request, shared.sweep.rounds, 1, MOST_ROUNDS)},
    WEIR_GROUP("Output"),
    {"save", NULL, "add the points to the user's profile of the device",
     WEIR_TO_FLAG(struct request, save)},
    WEIR_ROW_JSON,
    {.name = NULL}};

/* Refuses options that conflict with work before a barrier, and completes --busy. */
static int check_busy(struct request *request)
{
	static const weir_counts stores = {{0, 4, 16}, 3};
	static const weir_counts unevens = {{0, 1, 5}, 3};
	weir_busy_sweep *busy = &request->busy;
	const char *option = request->is_duel      ? "--busy"
	                     : busy->stores.count  ? "--stores"
	                     : busy->unevens.count ? "--uneven"
	                                           : NULL;

	if (!option)
		return 0;
	if (request->primitive != WEIR_PRIMITIVE_BARRIER)
		return weir_refuse("%s: only for barriers", option);
	if (request->save)
		return weir_refuse("%s and --save exclude each other: a profile is about blocks "
		                   "that do nothing else",
		                   option);
	if (!request->is_duel)
		return 0;
	if (!request->peers)
		return weir_refuse("--busy: only with --peers");
	if (request->shared.kinds_text)
		return weir_refuse(
		    "--busy and --kinds exclude each other: it is about the default");
	if (busy->stores.count == 0)
		busy->stores = stores;
	if (busy->unevens.count == 0)
		busy->unevens = unevens;
	return 0;
}

#define SUBJECTS                                                                                   \
	"barrier, mutex, semaphore, event, queue, dispenser, tasks, rwlock, condition, once, "     \
	"combiner or kernels"

static int take_operands(int argc, char **argv, struct request *request)
{
	if (optind >= argc)
		return weir_refuse("bench " SUBJECTS "?");
	if (strcmp(argv[optind], "kernels") == 0)
		return weir_refuse("kernels comes first: weir bench kernels ...");
	if (!weir_is_benchmarked(argv[optind], &request->primitive))
		return weir_refuse("'%s' is not " SUBJECTS, argv[optind]);
	optind++;
	int status = weir_no_operands(argc, argv);
	if (status)
		return status;
	if (request->primitive == WEIR_PRIMITIVE_BARRIER && request->shared.sweep.work)
		return weir_refuse("--work: a barrier has no critical section");
	if (weir_has_patterns(request->primitive) && request->shared.sweep.work)
		return weir_refuse("--work: %s has no critical section",
		                   weir_primitive_id(request->primitive));
	if (!weir_kind_at(request->primitive, 0) && request->shared.kinds_text)
		return weir_refuse("--kinds: %s has none", weir_primitive_id(request->primitive));
	if (!weir_has_patterns(request->primitive) && request->patterns_text)
		return weir_refuse("--patterns: %s has none",
		                   weir_primitive_id(request->primitive));
	if (request->patterns_text)
		status = weir_parse_patterns(request->patterns_text, request->primitive,
		                             &request->shared.sweep.patterns);
	if (status)
		return status;
	if (request->primitive != WEIR_PRIMITIVE_SEMAPHORE && request->shared.sweep.initials.count)
		return weir_refuse("--initial: only semaphores have one");
	if (request->primitive != WEIR_PRIMITIVE_MUTEX && request->shared.sweep.cluster)
		return weir_refuse("--cluster: only mutexes profit from one");
	if (request->save && request->shared.sweep.cluster)
		return weir_refuse("--cluster and --save exclude each other: a profile is about "
		                   "plain launches");
	status = check_busy(request);
	return status ? status
	              : weir_request_kinds(&request->shared, request->primitive, &request->kinds);
}

/* Refuses options that conflict with --peers. */
static int check_peers(struct request *request)
{
	weir_sweep *sweep = &request->shared.sweep;

	if (!request->peers)
		return 0;
	if (request->save)
		return weir_refuse("--peers and --save exclude each other");
	if (sweep->rounds)
		return weir_refuse("--rounds: --peers finds them by itself");
	if (sweep->repeats && sweep->repeats < WEIR_PEERS_REPEATS)
		return weir_refuse("--repeats: --peers takes at least %d", WEIR_PEERS_REPEATS);
	if (!sweep->repeats)
		sweep->repeats = request->is_duel ? WEIR_DUEL_REPEATS : WEIR_PEERS_REPEATS;
	return 0;
}

static int check_cluster(const weir_meter *meter, const weir_sweep *sweep)
{
	if (sweep->cluster > meter->info.cluster_blocks)
		return weir_refuse("--cluster: %s has no clusters of %s", meter->info.name,
		                   weir_count_figure(sweep->cluster, "block").text);
	for (uint32_t i = 0; sweep->cluster && i < sweep->blocks.count; i++)
		if (sweep->blocks.values[i] % sweep->cluster)
			return weir_refuse(
			    "--cluster: %u does not divide %s", sweep->cluster,
			    weir_count_figure(sweep->blocks.values[i], "block").text);
	return 0;
}

static int check_kinds(const weir_meter *meter, const struct request *request)
{
	for (uint32_t i = 0; i < request->kinds.count; i++) {
		const weir_kind *kind =
		    weir_kind_find(request->primitive, request->kinds.values[i]);
		if (kind && kind->role == WEIR_BY_VENDOR &&
		    (meter->sim || !weir_kind_runs(meter->device, kind)))
			return weir_refuse("--kinds: %s is the vendor's, which %s lacks",
			                   kind->name, meter->info.name);
	}
	return 0;
}

static int check_device(const weir_meter *meter, const struct request *request)
{
	int status = check_kinds(meter, request);

	if (status)
		return status;
	if (request->peers && (status = weir_peers_check_device(meter)) != 0)
		return status;
	if (request->is_duel && meter->info.machine != WEIR_MACHINE_CUDA)
		return weir_refuse("--busy: %s has no grid.sync()", meter->info.name);
	if (meter->sim && request->shared.sweep.work)
		return weir_refuse("--work: %s runs empty critical sections only",
		                   meter->info.name);
	if (meter->sim && weir_busy_asked(&request->busy))
		return weir_refuse("--stores, --uneven: blocks of %s do nothing but synchronize",
		                   meter->info.name);
	if (meter->sim) {
		status = weir_check_simulated(&request->shared.sweep.patterns);
		if (status)
			return status;
	}
	return check_cluster(meter, &request->shared.sweep);
}

/* Adds the vendor's kinds where the device has them; with peers, a separate contender covers
 * these. */
static void add_vendor_kinds(struct request *request, const weir_device *device)
{
	const weir_kind *kind;

	for (size_t i = 0; (kind = weir_kind_at(request->primitive, i)) != NULL; i++)
		if (kind->role == WEIR_BY_VENDOR && weir_kind_runs(device, kind))
			request->kinds.values[request->kinds.count++] = kind->value;
}

/* Refuses requested patterns that do not suit any number of blocks or any kind, and a sweep without
 * points. */
static int check_points(const struct request *request, const weir_meter *meter)
{
	const weir_sweep *sweep = &request->shared.sweep;
	weir_counts initials = weir_sweep_initials(sweep, request->primitive);
	uint32_t all = 0;

	for (uint32_t i = 0; i < initials.count; i++) {
		uint32_t fit = 0;
		for (uint32_t j = 0; j < sweep->blocks.count * request->kinds.count; j++) {
			weir_point point = {.primitive = request->primitive,
			                    .kind = request->kinds.values[j / sweep->blocks.count],
			                    .blocks = sweep->blocks.values[j % sweep->blocks.count],
			                    .threads = sweep->threads};
			weir_point_vary(&point, initials.values[i]);
			fit += weir_point_fits(&point, meter->info.machine) != 0;
		}
		all += fit;
		if (request->patterns_text && fit == 0)
			return weir_refuse("--patterns: %s needs more blocks, other threads or "
			                   "a device with teams",
			                   weir_pattern_name(initials.values[i]));
	}
	if (all == 0)
		return weir_refuse("%s: there is nothing to measure: all of it needs more "
		                   "blocks, other threads or other kinds",
		                   weir_primitive_id(request->primitive));
	return 0;
}

/* Of the default counts, keeps those that are whole clusters. */
static void keep_whole_clusters(weir_sweep *sweep)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < sweep->blocks.count; i++)
		if (sweep->blocks.values[i] % sweep->cluster == 0)
			sweep->blocks.values[kept++] = sweep->blocks.values[i];
	sweep->blocks.count = kept;
}

/* Fills in what was not given. If any blocks are busy, sizes are for the busy kernels, which need
 * more registers. */
static int complete(struct request *request, weir_meter *meter)
{
	const weir_busy_sweep *busy = &request->busy;
	weir_status status = WEIR_OK;

	request->has_threads = request->shared.sweep.threads != 0;
	request->has_blocks = request->shared.sweep.blocks.count != 0;
	for (uint32_t i = 0; status == WEIR_OK && i < weir_busy_size(busy); i++)
		if (i == 0 || !weir_is_busy(meter->busy))
			status = weir_meter_set_busy(meter, weir_busy_at(busy, i));
	if (status != WEIR_OK)
		return weir_complain_failed();
	if (!request->shared.kinds_text && !request->peers && !meter->sim)
		add_vendor_kinds(request, meter->device);
	int refused = weir_request_complete(&request->shared, meter);
	if (!refused && request->shared.sweep.cluster)
		keep_whole_clusters(&request->shared.sweep);
	return refused ? refused : check_points(request, meter);
}

static void add_row(weir_table *table, const weir_point *point)
{
	double spread =
	    point->per_second > 0 ? (point->high - point->low) / point->per_second * 100 : 0;

	weir_table_cell(table, "%s", weir_kind_name(point->primitive, point->kind));
	if (point->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		weir_table_cell(table, "%u", point->initial);
	if (weir_has_patterns(point->primitive))
		weir_table_cell(table, "%s", weir_pattern_name(point->pattern));
	weir_table_cell(table, "%u", point->blocks);
	weir_table_cell(table, "%s", weir_rate_figure(point->per_second).text);
	if (point->primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		weir_table_cell(table, "%.3f", 1e6 / point->per_second);
	else if (weir_has_patterns(point->primitive))
		weir_table_cell(table, "%.2f", 1e9 / point->per_second);
	if (point->repeats > 1 || point->simulated)
		weir_table_cell(table, "%.0f%%", spread);
	else
		weir_table_cell(table, "-");
	if (point->jain > 0) {
		weir_table_cell(table, "%.3f", point->jain);
		weir_table_cell(table, "%.2f", point->worst_share);
	} else if (!weir_has_patterns(point->primitive)) {
		weir_table_cell(table, "-");
		weir_table_cell(table, "-");
	}
	weir_table_cell(table, "%llu", (unsigned long long)point->completed);
	weir_table_cell(table, "%s", point->timed_out ? "limit" : "");
}

static weir_table *make_table(enum weir_primitive primitive)
{
	static const char *const others[] = {"<kind",     "blocks", "per second",
	                                     "spread",    "Jain",   "worst share",
	                                     "completed", "<",      NULL};
	static const char *const semaphores[] = {"<kind",  "initial", "blocks",      "per second",
	                                         "spread", "Jain",    "worst share", "completed",
	                                         "<",      NULL};
	static const char *const events[] = {"<kind",  "<pattern",  "blocks", "per second", "us",
	                                     "spread", "completed", "<",      NULL};
	static const char *const patterns[] = {"<kind",  "<pattern",  "blocks", "per second", "ns",
	                                       "spread", "completed", "<",      NULL};

	return weir_table_make(primitive == WEIR_PRIMITIVE_SEMAPHORE     ? semaphores
	                       : primitive == WEIR_PRIMITIVE_EVENT_ARRAY ? events
	                       : weir_has_patterns(primitive)            ? patterns
	                                                                 : others);
}

/* Adds a row for each kind and initial value or pattern, as wide as any that will be measured. */
static void add_widest(weir_table *table, const struct request *request)
{
	const weir_sweep *sweep = &request->shared.sweep;
	weir_counts initials = weir_sweep_initials(sweep, request->primitive);

	for (uint32_t i = 0; i < initials.count * request->kinds.count; i++) {
		weir_point widest = {.primitive = request->primitive,
		                     .kind = request->kinds.values[i % request->kinds.count],
		                     .threads = sweep->threads,
		                     .repeats = 2,
		                     .completed = 100000000,
		                     .per_second = 1.23e3,
		                     .high = 1.23e4,
		                     .jain = 1,
		                     .worst_share = 1,
		                     .timed_out = 1};
		for (uint32_t j = 0; j < sweep->blocks.count; j++)
			if (sweep->blocks.values[j] > widest.blocks)
				widest.blocks = sweep->blocks.values[j];
		weir_point_vary(&widest, initials.values[i / request->kinds.count]);
		add_row(table, &widest);
	}
}

/* The output of a sweep while it runs. */
struct showing {
	weir_table *table;
	weir_progress *progress;
};

static void show_point(void *context, const weir_point *point)
{
	struct showing *showing = context;

	weir_progress_hide(showing->progress);
	add_row(showing->table, point);
}

static json_t *json_points(const weir_profile *points)
{
	json_t *array = weir_need(json_array());

	for (size_t i = 0; i < points->point_count; i++)
		json_array_append_new(array, weir_output_point(&points->points[i]));
	return array;
}

/* Whether all requested kinds that fit were measured there. */
static int is_whole(const weir_profile *points, const weir_comparison *at, const weir_counts *kinds,
                    enum weir_machine machine)
{
	for (uint32_t i = 0; i < kinds->count; i++) {
		const weir_point wanted = {.primitive = at->primitive,
		                           .kind = kinds->values[i],
		                           .initial = at->initial,
		                           .pattern = at->pattern,
		                           .blocks = at->blocks,
		                           .threads = at->threads};
		const weir_kind *kind = weir_kind_find(at->primitive, kinds->values[i]);
		if (kind && kind->role == WEIR_FOR_USE && weir_point_fits(&wanted, machine) &&
		    !weir_profile_point(points, at, kinds->values[i]))
			return 0;
	}
	return 1;
}

/* A comparison that was stopped has no verdict. */
static json_t *show_rankings(FILE *text, enum weir_primitive primitive, const weir_counts *kinds,
                             const weir_profile *points)
{
	weir_ranking rankings[WEIR_RANKINGS];
	size_t count = weir_rankings(points, primitive, rankings);
	json_t *array = weir_need(json_array());

	if (text && count)
		fprintf(text, "\n");
	for (size_t i = 0; i < count; i++) {
		if (!is_whole(points, &rankings[i].comparison, kinds, points->device.machine))
			continue;
		if (text)
			weir_ranking_print(text, &rankings[i]);
		json_array_append_new(array, weir_output_ranking(&rankings[i]));
	}
	return array;
}

static double count_points(const struct request *request)
{
	return (double)weir_busy_size(&request->busy) *
	       weir_sweep_size(&request->shared.sweep, request->primitive, &request->kinds);
}

static void print_head(FILE *text, const weir_meter *meter, const struct request *request)
{
	const char *primitive = weir_primitive_id(request->primitive);
	double points = count_points(request);

	fprintf(text, "%s: %s, %s\n", meter->info.name, meter->info.description,
	        meter->info.driver);
	if (meter->sim)
		fprintf(text, "%s, %s a block, simulated: %s a point%s\n", primitive,
		        weir_count_figure(request->shared.sweep.threads, "thread").text,
		        weir_count_figure((unsigned long long)meter->sim->accesses, "access").text,
		        weir_has_patterns(request->primitive)
		            ? ""
		            : ", settings as weir tune finds them");
	else
		fprintf(text, "%s, %s a block%s; %s of at most %g s\n", primitive,
		        weir_count_figure(request->shared.sweep.threads, "thread").text,
		        request->shared.sweep.work ? ", with work in the critical section" : "",
		        weir_count_figure((unsigned long long)points, "point").text,
		        request->shared.sweep.limit_s);
	if (!meter->sim)
		weir_progress_warn(text, points * request->shared.sweep.limit_s,
		                   "--kinds, --blocks and --limit bound");
}

static int save_points(const weir_meter *meter, const weir_profile *points, FILE *text)
{
	weir_profile *profile = weir_store_open(meter);
	weir_status status = WEIR_OK;
	char path[4096];

	for (size_t i = 0; status == WEIR_OK && i < points->point_count; i++)
		status = weir_profile_add_point(profile, &points->points[i]);
	if (status != WEIR_OK)
		return weir_complain_failed();
	int stored = weir_store_write(profile, meter, NULL, path, sizeof path);
	weir_profile_destroy(profile);
	if (!stored && text)
		fprintf(text, "\nsaved in %s\n", path);
	return stored;
}

/* Measures one pair of work before a barrier. Prints its points as they are measured, and adds them
 * to the JSON object. */
static weir_status measure_pair(weir_meter *meter, const struct request *request, weir_busy busy,
                                weir_progress *progress, weir_profile *points, json_t *object)
{
	FILE *text = weir_text_stream(&request->common);
	struct showing showing = {make_table(request->primitive), progress};
	const weir_sweep_watch watch = {progress, show_point, &showing};
	char busy_text[96];
	weir_status status = weir_meter_set_busy(meter, busy);

	weir_progress_hide(progress);
	if (text)
		fputc('\n', text);
	if (weir_busy_asked(&request->busy)) {
		if (text)
			fprintf(text, "%s\n", weir_busy_text(busy, busy_text));
		json_object_set_new(object, "stores", weir_need(json_integer(busy.stores)));
		json_object_set_new(object, "uneven_us", weir_need(json_integer(busy.uneven_us)));
	}
	add_widest(showing.table, request);
	weir_table_flow(showing.table, text);
	if (status == WEIR_OK)
		status = weir_measure_sweep(meter, &request->shared.sweep, request->primitive,
		                            &request->kinds, 0, &watch, points);
	weir_progress_hide(progress);
	weir_table_end(showing.table, text);
	if (text)
		weir_print_roles(text, request->primitive, &request->kinds);
	json_object_set_new(object, "points", json_points(points));
	json_object_set_new(object, "verdicts",
	                    show_rankings(text, request->primitive, &request->kinds, points));
	return status;
}

/* Measures all pairs, and completes the document. Keeps the points of the first pair in `first`. */
static weir_status measure(weir_meter *meter, const struct request *request, weir_profile *first,
                           json_t *json)
{
	uint32_t pairs = weir_busy_size(&request->busy);
	int asked = weir_busy_asked(&request->busy);
	json_t *array = asked ? weir_need(json_array()) : NULL;
	weir_progress progress;
	weir_status status = WEIR_OK;

	weir_progress_begin(&progress, meter->sim ? "simulating" : "measuring", "point",
	                    count_points(request));
	for (uint32_t i = 0; status == WEIR_OK && i < pairs && (i == 0 || !weir_stop_asked());
	     i++) {
		weir_profile *points = i == 0 ? first : weir_store_empty(&meter->info);
		json_t *object = asked ? weir_need(json_object()) : json;
		status = measure_pair(meter, request, weir_busy_at(&request->busy, i), &progress,
		                      points, object);
		if (asked)
			json_array_append_new(array, object);
		if (i > 0)
			weir_profile_destroy(points);
	}
	weir_progress_end(&progress);
	if (asked)
		json_object_set_new(json, "busy", array);
	return status;
}

static int run_bench(weir_meter *meter, const struct request *request)
{
	FILE *text = weir_text_stream(&request->common);
	weir_profile *points = weir_store_empty(&meter->info);
	json_t *json = weir_output_document("bench");
	int status = 0;

	weir_stop_catch();
	if (text)
		print_head(text, meter, request);
	json_object_set_new(json, "device", weir_output_device(&meter->info));
	if (measure(meter, request, points, json) != WEIR_OK)
		status = weir_complain_failed();
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	weir_progress_say_stopped(text);
	json_object_set_new(json, "complete", json_boolean(status == 0));
	int shown = weir_write_json(request->common.json, json);
	if (!shown && request->save && points->point_count)
		shown = save_points(meter, points, text);
	weir_profile_destroy(points);
	return shown ? shown : status;
}

static int run_tournament(weir_tournament *tournament, const weir_common *common,
                          const char *command_line)
{
	int status = 0;

	weir_stop_catch();
	if (weir_tournament_run(tournament) != WEIR_OK)
		status = weir_complain(WEIR_EXIT_FAILED, "%s", tournament->failure);
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	int shown = weir_tournament_show(tournament, common, command_line, status == 0);
	return shown ? shown : status;
}

static int run_peers(weir_meter *meter, const struct request *request, const char *command_line)
{
	const weir_sweep *sweep = &request->shared.sweep;
	weir_tournament tournament = {.meter = meter,
	                              .primitive = request->primitive,
	                              .kinds = request->kinds,
	                              .sweep = *sweep,
	                              .threads = {{sweep->threads}, 1},
	                              .busy = request->busy,
	                              .is_duel = request->is_duel,
	                              .text = weir_text_stream(&request->common)};
	int status;

	if (request->is_duel) {
		tournament.kinds.count = 0;
		tournament.threads.count = request->has_threads;
		tournament.sweep.blocks.count = request->has_blocks ? sweep->blocks.count : 0;
	}
	if ((meter->info.machine == WEIR_MACHINE_HOST
	         ? weir_threads_program(meter->device, &tournament.program)
	         : weir_peers_program(meter->device, &tournament.program)) != WEIR_OK ||
	    weir_tournament_plan(&tournament) != WEIR_OK)
		status = weir_complain_failed();
	else if (tournament.planned == 0)
		status = weir_refuse(
		    "--blocks: %s cannot run that many at once in the kernels of --peers",
		    meter->info.name);
	else
		status = run_tournament(&tournament, &request->common, command_line);
	weir_tournament_free(&tournament);
	return status;
}

/* Keeps the command line as typed: getopt moves operands to the end. */
static void keep_command_line(int argc, char **argv, char *line, size_t room)
{
	size_t used = (size_t)snprintf(line, room, "weir");

	for (int i = 0; i < argc && used < room; i++)
		used += (size_t)snprintf(line + used, room - used, " %s", argv[i]);
}

int weir_command_bench(int argc, char **argv)
{
	char command_line[1024];
	struct request request = {.common = {.help = &help, .rows = options}};
	weir_meter meter;
	int status = 0;

	keep_command_line(argc, argv, command_line, sizeof command_line);
	if (argc > 1 && strcmp(argv[1], "kernels") == 0) {
		static char name[] = "bench kernels"; /* for error messages */
		argv[1] = name;
		return weir_bench_kernels(argc - 1, argv + 1, command_line);
	}
	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	status = take_operands(argc, argv, &request);
	if (!status)
		status = check_peers(&request);
	if (!status)
		status = weir_check_writable(request.common.json);
	if (!status)
		status = weir_meter_open(request.common.device, &meter);
	if (status)
		return status;
	meter.primitive = request.primitive;
	status = check_device(&meter, &request);
	if (!status)
		status = complete(&request, &meter);
	if (!status && request.save)
		status = weir_store_check(&meter);
	if (!status && request.peers)
		status = run_peers(&meter, &request, command_line);
	else if (!status)
		status = run_bench(&meter, &request);
	weir_meter_close(&meter);
	return status;
}
