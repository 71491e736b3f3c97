/* A launch on the host: a pthread for each thread of each block that runs at once. */
#define _GNU_SOURCE
#include "host/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/park.h"
#include "host/thread.h"
#include "host/word.h"

static size_t stack_bytes = 256 * 1024;

static uint32_t most_threads = WEIR_HOST_MOST_THREADS;

static void read_most_threads(void)
{
	const char *text = getenv("WEIR_HOST_THREADS");
	unsigned long asked = text ? strtoul(text, NULL, 10) : 0;

	if (asked >= 1 && asked < most_threads)
		most_threads = (uint32_t)asked;
}

uint32_t weir_host_most_threads(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_most_threads);
	return most_threads;
}

void weir_host_stacks(size_t bytes)
{
	__atomic_store_n(&stack_bytes, bytes, __ATOMIC_RELAXED);
}

/* A thread arrives and then looks at the round; here the round moves, and then who arrived is looked at. One
 * of the two sees the other. */
void weir_host_run_end(struct weir_host_run *run, int why)
{
	size_t meetings = (size_t)run->group_count * WEIR_HOST_MEETINGS(run->threads);

	__atomic_store_n(&run->ended, why, __ATOMIC_RELAXED);
	for (size_t i = 0; i < meetings; i++) {
		__atomic_add_fetch(&run->meetings[i].round, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&run->meetings[i].arrived, __ATOMIC_SEQ_CST) > 0)
			weir_host_word_wake(&run->meetings[i].round);
	}
	weir_host_wake_all();
}

void weir_host_run_free(struct weir_host_run *run)
{
	while (run->leftovers) {
		struct weir_host_leftover *first = run->leftovers;
		run->leftovers = first->next;
		free(first->memory);
		free(first);
	}
	pthread_mutex_destroy(&run->lock);
	pthread_cond_destroy(&run->changed);
	free(run->groups);
	free(run->meetings);
	free(run->workers);
	free(run->arguments);
	free(run->values);
	free(run);
}

void weir_host_run_leave(struct weir_host_run *run)
{
	int ours;

	pthread_mutex_lock(&run->lock);
	if (--run->running == 0) {
		run->ended_ns = weir_host_clock_ns_();
		pthread_cond_broadcast(&run->changed);
	}
	ours = run->running == 0 && run->abandoned;
	pthread_mutex_unlock(&run->lock);
	if (ours)
		weir_host_run_free(run);
}

static weir_status copy_arguments(struct weir_host_run *run, const weir_launch *asked)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < asked->argument_count; i++)
		bytes += (asked->arguments[i].bytes + 15) / 16 * 16;
	run->arguments = calloc(asked->argument_count + 1, sizeof *run->arguments);
	run->values = aligned_alloc(16, bytes + 16);
	if (!run->arguments || !run->values)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the arguments of a launch");
	char *place = run->values;
	for (uint32_t i = 0; i < asked->argument_count; i++) {
		if (!asked->arguments[i].value)
			return weir_fail(WEIR_BAD_ARGUMENT, "argument %u of the launch is NULL", i);
		memcpy(place, asked->arguments[i].value, asked->arguments[i].bytes);
		run->arguments[i] = place;
		place += (asked->arguments[i].bytes + 15) / 16 * 16;
	}
	return WEIR_OK;
}

uint32_t weir_host_fit_clusters(const weir_checked_launch *launch)
{
	return weir_host_most_threads() / launch->threads / launch->cluster_blocks;
}

