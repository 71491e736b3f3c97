/* Teams: barriers, mutexes, semaphores, events, queues and dispensers for some warps of each block, on the device that the
 * command line names. */
#include "harness.h"

#include "team_kernels.h"

static const weir_host_entry entries[] = {
    {"team_barrier", team_barrier_entry}, {"team_mutex", team_mutex_entry},
    {"team_event", team_event_entry},     {"team_semaphore", team_semaphore_entry},
    {"team_queue", team_queue_entry},     {"team_dispenser", team_dispenser_entry}};

static const char *const teams[] = {"the first warp", "two warps with a name"};

/* Kernels of CUDA have other warps than those of this build for the host. */
static uint32_t warp(const harness *h)
{
	return h->info.is_gpu ? 32 : WEIR_WARP_THREADS;
}

/* Memory for an object, and behind it the words of a kernel. */
static harness_place place_for(harness *h, size_t bytes)
{
	size_t lines = (bytes + 127) / 128 * 128;
	harness_place place = harness_place_of(h, lines + TEAM_BEHIND * sizeof(weir_word), 128);

	place.behind = (uint32_t)(lines / sizeof(weir_word)) - HARNESS_LEAD;
	return place;
}

static void barrier(harness *h, uint32_t blocks, uint32_t which, uint32_t bits, int without)
{
	uint32_t threads = 4 * warp(h);
	uint32_t rounds = harness_rounds(h, blocks * threads, 200);
	weir_options shape = {.has_shape = 1, .shape = {bits}};
	size_t bytes, alignment;
	weir_barrier b;

	harness_need(
	    weir_barrier_size(h->device, WEIR_BARRIER_COUNTER, blocks, &shape, &bytes, &alignment),
	    "weir_barrier_size");
	harness_place place = place_for(h, bytes);
	place.options.has_shape = 1;
	place.options.shape = shape.shape;
	harness_need(
	    weir_barrier_create_with(h->device, WEIR_BARRIER_COUNTER, blocks, &place.options, &b),
	    "weir_barrier_create_with");
	harness_launch launch = {.kernel = "team_barrier",
	                         .words = b.words,
	                         .params = {.config.barrier = b.config,
	                                    .second.object.offset = place.behind,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .value = which,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .together = 1};
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
	                "barrier: %s of %u blocks, %u bits, %u rounds", teams[which], blocks, bits,
	                rounds);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

/* A kind with a queue gets a slot for each warp. */
static void mutex(harness *h, weir_mutex_kind kind, uint32_t blocks, int without)
{
	uint32_t warps = 3;
	uint32_t rounds = harness_contended_rounds(h, blocks * warps, 50000000, 300);
	weir_options options = {.slots = kind == WEIR_MUTEX_RING ? blocks * warps : 0};
	weir_mutex m;

	harness_need(weir_mutex_create_with(h->device, kind, &options, &m),
	             "weir_mutex_create_with");
	harness_launch launch = {.kernel = "team_mutex",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .hold = without ? 20 : 1,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = warps * warp(h)};
	harness_run(h, &launch, 0);
	harness_verdict(h, harness_words_are(h, warp(h), blocks * warps * rounds), without,
	                "mutex of kind %s: %u blocks of %u warps, %u rounds",
	                weir_mutex_kind_name(kind), blocks, warps, rounds);
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

static void semaphore(harness *h, uint32_t maximum, uint32_t blocks, int without)
{
	uint32_t warps = 3;
	uint32_t rounds = harness_contended_rounds(h, blocks * warps, 50000000, 300);
	size_t bytes, alignment;
	weir_semaphore s;

	harness_need(weir_semaphore_size(h->device, WEIR_SEMAPHORE_PACKED, maximum, NULL, &bytes,
	                                 &alignment),
	             "weir_semaphore_size");
	harness_place place = place_for(h, bytes);
	harness_need(weir_semaphore_create_with(h->device, WEIR_SEMAPHORE_PACKED, maximum, maximum,
	                                        &place.options, &s),
	             "weir_semaphore_create_with");
	harness_launch launch = {.kernel = "team_semaphore",
	                         .words = s.words,
	                         .params = {.config.semaphore = s.config,
	                                    .second.object.offset = place.behind,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .length = maximum,
	                                    .hold = without ? 20 : 1},
	                         .grid = {blocks, 1, 1},
	                         .threads = warps * warp(h)};
	harness_run(h, &launch, 0);
	harness_verdict(h,
	                h->copy[HARNESS_ERRORS] == 0 &&
	                    (maximum > 1 || harness_words_are(h, warp(h), blocks * warps * rounds)),
	                without, "semaphore of %u: %u blocks of %u warps, %u rounds", maximum,
	                blocks, warps, rounds);
	harness_need(weir_semaphore_destroy(h->device, &s), "weir_semaphore_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

static void event(harness *h, uint32_t blocks, int without)
{
	uint32_t warps = 3;
	uint32_t rounds = harness_rounds(h, blocks * warps * warp(h), 300);
	weir_event_array a;

	harness_need(
	    weir_event_array_create(h->device, WEIR_EVENT_DEFAULT, blocks * warps + 3, NULL, &a),
	    "weir_event_array_create");
	harness_launch launch = {.kernel = "team_event",
	                         .words = a.words,
	                         .params = {.config.event_array = a.config,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .hold = without ? 20 : 1,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = warps * warp(h),
	                         .together = 1};
	harness_run(h, &launch, 0);
	harness_verdict(h, harness_words_are(h, warp(h), blocks * warps * rounds), without,
	                "event: a ring of %u blocks of %u warps, %u rounds", blocks, warps, rounds);
	harness_need(weir_event_array_destroy(h->device, &a), "weir_event_array_destroy");
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
	uint32_t warps = 3;
	uint32_t producers = blocks * warps / 2;
	uint32_t rounds = harness_item_rounds(h, producers, 100);
	size_t item = words * sizeof(uint32_t);
	size_t bytes, alignment;
	weir_queue q;
	int right = 1;

	harness_need(weir_queue_size(h->device, WEIR_QUEUE_DEFAULT, 1u << bits, item, NULL, &bytes,
	                             &alignment),
	             "weir_queue_size");
	harness_place place = place_for(h, bytes);
	harness_need(
	    weir_queue_create(h->device, WEIR_QUEUE_DEFAULT, 1u << bits, item, &place.options, &q),
	    "weir_queue_create");
	harness_launch launch = {.kernel = "team_queue",
	                         .words = q.words,
	                         .params = {.config.queue = q.config,
	                                    .second.object.offset = place.behind,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .value = producers,
	                                    .hold = without ? 20 : 1,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = warps * warp(h),
	                         .together = 1};
	for (int i = 0; i < 2; i++) {
		launch.params.seed += 1000;
		harness_run(h, &launch, 0);
		right &= each_once(
		    h, h->copy + HARNESS_DATA + QUEUE_PAYLOAD + (size_t)producers * rounds,
		    producers * rounds);
	}
	harness_verdict(h, right, without,
	                "queue of %u slots, %zu bytes: %u warps of %u blocks push %u each",
	                1u << bits, item, producers, blocks, rounds);
	harness_need(weir_queue_destroy(h->device, &q), "weir_queue_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

/* Two launches without a reset. */
static void dispenser(harness *h, uint32_t width, uint32_t blocks, int without)
{
	uint32_t warps = 3;
	uint32_t items = harness_rounds(h, 1, h->info.is_gpu ? 100000 : 2000);
	weir_options options = {.takers = warps};
	weir_dispenser d;
	int right = 1;

	harness_need(weir_dispenser_create(h->device, items, &options, &d),
	             "weir_dispenser_create");
	harness_launch launch = {.kernel = "team_dispenser",
	                         .words = d.words,
	                         .params = {.config.dispenser = d.config,
	                                    .without = without,
	                                    .length = items,
	                                    .width = width,
	                                    .hold = without ? 20 : 1},
	                         .grid = {blocks, 1, 1},
	                         .threads = warps * warp(h)};
	for (int i = 0; i < 2; i++) {
		uint64_t got = 0;

		harness_run(h, &launch, 0);
		for (uint32_t team = 0; team < blocks * warps; team++)
			got += h->copy[HARNESS_DATA + team];
		right &= got == items &&
		         each_once(h, h->copy + HARNESS_DATA + (size_t)blocks * warps, items);
	}
	harness_verdict(h, right, without, "dispenser: %u blocks of %u warps take %u of %u items",
	                blocks, warps, width, items);
	harness_need(weir_dispenser_destroy(h->device, &d), "weir_dispenser_destroy");
}

int main(int argc, char **argv)
{
	harness h;
	uint32_t counts[5];
	uint32_t count;
	int status;

	if (harness_open(&h, argc, argv, "team", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	count = harness_block_counts(&h, "team_barrier", 4 * warp(&h), counts);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t bits = 0; bits <= 3 && counts[i] >> bits != 0; bits++)
			for (uint32_t which = TEAM_WARP; which <= TEAM_NAMED; which++)
				barrier(&h, counts[i], which, bits, 0);
		mutex(&h, WEIR_MUTEX_SPIN_BACKOFF, counts[i], 0);
		mutex(&h, WEIR_MUTEX_TICKET, counts[i], 0);
		mutex(&h, WEIR_MUTEX_RING, counts[i], 0);
		semaphore(&h, 1, counts[i], 0);
		semaphore(&h, 3, counts[i], 0);
		event(&h, counts[i], 0);
		queue(&h, 1, 0, counts[i], 0);
		queue(&h, 1, 5, counts[i], 0);
		queue(&h, 4, 3, counts[i], 0);
		dispenser(&h, 1, counts[i], 0);
		dispenser(&h, 40, counts[i], 0);
	}
	if (!h.sound_only) {
		HARNESS_MUST_NOTICE(&h, barrier(&h, 7, TEAM_NAMED, 0, 1));
		HARNESS_MUST_NOTICE(&h, mutex(&h, WEIR_MUTEX_SPIN_BACKOFF, 7, 1));
		HARNESS_MUST_NOTICE(&h, semaphore(&h, 3, 7, 1));
		HARNESS_MUST_NOTICE(&h, event(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, queue(&h, 4, 3, 7, 1));
		HARNESS_MUST_NOTICE(&h, dispenser(&h, 1, 7, 1));
	}
	return harness_close(&h);
}
