/* Finds problems from the notes of the blocks. Each finding has a kind, a text in plain words, and
 * the objects and blocks that it names. */
#include <stdio.h>
#include <string.h>

#include "diagnose/finding.h"

weir_finding weir_finding_begin(const char *kind)
{
	weir_finding f = {.kind = kind, .objects = json_array(), .blocks = json_array()};
	return f;
}

void weir_finding_say(weir_finding *f, const char *format, ...)
{
	size_t length = strlen(f->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(f->text + length, sizeof f->text - length, format, arguments);
	va_end(arguments);
}

void weir_finding_object(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	json_array_append_new(f->objects, json_string(s->suspects[id].name));
}

int weir_finding_block(weir_finding *f, uint32_t block)
{
	size_t i;
	json_t *named;

	json_array_foreach(f->blocks, i, named) if (json_integer_value(named) == block) return 0;
	json_array_append_new(f->blocks, json_integer(block));
	return 1;
}

void weir_finding_end(weir_finding *f, json_t *findings)
{
	if (!findings) {
		json_decref(f->objects);
		json_decref(f->blocks);
		return;
	}
	json_array_append_new(findings,
	                      json_pack("{s:s, s:s, s:o, s:o}", "kind", f->kind, "text", f->text,
	                                "objects", f->objects, "blocks", f->blocks));
}

#define MOST_NAMED 8 /* blocks in a list */

uint32_t weir_finding_blocks(weir_finding *f, const weir_snapshot *s, uint32_t id,
                             int (*is)(const weir_snapshot *s, uint32_t block, uint32_t id))
{
	uint32_t count = 0, said = 0;

	for (uint32_t block = 0; block < s->blocks; block++)
		count += is(s, block, id) != 0;
	for (uint32_t block = 0; block < s->blocks && said < count; block++) {
		if (!is(s, block, id))
			continue;
		weir_finding_block(f, block);
		if (said++ < MOST_NAMED)
			weir_finding_say(f, "%s%u",
			                 said > 1     ? ", "
			                 : count == 1 ? "block "
			                              : "blocks ",
			                 block);
	}
	if (count > MOST_NAMED)
		weir_finding_say(f, " and %u more", count - MOST_NAMED);
	return count;
}

static const char *primitive_of(const weir_snapshot *s, uint32_t id)
{
	return weir_primitive_name(s->suspects[id].primitive);
}

void weir_finding_where(weir_finding *f, const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_waits_for(s, block);

	if (id)
		weir_finding_say(f, "waits for %s '%s' (%s)", primitive_of(s, id),
		                 s->suspects[id].name,
		                 weir_place_of(&s->files, weir_doing_at(s, block)).text);
	else
		weir_finding_say(
		    f, "waits for nothing that weir knows of: it is running, or it has ended");
}

weir_place weir_entry_place(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_place_of(&s->files, weir_entry(s, block, id));
}

uint32_t weir_holder(const weir_snapshot *s, uint32_t id)
{
	for (uint32_t block = 0; block < s->blocks; block++)
		if (weir_holds(s, block, id))
			return block;
	return WEIR_BLOCKS;
}

int weir_misused(const weir_snapshot *s, uint32_t id, uint32_t kind)
{
	for (uint32_t i = 0; i < WEIR_MISUSES; i++) {
		const uint32_t *m = s->words + WEIR_MISUSE_AT((size_t)i);
		if (m[WEIR_MISUSE_KIND] == kind && m[WEIR_MISUSE_OBJECT] == id)
			return 1;
	}
	return 0;
}

int weir_misused_by(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t kind)
{
	for (uint32_t i = 0; i < WEIR_MISUSES; i++) {
		const uint32_t *m = s->words + WEIR_MISUSE_AT((size_t)i);
		if (m[WEIR_MISUSE_KIND] == kind && m[WEIR_MISUSE_OBJECT] == id &&
		    m[WEIR_MISUSE_BLOCK] == block)
			return 1;
	}
	return 0;
}

uint32_t weir_next_holder(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_waits_for(s, block);

	if (!id || (s->suspects[id].primitive != WEIR_PRIMITIVE_MUTEX &&
	            s->suspects[id].primitive != WEIR_PRIMITIVE_RWLOCK))
		return WEIR_BLOCKS;
	return weir_holder(s, id);
}

static void report_cycle(const weir_snapshot *s, uint32_t first, json_t *findings)
{
	weir_finding f = weir_finding_begin("deadlock");
	uint32_t block = first;

	do {
		uint32_t id = weir_waits_for(s, block);
		uint32_t next = weir_holder(s, id);
		weir_finding_say(
		    &f, "%sblock %u waits for %s '%s' (%s), which block %u locked in %s",
		    block == first ? "" : "; ", block, primitive_of(s, id), s->suspects[id].name,
		    weir_place_of(&s->files, weir_doing_at(s, block)).text, next,
		    weir_entry_place(s, next, id).text);
		weir_finding_object(&f, s, id);
		weir_finding_block(&f, block);
		block = next;
	} while (block != first);
	weir_finding_say(
	    &f, ". None of them can go on. Lock these mutexes in the same order everywhere.");
	weir_finding_end(&f, findings);
}

/* Reports each cycle once, from its lowest block. */
static void find_cycles(const weir_snapshot *s, json_t *findings)
{
	for (uint32_t first = 0; first < s->blocks; first++) {
		uint32_t block = weir_next_holder(s, first);
		uint32_t steps = 0;
		while (block < WEIR_BLOCKS && block > first && steps++ < WEIR_BLOCKS)
			block = weir_next_holder(s, block);
		if (block == first)
			report_cycle(s, first, findings);
	}
}

uint32_t weir_count_waiting(const weir_snapshot *s, uint32_t id, uint32_t *one)
{
	uint32_t count = 0;

	for (uint32_t block = 0; block < s->blocks; block++)
		if (weir_waits_for(s, block) == id && s->waited_ms[block] > 0) {
			if (count++ == 0)
				*one = block;
		}
	return count;
}

/* A mutex that blocks wait for while its holder does not wait for a mutex itself. */
static void find_holder(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	weir_finding f;
	uint32_t one = 0;
	uint32_t waiting = weir_count_waiting(s, id, &one);
	uint32_t has = weir_holder(s, id);

	if (!waiting || weir_misused_by(s, one, id, WEIR_MISUSE_LOCKED_TWICE) ||
	    (has < WEIR_BLOCKS && weir_next_holder(s, has) < WEIR_BLOCKS))
		return;
	f = weir_finding_begin("held");
	weir_finding_object(&f, s, id);
	weir_finding_say(&f, "%u block%s for mutex '%s', the first of them block %u (%s). ",
	                 waiting, waiting == 1 ? " waits" : "s wait", s->suspects[id].name, one,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
	if (has < WEIR_BLOCKS) {
		weir_finding_block(&f, has);
		weir_finding_say(&f, "Block %u has held it since %s and ", has,
		                 weir_entry_place(s, has, id).text);
		weir_finding_where(&f, s, has);
		weir_finding_say(&f, ". If it has ended, it did so without weir_mutex_unlock.");
	} else {
		weir_finding_say(&f, "No block of this launch holds it: an earlier launch ended "
		                     "while holding it, or its memory was overwritten.");
	}
	weir_finding_end(&f, findings);
}

static void find_starved(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	weir_finding f;
	uint32_t one = 0;
	uint32_t waiting = weir_count_waiting(s, id, &one);
	uint32_t listed = 0;

	if (!waiting)
		return;
	f = weir_finding_begin("no_slot");
	weir_finding_object(&f, s, id);
	weir_finding_say(
	    &f, "%u block%s for a slot of semaphore '%s', the first of them block %u (%s). ",
	    waiting, waiting == 1 ? " waits" : "s wait", s->suspects[id].name, one,
	    weir_place_of(&s->files, weir_doing_at(s, one)).text);
	for (uint32_t block = 0; block < s->blocks; block++) {
		if (!weir_holds(s, block, id) || listed++ >= 8)
			continue;
		weir_finding_block(&f, block);
		weir_finding_say(&f, "Block %u has %u since %s and ", block,
		                 weir_note(s, block, WEIR_NOTE_COUNT(id)),
		                 weir_entry_place(s, block, id).text);
		weir_finding_where(&f, s, block);
		weir_finding_say(&f, ". ");
	}
	weir_finding_say(&f, listed ? "Blocks that hold slots must post them."
	                            : "No block holds one: there were fewer posts than waits.");
	weir_finding_end(&f, findings);
}

static int comes_short(const weir_snapshot *s, uint32_t block)
{
	uint32_t of = weir_note(s, block, WEIR_NOTE_OF);
	uint32_t came = weir_note(s, block, WEIR_NOTE_THREADS);

	return came != 0 && came < of;
}

static void report_short(const weir_snapshot *s, uint32_t block, uint32_t id, json_t *findings)
{
	weir_finding f = weir_finding_begin("fewer_threads");

	weir_finding_object(&f, s, id);
	weir_finding_block(&f, block);
	weir_finding_say(
	    &f,
	    "%u of the %u threads of block %u have arrived at barrier '%s' (%s). Every thread of "
	    "every block must call it.",
	    weir_note(s, block, WEIR_NOTE_THREADS), weir_note(s, block, WEIR_NOTE_OF), block,
	    s->suspects[id].name, weir_place_of(&s->files, weir_doing_at(s, block)).text);
	weir_finding_end(&f, findings);
}

/* `one` is a block that waits there: notes older than its own belong to another launch. It has
 * passed the barrier one time fewer than it has arrived, and so has every other block. */
static void say_missing(weir_finding *f, const weir_snapshot *s, uint32_t id, uint32_t block,
                        uint32_t one)
{
	int now = weir_note(s, block, WEIR_NOTE_LAUNCH) == weir_note(s, one, WEIR_NOTE_LAUNCH);
	uint32_t came = weir_note(s, one, WEIR_NOTE_COUNT(id));
	uint32_t passed = came > 0 ? came - 1 : 0; /* 0 when it is being reset */
	uint32_t noted = weir_note(s, block, WEIR_NOTE_COUNT(id));
	uint32_t count = now ? (noted > passed ? noted : passed) : 0;

	weir_finding_say(f, "Block %u arrived %u time%s", block, count, count == 1 ? "" : "s");
	if (count)
		weir_finding_say(f, " (last in %s)", weir_entry_place(s, block, id).text);
	weir_finding_say(f, " and ");
	weir_finding_where(f, s, block);
	weir_finding_say(f, ". ");
}

static void find_missing(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const weir_barrier_config *config = &s->suspects[id].config.barrier;
	uint32_t one = 0;
	uint32_t waiting = weir_count_waiting(s, id, &one);
	uint32_t missing = 0;
	weir_finding f;

	if (!waiting)
		return;
	for (uint32_t block = 0; block < s->blocks; block++)
		if (weir_waits_for(s, block) == id && comes_short(s, block)) {
			report_short(s, block, id, findings);
			return;
		}
	f = weir_finding_begin("barrier");
	weir_finding_object(&f, s, id);
	weir_finding_say(
	    &f,
	    "%u of the %u blocks wait at barrier '%s', where block %u has arrived %u time%s (%s). ",
	    waiting, config->blocks, s->suspects[id].name, one,
	    weir_note(s, one, WEIR_NOTE_COUNT(id)),
	    weir_note(s, one, WEIR_NOTE_COUNT(id)) == 1 ? "" : "s",
	    weir_place_of(&s->files, weir_doing_at(s, one)).text);
	for (uint32_t i = 0; i < config->blocks; i++) {
		uint32_t block = config->first_block + i;
		if (block >= WEIR_BLOCKS || weir_waits_for(s, block) == id)
			continue;
		weir_finding_block(&f, block);
		if (missing++ < 8)
			say_missing(&f, s, id, block, one);
	}
	if (missing > 8)
		weir_finding_say(&f, "%u more have not arrived. ", missing - 8);
	weir_finding_say(
	    &f, missing ? "Every block must arrive equally often."
			: "All have arrived: its state was overwritten, or two grids use it.");
	weir_finding_end(&f, findings);
}

static const weir_family mutexes_family = {.find = find_holder};
static const weir_family semaphores_family = {.find = find_starved};
static const weir_family barriers_family = {.find = find_missing};

const weir_family *weir_family_of(const weir_suspect *suspect)
{
	static const weir_family none = {0};
	static const weir_family *const families[WEIR_PRIMITIVES] = {
	    [WEIR_PRIMITIVE_BARRIER] = &barriers_family,
	    [WEIR_PRIMITIVE_MUTEX] = &mutexes_family,
	    [WEIR_PRIMITIVE_SEMAPHORE] = &semaphores_family,
	    [WEIR_PRIMITIVE_EVENT_ARRAY] = &weir_events_family,
	    [WEIR_PRIMITIVE_QUEUE] = &weir_queues_family,
	    [WEIR_PRIMITIVE_TASKS] = &weir_tasks_family,
	    [WEIR_PRIMITIVE_CONDITION] = &weir_conditions_family,
	    [WEIR_PRIMITIVE_RWLOCK] = &weir_rwlocks_family,
	    [WEIR_PRIMITIVE_ONCE] = &weir_onces_family,
	    [WEIR_PRIMITIVE_COMBINER] = &weir_combiners_family,
	    [WEIR_PRIMITIVE_CREW] = &weir_crews_family,
	};
	const weir_family *family = suspect->name[0] ? families[suspect->primitive] : NULL;

	return family ? family : &none;
}

static void find_waits(const weir_snapshot *s, json_t *findings)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++) {
		const weir_family *family = weir_family_of(&s->suspects[id]);
		if (family->find)
			family->find(s, id, findings);
	}
}

