#include "sim/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "kernels/bench_events.h"
#include "kernels/bench_loop.h"
#include "object/layout.h"
#include "object/tasks.h"
#include "sim/engine.h"
#include "sim/sim.h"
#include "weir/device.h"
#include "weir/profile.h"

struct job {
	weir_word *words;
	weir_any_config config;
	weir_event_array_config second; /* the second array that blocks use to synchronize */
	uint32_t second_at;
	uint32_t ring; /* or the blocks that push, or the number of writes among ten operations */
	/* Conditions: the distance to the other condition and to the mutex, which lie one after
	 * another; the items of the buffer, or the blocks that arrived; and rounds. */
	uint32_t apart;
	uint32_t filled;
	uint32_t round;
	weir_layers layers; /* of tasks */
	weir_status status; /* whether `layers` could be made */
};

/* A block has begun an operation, or has ended it. */
static void has_entered(void)
{
	weir_sim_count_part(WEIR_SIM_ENTER);
}

static void has_left(void)
{
	weir_sim_count_part(WEIR_SIM_LEAVE);
	weir_sim_count();
}

static void mutex_thread(void *argument)
{
	const struct job *job = argument;
	weir_mutex m = weir_mutex_make(job->words, job->config.mutex);

	for (;;) {
		weir_mutex_lock(m);
		has_entered();
		weir_mutex_unlock(m);
		has_left();
	}
}

static void semaphore_thread(void *argument)
{
	const struct job *job = argument;
	weir_semaphore s = weir_semaphore_make(job->words, job->config.semaphore);

	for (;;) {
		weir_semaphore_wait(s);
		has_entered();
		weir_semaphore_post(s);
		has_left();
	}
}

static void barrier_thread(void *argument)
{
	const struct job *job = argument;
	weir_barrier b = weir_barrier_make(job->words, job->config.barrier);

	for (;;) {
		weir_barrier_wait(b);
		has_entered();
		if (weir_thread_id() == 0 && weir_block_id() == 0)
			weir_sim_count();
	}
}

/* The kernels of kernels/bench_events.h without data, with counts that start at 0. */
static void ring_thread(void *argument)
{
	const struct job *job = argument;
	weir_event_array a = weir_event_array_make(job->words, job->config.event_array);
	uint32_t me = weir_block_id();
	uint32_t first = me - me % job->ring;
	uint32_t end =
	    weir_block_count() - first < job->ring ? weir_block_count() : first + job->ring;
	uint32_t target = me == first ? 0 : 1;

	for (;; target++) {
		weir_event_block_wait(weir_event_at(a, me), target);
		has_entered();
		weir_event_block_post(weir_event_at(a, me + 1 == end ? first : me + 1), 1);
		has_left();
	}
}

static void sequence_thread(void *argument)
{
	const struct job *job = argument;
	weir_event_array a = weir_event_array_make(job->words, job->config.event_array);

	for (uint32_t target = weir_block_id();; target += weir_block_count()) {
		weir_event_block_wait(weir_event_at(a, 0), target);
		has_entered();
		weir_event_block_post(weir_event_at(a, 0), 1);
		has_left();
	}
}

static void meet_thread(void *argument)
{
	const struct job *job = argument;
	weir_event in =
	    weir_event_at(weir_event_array_make(job->words, job->config.event_array), 0);
	weir_event out =
	    weir_event_at(weir_event_array_make(job->words + job->second_at, job->second), 0);

	for (uint32_t round = 1;; round++) {
		weir_block_sync();
		if (weir_thread_id() == 0)
			bench_event_come(in, out, round * weir_block_count());
		weir_event_block_wait(out, round);
		has_entered();
		weir_sim_count();
	}
}

/* The kernels of kernels/bench_queues.h, for one thread of each block. An operation is a popped
 * item. */
static void push_and_pop_thread(void *argument)
{
	const struct job *job = argument;
	weir_queue q = weir_queue_make(job->words, job->config.queue);
	uint32_t value = 0;

	for (;;) {
		weir_queue_push(q, value);
		has_entered();
		weir_queue_pop(q, &value);
		has_left();
	}
}

