/* Teams: barriers, mutexes, semaphores, events, queues and dispensers for some warps of each block, on the device named
 * on the command line. */
#include "harness.h"

#include "team_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(team_barrier),   HARNESS_ENTRY(team_mutex), HARNESS_ENTRY(team_event),
    HARNESS_ENTRY(team_semaphore), HARNESS_ENTRY(team_queue), HARNESS_ENTRY(team_dispenser)};

#define WARPS 3u /* of a block, except for barriers */

static const char *const teams[] = {"the first warp", "two warps with a name"};

/* The size of a CUDA warp may differ from that of this host build. */
static uint32_t warp(const harness *h)
{
	return harness_is_cuda(h) || h->info.is_gpu ? 32 : WEIR_WARP_THREADS;
}

static void barrier(harness *h, uint32_t blocks, uint32_t which, uint32_t bits, int without)
{
	uint32_t threads = 4 * warp(h);
	harness_object b = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_BARRIER,
	                                                   .kind = WEIR_BARRIER_COUNTER,
	                                                   .count = blocks,
	                                                   .options.barrier.shards = 1u << bits,
	                                                   .behind = TEAM_BEHIND,
	                                                   .without = without});

	b.launch.params.rounds = harness_rounds(h, blocks * threads, 200);
	b.launch.params.value = which;
	b.launch.params.seed = blocks;
	harness_run_grid(h, &b, "team_barrier", blocks, threads, 1);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
	                "barrier: %s of %u blocks, %u bits, %u rounds", teams[which], blocks, bits,
	                b.launch.params.rounds);
	harness_unmake(h, &b);
}

/* A kind with a queue gets a slot for each warp. */
static void mutex(harness *h, weir_mutex_kind kind, uint32_t blocks, int without)
{
	uint32_t rounds = harness_contended_rounds(h, blocks * WARPS, 50000000, 300);
	harness_object m =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX,
	                                    .kind = kind,
	                                    .options.mutex.queue_slots =
	                                        kind == WEIR_MUTEX_RING ? blocks * WARPS : 0,
	                                    .without = without});

	m.launch.params.rounds = rounds;
	m.launch.params.seed = blocks;
	harness_run_grid(h, &m, "team_mutex", blocks, WARPS * warp(h), 0);
	harness_verdict(h, harness_words_are(h, warp(h), blocks * WARPS * rounds), without,
	                "mutex of kind %s: %u blocks of %u warps, %u rounds",
	                weir_mutex_kind_name(kind), blocks, WARPS, rounds);
	harness_unmake(h, &m);
}

static void semaphore(harness *h, uint32_t maximum, uint32_t blocks, int without)
{
	uint32_t rounds = harness_contended_rounds(h, blocks * WARPS, 50000000, 300);
	harness_object s = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_SEMAPHORE,
	                                                   .kind = WEIR_SEMAPHORE_PACKED,
	                                                   .initial = maximum,
	                                                   .count = maximum,
	                                                   .behind = TEAM_BEHIND,
	                                                   .without = without});

	s.launch.params.rounds = rounds;
	s.launch.params.length = maximum;
	harness_run_grid(h, &s, "team_semaphore", blocks, WARPS * warp(h), 0);
	harness_verdict(h,
	                h->copy[HARNESS_ERRORS] == 0 &&
	                    (maximum > 1 || harness_words_are(h, warp(h), blocks * WARPS * rounds)),
	                without, "semaphore of %u: %u blocks of %u warps, %u rounds", maximum,
	                blocks, WARPS, rounds);
	harness_unmake(h, &s);
}

static void event(harness *h, uint32_t blocks, int without)
{
	uint32_t rounds = harness_rounds(h, blocks * WARPS * warp(h), 300);
	harness_object a = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
	                                                   .kind = WEIR_EVENT_DEFAULT,
	                                                   .count = blocks * WARPS + 3,
	                                                   .without = without});

	a.launch.params.rounds = rounds;
	a.launch.params.seed = blocks;
	harness_run_grid(h, &a, "team_event", blocks, WARPS * warp(h), 1);
	harness_verdict(h, harness_words_are(h, warp(h), blocks * WARPS * rounds), without,
	                "event: a ring of %u blocks of %u warps, %u rounds", blocks, WARPS, rounds);
	harness_unmake(h, &a);
}

