/* The cases of the barriers. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

typedef struct barrier_state {
	uint32_t phase[WEIR_MODEL_THREADS];
	uint32_t broken_from; /* the first phase for which a thread was too late; 0: none */
	uint32_t passed_up_to;
} barrier_state;

static uint32_t barrier_size(weir_any_config config)
{
	return weir_barrier_words(config.barrier);
}

static void start_barrier(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_barrier_start(weir_barrier_make(words, config.barrier), past);
}

static void pass(weir_word *words, weir_any_config config)
{
	weir_barrier_wait(weir_barrier_make(words, config.barrier));
}

#define ROW_(name, NAME, value, shape, ...)                                                        \
	{"barrier", #name,        value,         WEIR_UNFAIR, WEIR_QUEUE_NONE,                     \
	 shape,     barrier_size, start_barrier, pass,        NULL},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_BARRIER_KINDS(ROW_)
};
/* clang-format on */

/* Between its arrival and its await a block does its own work. Called by the thread that speaks for
 * the block. */
static void check_arrived(const weir_model_case_run *r)
{
	weir_model_check_outside();
	if (r->config.barrier.id != 0 && weir_block_id() < WEIR_BLOCKS &&
	    weir_thread_id() == weir_thread_count() / 2)
		weir_model_check(weir_model_note_of(weir_block_id(), WEIR_NOTE_BARRIER) == 0,
		                 "a note says that a block waits which has only arrived");
}

/* The last block calls its await only after all other blocks have returned from theirs. Every
 * second phase passes the barrier in one piece. */
static void pass_in_two(const weir_model_case_run *r, uint32_t phase)
{
	weir_barrier b = weir_barrier_make(r->words, r->config.barrier);
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS;
	uint32_t last = r->c.blocks - 1;

	if (phase % 2 == 0) {
		weir_barrier_wait(b);
	} else {
		uint32_t token = weir_barrier_arrive(b);
		check_arrived(r);
		if (weir_block_id() == last && weir_thread_id() == 0)
			for (uint32_t i = 0; i < last; i++)
				weir_await_eq_acq(&flags[i], phase, weir_no_backoff());
		weir_barrier_await(b, token);
	}
	if (weir_block_id() != last && weir_thread_id() == 0)
		/* Relaxed: the barrier alone must order the data. */
		weir_store_rlx(&flags[weir_block_id()], phase);
}

/* All threads get the same answer for a phase. A barrier that is broken stays broken. */
static int pass_in_time(weir_model_case_run *r, uint32_t phase)
{
	barrier_state *state = r->state;
	int late =
	    weir_barrier_wait_for(weir_barrier_make(r->words, r->config.barrier), 1) != WEIR_OK;

	weir_model_check(!late || state->broken_from != 0 || weir_model_anybody_late(),
	                 "the barrier is broken although no deadline had passed");
	r->ever_late |= late;
	weir_model_note(late ? "is late" : "has passed");
	if (late && (state->broken_from == 0 || phase < state->broken_from))
		state->broken_from = phase;
	if (!late && phase > state->passed_up_to)
		state->passed_up_to = phase;
	weir_model_check(state->broken_from == 0 || state->broken_from > state->passed_up_to,
	                 "one is told that the barrier was passed, another that it was not");
	return !late;
}

static int has_teams(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_WARPS || c->form == WEIR_MODEL_NAMED;
}

/* In even phases every thread writes its datum, in odd phases it reads those of all threads. A
 * thread outside the teams wrote its datum once, before the first phase. */
static void use_data(const weir_model_case_run *r, uint32_t phase)
{
	barrier_state *state = r->state;

	if (phase % 2 == 0) {
		weir_model_data_write(weir_model_self());
		state->phase[weir_model_self()] = phase + 1;
		return;
	}
	for (uint32_t t = 0; t < r->c.blocks * r->c.threads; t++) {
		weir_model_data_read(t);
		weir_model_check(state->phase[t] == phase ||
		                     (has_teams(&r->c) && !weir_model_in_team(r, t % r->c.threads)),
		                 "a thread is in another phase");
	}
}

/* The other threads of a block write before they meet the team, which passes their writes on, and
 * again afterwards. */
static void with_teams(const weir_model_case_run *r)
{
	weir_barrier b = weir_barrier_make(r->words, r->config.barrier);
	int is_member = weir_model_in_team(r, weir_thread_id());

	if (!is_member)
		weir_model_data_write(weir_model_self());
	weir_block_sync();
	if (!is_member) {
		weir_model_data_write(WEIR_MODEL_THREADS + weir_model_self());
		return;
	}
	for (uint32_t phase = 0; phase <= r->c.rounds; phase++) {
		if (phase > 0)
			weir_barrier_team_wait(b, weir_model_team(r));
		use_data(r, phase);
	}
}

