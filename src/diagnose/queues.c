/* Queues in a report: how full they are, which blocks wait for them, and the messages about
 * misuse. */
#include "diagnose/finding.h"

#include <stdlib.h>

#include "weir/leave.h"
#include "weir/queue/api.h"

static void read_queue(weir_device *device, const weir_suspect *suspect, uint64_t address,
                       weir_view *view)
{
	const weir_queue_config *config = &suspect->config.queue;
	size_t words = (size_t)WEIR_QUEUE_HEAD * config->pitch;
	weir_queue q = {calloc(words, sizeof(weir_word)), *config};

	if (q.words && weir_object_read(device, address, (uint32_t *)q.words, words)) {
		view->queue.known = 1;
		view->queue.items = weir_queue_length(q);
		view->queue.is_closed =
		    (weir_load_rlx(weir_queue_tail_(q)) & WEIR_QUEUE_CLOSED) != 0;
	}
	free(q.words);
}

static int pushes(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_PUSH);
}

static int pops(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_POP);
}

static uint32_t first_of(const weir_snapshot *s, uint32_t id,
                         int (*is)(const weir_snapshot *s, uint32_t block, uint32_t id))
{
	uint32_t block = 0;

	while (block < WEIR_BLOCKS && !is(s, block, id))
		block++;
	return block;
}

/* Whether the block has used the queue in the launch of the waiting blocks, and waits for nothing
 * that weir knows of. */
static int may_run(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	uint32_t one;

	if (!weir_entry(s, block, id) || weir_waits_for(s, block))
		return 0;
	one = first_of(s, id, pushes);
	if (one == WEIR_BLOCKS)
		one = first_of(s, id, pops);
	return one < WEIR_BLOCKS &&
	       weir_note(s, block, WEIR_NOTE_LAUNCH) == weir_note(s, one, WEIR_NOTE_LAUNCH);
}

/* "is full (8 of 8)" */
static void say_state(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	const weir_queue_view *view = &s->views[id].queue;
	uint32_t capacity = 1u << s->suspects[id].config.queue.bits;

	weir_finding_say(f, "queue '%s' ", s->suspects[id].name);
	if (!view->known)
		weir_finding_say(f, "cannot be read");
	else
		weir_finding_say(f, "%s (%u of %u)%s",
		                 view->items == capacity ? "is full"
		                 : view->items == 0      ? "is empty"
		                                         : "has items",
		                 view->items, capacity,
		                 view->is_closed ? " and closed" : " and not closed");
}

