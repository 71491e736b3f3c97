/* Kernels that take a known time and leave the counts that they would have made, to test how weir bench --peers uses
 * the times that it gets.
 *
 * A barrier of kind k takes 0.4 + 0.1 k microseconds, grid.sync() 1, and so on. Where blocks are busy,
 * each word that a thread stores adds 0.1, 0.2 to weir's, and work takes its full time. A mutex or
 * semaphore of kind 1 is hopelessly slow. A hand-over by events of kind k takes 0.6 + 0.1 k, an item of a
 * queue 0.01 + 0.001 k and a task 0.015. With WEIR_TIMED_PLACES in the environment the place of an object in memory
 * counts: at the second of the measured places it takes 1.5 times as long, at the third twice as long. Real kernels
 * (kernels/real) take 100 microseconds, a part of one 10, and neither computes anything. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/bench_params.h"

/* The kernels' headers refer to the library's version, and this driver has no library. */
void WEIR_VERSION_PARTS_(WEIR_HOST_FITS_)(void)
{
}

struct CUfunc_st {
	const char *name;
	double us;         /* for an operation */
	double us_by_kind; /* plus this much times the number of the kind */
	int each_block;    /* blocks take their turns one after the other */
	int is_real;       /* takes its time and nothing else */
};

static struct CUfunc_st functions[] = {
    {"barrier_bench", 0.4, 0.1, 0, 0},
    {"barrier_busy", 0.4, 0.1, 0, 0},
    {"mutex_bench", 0.25, 0, 1, 0},
    {"semaphore_bench", 0.25, 0, 1, 0},
    {"grid_sync", 1, 0, 0, 0},
    {"grid_sync_busy", 1, 0, 0, 0},
    {"cuda_barrier", 4, 0, 0, 0},
    {"cuda_barrier_busy", 4, 0, 0, 0},
    {"cuda_barrier_start", 0, 0, 0, 0},
    {"hand_busy", 1.1, 0, 0, 0},
    {"hand_start", 0, 0, 0, 0},
    {"relaunch", 2, 0, 0, 0},
    {"binary_semaphore", 0.5, 0, 1, 0},
    {"binary_semaphore_start", 0, 0, 0, 0},
    {"counting_semaphore", 0.75, 0, 1, 0},
    {"counting_semaphore_start", 0, 0, 0, 0},
    {"hop", 0.5, 0, 0, 0},
    {"hop_start", 0, 0, 0, 0},
    {"unordered", 0.3, 0, 0, 0},
    {"unordered_start", 0, 0, 0, 0},
    {"work_alone", 1, 0, 0, 0},
    {"grid_split", 1.5, 0, 0, 0},
    {"weir_split", 1.2, 0, 0, 0},
    {"event_ring", 0.6, 0.1, 1, 0},
    {"event_sequence", 0.6, 0.1, 1, 0},
    {"event_meet", 1.2, 0.1, 0, 0},
    {"event_post", 0.01, 0.01, 0, 0},
    {"flags_start", 0, 0, 0, 0},
    {"system_ring", 0.8, 0, 1, 0},
    {"system_sequence", 0.8, 0, 1, 0},
    {"system_meet", 1.5, 0, 0, 0},
    {"system_post", 0.05, 0, 0, 0},
    {"fence_ring", 1.4, 0, 1, 0},
    {"fence_sequence", 1.4, 0, 1, 0},
    {"fence_meet", 2.6, 0, 0, 0},
    {"fence_post", 0.5, 0, 0, 0},
    {"acquire_ring", 0.9, 0, 1, 0},
    {"acquire_sequence", 0.9, 0, 1, 0},
    {"acquire_meet", 1.3, 0, 0, 0},
    {"acquire_post", 0.02, 0, 0, 0},
    {"atomic_ring", 1, 0, 1, 0},
    {"atomic_sequence", 1, 0, 1, 0},
    {"atomic_meet", 1.4, 0, 0, 0},
    {"atomic_post", 0.04, 0, 0, 0},
    {"queue_pairs_by_block", 0.001, 0, 0, 0},
    {"queue_pairs", 0.01, 0.001, 0, 0},
    {"queue_apart", 0.02, 0.001, 0, 0},
    {"queue_start", 0, 0, 0, 0},
    {"broker_pairs", 0.02, 0, 0, 0},
    {"broker_apart", 0.08, 0, 0, 0},
    {"ring_pairs", 1, 0, 0, 0},
    {"ring_apart", 2, 0, 0, 0},
    {"dispenser_take_by_block", 0.03, 0, 0, 0},
    {"dispenser_take", 0.02, 0, 0, 0},
    {"counter_take_by_block", 0.03, 0, 0, 0},
    {"counter_take", 0.01, 0, 0, 0},
    {"tasks_run", 0.015, 0, 0, 0},
    {"layers_barrier", 0.005, 0, 0, 0},
    {"layers_grid_sync", 0.006, 0, 0, 0},
    {"locks_start", 0, 0, 0, 0},
    {"semaphores_start", 0, 0, 0, 0},
    {"rwlock_mixed", 0.01, 0.001, 0, 0},
    {"rwlock_writer", 0.5, 0.1, 0, 0},
    {"rw_mutex_mixed", 1, 0, 0, 0},
    {"rw_mutex_writer", 2, 0, 0, 0},
    {"rw_word_mixed", 0.02, 0, 0, 0},
    {"rw_word_writer", 8, 0, 0, 0},
    {"condition_buffer", 0.3, 0, 0, 0},
    {"condition_broadcast", 2, 0, 0, 0},
    {"poll_buffer", 0.9, 0, 0, 0},
    {"poll_broadcast", 4, 0, 0, 0},
    {"semaphores_buffer", 0.6, 0, 0, 0},
    {"once_done", 0.001, 0, 0, 0},
    {"atomic_done", 0.002, 0, 0, 0},
    {"combiner_combine", 0.05, 0, 0, 0},
    {"combiner_serve", 0.04, 0, 0, 0},
    {"mutex_section", 0.5, 0, 0, 0},
    {"libcu_section", 1, 0, 0, 0},
    {"jacobi", 100, 0, 0, 1},
    {"jacobi_once", 10, 0, 0, 1},
    {"cholesky", 100, 0, 0, 1},
    {"cholesky_once", 10, 0, 0, 1},
    {"cholesky_tasks", 80, 0, 0, 1},
    {"search", 100, 0, 0, 1},
    {"search_once", 10, 0, 0, 1},
    {"search_queue", 50, 0, 0, 1},
    {"pool", 100, 0, 0, 1},
    {"pool_combine", 20, 0, 0, 1},
    {"restore", 1, 0, 0, 1},
    {"libcu_locks_start", 1, 0, 0, 1},
};
enum {
	FUNCTIONS = sizeof functions / sizeof functions[0],
	HOPELESS_US = 100
};

