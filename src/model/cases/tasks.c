/* The cases of the tasks. */
#include "model/cases/cases.h"

#include <string.h>

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_TASKS 4
#define MOST_EDGES 4
#define MOST_THREADS 4 /* of a block */
#define MOST_ADDED 3   /* tasks that task 0 adds, in a graph that adds tasks */
#define MOST_ROUNDS 2

/* A graph. The edges are sorted by the task from which they go. */
typedef struct graph {
	const char *name;
	uint32_t tasks;
	uint32_t edges;
	uint8_t from[MOST_EDGES];
	uint8_t to[MOST_EDGES];
	uint8_t level[MOST_TASKS];
	uint8_t counts_all;
	uint8_t is_stuck;
	uint8_t adds;
} graph;

static const graph graphs[] = {
    {.name = "one", .tasks = 1},
    {.name = "chain", .tasks = 3, .edges = 2, .from = {0, 1}, .to = {1, 2}},
    {.name = "diamond", .tasks = 4, .edges = 4, .from = {0, 0, 1, 2}, .to = {1, 2, 3, 3}},
    {.name = "join", .tasks = 3, .edges = 2, .from = {0, 1}, .to = {2, 2}},
    {.name = "fork", .tasks = 4, .edges = 3, .from = {0, 0, 0}, .to = {1, 2, 3}},
    {.name = "roots", .tasks = 2},
    {.name = "three", .tasks = 3},
    {.name = "classes", .tasks = 2, .level = {1, 0}},
    {.name = "urgent", .tasks = 3, .edges = 2, .from = {0, 0}, .to = {1, 2}, .level = {0, 1, 0}},
    {.name = "counted", .tasks = 2, .edges = 1, .from = {0}, .to = {1}, .counts_all = 1},
    {.name = "adding", .tasks = 1, .adds = 1},
    {.name = "cycle",
     .tasks = 3,
     .edges = 2,
     .from = {0, 2},
     .to = {1, 2},
     .counts_all = 1,
     .is_stuck = 1},
    {.name = "class_cycle",
     .tasks = 2,
     .edges = 1,
     .from = {1},
     .to = {1},
     .level = {1, 0},
     .counts_all = 1,
     .is_stuck = 1},
};

typedef struct tasks_state {
	uint32_t ran[MOST_ROUNDS][MOST_TASKS + MOST_ADDED]; /* threads that ran each task */
	uint32_t added[MOST_ROUNDS][MOST_ADDED];
	uint32_t order[MOST_TASKS]; /* the order in which a single block ran them */
	uint32_t count;
} tasks_state;

static uint32_t task_size(weir_any_config config)
{
	return (uint32_t)weir_tasks_words(config.tasks);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "tasks", .kind = "graph", .words = task_size},
};

static const graph *find_graph(const weir_model_case *c)
{
	for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
		if (strcmp(graphs[i].name, c->over) == 0)
			return &graphs[i];
	return NULL;
}

static weir_tasks tasks(const weir_model_case_run *r)
{
	return weir_tasks_make(r->words, r->config.tasks);
}

/* ---- the words, as the host library makes them ---- */

static uint32_t count_edges(const graph *g, const uint8_t *end, uint32_t task)
{
	uint32_t count = 0;

	for (uint32_t e = 0; e < g->edges; e++)
		count += end[e] == task;
	return count;
}

static void configure(weir_model_case_run *r)
{
	const graph *g = find_graph(&r->c);
	weir_tasks_config *config = &r->config.tasks;

	config->tasks = g->tasks;
	config->edges = g->edges;
	config->classes = 1;
	for (uint32_t i = 0; i < g->tasks; i++) {
		config->sinks += g->counts_all || count_edges(g, g->from, i) == 0;
		config->roots[g->level[i]] += count_edges(g, g->to, i) == 0;
		if (g->level[i] >= config->classes)
			config->classes = g->level[i] + 1u;
	}
	config->room = r->c.room;
	while (1u << config->bits < g->tasks + r->c.room)
		config->bits++;
	config->is_local = r->c.form == WEIR_MODEL_LOCAL;
	config->counts_all = g->counts_all;
}

