/* Every kind of semaphore, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "semaphore_kernels.h"

static const weir_host_entry entries[] = {{"semaphore_start", semaphore_start_entry},
                                          {"semaphore_bound", semaphore_bound_entry},
                                          {"semaphore_saturate", semaphore_saturate_entry},
                                          {"semaphore_drain", semaphore_drain_entry},
                                          {"semaphore_several", semaphore_several_entry},
                                          {"semaphore_order", semaphore_order_entry},
                                          {"semaphore_items", semaphore_items_entry},
                                          {"semaphore_exclusion", semaphore_exclusion_entry}};

struct kind {
	const char *name;
	weir_semaphore_kind value;
	int fair;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value, fair, pause, words, ...) {#name, WEIR_SEMAPHORE_##NAME, fair},
    WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
};

/* A semaphore in memory of the test's own, with three words behind it that the kernels count in. */
struct subject {
	weir_buffer memory;
	weir_semaphore semaphore;
	harness_launch launch;
};

#define COUNTER_WORD 1024

/* The spin kinds lose all speed under contention. */
#define SQUARES 2000000u

static void make(harness *h, const struct kind *kind, uint32_t initial, uint32_t maximum,
                 struct subject *subject)
{
	harness_need(
	    weir_buffer_create(h->device, 4 * (HARNESS_LEAD + COUNTER_WORD + 3), &subject->memory),
	    "weir_buffer_create");
	weir_options options = {.memory = subject->memory.native, .memory_bytes = 4 * COUNTER_WORD};
	harness_need(weir_semaphore_create_with(h->device, kind->value, initial, maximum, &options,
	                                        &subject->semaphore),
	             "weir_semaphore_create_with");
	subject->launch = (harness_launch){.words = subject->semaphore.words,
	                                   .params = {.config.semaphore = subject->semaphore.config,
	                                              .second.object.offset = COUNTER_WORD,
	                                              .value = initial,
	                                              .hold = 1},
	                                   .grid = {1, 1, 1},
	                                   .threads = 1};
}

static void unmake(harness *h, struct subject *subject)
{
	harness_need(weir_semaphore_destroy(h->device, &subject->semaphore),
	             "weir_semaphore_destroy");
	harness_need(weir_buffer_destroy(h->device, &subject->memory), "weir_buffer_destroy");
}

/* All slots must be free again; a lost one makes the kernel pass the limit of its waits. */
static void drain(harness *h, const struct subject *subject)
{
	harness_launch launch = subject->launch;
	launch.kernel = "semaphore_drain";
	launch.grid[0] = 1;
	harness_run(h, &launch, 0);
}

static void bound(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                  uint32_t value, uint32_t start, int without)
{
	struct subject subject;
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 1000);
	uint32_t most = 0;

	make(h, kind, value, value, &subject);
	subject.launch.params.base = start;
	subject.launch.kernel = "semaphore_start";
	harness_run(h, &subject.launch, 0);
	subject.launch.kernel = "semaphore_bound";
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.hold = without ? 20 : 1;
	subject.launch.grid[0] = blocks;
	subject.launch.threads = threads;
	harness_run(h, &subject.launch, 0);
	for (uint32_t i = 0; i < blocks; i++)
		most = h->copy[HARNESS_DATA + i] > most ? h->copy[HARNESS_DATA + i] : most;
	if (!without)
		drain(h, &subject);
	harness_verdict(h, most <= value && most > 0, without,
	                "%s: bound of %u, %u blocks of %u, %u rounds, most inside %u%s", kind->name,
	                value, blocks, threads, rounds, most, start ? ", across the wrap" : "");
	unmake(h, &subject);
}

static void saturate(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                     uint32_t value, int without)
{
	struct subject subject;

	make(h, kind, value, value, &subject);
	subject.launch.kernel = "semaphore_saturate";
	subject.launch.params.without = without;
	subject.launch.params.hold = without ? 20000 : 50; /* ends when it is noticed */
	subject.launch.grid[0] = blocks;
	subject.launch.threads = threads;
	subject.launch.together = 1;
	harness_run(h, &subject.launch, 0);
	int right = h->copy[HARNESS_ERRORS] == 0;
	if (!without)
		drain(h, &subject);
	harness_verdict(h, right, without, "%s: %u inside at once, %u blocks of %u", kind->name,
	                value < blocks ? value : blocks, blocks, threads);
	unmake(h, &subject);
}

static void several(harness *h, const struct kind *kind, uint32_t blocks, uint32_t value,
                    uint32_t start, int without)
{
	struct subject subject;
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 500);
	uint32_t most = 0, changes = 0;

	make(h, kind, value, value, &subject);
	subject.launch.params.base = start;
	subject.launch.kernel = "semaphore_start";
	harness_run(h, &subject.launch, 0);
	subject.launch.kernel = "semaphore_several";
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.hold = without ? 20 : 1;
	subject.launch.grid[0] = blocks;
	harness_run(h, &subject.launch, 0);
	const uint32_t *found = h->copy + HARNESS_DATA;
	for (uint32_t i = 0; i < blocks; i++) {
		most = found[2 + 2 * i] > most ? found[2 + 2 * i] : most;
		changes += found[2 + 2 * i + 1];
	}
	int right = h->copy[HARNESS_ERRORS] == 0 && most <= value && changes > 0 &&
	            found[0] == changes && found[1] == changes;
	if (!without)
		drain(h, &subject);
	harness_verdict(h, right, without,
	                "%s: several of %u, %u blocks, %u rounds, most taken %u, all %u times%s",
	                kind->name, value, blocks, rounds, most, changes,
	                start ? ", across the wrap" : "");
	unmake(h, &subject);
}

