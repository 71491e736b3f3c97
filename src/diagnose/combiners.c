/* Combiners in a report: the block that combines or serves, the blocks that wait for it, and the
 * messages about misuse. */
#include "diagnose/finding.h"

/* Decided by the block's operation and not by weir_waits_long: a block that completes few polls, on
 * a busy computer or with long pauses, waits for a long time before it notes that. */
static int calls(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_for(s, block) == id && s->waited_ms[block] > 0 &&
	       WEIR_DOING_OPERATION(weir_doing(s, block)) == WEIR_OPERATION_COMBINE;
}

static uint32_t first_caller(const weir_snapshot *s, uint32_t id)
{
	uint32_t block = 0;

	while (block < WEIR_BLOCKS && !calls(s, block, id))
		block++;
	return block;
}

static uint32_t state_of(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_note(s, block, WEIR_NOTE_COUNT(id));
}

/* The first block in the launch of `one` whose state is `state` in the bits of `mask`. */
static uint32_t first_with(const weir_snapshot *s, uint32_t one, uint32_t id, uint32_t mask,
                           uint32_t state)
{
	uint32_t block = 0;

	while (block < WEIR_BLOCKS &&
	       ((state_of(s, block, id) & mask) != state ||
	        weir_note(s, block, WEIR_NOTE_LAUNCH) != weir_note(s, one, WEIR_NOTE_LAUNCH)))
		block++;
	return block;
}

static int has_not_left(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_entry(s, block, id) && state_of(s, block, id) == 0;
}

