/* Graphs of tasks: the check that every task can run, the words of a graph, and the names of the tasks
 * that hinder one that is stuck.
 *
 * A graph is sorted by taking out tasks that wait for nothing. What cannot be taken out has a cycle
 * among it. */
#include "object/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/status.h"
#include "core/memory.h"
#include "core/record.h"
#include "weir/tasks/api.h"

#define MOST_TASKS (1u << 26)
#define MOST_EDGES WEIR_TASKS_NEEDS /* all of them may lead to one task */
#define MOST_NAMED 5                /* tasks that a text names */
#define LIST_BYTES 96

static uint32_t level_of(const weir_graph *graph, uint32_t task)
{
	return graph->levels ? graph->levels[task] : 0;
}

/* Writes the tasks that `task` waits for: its predecessors whose `unfinished` count is not 0. */
static void name_hindrances(const weir_graph *graph, const uint32_t *unfinished, uint32_t task,
                            char text[LIST_BYTES])
{
	size_t length = 0;
	uint32_t named = 0;

	*text = '\0';
	for (uint32_t from = 0; from < graph->tasks; from++) {
		if (!unfinished[from])
			continue;
		for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
			if (graph->successors[e] != task)
				continue;
			if (named++ < MOST_NAMED)
				length += (size_t)snprintf(text + length, LIST_BYTES - length,
				                           "%s%u", named > 1 ? ", " : "", from);
		}
	}
	if (named > MOST_NAMED)
		snprintf(text + length, LIST_BYTES - length, " and others");
}

static weir_status check_rows(const weir_graph *graph)
{
	if (graph->first[0] != 0)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the successors of task 0 begin at %u, not at 0", graph->first[0]);
	for (uint32_t i = 0; i < graph->tasks; i++)
		if (graph->first[i + 1] < graph->first[i] || graph->first[i + 1] > MOST_EDGES)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "the successors of task %u are those from %u to %u: rows "
			                 "must not go back, and end by %u",
			                 i, graph->first[i], graph->first[i + 1], MOST_EDGES);
	for (uint32_t i = 0; i < graph->tasks; i++)
		if (level_of(graph, i) >= WEIR_TASKS_CLASSES)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "task %u has class %u: there are %d, from 0", i,
			                 level_of(graph, i), WEIR_TASKS_CLASSES);
	return WEIR_OK;
}

/* Counts the dependencies of each task by the edges, and compares them with the caller's. */
static weir_status count_needs(const weir_graph *graph, uint32_t *needs)
{
	for (uint32_t i = 0; i < graph->tasks; i++)
		for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
			uint32_t to = graph->successors[e];

			if (to >= graph->tasks)
				return weir_fail(WEIR_BAD_ARGUMENT,
				                 "task %u has a successor %u in a graph of %s", i,
				                 to, weir_counted(graph->tasks, "task").text);
			needs[to]++;
		}
	for (uint32_t i = 0; graph->counts && i < graph->tasks; i++)
		if (graph->counts[i] != needs[i])
			return weir_fail(
			    WEIR_BAD_ARGUMENT,
			    "task %u has a count of %u dependencies, and is a successor "
			    "of %s",
			    i, graph->counts[i], weir_counted(needs[i], "task").text);
	return WEIR_OK;
}

/* Finds the first task that can never run, and returns whether there is one; `text` says what it waits
 * for. `waits` begins as the needs, and is used up: then it is not 0 for tasks that cannot run. */
static int find_cycle(const weir_graph *graph, const uint32_t *needs, uint32_t *waits,
                      char text[WEIR_HINDRANCE_BYTES])
{
	char names[LIST_BYTES];
	uint32_t *order = waits + graph->tasks;
	uint32_t sorted = 0;

	for (uint32_t i = 0; i < graph->tasks; i++)
		if (waits[i] == 0)
			order[sorted++] = i;
	for (uint32_t next = 0; next < sorted; next++)
		for (uint32_t e = graph->first[order[next]]; e < graph->first[order[next] + 1]; e++)
			if (--waits[graph->successors[e]] == 0)
				order[sorted++] = graph->successors[e];
	for (uint32_t i = 0; i < graph->tasks; i++) {
		if (waits[i] == 0)
			continue;
		name_hindrances(graph, waits, i, names);
		snprintf(text, WEIR_HINDRANCE_BYTES, "task %u waits for %u of %u: %s", i, waits[i],
		         needs[i], names);
		return 1;
	}
	return 0;
}

