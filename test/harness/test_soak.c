/* Long runs: every kind, with the number of operations that --soak asks for; a few without it. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "soak_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(soak_mutex),     HARNESS_ENTRY(soak_barrier),   HARNESS_ENTRY(soak_semaphore),
    HARNESS_ENTRY(soak_event),     HARNESS_ENTRY(soak_event_sum), HARNESS_ENTRY(soak_queue),
    HARNESS_ENTRY(soak_dispenser), HARNESS_ENTRY(soak_tasks)};

/* Operations of all kinds of a primitive together, and of one launch, which must end in time. */
struct amount {
	double all;
	double launch;
};

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

static uint32_t share(double operations, uint32_t kinds, uint32_t blocks)
{
	double rounds = operations / kinds / blocks;
	return rounds < 1 ? 1 : rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds;
}

static void said(harness *h, int right, const char *name, const weir_kind *kind, double operations,
                 time_t since)
{
	harness_verdict(h, right, 0, "%s%s%s: %.0f operations in %.0f s", name, kind ? " " : "",
	                kind ? kind->name : "", operations, difftime(time(NULL), since));
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

/* Repeats a launch until the rounds are done; `base` continues. */
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

/* The rounds of each of `users` blocks, launch after launch. */
static double run_blocks(harness *h, harness_object *o, const char *kernel, uint32_t blocks,
                         int together, uint32_t users, struct amount amount, uint32_t kinds)
{
	o->launch.kernel = kernel;
	o->launch.grid[0] = blocks;
	o->launch.threads = 32;
	o->launch.together = together;
	return run_rounds(h, &o->launch, share(amount.all, kinds, users),
	                  share(amount.launch, 1, users));
}

static void mutexes_for_long(harness *h, const weir_kind *kind, uint32_t blocks,
                             struct amount amount)
{
	uint32_t length = blocks > 2 ? blocks / 2 : 1;
	time_t since = time(NULL);

	if (kind->queue != WEIR_QUEUE_NONE) {
		printf("       mutex %s: no arrays of it, left out\n", kind->name);
		return;
	}
	harness_object a = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX_ARRAY,
	                                                   .kind = kind->value,
	                                                   .count = length});
	a.launch.params.length = length;
	a.launch.params.seed = kind->value;
	double rounds = run_blocks(h, &a, "soak_mutex", blocks, 0, blocks, amount, MUTEXES);
	said(h, pairs_add_up(h, length, rounds * blocks), "mutex", kind, rounds * blocks, since);
	harness_unmake(h, &a);
}

/* A CPU thread costs far more than a GPU thread. */
static uint32_t barrier_threads(const harness *h)
{
	return h->info.is_gpu ? 64 : 16;
}

static void barriers_for_long(harness *h, const weir_kind *kind, uint32_t blocks,
                              struct amount amount)
{
	harness_object b = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_BARRIER,
	                                                   .kind = kind->value,
	                                                   .count = blocks});
	time_t since = time(NULL);

	b.launch.kernel = "soak_barrier";
	b.launch.grid[0] = blocks;
	b.launch.threads = barrier_threads(h);
	b.launch.together = 1;
	double rounds =
	    run_rounds(h, &b.launch, share(amount.all, BARRIERS, 1), share(amount.launch, 1, 1));
	said(h, h->copy[HARNESS_ERRORS] == 0, "barrier", kind, rounds, since);
	harness_unmake(h, &b);
}

/* The word that counts the blocks inside follows the semaphore. */
static void semaphores_for_long(harness *h, const weir_kind *kind, uint32_t blocks,
                                struct amount amount)
{
	uint32_t value = blocks > 4 ? blocks / 4 : 1;
	harness_object s = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_SEMAPHORE,
	                                                   .kind = kind->value,
	                                                   .initial = value,
	                                                   .count = value,
	                                                   .behind = 32});
	time_t since = time(NULL);

	s.launch.params.value = value;
	double rounds = run_blocks(h, &s, "soak_semaphore", blocks, 0, blocks, amount, SEMAPHORES);
	said(h, h->copy[HARNESS_ERRORS] == 0, "semaphore", kind, rounds * blocks, since);
	harness_unmake(h, &s);
}

#define POSTS 100 /* for each wait */

/* A wait, and POSTS + 1 signals, for each block and round. The counts do not wrap. */
static void events_for_long(harness *h, const weir_kind *kind, uint32_t blocks,
                            struct amount amount)
{
	harness_object a = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_EVENT_ARRAY,
	                                                   .kind = kind->value,
	                                                   .count = 3 * blocks});
	time_t since = time(NULL);

	a.launch.params.length = 2 * blocks;
	a.launch.params.value = POSTS;
	a.launch.params.seed = kind->value;
	double rounds = run_blocks(h, &a, "soak_event", blocks, 1, blocks * POSTS, amount, EVENTS);
	int right = h->copy[HARNESS_ERRORS] == 0;
	double signals = rounds * blocks * (POSTS + 1);

	harness_run_grid(h, &a, "soak_event_sum", 1, 32, 1);
	right &= h->copy[HARNESS_DATA] + 0x1p32 * h->copy[HARNESS_DATA + 1] == signals;
	said(h, right, "event", kind, signals, since);
	harness_unmake(h, &a);
}

