/* Handles that kernels make in zeroed memory, alone and together with handles of the host library,
 * on the device that the command line names. */
#include "harness.h"

#include <stddef.h>
#include <stdio.h>

#include "in_kernels.h"
#include "weir/kind.h"

static const weir_host_entry entries[] = {
    {"in_barrier", in_barrier_entry}, {"in_mutex", in_mutex_entry},
    {"in_event", in_event_entry},     {"in_semaphore", in_semaphore_entry},
    {"in_queue", in_queue_entry},     {"in_condition", in_condition_entry},
    {"in_rwlock", in_rwlock_entry},   {"in_combine", in_combine_entry}};

static const char *const makers[] = {"all made in the kernel", "every second one of the host",
                                     "all of the host"};

static void need_words(size_t words, uint32_t macro)
{
	harness_need(words <= macro ? WEIR_OK : WEIR_BAD_ARGUMENT,
	             "the words that a kernel without the library has");
}

/* Whether the launch was right, with the makers that its kernel was told. */
static void verdict(harness *h, const harness_launch *launch, const char *what, int right)
{
	harness_verdict(h, right, (int)launch->params.without, "%s: %u blocks, %u rounds, %s", what,
	                launch->grid[0], launch->params.rounds, makers[launch->params.value]);
}

static void destroy(harness *h, weir_buffer *memory)
{
	harness_need(weir_buffer_destroy(h->device, memory), "weir_buffer_destroy");
}

/* The bits that a kernel gives its barrier: none where its blocks have too few threads. */
static uint32_t bits_in_kernel(const harness *h, uint32_t blocks, uint32_t threads)
{
	uint32_t bits = WEIR_COUNTER_BITS(blocks);

	return h->info.machine == WEIR_MACHINE_CUDA && threads >> bits == 0 ? 0 : bits;
}

static void barrier(harness *h, uint32_t blocks, uint32_t threads, int has_handles, int without)
{
	uint32_t rounds = harness_rounds(h, blocks * threads, 50);
	harness_place place =
	    harness_place_of(h, WEIR_BARRIER_WORDS(blocks) * sizeof(weir_word), 128);
	weir_barrier b = {0};
	harness_launch launch = {.kernel = "in_barrier",
	                         .words = place.memory.native,
	                         .params = {.without = without, .rounds = rounds, .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .together = 1};

	for (uint32_t value = 0; value <= (has_handles ? IN_HANDLES : 0); value++) {
		if (value == IN_MIXED) {
			/* It sets the words to zero again. A profile may have another shape. */
			place.options.has_shape = 1;
			place.options.shape.bits = bits_in_kernel(h, blocks, threads);
			harness_need(weir_barrier_create_with(h->device, WEIR_BARRIER_COUNTER,
			                                      blocks, &place.options, &b),
			             "weir_barrier_create_with");
			need_words(weir_barrier_words(b.config), WEIR_BARRIER_WORDS(blocks));
		}
		launch.params.value = value;
		launch.params.config.barrier = b.config;
		harness_run(h, &launch, value != 0);
		launch.params.base += rounds;
		harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, without,
		                "barrier: %u blocks of %u, %u rounds, %s", blocks, threads, rounds,
		                makers[value]);
	}
	if (b.words)
		harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
	destroy(h, &place.memory);
}

static int array_adds_up(const harness *h, uint32_t total)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < IN_LENGTH; i++)
		sum += h->copy[HARNESS_DATA + 1 + i];
	return sum == total;
}

static void mutex(harness *h, uint32_t blocks, int without)
{
	size_t first = WEIR_MUTEX_WORDS * sizeof(weir_word);
	uint32_t rounds = harness_contended_rounds(h, blocks, 50000000, 200);
	harness_place place =
	    harness_place_of(h, first + WEIR_MUTEX_ARRAY_WORDS(IN_LENGTH) * sizeof(weir_word), 128);
	weir_options behind = place.options;
	weir_mutex m = {0};
	weir_mutex_array a = {0};
	harness_launch launch = {
	    .kernel = "in_mutex",
	    .words = place.memory.native,
	    .params = {.without = without, .rounds = rounds, .hold = without ? 20 : 1},
	    .grid = {blocks, 1, 1},
	    .threads = 2};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			harness_need(weir_mutex_create_with(h->device, WEIR_MUTEX_SPIN_BACKOFF,
			                                    &place.options, &m),
			             "weir_mutex_create_with");
			behind.memory_offset = first;
			behind.memory_bytes -= first;
			harness_need(weir_mutex_array_create(h->device, WEIR_MUTEX_SPIN_BACKOFF,
			                                     IN_LENGTH, &behind, &a),
			             "weir_mutex_array_create");
			launch.params.config.mutex = m.config;
			launch.params.second.mutex_array = a.config;
			/* On OpenCL it is in the offset. */
			launch.params.second.mutex_array.offset =
			    (uint32_t)(first / sizeof(weir_word));
		}
		launch.params.value = value;
		harness_run(h, &launch, 0);
		verdict(h, &launch, "mutex",
		        h->copy[HARNESS_DATA] == blocks * rounds &&
		            array_adds_up(h, blocks * rounds));
	}
	if (m.words) {
		harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
		harness_need(weir_mutex_array_destroy(h->device, &a), "weir_mutex_array_destroy");
	}
	destroy(h, &place.memory);
}