/* `text` is empty when all tasks can run. */
static weir_status sort_graph(const weir_graph *graph, const uint32_t *needs,
                              char text[WEIR_HINDRANCE_BYTES])
{
	uint32_t *waits = malloc(2 * (size_t)graph->tasks * sizeof *waits);

	if (!waits)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a graph of %u tasks", graph->tasks);
	memcpy(waits, needs, graph->tasks * sizeof *waits);
	if (!find_cycle(graph, needs, waits, text))
		*text = '\0';
	free(waits);
	return WEIR_OK;
}

static weir_status check_graph(const weir_graph *graph, uint32_t *needs)
{
	char text[WEIR_HINDRANCE_BYTES];
	weir_status status = check_rows(graph);

	if (status == WEIR_OK)
		status = count_needs(graph, needs);
	if (status != WEIR_OK || graph->is_trusted)
		return status;
	status = sort_graph(graph, needs, text);
	return status == WEIR_OK && *text
	           ? weir_fail(WEIR_BAD_ARGUMENT, "the graph has a cycle: %s", text)
	           : status;
}

static void count_tasks(const weir_graph *graph, const uint32_t *needs, weir_tasks_config *config)
{
	config->tasks = graph->tasks;
	config->edges = graph->first[graph->tasks];
	config->classes = 1;
	config->counts_all = graph->is_trusted != 0;
	for (uint32_t i = 0; i < graph->tasks; i++) {
		uint32_t level = level_of(graph, i);

		config->sinks += graph->is_trusted || graph->first[i] == graph->first[i + 1];
		config->roots[level] += needs[i] == 0;
		if (level >= config->classes)
			config->classes = level + 1;
	}
}

weir_status weir_tasks_plan(const weir_device *device, const weir_graph *graph,
                            const weir_tasks_options *options, weir_tasks_config *config)
{
	uint32_t *needs;
	weir_status status;

	if (!graph || !graph->first)
		return weir_fail(WEIR_BAD_ARGUMENT, "no graph, or one without its rows");
	if (graph->tasks == 0 || graph->tasks > MOST_TASKS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a graph of %s: 1 to %u are allowed",
		                 weir_counted(graph->tasks, "task").text, MOST_TASKS);
	if (!graph->successors && graph->first[graph->tasks] != 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a graph with edges, but without successors");
	if (options->room > MOST_TASKS)
		return weir_fail(WEIR_BAD_ARGUMENT, "room for %s: the most is %u",
		                 weir_counted(options->room, "task").text, MOST_TASKS);
	if (device && !weir_device_has_word64(device))
		return weir_fail(WEIR_UNSUPPORTED, "tasks need 64-bit atomics, which %s lacks",
		                 device->info.name);
	needs = calloc(graph->tasks, sizeof *needs);
	if (!needs)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a graph of %u tasks", graph->tasks);
	status = check_graph(graph, needs);
	if (status == WEIR_OK)
		count_tasks(graph, needs, config);
	free(needs);
	config->room = options->room;
	config->is_local = options->local != 0;
	while ((uint64_t)1 << config->bits < (uint64_t)config->tasks + config->room)
		config->bits++;
	return status;
}

void weir_tasks_fill(weir_word *image, const weir_tasks_config *config, const weir_graph *graph)
{
	weir_tasks t = {image, *config};
	uint32_t root[WEIR_TASKS_CLASSES] = {0, config->roots[0],
	                                     config->roots[0] + config->roots[1]};

	for (uint32_t e = 0; e < config->edges; e++) {
		WEIR_GLOBAL weir_word64 *record = weir_tasks_record_(t, graph->successors[e]);

		weir_store_rlx(weir_tasks_successor_(t, e), graph->successors[e]);
		weir_store64_rlx(record, weir_load64_rlx(record) + ((uint64_t)1 << 32) + 1);
	}
	for (uint32_t i = 0; i < config->tasks; i++) {
		uint32_t many = graph->first[i + 1] - graph->first[i];
		const uint32_t *own = &graph->successors[graph->first[i]];
		uint64_t level = level_of(graph, i);
		uint64_t record = weir_load64_rlx(weir_tasks_record_(t, i));

		weir_store64_rlx(weir_tasks_row_(t, i), (uint64_t)many << 32 | graph->first[i]);
		weir_store64_rlx(weir_tasks_row_(t, i) + 1,
		                 (many > 0 ? own[0] : 0) | (uint64_t)(many > 1 ? own[1] : 0) << 32);
		weir_store64_rlx(weir_tasks_record_(t, i),
		                 record | level << (32 + WEIR_TASKS_NEEDS_BITS));
		if (record == 0)
			weir_store_rlx(weir_tasks_root_(t, root[level]++), i);
	}
	for (uint32_t i = 0; i < config->classes; i++)
		weir_tasks_put_roots_(t, i, 0, 0, 1);
	weir_tasks_start_(t);
}

/* The graph that words were made from: `needs` is the caller's to free, and has the rest. */
static weir_status read_graph(weir_tasks t, weir_graph *graph, uint32_t **needs)
{
	uint32_t *numbers;

	*needs = calloc((size_t)t.config.tasks * 2 + 1 + t.config.edges, sizeof **needs);
	if (!*needs)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a graph of %s",
		                 weir_counted(t.config.tasks, "task").text);
	numbers = *needs + t.config.tasks;
	*graph = (weir_graph){
	    .tasks = t.config.tasks, .first = numbers, .successors = numbers + t.config.tasks + 1};
	for (uint32_t i = 0; i < t.config.tasks; i++) {
		numbers[i] = (uint32_t)weir_load64_rlx(weir_tasks_row_(t, i));
		(*needs)[i] = weir_load64_rlx(weir_tasks_record_(t, i)) >> 32 & WEIR_TASKS_NEEDS;
	}
	numbers[t.config.tasks] = t.config.edges;
	for (uint32_t e = 0; e < t.config.edges; e++)
		numbers[t.config.tasks + 1 + e] = weir_load_rlx(weir_tasks_successor_(t, e));
	return WEIR_OK;
}