static int in_order(const harness *h, uint32_t blocks)
{
	const uint32_t *cursor = h->copy + HARNESS_DATA;

	if (cursor[0] != blocks)
		return 0;
	for (uint32_t i = 0; i < blocks; i++)
		if (cursor[1 + i] != i)
			return 0;
	return 1;
}

static void order(harness *h, const struct kind *kind, uint32_t blocks, uint32_t start, int without)
{
	struct subject subject;

	make(h, kind, 1, 1, &subject);
	subject.launch.params.base = start;
	subject.launch.kernel = "semaphore_start";
	harness_run(h, &subject.launch, 0);
	subject.launch.kernel = "semaphore_order";
	subject.launch.params.without = without;
	subject.launch.params.hold = h->info.is_gpu ? 20 : 200;
	subject.launch.grid[0] = blocks;
	subject.launch.together = 1;
	harness_run(h, &subject.launch, 0);
	harness_verdict(h, in_order(h, blocks), without,
	                "%s: first come, first served, %u blocks%s", kind->name, blocks,
	                start ? ", across the wrap" : "");
	unmake(h, &subject);
}

static void items(harness *h, const struct kind *kind, uint32_t blocks, int without)
{
	struct subject subject;
	uint32_t rounds = harness_contended_rounds(h, blocks * 2, SQUARES, 400);

	make(h, kind, 0, blocks * rounds, &subject);
	subject.launch.kernel = "semaphore_items";
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.seed = 1000;
	subject.launch.params.hold = 20;
	subject.launch.grid[0] = blocks;
	subject.launch.together = 1;
	harness_run(h, &subject.launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
	                "%s: items from one block to %u others, %u each", kind->name, blocks - 1,
	                rounds);
	unmake(h, &subject);
}

static void exclusion(harness *h, const struct kind *kind, uint32_t blocks, int without)
{
	struct subject subject;
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 1000);

	make(h, kind, 1, 1, &subject);
	subject.launch.kernel = "semaphore_exclusion";
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.hold = without ? 20 : 1;
	subject.launch.grid[0] = blocks;
	harness_run(h, &subject.launch, 0);
	int right = h->copy[HARNESS_ERRORS] == 0 && h->copy[HARNESS_DATA] == blocks * rounds &&
	            h->copy[HARNESS_DATA + 1] == blocks * rounds;
	harness_verdict(h, right, without, "%s: as a mutex, %u blocks, %u rounds", kind->name,
	                blocks, rounds);
	unmake(h, &subject);
}

static void test_kind(harness *h, const struct kind *kind)
{
	static const uint32_t values[] = {1, 2, 10, 120};
	/* On a GPU not so few threads that thousands of blocks spin on one word. */
	const uint32_t thread_counts[] = {128, h->info.is_gpu ? 1024 : harness_threads(h, 33)};
	uint32_t counts[5];

	for (int t = 0; t < 2; t++) {
		uint32_t n = harness_block_counts(h, "semaphore_bound", thread_counts[t], counts);
		/* Large blocks take long to start on a CPU. Their threads meet in saturate alone. */
		int is_costly = !h->info.is_gpu && t == 0;

		for (uint32_t i = is_costly && n > 0 ? n - 1 : 0; i < n; i++)
			for (int v = 0; v < 4; v++) {
				if (!is_costly)
					bound(h, kind, counts[i], thread_counts[t], values[v], 0,
					      0);
				saturate(h, kind, counts[i], thread_counts[t], values[v], 0);
			}
		if (n > 0)
			bound(h, kind, counts[n - 1], thread_counts[t], counts[n - 1] + 3, 0, 0);
	}
	uint32_t n = harness_block_counts(h, "semaphore_bound", h->info.is_gpu ? 128 : 33, counts);
	uint32_t many = counts[n - 1];
	bound(h, kind, many, 1, 2, UINT32_MAX - 100, 0);
	exclusion(h, kind, many, 0);
	for (int v = 0; v < 4; v++)
		several(h, kind, many, values[v], 0, 0);
	several(h, kind, many, 3, UINT32_MAX - 100, 0);
	if (kind->fair) {
		order(h, kind, many, 0, 0);
		order(h, kind, many, UINT32_MAX - many / 2, 0);
	}
	if (many > 1)
		items(h, kind, many, 0);
}

/* The same kernels with the semaphore left out must be caught, or the tests above prove nothing. */
static void test_taken_out(harness *h, const struct kind *kind)
{
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "semaphore_bound", h->info.is_gpu ? 128 : 33, counts);
	uint32_t many = counts[n - 1];

	HARNESS_MUST_NOTICE(h, bound(h, kind, many, 1, 1, 0, 1));
	HARNESS_MUST_NOTICE(h, saturate(h, kind, many, 1, 1, 1));
	HARNESS_MUST_NOTICE(h, exclusion(h, kind, many, 1));
	HARNESS_MUST_NOTICE(h, several(h, kind, many, 3, 0, 1));
	if (kind->fair && many > 2) /* block 2 must have a block 1 to overtake */
		HARNESS_MUST_NOTICE(h, order(h, kind, many, 0, 1));
	HARNESS_MUST_NOTICE(h, items(h, kind, many, 1));
}

/* Not every device has what every kind needs. */
static int runs(const harness *h, const struct kind *kind)
{
	size_t bytes, alignment;

	if (weir_semaphore_size(h->device, kind->value, 1, NULL, &bytes, &alignment) !=
	    WEIR_UNSUPPORTED)
		return 1;
	printf("%s: %s\n", kind->name, weir_error_text());
	return 0;
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "semaphore", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (runs(&h, &kinds[i]))
			test_kind(&h, &kinds[i]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !h.sound_only; i++)
		if (runs(&h, &kinds[i]))
			test_taken_out(&h, &kinds[i]);
	return harness_close(&h);
}
