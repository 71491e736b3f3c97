/* Conditions, reader-writer locks and onces in a report: the blocks that wait for them and the blocks
 * that hold them. The messages about misuse of everything that is locked are here as well. */
#include "diagnose/finding.h"

#define MOST_NAMED 8 /* blocks that hold a lock */

static const char *primitive_of(const weir_snapshot *s, uint32_t id)
{
	return weir_primitive_name(s->suspects[id].primitive);
}

static int is_of_launch(const weir_snapshot *s, uint32_t block, uint32_t one)
{
	return weir_note(s, block, WEIR_NOTE_LAUNCH) == weir_note(s, one, WEIR_NOTE_LAUNCH);
}

/* ", the first of them since 1.0 s in a.cu:7" */
static void say_since(weir_finding *f, const weir_snapshot *s, uint32_t one, uint32_t count)
{
	weir_finding_say(f, "%s since %.1f s in %s", count == 1 ? "" : ", the first of them",
	                 (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
}

static int sleeps(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_CONDITION);
}

/* The condition that the block waits for; 0: none. */
static uint32_t condition_of(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_waits_for(s, block);

	return id && s->suspects[id].primitive == WEIR_PRIMITIVE_CONDITION && sleeps(s, block, id)
	           ? id
	           : 0;
}

/* Whether all blocks in the launch of `one` wait for conditions. If so, `first` is one of these. */
static int all_sleep(const weir_snapshot *s, uint32_t one, uint32_t *first)
{
	uint32_t blocks = 0;

	*first = WEIR_DIAGNOSED;
	for (uint32_t block = 0; block < s->blocks; block++) {
		uint32_t id = condition_of(s, block);
		if (!id || !is_of_launch(s, block, one))
			continue;
		blocks++;
		*first = id < *first ? id : *first;
	}
	return blocks == weir_note(s, one, WEIR_NOTE_BATCH);
}

static int has_signalled_nobody(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_note(s, block, WEIR_NOTE_COUNT(id)) != 0;
}

static uint32_t count_lost(const weir_snapshot *s, uint32_t id)
{
	uint32_t lost = 0;

	for (uint32_t block = 0; block < s->blocks; block++)
		lost += weir_note(s, block, WEIR_NOTE_COUNT(id));
	return lost;
}

/* The mutex with which the block waits for a condition; 0: it has no name. */
static uint32_t mutex_of(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_note(s, block, WEIR_NOTE_INDEX);

	return id < WEIR_DIAGNOSED ? id : 0;
}

/* "Blocks 0, 2 wait for condition 'filled' with mutex 'm', the first of them since 1.0 s in a.cu:7." */
static void say_sleepers(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	uint32_t one = 0, count, mutex, lost = count_lost(s, id);

	weir_count_waiting(s, id, &one);
	mutex = mutex_of(s, one);
	weir_finding_object(f, s, id);
	count = weir_finding_blocks(f, s, id, sleeps);
	weir_finding_say(f, " wait%s for condition '%s'", count == 1 ? "s" : "",
	                 s->suspects[id].name);
	if (mutex)
		weir_finding_say(f, " with mutex '%s'", s->suspects[mutex].name);
	say_since(f, s, one, count);
	weir_finding_say(f, ".");
	if (!lost)
		return;
	weir_finding_say(f, " It was signalled %u time%s while no block waited, by ", lost,
	                 lost == 1 ? "" : "s");
	weir_finding_blocks(f, s, id, has_signalled_nobody);
	weir_finding_say(f, ".");
}

static void report_all_sleep(const weir_snapshot *s, uint32_t first, json_t *findings)
{
	weir_finding f = weir_finding_begin("all_wait");
	uint32_t unused;

	weir_finding_say(
	    &f, "all blocks of the launch wait for conditions: no block is left to signal.");
	for (uint32_t id = first; id < WEIR_DIAGNOSED; id++)
		if (s->suspects[id].primitive == WEIR_PRIMITIVE_CONDITION &&
		    weir_count_waiting(s, id, &unused)) {
			weir_finding_say(&f, " Of them ");
			say_sleepers(&f, s, id);
		}
	weir_finding_end(&f, findings);
}

static void find_condition(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	uint32_t one = 0, first;
	int is_lost = count_lost(s, id) != 0;
	weir_finding f;

	/* Each of these explains any wait. */
	if (!weir_count_waiting(s, id, &one) || !sleeps(s, one, id) ||
	    weir_misused(s, id, WEIR_MISUSE_WAITS_WITHOUT) ||
	    weir_misused(s, id, WEIR_MISUSE_SIGNALS_WITHOUT) ||
	    weir_misused(s, id, WEIR_MISUSE_TWO_MUTEXES))
		return;
	if (all_sleep(s, one, &first)) {
		if (id == first)
			report_all_sleep(s, first, findings);
		return;
	}
	f = weir_finding_begin(is_lost ? "lost_signal" : "condition");
	say_sleepers(&f, s, id);
	weir_finding_say(
	    &f, is_lost
		    ? " If that was meant for them, it was too early, and no block will signal "
		      "again. Look at the predicate, with the mutex, "
		      "before each wait."
		    : " A signal is missing, or a block that should signal is taking very long.");
	weir_finding_end(&f, findings);
}

static void describe_wait(const weir_snapshot *s, uint32_t block, json_t *waits)
{
	uint32_t mutex = mutex_of(s, block);

	if (mutex)
		json_object_set_new(waits, "mutex", json_string(s->suspects[mutex].name));
}

const weir_family weir_conditions_family = {.find = find_condition, .describe_wait = describe_wait};

static int writes(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_note(s, block, WEIR_NOTE_COUNT(id)) >= WEIR_NOTE_WRITES;
}

/* Whether the block waits for a writer that waits for the block. */
static int reads_twice(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_READ) &&
	       weir_note(s, block, WEIR_NOTE_COUNT(id)) % WEIR_NOTE_WRITES > 1;
}

