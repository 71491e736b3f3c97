/* Every kind, with blocks that try or give up, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "bounded_kernels.h"

static const weir_host_entry entries[] = {{"bounded_mutex", bounded_mutex_entry},
                                          {"bounded_mutex_free", bounded_mutex_free_entry},
                                          {"bounded_order", bounded_order_entry},
                                          {"bounded_semaphore", bounded_semaphore_entry},
                                          {"bounded_semaphore_full", bounded_semaphore_full_entry},
                                          {"bounded_barrier", bounded_barrier_entry}};

/* All launches of a kind together make at least 10^6 waits with a deadline. */
#define SOAK_LAUNCHES 6
#define SOAK_LOCKS 300000u /* of a launch */
#define NOBODY UINT32_MAX

static uint32_t rounds_for(const harness *h, uint32_t blocks)
{
	if (h->soak)
		return SOAK_LOCKS / blocks + 1;
	return h->info.is_gpu ? 2000 : h->small ? 100 : 400;
}

/* Longer than a critical section, shorter than the wait in the queue: some give up and some do
 * not. */
static uint32_t longest_ns(const harness *h)
{
	return h->info.is_gpu ? 100000 : 2000000;
}

static void sum(const harness *h, uint32_t blocks, uint32_t *got, uint32_t *late)
{
	*got = 0;
	*late = 0;
	for (uint32_t i = 0; i < blocks; i++) {
		*got += BOUNDED_OWN(h->copy, i)[BOUNDED_GOT];
		*late += BOUNDED_OWN(h->copy, i)[BOUNDED_LATE];
	}
}

static void mutexes(harness *h, const char *name, weir_mutex_kind kind, uint32_t slots,
                    uint32_t blocks, uint32_t cluster, int without)
{
	weir_options options = {.slots = slots};
	uint32_t rounds = rounds_for(h, blocks);
	uint32_t launches = h->soak ? SOAK_LAUNCHES : 1;
	uint32_t got, late;
	weir_mutex m;

	harness_need(weir_mutex_create_with(h->device, kind, &options, &m),
	             "weir_mutex_create_with");
	harness_launch launch = {.kernel = "bounded_mutex",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .length = longest_ns(h),
	                                    .hold = without ? 200 : 1,
	                                    .seed = slots + blocks + kind},
	                         .grid = {blocks, 1, 1},
	                         .threads = harness_threads(h, 32),
	                         .together = 1,
	                         .cluster = cluster};
	for (uint32_t i = 0; i < launches; i++, launch.params.seed++)
		harness_run(h, &launch, i > 0);
	sum(h, blocks, &got, &late);
	int right = harness_words_are(h, BOUNDED_WIDTH, got) &&
	            got + late == launches * blocks * rounds && got >= blocks;
	launch.params.rounds = 8;
	right = right && harness_runs_alone(h, &launch, "bounded_mutex_free");
	harness_verdict(h, right, without, "%s, %u slots: %u blocks%s, got %u, gave up %u", name,
	                slots, blocks, cluster ? " in clusters" : "", got, late);
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

static int every_second_in_order(const harness *h, uint32_t blocks)
{
	if (h->copy[HARNESS_DATA] != (blocks + 1) / 2 || h->copy[HARNESS_ERRORS])
		return 0;
	for (uint32_t i = 0; i < (blocks + 1) / 2; i++)
		if (h->copy[HARNESS_DATA + 1 + i] != 2 * i)
			return 0;
	return 1;
}

