/* The cases of the events. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

typedef struct event_state {
	uint32_t last;   /* how often a block was the last */
	uint32_t opened; /* how many threads were told that they opened a latch */
} event_state;

#define LEFT 8 /* data from here on are written after the wait of a launch */

static uint32_t event_size(weir_any_config config)
{
	return (uint32_t)weir_event_array_words(config.event_array);
}

/* An array that `past` launches have left, with `value` signals for each event in each launch. */
static void start_events(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	weir_event_array a = weir_event_array_make(words, config.event_array);

	weir_event_array_round_start(a, past);
	for (uint32_t i = 0; i < config.event_array.length; i++)
		weir_event_start(weir_event_at(a, i), past * value);
}

#define ROW_(name, NAME, value, parts)                                                             \
	{"event",                                                                                  \
	 #name,                                                                                    \
	 value,                                                                                    \
	 WEIR_UNFAIR,                                                                              \
	 WEIR_QUEUE_NONE,                                                                          \
	 (parts) == WEIR_PARTS_NONE ? WEIR_SHAPE_NONE : WEIR_SHAPE_COUNTERS,                       \
	 event_size,                                                                               \
	 start_events,                                                                             \
	 NULL,                                                                                     \
	 NULL},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_EVENT_KINDS(ROW_)
};
/* clang-format on */

static weir_event_array array(const weir_model_case_run *r)
{
	return weir_event_array_make(r->words, r->config.event_array);
}

static int has_result(const weir_model_case_run *r)
{
	return r->adapter->value != WEIR_EVENT_SHARDS;
}

/* Whether the caller is the last to reach the event, or the one that waits for all. */
static int is_last(const weir_model_case_run *r, weir_event e, uint32_t all)
{
	if (has_result(r))
		return weir_event_signal(e, 2) + 2 == all;
	weir_event_post(e, 2);
	if (weir_block_id() != 0)
		return 0;
	weir_event_wait(e, all);
	return 1;
}

/* Each block writes its part; the last block reads all parts, writes the result and posts it. */
static void fix_up(const weir_model_case_run *r)
{
	event_state *state = r->state;
	weir_event in = weir_event_at(array(r), 0);
	weir_event out = weir_event_at(array(r), 1);
	uint32_t blocks = weir_block_count();

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_model_data_write(weir_block_id());
		if (is_last(r, in, r->c.past + 2 * (i + 1) * blocks)) {
			weir_model_read_all(0, blocks);
			weir_model_data_write(blocks);
			state->last++;
			weir_event_post(out, 1);
		}
		weir_event_wait(out, r->c.past + i + 1);
		weir_model_data_read(blocks);
	}
}

/* Block 0 writes a datum before each signal; a block that has waited for n sees n data. */
static void handoff(const weir_model_case_run *r)
{
	weir_event e = weir_event_at(array(r), 0);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (weir_block_id() != 0) {
			weir_event_wait(e, r->c.past + i + 1);
			weir_model_data_read(i);
			continue;
		}
		weir_model_data_write(i);
		if (has_result(r) && i % 2 == 1)
			weir_model_check(weir_event_signal(e, 1) == r->c.past + i,
			                 "a lone signaller does not find its own count");
		else
			weir_event_post(e, 1);
	}
}

/* Block b posts b + 1, and all wait for the sum. */
static void several(const weir_model_case_run *r)
{
	weir_event e = weir_event_at(array(r), 0);
	uint32_t blocks = weir_block_count();

	weir_model_data_write(weir_block_id());
	weir_event_post(e, weir_block_id() + 1);
	weir_event_wait(e, r->c.past + blocks * (blocks + 1) / 2);
	weir_model_read_all(0, blocks);
}

/* One block after another, in the order of their numbers. */
static void relay(const weir_model_case_run *r)
{
	weir_sequence s =
	    weir_sequence_of(weir_event_at(array(r), 0), weir_block_count(), r->c.past);
	event_state *state = r->state;

	if (weir_thread_count() == 1)
		weir_sequence_begin(s, weir_block_id());
	else
		weir_sequence_block_begin(s, weir_block_id());
	weir_model_check(state->last / weir_thread_count() == weir_block_id(),
	                 "a block has entered out of its turn");
	state->last++;
	weir_model_data_read(1 - weir_thread_id());
	if (weir_thread_count() == 1) {
		weir_model_data_write(1);
		weir_sequence_end(s);
	} else {
		weir_block_sync(); /* all have read before one writes */
		weir_model_data_write(weir_thread_id());
		weir_sequence_block_end(s);
	}
}