/* The first two successors of a task, as in the second word of its row. */
static uint64_t pair_of(const graph *g, uint32_t first, uint32_t count)
{
	return (count > 0 ? g->to[first] : 0u) | (uint64_t)(count > 1 ? g->to[first + 1] : 0u)
	                                             << 32;
}

static void start(const weir_model_case_run *r)
{
	const graph *g = find_graph(&r->c);
	weir_tasks t = tasks(r);
	uint32_t root[2] = {0, t.config.roots[0]};
	uint32_t row = 0;

	for (uint32_t i = 0; i < g->tasks; i++) {
		uint64_t needs = count_edges(g, g->to, i);
		uint32_t many = count_edges(g, g->from, i);
		uint64_t level = (uint64_t)g->level[i] << (32 + WEIR_TASKS_NEEDS_BITS);

		weir_store64_rlx(weir_tasks_record_(t, i), level | needs << 32 | needs);
		weir_store64_rlx(weir_tasks_row_(t, i), (uint64_t)many << 32 | row);
		weir_store64_rlx(weir_tasks_row_(t, i) + 1, pair_of(g, row, many));
		row += many;
		if (needs == 0)
			weir_store_rlx(weir_tasks_root_(t, root[g->level[i]]++), i);
	}
	for (uint32_t e = 0; e < g->edges; e++)
		weir_store_rlx(weir_tasks_successor_(t, e), g->to[e]);
	for (uint32_t i = 0; i < t.config.classes; i++) {
		weir_queue_start(weir_tasks_queue_(t, i), r->c.past);
		weir_tasks_put_roots_(t, i, r->c.past * WEIR_QUEUE_STEP, 0, 1);
	}
	weir_tasks_start_(t);
}

/* ---- a run ---- */

/* There is room for some of the tasks; a single block cannot run them in between. */
static void add_tasks(const weir_model_case_run *r, uint32_t launch)
{
	uint32_t first = find_graph(&r->c)->tasks;
	tasks_state *state = r->state;

	for (uint32_t i = 0; i < MOST_ADDED; i++) {
		int added = weir_tasks_add(tasks(r), first + i, 0) == WEIR_OK;

		weir_model_check(i < r->c.room ? added : !added || (r->c.blocks > 1 && r->c.room),
		                 "a task is added without room, or is not");
		state->added[launch][i] = (uint32_t)added;
	}
}

/* A task sees everything done by the tasks that it depends on, directly or indirectly. */
static void run_task(const weir_model_case_run *r, uint32_t launch, uint32_t task)
{
	const graph *g = find_graph(&r->c);
	tasks_state *state = r->state;

	weir_model_check(task < g->tasks + (g->adds ? MOST_ADDED : 0), "a task that is none");
	for (uint32_t e = 0; e < g->edges; e++) {
		if (g->to[e] != task)
			continue;
		weir_model_check(state->ran[launch][g->from[e]] == r->c.threads,
		                 "a task runs before one that it depends on");
		for (uint32_t i = 0; i < r->c.threads; i++)
			weir_model_data_read(MOST_THREADS * g->from[e] + i);
	}
	if (r->config.tasks.id != 0 && weir_thread_id() == 0 && weir_block_id() < WEIR_BLOCKS)
		weir_model_check(weir_model_note_of(weir_block_id(), WEIR_NOTE_BEGAN) == 0 &&
		                     weir_model_note_of(weir_block_id(),
		                                        WEIR_NOTE_COUNT(WEIR_MODEL_ID)) == task + 1,
		                 "a note says that a block runs another task");
	if (state->ran[launch][task]++ == 0 && state->count < MOST_TASKS)
		state->order[state->count++] = task;
	weir_model_data_write(MOST_THREADS * task + weir_thread_id());
	if (g->adds && task == 0 && weir_thread_id() == 0)
		add_tasks(r, launch);
}

/* Whether the task depends on itself. */
static int never_runs(const graph *g, uint32_t task)
{
	for (uint32_t e = 0; e < g->edges; e++)
		if (g->from[e] == task && g->to[e] == task)
			return 1;
	return 0;
}

