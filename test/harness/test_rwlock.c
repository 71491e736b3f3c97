/* Every kind of reader-writer lock, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "rwlock_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(rwlock_start),      HARNESS_ENTRY(rwlock_mix),
    HARNESS_ENTRY(rwlock_collective), HARNESS_ENTRY(rwlock_collective_without),
    HARNESS_ENTRY(rwlock_share),      HARNESS_ENTRY(rwlock_stream),
    HARNESS_ENTRY(rwlock_phases),     HARNESS_ENTRY(rwlock_alone)};

/* The layout of the lock of a test. */
struct layout {
	const weir_kind *kind;
	uint32_t bits;
	int compact;
	int is_other; /* not the usual one of its kind: fewer tests */
};

#define WRAPS 0xfffffffau /* writes and reads after which all counts soon wrap */
#define WRAPS_TICKET 0x7ffffffau

static const char *start_text(uint32_t start)
{
	return start == 0       ? ""
	       : start == WRAPS ? ", across the wrap"
	                        : ", across the ticket's wrap";
}

/* A lock that was locked `start` times, followed by 32 words. */
static harness_object make(harness *h, const struct layout *layout, uint32_t start, int without)
{
	harness_object l = harness_make(
	    h, (harness_order){
		   .primitive = WEIR_PRIMITIVE_RWLOCK,
		   .kind = layout->kind->value,
		   .options.rwlock = {.reader_counts = layout->kind->parts != WEIR_PARTS_NONE
	                                                   ? 1u << layout->bits
	                                                   : 0,
	                              .object.compact = layout->compact},
		   .behind = 32,
		   .without = without});

	l.launch.params.base = start;
	if (start)
		harness_run_grid(h, &l, "rwlock_start", 1, 1, 0);
	return l;
}

/* The same, with the end of the lock. */
static void verdict(harness *h, const struct layout *layout, harness_object *l, int right,
                    const char *what, uint32_t start)
{
	harness_verdict(h, right, (int)l->launch.params.without,
	                "%s of %u bits%s: %s, %u blocks of %u, %u rounds%s", layout->kind->name,
	                layout->bits, layout->compact ? ", compact" : "", what, l->launch.grid[0],
	                l->launch.threads, l->launch.params.rounds, start_text(start));
	harness_unmake(h, l);
}

/* Whether each word under the lock is the number of writes. */
static int adds_up(const harness *h, uint32_t blocks)
{
	uint32_t written = 0;

	for (uint32_t i = 0; i < blocks; i++)
		written += h->copy[RWLOCK_OWN + i];
	return harness_words_are(h, RWLOCK_WIDTH, written);
}

/* Launches in a row without a reset. `length` is the longest deadline. */
static void mix(harness *h, const struct layout *layout, uint32_t blocks, uint32_t start,
                uint32_t length, int without)
{
	harness_object l = make(h, layout, start, without);
	int right = 1;

	l.launch.kernel = "rwlock_mix";
	l.launch.grid[0] = blocks;
	l.launch.params.rounds = harness_contended_rounds(h, blocks, 20000000, 300);
	/* Enough that the blocks overlap, although they start one after the other. */
	if (without)
		l.launch.params.rounds = h->info.is_gpu ? 1000 : 30000;
	l.launch.params.length = length;
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		l.launch.params.seed = blocks + i;
		harness_run(h, &l.launch, i != 0);
		right &= adds_up(h, blocks);
	}
	verdict(h, layout, &l, right, length ? "tries and deadlines" : "reads and writes", start);
}

static void collective(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads,
                       uint32_t start, int without)
{
	harness_object l = make(h, layout, start, without);
	uint32_t lockers = h->info.is_gpu ? blocks : blocks * threads / 4 + 1;
	uint32_t rounds = harness_contended_rounds(h, lockers, 20000000, 100);

	l.launch.params.rounds = rounds;
	harness_run_grid(h, &l, without ? "rwlock_collective_without" : "rwlock_collective", blocks,
	                 threads, 0);
	verdict(h, layout, &l, harness_words_are(h, threads, blocks * rounds), "all threads",
	        start);
}

/* A kernel whose blocks wait for each other; it has two forms. */
static harness_object run_form(harness *h, const struct layout *layout, const char *kernel,
                               uint32_t blocks, uint32_t form, uint32_t start, uint32_t rounds,
                               uint32_t hold)
{
	harness_object l = make(h, layout, start, 0);

	l.launch.params.value = form;
	l.launch.params.rounds = rounds;
	l.launch.params.hold = hold;
	harness_run_grid(h, &l, kernel, blocks, 1, 1);
	return l;
}