/* Blocks 1 and 2 post events 0 and 1; block 1 does so only after block 0 has found the other
 * one. */
static void range(const weir_model_case_run *r)
{
	weir_event_array a = array(r);
	uint32_t target = r->c.past + 1;

	if (weir_block_id() == 0) {
		uint32_t found = weir_event_array_wait_any(a, 0, 2, target);
		weir_model_check(found == 1, "an event is found that no block has posted");
		weir_model_data_read(found);
		weir_event_post(weir_event_at(a, 2), 1);
		weir_event_array_wait_all(a, 0, 2, target);
		weir_model_read_all(0, 2);
		weir_model_check(weir_event_array_wait_any(a, 0, 2, target) == 0,
		                 "not the first of those that are there");
		return;
	}
	if (weir_block_id() == 1)
		weir_event_wait(weir_event_at(a, 2), target);
	weir_model_data_write(weir_block_id() - 1);
	weir_event_post(weir_event_at(a, weir_block_id() - 1), 1);
}

/* Block 0 writes and posts; the others look, and read the data of what they find. */
static void look(const weir_model_case_run *r)
{
	weir_event e = weir_event_at(array(r), 0);
	uint32_t count = r->c.past;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (weir_block_id() == 0) {
			weir_model_data_write(i);
			weir_event_post(e, 1);
		} else if (weir_event_reached(e, r->c.past + i + 1)) {
			weir_model_data_read(i);
		} else {
			uint32_t now = weir_event_count(e);
			weir_model_check((int32_t)(now - count) >= 0, "a count goes back");
			count = now;
		}
	}
	if (weir_model_is_last_and_knows())
		weir_model_check(weir_event_reached(e, r->c.past + r->c.rounds) &&
		                     !weir_event_reached(e, r->c.past + r->c.rounds + 1),
		                 "a look is wrong although no block signals");
}

static void read_in_time(weir_model_case_run *r)
{
	weir_event_array a = array(r);
	uint32_t target = r->c.past + 1;
	uint32_t found;

	if (weir_block_id() % 3 == 1) {
		if (weir_model_got_in_time(r, weir_event_wait_for(weir_event_at(a, 1), target, 1)))
			weir_model_data_read(1);
	} else if (weir_block_id() % 3 == 2) {
		if (weir_model_got_in_time(r, weir_event_array_wait_all_for(a, 0, 2, target, 1)))
			weir_model_read_all(0, 2);
	} else {
		int got = weir_model_got_in_time(
		    r, weir_event_array_wait_any_for(a, 0, 2, target, 1, &found));
		weir_model_check(got ? found < 2 : found == 2, "an index that is none");
		if (got)
			weir_model_data_read(found);
	}
}

/* Block 0 posts two events, one of them first; the others wait for both with a deadline. */
static void give_up(weir_model_case_run *r)
{
	weir_event_array a = array(r);

	if (weir_block_id() != 0) {
		read_in_time(r);
		return;
	}
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t index = r->c.past == 0 ? 1 - i : i;
		weir_model_data_write(index);
		weir_event_post(weir_event_at(a, index), 1);
	}
}

/* How many arrivals each block makes at once, a different number for each; and the total. */
static uint32_t arrivals(uint32_t block)
{
	return 2 * block + 1;
}

static uint32_t all_arrivals(const weir_model_case_run *r)
{
	return r->c.blocks * r->c.blocks;
}

/* Whether the block opens the latch, as far as the call can tell. */
static int arrive(const weir_model_case_run *r, weir_latch latch, uint32_t launch)
{
	uint32_t n = arrivals(weir_block_id());

	if (!has_result(r)) {
		weir_latch_arrive(latch, n);
		return 0;
	}
	if (r->c.threads == 1)
		return weir_latch_arrive_is_last(latch, n);
	if (launch == 0)
		return weir_latch_block_arrive_is_last(latch, n);
	weir_latch_block_arrive(latch, n);
	return 0;
}

static void await_latch(const weir_model_case_run *r, weir_latch latch)
{
	if (r->c.threads == 1)
		weir_latch_wait(latch);
	else
		weir_latch_block_wait(latch);
}

/* Every launch runs the same code: all blocks arrive at a latch, then each block leaves. The last
 * one to leave reads what the others wrote. */
