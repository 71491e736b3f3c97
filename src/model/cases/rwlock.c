/* The cases of the reader-writer locks. */
#include "model/cases/cases.h"

#include <string.h>

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define INSIDE 8 /* flags from here on say which readers are inside */

typedef struct rwlock_state {
	uint32_t written;      /* sections of writers that did not give up */
	uint32_t last_arrival; /* of a writer */
} rwlock_state;

static uint32_t rwlock_size(weir_any_config config)
{
	return weir_rwlock_words(config.rwlock);
}

static void start_rwlock(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_rwlock_start(weir_rwlock_make(words, config.rwlock), past);
}

#define ROW_(name, NAME, value, parts)                                                             \
	{"rwlock",                                                                                 \
	 #name,                                                                                    \
	 value,                                                                                    \
	 WEIR_FAIR,                                                                                \
	 WEIR_QUEUE_NONE,                                                                          \
	 (parts) == WEIR_PARTS_NONE ? WEIR_SHAPE_NONE : WEIR_SHAPE_COUNTERS,                       \
	 rwlock_size,                                                                              \
	 start_rwlock,                                                                             \
	 NULL,                                                                                     \
	 NULL},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_RWLOCK_KINDS(ROW_)
};
/* clang-format on */

static weir_rwlock lock(const weir_model_case_run *r)
{
	return weir_rwlock_make(r->words, r->config.rwlock);
}

static void read_and_unlock(const weir_model_case_run *r)
{
	weir_model_data_read(0);
	weir_rwlock_read_unlock(lock(r));
}

static void write_and_unlock(const weir_model_case_run *r)
{
	weir_model_data_write(0);
	weir_rwlock_write_unlock(lock(r));
}

/* Writers that do not give up enter in the order of their arrival. */
static void write_in_order(const weir_model_case_run *r)
{
	rwlock_state *state = r->state;

	weir_model_arrive();
	weir_rwlock_write_lock(lock(r));
	weir_model_check(weir_model_arrival() > state->last_arrival,
	                 "a writer that arrived later got the lock first");
	state->last_arrival = weir_model_arrival();
	state->written++;
	weir_model_data_write(0);
}

/* Each letter is what a block does: read (r), write (w), or write and then downgrade to reading
 * (d). It may also try to read (R) or to write (W), or do so with a deadline (t, T). */
static void act(weir_model_case_run *r, char what)
{
	weir_rwlock l = lock(r);

	switch (what) {
	case 'r':
		weir_rwlock_read_lock(l);
		read_and_unlock(r);
		break;
	case 'w':
		write_in_order(r);
		weir_rwlock_write_unlock(l);
		break;
	case 'd':
		write_in_order(r);
		weir_rwlock_downgrade(l);
		read_and_unlock(r);
		break;
	case 'R':
		if (weir_rwlock_try_read_lock(l) == WEIR_OK)
			read_and_unlock(r);
		break;
	case 'W':
		if (weir_rwlock_try_write_lock(l) == WEIR_OK)
			write_and_unlock(r);
		break;
	case 't':
		if (weir_model_got_in_time(r, weir_rwlock_read_lock_for(l, 1)))
			read_and_unlock(r);
		break;
	case 'T':
		if (weir_model_got_in_time(r, weir_rwlock_write_lock_for(l, 1)))
			write_and_unlock(r);
		break;
	default:
		break;
	}
}

/* What each block does in its rounds, in order, in a case with this number of blocks. */
static const char *acts(const weir_model_case_run *r)
{
	static const char *const stay[] = {"wr rw", "w r w", "w r w r"};
	static const char *const down[] = {"dr rd", "d r w", "d r w d"};
	static const char *const tries[] = {"WRw rwW", "W R w", "W r W w"};
	static const char *const timed[] = {"wrw TtT", "w T t", "t T w r"};
	uint32_t i = r->c.blocks - 2;

	return r->c.form == WEIR_MODEL_TRY       ? tries[i]
	       : r->c.form == WEIR_MODEL_GIVE_UP ? timed[i]
	       : r->c.form == WEIR_MODEL_HANDOFF ? down[i]
	                                         : stay[i];
}

