/* The cases of the groups. */
#include "model/cases/cases.h"

#include <string.h>

#include "model/engine.h"
#include "model/program.h"

#define MOST_ROUNDS 2

typedef struct group_state {
	uint32_t members[MOST_ROUNDS][WEIR_MODEL_THREADS]; /* threads that got each rank */
	uint32_t told[MOST_ROUNDS];                        /* the member count that they were
	                                                    * told */
	uint32_t passed[2 * MOST_ROUNDS]; /* threads that passed each barrier, ... */
	uint32_t late[2 * MOST_ROUNDS];   /* ... or gave up there */
} group_state;

static uint32_t group_size(weir_any_config config)
{
	return weir_group_poll_words(config.group) +
	       weir_barrier_words(weir_group_barrier_config(config.group));
}

/* Behind the poll lie the remains of a barrier that an earlier launch may have left: phases, an
 * arrival and a decision. */
static void start_group(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	weir_group g = weir_group_make(words, config.group);
	uint32_t most = config.group.most_members;
	weir_member all = {1, 0, most};
	weir_barrier left = weir_group_own_barrier(g, all);

	(void)value;
	weir_group_start(g, past);
	weir_group_start_barrier_(g, most);
	weir_store_rlx(&left.words[0], 1);
	weir_store_rlx(&left.words[config.group.kind == WEIR_BARRIER_XF ? 1 : config.group.pitch],
	               1);
	weir_store_rlx(weir_bounded_arrived_(left), most - 1);
	weir_store_rlx(weir_bounded_decision_(left), 1);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "group",
     .kind = "discovery",
     .value = WEIR_BARRIER_ATOMIC,
     .words = group_size,
     .start = start_group},
};

/* Whether all members have arrived at the group's own barrier. */
static int pass(const weir_model_case_run *r, weir_group g, weir_member me, uint32_t phase)
{
	group_state *state = r->state;
	int late;

	if (r->c.form != WEIR_MODEL_GIVE_UP) {
		weir_group_wait(g, me);
		return 1;
	}
	late = weir_barrier_wait_for(weir_group_own_barrier(g, me), 1) != WEIR_OK;
	state->late[phase] += (uint32_t)late;
	state->passed[phase] += (uint32_t)!late;
	weir_model_check(state->late[phase] == 0 || state->passed[phase] == 0,
	                 "one is told that the barrier was passed, another that it was not");
	weir_model_check(!late || me.count > 1, "late for a barrier without other members");
	return !late;
}

static void join(const weir_model_case_run *r, weir_member me, uint32_t round)
{
	group_state *state = r->state;

	weir_model_check(me.rank < me.count && me.count <= r->config.group.most_members,
	                 "the ranks of the members are not dense");
	weir_model_check(state->told[round] == 0 || state->told[round] == me.count,
	                 "members were told different counts");
	state->told[round] = me.count;
	state->members[round][me.rank]++;
}

/* Each thread's datum belongs to the rank of its block: threads of one rank in two blocks race. */
static void meet_members(const weir_model_case_run *r, weir_group g, weir_member me, uint32_t round)
{
	const group_state *state = r->state;
	uint32_t threads = weir_thread_count();
	uint32_t count;

	join(r, me, round);
	weir_model_data_write(me.rank * threads + weir_thread_id());
	count = pass(r, g, me, 2 * round) ? me.count : 0;
	for (uint32_t rank = 0; rank < count; rank++) {
		weir_model_check(state->members[round][rank] == threads,
		                 "a rank was not given exactly once");
		for (uint32_t t = 0; t < threads; t++)
			weir_model_data_read(rank * threads + t);
	}
	weir_model_check(!pass(r, g, me, 2 * round + 1) || count != 0,
	                 "a broken barrier was passed");
}

/* The block's place in the group of `mask`, by counting. */
static weir_member expected_member(uint64_t mask)
{
	weir_member me = {mask >> weir_block_id() & 1, 0, 0};

	for (uint32_t b = 0; b < 64; b++) {
		me.count += mask >> b & 1;
		me.rank += b < weir_block_id() ? mask >> b & 1 : 0;
	}
	return me;
}

static void check_member(weir_member me, uint64_t mask)
{
	weir_member right = expected_member(mask);

	weir_model_check(me.is_member == right.is_member,
	                 "a block is wrongly in the group, or out");
	weir_model_check(!me.is_member || (me.rank == right.rank && me.count == right.count),
	                 "a member's rank or count is wrong");
}

/* A group chosen by the caller, over its own barrier. */
static void meet_as(const weir_model_case_run *r, uint32_t words, weir_member me, uint64_t mask)
{
	weir_barrier b;

	check_member(me, mask);
	if (!me.is_member)
		return;
	b.words = r->words + words;
	b.config = r->config.barrier;
	weir_model_data_write(me.rank * weir_thread_count() + weir_thread_id());
	weir_barrier_wait(weir_group_barrier(b, me));
	for (uint32_t t = 0; t < me.count * weir_thread_count(); t++)
		weir_model_data_read(t);
	weir_barrier_wait(weir_group_barrier(b, me));
}

/* All blocks meet, as between two launches; `block` counts from 0, `round` from 1. */
static void meet_all(uint32_t block, uint32_t round)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS;

	weir_block_sync();
	if (weir_thread_id() == 0) {
		weir_store_rel(&flags[block], round); /* pairs with the acquire below */
		for (uint32_t b = 0; b < weir_block_count(); b++)
			weir_await_ge_acq(&flags[b], round, weir_no_backoff());
	}
	weir_block_sync();
}

/* All but the first block meet, by their range; then the first and the last one, by a mask. The
 * blocks are numbered from `past` on, so that they may lie in two words of a mask. Some groups have
 * blocks that do not exist: the case only checks which blocks are members. */
