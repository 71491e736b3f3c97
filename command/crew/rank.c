/* One running rank of a crew, and its trials. */
#include "crew/crew.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/complain.h"
#include "kernels/crew_kernels.h"

#define LATE_S 1.0
#define JOIN_S 20.0 /* minimum: processes may take long to start */

int crew_rank_open(crew_rank *r, const weir_crew_place *place, const weir_crew_options *options,
                   const weir_program_text *text)
{
	const crew_request *request = r->request;
	weir_crew_options with = *options;

	with.seconds = request->seconds > JOIN_S ? request->seconds : JOIN_S;
	if (crew_rank_need(r, weir_device_open("host", &r->host)))
		return -1;
	r->device = r->host;
	/* Before it joins: a device that does not exist is wrong input, not a missing rank. */
	if (request->device && crew_rank_need(r, weir_device_open(request->device, &r->device))) {
		r->result->status = WEIR_EXIT_USAGE;
		return -1;
	}
	if (crew_rank_need(r, weir_crew_create(r->host, place, &with, &r->link)) ||
	    crew_rank_need(r, weir_crew_handle(r->link, &r->meeting)))
		return -1;
	r->crew = r->meeting;
	if (request->device && crew_rank_need(r, weir_crew_on_device(r->link, r->device, &r->crew)))
		return -1;
	return crew_rank_need(r, weir_program_create(r->device, text, &r->program));
}

void crew_rank_close(crew_rank *r)
{
	/* The others would wait for this rank forever. */
	if (r->link && r->result->status)
		weir_crew_host_abort(r->link);
	if (r->link)
		weir_crew_destroy(&r->link);
	if (r->program)
		weir_program_destroy(r->program);
	if (r->device && r->device != r->host)
		weir_device_close(r->device);
	if (r->host)
		weir_device_close(r->host);
}

int crew_rank_has_fault(const crew_rank *r, crew_fault fault)
{
	return r->request->fault == fault && r->request->fault_rank == r->crew.config.rank;
}

int crew_rank_fail(crew_rank *r, const char *text)
{
	if (!r->result->text[0])
		snprintf(r->result->text, sizeof r->result->text, "%s", text);
	r->result->status = WEIR_EXIT_FAILED;
	return -1;
}

int crew_rank_need(crew_rank *r, weir_status status)
{
	return status == WEIR_OK ? 0 : crew_rank_fail(r, weir_error_text());
}

int crew_rank_report(crew_rank *r, double waited)
{
	weir_crew_report about;

	if (weir_crew_diagnose(r->link, waited, &about) != WEIR_OK)
		return crew_rank_fail(r, weir_error_text());
	weir_crew_host_abort(r->link);
	crew_rank_fail(r, about.text);
	weir_crew_report_destroy(&about);
	return -1;
}

/* Whether a rank that others may wait for is gone. */
static int is_broken(crew_rank *r)
{
	weir_crew_report about;
	int broken = 0;

	if (weir_crew_diagnose(r->link, 0, &about) != WEIR_OK)
		return 0;
	for (uint32_t i = 0; i < about.ranks; i++)
		broken |= about.rank[i].state == WEIR_RANK_DEAD ||
		          (about.rank[i].state == WEIR_RANK_LEFT && !about.rank[i].has_arrived);
	weir_crew_report_destroy(&about);
	return broken;
}

int crew_rank_watch(crew_rank *r)
{
	const uint64_t look_ns = 50000000;
	double waited = 0;
	weir_status status;

	while ((status = weir_device_wait(r->device, look_ns, NULL)) == WEIR_TIMED_OUT) {
		waited += (double)look_ns * 1e-9;
		if (!r->result->text[0] && is_broken(r))
			crew_rank_report(r, waited);
	}
	/* The memory of a rank that is gone may be gone as well: the device's error is then not the
	 * cause. */
	if (status != WEIR_OK && !r->result->text[0] && is_broken(r))
		return crew_rank_report(r, waited);
	return crew_rank_need(r, status);
}

int crew_rank_judge(crew_rank *r, uint32_t result)
{
	if (result == WEIR_TIMED_OUT)
		return crew_rank_report(r, r->request->seconds);
	if (result != WEIR_OK)
		return crew_rank_fail(r, CREW_TEXT_ABORTED);
	return r->result->text[0] ? -1 : 0;
}

static void sleep_for(double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds,
	                        .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&time, NULL);
}

void crew_rank_be_late(const crew_rank *r)
{
	double seconds = r->request->seconds;

	if (crew_rank_has_fault(r, CREW_LATE))
		sleep_for(seconds < 2 * LATE_S ? seconds / 2 : LATE_S);
}

int crew_rank_stop_coming(crew_rank *r)
{
	if (crew_rank_has_fault(r, CREW_KILL))
		raise(SIGKILL);
	while (weir_crew_aborted(r->meeting) == 0)
		sleep_for(0.01);
	return crew_rank_fail(r, "this rank stayed away on purpose\n");
}

