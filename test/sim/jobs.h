/* Work for the blocks of a simulated launch: objects that they use repeatedly, and the results. */
#ifndef WEIR_TEST_SIM_JOBS_H
#define WEIR_TEST_SIM_JOBS_H

#include <stdint.h>

#include "check.h"
#include "sim/engine.h"
#include "weir/device.h"

#define JOB_BLOCKS_MOST 200

struct job {
	weir_word *words; /* of the object */
	uint32_t stay;    /* units of a pause inside a lock */
	int own;
	int atomic;
	weir_any_config config;
	uint32_t phase[JOB_BLOCKS_MOST];
	uint32_t inside;
	uint32_t most_inside;
	uint32_t apart; /* barriers that let a block get ahead of another */
	uint32_t got;   /* items or tasks */
	uint32_t sum;   /* of their numbers */
	uint32_t readers;
	uint32_t wrong; /* errors that a lock should have prevented */
};

static void enter(struct job *job)
{
	if (++job->inside > job->most_inside)
		job->most_inside = job->inside;
	weir_pause(job->stay);
	weir_load_rlx(&job->words[WEIR_LINE_WORDS - 1]); /* the others run until then */
	job->inside--;
}

static void lock_again_and_again(void *argument)
{
	struct job *job = argument;
	weir_mutex m = weir_mutex_make(job->words, job->config.mutex);

	for (;;) {
		weir_mutex_lock(m);
		enter(job);
		weir_mutex_unlock(m);
		weir_sim_count();
	}
}

static void wait_again_and_again(void *argument)
{
	struct job *job = argument;
	weir_semaphore s = weir_semaphore_make(job->words, job->config.semaphore);

	for (;;) {
		weir_semaphore_wait(s);
		enter(job);
		weir_semaphore_post(s);
		weir_sim_count();
	}
}

static void pass_again_and_again(void *argument)
{
	struct job *job = argument;
	weir_barrier b = weir_barrier_make(job->words, job->config.barrier);

	for (;;) {
		if (weir_thread_id() == 0)
			job->phase[weir_block_id()]++;
		weir_barrier_wait(b);
		for (uint32_t i = 0; weir_thread_id() == 0 && i < weir_block_count(); i++)
			job->apart += job->phase[i] < job->phase[weir_block_id()];
		if (weir_thread_id() == 0)
			weir_sim_count();
	}
}

#endif
