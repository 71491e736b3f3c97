/* Crews whose ranks are groups of blocks of one launch, on the device named on the command line. */
#include "harness.h"

#include "crew_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(crew_start), HARNESS_ENTRY(crew_phases)};

#define MOST_WORDS (1u << 16)

typedef struct crew_case {
	uint32_t ranks;
	uint32_t blocks; /* of each rank */
	uint32_t radix;  /* 0: flat */
	uint32_t bits;
	uint32_t threads;
	uint32_t past;
	int deadlines;
	int without;
} crew_case;

/* Three launches in a row without a reset. */
static void phases(harness *h, const crew_case *c)
{
	uint32_t blocks = c->ranks * c->blocks;
	weir_buffer words;
	int right = 1;

	harness_need(weir_buffer_create(h->device, MOST_WORDS * sizeof(weir_word), &words),
	             "weir_buffer_create");
	harness_launch launch = {
	    .kernel = "crew_start",
	    .words = words.native,
	    .params = {.rounds = harness_rounds_in_turn(h, blocks * c->threads, blocks, 400),
	               .without = c->without,
	               .width = c->blocks,
	               .length = c->radix,
	               .value = c->bits,
	               .hold = c->deadlines ? 200000 : 0,
	               .base = c->past,
	               .seed = blocks},
	    .grid = {blocks, 1, 1},
	    .threads = c->threads,
	    .together = 1};
	harness_run(h, &launch, 0);
	launch.kernel = "crew_phases";
	for (int i = 0; i < 3; i++) {
		harness_run(h, &launch, i > 0);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		launch.params.base += launch.params.rounds;
	}
	harness_verdict(h, right, c->without, "%u ranks of %u blocks of %u, radix %u, from %#x%s",
	                c->ranks, c->blocks, c->threads, c->radix ? c->radix : c->ranks, c->past,
	                c->deadlines ? ", with deadlines" : "");
	harness_need(weir_buffer_destroy(h->device, &words), "weir_buffer_destroy");
}

static void test_all(harness *h)
{
	static const crew_case cases[] = {
	    {1, 3, 0, 0, 1, 0, 0, 0},           {2, 1, 0, 0, 1, 0, 0, 0},
	    {3, 2, 0, 1, 1, 0xffffff80u, 0, 0}, {5, 1, 2, 0, 1, 0xffffff80u, 0, 0},
	    {4, 2, 3, 0, 1, 0, 1, 0},           {2, 2, 0, 0, 3, 0xffffff80u, 0, 0},
	    {3, 1, 2, 0, 2, 0, 1, 0},
	};
	static const crew_case gpu_cases[] = {
	    {8, 16, 0, 2, 128, 0xffffff80u, 0, 0},
	    {40, 3, 0, 0, 128, 0, 1, 0},
	    {11, 4, 3, 1, 32, 0, 0, 0},
	    {7, 5, 2, 0, 20, 0xffffff80u, 1, 0},
	};
	static const crew_case without = {4, 2, 0, 0, 1, 0, 0, 1};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		phases(h, &cases[i]);
	for (size_t i = 0; h->info.is_gpu && i < sizeof gpu_cases / sizeof gpu_cases[0]; i++)
		phases(h, &gpu_cases[i]);
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, phases(h, &without));
}

static const harness_family family = {.name = "crew", .all = test_all};

HARNESS_MAIN(&family, entries)
