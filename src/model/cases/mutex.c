/* The cases of the mutexes. */
#include "model/cases/cases.h"

#include <string.h>

#include "model/cases/blocks.h"
#include "model/program.h"

#define MOST_MUTEXES 2 /* in an array */

typedef struct mutex_state {
	uint32_t entered[MOST_MUTEXES];
	uint32_t last_arrival[MOST_MUTEXES];
} mutex_state;

static uint32_t mutex_size(weir_any_config config)
{
	return weir_mutex_words(config.mutex);
}

static void start_mutex(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_mutex_start(weir_mutex_make(words, config.mutex), past);
}

static void lock(weir_word *words, weir_any_config config)
{
	weir_mutex_lock(weir_mutex_make(words, config.mutex));
}

static void unlock(weir_word *words, weir_any_config config)
{
	weir_mutex_unlock(weir_mutex_make(words, config.mutex));
}

#define ROW_(name, NAME, value, fair, queue, pause, ...)                                           \
	{"mutex",         #name,      value,       fair, queue,                                    \
	 WEIR_SHAPE_NONE, mutex_size, start_mutex, lock, unlock},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_MUTEX_KINDS(ROW_)
};
/* clang-format on */

static uint32_t mutex_count(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_ARRAY ? MOST_MUTEXES : 1;
}

static weir_word *mutex_words(const weir_model_case_run *r, uint32_t index)
{
	weir_mutex_array array;

	array.words = r->words;
	memset(&array.config, 0, sizeof array.config);
	array.config.stride = r->size / mutex_count(&r->c);
	return weir_mutex_at(array, index).words;
}

static void start(const weir_model_case_run *r)
{
	for (uint32_t i = 0; i < mutex_count(&r->c); i++)
		r->adapter->start(mutex_words(r, i), r->config, r->c.initial, r->c.past);
}

static void mutex_round(const weir_model_case_run *r, uint32_t index)
{
	mutex_state *state = r->state;
	weir_word *words = mutex_words(r, index);

	weir_model_arrive();
	r->adapter->enter(words, r->config);
	weir_model_data_read(index);
	weir_model_data_write(index);
	if (r->adapter->fair)
		weir_model_check(weir_model_arrival() > state->last_arrival[index],
		                 "a block that arrived later got the mutex first");
	state->last_arrival[index] = weir_model_arrival();
	state->entered[index]++;
	r->adapter->leave(words, r->config);
}

static int try_or_lock(weir_model_case_run *r, weir_mutex m, uint32_t round)
{
	return weir_model_tries(r, round) ? weir_mutex_try_lock(m) == WEIR_OK
	                                  : weir_model_got_in_time(r, weir_mutex_lock_for(m, 1));
}

/* All blocks that do not give up get the mutex, in the order of their arrival. When all are done,
 * one more acquires it. */
static void bounded(weir_model_case_run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (weir_model_stays(weir_block_id(), i)) {
			mutex_round(r, 0);
		} else if (try_or_lock(r, m, i)) {
			weir_model_data_read(0);
			weir_model_data_write(0);
			weir_mutex_unlock(m);
		}
	}
	if (weir_model_is_last())
		mutex_round(r, 0);
}

static void lock_for_a_while(weir_model_case_run *r, weir_mutex m)
{
	if (!weir_model_got_in_time(r, weir_mutex_lock_for(m, 1)))
		return;
	weir_model_data_read(0);
	weir_model_data_write(0);
	weir_mutex_unlock(m);
}

/* Every block may give up, so only later arrivals clear away the entries of waiters that gave up.
 * The last arrival is a wait with a deadline. In a mutex that was used before, it is a try that
 * must acquire. */
static void fleeting(weir_model_case_run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		lock_for_a_while(r, m);
	if (!weir_model_is_last_and_knows())
		return;
	if (r->c.past == 0)
		lock_for_a_while(r, m);
	weir_model_check(weir_mutex_try_lock(m) == WEIR_OK,
	                 "a try is told that the mutex is busy, but no block uses it");
	weir_model_data_write(0);
	weir_mutex_unlock(m);
}

static void collective_round(const weir_model_case_run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);
	mutex_state *state = r->state;

	weir_mutex_block_lock(m);
	weir_model_share_within_block();
	state->entered[0] += weir_thread_id() == 0;
	weir_mutex_block_unlock(m);
}

static void team_round(const weir_model_case_run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);
	weir_team team = weir_model_team(r);
	mutex_state *state = r->state;

	weir_mutex_team_lock(m, team);
	weir_model_share_within_team(team);
	state->entered[0] += weir_team_rank(team) == 0;
	weir_mutex_team_unlock(m, team);
}

