/* Random graphs of tasks, on the device named on the command line. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "tasks_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(tasks_start), HARNESS_ENTRY(tasks_run),
                                          HARNESS_ENTRY(tasks_block), HARNESS_ENTRY(tasks_called),
                                          HARNESS_ENTRY(tasks_order)};

/* After this many tasks the positions of the queues soon wrap. */
#define WRAPS 0x7ffffffau
#define MOST_NEEDS 4 /* predecessors of a task */

/* A graph, with its edges in both directions. */
struct graph {
	weir_graph graph;
	uint32_t *order; /* tasks, each after its predecessors */
	uint32_t *first;
	uint32_t *successors;
	uint32_t *first_before; /* of the predecessors */
	uint32_t *before;
	uint8_t *levels;
	uint32_t random;
};

/* The run of a test. */
struct way {
	const char *kernel;
	uint32_t threads; /* 0: a number that suits the device */
	uint32_t classes;
	int local;
	uint32_t adds; /* tasks that each adds */
	uint32_t room; /* for these; 0: for all */
	uint32_t start;
};

static uint32_t draw(struct graph *g, uint32_t below)
{
	g->random = harness_next(g->random);
	return (uint32_t)(((uint64_t)g->random * below) >> 32);
}

/* Task order[i] gets up to MOST_NEEDS predecessors, among the `near` tasks before it: some graphs
 * are narrow, so that tasks wait for each other, and some wide. With 1 it is a chain. */
static void draw_edges(struct graph *g, uint32_t tasks, uint32_t near)
{
	uint32_t edges = 0;
	uint32_t *next = harness_zeros(tasks, sizeof *next);

	for (uint32_t i = 0; i < tasks; i++)
		g->order[i] = i;
	for (uint32_t i = tasks - 1; i > 0; i--) {
		uint32_t other = draw(g, i + 1);
		uint32_t task = g->order[i];

		g->order[i] = g->order[other];
		g->order[other] = task;
	}
	/* The predecessors of order[i], in rows by i. */
	uint32_t *rows = harness_zeros((size_t)tasks * MOST_NEEDS, sizeof *rows);
	uint32_t *counts = harness_zeros(tasks, sizeof *counts);
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t most = i < MOST_NEEDS ? i : MOST_NEEDS;
		uint32_t reach = i < near ? i : near;

		counts[g->order[i]] = most ? draw(g, most + 1) : 0;
		if (near == 1)
			counts[g->order[i]] = i > 0;
		for (uint32_t e = 0; e < counts[g->order[i]]; e++) {
			uint32_t from = g->order[i - 1 - draw(g, reach)];

			rows[g->order[i] * MOST_NEEDS + e] = from;
			g->first[from + 1]++;
		}
	}
	for (uint32_t i = 0; i < tasks; i++) {
		g->first[i + 1] += g->first[i];
		next[i] = g->first[i];
		g->first_before[i + 1] = g->first_before[i] + counts[i];
		for (uint32_t e = 0; e < counts[i]; e++)
			g->before[edges++] = rows[i * MOST_NEEDS + e];
	}
	for (uint32_t i = 0; i < tasks; i++)
		for (uint32_t e = g->first_before[i]; e < g->first_before[i + 1]; e++)
			g->successors[next[g->before[e]]++] = i;
	free(next);
	free(rows);
	free(counts);
}

static struct graph make_graph(uint32_t tasks, uint32_t near, uint32_t classes, uint32_t seed)
{
	struct graph g = {.random = seed};

	g.order = harness_zeros(tasks, sizeof *g.order);
	g.first = harness_zeros(tasks + 1, sizeof *g.first);
	g.first_before = harness_zeros(tasks + 1, sizeof *g.first_before);
	g.successors = harness_zeros((size_t)tasks * MOST_NEEDS, sizeof *g.successors);
	g.before = harness_zeros((size_t)tasks * MOST_NEEDS, sizeof *g.before);
	g.levels = harness_zeros(tasks, sizeof *g.levels);
	draw_edges(&g, tasks, near);
	for (uint32_t i = 0; i < tasks; i++)
		g.levels[i] = (uint8_t)draw(&g, classes);
	g.levels[0] = (uint8_t)(classes - 1);
	g.graph = (weir_graph){
	    .tasks = tasks, .first = g.first, .successors = g.successors, .levels = g.levels};
	return g;
}

static void free_graph(struct graph *g)
{
	free(g->order);
	free(g->first);
	free(g->first_before);
	free(g->successors);
	free(g->before);
	free(g->levels);
}

/* Writes the predecessors into the data of the kernels, with zeros before them. */
static void write_graph(harness *h, const struct graph *g, harness_params params)
{
	uint32_t tasks = g->graph.tasks;

	memset(h->copy, 0, h->data_bytes);
	memcpy(h->copy + tasks_first_at(params), g->first_before, (tasks + 1) * sizeof(uint32_t));
	memcpy(h->copy + tasks_edges_at(params), g->before,
	       g->first_before[tasks] * sizeof(uint32_t));
	harness_need(weir_buffer_write(h->device, h->data, 0, h->copy, h->data_bytes),
	             "weir_buffer_write");
}

