/* Handles that kernels make in zeroed memory, alone and together with handles of the host library,
 * on the device named on the command line. */
#include "harness.h"

#include "in_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(in_barrier), HARNESS_ENTRY(in_mutex),
                                          HARNESS_ENTRY(in_event),   HARNESS_ENTRY(in_semaphore),
                                          HARNESS_ENTRY(in_queue),   HARNESS_ENTRY(in_condition),
                                          HARNESS_ENTRY(in_rwlock),  HARNESS_ENTRY(in_combine)};

static const char *const makers[] = {"all made in the kernel", "every second one of the host",
                                     "all of the host"};

/* Two objects, one after the other, in the words that a kernel without the library has for them. */
struct pair {
	const char *what;
	const char *kernel;
	harness_order orders[2]; /* NO_HANDLE: the kernel alone makes it */
	uint32_t words[2];       /* 0: there is no second object */
	int runs;                /* each continues with what the previous run left */
	int advances;            /* the base, by the rounds of each launch */
	uint32_t blocks, threads;
	int together;
	harness_params params;
	int (*is_right)(const harness *h, const harness_launch *launch);
	/* Whether a run keeps the data of earlier runs. */
	int (*keeps)(uint32_t makers, int run);
};

#define NO_HANDLE WEIR_PRIMITIVE_BUFFER

/* Makes the handles of the host. The library places them in the words of a kernel, and zeroes these again. */
static void make(harness *h, struct pair *pair, weir_buffer memory, harness_launch *launch,
                 harness_object objects[2])
{
	size_t at = 0;

	for (int i = 0; i < 2; i++) {
		harness_order order = pair->orders[i];
		int is_only = i == 1 && pair->orders[0].primitive == NO_HANDLE;
		weir_any_config *config =
		    i == 0 || is_only ? &launch->params.config : &launch->params.second;

		order.options.object.memory = memory.native;
		order.options.object.memory_offset = at;
		order.options.object.memory_bytes = pair->words[i] * sizeof(weir_word);
		if (pair->words[i] && order.primitive != NO_HANDLE) {
			objects[i] = harness_make(h, order);
			*config = objects[i].is.any.config;
			/* On OpenCL it is in the offset. */
			if (i == 1)
				config->object.offset = pair->words[0];
		}
		at += order.options.object.memory_bytes;
	}
}

static void run(harness *h, struct pair *pair, int has_handles, int without)
{
	harness_object objects[2] = {0};
	weir_buffer memory;

	harness_need(weir_buffer_create(h->device,
	                                (pair->words[0] + pair->words[1]) * sizeof(weir_word) + 128,
	                                &memory),
	             "weir_buffer_create");
	harness_launch launch = {.kernel = pair->kernel,
	                         .words = memory.native,
	                         .params = pair->params,
	                         .grid = {pair->blocks, 1, 1},
	                         .threads = pair->threads,
	                         .together = pair->together};
	launch.params.without = (uint32_t)without;
	launch.params.hold = without ? 20 : 1;
	for (uint32_t value = 0; value <= (has_handles && !without ? IN_HANDLES : 0u); value++) {
		if (value == IN_MIXED)
			make(h, pair, memory, &launch, objects);
		launch.params.value = value;
		for (int i = 0; i < (without ? 1 : pair->runs); i++) {
			harness_run(h, &launch, pair->keeps && pair->keeps(value, i));
			harness_verdict(h, pair->is_right(h, &launch), without,
			                "%s: %u blocks of %u, %u rounds, %s", pair->what,
			                pair->blocks, pair->threads, launch.params.rounds,
			                makers[value]);
			if (pair->advances)
				launch.params.base += launch.params.rounds;
		}
	}
	for (int i = 0; i < 2; i++)
		if (objects[i].is.any.words)
			harness_unmake(h, &objects[i]);
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

static int has_no_errors(const harness *h, const harness_launch *launch)
{
	(void)launch;
	return h->copy[HARNESS_ERRORS] == 0;
}

static uint32_t all_rounds(const harness_launch *launch)
{
	return launch->grid[0] * launch->params.rounds;
}

/* The bits that a kernel gives its barrier: none where its blocks have too few threads. */
static uint32_t bits_in_kernel(const harness *h, uint32_t blocks, uint32_t threads)
{
	uint32_t bits = WEIR_COUNTER_BITS(blocks);

	return harness_is_cuda(h) && threads >> bits == 0 ? 0 : bits;
}

static int keeps_after_first(uint32_t value, int again)
{
	return value != 0 || again;
}

static void barrier(harness *h, uint32_t blocks, uint32_t threads, int has_handles, int without)
{
	/* A profile may have another shape. */
	uint32_t shards = 1u << bits_in_kernel(h, blocks, threads);
	struct pair pair = {
	    .what = "barrier",
	    .kernel = "in_barrier",
	    .orders = {{.primitive = WEIR_PRIMITIVE_BARRIER,
	                .kind = WEIR_BARRIER_COUNTER,
	                .count = blocks,
	                .options.barrier.shards = shards}},
	    .words = {WEIR_BARRIER_WORDS(blocks)},
	    .runs = 1,
	    .advances = 1,
	    .blocks = blocks,
	    .threads = threads,
	    .together = 1,
	    .params = {.rounds = harness_rounds(h, blocks * threads, 50), .seed = blocks},
	    .is_right = has_no_errors,
	    .keeps = keeps_after_first};

	run(h, &pair, has_handles, without);
}

static int mutexes_add_up(const harness *h, const harness_launch *launch)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < IN_LENGTH; i++)
		sum += h->copy[HARNESS_DATA + 1 + i];
	return h->copy[HARNESS_DATA] == all_rounds(launch) && sum == all_rounds(launch);
}

