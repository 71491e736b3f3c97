/* The cases of the condition variables. */
#include "model/cases/cases.h"

#include <string.h>

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_TICKETS 32
#define MUTEX_ID (WEIR_MODEL_ID + 1)

/* The mutex protects all of this, and datum 0 stands for it. `line` is what the tickets should be:
 * the waiting blocks in the order of their arrival, and 0 for those that have left. */
typedef struct condition_state {
	uint32_t items;
	uint32_t taken;
	uint32_t met;
	uint32_t first;              /* index in the line */
	uint32_t past;               /* index after the last */
	uint32_t line[MOST_TICKETS]; /* block + 1 */
	int woken[WEIR_MODEL_THREADS];
	uint32_t in_vain[WEIR_MODEL_THREADS]; /* signals of each block that woke no block */
	int has_waited[WEIR_MODEL_THREADS];
	int has_used[WEIR_MODEL_THREADS];
} condition_state;

static uint32_t condition_size(weir_any_config config)
{
	return weir_condition_words(config.condition);
}

static void start_condition(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_condition_start(weir_condition_make(words, config.condition), past);
}

static const weir_model_adapter kinds[] = {
    {.primitive = "condition",
     .kind = "tickets",
     .fair = WEIR_FAIR,
     .words = condition_size,
     .start = start_condition},
};

static weir_condition condition(const weir_model_case_run *r)
{
	return weir_condition_make(r->words, r->config.condition);
}

/* Any mutex will do. This one lies behind the condition, at a distance that fits the header of any
 * kind. */
static uint32_t mutex_place(const weir_model_case_run *r)
{
	uint32_t words = r->adapter->words(r->config);

	return r->config.condition.id != 0 && words < WEIR_HEADER_USED ? WEIR_HEADER_USED : words;
}

static weir_mutex mutex(const weir_model_case_run *r)
{
	weir_mutex_config config;

	memset(&config, 0, sizeof config);
	config.kind = WEIR_MUTEX_TICKET;
	config.pitch = 1;
	if (r->config.condition.id != 0)
		config.id = MUTEX_ID;
	return weir_mutex_make(r->words + mutex_place(r), config);
}

/* ---- the line ---- */

static void lock(const weir_model_case_run *r)
{
	weir_mutex_lock(mutex(r));
	weir_model_data_read(0);
	weir_model_data_write(0);
}

static void unlock(const weir_model_case_run *r)
{
	weir_mutex_unlock(mutex(r));
}

static void trim(condition_state *state)
{
	while (state->first != state->past && state->line[state->first] == 0)
		state->first++;
	while (state->first != state->past && state->line[state->past - 1] == 0)
		state->past--;
}

static uint32_t waiting(const condition_state *state)
{
	uint32_t count = 0;

	for (uint32_t i = state->first; i != state->past; i++)
		count += state->line[i] != 0;
	return count;
}

/* The caller joins the line, if there is room. */
static int join(const weir_model_case_run *r)
{
	condition_state *state = r->state;

	state->woken[weir_block_id()] = 0;
	if (state->past - state->first == r->config.condition.slots)
		return 0;
	weir_model_check(state->past < MOST_TICKETS, "too many waits");
	state->line[state->past++] = weir_block_id() + 1;
	return 1;
}

static void wake_first(condition_state *state)
{
	if (state->first == state->past)
		return;
	state->woken[state->line[state->first] - 1] = 1;
	state->line[state->first] = 0;
	trim(state);
}

static void leave(condition_state *state)
{
	for (uint32_t i = state->first; i != state->past; i++)
		if (state->line[i] == weir_block_id() + 1)
			state->line[i] = 0;
	trim(state);
}

/* Whether the caller may go on after a wait: it was woken, or the line was full and has moved. */
static int may_go_on(const condition_state *state, int has_joined, uint32_t first)
{
	return has_joined ? state->woken[weir_block_id()] : state->first != first;
}

/* The block is about to wait. */
static void note_use(const weir_model_case_run *r)
{
	condition_state *state = r->state;

	state->has_waited[weir_block_id()] = 1;
	state->has_used[weir_block_id()] = 1;
}

