#include "trial.h"

#include <string.h>

#include "decode.h"
#include "kernels/crew_kernels.h"
#include "rank.h"

const char *const crew_trial_names[CREW_TRIALS] = {
    "barrier of all blocks", "barrier of one block a rank", "event to the next rank",
    "queue into the next rank"};

#define GPU_THREADS 128

extern const void *const crew_trial_cuda_image;

static const weir_host_entry entries[] = {{"crew_trial", crew_trial_entry}};

/* The trials of a rank. */
typedef struct rank_run {
	crew_rank rank;
	weir_kernel kernel;
	weir_buffer data;
	/* Rounds so far of what uses the ranks' data, which two phases in a row share, of events and of
	 * queues. */
	uint32_t past[CREW_TRIALS];
} rank_run;

/* What the kernel left in its data. */
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
	/* A first part is not counted, and the last one lets no rank leave before all are done. */
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
	                             .queue = 2,
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
