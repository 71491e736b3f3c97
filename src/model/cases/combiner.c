/* The cases of the combiners. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_OPERATIONS 16
#define WORDS 2 /* of an operation, in a case with several */

/* Datum 0 is the state that the operations change. Each block has a datum of its own, which it
 * passes to its operation and gets back. */
typedef struct combiner_state {
	uint32_t done[MOST_OPERATIONS];
	uint32_t given_up[MOST_OPERATIONS];
	uint32_t served; /* how often a block serves */
	uint32_t server; /* the last block that served */
	int refused
	    [WEIR_MODEL_THREADS]; /* whether each block asked to serve while another one did */
} combiner_state;

static uint32_t combine_size(weir_any_config config)
{
	return (uint32_t)weir_combiner_words(config.combiner);
}

static void start_combine(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)config;
	(void)value;
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(&words[1], past * WEIR_LEFT_STEP);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "combiner", .kind = "seats", .words = combine_size, .start = start_combine},
};

static weir_combiner combiner(const weir_model_case_run *r)
{
	return weir_combiner_make(r->words, r->config.combiner);
}

static uint32_t number(uint32_t block, uint32_t round)
{
	return round * weir_block_count() + block;
}

/* The result of an operation, by its number: a value that differs from the operation. */
static uint32_t result_of(uint32_t operation)
{
	return 3 * operation + 5;
}

/* ---- operations ---- */

static uint32_t change(combiner_state **state, uint32_t operation)
{
	weir_model_check(operation != 0 && operation <= MOST_OPERATIONS,
	                 "an operation that no block published");
	weir_model_data_read(0);
	weir_model_data_write(0);
	weir_model_data_write(1 + (operation - 1) % weir_block_count());
	(*state)->done[operation - 1]++;
	return result_of(operation);
}

static void do_all(const weir_model_case_run *r, weir_combiner_call *call)
{
	weir_combiner c = combiner(r);
	combiner_state *state = r->state;
	uint32_t rounds[WEIR_MODEL_THREADS] = {0}; /* in which a seat had an operation */

	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call) {
			uint32_t operation = weir_combiner_operation(call, i);
			uint32_t result = change(&state, operation);
			weir_model_check(rounds[(operation - 1) % weir_block_count()]++ <
			                     WEIR_COMBINER_ROUNDS,
			                 "a block combines for more rounds than it may");
			if (c.config.words == 1) {
				weir_combiner_answer(call, i, result);
			} else {
				weir_model_check(
				    weir_combiner_operation_word(call, i, 0) == operation &&
					weir_combiner_operation_word(call, i, 1) == ~operation,
				    "the words of an operation are of two");
				weir_combiner_answer_word(call, i, 0, result);
				weir_combiner_answer_word(call, i, 1, ~result);
			}
		}
}

/* Thread 0 owns the block's datum. */
static void write_own(void)
{
	if (weir_thread_id() == 0)
		weir_model_data_write(1 + weir_block_id());
}

/* All of the first threads read the state before the operations; the last one writes it
 * afterwards. */
static void begin_with_state(void)
{
	weir_model_data_read(0);
}

static void end_with_state(void)
{
	if (weir_thread_id() + 1 == WEIR_FIRST_THREADS)
		weir_model_data_write(0);
}

static void check_result(const weir_model_case_run *r, const weir_combiner_call *call,
                         uint32_t operation)
{
	const combiner_state *state = r->state;
	uint32_t result = result_of(operation);

	write_own();
	weir_model_check(weir_combiner_result(call) == result, "the result of another operation");
	weir_model_check(r->config.combiner.words == 1 ||
	                     (weir_combiner_result_word(call, 0) == result &&
	                      weir_combiner_result_word(call, 1) == ~result),
	                 "the words of a result are of two");
	weir_model_check(state->done[operation - 1] == 1, "an operation was not done once");
}

static weir_combiner_call publish(const weir_model_case_run *r, uint32_t operation)
{
	uint32_t words[WORDS] = {operation, ~operation};

	write_own();
	if (r->c.form == WEIR_MODEL_GIVE_UP || r->c.form == WEIR_MODEL_AGAIN)
		return weir_combiner_publish_timed(combiner(r), words, r->config.combiner.words);
	return r->config.combiner.words == 1
	           ? weir_combiner_publish(combiner(r), operation)
	           : weir_combiner_publish_words(combiner(r), words, WORDS);
}

