/* Diagnosis of crews: no findings about correct kernels, and findings about ranks and blocks that do not
 * arrive, and about misuse. This program is compiled with WEIR_DIAGNOSE.
 *
 * The ranks of a crew here are in one process: a thread joins as rank 1, and never calls a barrier.
 * test/crew/diagnosed.c has processes. On CUDA a crew has one rank. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reports.h"
#include "weir/ranks.h"

#define BLOCKS 4
#define THREADS 32

/* A rank that only joins. */
struct absentee {
	pthread_t thread;
	int socket;
	weir_device *host;
	const weir_crew_options *options;
	weir_crew_link *link;
	weir_status status;
};

static weir_device *host;
static weir_crew_link *link_of_crew;
static struct absentee absentee;
static weir_crew crew;
static weir_buffer memory;
static api_crews params;

static void *join_apart(void *context)
{
	struct absentee *a = context;
	weir_crew_place place = {.rank = 1, .ranks = 2, .sockets = &a->socket, .socket_count = 1};

	a->status = weir_crew_create(a->host, &place, a->options, &a->link);
	return NULL;
}

/* Joins a crew of one or two ranks, as rank 0. */
static void join(uint32_t ranks, const weir_crew_options *options)
{
	weir_crew_place place = {.ranks = ranks, .name = "alone"};
	int ends[2] = {-1, -1};

	host = api_device;
	if (api_info.machine != WEIR_MACHINE_HOST)
		api_ok(weir_device_open("host", &host));
	if (ranks == 2) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
		absentee = (struct absentee){.socket = ends[1], .host = host, .options = options};
		place.sockets = &ends[0];
		place.socket_count = 1;
		assert_int_equal(pthread_create(&absentee.thread, NULL, join_apart, &absentee), 0);
	}
	api_ok(weir_crew_create(host, &place, options, &link_of_crew));
	if (ranks == 2) {
		pthread_join(absentee.thread, NULL);
		api_ok(absentee.status);
	}
	if (host == api_device)
		api_ok(weir_crew_handle(link_of_crew, &crew));
	else
		api_ok(weir_crew_on_device(link_of_crew, api_device, &crew));
}

static void leave(void)
{
	if (link_of_crew)
		api_ok(weir_crew_destroy(&link_of_crew));
	if (absentee.link)
		api_ok(weir_crew_destroy(&absentee.link));
	link_of_crew = NULL;
	absentee.link = NULL;
	if (host && host != api_device)
		api_ok(weir_device_close(host));
	host = NULL;
}

/* A separate device, with a crew for that many blocks. */
static void renew(uint32_t ranks, uint32_t blocks)
{
	const weir_crew_options options = {.blocks = blocks,
	                                   .lanes = BLOCKS,
	                                   .events = 2,
	                                   .seconds = 60,
	                                   .diagnose = 1,
	                                   .name = "halo"};

	leave();
	renew_device();
	api_ok(weir_buffer_create(api_device, 128, &memory));
	join(ranks, &options);
	assert_int_not_equal(crew.config.id, 0);
}