static void order(harness *h, const char *name, weir_mutex_kind kind, uint32_t blocks)
{
	weir_options options = {.slots = blocks};
	size_t bytes, alignment;
	weir_mutex m;

	harness_need(weir_mutex_size(h->device, kind, &options, &bytes, &alignment),
	             "weir_mutex_size");
	harness_place place = harness_place_of(h, bytes, alignment);
	place.options.slots = blocks;
	harness_need(weir_mutex_create_with(h->device, kind, &place.options, &m),
	             "weir_mutex_create_with");
	harness_launch launch = {.kernel = "bounded_order",
	                         .words = m.words,
	                         .params = {.config.mutex = m.config,
	                                    .second.object.offset = place.behind - HARNESS_LEAD,
	                                    .length = longest_ns(h)},
	                         .grid = {blocks, 1, 1},
	                         .threads = 1,
	                         .together = 1};
	harness_run(h, &launch, 0);
	int right = every_second_in_order(h, blocks);
	launch.params.rounds = 8;
	right = right && harness_runs_alone(h, &launch, "bounded_mutex_free");
	harness_verdict(h, right, 0, "%s: of %u blocks those who stay enter in their order", name,
	                blocks);
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

static void semaphores(harness *h, const char *name, weir_semaphore_kind kind, uint32_t blocks,
                       uint32_t value, int without)
{
	uint32_t rounds = rounds_for(h, blocks);
	size_t bytes, alignment;
	uint32_t got, late;
	weir_semaphore s;
	weir_status status = weir_semaphore_size(h->device, kind, value, NULL, &bytes, &alignment);

	if (status == WEIR_UNSUPPORTED) {
		printf("       %s: %s, left out\n", name, weir_error_text());
		return;
	}
	harness_need(status, "weir_semaphore_size");
	harness_place place = harness_place_of(h, bytes, alignment);
	harness_need(weir_semaphore_create_with(h->device, kind, value, value, &place.options, &s),
	             "weir_semaphore_create_with");
	harness_launch launch = {.kernel = "bounded_semaphore",
	                         .words = s.words,
	                         .params = {.config.semaphore = s.config,
	                                    .second.object.offset = place.behind - HARNESS_LEAD,
	                                    .without = without,
	                                    .rounds = rounds,
	                                    .value = value,
	                                    .length = longest_ns(h),
	                                    .hold = without ? 200 : 1,
	                                    .seed = blocks + value},
	                         .grid = {blocks, 1, 1},
	                         .threads = harness_threads(h, 32),
	                         .together = 1};
	harness_run(h, &launch, 0);
	sum(h, blocks, &got, &late);
	int right = h->copy[HARNESS_ERRORS] == 0 && got + late == blocks * rounds && got >= blocks;
	right = right && harness_runs_alone(h, &launch, "bounded_semaphore_full");
	harness_verdict(h, right, without, "%s of %u: %u blocks, got %u, gave up %u", name, value,
	                blocks, got, late);
	harness_need(weir_semaphore_destroy(h->device, &s), "weir_semaphore_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

/* What the blocks were told: the phase that they were late for, plus 1; 0: all passed. NOBODY when
 * they do not agree, or when a wait was longer than `most_ms`. `missing` was told nothing. */
static uint32_t told(const harness *h, uint32_t blocks, uint32_t missing, uint32_t most_ms)
{
	const uint32_t *of = h->copy + HARNESS_DATA + 2 * blocks;
	uint32_t first = missing == 0 ? 1 : 0;

	if (h->copy[HARNESS_ERRORS])
		return NOBODY;
	for (uint32_t i = 0; i < blocks; i++)
		if (i != missing &&
		    (of[2 * i] != of[2 * (size_t)first] || of[2 * (size_t)i + 1] > most_ms))
			return NOBODY;
	return of[2 * (size_t)first];
}

/* A block does not come to phase `missed`, in which the others are told so. Not all threads of all
 * blocks may start before a short deadline: then all are told of an earlier phase, and the deadline
 * gets longer. */
static int all_are_told(harness *h, weir_barrier b, harness_launch *launch, uint32_t missed)
{
	const uint32_t longest_ms = 4000;
	uint32_t blocks = launch->grid[0];

	for (uint32_t ms = 50; ms < longest_ms; ms *= 2) {
		launch->params.length = ms * 1000000;
		harness_run(h, launch, 0);
		uint32_t phase = told(h, blocks, launch->params.value, ms + 1000);
		if (phase == 0 || phase > missed) /* or NOBODY, which is large */
			return phase == missed + 1;
		harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
	}
	return 0;
}

/* A block that does not come; then, after a reset, all of them; then deadlines that may be too
 * short. */
static void barriers(harness *h, const char *name, weir_barrier_kind kind, uint32_t blocks,
                     uint32_t threads)
{
	const uint32_t missed = 6;
	uint32_t missing = blocks / 2;
	weir_barrier b;

	harness_need(weir_barrier_create(h->device, kind, blocks, &b), "weir_barrier_create");
	harness_launch launch = {.kernel = "bounded_barrier",
	                         .words = b.words,
	                         .params = {.config.barrier = b.config,
	                                    .rounds = 20,
	                                    .base = missed,
	                                    .value = missing,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads,
	                         .together = 1};
	harness_verdict(h, all_are_told(h, b, &launch, missed), 0,
	                "%s: %u blocks of %u, one does not come: all others are told", name, blocks,
	                threads);
	harness_run(h, &launch, 0);
	harness_verdict(h, told(h, blocks, missing, 1000) == 1, 0, "%s: stays broken", name);
	harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
	launch.params.value = NOBODY;
	launch.params.length = 4000000000u;
	harness_run(h, &launch, 0);
	harness_verdict(h, told(h, blocks, NOBODY, 4000) == 0, 0, "%s: works after a reset", name);
	launch.params.length = h->info.is_gpu ? 200000 : 20000000;
	launch.params.hold = 1;
	uint32_t late = 0;
	int agree = 1;
	for (uint32_t i = 0; i < 10; i++) {
		launch.params.seed++;
		harness_run(h, &launch, 0);
		uint32_t phase = told(h, blocks, NOBODY, 10000);
		agree = agree && phase != NOBODY;
		late += phase != 0;
		harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
	}
	harness_verdict(h, agree, 0, "%s: random deadlines, too late in %u of 10 runs", name, late);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

static void test_mutex(harness *h, const char *name, weir_mutex_kind kind, int queue,
                       uint32_t blocks)
{
	mutexes(h, name, kind, 0, blocks, 0, 0);
	if (queue == WEIR_QUEUE_CLUSTER && h->info.cluster_blocks)
		mutexes(h, name, kind, 0, blocks / 2 * 2, 2, 0);
	if (queue == WEIR_QUEUE_TIMED) {
		mutexes(h, name, kind, 2, blocks, 0, 0);
		mutexes(h, name, kind, blocks, blocks, 0, 0);
		order(h, name, kind, blocks);
	}
}

static void test_barrier(harness *h, const char *name, weir_barrier_kind kind, uint32_t blocks)
{
	if (!h->few_threads)
		barriers(h, name, kind, blocks, 1);
	barriers(h, name, kind, blocks, harness_threads(h, 33));
}

static int has_deadlines(harness *h)
{
	weir_kernel kernel;

	return weir_program_kernel(h->program, "bounded_mutex", &kernel) == WEIR_OK;
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "bounded", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	if (!has_deadlines(&h)) {
		printf("skipped: kernels have no clock on %s\n", h.info.name);
		return HARNESS_SKIPPED;
	}
	uint32_t most = harness_resident(&h, "bounded_mutex", 32);
	uint32_t blocks = h.info.is_gpu ? h.info.units : h.small ? 4 : 7;
	if (blocks > most)
		blocks = most;
#define ROW(name, NAME, value, fair, queue, pause, ...)                                            \
	test_mutex(&h, "mutex " #name, WEIR_MUTEX_##NAME, queue, blocks);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...)                                                                       \
	semaphores(&h, "semaphore " #name, WEIR_SEMAPHORE_##NAME, blocks, 1, 0);                   \
	semaphores(&h, "semaphore " #name, WEIR_SEMAPHORE_##NAME, blocks, 3, 0);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) test_barrier(&h, "barrier " #name, WEIR_BARRIER_##NAME, blocks);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
	if (!h.sound_only) {
		HARNESS_MUST_NOTICE(&h, mutexes(&h, "mutex", WEIR_MUTEX_SPIN, 0, blocks, 0, 1));
		HARNESS_MUST_NOTICE(&h,
		                    semaphores(&h, "semaphore", WEIR_SEMAPHORE_SPIN, blocks, 1, 1));
	}
	return harness_close(&h);
}
