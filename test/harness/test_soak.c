/* Long runs: every kind, with as many operations as --soak asks for; a few without it. */
#include "harness.h"

#include <stdio.h>
#include <time.h>

#include "soak_kernels.h"

static const weir_host_entry entries[] = {{"soak_mutex", soak_mutex_entry},
                                          {"soak_barrier", soak_barrier_entry},
                                          {"soak_semaphore", soak_semaphore_entry},
                                          {"soak_event", soak_event_entry},
                                          {"soak_event_sum", soak_event_sum_entry}};

/* Operations of all kinds of a primitive together, and of one launch, which must end in time. */
struct amount {
	double all;
	double launch;
};

static uint32_t share(double operations, uint32_t kinds, uint32_t blocks)
{
	double rounds = operations / kinds / blocks;
	return rounds < 1 ? 1 : rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds;
}

static void said(harness *h, int right, const char *name, double operations, time_t since)
{
	harness_verdict(h, right, 0, "%s: %.0f operations in %.0f s", name, operations,
	                difftime(time(NULL), since));
}

static int pairs_add_up(const harness *h, uint32_t length, double expected)
{
	double sum = 0;
	for (uint32_t i = 0; i < length; i++) {
		const uint32_t *under = h->copy + HARNESS_DATA + 2 * i;
		if (under[0] != under[1])
			return 0;
		sum += under[0];
	}
	return sum == expected && h->copy[HARNESS_ERRORS] == 0;
}

/* Runs a launch again and again until the rounds are done; `base` goes on. */
static double run_rounds(harness *h, harness_launch *launch, uint32_t rounds, uint32_t at_once)
{
	double done = 0;
	for (uint32_t left = rounds; left; left -= launch->params.rounds) {
		launch->params.rounds = left < at_once ? left : at_once;
		harness_run(h, launch, done > 0);
		launch->params.base += launch->params.rounds;
		launch->params.seed++;
		done += launch->params.rounds;
	}
	return done;
}

static void mutexes_for_long(harness *h, const char *name, weir_mutex_kind kind, uint32_t blocks,
                             struct amount amount, uint32_t kinds)
{
	weir_options options = {.compact = 0};
	weir_mutex_array a;
	uint32_t length = blocks > 2 ? blocks / 2 : 1;
	time_t since = time(NULL);

	if (weir_mutex_array_create(h->device, kind, length, &options, &a) == WEIR_UNSUPPORTED) {
		printf("       %s: no arrays of it, left out\n", name);
		return;
	}
	harness_launch launch = {
	    .kernel = "soak_mutex",
	    .words = a.words,
	    .params = {.config.mutex_array = a.config, .length = length, .seed = kind},
	    .grid = {blocks, 1, 1},
	    .threads = 32};
	double rounds = run_rounds(h, &launch, share(amount.all, kinds, blocks),
	                           share(amount.launch, 1, blocks));
	said(h, pairs_add_up(h, length, rounds * blocks), name, rounds * blocks, since);
	harness_need(weir_mutex_array_destroy(h->device, &a), "weir_mutex_array_destroy");
}

/* A thread of a CPU costs far more than one of a GPU. */
static uint32_t barrier_threads(const harness *h)
{
	return h->info.is_gpu ? 64 : 16;
}

static void barriers_for_long(harness *h, const char *name, weir_barrier_kind kind, uint32_t blocks,
                              struct amount amount, uint32_t kinds)
{
	weir_barrier b;
	time_t since = time(NULL);

