/* The cases: small programs around one object, with the properties that must hold in every
 * execution. Which kinds there are comes from the rows in the kinds' headers alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "engine.h"

#define FLAGS 112 /* words for the rendezvous of a case, behind every object */
#define MOST_INTERVALS 32
#define MUTEXES 2
#define GROUP_ROUNDS 2

/* From a wait's return to the post that gives the slot back. */
typedef struct interval {
	uint32_t thread;
	uint32_t end;      /* clock of the thread when it posts; 0: still inside */
	uint32_t overlaps; /* earlier intervals that this one is not ordered after */
	uint32_t slots;    /* that it takes */
} interval;

typedef struct run {
	weir_model_case c;
	const weir_model_adapter *adapter;
	weir_any_config config;
	uint32_t stride; /* words from one mutex of an array to the next */
	weir_word *words;
	/* What the threads would keep in plain memory; the explorer watches the order of the accesses. */
	uint32_t entered[MUTEXES];
	uint32_t last_arrival[MUTEXES];
	uint32_t phase[WEIR_MODEL_THREADS];
	interval intervals[MOST_INTERVALS];
	uint32_t interval_count;
	uint32_t seen_none; /* how many waits have seen no post, ... */
	uint32_t seen_one;
	uint32_t broken_from; /* barrier: first phase that anybody was late for; 0: none */
	uint32_t passed_up_to;
	uint32_t members[GROUP_ROUNDS][WEIR_MODEL_THREADS]; /* threads that have got each rank */
	uint32_t told[GROUP_ROUNDS];                        /* the count that they were told */
	uint32_t
	    passed[2 * GROUP_ROUNDS]; /* threads told that all had come, at each barrier, ... */
	uint32_t late[2 * GROUP_ROUNDS];
	int ever_late; /* in any execution */
} run;

static uint32_t mutex_size(weir_any_config config)
{
	return weir_mutex_words(config.mutex);
}

static void start_mutex(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_mutex_start(weir_mutex_make(words, config.mutex), past);
}

static uint32_t semaphore_size(weir_any_config config)
{
	return weir_semaphore_words(config.semaphore);
}

static void start_semaphore(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	weir_semaphore_start(weir_semaphore_make(words, config.semaphore), value, past);
}

static uint32_t barrier_size(weir_any_config config)
{
	return weir_barrier_kind_words(config.barrier);
}

static void start_barrier(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_barrier_start(weir_barrier_make(words, config.barrier), past);
}

static uint32_t group_barrier_size(weir_any_config config)
{
	return weir_barrier_words(weir_group_barrier_config(config.group));
}

/* Behind the poll lies what an earlier launch may have left of a barrier: phases, an arrival, and a
 * decision. */
static void start_group(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	weir_group g = weir_group_make(words, config.group);
	uint32_t most = config.group.most_members;
	weir_member all = {1, 0, most};
	weir_barrier left = weir_group_own_barrier(g, all);

	(void)value;
	weir_group_start(g, past);
	weir_group_start_barrier_(g, most);
	weir_store_rlx(&left.words[0], 1);
	weir_store_rlx(&left.words[config.group.kind == WEIR_BARRIER_XF ? 1 : config.group.pitch],
	               1);
	weir_store_rlx(weir_bounded_arrived_(left), most - 1);
	weir_store_rlx(weir_bounded_decision_(left), 1);
}

static uint32_t group_size(weir_any_config config)
{
	return weir_group_poll_words(config.group) + group_barrier_size(config);
}

static void lock(weir_word *words, weir_any_config config)
{
	weir_mutex_lock(weir_mutex_make(words, config.mutex));
}

static void unlock(weir_word *words, weir_any_config config)
{
	weir_mutex_unlock(weir_mutex_make(words, config.mutex));
}

static void wait(weir_word *words, weir_any_config config)
{
	weir_semaphore_wait(weir_semaphore_make(words, config.semaphore));
}

static void post(weir_word *words, weir_any_config config)
{
	weir_semaphore_post(weir_semaphore_make(words, config.semaphore));
}

static void pass(weir_word *words, weir_any_config config)
{
	weir_barrier_wait(weir_barrier_make(words, config.barrier));
}

#define MUTEX_ROW_(name, NAME, value, fair, queue, pause)                                          \
	{"mutex", #name, value, fair, queue, mutex_size, start_mutex, lock, unlock},
#define SEMAPHORE_ROW_(name, NAME, value, fair, pause, words)                                      \
	{"semaphore",    #name,           value, fair, WEIR_QUEUE_NONE,                            \
	 semaphore_size, start_semaphore, wait,  post},
#define BARRIER_ROW_(name, NAME, value, shape)                                                     \
	{"barrier",    #name,         value, WEIR_UNFAIR, WEIR_QUEUE_NONE,                         \
	 barrier_size, start_barrier, pass,  NULL},

/* clang-format off */
static const weir_model_adapter shipped[] = {
	WEIR_MUTEX_KINDS(MUTEX_ROW_)
	WEIR_SEMAPHORE_KINDS(SEMAPHORE_ROW_)
	WEIR_BARRIER_KINDS(BARRIER_ROW_)
	{"group", "discovery", WEIR_BARRIER_ATOMIC, WEIR_UNFAIR, WEIR_QUEUE_NONE, group_size,
	 start_group, NULL, NULL},
};
/* clang-format on */

#define SHIPPED (sizeof shipped / sizeof shipped[0])

static int is_a(const weir_model_case *c, const char *primitive)
{
	return strcmp(c->primitive, primitive) == 0;
}

static uint32_t self(void)
{
	return weir_block_id() * weir_thread_count() + weir_thread_id();
}

/* ---- mutex ---- */

static weir_word *mutex_words(const run *r, uint32_t index)
{
	weir_mutex_array array;

	array.words = r->words;
	memset(&array.config, 0, sizeof array.config);
	array.config.stride = r->stride;
	return weir_mutex_at(array, index).words;
}

static void mutex_round(run *r, uint32_t index)
{
	weir_word *words = mutex_words(r, index);

	weir_model_arrive();
	r->adapter->enter(words, r->config);
	weir_model_data_read(index);
	weir_model_data_write(index);
	if (r->adapter->fair)
		weir_model_check(weir_model_arrival() > r->last_arrival[index],
		                 "somebody who came later got the mutex before");
	r->last_arrival[index] = weir_model_arrival();
	r->entered[index]++;
	r->adapter->leave(words, r->config);
}

static int is_bounded(const run *r)
{
	return r->c.form == WEIR_MODEL_TRY || r->c.form == WEIR_MODEL_GIVE_UP;
}

/* Of the cases in which some give up: who does not. Each block takes turns. */
static int stays(uint32_t block, uint32_t round)
{
	return (block + round) % 2 == 0;
}

/* Block 0 waits until all others are done; it then finds out what they left. Returns 1 there. */
static int is_last(void)
{
	weir_word *flags = weir_model_memory() + FLAGS;

	if (weir_block_id() != 0) {
		/* Relaxed: the object alone is to order the data. */
		weir_store_rlx(&flags[weir_block_id()], 1);
		return 0;
	}
	for (uint32_t b = 1; b < weir_block_count(); b++)
		weir_await_eq_acq(&flags[b], 1, weir_no_backoff());
	return 1;
}

/* Every third time also who else waits for a while. */
static int tries(const run *r, uint32_t round)
{
	return r->c.form == WEIR_MODEL_TRY || round % 3 == 2;
}

/* Gives up when its time is over, and not before. */
static int got_in_time(run *r, weir_result result)
{
	r->ever_late |= result == WEIR_TIMED_OUT;
	weir_model_check((result == WEIR_TIMED_OUT) == weir_model_was_late(),
	                 "the deadline was over and nobody gave up, or it was not");
	return result == WEIR_ACQUIRED;
}

static int try_or_lock(run *r, weir_mutex m, uint32_t round)
{
	return tries(r, round) ? weir_mutex_trylock(m) == WEIR_ACQUIRED
	                       : got_in_time(r, weir_mutex_lock_for(m, 1));
}

/* Those who stay get it in the order of their arrival, and all of them get it; when all are done, one
 * more does. */
static void bounded_mutex(run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (stays(weir_block_id(), i)) {
			mutex_round(r, 0);
		} else if (try_or_lock(r, m, i)) {
			weir_model_data_read(0);
			weir_model_data_write(0);
			weir_mutex_unlock(m);
		}
	}
	if (is_last())
		mutex_round(r, 0);
}