static uint32_t expected_runs(const weir_model_case_run *r, uint32_t launch, uint32_t task)
{
	const graph *g = find_graph(&r->c);
	const tasks_state *state = r->state;

	if (task >= g->tasks)
		return state->added[launch][task - g->tasks];
	return !never_runs(g, task);
}

/* After the end of the loop, every thread sees what all tasks did. */
static void check_run(const weir_model_case_run *r, uint32_t launch)
{
	const graph *g = find_graph(&r->c);
	const tasks_state *state = r->state;

	for (uint32_t i = 0; i < g->tasks + (g->adds ? MOST_ADDED : 0); i++) {
		uint32_t runs = expected_runs(r, launch, i);

		weir_model_check(state->ran[launch][i] == runs * r->c.threads,
		                 "the run ends before a task, or a task runs twice");
		for (uint32_t j = 0; runs && j < r->c.threads; j++)
			weir_model_data_read(MOST_THREADS * i + j);
	}
}

/* All threads of a block run the tasks of a launch. */
static void run_in_block(const weir_model_case_run *r, uint32_t task)
{
	run_task(r, 0, task);
}

/* Numbers and classes that are invalid for an added task: the task of the graph still runs once. */
static void misuse(const weir_model_case_run *r)
{
	weir_tasks t = tasks(r);
	uint32_t added = t.config.tasks;

	weir_model_check_fault(WEIR_FAULT_TASK, added - 1, weir_tasks_add(t, added - 1, 0));
	weir_model_check_fault(WEIR_FAULT_TASK, WEIR_NO_TASK, weir_tasks_add(t, WEIR_NO_TASK, 0));
	weir_model_check_fault(WEIR_FAULT_TASK, added, weir_tasks_add(t, added, t.config.classes));
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_MISUSE)
		misuse(r);
	if (r->c.form == WEIR_MODEL_COLLECTIVE) {
		weir_tasks_run(tasks(r), run_in_block, r);
		check_run(r, 0);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t task = WEIR_NO_TASK;

		if (r->c.threads == 1)
			while (weir_tasks_next(tasks(r), &task))
				run_task(r, i, task);
		else
			while (weir_tasks_block_next(tasks(r), &task))
				run_task(r, i, task);
		check_run(r, i);
		if (i + 1 < r->c.rounds)
			weir_model_end_launch(i);
	}
}

/* A single block runs tasks of class 0 first. */
static void check_order(const weir_model_case_run *r)
{
	const graph *g = find_graph(&r->c);
	const tasks_state *state = r->state;

	for (uint32_t i = 1; i < state->count; i++)
		if (state->order[i - 1] != 0 || count_edges(g, g->from, 0) == 0)
			weir_model_check(g->level[state->order[i - 1]] <= g->level[state->order[i]],
			                 "a task runs before one of a lower class");
}

static void complete(const weir_model_case_run *r)
{
	const graph *g = find_graph(&r->c);
	weir_tasks t = tasks(r);

	weir_model_check(weir_model_final(weir_tasks_stuck_(t)) == g->is_stuck,
	                 g->is_stuck ? "the run does not know that it is stuck"
	                             : "the run takes itself for stuck");
	weir_model_check(weir_model_final(weir_tasks_added_(t)) == 0,
	                 "the count of added tasks does not come back to 0");
	if (r->c.blocks == 1 && t.config.classes > 1 && r->c.rounds == 1)
		check_order(r);
	if (g->is_stuck)
		return;
	weir_model_check(weir_model_final(weir_tasks_unfinished_(t)) == t.config.sinks &&
	                     weir_model_final(weir_tasks_idle_(t)) == 0,
	                 "the graph is not ready for another launch");
	for (uint32_t i = 0; i < g->tasks; i++)
		weir_model_check(weir_model_final((weir_word *)weir_tasks_record_(t, i)) ==
		                     count_edges(g, g->to, i),
		                 "a task is not ready for another launch");
}