static void call_untimed(const weir_model_case_run *r, uint32_t operation)
{
	weir_combiner_call call = publish(r, operation);

	while (weir_combiner_wait(combiner(r), &call)) {
		begin_with_state();
		do_all(r, &call);
		end_with_state();
		weir_combiner_release(combiner(r), &call);
	}
	check_result(r, &call, operation);
}

static void call_for(const weir_model_case_run *r, uint32_t round)
{
	call_untimed(r, number(weir_block_id(), round) + 1);
}

static void call_for_a_while(weir_model_case_run *r, uint32_t round)
{
	combiner_state *state = r->state;
	uint32_t operation = number(weir_block_id(), round) + 1;
	weir_deadline deadline = weir_deadline_begin(1);
	weir_combiner_call call = publish(r, operation);
	weir_status result;

	while ((result = weir_combiner_wait_by(combiner(r), &call, &deadline)) == WEIR_BUSY) {
		do_all(r, &call);
		weir_combiner_release(combiner(r), &call);
	}
	if (result == WEIR_OK) {
		check_result(r, &call, operation);
		return;
	}
	r->ever_late = 1;
	weir_model_check(weir_thread_id() != 0 || weir_model_was_late(),
	                 "a call gives up before its deadline");
	write_own(); /* it is the caller's again */
	if (r->c.form == WEIR_MODEL_AGAIN)
		call_untimed(r, operation);
	else
		state->given_up[operation - 1] = 1;
}

/* ---- forms ---- */

/* All threads of a block pass data on and get them back. */
static void collective(const weir_model_case_run *r, uint32_t round)
{
	combiner_state *state = r->state;
	uint32_t operation = number(weir_block_id(), round) + 1;
	uint32_t result;

	if (weir_thread_id() + 1 == weir_thread_count())
		weir_model_data_write(1 + weir_block_id());
	weir_combiner_block_call(combiner(r), combiner_state *, &state, change, operation, result);
	weir_model_check(result == result_of(operation), "the result of another operation");
	if (weir_thread_id() + 1 == weir_thread_count())
		weir_model_data_write(1 + weir_block_id());
}

/* Serves a launch, unless another block does. */
static int serve(const weir_model_case_run *r)
{
	weir_combiner c = combiner(r);
	combiner_state *state = r->state;
	weir_combiner_call call;

	if (!weir_combiner_serve(c, &call)) {
		state->refused[weir_block_id()] = 1;
		return 0;
	}
	state->served += weir_thread_id() == 0;
	state->server = weir_block_id();
	while (weir_combiner_serve_next(c, &call))
		do_all(r, &call);
	if (weir_thread_id() == 0) {
		weir_model_data_read(0);
		weir_model_data_write(0);
	}
	weir_combiner_release(c, &call);
	return 1;
}

/* Block 0 serves. In a launch of several servers the last block asks to serve as well, and one of
 * them is refused. In an array, the others may combine for themselves. */
static int is_server(const weir_model_case_run *r)
{
	return weir_block_id() == 0 ||
	       (r->c.form == WEIR_MODEL_ARRAY && weir_block_id() + 1 == weir_block_count());
}

static void launch(const weir_model_case_run *r, uint32_t round)
{
	if (is_server(r) && serve(r))
		return;
	if (!is_server(r))
		call_for(r, round);
	if (weir_thread_id() == 0)
		weir_combiner_leave(combiner(r));
}

static int has_server(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_LAUNCHES || r->c.form == WEIR_MODEL_ARRAY;
}

static void single(weir_model_case_run *r, uint32_t round)
{
	if (has_server(r)) {
		launch(r, round);
		weir_model_end_launch(round);
	} else if ((r->c.form == WEIR_MODEL_GIVE_UP || r->c.form == WEIR_MODEL_AGAIN) &&
	           weir_block_id() != 0) {
		call_for_a_while(r, round);
	} else {
		call_for(r, round);
	}
}

/* Whether a block publishes an operation in that round or launch. With HANDOFF block 0 publishes
 * only once, and may then combine for the others in all of their rounds. */
static int publishes(const weir_model_case_run *r, uint32_t block, uint32_t round)
{
	if (r->c.form == WEIR_MODEL_HANDOFF)
		return block != 0 || round == 0;
	if (!has_server(r))
		return r->c.form != WEIR_MODEL_MISUSE;
	return block != 0 && (r->c.form == WEIR_MODEL_LAUNCHES || block + 1 != r->c.blocks);
}