/* Block 0 waits for all others as is_last does, but with all that they did. */
static int is_last_and_knows(void)
{
	weir_word *flags = weir_model_memory() + FLAGS;

	if (weir_block_id() != 0)
		weir_store_rel(&flags[weir_block_id()], 1);
	else
		for (uint32_t b = 1; b < weir_block_count(); b++)
			weir_await_eq_acq(&flags[b], 1, weir_no_backoff());
	return weir_block_id() == 0;
}

static void lock_for_a_while(run *r, weir_mutex m)
{
	if (!got_in_time(r, weir_mutex_lock_for(m, 1)))
		return;
	weir_model_data_read(0);
	weir_model_data_write(0);
	weir_mutex_unlock(m);
}

/* Nobody stays, so that only those that come later clear away what was given up: a wait with a deadline
 * or, in a mutex that was used before, a try, which must get it. */
static void fleeting_mutex(run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		lock_for_a_while(r, m);
	if (!is_last_and_knows())
		return;
	if (r->c.past == 0)
		lock_for_a_while(r, m);
	weir_model_check(weir_mutex_trylock(m) == WEIR_ACQUIRED,
	                 "a try is told that the mutex is busy, and nobody is there");
	weir_model_data_write(0);
	weir_mutex_unlock(m);
}

/* Every thread reads what every thread of the block before wrote, then writes its own. */
static void share_within_block(void)
{
	for (uint32_t t = 0; t < weir_thread_count(); t++)
		weir_model_data_read(t);
	weir_block_sync();
	weir_model_data_write(weir_thread_id());
}

static void mutex_body(run *r)
{
	weir_mutex m = weir_mutex_make(r->words, r->config.mutex);

	if (is_bounded(r) || r->c.form == WEIR_MODEL_ALL_GIVE_UP) {
		if (weir_thread_id() == 0 && is_bounded(r))
			bounded_mutex(r);
		else if (weir_thread_id() == 0)
			fleeting_mutex(r);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (r->c.form == WEIR_MODEL_COLLECTIVE) {
			weir_mutex_block_lock(m);
			share_within_block();
			r->entered[0] += weir_thread_id() == 0;
			weir_mutex_block_unlock(m);
		} else if (weir_thread_id() == 0) {
			mutex_round(
			    r, r->c.form == WEIR_MODEL_ARRAY ? (weir_block_id() + i) % MUTEXES : 0);
		}
	}
}

static void mutex_complete(const run *r)
{
	uint32_t stayed = is_bounded(r);
	uint32_t all = r->c.form == WEIR_MODEL_ALL_GIVE_UP ? 0 : r->c.blocks * r->c.rounds;

	for (uint32_t i = 0; i < all; i++)
		stayed += !is_bounded(r) || stays(i % r->c.blocks, i / r->c.blocks);
	weir_model_check(r->entered[0] + r->entered[1] == stayed,
	                 "not every lock was followed by its section");
	if (r->adapter->queue != WEIR_QUEUE_TIMED)
		return;
	/* The same number may come again, and must find no old mark. */
	for (uint32_t i = 0; i < r->config.mutex.slots; i++)
		weir_model_check(
		    weir_model_final(
			weir_patient_slot_(weir_mutex_make(r->words, r->config.mutex), i)) == 0,
		    "a ticket was given up, its turn has passed, and its mark is still there");
}

/* ---- semaphore ---- */

/* Whether intervals in `mask` that overlap pairwise take more than `slots` together. */
static int overlap(const run *r, uint32_t mask, int64_t slots)
{
	if (slots < 0)
		return 1;
	while (mask) {
		uint32_t top = 31u - (uint32_t)__builtin_clz(mask);
		mask &= ~(1u << top);
		if (overlap(r, mask & r->intervals[top].overlaps, slots - r->intervals[top].slots))
			return 1;
	}
	return 0;
}

static uint32_t begin_interval(run *r, uint32_t slots)
{
	uint32_t index = r->interval_count++;
	interval *new = &r->intervals[index];

	weir_model_note("is inside");
	new->thread = self();
	new->end = 0;
	new->overlaps = 0;
	new->slots = slots;
	for (uint32_t i = 0; i < index; i++) {
		const interval *old = &r->intervals[i];
		if (old->end == 0 || weir_model_known_clock(old->thread) < old->end)
			new->overlaps |= 1u << i;
	}
	weir_model_check(!overlap(r, new->overlaps, (int64_t)r->c.initial - slots),
	                 "more threads inside than the semaphore allows: nothing orders this wait "
	                 "after enough posts");
	return index;
}

static void end_interval(run *r, uint32_t index)
{
	r->intervals[index].end = weir_model_clock();
	weir_model_note("is about to post");
}

/* Those inside wait until as many as may be are. */
static void meet(void)
{
	weir_word *flags = weir_model_memory() + FLAGS;

	weir_store_rlx(&flags[weir_block_id()], 1);
	for (uint32_t b = 0; b < weir_block_count(); b++)
		weir_await_eq_acq(&flags[b], 1, weir_no_backoff());
}

static void semaphore_round(run *r)
{
	uint32_t index;

	weir_model_arrive();
	r->adapter->enter(r->words, r->config);
	index = begin_interval(r, 1);
	if (r->c.initial == 1) {
		weir_model_data_read(0);
		weir_model_data_write(0);
		if (r->adapter->fair)
			weir_model_check(weir_model_arrival() > r->last_arrival[0],
			                 "somebody who came later got the slot before");
		r->last_arrival[0] = weir_model_arrival();
	}
	if (r->c.form == WEIR_MODEL_MEET)
		meet();
	end_interval(r, index);
	r->adapter->leave(r->words, r->config);
}

/* With `slots` of them: who has all is alone and may write. */
static void stay_inside(run *r, uint32_t slots)
{
	uint32_t index = begin_interval(r, slots);

	weir_model_data_read(0);
	if (slots == r->c.initial)
		weir_model_data_write(0);
	end_interval(r, index);
	weir_semaphore_post_n(weir_semaphore_make(r->words, r->config.semaphore), slots);
}