static int report_read_twice(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	weir_finding f = weir_finding_begin("locked_twice");
	uint32_t count = 0;

	weir_finding_object(&f, s, id);
	count = weir_finding_blocks(&f, s, id, reads_twice);
	weir_finding_say(&f,
	                 " wait%s to read '%s' and read%s it already: a writer came between, and "
	                 "waits for the first read. Unlock it first.",
	                 count == 1 ? "s" : "", s->suspects[id].name, count == 1 ? "s" : "");
	weir_finding_end(&f, count ? findings : NULL);
	return count != 0;
}

/* "Block 1 writes since a.cu:7 and waits for ...", for the blocks that hold the lock. */
static uint32_t say_holders(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	uint32_t count = 0;

	for (uint32_t block = 0; block < s->blocks; block++) {
		if (!weir_holds(s, block, id))
			continue;
		weir_finding_block(f, block);
		if (count++ >= MOST_NAMED)
			continue;
		weir_finding_say(f, "Block %u %s since %s and ", block,
		                 writes(s, block, id) ? "writes" : "reads",
		                 weir_entry_place(s, block, id).text);
		weir_finding_where(f, s, block);
		weir_finding_say(f, ". ");
	}
	return count;
}

/* Whether a misuse explains why blocks wait for the lock. */
static int is_explained(const weir_snapshot *s, uint32_t id)
{
	return weir_misused(s, id, WEIR_MISUSE_UPGRADE) ||
	       weir_misused(s, id, WEIR_MISUSE_UNLOCK) ||
	       weir_misused(s, id, WEIR_MISUSE_STRANGER) ||
	       weir_misused(s, id, WEIR_MISUSE_LOCKED_TWICE) ||
	       weir_misused(s, id, WEIR_MISUSE_ENDED_HOLDING);
}

static void find_rwlock(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	uint32_t one = 0;
	uint32_t waiting = weir_count_waiting(s, id, &one);
	uint32_t has = weir_holder(s, id);
	weir_finding f;

	if (!waiting || is_explained(s, id) || report_read_twice(s, id, findings) ||
	    (has < WEIR_BLOCKS && weir_next_holder(s, has) < WEIR_BLOCKS))
		return;
	f = weir_finding_begin("held");
	weir_finding_object(&f, s, id);
	weir_finding_say(
	    &f, "%u block%s for reader-writer lock '%s', the first of them block %u (%s). ",
	    waiting, waiting == 1 ? " waits" : "s wait", s->suspects[id].name, one,
	    weir_place_of(&s->files, weir_doing_at(s, one)).text);
	weir_finding_say(&f, say_holders(&f, s, id)
	                         ? "If one has ended, it did so without an unlock."
	                         : "No block of this launch holds it: an earlier launch ended "
	                           "while holding it, or its memory was overwritten.");
	weir_finding_end(&f, findings);
}

const weir_family weir_rwlocks_family = {.find = find_rwlock};