weir_place weir_misuse_place(const weir_snapshot *s, const uint32_t *m)
{
	return weir_place_of(&s->files, weir_site_in(m + WEIR_MISUSE_SITE));
}

/* "'accounts'"; without a diagnosis an object has no name here. */
static void say_name(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	const char *name = s->suspects[m[WEIR_MISUSE_OBJECT]].name;

	weir_finding_say(f, "%s%s%s", name[0] ? "'" : "an object without a diagnosis", name,
	                 name[0] ? "'" : "");
}

static void say_wrong_kind(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	char text[WEIR_FAULT_BYTES];

	weir_fault_text((weir_fault){m[WEIR_MISUSE_FAULT], m[WEIR_MISUSE_VALUE]}, text);
	weir_finding_say(f, "block %u uses ", m[WEIR_MISUSE_BLOCK]);
	say_name(f, s, m);
	weir_finding_say(f, " in %s as %s.", weir_misuse_place(s, m).text, text);
	if (m[WEIR_MISUSE_FAULT] != WEIR_FAULT_RESULT)
		weir_finding_say(f, " The handle was written to, or is not of this primitive.");
}

static void say_past_array(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u takes event %u of ", m[WEIR_MISUSE_BLOCK],
	                 m[WEIR_MISUSE_VALUE]);
	say_name(f, s, m);
	weir_finding_say(f, " in %s", weir_misuse_place(s, m).text);
	if (id != 0)
		weir_finding_say(f, ", which has %u", s->suspects[id].config.event_array.length);
	weir_finding_say(f, ". The launch ended there.");
}

