/* The simulated device as a whole: its measurements match its probe, it is deterministic, and the
 * primitives work on it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jobs.h"
#include "sim/bench.h"
#include "sim/engine.h"
#include "sim/sim.h"
#include "src/object/tasks.h"
#include "weir/device.h"

#define BLOCKS 24

static const weir_probe gt200 = {
    240, 128, 1000, {.848, .829, .590, .226, 78.407, 78.404, .845, .991, .923, .915, .601, .228}};
static const weir_probe gf100 = {
    128, 128, 1000, {.494, .175, .043, .029, 1.479, 1.470, .437, .312, 1.473, .824, .125, .050}};

static _Alignas(128) weir_word words[256 * WEIR_LINE_WORDS];

static weir_status run(const weir_probe *probe, uint32_t blocks, uint32_t alive,
                       void (*entry)(void *), struct job *job, weir_sim_run *result)
{
	static weir_sim_memory memory;
	weir_status status = weir_sim_memory_make(probe, &memory);
	weir_sim_run all = {.memory = &memory,
	                    .seed = 1,
	                    .blocks = blocks,
	                    .threads = 128,
	                    .alive_threads = alive,
	                    .words = words,
	                    .word_bytes = sizeof words,
	                    .entry = entry,
	                    .argument = job,
	                    .accesses = 100000};

	*result = all;
	return status == WEIR_OK ? weir_sim_engine_run(result) : status;
}

static void access_again_and_again(void *argument)
{
	const struct job *job = argument;
	weir_word *word = &words[job->own ? weir_block_id() * WEIR_LINE_WORDS : 0];

	for (;;) {
		if (job->atomic)
			weir_add_rlx(word, 0);
		else
			weir_load_rlx(word);
		weir_sim_count();
	}
}

/* The time that the probe's benchmark would measure. */
static double measure(const weir_probe *probe, int atomic, int own)
{
	struct job job = {.atomic = atomic, .own = own};
	weir_sim_run result;

	CHECK(run(probe, probe->blocks, 1, access_again_and_again, &job, &result) == WEIR_OK);
	return result.ns / (double)result.operations * probe->blocks * probe->accesses * 1e-6;
}

static void it_measures_as_its_probe_says(void)
{
	CHECK_NEAR(measure(&gt200, 0, 0), .848, .02);
	CHECK_NEAR(measure(&gt200, 1, 0), 78.407, .02);
	CHECK_NEAR(measure(&gt200, 0, 1), .590, .03);
	CHECK_NEAR(measure(&gt200, 1, 1), .845, .03);
	CHECK_NEAR(measure(&gf100, 0, 0), .494, .02);
	CHECK_NEAR(measure(&gf100, 1, 0), 1.479, .02);
	CHECK_NEAR(measure(&gf100, 1, 1), .437, .03);
}

static weir_sim_score bench(const weir_probe *probe, uint64_t seed)
{
	weir_sim_memory memory;
	weir_sim_case c = {.primitive = WEIR_PRIMITIVE_MUTEX,
	                   .kind = WEIR_MUTEX_SPIN_BACKOFF,
	                   .blocks = 100,
	                   .threads = 128,
	                   .backoff = {4, 8},
	                   .seed = seed,
	                   .accesses = 100000};
	weir_sim_score score = {0};

	CHECK(weir_sim_memory_make(probe, &memory) == WEIR_OK);
	CHECK(weir_sim_bench(&memory, &c, &score) == WEIR_OK);
	return score;
}

static void the_same_seed_gives_the_same_digits(void)
{
	weir_sim_score first = bench(&gf100, 7);
	weir_sim_score again = bench(&gf100, 7);
	weir_sim_score other = bench(&gf100, 8);

	CHECK(first.operations > 0);
	CHECK(first.per_second == again.per_second && first.operations == again.operations);
	CHECK(first.per_second != other.per_second);
	CHECK_NEAR(other.per_second, first.per_second, .1);
}

/* Uses ranks instead of block ids; a block that is not a member counts as inside. */
static void meet_again_and_again(void *argument)
{
	struct job *job = argument;
	weir_group g = weir_group_make(words, job->config.group);
	weir_member me = weir_group_discover(g);

	if (!me.is_member || me.count != BLOCKS || job->phase[me.rank]) {
		job->inside++;
		return;
	}
	for (;;) {
		job->phase[me.rank]++;
		weir_group_wait(g, me);
		for (uint32_t i = 0; i < BLOCKS; i++)
			job->apart += job->phase[i] < job->phase[me.rank];
		weir_sim_count();
	}
}

