/* weir report: one page about a device. */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "command.h"
#include "figures/case.h"
#include "figures/make_map.h"
#include "figures/plot.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "output/file.h"
#include "output/gnuplot.h"
#include "output/progress.h"
#include "paper/paper.h"
#include "report/compare.h"
#include "report/page.h"
#include "src/sim/sim.h"
#include "sweep/store.h"
#include "sweep/sweep.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir report [OPTION]...\n"
	     "weir report --compare A B [-o FILE]\n"
	     "weir report --paper [OPTION]...",
    .what = "Measures what is not yet known about a device, says which kinds to use on it, and "
	    "writes an HTML page.",
    .examples = {{"weir report", "measure this machine, and write report.html"},
                 {"weir report --profile h200 -o h200.html", "the page of a built-in profile"}}};

struct request {
	weir_common common;
	const char *output;
	const char *plots;        /* a folder, or NULL */
	const char *kernels_file; /* NULL: not given; the same for `data` */
	const char *data;
	json_t *kernels; /* the contents of --kernels, or NULL */
	int fresh;
	int quick;
	int no_map;
	int paper;
	int compare;
	uint32_t step; /* 0: not given */
	int only_data;
	int verbose;
};

static const weir_option options[] = {
    WEIR_GROUP("What the page is about"),
    WEIR_ROW_DEVICE_SAYING("cuda:0, opencl:0, host, sim:h200, ... (the best one here)"),
    WEIR_ROW_PROFILE("measure nothing; use the figures of a built-in profile or of a file"),
    {"kernels", "FILE", "add the real kernels that weir bench kernels --json FILE measured",
     WEIR_TO_TEXT(struct request, kernels_file)},
    WEIR_GROUP("How long it takes"),
    {"fresh", NULL, "measure everything, even what the user's profile has",
     WEIR_TO_FLAG(struct request, fresh)},
    {"quick", NULL, "few block counts and short runs: a quick look, not a measurement",
     WEIR_TO_FLAG(struct request, quick)},
    {"no-map", NULL, "leave out the map and the crews, which take some seconds to simulate",
     WEIR_TO_FLAG(struct request, no_map)},
    {"compare", NULL, "set two profiles side by side, built-in ones or files",
     WEIR_TO_FLAG(struct request, compare)},
    WEIR_GROUP("The paper's page"),
    {"paper", NULL, "the paper's tables, figures and claims beside this device; takes minutes",
     WEIR_TO_FLAG(struct request, paper)},
    {"step", "N", "simulate 1 to 8 blocks and every Nth count (8)",
     WEIR_TO_NUMBER(struct request, step, 1, 240)},
    {"data", "FILE", "use the device's figures from a profile; with --device, measure the rest",
     WEIR_TO_TEXT(struct request, data)},
    {"only-data", NULL, "with --json: measure, and make no page",
     WEIR_TO_FLAG(struct request, only_data)},
    WEIR_GROUP("Output"),
    {"verbose", NULL, "also print the rates and the lines of C, which are on the page anyway",
     WEIR_TO_FLAG(struct request, verbose), .letter = 'v'},
    {"output", "FILE", "the page (report.html, paper.html or compare.html); - for standard output",
     WEIR_TO_TEXT(struct request, output), .letter = 'o'},
    {"save-plots", "DIR", "also write the plots as SVG files", WEIR_TO_TEXT(struct request, plots)},
    WEIR_ROW_JSON_SAYING("write the figures as a profile; - for standard output"),
    {.name = NULL}};

static int check_paper(const struct request *request)
{
	const char *without = request->no_map         ? "--no-map"
	                      : request->plots        ? "--save-plots"
	                      : request->kernels_file ? "--kernels"
	                                              : NULL;
	const char *with = request->step        ? "--step"
	                   : request->data      ? "--data"
	                   : request->only_data ? "--only-data"
	                                        : NULL;

	if (!request->paper && with)
		return weir_refuse("%s: only with --paper", with);
	if (request->only_data && (!request->common.json || request->output))
		return weir_refuse("--only-data needs --json, and excludes --output");
	if (request->paper && without)
		return weir_refuse("%s is not for --paper", without);
	if (request->data && (request->common.profile || request->fresh))
		return weir_refuse("--data and %s exclude each other",
		                   request->fresh ? "--fresh" : "--profile");
	return 0;
}

