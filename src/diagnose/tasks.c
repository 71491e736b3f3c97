/* Graphs of tasks in a report: the blocks that run tasks, those that wait, and the task that blocks
 * a stuck run. */
#include "diagnose/finding.h"

#include <stdlib.h>

#define MOST_NAMED 8 /* running tasks */

/* A copy of the first words of a graph, or of all; NULL: none. */
static weir_word *copy_words(weir_device *device, uint64_t address, size_t words)
{
	weir_word *copy = malloc(words * sizeof *copy);

	if (copy && weir_object_read(device, address, (uint32_t *)copy, words))
		return copy;
	free(copy);
	return NULL;
}

static void read_tasks(weir_device *device, const weir_suspect *suspect, uint64_t address,
                       weir_view *view)
{
	weir_tasks t = {NULL, suspect->config.tasks};

	t.words = copy_words(device, address, weir_tasks_queues_(t.config));
	if (!t.words)
		return;
	view->tasks.known = 1;
	view->tasks.unfinished = weir_load_rlx(weir_tasks_unfinished_(t));
	view->tasks.is_stuck = weir_load_rlx(weir_tasks_stuck_(t)) != 0;
	free(t.words);
	if (!view->tasks.is_stuck)
		return;
	t.words = copy_words(device, address, weir_tasks_words(t.config));
	if (t.words)
		weir_tasks_hindrance(t, view->tasks.hindrance);
	free(t.words);
}

static int waits(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_NEXT);
}

static int has_used(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_entry(s, block, id) != 0;
}

static void report_stuck(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const weir_tasks_view *view = &s->views[id].tasks;
	weir_finding f = weir_finding_begin("stuck");

	weir_finding_object(&f, s, id);
	weir_finding_say(&f, "a run of tasks '%s' got stuck, of ", s->suspects[id].name);
	if (!weir_finding_blocks(&f, s, id, has_used))
		weir_finding_say(&f, "an earlier launch");
	if (view->hindrance[0])
		weir_finding_say(&f, ": nothing runs, and %s. The graph has a cycle.",
		                 view->hindrance);
	else
		weir_finding_say(&f,
		                 ": nothing runs, and %u tasks have not finished. A block has left "
		                 "the loop early.",
		                 view->unfinished);
	weir_finding_say(&f, " Reset the tasks.");
	weir_finding_end(&f, findings);
}

/* "Block 3 runs task 17 since 2.1 s (solve.cu:12).", for the blocks that run tasks in the launch of
 * `one`. */
static uint32_t say_running(weir_finding *f, const weir_snapshot *s, uint32_t id, uint32_t one)
{
	uint32_t running = 0;

	for (uint32_t block = 0; block < s->blocks; block++) {
		if (weir_runs(s, block) != id ||
		    weir_note(s, block, WEIR_NOTE_LAUNCH) != weir_note(s, one, WEIR_NOTE_LAUNCH))
			continue;
		weir_finding_block(f, block);
		if (running++ < MOST_NAMED)
			weir_finding_say(f, "Block %u runs task %u since %.1f s (%s). ", block,
			                 weir_note(s, block, WEIR_NOTE_COUNT(id)) - 1,
			                 (double)s->ran_ms[block] / 1000,
			                 weir_place_of(&s->files, weir_entry(s, block, id)).text);
	}
	if (running > MOST_NAMED)
		weir_finding_say(f, "%u more run tasks. ", running - MOST_NAMED);
	return running;
}

static void report_wait(const weir_snapshot *s, uint32_t id, uint32_t one, json_t *findings)
{
	const weir_tasks_view *view = &s->views[id].tasks;
	const weir_tasks_config *config = &s->suspects[id].config.tasks;
	weir_finding f = weir_finding_begin("tasks");
	uint32_t count;

	weir_finding_object(&f, s, id);
	count = weir_finding_blocks(&f, s, id, waits);
	weir_finding_say(&f, " wait%s for a task of '%s', %ssince %.1f s in %s. ",
	                 count == 1 ? "s" : "", s->suspects[id].name,
	                 count == 1 ? "" : "the first of them ", (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
	if (view->known)
		weir_finding_say(&f, "%u %stask%s not finished. ", view->unfinished,
		                 config->counts_all ? "" : "last ",
		                 view->unfinished == 1 ? " has" : "s have");
	if (say_running(&f, s, id, one))
		weir_finding_say(&f,
		                 "Either its task takes long, or it waits for something that never "
		                 "happens, or it has left the loop before its task was finished.");
	else
		weir_finding_say(&f, "No block that weir knows of runs a task.");
	weir_finding_end(&f, findings);
}

static void find_tasks(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	uint32_t one = 0;

	if (s->views[id].tasks.is_stuck) {
		report_stuck(s, id, findings);
		return;
	}
	while (one < WEIR_BLOCKS && !waits(s, one, id))
		one++;
	if (one < WEIR_BLOCKS)
		report_wait(s, id, one, findings);
}

static void describe(const weir_snapshot *s, uint32_t id, json_t *object)
{
	const weir_tasks_view *view = &s->views[id].tasks;

	if (!view->known)
		return;
	json_object_set_new(object, "unfinished", json_integer(view->unfinished));
	json_object_set_new(object, "stuck", json_boolean(view->is_stuck));
}

const weir_family weir_tasks_family = {
    .read = read_tasks, .find = find_tasks, .describe = describe};

void weir_say_task(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u adds task %u", m[WEIR_MISUSE_BLOCK], m[WEIR_MISUSE_VALUE]);
	if (id)
		weir_finding_say(f, " to '%s'", s->suspects[id].name);
	weir_finding_say(f, " in %s", weir_misuse_place(s, m).text);
	if (id)
		weir_finding_say(f,
		                 ": it has tasks up to %u, of %u class%s, and added ones have a "
		                 "higher number",
		                 s->suspects[id].config.tasks.tasks - 1,
		                 s->suspects[id].config.tasks.classes,
		                 s->suspects[id].config.tasks.classes == 1 ? "" : "es");
	weir_finding_say(f, ". The launch ended there.");
}