static void launches(const weir_model_case_run *r)
{
	weir_event_array a = array(r);
	event_state *state = r->state;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t round = weir_event_array_round(a);
		weir_latch latch = weir_latch_of(weir_event_at(a, 0), all_arrivals(r), round);
		int last;
		int opens;

		weir_model_check(round == r->c.past + i, "a launch has the number of another one");
		weir_model_data_write(weir_model_self());
		opens = arrive(r, latch, i);
		state->opened += (uint32_t)opens;
		if (opens)
			weir_model_read_all(0, r->c.blocks * r->c.threads);
		if (weir_model_self() == 0 && weir_latch_is_open(latch))
			weir_model_read_all(0, r->c.blocks * r->c.threads);
		await_latch(r, latch);
		weir_model_read_all(0, r->c.blocks * r->c.threads);
		weir_model_data_write(LEFT + weir_model_self());
		last =
		    r->c.threads == 1 ? weir_event_array_leave(a) : weir_event_array_block_leave(a);
		state->last += (uint32_t)last;
		if (last)
			weir_model_read_all(LEFT, r->c.blocks * r->c.threads);
		weir_model_end_launch(i);
	}
}

/* A ring of blocks, in which all threads write and all read. */
static void collective(const weir_model_case_run *r)
{
	weir_event_array a = array(r);
	uint32_t blocks = weir_block_count();
	uint32_t before = (weir_block_id() + blocks - 1) % blocks;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_event_block_wait(weir_event_at(a, before),
		                      r->c.past + 2 * (i + (weir_block_id() != 0)));
		weir_model_share_within_block();
		if (i % 2 == 0)
			weir_event_block_post(weir_event_at(a, weir_block_id()), 2);
		else
			weir_event_block_post_bulk(weir_event_at(a, weir_block_id()), 2);
	}
}

/* All blocks meet: each posts its event, and the threads of each wait for all events. */
static void meet(const weir_model_case_run *r)
{
	weir_event_array a = array(r);

	weir_model_data_write(weir_model_self());
	if (weir_thread_count() == 1) {
		weir_event_post_bulk(weir_event_at(a, weir_block_id()), 2);
		weir_event_array_wait_all(a, 0, weir_block_count(), r->c.past + 2);
	} else {
		weir_event_block_post(weir_event_at(a, weir_block_id()), 2);
		weir_event_array_block_wait_all(a, 0, weir_block_count(), r->c.past + 2);
	}
	weir_model_read_all(0, weir_block_count() * weir_thread_count());
}

/* All threads learn which block is the last and which event was posted: in the first round the last
 * event of a range, in the second the one before it. */
static void chosen(const weir_model_case_run *r)
{
	weir_event_array a = array(r);
	uint32_t blocks = weir_block_count();

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_model_data_write(weir_model_self());
		if (weir_event_block_signal(weir_event_at(a, 0), 2) + 2 ==
		    r->c.past + 2 * (i + 1) * blocks) {
			weir_model_read_all(0, blocks * weir_thread_count());
			weir_event_block_post(weir_event_at(a, 3 - i), 1);
		}
		weir_model_check(weir_event_array_block_wait_any(a, 2, 2 - i, r->c.past + 1) ==
		                     3 - i,
		                 "a thread gets another index than its leader");
	}
}

/* The number of the caller's warp in the only block, and the number of warps. */
static uint32_t team_number(const weir_model_case_run *r, uint32_t *teams)
{
	*teams = (r->c.threads + WEIR_WARP_THREADS - 1) / WEIR_WARP_THREADS;
	return weir_thread_id() / WEIR_WARP_THREADS;
}

/* Each team writes, and all teams wait for all. */
static void teams_meet(const weir_model_case_run *r, weir_team team)
{
	weir_event_array a = array(r);
	uint32_t teams;
	uint32_t me = team_number(r, &teams);

	weir_model_data_write(weir_model_self());
	if (me == 0)
		weir_event_team_post(weir_event_at(a, me), 2, team);
	else
		weir_event_team_post_bulk(weir_event_at(a, me), 2, team);
	weir_event_array_team_wait_all(a, 0, teams, r->c.past + 2, team);
	weir_model_read_all(0, weir_thread_count());
}