static struct job prepare(uint32_t kind)
{
	struct job job = {
	    .words = words,
	    .stay = 100,
	    .config.object = {.kind = kind, .pitch = WEIR_LINE_WORDS, .backoff = {64, 128}}};
	memset(words, 0, sizeof words);
	return job;
}

static void mutex_works(uint32_t kind)
{
	struct job job = prepare(kind);
	weir_sim_run result;

	job.config.mutex.slots = 32;
	CHECK(run(&gf100, BLOCKS, 1, lock_again_and_again, &job, &result) == WEIR_OK);
	CHECK(job.most_inside == 1 && result.operations > BLOCKS);
}

static void semaphore_works(uint32_t kind)
{
	struct job job = prepare(kind);
	weir_sim_run result;

	job.config.semaphore.maximum = 3;
	weir_semaphore_start(weir_semaphore_make(words, job.config.semaphore), 3, 0);
	CHECK(run(&gf100, BLOCKS, 1, wait_again_and_again, &job, &result) == WEIR_OK);
	CHECK(job.most_inside > 1 && job.most_inside <= 3 && result.operations > BLOCKS);
}

static void barrier_works(uint32_t kind)
{
	struct job job = prepare(kind);
	weir_sim_run result;

	job.config.barrier.blocks = BLOCKS;
	CHECK(run(&gf100, BLOCKS, 128, pass_again_and_again, &job, &result) == WEIR_OK);
	CHECK(job.apart == 0 && result.operations > BLOCKS);
}

/* All blocks start at once, so all of them are found. */
static void group_works(void)
{
	struct job job = prepare(WEIR_BARRIER_ATOMIC);
	weir_sim_run result;

	job.config.group.most_members = BLOCKS;
	job.config.group.askers = BLOCKS;
	job.config.group.delay = 64;
	CHECK(run(&gf100, BLOCKS, 1, meet_again_and_again, &job, &result) == WEIR_OK);
	CHECK(job.inside == 0 && job.apart == 0 && result.operations > BLOCKS);
}

static void the_primitives_work(void)
{
	group_works();
#define ROW(name, NAME, ...) mutex_works(WEIR_MUTEX_##NAME);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) semaphore_works(WEIR_SEMAPHORE_##NAME);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) barrier_works(WEIR_BARRIER_##NAME);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
}

static void lock_what_is_none(void *argument)
{
	(void)argument;
	weir_mutex_lock(weir_mutex_make(words, (weir_mutex_config){.kind = 17, .pitch = 1}));
}

static void take_all(void *argument)
{
	struct job *job = argument;
	weir_dispenser d = weir_dispenser_make(words, job->config.dispenser);
	weir_share share = weir_dispenser_begin(d);

	while (weir_dispenser_next(d, &share, 1)) {
		job->got++;
		job->sum += share.first;
	}
}

static void run_all(void *argument)
{
	struct job *job = argument;
	weir_tasks t = weir_tasks_make(words, job->config.tasks);
	uint32_t task = WEIR_NO_TASK;

	while (weir_tasks_next(t, &task)) {
		job->got++;
		job->sum += task;
	}
}

/* Two launches one after another: each hands out every number once. */
static void launch_twice(struct job *job, uint32_t blocks, void (*entry)(void *), uint32_t count)
{
	weir_sim_run result;

	for (int i = 0; i < 2; i++) {
		job->got = job->sum = 0;
		CHECK(run(&gf100, blocks, 1, entry, job, &result) == WEIR_OK);
		CHECK(job->got == count && job->sum == count * (count - 1) / 2);
	}
}

static void launch_graph(uint32_t pattern, uint32_t blocks, uint32_t layers)
{
	struct job job = {.config.object.pitch = WEIR_LINE_WORDS};
	weir_layers graph;

	memset(words, 0, sizeof words);
	CHECK(weir_layers_make(pattern, blocks, layers, &graph) == WEIR_OK);
	const weir_tasks_options options = {.local = graph.is_local};
	CHECK(weir_tasks_plan(NULL, &graph.graph, &options, &job.config.tasks) == WEIR_OK);
	CHECK(weir_tasks_words(job.config.tasks) <= sizeof words / sizeof words[0]);
	weir_tasks_fill(words, &job.config.tasks, &graph.graph);
	launch_twice(&job, blocks, run_all, weir_layer_tasks(pattern, blocks) * layers);
	weir_layers_free(&graph);
}

