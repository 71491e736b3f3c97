/* The cases of crews over an engine: the ranks reach each other by its puts, or some of them by
 * loads and stores. */
#include "model/cases/remote.h"

#include "model/cases/crew.h"

#define MIXED 2 /* rounds; ranks 0 and 1 reach each other by loads and stores, and so on */

typedef struct remote_state {
	crew_state crew; /* first, for the code shared with crew.c */
	remote_engine engine;
	weir_word *tables[WEIR_MODEL_THREADS][WEIR_MODEL_THREADS];
} remote_state;

static weir_crew_config config_of(const weir_model_case_run *r, uint32_t rank)
{
	weir_crew_config config =
	    weir_crew_in_config(r->c.blocks / blocks_of_rank(r), rank, blocks_of_rank(r));

	config.first_block = rank * blocks_of_rank(r);
	config.lanes = 0;
	config.events = r->c.form == WEIR_MODEL_RELAY;
	if (r->adapter->value != FLAT)
		config.radix = 2;
	return config;
}

static weir_crew crew_of(const weir_model_case_run *r, uint32_t rank)
{
	remote_state *state = r->state;
	weir_crew c = weir_crew_make(state->engine.shares[rank],
	                             r->adapter->value == MIXED ? state->tables[rank] : NULL,
	                             config_of(r, rank));

	c.engine = &state->engine;
	return c;
}

static uint32_t remote_size(weir_any_config config)
{
	(void)config;
	return 0; /* follows from the case */
}

static const weir_model_adapter kinds[] = {
    {"remote", "flat", FLAT, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_COUNTERS, remote_size, NULL,
     NULL, NULL},
    {"remote", "rounds", ROUNDS, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_COUNTERS, remote_size,
     NULL, NULL, NULL},
    {"remote", "mixed", MIXED, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_COUNTERS, remote_size, NULL,
     NULL, NULL},
};

/* The event of a rank, found without the crews' own code. */
static weir_word *event_of(const weir_model_case_run *r, uint32_t rank)
{
	const remote_state *state = r->state;

	return state->engine.shares[rank] + weir_crew_events_at_(config_of(r, rank)) +
	       WEIR_EVENT_HEAD * WEIR_LINE_WORDS;
}

/* Checks that each post added its count. */
static void complete(const weir_model_case_run *r)
{
	const remote_state *state = r->state;

	for (uint32_t rank = 1; r->c.form == WEIR_MODEL_RELAY && rank < r->c.blocks; rank++) {
		const weir_word *event = event_of(r, rank);
		uint32_t count = r->c.past + state->crew.posted[rank - 1];

		weir_model_check(weir_model_final(event) == count &&
		                     weir_model_final(event + state->engine.apart) == count,
		                 "an event has another count");
	}
}

/* A rank that only an engine reaches has no share here. */
static void misuse(const weir_model_case_run *r)
{
	uint32_t rank = weir_block_id();
	uint32_t to = rank < 2 ? 2 : 0;

	weir_model_check_fault(WEIR_FAULT_REACH, to, weir_crew_share(crew_of(r, rank), to));
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_MISUSE)
		misuse(r);
	else
		crew_body(r);
}

static const char *refuse(const weir_model_case_run *r)
{
	if (r->c.blocks % blocks_of_rank(r) != 0)
		return "each rank of a crew has as many blocks";
	if (r->c.over[0] || r->c.askers || r->c.bits)
		return "no crew over an engine has these here";
	if (r->c.form == WEIR_MODEL_MISUSE && r->c.blocks < 3)
		return "three ranks are on two hosts";
	return refuse_relay(r);
}

/* The shares, followed by the same number of words for the marks. */
static void configure(weir_model_case_run *r)
{
	weir_crew_config config = config_of(r, 0);

	r->size = 2 * (uint32_t)weir_crew_words(config) * config.ranks;
}

static void start(const weir_model_case_run *r)
{
	remote_state *state = r->state;
	weir_crew_config config = config_of(r, 0);
	uint32_t words = (uint32_t)weir_crew_words(config);

	state->engine.apart = words * config.ranks;
	for (uint32_t rank = 0; rank < config.ranks; rank++)
		state->engine.shares[rank] = r->words + rank * words;
	for (uint32_t rank = 0; rank < config.ranks; rank++) {
		weir_crew c = crew_of(r, rank);

		for (uint32_t to = 0; to < config.ranks; to++)
			state->tables[rank][to] =
			    to / 2 == rank / 2 ? state->engine.shares[to] : NULL;
		weir_crew_start(c, r->c.past);
		for (uint32_t slot = 0; slot < weir_crew_rounds(config) * (config.radix - 1);
		     slot++)
			weir_store_rlx(weir_crew_slot_(c, c.words, 0, slot) + state->engine.apart,
			               r->c.past);
		if (r->c.form == WEIR_MODEL_RELAY) {
			weir_store_rlx(event_of(r, rank), r->c.past);
			weir_store_rlx(event_of(r, rank) + state->engine.apart, r->c.past);
		}
	}
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 3)}, SMALL},
    {{SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{SIZE(2, 2, 2)}, SMALL},
    {{SIZE(3, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(4, 1, 2), .room = 2, .past = WRAP}, SMALL},
    {{SIZE(4, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(2, 2, 2), .first = 2}, SMALL},
    {{SIZE(3, 2, 1), .past = WRAP, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(2, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(3, 1, 1)}, SMALL},
};

/* Four ranks need more words than the explorer tracks, unless each signals few others. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	if (adapter->value == FLAT)
		return shape->c.blocks < 4 || shape->c.room;
	/* A mutant would read past the table of a rank that has no other rank on its host. */
	return adapter->value == ROUNDS || shape->c.blocks % 2 == 0 ||
	       shape->c.form == WEIR_MODEL_RELAY || shape->c.form == WEIR_MODEL_MISUSE;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(remote) = {
    WEIR_MODEL_NAMES(remote),
    .forms = WEIR_MODEL_FORM(CLOSING) | WEIR_MODEL_FORM(RELAY) | WEIR_MODEL_FORM(MISUSE),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(RELAY),
    .has_members = 1,
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .start = start,
    .complete = complete,
    .hooks_kind = WEIR_MODEL_NO_KIND,
    .unnoted_forms = ~0u, /* as for a crew */
};