weir_status weir_host_run_make(const weir_checked_launch *launch, struct weir_host_run **made)
{
	uint32_t fit = weir_host_fit_clusters(launch) * launch->cluster_blocks;
	struct weir_host_run *run = calloc(1, sizeof *run);
	if (!run)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a launch");
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->changed, NULL);
	run->kernel = launch->asked->kernel.host;
	run->blocks = launch->blocks;
	run->threads = launch->threads;
	memcpy(run->grid, launch->grid, sizeof run->grid);
	memcpy(run->cluster, launch->cluster, sizeof run->cluster);
	run->cluster_size = launch->cluster_blocks;
	run->group_count = launch->blocks < fit ? launch->blocks : fit;
	run->groups = calloc(run->group_count, sizeof *run->groups);
	run->meetings = calloc((size_t)run->group_count * WEIR_HOST_MEETINGS(run->threads),
	                       sizeof *run->meetings);
	run->workers = calloc((size_t)run->group_count * run->threads, sizeof *run->workers);
	weir_status status =
	    run->groups && run->meetings && run->workers
		? copy_arguments(run, launch->asked)
		: weir_fail(WEIR_NO_MEMORY, "no memory for the threads of a launch");
	if (status != WEIR_OK) {
		weir_host_run_free(run);
		return status;
	}
	for (uint32_t g = 0; g < run->group_count; g++) {
		run->groups[g].run = run;
		run->groups[g].meetings =
		    run->meetings + (size_t)g * WEIR_HOST_MEETINGS(run->threads);
	}
	for (uint32_t i = 0; i < run->group_count * run->threads; i++)
		run->workers[i].self = (weir_host_thread){.group = &run->groups[i / run->threads],
		                                          .block_count = run->blocks,
		                                          .thread_id = i % run->threads,
		                                          .thread_count = run->threads,
		                                          .cluster_size = run->cluster_size,
		                                          .joined = 1};
	*made = run;
	return WEIR_OK;
}

static void set_gate(struct weir_host_run *run, uint32_t gate)
{
	run->began_ns = weir_host_clock_ns_();
	__atomic_store_n(&run->gate, gate, __ATOMIC_RELEASE);
	weir_host_word_wake(&run->gate);
}

weir_status weir_host_run_start(struct weir_host_run *run)
{
	pthread_attr_t attributes;
	uint32_t all = run->group_count * run->threads;
	uint32_t started = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, __atomic_load_n(&stack_bytes, __ATOMIC_RELAXED));
	run->running = all;
	while (started < all && pthread_create(&run->workers[started].thread, &attributes,
	                                       weir_host_work, &run->workers[started]) == 0)
		started++;
	pthread_attr_destroy(&attributes);
	set_gate(run, started == all ? WEIR_HOST_OPEN : WEIR_HOST_CALLED_OFF);
	if (started == all)
		return WEIR_OK;
	for (uint32_t i = 0; i < started; i++)
		pthread_join(run->workers[i].thread, NULL);
	return weir_fail(WEIR_NO_MEMORY, "the system gave only %u of %u threads", started, all);
}

void weir_host_run_join(struct weir_host_run *run)
{
	for (uint32_t i = 0; i < run->group_count * run->threads; i++)
		pthread_join(run->workers[i].thread, NULL);
	weir_host_run_free(run);
}

void weir_host_run_abandon(struct weir_host_run *run)
{
	int running;

	pthread_mutex_lock(&run->lock);
	running = run->running != 0;
	run->abandoned = running;
	for (uint32_t i = 0; running && i < run->group_count * run->threads; i++)
		pthread_detach(run->workers[i].thread);
	pthread_mutex_unlock(&run->lock);
	if (!running)
		weir_host_run_join(run);
}

int weir_host_run_wait(struct weir_host_run *run, uint64_t timeout_ns)
{
	struct timespec until;
	int done;

	clock_gettime(CLOCK_REALTIME, &until);
	uint64_t ns = (uint64_t)until.tv_nsec + timeout_ns % 1000000000u;
	until.tv_sec += (time_t)(timeout_ns / 1000000000u + ns / 1000000000u);
	until.tv_nsec = (long)(ns % 1000000000u);
	pthread_mutex_lock(&run->lock);
	while (run->running) {
		if (timeout_ns == 0)
			pthread_cond_wait(&run->changed, &run->lock);
		else if (pthread_cond_timedwait(&run->changed, &run->lock, &until) != 0)
			break;
	}
	done = run->running == 0;
	pthread_mutex_unlock(&run->lock);
	return done;
}