/* Returns 0, or complains and returns an exit status. */
static int complete(struct request *request)
{
	weir_common *common = &request->common;

	/* Without a device there is nothing to measure: the file has everything. */
	if (request->data && !common->device)
		common->profile = request->data;
	if (!request->output)
		request->output = request->paper ? "paper.html" : "report.html";
	if (common->profile &&
	    (common->device || request->fresh || (request->quick && !request->paper)))
		return weir_refuse(
		    "--profile measures nothing, so it excludes --device, --fresh and --quick");
	if (common->json && strcmp(common->json, "-") == 0 && strcmp(request->output, "-") == 0)
		return weir_refuse("the page and the JSON cannot both go to standard output");
	return request->kernels_file
	           ? weir_report_kernels_read(request->kernels_file, &request->kernels)
	           : 0;
}

/* The command as one would type it. */
static char *command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = weir_need(open_memstream(&text, &bytes));
	fputs("weir", out);
	for (int i = 0; i < argc; i++) {
		size_t plain =
		    strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		                    "0123456789-_./:,=+@%");
		const char *quote = argv[i][plain] || !*argv[i] ? "'" : "";
		fprintf(out, " %s%s%s", quote, argv[i], quote);
	}
	fclose(out);
	return weir_need(text);
}

/* ---- checks before anything is measured ---- */

static int check_folder(const char *path)
{
	struct stat found;
	if (!path)
		return 0;
	if (stat(path, &found) == 0 ? !S_ISDIR(found.st_mode) : mkdir(path, 0777) != 0)
		return weir_complain(WEIR_EXIT_FAILED, "cannot make the folder %s", path);
	if (access(path, W_OK | X_OK) != 0)
		return weir_complain(WEIR_EXIT_FAILED, "cannot write into %s: %s", path,
		                     strerror(errno));
	return 0;
}

static int check_outputs(const struct request *request)
{
	int status = request->only_data ? 0 : weir_check_writable(request->output);
	if (status == 0)
		status = weir_check_writable(request->common.json);
	const char *absence = status == 0 && request->plots ? weir_gnuplot_absence() : NULL;
	if (absence)
		status = weir_complain(WEIR_EXIT_FAILED, "--save-plots: %s", absence);
	return status ? status : check_folder(request->plots);
}

/* ---- the figures ---- */

static void keep_few(weir_counts *counts)
{
	if (counts->count <= 3)
		return;
	counts->values[1] = counts->values[counts->count / 2];
	counts->values[2] = counts->values[counts->count - 1];
	counts->count = 3;
}

static void keep_main_patterns(weir_sweep *sweep)
{
	sweep->patterns = (weir_counts){{WEIR_PATTERN_HAND_OVER, WEIR_PATTERN_MEET,
	                                 WEIR_PATTERN_QUEUE_PAIRS, WEIR_PATTERN_QUEUE_APART,
	                                 WEIR_PATTERN_RWLOCK_READ90, WEIR_PATTERN_COMBINE},
	                                6};
}

/* On a busy system threads vary more than on a GPU, and a page is worth a minute: makes more
 * repeats than weir bench by default. */
static void make_steady(weir_sweep *sweep)
{
	keep_main_patterns(sweep);
	sweep->repeats *= 3;
	sweep->limit_s *= 3;
}

/* The figures of the paper compare curves that are far apart: a minute on a GPU is enough. */
static void make_short(const weir_meter *meter, weir_sweep *sweep)
{
	sweep->patterns.count = 0; /* the paper has no events */
	if (weir_paper_has(meter->info.name))
		sweep->blocks.count = 0; /* a machine that the page simulates anyway */
	if (sweep->repeats > 3)
		sweep->repeats = 3;
	if (sweep->limit_s > 0.6)
		sweep->limit_s = 0.6;
}

static void make_quick(weir_sweep *sweep)
{
	keep_few(&sweep->blocks);
	keep_main_patterns(sweep);
	sweep->rounds = sweep->rounds > 100 ? sweep->rounds / 10 : 10;
	sweep->repeats = 1;
	if (sweep->limit_s > 0.2)
		sweep->limit_s = 0.2;
}

