#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "weir/device.h"

struct job {
	weir_word *words;
	weir_config config;
};

static void mutex_thread(void *argument)
{
	const struct job *job = argument;
	weir_mutex m = weir_mutex_make(job->words, job->config);

	for (;;) {
		weir_mutex_lock(m);
		weir_mutex_unlock(m);
		weir_sim_count();
	}
}

static void semaphore_thread(void *argument)
{
	const struct job *job = argument;
	weir_semaphore s = weir_semaphore_make(job->words, job->config);

	for (;;) {
		weir_semaphore_wait(s);
		weir_semaphore_post(s);
		weir_sim_count();
	}
}

static void barrier_thread(void *argument)
{
	const struct job *job = argument;
	weir_barrier b = weir_barrier_make(job->words, job->config);

	for (;;) {
		weir_barrier_wait(b);
		if (weir_thread_id() == 0 && weir_block_id() == 0)
			weir_sim_count();
	}
}

static void start_semaphore(struct job *job, uint32_t initial)
{
	weir_semaphore s = weir_semaphore_make(job->words, job->config);

	switch (job->config.kind) {
#define ROW(name, NAME, ...)                                                                       \
	case WEIR_SEMAPHORE_##NAME:                                                                \
		weir_##name##_semaphore_start(s, initial, 0);                                      \
		break;
		WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
	default:
		break;
	}
}

static uint32_t power_of_two(uint32_t least)
{
	uint32_t p = 1;
	while (p < least)
		p *= 2;
	return p;
}

static void shape(const weir_sim_case *c, const weir_kind *kind, weir_config *config,
                  weir_sim_run *run)
{
	memset(config, 0, sizeof *config);
	config->kind = c->kind;
	config->pitch = WEIR_LINE_WORDS;
	config->backoff = c->backoff;
	if (c->has_shape)
		config->shape = c->shape;
	else if (kind->shape != WEIR_SHAPE_NONE)
		config->shape = weir_untuned_shape(kind, c->blocks);
	run->alive_threads = 1;
	if (c->primitive == WEIR_PRIMITIVE_BARRIER) {
		config->count = c->blocks;
		run->entry = barrier_thread;
		run->alive_threads = c->threads;
	} else if (c->primitive == WEIR_PRIMITIVE_SEMAPHORE) {
		config->count = c->initial;
		run->entry = semaphore_thread;
	} else {
		config->count = power_of_two(c->blocks);
		run->entry = mutex_thread;
	}
}

/* This fits the CPU time of all kinds on the built-in profiles with 1 to 2112 blocks. An access passes a
 * heap of as many events as blocks, and the threads of a barrier's block 0 sync. */
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

weir_status weir_sim_bench(const weir_sim_memory *memory, const weir_sim_case *c,
                           weir_sim_score *score)
{
	struct job job;
	weir_sim_run run = {.memory = memory,
	                    .seed = c->seed,
	                    .blocks = c->blocks,
	                    .threads = c->threads,
	                    .accesses = c->accesses,
	                    .watch = c->watch,
	                    .work = access_work(c),
	                    .argument = &job};
	const weir_kind *kind = weir_kind_find(c->primitive, c->kind);
	weir_status status;

	if (!kind || c->blocks == 0 || c->threads == 0 ||
	    (c->primitive == WEIR_PRIMITIVE_SEMAPHORE && c->initial == 0))
		return weir_fail(WEIR_BAD_ARGUMENT, "not a case that can be simulated");
	shape(c, kind, &job.config, &run);
	run.word_bytes = (kind->words(job.config) + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS *
	                 (size_t)WEIR_SIM_LINE_BYTES;
	job.words = aligned_alloc(WEIR_SIM_LINE_BYTES, run.word_bytes);
	if (!job.words)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the simulated words");
	memset(job.words, 0, run.word_bytes);
	run.words = job.words;
	if (c->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		start_semaphore(&job, c->initial);
	status = weir_sim_engine_run(&run);
	score->per_second = run.ns > 0 ? (double)run.operations / run.ns * 1e9 : 0;
	score->operations = run.operations;
	free(job.words);
	return status;
}