static double done_us; /* by all kernels so far */

static double now_us(void)
{
	return done_us;
}

static int loads(const void *image)
{
	return image != NULL;
}

/* The places: the buffers of this size, in the order in which they were asked for. */
enum {
	PLACE_BYTES = 1 << 24,
	PLACES = 3
};
static cuda_address places[PLACES];

static void note_place(cuda_address address, size_t bytes)
{
	for (int i = 0; bytes == PLACE_BYTES && i < PLACES; i++) {
		if (places[i])
			continue;
		places[i] = address;
		return;
	}
}

static double slowness(cuda_address words)
{
	for (int i = 1; getenv("WEIR_TIMED_PLACES") && i < PLACES; i++)
		if (words && words == places[i])
			return 1 + 0.5 * i;
	return 1;
}

/* The kernels of single kinds, mutex_bench_spin and so on, take as long as mutex_bench. */
static int is_named(const struct CUfunc_st *function, const char *name)
{
	size_t length = strlen(function->name);
	int has_kinds =
	    strstr(function->name, "_bench") || strcmp(function->name, "barrier_busy") == 0 ||
	    strncmp(function->name, "event_", 6) == 0 || strncmp(function->name, "queue_", 6) == 0;

	return strncmp(name, function->name, length) == 0 &&
	       (name[length] == '\0' || (has_kinds && name[length] == '_'));
}

static cuda_function find(const char *name)
{
	for (int i = 0; i < FUNCTIONS; i++)
		if (is_named(&functions[i], name))
			return &functions[i];
	return NULL;
}

