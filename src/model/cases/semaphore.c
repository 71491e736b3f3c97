/* The cases of the semaphores. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_INTERVALS 32
_Static_assert(MOST_INTERVALS > WEIR_MODEL_DATA, "each round, and one when all are done");

/* From a wait's return to the post that gives the slots back. */
typedef struct interval {
	uint32_t thread;
	uint32_t end;      /* the thread's clock when it posts; 0: still inside */
	uint32_t overlaps; /* earlier intervals that are not ordered before this interval */
	uint32_t slots;    /* the number that it takes */
} interval;

typedef struct semaphore_state {
	interval intervals[MOST_INTERVALS];
	uint32_t interval_count;
	uint32_t last_arrival;
	uint32_t seen_none; /* waits that have seen no post */
	uint32_t seen_one;
} semaphore_state;

static uint32_t semaphore_size(weir_any_config config)
{
	return weir_semaphore_words(config.semaphore);
}

static void start_semaphore(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	weir_semaphore_start(weir_semaphore_make(words, config.semaphore), value, past);
}

static void wait(weir_word *words, weir_any_config config)
{
	weir_semaphore_wait(weir_semaphore_make(words, config.semaphore));
}

static void post(weir_word *words, weir_any_config config)
{
	weir_semaphore_post(weir_semaphore_make(words, config.semaphore));
}

#define ROW_(name, NAME, value, fair, pause, words, ...)                                           \
	{"semaphore",     #name,          value,           fair, WEIR_QUEUE_NONE,                  \
	 WEIR_SHAPE_NONE, semaphore_size, start_semaphore, wait, post},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_SEMAPHORE_KINDS(ROW_)
};
/* clang-format on */

/* Whether intervals in `mask` that overlap pairwise take more than `slots` together. */
static int overlap(const semaphore_state *state, uint32_t mask, int64_t slots)
{
	if (slots < 0)
		return 1;
	while (mask) {
		uint32_t top = 31u - (uint32_t)__builtin_clz(mask);
		const interval *taken = &state->intervals[top];
		mask &= ~(1u << top);
		if (overlap(state, mask & taken->overlaps, slots - taken->slots))
			return 1;
	}
	return 0;
}

/* Whether some blocks only post, and the others only wait. */
static int hands_over(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_HANDOFF || c->form == WEIR_MODEL_RELAY;
}

static uint32_t begin_interval(const weir_model_case_run *r, uint32_t slots)
{
	semaphore_state *state = r->state;
	uint32_t index = state->interval_count++;
	interval *new = &state->intervals[index];

	weir_model_note("is inside");
	if (r->config.semaphore.id != 0 && weir_block_id() < WEIR_BLOCKS && !hands_over(&r->c))
		weir_model_check(
		    weir_model_note_of(weir_block_id(), WEIR_NOTE_COUNT(WEIR_MODEL_ID)) == slots,
		    "a note says that a block has more slots, or fewer");
	new->thread = weir_model_self();
	new->end = 0;
	new->overlaps = 0;
	new->slots = slots;
	for (uint32_t i = 0; i < index; i++) {
		const interval *old = &state->intervals[i];
		if (old->end == 0 || weir_model_known_clock(old->thread) < old->end)
			new->overlaps |= 1u << i;
	}
	weir_model_check(!overlap(state, new->overlaps, (int64_t)r->c.initial - slots),
	                 "more threads inside than the semaphore allows: nothing orders this wait "
	                 "after enough posts");
	return index;
}

static void end_interval(const weir_model_case_run *r, uint32_t index)
{
	semaphore_state *state = r->state;

	state->intervals[index].end = weir_model_clock();
	weir_model_note("is about to post");
}

/* The blocks inside wait for each other. */
static void meet(void)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS;

	/* Relaxed: the semaphore alone must order the data. */
	weir_store_rlx(&flags[weir_block_id()], 1);
	for (uint32_t b = 0; b < weir_block_count(); b++)
		weir_await_eq_acq(&flags[b], 1, weir_no_backoff());
}

