/* Ranks that decode together. */
#include "crew/crew.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/complain.h"
#include "crew/nccl.h"
#include "driver/chain.h"
#include "driver/driver.h"
#include "forms/problems/problem.h"
#include "kernels/real/crew_decode_kernels.h"
#include "output/figure.h"
#include "weir/event/round.h"

#define GPU_THREADS 512
#define HOST_LANE CREW_DECODE_LANES /* where the ranks' processes meet between launches */
#define MOST_RANKS 8
/* Words of each rank after its vectors: its capabilities, and the NCCL id that rank 0 creates. */
#define EXTRA_WORDS 64
#define CAN_WORD 0
#define ID_WORD 32

const char *const crew_form_names[CREW_FORMS] = {"one launch, crew's events",
                                                 "one launch, crew's events, graph",
                                                 "launches, sums by a kernel between",
                                                 "launches, sums by a kernel between, graph",
                                                 "launches, NCCL between",
                                                 "launches, NCCL between, graph"};

extern const void *const crew_decode_cuda_image;

static const weir_host_entry entries[] = {{"crew_decode", crew_decode_entry},
                                          {"crew_decode_once", crew_decode_once_entry}};

/* No early launches: the ranks share the GPU, and blocks that wait for the previous launch would
 * fill it. Another rank's blocks, which that launch waits for, would never start. */
static const enum weir_chain_way ways[CREW_FORMS] = {WEIR_CHAIN_STREAM, WEIR_CHAIN_GRAPH,
                                                     WEIR_CHAIN_STREAM, WEIR_CHAIN_GRAPH,
                                                     WEIR_CHAIN_STREAM, WEIR_CHAIN_GRAPH};

typedef struct decode_run {
	crew_rank *rank;
	uint32_t size[8]; /* of the whole model */
	uint32_t own[8];  /* of this rank's part */
	weir_kernel whole, once;
	weir_buffer words, data;
	uint32_t *expected, *got; /* of this rank's part */
	uint32_t can;             /* a bit for each form */
	weir_chain *chains[CREW_FORMS];
	crew_nccl nccl;
	crew_nccl_comm comm;
	int nccl_failed; /* its last error that a launch met, or 0 */
	void *stream;
	/* What the launches take. */
	crew_decode_params params;
	crew_form form;
	uint32_t blocks;
	uint32_t launches; /* in one run */
} decode_run;

/* Width, query heads, key-value heads, head size, inner width, layers, position. Small on a CPU. */
static void choose_model(const crew_request *request, uint32_t *size)
{
	uint32_t ranks = request->ranks;
	const uint32_t small[8] = {64, 2 * ranks, ranks, 16, 24 * ranks, 2, 21};
	const uint32_t large[8] = {1024, 16, 8, 128, 3072, 28, 300};

	memcpy(size, request->device ? large : small, sizeof small);
	if (request->layers)
		size[5] = request->layers;
}

const char *crew_decode_refuses(const crew_request *request)
{
	uint32_t size[8], own[8];

	choose_model(request, size);
	if (request->ranks > MOST_RANKS)
		return "--decode is for up to 8 ranks";
	if (!decode_divide(size, request->ranks, own))
		return "--decode on a GPU divides 8 key-value heads: by 1, 2, 4 or 8 ranks";
	return NULL;
}

static int is_by_events(crew_form form)
{
	return form == CREW_FORM_EVENTS || form == CREW_FORM_EVENTS_GRAPH;
}

