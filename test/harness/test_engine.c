/* Crews in which only an engine reaches all or some ranks, on the host machine: barriers, lanes,
 * deadlines, an abort, posts, and refusals. The engine is the tests' own (late_engine.h). */
#include "late_engine.h"

#include "harness.h"
#include "kernels/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_DEADLINE_NS 60000000000ull
#define MOST_DATA 256

/* The state that the kernels of a case use: one case runs at a time. */
static late_engine wire;
static weir_word *tables[LATE_RANKS][LATE_RANKS];
static uint32_t host_ranks; /* ranks of one host reach each other by loads and stores */

static weir_crew_config config_of(uint32_t ranks, uint32_t rank, const harness_params *params)
{
	weir_crew_config config = weir_crew_in_config(ranks, rank, params->width);

	config.first_block = rank * params->width;
	config.lanes = params->width;
	config.bits = params->value;
	config.events = 1;
	config.queue_bits = 2;
	if (params->length)
		config.radix = params->length;
	return config;
}

static weir_crew crew_of(const harness_params *params, uint32_t rank)
{
	weir_crew c = weir_crew_make(wire.ranks[rank].share, host_ranks > 1 ? tables[rank] : NULL,
	                             config_of(wire.count, rank, params));

	c.engine = &wire;
	return c;
}

/* Puts a word into the data of a rank, each in its own way. */
static void put(weir_crew c, uint32_t rank, uint32_t index, uint32_t value)
{
	if (weir_crew_reaches(c, rank))
		weir_crew_data(c, rank)[index] = value;
	else
		late_put(c.engine, c.config.rank, rank, weir_crew_data(c, c.config.rank) + index,
		         value, LATE_DATA, 0);
}

WEIR_KERNEL(engine_start, harness_params)
{
	(void)words;
	(void)data;
	if (weir_thread_id() == 0 && weir_block_id() % params.width == 0)
		weir_crew_start(crew_of(&params, weir_block_id() / params.width), params.base);
}

static weir_status pass(weir_crew c, uint32_t phase, const harness_params *params, uint32_t random)
{
	weir_crew_token t = weir_crew_arrive(c);
	weir_status result;

	if (!params->hold || phase % 2)
		return weir_crew_await(c, &t);
	do
		result = weir_crew_await_for(c, &t, random % params->hold);
	while (result == WEIR_TIMED_OUT);
	return result;
}

/* Two sets of words alternate: each block puts its own into the data of every rank, and finds those of all blocks
 * in the data of its rank. After every fourth barrier the blocks of a lane synchronize, and look only at the
 * words of that lane. */
