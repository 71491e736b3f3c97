/* What a diagnosis costs: the benchmarks of weir bench, compiled with and without it and run
 * alternately. */
#define WEIR_DIAGNOSE
#include "kernels/bench_kernels.h" /* first: all of weir's headers must see WEIR_DIAGNOSE */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "doctor/doctor.h"
#include "kernels/bench_params.h"
#include "measure/any.h"
#include "measure/programs.h"
#include "measure/subject.h"
#include "output/figure.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

extern const void *const diagnosed_cuda_image;
extern const char *const diagnosed_opencl_text;

#define LIMIT_NS 20000000000ull
#define AIM_MS 20.0 /* of a launch */
#define PILOT_ROUNDS 16
#define LAYERS 32 /* of a graph of tasks */

/* One kind, with and without diagnosis. */
struct contest {
	const weir_cost_request *cost;
	weir_device *device;
	weir_program *programs[2];
	enum weir_primitive primitive;
	uint32_t kind;
	weir_buffer data;
};

static weir_status load(weir_device *device, weir_program **programs)
{
	static const weir_host_entry entries[] = {{"mutex_bench", mutex_bench_entry},
	                                          {"semaphore_bench", semaphore_bench_entry},
	                                          {"barrier_bench", barrier_bench_entry},
	                                          {"queue_pairs", queue_pairs_entry},
	                                          EVENT_ENTRIES() TASK_ENTRIES LOCK_ENTRIES};
	const weir_program_text text = {.cuda_image = diagnosed_cuda_image,
	                                .opencl_text = diagnosed_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	weir_status status = weir_bench_program(device, &programs[0]);

	return status == WEIR_OK ? weir_program_create(device, &text, &programs[1]) : status;
}

/* One object for both sides, so that they also share its place in memory. A kernel without
 * diagnosis ignores the number that a diagnosed object has. */
static weir_status make_object(const struct contest *c, weir_any *object)
{
	weir_any_wish wish = {.primitive = c->primitive,
	                      .count = c->primitive == WEIR_PRIMITIVE_SEMAPHORE   ? c->cost->maximum
	                               : c->primitive == WEIR_PRIMITIVE_DISPENSER ? 1
	                                                                          : c->cost->blocks,
	                      .options.object.diagnose = 1};

	if (c->kind)
		wish.options.of_kind.kind = c->kind;
	return c->primitive == WEIR_PRIMITIVE_TASKS
	           ? weir_layers_create(c->device, WEIR_PATTERN_TASKS_LAYERS, c->cost->blocks,
	                                LAYERS, &wish.options.tasks, object)
	           : weir_any_create(c->device, &wish, object);
}

static uint32_t pattern_of(enum weir_primitive primitive)
{
	if (primitive == WEIR_PRIMITIVE_QUEUE)
		return WEIR_PATTERN_QUEUE_PAIRS;
	if (primitive == WEIR_PRIMITIVE_DISPENSER)
		return WEIR_PATTERN_DISPENSER_TAKE;
	return primitive == WEIR_PRIMITIVE_TASKS ? WEIR_PATTERN_TASKS_LAYERS
	                                         : WEIR_PATTERN_HAND_OVER;
}

static weir_status run_once(const struct contest *c, int diagnosed, const weir_any *handle,
                            uint32_t rounds, double *ms)
{
	/* Kernels of events and queues without diagnosis contain all kinds; this compares kernels
	 * of a single kind. */
	uint32_t kind =
	    (c->primitive == WEIR_PRIMITIVE_EVENT_ARRAY || c->primitive == WEIR_PRIMITIVE_QUEUE) &&
		    !diagnosed
		? c->kind
		: 0;
	const bench_params params = {
	    .config = handle->config, .rounds = rounds, .ring = c->cost->blocks, .users = 1};
	char name[64];
	const weir_argument arguments[] = {{&handle->words, sizeof handle->words},
	                                   {&c->data.native, sizeof c->data.native},
	                                   {&params, sizeof params}};
	weir_launch launch = {.grid = {c->cost->blocks},
	                      .block = {c->cost->threads},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_program_kernel(
	    c->programs[diagnosed],
	    weir_bench_kernel_name(c->primitive, kind, pattern_of(c->primitive), 0, name),
	    &launch.kernel);

	if (status == WEIR_OK)
		status = weir_kernel_launch(c->device, &launch);
	return status == WEIR_OK ? weir_device_wait(c->device, LIMIT_NS, ms) : status;
}

/* Whether the kernels contain the kind; otherwise a launch is refused. A GPU's kernels contain the
 * default kinds and special cases of them. */
static weir_status has_kind(const struct contest *c, const weir_any *handle, int *has)
{
	double ms;
	weir_status status = run_once(c, 1, handle, 1, &ms);

	*has = status == WEIR_OK;
	return status == WEIR_NOT_FOUND ? WEIR_OK : status;
}

/* The median of the ratios of neighbouring runs, and of the times without diagnosis; neither after
 * Ctrl-C. */
static weir_status measure(const struct contest *c, const weir_any *handle, double *ms,
                           double *ratio)
{
	double plain[WEIR_COST_REPEATS_MOST], ratios[WEIR_COST_REPEATS_MOST];
	double took = 0;
	uint32_t rounds = PILOT_ROUNDS;
	weir_status status = run_once(c, 0, handle, rounds, &took);

	if (status == WEIR_OK && took > 0 && took < AIM_MS)
		rounds = (uint32_t)(rounds * AIM_MS / took) + 1;
	for (uint32_t i = 0; status == WEIR_OK && i < c->cost->repeats && !weir_stop_asked(); i++) {
		double with = 0;
		/* Alternately: each side goes first every other time. */
		status = run_once(c, (int)(i & 1), handle, rounds, &took);
		if (status == WEIR_OK)
			status = run_once(c, !(i & 1), handle, rounds, &with);
		plain[i] = i & 1 ? with : took;
		ratios[i] = i & 1 ? took / with : with / took;
	}
	if (status != WEIR_OK || weir_stop_asked())
		return status;
	weir_sort_figures(plain, c->cost->repeats);
	weir_sort_figures(ratios, c->cost->repeats);
	/* A run of a graph has one round for each of a block's tasks. */
	if (c->primitive == WEIR_PRIMITIVE_TASKS)
		rounds = LAYERS * weir_layer_tasks(WEIR_PATTERN_TASKS_LAYERS, c->cost->blocks) /
		         c->cost->blocks;
	*ms = plain[c->cost->repeats / 2] / rounds;
	*ratio = ratios[c->cost->repeats / 2];
	return WEIR_OK;
}

/* Whether the device supports the kind, and the kind can be measured: all blocks push and pop. */
static int can_run(const struct contest *c)
{
	const weir_kind *kind = weir_kind_find(c->primitive, c->kind);

	if (c->primitive == WEIR_PRIMITIVE_QUEUE && c->kind == WEIR_QUEUE_SINGLE)
		return 0;
	return !kind || weir_kind_runs(c->device, kind);
}

static weir_status contest(const struct contest *c, weir_table *table, json_t *rows)
{
	weir_any handle;
	double ms = 0, ratio = 0;
	int has = 0;
	weir_status status;

	if (!can_run(c))
		return WEIR_OK;
	status = make_object(c, &handle);
	if (status != WEIR_OK)
		return status;
	status = has_kind(c, &handle, &has);
	if (has)
		status = measure(c, &handle, &ms, &ratio);
	weir_any_destroy(c->device, &handle);
	if (status != WEIR_OK || !has || weir_stop_asked())
		return status;
	weir_table_cell(table, "%s", weir_primitive_id(c->primitive));
	weir_table_cell(table, "%s", weir_kind_name(c->primitive, c->kind));
	weir_table_cell(table, "%.1f", ms * 1e6);
	weir_table_cell(table, "%.1f", ms * ratio * 1e6);
	weir_table_cell(table, "%+.1f%%", (1 / ratio - 1) * 100);
	json_array_append_new(
	    rows, weir_need(json_pack(
		      "{s:s, s:s, s:f, s:f, s:f}", "primitive", weir_primitive_id(c->primitive),
		      "kind", weir_kind_name(c->primitive, c->kind), "plain_ns", ms * 1e6,
		      "diagnosed_ns", ms * ratio * 1e6, "throughput_change", 1 / ratio - 1)));
	return WEIR_OK;
}

static weir_status all_contests(struct contest *c, weir_table *table, json_t *rows)
{
	weir_progress progress;
	double total = 0;
	static const enum weir_primitive primitives[] = {
	    WEIR_PRIMITIVE_BARRIER,     WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE,
	    WEIR_PRIMITIVE_EVENT_ARRAY, WEIR_PRIMITIVE_QUEUE, WEIR_PRIMITIVE_DISPENSER,
	    WEIR_PRIMITIVE_TASKS};
	weir_status status = WEIR_OK;

	for (size_t p = 0; p < sizeof primitives / sizeof primitives[0]; p++)
		total += weir_all_kinds(primitives[p]).count;
	weir_progress_begin(&progress, "comparing", "kind", total);
	for (size_t p = 0; p < sizeof primitives / sizeof primitives[0] && status == WEIR_OK; p++) {
		weir_counts kinds = weir_all_kinds(primitives[p]);
		c->primitive = primitives[p];
		for (uint32_t i = 0; status == WEIR_OK && i < kinds.count && !weir_stop_asked();
		     i++) {
			c->kind = kinds.values[i];
			status = contest(c, table, rows);
			weir_progress_add(&progress, weir_stop_asked() ? 0 : 1);
		}
	}
	weir_progress_end(&progress);
	return status;
}

int weir_doctor_cost(const char *name, const weir_cost_request *cost, FILE *text, json_t *rows)
{
	static const char *const columns[] = {"<primitive", "<kind",      "ns a round",
	                                      "diagnosed",  "throughput", NULL};
	struct contest c = {.cost = cost};
	weir_table *table = weir_table_make(columns);
	weir_status status = weir_device_open(name, &c.device);
	int result = WEIR_EXIT_OK;

	if (status == WEIR_OK)
		status = load(c.device, c.programs);
	if (status == WEIR_OK)
		status =
		    weir_buffer_create(c.device,
		                       (BENCH_HANDED((size_t)cost->blocks + 1) +
		                        (size_t)cost->blocks * (cost->threads + BENCH_USER_WORDS)) *
		                           sizeof(uint32_t),
		                       &c.data);
	if (status == WEIR_OK)
		status = all_contests(&c, table, rows);
	if (status != WEIR_OK && c.data.native)
		result = weir_complain(
		    WEIR_EXIT_FAILED, "%s %s, %s of %s: %s", weir_primitive_id(c.primitive),
		    weir_kind_name(c.primitive, c.kind),
		    weir_count_figure(cost->blocks, "block").text,
		    weir_count_figure(cost->threads, "thread").text, weir_error_text());
	else if (status != WEIR_OK)
		result = weir_complain_failed();
	weir_table_end(table, text);
	if (c.device)
		weir_device_close(c.device);
	return result;
}