/* With a single slot, a semaphore is a mutex. */
static void alone_inside(const weir_model_case_run *r)
{
	semaphore_state *state = r->state;

	weir_model_data_read(0);
	weir_model_data_write(0);
	if (r->adapter->fair)
		weir_model_check(weir_model_arrival() > state->last_arrival,
		                 "a block that arrived later got the slot first");
	state->last_arrival = weir_model_arrival();
}

static void semaphore_round(const weir_model_case_run *r)
{
	uint32_t index;

	weir_model_arrive();
	r->adapter->enter(r->words, r->config);
	index = begin_interval(r, 1);
	if (r->c.initial == 1)
		alone_inside(r);
	if (r->c.form == WEIR_MODEL_MEET)
		meet();
	end_interval(r, index);
	r->adapter->leave(r->words, r->config);
}

/* A block that has taken all slots is the only one inside, and may write. */
static void stay_inside(const weir_model_case_run *r, uint32_t slots)
{
	uint32_t index = begin_interval(r, slots);

	weir_model_data_read(0);
	if (slots == r->c.initial)
		weir_model_data_write(0);
	end_interval(r, index);
	weir_semaphore_post_n(weir_semaphore_make(r->words, r->config.semaphore), slots);
}

/* With more slots, the sum over all blocks would exceed 32 bits, so every block takes all slots. */
#define MANY_SLOTS 0x40000000u

/* A block that takes one slot shares with other readers. */
static void several(const weir_model_case_run *r)
{
	uint32_t slots = weir_block_id() % 2 == 0 || r->c.initial > MANY_SLOTS ? r->c.initial : 1;

	weir_semaphore_wait_n(weir_semaphore_make(r->words, r->config.semaphore), slots);
	stay_inside(r, slots);
}

/* One block waits for all slots, one tries for all, and one waits for half of them. */
static void greedy(weir_model_case_run *r, uint32_t round)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);
	uint32_t role = weir_block_id() % 3;
	uint32_t slots = role == 2 ? r->c.initial / 2 : r->c.initial;

	if (role != 1)
		weir_semaphore_wait_n(s, slots);
	else if (round % 2 == 0
	             ? weir_semaphore_try_wait_n(s, slots) != WEIR_OK
	             : !weir_model_got_in_time(r, weir_semaphore_wait_n_for(s, slots, 1)))
		return;
	stay_inside(r, slots);
}

/* Every wait has a deadline. When all blocks are done, a try for all slots must acquire. */
static void fleeting(weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		if (weir_model_got_in_time(r, weir_semaphore_wait_n_for(s, r->c.initial, 1)))
			stay_inside(r, r->c.initial);
	if (weir_model_is_last_and_knows()) {
		weir_model_check(weir_semaphore_try_wait_n(s, r->c.initial) == WEIR_OK,
		                 "a try is told that slots are missing, but no block holds any");
		begin_interval(r, r->c.initial);
		weir_semaphore_post_n(s, r->c.initial);
		weir_model_check(!weir_semaphore_above(s), "all slots are free, and no more");
	}
	weir_model_end_launch(0);
	if (weir_block_id() != 1)
		return;
	weir_model_check(!weir_semaphore_above(s), "all slots are free, and no more");
	weir_semaphore_post(s);
	weir_model_check(weir_semaphore_above(s), "a slot is posted that no block took");
}

/* There is a slot for each try, and no block waits or posts. */
static void enough(const weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		weir_model_check(weir_semaphore_try_wait(s) == WEIR_OK,
		                 "a try is told that no slot is free, and there are enough");
}

static int enter_bounded(weir_model_case_run *r, weir_semaphore s, uint32_t round)
{
	if (weir_model_stays(weir_block_id(), round)) {
		weir_semaphore_wait(s);
		return 1;
	}
	return weir_model_tries(r, round)
	           ? weir_semaphore_try_wait(s) == WEIR_OK
	           : weir_model_got_in_time(r, weir_semaphore_wait_for(s, 1));
}

/* When all blocks are done, all slots are free. */
static void bounded(weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t index;
		if (!enter_bounded(r, s, i))
			continue;
		index = begin_interval(r, 1);
		if (r->c.initial == 1)
			weir_model_data_write(0);
		end_interval(r, index);
		weir_semaphore_post(s);
	}
	if (weir_model_is_last()) {
		weir_semaphore_wait_n(s, r->c.initial);
		begin_interval(r, r->c.initial);
	}
}