static void every_item_and_task_comes_once(void)
{
	struct job job = {
	    .config.dispenser = {.pitch = WEIR_LINE_WORDS, .items = 1000, .takers = 1}};

	memset(words, 0, sizeof words);
	launch_twice(&job, BLOCKS, take_all, 1000);
	launch_graph(WEIR_PATTERN_TASKS_CHAIN, 4, 20);
	launch_graph(WEIR_PATTERN_TASKS_CHAIN_LOCAL, 4, 20);
	launch_graph(WEIR_PATTERN_TASKS_LAYERS, 6, 4);
	launch_graph(WEIR_PATTERN_TASKS_LAYERS_LOCAL, 6, 4);
	launch_graph(WEIR_PATTERN_TASKS_LAYERS_CLASSES, 6, 4);
}

#define ROUNDS 8
#define ITEMS 4 /* of the buffer */

/* The others run until it returns. */
static void stay(void)
{
	weir_pause(20);
	weir_load_rlx(&words[sizeof words / sizeof words[0] - 1]);
}

static void read_and_write(void *argument)
{
	struct job *job = argument;
	weir_rwlock l = weir_rwlock_make(words, job->config.rwlock);

	for (uint32_t i = 0; i < ROUNDS; i++) {
		if ((weir_block_id() + i) % 4 == 0) {
			weir_rwlock_write_lock(l);
			job->wrong += job->inside++ != 0 || job->readers != 0;
			stay();
			job->inside--;
			job->got++;
			weir_rwlock_write_unlock(l);
		} else {
			weir_rwlock_read_lock(l);
			job->wrong += job->inside != 0;
			if (++job->readers > job->most_inside)
				job->most_inside = job->readers;
			stay();
			job->readers--;
			weir_rwlock_read_unlock(l);
		}
	}
}

/* The first half of the blocks puts numbers into a buffer, the others take them out. */
static void put_or_take(void *argument)
{
	struct job *job = argument;
	uint32_t apart = 2 * WEIR_LINE_WORDS;
	weir_condition full = weir_condition_make(words, job->config.condition);
	weir_condition empty = weir_condition_make(words + apart, job->config.condition);
	weir_mutex m = weir_mutex_in(words + 2 * apart);

	for (uint32_t i = 0; i < ROUNDS; i++) {
		weir_mutex_lock(m);
		if (weir_block_id() < BLOCKS / 2) {
			weir_condition_wait_until(full, m, job->inside != ITEMS);
			stay();
			job->phase[job->inside++] = weir_block_id() * ROUNDS + i;
			weir_condition_signal(empty);
		} else {
			weir_condition_wait_until(empty, m, job->inside != 0);
			stay();
			job->sum += job->phase[--job->inside];
			job->got++;
			weir_condition_signal(full);
		}
		weir_mutex_unlock(m);
	}
}

static void begin_once(void *argument)
{
	struct job *job = argument;
	weir_once o = weir_once_make(words, job->config.once);

	if (weir_once_begin(o)) {
		stay();
		job->got++;
		weir_once_end(o);
	}
	job->wrong += job->got != 1;
	job->sum++;
}

/* Operations that get a number each; where a block serves, the operations of the other blocks. */
static void number_all(weir_combiner c, weir_combiner_call *call, struct job *job)
{
	while (weir_combiner_next(c, call)) {
		WEIR_COMBINER_EACH (i, call) {
			uint32_t number = job->inside;
			stay();
			job->inside = number + 1;
			weir_combiner_answer(call, i, number);
		}
	}
}

static void get_numbers(void *argument)
{
	struct job *job = argument;
	weir_combiner c = weir_combiner_make(words, job->config.combiner);
	weir_combiner_call call;

	if (c.config.is_served && weir_block_id() == 0) {
		CHECK(weir_combiner_serve(c, &call));
		while (weir_combiner_serve_next(c, &call))
			number_all(c, &call, job);
		weir_combiner_release(c, &call);
		return;
	}
	for (uint32_t i = 0; i < ROUNDS; i++) {
		call = weir_combiner_publish(c, weir_block_id());
		while (weir_combiner_wait(c, &call)) {
			number_all(c, &call, job);
			weir_combiner_release(c, &call);
		}
		job->got++;
		job->sum += weir_combiner_result(&call);
	}
	if (c.config.is_served)
		weir_combiner_leave(c);
}

static struct job launch_lock(weir_any_config config, void (*entry)(void *))
{
	struct job job = {.config = config};
	weir_sim_run result;

	job.config.object.pitch = WEIR_LINE_WORDS;
	memset(words, 0, sizeof words);
	CHECK(run(&gf100, BLOCKS, 1, entry, &job, &result) == WEIR_OK);
	CHECK(job.wrong == 0);
	return job;
}