static int has_deadline(const weir_model_case *c, uint32_t phase)
{
	return c->form == WEIR_MODEL_GIVE_UP || (c->form == WEIR_MODEL_MIXED && phase % 2 == 1);
}

#ifdef WEIR_DIAGNOSE
static const uint32_t misuse_kinds[] = {WEIR_MISUSE_FEWER_THREADS};
static const uint64_t misuse_values[] = {1};

/* The hooks of a barrier that only one thread of the block has reached. */
static void come_alone(const weir_model_case_run *r)
{
	weir_barrier b = weir_barrier_make(r->words, r->config.barrier);

	weir_note_pass_(b, weir_thread_id() == 1 ? weir_note_arrive_(b, WEIR_HERE_)
	                                         : weir_notes_at_(0, 0, 0));
}
#endif

static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE && r->c.threads > 1;
}

/* Only two kinds have teams. */
static void misuse(const weir_model_case_run *r)
{
	weir_barrier b = weir_barrier_make(r->words, r->config.barrier);

	b.config.kind = WEIR_BARRIER_ATOMIC;
	weir_model_check_fault(WEIR_FAULT_BARRIER, WEIR_BARRIER_ATOMIC,
	                       weir_barrier_team_wait(b, weir_team_block()));
}

static void body(weir_model_case_run *r)
{
	int whole = 1;

#ifdef WEIR_DIAGNOSE
	if (misuses(r)) {
		come_alone(r);
		return;
	}
#endif
	if (r->c.form == WEIR_MODEL_MISUSE) {
		misuse(r);
		return;
	}
	if (has_teams(&r->c)) {
		with_teams(r);
		return;
	}
	for (uint32_t phase = 0; phase <= r->c.rounds; phase++) {
		int in_time = has_deadline(&r->c, phase);
		if (phase > 0 && in_time)
			whole = pass_in_time(r, phase);
		else if (phase > 0 && r->c.form == WEIR_MODEL_SPLIT)
			pass_in_two(r, phase);
		else if (phase > 0)
			r->adapter->enter(r->words, r->config);
		if (whole || !in_time)
			use_data(r, phase);
	}
}

/* Counts the arrivals. Waits with a deadline, and waits of teams, leave no notes. */
static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	uint32_t count = 0;

	(void)block;
	for (uint32_t phase = 1; phase <= r->c.rounds; phase++)
		count += !has_deadline(&r->c, phase);
	return count;
}

/* A wait with a deadline leaves no notes. */
static int waits_unsaid(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_GIVE_UP || r->c.form == WEIR_MODEL_MIXED;
}

static void complete(const weir_model_case_run *r)
{
	for (uint32_t b = 0; b < r->c.blocks && b < WEIR_BLOCKS && r->config.barrier.id != 0; b++)
		weir_model_check(weir_model_note_of(b, WEIR_NOTE_OF) ==
		                     (noted(r, b) != 0 ? r->c.threads : 0),
		                 "a note says that a block has other threads");
}

static const char *refuse(const weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_SPLIT && !r->is_shipped)
		return "published barriers come in one piece";
	if (has_teams(&r->c) && (!r->is_shipped || (r->adapter->value != WEIR_BARRIER_COUNTER &&
	                                            r->adapter->value != WEIR_BARRIER_CENTRAL)))
		return "no such kind has teams";
	if (weir_model_refuse_teams(&r->c))
		return weir_model_refuse_teams(&r->c);
	if (r->c.bits > WEIR_SHAPE_BITS_MOST || r->c.blocks >> r->c.bits == 0)
		return "a barrier has no more shards than blocks";
	return NULL;
}

static void configure(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_MISUSE && r->c.threads == 1)
		r->config.barrier.id = 0; /* a team leaves no notes */
	r->config.barrier.blocks = r->c.blocks;
	r->config.barrier.shape.bits = r->c.bits;
}

static void start(const weir_model_case_run *r)
{
	r->adapter->start(r->words, r->config, r->c.initial, r->c.past);
	if (r->c.form == WEIR_MODEL_GIVE_UP || r->c.form == WEIR_MODEL_MIXED)
		weir_store_rlx(
		    weir_bounded_decision_(weir_barrier_make(r->words, r->config.barrier)),
		    2 * r->c.past);
}