/* ---- trials ---- */

const char *const crew_trial_names[CREW_TRIALS] = {
    "barrier of all blocks", "barrier of one block per rank", "event to the next rank",
    "queue into the next rank"};

#define GPU_THREADS 128

extern const void *const crew_trial_cuda_image;

static const weir_host_entry entries[] = {{"crew_trial", crew_trial_entry}};

/* The trials of a rank. */
typedef struct rank_run {
	crew_rank rank;
	weir_kernel kernel;
	weir_buffer data;
	/* Rounds so far of trials that use the ranks' data (which two consecutive phases share), of
	 * events and of queues. */
	uint32_t past[CREW_TRIALS];
} rank_run;

/* Checks what the kernel left in its data. */
static int judge(rank_run *r, uint32_t rounds, uint64_t *ns)
{
	crew_rank *rank = &r->rank;
	uint32_t found[CREW_WORDS];

	if (crew_rank_need(rank, weir_buffer_read(rank->device, r->data, 0, found, sizeof found)))
		return -1;
	rank->result->errors += found[CREW_ERRORS];
	*ns = (found[CREW_NS] | (uint64_t)found[CREW_NS + 1] << 32) / rounds;
	if (crew_rank_judge(rank, found[CREW_RESULT]))
		return -1;
	if (found[CREW_ERRORS] != 0)
		return crew_rank_fail(rank, "a block found data of another phase\n");
	return 0;
}

static int run_trial(rank_run *r, uint32_t trial, uint32_t rounds, uint64_t *ns)
{
	crew_rank *rank = &r->rank;
	const crew_request *request = rank->request;
	uint32_t *past = &r->past[trial == CREW_LANE ? CREW_BARRIER : trial];
	const uint32_t zeros[CREW_WORDS] = {0};
	int stops = trial == CREW_BARRIER && *past == 0 &&
	            (crew_rank_has_fault(rank, CREW_KILL) || crew_rank_has_fault(rank, CREW_STAY));
	crew_params params = {.crew = rank->crew,
	                      .trial = trial,
	                      .rounds = rounds,
	                      .base = *past,
	                      .stop_at = stops ? rounds / 2 : rounds,
	                      .ns = (uint64_t)(request->seconds * 1e9)};
	void *none = NULL;
	weir_argument arguments[] = {{&none, sizeof none},
	                             {&r->data.native, sizeof r->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = r->kernel,
	                      .grid = {request->blocks, 1, 1},
	                      .block = {rank->device == rank->host ? 1 : GPU_THREADS, 1, 1},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	*past += rounds;
	if (crew_rank_need(rank,
	                   weir_buffer_write(rank->device, r->data, 0, zeros, sizeof zeros)) ||
	    crew_rank_need(rank, weir_kernel_launch(rank->device, &launch)) ||
	    crew_rank_watch(rank))
		return -1;
	if (stops)
		return crew_rank_stop_coming(rank);
	return judge(r, rounds, ns);
}

static void run_trials(rank_run *r)
{
	uint32_t rounds = r->rank.request->rounds;
	uint64_t ns;

	crew_rank_be_late(&r->rank);
	/* The first trial is not counted, and the last one keeps every rank until all are done. */
	for (uint32_t trial = 0; trial < CREW_TRIALS; trial++) {
		if (run_trial(r, trial, rounds / 4 + 2, &ns) ||
		    run_trial(r, trial, rounds, &r->rank.result->ns[trial]))
			return;
		r->rank.result->done++;
	}
	run_trial(r, CREW_BARRIER, 1, &ns);
}

static int open_rank(rank_run *r, const weir_crew_place *place)
{
	const crew_request *request = r->rank.request;
	crew_rank *rank = &r->rank;
	const weir_program_text text = {
	    .cuda_image = crew_trial_cuda_image, .host_entries = entries, .host_entry_count = 1};
	weir_crew_options options = {.blocks = request->blocks,
	                             .radix = request->radix,
	                             .events = 1,
	                             .queue_slots = 2,
	                             .data_bytes = 2 * sizeof(uint32_t) * request->blocks};

	return crew_rank_open(rank, place, &options, &text) ||
	       crew_rank_need(rank, weir_program_kernel(rank->program, "crew_trial", &r->kernel)) ||
	       crew_rank_need(
		   rank, weir_buffer_create(rank->device, CREW_WORDS * sizeof(uint32_t), &r->data));
}

void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result)
{
	rank_run r = {.rank = {.request = request, .result = result}};

	memset(result, 0, sizeof *result);
	result->rank = place->rank;
	if (request->decodes) {
		crew_decode_run(&r.rank, place);
	} else if (!open_rank(&r, place)) {
		result->radix = r.rank.crew.config.radix;
		result->blocks = request->blocks;
		run_trials(&r);
	}
	crew_rank_close(&r.rank);
}