/* Blocks without a seat, and operations of too many words, end the launch. */
static void misuse(const weir_model_case_run *r)
{
	uint32_t words[WORDS] = {1, 2};
	weir_combiner c = combiner(r);

	if (weir_block_id() >= c.config.seats)
		weir_model_check_fault(WEIR_FAULT_SEAT, 1, weir_combiner_publish(c, 1));
	else
		weir_model_check_fault(WEIR_FAULT_OPERATION, WORDS,
		                       weir_combiner_publish_words(c, words, WORDS));
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_MISUSE) {
		misuse(r);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (r->c.form == WEIR_MODEL_COLLECTIVE)
			collective(r, i);
		else if (weir_is_first(weir_thread_id()) &&
		         (has_server(r) || publishes(r, weir_block_id(), i)))
			single(r, i);
	}
}

static void complete(const weir_model_case_run *r)
{
	const combiner_state *state = r->state;
	weir_combiner c = combiner(r);

	for (uint32_t i = 0; i < r->c.blocks * r->c.rounds; i++)
		weir_model_check(state->done[i] + state->given_up[i] ==
		                     (uint32_t)publishes(r, i % r->c.blocks, i / r->c.blocks),
		                 "an operation was not done once");
	weir_model_check(!has_server(r) || state->served == r->c.rounds,
	                 "not one block served in each launch");
	weir_model_check(weir_model_final(weir_combiner_lock_(c)) == WEIR_COMBINER_FREE,
	                 "all are done, and the lock is held");
	weir_model_check((weir_model_final(weir_combiner_left_(c)) & (WEIR_LEFT_STEP - 1)) == 0,
	                 "the combiner is not ready for another launch");
}

/* All blocks leave a launch with a server; the server leaves when it has served. */
static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	const combiner_state *state = r->state;

	if (!has_server(r))
		return 0;
	return WEIR_COMBINER_LEFT | (state->server == block ? WEIR_COMBINER_SERVES : 0);
}

static uint32_t misuses(const weir_model_case_run *r)
{
	const combiner_state *state = r->state;

	return (uint32_t)(state->refused[0] + state->refused[1]);
}

/* Threads that share the work wait for the first one, which speaks. */
static int waits_unsaid(const weir_model_case_run *r)
{
	return r->c.first > 1;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->blocks * c->rounds > MOST_OPERATIONS)
		return "there are not so many operations";
	if (c->form == WEIR_MODEL_ARRAY && c->blocks < 2)
		return "two blocks want to serve";
	return NULL;
}

static void configure(weir_model_case_run *r)
{
	weir_combiner_config *config = &r->config.combiner;

	config->seats = r->c.form == WEIR_MODEL_MISUSE ? 1 : r->c.blocks;
	config->words =
	    r->c.form == WEIR_MODEL_SEVERAL || r->c.form == WEIR_MODEL_GIVE_UP ? WORDS : 1;
	config->is_served = r->c.form == WEIR_MODEL_LAUNCHES;
}

static uint32_t make(weir_model_case_run *r)
{
	weir_combiner c = weir_combiner_in(r->words, r->c.blocks);

	weir_model_check_made(r, c.words);
	r->config.combiner = c.config;
	return WEIR_COMBINER_WORDS(r->c.blocks);
}

static const weir_model_shape shapes[] = {
    {{SIZE(1, 1, 2)}, SMALL},
    {{SIZE(2, 1, 1)}, SMALL},
    {{SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 1, 2), .past = 3}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_AGAIN, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(3, 1, 1)}, SMALL},
    {{SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2)}, SMALL},
    {{SIZE(2, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(1, 2, 2), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 2, 2), .first = 2, .past = 3}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(2, 2, 1), .first = 2}, SMALL},
    {{SIZE(2, 4, 1), .first = 4}, SMALL},
    {{SIZE(3, 2, 1), .first = 2}, LARGER},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(2, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1)}, LARGER},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(3, 1, 2)}, LARGER},
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(combiner) = {
    .forms = WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(LAUNCHES) | WEIR_MODEL_FORM(ARRAY) |
             WEIR_MODEL_FORM(AGAIN) | WEIR_MODEL_FORM(HANDOFF) | WEIR_MODEL_FORM(MISUSE),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(AGAIN),
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .complete = complete,
    .noted = noted,
    .misuses = misuses,
    .waits_unsaid = waits_unsaid,
    .hooks_kind = WEIR_MODEL_NO_KIND,
    .waits_in = WEIR_MODEL_WAITS(COMBINE) | WEIR_MODEL_WAITS(SERVE),
    WEIR_MODEL_NAMES(combiner),
};