/* The named team of block 0 passes data to that of block 1. */
static void teams_pass(const weir_model_case_run *r, weir_team team)
{
	weir_event e = weir_event_at(array(r), 0);

	if (weir_block_id() == 0) {
		weir_model_data_write(weir_team_rank(team));
		weir_event_team_post(e, 2, team);
	} else {
		weir_event_team_wait(e, r->c.past + 2, team);
		weir_model_read_all(0, team.threads);
	}
}

/* All threads of a team learn whether it is the last and which event was posted, as in `chosen`. */
static void teams_choose(const weir_model_case_run *r, weir_team team)
{
	weir_event_array a = array(r);
	uint32_t teams;

	team_number(r, &teams);
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_model_data_write(weir_model_self());
		if (weir_event_team_signal(weir_event_at(a, 0), 2, team) + 2 ==
		    r->c.past + 2 * (i + 1) * teams) {
			weir_model_read_all(0, weir_thread_count());
			weir_event_team_post(weir_event_at(a, 3 - i), 1, team);
		}
		weir_model_check(weir_event_array_team_wait_any(a, 2, 2 - i, r->c.past + 1, team) ==
		                     3 - i,
		                 "a thread gets another index than its leader");
	}
}

static void team_round(const weir_model_case_run *r)
{
	weir_team team;

	if (r->c.form == WEIR_MODEL_NAMED && !weir_model_in_team(r, weir_thread_id()))
		return;
	team = weir_model_team(r);
	if (r->c.form == WEIR_MODEL_NAMED)
		teams_pass(r, team);
	else if (r->c.rounds == 1)
		teams_meet(r, team);
	else
		teams_choose(r, team);
}

/* A signal of kind `shards` has no result. */
static void misuse(const weir_model_case_run *r)
{
	weir_event e = weir_event_at(array(r), 0);

	if (!has_result(r))
		weir_model_check_fault(WEIR_FAULT_RESULT, WEIR_EVENT_SHARDS,
		                       weir_event_signal(e, 1));
	weir_model_check(weir_event_count(e) == 0, "a signal that ended the launch counts");
}

/* Only one thread of each block runs it. */
static void single(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_HANDOFF:
		handoff(r);
		break;
	case WEIR_MODEL_SEVERAL:
		several(r);
		break;
	case WEIR_MODEL_ARRAY:
		range(r);
		break;
	case WEIR_MODEL_TRY:
		look(r);
		break;
	case WEIR_MODEL_GIVE_UP:
		give_up(r);
		break;
	case WEIR_MODEL_MISUSE:
		misuse(r);
		break;
	default:
		fix_up(r);
		break;
	}
}

static void body(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_COLLECTIVE:
		collective(r);
		break;
	case WEIR_MODEL_MEET:
		meet(r);
		break;
	case WEIR_MODEL_CHOSEN:
		chosen(r);
		break;
	case WEIR_MODEL_WARPS:
	case WEIR_MODEL_NAMED:
		team_round(r);
		break;
	case WEIR_MODEL_RELAY:
		relay(r);
		break;
	case WEIR_MODEL_LAUNCHES:
		launches(r);
		break;
	default:
		if (weir_thread_id() == 0)
			single(r);
		break;
	}
}

static void complete(const weir_model_case_run *r)
{
	const event_state *state = r->state;

	if (r->c.form == WEIR_MODEL_SINGLE || r->c.form == WEIR_MODEL_LAUNCHES)
		weir_model_check(state->last == r->c.rounds, "not exactly one block was the last");
	if (r->c.form == WEIR_MODEL_LAUNCHES && has_result(r))
		weir_model_check(state->opened == (r->c.threads == 1 ? r->c.rounds : r->c.threads),
		                 "not exactly one arrival opened the latch");
}

/* An earlier look found the target reached. */
static int waits_unsaid(const weir_model_case_run *r)
{
	(void)r;
	return 1;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->blocks * c->threads > LEFT)
		return "there are not so many data";
	if (c->form == WEIR_MODEL_ARRAY && c->blocks != 3)
		return "the case with a range has three blocks";
	if (c->form == WEIR_MODEL_GIVE_UP && c->blocks < 2)
		return "somebody must wait for block 0";
	if (c->form == WEIR_MODEL_CHOSEN && !has_result(r))
		return "a signal at shards has no result";
	if ((c->form == WEIR_MODEL_WARPS && c->blocks != 1) ||
	    (c->form == WEIR_MODEL_NAMED && c->blocks != 2))
		return "warps meet in one block, and named teams are of two";
	if (c->form == WEIR_MODEL_CHOSEN && c->rounds > 2)
		return "there are two events to choose from";
	if (c->form == WEIR_MODEL_RELAY && c->threads > 2)
		return "a relay is for one or two threads of a block";
	return weir_model_refuse_teams(c);
}

