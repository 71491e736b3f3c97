/* Combiners, on the device named on the command line. */
#include "harness.h"

#include "combiner_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(combine_calls), HARNESS_ENTRY(combine_block), HARNESS_ENTRY(combine_timed),
    HARNESS_ENTRY(combine_alone)};

/* The calls of a test. */
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

static harness_object make(harness *h, const struct way *way, const char *kernel, uint32_t blocks,
                           uint32_t threads, int without)
{
	harness_object c =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_COMBINER,
	                                    .count = blocks,
	                                    .options.combiner = {.words = way->words,
	                                                         .served = way->is_served,
	                                                         .object.compact = way->compact},
	                                    .without = without});

	c.launch.kernel = kernel;
	c.launch.params.rounds = harness_item_rounds(h, blocks, 200);
	c.launch.params.value = way->server;
	c.launch.params.seed = blocks;
	c.launch.grid[0] = blocks;
	c.launch.threads = threads;
	c.launch.together = 1;
	c.launch.mistakes = way->server == COMBINE_ALL_TRY;
	return c;
}

/* Whether that many operations were done, and each result was returned once. */
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
	harness_object c = make(h, way, "combine_calls", blocks, threads, without);
	harness_launch *launch = &c.launch;
	int right = 1;

	if (without && launch->params.rounds < 50)
		launch->params.rounds = 50;
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		launch->params.base = i * 5 % blocks;
		launch->params.seed += i;
		harness_run(h, launch, 0);
		right &= adds_up(h, launch, callers);
	}
	harness_verdict(h, right, without, "%u words, %s, %u blocks of %u, %u rounds%s", way->words,
	                way->what, blocks, threads, launch->params.rounds,
	                way->compact ? ", compact" : "");
	harness_unmake(h, &c);
}

static void block(harness *h, uint32_t blocks, uint32_t threads)
{
	harness_object c = make(h, &ways[0], "combine_block", blocks, threads, 0);

	harness_run(h, &c.launch, 0);
	harness_verdict(h, adds_up(h, &c.launch, blocks), 0,
	                "all threads, %u blocks of %u, %u rounds", blocks, threads,
	                c.launch.params.rounds);
	harness_unmake(h, &c);
}

/* Whether each operation was done once if its caller got a result, and never if the caller gave
 * up. */
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
	harness_object c = make(h, way, "combine_timed", blocks, threads, 0);
	harness_launch *launch = &c.launch;
	uint32_t late = 0;
	int right = 1;

	for (uint32_t i = 0; i < 3; i++) {
		/* From deadlines that nearly all calls miss to deadlines that few miss. */
		launch->params.length = (h->info.is_gpu ? 200u : 2000u) << (4 * i);
		launch->params.hold = 3;
		launch->params.seed += i;
		harness_run(h, launch, 0);
		right &= each_as_told(h, launch, &late);
	}
	harness_verdict(h, right, 0, "deadlines, %u words, %s, %u blocks of %u, %u rounds, %u late",
	                way->words, way->what, blocks, threads, launch->params.rounds, late);
	harness_unmake(h, &c);
}

static void alone(harness *h, uint32_t threads)
{
	const struct way way = {"", 1, 1, COMBINE_NO_SERVER, 0};
	harness_object c = make(h, &way, "combine_alone", 1, threads, 0);

	c.launch.params.rounds = 30;
	c.launch.params.second = c.launch.params.config;
	c.launch.params.second.combiner.is_served = 0;
	harness_run(h, &c.launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "operations that no block serves are given up, and never done");
	harness_unmake(h, &c);
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

/* More seats than in two rows of 32, with several words each. */
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

static void test_all(harness *h)
{
	uint32_t counts[5];
	uint32_t threads = h->info.is_gpu || harness_is_cuda(h) ? 64 : harness_threads(h, 3);
	uint32_t count = harness_block_counts(h, "combine_calls", threads, counts);

	if (has_kernel(h, "combine_alone"))
		alone(h, threads);
	for (uint32_t i = 0; i < count; i++)
		test_blocks(h, counts[i], threads);
	test_many(h, h->info.is_gpu || harness_is_cuda(h) ? threads : WEIR_FIRST_THREADS);
	if (has_kernel(h, "combine_block"))
		test_block_calls(h, h->info.is_gpu || harness_is_cuda(h) ? 128 : threads);
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, calls(h, &ways[0], counts[count - 1], threads, 1));
}

static const harness_order one = {.primitive = WEIR_PRIMITIVE_COMBINER, .count = 1};
static const harness_family family = {
    .name = "combiner", .primitive = WEIR_PRIMITIVE_COMBINER, .needs = &one, .all = test_all};

HARNESS_MAIN(&family, entries)
