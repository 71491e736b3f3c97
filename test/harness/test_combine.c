/* Combiners, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "combine_kernels.h"

static const weir_host_entry entries[] = {{"combine_calls", combine_calls_entry},
                                          {"combine_block", combine_block_entry},
                                          {"combine_timed", combine_timed_entry},
                                          {"combine_alone", combine_alone_entry}};

/* How a test calls. */
struct way {
	const char *what;
	uint32_t words;
	int is_served;
	uint32_t server; /* COMBINE_NO_SERVER and so on */
	int compact;
};

static const struct way ways[] = {
    {"no server", 1, 0, COMBINE_NO_SERVER, 0},
    {"no server", 2, 0, COMBINE_NO_SERVER, 1},
    {"no server", 4, 0, COMBINE_NO_SERVER, 0},
    {"a block serves, if it comes first", 1, 0, COMBINE_ONE_SERVES, 0},
    {"a block serves", 1, 1, COMBINE_ONE_SERVES, 0},
    {"all try to serve", 4, 1, COMBINE_ALL_TRY, 0},
};

#define WAYS (sizeof ways / sizeof ways[0])

/* A launch of a new combiner. */
static harness_launch make(harness *h, const struct way *way, const char *kernel, uint32_t blocks,
                           uint32_t threads, weir_combine *c)
{
	weir_options options = {
	    .words = way->words, .served = way->is_served, .compact = way->compact};

	harness_need(weir_combine_create(h->device, blocks, &options, c), "weir_combine_create");
	return (harness_launch){.kernel = kernel,
	                        .words = c->words,
	                        .params = {.config.combine = c->config,
	                                   .rounds = harness_item_rounds(h, blocks, 200),
	                                   .value = way->server,
	                                   .hold = 1,
	                                   .seed = blocks},
	                        .grid = {blocks, 1, 1},
	                        .threads = threads,
	                        .together = 1,
	                        .mistakes = way->server == COMBINE_ALL_TRY};
}

/* Whether so many operations were done, and each result was told once. */
static int adds_up(const harness *h, const harness_launch *launch, uint32_t callers)
{
	uint32_t blocks = launch->grid[0];
	uint32_t total = callers * launch->params.rounds;
	const uint32_t *told =
	    h->copy + COMBINE_ASKED + 2 * blocks + blocks * launch->params.rounds;

	for (uint32_t i = 0; i < total; i++)
		if (told[i] != 1)
			return 0;
	return h->copy[COMBINE_COUNT] == total && h->copy[HARNESS_ERRORS] == 0;
}

/* Launches in a row without a reset, each with another server. */
static void calls(harness *h, const struct way *way, uint32_t blocks, uint32_t threads, int without)
{
	uint32_t callers = way->server == COMBINE_NO_SERVER ? blocks : blocks - 1;
	weir_combine c;
	harness_launch launch = make(h, way, "combine_calls", blocks, threads, &c);
	int right = 1;

	launch.params.without = without;
	launch.params.hold = without ? 20 : 1;
	if (without && launch.params.rounds < 50)
		launch.params.rounds = 50;
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		launch.params.base = i * 5 % blocks;
		launch.params.seed += i;
		harness_run(h, &launch, 0);
		right &= adds_up(h, &launch, callers);
	}
	harness_verdict(h, right, without, "%u words, %s, %u blocks of %u, %u rounds%s", way->words,
	                way->what, blocks, threads, launch.params.rounds,
	                way->compact ? ", compact" : "");
	harness_need(weir_combine_destroy(h->device, &c), "weir_combine_destroy");
}

static void block(harness *h, uint32_t blocks, uint32_t threads)
{
	weir_combine c;
	harness_launch launch = make(h, &ways[0], "combine_block", blocks, threads, &c);

	harness_run(h, &launch, 0);
	harness_verdict(h, adds_up(h, &launch, blocks), 0,
	                "all threads, %u blocks of %u, %u rounds", blocks, threads,
	                launch.params.rounds);
	harness_need(weir_combine_destroy(h->device, &c), "weir_combine_destroy");
}