/* Beyond this the sums of what all blocks take pass 32 bits, so all of them take all. */
#define MANY_SLOTS 0x40000000u

/* Who has one shares with other readers. */
static void several(run *r)
{
	uint32_t slots = weir_block_id() % 2 == 0 || r->c.initial > MANY_SLOTS ? r->c.initial : 1;

	weir_semaphore_wait_n(weir_semaphore_make(r->words, r->config.semaphore), slots);
	stay_inside(r, slots);
}

/* One block waits for all slots, one tries for all, one waits for half of them. */
static void greedy(run *r, uint32_t round)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);
	uint32_t role = weir_block_id() % 3;
	uint32_t slots = role == 2 ? r->c.initial / 2 : r->c.initial;

	if (role != 1)
		weir_semaphore_wait_n(s, slots);
	else if (round % 2 == 0 ? weir_semaphore_trywait_n(s, slots) != WEIR_ACQUIRED
	                        : !got_in_time(r, weir_semaphore_wait_n_for(s, slots, 1)))
		return;
	stay_inside(r, slots);
}

/* Nobody waits in the line; when all are done, a try for all slots gets them. */
static void fleeting_semaphore(run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		if (got_in_time(r, weir_semaphore_wait_n_for(s, r->c.initial, 1)))
			stay_inside(r, r->c.initial);
	if (!is_last_and_knows())
		return;
	weir_model_check(weir_semaphore_trywait_n(s, r->c.initial) == WEIR_ACQUIRED,
	                 "a try is told that slots are missing, and nobody is there");
	begin_interval(r, r->c.initial);
}

/* There is a slot for each try, and nobody waits or posts. */
static void enough(run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++)
		weir_model_check(weir_semaphore_trywait(s) == WEIR_ACQUIRED,
		                 "a try is told that no slot is free, and there are enough");
}

/* When all are done, all slots are there. */
static void bounded_semaphore(run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t index;
		if (stays(weir_block_id(), i))
			weir_semaphore_wait(s);
		else if (tries(r, i) ? weir_semaphore_trywait(s) != WEIR_ACQUIRED
		                     : !got_in_time(r, weir_semaphore_wait_for(s, 1)))
			continue;
		index = begin_interval(r, 1);
		if (r->c.initial == 1)
			weir_model_data_write(0);
		end_interval(r, index);
		weir_semaphore_post(s);
	}
	if (is_last()) {
		weir_semaphore_wait_n(s, r->c.initial);
		begin_interval(r, r->c.initial);
	}
}

/* Block 0 writes a datum before each post; a block that has waited n times has seen n of them. */
static void handoff(run *r)
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

static uint32_t relay_posts(const run *r)
{
	return (r->c.blocks - 2) * r->c.rounds;
}

/* Who waits counts the posts, of both posters, that are ordered before the wait's return. */
static void relay(run *r)
{
	if (weir_block_id() < 2) {
		for (uint32_t i = weir_block_id(); i < relay_posts(r); i += 2) {
			r->intervals[i].thread = self();
			r->intervals[i].end = weir_model_clock();
			r->adapter->leave(r->words, r->config);
		}
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t known = 0;
		r->adapter->enter(r->words, r->config);
		for (uint32_t p = 0; p < relay_posts(r); p++) {
			const interval *post = &r->intervals[p];
			known += post->end && weir_model_known_clock(post->thread) >= post->end;
		}
		weir_model_note(known == 1 ? "has seen one post" : "has seen several posts");
		r->seen_none += known == 0;
		r->seen_one += known == 1;
	}
}

/* Who is n-th in line has seen n posts, whoever made them. Places are counted differently by each
 * kind, and two who queue may share a later one, but only one wait is the first. */
static void relay_complete(const run *r)
{
	weir_model_check(r->seen_none == 0, "a wait has seen no post at all");
	weir_model_check(r->seen_one <= 1,
	                 "two waits have seen one post each, but only the first in line may");
}

/* Some blocks only post, and the others only wait. */
static int hands_over(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_HANDOFF || c->form == WEIR_MODEL_RELAY;
}

static void semaphore_body(run *r)
{
	weir_semaphore s = weir_semaphore_make(r->words, r->config.semaphore);

	if (is_bounded(r)) {
		if (weir_thread_id() == 0)
			bounded_semaphore(r);
		return;
	}
	if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_RELAY)
		relay(r);
	if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_HANDOFF)
		handoff(r);
	if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_ALL_GIVE_UP)
		fleeting_semaphore(r);
	if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_ENOUGH)
		enough(r);
	if (hands_over(&r->c) || r->c.form == WEIR_MODEL_ALL_GIVE_UP ||
	    r->c.form == WEIR_MODEL_ENOUGH)
		return;
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (r->c.form == WEIR_MODEL_COLLECTIVE) {
			weir_semaphore_block_wait(s);
			share_within_block();
			weir_semaphore_block_post(s);
		} else if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_SEVERAL) {
			several(r);
		} else if (weir_thread_id() == 0 && r->c.form == WEIR_MODEL_GREEDY) {
			greedy(r, i);
		} else if (weir_thread_id() == 0) {
			semaphore_round(r);
		}
	}
}

/* ---- barrier ---- */

/* The last block does not go on to its await before all others have left theirs. Every second time
 * the barrier is passed in one piece. */
static void pass_in_two(const run *r, uint32_t phase)
{
	weir_barrier b = weir_barrier_make(r->words, r->config.barrier);
	weir_word *flags = weir_model_memory() + FLAGS;
	uint32_t last = r->c.blocks - 1;

	if (phase % 2 == 0) {
		weir_barrier_wait(b);
	} else {
		uint32_t token = weir_barrier_arrive(b);
		if (weir_block_id() == last && weir_thread_id() == 0)
			for (uint32_t i = 0; i < last; i++)
				weir_await_eq_acq(&flags[i], phase, weir_no_backoff());
		weir_barrier_await(b, token);
	}
	if (weir_block_id() != last && weir_thread_id() == 0)
		/* Relaxed: the barrier alone is to order the data. */
		weir_store_rlx(&flags[weir_block_id()], phase);
}

/* What one thread was told of a phase, all are: broken from some phase on, for ever. */
static int pass_in_time(run *r, uint32_t phase)
{
	int late = weir_barrier_wait_for(weir_barrier_make(r->words, r->config.barrier), 1) !=
	           WEIR_ACQUIRED;

	weir_model_check(!late || r->broken_from != 0 || weir_model_anybody_late(),
	                 "the barrier is broken, and nobody's deadline was over");
	r->ever_late |= late;
	weir_model_note(late ? "is late" : "has passed");
	if (late && (r->broken_from == 0 || phase < r->broken_from))
		r->broken_from = phase;
	if (!late && phase > r->passed_up_to)
		r->passed_up_to = phase;
	weir_model_check(r->broken_from == 0 || r->broken_from > r->passed_up_to,
	                 "one is told that the barrier was passed, another that it was not");
	return !late;
}