/* What the calling block does in a round; ' ' or 0: nothing. */
static char act_of(const weir_model_case_run *r, uint32_t block, uint32_t round)
{
	const char *text = acts(r);

	while (block-- != 0 && strchr(text, ' '))
		text = strchr(text, ' ') + 1;
	return round < strcspn(text, " ") ? text[round] : 0;
}

/* When all are done, both tries must find the lock free. */
static void try_at_last(const weir_model_case_run *r)
{
	weir_rwlock l = lock(r);

	weir_model_check(weir_rwlock_try_write_lock(l) == WEIR_OK,
	                 "a try to write is told that the lock is busy, but no block uses it");
	write_and_unlock(r);
	weir_model_check(weir_rwlock_try_read_lock(l) == WEIR_OK,
	                 "a try to read is told that the lock is busy, but no block uses it");
	weir_model_check(weir_rwlock_try_write_lock(l) == WEIR_BUSY, "a writer is beside a reader");
	read_and_unlock(r);
}

/* All blocks read at once: each waits inside for the others. */
static void meet(const weir_model_case_run *r)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS + INSIDE;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_rwlock_read_lock(lock(r));
		weir_store_rlx(&flags[weir_block_id()], i + 1);
		for (uint32_t b = 0; b < weir_block_count(); b++)
			weir_await_ge_acq(&flags[b], i + 1, weir_no_backoff());
		read_and_unlock(r);
	}
}

/* A block that only reads waits for another reader. */
static void relay(const weir_model_case_run *r)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS + INSIDE;

	if (weir_block_id() == 0) {
		write_in_order(r);
		weir_rwlock_downgrade(lock(r));
		weir_await_ge_acq(&flags[1], 1, weir_no_backoff());
	} else {
		weir_rwlock_read_lock(lock(r));
		weir_store_rlx(&flags[weir_block_id()], 1);
	}
	read_and_unlock(r);
}

/* A reader inside lets the writer arrive, and waits until the writer has shut readers out of every
 * count. */
static void await_shut(const weir_model_case_run *r)
{
	weir_rwlock l = lock(r);

	/* Relaxed, here and below: the lock orders the data. */
	weir_store_rlx(weir_model_memory() + WEIR_MODEL_FLAGS + INSIDE, 1);
	for (uint32_t i = 0; i >> l.config.bits == 0; i++) {
		weir_wait wait = weir_wait_begin(weir_no_backoff());

		while ((weir_load_rlx(weir_rwlock_in_(l, i)) & WEIR_RWLOCK_MARK) == 0) {
			if (weir_wait_aborted(&wait))
				break;
			weir_wait_again(&wait);
		}
		weir_wait_end(&wait);
	}
}

static void await_reader(void)
{
	weir_await_ge_rlx(weir_model_memory() + WEIR_MODEL_FLAGS + INSIDE, 1);
}

/* Block 0 is inside when block 1 arrives to write, and leaves only when no count admits readers any
 * more. So the writer must shut all counts before it waits for a reader. The other blocks read. */
static void close_all(const weir_model_case_run *r)
{
	weir_rwlock l = lock(r);

	if (weir_block_id() == 1) {
		if (weir_thread_id() == 0)
			await_reader();
		weir_rwlock_block_write_lock(l);
		weir_model_data_write(weir_thread_id());
		weir_rwlock_block_write_unlock(l);
		return;
	}
	weir_rwlock_block_read_lock(l);
	weir_model_read_all(0, weir_thread_count());
	if (weir_block_id() == 0 && weir_thread_id() == 0)
		await_shut(r);
	weir_rwlock_block_read_unlock(l);
}

/* The same by one thread of each block. */
static void close_alone(const weir_model_case_run *r)
{
	if (weir_block_id() == 1) {
		await_reader();
		weir_rwlock_write_lock(lock(r));
		write_and_unlock(r);
		return;
	}
	weir_rwlock_read_lock(lock(r));
	if (weir_block_id() == 0)
		await_shut(r);
	read_and_unlock(r);
}