static void locks_do_what_they_are_for(void)
{
	const uint32_t all = BLOCKS * ROUNDS;
	struct job job;

	for (uint32_t bits = 0; bits < 3; bits++) {
		job = launch_lock((weir_any_config){.rwlock.bits = bits}, read_and_write);
		CHECK(job.got == all / 4 && job.most_inside > 1);
	}
	job = launch_lock((weir_any_config){.condition.slots = 32}, put_or_take);
	CHECK(job.got == all / 2 && job.sum == all / 2 * (all / 2 - 1) / 2);
	job = launch_lock((weir_any_config){0}, begin_once);
	CHECK(job.got == 1 && job.sum == BLOCKS);
	for (uint32_t is_served = 0; is_served < 2; is_served++) {
		const weir_combiner_config config = {
		    .seats = BLOCKS, .words = 1, .is_served = is_served};
		uint32_t done = all - is_served * ROUNDS;
		job = launch_lock((weir_any_config){.combiner = config}, get_numbers);
		CHECK(job.got == done && job.sum == done * (done - 1) / 2);
	}
}

static void a_wrong_kind_ends_the_run(void)
{
	struct job job = {0};
	weir_sim_run result;

	CHECK(run(&gf100, 4, 1, lock_what_is_none, &job, &result) == WEIR_LAUNCH_FAILED);
	CHECK(strstr(weir_error_text(), "mutex of kind 17, which is none") != NULL);
}

static void what_if(void)
{
	weir_probe probe = gf100;
	int batched;

	CHECK(weir_sim_what_if("batched-loads", &probe, &batched) == WEIR_OK);
	CHECK(batched);
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		CHECK(probe.ms[i] == gf100.ms[i]);
	CHECK(weir_sim_what_if("batched-loads,atomic.same*=2", &probe, &batched) == WEIR_OK);
	CHECK(batched);
	CHECK_NEAR(probe.ms[4], 2 * gf100.ms[4], 1e-12);
	CHECK(weir_sim_what_if("batched-loads*=2", &probe, &batched) == WEIR_BAD_ARGUMENT);
	probe = gf100;
	CHECK(weir_sim_what_if("atomic.same*=0.1,volatile.own.read*=2", &probe, &batched) ==
	      WEIR_OK);
	CHECK_NEAR(probe.ms[4], .1479, 1e-12);
	CHECK_NEAR(probe.ms[5], .1470, 1e-12);
	CHECK_NEAR(probe.ms[2], .086, 1e-12);
	CHECK(!batched);
	CHECK(probe.ms[3] == gf100.ms[3] && probe.ms[0] == gf100.ms[0]);
	CHECK(weir_sim_what_if("equal-atomics,atomic.own.read*=2", &probe, &batched) == WEIR_OK);
	CHECK(!batched);
	for (int i = 0; i < 4; i++) {
		CHECK_NEAR(probe.ms[4 + i], probe.ms[i] * (i == 2 ? 2 : 1), 1e-12);
		CHECK(probe.ms[8 + i] == probe.ms[i]);
	}
	CHECK(weir_sim_what_if("", &probe, &batched) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_what_if("atomic*=2", &probe, &batched) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_what_if("atomic.same=2", &probe, &batched) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_what_if("atomic.same*=0", &probe, &batched) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_what_if("atomic.same*=2;", &probe, &batched) == WEIR_BAD_ARGUMENT);
	CHECK(weir_sim_what_if("atomic.same.both*=2", &probe, &batched) == WEIR_BAD_ARGUMENT);
}

static weir_sim_score score_of(enum weir_primitive primitive, uint32_t kind, uint32_t blocks,
                               uint32_t pause)
{
	const weir_sim_case c = {.primitive = primitive,
	                         .kind = kind,
	                         .blocks = blocks,
	                         .threads = 32,
	                         .backoff = {pause, 2 * pause},
	                         .has_shape = 1,
	                         .seed = 1,
	                         .accesses = 40000};
	weir_sim_memory memory;
	weir_sim_score score;

	CHECK(weir_sim_memory_make(&gf100, &memory) == WEIR_OK);
	CHECK(weir_sim_bench(&memory, &c, &score) == WEIR_OK);
	return score;
}

/* A queue serves all blocks alike. With long pauses, the block that has unlocked finds the lock
 * free. */