static void push_or_pop_thread(void *argument)
{
	const struct job *job = argument;
	weir_queue q = weir_queue_make(job->words, job->config.queue);
	uint32_t value = 0;

	while (weir_block_id() < job->ring) {
		weir_queue_push(q, value);
		has_entered();
	}
	for (;;) {
		weir_queue_pop(q, &value);
		has_left();
	}
}

/* The kernels of kernels/bench_tasks.h, for one thread of each block. There are more items and
 * tasks than a run has time for. */
static void take_thread(void *argument)
{
	const struct job *job = argument;
	weir_dispenser d = weir_dispenser_make(job->words, job->config.dispenser);
	weir_share share = weir_dispenser_begin(d);

	while (weir_dispenser_next(d, &share, 1)) {
		has_entered();
		weir_sim_count();
	}
}

static void tasks_thread(void *argument)
{
	const struct job *job = argument;
	weir_tasks t = weir_tasks_make(job->words, job->config.tasks);
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_next(t, &task)) {
		has_entered();
		weir_sim_count();
	}
}

/* The kernels of kernels/bench_locks.h, without data. */
static void rwlock_thread(void *argument)
{
	const struct job *job = argument;
	weir_rwlock l = weir_rwlock_make(job->words, job->config.rwlock);

	for (uint32_t round = 0;; round++) {
		int writes = bench_random(round, 10) < job->ring;
		if (writes)
			weir_rwlock_write_lock(l);
		else
			weir_rwlock_read_lock(l);
		has_entered();
		if (writes)
			weir_rwlock_write_unlock(l);
		else
			weir_rwlock_read_unlock(l);
		has_left();
	}
}

/* Only the writes of the first block count. */
static void writer_thread(void *argument)
{
	const struct job *job = argument;
	weir_rwlock l = weir_rwlock_make(job->words, job->config.rwlock);

	while (weir_block_id() != 0) {
		weir_rwlock_read_lock(l);
		weir_rwlock_read_unlock(l);
	}
	for (;;) {
		weir_rwlock_write_lock(l);
		has_entered();
		weir_rwlock_write_unlock(l);
		has_left();
	}
}

static weir_condition condition_of(const struct job *job, uint32_t i)
{
	return weir_condition_make(job->words + i * job->apart, job->config.condition);
}

/* An operation is an item taken. */
static void buffer_thread(void *argument)
{
	struct job *job = argument;
	weir_condition full = condition_of(job, 0);
	weir_condition empty = condition_of(job, 1);
	weir_mutex m = weir_mutex_in(job->words + 2 * job->apart);

	while (weir_block_id() < job->ring) {
		weir_mutex_lock(m);
		weir_condition_wait_until(full, m, job->filled != BENCH_ITEMS);
		job->filled++;
		weir_condition_signal(empty);
		weir_mutex_unlock(m);
		has_entered();
	}
	for (;;) {
		weir_mutex_lock(m);
		weir_condition_wait_until(empty, m, job->filled != 0);
		job->filled--;
		weir_condition_signal(full);
		weir_mutex_unlock(m);
		has_left();
	}
}

static void broadcast_thread(void *argument)
{
	struct job *job = argument;
	weir_condition c = condition_of(job, 0);
	weir_mutex m = weir_mutex_in(job->words + 2 * job->apart);

	for (;;) {
		weir_mutex_lock(m);
		uint32_t round = job->round;
		if (++job->filled == weir_block_count()) {
			job->filled = 0;
			job->round++;
			weir_condition_broadcast(c);
			weir_sim_count();
		} else {
			weir_condition_wait_until(c, m, job->round != round);
		}
		weir_mutex_unlock(m);
		has_entered();
	}
}

static void once_thread(void *argument)
{
	const struct job *job = argument;
	weir_once o = weir_once_make(job->words, job->config.once);

	for (;;) {
		if (weir_once_begin(o))
			weir_once_end(o);
		has_entered();
		weir_sim_count();
	}
}

/* Answers each operation with its number. */
static void answer(weir_combiner c, weir_combiner_call *call, uint32_t *number)
{
	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call)
			weir_combiner_answer(call, i, (*number)++);
}