/* All threads of a block read, or write and then perhaps downgrade to reading. */
static void collective(const weir_model_case_run *r, uint32_t round)
{
	weir_rwlock l = lock(r);

	if (!weir_model_stays(weir_block_id(), round)) {
		weir_rwlock_block_read_lock(l);
		weir_model_read_all(0, weir_thread_count());
		weir_rwlock_block_read_unlock(l);
		return;
	}
	weir_rwlock_block_write_lock(l);
	weir_model_data_write(weir_thread_id());
	weir_block_sync();
	weir_model_share_within_block();
	if (round % 2 == 0) {
		weir_rwlock_block_write_unlock(l);
	} else {
		weir_rwlock_block_downgrade(l);
		weir_model_data_read(weir_thread_id());
		weir_rwlock_block_read_unlock(l);
	}
}

static void single(weir_model_case_run *r)
{
	for (uint32_t i = 0; i < r->c.rounds; i++)
		act(r, act_of(r, weir_block_id(), i));
	if (!weir_model_is_bounded(r))
		return;
	weir_model_end_launch(0);
	if (weir_block_id() == 1)
		try_at_last(r);
}

#ifdef WEIR_DIAGNOSE
static const uint32_t misuse_kinds[] = {
    WEIR_MISUSE_STRANGER,     WEIR_MISUSE_STRANGER,     WEIR_MISUSE_UNLOCK,
    WEIR_MISUSE_UPGRADE,      WEIR_MISUSE_UNLOCK,       WEIR_MISUSE_UNLOCK,
    WEIR_MISUSE_LOCKED_TWICE, WEIR_MISUSE_LOCKED_TWICE, 0};

static const uint64_t misuse_values[] = {0,
                                         0,
                                         WEIR_RWLOCK_DOWNGRADES,
                                         WEIR_MODEL_SITE,
                                         (uint64_t)WEIR_RWLOCK_READS << 32 | WEIR_RWLOCK_DOWNGRADES,
                                         (uint64_t)WEIR_RWLOCK_WRITES << 32 | WEIR_RWLOCK_READS,
                                         WEIR_MODEL_SITE,
                                         WEIR_MODEL_SITE,
                                         0};

static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE ? 8 : 0;
}

static void note_unlock(weir_rwlock l, uint32_t what)
{
	weir_note_rwunlock_(l.words, l.config.id, what, WEIR_HERE_);
}

/* Makes the notes of a lock, and takes back the lock itself. */
static void note_lock(weir_rwlock l, uint32_t adds)
{
	weir_note_end_(l.words, weir_note_rwlock_(l.words, l.config.id, adds, 0, WEIR_HERE_));
	note_unlock(l, adds == 1 ? WEIR_RWLOCK_READS : WEIR_RWLOCK_WRITES);
}

/* From now on the block holds a different lock, or no longer does. */
static void hold_another(weir_rwlock l, int holds)
{
	weir_notes n = weir_notes_open_(l.words, l.config.id, WEIR_HERE_);

	n.id++;
	weir_note_held_(n, holds);
	weir_area_leave_();
}

/* Makes only the notes of misuse, because the lock must stay usable. A second read is not
 * misuse. */
static void misuse(const weir_model_case_run *r)
{
	weir_rwlock l = lock(r);

	note_unlock(l, WEIR_RWLOCK_READS);
	note_unlock(l, WEIR_RWLOCK_WRITES);
	note_unlock(l, WEIR_RWLOCK_DOWNGRADES);
	weir_rwlock_read_lock(l);
	note_lock(l, 1);
	note_lock(l, WEIR_NOTE_WRITES);
	note_unlock(l, WEIR_RWLOCK_DOWNGRADES);
	weir_rwlock_read_unlock(l);
	weir_rwlock_write_lock(l);
	note_unlock(l, WEIR_RWLOCK_READS);
	note_lock(l, 1);
	note_lock(l, WEIR_NOTE_WRITES);
	weir_rwlock_write_unlock(l);
	hold_another(l, 1);
	weir_rwlock_write_lock(l);
	weir_rwlock_write_unlock(l);
	hold_another(l, 0);
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
	if (r->c.form == WEIR_MODEL_COLLECTIVE)
		for (uint32_t i = 0; i < r->c.rounds; i++)
			collective(r, i);
	else if (r->c.form == WEIR_MODEL_CLOSING && r->c.threads > 1)
		close_all(r);
	else if (weir_thread_id() != 0)
		return;
	else if (r->c.form == WEIR_MODEL_MEET)
		meet(r);
	else if (r->c.form == WEIR_MODEL_RELAY)
		relay(r);
	else if (r->c.form == WEIR_MODEL_CLOSING)
		close_alone(r);
	else
		single(r);
}