static void say_far(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t target = m[WEIR_MISUSE_VALUE], count = m[WEIR_MISUSE_VALUE + 1];

	weir_finding_say(f, "block %u waits in %s until event '%s'[%u] is at %u. It is at %u: ",
	                 m[WEIR_MISUSE_BLOCK], weir_misuse_place(s, m).text,
	                 s->suspects[m[WEIR_MISUSE_OBJECT]].name, m[WEIR_MISUSE_FAULT], target,
	                 count);
	if (weir_event_is_past_(count, target))
		weir_finding_say(f,
		                 "by signed difference %u past the target, so that the wait "
		                 "returned at once.",
		                 count - target);
	else
		weir_finding_say(f, "%u before the target.", target - count);
	weir_finding_say(f, " A target is less than 2^31 ahead, and waited for in time.");
}

static void say_amount(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	weir_finding_say(
	    f,
	    "block %u signals event '%s'[%u] with %u in %s: it must be from 1 to 2^31. "
	    "Nothing was added.",
	    m[WEIR_MISUSE_BLOCK], s->suspects[m[WEIR_MISUSE_OBJECT]].name, m[WEIR_MISUSE_FAULT],
	    m[WEIR_MISUSE_VALUE], weir_misuse_place(s, m).text);
}

/* `format` takes the name of the object, then block, place and value. `value_place`: the value is a
 * place. `say` replaces `format` where that is not enough. */