static void configure(weir_model_case_run *r)
{
	weir_event_array_config *config = &r->config.event_array;

	config->length = r->c.form == WEIR_MODEL_COLLECTIVE || r->c.form == WEIR_MODEL_MEET
	                     ? r->c.blocks
	                 : r->c.form == WEIR_MODEL_ARRAY                                   ? 3
	                 : r->c.form == WEIR_MODEL_CHOSEN || r->c.form == WEIR_MODEL_WARPS ? 4
	                                                                                   : 2;
	config->bits = r->c.bits;
	config->apart = WEIR_EVENT_HEAD + config->length;
}

static void start(const weir_model_case_run *r)
{
	uint32_t each = r->c.form == WEIR_MODEL_LAUNCHES ? all_arrivals(r)
	                : r->c.form == WEIR_MODEL_RELAY  ? r->c.blocks
	                                                 : 1;

	r->adapter->start(r->words, r->config, each, r->c.past);
}

/* With three blocks, the events lie next to each other. */
static uint32_t make(weir_model_case_run *r)
{
	uint32_t length = 2;
	int compact = r->c.blocks > 2;
	weir_event_array a = compact ? weir_event_array_compact_in(r->words, length)
	                             : weir_event_array_in(r->words, length);

	weir_model_check_made(r, a.words);
	weir_model_check(a.config.length == length &&
	                     weir_event_at(a, 1).words ==
	                         weir_event_at(a, 0).words + (compact ? 1 : WEIR_LINE_WORDS),
	                 "an array of another length or pitch");
	r->config.event_array = a.config;
	return compact ? WEIR_EVENT_ARRAY_COMPACT_WORDS(length) : WEIR_EVENT_ARRAY_WORDS(length);
}

static const weir_model_shape shapes[] = {
    {{.form = WEIR_MODEL_HANDOFF, SIZE(2, 1, 2)}, SMALL},
    {{SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(2, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_CHOSEN, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(2, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 3, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 4, 2), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(3, 1, 2), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 2, 2), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(2, 2, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_CHOSEN, SIZE(2, 2, 2), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
    {{SIZE(3, 1, 2)}, LARGER},
    {{SIZE(4, 1, 1)}, LARGER},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(4, 1, 2)}, LARGER},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(4, 1, 1)}, LARGER},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 2)}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(3, 2, 1)}, LARGER},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 2, 1)}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(2, 2, 1), .past = WRAP, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 4, 1), .past = WRAP, .first = 4}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 3, 1), .first = 4}, SMALL},
};

/* All kinds share the code for blocks and teams, which the default's cases explore; only the wait
 * of a block's first threads differs. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	if (shape->c.form == WEIR_MODEL_MISUSE)
		return adapter->value == WEIR_EVENT_SHARDS;
#ifdef WEIR_DIAGNOSE
	/* The look before each wait makes ten times as many executions. */
	if (shape->c.form == WEIR_MODEL_LAUNCHES && shape->c.blocks > 2)
		return 0;
#endif
	return adapter->value == WEIR_EVENT_WORD ||
	       (shape->c.form != WEIR_MODEL_MADE && shape->c.threads == 1) ||
	       shape->c.form == WEIR_MODEL_COLLECTIVE;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(event) = {
    .forms = WEIR_MODEL_FORM(HANDOFF) | WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(ARRAY) |
             WEIR_MODEL_FORM(RELAY) | WEIR_MODEL_FORM(MEET) | WEIR_MODEL_FORM(TRY) |
             WEIR_MODEL_FORM(CHOSEN) | WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(NAMED) |
             WEIR_MODEL_FORM(LAUNCHES) | WEIR_MODEL_FORM(MISUSE),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP),
    .bits = 1, /* a kind with several words has two */
    .published = {SIZE(2, 1, 1)},
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
    .hooks_kind = WEIR_MODEL_NO_KIND,
    .waits_in = WEIR_MODEL_WAITS(WAIT),
    .waits_unsaid = waits_unsaid,
    /* Each thread may wait for its own event. */
    .chatty_forms = ~0u,
    WEIR_MODEL_NAMES(event),
};