static int each_once(const harness *h, const uint32_t *counts, uint32_t items)
{
	for (uint32_t i = 0; i < items; i++)
		if (counts[i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

/* Half of the warps push, and half pop. Two launches without a reset. */
static void queue(harness *h, uint32_t words, uint32_t bits, uint32_t blocks, int without)
{
	uint32_t producers = blocks * WARPS / 2;
	uint32_t rounds = harness_item_rounds(h, producers, 100);
	harness_object q = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_QUEUE,
	                                                   .kind = WEIR_QUEUE_DEFAULT,
	                                                   .count = 1u << bits,
	                                                   .words = words,
	                                                   .behind = TEAM_BEHIND,
	                                                   .without = without});
	int right = 1;

	q.launch.params.rounds = rounds;
	q.launch.params.value = producers;
	q.launch.params.seed = blocks;
	for (int i = 0; i < 2; i++) {
		q.launch.params.seed += 1000;
		harness_run_grid(h, &q, "team_queue", blocks, WARPS * warp(h), 1);
		right &= each_once(
		    h, h->copy + HARNESS_DATA + QUEUE_PAYLOAD + (size_t)producers * rounds,
		    producers * rounds);
	}
	harness_verdict(h, right, without,
	                "queue of %u slots, %zu bytes: %u warps of %u blocks push %u each",
	                1u << bits, words * sizeof(uint32_t), producers, blocks, rounds);
	harness_unmake(h, &q);
}

/* Two launches without a reset. */
static void dispenser(harness *h, uint32_t width, uint32_t blocks, int without)
{
	uint32_t items = harness_rounds(h, 1, h->info.is_gpu ? 100000 : 2000);
	harness_object d = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_DISPENSER,
	                                                   .count = items,
	                                                   .options.dispenser.takers = WARPS,
	                                                   .without = without});
	int right = 1;

	d.launch.params.length = items;
	d.launch.params.width = width;
	for (int i = 0; i < 2; i++) {
		uint64_t got = 0;

		harness_run_grid(h, &d, "team_dispenser", blocks, WARPS * warp(h), 0);
		for (uint32_t team = 0; team < blocks * WARPS; team++)
			got += h->copy[HARNESS_DATA + team];
		right &= got == items &&
		         each_once(h, h->copy + HARNESS_DATA + (size_t)blocks * WARPS, items);
	}
	harness_verdict(h, right, without, "dispenser: %u blocks of %u warps take %u of %u items",
	                blocks, WARPS, width, items);
	harness_unmake(h, &d);
}

static void test_all(harness *h)
{
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "team_barrier", 4 * warp(h), counts);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t bits = 0; bits <= 3 && counts[i] >> bits != 0; bits++)
			for (uint32_t which = TEAM_WARP; which <= TEAM_NAMED; which++)
				barrier(h, counts[i], which, bits, 0);
		mutex(h, WEIR_MUTEX_SPIN_BACKOFF, counts[i], 0);
		mutex(h, WEIR_MUTEX_TICKET, counts[i], 0);
		mutex(h, WEIR_MUTEX_RING, counts[i], 0);
		semaphore(h, 1, counts[i], 0);
		semaphore(h, 3, counts[i], 0);
		event(h, counts[i], 0);
		queue(h, 1, 0, counts[i], 0);
		queue(h, 1, 5, counts[i], 0);
		queue(h, 4, 3, counts[i], 0);
		dispenser(h, 1, counts[i], 0);
		dispenser(h, 40, counts[i], 0);
	}
	if (!h->sound_only) {
		HARNESS_MUST_NOTICE(h, barrier(h, 7, TEAM_NAMED, 0, 1));
		HARNESS_MUST_NOTICE(h, mutex(h, WEIR_MUTEX_SPIN_BACKOFF, 7, 1));
		HARNESS_MUST_NOTICE(h, semaphore(h, 3, 7, 1));
		HARNESS_MUST_NOTICE(h, event(h, 7, 1));
		HARNESS_MUST_NOTICE(h, queue(h, 4, 3, 7, 1));
		HARNESS_MUST_NOTICE(h, dispenser(h, 1, 7, 1));
	}
}

static const harness_family family = {.name = "team", .all = test_all};

HARNESS_MAIN(&family, entries)
