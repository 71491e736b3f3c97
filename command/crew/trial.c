#include "trial.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/complain.h"
#include "crew_kernels.h"

const char *const crew_trial_names[CREW_TRIALS] = {
    "barrier of all blocks", "barrier of one block a rank", "event to the next rank",
    "queue into the next rank"};

#define LATE_S 1.0
#define GPU_THREADS 128
#define JOIN_S 20.0 /* at least: processes may take long to start */

extern const void *const crew_trial_cuda_image;

static const weir_host_entry entries[] = {{"crew_trial", crew_trial_entry}};

/* A rank while it runs. */
typedef struct rank_run {
	const crew_request *request;
	crew_result *result;
	weir_device *host;
	weir_device *device; /* where the kernels run: the host, or another one */
	weir_program *program;
	weir_kernel kernel;
	weir_crew_link *link;
	weir_crew meeting; /* the crew in the host's memory */
	weir_crew crew;    /* as kernels use it */
	weir_buffer data;
	/* Rounds so far of what uses the ranks' data, which two phases in a row share, of events and of
	 * queues. */
	uint32_t past[CREW_TRIALS];
} rank_run;

static int has_fault(const rank_run *r, crew_fault fault)
{
	return r->request->fault == fault && r->request->fault_rank == r->crew.config.rank;
}

static int fail(rank_run *r, const char *text)
{
	if (!r->result->text[0])
		snprintf(r->result->text, sizeof r->result->text, "%s", text);
	r->result->status = WEIR_EXIT_FAILED;
	return -1;
}

/* 0, or -1 with the library's text. */
static int need(rank_run *r, weir_status status)
{
	return status == WEIR_OK ? 0 : fail(r, weir_error_text());
}

static void sleep_for(double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds,
	                        .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&time, NULL);
}

/* Says who did not come, and ends the waits of all ranks. */
static int report(rank_run *r, double waited)
{
	weir_crew_report about;

	if (weir_crew_diagnose(r->link, waited, &about) != WEIR_OK)
		return fail(r, weir_error_text());
	weir_crew_stop(r->link);
	fail(r, about.text);
	weir_crew_report_clear(&about);
	return -1;
}

/* Whether a rank is gone that others may wait for. */
static int is_broken(rank_run *r)
{
	weir_crew_report about;
	int broken = 0;

	if (weir_crew_diagnose(r->link, 0, &about) != WEIR_OK)
		return 0;
	for (uint32_t i = 0; i < about.ranks; i++)
		broken |= about.rank[i].state == WEIR_RANK_DEAD ||
		          (about.rank[i].state == WEIR_RANK_LEFT && !about.rank[i].has_arrived);
	weir_crew_report_clear(&about);
	return broken;
}

/* Waits for the kernel. From time to time it looks whether all ranks live. */
static int watch(rank_run *r)
{
	const uint64_t look_ns = 50000000;
	double waited = 0;
	weir_status status;

	while ((status = weir_device_wait(r->device, look_ns, NULL)) == WEIR_STILL_RUNNING) {
		waited += (double)look_ns * 1e-9;
		if (!r->result->text[0] && is_broken(r))
			report(r, waited);
	}
	return need(r, status);
}

/* What the kernel left in its data. */
static int judge(rank_run *r, uint32_t rounds, uint64_t *ns)
{
	uint32_t found[CREW_WORDS];

	if (need(r, weir_buffer_read(r->device, r->data, 0, found, sizeof found)))
		return -1;
	r->result->errors += found[CREW_ERRORS];
	*ns = (found[CREW_NS] | (uint64_t)found[CREW_NS + 1] << 32) / rounds;
	if (found[CREW_RESULT] == WEIR_TIMED_OUT)
		return report(r, r->request->seconds);
	if (found[CREW_RESULT] != WEIR_ACQUIRED)
		return fail(r, "another rank has aborted the crew\n");
	if (found[CREW_ERRORS] != 0)
		return fail(r, "a block found data of another phase\n");
	return r->result->text[0] ? -1 : 0;
}