WEIR_KERNEL(engine_phases, harness_params)
{
	uint32_t blocks = weir_block_count();
	weir_crew c = crew_of(&params, weir_block_id() / params.width);
	uint32_t lane = weir_block_id() % params.width;
	uint32_t *own = weir_crew_data(c, c.config.rank);
	uint32_t random = (params.seed + weir_block_id() * 2654435761u) | 1;
	uint32_t errors = 0;

	(void)words;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		uint32_t set = (phase & 1) * blocks;

		random = harness_shuffle(random);
		if (weir_thread_id() == phase % weir_thread_count())
			for (uint32_t rank = 0; rank < c.config.ranks; rank++)
				put(c, rank, set + weir_block_id(), phase + 1);
		errors += pass(c, phase, &params, random >> 4) != WEIR_OK;
		for (uint32_t b = weir_thread_id(); b < blocks; b += weir_thread_count())
			errors += own[set + b] != phase + 1;
		if (phase % 4 != 0)
			continue;
		if (weir_thread_id() == 0)
			for (uint32_t rank = 0; rank < c.config.ranks; rank++)
				put(c, rank, 2 * blocks + weir_block_id(), phase);
		errors += weir_crew_lane_wait(c, lane) != WEIR_OK;
		for (uint32_t b = lane; b < blocks; b += params.width)
			errors += own[2 * blocks + b] != phase;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* A word and a post travel around the ranks. */
WEIR_KERNEL(engine_ring, harness_params)
{
	weir_crew c = crew_of(&params, weir_block_id());
	uint32_t next = (c.config.rank + 1) % c.config.ranks;
	weir_event own = weir_crew_event(c, c.config.rank, 0);
	uint32_t errors = 0;

	(void)words;
	for (uint32_t turn = 1; turn <= params.rounds && !errors; turn++)
		for (uint32_t step = 0; step < 2; step++) {
			if ((step == 0) == (c.config.rank == 0)) {
				put(c, next, 0, turn);
				weir_crew_event_post(c, next, 0, 1);
				continue;
			}
			errors +=
			    weir_crew_event_wait_for(c, own, turn, EVENT_DEADLINE_NS) != WEIR_OK;
			errors += *weir_crew_data(c, c.config.rank) != turn;
		}
	if (errors)
		weir_crew_abort(c);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The last rank does not arrive, but aborts. */
WEIR_KERNEL(engine_abort, harness_params)
{
	weir_crew c = crew_of(&params, weir_block_id() / params.width);

	(void)words;
	if (c.config.rank == c.config.ranks - 1) {
		if (weir_block_id() % params.width == 0 && weir_thread_id() == 0)
			weir_crew_abort(c);
		return;
	}
	if (weir_crew_wait(c) != WEIR_ABORTED || weir_crew_aborted(c) != c.config.ranks)
		data[HARNESS_ERRORS] = 1;
}

WEIR_KERNEL(engine_take_queue, harness_params)
{
	weir_crew c = crew_of(&params, weir_block_id());

	(void)words;
	data[HARNESS_DATA] = weir_crew_queue(c, 1 - c.config.rank).config.kind;
}

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(engine_start), HARNESS_ENTRY(engine_phases),     HARNESS_ENTRY(engine_ring),
    HARNESS_ENTRY(engine_abort), HARNESS_ENTRY(engine_take_queue),
};
#define TEXT                                                                                       \
	{                                                                                          \
		.host_entries = entries, .host_entry_count = sizeof entries / sizeof entries[0]    \
	}

typedef struct engine_case {
	const char *kernel;
	uint32_t ranks;
	uint32_t hosts; /* ranks of one host */
	uint32_t blocks;
	uint32_t radix; /* 0: flat */
	uint32_t bits;
	uint32_t threads;
	uint32_t past;
	int deadlines;
	int holds;
	enum late_left_out without;
} engine_case;

static harness_launch prepare(const engine_case *c, uint32_t rounds)
{
	harness_launch launch = {.kernel = c->kernel,
	                         .params = {.rounds = rounds,
	                                    .width = c->blocks,
	                                    .length = c->radix,
	                                    .value = c->bits,
	                                    .hold = c->deadlines ? 200000 : 0,
	                                    .base = c->past,
	                                    .seed = c->ranks * c->blocks},
	                         .grid = {c->ranks * c->blocks, 1, 1},
	                         .threads = c->threads,
	                         .together = 1};
	uint64_t words = weir_crew_words(config_of(c->ranks, 0, &launch.params)) + MOST_DATA;

	late_start(&wire, c->ranks, (size_t)words, c->holds, c->without);
	host_ranks = c->hosts;
	for (uint32_t rank = 0; rank < c->ranks; rank++)
		for (uint32_t to = 0; to < c->ranks; to++)
			tables[rank][to] =
			    rank / c->hosts == to / c->hosts ? wire.ranks[to].share : NULL;
	return launch;
}

static void run(harness *h, const engine_case *c)
{
	static const char *const left_out[] = {"", ", no completion", ", no completion of posts",
	                                       ", no look"};
	uint32_t blocks = c->ranks * c->blocks;
	harness_launch launch = prepare(
	    c, c->without ? 4 : harness_rounds_in_turn(h, 2 * blocks * c->threads, blocks, 60));
	int right;

	launch.kernel = "engine_start";
	harness_run(h, &launch, 0);
	launch.kernel = c->kernel;
	harness_run(h, &launch, 0);
	right = h->copy[HARNESS_ERRORS] == 0 && wire.misused == 0;
	harness_verdict(h, right, c->without != LATE_NOTHING,
	                "%s: %u ranks of %u blocks of %u, %u on a host, radix %u, from %#x%s%s%s",
	                c->kernel, c->ranks, c->blocks, c->threads, c->hosts,
	                c->radix ? c->radix : c->ranks, c->past,
	                c->deadlines ? ", with deadlines" : "", c->holds ? ", data held" : "",
	                left_out[c->without]);
	late_stop(&wire);
}

/* A launch that must fail with that error text, on a separate device, which cannot be used
 * afterwards. */
static void refused(harness *h, const engine_case *c, const char *text)
{
	const weir_program_text program_text = TEXT;
	harness_launch launch = prepare(c, 1);
	weir_device *device;
	weir_program *program;
	weir_buffer data;
	weir_kernel kernel;
	weir_status status;

	harness_need(weir_device_open("host", &device), "weir_device_open");
	harness_need(weir_program_create(device, &program_text, &program), "weir_program_create");
	harness_need(weir_buffer_create(device, h->data_bytes, &data), "weir_buffer_create");
	harness_need(weir_program_kernel(program, c->kernel, &kernel), c->kernel);
	weir_argument arguments[] = {{&launch.words, sizeof launch.words},
	                             {&data.native, sizeof data.native},
	                             {&launch.params, sizeof launch.params}};
	weir_launch order = {.kernel = kernel,
	                     .grid = {launch.grid[0], 1, 1},
	                     .block = {launch.threads},
	                     .cooperative = 1,
	                     .arguments = arguments,
	                     .argument_count = 3};
	harness_need(weir_kernel_launch(device, &order), c->kernel);
	status = weir_device_wait(device, EVENT_DEADLINE_NS, NULL);
	harness_verdict(h, status != WEIR_OK && strstr(weir_error_text(), text), 0,
	                "%s is refused: %s", c->kernel, weir_error_text());
	late_stop(&wire);
	weir_device_close(device);
}

int main(int argc, char **argv)
{
	/* kernel, ranks, of a host, blocks, radix, bits, threads, past, deadlines, held, left out */
	static const engine_case cases[] = {
	    {"engine_phases", 2, 1, 1, 0, 0, 1, 0, 0, 1, LATE_NOTHING},
	    {"engine_phases", 3, 1, 2, 0, 1, 1, 0xfffffff0u, 0, 0, LATE_NOTHING},
	    {"engine_phases", 4, 2, 2, 0, 0, 2, 0, 1, 1, LATE_NOTHING},
	    {"engine_phases", 5, 4, 1, 0, 0, 1, 0, 0, 0, LATE_NOTHING},
	    {"engine_ring", 3, 1, 1, 0, 0, 1, 0, 0, 1, LATE_NOTHING},
	    {"engine_ring", 4, 2, 1, 0, 0, 1, 0, 0, 0, LATE_NOTHING},
	    {"engine_abort", 3, 1, 2, 0, 0, 1, 0, 0, 1, LATE_NOTHING},
	    {"engine_abort", 4, 2, 1, 0, 0, 2, 0, 0, 0, LATE_NOTHING},
#ifndef LATE_ENGINE_FLAT
	    {"engine_phases", 5, 1, 1, 2, 0, 1, 0xfffffff0u, 0, 1, LATE_NOTHING},
	    {"engine_phases", 4, 2, 2, 2, 0, 1, 0, 0, 1, LATE_NOTHING},
	    {"engine_phases", 7, 2, 1, 3, 0, 1, 0, 1, 0, LATE_NOTHING},
#endif
	};
	static const engine_case faulty[] = {
	    {"engine_phases", 2, 1, 1, 0, 0, 1, 0, 0, 1, LATE_COMPLETION},
	    {"engine_phases", 2, 1, 1, 0, 0, 1, 0, 0, 1, LATE_SIGHT},
	    {"engine_ring", 2, 1, 1, 0, 0, 1, 0, 0, 1, LATE_POST},
	    {"engine_ring", 2, 1, 1, 0, 0, 1, 0, 0, 1, LATE_SIGHT},
#ifndef LATE_ENGINE_FLAT
	    {"engine_phases", 4, 1, 1, 2, 0, 1, 0, 0, 1, LATE_COMPLETION},
#endif
	};
	const weir_program_text text = TEXT;
	harness h;
	int status;

	if (harness_open_text(&h, argc, argv, "engine", &text, &status))
		return status;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		run(&h, &cases[i]);
	for (size_t i = 0; !h.sound_only && i < sizeof faulty / sizeof faulty[0]; i++)
		run(&h, &faulty[i]);
	refused(
	    &h,
	    &(engine_case){
		.kernel = "engine_take_queue", .ranks = 2, .hosts = 1, .blocks = 1, .threads = 1},
	    "only an engine reaches");
#ifdef LATE_ENGINE_FLAT
	refused(&h,
	        &(engine_case){.kernel = "engine_phases",
	                       .ranks = 4,
	                       .hosts = 1,
	                       .blocks = 1,
	                       .radix = 2,
	                       .threads = 1},
	        "its radix is the number of ranks");
#endif
	return harness_close(&h);
}