/* One of a block's two sums, `which`, over all blocks; each has two halves. */
static uint64_t total(const harness *h, uint32_t blocks, uint32_t which)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < blocks; i++) {
		const uint32_t *halves = h->copy + HARNESS_DATA + SOAK_SUMS * i + 2 * which;

		sum += (uint64_t)halves[1] << 32 | halves[0];
	}
	return sum;
}

/* All blocks push and pop; on single sides, one block pushes and one pops. */
static void queues_for_long(harness *h, const weir_kind *kind, uint32_t blocks,
                            struct amount amount)
{
	int is_single = kind->value == WEIR_QUEUE_SINGLE;
	uint32_t pushing = is_single ? 1 : blocks;
	time_t since = time(NULL);
	harness_order order = {.primitive = WEIR_PRIMITIVE_QUEUE,
	                       .kind = kind->value,
	                       .count = 2 * blocks,
	                       .words = kind->items == WEIR_ITEMS_OF_A_WORD ? 1 : SOAK_MOST_WORDS,
	                       .options.queue.single =
	                           is_single ? WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS : 0};

	if (harness_lacks(h, kind->name, &order) || (is_single && blocks < 2))
		return;
	/* A queue between two has to wait for each item. */
	if (is_single) {
		blocks = 2;
		amount.all /= 100;
		amount.launch /= 100;
	}
	harness_object q = harness_make(h, order);
	q.launch.params.value = pushing;
	q.launch.params.width = is_single ? 1 : 0;
	double rounds = run_blocks(h, &q, "soak_queue", blocks, 1, pushing, amount, 1);
	said(h, h->copy[HARNESS_ERRORS] == 0 && total(h, blocks, 0) == total(h, blocks, 1), "queue",
	     kind, rounds * pushing, since);
	harness_unmake(h, &q);
}

/* Launches in a row without a reset. */
static void dispensers_for_long(harness *h, uint32_t blocks, struct amount amount)
{
	harness_order order = {.primitive = WEIR_PRIMITIVE_DISPENSER};
	time_t since = time(NULL);
	uint32_t items = share(amount.launch, 1, 1);
	uint64_t right = 0;

	if (harness_lacks(h, "dispenser", &order))
		return;
	harness_object d = harness_make(h, order);
	double taken = run_blocks(h, &d, "soak_dispenser", blocks, 0, 1, amount, 1);
	double whole = (double)(uint64_t)(taken / items);

	for (uint32_t i = 0; i < items; i++)
		right += soak_mix(i) * (uint64_t)whole;
	for (uint32_t i = 0; i < (uint32_t)(taken - whole * items); i++)
		right += soak_mix(i);
	said(h, total(h, blocks, 0) == right && (double)total(h, blocks, 1) == taken, "dispenser",
	     NULL, taken, since);
	harness_unmake(h, &d);
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
	harness_order order = {
	    .primitive = WEIR_PRIMITIVE_TASKS, .graph = &graph, .options.tasks.local = local};
	uint32_t runs = share(amount.all, 2, graph.tasks);
	time_t since = time(NULL);

	if (!harness_lacks(h, "tasks", &order)) {
		harness_object t = harness_make(h, order);

		t.launch.kernel = "soak_tasks";
		t.launch.params.length = width;
		t.launch.grid[0] = blocks;
		t.launch.threads = 32;
		for (uint32_t i = 0; i < runs; i++)
			harness_run(h, &t.launch, i != 0);
		said(h, harness_words_are(h, graph.tasks, runs), local ? "tasks, local" : "tasks",
		     NULL, (double)graph.tasks * runs, since);
		harness_unmake(h, &t);
	}
	free((void *)graph.first);
	free((void *)graph.successors);
}

static void test_all(harness *h)
{
	uint32_t most = harness_resident(h, "soak_barrier", barrier_threads(h));
	uint32_t blocks = h->info.is_gpu ? h->info.units : 4;
	if (blocks > most)
		blocks = most;
	struct amount locks = h->soak ? (struct amount){1.2e8, 1e7} : (struct amount){4e4, 1e4};
	struct amount passes = h->soak ? (struct amount){1.2e7, 1e6} : (struct amount){3e3, 1e3};
	/* A spin semaphore is a hundred times slower than the others. */
	struct amount takes = h->soak ? (struct amount){4e6, 2.5e5} : (struct amount){4e3, 1e3};
	struct amount signals = h->soak ? (struct amount){3.2e9, 4e7} : (struct amount){6e4, 1e4};
	/* Of each kind of queue. */
	struct amount passed_on =
	    h->soak ? (struct amount){1.2e9, 1.2e8} : (struct amount){2e4, 5e3};
	struct amount tasks = h->soak ? (struct amount){4e8, 0} : (struct amount){1.6e4, 0};

	HARNESS_KINDS (h, WEIR_PRIMITIVE_MUTEX, kind)
		mutexes_for_long(h, kind, blocks, locks);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_BARRIER, kind)
		if (kind->role != WEIR_BY_VENDOR)
			barriers_for_long(h, kind, blocks, passes);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_SEMAPHORE, kind)
		semaphores_for_long(h, kind, blocks, takes);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_EVENT_ARRAY, kind)
		events_for_long(h, kind, blocks, signals);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_QUEUE, kind)
		queues_for_long(h, kind, blocks, passed_on);
	dispensers_for_long(h, blocks, passed_on);
	tasks_for_long(h, 0, blocks, tasks);
	tasks_for_long(h, 1, blocks, tasks);
}

static const harness_family family = {.name = "soak", .all = test_all};

HARNESS_MAIN(&family, entries)
