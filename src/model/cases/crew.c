/* The cases of the crews. The blocks are divided among the ranks, and the shares lie one after
 * another. */
#include "model/cases/crew.h"

static weir_crew_config config_of(const weir_model_case_run *r, uint32_t rank)
{
	uint32_t ranks = rank_of(r, r->c.blocks - 1) + 1;
	uint32_t blocks = is_uneven(r) ? 1 + (rank == 0) : blocks_of_rank(r);
	weir_crew_config config = weir_crew_in_config(ranks, rank, blocks);

	config.first_block = is_uneven(r) ? rank + (rank != 0) : rank * blocks;
	config.lanes = r->c.form == WEIR_MODEL_SPLIT ? blocks_of_rank(r) : 0;
	config.events = r->c.form == WEIR_MODEL_RELAY;
	config.bits = r->c.bits;
	config.queue_bits = r->c.form == WEIR_MODEL_HANDOFF;
	if (r->adapter->value == ROUNDS)
		config.radix = r->c.askers ? r->c.askers : 2;
	config.stride = weir_crew_words(config);
	return config;
}

/* Blocks of several threads find the shares through the table. */
static weir_crew crew_of(const weir_model_case_run *r, uint32_t rank)
{
	const crew_state *state = r->state;
	weir_crew_config config = config_of(r, rank);
	weir_crew c;

	if (r->c.form == WEIR_MODEL_MADE) {
		c = weir_crew_in(state->shares, config.ranks, rank, blocks_of_rank(r));
		c.config.first_block = config.first_block;
		return c;
	}
	if (r->c.threads > 1)
		config.stride = 0;
	return weir_crew_make(state->shares[rank], r->c.threads > 1 ? state->shares : NULL, config);
}

static uint32_t crew_size(weir_any_config config)
{
	(void)config;
	return 0; /* follows from the case */
}

static const weir_model_adapter kinds[] = {
    {"crew", "flat", FLAT, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_COUNTERS, crew_size, NULL, NULL,
     NULL},
    {"crew", "rounds", ROUNDS, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_COUNTERS, crew_size, NULL,
     NULL, NULL},
};

static const char *refuse(const weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_HANDOFF &&
	    (r->c.threads > 1 || r->c.room || r->c.rounds > 2 || r->c.blocks < 2))
		return "one thread of each rank pushes at most two items at another";
	if (is_uneven(r) && (r->c.blocks < 3 || r->c.room))
		return "rank 0 has two blocks, and each other one";
	if (r->c.blocks % blocks_of_rank(r) != 0)
		return "each rank of a crew has as many blocks";
	if (r->c.over[0] || r->c.askers == 1 || (r->c.askers && r->adapter->value != ROUNDS))
		return "only a crew of rounds has a radix, from 2 on";
	return refuse_relay(r);
}

/* The event of a rank, found without the crews' own code. */
static weir_word *event_of(const weir_model_case_run *r, uint32_t rank)
{
	const crew_state *state = r->state;

	return state->shares[rank] + weir_crew_events_at_(config_of(r, rank)) +
	       WEIR_EVENT_HEAD * WEIR_LINE_WORDS;
}

/* Each rank pushes into the queue of the next rank, and pops from its own what the previous rank
 * pushed. */
static void pass_on(const weir_model_case_run *r)
{
	const crew_state *state = r->state;
	uint32_t ranks = r->c.blocks;
	uint32_t me = weir_block_id();
	uint32_t to = (me + 1) % ranks;
	uint32_t from = (me + ranks - 1) % ranks;
	weir_crew c = crew_of(r, me);
	uint32_t value = 0;

	weir_model_check((weir_word *)weir_crew_data(c, to) == state->shares[to] + r->size / ranks,
	                 "the data of a rank do not lie behind its words");
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_model_data_write(me * r->c.rounds + i);
		weir_queue_push(weir_crew_queue(c, to), me * r->c.rounds + i);
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_model_check(weir_queue_pop(weir_crew_queue(c, me), &value) == WEIR_OK &&
		                     value == from * r->c.rounds + i,
		                 "a rank gets an item that is not for it");
		weir_model_data_read(value);
	}
	/* The barrier and the queue have no word in common. */
	weir_model_check(weir_crew_wait(c) == WEIR_OK, "a barrier ends with the wrong result");
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_HANDOFF)
		pass_on(r);
	else
		crew_body(r);
}