/* "; blocks 0, 1 wait to push, the first of them since 1.0 s in a.cu:7" */
static void say_waiting(weir_finding *f, const weir_snapshot *s, uint32_t id,
                        int (*is)(const weir_snapshot *s, uint32_t block, uint32_t id),
                        const char *what)
{
	uint32_t one = first_of(s, id, is);
	uint32_t count, items;

	if (one == WEIR_BLOCKS)
		return;
	items = weir_note(s, one, WEIR_NOTE_BATCH);
	weir_finding_say(f, "; ");
	count = weir_finding_blocks(f, s, id, is);
	weir_finding_say(f, " wait%s to %s", count == 1 ? "s" : "", what);
	if (items > 1)
		weir_finding_say(f, " %u items", items);
	weir_finding_say(f, "%s since %.1f s in %s", count == 1 ? "" : ", the first of them",
	                 (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
}

static const char *kind_of(const weir_snapshot *s, uint32_t id, int some_push, int some_pop)
{
	const weir_queue_view *view = &s->views[id].queue;

	if (!some_pop && view->known && view->items == 1u << s->suspects[id].config.queue.bits)
		return "queue_full";
	return !some_push && view->known && view->items == 0 ? "queue_empty" : "queue";
}

static void find_queue(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	int some_push = first_of(s, id, pushes) < WEIR_BLOCKS;
	int some_pop = first_of(s, id, pops) < WEIR_BLOCKS;
	weir_finding f;

	/* A side shared by two blocks explains any wait. */
	if ((!some_push && !some_pop) || weir_misused(s, id, WEIR_MISUSE_SIDE))
		return;
	f = weir_finding_begin(kind_of(s, id, some_push, some_pop));
	weir_finding_object(&f, s, id);
	say_state(&f, s, id);
	say_waiting(&f, s, id, pushes, "push");
	say_waiting(&f, s, id, pops, "pop");
	weir_finding_say(&f, "%s. ",
	                 some_push && some_pop ? ""
	                 : some_push           ? "; no block waits to pop"
	                                       : "; no block waits to push");
	if (first_of(s, id, may_run) < WEIR_BLOCKS) {
		weir_finding_say(&f, "Of the others, ");
		weir_finding_blocks(&f, s, id, may_run);
		weir_finding_say(
		    &f,
		    " used it, and no wait of theirs is known: they are running, or have ended.");
	} else {
		weir_finding_say(&f, "All blocks that have used it wait.");
	}
	if (!some_push)
		weir_finding_say(&f, " Close the queue when there are no more items.");
	weir_finding_end(&f, findings);
}

static void describe(const weir_snapshot *s, uint32_t id, json_t *object)
{
	const weir_queue_view *view = &s->views[id].queue;

	json_object_set_new(object, "capacity",
	                    json_integer((json_int_t)1 << s->suspects[id].config.queue.bits));
	if (!view->known)
		return;
	json_object_set_new(object, "items", json_integer(view->items));
	json_object_set_new(object, "closed", json_boolean(view->is_closed));
}

static void describe_wait(const weir_snapshot *s, uint32_t block, json_t *waits)
{
	json_object_set_new(waits, "items", json_integer(weir_note(s, block, WEIR_NOTE_BATCH)));
}

const weir_family weir_queues_family = {
    .read = read_queue, .find = find_queue, .describe = describe, .describe_wait = describe_wait};

void weir_say_closed(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];
	uint32_t refused = 0;

	for (uint32_t block = 0; block < s->blocks; block++)
		refused += weir_note(s, block, WEIR_NOTE_COUNT(id));
	weir_finding_say(f,
	                 "block %u pushes to queue '%s' in %s after it was closed: the queue does "
	                 "not have the item.",
	                 m[WEIR_MISUSE_BLOCK], s->suspects[id].name, weir_misuse_place(s, m).text);
	if (refused)
		weir_finding_say(f, " %u push%s refused in this launch.", refused,
		                 refused == 1 ? " was" : "es were");
}

void weir_say_item(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u pushes or pops items of %u word%s in %s",
	                 m[WEIR_MISUSE_BLOCK], m[WEIR_MISUSE_VALUE],
	                 m[WEIR_MISUSE_VALUE] == 1 ? "" : "s", weir_misuse_place(s, m).text);
	if (id)
		weir_finding_say(f, ": those of queue '%s' have %u", s->suspects[id].name,
		                 s->suspects[id].config.queue.words);
	weir_finding_say(f, ". The launch ended there.");
}

void weir_say_batch(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u pushes or pops %u items at once in %s", m[WEIR_MISUSE_BLOCK],
	                 m[WEIR_MISUSE_VALUE], weir_misuse_place(s, m).text);
	if (id)
		weir_finding_say(f, ": queue '%s' holds %u", s->suspects[id].name,
		                 1u << s->suspects[id].config.queue.bits);
	weir_finding_say(f, ". The launch ended there.");
}

void weir_say_side(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	int is_push = m[WEIR_MISUSE_VALUE] == WEIR_QUEUE_ONE_PUSHES;

	weir_finding_block(f, m[WEIR_MISUSE_VALUE + 1]);
	weir_finding_say(f,
	                 "block %u %s queue '%s' in %s while block %u does: the queue was made for "
	                 "one block at a time there. Items may be lost or duplicated.",
	                 m[WEIR_MISUSE_BLOCK], is_push ? "pushes to" : "pops from",
	                 s->suspects[m[WEIR_MISUSE_OBJECT]].name, weir_misuse_place(s, m).text,
	                 m[WEIR_MISUSE_VALUE + 1]);
}

/* From what weir/leave.h leaves behind: including block 0, the number missing to the next
 * multiple. */
void weir_say_not_left(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	const weir_suspect *suspect = &s->suspects[m[WEIR_MISUSE_OBJECT]];
	uint32_t left = m[WEIR_MISUSE_VALUE];
	int has_first = left > WEIR_LEFT_STEP / 2;
	uint32_t count = has_first ? WEIR_LEFT_STEP - left : left;

	weir_finding_say(f,
	                 "block %u uses %s '%s' in %s, first of its launch. Of an earlier launch, ",
	                 m[WEIR_MISUSE_BLOCK], weir_primitive_name(suspect->primitive),
	                 suspect->name, weir_misuse_place(s, m).text);
	if (has_first)
		weir_finding_say(f, "%u block%s not left it", count,
		                 count == 1 ? " has" : "s have");
	else
		weir_finding_say(f, "%u block%s left it, and block 0 has not", count,
		                 count == 1 ? " has" : "s have");
	weir_finding_say(f, ": it was aborted, or not every block left once. Reset the %s.",
	                 weir_primitive_name(suspect->primitive));
}