static void mutex(harness *h, uint32_t blocks, int without)
{
	struct pair pair = {
	    .what = "mutex",
	    .kernel = "in_mutex",
	    .orders = {{.primitive = WEIR_PRIMITIVE_MUTEX, .kind = WEIR_MUTEX_SPIN_BACKOFF},
	               {.primitive = WEIR_PRIMITIVE_MUTEX_ARRAY,
	                .kind = WEIR_MUTEX_SPIN_BACKOFF,
	                .count = IN_LENGTH}},
	    .words = {WEIR_MUTEX_WORDS, WEIR_MUTEX_ARRAY_WORDS(IN_LENGTH)},
	    .runs = 1,
	    .blocks = blocks,
	    .threads = 2,
	    .params = {.rounds = harness_contended_rounds(h, blocks, 50000000, 200)},
	    .is_right = mutexes_add_up};

	run(h, &pair, 1, without);
}

static void semaphore(harness *h, uint32_t blocks, int without)
{
	/* What the kernels have by default, as the header says. */
	weir_semaphore_kind kind =
	    weir_kind_runs(h->device,
	                   weir_kind_find(WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_PACKED))
		? WEIR_SEMAPHORE_PACKED
		: WEIR_SEMAPHORE_SLEEPING;
	struct pair pair = {
	    .what = "semaphore",
	    .kernel = "in_semaphore",
	    .orders = {{.primitive = WEIR_PRIMITIVE_SEMAPHORE,
	                .kind = kind,
	                .initial = IN_MAXIMUM,
	                .count = IN_MAXIMUM}},
	    .words = {WEIR_SEMAPHORE_WORDS},
	    .runs = 1,
	    .blocks = blocks,
	    .threads = 2,
	    .params = {.rounds = harness_contended_rounds(h, blocks, 50000000, 200)},
	    .is_right = has_no_errors};

	run(h, &pair, 1, without);
}

static int keeps_with_handles(uint32_t value, int again)
{
	return again || value == IN_HANDLES;
}

static void event(harness *h, uint32_t blocks, int without)
{
	/* The barrier event follows the ring at the next cache line. */
	uint32_t ring = (WEIR_EVENT_ARRAY_COMPACT_WORDS(blocks) + 31) / 32 * 32;
	struct pair pair = {
	    .what = "event",
	    .kernel = "in_event",
	    .orders = {{.primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
	                .kind = WEIR_EVENT_DEFAULT,
	                .count = blocks,
	                .options.object.compact = 1},
	               {.primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
	                .kind = WEIR_EVENT_DEFAULT,
	                .count = 1}},
	    .words = {ring, WEIR_EVENT_ARRAY_WORDS(1)},
	    .runs = 2,
	    .blocks = blocks,
	    .threads = 2,
	    .together = 1,
	    .params = {.rounds = harness_rounds(h, blocks * 2, 100), .length = ring},
	    .is_right = has_no_errors,
	    .keeps = keeps_with_handles};

	run(h, &pair, 1, without);
}