static void semaphore(harness *h, uint32_t blocks, int without)
{
	size_t bytes = WEIR_SEMAPHORE_WORDS * sizeof(weir_word);
	uint32_t rounds = harness_contended_rounds(h, blocks, 50000000, 200);
	harness_place place = harness_place_of(h, bytes + sizeof(weir_word), 128);
	weir_semaphore s = {0};
	harness_launch launch = {
	    .kernel = "in_semaphore",
	    .words = place.memory.native,
	    .params = {.without = without, .rounds = rounds, .hold = without ? 20 : 1},
	    .grid = {blocks, 1, 1},
	    .threads = 2};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			/* What the kernels have by default, as the header says. */
			weir_semaphore_kind kind =
			    weir_kind_runs(h->device, weir_kind_find(WEIR_PRIMITIVE_SEMAPHORE,
			                                             WEIR_SEMAPHORE_PACKED))
				? WEIR_SEMAPHORE_PACKED
				: WEIR_SEMAPHORE_SLEEPING;
			harness_need(weir_semaphore_create_with(h->device, kind, IN_MAXIMUM,
			                                        IN_MAXIMUM, &place.options, &s),
			             "weir_semaphore_create_with");
			need_words(weir_semaphore_words(s.config), WEIR_SEMAPHORE_WORDS);
			launch.params.config.semaphore = s.config;
		}
		launch.params.value = value;
		harness_run(h, &launch, 0);
		verdict(h, &launch, "semaphore", h->copy[HARNESS_ERRORS] == 0);
	}
	if (s.words)
		harness_need(weir_semaphore_destroy(h->device, &s), "weir_semaphore_destroy");
	destroy(h, &place.memory);
}

static void event(harness *h, uint32_t blocks, int without)
{
	/* The meeting follows the ring at the next cache line. */
	uint32_t ring = (WEIR_EVENT_ARRAY_COMPACT_WORDS(blocks) + 31) / 32 * 32;
	size_t first = ring * sizeof(weir_word);
	uint32_t rounds = harness_rounds(h, blocks * 2, 100);
	harness_place place =
	    harness_place_of(h, first + WEIR_EVENT_ARRAY_WORDS(1) * sizeof(weir_word), 128);
	weir_options compact = place.options, behind = place.options;
	weir_event_array a = {0}, b = {0};
	harness_launch launch = {.kernel = "in_event",
	                         .words = place.memory.native,
	                         .params = {.without = without,
	                                    .rounds = rounds,
	                                    .length = ring,
	                                    .hold = without ? 20 : 1},
	                         .grid = {blocks, 1, 1},
	                         .threads = 2,
	                         .together = 1};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			/* Creation sets the words to zero again. */
			compact.compact = 1;
			compact.memory_bytes = first;
			harness_need(weir_event_array_create(h->device, WEIR_EVENT_DEFAULT, blocks,
			                                     &compact, &a),
			             "weir_event_array_create");
			behind.memory_offset = first;
			behind.memory_bytes -= first;
			harness_need(
			    weir_event_array_create(h->device, WEIR_EVENT_DEFAULT, 1, &behind, &b),
			    "weir_event_array_create");
			need_words(weir_event_array_words(b.config), WEIR_EVENT_ARRAY_WORDS(1));
			launch.params.config.event_array = a.config;
			launch.params.second.event_array = b.config;
			/* On OpenCL it is in the offset. */
			launch.params.second.event_array.offset = ring;
		}
		launch.params.value = value;
		/* Each second launch goes on with what the first has left. */
		for (int again = 0; again < 2; again++) {
			harness_run(h, &launch, again || value == IN_HANDLES);
			verdict(h, &launch, "event", h->copy[HARNESS_ERRORS] == 0);
			if (without)
				break;
		}
	}
	if (a.words) {
		harness_need(weir_event_array_destroy(h->device, &a), "weir_event_array_destroy");
		harness_need(weir_event_array_destroy(h->device, &b), "weir_event_array_destroy");
	}
	destroy(h, &place.memory);
}