/* Whether all tasks have run `launches` times, and have the values of the last launch. */
static int is_right(const harness *h, const struct graph *g, harness_params params,
                    uint32_t launches)
{
	uint32_t *right = harness_zeros(h->data_bytes, 1);
	uint32_t tasks = g->graph.tasks;
	int same;

	memcpy(right, h->copy, h->data_bytes);
	for (uint32_t i = 0; i < tasks; i++)
		for (uint32_t lane = 0; lane < TASKS_LANES; lane++)
			right[HARNESS_DATA + TASKS_LANES * g->order[i] + lane] =
			    tasks_sum(right, params, g->order[i], lane);
	for (uint32_t i = 0; i < tasks; i++)
		right[tasks_runs_at(params) + i] = launches;
	for (uint32_t i = 0; i < tasks * params.width; i++) {
		right[tasks_added_at(params) + 2 * i] = tasks_added_sum(right, params, i);
		right[tasks_added_at(params) + 2 * i + 1] = launches;
	}
	same = memcmp(right, h->copy, h->data_bytes) == 0 && h->copy[HARNESS_ERRORS] == 0;
	free(right);
	return same;
}

/* Launches in a row without a reset. */
static int launch_all(harness *h, const struct graph *g, harness_launch *launch, uint32_t launches)
{
	int right = 1;

	write_graph(h, g, launch->params);
	for (uint32_t i = 1; i <= launches; i++) {
		launch->params.seed++;
		harness_run(h, launch, 1);
		right &= is_right(h, g, launch->params, i);
	}
	return right;
}

static uint32_t task_count(const harness *h, uint32_t adds)
{
	uint32_t tasks = h->info.is_gpu ? 20000 : 400;

	if (h->small)
		tasks /= h->info.is_gpu ? 20 : 4;
	return adds ? tasks / 2 : tasks;
}

static void run(harness *h, const struct way *way, uint32_t blocks, uint32_t near, int without)
{
	uint32_t threads = way->threads     ? way->threads
	                   : h->info.is_gpu ? 128
	                                    : harness_threads(h, 4);
	struct graph g = make_graph(task_count(h, way->adds), near, way->classes, blocks + near);
	uint32_t room = way->room ? way->room : g.graph.tasks * way->adds;
	uint32_t launches = without ? 1 : h->info.is_gpu && !h->small ? 20 : 4;
	harness_object t =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_TASKS,
	                                    .graph = &g.graph,
	                                    .options.tasks = {.local = way->local,
	                                                      .room = room,
	                                                      .object.compact = way->local},
	                                    .without = without});

	t.launch.params.hold = 1;
	t.launch.params.base = way->start;
	t.launch.params.length = g.graph.tasks;
	t.launch.params.width = way->adds;
	t.launch.params.value = way->room == 0;
	t.launch.params.seed = blocks;
	if (way->start)
		harness_run_grid(h, &t, "tasks_start", 1, 1, 0);
	t.launch.kernel = way->kernel;
	t.launch.grid[0] = blocks;
	t.launch.threads = threads;
	int right = launch_all(h, &g, &t.launch, launches);
	harness_need(weir_tasks_check(h->device, t.is.tasks), "weir_tasks_check");
	harness_verdict(
	    h, right, without,
	    "%s: %u tasks, %u edges within %u, %u classes%s, each adds %u with room for "
	    "%u, %u blocks of %u, %u launches%s",
	    way->kernel, g.graph.tasks, g.first[g.graph.tasks], near, way->classes,
	    way->local ? ", local" : "", way->adds, room, blocks, threads, launches,
	    way->start ? ", across the wrap" : "");
	harness_unmake(h, &t);
	free_graph(&g);
}

/* Ready tasks of a lower class go first: all roots, in one block. */
static void order(harness *h)
{
	enum {
		TASKS = 60
	};
	uint32_t first[TASKS + 1] = {0};
	uint8_t levels[TASKS];
	weir_graph graph = {.tasks = TASKS, .first = first, .levels = levels};
	int right = 1;

	for (uint32_t i = 0; i < TASKS; i++)
		levels[i] = (uint8_t)(i * 7 % 3);
	harness_object t =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_TASKS, .graph = &graph});
	for (int i = 0; i < 2; i++) {
		harness_run_grid(h, &t, "tasks_order", 1, 1, 0);
		for (uint32_t a = 0; a < TASKS; a++)
			for (uint32_t b = 0; b < TASKS; b++)
				right &= levels[a] >= levels[b] ||
				         h->copy[HARNESS_DATA + a] < h->copy[HARNESS_DATA + b];
	}
	harness_verdict(h, right, 0, "%u ready tasks of 3 classes run class by class", TASKS);
	harness_unmake(h, &t);
}