/* In even phases every thread writes its datum, in odd ones it reads everybody's. */
static void barrier_body(run *r)
{
	int whole = 1;

	for (uint32_t phase = 0; phase <= r->c.rounds; phase++) {
		int in_time = r->c.form == WEIR_MODEL_GIVE_UP ||
		              (r->c.form == WEIR_MODEL_MIXED && phase % 2 == 1);
		if (phase > 0 && in_time)
			whole = pass_in_time(r, phase);
		else if (phase > 0 && r->c.form == WEIR_MODEL_SPLIT)
			pass_in_two(r, phase);
		else if (phase > 0)
			r->adapter->enter(r->words, r->config);
		if (in_time && !whole)
			continue;
		if (phase % 2 == 0) {
			weir_model_data_write(self());
			r->phase[self()] = phase + 1;
			continue;
		}
		for (uint32_t t = 0; t < r->c.blocks * r->c.threads; t++) {
			weir_model_data_read(t);
			weir_model_check(r->phase[t] == phase, "a thread is in another phase");
		}
	}
}

/* ---- group ---- */

/* Whether all members have come to the group's own barrier. */
static int group_pass(run *r, weir_group g, weir_member me, uint32_t phase)
{
	int late;

	if (r->c.form != WEIR_MODEL_GIVE_UP) {
		weir_group_wait(g, me);
		return 1;
	}
	late = weir_barrier_wait_for(weir_group_own_barrier(g, me), 1) != WEIR_ACQUIRED;
	r->late[phase] += (uint32_t)late;
	r->passed[phase] += (uint32_t)!late;
	weir_model_check(r->late[phase] == 0 || r->passed[phase] == 0,
	                 "one is told that the barrier was passed, another that it was not");
	weir_model_check(!late || me.count > 1, "late for a barrier with nobody else");
	return !late;
}

/* Each thread's datum belongs to the rank of its block: threads of one rank in two blocks race. */
static void group_members(run *r, weir_group g, weir_member me, uint32_t round)
{
	uint32_t threads = weir_thread_count();
	uint32_t count;

	weir_model_check(me.rank < me.count && me.count <= r->config.group.most_members,
	                 "the ranks of the members are not dense");
	weir_model_check(r->told[round] == 0 || r->told[round] == me.count,
	                 "members were told different counts");
	r->told[round] = me.count;
	r->members[round][me.rank]++;
	weir_model_data_write(me.rank * threads + weir_thread_id());
	count = group_pass(r, g, me, 2 * round) ? me.count : 0;
	for (uint32_t rank = 0; rank < count; rank++) {
		weir_model_check(r->members[round][rank] == threads,
		                 "a rank was not given exactly once");
		for (uint32_t t = 0; t < threads; t++)
			weir_model_data_read(rank * threads + t);
	}
	weir_model_check(!group_pass(r, g, me, 2 * round + 1) || count != 0,
	                 "a broken barrier was passed");
}

/* Whether the block is one of those that meet, and which, by counting. */
static weir_member expected_member(uint64_t mask)
{
	weir_member me = {mask >> weir_block_id() & 1, 0, 0};

	for (uint32_t b = 0; b < 64; b++) {
		me.count += mask >> b & 1;
		me.rank += b < weir_block_id() ? mask >> b & 1 : 0;
	}
	return me;
}

static void check_member(weir_member me, uint64_t mask)
{
	weir_member right = expected_member(mask);

	weir_model_check(me.is_member == right.is_member,
	                 "a block is wrongly in the group, or out");
	weir_model_check(!me.is_member || (me.rank == right.rank && me.count == right.count),
	                 "a member's rank or count is wrong");
}

/* A group that the caller chose, over a barrier of its own. */
static void meet_as(run *r, uint32_t words, weir_member me, uint64_t mask)
{
	weir_barrier b;

	check_member(me, mask);
	if (!me.is_member)
		return;
	b.words = r->words + words;
	b.config = r->config.barrier;
	weir_model_data_write(me.rank * weir_thread_count() + weir_thread_id());
	weir_barrier_wait(weir_group_barrier(b, me));
	for (uint32_t t = 0; t < me.count * weir_thread_count(); t++)
		weir_model_data_read(t);
	weir_barrier_wait(weir_group_barrier(b, me));
}

static void meet_all(uint32_t block)
{
	weir_word *flags = weir_model_memory() + FLAGS;

	weir_block_sync();
	if (weir_thread_id() == 0) {
		weir_store_rel(&flags[block], 1);
		for (uint32_t b = 0; b < weir_block_count(); b++)
			weir_await_ge_acq(&flags[b], 1, weir_no_backoff());
	}
	weir_block_sync();
}

/* All but the first block, by their range; then the first and the last ones, by a mask. The blocks are
 * numbered from `past` on, so that they may lie in two words of a mask. Some groups have blocks that are not
 * there: those are only looked at. */
static void chosen_groups(run *r)
{
	uint32_t first = r->c.past;
	uint32_t others = weir_block_count() - 1;
	uint64_t all = ((uint64_t)1 << weir_block_count()) - 1;
	uint64_t ends = (uint64_t)1 << first | (uint64_t)1 << (first + others);
	/* The last word is not part of the mask. */
	const uint32_t words[4] = {(uint32_t)ends | 5u, (uint32_t)(ends >> 32) | 3u << 30, 0, ~0u};
	uint64_t far = (uint64_t)words[1] << 32 | words[0];
	weir_member beyond = {0, 0, 0};

	check_member(weir_group_range(0, first + others), ((uint64_t)1 << (first + others)) - 1);
	check_member(weir_group_mask(far), far);
	check_member(weir_group_mask_words(words, 3), far);
	weir_group_count_(&beyond, ~0u, weir_block_id() - 32);
	weir_model_check(!beyond.is_member, "a block is taken for one of the word before");
	meet_as(r, 0, weir_group_range(first + 1, others), (all - 1) << first);
	meet_all(weir_block_id() - first);
	meet_as(r, weir_barrier_words(r->config.barrier), weir_group_mask(ends), ends);
}

/* What lies between two launches: all meet. */
static void next_launch(uint32_t round)
{
	weir_word *flags = weir_model_memory() + FLAGS;

	weir_block_sync();
	if (weir_thread_id() == 0) {
		weir_store_rel(&flags[weir_block_id()], round);
		for (uint32_t b = 0; b < weir_block_count(); b++)
			weir_await_ge_acq(&flags[b], round, weir_no_backoff());
	}
	weir_block_sync();
}

static void group_body(run *r)
{
	weir_group g = weir_group_make(r->words, r->config.group);

	if (r->c.form == WEIR_MODEL_CHOSEN) {
		chosen_groups(r);
		return;
	}
	for (uint32_t round = 0; round < r->c.rounds; round++) {
		weir_member me;
		if (round > 0)
			next_launch(round);
		me = weir_group_discover(g);
		if (me.is_member)
			group_members(r, g, me, round);
		else
			weir_model_check(me.count == 0, "who is no member was told a count");
		if (r->c.askers)
			weir_model_check(weir_block_id() < r->c.askers || !me.is_member,
			                 "a block that may not ask is a member");
	}
}