/* Figures of two commits must not be presented as those of one. */
static void say_origin(const struct request *request, weir_profile *profile, char *origin,
                       size_t room)
{
	int simulated = weir_simulated_is_name(profile->device.name);
	const char *quick = request->quick ? ", with --quick: few block counts and short runs" : "";
	if (simulated) {
		snprintf(origin, room,
		         "the probe is the built-in profile %s; the throughput was simulated "
		         "from it for this page%s",
		         weir_simulated_profile_name(profile->device.name), quick);
		snprintf(profile->commit, sizeof profile->commit, "%s", WEIR_COMMIT);
	} else if (profile->has_probe || profile->point_count > 0) {
		snprintf(origin, room,
		         "%s%s from %s, what it lacked measured for this page at commit "
		         "%s%s",
		         profile->has_probe ? "the probe and " : "",
		         weir_count_figure(profile->point_count, "point").text,
		         request->data ? request->data : "the user's profile of this device",
		         *WEIR_COMMIT ? WEIR_COMMIT : "not known", quick);
	} else {
		snprintf(origin, room, "measured for this page%s", quick);
		snprintf(profile->commit, sizeof profile->commit, "%s", WEIR_COMMIT);
	}
}

/* Where a report speaks beside its page; NULL: nowhere. */
static FILE *text_of(const struct request *request)
{
	return strcmp(request->output, "-") == 0 ? NULL : weir_text_stream(&request->common);
}

/* Says what the figures will be about, before the work. */
static void print_found(const weir_device_info *device, int simulated,
                        const struct request *request)
{
	FILE *stream = text_of(request);

	if (!stream || request->paper)
		return;
	if (request->common.profile)
		fprintf(stream, "From the profile %s: nothing is measured now.\n\n",
		        request->common.profile);
	else if (simulated)
		fprintf(stream, "Simulated from the profile of %s: no device is measured.\n\n",
		        device->description);
	else if (device->is_gpu)
		fprintf(stream, "Measured on the GPU %s: %s.\n\n", device->name,
		        device->description);
	else if (request->common.device)
		fprintf(stream, "Measured on %s (%s), which is not a GPU.\n\n", device->name,
		        device->description);
	else
		fprintf(stream,
		        "No GPU was found here (%s devices says why), so this is about the CPU, "
		        "%s (%s). It shows that weir works, and which kinds suit threads of a CPU. "
		        "It says nothing about a GPU.\n\n",
		        program_invocation_name, device->name, device->description);
}

static int measure_with(weir_meter *meter, const struct request *request, weir_profile *profile,
                        char *origin, size_t room)
{
	weir_sweep sweep;
	if (weir_sweep_default(meter, 0, &sweep) != WEIR_OK)
		return weir_complain_failed();
	if (request->quick)
		make_quick(&sweep);
	if (request->quick && meter->sim)
		meter->sim->accesses /= 10;
	if (request->paper)
		make_short(meter, &sweep);
	else if (!request->quick && !meter->info.is_gpu)
		make_steady(&sweep);
	say_origin(request, profile, origin, room);
	print_found(&meter->info, meter->sim != NULL, request);
	weir_stop_catch();
	weir_status status = weir_measure_missing(meter, &sweep, profile);
	/* A rule made from half of the kinds would be a verdict on the others. */
	if (status == WEIR_OK && !weir_stop_asked())
		status = weir_profile_make_rules(profile);
	return status == WEIR_OK ? 0 : weir_complain_failed();
}

/* Loads what is known about the device before it is measured. */
static weir_status open_known(const struct request *request, const weir_meter *meter,
                              weir_profile **profile)
{
	if (request->fresh || !request->data) {
		*profile = request->fresh ? weir_store_empty(&meter->info) : weir_store_open(meter);
		return WEIR_OK;
	}
	weir_status status = weir_profile_read(request->data, profile);
	if (status == WEIR_OK && weir_profile_matches(*profile, &meter->info) != WEIR_OK) {
		char why[256];
		snprintf(why, sizeof why, "%s", weir_error_text());
		status = weir_error_set(WEIR_BAD_ARGUMENT, "%s: %s", request->data, why);
	}
	return status;
}

static int measure(const struct request *request, weir_profile **profile, char *origin, size_t room)
{
	weir_meter meter;
	int status = weir_meter_open(request->common.device, &meter);
	if (status)
		return status;
	status = check_outputs(request);
	if (status == 0 && open_known(request, &meter, profile) != WEIR_OK)
		status = weir_complain(request->data ? WEIR_EXIT_USAGE : WEIR_EXIT_FAILED, "%s",
		                       weir_error_text());
	if (status == 0)
		status = measure_with(&meter, request, *profile, origin, room);
	weir_meter_close(&meter);
	return status;
}