/* Task 3 is in a cycle with 4; tasks 0 to 2 run, and 5 does not. The run ends by itself. */
static void stuck(harness *h, const char *kernel, uint32_t blocks, uint32_t threads,
                  uint32_t classes)
{
	static const uint32_t before_first[] = {0, 0, 1, 2, 4, 5, 6};
	static const uint32_t before[] = {0, 1, 2, 4, 3, 4};
	static const uint32_t first[] = {0, 1, 2, 3, 4, 6, 6};
	static const uint32_t successors[] = {1, 2, 3, 4, 3, 5};
	static const uint8_t levels[] = {0, 1, 2, 0, 1, 2};
	weir_graph graph = {.tasks = 6,
	                    .first = first,
	                    .successors = successors,
	                    .levels = classes > 1 ? levels : NULL,
	                    .is_trusted = 1};
	struct graph g = {
	    .graph = graph, .first_before = (uint32_t *)before_first, .before = (uint32_t *)before};
	harness_object t =
	    harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_TASKS, .graph = &graph});
	int right = 1;

	t.launch.kernel = kernel;
	t.launch.params.length = 6;
	t.launch.grid[0] = blocks;
	t.launch.threads = threads;
	t.launch.together = 1;
	t.launch.mistakes = 1;
	/* A second run after a reset. */
	for (uint32_t i = 0; i < 2; i++) {
		write_graph(h, &g, t.launch.params);
		harness_run(h, &t.launch, 1);
		for (uint32_t task = 0; task < 6; task++)
			right &= h->copy[tasks_runs_at(t.launch.params) + task] == (task < 3);
		right &= weir_tasks_check(h->device, t.is.tasks) == WEIR_STUCK;
		right &= strstr(weir_error_text(), "task 3 waits for 1 of 2: 4") != NULL;
		harness_need(weir_tasks_reset(h->device, t.is.tasks), "weir_tasks_reset");
		right &= weir_tasks_check(h->device, t.is.tasks) == WEIR_OK;
	}
	harness_verdict(h, right, 0, "%s: a cycle ends %u blocks of %u, and is named, %u classes",
	                kernel, blocks, threads, classes);
	harness_unmake(h, &t);
}

static const struct way ways[] = {
    {"tasks_run", 1, 1, 0, 0, 0, 0},       {"tasks_run", 1, 1, 1, 0, 0, WRAPS},
    {"tasks_run", 1, 3, 0, 2, 0, 0},       {"tasks_run", 1, 2, 1, 2, 3, WRAPS},
    {"tasks_block", 0, 1, 0, 0, 0, WRAPS}, {"tasks_block", 0, 1, 1, 0, 0, 0},
    {"tasks_block", 0, 2, 0, 2, 3, 0},     {"tasks_block", 0, 3, 1, 1, 0, WRAPS},
    {"tasks_called", 0, 1, 1, 0, 0, 0},
};

static void test_blocks(harness *h, uint32_t blocks, uint32_t threads)
{
	int has_blocks = h->info.machine != WEIR_MACHINE_OPENCL;

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (has_blocks || ways[i].threads == 1)
			run(h, &ways[i], blocks, i % 2 ? 1000 : 10, 0);
	/* One after the other. */
	run(h, &ways[0], blocks, 1, 0);
	if (has_blocks)
		run(h, &ways[5], blocks, 1, 0);
	for (uint32_t classes = 1; classes <= 3; classes += 2) {
		stuck(h, "tasks_run", blocks, 1, classes);
		if (has_blocks)
			stuck(h, "tasks_block", blocks, threads, classes);
	}
}

static void test_all(harness *h)
{
	uint32_t counts[5];
	uint32_t threads = h->info.is_gpu ? 128 : harness_threads(h, 4);
	uint32_t count = harness_block_counts(h, "tasks_run", threads, counts);

	order(h);
	for (uint32_t i = 0; i < count; i++)
		test_blocks(h, counts[i], threads);
	if (h->info.is_gpu) {
		/* Blocks of less than a warp; and more blocks than run at once. */
		struct way small = {"tasks_block", 7, 1, 1, 0, 0, 0};

		run(h, &small, counts[count - 1], 100, 0);
		run(h, &ways[5], 4 * counts[count - 1], 100, 0);
	}
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, run(h, &ways[0], counts[count - 1], 10, 1));
}

static const uint32_t none[2];
static const weir_graph lone = {.tasks = 1, .first = none};
static const harness_order one = {.primitive = WEIR_PRIMITIVE_TASKS, .graph = &lone};
static const harness_family family = {
    .name = "tasks", .primitive = WEIR_PRIMITIVE_TASKS, .needs = &one, .all = test_all};

HARNESS_MAIN(&family, entries)