/* A queue, and behind it a dispenser. Each second launch goes on with what the first has left. */
static void queue(harness *h, uint32_t blocks, int without)
{
	size_t first = WEIR_QUEUE_WORDS(IN_QUEUE_BITS) * sizeof(weir_word);
	uint32_t items = harness_item_rounds(h, blocks, 200) * blocks;
	size_t bytes, alignment;

	if (weir_dispenser_size(h->device, items, NULL, &bytes, &alignment) == WEIR_UNSUPPORTED) {
		printf("       queue: %s, left out\n", weir_error_text());
		return;
	}
	harness_place place =
	    harness_place_of(h, first + WEIR_DISPENSER_WORDS * sizeof(weir_word), 128);
	weir_options behind = place.options;
	weir_queue q = {0};
	weir_dispenser d = {0};
	harness_launch launch = {
	    .kernel = "in_queue",
	    .words = place.memory.native,
	    .params = {.without = without, .length = items, .hold = without ? 20 : 1},
	    .grid = {blocks, 1, 1},
	    .threads = 2,
	    .together = 1};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			place.options.memory_bytes = first;
			harness_need(weir_queue_create(h->device, WEIR_QUEUE_DEFAULT,
			                               1u << IN_QUEUE_BITS, sizeof(uint32_t),
			                               &place.options, &q),
			             "weir_queue_create");
			need_words(weir_queue_words(q.config), WEIR_QUEUE_WORDS(IN_QUEUE_BITS));
			behind.memory_offset = first;
			behind.memory_bytes -= first;
			harness_need(weir_dispenser_create(h->device, items, &behind, &d),
			             "weir_dispenser_create");
			need_words(weir_dispenser_words(d.config), WEIR_DISPENSER_WORDS);
			launch.params.config.queue = q.config;
			launch.params.second.dispenser = d.config;
			/* On OpenCL it is in the offset. */
			launch.params.second.dispenser.offset =
			    (uint32_t)(first / sizeof(weir_word));
		}
		launch.params.value = value;
		for (int again = 0; again < (without ? 1 : 2); again++) {
			int right = 1;

			harness_run(h, &launch, 0);
			for (uint32_t i = 0; i < items; i++)
				right &= h->copy[HARNESS_DATA + items + i] == 1;
			harness_verdict(h, right && h->copy[HARNESS_ERRORS] == 0, without,
			                "queue and dispenser: %u blocks, %u items, %s", blocks,
			                items, makers[value]);
		}
	}
	if (q.words) {
		harness_need(weir_queue_destroy(h->device, &q), "weir_queue_destroy");
		harness_need(weir_dispenser_destroy(h->device, &d), "weir_dispenser_destroy");
	}
	destroy(h, &place.memory);
}

/* A condition behind a mutex. */
static void condition(harness *h, uint32_t blocks, int without)
{
	size_t first = WEIR_MUTEX_WORDS * sizeof(weir_word);
	uint32_t rounds = harness_contended_rounds(h, blocks, 500000, 20);
	uint32_t slots = 32;
	weir_condition c = {0};

	while (slots < blocks)
		slots *= 2;
	harness_place place =
	    harness_place_of(h, first + WEIR_CONDITION_WORDS(slots) * sizeof(weir_word), 128);
	harness_launch launch = {.kernel = "in_condition",
	                         .words = place.memory.native,
	                         .params = {.without = without, .rounds = rounds, .length = slots},
	                         .grid = {blocks, 1, 1},
	                         .threads = 2,
	                         .together = 1};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			place.options.slots = slots;
			place.options.memory_offset = first;
			place.options.memory_bytes -= first;
			harness_need(weir_condition_create(h->device, &place.options, &c),
			             "weir_condition_create");
			need_words(weir_condition_words(c.config), WEIR_CONDITION_WORDS(slots));
			launch.params.config.condition = c.config;
			/* On OpenCL it is in the offset. */
			launch.params.config.condition.offset = WEIR_MUTEX_WORDS;
		}
		launch.params.value = value;
		harness_run(h, &launch, 0);
		verdict(h, &launch, "condition", harness_words_are(h, 1, blocks * rounds));
	}
	if (c.words)
		harness_need(weir_condition_destroy(h->device, &c), "weir_condition_destroy");
	destroy(h, &place.memory);
}