/* A profile with its rules, of a name or a file. */
static int take_profile(const char *name, weir_profile **taken)
{
	int status = weir_choose_profile(name, taken);
	if (status)
		return status;
	weir_profile *profile = *taken;
	/* Files do not record this. */
	for (size_t i = 0; i < profile->point_count; i++)
		profile->points[i].simulated = weir_simulated_is_name(profile->device.name);
	if ((profile->rule_count == 0 && weir_profile_make_rules(profile) != WEIR_OK) ||
	    weir_profile_complete(profile) != WEIR_OK)
		return weir_complain_failed();
	return 0;
}

static int take(const struct request *request, weir_profile **profile, char *origin, size_t room)
{
	const char *name = request->common.profile;
	snprintf(origin, room, "from the profile %s; nothing was measured for this page", name);
	int status = take_profile(name, profile);
	if (!status)
		status = check_outputs(request);
	if (!status)
		print_found(&(*profile)->device, 0, request);
	return status;
}

/* ---- the page ---- */

/* A page without plots is better than none: the measurement may have taken minutes. */
static void draw_plots(weir_report *report, weir_report_crews *crews)
{
	report->case_count = weir_cases(report->profile, report->cases);
	report->no_plots = report->case_count > 0 || report->crews ? weir_gnuplot_absence() : NULL;
	if (report->no_plots)
		weir_complain(0, "the page has tables instead of plots: %s", report->no_plots);
	/* Stops at the first failure: the others would fail or take as long. */
	for (size_t i = 0; i < report->case_count && !report->no_plots; i++) {
		report->plots[i] = weir_plot_draw(report->profile, &report->cases[i]);
		if (!report->plots[i])
			report->no_plots = "gnuplot did not draw all of them";
	}
	if (report->crews && !report->no_plots && !weir_report_crews_draw(crews))
		report->no_plots = "gnuplot did not draw all of them";
}

/* Not for a machine without a complete probe, and not half a map. */
static int draw_map(weir_report *report, weir_sim_map *map)
{
	const weir_profile *profile = report->profile;

	if (!weir_report_probe_is_whole(profile)) {
		report->no_map = "Without a complete probe there is no map.";
		return 0;
	}
	weir_stop_catch();
	if (weir_map_make(&profile->probe, NULL, map) != WEIR_OK)
		return weir_complain(WEIR_EXIT_FAILED, "the map: %s", weir_error_text());
	if (weir_stop_asked())
		report->no_map = "The simulation of the map was stopped early.";
	else
		report->map = map;
	return 0;
}

/* Crews of many GPUs, which are independent of the device. */
static int simulate_crews(weir_report *report, weir_report_crews *crews)
{
	weir_stop_catch();
	int status = weir_report_crews_make(crews);
	if (status == 0)
		report->crews = crews;
	return status == WEIR_EXIT_STOPPED ? 0 : status;
}

static int save_plot(const char *plot, const char *id, const char *folder)
{
	char path[4096];

	if (!plot)
		return 0;
	snprintf(path, sizeof path, "%s/%s.svg", folder, id);
	return weir_write_file(path, plot, strlen(plot));
}

static int save_crew_plots(const weir_report_crews *crews, const char *folder)
{
	int status = 0;

	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS && status == 0; p++) {
			char id[64];

			weir_report_crew_id(&crews->crews[i], p, id, sizeof id);
			status = save_plot(crews->crews[i].plots[p], id, folder);
		}
	return status;
}

static int save_plots(const weir_report *report, const char *folder)
{
	int status = 0;
	for (size_t i = 0; folder && i < report->case_count && status == 0; i++) {
		char id[64];
		weir_case_id(&report->cases[i], id, sizeof id);
		status = save_plot(report->plots[i], id, folder);
	}
	if (folder && report->crews && status == 0)
		status = save_crew_plots(report->crews, folder);
	return status;
}

static int save_json(const weir_profile *profile, const char *path)
{
	if (!path)
		return 0;
	char *text = weir_need(weir_profile_text(profile));
	int status = weir_write_file(path, text, strlen(text));
	free(text);
	return status;
}

static int save_page(const weir_report *report, const struct request *request)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *page = weir_need(open_memstream(&text, &bytes));
	weir_report_write(page, report);
	if (fclose(page) != 0)
		weir_need(NULL);
	int status = weir_write_file(request->output, text, bytes);
	free(text);
	return status;
}

/* Commands that work as typed, using the program that is running. Figures of a CPU are not
 * suggested as a profile to keep. */