static void configure(weir_model_case_run *r)
{
	weir_crew_config config = config_of(r, 0);

	r->size = (uint32_t)weir_crew_words(config) * config.ranks;
}

/* Makes the shares of a crew that a kernel creates itself. */
static uint32_t make(weir_model_case_run *r)
{
	uint32_t ranks = r->c.blocks / blocks_of_rank(r);
	crew_state *state = r->state;

	for (uint32_t rank = 0; state && rank < ranks; rank++)
		state->shares[rank] = r->words + rank * WEIR_CREW_WORDS(ranks);
	return WEIR_CREW_WORDS(ranks) * ranks;
}

static void start(const weir_model_case_run *r)
{
	crew_state *state = r->state;
	uint32_t ranks = rank_of(r, r->c.blocks - 1) + 1;

	for (uint32_t rank = 0; rank < ranks; rank++)
		state->shares[rank] = r->words + rank * config_of(r, rank).stride;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		weir_crew_start(crew_of(r, rank), r->c.past);
		if (r->c.form == WEIR_MODEL_RELAY)
			weir_store_rlx(event_of(r, rank), r->c.past);
	}
}

/* Checks that each post added its count. */
static void complete(const weir_model_case_run *r)
{
	const crew_state *state = r->state;

	for (uint32_t rank = 1; r->c.form == WEIR_MODEL_RELAY && rank < r->c.blocks; rank++)
		weir_model_check(weir_model_final(event_of(r, rank)) ==
		                     r->c.past + state->posted[rank - 1],
		                 "an event has another count");
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 3)}, SMALL},
    {{SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{SIZE(2, 2, 2)}, SMALL},
    {{SIZE(3, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(4, 1, 2), .room = 2, .past = WRAP}, SMALL},
    {{SIZE(4, 1, 1), .room = 2, .bits = 1}, SMALL},
    {{SIZE(4, 2, 1), .room = 2}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(4, 1, 2), .room = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1), .room = 2}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(4, 1, 1), .room = 2}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(2, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(3, 1, 1)}, SMALL},
    {{SIZE(4, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(4, 1, 1), .room = 2}, SMALL},
    {{SIZE(4, 1, 1), .askers = 3}, SMALL},
    {{SIZE(2, 2, 2), .past = WRAP, .first = 2}, SMALL},
    {{SIZE(3, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 2), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{SIZE(4, 2, 1), .room = 2, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(4, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(4, 2, 1), .askers = 3, .first = 2}, SMALL},
    {{SIZE(4, 2, 1), .askers = 3, .first = 2}, SMALL},
    {{SIZE(2, 4, 1), .first = 4}, SMALL},
    {{SIZE(4, 2, 1), .room = 2, .first = 4}, SMALL},
    {{SIZE(5, 1, 1), .past = WRAP}, LARGER},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1)}, LARGER},
};

/* Five ranks need more words than the explorer tracks, unless each signals few others. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	if (shape->c.form == WEIR_MODEL_MADE || shape->c.form == WEIR_MODEL_HANDOFF)
		return adapter->value == FLAT;
	return adapter->value == ROUNDS || (shape->c.blocks < 5 && !shape->c.askers);
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(crew) = {
    WEIR_MODEL_NAMES(crew),
    .forms = WEIR_MODEL_FORM(SPLIT) | WEIR_MODEL_FORM(CLOSING) | WEIR_MODEL_FORM(RELAY) |
             WEIR_MODEL_FORM(HANDOFF) | WEIR_MODEL_FORM(SEVERAL),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(RELAY),
    .has_members = 1,
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
    .hooks_kind = WEIR_MODEL_NO_KIND,
    .unnoted_forms = ~0u, /* its header is among the words of the crew */
};