static weir_launch launch_of(uint32_t value, uint32_t rounds, weir_argument *arguments)
{
	weir_launch launch = {.kernel = api_kernel("api_crew"),
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	params = (api_crews){.crew = crew.config,
	                     .words = (uint64_t)(uintptr_t)crew.words,
	                     .table = (uint64_t)(uintptr_t)crew.table,
	                     .rounds = rounds,
	                     .value = value};
	arguments[0] = (weir_argument){&memory.native, sizeof memory.native};
	arguments[1] = (weir_argument){&api_data.native, sizeof api_data.native};
	arguments[2] = (weir_argument){&params, sizeof params};
	return launch;
}

static void run(uint32_t value, uint32_t rounds)
{
	weir_argument arguments[3];
	weir_launch launch = launch_of(value, rounds, arguments);

	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static uint32_t hang(uint32_t value, uint32_t rounds, const char *const *words, const char *json)
{
	weir_argument arguments[3];
	weir_launch launch = launch_of(value, rounds, arguments);

	return hang_in(&launch, words, json);
}

static int has_ranks(void)
{
	if (api_info.machine == WEIR_MACHINE_HOST)
		return 1;
	print_message("skipped: a second rank on a GPU is another process\n");
	return 0;
}

/* Each launch continues where the last one stopped. */
static void right(void **state)
{
	(void)state;
	renew(1, BLOCKS);
	run(API_CREW_RIGHT, 20);
	for (uint32_t block = 0; block < BLOCKS; block++)
		assert_int_equal(api_datum(block), 5 * 20);
	expect(0, "crew 'halo', rank 0 of 1\n");
	expect_nothing();
}

static void missing_rank(void **state)
{
	(void)state;
	if (!has_ranks())
		skip();
	renew(2, BLOCKS);
	assert_int_equal(hang(API_CREW_BARRIER, 1,
	                      WORDS("crew_rank: blocks 0, 1, 2, 3 wait at the barrier of crew "
	                            "'halo' for phase 1, the first of them since ",
	                            " in crew_kernels.h:",
	                            ". Rank 1 has not signalled: it last passed phase 0; its "
	                            "process is alive (process ",
	                            "crew 'halo', rank 0 of 2\n",
	                            "block 2 has waited at 'halo' in crew_kernels.h:"),
	                      "\"operation\": \"crew\""),
	                 BLOCKS);
	renew(2, BLOCKS);
	/* A lane in which a block was when its launch was aborted is not misused by the next
	 * launch. */
	for (int i = 0; i < 2; i++)
		hang(API_CREW_LANE, 0,
		     WORDS("crew_rank: block 1 waits in lane 1 of crew 'halo' for phase 1 since ",
		           ". Rank 1 has not signalled: it last passed phase 0; "),
		     "\"lane\": 1");
	renew(2, BLOCKS);
	api_ok(weir_crew_destroy(&absentee.link));
	absentee.link = NULL;
	hang(API_CREW_BARRIER, 1,
	     WORDS("crew_rank: ", ". Rank 1 has not signalled: it last passed phase 0; it has left "
	                          "the crew (process "),
	     "\"missing\": [\n        1\n      ]");
}

/* The longest wait in a report. */
static long longest_ms(const char *json)
{
	static const char label[] = "\"ms\": ";
	long longest = 0;

	while ((json = strstr(json, label)) != NULL) {
		long ms = strtol(json += sizeof label - 1, NULL, 10);
		longest = ms > longest ? ms : longest;
	}
	return longest;
}

/* A wait that starts again after each deadline counts as one wait. */
static void deadlines(void **state)
{
	weir_argument arguments[3];
	weir_launch launch;
	weir_diagnosis report;
	long longest = 0;

	(void)state;
	if (!has_ranks())
		skip();
	renew(2, BLOCKS);
	launch = launch_of(API_CREW_FOR, 0, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	for (int i = 0; i < 6000 && longest < 10 * API_CREW_SHORT_NS / 1000000; i++) {
		nanosleep(&(struct timespec){0, 10000000}, NULL);
		api_ok(weir_device_diagnose(api_device, &report));
		longest = longest_ms(report.json);
		weir_diagnosis_destroy(&report);
	}
	assert_true(longest >= 10 * API_CREW_SHORT_NS / 1000000);
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
}

static void missing_block(void **state)
{
	(void)state;
	renew(1, BLOCKS);
	hang(API_CREW_SKIP, 1,
	     WORDS("crew_block: blocks 0, 2, 3 wait at the barrier of crew 'halo' for phase 1, ",
	           ". 3 of this rank's 4 blocks have arrived. Block 1 waits for nothing that weir "
	           "knows of"),
	     "\"primitive\": \"crew\"");
	if (!has_ranks())
		return;
	renew(2, BLOCKS);
	hang(API_CREW_SKIP, 1,
	     WORDS("crew_block: blocks 0, 2, 3 ",
	           ". 3 of this rank's 4 blocks have arrived. Block 1 ",
	           ". Rank 1 has not signalled: it last passed phase 0; its process is alive"),
	     "\"operation\": \"crew\"");
}

static void missing_signal(void **state)
{
	(void)state;
	renew(1, BLOCKS);
	hang(API_CREW_EVENT, 0,
	     WORDS(
		 "crew_event: block 1 waits for event 1 of rank 0 in crew 'halo' to be at 2 since ",
		 " in crew_kernels.h:", ". It is at 0.",
		 "block 1 has waited for 'halo'[1] in crew_kernels.h:"),
	     "\"target\": 2");
	if (!has_ranks())
		return;
	renew(2, BLOCKS);
	api_ok(weir_crew_destroy(&absentee.link));
	absentee.link = NULL;
	hang(API_CREW_EVENT, 0, WORDS(" Rank 1 is gone: it has left the crew"), "\"index\": 1");
}

static void lanes(void **state)
{
	weir_argument arguments[3];
	weir_launch launch;

	(void)state;
	renew(1, BLOCKS);
	launch = launch_of(API_CREW_PAST, 0, arguments);
	end_in(&launch, "a lane 4 that the crew does not have");
	expect(1, "past_lanes: block 1 arrives in lane 4 of crew 'halo' in crew_kernels.h:");
	expect(1, ", which has 4. The launch ended there.");
	renew(1, BLOCKS);
	run(API_CREW_SHARED, 0);
	expect(1, "shared_lane: block 1 arrives in lane 0 of crew 'halo' in crew_kernels.h:");
	expect(1, " while block 0 is in it. A lane is for one block");
	renew(1, BLOCKS);
	run(API_CREW_TWICE, 0);
	expect(1, ", and has not waited since its last arrival there.");
}

static void tokens(void **state)
{
	(void)state;
	renew(1, BLOCKS);
	run(API_CREW_OLD, 0);
	expect(1, "old_token: block 1 waits in crew_kernels.h:");
	expect(1, " with an old token of crew 'halo': ");
	renew(1, BLOCKS);
	run(API_CREW_OLD_PHASE, 0);
	expect(1, "old_token: block ");
	expect(1, " So did 2 more.");
}

static void grids(void **state)
{
	(void)state;
	renew(1, BLOCKS + 1);
	hang(
	    API_CREW_BARRIER, 1,
	    WORDS(
		"wrong_blocks: block ",
		" of 4 comes to the barrier of crew 'halo' in crew_kernels.h:",
		", which was made for 5 blocks of this rank: all of them must come, and no others.",
		" So did 3 more."),
	    "\"kind\": \"wrong_blocks\"");
	renew(1, BLOCKS - 1);
	hang(API_CREW_BARRIER, 1,
	     WORDS("wrong_blocks: block 3 of 4 comes to the barrier of crew 'halo' in ",
	           ", which was made for 3 blocks", " has waited at 'halo' in crew_kernels.h:"),
	     "\"kind\": \"wrong_blocks\"");
}

/* A crew without diagnosis leaves no notes. On the host an abort also ends its waits; on a GPU only blocks that use a
 * diagnosed object learn of the abort. */
static void undiagnosed(void **state)
{
	const weir_crew_options plain = {.blocks = BLOCKS + 1, .lanes = BLOCKS, .events = 2};
	const weir_mutex_options options = {.object.diagnose = 1, .object.name = "other"};
	weir_argument arguments[3];
	weir_launch launch;
	weir_mutex other;

	(void)state;
	if (host != api_device) {
		print_message(
		    "skipped: on a GPU no abort ends a kernel whose objects have no diagnosis\n");
		return;
	}
	leave();
	renew_device();
	api_ok(weir_buffer_create(api_device, 128, &memory));
	api_ok(weir_mutex_create(api_device, &options, &other));
	join(1, &plain);
	assert_int_equal(crew.config.id, 0);
	launch = launch_of(API_CREW_BARRIER, 1, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	nanosleep(&(struct timespec){0, 50000000}, NULL);
	expect_nothing();
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
}

/* A crew that was left is in the report, and its number is used again only if no other is free. */
static void left(void **state)
{
	const weir_crew_options options = {.diagnose = 1};
	weir_crew_link *first;
	uint32_t id;

	(void)state;
	renew(1, BLOCKS);
	first = link_of_crew;
	id = crew.config.id;
	if (host == api_device) {
		weir_crew again;
		api_ok(weir_crew_handle(first, &again));
		assert_int_equal(again.config.id, id);
	}
	api_ok(weir_crew_destroy(&first));
	expect(0, "crew 'halo', rank 0 of 1, destroyed\n");
	if (host != api_device)
		api_ok(weir_device_close(host));
	join(1, &options);
	assert_int_not_equal(crew.config.id, id);
	expect(0, "crew 'crew 2', rank 0 of 1\n");
	for (uint32_t i = 0; i < 80; i++) { /* more crews than a device has numbers */
		leave();
		join(1, &options);
	}
	expect_nothing();
	leave();
}

static int end(void **state)
{
	leave();
	return api_teardown(state);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(right),          cmocka_unit_test(missing_rank),
	    cmocka_unit_test(deadlines),      cmocka_unit_test(missing_block),
	    cmocka_unit_test(missing_signal), cmocka_unit_test(lanes),
	    cmocka_unit_test(tokens),         cmocka_unit_test(grids),
	    cmocka_unit_test(undiagnosed),    cmocka_unit_test(left),
	};
	return api_begin(argc, argv) ? API_SKIPPED : cmocka_run_group_tests(tests, api_setup, end);
}