static uint32_t make(weir_model_case_run *r)
{
	weir_barrier b;

	if (r->words) {
		b = weir_barrier_in(r->words, r->c.blocks);
		weir_model_check_made(r, b.words);
		r->config.barrier = b.config;
	}
	return WEIR_BARRIER_WORDS(r->c.blocks);
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 3)}, SMALL},
    {{SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{SIZE(1, 2, 3)}, SMALL},
    {{SIZE(2, 2, 3)}, SMALL},
    {{SIZE(3, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 1, 3), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 3), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_MIXED, SIZE(2, 1, 4), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_MIXED, SIZE(2, 2, 3)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 2, 2)}, LARGER},
    {{.form = WEIR_MODEL_MIXED, SIZE(3, 1, 2)}, LARGER},
    {{.form = WEIR_MODEL_SPLIT, SIZE(3, 1, 3)}, LARGER},
    {{SIZE(3, 2, 3), .past = WRAP}, LARGER},
    {{SIZE(2, 4, 3)}, LARGER},
    {{SIZE(4, 2, 2)}, LARGER},
    {{SIZE(4, 1, 3)}, LARGER},
#ifdef WEIR_DIAGNOSE
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 2, 1)}, SMALL},
#endif
};

/* Kinds that spread their counters over shards run these after the shapes above. These kinds
 * support teams. */
static const weir_model_shape spread_shapes[] = {
    {{SIZE(2, 1, 3), .bits = 1, .past = WRAP}, SMALL},
    {{SIZE(2, 1, 3), .bits = 1, .past = WRAP + 1}, SMALL},
    {{SIZE(2, 2, 2), .bits = 1}, SMALL},
    {{SIZE(2, 3, 2), .bits = 1}, SMALL},
    {{SIZE(3, 1, 2), .bits = 1}, SMALL},
    {{SIZE(4, 1, 2), .bits = 1}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 1, 3), .bits = 1}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 2), .bits = 1, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_MIXED, SIZE(2, 1, 3), .bits = 1}, SMALL},
    {{SIZE(3, 2, 2), .bits = 1}, LARGER},
    {{SIZE(5, 1, 2), .bits = 2}, LARGER},
    {{.form = WEIR_MODEL_WARPS, SIZE(2, 3, 3)}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(2, 3, 2), .bits = 1, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 2), .bits = 1}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 3), .past = WRAP}, LARGER},
    {{SIZE(2, 2, 2), .first = 2}, SMALL},
    {{SIZE(2, 2, 3), .bits = 1, .past = WRAP, .first = 2}, SMALL},
    {{SIZE(2, 3, 2), .bits = 1, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 2), .bits = 1, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_MIXED, SIZE(2, 2, 2), .bits = 1, .first = 2}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 2), .bits = 1, .first = 2}, SMALL},
    {{SIZE(2, 4, 2), .bits = 1, .first = 4}, SMALL},
    {{SIZE(2, 2, 2), .bits = 1, .first = 4}, SMALL},
    {{SIZE(4, 2, 1), .bits = 2, .first = 2}, LARGER},
};

static const weir_model_shape *shape_at(const weir_model_adapter *adapter, size_t i)
{
	const size_t usual = sizeof shapes / sizeof shapes[0];
	const size_t spread = sizeof spread_shapes / sizeof spread_shapes[0];

	if (i < usual)
		return &shapes[i];
	if (adapter->shape == WEIR_SHAPE_COUNTERS && i < usual + spread)
		return &spread_shapes[i - usual];
	return NULL;
}

/* A phase of four blocks in two stages has 24 * 24 orders: too many to explore in every run. All
 * kinds share the code of a wait with a deadline. Its larger case, which has no phase of the kind's
 * own, runs with the first kind only. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	if (shape->c.form == WEIR_MODEL_MADE)
		return adapter->value == WEIR_BARRIER_COUNTER;
	if (shape->larger && shape->c.form == WEIR_MODEL_GIVE_UP)
		return adapter == kinds;
	return adapter->value != WEIR_BARRIER_TWO_STAGE || shape->c.blocks < 4;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(barrier) = {
    .forms = WEIR_MODEL_FORM(SPLIT) | WEIR_MODEL_FORM(MIXED) | WEIR_MODEL_FORM(WARPS) |
             WEIR_MODEL_FORM(NAMED) | WEIR_MODEL_FORM(MISUSE),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(MIXED),
    .published = {SIZE(2, 1, 1)},
    .shape_at = shape_at,
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
#ifdef WEIR_DIAGNOSE
    .misuse_kinds = misuse_kinds,
    .misuse_values = misuse_values,
#endif
    .misuses = misuses,
    .unnoted_forms = WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(NAMED),
    .waits_in = WEIR_MODEL_WAITS(BARRIER),
    .noted = noted,
    .waits_unsaid = waits_unsaid,
    WEIR_MODEL_NAMES(barrier),
};