static void combine_thread(void *argument)
{
	struct job *job = argument;
	weir_combiner c = weir_combiner_make(job->words, job->config.combiner);
	weir_combiner_call call;

	if (job->config.combiner.is_served && weir_block_id() == 0 && weir_combiner_serve(c, &call))
		while (weir_combiner_serve_next(c, &call))
			answer(c, &call, &job->round);
	for (;;) {
		call = weir_combiner_publish(c, weir_block_id());
		has_entered();
		while (weir_combiner_wait(c, &call)) {
			answer(c, &call, &job->round);
			weir_combiner_release(c, &call);
		}
		has_left();
	}
}

static uint32_t power_of_two(uint32_t least)
{
	uint32_t p = 1;
	while (p < least)
		p *= 2;
	return p;
}

static uint32_t spread(const weir_kind *kind, weir_event_array_options options,
                       weir_event_array_config *config)
{
	config->kind = kind->value;
	if (kind->parts != WEIR_PARTS_NONE)
		/* It only fails for arrays that are far too large to simulate. */
		weir_event_spread(NULL, kind, &options, config);
	return (uint32_t)weir_event_array_words(*config);
}

/* Each of the following functions fills in the part of the configuration that is particular to a
 * primitive, and returns the number of words in its object. */

static uint32_t prepare_barrier(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	weir_barrier_config *config = &job->config.barrier;

	config->blocks = c->blocks;
	if (c->has_shape)
		config->shape = c->shape;
	else if (kind->shape != WEIR_SHAPE_NONE)
		config->shape = weir_untuned_shape(kind, c->blocks);
	return weir_barrier_kind_words(*config);
}

static uint32_t prepare_mutex(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	(void)kind;
	job->config.mutex.slots = power_of_two(c->blocks);
	return weir_mutex_words(job->config.mutex);
}

static uint32_t prepare_semaphore(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	(void)kind;
	job->config.semaphore.maximum = c->initial;
	return weir_semaphore_words(job->config.semaphore);
}

/* For blocks that meet: two arrays of one event each. */
static uint32_t prepare_meeting(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	const weir_event_array_options in = {.signallers = c->blocks, .waiters = 1};
	const weir_event_array_options out = {.signallers = 1, .waiters = c->blocks};
	uint32_t first = BENCH_EVENT_IN(kind->value, kind->parts);
	uint32_t second = BENCH_EVENT_OUT(kind->value, kind->parts);

	job->config.event_array.length = 1;
	job->second = job->config.event_array;
	job->second_at = spread(weir_kind_find(c->primitive, first), in, &job->config.event_array) +
	                 WEIR_COUNTER_APART;
	return job->second_at + spread(weir_kind_find(c->primitive, second), out, &job->second);
}

static uint32_t prepare_events(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	weir_event_array_options options = {.signallers = 0};

	if (c->pattern == WEIR_PATTERN_MEET)
		return prepare_meeting(c, kind, job);
	weir_pattern_users(c->pattern, c->blocks, &options.signallers, &options.waiters);
	job->ring = c->pattern == WEIR_PATTERN_PAIRS ? 2 : c->blocks;
	job->config.event_array.length = c->pattern == WEIR_PATTERN_SEQUENCE ? 1 : c->blocks;
	return spread(kind, options, &job->config.event_array);
}

/* A queue with a slot for each block, as in weir bench. */
static uint32_t prepare_queue(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	enum {
		LEAST_SLOTS = 1024,
		LINE_STRIDE = 4 /* words of a slot that holds an item of one word */
	};
	weir_queue_config *config = &job->config.queue;
	uint32_t slots = power_of_two(c->blocks > LEAST_SLOTS ? c->blocks : LEAST_SLOTS);

	job->ring = weir_pattern_pushers(c->pattern, c->blocks);
	while (1u << config->bits < slots)
		config->bits++;
	config->words = 1;
	config->stride = kind->items == WEIR_ITEMS_OF_A_WORD ? WEIR_CELLS_STRIDE : LINE_STRIDE;
	if (kind->value == WEIR_QUEUE_SINGLE)
		config->single = c->pattern == WEIR_PATTERN_QUEUE_ONE_TO_MANY
		                     ? WEIR_QUEUE_ONE_PUSHES
		                     : WEIR_QUEUE_ONE_POPS;
	return (uint32_t)weir_queue_words(*config);
}

