/* Every kind of semaphore, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>

#include "semaphore_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(semaphore_start),    HARNESS_ENTRY(semaphore_bound),
    HARNESS_ENTRY(semaphore_saturate), HARNESS_ENTRY(semaphore_drain),
    HARNESS_ENTRY(semaphore_several),  HARNESS_ENTRY(semaphore_order),
    HARNESS_ENTRY(semaphore_items),    HARNESS_ENTRY(semaphore_exclusion)};

/* The spin kinds lose all speed under contention. */
#define SQUARES 2000000u

/* The kernels count in the three words after it. */
static harness_object make(harness *h, const weir_kind *kind, uint32_t initial, uint32_t maximum,
                           uint32_t start, int without)
{
	harness_object s = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_SEMAPHORE,
	                                                   .kind = kind->value,
	                                                   .initial = initial,
	                                                   .count = maximum,
	                                                   .behind = 3,
	                                                   .without = without});

	s.launch.params.value = initial;
	s.launch.params.base = start;
	if (start)
		harness_run_grid(h, &s, "semaphore_start", 1, 1, 0);
	return s;
}

/* All slots must be free again; a lost slot makes the kernel exceed the limit of its waits. */
static void drain(harness *h, const harness_object *s)
{
	harness_object drained = *s;

	drained.launch.params.hold = 1;
	harness_run_grid(h, &drained, "semaphore_drain", 1, s->launch.threads, s->launch.together);
}

static void bound(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads,
                  uint32_t value, uint32_t start, int without)
{
	harness_object s = make(h, kind, value, value, start, without);
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 1000);
	uint32_t most = 0;

	s.launch.params.rounds = rounds;
	harness_run_grid(h, &s, "semaphore_bound", blocks, threads, 0);
	for (uint32_t i = 0; i < blocks; i++)
		most = h->copy[HARNESS_DATA + i] > most ? h->copy[HARNESS_DATA + i] : most;
	if (!without)
		drain(h, &s);
	harness_verdict(h, most <= value && most > 0, without,
	                "%s: bound of %u, %u blocks of %u, %u rounds, most inside %u%s", kind->name,
	                value, blocks, threads, rounds, most, start ? ", across the wrap" : "");
	harness_unmake(h, &s);
}

static void saturate(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads,
                     uint32_t value, int without)
{
	harness_object s = make(h, kind, value, value, 0, without);

	s.launch.params.hold = without ? 20000 : 50; /* ends when it is noticed */
	harness_run_grid(h, &s, "semaphore_saturate", blocks, threads, 1);
	int right = h->copy[HARNESS_ERRORS] == 0;
	if (!without)
		drain(h, &s);
	harness_verdict(h, right, without, "%s: %u inside at once, %u blocks of %u", kind->name,
	                value < blocks ? value : blocks, blocks, threads);
	harness_unmake(h, &s);
}

static void several(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t value,
                    uint32_t start, int without)
{
	harness_object s = make(h, kind, value, value, start, without);
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 500);
	const uint32_t *found = h->copy + HARNESS_DATA;
	uint32_t most = 0, changes = 0;

	s.launch.params.rounds = rounds;
	harness_run_grid(h, &s, "semaphore_several", blocks, 1, 0);
	for (uint32_t i = 0; i < blocks; i++) {
		most = found[2 + 2 * i] > most ? found[2 + 2 * i] : most;
		changes += found[2 + 2 * i + 1];
	}
	int right = h->copy[HARNESS_ERRORS] == 0 && most <= value && changes > 0 &&
	            found[0] == changes && found[1] == changes;
	if (!without)
		drain(h, &s);
	harness_verdict(h, right, without,
	                "%s: several of %u, %u blocks, %u rounds, most taken %u, all %u times%s",
	                kind->name, value, blocks, rounds, most, changes,
	                start ? ", across the wrap" : "");
	harness_unmake(h, &s);
}

static void order(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t start, int without)
{
	harness_object s = make(h, kind, 1, 1, start, without);

	s.launch.params.hold = h->info.is_gpu ? 20 : 200;
	harness_run_grid(h, &s, "semaphore_order", blocks, 1, 1);
	harness_verdict(h, harness_in_order(h, blocks, 1), without,
	                "%s: first come, first served, %u blocks%s", kind->name, blocks,
	                start ? ", across the wrap" : "");
	harness_unmake(h, &s);
}

static void items(harness *h, const weir_kind *kind, uint32_t blocks, int without)
{
	uint32_t rounds = harness_contended_rounds(h, blocks * 2, SQUARES, 400);
	harness_object s = make(h, kind, 0, blocks * rounds, 0, without);

	s.launch.params.rounds = rounds;
	s.launch.params.seed = 1000;
	s.launch.params.hold = 20;
	harness_run_grid(h, &s, "semaphore_items", blocks, 1, 1);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
	                "%s: items from one block to %u others, %u each", kind->name, blocks - 1,
	                rounds);
	harness_unmake(h, &s);
}

static void exclusion(harness *h, const weir_kind *kind, uint32_t blocks, int without)
{
	harness_object s = make(h, kind, 1, 1, 0, without);
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 1000);

	s.launch.params.rounds = rounds;
	harness_run_grid(h, &s, "semaphore_exclusion", blocks, 1, 0);
	harness_verdict(h, harness_words_are(h, 2, blocks * rounds), without,
	                "%s: as a mutex, %u blocks, %u rounds", kind->name, blocks, rounds);
	harness_unmake(h, &s);
}

static void test_kind(harness *h, const weir_kind *kind)
{
	static const uint32_t values[] = {1, 2, 10, 120};
	/* On a GPU, enough threads that there are not thousands of blocks spinning on one word. */
	const uint32_t thread_counts[] = {128, h->info.is_gpu ? 1024 : harness_threads(h, 33)};
	uint32_t counts[5];

	for (int t = 0; t < 2; t++) {
		uint32_t n = harness_block_counts(h, "semaphore_bound", thread_counts[t], counts);
		/* Large blocks take long to start on a CPU. Their threads synchronize only in
		 * saturate. */
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

static void test_taken_out(harness *h, const weir_kind *kind)
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

static const harness_family family = {.name = "semaphore",
                                      .primitive = WEIR_PRIMITIVE_SEMAPHORE,
                                      .kind = test_kind,
                                      .kind_without = test_taken_out};

HARNESS_MAIN(&family, entries)
