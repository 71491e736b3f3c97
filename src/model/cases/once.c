/* The cases of the onces. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

typedef struct once_state {
	uint32_t begun; /* how often a block began the initialization */
	uint32_t first; /* the block that did */
} once_state;

static uint32_t once_size(weir_any_config config)
{
	return weir_once_words(config.once);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "once", .kind = "flag", .words = once_size},
};

static weir_once once(const weir_model_case_run *r)
{
	return weir_once_make(r->words, r->config.once);
}

static void initialize(const weir_model_case_run *r)
{
	once_state *state = r->state;

	state->begun++;
	state->first = weir_block_id();
	weir_model_data_write(0);
	weir_once_end(once(r));
}

static void begin(const weir_model_case_run *r)
{
	if (weir_once_begin(once(r)))
		initialize(r);
	weir_model_data_read(0);
}

/* Some blocks look first; the others begin. */
static void look(const weir_model_case_run *r, uint32_t round)
{
	if (!weir_model_stays(weir_block_id(), round))
		begin(r);
	else if (weir_once_is_done(once(r)))
		weir_model_data_read(0);
}

static void begin_for_a_while(weir_model_case_run *r)
{
	int is_mine;

	if (!weir_model_got_in_time(r, weir_once_begin_for(once(r), 1, &is_mine)))
		return;
	if (is_mine)
		initialize(r);
	weir_model_data_read(0);
}

/* All threads of the block that begins write, and all threads of all blocks read. */
static void collective(const weir_model_case_run *r)
{
	once_state *state = r->state;

	if (weir_once_block_begin(once(r))) {
		state->begun += weir_thread_id() == 0;
		state->first = weir_block_id();
		weir_model_data_write(weir_thread_id());
		weir_once_block_end(once(r));
	} else {
		weir_model_read_all(0, weir_thread_count());
	}
}

#ifdef WEIR_DIAGNOSE
static const uint32_t misuse_kinds[] = {WEIR_MISUSE_BEGUN_TWICE, WEIR_MISUSE_STRANGER, 0};

static const uint64_t misuse_values[] = {WEIR_MODEL_SITE, 0, 0};

static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE ? 2 : 0;
}

/* A second begin, which would wait for itself, so the case only makes its notes; and a second
 * end. */
static void misuse(const weir_model_case_run *r)
{
	weir_once o = once(r);

	if (weir_once_begin(o)) {
		weir_note_again_(weir_notes_open_(o.words, o.config.id, WEIR_HERE_),
		                 WEIR_MISUSE_BEGUN_TWICE);
		weir_area_leave_();
		initialize(r);
	}
	weir_once_end(o);
}
#endif

static void body(weir_model_case_run *r)
{
#ifdef WEIR_DIAGNOSE
	if (r->c.form == WEIR_MODEL_MISUSE) {
		misuse(r);
		return;
	}
#endif
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (r->c.form == WEIR_MODEL_COLLECTIVE)
			collective(r);
		else if (weir_thread_id() != 0)
			return;
		else if (r->c.form == WEIR_MODEL_TRY)
			look(r, i);
		else if (r->c.form == WEIR_MODEL_GIVE_UP)
			begin_for_a_while(r);
		else
			begin(r);
	}
}

static void complete(const weir_model_case_run *r)
{
	const once_state *state = r->state;

	weir_model_check(state->begun == 1, "not exactly one block initializes");
	weir_model_check(r->config.once.id == 0 || state->first >= WEIR_BLOCKS ||
	                     weir_model_note_site(state->first, WEIR_MODEL_ID) != 0,
	                 "no note says where a block has begun");
}

static const char *refuse(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_TRY && r->c.blocks < 2 ? "somebody must begin" : NULL;
}

static uint32_t make(weir_model_case_run *r)
{
	weir_once o = weir_once_in(r->words);

	weir_model_check_made(r, o.words);
	r->config.once = o.config;
	return WEIR_ONCE_WORDS;
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2)}, SMALL},
    {{SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1)}, SMALL},
    {{SIZE(4, 1, 1)}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(3, 2, 1)}, LARGER},
#ifdef WEIR_DIAGNOSE
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
#endif
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(once) = {
    .forms = WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(MISUSE),
#ifdef WEIR_DIAGNOSE
    .misuses = misuses,
    .misuse_kinds = misuse_kinds,
    .misuse_values = misuse_values,
#endif
    .late_forms = WEIR_MODEL_FORM(GIVE_UP),
    .refuse = refuse,
    .make = make,
    .complete = complete,
    .waits_in = WEIR_MODEL_WAITS(BEGIN),
    WEIR_MODEL_NAMES(once),
};