weir_status weir_tasks_hindrance(weir_tasks tasks, char text[WEIR_HINDRANCE_BYTES])
{
	weir_graph graph;
	uint32_t *needs;
	weir_status status = read_graph(tasks, &graph, &needs);

	*text = '\0';
	if (status == WEIR_OK)
		status = sort_graph(&graph, needs, text);
	free(needs);
	return status;
}

static weir_status name_stuck(const weir_record *record, uint32_t unfinished)
{
	char text[WEIR_HINDRANCE_BYTES];
	weir_status status =
	    weir_tasks_hindrance((weir_tasks){record->image, record->config.tasks}, text);

	if (status != WEIR_OK)
		return status;
	if (*text)
		return weir_fail(WEIR_STUCK, "nothing runs: %s", text);
	return weir_fail(WEIR_STUCK,
	                 "nothing runs, and %u last tasks have not finished: a block has left the "
	                 "loop early, or not called weir_tasks_next",
	                 unfinished);
}

/* Reads the word on the device whose place in the image is `field`. */
static weir_status read_field(weir_device *device, const weir_record *record,
                              const weir_word *field, uint32_t *value)
{
	size_t at = (size_t)(field - record->image) * sizeof *field;

	return weir_memory_read(device, record->native, record->offset + at, value, sizeof *value);
}

weir_status weir_tasks_check(weir_device *device, weir_tasks tasks)
{
	weir_status status = weir_device_check(device);
	const weir_record *record;
	weir_tasks graph;
	uint32_t stuck = 0;
	uint32_t unfinished = 0;

	if (status != WEIR_OK)
		return status;
	record = weir_record_find(device, WEIR_PRIMITIVE_TASKS, tasks.words,
	                          tasks.config.offset * sizeof(weir_word));
	if (!record)
		return weir_fail(WEIR_NOT_FOUND,
		                 "no such graph of tasks on device %s: not created there, or "
		                 "destroyed before",
		                 device->info.name);
	graph = (weir_tasks){record->image, record->config.tasks};
	status = read_field(device, record, weir_tasks_stuck_(graph), &stuck);
	if (status == WEIR_OK)
		status = read_field(device, record, weir_tasks_unfinished_(graph), &unfinished);
	return status == WEIR_OK && stuck ? name_stuck(record, unfinished) : status;
}
