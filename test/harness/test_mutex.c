/* Every kind of mutex, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "mutex_kernels.h"

static const weir_host_entry entries[] = {
    {"mutex_start", mutex_start_entry},
    {"mutex_exclusion", mutex_exclusion_entry},
    {"mutex_collective", mutex_collective_entry},
    {"mutex_collective_without", mutex_collective_without_entry},
    {"mutex_array", mutex_array_entry},
    {"mutex_order", mutex_order_entry},
    {"mutex_nested", mutex_nested_entry},
    {"mutex_hand_over", mutex_hand_over_entry}};

struct kind {
	const char *name;
	weir_mutex_kind value;
	int fair;
	int queue;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value, fair, queue, pause, ...) {#name, WEIR_MUTEX_##NAME, fair, queue},
    WEIR_MUTEX_KINDS(ROW)
#undef ROW
};

#define SQUARES 200000000u

/* How long to hold the lock: if it is taken out, all others must get in between. */
static uint32_t hold_units(int without)
{
	return without ? 20 : 1;
}

static const char *clusters_text(uint32_t cluster)
{
	static char text[32];

	snprintf(text, sizeof text, ", clusters of %u", cluster);
	return cluster ? text : "";
}

static void exclusion(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                      uint32_t cluster, uint32_t start, int without)
{
	weir_mutex m;
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 2000);
	harness_launch launch = {.kernel = "mutex_exclusion",
	                         .params = {.without = without,
	                                    .rounds = rounds,
	                                    .width = 8,
	                                    .base = start,
	                                    .hold = hold_units(without),
	                                    .seed = blocks + threads},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .cluster = cluster};

	harness_need(weir_mutex_create(h->device, kind->value, &m), "weir_mutex_create");
	launch.words = m.words;
	launch.params.config.mutex = m.config;
	if (start) {
		harness_launch begin = launch;
		begin.kernel = "mutex_start";
		begin.grid[0] = 1;
		begin.cluster = 0;
		harness_run(h, &begin, 0);
	}
	harness_run(h, &launch, 0);
	harness_verdict(h, harness_words_are(h, 8, blocks * rounds), without,
	                "%s: exclusion, %u blocks of %u%s, %u rounds%s", kind->name, blocks,
	                threads, clusters_text(cluster), rounds, start ? ", across the wrap" : "");
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

static void collective(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                       uint32_t cluster, int without)
{
	weir_mutex m;
	uint32_t lockers = h->info.is_gpu || threads < 4 ? blocks : blocks * threads / 4 + 1;
	uint32_t rounds = harness_contended_rounds(h, lockers, SQUARES, 500);

	harness_need(weir_mutex_create(h->device, kind->value, &m), "weir_mutex_create");
	harness_launch launch = {.kernel =
	                             without ? "mutex_collective_without" : "mutex_collective",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config,
	                                    .rounds = rounds,
	                                    .hold = hold_units(without),
	                                    .seed = threads},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .cluster = cluster};
	harness_run(h, &launch, 0);
	harness_verdict(h, harness_words_are(h, threads, blocks * rounds), without,
	                "%s: collective, %u blocks of %u%s, %u rounds", kind->name, blocks, threads,
	                clusters_text(cluster), rounds);
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

static int array_adds_up(const harness *h, uint32_t length, uint32_t width, uint32_t total)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < length; i++) {
		const uint32_t *under = h->copy + HARNESS_DATA + i * width;
		for (uint32_t j = 1; j < width; j++)
			if (under[j] != under[0])
				return 0;
		sum += under[0];
	}
	return sum == total && h->copy[HARNESS_ERRORS] == 0;
}