/* How many writers that do not give up must have entered. */
static uint32_t must_write(const weir_model_case_run *r)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->c.blocks * r->c.rounds; i++) {
		char what = act_of(r, i % r->c.blocks, i / r->c.blocks);
		count += what == 'w' || what == 'd';
	}
	return count;
}

static void complete(const weir_model_case_run *r)
{
	const rwlock_state *state = r->state;
	weir_rwlock l = lock(r);

	if (r->c.form != WEIR_MODEL_COLLECTIVE && r->c.form != WEIR_MODEL_MEET &&
	    r->c.form != WEIR_MODEL_MISUSE && r->c.form != WEIR_MODEL_RELAY &&
	    r->c.form != WEIR_MODEL_CLOSING)
		weir_model_check(state->written == must_write(r),
		                 "not every lock was followed by its section");
	weir_model_check(weir_model_final(weir_rwlock_turn_(l)) ==
	                     weir_rwlock_turn_of_(weir_model_final(weir_rwlock_next_(l)), 0),
	                 "all are done, and a batch goes on or a ticket is left");
	for (uint32_t i = 0; i >> l.config.bits == 0; i++)
		weir_model_check(weir_model_final(weir_rwlock_in_(l, i)) ==
		                     weir_model_final(weir_rwlock_out_(l, i)),
		                 "all are done, and a reader or a mark is left");
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->blocks > 4 && c->form != WEIR_MODEL_MEET)
		return "at most four blocks have something to do";
	if (c->blocks < 2 && c->form != WEIR_MODEL_MISUSE)
		return "a block reads what another one wrote";
	return NULL;
}

static void configure(weir_model_case_run *r)
{
	r->config.rwlock.bits = r->c.bits;
}

static uint32_t make(weir_model_case_run *r)
{
	weir_rwlock l = weir_rwlock_in(r->words);

	weir_model_check_made(r, l.words);
	r->config.rwlock = l.config;
	return WEIR_RWLOCK_WORDS;
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 1)}, SMALL},
    {{SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(3, 1, 1)}, SMALL},
    {{SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(2, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .bits = 2}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 2, 1), .bits = 2}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1)}, SMALL},
    {{SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1)}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(3, 2, 2), .bits = 2}, LARGER},
#ifdef WEIR_DIAGNOSE
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 1), .bits = 1}, SMALL},
#endif
};

static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	return shape->c.form != WEIR_MODEL_MADE || adapter->value == WEIR_RWLOCK_FAIR;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(rwlock) = {
    .forms = WEIR_MODEL_FORM(MEET) | WEIR_MODEL_FORM(RELAY) | WEIR_MODEL_FORM(HANDOFF) |
             WEIR_MODEL_FORM(CLOSING) | WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(MISUSE),
#ifdef WEIR_DIAGNOSE
    .misuses = misuses,
    .misuse_kinds = misuse_kinds,
    .misuse_values = misuse_values,
    .has_orders = 1,
#endif
    .hooks_kind = 1, /* several threads of a block wait for a writer */
    .late_forms = WEIR_MODEL_FORM(GIVE_UP),
    /* A kind with several counts has two. A collective case has more than one block's threads. */
    .bits = 1,
    .starts_anywhere = 1,
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .complete = complete,
    .waits_in = WEIR_MODEL_WAITS(READ) | WEIR_MODEL_WAITS(WRITE),
    WEIR_MODEL_NAMES(rwlock),
};
