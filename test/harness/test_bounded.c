/* Every kind, with blocks that try or give up, on the device named on the command line. */
#include "harness.h"

#include "bounded_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(bounded_mutex),          HARNESS_ENTRY(bounded_mutex_free),
    HARNESS_ENTRY(bounded_order),          HARNESS_ENTRY(bounded_semaphore),
    HARNESS_ENTRY(bounded_semaphore_full), HARNESS_ENTRY(bounded_barrier)};

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

static void mutexes(harness *h, const weir_kind *kind, uint32_t slots, uint32_t blocks,
                    uint32_t cluster, int without)
{
	harness_object m =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX,
	                                    .kind = kind->value,
	                                    .options.mutex.queue_slots = harness_slots(kind, slots),
	                                    .without = without});
	uint32_t rounds = rounds_for(h, blocks);
	uint32_t launches = h->soak ? SOAK_LAUNCHES : 1;
	uint32_t got, late;

	m.launch.kernel = "bounded_mutex";
	m.launch.params.rounds = rounds;
	m.launch.params.length = longest_ns(h);
	m.launch.params.hold = without ? 200 : 1;
	m.launch.params.seed = slots + blocks + kind->value;
	m.launch.grid[0] = blocks;
	m.launch.threads = harness_threads(h, 32);
	m.launch.together = 1;
	m.launch.cluster = cluster;
	for (uint32_t i = 0; i < launches; i++, m.launch.params.seed++)
		harness_run(h, &m.launch, i > 0);
	sum(h, blocks, &got, &late);
	int right = harness_words_are(h, BOUNDED_WIDTH, got) &&
	            got + late == launches * blocks * rounds && got >= blocks;
	m.launch.params.rounds = 8;
	right = right && harness_runs_alone(h, &m.launch, "bounded_mutex_free");
	harness_verdict(h, right, without, "mutex %s, %u slots: %u blocks%s, got %u, gave up %u",
	                kind->name, slots, blocks, cluster ? " in clusters" : "", got, late);
	harness_unmake(h, &m);
}

static void order(harness *h, const weir_kind *kind, uint32_t blocks)
{
	harness_object m = harness_make(
	    h, (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX,
	                       .kind = kind->value,
	                       .options.mutex.queue_slots = harness_slots(kind, blocks),
	                       .behind = 32});

	m.launch.params.length = longest_ns(h);
	harness_run_grid(h, &m, "bounded_order", blocks, 1, 1);
	int right = harness_in_order(h, (blocks + 1) / 2, 2);
	m.launch.params.rounds = 8;
	right = right && harness_runs_alone(h, &m.launch, "bounded_mutex_free");
	harness_verdict(h, right, 0, "mutex %s: of %u blocks, those that stay enter in their order",
	                kind->name, blocks);
	harness_unmake(h, &m);
}

static void semaphores(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t value,
                       int without)
{
	harness_object s = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_SEMAPHORE,
	                                                   .kind = kind->value,
	                                                   .initial = value,
	                                                   .count = value,
	                                                   .behind = 32,
	                                                   .without = without});
	uint32_t rounds = rounds_for(h, blocks);
	uint32_t got, late;

	s.launch.params.rounds = rounds;
	s.launch.params.value = value;
	s.launch.params.length = longest_ns(h);
	s.launch.params.hold = without ? 200 : 1;
	s.launch.params.seed = blocks + value;
	harness_run_grid(h, &s, "bounded_semaphore", blocks, harness_threads(h, 32), 1);
	sum(h, blocks, &got, &late);
	int right = h->copy[HARNESS_ERRORS] == 0 && got + late == blocks * rounds && got >= blocks;
	right = right && harness_runs_alone(h, &s.launch, "bounded_semaphore_full");
	harness_verdict(h, right, without, "semaphore %s of %u: %u blocks, got %u, gave up %u",
	                kind->name, value, blocks, got, late);
	harness_unmake(h, &s);
}

/* The result that the blocks got: the phase that timed out, plus 1; 0: all passed. NOBODY if they
 * do not agree, or if a wait was longer than `most_ms`. `missing` got no result. */
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

/* A block does not arrive in phase `missed`, which times out for the others. If not all threads of
 * all blocks start before a short deadline, an earlier phase times out for all, and the deadline
 * gets longer. */
