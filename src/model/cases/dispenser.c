/* The cases of the dispensers. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_ITEMS 8

typedef struct dispenser_state {
	uint32_t taken[MOST_ITEMS];
} dispenser_state;

static uint32_t dispenser_size(weir_any_config config)
{
	return weir_dispenser_words(config.dispenser);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "dispenser", .kind = "takes", .words = dispenser_size},
};

/* The second launch has one item fewer. */
static weir_dispenser dispenser(const weir_model_case_run *r, uint32_t launch)
{
	weir_dispenser d = weir_dispenser_make(r->words, r->config.dispenser);

	return launch == 0 ? d : weir_dispenser_of(d, r->c.past + r->c.initial - 1);
}

/* A block with an odd number takes two items at a time. */
static uint32_t each(void)
{
	return 1 + weir_block_id() % 2;
}

static int next_share(const weir_model_case_run *r, weir_dispenser d, weir_share *share)
{
	if (r->c.form == WEIR_MODEL_WARPS)
		return weir_dispenser_team_next(d, share, each(), weir_team_warp());
	return r->c.threads == 1 ? weir_dispenser_next(d, share, each())
	                         : weir_dispenser_block_next(d, share, each());
}

/* Every taker takes until nothing is left. Each of its threads counts the items. */
static void launch(const weir_model_case_run *r, uint32_t number)
{
	weir_dispenser d = dispenser(r, number);
	dispenser_state *state = r->state;

	weir_share share =
	    r->c.form == WEIR_MODEL_WARPS
		? weir_dispenser_begin_at(d, weir_block_id() * d.config.takers +
	                                         weir_thread_id() / WEIR_WARP_THREADS)
		: weir_dispenser_begin(d);

	while (next_share(r, d, &share))
		for (uint32_t i = share.first; i < share.first + share.count; i++) {
			weir_model_check(i >= r->c.past && i < d.config.items,
			                 "an item that is none");
			state->taken[i - r->c.past]++;
		}
	weir_model_check(!next_share(r, d, &share) && share.count == 0, "items after the end");
}

/* A take of zero items ends the launch and takes nothing. */
static void misuse(const weir_model_case_run *r)
{
	weir_dispenser d = dispenser(r, 0);
	weir_share share = weir_dispenser_begin(d);

	d.config.share = 0;
	weir_model_check_fault(WEIR_FAULT_SHARE, 0, weir_dispenser_next(d, &share, 0));
	share = weir_dispenser_begin(d);
	weir_model_check_fault(WEIR_FAULT_SHARE, 0, weir_dispenser_block_next(d, &share, 0));
}

static int takes_after_none(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE && r->config.dispenser.id != 0;
}

static void body(weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_MISUSE)
		misuse(r);
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		launch(r, i);
		if (takes_after_none(r)) {
			weir_share share = weir_dispenser_begin(dispenser(r, i));

			share.state = WEIR_SHARE_TAKES;
			weir_dispenser_next(dispenser(r, i), &share, 1); /* of the next launch */
		}
		weir_model_end_launch(i);
	}
}

static void complete(const weir_model_case_run *r)
{
	const dispenser_state *state = r->state;
	uint32_t threads = r->c.form == WEIR_MODEL_WARPS ? WEIR_WARP_THREADS : r->c.threads;

	for (uint32_t i = 0; i < r->c.initial; i++) {
		uint32_t launches = i + 1 < r->c.initial ? r->c.rounds : 1;

		weir_model_check(state->taken[i] == launches * threads,
		                 "an item was not taken once in each launch");
	}
	weir_model_check(takes_after_none(r) || (weir_model_final(&r->words[0]) == 0 &&
	                                         weir_model_final(&r->words[2]) == 0),
	                 "the dispenser is not ready for another launch");
}

/* Each taker's last take returns nothing. */
static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	(void)block;
	return r->config.dispenser.takers;
}

/* The launch begins with items already taken. */
static uint32_t misuses(const weir_model_case_run *r)
{
	return (r->c.past != 0 && r->c.blocks <= WEIR_BLOCKS) + (uint32_t)takes_after_none(r);
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->initial == 0 || c->initial > MOST_ITEMS)
		return "a case has 1 to 8 items";
	if (c->past && (c->rounds > 1 || c->form == WEIR_MODEL_SPLIT))
		return "only one launch begins with items that are gone";
	return c->form == WEIR_MODEL_GIVE_UP ? "no block waits for a dispenser"
	                                     : weir_model_refuse_teams(c);
}

static void configure(weir_model_case_run *r)
{
	weir_dispenser_config *config = &r->config.dispenser;

	config->items = r->c.past + r->c.initial;
	config->share = r->c.form == WEIR_MODEL_SPLIT ? 2 : 0;
	config->takers = r->c.form == WEIR_MODEL_WARPS
	                     ? (r->c.threads + WEIR_WARP_THREADS - 1) / WEIR_WARP_THREADS
	                     : 1;
}

/* `past` items have been taken before. */
static void start(const weir_model_case_run *r)
{
	/* Relaxed: from before the launch. */
	weir_store64_rlx(weir_word64_at(r->words, 0), r->c.past);
}

static uint32_t make(weir_model_case_run *r)
{
	weir_dispenser d = weir_dispenser_in(r->words, r->c.initial);

	weir_model_check_made(r, d.words);
	r->config.dispenser = d.config;
	return WEIR_DISPENSER_WORDS;
}

#define ALMOST_ALL 0xfffffff8u /* already taken, so that a take passes 2^32 */

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2), .initial = 3}, SMALL},
    {{SIZE(1, 1, 2), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 1, 2), .initial = 4}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 1, 2), .initial = 7}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(3, 1, 1), .initial = 3}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .initial = 2}, SMALL},
    {{.form = WEIR_MODEL_SPLIT, SIZE(2, 2, 1), .initial = 5}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 4, 2), .initial = 2}, SMALL},
    {{SIZE(3, 1, 1), .initial = 2}, SMALL},
    {{SIZE(2, 1, 1), .initial = 7, .past = ALMOST_ALL}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1), .initial = 7, .past = ALMOST_ALL}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 2), .initial = 3}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1), .initial = 2}, SMALL},
    {{SIZE(3, 1, 2), .initial = 2}, LARGER},
    {{.form = WEIR_MODEL_WARPS, SIZE(2, 4, 1), .initial = 2}, LARGER},
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(dispenser) = {
    .forms = WEIR_MODEL_FORM(SPLIT) | WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(MISUSE),
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
    .noted = noted,
    .misuses = misuses,
    .chatty_forms = WEIR_MODEL_FORM(WARPS),
    WEIR_MODEL_NAMES(dispenser),
    .unaborted_forms = ~0u, /* nothing waits */
};