static void find_once(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	uint32_t one = 0;
	uint32_t waiting = weir_count_waiting(s, id, &one);
	uint32_t has = weir_holder(s, id);
	weir_finding f;

	if (!waiting || weir_misused(s, id, WEIR_MISUSE_BEGUN_TWICE) ||
	    weir_misused(s, id, WEIR_MISUSE_ENDED_HOLDING))
		return;
	f = weir_finding_begin("once");
	weir_finding_object(&f, s, id);
	weir_finding_say(&f, "%u block%s for once '%s', the first of them block %u (%s). ", waiting,
	                 waiting == 1 ? " waits" : "s wait", s->suspects[id].name, one,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
	if (has < WEIR_BLOCKS) {
		weir_finding_block(&f, has);
		weir_finding_say(&f, "Block %u began it in %s and ", has,
		                 weir_entry_place(s, has, id).text);
		weir_finding_where(&f, s, has);
		weir_finding_say(&f, ". If it has ended, it did so without weir_once_end.");
	} else {
		weir_finding_say(&f, "No block of this launch has begun it: a launch before this "
		                     "one did, and has not ended it. Reset the once.");
	}
	weir_finding_end(&f, findings);
}

const weir_family weir_onces_family = {.find = find_once};

/* The place in the value of a misuse. */
static weir_place value_place(const weir_snapshot *s, const uint32_t *m)
{
	return weir_place_of(&s->files, weir_site_in(m + WEIR_MISUSE_VALUE));
}

void weir_say_locked_twice(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(
	    f,
	    "block %u locks %s '%s' in %s, which it has since %s: it waits for itself. "
	    "Unlock it first.",
	    m[WEIR_MISUSE_BLOCK], primitive_of(s, id), s->suspects[id].name,
	    weir_misuse_place(s, m).text, value_place(s, m).text);
}

void weir_say_stranger(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];
	int is_once = s->suspects[id].primitive == WEIR_PRIMITIVE_ONCE;

	weir_finding_say(
	    f, "block %u %s %s '%s' in %s without having %s: %s.", m[WEIR_MISUSE_BLOCK],
	    is_once ? "ended" : "unlocked", primitive_of(s, id), s->suspects[id].name,
	    weir_misuse_place(s, m).text, is_once ? "begun it" : "it",
	    is_once ? "others continue before it is done" : "two blocks may now be inside at once");
}

void weir_say_ended_holding(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	const weir_suspect *suspect = &s->suspects[m[WEIR_MISUSE_OBJECT]];
	int is_locked = suspect->primitive == WEIR_PRIMITIVE_MUTEX ||
	                suspect->primitive == WEIR_PRIMITIVE_RWLOCK;

	weir_finding_say(f,
	                 "block %u of an earlier launch %s %s '%s' in %s and ended with it: a "
	                 "block that %s it now waits forever.",
	                 m[WEIR_MISUSE_BLOCK],
	                 is_locked                                   ? "locked"
	                 : suspect->primitive == WEIR_PRIMITIVE_ONCE ? "began"
	                                                             : "had",
	                 weir_primitive_name(suspect->primitive), suspect->name,
	                 value_place(s, m).text, is_locked ? "locks" : "uses");
}

/* "mutex 'accounts'"; without a diagnosis it has no name here. */
static void say_mutex(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	if (id && id < WEIR_DIAGNOSED) {
		weir_finding_object(f, s, id);
		weir_finding_say(f, "mutex '%s'", s->suspects[id].name);
	} else {
		weir_finding_say(f, "a mutex without a diagnosis");
	}
}

void weir_say_without(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	int is_wait = m[WEIR_MISUSE_KIND] == WEIR_MISUSE_WAITS_WITHOUT;

	weir_finding_say(f, "block %u %s condition '%s' in %s without having ",
	                 m[WEIR_MISUSE_BLOCK], is_wait ? "waits for" : "signals",
	                 s->suspects[m[WEIR_MISUSE_OBJECT]].name, weir_misuse_place(s, m).text);
	say_mutex(f, s, m[WEIR_MISUSE_VALUE]);
	weir_finding_say(f, is_wait
	                        ? ": the wait unlocks it, and two blocks may now be inside at once."
	                        : ", with which others wait: their tickets may get lost.");
}

void weir_say_two_mutexes(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	weir_finding_say(f, "block %u waits for condition '%s' in %s with ", m[WEIR_MISUSE_BLOCK],
	                 s->suspects[m[WEIR_MISUSE_OBJECT]].name, weir_misuse_place(s, m).text);
	say_mutex(f, s, m[WEIR_MISUSE_VALUE]);
	weir_finding_say(f, ", and others with ");
	say_mutex(f, s, m[WEIR_MISUSE_VALUE + 1]);
	weir_finding_say(f, ": every wait and every signal must have the same one.");
}

void weir_say_unlock(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	static const char *const does[] = {"unlocks", "unlocks as a reader", "unlocks as a writer",
	                                   "downgrades"};
	static const char *const has[] = {"does not have", "has as a reader", "has as a writer",
	                                  "has"};

	weir_finding_say(f,
	                 "block %u %s in %s what it %s, reader-writer lock '%s': the lock is wrong "
	                 "from now on. Reset it.",
	                 m[WEIR_MISUSE_BLOCK], does[m[WEIR_MISUSE_VALUE] & 3],
	                 weir_misuse_place(s, m).text, has[m[WEIR_MISUSE_VALUE + 1] & 3],
	                 s->suspects[m[WEIR_MISUSE_OBJECT]].name);
}