/* Block 0 writes a datum before each post; a block that has waited n times sees n data. */
static void handoff(const weir_model_case_run *r)
{
	uint32_t posts = (r->c.blocks - 1) * r->c.rounds;

	if (weir_block_id() == 0) {
		for (uint32_t i = 0; i < posts; i++) {
			weir_model_data_write(i);
			r->adapter->leave(r->words, r->config);
		}
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		r->adapter->enter(r->words, r->config);
		weir_model_data_read(i);
	}
}

static uint32_t relay_posts(const weir_model_case_run *r)
{
	return (r->c.blocks - 2) * r->c.rounds;
}

static void relay_post(const weir_model_case_run *r)
{
	semaphore_state *state = r->state;

	for (uint32_t i = weir_block_id(); i < relay_posts(r); i += 2) {
		state->intervals[i].thread = weir_model_self();
		state->intervals[i].end = weir_model_clock();
		r->adapter->leave(r->words, r->config);
	}
}

/* Counts the posts, by both posters, that are ordered before the wait's return. */
static void relay_wait(const weir_model_case_run *r)
{
	semaphore_state *state = r->state;
	uint32_t known = 0;

	r->adapter->enter(r->words, r->config);
	for (uint32_t p = 0; p < relay_posts(r); p++) {
		const interval *post = &state->intervals[p];
		known += post->end && weir_model_known_clock(post->thread) >= post->end;
	}
	weir_model_note(known == 1 ? "has seen one post" : "has seen several posts");
	state->seen_none += known == 0;
	state->seen_one += known == 1;
}

static void relay(const weir_model_case_run *r)
{
	if (weir_block_id() < 2) {
		relay_post(r);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++)
		relay_wait(r);
}

/* The n-th waiter in the queue has seen n posts, by any blocks. Each kind counts places in its own
 * way, and two waiters may share a later place, but only one wait is first. */
static void complete(const weir_model_case_run *r)
{
	const semaphore_state *state = r->state;

	if (r->c.form != WEIR_MODEL_RELAY)
		return;
	weir_model_check(state->seen_none == 0, "a wait has seen no post at all");
	weir_model_check(state->seen_one <= 1,
	                 "two waits have seen one post each, but only the first in line may");
}

static void collective_round(const weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	weir_semaphore_block_wait(s);
	weir_model_share_within_block();
	weir_semaphore_block_post(s);
}

static void team_round(const weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);
	weir_team team = weir_model_team(r);

	weir_semaphore_team_wait(s, team);
	weir_model_share_within_team(team);
	weir_semaphore_team_post(s, team);
}

static void one_round(weir_model_case_run *r, uint32_t round)
{
	if (r->c.form == WEIR_MODEL_SEVERAL)
		several(r);
	else if (r->c.form == WEIR_MODEL_GREEDY)
		greedy(r, round);
	else
		semaphore_round(r);
}

/* Only one thread of each block runs it. */
static void single(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_TRY:
	case WEIR_MODEL_GIVE_UP:
		bounded(r);
		break;
	case WEIR_MODEL_ALL_GIVE_UP:
		fleeting(r);
		break;
	case WEIR_MODEL_ENOUGH:
		enough(r);
		break;
	case WEIR_MODEL_HANDOFF:
		handoff(r);
		break;
	case WEIR_MODEL_RELAY:
		relay(r);
		break;
	default:
		for (uint32_t i = 0; i < r->c.rounds; i++)
			one_round(r, i);
		break;
	}
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_COLLECTIVE)
		for (uint32_t i = 0; i < r->c.rounds; i++)
			collective_round(r);
	else if (r->c.form == WEIR_MODEL_WARPS)
		for (uint32_t i = 0; i < r->c.rounds; i++)
			team_round(r);
	else if (weir_thread_id() == 0)
		single(r);
}

/* The number of slots that a block holds at the end. The host resets it when a launch ends. */
static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	const weir_model_case *c = &r->c;

	switch (c->form) {
	case WEIR_MODEL_HANDOFF:
		return block == 0 ? 0 : c->rounds;
	case WEIR_MODEL_RELAY:
		return block < 2 ? 0 : c->rounds;
	case WEIR_MODEL_ENOUGH:
		return c->rounds;
	default:
		return weir_model_is_bounded(r) && block == 0 ? c->initial : 0;
	}
}