/* The work of busy blocks before a barrier: their words in data, and the microseconds of each
 * round. */
static double be_busy(cuda_function function, uint32_t blocks, uint32_t threads, uint32_t *data,
                      const bench_params *params)
{
	uint32_t *stored = data + BENCH_STORES(blocks);
	double each = strcmp(function->name, "barrier_busy") == 0 ? 0.2 : 0.1;

	if (!strstr(function->name, "_busy"))
		return 0;
	for (size_t i = 0; i < (size_t)blocks * threads * params->stores; i++)
		stored[i] = params->rounds;
	return each * params->stores + params->uneven / 2000.0;
}

/* The value that the last block of each ring hands over. */
static void pass_on(uint32_t blocks, uint32_t threads, uint32_t *handed, const bench_params *params)
{
	for (uint32_t first = 0; first < blocks; first += params->ring) {
		uint32_t size = blocks - first < params->ring ? blocks - first : params->ring;
		for (uint32_t i = 0; i < threads; i++)
			handed[(first + size - 1) * threads + i] += params->rounds * size;
	}
}

/* The values that blocks hand over by events or flags. Returns the number of operations that take
 * their time one after the other. With WEIR_TIMED_LOSS in the environment a word is lost. */
static uint32_t leave_words(cuda_function function, uint32_t blocks, uint32_t threads,
                            uint32_t *data, const bench_params *params)
{
	uint32_t *handed = data + BENCH_HANDED(blocks);
	uint32_t looks = params->rounds / BENCH_STRIDE;

	for (uint32_t power = 1; power < BENCH_STRIDE && power <= params->rounds; power *= 2)
		looks++;
	if (strstr(function->name, "_ring") || strstr(function->name, "_sequence"))
		pass_on(blocks, threads, handed, params);
	for (uint32_t i = 0; strstr(function->name, "_post") && i < blocks; i++)
		handed[i * threads] = params->rounds;
	for (uint32_t i = 0; strstr(function->name, "_meet") && i < blocks * threads; i++)
		handed[i + (looks & 1 ? 0 : blocks * threads)] = looks;
	if (getenv("WEIR_TIMED_LOSS"))
		memset(handed, 0, 2 * sizeof *handed * blocks * threads);
	return params->rounds * (function->each_block ? params->ring : 1);
}

/* The results of the users of a queue, a dispenser or tasks. The last user gets everything, except
 * where each pops what it pushed. Returns how many items or tasks there are. */
static uint32_t tell(cuda_function function, uint32_t blocks, uint32_t *data,
                     const bench_params *params)
{
	int is_queue = strstr(function->name, "_pairs") || strstr(function->name, "_apart") ||
	               strstr(function->name, "_buffer");
	uint32_t users = blocks * params->users;
	uint32_t all = is_queue ? params->ring * params->users * params->rounds
	               : strstr(function->name, "_take") ? blocks * params->rounds
	                                                 : params->ring * params->rounds;
	uint32_t *told = data + BENCH_HANDED(blocks);
	uint32_t *last = told + (users - 1) * BENCH_USER_WORDS;

	memset(told, 0, users * BENCH_USER_WORDS * sizeof *told);
	for (uint32_t i = 0; is_queue && i < params->ring * params->users; i++)
		told[i * BENCH_USER_WORDS + BENCH_PUSHED] = params->rounds;
	for (uint32_t i = 0; i < all; i++)
		last[BENCH_SUM] += is_queue ? i % (params->ring * params->users) +
		                                  i / (params->ring * params->users) * users
		                            : i;
	last[BENCH_POPPED] = all;
	if (!is_queue)
		last[BENCH_PUSHED] = all;
	if (getenv("WEIR_TIMED_LOSS"))
		last[BENCH_SUM]--;
	return all;
}

/* Whether the blocks work on the words of a critical section (kernels/bench_locks.h). */
static int has_section(const char *name)
{
	static const char *const forms[] = {"_mixed", "_writer",  "_broadcast", "_done",
	                                    "_serve", "_section", "_combine"};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (strstr(name, forms[i]))
			return 1;
	return 0;
}

/* The results of the blocks of a lock, and the words of its critical section. Returns the number of
 * operations. */