#ifdef WEIR_DIAGNOSE
static const uint32_t misuse_kinds[] = {WEIR_MISUSE_STRANGER, WEIR_MISUSE_LOCKED_TWICE, 0};

static const uint64_t misuse_values[] = {0, WEIR_MODEL_SITE, 0};

static uint32_t misuses(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_MISUSE ? 2 : 0;
}

/* An unlock by a block that has not locked, and a second lock. The second lock would wait for
 * itself, so the case only makes its notes. */
static void misuse(const weir_model_case_run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	weir_mutex_unlock(m);
	weir_mutex_lock(m);
	weir_note_end_(m.words, weir_note_lock_(m.words, m.config.id, WEIR_HERE_));
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
	if (r->c.form == WEIR_MODEL_WARPS)
		for (uint32_t i = 0; i < r->c.rounds; i++)
			team_round(r);
	else if (r->c.form == WEIR_MODEL_COLLECTIVE)
		for (uint32_t i = 0; i < r->c.rounds; i++)
			collective_round(r);
	else if (weir_thread_id() != 0)
		return;
	else if (weir_model_is_bounded(r))
		bounded(r);
	else if (r->c.form == WEIR_MODEL_ALL_GIVE_UP)
		fleeting(r);
	else
		for (uint32_t i = 0; i < r->c.rounds; i++)
			mutex_round(r, (weir_block_id() + i) % mutex_count(&r->c));
}

/* How many sections must be entered by the blocks that do not give up. */
static uint32_t must_enter(const weir_model_case_run *r)
{
	uint32_t all = r->c.form == WEIR_MODEL_ALL_GIVE_UP ? 0 : r->c.blocks * r->c.rounds;
	uint32_t stayed = 1; /* the last one, when all are done */

	if (r->c.form == WEIR_MODEL_MISUSE)
		return 0;
	if (r->c.form == WEIR_MODEL_WARPS)
		return all * ((r->c.threads + WEIR_WARP_THREADS - 1) / WEIR_WARP_THREADS);
	if (!weir_model_is_bounded(r))
		return all;
	for (uint32_t i = 0; i < all; i++)
		stayed += (uint32_t)weir_model_stays(i % r->c.blocks, i / r->c.blocks);
	return stayed;
}

static void complete(const weir_model_case_run *r)
{
	const mutex_state *state = r->state;

	weir_model_check(state->entered[0] + state->entered[1] == must_enter(r),
	                 "not every lock was followed by its section");
	if (r->adapter->queue != WEIR_QUEUE_TIMED)
		return;
	/* A ticket number may be reused, and must find no old mark. */
	for (uint32_t i = 0; i < r->config.mutex.slots; i++)
		weir_model_check(
		    weir_model_final(
			weir_patient_slot_(weir_mutex_make(r->words, r->config.mutex), i)) == 0,
		    "a ticket was given up, its turn has passed, and its mark is still there");
}

/* An unlock waits for a block of the cluster that has already joined the queue. */
static int waits_unsaid(const weir_model_case_run *r)
{
	return r->adapter->queue == WEIR_QUEUE_CLUSTER;
}

static uint32_t power_of_two(uint32_t least)
{
	uint32_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

static void configure(weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (r->adapter->queue != WEIR_QUEUE_NONE)
		r->config.mutex.slots =
		    c->slots ? c->slots : power_of_two(c->blocks > 2 ? c->blocks : 2);
	r->size = mutex_count(c) * r->adapter->words(r->config);
}

static const char *refuse(const weir_model_case_run *r)
{
	if (r->adapter->queue == WEIR_QUEUE_TIMED && r->c.slots == 1)
		return "a mutex with tickets to give up has two slots at least";
	if (r->c.form == WEIR_MODEL_WARPS && r->adapter->queue != WEIR_QUEUE_NONE)
		return "the queue has no slot for each team";
	return weir_model_refuse_teams(&r->c);
}

/* With three blocks or more, a mutex of an array. */
static uint32_t make(weir_model_case_run *r)
{
	uint32_t length = r->c.blocks > 2 ? MOST_MUTEXES : 1;
	weir_mutex_array a = weir_mutex_array_in(r->words, length);
	weir_mutex m = length > 1 ? weir_mutex_at(a, length - 1) : weir_mutex_in(r->words);

	weir_model_check(a.config.length == length, "an array of another length");
	r->config.mutex = m.config;
	r->config.mutex.offset = (length - 1) * WEIR_MUTEX_WORDS;
	weir_model_check_made(r, m.words - r->config.mutex.offset);
	return WEIR_MUTEX_ARRAY_WORDS(length);
}

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2)}, SMALL},
    {{SIZE(2, 1, 2), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2)}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(2, 1, 2)}, SMALL},
    {{SIZE(3, 1, 2)}, SMALL},
    {{SIZE(3, 1, 2), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ARRAY, SIZE(3, 1, 2), .past = WRAP}, SMALL},
    {{SIZE(2, 1, 2), .slots = 1, .past = WRAP}, SMALL},
    {{SIZE(3, 1, 2), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .slots = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 3), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(2, 1, 1), .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(3, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(3, 1, 1), .slots = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 3, 2)}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(2, 3, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(4, 1, 1), .slots = 2, .past = WRAP}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(3, 2, 2)}, LARGER},
    {{SIZE(3, 1, 3)}, LARGER},
    {{SIZE(4, 1, 2)}, LARGER},