static void wait(const weir_model_case_run *r)
{
	condition_state *state = r->state;
	uint32_t first = state->first;
	int has_joined = join(r);

	note_use(r);
	weir_condition_wait(condition(r), mutex(r));
	weir_model_data_read(0);
	weir_model_data_write(0);
	weir_model_check(may_go_on(state, has_joined, first),
	                 "a wait returns without a signal, or before one that arrived earlier");
}

static weir_status wait_for_a_while(weir_model_case_run *r)
{
	condition_state *state = r->state;
	uint32_t first = state->first;
	int has_joined = join(r);
	weir_status result;
	int is_woken;

	note_use(r);
	result = weir_condition_wait_for(condition(r), mutex(r), 1);
	is_woken = may_go_on(state, has_joined, first);
	weir_model_data_read(0);
	weir_model_data_write(0);
	r->ever_late |= result == WEIR_TIMED_OUT;
	weir_model_check(result == WEIR_OK || weir_model_was_late(),
	                 "a wait gives up before its deadline");
	weir_model_check((result == WEIR_OK) == is_woken,
	                 "a wait gives up what was signalled, or returns without a signal");
	if (result == WEIR_TIMED_OUT)
		leave(state);
	/* Relaxed: the caller holds the mutex. */
	weir_model_check(weir_load_rlx(weir_condition_joined_(condition(r))) -
	                         weir_load_rlx(weir_condition_served_(condition(r))) ==
	                     state->past - state->first,
	                 "there are more tickets than waiters, or fewer");
	return result;
}

static void signal_one(const weir_model_case_run *r)
{
	condition_state *state = r->state;
	int has_waiters = waiting(state) != 0;

	weir_model_check(weir_condition_signal(condition(r)) == has_waiters,
	                 "a signal does not know whether somebody waits");
	state->in_vain[weir_block_id()] += !has_waiters;
	state->has_used[weir_block_id()] = 1;
	wake_first(state);
}

static void broadcast(const weir_model_case_run *r)
{
	condition_state *state = r->state;

	weir_model_check(weir_condition_broadcast(condition(r)) == waiting(state),
	                 "a broadcast does not know how many wait");
	state->in_vain[weir_block_id()] += waiting(state) == 0;
	state->has_used[weir_block_id()] = 1;
	while (state->first != state->past)
		wake_first(state);
}

/* ---- forms ---- */

/* Block 1 puts an item for each of the others and signals each time. In a case with several, the
 * last items are put together, with a broadcast. */
static void put(const weir_model_case_run *r)
{
	condition_state *state = r->state;
	uint32_t items = (weir_block_count() - 1) * r->c.rounds;

	for (uint32_t i = 0; i < items; i++) {
		lock(r);
		if (r->c.form == WEIR_MODEL_SEVERAL && i + 2 >= items) {
			state->items += items - i;
			broadcast(r);
			i = items;
		} else {
			state->items++;
			signal_one(r);
		}
		unlock(r);
	}
}

static void take(const weir_model_case_run *r)
{
	condition_state *state = r->state;

	lock(r);
	while (state->items == 0)
		wait(r);
	state->items--;
	state->taken++;
	unlock(r);
}

static void take_for_a_while(weir_model_case_run *r)
{
	condition_state *state = r->state;

	lock(r);
	while (state->items == 0 && wait_for_a_while(r) == WEIR_OK)
		;
	if (state->items != 0) {
		state->items--;
		state->taken++;
	}
	unlock(r);
}

static void put_or_take(weir_model_case_run *r)
{
	if (weir_block_id() == 1) {
		put(r);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (r->c.form == WEIR_MODEL_GIVE_UP && (r->c.blocks == 2 || weir_block_id() > 1))
			take_for_a_while(r);
		else
			take(r);
	}
}

/* All waits have deadlines. Block 1 opens: it broadcasts, after a signal if the condition was used
 * before. */
static void give_up_together(weir_model_case_run *r)
{
	condition_state *state = r->state;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		lock(r);
		if (weir_block_id() == 1 && state->items == 0) {
			state->items = 1;
			if (r->c.past != 0)
				signal_one(r);
			broadcast(r);
		} else if (state->items == 0) {
			wait_for_a_while(r);
		}
		unlock(r);
	}
}