static int is_by_nccl(crew_form form)
{
	return form == CREW_FORM_NCCL || form == CREW_FORM_NCCL_GRAPH;
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The processes of all ranks meet, outside of kernels. */
static int meet(decode_run *r)
{
	weir_crew c = r->rank->meeting;
	weir_crew_token t = weir_crew_lane_arrive(c, HOST_LANE);

	return crew_rank_judge(
	    r->rank, weir_crew_await_for(c, &t, (uint64_t)(r->rank->request->seconds * 1e9)));
}

static uint32_t *extra_of(const decode_run *r, uint32_t rank)
{
	return weir_crew_data(r->rank->meeting, rank) +
	       CREW_DECODE_FLOATS(r->rank->request->ranks, r->size[0]);
}

/* Determines what all ranks can do. */
static int agree(decode_run *r)
{
	extra_of(r, r->rank->crew.config.rank)[CAN_WORD] = r->can;
	if (meet(r))
		return -1;
	for (uint32_t i = 0; i < r->rank->request->ranks; i++)
		r->can &= extra_of(r, i)[CAN_WORD];
	return meet(r); /* all have read */
}

/* ---- NCCL ---- */

/* Opens the library. Returns 0, or -1 with a text. */
static int crew_nccl_open(crew_nccl *nccl, const char *file, char *why, size_t room)
{
	static const char *const symbols[] = {
#define CREW_NCCL_ROW_(member, symbol, result, parameters) #symbol,
	    CREW_NCCL_FUNCTIONS(CREW_NCCL_ROW_)
#undef CREW_NCCL_ROW_
	};
	static const size_t members[] = {
#define CREW_NCCL_ROW_(member, symbol, result, parameters) offsetof(crew_nccl, member),
	    CREW_NCCL_FUNCTIONS(CREW_NCCL_ROW_)
#undef CREW_NCCL_ROW_
	};

	nccl->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!nccl->library) {
		snprintf(why, room, "NCCL cannot be opened: %s", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		void *function = dlsym(nccl->library, symbols[i]);

		if (!function) {
			snprintf(why, room, "%s has no %s", file, symbols[i]);
			return -1;
		}
		memcpy((char *)nccl + members[i], &function, sizeof function);
	}
	return 0;
}

/* NCCL's description of an error, on one line. */
static void crew_nccl_explain(const crew_nccl *nccl, int result, char *why, size_t room)
{
	int version = 0;

	nccl->get_version(&version);
	snprintf(why, room, "NCCL %d says: %s: %s", version, nccl->error_string(result),
	         nccl->last_error(NULL));
	why[strcspn(why, "\n")] = 0;
}

static int nccl_can(const decode_run *r)
{
	return (r->can & 1u << CREW_FORM_NCCL) != 0;
}

static void nccl_cannot(decode_run *r)
{
	r->can &= ~(1u << CREW_FORM_NCCL | 1u << CREW_FORM_NCCL_GRAPH);
}

static void nccl_init(decode_run *r, weir_cuda_handles handles)
{
	crew_result *result = r->rank->result;
	weir_crew_config config = r->rank->crew.config;
	crew_nccl_id id;
	weir_cu_api api;
	weir_cu_context context;

	memcpy(&id, extra_of(r, 0) + ID_WORD, sizeof id);
	if (weir_cu_load(&api, 0) != WEIR_OK || api.context_push(handles.context) != 0) {
		snprintf(result->note, sizeof result->note, "%s", weir_error_text());
		nccl_cannot(r);
		return;
	}
	int failed = r->nccl.init(&r->comm, (int)config.ranks, id, (int)config.rank);
	if (failed) {
		crew_nccl_explain(&r->nccl, failed, result->note, sizeof result->note);
		r->comm = NULL;
		nccl_cannot(r);
	}
	api.context_pop(&context);
}

/* All ranks open it, or none. */
static int nccl_open(decode_run *r)
{
	const crew_request *request = r->rank->request;
	crew_result *result = r->rank->result;
	weir_cuda_handles handles;
	crew_nccl_id id;
	int failed;

	if (crew_nccl_open(&r->nccl, request->nccl, result->note, sizeof result->note))
		nccl_cannot(r);
	if (crew_rank_need(r->rank, weir_device_cuda_handles(r->rank->device, &handles)))
		return -1;
	r->stream = handles.stream;
	if (nccl_can(r) && r->rank->crew.config.rank == 0) {
		failed = r->nccl.get_id(&id);
		if (failed) {
			crew_nccl_explain(&r->nccl, failed, result->note, sizeof result->note);
			nccl_cannot(r);
		}
		memcpy(extra_of(r, 0) + ID_WORD, &id, sizeof id);
	}
	if (agree(r))
		return -1;
	if (nccl_can(r))
		nccl_init(r, handles);
	return agree(r);
}

/* The sum over the ranks after part 2, or after part 4. */
static void nccl_sum(decode_run *r, int is_last)
{
	const crew_rank *rank = r->rank;
	size_t residual = r->own[3] + r->own[0]; /* in the data of a rank: after rotary and token */
	float *sums = (float *)(rank->crew.words + weir_crew_words(rank->crew.config)) +
	              (is_last ? r->own[0] : 0);
	int failed = r->nccl.all_reduce(sums, (float *)r->data.native + residual, r->own[0],
	                                CREW_NCCL_FLOAT, CREW_NCCL_SUM, r->comm, r->stream);

	r->nccl_failed = failed ? failed : r->nccl_failed;
}

/* ---- launches ---- */

/* Launches of one form per token; NCCL's sums do not count as launches of ours. */
static uint32_t launches_of_token(const decode_run *r)
{
	if (is_by_events(r->form))
		return 1;
	return r->own[5] * (is_by_nccl(r->form) ? CREW_DECODE_PARTS - 2 : CREW_DECODE_PARTS);
}

/* NCCL adds before a launch, so a final launch that does nothing is preceded by the last sum. */
static void count_launches(decode_run *r, uint32_t tokens)
{
	r->launches = tokens * launches_of_token(r) + (is_by_nccl(r->form) ? 1 : 0);
}

static void prepare(void *context, uint32_t index)
{
	decode_run *r = context;
	uint32_t of_token = launches_of_token(r), at = index % of_token;

	if (!is_by_nccl(r->form)) {
		r->params.part = at;
		return;
	}
	uint32_t layer = at / (CREW_DECODE_PARTS - 2), part = at % (CREW_DECODE_PARTS - 2);
	if (index != 0 && (part == 0 || part == CREW_DECODE_SUM_MIDDLE))
		nccl_sum(r, part == 0);
	if (index + 1 == r->launches)
		layer = r->own[5];
	r->params.part =
	    layer * CREW_DECODE_PARTS + (part < CREW_DECODE_SUM_MIDDLE ? part : part + 1);
}

/* Without a chain: on the host, and for a first launch, which is refused if its blocks cannot all
 * run at once. */
static int run_watched(decode_run *r, uint32_t tokens)
{
	crew_rank *rank = r->rank;
	weir_argument arguments[] = {{&r->words.native, sizeof r->words.native},
	                             {&r->data.native, sizeof r->data.native},
	                             {&r->params, sizeof r->params}};
	weir_launch launch = {.kernel = is_by_events(r->form) ? r->whole : r->once,
	                      .grid = {r->blocks, 1, 1},
	                      .block = {rank->device == rank->host ? 1 : GPU_THREADS, 1, 1},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	count_launches(r, tokens);
	for (uint32_t i = 0; i < r->launches; i++) {
		prepare(r, i);
		if (crew_rank_need(rank, weir_kernel_launch(rank->device, &launch)) ||
		    crew_rank_watch(rank))
			return -1;
	}
	return 0;
}

static int run_chain(decode_run *r, uint32_t tokens, double *ms)
{
	void *parameters[] = {&r->words.native, &r->data.native, &r->params};
	char why[256];

	count_launches(r, tokens);
	weir_links links = {.kernel = is_by_events(r->form) ? r->whole : r->once,
	                    .blocks = r->blocks,
	                    .threads = GPU_THREADS,
	                    .count = r->launches,
	                    .parameters = parameters,
	                    .prepare = prepare,
	                    .context = r};

	if (crew_rank_need(r->rank, weir_chain_run(r->chains[r->form], &links, ms)))
		return -1;
	if (!r->nccl_failed)
		return 0;
	crew_nccl_explain(&r->nccl, r->nccl_failed, why, sizeof why);
	return crew_rank_fail(r->rank, why);
}

/* Decodes this number of tokens, and stores the microseconds per token. */
static int run(decode_run *r, crew_form form, uint32_t tokens, double *us)
{
	crew_rank *rank = r->rank;
	uint32_t result;
	double ms = 0;

	r->form = form;
	if (meet(r))
		return -1;
	if (crew_rank_has_fault(rank, CREW_KILL))
		return crew_rank_stop_coming(rank);
	uint64_t since = now_ns();
	if (rank->device == rank->host) {
		if (run_watched(r, tokens))
			return -1;
		ms = (double)(now_ns() - since) * 1e-6;
	} else if (run_chain(r, tokens, &ms)) {
		return -1;
	}
	*us = ms * 1e3 / tokens;
	if (crew_rank_need(rank,
	                   weir_buffer_read(rank->device, r->words, 0, &result, sizeof result)))
		return -1;
	return crew_rank_judge(rank, result);
}

/* ---- checks ---- */

static int clear_result(decode_run *r)
{
	float *zeros = weir_need(calloc(r->own[0], sizeof *zeros));
	weir_status status =
	    weir_buffer_write(r->rank->device, r->data, (r->own[3] + r->own[0]) * sizeof(float),
	                      zeros, r->own[0] * sizeof *zeros);

	free(zeros);
	return crew_rank_need(r->rank, status);
}

static int check(decode_run *r)
{
	crew_rank *rank = r->rank;
	char text[512];
	real_why why;
	real_range range;

	for (size_t i = 0; (range = real_decode.looks(r->own, i)).count; i++)
		if (crew_rank_need(rank, weir_buffer_read(
					     rank->device, r->data, range.first * sizeof(uint32_t),
					     r->got + range.first, range.count * sizeof(uint32_t))))
			return -1;
	if (real_decode.check(r->own, r->expected, r->got, &why) == 0)
		return 0;
	snprintf(text, sizeof text, "wrong result of '%s': %s\n", crew_form_names[r->form],
	         why.text);
	return crew_rank_fail(rank, text);
}

/* ---- all forms ---- */

static int can(const decode_run *r, crew_form form)
{
	return (r->can & 1u << form) != 0;
}

/* The first run of each form is checked and serves as its warm-up. On a GPU the very first one is
 * watched. */
static int warm_up(decode_run *r, uint32_t tokens)
{
	double us;

	for (crew_form form = 0; form < CREW_FORMS; form++) {
		if (!can(r, form))
			continue;
		if (clear_result(r))
			return -1;
		r->form = form;
		if (form == CREW_FORM_EVENTS && r->rank->device != r->rank->host) {
			if (meet(r))
				return -1;
			if (crew_rank_has_fault(r->rank, CREW_KILL))
				return crew_rank_stop_coming(r->rank);
			if (run_watched(r, 1))
				return -1;
		}
		if (run(r, form, tokens, &us) || check(r))
			return -1;
	}
	return 0;
}

/* The forms alternate, so that disturbances of the machine affect all of them. */
static int measure(decode_run *r, uint32_t tokens, uint32_t repeats)
{
	double *us = weir_need(calloc((size_t)repeats * CREW_FORMS, sizeof *us));
	int failed = 0;

	for (uint32_t i = 0; !failed && i < repeats; i++)
		for (crew_form form = 0; !failed && form < CREW_FORMS; form++)
			failed = can(r, form) && run(r, form, tokens, &us[form * repeats + i]);
	for (crew_form form = 0; !failed && form < CREW_FORMS; form++) {
		double *all = &us[form * repeats];
		crew_figure *figure = &r->rank->result->forms[form];

		if (!can(r, form))
			continue;
		weir_sort_figures(all, repeats);
		figure->lowest = all[0];
		figure->median = (all[(repeats - 1) / 2] + all[repeats / 2]) / 2;
		figure->highest = all[repeats - 1];
	}
	free(us);
	return failed;
}

/* Creates this rank's part of the model, and the expected result. */
static int make_data(decode_run *r)
{
	crew_rank *rank = r->rank;
	uint32_t ranks = rank->request->ranks, which = rank->crew.config.rank;
	size_t words = real_decode.words(r->own);
	uint32_t *whole = weir_need(calloc(real_decode.words(r->size), sizeof *whole));
	const uint32_t zero = 0;

	r->expected = weir_need(malloc(words * sizeof *r->expected));
	r->got = weir_need(malloc(words * sizeof *r->got));
	real_decode.fill(r->size, whole);
	decode_take_own(r->size, ranks, which, whole, r->got);
	int failed =
	    crew_rank_need(rank,
	                   weir_buffer_create(rank->device, words * sizeof *r->got, &r->data)) ||
	    crew_rank_need(rank, weir_buffer_write(rank->device, r->data, 0, r->got,
	                                           words * sizeof *r->got)) ||
	    crew_rank_need(rank, weir_buffer_create(rank->device, sizeof zero, &r->words)) ||
	    crew_rank_need(rank, weir_buffer_write(rank->device, r->words, 0, &zero, sizeof zero));
	real_decode.expect(r->size, whole);
	decode_take_own(r->size, ranks, which, whole, r->expected);
	free(whole);
	return failed;
}

static int open_all(decode_run *r, const weir_crew_place *place)
{
	crew_rank *rank = r->rank;
	const crew_request *request = rank->request;
	const weir_program_text text = {
	    .cuda_image = crew_decode_cuda_image, .host_entries = entries, .host_entry_count = 2};
	weir_crew_options options = {
	    .radix = request->radix,
	    .lanes = CREW_DECODE_LANES + 1,
	    .events = real_decode.events(r->own),
	    .data_bytes =
		(CREW_DECODE_FLOATS(request->ranks, r->size[0]) + EXTRA_WORDS) * sizeof(uint32_t)};

	if (crew_rank_open(rank, place, &options, &text) ||
	    crew_rank_need(rank, weir_program_kernel(rank->program, "crew_decode", &r->whole)) ||
	    crew_rank_need(rank,
	                   weir_program_kernel(rank->program, "crew_decode_once", &r->once)) ||
	    make_data(r))
		return -1;
	r->blocks = request->blocks;
	if (r->blocks == 0) {
		weir_device_info info;

		if (crew_rank_need(rank, weir_device_describe(rank->device, &info)))
			return -1;
		/* All ranks share the device. */
		r->blocks = info.units < request->ranks ? 1 : info.units / request->ranks;
	}
	rank->result->blocks = r->blocks;
	rank->result->radix = rank->crew.config.radix;
	r->params.crew = rank->crew;
	memcpy(r->params.real.size, r->own, sizeof r->own);
	r->params.ns = (uint64_t)(request->seconds * 1e9);
	r->params.hasty = (uint32_t)crew_rank_has_fault(rank, CREW_HASTY);
	r->can = 1u << CREW_FORM_EVENTS | 1u << CREW_FORM_LAUNCHES;
	if (rank->device == rank->host)
		return 0;
	for (crew_form form = 0; form < CREW_FORMS; form++) {
		r->chains[form] = weir_chain_create(rank->device, ways[form]);
		if (!r->chains[form])
			return crew_rank_fail(rank, weir_error_text());
		if (!is_by_nccl(form) || request->nccl)
			r->can |= 1u << form;
	}
	return request->nccl ? nccl_open(r) : 0;
}

void crew_decode_run(crew_rank *rank, const weir_crew_place *place)
{
	const crew_request *request = rank->request;
	decode_run r = {.rank = rank};

	choose_model(request, r.size);
	decode_divide(r.size, request->ranks, r.own);
	snprintf(rank->result->model, sizeof rank->result->model, "width %u, %.24s, position %u",
	         r.size[0], weir_count_figure(r.size[5], "layer").text, r.size[6]);
	if (!open_all(&r, place)) {
		crew_rank_be_late(rank);
		if (crew_rank_has_fault(rank, CREW_STAY))
			crew_rank_stop_coming(rank);
		else if (!warm_up(&r, request->rounds) &&
		         !measure(&r, request->rounds, request->repeats))
			meet(&r); /* no rank leaves before all are done */
	}
	if (r.comm && !rank->result->text[0])
		r.nccl.destroy(r.comm);
	for (crew_form form = 0; form < CREW_FORMS; form++)
		weir_chain_destroy(r.chains[form]);
	free(r.expected);
	free(r.got);
}