#ifdef WEIR_DIAGNOSE
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1)}, SMALL},
#endif
};

/* Mutexes with a hand-over inside a cluster run these shapes instead of those above. If the number
 * of blocks is not a multiple of the cluster, the last cluster lacks a block. */
static const weir_model_shape cluster_shapes[] = {
    {{SIZE(2, 1, 2)}, SMALL},
    {{SIZE(2, 1, 2), .cluster = 2}, SMALL},
    {{SIZE(2, 1, 3), .cluster = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .cluster = 2}, SMALL},
    {{SIZE(3, 1, 1), .cluster = 3}, SMALL},
    {{SIZE(3, 1, 2), .cluster = 2}, SMALL},
    {{SIZE(3, 1, 2), .slots = 2, .cluster = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2), .cluster = 2}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .cluster = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .cluster = 3}, SMALL},
    {{SIZE(4, 1, 1), .slots = 3, .cluster = 2}, SMALL},
    {{.form = WEIR_MODEL_ALL_GIVE_UP, SIZE(2, 1, 1), .cluster = 2}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .cluster = 2, .past = WRAP}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .cluster = 2}, LARGER},
    {{SIZE(3, 1, 2), .cluster = 3, .past = WRAP}, LARGER},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(3, 2, 2), .cluster = 2}, LARGER},
    {{SIZE(4, 1, 1), .cluster = 2}, LARGER},
    {{SIZE(4, 1, 1), .cluster = 4}, LARGER},
};

static const weir_model_shape *shape_at(const weir_model_adapter *adapter, size_t i)
{
	int in_clusters = adapter->queue == WEIR_QUEUE_CLUSTER;
	size_t count = in_clusters ? sizeof cluster_shapes / sizeof cluster_shapes[0]
	                           : sizeof shapes / sizeof shapes[0];

	return i >= count ? NULL : in_clusters ? &cluster_shapes[i] : &shapes[i];
}

/* All kinds share the code for teams, which the default's cases explore. A failed try outside a
 * wait is a step like any other: many tries by many blocks have too many orders. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	if (shape->c.form == WEIR_MODEL_MISUSE)
		return adapter->value == WEIR_MUTEX_SPIN;
	if (shape->c.form == WEIR_MODEL_WARPS || shape->c.form == WEIR_MODEL_MADE)
		return adapter->value == WEIR_MUTEX_SPIN_BACKOFF;
	if (adapter->value == WEIR_MUTEX_SPIN_THEN_BACKOFF && shape->c.blocks * shape->c.rounds > 6)
		return 0;
	return (shape->c.slots == 0 || adapter->queue != WEIR_QUEUE_NONE) &&
	       (shape->c.slots != 1 || adapter->queue != WEIR_QUEUE_TIMED);
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(mutex) = {
    .forms = WEIR_MODEL_FORM(ARRAY) | WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(ALL_GIVE_UP) |
             WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(MISUSE),
#ifdef WEIR_DIAGNOSE
    .misuses = misuses,
    .misuse_kinds = misuse_kinds,
    .misuse_values = misuse_values,
#endif
    .late_forms = WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(ALL_GIVE_UP),
    .starts_anywhere = 1,
    .unnoted_forms = WEIR_MODEL_FORM(ARRAY) | WEIR_MODEL_FORM(WARPS),
    .published = {SIZE(2, 1, 1)},
    .shape_at = shape_at,
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .start = start,
    .complete = complete,
    .waits_in = WEIR_MODEL_WAITS(LOCK),
    .waits_unsaid = waits_unsaid,
    WEIR_MODEL_NAMES(mutex),
};