static void group_complete(const run *r)
{
	weir_group g = weir_group_make(r->words, r->config.group);

	if (r->c.form == WEIR_MODEL_CHOSEN)
		return;
	for (uint32_t round = 0; round < r->c.rounds; round++)
		weir_model_check(r->told[round] != 0, "nobody is a member");
	weir_model_check(weir_model_final(weir_group_poll_(g)) == 0 &&
	                     weir_model_final(weir_group_members_(g)) == 0 &&
	                     weir_model_final(weir_group_asked_(g)) == 0,
	                 "the poll is not as it was before the launch");
}

/* ---- all ---- */

static void setup(void *context)
{
	run *r = context;
	uint32_t count = r->c.form == WEIR_MODEL_ARRAY ? MUTEXES : 1;

	r->words = weir_model_memory();
	r->interval_count = 0;
	memset(r->entered, 0, sizeof r->entered);
	memset(r->last_arrival, 0, sizeof r->last_arrival);
	memset(r->phase, 0, sizeof r->phase);
	memset(r->intervals, 0, sizeof r->intervals);
	r->seen_none = 0;
	r->seen_one = 0;
	r->broken_from = 0;
	r->passed_up_to = 0;
	memset(r->told, 0, sizeof r->told);
	memset(r->members, 0, sizeof r->members);
	memset(r->passed, 0, sizeof r->passed);
	memset(r->late, 0, sizeof r->late);
	/* A first state does not depend on what was there. */
	if (is_a(&r->c, "mutex"))
		for (uint32_t i = 0; i < count * r->stride; i++)
			weir_store_rlx(&r->words[i], 1);
	for (uint32_t i = 0; i < count && r->c.form != WEIR_MODEL_CHOSEN; i++)
		r->adapter->start(is_a(&r->c, "mutex") ? mutex_words(r, i) : r->words, r->config,
		                  r->c.initial, r->c.past);
	if ((r->c.form == WEIR_MODEL_GIVE_UP || r->c.form == WEIR_MODEL_MIXED) &&
	    strcmp(r->c.primitive, "barrier") == 0)
		weir_store_rlx(
		    weir_bounded_decision_(weir_barrier_make(r->words, r->config.barrier)),
		    2 * r->c.past);
}

static void body(void *context)
{
	run *r = context;

	if (strcmp(r->c.primitive, "mutex") == 0)
		mutex_body(r);
	else if (strcmp(r->c.primitive, "semaphore") == 0)
		semaphore_body(r);
	else if (strcmp(r->c.primitive, "group") == 0)
		group_body(r);
	else
		barrier_body(r);
}

static void complete(void *context)
{
	const run *r = context;

	if (strcmp(r->c.primitive, "mutex") == 0)
		mutex_complete(r);
	if (strcmp(r->c.primitive, "group") == 0)
		group_complete(r);
	if (r->c.form == WEIR_MODEL_RELAY)
		relay_complete(r);
}

static const weir_model_adapter *find_adapter(const weir_model_case *c)
{
	for (size_t i = 0; i < SHIPPED; i++)
		if (strcmp(shipped[i].primitive, c->primitive) == 0 &&
		    strcmp(shipped[i].kind, c->kind) == 0)
			return &shipped[i];
	for (size_t i = 0; i < weir_model_published_count_; i++)
		if (strcmp(weir_model_published_[i].primitive, c->primitive) == 0 &&
		    strcmp(weir_model_published_[i].kind, c->kind) == 0)
			return &weir_model_published_[i];
	return NULL;
}

static int is_shipped(const weir_model_adapter *adapter)
{
	return adapter >= shipped && adapter < shipped + SHIPPED;
}