static const struct misuse {
	const char *kind;
	const char *format;
	int value_place;
	void (*say)(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
} misuses[] = {
    [WEIR_MISUSE_LOCKED_TWICE] = {"locked_twice", NULL, 0, weir_say_locked_twice},
    [WEIR_MISUSE_STRANGER] = {"unlocked_by_stranger", NULL, 0, weir_say_stranger},
    [WEIR_MISUSE_ABOVE_MAXIMUM] = {"posted_above_maximum",
                                   "block %2$u posted semaphore '%1$s' in %3$s above its maximum "
                                   "of %4$s: there were more posts than waits.",
                                   0, NULL},
    [WEIR_MISUSE_FEWER_THREADS] = {"fewer_threads",
                                   "only %4$s threads of block %2$u called barrier '%1$s' (%3$s). "
                                   "Every thread of every block must.",
                                   0, NULL},
    [WEIR_MISUSE_DEAD] = {"used_after_destroy",
                          "block %2$u uses '%1$s' in %3$s, which was destroyed before the launch.",
                          0, NULL},
    [WEIR_MISUSE_ENDED_HOLDING] = {"ended_holding", NULL, 0, weir_say_ended_holding},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_BARRIER)] = {"wrong_kind", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_MUTEX)] = {"wrong_kind", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_SEMAPHORE)] = {"wrong_kind", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_EVENT)] = {"wrong_kind", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_QUEUE)] = {"wrong_kind", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_FAR] = {"far_target", NULL, 0, say_far},
    [WEIR_MISUSE_AMOUNT] = {"bad_amount", NULL, 0, say_amount},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_INDEX)] = {"past_array", NULL, 0, say_past_array},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_RESULT)] = {"no_result", NULL, 0, say_wrong_kind},
    [WEIR_MISUSE_CLOSED] = {"pushed_after_close", NULL, 0, weir_say_closed},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_ITEM)] = {"wrong_item", NULL, 0, weir_say_item},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_BATCH)] = {"large_batch", NULL, 0, weir_say_batch},
    [WEIR_MISUSE_SIDE] = {"shared_side", NULL, 0, weir_say_side},
    [WEIR_MISUSE_NOT_LEFT] = {"not_left", NULL, 0, weir_say_not_left},
    [WEIR_MISUSE_AFTER_NONE] = {"taken_after_none",
                                "block %2$u takes from dispenser '%1$s' in %3$s after it got "
                                "none: it has left already, and the dispenser counts it twice.",
                                0, NULL},
    [WEIR_MISUSE_MIDDLE] = {"begins_in_middle",
                            "block %2$u takes from dispenser '%1$s' in %3$s, first of its launch, "
                            "which begins at %4$s and not at 0: takers of an earlier launch did "
                            "not take until they got none, or it was aborted. Reset the "
                            "dispenser.",
                            0, NULL},
    [WEIR_MISUSE_OF_FAULT(
	WEIR_FAULT_SHARE)] = {"empty_take",
                              "block %2$u takes 0 items from dispenser '%1$s' in %3$s. The launch "
                              "ended there.",
                              0, NULL},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_TASK)] = {"bad_task", NULL, 0, weir_say_task},
    [WEIR_MISUSE_WAITS_WITHOUT] = {"waits_without_mutex", NULL, 0, weir_say_without},
    [WEIR_MISUSE_SIGNALS_WITHOUT] = {"signals_without_mutex", NULL, 0, weir_say_without},
    [WEIR_MISUSE_TWO_MUTEXES] = {"two_mutexes", NULL, 0, weir_say_two_mutexes},
    [WEIR_MISUSE_UNLOCK] = {"wrong_unlock", NULL, 0, weir_say_unlock},
    [WEIR_MISUSE_UPGRADE] = {"upgrade",
                             "block %2$u asks to write in %3$s while it reads '%1$s' since %4$s: "
                             "it waits for itself. Unlock as a reader first, and look again at "
                             "what you read.",
                             1, NULL},
    [WEIR_MISUSE_BEGUN_TWICE] = {"begun_twice",
                                 "block %2$u begins once '%1$s' in %3$s, which it began in %4$s "
                                 "and has not ended: it waits for itself.",
                                 1, NULL},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_OPERATION)] = {"large_operation", NULL, 0, weir_say_operation},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_SEAT)] = {"no_seat", NULL, 0, weir_say_seat},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_COMBINER)] = {"few_threads", NULL, 0, weir_say_few_threads},
    [WEIR_MISUSE_SERVED_TWICE] = {"served_twice",
                                  "block %2$u begins to serve '%1$s' in %3$s, and another block "
                                  "serves: weir_combiner_serve returned 0. One block serves in a "
                                  "launch.",
                                  0, NULL},
    [WEIR_MISUSE_OF_FAULT(WEIR_FAULT_LANE)] = {"past_lanes", NULL, 0, weir_say_lane},
    [WEIR_MISUSE_LANE_SHARED] = {"shared_lane", NULL, 0, weir_say_lane_shared},
    [WEIR_MISUSE_TOKEN] = {"old_token",
                           "block %2$u waits in %3$s with an old token of crew '%1$s': the phase "
                           "of its arrival has passed. Wait with a token until it passes, and "
                           "then no more.",
                           0, NULL},
    [WEIR_MISUSE_CREW_BLOCKS] = {"wrong_blocks", NULL, 0, weir_say_crew_blocks},
};