	harness_need(weir_barrier_create(h->device, kind, blocks, &b), "weir_barrier_create");
	harness_launch launch = {.kernel = "soak_barrier",
	                         .words = b.words,
	                         .params = {.config.barrier = b.config},
	                         .grid = {blocks, 1, 1},
	                         .threads = barrier_threads(h),
	                         .together = 1};
	double rounds =
	    run_rounds(h, &launch, share(amount.all, kinds, 1), share(amount.launch, 1, 1));
	said(h, h->copy[HARNESS_ERRORS] == 0, name, rounds, since);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

/* The word that counts the blocks inside lies behind the semaphore, in memory of the test's own. */
static void semaphores_for_long(harness *h, const char *name, weir_semaphore_kind kind,
                                uint32_t blocks, struct amount amount, uint32_t kinds)
{
	uint32_t value = blocks > 4 ? blocks / 4 : 1;
	weir_semaphore s;
	size_t bytes, alignment;
	time_t since = time(NULL);
	weir_status status = weir_semaphore_size(h->device, kind, value, NULL, &bytes, &alignment);

	if (status == WEIR_UNSUPPORTED) {
		printf("       %s: %s, left out\n", name, weir_error_text());
		return;
	}
	harness_need(status, "weir_semaphore_size");
	harness_place place = harness_place_of(h, bytes, alignment);
	harness_need(weir_semaphore_create_with(h->device, kind, value, value, &place.options, &s),
	             "weir_semaphore_create_with");
	harness_launch launch = {.kernel = "soak_semaphore",
	                         .words = place.memory.native,
	                         .params = {.config.semaphore = s.config,
	                                    .second.object.offset = place.behind,
	                                    .value = value},
	                         .grid = {blocks, 1, 1},
	                         .threads = 32};
	double rounds = run_rounds(h, &launch, share(amount.all, kinds, blocks),
	                           share(amount.launch, 1, blocks));
	said(h, h->copy[HARNESS_ERRORS] == 0, name, rounds * blocks, since);
	harness_need(weir_semaphore_destroy(h->device, &s), "weir_semaphore_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

#define POSTS 100 /* for each wait */

/* A wait, and POSTS + 1 signals, for each block and round. The counts do not wrap. */
static void events_for_long(harness *h, const char *name, weir_event_kind kind, uint32_t blocks,
                            struct amount amount, uint32_t kinds)
{
	uint32_t length = 3 * blocks;
	time_t since = time(NULL);
	weir_event_array a;

	harness_need(weir_event_array_create(h->device, kind, length, NULL, &a),
	             "weir_event_array_create");
	harness_launch launch = {.kernel = "soak_event",
	                         .words = a.words,
	                         .params = {.config.event_array = a.config,
	                                    .length = length - blocks,
	                                    .value = POSTS,
	                                    .seed = kind},
	                         .grid = {blocks, 1, 1},
	                         .threads = 32,
	                         .together = 1};
	double rounds = run_rounds(h, &launch, share(amount.all, kinds, blocks * POSTS),
	                           share(amount.launch, 1, blocks * POSTS));
	int right = h->copy[HARNESS_ERRORS] == 0;
	double signals = rounds * blocks * (POSTS + 1);

	launch.kernel = "soak_event_sum";
	launch.grid[0] = 1;
	harness_run(h, &launch, 0);
	right &= h->copy[HARNESS_DATA] + 0x1p32 * h->copy[HARNESS_DATA + 1] == signals;
	said(h, right, name, signals, since);
	harness_need(weir_event_array_destroy(h->device, &a), "weir_event_array_destroy");
}

/* The kinds of a primitive; mutexes without arrays are left out. */
enum {
#define COUNT_WITHOUT_QUEUE(name, NAME, value, fair, queue, pause, ...)                            \
	+((queue) == WEIR_QUEUE_NONE)
#define COUNT(...) +1
	MUTEXES = 0 WEIR_MUTEX_KINDS(COUNT_WITHOUT_QUEUE),
	BARRIERS = 0 WEIR_BARRIER_KINDS(COUNT),
	SEMAPHORES = 0 WEIR_SEMAPHORE_KINDS(COUNT),
	EVENTS = 0 WEIR_EVENT_KINDS(COUNT)
#undef COUNT
#undef COUNT_WITHOUT_QUEUE
};

int main(int argc, char **argv)
{
	harness h;
	int status;
	if (harness_open(&h, argc, argv, "soak", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	uint32_t most = harness_resident(&h, "soak_barrier", barrier_threads(&h));
	uint32_t blocks = h.info.is_gpu ? h.info.units : 4;
	if (blocks > most)
		blocks = most;
	struct amount locks = h.soak ? (struct amount){1.2e8, 1e7} : (struct amount){4e4, 1e4};
	struct amount passes = h.soak ? (struct amount){1.2e7, 1e6} : (struct amount){3e3, 1e3};
	/* A spinning semaphore does a hundredth of what the others do. */
	struct amount takes = h.soak ? (struct amount){4e6, 2.5e5} : (struct amount){4e3, 1e3};

	struct amount signals = h.soak ? (struct amount){3.2e9, 4e7} : (struct amount){6e4, 1e4};

#define ROW(name, NAME, ...)                                                                       \
	mutexes_for_long(&h, "mutex " #name, WEIR_MUTEX_##NAME, blocks, locks, MUTEXES);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...)                                                                       \
	barriers_for_long(&h, "barrier " #name, WEIR_BARRIER_##NAME, blocks, passes, BARRIERS);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...)                                                                       \
	semaphores_for_long(&h, "semaphore " #name, WEIR_SEMAPHORE_##NAME, blocks, takes,          \
	                    SEMAPHORES);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...)                                                                       \
	events_for_long(&h, "event " #name, WEIR_EVENT_##NAME, blocks, signals, EVENTS);
	WEIR_EVENT_KINDS(ROW)
#undef ROW
	return harness_close(&h);
}