static uint32_t prepare_dispenser(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	(void)c;
	(void)kind;
	job->config.dispenser.items = UINT32_MAX;
	job->config.dispenser.takers = 1;
	return weir_dispenser_words(job->config.dispenser);
}

/* A task takes at least the reads of its row, an add for each successor, and a store of its
 * record. */
static uint32_t prepare_tasks(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	enum {
		TASK_ACCESSES = 5
	};
	uint32_t width = weir_layer_tasks(c->pattern, c->blocks);
	uint32_t layers = (uint32_t)(c->accesses / TASK_ACCESSES / width) + 2;

	(void)kind;
	job->status = weir_layers_make(c->pattern, c->blocks, layers, &job->layers);
	const weir_tasks_options options = {.local = job->layers.is_local};
	if (job->status == WEIR_OK)
		job->status =
		    weir_tasks_plan(NULL, &job->layers.graph, &options, &job->config.tasks);
	return job->status == WEIR_OK ? (uint32_t)weir_tasks_words(job->config.tasks) : 0;
}

static uint32_t prepare_conditions(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	enum {
		LEAST_SLOTS = 32
	};

	(void)kind;
	job->ring = weir_pattern_pushers(c->pattern, c->blocks);
	job->config.condition.slots =
	    power_of_two(c->blocks > LEAST_SLOTS ? c->blocks : LEAST_SLOTS);
	job->apart = (weir_condition_words(job->config.condition) + WEIR_LINE_WORDS - 1) /
	             WEIR_LINE_WORDS * WEIR_LINE_WORDS;
	return 2 * job->apart + WEIR_MUTEX_WORDS;
}

static uint32_t prepare_rwlock(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	/* It only fails for numbers of counts that no options request. */
	if (kind->parts != WEIR_PARTS_NONE)
		weir_rwlock_spread(&(const weir_rwlock_options){.reader_counts = 0},
		                   &job->config.rwlock);
	job->ring = c->pattern == WEIR_PATTERN_RWLOCK_WRITE    ? 10
	            : c->pattern == WEIR_PATTERN_RWLOCK_READ90 ? 1
	                                                       : 0;
	return weir_rwlock_words(job->config.rwlock);
}

static uint32_t prepare_once(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	(void)c;
	(void)kind;
	return weir_once_words(job->config.once);
}

static uint32_t prepare_combine(const weir_sim_case *c, const weir_kind *kind, struct job *job)
{
	(void)kind;
	job->config.combiner.seats = c->blocks;
	job->config.combiner.words = 1;
	job->config.combiner.is_served = c->pattern == WEIR_PATTERN_COMBINE_SERVE;
	return (uint32_t)weir_combiner_words(job->config.combiner);
}

/* Makes the first state; the words were zero. */
static void start_semaphore(const weir_sim_case *c, struct job *job)
{
	weir_semaphore_start(weir_semaphore_make(job->words, job->config.semaphore), c->initial, 0);
}

static void start_tasks(const weir_sim_case *c, struct job *job)
{
	(void)c;
	weir_tasks_fill(job->words, &job->config.tasks, &job->layers.graph);
}

/* What a simulated thread does, for each primitive or for each of its patterns. Patterns not listed
 * here cannot be simulated. */
typedef void (*thread)(void *job);

static const thread threads[] = {
    [WEIR_PATTERN_HAND_OVER] = ring_thread,
    [WEIR_PATTERN_SEQUENCE] = sequence_thread,
    [WEIR_PATTERN_MEET] = meet_thread,
    [WEIR_PATTERN_PAIRS] = ring_thread,
    [WEIR_PATTERN_QUEUE_PAIRS] = push_and_pop_thread,
    [WEIR_PATTERN_QUEUE_APART] = push_or_pop_thread,
    [WEIR_PATTERN_QUEUE_ONE_TO_MANY] = push_or_pop_thread,
    [WEIR_PATTERN_QUEUE_MANY_TO_ONE] = push_or_pop_thread,
    [WEIR_PATTERN_DISPENSER_TAKE] = take_thread,
    [WEIR_PATTERN_TASKS_CHAIN] = tasks_thread,
    [WEIR_PATTERN_TASKS_CHAIN_LOCAL] = tasks_thread,
    [WEIR_PATTERN_TASKS_LAYERS] = tasks_thread,
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL] = tasks_thread,
    [WEIR_PATTERN_TASKS_LAYERS_CLASSES] = tasks_thread,
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES] = tasks_thread,
    [WEIR_PATTERN_CONDITION_BUFFER] = buffer_thread,
    [WEIR_PATTERN_CONDITION_BROADCAST] = broadcast_thread,
    [WEIR_PATTERN_RWLOCK_READ] = rwlock_thread,
    [WEIR_PATTERN_RWLOCK_READ90] = rwlock_thread,
    [WEIR_PATTERN_RWLOCK_WRITE] = rwlock_thread,
    [WEIR_PATTERN_RWLOCK_WRITER] = writer_thread,
    [WEIR_PATTERN_ONCE_DONE] = once_thread,
    [WEIR_PATTERN_COMBINE] = combine_thread,
    [WEIR_PATTERN_COMBINE_SERVE] = combine_thread,
};

