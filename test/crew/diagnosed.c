/* Diagnosed kernels of a crew of processes that hang: the report names the rank that was killed, left or
 * stayed away, and whether its process is alive. An abort ends a kernel, but not the kernels of other
 * ranks.
 * This program is compiled with WEIR_DIAGNOSE. */
#define WEIR_DIAGNOSE
#define _GNU_SOURCE
#include "kernels/kernel.h" /* first, so that all of weir's headers know of the diagnosis */

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ranks.h"

#define BLOCKS 2
#define THREADS 2
#define PHASES 3
#define LOOKS 5000
#define WAIT_NS ((uint64_t)DEADLINE_S * 500000000ull)

typedef struct meet_params {
	weir_crew crew;
	uint32_t phases;
} meet_params;

/* data[0] gets the result of the last wait. */
WEIR_KERNEL(meet, meet_params)
{
	weir_status result = WEIR_OK;

	(void)words;
	for (uint32_t i = 0; i < params.phases && result == WEIR_OK; i++)
		result = weir_crew_wait(params.crew);
	if (weir_block_id() == 0 && weir_thread_id() == 0)
		data[0] = (uint32_t)result;
}

static void launch(rank_context *context, weir_crew c, uint32_t phases, uint32_t *data)
{
	static const weir_host_entry entry = {"meet", meet_entry};
	const weir_program_text text = {.host_entries = &entry, .host_entry_count = 1};
	const meet_params params = {c, phases};
	weir_word *none = NULL;
	weir_program *program = NULL;
	weir_argument arguments[] = {
	    {&none, sizeof none}, {&data, sizeof data}, {&params, sizeof params}};
	weir_launch launch = {.grid = {BLOCKS},
	                      .block = {THREADS},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	CHECK(context, weir_program_create(context->device, &text, &program) == WEIR_OK);
	CHECK(context, weir_program_kernel(program, "meet", &launch.kernel) == WEIR_OK);
	CHECK(context, weir_kernel_launch(context->device, &launch) == WEIR_OK);
}

/* Polls until the report has all words, or for too long. */
static int is_reported(rank_context *context, const char *const *words)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	weir_diagnosis report = {0};
	size_t found = 0;

	for (int i = 0; i < LOOKS && words[found]; i++) {
		nanosleep(&moment, NULL);
		weir_diagnosis_destroy(&report);
		if (weir_device_diagnose(context->device, &report) != WEIR_OK)
			break;
		for (found = 0; words[found] && strstr(report.text, words[found]);)
			found++;
	}
	if (words[found])
		printf("no '%s' in: %s\n", words[found], report.text ? report.text : "no report");
	weir_diagnosis_destroy(&report);
	return !words[found];
}

static const weir_crew_options options = {
    .blocks = BLOCKS, .diagnose = 1, .name = "halo", .data_bytes = 64};

/* The last rank ends, leaves or stays away after some phases. Each of the others reports that, and
 * aborts its own launch. A rank that stays away ends when all others have reported, through an event of
 * its own. */
static void lose_last(rank_context *context)
{
	const char *how = context->what;
	uint32_t data[1] = {WEIR_BUSY};
	weir_crew c;
	weir_crew_options with_events = options;
	weir_crew_link *link;
	char name[80];
	const char *words[] = {
	    "crew_rank: blocks 0, 1 wait at the barrier of crew 'halo' for phase 4, ",
	    " in diagnosed.c:", name,
	    strcmp(how, "killed") == 0 ? "its process has ended (process "
	    : strcmp(how, "left") == 0 ? "it has left the crew (process "
				       : "its process is alive (process ",
	    NULL};

	with_events.events = 1;
	link = ranks_join(context, &with_events, &c);
	launch(context, c, PHASES, data);
	CHECK(context, weir_device_wait(context->device, WAIT_NS, NULL) == WEIR_OK);
	CHECK(context, data[0] == WEIR_OK);
	if (c.config.rank == c.config.ranks - 1) {
		if (strcmp(how, "killed") == 0)
			raise(SIGKILL);
		if (strcmp(how, "stays") == 0)
			CHECK(context,
			      weir_crew_event_wait_for(c, weir_crew_event(c, c.config.rank, 0),
			                               c.config.ranks - 1, WAIT_NS) == WEIR_OK);
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
		return;
	}
	launch(context, c, 1, data);
	snprintf(name, sizeof name, ". Rank %u has not signalled: it last passed phase %u; ",
	         c.config.ranks - 1, PHASES);
	CHECK(context, is_reported(context, words));
	CHECK(context, weir_device_abort(context->device) == WEIR_OK);
	CHECK(context, weir_device_wait(context->device, WAIT_NS, NULL) == WEIR_ABORTED);
	CHECK(context, weir_crew_aborted(c) == 0);
	if (strcmp(how, "stays") == 0)
		weir_event_post(weir_crew_event(c, c.config.ranks - 1, 0), 1);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

/* An abort of the crew ends the launches of all ranks, as it does without diagnosis. */
static void stop(rank_context *context)
{
	const char *words[] = {"crew_rank: ", NULL};
	uint32_t data[1] = {WEIR_BUSY};
	weir_crew c;
	weir_crew_link *link = ranks_join(context, &options, &c);

	if (c.config.rank != 0) {
		launch(context, c, 1, data);
		CHECK(context, is_reported(context, words));
		weir_crew_data(c, c.config.rank)[0] = 1;
		CHECK(context, weir_device_wait(context->device, WAIT_NS, NULL) == WEIR_OK);
		CHECK(context, data[0] == WEIR_ABORTED);
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
		return;
	}
	for (uint32_t i = 1; i < c.config.ranks; i++)
		while (__atomic_load_n(weir_crew_data(c, i), __ATOMIC_RELAXED) == 0)
			sched_yield();
	CHECK(context, weir_crew_host_abort(link) == WEIR_OK);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

int main(void)
{
	static const struct {
		const char *name;
		uint32_t killed;
		rank_function function;
		const char *what;
	} tests[] = {
	    {"a killed rank is named in the report of a kernel", 1 << 2, lose_last, "killed"},
	    {"so is one that left", 0, lose_last, "left"},
	    {"so is one that stays away", 0, lose_last, "stays"},
	    {"an abort of the crew ends diagnosed kernels", 0, stop, NULL}};
	int failed = 0;

	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		int failures = ranks_run(3, NULL, 0, tests[i].killed, tests[i].function,
		                         (void *)(uintptr_t)tests[i].what);
		printf("%s %s\n", failures == 0 ? "ok    " : "FAILED", tests[i].name);
		failed += failures != 0;
	}
	return failed != 0;
}