#define MISUSE_KINDS (sizeof misuses / sizeof misuses[0])

static void say_misuse(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	const struct misuse *misuse = &misuses[m[WEIR_MISUSE_KIND]];
	weir_place value = weir_place_of(&s->files, weir_site_in(m + WEIR_MISUSE_VALUE));

	if (misuse->say) {
		misuse->say(f, s, m);
		return;
	}
	if (!misuse->value_place)
		snprintf(value.text, sizeof value.text, "%u", m[WEIR_MISUSE_VALUE]);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	weir_finding_say(f, misuse->format, s->suspects[m[WEIR_MISUSE_OBJECT]].name,
	                 m[WEIR_MISUSE_BLOCK], weir_misuse_place(s, m).text, value.text);
#pragma GCC diagnostic pop
}

/* One finding for all notes of the same kind, object and source line; it names every block. */
static void find_misuse(const weir_snapshot *s, uint32_t i, json_t *findings)
{
	const uint32_t *m = s->words + WEIR_MISUSE_AT((size_t)i);
	uint32_t id = m[WEIR_MISUSE_OBJECT];
	uint32_t alike = 0;
	weir_finding f;

	if (m[WEIR_MISUSE_KIND] >= MISUSE_KINDS || !misuses[m[WEIR_MISUSE_KIND]].kind ||
	    id >= WEIR_DIAGNOSED)
		return;
	f = weir_finding_begin(misuses[m[WEIR_MISUSE_KIND]].kind);
	if (id != 0)
		weir_finding_object(&f, s, id);
	for (uint32_t j = 0; j < WEIR_MISUSES; j++) {
		const uint32_t *other = s->words + WEIR_MISUSE_AT((size_t)j);
		if (other[WEIR_MISUSE_KIND] != m[WEIR_MISUSE_KIND] ||
		    other[WEIR_MISUSE_OBJECT] != id ||
		    weir_site_in(other + WEIR_MISUSE_SITE) != weir_site_in(m + WEIR_MISUSE_SITE))
			continue;
		if (j < i) { /* reported with that one */
			weir_finding_end(&f, NULL);
			return;
		}
		alike += (uint32_t)weir_finding_block(&f, other[WEIR_MISUSE_BLOCK]);
	}
	say_misuse(&f, s, m);
	if (alike > 1)
		weir_finding_say(&f, " So did %u more.", alike - 1);
	weir_finding_end(&f, findings);
}