static void chosen_groups(const weir_model_case_run *r)
{
	uint32_t first = r->first_block;
	uint32_t others = weir_block_count() - 1;
	uint64_t all = ((uint64_t)1 << weir_block_count()) - 1;
	uint64_t ends = (uint64_t)1 << first | (uint64_t)1 << (first + others);
	/* The last word is not part of the mask. */
	const uint32_t words[4] = {(uint32_t)ends | 5u, (uint32_t)(ends >> 32) | 3u << 30, 0, ~0u};
	uint64_t far = (uint64_t)words[1] << 32 | words[0];
	weir_member beyond = {0, 0, 0};

	check_member(weir_group_range(0, first + others), ((uint64_t)1 << (first + others)) - 1);
	check_member(weir_group_mask(far), far);
	check_member(weir_group_mask_words(words, 3), far);
	weir_group_count_(&beyond, ~0u, weir_block_id() - 32);
	weir_model_check(!beyond.is_member, "a block is taken for one of the word before");
	meet_as(r, 0, weir_group_range(first + 1, others), (all - 1) << first);
	meet_all(weir_block_id() - first, 1);
	meet_as(r, weir_barrier_words(r->config.barrier), weir_group_mask(ends), ends);
}

static void discovered_group(const weir_model_case_run *r, uint32_t round)
{
	weir_group g = weir_group_make(r->words, r->config.group);
	weir_member me = weir_group_discover(g);

	if (me.is_member)
		meet_members(r, g, me, round);
	else
		weir_model_check(me.count == 0, "a block that is not a member was told a count");
	if (r->c.askers)
		weir_model_check(weir_block_id() < r->c.askers || !me.is_member,
		                 "a block that may not ask is a member");
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_CHOSEN) {
		chosen_groups(r);
		return;
	}
	for (uint32_t round = 0; round < r->c.rounds; round++) {
		if (round > 0)
			meet_all(weir_block_id(), round);
		discovered_group(r, round);
	}
}

static void complete(const weir_model_case_run *r)
{
	const group_state *state = r->state;
	weir_group g = weir_group_make(r->words, r->config.group);

	if (r->c.form == WEIR_MODEL_CHOSEN)
		return;
	for (uint32_t round = 0; round < r->c.rounds; round++)
		weir_model_check(state->told[round] != 0, "no block is a member");
	weir_model_check(weir_model_final(weir_group_poll_(g)) == 0 &&
	                     weir_model_final(weir_group_members_(g)) == 0 &&
	                     weir_model_final(weir_group_asked_(g)) == 0,
	                 "the poll is not as it was before the launch");
}

/* The value of a kind of barrier by name; 0: unknown. */
static uint32_t barrier_named(const char *name)
{
#define NAMED_(kind, KIND, value, shape, ...)                                                      \
	if (strcmp(name, #kind) == 0)                                                              \
		return value;
	WEIR_BARRIER_KINDS(NAMED_)
#undef NAMED_
	return 0;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->rounds > MOST_ROUNDS)
		return "a group is discovered twice at the most";
	if (c->over[0] && barrier_named(c->over) == 0)
		return "no such kind of barrier";
	if (c->form == WEIR_MODEL_CHOSEN && c->past > 56)
		return "a mask has 64 blocks";
	return NULL;
}

/* Each group that the caller chose has its own barrier and no object of its own. */
static void configure(weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->form == WEIR_MODEL_CHOSEN) {
		r->first_block = c->past;
		r->config.barrier.blocks = c->blocks;
		r->size = 2 * weir_barrier_words(r->config.barrier);
		return;
	}
	if (c->over[0])
		r->config.group.kind = barrier_named(c->over);
	r->config.group.askers = c->askers ? c->askers : c->blocks;
	r->config.group.most_members = c->room ? c->room : c->blocks;
}

static void start(const weir_model_case_run *r)
{
	if (r->c.form != WEIR_MODEL_CHOSEN)
		r->adapter->start(r->words, r->config, r->c.initial, r->c.past);
}

static const weir_model_shape shapes[] = {
    {{SIZE(1, 1, 2)}, SMALL},
    {{SIZE(2, 1, 1)}, SMALL},
    {{SIZE(2, 1, 2), .room = 1}, SMALL},
    {{SIZE(3, 1, 1), .room = 2}, SMALL},
    {{SIZE(2, 1, 2), .askers = 1}, SMALL},
    {{SIZE(2, 1, 1), .askers = 3}, SMALL},
    {{SIZE(2, 1, 2), .over = "xf"}, SMALL},
    {{SIZE(2, 1, 2), .over = "counter"}, SMALL},
    {{SIZE(2, 1, 2), .over = "central"}, SMALL},
    {{SIZE(2, 1, 2), .over = "two_stage"}, SMALL},
    {{.form = WEIR_MODEL_CHOSEN, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_CHOSEN, SIZE(3, 1, 1), .past = 31}, SMALL},
    {{.form = WEIR_MODEL_CHOSEN, SIZE(2, 2, 1)}, SMALL},
    {{SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(2, 2, 1)}, SMALL},
    {{SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 1), .over = "counter"}, SMALL},
    {{SIZE(2, 2, 2)}, LARGER},
    {{SIZE(3, 2, 1), .past = WRAP}, LARGER},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .past = WRAP}, LARGER},
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(group) = {
    .forms = WEIR_MODEL_FORM(CHOSEN),
    .unaborted_forms =
	WEIR_MODEL_FORM(GIVE_UP), /* too many executions: barriers and mutexes have such cases */
    .has_members = 1,
    .unnoted_forms = ~0u, /* its barriers leave no notes either */
    .refuse = refuse,
    .configure = configure,
    .start = start,
    .complete = complete,
    WEIR_MODEL_NAMES(group),
};