static void print_next(FILE *stream, const weir_report *report, const struct request *request)
{
	const weir_device_info *device = &report->profile->device;
	const char *weir = program_invocation_name;
	int is_gpu = device->is_gpu && !report->simulated && !request->common.profile;
	weir_example next[4] = {{NULL, NULL}};
	char commands[3][512];

	if (is_gpu) {
		snprintf(commands[0], sizeof commands[0], "%s profile --device %s --save", weir,
		         device->name);
		snprintf(commands[1], sizeof commands[1], "%s bench barrier --peers", weir);
		next[0].what = "let the library use these figures on this GPU";
		next[1].what = "barriers beside grid.sync() and libcu++";
	} else {
		if (request->common.profile)
			snprintf(commands[0], sizeof commands[0], "%s classify --profile %s", weir,
			         request->common.profile);
		else
			snprintf(commands[0], sizeof commands[0],
			         "%s report --profile h200 -o h200.html", weir);
		snprintf(commands[1], sizeof commands[1], "%s bench mutex --device host --peers",
		         weir);
		next[0].what = request->common.profile
		                   ? "why these kinds"
		                   : "the page of a GPU, from its built-in profile";
		next[1].what = "mutexes beside those of pthreads";
	}
	snprintf(commands[2], sizeof commands[2], "%s doctor", weir);
	next[2].what = "how a deadlock, a missed barrier, ... would be reported";
	for (int i = 0; i < 3; i++)
		next[i].command = commands[i];
	weir_print_examples(stream, "Try next", next);
}

static void print_verdict(const weir_report *report, const struct request *request)
{
	FILE *stream = text_of(request);
	const char *name = report->profile->device.name;
	if (!stream)
		return;
	if (report->stopped) {
		weir_progress_say_stopped(stream);
	} else {
		weir_report_answer_print(stream, report->profile, &report->library);
		if (request->verbose) {
			fputc('\n', stream);
			weir_report_verdict_print(stream, report->profile, &report->library);
		}
	}
	fprintf(stream, "\n%s: the report is in %s\n", *name ? name : report->profile->name,
	        request->output);
	if (!report->stopped)
		print_next(stream, report, request);
}

/* Today's date, or that of SOURCE_DATE_EPOCH, which makes builds reproducible. */
static void say_date(char *date, size_t room)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm day;
	if (!gmtime_r(&now, &day) || strftime(date, room, "%Y-%m-%d", &day) == 0)
		snprintf(date, room, "a day not known");
}

/* What the library chooses on the device of the page, and how to make it choose the page's
 * kinds. */
struct library {
	weir_profile *profile;
	char from[1024];
	char command[4200];
	char next[4200];
};

static int find_library(const weir_profile *profile, const char *file, struct library *library)
{
	weir_profile *builtin = NULL;
	*library = (struct library){0};
	if (file && profile->has_probe)
		snprintf(library->next, sizeof library->next,
		         "weir predict --profile %s simulates all kinds", file);
	else
		snprintf(library->next, sizeof library->next,
		         "weir report --device %s measures all kinds",
		         *profile->device.name ? profile->device.name : "NAME");
	if (weir_simulated_is_name(profile->device.name)) {
		snprintf(library->from, sizeof library->from, "profile %s",
		         weir_simulated_profile_name(profile->device.name));
		return 0;
	}
	if (weir_profile_for(&profile->device, &library->profile, library->from,
	                     sizeof library->from) != WEIR_OK)
		return weir_complain_failed();
	if (!file)
		snprintf(library->command, sizeof library->command,
		         "weir profile --device %s --save", profile->device.name);
	else if (weir_profile_builtin(file, &builtin) != WEIR_OK)
		snprintf(library->command, sizeof library->command, "export WEIR_PROFILE=%s", file);
	weir_profile_destroy(builtin);
	return 0;
}

