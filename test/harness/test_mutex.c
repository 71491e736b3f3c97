/* Every kind of mutex, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "mutex_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(mutex_start),      HARNESS_ENTRY(mutex_exclusion),
    HARNESS_ENTRY(mutex_collective), HARNESS_ENTRY(mutex_collective_without),
    HARNESS_ENTRY(mutex_array),      HARNESS_ENTRY(mutex_order),
    HARNESS_ENTRY(mutex_nested),     HARNESS_ENTRY(mutex_hand_over)};

#define SQUARES 200000000u

static const char *clusters_text(uint32_t cluster)
{
	static char text[32];

	snprintf(text, sizeof text, ", clusters of %u", cluster);
	return cluster ? text : "";
}

static harness_order order_of(const weir_kind *kind, int without)
{
	return (harness_order){
	    .primitive = WEIR_PRIMITIVE_MUTEX, .kind = kind->value, .without = without};
}

static void exclusion(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads,
                      uint32_t cluster, uint32_t start, int without)
{
	harness_object m = harness_make(h, order_of(kind, without));
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 2000);

	m.launch.params.base = start;
	if (start)
		harness_run_grid(h, &m, "mutex_start", 1, threads, 0);
	m.launch.params.rounds = rounds;
	m.launch.params.width = 8;
	m.launch.params.seed = blocks + threads;
	m.launch.cluster = cluster;
	harness_run_grid(h, &m, "mutex_exclusion", blocks, threads, 0);
	harness_verdict(h, harness_words_are(h, 8, blocks * rounds), without,
	                "%s: exclusion, %u blocks of %u%s, %u rounds%s", kind->name, blocks,
	                threads, clusters_text(cluster), rounds, start ? ", across the wrap" : "");
	harness_unmake(h, &m);
}

static void collective(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads,
                       uint32_t cluster, int without)
{
	harness_object m = harness_make(h, order_of(kind, without));
	uint32_t lockers = h->info.is_gpu || threads < 4 ? blocks : blocks * threads / 4 + 1;
	uint32_t rounds = harness_contended_rounds(h, lockers, SQUARES, 500);

	m.launch.params.rounds = rounds;
	m.launch.params.seed = threads;
	m.launch.cluster = cluster;
	harness_run_grid(h, &m, without ? "mutex_collective_without" : "mutex_collective", blocks,
	                 threads, 0);
	harness_verdict(h, harness_words_are(h, threads, blocks * rounds), without,
	                "%s: collective, %u blocks of %u%s, %u rounds", kind->name, blocks, threads,
	                clusters_text(cluster), rounds);
	harness_unmake(h, &m);
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

static void array(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads, int compact,
                  int without)
{
	enum {
		LENGTH = 17,
		WIDTH = 3
	};
	harness_object a = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX_ARRAY,
	                                                   .kind = kind->value,
	                                                   .count = LENGTH,
	                                                   .options.object.compact = compact,
	                                                   .without = without});
	uint32_t lockers = harness_has_teams(h) ? blocks * threads : blocks;
	uint32_t rounds = harness_contended_rounds(
	    h, h->info.is_gpu ? lockers / LENGTH + 1 : lockers, SQUARES, 500);

	a.launch.params.rounds = rounds;
	a.launch.params.width = WIDTH;
	a.launch.params.length = LENGTH;
	a.launch.params.seed = blocks;
	harness_run_grid(h, &a, "mutex_array", blocks, threads, 0);
	harness_verdict(h, array_adds_up(h, LENGTH, WIDTH, lockers * rounds), without,
	                "%s: array of %d, %s, %u lockers, %u rounds", kind->name, LENGTH,
	                compact ? "compact" : "padded", lockers, rounds);
	harness_unmake(h, &a);
}

static void order(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t start, int without)
{
	harness_object m = harness_make(h, order_of(kind, without));

	m.launch.params.base = start;
	m.launch.params.hold = h->info.is_gpu ? 20 : 200;
	harness_run_grid(h, &m, "mutex_start", 1, 1, 1);
	harness_run_grid(h, &m, "mutex_order", blocks, 1, 1);
	harness_verdict(h, harness_in_order(h, blocks, 1), without,
	                "%s: first come, first served, %u blocks%s", kind->name, blocks,
	                start ? ", across the wrap" : "");
	harness_unmake(h, &m);
}

/* Each block holds two mutexes at once; only the inner one protects the words. */
static void nested(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t cluster,
                   int without)
{
	harness_order orders[] = {order_of(kind, without), order_of(kind, without)};
	uint32_t rounds = harness_contended_rounds(h, blocks, SQUARES, 500);
	harness_object m[2];

	orders[0].options.mutex.queue_slots = harness_slots(kind, blocks);
	orders[1].options.mutex.queue_slots = harness_slots(kind, blocks);
	harness_make_row(h, orders, 2, m);
	m->launch.params.rounds = rounds;
	m->launch.params.width = 8;
	m->launch.params.seed = blocks;
	m->launch.cluster = cluster;
	harness_run_grid(h, m, "mutex_nested", blocks, 1, 0);
	harness_verdict(h, harness_words_are(h, 8, blocks * rounds), without,
	                "%s: one inside another, %u blocks%s, %u rounds", kind->name, blocks,
	                clusters_text(cluster), rounds);
	harness_unmake_row(h, m, 2);
}

/* The mutex goes to the next block of the cluster before a cluster that arrived earlier. With a
 * mutex whose blocks have no places in their clusters, it must not. */
static void hand_over(harness *h, const weir_kind *kind, int without)
{
	harness_object m = harness_make(h, order_of(kind, 0));

	m.launch.cluster = 2;
	if (without)
		m.launch.params.config.mutex.slots = 0;
	harness_run_grid(h, &m, "mutex_hand_over", 4, 1, 1);
	harness_verdict(h, harness_in_order(h, 4, 1), without, "%s: handed over inside a cluster",
	                kind->name);
	harness_unmake(h, &m);
}

/* Clusters of all sizes that any kernel can have. */
static void test_clusters(harness *h, const weir_kind *kind)
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

static void test_kind(harness *h, const weir_kind *kind)
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

static void test_taken_out(harness *h, const weir_kind *kind)
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

static const harness_family family = {.name = "mutex",
                                      .primitive = WEIR_PRIMITIVE_MUTEX,
                                      .kind = test_kind,
                                      .kind_without = test_taken_out};

HARNESS_MAIN(&family, entries)
