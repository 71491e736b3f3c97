/* Every kind of event, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>

#include "event_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(event_start),
                                          HARNESS_ENTRY(event_ring),
                                          HARNESS_ENTRY(event_collective),
                                          HARNESS_ENTRY(event_collective_without),
                                          HARNESS_ENTRY(event_last),
                                          HARNESS_ENTRY(event_range),
                                          HARNESS_ENTRY(event_all),
                                          HARNESS_ENTRY(event_all_without),
                                          HARNESS_ENTRY(event_block_last),
                                          HARNESS_ENTRY(event_rounds),
                                          HARNESS_ENTRY(event_rounds_without),
                                          HARNESS_ENTRY(event_alone)};

/* The layout of the events of a test. */
struct layout {
	const weir_kind *kind;
	uint32_t bits;
	int compact;
};

#define WRAPS 0xfffffffau /* a count that soon wraps */

/* The words of an event of that layout, if its kind has such parts. */
static uint32_t words_of(const struct layout *layout, int parts)
{
	return layout->kind->parts == parts ? 1u << layout->bits : 0;
}

/* Two events more than blocks, so that each kernel has enough. Each starts as after `start`
 * launches with `each` signals. */
static harness_object make(harness *h, const struct layout *layout, uint32_t blocks, uint32_t start,
                           uint32_t each, int without)
{
	harness_object a = harness_make(
	    h,
	    (harness_order){.primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
	                    .kind = layout->kind->value,
	                    .count = blocks + 2,
	                    .options.event_array = {.copies = words_of(layout, WEIR_PARTS_COPIES),
	                                            .shards = words_of(layout, WEIR_PARTS_SHARDS),
	                                            .object.compact = layout->compact},
	                    .without = without});

	a.launch.params.base = start;
	a.launch.params.width = each;
	a.launch.params.length = blocks + 2;
	a.launch.params.value = layout->kind->parts != WEIR_PARTS_SHARDS;
	a.launch.params.seed = blocks;
	harness_run_grid(h, &a, "event_start", 1, 1, 0);
	return a;
}

/* A test of one launch: the kernels have the same checks. */
struct test {
	const char *what;
	const char *kernel;
	const char *without; /* the kernel without events; NULL: the same */
	int is_block;        /* all threads of each block take part */
	int counts_last;     /* the word after those of the blocks counts the rounds */
	uint32_t least;      /* blocks */
};

static const struct test tests[] = {
    {"a ring", "event_ring", NULL, 0, 0, 1},
    {"a ring of all threads", "event_collective", "event_collective_without", 1, 0, 1},
    {"the last of all", "event_last", NULL, 0, 1, 1},
    {"any, then all", "event_range", NULL, 0, 0, 2},
    {"all by all threads", "event_all", "event_all_without", 1, 0, 1},
};

static void run(harness *h, const struct layout *layout, const struct test *test, uint32_t blocks,
                uint32_t threads, uint32_t start, int without)
{
	uint32_t visits = blocks * (test->is_block ? threads : 2);
	uint32_t rounds = harness_rounds_in_turn(h, visits, blocks, 300);

	if (blocks < test->least)
		return;
	harness_object a = make(h, layout, blocks, start, 1, without);
	a.launch.params.rounds = rounds;
	harness_run_grid(h, &a, without && test->without ? test->without : test->kernel, blocks,
	                 threads, 1);
	int right = h->copy[HARNESS_ERRORS] == 0 &&
	            (!test->counts_last || h->copy[HARNESS_DATA + blocks] == rounds);
	harness_verdict(h, right, without, "%s of %u bits%s: %s, %u blocks of %u, %u rounds%s",
	                layout->kind->name, layout->bits, layout->compact ? ", compact" : "",
	                test->what, blocks, threads, rounds, start ? ", across the wrap" : "");
	harness_unmake(h, &a);
}

/* The result of a block's signal, where blocks can share one. */
static void block_last(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads)
{
	static const struct test test = {
	    "the last of all, for all threads", "event_block_last", NULL, 1, 0, 1};

	if (h->info.machine != WEIR_MACHINE_OPENCL && layout->kind->parts != WEIR_PARTS_SHARDS) {
		run(h, layout, &test, blocks, threads, 0, 0);
		run(h, layout, &test, blocks, threads, WRAPS, 0);
	}
}

static void rounds(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads,
                   uint32_t start, int without)
{
	harness_object a = make(h, layout, blocks, start, blocks, without);
	uint32_t launches = h->info.is_gpu && !h->small ? 40 : 6;
	int right = 1;

	a.launch.kernel = without ? "event_rounds_without" : "event_rounds";
	a.launch.grid[0] = blocks;
	a.launch.threads = threads;
	a.launch.together = 1;
	for (uint32_t i = 0; i < launches; i++) {
		a.launch.params.base = start + i;
		a.launch.params.rounds = i;
		harness_run(h, &a.launch, i != 0);
		right &= h->copy[HARNESS_ERRORS] == 0;
	}
	harness_verdict(
	    h, right, without, "%s of %u bits: %u launches without a reset, %u blocks%s",
	    layout->kind->name, layout->bits, launches, blocks, start ? ", across the wrap" : "");
	harness_unmake(h, &a);
}

static void alone(harness *h, const struct layout *layout, uint32_t start)
{
	harness_object a = make(h, layout, 1, start, 1, 0);

	harness_run_grid(h, &a, "event_alone", 1, 1, 1);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "%s of %u bits: looks and deadlines of one thread%s", layout->kind->name,
	                layout->bits, start ? ", across the wrap" : "");
	harness_unmake(h, &a);
}

static void test_layout(harness *h, const struct layout *layout)
{
	uint32_t threads = h->info.is_gpu ? 128 : harness_threads(h, 5);
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "event_all", threads, counts);

	alone(h, layout, 0);
	alone(h, layout, UINT32_MAX - 1);
	/* The second layout of a kind, only with the most blocks. */
	for (uint32_t i = layout->compact ? n - 1 : 0; i < n; i++) {
		for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++) {
			run(h, layout, &tests[t], counts[i], threads, 0, 0);
			run(h, layout, &tests[t], counts[i], threads, WRAPS, 0);
		}
		block_last(h, layout, counts[i], threads);
		rounds(h, layout, counts[i], threads, 0, 0);
		rounds(h, layout, counts[i], threads, WRAPS, 0);
	}
	/* Blocks of less than a warp. */
	for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++)
		if (h->info.is_gpu && tests[t].is_block)
			run(h, layout, &tests[t], counts[n - 1], 7, 0, 0);
}

static void test_kind(harness *h, const weir_kind *kind)
{
	uint32_t bits = kind->parts == WEIR_PARTS_NONE ? 0 : 1;

	test_layout(h, &(struct layout){kind, bits, 0});
	test_layout(h, &(struct layout){kind, 2 * bits, 1});
}

static void test_taken_out(harness *h)
{
	struct layout layout = {.kind = weir_kind_at(WEIR_PRIMITIVE_EVENT_ARRAY, 0)};
	uint32_t threads = h->info.is_gpu ? 128 : harness_threads(h, 5);
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "event_all", threads, counts);

	for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++)
		HARNESS_MUST_NOTICE(h, run(h, &layout, &tests[t], counts[n - 1], threads, 0, 1));
	HARNESS_MUST_NOTICE(h, rounds(h, &layout, counts[n - 1], threads, 0, 1));
}

static const harness_family family = {.name = "event",
                                      .primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
                                      .kind = test_kind,
                                      .without = test_taken_out};

HARNESS_MAIN(&family, entries)
