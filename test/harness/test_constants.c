/* Barriers whose counters are ten times as far apart as usual, or a tenth as far: the build sets
 * the distance (WEIR_COUNTER_APART). The library was built with another distance, so the test makes
 * the handle itself, in its own memory. Runs only on the host. */
#include "harness.h"

#include "barrier_kernels.h"

#define ROUNDS 40

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(barrier_start), HARNESS_ENTRY(barrier_phases), HARNESS_ENTRY(barrier_split)};

static void phases(harness *h, uint32_t bits, uint32_t blocks, uint32_t threads, int without)
{
	weir_barrier_config config = {.kind = WEIR_BARRIER_COUNTER,
	                              .pitch = WEIR_LINE_WORDS,
	                              .blocks = blocks,
	                              .shape = {bits}};
	weir_buffer memory;

	harness_need(
	    weir_buffer_create(h->device, weir_barrier_words(config) * sizeof(weir_word), &memory),
	    "weir_buffer_create");
	harness_launch launch = {.kernel = "barrier_phases",
	                         .words = memory.native,
	                         .params = {.config.barrier = config,
	                                    .rounds = ROUNDS,
	                                    .without = without,
	                                    .seed = blocks * threads},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .together = 1};
	for (int i = 0; i < 2; i++) {
		harness_run(h, &launch, i);
		launch.params.base += ROUNDS;
	}
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
	                "%u bits, counters %d words apart: %u blocks of %u, 2 x %u phases", bits,
	                WEIR_COUNTER_APART, blocks, threads, ROUNDS);
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

static void test_all(harness *h)
{
	for (uint32_t bits = 0; bits <= WEIR_SHAPE_BITS_MOST; bits++)
		for (uint32_t more = 0; more < 2; more++)
			phases(h, bits, (1u << bits) + more, 2, 0);
	HARNESS_MUST_NOTICE(h, phases(h, 1, 7, 2, 1));
}

static const harness_family family = {.name = "constants", .all = test_all};

HARNESS_MAIN(&family, entries)