static int all_are_told(harness *h, harness_object *b, uint32_t missed)
{
	const uint32_t longest_ms = 4000;
	uint32_t blocks = b->launch.grid[0];

	for (uint32_t ms = 50; ms < longest_ms; ms *= 2) {
		b->launch.params.length = ms * 1000000;
		harness_run(h, &b->launch, 0);
		uint32_t phase = told(h, blocks, b->launch.params.value, ms + 1000);
		if (phase == 0 || phase > missed) /* or NOBODY, which is large */
			return phase == missed + 1;
		harness_need(weir_barrier_reset(h->device, b->is.barrier), "weir_barrier_reset");
	}
	return 0;
}

/* A block that does not arrive; then, after a reset, all blocks; then deadlines that may be too
 * short. */
static void barriers(harness *h, const weir_kind *kind, uint32_t blocks, uint32_t threads)
{
	const uint32_t missed = 6;
	const char *name = kind->name;
	uint32_t missing = blocks / 2;
	harness_object b = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_BARRIER,
	                                                   .kind = kind->value,
	                                                   .count = blocks});
	harness_params *params = &b.launch.params;

	b.launch.kernel = "bounded_barrier";
	params->rounds = 20;
	params->base = missed;
	params->value = missing;
	params->seed = blocks;
	params->hold = 0;
	b.launch.grid[0] = blocks;
	b.launch.threads = threads;
	b.launch.together = 1;
	harness_verdict(h, all_are_told(h, &b, missed), 0,
	                "barrier %s: %u blocks of %u, one does not arrive: all others time out",
	                name, blocks, threads);
	harness_run(h, &b.launch, 0);
	harness_verdict(h, told(h, blocks, missing, 1000) == 1, 0, "barrier %s: stays broken",
	                name);
	harness_need(weir_barrier_reset(h->device, b.is.barrier), "weir_barrier_reset");
	params->value = NOBODY;
	params->length = 4000000000u;
	harness_run(h, &b.launch, 0);
	harness_verdict(h, told(h, blocks, NOBODY, 4000) == 0, 0, "barrier %s: works after a reset",
	                name);
	params->length = h->info.is_gpu ? 200000 : 20000000;
	params->hold = 1;
	uint32_t late = 0;
	int agree = 1;
	for (uint32_t i = 0; i < 10; i++) {
		params->seed++;
		harness_run(h, &b.launch, 0);
		uint32_t phase = told(h, blocks, NOBODY, 10000);
		agree = agree && phase != NOBODY;
		late += phase != 0;
		harness_need(weir_barrier_reset(h->device, b.is.barrier), "weir_barrier_reset");
	}
	harness_verdict(h, agree, 0, "barrier %s: random deadlines, too late in %u of 10 runs",
	                name, late);
	harness_unmake(h, &b);
}

static void test_mutex(harness *h, const weir_kind *kind, uint32_t blocks)
{
	mutexes(h, kind, 0, blocks, 0, 0);
	if (kind->queue == WEIR_QUEUE_CLUSTER && h->info.cluster_blocks)
		mutexes(h, kind, 0, blocks / 2 * 2, 2, 0);
	if (kind->queue == WEIR_QUEUE_TIMED) {
		mutexes(h, kind, 2, blocks, 0, 0);
		mutexes(h, kind, blocks, blocks, 0, 0);
		order(h, kind, blocks);
	}
}

static void test_all(harness *h)
{
	uint32_t most = harness_resident(h, "bounded_mutex", 32);
	uint32_t blocks = h->info.is_gpu ? h->info.units : h->small ? 4 : 7;

	if (blocks > most)
		blocks = most;
	HARNESS_KINDS (h, WEIR_PRIMITIVE_MUTEX, kind)
		test_mutex(h, kind, blocks);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_SEMAPHORE, kind) {
		semaphores(h, kind, blocks, 1, 0);
		semaphores(h, kind, blocks, 3, 0);
	}
	HARNESS_KINDS (h, WEIR_PRIMITIVE_BARRIER, kind) {
		if (kind->role == WEIR_BY_VENDOR)
			continue;
		if (!h->few_threads)
			barriers(h, kind, blocks, 1);
		barriers(h, kind, blocks, harness_threads(h, 33));
	}
	if (!h->sound_only) {
		const weir_kind *spin = weir_kind_find(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN);
		const weir_kind *slots =
		    weir_kind_find(WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN);

		HARNESS_MUST_NOTICE(h, mutexes(h, spin, 0, blocks, 0, 1));
		HARNESS_MUST_NOTICE(h, semaphores(h, slots, blocks, 1, 1));
	}
}

static const harness_family family = {.name = "bounded", .clock = "bounded_mutex", .all = test_all};

HARNESS_MAIN(&family, entries)
