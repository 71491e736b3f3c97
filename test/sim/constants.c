/* With the constants of a GPU ten times off, the primitives still work on the simulated GPU. The
 * build sets the distance of counters (WEIR_COUNTER_APART); a pause unit and the shards of a
 * barrier are data here. Prints the rates. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jobs.h"
#include "sim/engine.h"
#include "weir/device.h"
#include "weir/profile.h"

#define BLOCKS 200
#define ACCESSES 200000

static weir_sim_memory memory; /* of the simulated device */

/* Runs the job on its own `count` words. Returns operations per second. */
static double run(struct job *job, uint32_t count, void (*entry)(void *))
{
	size_t bytes = ((size_t)count * sizeof(weir_word) + WEIR_SIM_LINE_BYTES - 1) /
	               WEIR_SIM_LINE_BYTES * WEIR_SIM_LINE_BYTES;
	weir_sim_run all = {.memory = &memory,
	                    .seed = 1,
	                    .blocks = BLOCKS,
	                    .threads = 128,
	                    .alive_threads = 1,
	                    .words = aligned_alloc(WEIR_SIM_LINE_BYTES, bytes),
	                    .word_bytes = bytes,
	                    .entry = entry,
	                    .argument = job,
	                    .accesses = ACCESSES};

	if (!all.words) {
		CHECK(!"memory for the words");
		return 0;
	}
	memset(all.words, 0, bytes);
	job->words = all.words;
	if (job->config.semaphore.maximum && entry == wait_again_and_again)
		weir_semaphore_start(weir_semaphore_make(job->words, job->config.semaphore),
		                     job->config.semaphore.maximum, 0);
	CHECK(weir_sim_engine_run(&all) == WEIR_OK);
	free(all.words);
	return (double)all.operations / all.ns * 1e9;
}

static struct job prepare(uint32_t kind, weir_backoff backoff)
{
	return (struct job){
	    .config.object = {.kind = kind, .pitch = WEIR_LINE_WORDS, .backoff = backoff}};
}

static void barriers(void)
{
	for (uint32_t bits = 0; bits <= WEIR_SHAPE_BITS_MOST; bits++) {
		struct job job = prepare(WEIR_BARRIER_COUNTER, weir_no_backoff());
		job.config.barrier.blocks = BLOCKS;
		job.config.barrier.shape.bits = bits;
		double rate =
		    run(&job, weir_barrier_words(job.config.barrier), pass_again_and_again);
		CHECK(job.apart == 0 && job.phase[0] > 3);
		printf("barrier, %u bits, counters %d words apart: %.3g a second\n", bits,
		       WEIR_COUNTER_APART, rate / BLOCKS);
	}
}

static void locks(double factor, weir_backoff backoff)
{
	struct job mutex = prepare(WEIR_MUTEX_SPIN_BACKOFF, backoff);
	double rate = run(&mutex, weir_mutex_words(mutex.config.mutex), lock_again_and_again);
	CHECK(mutex.most_inside == 1 && rate > 0);
	printf("mutex, %u to %u units, each %g times as long: %.3g a second\n", backoff.min,
	       backoff.max, factor, rate);

	struct job semaphore = prepare(WEIR_SEMAPHORE_PACKED, backoff);
	semaphore.config.semaphore.maximum = 3;
	rate =
	    run(&semaphore, weir_semaphore_words(semaphore.config.semaphore), wait_again_and_again);
	CHECK(semaphore.most_inside > 1 && semaphore.most_inside <= 3 && rate > 0);
	printf("semaphore, %u units, each %g times as long: %.3g a second\n", backoff.min, factor,
	       rate);
}

int main(void)
{
	static const double factors[] = {0.1, 1, 10};
	const weir_backoff usual = {WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};
	const weir_backoff tuned = {16, 256};
	weir_profile *profile;

	if (weir_profile_builtin("h200", &profile) != WEIR_OK ||
	    weir_sim_memory_make(&profile->probe, &memory) != WEIR_OK) {
		printf("%s\n", weir_error_text());
		return 1;
	}
	weir_profile_destroy(profile);
	barriers();
	double unit = memory.pause_unit;
	for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
		memory.pause_unit = unit * factors[i];
		locks(factors[i], usual);
		locks(factors[i], tuned);
	}
	return check_failures != 0;
}