/* Readers hold the lock at the same time, and a downgrade lets them in. */
static void share(harness *h, const struct layout *layout, uint32_t blocks)
{
	static const char *const what[] = {"all read at once", "a downgrade lets all in"};

	for (uint32_t form = 0; form < 2; form++) {
		harness_object l = run_form(h, layout, "rwlock_share", blocks, form, WRAPS, 0, 1);

		verdict(h, layout, &l, h->copy[HARNESS_ERRORS] == 0, what[form], WRAPS);
	}
}

/* A writer among readers that never pause, and the reverse. */
static void stream(harness *h, const struct layout *layout, uint32_t blocks)
{
	static const char *const what[] = {"a writer while readers keep coming",
	                                   "a reader while writers keep coming"};

	for (uint32_t form = 0; form < 2; form++) {
		harness_object l = run_form(h, layout, "rwlock_stream", blocks, form, WRAPS, 20, 1);

		verdict(h, layout, &l, adds_up(h, blocks), what[form], WRAPS);
	}
}

/* The order in which four blocks get in. */
static void phases(harness *h, const struct layout *layout, uint32_t start)
{
	static const char *const what[] = {"a reader comes before the writer of the next batch",
	                                   "a writer that arrived before the batch is part of it"};
	static const uint32_t logs[][RWLOCK_EVENTS] = {
	    {RWLOCK_OLD_OUT, RWLOCK_FIRST_IN, RWLOCK_FIRST_OUT, RWLOCK_NEW_IN, RWLOCK_NEW_OUT,
	     RWLOCK_SECOND_IN},
	    {RWLOCK_OLD_OUT, RWLOCK_FIRST_IN, RWLOCK_FIRST_OUT, RWLOCK_SECOND_IN, RWLOCK_NEW_IN,
	     RWLOCK_NEW_OUT}};

	for (uint32_t form = 0; form < 2; form++) {
		harness_object l = run_form(h, layout, "rwlock_phases", 4, form, start, 0, 20);

		verdict(h, layout, &l,
		        h->copy[HARNESS_ERRORS] == 0 &&
		            memcmp(h->copy + HARNESS_DATA, logs[form], sizeof logs[form]) == 0,
		        what[form], start);
	}
}

static void alone(harness *h, const struct layout *layout, uint32_t start)
{
	harness_object l = make(h, layout, start, 0);

	l.launch.mistakes = 1;
	l.launch.params.rounds = 10;
	harness_run_grid(h, &l, "rwlock_alone", 1, 1, 0);
	verdict(h, layout, &l, h->copy[HARNESS_ERRORS] == 0, "what each operation finds", start);
}

static uint32_t threads_for(const harness *h)
{
	return h->info.is_gpu ? 128 : harness_threads(h, 5);
}

static void test_layout(harness *h, const struct layout *layout)
{
	uint32_t threads = threads_for(h);
	static const uint32_t starts[] = {0, WRAPS, WRAPS_TICKET};
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "rwlock_mix", threads, counts);
	uint32_t deadline = h->info.is_gpu ? 100000 : 1000000;

	for (uint32_t s = 0; s < 3; s++) {
		alone(h, layout, starts[s]);
		if (counts[n - 1] >= 4)
			phases(h, layout, starts[s]);
	}
	for (uint32_t i = layout->is_other ? n - 1 : 0; i < n; i++) {
		mix(h, layout, counts[i], 0, 0, 0);
		mix(h, layout, counts[i], WRAPS, deadline, 0);
		collective(h, layout, counts[i], threads, WRAPS_TICKET, 0);
		share(h, layout, counts[i]);
		stream(h, layout, counts[i]);
	}
	/* Blocks of less than a warp, which have fewer threads than the lock has counts. */
	if (h->info.is_gpu)
		collective(h, layout, counts[n - 1], 7, 0, 0);
}

static void test_kind(harness *h, const weir_kind *kind)
{
	uint32_t most = kind->parts == WEIR_PARTS_NONE ? 0 : WEIR_RWLOCK_BITS_MOST;

	test_layout(h, &(struct layout){kind, most / 2, 0, 0});
	test_layout(h, &(struct layout){kind, most, 1, 1});
	if (most != 0)
		test_layout(h, &(struct layout){kind, 1, 0, 1});
}

static void test_taken_out(harness *h)
{
	struct layout layout = {.kind = weir_kind_at(WEIR_PRIMITIVE_RWLOCK, 0)};
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "rwlock_mix", threads_for(h), counts);

	HARNESS_MUST_NOTICE(h, mix(h, &layout, counts[n - 1], 0, 0, 1));
	HARNESS_MUST_NOTICE(h, collective(h, &layout, counts[n - 1], threads_for(h), 0, 1));
}

static const harness_family family = {.name = "rwlock",
                                      .primitive = WEIR_PRIMITIVE_RWLOCK,
                                      .kind = test_kind,
                                      .without = test_taken_out};

HARNESS_MAIN(&family, entries)
