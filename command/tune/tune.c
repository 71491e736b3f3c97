/* weir tune: finds the backoff or the shape of each kind for this device. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "sweep/request.h"
#include "sweep/store.h"
#include "sweep/sweep.h"
#include "tune/search.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir tune [barrier|mutex|semaphore] [OPTION]...",
    .what = "Searches the backoff of each kind and the shape of the counter barrier for a device.",
    .examples = {{"weir tune --save", "tune everything, and let the library use what won"},
                 {"weir tune mutex --kinds spin_backoff --seconds 10", "one kind, in 10 seconds"}}};

enum {
	/* A repeat is a run at each place; a GPU has several places. */
	GPU_TRIAL_REPEATS = 1,
	CPU_TRIAL_REPEATS = 3,
	GPU_SECONDS = 6, /* for a case */
	CPU_SECONDS = 2
};

struct request {
	weir_common common;
	weir_request shared;
	const char *primitive_text;
	enum weir_primitive primitive; /* valid if primitive_text is not NULL */
	weir_counts kinds;             /* those named by --kinds */
	weir_counts barrier_blocks;
	double seconds;
	int save;
};

static int take_primitive(const char *text, void *into)
{
	struct request *request = into;

	request->primitive_text = text;
	return weir_parse_primitive(text, &request->primitive);
}

static const weir_option options[] = {
    WEIR_GROUP("What to tune"),
    WEIR_ROW_DEVICE,
    {"primitive", "P", "barrier, mutex or semaphore; the same as the operand (all three)",
     WEIR_TO(take_primitive)},
    {"kinds", "LIST", "only these kinds of that primitive",
     WEIR_TO_TEXT(struct request, shared.kinds_text)},
    {"blocks", "LIST",
     "levels of contention, such as 1,132 or 1..240:8 (several up to all that run)",
     WEIR_TO_NUMBERS(struct request, shared.sweep.blocks, 1, WEIR_MOST_BLOCKS)},
    {"initial", "LIST", "initial values of semaphores (1,10; 1 on a CPU)",
     WEIR_TO_NUMBERS(struct request, shared.sweep.initials, 1, WEIR_MOST_INITIAL)},
    {"threads", "N", "threads per block (128; 32 on a CPU)",
     WEIR_TO_NUMBER(struct request, shared.sweep.threads, 1, WEIR_MOST_THREADS)},
    WEIR_GROUP("How long"),
    {"seconds", "S", "time for the whole search (6 for each case; 2 on a CPU)",
     WEIR_TO_SECONDS(struct request, seconds)},
    WEIR_GROUP("Output"),
    {"save", NULL, "add what won to the user's profile of the device",
     WEIR_TO_FLAG(struct request, save)},
    WEIR_ROW_JSON,
    {.name = NULL}};

static int check_request(int argc, char **argv, struct request *request)
{
	int status = 0;

	if (optind < argc && !request->primitive_text) {
		request->primitive_text = argv[optind++];
		status = weir_parse_primitive(request->primitive_text, &request->primitive);
	}
	if (!status && request->primitive_text && weir_has_patterns(request->primitive))
		status = weir_refuse("%s has nothing to tune: its waits do not pause, and its kind "
		                     "follows from its use",
		                     weir_primitive_id(request->primitive));
	if (!status)
		status = weir_no_operands(argc, argv);
	if (status || !request->shared.kinds_text)
		return status;
	if (!request->primitive_text)
		return weir_refuse("--kinds needs a primitive");
	status = weir_request_kinds(&request->shared, request->primitive, &request->kinds);
	for (uint32_t i = 0; !status && i < request->kinds.count; i++)
		if (!weir_tune_can(request->primitive, request->kinds.values[i]))
			status = weir_refuse(
			    "--kinds: '%s' has nothing to tune",
			    weir_kind_name(request->primitive, request->kinds.values[i]));
	return status;
}

/* Chooses among the counts of a sweep: two blocks, a block on every fourth unit, then all counts
 * from a block on each unit upwards. On a CPU it takes the number that runs at once. */
static weir_counts barrier_blocks(const weir_device_info *info, const weir_counts *all)
{
	weir_counts chosen = {0};
	uint32_t last = all->values[all->count - 1];

	if (!info->is_gpu || info->units > last)
		return (weir_counts){{last}, 1};
	if (info->units > 2)
		chosen.values[chosen.count++] = 2;
	if (info->units / 4 > 2)
		chosen.values[chosen.count++] = info->units / 4;
	for (uint32_t i = 0; i < all->count; i++)
		if (all->values[i] >= info->units)
			chosen.values[chosen.count++] = all->values[i];
	return chosen;
}

