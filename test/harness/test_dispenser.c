/* Dispensers, on the device named on the command line. */
#include "harness.h"

#include "dispenser_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(dispenser_take),
                                          HARNESS_ENTRY(dispenser_block)};

/* The takes of a test. */
struct way {
	uint32_t share; /* items that each block has from the start */
	uint32_t width; /* items of a take */
	int compact;
};

/* Whether each item was handed out once, and the takers' counts agree. */
static int each_once(const harness *h, uint32_t items, uint32_t blocks)
{
	const uint32_t *got = h->copy + HARNESS_DATA;
	const uint32_t *marks = got + blocks;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < blocks; i++)
		sum += got[i];
	for (uint32_t i = 0; i < items; i++)
		if (marks[i] != 1)
			return 0;
	return sum == items && h->copy[HARNESS_ERRORS] == 0;
}

/* Launches in a row without a reset, each with different numbers of items and blocks. */
static void hand_out(harness *h, const struct way *way, uint32_t blocks, uint32_t threads,
                     int without)
{
	/* A checker on a GPU takes milliseconds for an item. */
	int is_quick = h->info.is_gpu && !(h->small && h->sound_only);
	uint32_t most = harness_rounds(h, 1, is_quick ? 100000 : 2000);
	uint32_t items[] = {most, 0, 1, blocks, most / 2 + 3, most};
	uint32_t launches = without ? 1 : sizeof items / sizeof items[0];
	int right = 1;
	harness_object d =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_DISPENSER,
	                                    .count = most,
	                                    .options.dispenser = {.share = way->share,
	                                                          .object.compact = way->compact},
	                                    .without = without});

	d.launch.params.width = way->width;
	d.launch.params.seed = blocks;
	for (uint32_t i = 0; i < launches; i++) {
		uint32_t takers = i % 2 && blocks > 1 ? blocks - 1 : blocks;

		d.launch.params.value = takers;
		d.launch.params.length = items[i];
		d.launch.params.seed += i;
		harness_run_grid(h, &d, threads > 1 ? "dispenser_block" : "dispenser_take", takers,
		                 threads, 0);
		right &= each_once(h, items[i], takers);
	}
	harness_verdict(
	    h, right, without,
	    "%u blocks of %u take %u at a time after %u, %u launches of up to %u items%s", blocks,
	    threads, way->width, way->share, launches, most, way->compact ? ", compact" : "");
	harness_unmake(h, &d);
}

static void test_all(harness *h)
{
	static const struct way ways[] = {{0, 1, 0}, {0, 7, 1}, {5, 1, 0}, {40, 3, 0}};
	uint32_t counts[5];
	uint32_t threads = h->info.is_gpu ? 128 : harness_threads(h, 4);
	uint32_t count = harness_block_counts(h, "dispenser_take", threads, counts);

	for (uint32_t i = 0; i < count; i++)
		for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
			hand_out(h, &ways[w], counts[i], 1, 0);
			if (harness_has_teams(h))
				hand_out(h, &ways[w], counts[i], threads, 0);
		}
	/* Blocks need not run at once. */
	if (h->info.is_gpu)
		hand_out(h, &ways[0], 4 * counts[count - 1], threads, 0);
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, hand_out(h, &ways[0], counts[count - 1], 1, 1));
}

static const harness_order one = {.primitive = WEIR_PRIMITIVE_DISPENSER, .count = 1};
static const harness_family family = {
    .name = "dispenser", .primitive = WEIR_PRIMITIVE_DISPENSER, .needs = &one, .all = test_all};

HARNESS_MAIN(&family, entries)