/* Whether all blocks have arrived. If not, the caller joins the line before it waits; after the
 * wait, checks that it was woken. */
static int all_are_here(const weir_model_case_run *r, uint32_t all, int *has_joined)
{
	condition_state *state = r->state;

	weir_model_data_read(0);
	weir_model_data_write(0);
	weir_model_check(!*has_joined || state->woken[weir_block_id()],
	                 "a wait returns without a signal, or before one that arrived earlier");
	if (state->met >= all)
		return 1;
	*has_joined = join(r);
	note_use(r);
	return 0;
}

/* All blocks meet: the last one wakes the others. */
static void meet(const weir_model_case_run *r)
{
	condition_state *state = r->state;
	uint32_t blocks = weir_block_count();

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t first = 1 + i * blocks;
		int has_joined = 0;

		weir_model_data_write(first + weir_block_id());
		lock(r);
		/* Some blocks wake up too early. */
		if (++state->met == (i + 1) * blocks || blocks > 2)
			broadcast(r);
		weir_condition_wait_until(condition(r), mutex(r),
		                          all_are_here(r, (i + 1) * blocks, &has_joined));
		unlock(r);
		weir_model_read_all(first, blocks);
	}
}

/* All waits have deadlines, and the blocks arrive one after another. The last one wakes the others,
 * one by one. */
static void come_in_order(weir_model_case_run *r)
{
	weir_word *here = weir_model_memory() + WEIR_MODEL_FLAGS;
	uint32_t me = weir_block_id();

	if (me != 0)
		weir_await_eq_acq(&here[me - 1], 1, weir_no_backoff());
	lock(r);
	weir_store_rel(&here[me], 1); /* pairs with the acquire of the next block */
	if (me + 1 != weir_block_count())
		wait_for_a_while(r);
	else
		while (waiting(r->state) != 0)
			signal_one(r);
	unlock(r);
}

#define BACK 8 /* data from here on are written before a wait and read by the blocks that signal */

/* Thread 0 is about to signal for its block, and holds the mutex. */
static void count_in_vain(const weir_model_case_run *r)
{
	condition_state *state = r->state;

	state->has_used[weir_block_id()] = 1;
	if (r->config.condition.id != 0 && weir_thread_id() == 0)
		state->in_vain[weir_block_id()] +=
		    weir_load_rlx(weir_condition_waiting_(condition(r))) == 0;
}

/* Whether there are more items. If not, the block is about to wait. */
static int has_items(const weir_model_case_run *r, uint32_t items)
{
	const condition_state *state = r->state;

	if (state->items <= items)
		note_use(r);
	return state->items > items;
}

/* All threads of block 0 write and signal; all threads of the others wait and read. They may look
 * at `items`. */
static void collective(const weir_model_case_run *r)
{
	condition_state *state = r->state;
	weir_mutex m = mutex(r);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_mutex_block_lock(m);
		if (weir_block_id() == 0) {
			weir_model_read_all(BACK, weir_thread_count());
			weir_model_data_write(i * weir_thread_count() + weir_thread_id());
			weir_block_sync();
			state->items = i + 1;
			count_in_vain(r);
			if (i % 2 == 0)
				weir_condition_block_signal(condition(r));
			else
				weir_condition_block_broadcast(condition(r));
		} else if (i % 2 == 0) {
			while (state->items <= i) {
				weir_model_data_write(BACK + weir_thread_id());
				note_use(r);
				weir_condition_block_wait(condition(r), m);
			}
		} else {
			weir_condition_block_wait_until(condition(r), m, has_items(r, i));
		}
		if (weir_block_id() != 0)
			weir_model_read_all(i * weir_thread_count(), weir_thread_count());
		weir_mutex_block_unlock(m);
	}
}