/* A few levels of contention: a block on each unit, and the number that runs at once. */
static int complete(weir_meter *meter, struct request *request)
{
	const weir_device_info *info = &meter->info;
	weir_sweep *sweep = &request->shared.sweep;
	int own_blocks = sweep->blocks.count == 0;
	int own_initials = sweep->initials.count == 0;
	int status = weir_request_complete(&request->shared, meter);

	if (status)
		return status;
	request->barrier_blocks = own_blocks ? barrier_blocks(info, &sweep->blocks) : sweep->blocks;
	if (own_blocks) {
		uint32_t last = sweep->blocks.values[sweep->blocks.count - 1];
		uint32_t first = info->is_gpu && info->units < last ? info->units : last;
		sweep->blocks = (weir_counts){{first, last}, first < last ? 2 : 1};
	}
	if (own_initials)
		sweep->initials = (weir_counts){{1, 10}, info->is_gpu ? 2 : 1};
	return 0;
}

struct cases {
	weir_tune_case *items;
	size_t count;
};

static int is_wanted(const struct request *request, enum weir_primitive primitive, uint32_t kind)
{
	if (request->primitive_text && request->primitive != primitive)
		return 0;
	if (request->kinds.count == 0)
		return weir_tune_can(primitive, kind) &&
		       weir_kind_find(primitive, kind)->role == WEIR_FOR_USE;
	for (uint32_t i = 0; i < request->kinds.count; i++)
		if (request->kinds.values[i] == kind)
			return 1;
	return 0;
}

static void add_cases(struct cases *cases, const struct request *request, uint32_t repeats,
                      enum weir_primitive primitive)
{
	const weir_sweep *sweep = &request->shared.sweep;
	const weir_counts *blocks =
	    primitive == WEIR_PRIMITIVE_BARRIER ? &request->barrier_blocks : &sweep->blocks;
	weir_counts kinds = weir_all_kinds(primitive);
	uint32_t initials = primitive == WEIR_PRIMITIVE_SEMAPHORE ? sweep->initials.count : 1;

	for (uint32_t i = 0; i < kinds.count * initials * blocks->count; i++) {
		uint32_t kind = kinds.values[i / blocks->count / initials];
		if (!is_wanted(request, primitive, kind))
			continue;
		cases->items =
		    weir_need(realloc(cases->items, (cases->count + 1) * sizeof *cases->items));
		cases->items[cases->count++].point = (weir_point){
		    .primitive = primitive,
		    .kind = kind,
		    .initial = primitive == WEIR_PRIMITIVE_SEMAPHORE
		                   ? sweep->initials.values[i / blocks->count % initials]
		                   : 0,
		    .blocks = blocks->values[i % blocks->count],
		    .threads = sweep->threads,
		    .repeats = repeats,
		};
	}
}

static struct cases make_cases(const weir_meter *meter, const struct request *request)
{
	struct cases cases = {0};
	uint32_t repeats = meter->info.is_gpu ? GPU_TRIAL_REPEATS : CPU_TRIAL_REPEATS;

	add_cases(&cases, request, repeats, WEIR_PRIMITIVE_BARRIER);
	add_cases(&cases, request, repeats, WEIR_PRIMITIVE_MUTEX);
	add_cases(&cases, request, repeats, WEIR_PRIMITIVE_SEMAPHORE);
	for (size_t i = 0; i < cases.count; i++)
		cases.items[i].seconds = request->seconds > 0
		                             ? request->seconds / (double)cases.count
		                         : meter->info.is_gpu ? GPU_SECONDS
		                                              : CPU_SECONDS;
	return cases;
}

static void add_row(weir_table *table, const weir_tuning *tuning, uint32_t tried)
{
	weir_table_cells(table, "%s\t%s", weir_primitive_name(tuning->primitive),
	                 weir_kind_name(tuning->primitive, tuning->kind));
	weir_table_count(table, tuning->initial);
	weir_table_cell(table, "%u", tuning->blocks);
	if (tuning->shape.known)
		weir_table_cells(table, "-\t-\t%u", 1u << tuning->shape.shape.bits);
	else
		weir_table_cells(table, "%u\t%u\t-", tuning->backoff.min, tuning->backoff.max);
	weir_table_cells(table, "%s\t%s", weir_rate_figure(tuning->untuned_per_second).text,
	                 weir_rate_figure(tuning->tuned_per_second).text);
	if (tuning->tuned_per_second == tuning->untuned_per_second)
		weir_table_cell(table, "none");
	else
		weir_table_cell(table, "%+.0f%%",
		                (tuning->tuned_per_second / tuning->untuned_per_second - 1) * 100);
	weir_table_cell(table, "%u", tried);
}