static int has_shapes(const weir_model_adapter *adapter)
{
	if (strcmp(adapter->primitive, "barrier") != 0)
		return 0;
#define SHAPED_(name, NAME, value, shape)                                                          \
	if (shape == WEIR_SHAPE_COUNTERS && strcmp(adapter->kind, #name) == 0)                     \
		return 1;
	WEIR_BARRIER_KINDS(SHAPED_)
#undef SHAPED_
	return 0;
}

static int in_clusters(const weir_model_adapter *adapter)
{
	return adapter->queue == WEIR_QUEUE_CLUSTER;
}

static uint32_t power_of_two(uint32_t least)
{
	uint32_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

/* The value of a kind of barrier; 0: there is none of that name. */
static uint32_t barrier_named(const char *name)
{
#define NAMED_(kind, KIND, value, shape)                                                           \
	if (strcmp(name, #kind) == 0)                                                              \
		return value;
	WEIR_BARRIER_KINDS(NAMED_)
#undef NAMED_
	return 0;
}

static weir_any_config make_config(const weir_model_case *c, const weir_model_adapter *adapter)
{
	weir_shape shape = {c->shard_bits, c->copy_bits, 0};
	weir_any_config config;

	memset(&config, 0, sizeof config);
	config.object.kind = adapter->value;
	config.object.pitch = 1;
	if (adapter->queue != WEIR_QUEUE_NONE)
		config.mutex.slots =
		    c->slots ? c->slots : power_of_two(c->blocks > 2 ? c->blocks : 2);
	if (is_a(c, "semaphore"))
		config.semaphore.maximum = c->initial ? c->initial : c->blocks * c->rounds;
	if (is_a(c, "barrier") || c->form == WEIR_MODEL_CHOSEN) {
		config.barrier.blocks = c->blocks;
		config.barrier.shape = shape;
	} else if (is_a(c, "group")) {
		config.group.kind = c->over[0] ? barrier_named(c->over) : config.group.kind;
		config.group.askers = c->askers ? c->askers : c->blocks;
		config.group.most_members = c->room ? c->room : c->blocks;
		config.group.shape = shape;
	}
	return config;
}

/* Whether the primitive has the form at all. */
static int has_form(const weir_model_case *c)
{
	switch (c->form) {
	case WEIR_MODEL_ARRAY:
		return is_a(c, "mutex");
	case WEIR_MODEL_HANDOFF:
	case WEIR_MODEL_MEET:
	case WEIR_MODEL_RELAY:
	case WEIR_MODEL_SEVERAL:
	case WEIR_MODEL_GREEDY:
	case WEIR_MODEL_ENOUGH:
		return is_a(c, "semaphore");
	case WEIR_MODEL_SPLIT:
	case WEIR_MODEL_MIXED:
		return is_a(c, "barrier");
	case WEIR_MODEL_TRY:
	case WEIR_MODEL_ALL_GIVE_UP:
		return is_a(c, "mutex") || is_a(c, "semaphore");
	case WEIR_MODEL_CHOSEN:
		return is_a(c, "group");
	default:
		return 1;
	}
}

/* Whether there are tries or deadlines in it. */
static int gives_up(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_TRY || c->form == WEIR_MODEL_GIVE_UP ||
	       c->form == WEIR_MODEL_ALL_GIVE_UP || c->form == WEIR_MODEL_GREEDY ||
	       c->form == WEIR_MODEL_ENOUGH || c->form == WEIR_MODEL_MIXED;
}

/* Whether a wait in it may end without success. */
static int has_deadlines(const weir_model_case *c)
{
	return c->form == WEIR_MODEL_ALL_GIVE_UP || c->form == WEIR_MODEL_MIXED ||
	       (c->form == WEIR_MODEL_GIVE_UP && !is_a(c, "group"));
}

/* Where the object ends; only the shipped ones say. */
static uint32_t object_words(const run *r)
{
	if (is_a(&r->c, "barrier"))
		return weir_barrier_words(r->config.barrier);
	if (r->c.form == WEIR_MODEL_CHOSEN)
		return 2 * weir_barrier_words(r->config.barrier);
	if (r->c.form == WEIR_MODEL_ARRAY)
		return MUTEXES * r->stride;
	return r->adapter->words(r->config);
}

/* Why the case cannot run, or NULL. */
static const char *refuse(const weir_model_case *c, const weir_model_adapter *adapter,
                          const weir_model_options *options)
{
	int is_semaphore = is_a(c, "semaphore");

	if (options->search == WEIR_MODEL_REPLAY && !options->choices)
		return "there are no choices to replay";
	if (!adapter)
		return "no such primitive or kind";
	if (!has_form(c))
		return "no such form of this primitive";
	if (c->blocks == 0 || c->threads == 0 || c->rounds == 0 ||
	    c->blocks > WEIR_MODEL_THREADS / c->threads)
		return "the model machine has 1 to 8 threads";
	if (c->blocks * c->rounds > MOST_INTERVALS || c->blocks * c->rounds > WEIR_MODEL_DATA)
		return "too many rounds";
	if (is_a(c, "group") && c->rounds > GROUP_ROUNDS)
		return "a group is discovered twice at the most";
	if (c->slots & (c->slots - 1) && !in_clusters(adapter))
		return "the slots of a queue are a power of two";
	if (is_a(c, "group") && c->over[0] && barrier_named(c->over) == 0)
		return "no such kind of barrier";
	if ((c->room || c->askers || c->over[0]) && !is_a(c, "group"))
		return "only a group has room, askers and a barrier";
	if (c->form == WEIR_MODEL_CHOSEN && c->past > 56)
		return "a mask has 64 blocks";
	if (c->form == WEIR_MODEL_ENOUGH && c->initial < c->blocks * c->rounds)
		return "there must be a slot for each try";
	if (is_semaphore && (c->initial == 0) != hands_over(c))
		return "who posts before waiting begins with no slot free, and nobody else does";
	if (c->form == WEIR_MODEL_RELAY && c->blocks < 3)
		return "a relay needs two blocks that post and one that waits";
	if (is_semaphore && c->form == WEIR_MODEL_MEET && c->initial < c->blocks)
		return "those who meet inside a semaphore all need a slot";
	if (gives_up(c) && !is_shipped(adapter))
		return "published code does not give up";
	if (adapter->queue == WEIR_QUEUE_TIMED && c->slots == 1)
		return "a mutex with tickets to give up has two slots at least";
	if (c->form == WEIR_MODEL_SPLIT && !is_shipped(adapter))
		return "published barriers come in one piece";
	if ((c->shard_bits || c->copy_bits) && !has_shapes(adapter))
		return "no such kind has a shape";
	if (c->form == WEIR_MODEL_SEVERAL && !is_shipped(adapter))
		return "published semaphores take one slot at a time";
	if (is_semaphore && c->form == WEIR_MODEL_COLLECTIVE && c->initial != 1)
		return "the collective case of a semaphore needs the initial value 1";
	return NULL;
}

int weir_model_run(const weir_model_case *c, const weir_model_options *options,
                   weir_model_outcome *outcome)
{
	const weir_model_adapter *adapter = find_adapter(c);
	const char *refused = refuse(c, adapter, options);
	weir_model_program program = {.blocks = c->blocks,
	                              .threads = c->threads,
	                              .setup = setup,
	                              .body = body,
	                              .complete = complete};
	weir_model_setting setting = {0};
	run *r;
	int status;

#ifndef WEIR_MODEL_RUN_ONLY
	if (options->mutant && options->mutant->change == WEIR_MODEL_TEXT)
		return weir_model_run_text_(c, options, outcome);
#endif
	memset(outcome, 0, sizeof *outcome);
	if (refused) {
		outcome->verdict = WEIR_MODEL_LIMIT;
		snprintf(outcome->message, sizeof outcome->message, "%s", refused);
		return 0;
	}
	r = calloc(1, sizeof *r);
	if (!r)
		return -1;
	r->c = *c;
	r->adapter = adapter;
	r->config = make_config(c, adapter);
	r->stride = is_a(c, "mutex") ? adapter->words(r->config) : 0;
	program.context = r;
	program.cluster = c->cluster;
	program.first_block = c->form == WEIR_MODEL_CHOSEN ? c->past : 0;
	if (is_shipped(adapter)) {
		program.hole = object_words(r);
		program.hole_end = FLAGS;
	}
	setting.search = options->search;
	setting.seed = options->seed;
	setting.bound = options->bound;
	setting.max_executions = options->max_executions;
	setting.choices = options->choices;
	setting.progress = options->progress;
	setting.progress_context = options->progress_context;
	setting.reached = options->reached;
	setting.reached_context = options->reached_context;
	if (options->mutant) {
		setting.mutant_site = options->mutant->site;
		setting.mutant_change = options->mutant->change;
	}
	status = weir_model_explore(&program, &setting, outcome);
	if (status == 0 && has_deadlines(c) && c->blocks > 1 && outcome->exhaustive &&
	    outcome->verdict == WEIR_MODEL_PASS && !r->ever_late) {
		outcome->verdict = WEIR_MODEL_CHECK;
		snprintf(outcome->message, sizeof outcome->message,
		         "no deadline is ever over, in all executions");
	}
	free(r);
	return status;
}

#ifndef WEIR_MODEL_RUN_ONLY
/* ---- the list ---- */

typedef struct shape {
	const char *primitive;
	weir_model_form form;
	uint32_t blocks, threads, rounds, initial, slots, past;
	int larger;
} shape;

#define WRAP 0xfffffffeu

static const shape shapes[] = {
    {"mutex", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, WRAP, 0},
    {"mutex", WEIR_MODEL_COLLECTIVE, 2, 2, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_ARRAY, 2, 1, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, WRAP, 0},
    {"mutex", WEIR_MODEL_ARRAY, 3, 1, 2, 0, 0, WRAP, 0},
    {"mutex", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 1, WRAP, 0},
    {"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 2, 0, 0},
    {"mutex", WEIR_MODEL_TRY, 2, 1, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_TRY, 3, 1, 1, 0, 0, WRAP, 0},
    {"mutex", WEIR_MODEL_GIVE_UP, 2, 1, 2, 0, 0, 0, 0},
    {"mutex", WEIR_MODEL_GIVE_UP, 2, 1, 2, 0, 2, WRAP, 0},
    {"mutex", WEIR_MODEL_GIVE_UP, 3, 1, 1, 0, 2, 0, 0},
    {"mutex", WEIR_MODEL_GIVE_UP, 2, 1, 3, 0, 2, 0, 0},
    {"mutex", WEIR_MODEL_ALL_GIVE_UP, 2, 1, 1, 0, 0, WRAP, 0},
    {"mutex", WEIR_MODEL_ALL_GIVE_UP, 3, 1, 1, 0, 2, 0, 0},
    {"mutex", WEIR_MODEL_ALL_GIVE_UP, 3, 1, 1, 0, 2, WRAP, 0},
    {"mutex", WEIR_MODEL_GIVE_UP, 4, 1, 1, 0, 2, WRAP, 1},
    {"mutex", WEIR_MODEL_COLLECTIVE, 3, 2, 2, 0, 0, 0, 1},
    {"mutex", WEIR_MODEL_SINGLE, 3, 1, 3, 0, 0, 0, 1},
    {"mutex", WEIR_MODEL_SINGLE, 4, 1, 2, 0, 0, 0, 1},
    {"semaphore", WEIR_MODEL_SINGLE, 2, 1, 2, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_HANDOFF, 2, 1, 2, 0, 0, 0, 0},
    {"semaphore", WEIR_MODEL_MEET, 2, 1, 1, 2, 0, 0, 0},
    {"semaphore", WEIR_MODEL_COLLECTIVE, 2, 2, 1, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_HANDOFF, 3, 1, 1, 0, 0, WRAP + 1, 0},
    {"semaphore", WEIR_MODEL_SINGLE, 3, 1, 1, 1, 0, WRAP + 1, 0},
    {"semaphore", WEIR_MODEL_SINGLE, 3, 1, 1, 2, 0, 0, 0},
    {"semaphore", WEIR_MODEL_SINGLE, 3, 1, 2, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_SINGLE, 3, 1, 2, 2, 0, WRAP, 0},
    {"semaphore", WEIR_MODEL_MEET, 3, 1, 1, 3, 0, 0, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 2, 1, 2, 2, 0, WRAP, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 3, 1, 1, 2, 0, 0, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 3, 1, 1, 3, 0, WRAP + 1, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 2, 1, 1, 2000, 0, WRAP, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 3, 1, 1, 0x55555556, 0, 0, 0},
    {"semaphore", WEIR_MODEL_SEVERAL, 3, 1, 1, 0x7fffffff, 0, 0, 0},
    {"semaphore", WEIR_MODEL_ENOUGH, 2, 1, 2, 4, 0, 0, 0},
    {"semaphore", WEIR_MODEL_GREEDY, 2, 1, 2, 2, 0, 0, 0},
    {"semaphore", WEIR_MODEL_GREEDY, 3, 1, 1, 2, 0, WRAP, 0},
    {"semaphore", WEIR_MODEL_GREEDY, 3, 1, 1, 0x7fffffff, 0, 0, 0},
    {"semaphore", WEIR_MODEL_ALL_GIVE_UP, 2, 1, 1, 2, 0, 0, 0},
    {"semaphore", WEIR_MODEL_TRY, 2, 1, 2, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_TRY, 3, 1, 1, 2, 0, WRAP, 0},
    {"semaphore", WEIR_MODEL_GIVE_UP, 2, 1, 2, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_GIVE_UP, 3, 1, 1, 1, 0, 0, 0},
    {"semaphore", WEIR_MODEL_GIVE_UP, 3, 1, 1, 2, 0, WRAP, 1},
    {"semaphore", WEIR_MODEL_HANDOFF, 3, 1, 2, 0, 0, 0, 1},
    {"semaphore", WEIR_MODEL_RELAY, 4, 1, 2, 0, 0, 0, 1},
    {"semaphore", WEIR_MODEL_COLLECTIVE, 2, 2, 2, 1, 0, 0, 1},
    {"semaphore", WEIR_MODEL_SINGLE, 4, 1, 1, 1, 0, 0, 1},
    {"semaphore", WEIR_MODEL_SINGLE, 4, 1, 1, 2, 0, 0, 1},
    {"semaphore", WEIR_MODEL_SINGLE, 4, 1, 1, 3, 0, 0, 1},
    {"semaphore", WEIR_MODEL_SEVERAL, 4, 1, 1, 2, 0, 0, 1},
    {"barrier", WEIR_MODEL_SINGLE, 2, 1, 3, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_SINGLE, 2, 1, 3, 0, 0, WRAP, 0},
    {"barrier", WEIR_MODEL_SINGLE, 1, 2, 3, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_SINGLE, 2, 2, 3, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_SINGLE, 3, 1, 3, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_SPLIT, 2, 1, 3, 0, 0, WRAP + 1, 0},
    {"barrier", WEIR_MODEL_SPLIT, 2, 2, 2, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_GIVE_UP, 2, 1, 3, 0, 0, WRAP, 0},
    {"barrier", WEIR_MODEL_GIVE_UP, 2, 2, 2, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_GIVE_UP, 3, 1, 2, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_MIXED, 2, 1, 4, 0, 0, WRAP + 1, 0},
    {"barrier", WEIR_MODEL_MIXED, 2, 2, 3, 0, 0, 0, 0},
    {"barrier", WEIR_MODEL_GIVE_UP, 3, 2, 2, 0, 0, 0, 1},
    {"barrier", WEIR_MODEL_MIXED, 3, 1, 2, 0, 0, 0, 1},
    {"barrier", WEIR_MODEL_SPLIT, 3, 1, 3, 0, 0, 0, 1},
    {"barrier", WEIR_MODEL_SINGLE, 3, 2, 3, 0, 0, WRAP, 1},
    {"barrier", WEIR_MODEL_SINGLE, 2, 4, 3, 0, 0, 0, 1},
    {"barrier", WEIR_MODEL_SINGLE, 4, 2, 2, 0, 0, 0, 1},
    {"barrier", WEIR_MODEL_SINGLE, 4, 1, 3, 0, 0, 0, 1},
};

#define SHAPES (sizeof shapes / sizeof shapes[0])

/* Those of the mutexes that are handed over inside a cluster, in their place. Where the blocks are
 * no multiple of the cluster, the last cluster has a block that never comes. */
static const struct {
	shape shape;
	uint32_t cluster;
} cluster_shapes[] = {
    {{"mutex", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0},
    {{"mutex", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 2, 1, 3, 0, 0, WRAP, 0}, 2},
    {{"mutex", WEIR_MODEL_COLLECTIVE, 2, 2, 2, 0, 0, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 3, 1, 1, 0, 0, 0, 0}, 3},
    {{"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 2, WRAP, 0}, 2},
    {{"mutex", WEIR_MODEL_TRY, 2, 1, 2, 0, 0, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_TRY, 3, 1, 1, 0, 0, WRAP, 0}, 2},
    {{"mutex", WEIR_MODEL_TRY, 3, 1, 1, 0, 0, 0, 0}, 3},
    {{"mutex", WEIR_MODEL_SINGLE, 4, 1, 1, 0, 3, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_ALL_GIVE_UP, 2, 1, 1, 0, 0, 0, 0}, 2},
    {{"mutex", WEIR_MODEL_GIVE_UP, 2, 1, 2, 0, 0, WRAP, 0}, 2},
    {{"mutex", WEIR_MODEL_GIVE_UP, 3, 1, 1, 0, 0, 0, 1}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, WRAP, 1}, 3},
    {{"mutex", WEIR_MODEL_COLLECTIVE, 3, 2, 2, 0, 0, 0, 1}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 4, 1, 1, 0, 0, 0, 1}, 2},
    {{"mutex", WEIR_MODEL_SINGLE, 4, 1, 1, 0, 0, 0, 1}, 4},
};

#define CLUSTER_SHAPES (sizeof cluster_shapes / sizeof cluster_shapes[0])

/* Those of the barriers that have a shape, after the ones with one counter. */
static const struct {
	shape shape;
	uint32_t shard_bits, copy_bits;
} spread_shapes[] = {
    {{"barrier", WEIR_MODEL_SINGLE, 2, 1, 3, 0, 0, WRAP, 0}, 1, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 1, 3, 0, 0, WRAP, 0}, 0, 1},
    {{"barrier", WEIR_MODEL_SINGLE, 1, 2, 3, 0, 0, 0, 0}, 1, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 2, 2, 0, 0, 0, 0}, 1, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 2, 2, 0, 0, 0, 0}, 0, 1},
    {{"barrier", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, 0, 0}, 1, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 1, 1},
    {{"barrier", WEIR_MODEL_SPLIT, 2, 1, 3, 0, 0, 0, 0}, 1, 0},
    {{"barrier", WEIR_MODEL_SPLIT, 2, 2, 2, 0, 0, 0, 0}, 0, 1},
    {{"barrier", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, WRAP, 0}, 2, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0, 2},
    {{"barrier", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 1, 2},
    {{"barrier", WEIR_MODEL_SPLIT, 2, 1, 2, 0, 0, 0, 0}, 2, 1},
    {{"barrier", WEIR_MODEL_SPLIT, 2, 2, 2, 0, 0, 0, 0}, 2, 0},
    {{"barrier", WEIR_MODEL_MIXED, 2, 1, 3, 0, 0, 0, 0}, 2, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 3, 2, 2, 0, 0, 0, 1}, 1, 0},
    {{"barrier", WEIR_MODEL_SINGLE, 3, 1, 1, 0, 0, 0, 1}, 0, 2},
    {{"barrier", WEIR_MODEL_SINGLE, 3, 1, 2, 0, 0, 0, 1}, 0, 1},
};

#define SPREAD_SHAPES (sizeof spread_shapes / sizeof spread_shapes[0])

/* Those of the groups: how many blocks have room in it, how many may ask, and the group's barrier. */
static const struct {
	shape shape;
	uint32_t room, askers;
	const char *over;
} group_shapes[] = {
    {{"group", WEIR_MODEL_SINGLE, 1, 1, 2, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 1, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 3, 1, 1, 0, 0, 0, 0}, 2, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0, 1, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 1, 0, 0, 0, 0}, 0, 3, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0, 0, "xf"},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0, 0, "counter"},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, 0, 0}, 0, 0, "central"},
    {{"group", WEIR_MODEL_CHOSEN, 3, 1, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_CHOSEN, 3, 1, 1, 0, 0, 31, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_CHOSEN, 2, 2, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 1, 2, 0, 0, WRAP, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 2, 2, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 3, 1, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_GIVE_UP, 2, 1, 1, 0, 0, 0, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_GIVE_UP, 2, 2, 1, 0, 0, WRAP, 0}, 0, 0, ""},
    {{"group", WEIR_MODEL_GIVE_UP, 2, 1, 1, 0, 0, 0, 0}, 0, 0, "counter"},
    {{"group", WEIR_MODEL_SINGLE, 2, 2, 2, 0, 0, 0, 1}, 0, 0, ""},
    {{"group", WEIR_MODEL_SINGLE, 3, 2, 1, 0, 0, WRAP, 1}, 0, 0, ""},
    {{"group", WEIR_MODEL_GIVE_UP, 2, 1, 2, 0, 0, WRAP, 1}, 0, 0, ""},
};

