/* Long runs: every kind, with as many operations as --soak asks for; a few without it. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "soak_kernels.h"

static const weir_host_entry entries[] = {
    {"soak_mutex", soak_mutex_entry},         {"soak_barrier", soak_barrier_entry},
    {"soak_semaphore", soak_semaphore_entry}, {"soak_event", soak_event_entry},
    {"soak_event_sum", soak_event_sum_entry}, {"soak_queue", soak_queue_entry},
    {"soak_dispenser", soak_dispenser_entry}, {"soak_tasks", soak_tasks_entry}};

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

/* A sum over all blocks, of two halves each: number `which` of a block's two. */
static uint64_t total(const harness *h, uint32_t blocks, uint32_t which)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < blocks; i++) {
		const uint32_t *halves = h->copy + HARNESS_DATA + SOAK_SUMS * i + 2 * which;

		sum += (uint64_t)halves[1] << 32 | halves[0];
	}
	return sum;
}

/* All blocks push and pop, or where one thread alone may, one block pushes and one pops. */
static void queues_for_long(harness *h, const char *name, weir_queue_kind kind, int items,
                            uint32_t blocks, struct amount amount)
{
	weir_options options = {
	    .single = kind == WEIR_QUEUE_SINGLE ? WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS : 0};
	uint32_t words = items == WEIR_ITEMS_OF_A_WORD ? 1 : SOAK_MOST_WORDS;
	uint32_t pushing = options.single ? 1 : blocks;
	time_t since = time(NULL);
	weir_queue q;
	weir_status status =
	    weir_queue_create(h->device, kind, 2 * blocks, words * sizeof(uint32_t), &options, &q);

	if (status == WEIR_UNSUPPORTED || (options.single && blocks < 2)) {
		printf("       %s: %s, left out\n", name, weir_error_text());
		return;
	}
	harness_need(status, "weir_queue_create");
	/* A queue between two has to wait for each item. */
	if (options.single) {
		blocks = 2;
		amount.all /= 100;
		amount.launch /= 100;
	}
	harness_launch launch = {
	    .kernel = "soak_queue",
	    .words = q.words,
	    .params = {.config.queue = q.config, .value = pushing, .width = options.single ? 1 : 0},
	    .grid = {blocks, 1, 1},
	    .threads = 32,
	    .together = 1};
	double rounds =
	    run_rounds(h, &launch, share(amount.all, 1, pushing), share(amount.launch, 1, pushing));
	said(h, h->copy[HARNESS_ERRORS] == 0 && total(h, blocks, 0) == total(h, blocks, 1), name,
	     rounds * pushing, since);
	harness_need(weir_queue_destroy(h->device, &q), "weir_queue_destroy");
}

/* Launches in a row without a reset. */
static void dispensers_for_long(harness *h, uint32_t blocks, struct amount amount)
{
	time_t since = time(NULL);
	uint64_t right = 0;
	weir_dispenser d;

	if (weir_dispenser_create(h->device, 0, NULL, &d) == WEIR_UNSUPPORTED) {
		printf("       dispenser: %s, left out\n", weir_error_text());
		return;
	}
	harness_launch launch = {.kernel = "soak_dispenser",
	                         .words = d.words,
	                         .params = {.config.dispenser = d.config},
	                         .grid = {blocks, 1, 1},
	                         .threads = 32};
	uint32_t items = share(amount.launch, 1, 1);
	double taken = run_rounds(h, &launch, share(amount.all, 1, 1), items);
	double whole = (double)(uint64_t)(taken / items);

	for (uint32_t i = 0; i < items; i++)
		right += soak_mix(i) * (uint64_t)whole;
	for (uint32_t i = 0; i < (uint32_t)(taken - whole * items); i++)
		right += soak_mix(i);
	said(h, total(h, blocks, 0) == right && (double)total(h, blocks, 1) == taken, "dispenser",
	     taken, since);
	harness_need(weir_dispenser_destroy(h->device, &d), "weir_dispenser_destroy");
}

/* The graph of soak_tasks: successors in CSR. The caller frees them. */
static weir_graph soak_graph(uint32_t width, uint32_t levels)
{
	uint32_t tasks = width * levels;
	uint32_t *first = harness_zeros(tasks + 1, sizeof *first);
	uint32_t *successors = harness_zeros((size_t)3 * tasks, sizeof *successors);
	uint32_t edges = 0;

	for (uint32_t task = 0; task < tasks; task++) {
		uint32_t after = (task / width + 1) * width;
		uint32_t at = task % width;

		first[task] = edges;
		if (after == tasks)
			continue;
		successors[edges++] = after + at;
		successors[edges++] = after + (at + width - 1) % width;
		successors[edges++] = after + (at + width - 7) % width;
	}
	first[tasks] = edges;
	return (weir_graph){.tasks = tasks, .first = first, .successors = successors};
}

/* Runs of a graph in a row without a reset. */
static void tasks_for_long(harness *h, int local, uint32_t blocks, struct amount amount)
{
	uint32_t width = blocks > 8 ? 2 * blocks : 16;
	weir_graph graph = soak_graph(width, h->info.is_gpu ? 1000 : 50);
	weir_options options = {.local = local};
	uint32_t runs = share(amount.all, 2, graph.tasks);
	time_t since = time(NULL);
	weir_tasks t;
	weir_status status = weir_tasks_create(h->device, &graph, &options, &t);

	free((void *)graph.first);
	free((void *)graph.successors);
	if (status == WEIR_UNSUPPORTED) {
		printf("       tasks: %s, left out\n", weir_error_text());
		return;
	}
	harness_need(status, "weir_tasks_create");
	harness_launch launch = {.kernel = "soak_tasks",
	                         .words = t.words,
	                         .params = {.config.tasks = t.config, .length = width},
	                         .grid = {blocks, 1, 1},
	                         .threads = 32};
	for (uint32_t i = 0; i < runs; i++)
		harness_run(h, &launch, i != 0);
	said(h, harness_words_are(h, graph.tasks, runs), local ? "tasks, local" : "tasks",
	     (double)graph.tasks * runs, since);
	harness_need(weir_tasks_destroy(h->device, &t), "weir_tasks_destroy");
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
	/* Of each kind of queue. */
	struct amount passed_on =
	    h.soak ? (struct amount){1.2e9, 1.2e8} : (struct amount){2e4, 5e3};
	struct amount tasks = h.soak ? (struct amount){4e8, 0} : (struct amount){1.6e4, 0};

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
#define ROW(name, NAME, value, items, ...)                                                         \
	queues_for_long(&h, "queue " #name, WEIR_QUEUE_##NAME, items, blocks, passed_on);
	WEIR_QUEUE_KINDS(ROW)
#undef ROW
	dispensers_for_long(&h, blocks, passed_on);
	tasks_for_long(&h, 0, blocks, tasks);
	tasks_for_long(&h, 1, blocks, tasks);
	return harness_close(&h);
}