int weir_sim_has_pattern(uint32_t pattern)
{
	return pattern < sizeof threads / sizeof threads[0] && threads[pattern];
}

static const struct row {
	uint32_t (*prepare)(const weir_sim_case *c, const weir_kind *kind, struct job *job);
	void (*start)(const weir_sim_case *c, struct job *job); /* NULL: all zeros */
	thread thread;                                          /* NULL: depends on the pattern */
	int is_fairness_judged;
	int has_all_threads; /* all threads of a block run it */
} rows[] = {
    [WEIR_PRIMITIVE_BARRIER] = {prepare_barrier, NULL, barrier_thread, 0, 1},
    [WEIR_PRIMITIVE_MUTEX] = {prepare_mutex, NULL, mutex_thread, 1, 0},
    [WEIR_PRIMITIVE_SEMAPHORE] = {prepare_semaphore, start_semaphore, semaphore_thread, 1, 0},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {prepare_events, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_QUEUE] = {prepare_queue, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_DISPENSER] = {prepare_dispenser, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_TASKS] = {prepare_tasks, start_tasks, NULL, 0, 0},
    [WEIR_PRIMITIVE_CONDITION] = {prepare_conditions, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_RWLOCK] = {prepare_rwlock, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_ONCE] = {prepare_once, NULL, NULL, 0, 0},
    [WEIR_PRIMITIVE_COMBINER] = {prepare_combine, NULL, NULL, 0, 0},
};

/* Fills in the configuration and the run; returns the number of words in the object. */
static uint32_t prepare(const weir_sim_case *c, const weir_kind *kind, struct job *job,
                        weir_sim_run *run)
{
	const struct row *row = &rows[c->primitive];

	job->config.object.kind = c->kind;
	job->config.object.pitch = c->pitch ? c->pitch : WEIR_LINE_WORDS;
	job->config.object.backoff = c->backoff;
	run->alive_threads = row->has_all_threads ? c->threads : 1;
	run->entry = row->thread ? row->thread : threads[c->pattern];
	return row->prepare(c, kind, job);
}

/* Fitted to the CPU time of all kinds on the built-in profiles with 1 to 2112 blocks. An access
 * passes through a heap with one event per block, and the threads of a barrier's block 0 sync. */
static double access_work(const weir_sim_case *c)
{
	double work = 40 + 15 * log2(c->blocks);

	if (c->primitive == WEIR_PRIMITIVE_BARRIER)
		work += 20.0 * c->threads / c->blocks;
	return work;
}

double weir_sim_bench_work(const weir_sim_case *c)
{
	return access_work(c) * (double)c->accesses;
}

/* For a mutex or a semaphore whose blocks completed any operation: Jain's index, and the share of
 * the block that did the least, relative to an even share. */
static void judge_fairness(const weir_sim_run *run, weir_sim_score *score)
{
	double squares = 0;
	double least = (double)run->operations;

	score->jain = score->worst_share = 0;
	if (run->operations == 0)
		return;
	for (uint32_t i = 0; i < run->blocks; i++) {
		double own = (double)run->by_block[i];
		squares += own * own;
		least = fmin(least, own);
	}
	double sum = (double)run->operations;
	score->jain = fmin(sum * sum / (run->blocks * squares), 1);
	score->worst_share = least * run->blocks / sum;
}