/* A reader-writer lock, and behind it a once. */
static void rwlock(harness *h, uint32_t blocks, int without)
{
	size_t first = WEIR_RWLOCK_WORDS * sizeof(weir_word);
	uint32_t rounds =
	    without && !h->info.is_gpu ? 10000 : harness_contended_rounds(h, blocks, 5000000, 50);
	harness_place place = harness_place_of(h, first + WEIR_ONCE_WORDS * sizeof(weir_word), 128);
	weir_options behind = place.options;
	weir_rwlock l = {0};
	weir_once o = {0};
	harness_launch launch = {.kernel = "in_rwlock",
	                         .words = place.memory.native,
	                         .params = {.without = without,
	                                    .rounds = rounds,
	                                    .base = without ? 0 : 1000,
	                                    .hold = without ? 20 : 1},
	                         .grid = {blocks, 1, 1},
	                         .threads = 2};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			place.options.memory_bytes = first;
			harness_need(
			    weir_rwlock_create(h->device, WEIR_RWLOCK_FAIR, &place.options, &l),
			    "weir_rwlock_create");
			need_words(weir_rwlock_words(l.config), WEIR_RWLOCK_WORDS);
			behind.memory_offset = first;
			behind.memory_bytes -= first;
			harness_need(weir_once_create(h->device, &behind, &o), "weir_once_create");
			need_words(weir_once_words(o.config), WEIR_ONCE_WORDS);
			launch.params.config.rwlock = l.config;
			launch.params.second.once = o.config;
			/* On OpenCL it is in the offset. */
			launch.params.second.once.offset = WEIR_RWLOCK_WORDS;
		}
		launch.params.value = value;
		/* The once is done after the first launch, and new after its creation. */
		harness_run(h, &launch, value == IN_HANDLES);
		verdict(h, &launch, "reader-writer lock and once",
		        harness_words_are(h, 2,
		                          launch.params.base +
		                              (value == IN_HANDLES ? 2 : 1) * blocks * rounds));
	}
	if (l.words) {
		harness_need(weir_rwlock_destroy(h->device, &l), "weir_rwlock_destroy");
		harness_need(weir_once_destroy(h->device, &o), "weir_once_destroy");
	}
	destroy(h, &place.memory);
}

static void combine(harness *h, uint32_t blocks, int without)
{
	size_t bytes, alignment;
	uint32_t rounds = without && !h->info.is_gpu ? 10000 : harness_item_rounds(h, blocks, 100);
	weir_combine c = {0};

	if (weir_combine_size(h->device, blocks, NULL, &bytes, &alignment) == WEIR_UNSUPPORTED) {
		printf("       combiner: %s, left out\n", weir_error_text());
		return;
	}
	harness_place place =
	    harness_place_of(h, WEIR_COMBINE_WORDS(blocks) * sizeof(weir_word), 128);
	harness_launch launch = {
	    .kernel = "in_combine",
	    .words = place.memory.native,
	    .params = {.without = without, .rounds = rounds, .hold = without ? 20 : 1},
	    .grid = {blocks, 1, 1},
	    .threads = h->info.is_gpu ? 32 : 2};

	for (uint32_t value = 0; value <= (without ? 0 : IN_HANDLES); value++) {
		if (value == IN_MIXED) {
			harness_need(weir_combine_create(h->device, blocks, &place.options, &c),
			             "weir_combine_create");
			need_words(weir_combine_words(c.config), WEIR_COMBINE_WORDS(blocks));
			launch.params.config.combine = c.config;
		}
		launch.params.value = value;
		harness_run(h, &launch, 0);
		verdict(h, &launch, "combiner", harness_words_are(h, 1, blocks * rounds));
	}
	if (c.words)
		harness_need(weir_combine_destroy(h->device, &c), "weir_combine_destroy");
	destroy(h, &place.memory);
}

/* Enough blocks for several counters, where so many run at once. */
static void many_blocks(harness *h)
{
	const uint32_t wanted[] = {360, 800, 1500};
	uint32_t most = harness_resident(h, "in_barrier", 32);

	/* A thread of a processor costs too much for more. */
	if (h->info.machine == WEIR_MACHINE_HOST)
		most = 400;
	for (uint32_t i = 0; i < 3 && wanted[i] <= most; i++) {
		uint32_t threads = h->info.is_gpu ? 32 : 1;

		barrier(h, wanted[i], threads, 1, 0);
		/* Too few threads for the counters on a GPU, where a handle would end the launch. */
		if (h->info.is_gpu)
			barrier(h, wanted[i], 1, 0, 0);
	}
}

int main(int argc, char **argv)
{
	harness h;
	uint32_t counts[5];
	uint32_t count;
	int status;

	if (harness_open(&h, argc, argv, "in", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	count = harness_block_counts(&h, "in_barrier", 3, counts);
	for (uint32_t i = 0; i < count; i++) {
		barrier(&h, counts[i], 3, 1, 0);
		mutex(&h, counts[i], 0);
		semaphore(&h, counts[i], 0);
		event(&h, counts[i], 0);
		queue(&h, counts[i], 0);
		condition(&h, counts[i], 0);
		rwlock(&h, counts[i], 0);
		combine(&h, counts[i], 0);
	}
	many_blocks(&h);
	if (!h.sound_only) {
		HARNESS_MUST_NOTICE(&h, barrier(&h, 7, 3, 0, 1));
		HARNESS_MUST_NOTICE(&h, mutex(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, semaphore(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, event(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, queue(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, condition(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, rwlock(&h, 7, 1));
		HARNESS_MUST_NOTICE(&h, combine(&h, 7, 1));
	}
	return harness_close(&h);
}
