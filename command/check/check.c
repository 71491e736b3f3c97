/* weir check: races, hangs and faults of a kernel, from its PTX, without a GPU. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/plan.h"
#include "check/show.h"
#include "check/wrap.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "command.h"
#include "output/file.h"
#include "output/progress.h"

/* Without --seed and --seeds: schedules until one finds something, but no more of them and of their instructions. */
#define MOST_SEEDS 20
#define MOST_INSTRUCTIONS 10000000

static const weir_help help = {
    .usage =
	"weir check FILE.ptx|FILE.cu --kernel NAME --grid N --block N [ARGUMENT]... [OPTION]...\n"
	"weir check LAUNCH.json [OPTION]...",
    .what = "Runs a kernel on the CPU under the memory model of PTX, and finds its data races, "
	    "hangs and "
	    "faults.",
    .examples = {{"weir check histogram.cu --kernel gather --grid 2 --block 256 --buffer 4096 "
                  "--buffer 64 --u32 1000",
                  "arguments in order of the kernel's parameters"},
                 {"weir check histogram.json --seeds 20", "a launch in a file, 20 schedules"}}};

struct request {
	weir_common common;
	weir_check_plan plan;
	const char *nvcc, *sarif, *html;
	const char *expected[16];
	uint32_t expected_count, budget;
};