static void array(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                  int compact, int without)
{
	enum {
		LENGTH = 17,
		WIDTH = 3
	};
	weir_mutex_array a;
	weir_options options = {.compact = compact};
	uint32_t lockers = harness_has_teams(h) ? blocks * threads : blocks;
	uint32_t rounds = harness_contended_rounds(
	    h, h->info.is_gpu ? lockers / LENGTH + 1 : lockers, SQUARES, 500);

	harness_need(weir_mutex_array_create(h->device, kind->value, LENGTH, &options, &a),
	             "weir_mutex_array_create");
	harness_launch launch = {.kernel = "mutex_array",
	                         .words = a.words,
	                         .params = {.config.mutex_array = a.config,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .width = WIDTH,
	                                    .length = LENGTH,
	                                    .hold = hold_units(without),
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads};
	harness_run(h, &launch, 0);
	harness_verdict(h, array_adds_up(h, LENGTH, WIDTH, lockers * rounds), without,
	                "%s: array of %d, %s, %u lockers, %u rounds", kind->name, LENGTH,
	                compact ? "compact" : "padded", lockers, rounds);
	harness_need(weir_mutex_array_destroy(h->device, &a), "weir_mutex_array_destroy");
}

static int in_order(const harness *h, uint32_t blocks)
{
	if (h->copy[HARNESS_DATA] != blocks)
		return 0;
	for (uint32_t i = 0; i < blocks; i++)
		if (h->copy[HARNESS_DATA + 1 + i] != i)
			return 0;
	return 1;
}

static void order(harness *h, const struct kind *kind, uint32_t blocks, uint32_t start, int without)
{
	weir_mutex m;

	harness_need(weir_mutex_create(h->device, kind->value, &m), "weir_mutex_create");
	harness_launch launch = {.kernel = "mutex_start",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config,
	                                    .without = without,
	                                    .base = start,
	                                    .hold = h->info.is_gpu ? 20 : 200},
	                         .grid = {1, 1, 1},
	                         .threads = 1,
	                         .together = 1};
	harness_run(h, &launch, 0);
	launch.kernel = "mutex_order";
	launch.grid[0] = blocks;
	harness_run(h, &launch, 0);
	harness_verdict(h, in_order(h, blocks), without,
	                "%s: first come, first served, %u blocks%s", kind->name, blocks,
	                start ? ", across the wrap" : "");
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

/* Two mutexes at once by each block; the inner one alone protects the words. */
static void nested(harness *h, const struct kind *kind, uint32_t blocks, uint32_t cluster,
                   int without)
{
	weir_options options = {.slots = blocks};
	weir_mutex outer, inner;
	weir_buffer memory;
	size_t bytes, alignment;
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 500);

	harness_need(weir_mutex_size(h->device, kind->value, &options, &bytes, &alignment),
	             "weir_mutex_size");
	bytes = (bytes + alignment - 1) / alignment * alignment;
	harness_need(weir_buffer_create(h->device, 2 * bytes, &memory), "weir_buffer_create");
	options.memory = memory.native;
	options.memory_bytes = bytes;
	harness_need(weir_mutex_create_with(h->device, kind->value, &options, &outer),
	             "weir_mutex_create_with");
	options.memory_offset = bytes;
	harness_need(weir_mutex_create_with(h->device, kind->value, &options, &inner),
	             "weir_mutex_create_with");
	harness_launch launch = {.kernel = "mutex_nested",
	                         .words = outer.words,
	                         .params = {.config.mutex = outer.config,
	                                    .second.mutex = inner.config,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .width = 8,
	                                    .hold = hold_units(without),
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = 1,
	                         .cluster = cluster};
	launch.params.second.object.offset = (uint32_t)(bytes / sizeof(weir_word));
	harness_run(h, &launch, 0);
	harness_verdict(h, harness_words_are(h, 8, blocks * rounds), without,
	                "%s: one inside another, %u blocks%s, %u rounds", kind->name, blocks,
	                clusters_text(cluster), rounds);
	harness_need(weir_mutex_destroy(h->device, &inner), "weir_mutex_destroy");
	harness_need(weir_mutex_destroy(h->device, &outer), "weir_mutex_destroy");
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

/* The mutex goes to the next block of the cluster before another cluster that came first. Taken
 * out, by a mutex whose blocks have no places in their clusters, it must not. */
static void hand_over(harness *h, const struct kind *kind, int without)
{
	weir_mutex m;

	harness_need(weir_mutex_create(h->device, kind->value, &m), "weir_mutex_create");
	harness_launch launch = {.kernel = "mutex_hand_over",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config},
	                         .grid = {4, 1, 1},
	                         .threads = 1,
	                         .together = 1,
	                         .cluster = 2};
	if (without)
		launch.params.config.mutex.slots = 0;
	harness_run(h, &launch, 0);
	harness_verdict(h, in_order(h, 4), without, "%s: handed over inside a cluster", kind->name);
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

/* Clusters of all sizes that any kernel can have. */
static void test_clusters(harness *h, const struct kind *kind)
{
	static const uint32_t thread_counts[] = {1, 33};

	if (h->info.cluster_blocks)
		hand_over(h, kind, 0);
	for (uint32_t cluster = 2; cluster <= h->info.cluster_blocks; cluster *= 2)
		for (int t = 0; t < 2; t++) {
			uint32_t counts[5];
			uint32_t threads = harness_threads(h, thread_counts[t]);
			uint32_t n = harness_block_counts(h, "mutex_exclusion", threads, counts);
			uint32_t most = n ? counts[n - 1] / cluster * cluster : 0;

			if (most == 0)
				continue;
			exclusion(h, kind, cluster, threads, cluster, 0, 0);
			exclusion(h, kind, most, threads, cluster, UINT32_MAX - 100, 0);
			collective(h, kind, most, threads, cluster, 0);
			if (threads == 1)
				nested(h, kind, most, cluster, 0);
		}
}

static void test_kind(harness *h, const struct kind *kind)
{
	static const uint32_t thread_counts[] = {1, 33, 128};
	uint32_t counts[5];

	for (int t = 0; t < (h->few_threads ? 2 : 3); t++) {
		uint32_t threads = harness_threads(h, thread_counts[t]);
		uint32_t n = harness_block_counts(h, "mutex_exclusion", threads, counts);
		for (uint32_t i = 0; i < n; i++)
			exclusion(h, kind, counts[i], threads, 0, 0, 0);
		for (uint32_t i = 1; i < n; i++)
			collective(h, kind, counts[i], threads, 0, 0);
		for (uint32_t i = 1; i < n && kind->queue == WEIR_QUEUE_NONE; i++)
			for (int compact = 0; compact < 2; compact++)
				array(h, kind, counts[i], threads, compact, 0);
	}
	uint32_t n = harness_block_counts(h, "mutex_exclusion", 1, counts);
	uint32_t many = counts[n - 1];
	exclusion(h, kind, many, 1, 0, UINT32_MAX - 100, 0);
	if (kind->queue == WEIR_QUEUE_CLUSTER)
		test_clusters(h, kind);
	if (kind->fair) {
		order(h, kind, many, 0, 0);
		order(h, kind, many, UINT32_MAX - many / 2, 0);
	}
}

/* The same kernels with the lock left out must be caught, or the tests above prove nothing. */
static void test_taken_out(harness *h, const struct kind *kind)
{
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "mutex_exclusion", 1, counts);

	HARNESS_MUST_NOTICE(h, exclusion(h, kind, counts[n - 1], 1, 0, 0, 1));
	if (kind->queue == WEIR_QUEUE_CLUSTER && h->info.cluster_blocks) {
		HARNESS_MUST_NOTICE(h, hand_over(h, kind, 1));
		HARNESS_MUST_NOTICE(h, nested(h, kind, counts[n - 1] / 2 * 2, 2, 1));
	}
	uint32_t threads = harness_threads(h, 33);
	n = harness_block_counts(h, "mutex_exclusion", threads, counts);
	HARNESS_MUST_NOTICE(h, collective(h, kind, counts[n - 1], threads, 0, 1));
	if (kind->queue == WEIR_QUEUE_NONE)
		HARNESS_MUST_NOTICE(h, array(h, kind, counts[n - 1], threads, 1, 1));
	if (kind->fair && counts[n - 1] > 2) /* block 2 must have a block 1 to overtake */
		HARNESS_MUST_NOTICE(h, order(h, kind, counts[n - 1], 0, 1));
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "mutex", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		test_kind(&h, &kinds[i]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !h.sound_only; i++)
		test_taken_out(&h, &kinds[i]);
	return harness_close(&h);
}