/* The mistakes that a rank makes where it stops coming. */
static int stop_coming(rank_run *r)
{
	if (has_fault(r, CREW_KILL))
		raise(SIGKILL);
	while (weir_crew_aborted(r->meeting) == 0)
		sleep_for(0.01);
	return fail(r, "this rank did not come, on purpose\n");
}

static int run_trial(rank_run *r, uint32_t trial, uint32_t rounds, uint64_t *ns)
{
	uint32_t *past = &r->past[trial == CREW_LANE ? CREW_BARRIER : trial];
	const uint32_t zeros[CREW_WORDS] = {0};
	int stops = trial == CREW_BARRIER && *past == 0 &&
	            (has_fault(r, CREW_KILL) || has_fault(r, CREW_STAY));
	crew_params params = {.crew = r->crew,
	                      .trial = trial,
	                      .rounds = rounds,
	                      .base = *past,
	                      .stop_at = stops ? rounds / 2 : rounds,
	                      .ns = (uint64_t)(r->request->seconds * 1e9)};
	void *none = NULL;
	weir_argument arguments[] = {{&none, sizeof none},
	                             {&r->data.native, sizeof r->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = r->kernel,
	                      .grid = {r->request->blocks, 1, 1},
	                      .block = {r->device == r->host ? 1 : GPU_THREADS, 1, 1},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	*past += rounds;
	if (need(r, weir_buffer_write(r->device, r->data, 0, zeros, sizeof zeros)) ||
	    need(r, weir_kernel_launch(r->device, &launch)) || watch(r))
		return -1;
	if (stops)
		return stop_coming(r);
	return judge(r, rounds, ns);
}

static void run_trials(rank_run *r)
{
	uint32_t rounds = r->request->rounds;
	uint64_t ns;

	if (has_fault(r, CREW_LATE))
		sleep_for(r->request->seconds < 2 * LATE_S ? r->request->seconds / 2 : LATE_S);
	/* A first part is not counted, and the last one lets no rank leave before all are done. */
	for (uint32_t trial = 0; trial < CREW_TRIALS; trial++) {
		if (run_trial(r, trial, rounds / 4 + 2, &ns) ||
		    run_trial(r, trial, rounds, &r->result->ns[trial]))
			return;
		r->result->done++;
	}
	run_trial(r, CREW_BARRIER, 1, &ns);
}

static int open_rank(rank_run *r, const weir_crew_place *place)
{
	const crew_request *request = r->request;
	const weir_program_text text = {
	    .cuda_image = crew_trial_cuda_image, .host_entries = entries, .host_entry_count = 1};
	weir_crew_options options = {.blocks = request->blocks,
	                             .radix = request->radix,
	                             .events = 1,
	                             .queue = 2,
	                             .data_bytes = 2 * sizeof(uint32_t) * request->blocks,
	                             .seconds =
	                                 request->seconds > JOIN_S ? request->seconds : JOIN_S};

	if (need(r, weir_device_open("host", &r->host)) ||
	    need(r, weir_crew_join(r->host, place, &options, &r->link)) ||
	    need(r, weir_crew_handle(r->link, &r->meeting)))
		return -1;
	r->crew = r->meeting;
	r->device = r->host;
	if (request->device && (need(r, weir_device_open(request->device, &r->device)) ||
	                        need(r, weir_crew_on_device(r->link, r->device, &r->crew))))
		return -1;
	return need(r, weir_program_create(r->device, &text, &r->program)) ||
	       need(r, weir_program_kernel(r->program, "crew_trial", &r->kernel)) ||
	       need(r, weir_buffer_create(r->device, CREW_WORDS * sizeof(uint32_t), &r->data));
}

void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result)
{
	rank_run r = {.request = request, .result = result};

	memset(result, 0, sizeof *result);
	result->rank = place->rank;
	if (!open_rank(&r, place)) {
		result->radix = r.crew.config.radix;
		run_trials(&r);
	}
	if (r.link)
		weir_crew_leave(r.link);
	if (r.program)
		weir_program_destroy(r.program);
	if (r.device && r.device != r.host)
		weir_device_close(r.device);
	if (r.host)
		weir_device_close(r.host);
}