static uint32_t keep(cuda_function function, uint32_t blocks, uint32_t *data,
                     const bench_params *params)
{
	uint32_t *section = data + BENCH_SECTION(blocks);
	uint32_t *told = data + BENCH_HANDED(blocks);
	uint32_t rounds = params->rounds;
	int writes = strstr(function->name, "_mixed") || strstr(function->name, "_writer");
	int is_alone = strstr(function->name, "_writer") || strstr(function->name, "_broadcast");
	int is_served = strcmp(function->name, "combiner_serve") == 0;
	uint32_t all = rounds * (is_alone ? 1 : is_served ? blocks - 1 : blocks);

	memset(told, 0, blocks * BENCH_USER_WORDS * sizeof *told);
	for (uint32_t i = is_served; i < (is_alone ? 1 : blocks); i++) {
		uint32_t *mine = told + i * BENCH_USER_WORDS;
		uint32_t kept =
		    strstr(function->name, "_mixed") ? rounds * params->ring / 10 : rounds;
		mine[BENCH_PUSHED] = kept;
		if (strstr(function->name, "_done"))
			mine[BENCH_SUM] = rounds * BENCH_MADE;
		else if (!writes && !is_alone)
			for (uint32_t j = 0; j < rounds; j++)
				mine[BENCH_POPPED] += section[BENCH_COUNT] + j;
		section[BENCH_COUNT] += kept;
		section[BENCH_TWIN] += writes ? kept : mine[BENCH_SUM];
	}
	if (getenv("WEIR_TIMED_LOSS")) {
		section[BENCH_COUNT]--;
		told[BENCH_SUM]--;
	}
	return all;
}

/* Every block does all its rounds, and the work under a mutex is counted. */
static double leave_counts(cuda_function function, uint32_t blocks, uint32_t threads,
                           uint32_t *data, const bench_params *params)
{
	uint32_t done = strcmp(function->name, "hop") == 0 ? 2 * params->rounds : params->rounds;
	double us = function->us + function->us_by_kind * params->config.object.kind +
	            be_busy(function, blocks, threads, data, params);

	if (params->config.object.kind == 1 && function->each_block && !params->ring)
		us = HOPELESS_US;
	for (uint32_t i = 0; i < blocks; i++) {
		data[i * BENCH_BLOCK_WORDS + BENCH_DONE] = done;
		data[i * BENCH_BLOCK_WORDS + BENCH_END] = 1000;
	}
	if (has_section(function->name))
		return us * keep(function, blocks, data, params);
	if (params->users)
		return us * tell(function, blocks, data, params);
	if (params->ring)
		return us * leave_words(function, blocks, threads, data, params);
	if (function->each_block && params->work)
		data[blocks * BENCH_BLOCK_WORDS] += done * blocks;
	return us * done * (function->each_block ? blocks : 1);
}

/* Whether it takes the same time whatever its parameters are. */
static int is_fixed(cuda_function function)
{
	return function->is_real || strcmp(function->name, "relaunch") == 0;
}

static int is_start(cuda_function function)
{
	size_t length = strlen(function->name);

	return length >= 6 && strcmp(function->name + length - 6, "_start") == 0;
}

static void take(fake_op *op, void **parameters)
{
	if (is_fixed(op->function) || is_start(op->function))
		return;
	op->words = *(void **)parameters[0];
	op->data = *(void **)parameters[1];
	memcpy(&op->params, parameters[2], sizeof(bench_params));
}

/* A node of a graph takes three quarters of what a launch does. */
static void run(const fake_op *op)
{
	double us = 0;

	if (is_fixed(op->function))
		us = op->function->us;
	else if (!is_start(op->function))
		us = leave_counts(op->function, op->blocks, op->threads, op->data,
		                  (const bench_params *)&op->params) *
		     slowness((uintptr_t)op->words);
	done_us += op->is_node ? us * 3 / 4 : us;
}

_Static_assert(sizeof(bench_params) <= sizeof((fake_op *)0)->params, "room");

const fake_kernels fake_with = {.devices = 1,
                                .units = 16,
                                .most_threads = 1024,
                                .now_us = now_us,
                                .loads = loads,
                                .find = find,
                                .take = take,
                                .run = run,
                                .allocated = note_place};
