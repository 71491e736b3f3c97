/* Every kind of reader-writer lock, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "rwlock_kernels.h"

static const weir_host_entry entries[] = {
    {"rwlock_start", rwlock_start_entry},
    {"rwlock_mix", rwlock_mix_entry},
    {"rwlock_collective", rwlock_collective_entry},
    {"rwlock_collective_without", rwlock_collective_without_entry},
    {"rwlock_share", rwlock_share_entry},
    {"rwlock_stream", rwlock_stream_entry},
    {"rwlock_phases", rwlock_phases_entry},
    {"rwlock_alone", rwlock_alone_entry}};

struct kind {
	const char *name;
	weir_rwlock_kind value;
	int parts;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value, parts) {#name, WEIR_RWLOCK_##NAME, parts},
    WEIR_RWLOCK_KINDS(ROW)
#undef ROW
};

/* How the lock of a test lies. */
struct layout {
	const struct kind *kind;
	uint32_t bits;
	int compact;
	int is_other; /* not the usual one of its kind: fewer tests */
};

struct subject {
	const struct layout *layout;
	harness_place place;
	weir_rwlock lock;
	harness_launch launch;
};

#define WRAPS 0xfffffffau /* writes and reads after which all counts soon wrap */
#define WRAPS_TICKET 0x7ffffffau

static const char *start_text(uint32_t start)
{
	return start == 0       ? ""
	       : start == WRAPS ? ", across the wrap"
	                        : ", across the ticket's wrap";
}

/* A lock that was locked `start` times, and 32 words behind it. */
static void make(harness *h, const struct layout *layout, uint32_t start, struct subject *subject)
{
	weir_options options = {.has_shape = layout->kind->parts != WEIR_PARTS_NONE,
	                        .shape = {layout->bits},
	                        .compact = layout->compact};
	size_t bytes, alignment;

	subject->layout = layout;
	harness_need(weir_rwlock_size(h->device, layout->kind->value, &options, &bytes, &alignment),
	             "weir_rwlock_size");
	subject->place = harness_place_of(h, bytes, 128);
	options.memory = subject->place.options.memory;
	options.memory_bytes = subject->place.options.memory_bytes;
	harness_need(weir_rwlock_create(h->device, layout->kind->value, &options, &subject->lock),
	             "weir_rwlock_create");
	subject->launch = (harness_launch){
	    .kernel = "rwlock_start",
	    .words = subject->lock.words,
	    .params = {.config.rwlock = subject->lock.config, .base = start, .hold = 1},
	    .grid = {1, 1, 1},
	    .threads = 1};
	subject->launch.params.second.object.offset = subject->place.behind - HARNESS_LEAD;
	if (start)
		harness_run(h, &subject->launch, 0);
}

static void unmake(harness *h, struct subject *subject)
{
	harness_need(weir_rwlock_destroy(h->device, &subject->lock), "weir_rwlock_destroy");
	harness_need(weir_buffer_destroy(h->device, &subject->place.memory), "weir_buffer_destroy");
}

static void verdict(harness *h, const struct subject *subject, int right, int without,
                    const char *what, uint32_t start)
{
	harness_verdict(h, right, without, "%s of %u bits%s: %s, %u blocks of %u, %u rounds%s",
	                subject->layout->kind->name, subject->layout->bits,
	                subject->layout->compact ? ", compact" : "", what, subject->launch.grid[0],
	                subject->launch.threads, subject->launch.params.rounds, start_text(start));
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
	struct subject subject;
	int right = 1;

	make(h, layout, start, &subject);
	subject.launch.kernel = "rwlock_mix";
	subject.launch.grid[0] = blocks;
	subject.launch.params.rounds = harness_contended_rounds(h, blocks, 20000000, 300);
	/* Enough that the blocks meet, although they start one after the other. */
	if (without)
		subject.launch.params.rounds = h->info.is_gpu ? 1000 : 30000;
	subject.launch.params.without = without;
	subject.launch.params.length = length;
	subject.launch.params.hold = without ? 20 : 1;
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		subject.launch.params.seed = blocks + i;
		harness_run(h, &subject.launch, i != 0);
		right &= adds_up(h, blocks);
	}
	verdict(h, &subject, right, without, length ? "tries and deadlines" : "reads and writes",
	        start);
	unmake(h, &subject);
}

static void collective(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads,
                       uint32_t start, int without)
{
	struct subject subject;
	uint32_t lockers = h->info.is_gpu ? blocks : blocks * threads / 4 + 1;
	uint32_t rounds = harness_contended_rounds(h, lockers, 20000000, 100);

	make(h, layout, start, &subject);
	subject.launch.kernel = without ? "rwlock_collective_without" : "rwlock_collective";
	subject.launch.grid[0] = blocks;
	subject.launch.threads = threads;
	subject.launch.params.rounds = rounds;
	subject.launch.params.hold = without ? 20 : 1;
	harness_run(h, &subject.launch, 0);
	verdict(h, &subject, harness_words_are(h, threads, blocks * rounds), without, "all threads",
	        start);
	unmake(h, &subject);
}