static int write_report(const weir_profile *profile, const struct request *request,
                        const char *origin, const char *command)
{
	weir_report report = {.profile = profile,
	                      .origin = origin,
	                      .command = command,
	                      .stopped = weir_stop_asked(),
	                      .kernels = request->kernels};
	weir_sim_map map;
	weir_report_crews crews = {0};
	struct library library;
	char date[32];
	int status = find_library(profile, request->common.profile, &library);
	say_date(date, sizeof date);
	report.date = date;
	report.library =
	    (weir_library){library.profile, library.from, library.command, library.next};
	report.simulated = weir_simulated_is_name(profile->device.name);
	if (status == 0 && !request->no_map && !report.stopped)
		status = simulate_crews(&report, &crews);
	draw_plots(&report, &crews);
	if (status == 0 && !request->no_map && !report.stopped)
		status = draw_map(&report, &map);
	if (status == 0)
		status = save_plots(&report, request->plots);
	if (status == 0)
		status = save_json(profile, request->common.json);
	if (status == 0)
		status = save_page(&report, request);
	if (status == 0)
		print_verdict(&report, request);
	weir_profile_destroy(library.profile);
	for (size_t i = 0; i < report.case_count; i++)
		free(report.plots[i]);
	weir_report_crews_free(&crews);
	return status == 0 && weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
}

static int write_paper(const weir_profile *profile, const struct request *request,
                       const char *origin, const char *command)
{
	char date[32];
	const weir_paper_request paper = {
	    .profile = profile,
	    .origin = origin,
	    .command = command,
	    .date = date,
	    .output = request->output,
	    .counts = {request->step ? request->step : WEIR_PAPER_STEP, request->quick}};
	FILE *stream = weir_text_stream(&request->common);

	say_date(date, sizeof date);
	int status = save_json(profile, request->common.json);
	if (request->only_data)
		return status == 0 && weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
	if (status == 0)
		status = weir_paper_report(&paper);
	if (status == 0 && stream && strcmp(request->output, "-") != 0)
		fprintf(stream, "the page is in %s\n", request->output);
	return status;
}

static int check_compare(const struct request *request, int operands)
{
	const weir_common *common = &request->common;
	const char *with = common->device          ? "--device"
	                   : common->profile       ? "--profile"
	                   : common->json          ? "--json"
	                   : request->kernels_file ? "--kernels"
	                   : request->fresh        ? "--fresh"
	                   : request->quick        ? "--quick"
	                   : request->plots        ? "--save-plots"
	                   : request->paper        ? "--paper"
	                                           : NULL;

	if (operands != 2)
		return weir_refuse(
		    "--compare takes two profiles: weir report --compare h200 gf100");
	if (with)
		return weir_refuse("%s is not for --compare", with);
	return 0;
}

static int write_compared(const struct request *request, const weir_compared *compared)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *stream = weir_text_stream(&request->common);
	FILE *page = weir_need(open_memstream(&text, &bytes));

	weir_report_compare_write(page, compared);
	if (fclose(page) != 0)
		weir_need(NULL);
	int status = weir_write_file(request->output, text, bytes);
	free(text);
	if (status == 0 && strcmp(request->output, "-") != 0) {
		weir_report_compare_print(stream, compared);
		fprintf(stream, "\nthe page is in %s\n", request->output);
	}
	return status;
}

static int compare(struct request *request, int operands, char **names)
{
	weir_profile *profiles[2] = {NULL, NULL};
	char date[32];
	int status = check_compare(request, operands);

	if (!request->output)
		request->output = "compare.html";
	say_date(date, sizeof date);
	if (status == 0)
		status = weir_check_writable(request->output);
	for (int i = 0; i < 2 && status == 0; i++)
		status = take_profile(names[i], &profiles[i]);
	if (status == 0) {
		const weir_compared compared = {
		    {profiles[0], profiles[1]}, {names[0], names[1]}, date};
		status = write_compared(request, &compared);
	}
	for (int i = 0; i < 2; i++)
		if (profiles[i])
			weir_profile_destroy(profiles[i]);
	return status;
}

int weir_command_report(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options}};
	weir_profile *profile = NULL;
	char origin[512];
	char *command = command_line(argc, argv);
	int status = 0;

	if (!weir_options_read(argc, argv, &request.common)) {
		free(command);
		return request.common.status;
	}
	if (request.compare) {
		free(command);
		return compare(&request, argc - optind, argv + optind);
	}
	if ((status = weir_no_operands(argc, argv)) == 0 && (status = check_paper(&request)) == 0)
		status = complete(&request);
	if (status == 0)
		status = request.common.profile
		             ? take(&request, &profile, origin, sizeof origin)
		             : measure(&request, &profile, origin, sizeof origin);
	if (status == 0)
		status = request.paper ? write_paper(profile, &request, origin, command)
		                       : write_report(profile, &request, origin, command);
	if (profile)
		weir_profile_destroy(profile);
	json_decref(request.kernels);
	free(command);
	return status;
}