/* As wide as any row that will be added, with a title's width where that is more. */
static void add_widest(weir_table *table, const struct cases *cases)
{
	for (size_t i = 0; i < cases->count; i++)
		weir_table_cells(
		    table, "%s\t%s\t-\t%u\t0000\t00000\t00\t0.00 M\t0.00 M\t+000%%\t00",
		    weir_primitive_name(cases->items[i].point.primitive),
		    weir_kind_name(cases->items[i].point.primitive, cases->items[i].point.kind),
		    cases->items[i].point.blocks);
}

static double seconds_of(const struct cases *cases)
{
	double sum = 0;

	for (size_t i = 0; i < cases->count; i++)
		sum += cases->items[i].seconds;
	return sum;
}

static weir_status tune_cases(weir_meter *meter, const struct cases *cases, weir_table *table,
                              json_t *array, weir_profile *profile)
{
	weir_status status = WEIR_OK;
	weir_progress progress;

	weir_progress_begin(&progress, "tuning", "search", (double)cases->count);
	for (size_t i = 0; status == WEIR_OK && i < cases->count && !weir_stop_asked(); i++) {
		weir_tuning tuning;
		uint32_t tried;
		status = weir_tune_search(meter, &cases->items[i], &tuning, &tried);
		/* Half a search has not found anything yet. */
		if (status != WEIR_OK || weir_stop_asked())
			break;
		weir_progress_hide(&progress);
		add_row(table, &tuning, tried);
		json_array_append_new(array, weir_output_tuning(&tuning));
		status = weir_profile_add_tuning(profile, &tuning);
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
	return status;
}

static int finish(const weir_meter *meter, const weir_common *common, weir_profile *profile,
                  json_t *array, int save, int complete)
{
	FILE *text = weir_text_stream(common);
	json_t *json = weir_output_document("tune");
	char path[4096];

	json_object_set_new(json, "device", weir_output_device(&meter->info));
	json_object_set(json, "tunings", array);
	json_object_set_new(json, "complete", json_boolean(complete));
	int status = weir_write_json(common->json, json);
	if (status || !save || json_array_size(array) == 0)
		return status;
	status = weir_store_write(profile, meter, NULL, path, sizeof path);
	if (!status && text) {
		char *faster = weir_need(weir_profile_faster_text(profile));
		fprintf(text, "\n%ssaved in %s\n", faster, path);
		free(faster);
	}
	return status;
}

static int run_tune(weir_meter *meter, const struct request *request)
{
	const weir_common *common = &request->common;
	FILE *text = weir_text_stream(common);
	static const char *const columns[] = {"<primitive", "<kind", "initial",  "blocks",
	                                      "min",        "max",   "shards",   "untuned",
	                                      "tuned",      "gain",  "settings", NULL};
	weir_table *table = weir_table_make(columns);
	json_t *array = weir_need(json_array());
	struct cases cases = make_cases(meter, request);
	weir_profile *profile =
	    request->save ? weir_store_open(meter) : weir_store_empty(&meter->info);
	int status = 0;

	weir_stop_catch();
	if (text) {
		fprintf(text, "%s: %s, %s\n%s, about %.0f s in all\n", meter->info.name,
		        meter->info.description, meter->info.driver,
		        weir_count_figure(cases.count, "search").text, seconds_of(&cases));
		weir_progress_warn(text, seconds_of(&cases),
		                   "--kinds, --blocks and --seconds bound");
		fputc('\n', text);
	}
	add_widest(table, &cases);
	weir_table_flow(table, text);
	if (tune_cases(meter, &cases, table, array, profile) != WEIR_OK)
		status = weir_complain_failed();
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	weir_table_end(table, text);
	weir_progress_say_stopped(text);
	int finished = finish(meter, common, profile, array, request->save, status == 0);
	json_decref(array);
	free(cases.items);
	weir_profile_destroy(profile);
	return finished ? finished : status;
}

static int complete_and_run(weir_meter *meter, void *asked)
{
	struct request *request = asked;
	int status = complete(meter, request);

	if (!status && request->save)
		status = weir_store_check(meter);
	return status ? status : run_tune(meter, request);
}

int weir_command_tune(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options}};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	int status = check_request(argc, argv, &request);
	return status ? status : weir_meter_use(&request.common, complete_and_run);
}