/* Blocks that wait for each other. */
static void run_together(harness *h, struct subject *subject, const char *kernel, uint32_t blocks,
                         uint32_t value)
{
	subject->launch.kernel = kernel;
	subject->launch.grid[0] = blocks;
	subject->launch.together = 1;
	subject->launch.params.value = value;
	harness_run(h, &subject->launch, 0);
}

/* Readers are in at once, and a downgrade lets them in. */
static void share(harness *h, const struct layout *layout, uint32_t blocks)
{
	static const char *const what[] = {"all read at once", "a downgrade lets all in"};
	struct subject subject;

	for (uint32_t value = 0; value < 2; value++) {
		make(h, layout, WRAPS, &subject);
		run_together(h, &subject, "rwlock_share", blocks, value);
		verdict(h, &subject, h->copy[HARNESS_ERRORS] == 0, 0, what[value], WRAPS);
		unmake(h, &subject);
	}
}

/* A writer among readers without end, and the reverse. */
static void stream(harness *h, const struct layout *layout, uint32_t blocks)
{
	static const char *const what[] = {"a writer while readers keep coming",
	                                   "a reader while writers keep coming"};
	struct subject subject;

	for (uint32_t value = 0; value < 2; value++) {
		make(h, layout, WRAPS, &subject);
		subject.launch.params.rounds = 20;
		run_together(h, &subject, "rwlock_stream", blocks, value);
		verdict(h, &subject, adds_up(h, blocks), 0, what[value], WRAPS);
		unmake(h, &subject);
	}
}

/* The order in which four blocks get in. */
static void phases(harness *h, const struct layout *layout, uint32_t start)
{
	static const char *const what[] = {"a reader comes before the writer of the next batch",
	                                   "a writer that came before the batch is part of it"};
	static const uint32_t logs[][RWLOCK_EVENTS] = {
	    {RWLOCK_OLD_OUT, RWLOCK_FIRST_IN, RWLOCK_FIRST_OUT, RWLOCK_NEW_IN, RWLOCK_NEW_OUT,
	     RWLOCK_SECOND_IN},
	    {RWLOCK_OLD_OUT, RWLOCK_FIRST_IN, RWLOCK_FIRST_OUT, RWLOCK_SECOND_IN, RWLOCK_NEW_IN,
	     RWLOCK_NEW_OUT}};
	struct subject subject;

	for (uint32_t value = 0; value < 2; value++) {
		make(h, layout, start, &subject);
		subject.launch.params.hold = 20;
		run_together(h, &subject, "rwlock_phases", 4, value);
		verdict(h, &subject,
		        h->copy[HARNESS_ERRORS] == 0 &&
		            memcmp(h->copy + HARNESS_DATA, logs[value], sizeof logs[value]) == 0,
		        0, what[value], start);
		unmake(h, &subject);
	}
}

static void alone(harness *h, const struct layout *layout, uint32_t start)
{
	struct subject subject;

	make(h, layout, start, &subject);
	subject.launch.kernel = "rwlock_alone";
	subject.launch.mistakes = 1;
	subject.launch.params.rounds = 10;
	harness_run(h, &subject.launch, 0);
	verdict(h, &subject, h->copy[HARNESS_ERRORS] == 0, 0, "what each operation finds", start);
	unmake(h, &subject);
}

static void test_layout(harness *h, const struct layout *layout, uint32_t threads)
{
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

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "rwlock", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	uint32_t threads = h.info.is_gpu ? 128 : harness_threads(&h, 5);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		uint32_t most = kinds[i].parts == WEIR_PARTS_NONE ? 0 : WEIR_RWLOCK_BITS_MOST;

		test_layout(&h, &(struct layout){&kinds[i], most / 2, 0, 0}, threads);
		test_layout(&h, &(struct layout){&kinds[i], most, 1, 1}, threads);
		if (most != 0)
			test_layout(&h, &(struct layout){&kinds[i], 1, 0, 1}, threads);
	}
	if (!h.sound_only) {
		struct layout layout = {&kinds[0], 0, 0, 0};
		uint32_t counts[5];
		uint32_t n = harness_block_counts(&h, "rwlock_mix", threads, counts);

		HARNESS_MUST_NOTICE(&h, mix(&h, &layout, counts[n - 1], 0, 0, 1));
		HARNESS_MUST_NOTICE(&h, collective(&h, &layout, counts[n - 1], threads, 0, 1));
	}
	return harness_close(&h);
}
