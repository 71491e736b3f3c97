/* Every kind of queue, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>

#include "queue_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(queue_start),   HARNESS_ENTRY(queue_apart), HARNESS_ENTRY(queue_each),
    HARNESS_ENTRY(queue_batches), HARNESS_ENTRY(queue_alone),
};

/* The layout of the queue of a test. */
struct layout {
	const weir_kind *kind;
	uint32_t single; /* sides that one thread uses */
	uint32_t bits;
	uint32_t words; /* of an item */
	int compact;
};

/* After this many items the positions, which advance by 2, soon wrap. */
#define WRAPS 0x7ffffffau

static harness_order order_of(const struct layout *layout, int without)
{
	return (harness_order){
	    .primitive = WEIR_PRIMITIVE_QUEUE,
	    .kind = layout->kind->value,
	    .count = 1u << layout->bits,
	    .words = layout->words,
	    .options.queue = {.single = layout->single, .object.compact = layout->compact},
	    .behind = 32,
	    .without = without};
}

static harness_object make(harness *h, const struct layout *layout, uint32_t start, int without)
{
	harness_object q = harness_make(h, order_of(layout, without));

	q.launch.params.base = start;
	q.launch.params.seed = 1;
	harness_run_grid(h, &q, "queue_start", 1, 1, 0);
	return q;
}

/* Whether each item arrived once, and nothing else was wrong. */
static int all_seen(const harness *h, uint32_t items)
{
	const uint32_t *seen = h->copy + HARNESS_DATA + QUEUE_PAYLOAD + items;

	for (uint32_t i = 0; i < items; i++)
		if (seen[i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

/* Launches in a row without a reset, each with `producers` times `rounds` items. */
static int launch_all(harness *h, harness_object *q, const char *kernel, uint32_t blocks,
                      uint32_t threads, uint32_t launches, uint32_t producers)
{
	int right = 1;

	for (uint32_t i = 0; i < launches; i++) {
		q->launch.params.seed += 1000;
		harness_run_grid(h, q, kernel, blocks, threads, 1);
		right &= all_seen(h, producers * q->launch.params.rounds);
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

/* Blocks that push beside blocks that pop; in batches if there is more than one thread. */
static void apart(harness *h, const struct layout *layout, uint32_t blocks, uint32_t producers,
                  uint32_t threads, uint32_t launches, uint32_t start, int without)
{
	uint32_t rounds = harness_item_rounds(h, producers, 300);
	harness_object q = make(h, layout, start, without);
	char what[96];

	q.launch.params.rounds = rounds;
	q.launch.params.value = producers;
	int right = launch_all(h, &q, threads > 1 ? "queue_batches" : "queue_apart", blocks,
	                       threads, launches, producers);
	snprintf(what, sizeof what, "%u of %u blocks of %u push %u each, %u launches", producers,
	         blocks, threads, rounds, launches);
	say(h, right, without, layout, what, start);
	harness_unmake(h, &q);
}

/* Each thread pushes and pops. */
static void each(harness *h, const struct layout *layout, uint32_t blocks, uint32_t threads,
                 uint32_t start, int without)
{
	uint32_t rounds = harness_item_rounds(h, blocks * threads, 200);
	harness_object q = make(h, layout, start, without);
	char what[96];

	q.launch.params.rounds = rounds;
	q.launch.params.width = threads;
	int right = launch_all(h, &q, "queue_each", blocks, threads, 2, blocks * threads);
	snprintf(what, sizeof what, "%u blocks, %u threads of each push and pop %u times", blocks,
	         threads, rounds);
	say(h, right, without, layout, what, start);
	harness_unmake(h, &q);
}

static void alone(harness *h, const struct layout *layout, uint32_t start)
{
	harness_object q = make(h, layout, start, 0);

	q.launch.mistakes = 1;
	q.launch.params.rounds = 3;
	harness_run_grid(h, &q, "queue_alone", 1, 1, 0);
	say(h, h->copy[HARNESS_ERRORS] == 0, 0, layout,
	    "empty, full, closed and open by one thread", start);
	harness_unmake(h, &q);
}

/* Fills in the numbers of producers that the layout allows among `blocks` blocks. Returns how many
 * there are. */
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
	int is_short = !is_last || h->info.machine == WEIR_MACHINE_PTX;
	uint32_t launches = is_short ? 2 : h->info.is_gpu && !h->small ? 12 : 6;
	uint32_t share[3];
	uint32_t count = shares(layout, blocks, share);

	for (uint32_t i = 0; i < count; i++) {
		apart(h, layout, blocks, share[i], 1, launches, 0, 0);
		apart(h, layout, blocks, share[i], 1, 2, WRAPS, 0);
		/* A side that one thread uses has no batches by several threads. */
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

/* Block counts worth a test. With more than two on a multiprocessor, blocks only wait longer for
 * each other. */
static uint32_t block_counts(harness *h, uint32_t counts[5])
{
	uint32_t n = harness_block_counts(h, "queue_apart", batch_threads(h), counts);

	if (h->info.is_gpu && counts[n - 1] > 2 * h->info.units)
		counts[n - 1] = 2 * h->info.units;
	return n;
}

static void test_layout(harness *h, const struct layout *layout)
{
	harness_order order = order_of(layout, 0);
	uint32_t counts[5];
	uint32_t n = block_counts(h, counts);

	if (harness_lacks(h, layout->kind->name, &order))
		return;
	alone(h, layout, 0);
	alone(h, layout, WRAPS);
	/* Only one producer and one consumer can use a queue with two such sides. */
	if (layout->single == (WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS)) {
		test_blocks(h, layout, 2, 1);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		test_blocks(h, layout, counts[i], i == n - 1);
}

/* The smallest queues, and items of every size that the kind takes. */
static void test_kind(harness *h, const weir_kind *kind)
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

static void test_taken_out(harness *h)
{
	struct layout layout = {.bits = 3, .words = 1};
	uint32_t counts[5];
	uint32_t n = block_counts(h, counts);
	uint32_t blocks = counts[n - 1];

	HARNESS_KINDS (h, WEIR_PRIMITIVE_QUEUE, kind)
		if (!layout.kind || kind->items == WEIR_ITEMS_OF_ANY_SIZE)
			layout.kind = kind;
	HARNESS_MUST_NOTICE(h, apart(h, &layout, blocks, 1, 1, 1, 0, 1));
	HARNESS_MUST_NOTICE(h, apart(h, &layout, blocks, blocks / 2, 1, 1, 0, 1));
	HARNESS_MUST_NOTICE(h, each(h, &layout, blocks, 1, 0, 1));
}

static const harness_family family = {.name = "queue",
                                      .primitive = WEIR_PRIMITIVE_QUEUE,
                                      .kind = test_kind,
                                      .without = test_taken_out};

HARNESS_MAIN(&family, entries)