/* A post may wait for a block that is about to free a word for it. */
static int waits_unsaid(const weir_model_case_run *r)
{
	(void)r;
	return 1;
}

/* One block posts a slot that no block took. */
static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_ALL_GIVE_UP;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->form == WEIR_MODEL_ENOUGH && c->initial < c->blocks * c->rounds)
		return "there must be a slot for each try";
	if ((c->initial == 0) != hands_over(c))
		return "only blocks that post before they wait begin with no free slot";
	if (c->form == WEIR_MODEL_RELAY && c->blocks < 3)
		return "a relay needs two blocks that post and one that waits";
	if (c->form == WEIR_MODEL_MEET && c->initial < c->blocks)
		return "all blocks that meet inside a semaphore need a slot";
	if (c->form == WEIR_MODEL_SEVERAL && !r->is_shipped)
		return "published semaphores take one slot at a time";
	if ((c->form == WEIR_MODEL_COLLECTIVE || c->form == WEIR_MODEL_WARPS) && c->initial != 1)
		return "the collective case of a semaphore needs the initial value 1";
	return weir_model_refuse_teams(c);
}

static void configure(weir_model_case_run *r)
{
	r->config.semaphore.maximum = r->c.initial ? r->c.initial : r->c.blocks * r->c.rounds;
}

static uint32_t make(weir_model_case_run *r)
{
	weir_semaphore s = weir_semaphore_in(r->words, r->c.initial);

	weir_model_check_made(r, s.words);
	weir_model_check(s.config.maximum == r->c.initial, "a semaphore of other slots");
	r->config.semaphore = s.config;
	return WEIR_SEMAPHORE_WORDS;
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(2, 1, 1), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{SIZE(3, 1, 1), .initial = 1, .past = WRAP + 1}, SMALL},
    {{SIZE(3, 1, 1), .initial = 2}, SMALL},
    {{SIZE(3, 1, 2), .initial = 1}, SMALL},
    {{SIZE(3, 1, 2), .initial = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 1, 1), .initial = 3}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 1, 2), .initial = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .initial = 3, .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 1, 1), .initial = 2000, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .initial = 0x55555556}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .initial = 0x7fffffff}, SMALL},
    {{.form = WEIR_MODEL_ENOUGH, SIZE(2, 1, 2), .initial = 4}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(2, 1, 2), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(3, 1, 1), .initial = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(3, 1, 1), .initial = 0x7fffffff}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(2, 1, 1), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .initial = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .initial = 2, .past = WRAP}, LARGER},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 2)}, LARGER},
    {{.form = WEIR_MODEL_RELAY, SIZE(4, 1, 2)}, LARGER},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 3, 2), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(2, 3, 1), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 2), .initial = 1}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .initial = 1}, LARGER},
    {{SIZE(4, 1, 1), .initial = 1}, LARGER},
    {{SIZE(4, 1, 1), .initial = 2}, LARGER},
    {{SIZE(4, 1, 1), .initial = 3}, LARGER},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(4, 1, 1), .initial = 2}, LARGER},
};

/* All kinds share the code for teams, which the default's cases explore. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	return (shape->c.form != WEIR_MODEL_WARPS && shape->c.form != WEIR_MODEL_MADE) ||
	       adapter->value == WEIR_SEMAPHORE_PACKED;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(semaphore) = {
    .forms = WEIR_MODEL_FORM(HANDOFF) | WEIR_MODEL_FORM(MEET) | WEIR_MODEL_FORM(RELAY) |
             WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(GREEDY) | WEIR_MODEL_FORM(ENOUGH) |
             WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(ALL_GIVE_UP) | WEIR_MODEL_FORM(WARPS),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(ALL_GIVE_UP),
    .published = {SIZE(2, 1, 1), .initial = 1},
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .complete = complete,
    .unnoted_forms = WEIR_MODEL_FORM(WARPS),
    .waits_in = WEIR_MODEL_WAITS(WAIT),
    .waits_unsaid = waits_unsaid,
    .noted = noted,
    .misuses = misuses,
    WEIR_MODEL_NAMES(semaphore),
};