const weir_kind *weir_sim_kind(enum weir_primitive primitive, uint32_t kind)
{
	static const weir_kind only = {.name = "default", .role = WEIR_FOR_USE};

	if (!weir_kind_at(primitive, 0))
		return kind == 0 ? &only : NULL;
	return weir_kind_find(primitive, kind);
}

/* Whether a kind for one thread on a side is used with several. */
static int is_misused(const weir_sim_case *c)
{
	return c->primitive == WEIR_PRIMITIVE_QUEUE && c->kind == WEIR_QUEUE_SINGLE &&
	       c->pattern != WEIR_PATTERN_QUEUE_ONE_TO_MANY &&
	       c->pattern != WEIR_PATTERN_QUEUE_MANY_TO_ONE;
}

/* The sum of all blocks' counts, divided by this, is the number of operations. */
static uint32_t shares(const weir_sim_case *c)
{
	if (c->primitive == WEIR_PRIMITIVE_TASKS && weir_is_chain(c->pattern))
		return weir_layer_tasks(c->pattern, c->blocks);
	return c->primitive == WEIR_PRIMITIVE_EVENT_ARRAY
	           ? weir_pattern_shares(c->pattern, c->blocks)
	           : 1;
}

static weir_status check_case(const weir_sim_case *c, const weir_kind *kind)
{
	int has_patterns = weir_has_patterns(c->primitive);

	if (!kind || c->blocks == 0 || c->threads == 0 ||
	    (c->primitive == WEIR_PRIMITIVE_SEMAPHORE && c->initial == 0) ||
	    (has_patterns && !weir_pattern_is_of(c->pattern, c->primitive)) || is_misused(c))
		return weir_fail(WEIR_BAD_ARGUMENT, "not a case that can be simulated");
	if (kind->role == WEIR_BY_VENDOR)
		return weir_fail(
		    WEIR_UNSUPPORTED,
		    "a barrier of kind %s is the vendor's code: it cannot be simulated",
		    kind->name);
	if (has_patterns && !weir_sim_has_pattern(c->pattern))
		return weir_fail(WEIR_UNSUPPORTED, "%s, pattern %s: it cannot be simulated",
		                 weir_primitive_id(c->primitive), weir_pattern_name(c->pattern));
	return WEIR_OK;
}

static weir_status allocate(struct job *job, weir_sim_run *run)
{
	job->words = aligned_alloc(WEIR_SIM_LINE_BYTES, run->word_bytes);
	run->words = job->words;
	run->by_block = calloc(run->blocks, sizeof *run->by_block);
	if (!job->words || !run->by_block)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the simulated words");
	memset(job->words, 0, run->word_bytes);
	return WEIR_OK;
}

weir_status weir_sim_bench(const weir_sim_memory *memory, const weir_sim_case *c,
                           weir_sim_score *score)
{
	struct job job = {0};
	weir_sim_run run = {.memory = memory,
	                    .seed = c->seed,
	                    .blocks = c->blocks,
	                    .threads = c->threads,
	                    .accesses = c->accesses,
	                    .watch = c->watch,
	                    .work = access_work(c),
	                    .argument = &job};
	const weir_kind *kind = weir_sim_kind(c->primitive, c->kind);
	weir_status status = check_case(c, kind);

	if (status != WEIR_OK)
		return status;
	run.word_bytes = (prepare(c, kind, &job, &run) + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS *
	                 (size_t)WEIR_SIM_LINE_BYTES;
	status = job.status == WEIR_OK ? allocate(&job, &run) : job.status;
	if (status == WEIR_OK && rows[c->primitive].start)
		rows[c->primitive].start(c, &job);
	weir_layers_free(&job.layers);
	if (status == WEIR_OK) {
		status = weir_sim_engine_run(&run);
		memset(score, 0, sizeof *score);
		score->operations = run.operations / shares(c);
		score->per_second =
		    run.ns > 0 ? (double)run.operations / shares(c) / run.ns * 1e9 : 0;
		memcpy(score->parts, run.parts, sizeof score->parts);
		if (rows[c->primitive].is_fairness_judged)
			judge_fairness(&run, score);
	}
	free(job.words);
	free(run.by_block);
	return status;
}