#define TAKE_SCALAR(type)                                                                          \
	static int take_##type(const char *value, void *request)                                   \
	{                                                                                          \
		return weir_check_add_scalar(&((struct request *)request)->plan, #type, value);    \
	}
TAKE_SCALAR(u8)
TAKE_SCALAR(u16)
TAKE_SCALAR(u32)
TAKE_SCALAR(i32)
TAKE_SCALAR(u64)
TAKE_SCALAR(i64)
TAKE_SCALAR(f32)
TAKE_SCALAR(f64)

static int take_buffer(const char *value, void *request)
{
	return weir_check_add_buffer(&((struct request *)request)->plan, value, "");
}

static int take_pointer(const char *value, void *request)
{
	return weir_check_add_pointer(&((struct request *)request)->plan, value);
}

static int take_struct(const char *value, void *request)
{
	return weir_check_add_struct(&((struct request *)request)->plan, value);
}

static int take_member(const char *value, void *request)
{
	return weir_check_add_member(&((struct request *)request)->plan, value);
}

static int take_expected(const char *value, void *context)
{
	struct request *request = context;

	if (request->expected_count == 16)
		return weir_refuse("--expect is given more than 16 times");
	request->expected[request->expected_count++] = value;
	return 0;
}

static int take_source(const char *value, void *request)
{
	weir_check_plan *plan = &((struct request *)request)->plan;

	if (plan->source_count == sizeof plan->sources / sizeof plan->sources[0])
		return weir_refuse("--source is given more than %u times", plan->source_count);
	plan->sources[plan->source_count++] = value;
	return 0;
}

static int take_silenced(const char *value, void *request)
{
	return weir_check_add_silenced(&((struct request *)request)->plan, value);
}

static int take_outcomes(const char *value, void *request)
{
	weir_check_plan *plan = &((struct request *)request)->plan;

	free(plan->outcomes);
	plan->outcomes = weir_need(strdup(value));
	return 0;
}

static int take_kernel(const char *value, void *request)
{
	weir_check_plan *plan = &((struct request *)request)->plan;

	free(plan->kernel);
	plan->kernel = weir_need(strdup(value));
	return 0;
}

static int take_grid(const char *value, void *request)
{
	return weir_check_sizes("--grid", value, ((struct request *)request)->plan.grid);
}

static int take_block(const char *value, void *request)
{
	return weir_check_sizes("--block", value, ((struct request *)request)->plan.block);
}

static int take_cluster(const char *value, void *request)
{
	return weir_check_sizes("--cluster", value, ((struct request *)request)->plan.cluster);
}

static int take_seed(const char *value, void *context)
{
	struct request *request = context;

	if (strcmp(value, "random") != 0)
		return weir_parse_count("--seed", value, 0, INT32_MAX, &request->plan.seed);
	request->plan.seed = (uint32_t)time(NULL) % 1000000 + 1;
	return 0;
}

static const weir_option options[] = {
    WEIR_GROUP("The launch"),
    {"kernel", "NAME", "the kernel (the only one of the file)", WEIR_TO(take_kernel)},
    {"grid", "N", "blocks: X, X,Y or X,Y,Z (2)", WEIR_TO(take_grid)},
    {"block", "N", "threads of a block: X, X,Y or X,Y,Z (64)", WEIR_TO(take_block)},
    {"cluster", "N", "blocks of a cluster (what the kernel declares)", WEIR_TO(take_cluster)},
    {"shared", "BYTES", "dynamic shared memory (0)",
     WEIR_TO_NUMBER(struct request, plan.shared, 0, 1 << 22)},
    {"resident", "N", "blocks that fit at once (all)",
     WEIR_TO_NUMBER(struct request, plan.resident, 1, UINT32_MAX)},
    {"launches", "N", "launches in a row, without a reset between them (1)",
     WEIR_TO_NUMBER(struct request, plan.launches, 1, 1000)},
    WEIR_GROUP("Arguments, in order of the parameters"),
    {"buffer", "SPEC",
     "[NAME:]BYTES[=PATTERN]: zeros, u32:1,2, f32:iota, i32:random, unwritten or "
     "@FILE",
     WEIR_TO(take_buffer)},
    {"at", "BUFFER+N", "a pointer into an earlier buffer", WEIR_TO(take_pointer)},
    {"struct", "BYTES", "a struct by value; its members follow", WEIR_TO(take_struct)},
    {"in", "OFFSET", "the next argument is a member of the struct, at this offset",
     WEIR_TO(take_member)},
    {"u8", "N", "a number of this type", WEIR_TO(take_u8)},
    {"u16", "N", "a number of this type", WEIR_TO(take_u16)},
    {"u32", "N", "a number of this type", WEIR_TO(take_u32)},
    {"i32", "N", "a number of this type", WEIR_TO(take_i32)},
    {"u64", "N", "a number of this type", WEIR_TO(take_u64)},
    {"i64", "N", "a number of this type", WEIR_TO(take_i64)},
    {"f32", "X", "a number of this type", WEIR_TO(take_f32)},
    {"f64", "X", "a number of this type", WEIR_TO(take_f64)},
    WEIR_GROUP("What to check"),
    {"seed", "N", "the first schedule, or random; 0: blocks one after another (1)",
     WEIR_TO(take_seed)},
    {"seeds", "N", "how many schedules to run (up to 20; with --seed 1); 0: only explore",
     WEIR_TO_NUMBER(struct request, plan.seeds, 0, 1000000)},
    {"weak", NULL, "strong reads may return older values, as the memory model allows",
     WEIR_TO_FLAG(struct request, plan.is_weak)},
    {"explore", NULL, "run all executions that the memory model allows; for small launches",
     WEIR_TO_FLAG(struct request, plan.explores)},
    {"wrap", NULL, "also with the counters that launches leave running near 2^31 and 2^32",
     WEIR_TO_FLAG(struct request, plan.wraps)},
    {"outcomes", "BUFFER", "explore, and list its possible contents at the end",
     WEIR_TO(take_outcomes)},
    {"bound", "N", "explore at most N executions (all)",
     WEIR_TO_NUMBER(struct request, plan.bound, 0, UINT32_MAX)},
    {"time", "SECONDS", "explore for at most this long (60)",
     WEIR_TO_SECONDS(struct request, plan.time)},
    {"expect", "BUFFER=SPEC", "its contents at the end: a file or a pattern",
     WEIR_TO(take_expected)},
    {"budget", "N", "give an execution up after N million instructions (2000)",
     WEIR_TO_NUMBER(struct request, budget, 1, UINT32_MAX)},
    {"nvcc", "OPTIONS", "options of nvcc for a .cu file (-arch=sm_90)",
     WEIR_TO_TEXT(struct request, nvcc)},
    {"silence", "SPEC", "FILE:LINE=REASON: races at this line are known and harmless",
     WEIR_TO(take_silenced)},
    WEIR_GROUP("Output"),
    {"html", "FILE", "write a page: the source beside a timeline of the blocks",
     WEIR_TO_TEXT(struct request, html)},
    {"source", "FOLDER", "where the page finds sources that were moved since the compilation",
     WEIR_TO(take_source)},
    {"sarif", "FILE", "write the findings as SARIF 2.1, for code scanning",
     WEIR_TO_TEXT(struct request, sarif)},
    {"dump", "FOLDER", "write what each buffer holds after the first schedule: FOLDER/1, ...",
     WEIR_TO_TEXT(struct request, plan.dump)},
    {"trace", "FILE", "write each instruction of the first schedule, with its values",
     WEIR_TO_TEXT(struct request, plan.trace)},
    WEIR_ROW_JSON,
    {.name = NULL}};

static int is_launch(const char *file)
{
	size_t bytes = strlen(file);

	return bytes > 5 && strcmp(file + bytes - 5, ".json") == 0;
}

/* The file of the launch is read first, so that options change what it says. */
static int read_launch(int argc, char **argv, struct request *request)
{
	struct request first = *request;
	int at = optind;

	if (optind == argc)
		return weir_refuse("which file? weir check takes a .ptx, .cu or .json file");
	if (optind + 1 < argc)
		return weir_refuse("unexpected '%s'; see weir check --help", argv[optind + 1]);
	if (!is_launch(argv[optind])) {
		request->plan.file = weir_need(strdup(argv[optind]));
		return 0;
	}
	if (first.plan.count)
		return weir_refuse("the arguments are in %s", argv[optind]);
	int status = weir_check_read_launch(&request->plan, argv[optind]);
	if (status)
		return status;
	/* The options once more, over what the file says. */
	optind = 1;
	request->expected_count = request->plan.source_count = 0;
	if (!weir_options_read(argc, argv, &request->common))
		return request->common.status;
	optind = at;
	return 0;
}

static void choose_seeds(weir_check_plan *plan)
{
	plan->ends_early = plan->seed == WEIR_CHECK_UNSET && plan->seeds == WEIR_CHECK_UNSET;
	if (plan->seeds == WEIR_CHECK_UNSET)
		plan->seeds = plan->ends_early ? MOST_SEEDS : 1;
	if (plan->seed == WEIR_CHECK_UNSET)
		plan->seed = 1;
}

static int prepare(struct request *request)
{
	weir_check_plan *plan = &request->plan;
	int status = 0;

	choose_seeds(plan);
	for (uint32_t i = 0; i < request->expected_count && status == 0; i++)
		status = weir_check_add_expected(plan, request->expected[i], "");
	for (int i = 0; i < 3; i++) {
		plan->grid[i] = plan->grid[i] ? plan->grid[i] : i ? 1 : 2;
		plan->block[i] = plan->block[i] ? plan->block[i] : i ? 1 : 64;
	}
	plan->has_steps = request->html || request->common.json;
	plan->budget = (uint64_t)request->budget * 1000000;
	if (status == 0 && !plan->seeds && !plan->explores && !plan->outcomes)
		status = weir_refuse("--seeds 0 runs nothing: it needs --explore or --outcomes");
	if (status == 0 && (uint64_t)plan->seed + plan->seeds > UINT32_MAX)
		status = weir_refuse("--seed %u --seeds %u: the last seed is too large", plan->seed,
		                     plan->seeds);
	return status ? status : weir_check_load(plan, request->nvcc);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int is_decided(const weir_check_plan *plan, const weir_check *check)
{
	for (size_t i = 0; i < weir_check_count(check); i++)
		if (!weir_check_silenced(plan, weir_check_at(check, i)))
			return 1;
	return 0;
}

static int run_seeds(struct request *request, weir_check *check)
{
	weir_check_plan *plan = &request->plan;
	const weir_check_setup setup = weir_check_setup_of(plan);
	weir_progress progress;
	weir_status status = WEIR_OK;

	weir_stop_catch();
	weir_progress_begin(&progress, "checking", "schedule", plan->seeds);
	for (uint32_t i = 0; status == WEIR_OK && i < plan->seeds && !weir_stop_asked(); i++) {
		status = weir_check_execute(check, &setup, plan->seed + i);
		weir_progress_add(&progress, 1);
		if (plan->ends_early && (is_decided(plan, check) ||
		                         weir_check_instructions(check) >= MOST_INSTRUCTIONS))
			plan->seeds = i + 1;
	}
	weir_progress_end(&progress);
	return status == WEIR_OK ? 0 : weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
}

static int has_findings(const weir_check *check)
{
	for (size_t i = 0; i < weir_check_count(check); i++)
		if (weir_check_at(check, i)->kind != WEIR_CHECK_INCOMPLETE)
			return 1;
	return 0;
}

static void show_explored(void *progress, double done)
{
	weir_progress *bar = progress;

	if (done > bar->done)
		weir_progress_add(bar, done - bar->done);
}

/* A fault that the first schedules show needs no exploration. */
static int explore(struct request *request, weir_check *check, weir_check_report *report)
{
	weir_check_plan *plan = &request->plan;
	const weir_check_setup seeds = weir_check_setup_of(plan);
	weir_explore_setup setup;
	weir_progress progress;
	int status;

	if (!(plan->explores || plan->outcomes) || has_findings(check) || weir_stop_asked())
		return 0;
	status = weir_check_explore_setup(plan, &seeds, &setup);
	if (status)
		return status;
	report->is_explored = 1;
	weir_progress_begin(&progress, "exploring", "", 1);
	setup.watch = show_explored;
	setup.watcher = &progress;
	weir_status explored = weir_explore(check, &setup, &report->explored);
	weir_progress_end(&progress);
	if (explored != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	return 0;
}

static int check(struct request *request)
{
	weir_check *made = weir_need(weir_check_create());
	weir_check_report report = {.plan = &request->plan, .check = made};
	double start = now();
	int status = run_seeds(request, made);
	FILE *to = weir_text_stream(&request->common);

	if (status == 0)
		status = explore(request, made, &report);
	if (status == 0 && request->plan.wraps && !weir_stop_asked())
		status = weir_check_wrap(&request->plan, made, &report.explored);
	if (status == 0) {
		report.seconds = now() - start;
		report.stopped =
		    weir_stop_asked() || weir_check_stopped(made) || report.explored.is_stopped;
		weir_check_verdict(&report, &status);
		if (to)
			weir_check_show(&report, to);
		if (weir_check_write_json(&report, request->common.json) != 0 ||
		    weir_check_write_sarif(&report, request->sarif) != 0 ||
		    weir_check_write_page(&report, request->html) != 0 || request->plan.dump_failed)
			status = WEIR_EXIT_FAILED;
	}
	weir_explore_result_free(&report.explored);
	weir_check_destroy(made);
	return status;
}

int weir_command_check(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options},
	                          .plan = {.launches = 1,
	                                   .seed = WEIR_CHECK_UNSET,
	                                   .seeds = WEIR_CHECK_UNSET,
	                                   .time = 60},
	                          .budget = 2000};
	int status;

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	status = read_launch(argc, argv, &request);
	if (status == 0 &&
	    (weir_check_writable(request.common.json) != 0 ||
	     weir_check_writable(request.sarif) != 0 || weir_check_writable(request.html) != 0))
		return WEIR_EXIT_FAILED;
	if (status == 0)
		status = prepare(&request);
	if (status == 0)
		status = check(&request);
	weir_check_free(&request.plan);
	return status;
}