static void say_callers(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	uint32_t one = first_caller(s, id), count;

	if (one == WEIR_BLOCKS)
		return;
	count = weir_finding_blocks(f, s, id, calls);
	weir_finding_say(f, " wait%s for an operation of '%s'%s since %.1f s in %s. ",
	                 count == 1 ? "s" : "", s->suspects[id].name,
	                 count == 1 ? "" : ", the first of them", (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
}

/* The block that combines or serves has been working for long, or has left without a release. */
static void report_combining(const weir_snapshot *s, uint32_t id, uint32_t has, json_t *findings)
{
	weir_finding f = weir_finding_begin("combining");

	weir_finding_object(&f, s, id);
	say_callers(&f, s, id);
	weir_finding_block(&f, has);
	weir_finding_say(&f, "Block %u has combined for %.1f s (%s) and ", has,
	                 (double)s->combined_ms[has] / 1000, weir_entry_place(s, has, id).text);
	weir_finding_where(&f, s, has);
	weir_finding_say(&f, ". If it has ended, it did so without weir_combiner_release.");
	weir_finding_end(&f, findings);
}

static void report_no_server(const weir_snapshot *s, uint32_t id, uint32_t left, json_t *findings)
{
	weir_finding f = weir_finding_begin(left < WEIR_BLOCKS ? "server_left" : "no_server");

	weir_finding_object(&f, s, id);
	say_callers(&f, s, id);
	if (left < WEIR_BLOCKS) {
		weir_finding_block(&f, left);
		weir_finding_say(&f,
		                 "Block %u has served, and released it in %s before all others had "
		                 "left. Serve while weir_combiner_serve_next returns 1.",
		                 left, weir_entry_place(s, left, id).text);
	} else {
		weir_finding_say(&f, "It was made for a server, and no block of the launch "
		                     "serves. Launch one that calls weir_combiner_serve, or create "
		                     "it without options.served.");
	}
	weir_finding_end(&f, findings);
}

static void report_free(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	weir_finding f = weir_finding_begin("combining");

	weir_finding_object(&f, s, id);
	say_callers(&f, s, id);
	weir_finding_say(&f,
	                 "No block of this launch combines: a launch before this one ended with "
	                 "the combiner, or its memory was written to. Reset it.");
	weir_finding_end(&f, findings);
}

/* The server has nothing to do, and waits for the other blocks to leave. */
static void report_server(const weir_snapshot *s, uint32_t id, uint32_t server, json_t *findings)
{
	weir_finding f = weir_finding_begin("server_waits");
	weir_finding others = weir_finding_begin("");
	uint32_t count = weir_finding_blocks(&others, s, id, has_not_left);

	weir_finding_end(&others, NULL);
	weir_finding_object(&f, s, id);
	weir_finding_block(&f, server);
	weir_finding_say(&f, "block %u serves '%s' and has had nothing to do for %.1f s (%s). ",
	                 server, s->suspects[id].name, (double)s->waited_ms[server] / 1000,
	                 weir_entry_place(s, server, id).text);
	if (count) {
		weir_finding_say(&f, "Of those that called it, ");
		weir_finding_blocks(&f, s, id, has_not_left);
		weir_finding_say(&f, " %s not left it. ", count == 1 ? "has" : "have");
	}
	weir_finding_say(&f, "Every other block of the launch must call weir_combiner_leave once.");
	weir_finding_end(&f, findings);
}

static void find_combiner(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const uint32_t roles = WEIR_COMBINER_SERVES | WEIR_COMBINER_LEFT;
	uint32_t one = 0, serves, left, has = WEIR_BLOCKS;
	int is_called;

	if (!weir_count_waiting(s, id, &one) || weir_misused(s, id, WEIR_MISUSE_ENDED_HOLDING) ||
	    weir_misused(s, id, WEIR_MISUSE_NOT_LEFT))
		return;
	serves = first_with(s, one, id, roles, WEIR_COMBINER_SERVES);
	left = first_with(s, one, id, roles, roles);
	for (uint32_t block = 0; block < s->blocks && has == WEIR_BLOCKS; block++)
		has = weir_combines(s, block) == id ? block : has;
	is_called = first_caller(s, id) < WEIR_BLOCKS;
	if (!is_called && serves < WEIR_BLOCKS)
		report_server(s, id, serves, findings);
	else if (has < WEIR_BLOCKS || serves < WEIR_BLOCKS)
		report_combining(s, id, has < WEIR_BLOCKS ? has : serves, findings);
	else if (is_called && (s->suspects[id].config.combiner.is_served || left < WEIR_BLOCKS))
		report_no_server(s, id, left, findings);
	else if (is_called) /* otherwise the server left while it was being read */
		report_free(s, id, findings);
}

const weir_family weir_combiners_family = {.find = find_combiner};

/* "combiner 'table' in a.cu:7"; without a diagnosis it has no name here. */
static void say_combiner(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	if (id)
		weir_finding_say(f, "combiner '%s'", s->suspects[id].name);
	else
		weir_finding_say(f, "a combiner without a diagnosis");
	weir_finding_say(f, " in %s", weir_misuse_place(s, m).text);
}

void weir_say_operation(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u publishes an operation of %u words for ",
	                 m[WEIR_MISUSE_BLOCK], m[WEIR_MISUSE_VALUE]);
	say_combiner(f, s, m);
	if (id)
		weir_finding_say(f, ", which has room for %u",
		                 s->suspects[id].config.combiner.words);
	weir_finding_say(f, ". The launch ended there.");
}

void weir_say_seat(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u calls ", m[WEIR_MISUSE_BLOCK]);
	say_combiner(f, s, m);
	if (id)
		weir_finding_say(f, ", which was created for %u block%s",
		                 s->suspects[id].config.combiner.seats,
		                 s->suspects[id].config.combiner.seats == 1 ? "" : "s");
	weir_finding_say(f, ". The launch ended there.");
}

void weir_say_few_threads(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	weir_finding_say(f, "block %u calls ", m[WEIR_MISUSE_BLOCK]);
	say_combiner(f, s, m);
	weir_finding_say(f, " and has %u threads: it needs a warp. The launch ended there.",
	                 m[WEIR_MISUSE_VALUE]);
}