/* An added task may wait for a block that has popped one and is about to free its slot. */
static int waits_unsaid(const weir_model_case_run *r)
{
	return find_graph(&r->c)->adds;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;
	const graph *g = find_graph(c);

	if (!g)
		return "no such graph";
	if (c->rounds > MOST_ROUNDS || (g->is_stuck && c->rounds > 1))
		return "a graph runs twice, and one that is stuck only once";
	if (c->form == WEIR_MODEL_COLLECTIVE && c->rounds > 1)
		return "a block runs the whole of one launch";
	if (c->threads > MOST_THREADS)
		return "four threads have data";
	if (c->askers)
		return "tasks have no askers";
	return c->form == WEIR_MODEL_GIVE_UP ? "tasks have no deadline" : NULL;
}

#define LAST 0x7fffffffu /* a `past` that makes positions wrap after one task */

static const weir_model_shape shapes[] = {
    {{SIZE(1, 1, 2), .over = "chain"}, SMALL},
    {{SIZE(1, 1, 1), .over = "classes"}, SMALL},
    {{SIZE(1, 1, 1), .over = "urgent"}, SMALL},
    {{SIZE(1, 1, 2), .over = "urgent", .past = LAST}, SMALL},
    {{SIZE(1, 1, 2), .over = "adding"}, SMALL},
    {{SIZE(1, 1, 2), .over = "adding", .room = 1}, SMALL},
    {{SIZE(1, 1, 1), .over = "cycle"}, SMALL},
    {{SIZE(2, 1, 1), .over = "roots"}, SMALL},
    {{SIZE(2, 1, 1), .over = "chain", .past = LAST}, SMALL},
    {{SIZE(2, 1, 1), .over = "join"}, SMALL},
    {{.form = WEIR_MODEL_LOCAL, SIZE(2, 1, 1), .over = "fork"}, SMALL},
    {{.form = WEIR_MODEL_LOCAL, SIZE(2, 1, 1), .over = "join"}, SMALL},
    {{SIZE(2, 1, 1), .over = "classes"}, SMALL},
    {{SIZE(2, 1, 1), .over = "urgent"}, SMALL},
    {{SIZE(2, 1, 1), .over = "counted"}, SMALL},
    {{SIZE(2, 1, 1), .over = "adding", .room = 1}, SMALL},
    {{SIZE(2, 1, 1), .over = "cycle"}, SMALL},
    {{SIZE(2, 1, 1), .over = "class_cycle"}, SMALL},
    {{SIZE(2, 1, 2), .over = "one", .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_LOCAL, SIZE(2, 1, 1), .over = "diamond"}, SMALL},
    {{SIZE(1, 2, 2), .over = "chain"}, SMALL},
    {{SIZE(1, 2, 2), .over = "three"}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1), .over = "roots"}, SMALL},
    {{SIZE(1, 2, 2), .over = "fork", .first = 2}, SMALL},
    {{.form = WEIR_MODEL_LOCAL, SIZE(1, 2, 2), .over = "fork", .first = 2}, SMALL},
    {{.form = WEIR_MODEL_LOCAL, SIZE(1, 2, 1), .over = "diamond", .first = 2}, SMALL},
    {{SIZE(2, 2, 1), .over = "join", .first = 2}, SMALL},
    {{SIZE(1, 4, 1), .over = "fork", .first = 4}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1), .over = "one", .room = 1}, SMALL},
    {{SIZE(1, 2, 1), .over = "fork", .first = 4}, SMALL},
    {{SIZE(2, 1, 1), .over = "diamond"}, LARGER},
    {{SIZE(3, 1, 1), .over = "roots"}, LARGER},
    {{SIZE(3, 1, 1), .over = "cycle"}, LARGER},
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(tasks) = {
    .forms = WEIR_MODEL_FORM(LOCAL) | WEIR_MODEL_FORM(MISUSE),
    .has_members = 1,
    .refuse = refuse,
    .configure = configure,
    .start = start,
    .complete = complete,
    .waits_in = WEIR_MODEL_WAITS(NEXT),
    .waits_unsaid = waits_unsaid,
    WEIR_MODEL_NAMES(tasks),
};