static void fairness_is_of_the_blocks(void)
{
	weir_sim_score ticket = score_of(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 16, 0);
	weir_sim_score spin = score_of(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 16, 2048);
	weir_sim_score barrier = score_of(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 16, 0);

	CHECK(ticket.jain > 0.999 && ticket.jain <= 1 && ticket.worst_share > 0.95);
	CHECK(spin.jain > 0 && spin.jain < ticket.jain);
	CHECK(spin.worst_share < ticket.worst_share);
	CHECK(barrier.jain == 0 && barrier.operations > 0);
}

static void accesses_are_counted_by_part(void)
{
	weir_sim_score alone = score_of(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 1, 0);
	weir_sim_score many = score_of(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 16, 0);
	const weir_sim_part *lock = &alone.parts[WEIR_SIM_ENTER];
	const weir_sim_part *unlock = &alone.parts[WEIR_SIM_LEAVE];

	CHECK(lock->times > 1000 && lock->sum.atomics == lock->times);
	CHECK(lock->sum.reads == lock->times && lock->sum.writes == 0);
	CHECK(unlock->sum.reads == unlock->times && unlock->sum.writes == unlock->times);
	CHECK(unlock->sum.atomics == 0);
	lock = &many.parts[WEIR_SIM_ENTER];
	CHECK(lock->sum.atomics == lock->times && lock->sum.reads > 4 * lock->times);
}

/* Only where atomics hold cache lines are there loads in their queue. */
static void loads_are_batched_where_lines_are_held(void)
{
	weir_sim_machine machine;
	weir_sim_memory memory;
	weir_probe free = gf100;

	CHECK(weir_sim_machine_make(&gf100, &machine) == WEIR_OK);
	CHECK(weir_sim_machine_memory(&machine, &memory) == WEIR_OK && !memory.batched_loads);
	machine.batched_loads = 1;
	CHECK(weir_sim_machine_memory(&machine, &memory) == WEIR_OK && memory.batched_loads);
	for (int i = 0; i < 4; i++)
		free.ms[WEIR_ACCESS(WEIR_ACCESS_PRIMED, 0, 0) + i] =
		    free.ms[WEIR_ACCESS(WEIR_ACCESS_VOLATILE, 0, 0) + i];
	CHECK(weir_sim_machine_make(&free, &machine) == WEIR_OK);
	machine.batched_loads = 1;
	CHECK(weir_sim_machine_memory(&machine, &memory) == WEIR_OK && !memory.batched_loads);
}

/* The work that a watch saw for a request. */
struct seen {
	double work;
	double more;
	double limit; /* of the work, or 0 */
};

static int look(void *context, double work)
{
	struct seen *seen = context;

	seen->work += work;
	return seen->limit > 0 && seen->work >= seen->limit;
}

static void replan(void *context, double more)
{
	((struct seen *)context)->more += more;
}

static void a_watch_sees_the_work_that_was_planned(void)
{
	struct seen planned = {0}, seen = {0}, stopped = {0};
	weir_sim_watch sum = {.look = look, .context = &planned};
	const weir_sim_use use = {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 32, 0, 0};
	weir_sim_machine machine;
	double rate;

	CHECK(weir_sim_machine_make(&gf100, &machine) == WEIR_OK);
	machine.accesses = 50000;
	weir_sim_machine plan = weir_sim_plan(&machine, sum);
	for (int i = 0; i < 2; i++) /* the second time the result is known */
		CHECK(weir_sim_rate(&plan, use, &rate) == WEIR_OK);
	CHECK(planned.work > 0 && rate == 0);

	machine.watch = (weir_sim_watch){look, replan, &stopped};
	stopped.limit = planned.work / 100;
	CHECK(weir_sim_rate(&machine, use, &rate) == WEIR_ABORTED);
	CHECK(stopped.work < planned.work / 2);

	/* A stopped run leaves nothing behind. */
	machine.watch = (weir_sim_watch){look, replan, &seen};
	CHECK(weir_sim_rate(&machine, use, &rate) == WEIR_OK);
	CHECK(seen.work > 0 && rate > 0);
	CHECK_NEAR(seen.work - seen.more, planned.work, 1e-9);
}

int main(void)
{
	a_watch_sees_the_work_that_was_planned();
	it_measures_as_its_probe_says();
	the_same_seed_gives_the_same_digits();
	the_primitives_work();
	every_item_and_task_comes_once();
	locks_do_what_they_are_for();
	a_wrong_kind_ends_the_run();
	what_if();
	loads_are_batched_where_lines_are_held();
	fairness_is_of_the_blocks();
	accesses_are_counted_by_part();
	return check_failures != 0;
}