/* Whether each operation was done once if its caller was told so, and never if it gave up. */
static int each_as_told(const harness *h, const harness_launch *launch, uint32_t *late)
{
	uint32_t blocks = launch->grid[0];
	uint32_t total = blocks * launch->params.rounds;
	const uint32_t *marks = h->copy + COMBINE_ASKED + 2 * blocks;
	const uint32_t *told = marks + total;
	uint32_t done = 0;

	for (uint32_t i = 0; i < total; i++) {
		if (marks[i] != (told[i] == COMBINE_WAS_DONE))
			return 0;
		done += marks[i];
		*late += told[i] == COMBINE_GAVE_UP;
	}
	return h->copy[COMBINE_COUNT] == done && h->copy[HARNESS_ERRORS] == 0;
}

static void timed(harness *h, const struct way *way, uint32_t blocks, uint32_t threads)
{
	weir_combine c;
	harness_launch launch = make(h, way, "combine_timed", blocks, threads, &c);
	uint32_t late = 0;
	int right = 1;

	for (uint32_t i = 0; i < 3; i++) {
		/* From deadlines that nearly all miss to such that few do. */
		launch.params.length = (h->info.is_gpu ? 200u : 2000u) << (4 * i);
		launch.params.hold = 3;
		launch.params.seed += i;
		harness_run(h, &launch, 0);
		right &= each_as_told(h, &launch, &late);
	}
	harness_verdict(h, right, 0, "deadlines, %u words, %s, %u blocks of %u, %u rounds, %u late",
	                way->words, way->what, blocks, threads, launch.params.rounds, late);
	harness_need(weir_combine_destroy(h->device, &c), "weir_combine_destroy");
}

static void alone(harness *h, uint32_t threads)
{
	const struct way way = {"", 1, 1, COMBINE_NO_SERVER, 0};
	weir_combine c;
	harness_launch launch = make(h, &way, "combine_alone", 1, threads, &c);

	launch.params.rounds = 30;
	launch.params.second.combine = c.config;
	launch.params.second.combine.is_served = 0;
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "what nobody serves is given up, and never done");
	harness_need(weir_combine_destroy(h->device, &c), "weir_combine_destroy");
}

static int has_kernel(harness *h, const char *name)
{
	weir_kernel kernel;

	return weir_program_kernel(h->program, name, &kernel) == WEIR_OK;
}

static void test_blocks(harness *h, uint32_t blocks, uint32_t threads)
{
	for (size_t w = 0; w < WAYS; w++) {
		if (ways[w].server != COMBINE_NO_SERVER && blocks < 2)
			continue;
		calls(h, &ways[w], blocks, threads, 0);
		if (has_kernel(h, "combine_timed"))
			timed(h, &ways[w], blocks, threads);
	}
}

#define MOST_HOST_THREADS 256

/* More seats than two rows of 32 have, and several words of each. */
static void test_many(harness *h, uint32_t threads)
{
	const uint32_t blocks = 65;

	if (harness_resident(h, "combine_calls", threads) < blocks ||
	    (!h->info.is_gpu && blocks * threads > MOST_HOST_THREADS))
		return;
	for (size_t w = 0; w < WAYS; w++)
		if (ways[w].words > 2)
			calls(h, &ways[w], blocks, threads, 0);
}

static void test_block_calls(harness *h, uint32_t threads)
{
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "combine_block", threads, counts);

	for (uint32_t i = 0; i < count; i++)
		block(h, counts[i], threads);
}

int main(int argc, char **argv)
{
	harness h;
	uint32_t counts[5];
	size_t bytes, alignment;
	int status;

	if (harness_open(&h, argc, argv, "combine", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	if (weir_combine_size(h.device, 1, NULL, &bytes, &alignment) == WEIR_UNSUPPORTED) {
		printf("skipped: %s\n", weir_error_text());
		harness_close(&h);
		return HARNESS_SKIPPED;
	}
	uint32_t threads = h.info.is_gpu ? 64 : harness_threads(&h, 3);
	uint32_t count = harness_block_counts(&h, "combine_calls", threads, counts);

	if (has_kernel(&h, "combine_alone"))
		alone(&h, threads);
	for (uint32_t i = 0; i < count; i++)
		test_blocks(&h, counts[i], threads);
	test_many(&h, h.info.is_gpu ? threads : WEIR_FIRST_THREADS);
	if (has_kernel(&h, "combine_block"))
		test_block_calls(&h, h.info.is_gpu ? 128 : threads);
	if (!h.sound_only)
		HARNESS_MUST_NOTICE(&h, calls(&h, &ways[0], counts[count - 1], threads, 1));
	return harness_close(&h);
}