/* The site where a block locked y while it held x; 0: none did. */
static uint64_t ordered(const weir_snapshot *s, uint32_t x, uint32_t y)
{
	return weir_site_in(s->words + WEIR_ORDER_AT((size_t)x, y) + WEIR_ORDER_SITE);
}

/* The shortest path from x to y over the lock order; before[] leads back. 0: none. */
static int find_way(const weir_snapshot *s, uint32_t x, uint32_t y, uint32_t *before)
{
	uint32_t queue[WEIR_DIAGNOSED];
	uint32_t head = 0, tail = 0;

	memset(before, 0, WEIR_DIAGNOSED * sizeof *before);
	queue[tail++] = x;
	while (head < tail) {
		uint32_t at = queue[head++];
		for (uint32_t next = 1; next < WEIR_DIAGNOSED; next++) {
			if (before[next] || !ordered(s, at, next))
				continue;
			before[next] = at;
			if (next == y)
				return 1;
			queue[tail++] = next;
		}
	}
	return 0;
}

static void report_order(const weir_snapshot *s, uint32_t first, const uint32_t *before,
                         json_t *findings)
{
	weir_finding f = weir_finding_begin("order");
	uint32_t at = first;

	weir_finding_say(&f, "this order of locks can deadlock: ");
	do {
		uint32_t from = before[at];
		uint32_t block = s->words[WEIR_ORDER_AT((size_t)from, at) + WEIR_ORDER_BLOCK] - 1;
		weir_finding_say(&f, "%sblock %u locked '%s' in %s while it held '%s'",
		                 at == first ? "" : "; ", block, s->suspects[at].name,
		                 weir_place_of(&s->files, ordered(s, from, at)).text,
		                 s->suspects[from].name);
		weir_finding_object(&f, s, at);
		weir_finding_block(&f, block);
		at = from;
	} while (at != first);
	weir_finding_say(&f, ". It did not this time. Lock them in the same order everywhere.");
	weir_finding_end(&f, findings);
}

/* Reports a cycle once, from its lowest mutex, and only if it is not a deadlock already. */
static void find_orders(const weir_snapshot *s, json_t *findings)
{
	uint32_t before[WEIR_DIAGNOSED];

	for (uint32_t first = 1; first < WEIR_DIAGNOSED; first++) {
		uint32_t at = first;
		int lowest = 1;
		if (!find_way(s, first, first, before))
			continue;
		do {
			at = before[at];
			lowest &= at >= first;
		} while (at != first);
		if (lowest)
			report_order(s, first, before, findings);
	}
}

static int has_kind(const json_t *findings, const char *kind)
{
	size_t i;
	json_t *finding;

	json_array_foreach(findings, i,
	                   finding) if (strcmp(json_string_value(json_object_get(finding, "kind")),
	                                       kind) == 0) return 1;
	return 0;
}

json_t *weir_findings(const weir_snapshot *s)
{
	json_t *findings = json_array();

	find_cycles(s, findings);
	for (uint32_t i = 0; i < WEIR_MISUSES; i++)
		find_misuse(s, i, findings);
	find_waits(s, findings);
	if (!has_kind(findings, "deadlock"))
		find_orders(s, findings);
	return findings;
}
