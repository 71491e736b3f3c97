/* Every kind of queue, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "queue_kernels.h"

static const weir_host_entry entries[] = {
    {"queue_start", queue_start_entry}, {"queue_apart", queue_apart_entry},
    {"queue_each", queue_each_entry},   {"queue_batches", queue_batches_entry},
    {"queue_alone", queue_alone_entry},
};

struct kind {
	const char *name;
	weir_queue_kind value;
	int items;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value, items, ...) {#name, WEIR_QUEUE_##NAME, items},
    WEIR_QUEUE_KINDS(ROW)
#undef ROW
};

/* How the queue of a test lies. */
struct layout {
	const struct kind *kind;
	uint32_t single; /* sides that one thread uses */
	uint32_t bits;
	uint32_t words; /* of an item */
	int compact;
};

struct subject {
	weir_queue queue;
	harness_place place;
	harness_launch launch;
};

/* So many items make the positions, which go by 2, wrap soon. */
#define WRAPS 0x7ffffffau

/* Returns 0 when the device lacks the kind. */
static int make(harness *h, const struct layout *layout, uint32_t start, struct subject *subject)
{
	weir_options options = {.single = layout->single, .compact = layout->compact};
	size_t item = layout->words * sizeof(uint32_t);
	uint32_t capacity = 1u << layout->bits;
	size_t bytes, alignment;
	weir_status status = weir_queue_size(h->device, layout->kind->value, capacity, item,
	                                     &options, &bytes, &alignment);

	if (status == WEIR_UNSUPPORTED)
		return 0;
	harness_need(status, "weir_queue_size");
	subject->place = harness_place_of(h, bytes, alignment);
	subject->place.options.single = options.single;
	subject->place.options.compact = options.compact;
	harness_need(weir_queue_create(h->device, layout->kind->value, capacity, item,
	                               &subject->place.options, &subject->queue),
	             "weir_queue_create");
	subject->launch = (harness_launch){
	    .kernel = "queue_start",
	    .words = subject->queue.words,
	    .params = {.config.queue = subject->queue.config,
	               .second.object.offset = subject->place.behind - HARNESS_LEAD,
	               .base = start,
	               .seed = 1},
	    .grid = {1, 1, 1},
	    .threads = 1};
	harness_run(h, &subject->launch, 0);
	return 1;
}

static void unmake(harness *h, struct subject *subject)
{
	harness_need(weir_queue_destroy(h->device, &subject->queue), "weir_queue_destroy");
	harness_need(weir_buffer_destroy(h->device, &subject->place.memory), "weir_buffer_destroy");
}