#define GROUP_SHAPES (sizeof group_shapes / sizeof group_shapes[0])

static void fill(weir_model_case *c, const weir_model_adapter *adapter, const shape *s)
{
	snprintf(c->primitive, sizeof c->primitive, "%s", adapter->primitive);
	snprintf(c->kind, sizeof c->kind, "%s", adapter->kind);
	c->form = s->form;
	c->blocks = s->blocks;
	c->threads = s->threads;
	c->rounds = s->rounds;
	c->initial = s->initial;
	c->slots = s->slots;
	c->past = s->past;
}

/* NULL after the last; `details` gets what a row has beside its shape. */
static const shape *shape_at(const weir_model_adapter *adapter, size_t i, weir_model_case *details)
{
	size_t usual = in_clusters(adapter) ? CLUSTER_SHAPES : SHAPES;

	memset(details, 0, sizeof *details);
	if (strcmp(adapter->primitive, "group") == 0) {
		if (i >= GROUP_SHAPES)
			return NULL;
		details->room = group_shapes[i].room;
		details->askers = group_shapes[i].askers;
		snprintf(details->over, sizeof details->over, "%s", group_shapes[i].over);
		return &group_shapes[i].shape;
	}
	if (i < usual && !in_clusters(adapter))
		return &shapes[i];
	if (i < usual) {
		details->cluster = cluster_shapes[i].cluster;
		return &cluster_shapes[i].shape;
	}
	i -= usual;
	if (!has_shapes(adapter) || i >= SPREAD_SHAPES)
		return NULL;
	details->shard_bits = spread_shapes[i].shard_bits;
	details->copy_bits = spread_shapes[i].copy_bits;
	return &spread_shapes[i].shape;
}