/* All threads of block 1 wait with a deadline and get the same result. */
static void collective_for_a_while(weir_model_case_run *r)
{
	condition_state *state = r->state;
	weir_mutex m = mutex(r);

	weir_mutex_block_lock(m);
	if (weir_block_id() == 0) {
		weir_model_read_all(BACK, weir_thread_count());
		weir_model_data_write(weir_thread_id());
		weir_block_sync();
		state->items = 1;
		count_in_vain(r);
		weir_condition_block_signal(condition(r));
	} else if (state->items == 0) {
		weir_status result;
		weir_model_data_write(BACK + weir_thread_id());
		note_use(r);
		result = weir_condition_block_wait_for(condition(r), m, 1);
		r->ever_late |= result == WEIR_TIMED_OUT;
		if (result == WEIR_OK)
			weir_model_read_all(0, weir_thread_count());
		else
			weir_model_data_write(weir_thread_id());
	}
	weir_mutex_block_unlock(m);
}

#ifdef WEIR_DIAGNOSE
static const uint32_t misuse_kinds[] = {WEIR_MISUSE_WAITS_WITHOUT, WEIR_MISUSE_SIGNALS_WITHOUT,
                                        WEIR_MISUSE_TWO_MUTEXES, 0};

static const uint64_t misuse_values[] = {MUTEX_ID, MUTEX_ID, (uint64_t)MUTEX_ID << 32 | MUTEX_ID,
                                         0};

static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE ? 3 : 0;
}

/* Makes the notes of a wait, without a wait. */
static void note_wait(const weir_model_case_run *r, weir_mutex m)
{
	weir_condition c = condition(r);

	note_use(r);
	weir_note_condition_(weir_notes_open_(c.words, c.config.id, WEIR_HERE_), c, m);
	weir_area_leave_();
}

/* A wait and a signal without the mutex, and a wait with a different mutex. */
static void misuse(const weir_model_case_run *r)
{
	weir_mutex m = mutex(r);
	weir_mutex other = m;

	other.words++;
	note_wait(r, m);
	weir_note_unlock_(m.words, m.config.id, WEIR_HERE_);
	signal_one(r);
	weir_mutex_lock(m);
	note_wait(r, other);
	signal_one(r);
	weir_mutex_unlock(m);
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
		collective(r);
	else if (r->c.form == WEIR_MODEL_GIVE_UP && r->c.threads > 1)
		collective_for_a_while(r);
	else if (weir_thread_id() != 0)
		return;
	else if (r->c.form == WEIR_MODEL_MEET)
		meet(r);
	else if (r->c.form == WEIR_MODEL_RELAY)
		come_in_order(r);
	else if (r->c.form == WEIR_MODEL_ALL_GIVE_UP)
		give_up_together(r);
	else
		put_or_take(r);
}

/* A block that has waited noted its mutex and the number of blocks. */
static void check_wait_notes(const weir_model_case_run *r)
{
	const condition_state *state = r->state;
	int has_waited = 0;

	for (uint32_t b = 0; b < r->c.blocks && b < WEIR_BLOCKS; b++) {
		int waited = state->has_waited[b];
		weir_model_check(
		    weir_model_note_of(b, WEIR_NOTE_INDEX) == (waited ? MUTEX_ID : 0) &&
			weir_model_note_of(b, WEIR_NOTE_BATCH) == (waited ? r->c.blocks : 0),
		    "a note of a wait names another mutex, or other blocks");
		weir_model_check(!state->has_used[b] || weir_model_note_site(b, WEIR_MODEL_ID) != 0,
		                 "no note says where a block used the condition");
		has_waited |= waited;
	}
	weir_model_check(!has_waited ||
	                     weir_model_header_of(r->words, WEIR_HEADER_MUTEX_ID) == MUTEX_ID,
	                 "the header of the condition names another mutex");
}