/* Whether each item came once, and nothing else was wrong. */
static int all_seen(const harness *h, uint32_t items)
{
	const uint32_t *seen = h->copy + HARNESS_DATA + QUEUE_PAYLOAD + items;

	for (uint32_t i = 0; i < items; i++)
		if (seen[i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

/* Launches in a row without a reset, each with `producers` times `rounds` items. */
static int launch_all(harness *h, struct subject *subject, uint32_t launches, uint32_t producers)
{
	int right = 1;

	for (uint32_t i = 0; i < launches; i++) {
		subject->launch.params.seed += 1000;
		harness_run(h, &subject->launch, 0);
		right &= all_seen(h, producers * subject->launch.params.rounds);
	}
	return right;
}

static void say(harness *h, int right, int without, const struct layout *layout, const char *what,
                uint32_t start)
{
	harness_verdict(h, right, without, "%s, %u slots, %u bytes%s%s: %s%s", layout->kind->name,
	                1u << layout->bits, 4 * layout->words,
	                layout->single == WEIR_QUEUE_ONE_PUSHES ? ", one pushes"
	                : layout->single == WEIR_QUEUE_ONE_POPS ? ", one pops"
	                : layout->single                        ? ", one on each side"
	                                                        : "",
	                layout->compact ? ", compact" : "", what, start ? ", across the wrap" : "");
}

/* Blocks that push beside blocks that pop; in batches with more than one thread. */
static void apart(harness *h, const struct layout *layout, uint32_t blocks, uint32_t producers,
                  uint32_t threads, uint32_t launches, uint32_t start, int without)
{
	uint32_t rounds = harness_item_rounds(h, producers, 300);
	struct subject subject;
	char what[96];

	if (!make(h, layout, start, &subject))
		return;
	subject.launch.kernel = threads > 1 ? "queue_batches" : "queue_apart";
	subject.launch.grid[0] = blocks;
	subject.launch.threads = threads;
	subject.launch.together = 1;
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.value = producers;
	subject.launch.params.hold = without ? 20 : 1;
	int right = launch_all(h, &subject, launches, producers);
	snprintf(what, sizeof what, "%u of %u blocks of %u push %u each, %u launches", producers,
	         blocks, threads, rounds, launches);
	say(h, right, without, layout, what, start);
	unmake(h, &subject);
}

/* Each thread pushes and pops. */
static void each(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads,
                 uint32_t start, int without)
{
	uint32_t rounds = harness_item_rounds(h, blocks * threads, 200);
	struct subject subject;
	char what[96];

	if (!make(h, layout, start, &subject))
		return;
	subject.launch.kernel = "queue_each";
	subject.launch.grid[0] = blocks;
	subject.launch.threads = threads;
	subject.launch.together = 1;
	subject.launch.params.without = without;
	subject.launch.params.rounds = rounds;
	subject.launch.params.width = threads;
	subject.launch.params.hold = without ? 20 : 1;
	int right = launch_all(h, &subject, 2, blocks * threads);
	snprintf(what, sizeof what, "%u blocks, %u threads of each push and pop %u times", blocks,
	         threads, rounds);
	say(h, right, without, layout, what, start);
	unmake(h, &subject);
}

static void alone(harness *h, const struct layout *layout, uint32_t start)
{
	struct subject subject;

	if (!make(h, layout, start, &subject)) {
		printf("       %s: %s, left out\n", layout->kind->name, weir_error_text());
		return;
	}
	subject.launch.kernel = "queue_alone";
	subject.launch.mistakes = 1;
	subject.launch.params.rounds = 3;
	harness_run(h, &subject.launch, 0);
	say(h, h->copy[HARNESS_ERRORS] == 0, 0, layout,
	    "empty, full, closed and open by one thread", start);
	unmake(h, &subject);
}

/* The numbers of producers that the layout allows among so many blocks. Returns how many. */
static uint32_t shares(const struct layout *layout, uint32_t blocks, uint32_t share[3])
{
	uint32_t wanted[3] = {1, blocks / 2, blocks - 1};
	uint32_t count = 0;

	for (uint32_t i = 0; i < 3; i++) {
		if (wanted[i] == 0 || wanted[i] >= blocks || (i > 0 && wanted[i] <= wanted[i - 1]))
			continue;
		if ((layout->single & WEIR_QUEUE_ONE_PUSHES) && wanted[i] != 1)
			continue;
		if ((layout->single & WEIR_QUEUE_ONE_POPS) && wanted[i] != blocks - 1)
			continue;
		share[count++] = wanted[i];
	}
	return count;
}

static uint32_t batch_threads(const harness *h)
{
	return h->info.is_gpu ? 96 : harness_threads(h, 4);
}

static void test_blocks(harness *h, const struct layout *layout, uint32_t blocks, int is_last)
{
	uint32_t launches = !is_last ? 2 : h->info.is_gpu && !h->small ? 12 : 6;
	uint32_t share[3];
	uint32_t count = shares(layout, blocks, share);

	for (uint32_t i = 0; i < count; i++) {
		apart(h, layout, blocks, share[i], 1, launches, 0, 0);
		apart(h, layout, blocks, share[i], 1, 2, WRAPS, 0);
		/* Batches by several threads of a side that one thread uses are none. */
		if (harness_has_teams(h) && layout->single == 0 && is_last)
			apart(h, layout, blocks, share[i], batch_threads(h), 2, i % 2 ? WRAPS : 0,
			      0);
	}
	if (layout->single)
		return;
	each(h, layout, blocks, 1, 0, 0);
	each(h, layout, blocks, 1, WRAPS, 0);
	if (is_last && harness_has_teams(h))
		each(h, layout, 2, h->info.is_gpu ? 64 : 4, WRAPS, 0);
}

/* Block counts worth a test. More than two on a multiprocessor only wait for each other longer. */
static uint32_t block_counts(harness *h, uint32_t counts[5])
{
	uint32_t n = harness_block_counts(h, "queue_apart", batch_threads(h), counts);

	if (h->info.is_gpu && counts[n - 1] > 2 * h->info.units)
		counts[n - 1] = 2 * h->info.units;
	return n;
}

static void test_layout(harness *h, const struct layout *layout)
{
	uint32_t counts[5];
	uint32_t n = block_counts(h, counts);

	alone(h, layout, 0);
	alone(h, layout, WRAPS);
	/* One producer and one consumer alone can use a queue with two such sides. */
	if (layout->single == (WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS)) {
		test_blocks(h, layout, 2, 1);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		test_blocks(h, layout, counts[i], i == n - 1);
}

/* The smallest queues, and items of every size that the kind takes. */
static void test_kind(harness *h, const struct kind *kind)
{
	static const uint32_t bits[] = {0, 1, 3, 1};
	static const uint32_t words[] = {1, 2, 4, QUEUE_MOST_WORDS};
	int one_word = kind->items == WEIR_ITEMS_OF_A_WORD;
	uint32_t sides = kind->value == WEIR_QUEUE_SINGLE ? 3 : 0;

	for (uint32_t single = sides ? 1 : 0; single <= sides; single++)
		for (uint32_t i = 0; i < (one_word ? 3 : 4); i++) {
			struct layout layout = {kind, single, bits[i], one_word ? 1 : words[i],
			                        i == 1};

			test_layout(h, &layout);
		}
}

/* The same kernels without the queue must be caught, or the tests above prove nothing. */
static void test_taken_out(harness *h)
{
	struct layout layout = {.kind = &kinds[0], .bits = 3, .words = 1};
	uint32_t counts[5];
	uint32_t n = block_counts(h, counts);
	uint32_t blocks = counts[n - 1];

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].items == WEIR_ITEMS_OF_ANY_SIZE)
			layout.kind = &kinds[i];
	HARNESS_MUST_NOTICE(h, apart(h, &layout, blocks, 1, 1, 1, 0, 1));
	HARNESS_MUST_NOTICE(h, apart(h, &layout, blocks, blocks / 2, 1, 1, 0, 1));
	HARNESS_MUST_NOTICE(h, each(h, &layout, blocks, 1, 0, 1));
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "queue", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		test_kind(&h, &kinds[i]);
	if (!h.sound_only)
		test_taken_out(&h);
	return harness_close(&h);
}