static int all_seen(const harness *h, const harness_launch *launch)
{
	uint32_t items = launch->params.length;

	for (uint32_t i = 0; i < items; i++)
		if (h->copy[HARNESS_DATA + items + i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

static void queue(harness *h, uint32_t blocks, int without)
{
	uint32_t items = harness_item_rounds(h, blocks, 200) * blocks;
	struct pair pair = {.what = "queue and dispenser",
	                    .kernel = "in_queue",
	                    .orders = {{.primitive = WEIR_PRIMITIVE_QUEUE,
	                                .kind = WEIR_QUEUE_DEFAULT,
	                                .count = 1u << IN_QUEUE_BITS,
	                                .words = 1},
	                               {.primitive = WEIR_PRIMITIVE_DISPENSER, .count = items}},
	                    .words = {WEIR_QUEUE_WORDS(IN_QUEUE_BITS), WEIR_DISPENSER_WORDS},
	                    .runs = 2,
	                    .blocks = blocks,
	                    .threads = 2,
	                    .together = 1,
	                    .params = {.rounds = items, .length = items},
	                    .is_right = all_seen};

	if (!harness_lacks(h, "queue", &pair.orders[1]))
		run(h, &pair, 1, without);
}

static int first_adds_up(const harness *h, const harness_launch *launch)
{
	return harness_words_are(h, 1, all_rounds(launch));
}

/* A condition after a mutex. */
static void condition(harness *h, uint32_t blocks, int without)
{
	uint32_t slots = 32;

	while (slots < blocks)
		slots *= 2;
	struct pair pair = {
	    .what = "condition",
	    .kernel = "in_condition",
	    .orders = {{.primitive = NO_HANDLE},
	               {.primitive = WEIR_PRIMITIVE_CONDITION, .options.condition.waiters = slots}},
	    .words = {WEIR_MUTEX_WORDS, WEIR_CONDITION_WORDS(slots)},
	    .runs = 1,
	    .blocks = blocks,
	    .threads = 2,
	    .together = 1,
	    .params = {.rounds = harness_contended_rounds(h, blocks, 500000, 20), .length = slots},
	    .is_right = first_adds_up};

	run(h, &pair, 1, without);
}

static int keeps_last(uint32_t value, int again)
{
	(void)again;
	return value == IN_HANDLES;
}

/* The once is done after the first launch, and not done after its creation. */
static int pairs_add_up(const harness *h, const harness_launch *launch)
{
	uint32_t launches = launch->params.value == IN_HANDLES ? 2 : 1;

	return harness_words_are(h, 2, launch->params.base + launches * all_rounds(launch));
}

/* A reader-writer lock, followed by a once. */
static void rwlock(harness *h, uint32_t blocks, int without)
{
	struct pair pair = {
	    .what = "reader-writer lock and once",
	    .kernel = "in_rwlock",
	    .orders = {{.primitive = WEIR_PRIMITIVE_RWLOCK, .kind = WEIR_RWLOCK_FAIR},
	               {.primitive = WEIR_PRIMITIVE_ONCE}},
	    .words = {WEIR_RWLOCK_WORDS, WEIR_ONCE_WORDS},
	    .runs = 1,
	    .blocks = blocks,
	    .threads = 2,
	    .params = {.rounds = without && !h->info.is_gpu
	                             ? 10000
	                             : harness_contended_rounds(h, blocks, 5000000, 50),
	               .base = without ? 0 : 1000},
	    .is_right = pairs_add_up,
	    .keeps = keeps_last};

	run(h, &pair, 1, without);
}

static void combine(harness *h, uint32_t blocks, int without)
{
	struct pair pair = {.what = "combiner",
	                    .kernel = "in_combine",
	                    .orders = {{.primitive = WEIR_PRIMITIVE_COMBINER, .count = blocks}},
	                    .words = {WEIR_COMBINER_WORDS(blocks)},
	                    .runs = 1,
	                    .blocks = blocks,
	                    .threads = h->info.is_gpu || harness_is_cuda(h) ? 32 : 2,
	                    .params = {.rounds = without && !h->info.is_gpu
	                                             ? 10000
	                                             : harness_item_rounds(h, blocks, 100)},
	                    .is_right = first_adds_up};

	if (!harness_lacks(h, "combiner", &pair.orders[0]))
		run(h, &pair, 1, without);
}

/* Enough blocks for 4, 8 and 16 counters, where that many run at once. */
static void many_blocks(harness *h)
{
	const uint32_t one = WEIR_COUNTER_ARRIVALS;
	const uint32_t wanted[] = {one + 10, 9 * one / 4, 17 * one / 4};
	uint32_t threads = h->info.is_gpu || harness_is_cuda(h) ? 32 : 1;
	uint32_t most = harness_resident(h, "in_barrier", threads);

	for (uint32_t i = 0; i < 3 && wanted[i] <= most; i++) {
		barrier(h, wanted[i], threads, 1, 0);
		/* Too few threads for the counters on a GPU, where a handle would end the launch. */
		if (h->info.is_gpu)
			barrier(h, wanted[i], 1, 0, 0);
	}
}

static void test_all(harness *h)
{
	static void (*const tests[])(harness * h, uint32_t blocks, int without) = {
	    mutex, semaphore, event, queue, condition, rwlock, combine};
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "in_barrier", 3, counts);

	for (uint32_t i = 0; i < count; i++) {
		barrier(h, counts[i], 3, 1, 0);
		for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++)
			tests[t](h, counts[i], 0);
	}
	many_blocks(h);
	if (h->sound_only)
		return;
	HARNESS_MUST_NOTICE(h, barrier(h, 7, 3, 0, 1));
	for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++)
		HARNESS_MUST_NOTICE(h, tests[t](h, 7, 1));
}

static const harness_family family = {.name = "in", .all = test_all};

HARNESS_MAIN(&family, entries)