static void complete(const weir_model_case_run *r)
{
	const condition_state *state = r->state;
	weir_condition c = condition(r);
	uint32_t all = (r->c.blocks - 1) * r->c.rounds;

	if (r->c.form == WEIR_MODEL_SINGLE || r->c.form == WEIR_MODEL_SEVERAL ||
	    r->c.form == WEIR_MODEL_MADE)
		weir_model_check(state->taken == all, "not every item was taken");
	weir_model_check(state->first == state->past, "no block waits, but the line is not empty");
	if (c.config.id != 0)
		check_wait_notes(r);
	weir_model_check(weir_model_final(weir_condition_waiting_(c)) == 0 &&
	                     weir_model_final(weir_condition_joined_(c)) ==
	                         weir_model_final(weir_condition_served_(c)),
	                 "no block waits, but a ticket is left");
	for (uint32_t i = 32; i < c.config.slots; i += 32)
		weir_model_check(weir_condition_gone_(c, i) != weir_condition_gone_(c, i - 32),
		                 "two tickets have one mark");
	for (uint32_t i = 0; i < c.config.slots; i += 32)
		weir_model_check(weir_model_final(weir_condition_gone_(c, i)) == 0,
		                 "no block waits, but a ticket that was given up is still marked");
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->form == WEIR_MODEL_MEET && c->blocks * c->rounds > WEIR_MODEL_DATA - 1)
		return "there are not so many data";
	if (c->form == WEIR_MODEL_GIVE_UP && c->threads > 1 && c->blocks != 2)
		return "one block waits with all its threads";
	if (c->blocks < 2 && c->form != WEIR_MODEL_MISUSE)
		return "one block signals, and another one waits";
	return NULL;
}

static void configure(weir_model_case_run *r)
{
	r->config.condition.slots = r->c.slots ? r->c.slots : 4;
	r->size = mutex_place(r) + weir_mutex_words(mutex(r).config);
}

static uint32_t make(weir_model_case_run *r)
{
	uint32_t slots = r->c.slots;
	weir_condition c = weir_condition_in(r->words, slots);

	weir_model_check_made(r, c.words);
	weir_model_check(c.config.slots == slots, "a condition of other slots");
	r->config.condition = c.config;
	weir_model_check(WEIR_CONDITION_WORDS(slots) == r->adapter->words(r->config),
	                 "a condition of another size");
	return mutex_place(r) + weir_mutex_words(mutex(r).config);
}

static void start(const weir_model_case_run *r)
{
	r->adapter->start(r->words, r->config, 0, r->c.past);
	weir_mutex_start(mutex(r), 0);
	if (r->config.condition.id != 0)
		weir_model_note_object(mutex(r).words, MUTEX_ID);
}

static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	const condition_state *state = r->state;

	return state->in_vain[block];
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2)}, SMALL},
    {{SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{SIZE(3, 1, 1), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MEET, SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(3, 1, 2), .slots = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(4, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(4, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(4, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(4, 1, 1)}, SMALL},
    /* Bits of two words: the tickets pass from the first word to the second, and back. */
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(3, 1, 1), .slots = 64, .past = 31}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(4, 1, 1), .slots = 64, .past = 61}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .slots = 64, .past = WRAP + 1}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1), .slots = 64}, SMALL},
    {{.form = WEIR_MODEL_RELAY, SIZE(5, 1, 1), .past = WRAP + 1}, LARGER},
    {{.form = WEIR_MODEL_MEET, SIZE(3, 1, 2)}, LARGER},
    {{SIZE(4, 1, 1)}, LARGER},
#ifdef WEIR_DIAGNOSE
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
#endif
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(condition) = {
    .forms = WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(MEET) | WEIR_MODEL_FORM(RELAY) |
             WEIR_MODEL_FORM(ALL_GIVE_UP) | WEIR_MODEL_FORM(MISUSE),
#ifdef WEIR_DIAGNOSE
    .misuses = misuses,
    .misuse_kinds = misuse_kinds,
    .misuse_values = misuse_values,
#endif
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(ALL_GIVE_UP) | WEIR_MODEL_FORM(RELAY),
    /* Too many executions; the waits are those of GIVE_UP. */
    .unaborted_forms = WEIR_MODEL_FORM(ALL_GIVE_UP) | WEIR_MODEL_FORM(RELAY),
    .starts_anywhere = 1,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
    .waits_in = WEIR_MODEL_WAITS(CONDITION) | WEIR_MODEL_WAITS(LOCK),
    .noted = noted,
    WEIR_MODEL_NAMES(condition),
};