/* Goes through the cases; returns 1 when there is one of that index, and always their number. */
static int walk(size_t wanted, weir_model_case *c, int *larger, size_t *count)
{
	size_t index = 0;

	for (size_t k = 0; k < SHIPPED; k++) {
		weir_model_case details;
		const shape *s;
		for (size_t i = 0; (s = shape_at(&shipped[k], i, &details)) != NULL; i++) {
			if (strcmp(s->primitive, shipped[k].primitive) != 0 ||
			    (s->slots && shipped[k].queue == WEIR_QUEUE_NONE) ||
			    (s->slots == 1 && shipped[k].queue == WEIR_QUEUE_TIMED))
				continue;
			if (c && index == wanted) {
				*c = details;
				fill(c, &shipped[k], s);
				*larger = s->larger;
				return 1;
			}
			index++;
		}
	}
	*count = index;
	return 0;
}

size_t weir_model_case_count(void)
{
	size_t count;
	int larger;

	walk(0, NULL, &larger, &count);
	return count;
}

int weir_model_case_at(size_t index, weir_model_case *c, int *larger)
{
	size_t count;

	return walk(index, c, larger, &count) ? 0 : -1;
}

size_t weir_model_published_count(void)
{
	return weir_model_published_count_;
}

int weir_model_published_at(size_t index, weir_model_case *c)
{
	static const shape mutex = {"mutex", WEIR_MODEL_SINGLE, 2, 1, 1, 0, 0, 0, 0};
	static const shape semaphore = {"semaphore", WEIR_MODEL_SINGLE, 2, 1, 1, 1, 0, 0, 0};
	static const shape barrier = {"barrier", WEIR_MODEL_SINGLE, 2, 1, 1, 0, 0, 0, 0};
	const weir_model_adapter *adapter;

	if (index >= weir_model_published_count_)
		return -1;
	adapter = &weir_model_published_[index];
	memset(c, 0, sizeof *c);
	fill(c, adapter,
	     strcmp(adapter->primitive, "mutex") == 0       ? &mutex
	     : strcmp(adapter->primitive, "semaphore") == 0 ? &semaphore
	                                                    : &barrier);
	return 0;
}
#endif
